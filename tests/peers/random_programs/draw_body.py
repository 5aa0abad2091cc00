"""Draws bodies of kernels."""
from .bodies import Body, Op
from .draw import number
from .elements import F32, F64, I1, I32, I64, INDEX

PAIRS = {
    "float": [(8, "arith.addf"), (8, "arith.mulf"), (4, "arith.subf"), (2, "arith.maximumf"), (2, "arith.minimumf"),
              (1, "arith.maxnumf"), (1, "arith.minnumf"), (3, "select"), (1, "division")],
    "integer": [(8, "arith.addi"), (8, "arith.muli"), (4, "arith.subi"), (2, "arith.maxsi"), (2, "arith.minsi"), (2, "arith.andi"),
                (2, "arith.ori"), (2, "arith.xori"), (3, "select"), (1, "arith.maxui"), (1, "arith.minui"), (1, "division")],
    "i1": [(4, "arith.xori"), (4, "arith.andi"), (4, "arith.ori"), (1, "select")],
    "index": [(8, "arith.addi"), (8, "arith.muli"), (2, "arith.maxui"), (2, "arith.minui"), (3, "select")],
    "complex": [(8, "complex.add"), (8, "complex.mul"), (4, "complex.sub"), (1, "select")],
}
ALONE = {
    "float": [(4, "arith.negf"), (3, "math.absf"), (1, "math.floor"), (1, "math.ceil"), (3, "relu")],
    "integer": [(3, "math.absi"), (3, "relu"), (1, "arith.shli"), (1, "arith.shrsi")],
    "i1": [(1, "flip")],
    "index": [(1, "arith.shli")],
    "complex": [(3, "complex.neg"), (1, "complex.conj")],
}
COMBINING = {  # associative and commutative, with an identity
    "float": [("arith.addf", 0.0), ("arith.mulf", 1.0), ("arith.maximumf", -64.0), ("arith.minimumf", 64.0)],
    "integer": [("arith.addi", 0), ("arith.muli", 1), ("arith.maxsi", -100), ("arith.minsi", 100), ("arith.xori", 0), ("arith.ori", 0), ("arith.andi", -1)],
    "i1": [("arith.ori", 0), ("arith.andi", 1), ("arith.xori", 0)],
    "index": [("arith.addi", 0), ("arith.muli", 1), ("arith.maxui", 0)],
    "complex": [("complex.add", 0j), ("complex.mul", 1 + 0j)],
}
ADD = {"float": "arith.addf", "integer": "arith.addi", "complex": "complex.add"}
FLOAT_PREDICATES = ["olt", "ogt", "oeq", "ole", "oge", "one", "ult", "une"]
INTEGER_PREDICATES = ["slt", "sgt", "eq", "sle", "sge", "ne", "ult", "uge"]


def family(kind):
    return kind.name if kind.name in ("i1", "index") else kind.kind


