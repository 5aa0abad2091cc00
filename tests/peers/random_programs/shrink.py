"""Makes choices short and low for as long as what they make still fails."""
import time


def trimmed(choices):
    """Without what says nothing at the ends of lists: what is not said is 0, or an empty list."""
    kept = [trimmed(one) if isinstance(one, list) else one for one in choices]
    while kept and kept[-1] in (0, []):
        kept.pop()
    return kept


def measure(choices):
    """How many numbers there are, and their sum."""
    count = total = 0
    for one in choices:
        inner = measure(one) if isinstance(one, list) else (1, one)
        count, total = count + inner[0], total + inner[1]
    return count, total


def places(choices, path=()):
    """The paths of all lists, outer ones first."""
    yield path
    for at, one in enumerate(choices):
        if isinstance(one, list):
            yield from places(one, (*path, at))


def part(choices, path):
    for at in path:
        choices = choices[at]
    return choices


def changed(choices, path, new):
    if not path:
        return new
    return [*choices[: path[0]], changed(choices[path[0]], path[1:], new), *choices[path[0] + 1 :]]


def exists(choices, path):
    for at in path:
        if not isinstance(choices, list) or at >= len(choices):
            return False
        choices = choices[at]
    return isinstance(choices, list)


class Shrinker:
    """`fails` gives the choices that were made of those given, if what they make fails alike, and else nothing."""

    def __init__(self, made, fails, seconds):
        self.best, self.fails, self.end = trimmed(made), fails, time.monotonic() + seconds
        self.tried = set()

    @property
    def over(self):
        return time.monotonic() > self.end

    def better(self, path, new):
        """Takes the list in place of the one at the path, if it fails too, and is shorter or lower."""
        candidate = trimmed(changed(self.best, path, new))
        key = repr(candidate)
        if self.over or key in self.tried or measure(candidate) >= measure(self.best):
            return False
        self.tried.add(key)
        kept = self.fails(candidate)
        if kept is None or measure(trimmed(kept)) >= measure(self.best):
            return False
        self.best = trimmed(kept)
        return True

    def run(self):
        while not self.over:
            before = self.best
            for path in list(places(self.best)):
                if exists(self.best, path):
                    self.at(path)
            if self.best == before:
                break
        return self.best

    def at(self, path):
        if path and self.better(path, []):
            return
        size = len(part(self.best, path))
        while size:
            self.sweep(path, size)
            size //= 2
        self.lower(path)

    def sweep(self, path, size):
        """Takes so many elements out, from the end on, or makes them 0."""
        at = len(part(self.best, path)) - size
        while at >= 0 and exists(self.best, path):
            now = part(self.best, path)
            zeros = [[] if isinstance(one, list) else 0 for one in now[at : at + size]]
            if not self.better(path, now[:at] + now[at + size :]) and size <= 8:
                self.better(path, now[:at] + zeros + now[at + size :])
            at -= max(size, 1)

    def lower(self, path):
        at = 0
        while exists(self.best, path) and at < len(part(self.best, path)):
            now = part(self.best, path)
            value = now[at]
            if isinstance(value, list) or not any(self.better(path, [*now[:at], less, *now[at + 1 :]]) for less in (value // 2, value - 1) if 0 <= less < value):
                at += 1


def shrink(made, fails, seconds=120):
    return Shrinker(made, fails, seconds).run()
