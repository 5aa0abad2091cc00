"""Tensors as the oracle sees them: every number, and which coordinates are stored."""
from dataclasses import dataclass

import numpy as np

from .choices import Redraw
from .elements import Element
from .encodings import Encoding, build


@dataclass
class Tensor:
    numbers: np.ndarray
    element: Element
    encoding: Encoding = None
    stored: np.ndarray = None
    unclear: np.ndarray = None
    """Where it is not laid down whether a zero is stored."""
    undefined: bool = False
    """Whether this is a `tensor.empty` without an encoding, or with one of dense levels alone."""
    approximate: bool = False
    loose: bool = False
    """Whether there may be more entries than coordinates that have one."""

    def __post_init__(self):
        if self.stored is None:
            self.stored = np.ones(self.numbers.shape, bool)
        if self.unclear is None:
            self.unclear = np.zeros(self.numbers.shape, bool)

    @property
    def shape(self):
        return self.numbers.shape

    def converted(self, encoding):
        """In another encoding: stored zeros of a sparse tensor are kept, those of a dense one are dropped."""
        if encoding is None:
            return Tensor(self.numbers, self.element, approximate=self.approximate)
        present = self.numbers != 0 if self.encoding is None else self.stored
        result = Tensor(self.numbers, self.element, encoding, present, self.unclear & present, approximate=self.approximate)
        result.loose = self.loose and encoding.holds_duplicates
        return result.placed()

    def placed(self):
        """With what its encoding stores besides."""
        if self.encoding is None:
            self.stored, self.unclear = np.ones(self.shape, bool), np.zeros(self.shape, bool)
            return self
        if self.encoding.overfull(self.stored):
            raise Redraw
        places = self.encoding.stored(self.stored)
        self.check_widths(int(places.sum()))
        open_blocks = self.encoding.has_structure and (np.any(self.unclear) or self.encoding.underfull(self.stored))
        self.unclear = self.encoding.stored(self.unclear) & ~self.encoding.stored(self.stored & ~self.unclear)
        if self.encoding.has_structure:
            # A zero in such a slot is padding to whoever reads it.
            self.unclear = self.unclear | (places & (self.numbers == 0))
        if open_blocks:
            self.loose, self.unclear = True, np.where(self.stored, self.unclear, True)
        else:
            self.stored = places
        return self

    def check_widths(self, count):
        """Refuses what narrow positions and coordinates cannot hold; blocks and duplicates add to the count, so half is kept."""
        positions, coordinates = self.encoding.widths
        sizes = self.encoding.level_sizes(self.shape)
        if positions == 8 and count > 120 or positions == 16 and count > 30000 or coordinates in (8, 16) and max(sizes) >= 2**coordinates:
            raise Redraw

    @property
    def structure_is_clear(self):
        return not np.any(self.unclear) and not self.loose

    def entries(self):
        return [(coordinates, self.numbers[coordinates]) for coordinates in map(tuple, np.argwhere(self.stored).tolist())]

    def arrays(self):
        return build(self.encoding, self.shape, self.entries())