class Drawer:
    """A list of values that grows by operations."""

    def __init__(self, choices, types, tame=False):
        self.choices, self.types, self.ops, self.tame = choices, list(types), [], tame

    def add(self, name, args, result, data=None):
        self.ops.append(Op(name, list(args), result, data))
        self.types.append(result)
        return len(self.types) - 1

    def constant(self, kind, value=None):
        return self.add("constant", [], kind, number(self.choices, kind) if value is None else value)

    def cast(self, place, wanted):
        """A value of the wanted type out of one of any type."""
        kind = self.types[place]
        if kind == wanted:
            return place
        if wanted.is_complex:
            part = F64 if wanted.bits == 128 else F32
            real = self.cast(self.real(place), part)
            return self.add("complex.create", [real, self.constant(part, 0.0)], wanted)
        if kind.is_complex:
            return self.cast(self.real(place), wanted)
        if kind.is_float and wanted.is_float:
            return self.cast_float(place, wanted)
        if kind.is_integer and wanted.is_integer:
            return self.cast_integer(place, wanted)
        if wanted.is_float:
            place = self.cast(place, I64) if kind == INDEX else place
            return self.add("arith.uitofp" if kind == I1 else "arith.sitofp", [place], wanted)
        if wanted == I1:
            zero = self.constant(kind, 0.0)
            return self.add("arith.cmpf", [place, zero], I1, "une")
        return self.cast(self.add("arith.fptosi", [place], I64 if wanted == INDEX else wanted), wanted)

    def real(self, place):
        kind = self.types[place]
        return self.add("complex.re", [place], F64 if kind.bits == 128 else F32) if kind.is_complex else place

    def cast_float(self, place, wanted):
        kind = self.types[place]
        if kind.bits == wanted.bits:
            return self.cast_float(self.add("arith.extf", [place], F32), wanted)
        return self.add("arith.extf" if kind.bits < wanted.bits else "arith.truncf", [place], wanted)

    def cast_integer(self, place, wanted):
        kind = self.types[place]
        if INDEX in (kind, wanted):
            between = I64
            if I1 in (kind, wanted):
                return self.cast_integer(self.cast_integer(place, between), wanted)
            return self.add("arith.index_cast", [place], wanted)
        if kind.bits < wanted.bits:
            return self.add("arith.extui" if kind == I1 else "arith.extsi", [place], wanted)
        return self.add("arith.trunci", [place], wanted)

    def pair(self, left, right):
        """An operation of two values of one type."""
        kind = self.types[left]
        pairs = PAIRS[family(kind)]
        name = self.choices.weighted(pairs[:3] if self.tame else pairs)
        if name == "select":
            return self.select(left, right)
        if name == "division":
            return self.division(left, right)
        return self.add(name, [left, right], kind)

    def division(self, left, right):
        """By a constant; a float's is a power of two."""
        kind = self.types[left]
        by = self.constant(kind, self.choices.one_of([2.0, 0.5, -4.0]) if kind.is_float else self.choices.one_of([2, 3, -2]))
        name = "arith.divf" if kind.is_float else self.choices.one_of(["arith.divsi", "arith.remsi"])
        return self.add(ADD[kind.kind], [self.add(name, [left, by], kind), right], kind)

    def condition(self, left, right):
        kind = self.types[left]
        if kind.is_complex:
            return self.add(self.choices.one_of(["complex.eq", "complex.neq"]), [left, right], I1)
        predicates = FLOAT_PREDICATES if kind.is_float else INTEGER_PREDICATES
        if kind in (INDEX, I1):
            predicates = ["ult", "ugt", "eq", "ne", "ule", "uge"]
        return self.add("arith.cmpf" if kind.is_float else "arith.cmpi", [left, right], I1, self.choices.one_of(predicates))

    def select(self, left, right):
        condition = self.condition(left, right)
        return self.add("arith.select", [condition, *self.choices.order([left, right])], self.types[left])

    def alone(self, place):
        """An operation of one value."""
        kind = self.types[place]
        alone = ALONE[family(kind)]
        name = self.choices.weighted(alone[:2] if self.tame else alone)
        if name == "flip":
            return self.add("arith.xori", [place, self.constant(kind, 1)], kind)
        if name == "relu":
            zero = self.constant(kind, kind.dtype(0).item())
            test = self.add("arith.cmpf" if kind.is_float else "arith.cmpi", [place, zero], I1, "ogt" if kind.is_float else "sgt")
            return self.add("arith.select", [test, place, zero], kind)
        if name.startswith("arith.sh"):
            return self.add(name, [place, self.constant(kind, self.choices.between(1, 2))], kind)
        return self.add(name, [place], kind)

    def loop(self, loops, kind):
        """The index of a loop as a value of the type."""
        return self.cast(self.add("linalg.index", [], INDEX, self.choices.below(loops)), kind)


