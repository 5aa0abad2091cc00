"""Encodings: their text, which coordinates they store, and the arrays that a tensor becomes."""
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class Level:
    dim: int
    part: str = "whole"  # whole, floordiv or mod
    block: int = 0
    format: str = "dense"  # dense, batch, compressed, loose_compressed, singleton or structured
    properties: tuple = ()
    most: int = 0  # of structured: so many of `block`

    @property
    def is_dense(self):
        return self.format in ("dense", "batch")

    @property
    def is_unique(self):
        return "nonunique" not in self.properties

    def text(self):
        expression = f"d{self.dim}" if self.part == "whole" else f"d{self.dim} {self.part} {self.block}"
        name = f"structured[{self.most}, {self.block}]" if self.format == "structured" else self.format
        return f"{expression} : {name}" + (f"({', '.join(self.properties)})" if self.properties else "")

    def size(self, shape):
        if self.part == "mod":
            return self.block
        return shape[self.dim] if self.part == "whole" else -(-shape[self.dim] // self.block)

    def of(self, coordinates):
        """The level's coordinates of a tensor's coordinates, one array (or number) for each dimension."""
        one = coordinates[self.dim]
        if self.part == "whole":
            return one
        return one // self.block if self.part == "floordiv" else one % self.block


@dataclass(frozen=True)
class Encoding:
    rank: int
    levels: tuple
    widths: tuple = (0, 0)
    slices: tuple = ()  # of each dimension: offset, size, stride
    explicit: str = ""  # what every entry is, and what all else is, with its type
    implicit: str = ""

    def text(self):
        dims = [f"d{dim}" for dim in range(self.rank)]
        if self.slices:
            dims = [f"{dim} : #sparse_tensor<slice({', '.join(map(str, part))})>" for dim, part in zip(dims, self.slices)]
        entries = [f"map = ({', '.join(dims)}) -> ({', '.join(level.text() for level in self.levels)})"]
        entries += [f"{key} = {width}" for key, width in zip(("posWidth", "crdWidth"), self.widths) if width]
        entries += [f"{key} = {value}" for key, value in (("explicitVal", self.explicit), ("implicitVal", self.implicit)) if value]
        return f"#sparse_tensor.encoding<{{ {', '.join(entries)} }}>"

    def level_sizes(self, shape):
        return [level.size(shape) for level in self.levels]

    def segment_end(self, at):
        """The level behind the run of singletons that starts below level `at`."""
        end = at + 1
        while end < len(self.levels) and self.levels[end].format == "singleton":
            end += 1
        return end

    @property
    def is_dense(self):
        return all(level.is_dense for level in self.levels)

    @property
    def has_structure(self):
        return any(level.format == "structured" for level in self.levels)

    @property
    def has_batch(self):
        return any(level.format == "batch" for level in self.levels)

    @property
    def holds_duplicates(self):
        return not self.levels[-1].is_unique

    @property
    def nonunique_above(self):
        """Whether a nonunique level stands above one that is not a singleton, so that how it is built is left open."""
        pairs = zip(self.levels, self.levels[1:])
        return any(not above.is_unique and below.format != "singleton" for above, below in pairs)

    @property
    def order_open(self):
        return any("nonordered" in level.properties for level in self.levels) or self.nonunique_above

    @property
    def blocks(self):
        return any(level.part != "whole" for level in self.levels)

    def stored(self, present):
        """Which coordinates have a place in storage where those of `present` have an entry: a dense level below a sparse one
        stores all its coordinates."""
        sparse = [at for at, level in enumerate(self.levels) if not level.is_dense]
        if not sparse:
            return np.ones_like(present)
        if present.size == 0 or all(not level.is_dense for level in self.levels[sparse[0] :]) and not self.has_structure:
            return present.copy()
        prefix = self.levels[: sparse[-1] + 1]
        sizes = self.level_sizes(present.shape)[: sparse[-1] + 1]
        grid = np.meshgrid(*map(np.arange, present.shape), indexing="ij")
        key = np.ravel_multi_index([level.of(grid) for level in prefix], sizes)
        has_entry = np.zeros(int(np.prod(sizes)), bool)
        has_entry[key[present]] = True
        return has_entry[key]

    def overfull(self, present):
        """Whether a block of `structured` has more entries than it may."""
        return any(counts.size and counts.max() > self.levels[-1].most for counts in self._block_counts(present))

    def underfull(self, present):
        return any(counts.size and counts.min() < self.levels[-1].most for counts in self._block_counts(present))

    def _block_counts(self, present):
        if not self.has_structure or not present.size:
            return
        above = self.levels[:-1]
        sizes = self.level_sizes(present.shape)[:-1]
        grid = np.meshgrid(*map(np.arange, present.shape), indexing="ij")
        key = np.ravel_multi_index([level.of(grid) for level in above], sizes)
        yield np.bincount(key[present], minlength=int(np.prod(sizes)))


@dataclass
class Arrays:
    """The arrays of a tensor: of each level positions and coordinates, by level, and the values."""

    positions: dict = field(default_factory=dict)
    coordinates: dict = field(default_factory=dict)
    values: list = field(default_factory=list)


@dataclass
class Group:
    """A position while arrays are built: its coordinates so far, and the entries that go through it."""

    prefix: tuple
    entries: list


def build(encoding, shape, entries, arrange=lambda keys: keys):
    """The arrays of `entries`, pairs of dimension coordinates and a value; those at one coordinate become several. `arrange`
    puts the coordinates of a segment of a nonordered level in some order."""
    arrays = Arrays()
    with_levels = [(tuple(level.of(coordinates) for level in encoding.levels), value) for coordinates, value in entries]
    with_levels.sort(key=lambda entry: entry[0])
    groups, at = [Group((), with_levels)], 0
    while at < len(encoding.levels):
        level, end = encoding.levels[at], encoding.segment_end(at)
        if level.is_dense:
            size = level.size(shape)
            groups = [below for group in groups for below in _all_below(group, at, size)]
            end = at + 1
        else:
            groups = _sparse_below(encoding, arrays, groups, at, end, arrange)
        at = end
    arrays.values = [group.entries[0][1] if group.entries else 0 for group in groups]
    return arrays


def _all_below(group, at, size):
    parts = {coordinate: [] for coordinate in range(size)}
    for entry in group.entries:
        parts[entry[0][at]].append(entry)
    return [Group(group.prefix + (coordinate,), part) for coordinate, part in parts.items()]


def _sparse_below(encoding, arrays, groups, at, end, arrange):
    """The positions below `groups` of the segment of levels from `at` to `end`, whose arrays are filled."""
    nonordered = "nonordered" in encoding.levels[at].properties
    keeps_duplicates = end == len(encoding.levels) and not encoding.levels[-1].is_unique
    positions, below = [0], []
    for group in groups:
        start, parts = len(below), {}
        for number, entry in enumerate(group.entries):
            key = (entry[0][at:end], number if keeps_duplicates else 0)
            parts.setdefault(key, []).append(entry)
        keys = arrange(list(parts)) if nonordered else list(parts)
        below += [Group(group.prefix + key[0], parts[key]) for key in keys]
        positions += [start, len(below)]
    format = encoding.levels[at].format
    if format == "compressed":
        arrays.positions[at] = [0] + positions[2::2]
    if format == "loose_compressed":
        arrays.positions[at] = positions[1:]
    tuples = end - at > 1 and "soa" not in encoding.levels[at + 1].properties
    if tuples:
        arrays.coordinates[at] = [list(group.prefix[at:end]) for group in below]
    else:
        for level in range(at, end):
            arrays.coordinates[level] = [group.prefix[level] for group in below]
    return below


def without_widths(encoding):
    return replace(encoding, widths=(0, 0))
