"""Draws encodings, numbers, and the tensors that programs start from."""
import itertools
from dataclasses import replace

import numpy as np

from .choices import Redraw
from .elements import ALL, Element
from .encodings import Encoding, Level
from .statements import Assemble, Constant, Convert, Empty, Insert, Type

WIDTHS = [(0, 0), (8, 8), (16, 32), (32, 32), (64, 64), (32, 0), (0, 16)]


def encoding(choices, rank, structured=True, tame=False):
    """Any encoding of this rank; compressed levels in order are the simplest. Tame ones have no blocks, batches and the like."""
    with choices.inside():
        return _encoding(choices, rank, structured, tame)


def _encoding(choices, rank, structured, tame):
    more = [(3, "blocks"), (1 if structured else 0, "structured"), (1 if rank > 1 else 0, "batch")]
    kind = choices.weighted([(5, "levels"), (3, "coo")] + ([] if tame else more))
    dims = list(range(rank)) if choices.chance(65) is False else choices.order(range(rank))
    if kind == "coo" and rank == 1:
        kind = "levels"
    levels = {"levels": _levels, "coo": _coo, "blocks": _blocks, "structured": _structured, "batch": _batch}[kind](choices, dims)
    widths = choices.weighted([(8, WIDTHS[0])] + [(1, pair) for pair in WIDTHS[1:]])
    return Encoding(rank, tuple(levels), widths)


def _levels(choices, dims):
    formats = [(5, ("compressed", ())), (4, ("dense", ())), (1, ("loose_compressed", ())), (1, ("compressed", ("nonordered",)))]
    levels = []
    for at, dim in enumerate(dims):
        last = at == len(dims) - 1
        more = [(1, ("compressed", ("nonunique",))), (1, ("compressed", ("nonunique", "nonordered")))] if last else []
        format, properties = choices.weighted(formats + more)
        levels.append(Level(dim, format=format, properties=properties))
    return levels


def _coo(choices, dims):
    """Dense or compressed levels, and a run of singletons, at times above more levels."""
    if len(dims) > 2 and choices.chance(25):
        at = choices.between(2, len(dims) - 1)
        run = [replace(level, properties=tuple(p for p in level.properties if p != "nonunique")) if level.dim == dims[at - 1] else level for level in _coo(choices, dims[:at])]
        return run + _below(choices, dims[at:])
    length = choices.between(2, len(dims)) if len(dims) > 2 else 2
    above = [Level(dim, format=choices.one_of(["dense", "compressed"])) for dim in dims[:-length]]
    ordered = () if not choices.chance(10) else ("nonordered",)
    soa = ("soa",) if choices.chance(40) else ()
    head = choices.weighted([(5, "compressed"), (1, "loose_compressed")])
    duplicates = choices.chance(20)
    levels = above + [Level(dims[-length], format=head, properties=("nonunique", *ordered))]
    for dim in dims[-length + 1 :]:
        unique = () if dim == dims[-1] and not duplicates else ("nonunique",)
        levels.append(Level(dim, format="singleton", properties=(*unique, *ordered, *soa)))
    return levels


def _below(choices, dims):
    """Levels below a run of singletons: the last coordinates of such a run do not repeat."""
    if len(dims) > 1 and choices.chance(40):
        return _coo(choices, dims)
    return [Level(dim, format=choices.weighted([(3, "compressed"), (1, "dense"), (1, "loose_compressed")])) for dim in dims]


def _blocks(choices, dims):
    """Some dimensions, or all, cut into blocks, whose inner levels come last."""
    blocked = [dim for dim in dims if choices.chance(60)] or [dims[-1]]
    sizes = {dim: choices.between(2, 3) for dim in blocked}
    outer = [("floordiv", sizes[dim]) if dim in sizes else ("whole", 0) for dim in dims]
    formats = [choices.one_of(["compressed", "dense"]) for _ in dims]
    levels = [Level(dim, part, block, format) for dim, (part, block), format in zip(dims, outer, formats)]
    inner = choices.order(sorted(blocked)) if choices.chance(30) else sorted(blocked)
    format = "compressed" if choices.chance(15) else "dense"
    return levels + [Level(dim, "mod", sizes[dim], format) for dim in inner]


def _structured(choices, dims):
    block = choices.one_of([4, 2, 3])
    most = choices.between(1, block)
    last = dims[-1]
    above = [Level(dim) for dim in dims[:-1]] + [Level(last, "floordiv", block)]
    return above + [Level(last, "mod", block, "structured", (), most)]


def _batch(choices, dims):
    levels = _levels(choices, dims[1:])
    return [Level(dims[0], format="batch")] + levels


def element(choices, tame=False):
    if tame:
        return choices.weighted(list(zip([6, 3, 2, 2, 1, 1], ALL)))
    weights = [10, 4, 4, 4, 1, 2, 2, 2, 2, 1, 2, 2]
    return choices.weighted(list(zip(weights, ALL)))


def number(choices, kind, zero=True):
    """A small number of the type; not zero unless it may be."""
    if kind.name == "i1":
        return choices.below(2) if zero else 1
    values = [1, 2, 3, -1, -2, 4, 5, -3] if kind.bits > 16 or kind.is_integer else [1, 2, -1, 3]
    if kind.name == "index":
        values = [abs(value) for value in values]
    if zero:
        values = [0, *values]
    value = choices.one_of(values)
    if kind.is_complex:
        return complex(value, choices.one_of([0, 1, -2]))
    if kind.is_float:
        return value * choices.weighted([(6, 1.0), (1, 0.5)])
    return value


def numbers(choices, kind, shape, percent):
    """Numbers of which so many of a hundred are not zero."""
    found = kind.zeros(shape)
    with choices.inside():
        for coordinates in itertools.product(*map(range, shape)):
            if choices.chance(percent):
                found[coordinates] = number(choices, kind, zero=False)
    return found