class BodyDrawer(Drawer):
    """`dense` are the places of arguments that regions may capture."""

    def __init__(self, choices, arguments, loops, dense, semiring, tame):
        super().__init__(choices, arguments, tame)
        self.arguments, self.loops, self.dense, self.semiring = arguments, loops, dense, semiring
        self.kind, self.old = arguments[-1], len(arguments) - 1

    def body(self, reducing, old_defined):
        ways = [(6, self.accumulated), (2, self.combined), (2, self.anywhere)] if reducing else [(6, self.without), (3, self.accumulated), (1, self.combined), (2, self.anywhere)]
        if not self.semiring:
            ways = [way for way in ways if way[1] != self.combined]
        way = self.choices.weighted(ways) if old_defined else self.without
        if reducing and not old_defined and not self.choices.chance(10):
            way = self.combined if self.semiring else self.accumulated
        result = way()
        return Body(self.arguments, self.ops, self.cast(result, self.kind)).needed()

    def leaves(self):
        return [self.leaf(place) for place in range(self.old)] or [self.constant(self.kind)]

    def leaf(self, place):
        """An argument as a value of the result's type, at times through `unary` or `select`."""
        if self.semiring and self.choices.chance(15):
            place = self.unary(place) if self.choices.chance(60) else self.kept(place)
        place = self.cast(place, self.kind)
        return self.alone(place) if self.choices.chance(12) else place

    def without(self):
        return self.tree(self.leaves())

    def anywhere(self):
        return self.tree(self.choices.order([*self.leaves(), self.old]))

    def accumulated(self):
        """A chain through the old value."""
        leaves, chain = self.leaves(), self.old
        while leaves:
            count = self.choices.between(1, len(leaves))
            term, leaves = self.tree(leaves[:count]), leaves[count:]
            name = ADD[self.kind.kind] if not self.choices.chance(30) else None
            sides = [chain, term] if not self.choices.chance(30) else [term, chain]
            chain = self.add(name, sides, self.kind) if name else self.pair(*sides)
        if self.kind.is_float and self.choices.chance(8):
            chain = self.add("math.fma", [self.leaf(0) if self.old else chain, self.constant(self.kind), chain], self.kind)
        return chain

    def combined(self):
        """sparse_tensor.reduce of the old value and a term."""
        term = self.tree(self.leaves())
        name, identity = self.choices.one_of(COMBINING[family(self.kind)])
        if self.kind.name == "i8" and abs(identity) == 100:
            identity = identity // 100 * 127
        place = self.constant(self.kind, identity)
        outside = len(self.types)
        region = Body([self.kind, self.kind], [Op(name, [outside, outside + 1], self.kind)], outside + 2)
        old = self.choices.below(2)
        args = [self.old, term] if old == 0 else [term, self.old]
        return self.add("sparse_tensor.reduce", args, self.kind, {"outside": outside, "combine": region, "identity": place, "old": old})

    def tree(self, leaves):
        """One value out of some, each of the result's type."""
        leaves = list(leaves)
        while len(leaves) > 1:
            at = self.choices.below(len(leaves) - 1)
            leaves[at : at + 2] = [self.joined(leaves[at], leaves[at + 1])]
            if self.choices.chance(10):
                leaves[at] = self.extra(leaves[at])
        return self.extra(leaves[0]) if self.choices.chance(25) else leaves[0]

    def joined(self, left, right):
        return self.binary(left, right) if self.semiring and self.choices.chance(15) else self.pair(left, right)

    def extra(self, place):
        what = self.choices.one_of(["constant", "alone", "twice", "loop", "select"])
        if what == "constant":
            return self.pair(place, self.constant(self.kind))
        if what == "twice":
            return self.pair(place, place)
        if what == "loop" and self.loops:
            return self.pair(place, self.loop(self.loops, self.kind))
        if what == "select" and self.semiring:
            return self.kept(place)
        return self.alone(place)

    # Operations with regions.

    def captures(self):
        """Values from outside that regions may use; made before them."""
        found = [self.constant(self.kind, self.kind.dtype(0).item() if self.choices.chance(25) else None)]
        if self.loops and self.choices.chance(30):
            found.append(self.loop(self.loops, self.kind))
        found += [place for place in self.dense if self.types[place] == self.kind and self.choices.chance(30)]
        return found

    def region(self, arguments, result, captures, outside):
        """A region over its arguments, and at times over what it captures; the result is of the type given."""
        drawer = Drawer(self.choices, self.types[:outside] + arguments)
        places = [drawer.cast(outside + at, self.kind) for at in range(len(arguments))]
        if not places or self.choices.chance(35):
            places.append(self.choices.one_of(captures))
        value = places[0]
        for place in places[1:]:
            value = drawer.pair(value, place)
        if arguments and (value < outside + len(arguments) or self.choices.chance(15)):
            value = drawer.alone(value)
        if result == I1:
            value = drawer.condition(value, self.choices.one_of(captures))
        return Body(arguments, drawer.ops, drawer.cast(value, result))

    def unary(self, place):
        with self.choices.inside():
            return self.any_unary(place)

    def any_unary(self, place):
        captures, kind = self.captures(), self.types[place]
        outside = len(self.types)
        present = self.region([kind], self.kind, captures, outside) if not self.choices.chance(25) else None
        absent = Body([], [], captures[0]) if present is None or self.choices.chance(35) else None
        return self.add("sparse_tensor.unary", [place], self.kind, {"outside": outside, "present": present, "absent": absent})

    def kept(self, place):
        captures, kind = self.captures(), self.types[place]
        outside = len(self.types)
        return self.add("sparse_tensor.select", [place], kind, {"outside": outside, "kept": self.region([kind], I1, captures, outside)})

    def binary(self, left, right):
        with self.choices.inside():
            return self.any_binary(left, right)

    def any_binary(self, left, right):
        captures, kinds = self.captures(), [self.types[left], self.types[right]]
        outside = len(self.types)
        overlap = self.region(kinds, self.kind, captures, outside) if not self.choices.chance(20) else None
        one = lambda kind: self.choices.weighted([(3, None), (3, "identity"), (3, "region")]) if True else None
        sides = [one(kind) for kind in kinds]
        sides = [self.region([kind], self.kind, captures, outside) if side == "region" else side for side, kind in zip(sides, kinds)]
        data = {"outside": outside, "overlap": overlap, "left": sides[0], "right": sides[1]}
        return self.add("sparse_tensor.binary", [left, right], self.kind, data)
