"""A stream of choices: drawn at random, kept, and replayed, in full or changed.

Every choice is a number below a bound, and 0 is the simplest. A program is a function of its choices, so a failing one is made
small by making the lists of choices short and their numbers low.
"""
import random
from contextlib import contextmanager


class Redraw(Exception):
    """What was drawn has no clear meaning, or a value that its type cannot hold: another is to be drawn."""


class Choices:
    """The choices made so far are a list of numbers, and of lists, one for each part that was drawn `inside`: what is drawn in
    one part does not move what is drawn in the next."""

    def __init__(self, seed=None, given=None):
        self.random = random.Random(seed) if given is None else None
        self.given, self.made = given or [], []

    def next(self):
        """What is given at this place, if anything."""
        at = len(self.made)
        return self.given[at] if at < len(self.given) else None

    def below(self, bound):
        """A number from 0 to `bound` - 1."""
        if self.random is not None:
            value = self.random.randrange(bound)
        else:
            given = self.next()
            value = min(given, bound - 1) if isinstance(given, int) else 0
        self.made.append(value)
        return value

    @contextmanager
    def inside(self):
        """What is drawn in this part stands in a list of its own."""
        given, made, part = self.given, self.made, self.next()
        inner = []
        made.append(inner)
        self.given, self.made = part if isinstance(part, list) else [], inner
        try:
            yield
        finally:
            self.given, self.made = given, made

    def between(self, least, most):
        return least + self.below(most - least + 1)

    def one_of(self, items):
        """The first item is the simplest."""
        return items[self.below(len(items))]

    def weighted(self, pairs):
        """`pairs` of a weight and an item, the simplest first."""
        left = self.below(sum(weight for weight, _ in pairs))
        for weight, item in pairs:
            if left < weight:
                return item
            left -= weight
        raise AssertionError("weights")

    def chance(self, percent):
        """True in so many of a hundred cases; False is the simplest."""
        return self.below(100) >= 100 - percent

    def order(self, items):
        items = list(items)
        for at in range(len(items) - 1):
            other = at + self.below(len(items) - at)
            items[at], items[other] = items[other], items[at]
        return items