def many_numbers(choices, kind, shape, percent):
    """As `numbers`, for large shapes: one choice is the seed of all. Of very large ones few are not zero, for the text's sake."""
    percent = 1 if np.prod(shape) > 20000 else percent
    random = np.random.default_rng(choices.below(1 << 30))
    size = int(np.prod(shape))
    found = np.zeros(size, kind.dtype)
    count = min(max(size * percent // 100, 1), 4000) if percent < 100 else size
    places = random.permutation(size)[:count] if percent < 100 else np.arange(size)
    few = [1] if kind.name == "i1" else [1, 2, 3] if kind.name == "index" else [1, 2, 3, -1, -2]
    found[places] = random.choice(few, len(places))
    return found.reshape(shape)


LARGE = 600  # elements, from which numbers are drawn all at once


class Sources:
    """Makes tensors out of nothing, each with the statements that it needs."""

    def __init__(self, choices, program, tame=False):
        self.choices, self.program, self.tame = choices, program, tame

    def dense(self, shape, kind, percent=None):
        choices = self.choices
        percent = percent if percent is not None else choices.one_of([100, 50, 30, 0])
        name = self.program.fresh()
        if np.prod(shape) > LARGE:
            found = many_numbers(choices, kind, shape, percent)
            return self.program.add(Constant(name, Type(shape, kind), found, listed=percent < 100 or np.prod(shape) > 20000))
        found = numbers(choices, kind, shape, percent)
        return self.program.add(Constant(name, Type(shape, kind), found, listed=choices.chance(15)))

    def splat(self, shape, kind, value):
        found = np.full(shape, value, kind.dtype)
        return self.program.add(Constant(self.program.fresh(), Type(shape, kind), found))

    def sparse(self, shape, kind, given=None):
        choices = self.choices
        form = given or encoding(choices, len(shape), tame=self.tame)
        how = choices.weighted([(6, "convert"), (3, "assemble"), (1, "insert")])
        large = np.prod(shape) > LARGE
        if how == "insert" and (large or form.has_structure or form.order_open or form.holds_duplicates):
            how = "convert"
        if how == "assemble" and (large or form.has_structure or form.nonunique_above or form.has_batch):
            how = "convert"
        if form.has_structure:
            return self.structured(shape, kind, form)
        if how == "convert":
            source = self.dense(shape, kind, choices.one_of([40, 20, 60, 100, 0]))
            return self.program.add(Convert(self.program.fresh(), Type(shape, kind, form), source.name, source.type))
        entries = self.entries(shape, kind, form, how == "assemble")
        if how == "insert":
            return self.program.add(Insert(self.program.fresh(), Type(shape, kind, form), in_storage_order(form, entries)))
        arrangement = [choices.below(7)] if form.order_open else []
        return self.program.add(Assemble(self.program.fresh(), Type(shape, kind, form), entries, arrangement))

    def entries(self, shape, kind, form, zeros):
        """Entries at drawn coordinates; some are zero, some come twice where the encoding lets them."""
        choices = self.choices
        percent, entries = choices.one_of([30, 60, 100, 0]), []
        with_zeros = zeros and choices.chance(40)
        twice = zeros and form.holds_duplicates and choices.chance(70)
        with choices.inside():
            for coordinates in itertools.product(*map(range, shape)):
                if not choices.chance(percent):
                    continue
                for _ in range(2 if twice and choices.chance(25) else 1):
                    entries.append((coordinates, number(choices, kind, zero=with_zeros and choices.chance(30))))
        return entries

    def promised(self, shape, kind):
        """A tensor whose entries are all one number, which its encoding says, or says what all else is, or both."""
        choices, form = self.choices, encoding(self.choices, len(shape), structured=False)
        value = number(choices, kind, zero=False)
        found = kind.zeros(shape)
        with choices.inside():
            for coordinates in itertools.product(*map(range, shape)):
                if choices.chance(40):
                    found[coordinates] = value
        says = choices.one_of(["explicit", "implicit", "both"])
        # A dense level below a sparse one stores zeros.
        holds = not form.blocks and np.array_equal(form.stored(found != 0), found != 0)
        form = replace(form, explicit=kind.attribute(value) if holds and says != "implicit" else "", implicit=kind.attribute(0) if says != "explicit" else "")
        source = self.program.add(Constant(self.program.fresh(), Type(shape, kind), found))
        return self.program.add(Convert(self.program.fresh(), Type(shape, kind, form), source.name, source.type))

    def structured(self, shape, kind, form):
        """Not more entries in a block than it may hold; just as many in half of the tensors."""
        choices, level = self.choices, form.levels[-1]
        found, full = kind.zeros(shape), choices.chance(60)
        last = level.dim
        if np.prod(shape) > LARGE:
            raise Redraw
        for coordinates in itertools.product(*(range(-(-size // level.block)) if dim == last else range(size) for dim, size in enumerate(shape))):
            count = level.most if full else choices.below(level.most + 1)
            for inside in choices.order(range(level.block))[:count]:
                at = coordinates[last] * level.block + inside
                if at < shape[last]:
                    found[(*coordinates[:last], at, *coordinates[last + 1 :])] = number(choices, kind, zero=False)
        source = self.program.add(Constant(self.program.fresh(), Type(shape, kind), found))
        return self.program.add(Convert(self.program.fresh(), Type(shape, kind, form), source.name, source.type))

    def empty(self, shape, kind, form=None):
        return self.program.add(Empty(self.program.fresh(), Type(shape, kind, form)))


def in_storage_order(form, entries):
    return sorted(entries, key=lambda entry: tuple(level.of(entry[0]) for level in form.levels))
