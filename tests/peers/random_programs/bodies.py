"""Bodies of kernels: operations, their text, and what they mean where operands are absent.

A value of a body is an array of numbers over the points that run side by side, and a state for each:
PRESENT; ABSENT, which counts as zero; and NOTHING, where a region is missing or a condition false: no result.
`unclear` marks points where it is not laid down whether a zero is present.
"""
from dataclasses import dataclass, field

import numpy as np

from .choices import Redraw
from .elements import F64, I1, INDEX, Element

NOTHING, ABSENT, PRESENT = 1, 2, 3


@dataclass
class Value:
    numbers: np.ndarray
    state: np.ndarray
    unclear: np.ndarray
    anchored: np.ndarray = False
    """Where an entry of a sparse operand, or a region, has made it."""
    constant: bool = False

    @property
    def present(self):
        return self.state == PRESENT

    def where_zero(self, op, operands):
        """With the state of zeros that come of what is absent: absent themselves, if all else is constant; an entry where a sum has
        one, and unclear where something that varies has a part."""
        if op.name in PRODUCTS:
            return self
        present = [x.present for x in operands]
        all_present, any_present = np.logical_and.reduce(present), np.logical_or.reduce(present)
        zero, mixed = (self.numbers == 0) & self.present, any_present & ~all_present
        varying = np.logical_or.reduce([here & (not x.constant) for here, x in zip(present, operands)])
        if op.name in UNIONS:
            self.unclear = self.unclear | (mixed & ~self.anchored & zero)
            return self
        self.state = np.where(zero & ~all_present & ~varying, ABSENT, self.state).astype(np.int8)
        self.unclear = self.unclear | (mixed & varying & zero)
        return self


def always(numbers, constant=False):
    """A value that is present everywhere."""
    numbers = np.asarray(numbers)
    return Value(numbers, np.full(numbers.shape, PRESENT, np.int8), np.zeros(numbers.shape, bool), constant=constant)


@dataclass
class Op:
    """One operation; its operands are places in the list of values: arguments first, then the results of operations. In a region
    that list goes on with the region's own, so what stands outside can be named."""

    name: str
    args: list
    result: Element
    data: object = None  # a constant's number, a loop, a predicate, or an operation's regions


@dataclass
class Body:
    arguments: list  # element types; in a kernel the last one is the old value of the result
    ops: list = field(default_factory=list)
    result: int = 0

    def types(self, outside=()):
        return [*outside, *self.arguments, *(op.result for op in self.ops)]

    def reads(self, place):
        """Whether the result depends on that value."""
        needed, outside = {self.result}, len(self.arguments)
        for at in reversed(range(len(self.ops))):
            if outside + at in needed:
                needed |= set(self.ops[at].args) | captured(self.ops[at])
        return place in needed

    def needed(self):
        """The body without operations that have no part in the result."""
        first = len(self.arguments)
        kept = [at for at in range(len(self.ops)) if self.reads(first + at)]
        place = {old: old for old in range(first)} | {first + at: first + new for new, at in enumerate(kept)}
        return Body(self.arguments, [renumbered(self.ops[at], place) for at in kept], place[self.result])


def regions(op):
    return [part for part in (op.data or {}).values() if isinstance(part, Body)] if isinstance(op.data, dict) else []


def captured(op):
    """The values from outside that the regions of an operation name."""
    limit = op.data["outside"] if isinstance(op.data, dict) else 0
    inner = {arg for region in regions(op) for each in region.ops for arg in each.args}
    inner |= {region.result for region in regions(op)}
    inner |= {op.data["identity"]} if limit and "identity" in op.data else set()
    return {place for place in inner if place < limit}


def renumbered(op, place):
    """The operation with its operands at new places; regions keep theirs behind the values that they see."""
    args = [place[arg] for arg in op.args]
    if not isinstance(op.data, dict):
        return Op(op.name, args, op.result, op.data)
    before = op.data["outside"]
    after = sum(1 for old in place if old < before)
    move = lambda arg: place[arg] if arg < before else arg - before + after
    data = {**op.data, "outside": after}
    for name, part in op.data.items():
        if isinstance(part, Body):
            ops = [Op(each.name, [move(arg) for arg in each.args], each.result, each.data) for each in part.ops]
            data[name] = Body(part.arguments, ops, move(part.result))
    if "identity" in data:
        data["identity"] = place[data["identity"]]
    return Op(op.name, args, op.result, data)


# What operations compute, of numbers.


def quotient(a, b):
    """Of integers, towards zero."""
    return np.where((a < 0) != (b < 0), -(abs(a) // abs(b)), abs(a) // abs(b))


ARITHMETIC = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.negf": np.negative,
    "arith.divf": np.divide, "arith.maximumf": np.maximum, "arith.minimumf": np.minimum, "arith.maxnumf": np.maximum,
    "arith.minnumf": np.minimum, "math.absf": np.abs, "math.ceil": np.ceil, "math.floor": np.floor,
    "math.fma": lambda a, b, c: a * b + c, "math.sqrt": np.sqrt, "math.exp": np.exp, "math.tanh": np.tanh,
    "math.copysign": np.copysign,
    "arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply, "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or, "arith.xori": np.bitwise_xor, "arith.maxsi": np.maximum, "arith.minsi": np.minimum,
    "arith.shli": np.left_shift, "arith.shrsi": np.right_shift, "math.absi": np.abs,
    "arith.divsi": quotient, "arith.remsi": lambda a, b: a - b * quotient(a, b),
    "complex.add": np.add, "complex.sub": np.subtract, "complex.mul": np.multiply, "complex.neg": np.negative,
    "complex.conj": np.conj, "complex.re": np.real, "complex.im": np.imag, "complex.create": lambda a, b: a + 1j * b,
    "arith.extf": np.asarray, "arith.truncf": np.asarray, "arith.extsi": np.asarray, "arith.trunci": np.asarray,
    "arith.sitofp": lambda a: a.astype(np.float64), "arith.fptosi": lambda a: np.trunc(a).astype(np.int64),
    "arith.index_cast": np.asarray, "arith.select": lambda c, a, b: np.where(c != 0, a, b),
}
UNSIGNED = {"arith.maxui": np.maximum, "arith.minui": np.minimum, "arith.divui": lambda a, b: a // b, "arith.shrui": lambda a, n: a >> n,
            "arith.extui": np.asarray, "arith.uitofp": np.asarray, "arith.remui": lambda a, b: a % b}
COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
# No unsigned number is less than zero, so the least of two is zero where one is.
PRODUCTS = {"arith.mulf", "arith.muli", "arith.andi", "arith.minui", "complex.mul"}
SHIFTS = {"arith.shli", "arith.shrsi", "arith.shrui"}
QUOTIENTS = {"arith.divf", "arith.divsi", "arith.divui", "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi", "arith.remf", "arith.remsi", "arith.remui", "complex.div"}
UNIONS = {"arith.addf", "arith.subf", "arith.addi", "arith.subi", "arith.ori", "arith.xori", "complex.add", "complex.sub"}
EXTREMA = {"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"}
INEXACT = {"math.sqrt", "math.exp", "math.tanh"}


def compute(op, types, numbers):
    """The numbers that an operation gives; `types` are those of its operands."""
    if op.name in ("arith.cmpf", "arith.cmpi", "complex.eq", "complex.neq"):
        return compare(op, types, numbers)
    if op.name in UNSIGNED:
        plain = [kind.unsigned(number) for kind, number in zip(types, numbers)]
        result = UNSIGNED[op.name](*plain)
        return result.astype(np.float64) if op.result.is_float else result.view(np.int64) if result.dtype == np.uint64 else result
    with np.errstate(all="ignore"):
        return ARITHMETIC[op.name](*numbers)


def compare(op, types, numbers):
    if op.name.startswith("complex"):
        return ((numbers[0] == numbers[1]) == (op.name == "complex.eq")).astype(np.int64)
    predicate = op.data
    if predicate[0] == "u" and op.name == "arith.cmpi":
        numbers = [kind.unsigned(number) for kind, number in zip(types, numbers)]
    return COMPARISONS[predicate[-2:]](*numbers).astype(np.int64)


def settled(op, numbers):
    """Brings what an operation computed into its type. Results of inexact functions are compared within some digits."""
    if op.name not in INEXACT:
        return op.result.settle(numbers)
    if not np.all(np.isfinite(numbers)) or np.any(np.abs(numbers) > 1e6):
        raise Redraw
    return numbers


class Evaluation:
    """One evaluation of a body, at many points side by side."""

    def __init__(self, body, arguments, loops, shape):
        self.shape = shape
        self.loops, self.values, self.types = loops, list(arguments), body.types()
        for op in body.ops:
            self.values.append(self.of(op, self.values, self.types))
        self.result = self.values[body.result]

    def of(self, op, values, types):
        if op.name == "constant":
            return always(np.asarray(op.data, op.result.dtype), True)
        if op.name == "linalg.index":
            return always(np.asarray(self.loops[op.data], np.int64))
        if op.name.startswith("sparse_tensor."):
            return getattr(self, op.name.split(".")[1])(op, [spread(values[arg], self.shape) for arg in op.args], values, types)
        return plain(op, [types[arg] for arg in op.args], [values[arg] for arg in op.args])

    def region(self, region, outside, arguments, values, types, where):
        """What a region gives; it is evaluated everywhere, but what goes wrong counts only at the points of `where`."""
        seen, kinds = values[:outside] + [always(argument) for argument in arguments], types[:outside] + region.arguments
        for op in region.ops:
            kinds = kinds + [op.result]
            seen = seen + [guarded(self.of, op, seen, kinds, where)]
        return np.broadcast_to(seen[region.result].numbers, where.shape)

    def unary(self, op, operands, values, types):
        (x,) = operands
        forbid(x.unclear)
        cases = [("present", x.present, [x.numbers]), ("absent", ~x.present, [])]
        return self.by_cases(op, cases, values, types, x.anchored | ~x.present)

    def binary(self, op, operands, values, types):
        x, y = operands
        forbid(x.unclear)
        forbid(y.unclear)
        both, left, right = x.present & y.present, x.present & ~y.present, ~x.present & y.present
        cases = [("overlap", both, [x.numbers, y.numbers]), ("left", left, [x.numbers]), ("right", right, [y.numbers])]
        return self.by_cases(op, cases, values, types, x.anchored | y.anchored | ~both)

    def by_cases(self, op, cases, values, types, anchored):
        """A value put together of regions, each where its case holds; a missing region gives nothing."""
        shape = np.broadcast_shapes(*(where.shape for _, where, _ in cases))
        result = Value(op.result.zeros(shape), np.full(shape, NOTHING, np.int8), np.zeros(shape, bool), anchored)
        for name, where, arguments in cases:
            where, region = np.broadcast_to(where, shape), op.data[name]
            if region is None or not where.any():
                continue
            arguments = [np.broadcast_to(argument, shape) for argument in arguments]
            given = arguments[0] if region == "identity" else self.region(region, op.data["outside"], arguments, values, types, where)
            result.numbers = np.where(where, given, result.numbers)
            result.state = np.where(where, PRESENT, result.state).astype(np.int8)
        # Where no region gave a result none is anchored: what is added to it there decides.
        result.anchored = np.broadcast_to(result.anchored, shape) & result.present
        return result

    def select(self, op, operands, values, types):
        (x,) = operands
        forbid(x.unclear)
        kept = self.region(op.data["kept"], op.data["outside"], [x.numbers], values, types, x.present)
        state = np.where(x.present & (kept != 0), PRESENT, NOTHING).astype(np.int8)
        return Value(np.where(state == PRESENT, x.numbers, 0).astype(op.result.dtype), state, np.zeros(state.shape, bool), x.anchored)

    def reduce(self, op, operands, values, types):
        """The term, where there is one, combined with the old value; with the identity where that is absent. `data["old"]` is the
        place of the old value among the two operands."""
        old, term = operands if op.data["old"] == 0 else operands[::-1]
        forbid(term.unclear)
        forbid(old.unclear)
        identity = values[op.data["identity"]]
        shape = np.broadcast_shapes(old.state.shape, term.state.shape)
        start = np.where(old.present, old.numbers, identity.numbers)
        pair = [np.broadcast_to(part, shape) for part in ((start, term.numbers) if op.data["old"] == 0 else (term.numbers, start))]
        where = np.broadcast_to(term.present, shape)
        combined = self.region(op.data["combine"], op.data["outside"], pair, values, types, where)
        numbers = np.where(where, combined, np.broadcast_to(old.numbers, shape))
        return Value(numbers, np.where(where, PRESENT, old.state).astype(np.int8), np.zeros(shape, bool), old.anchored | term.anchored)


def spread(value, shape):
    """The value at all points."""
    parts = [np.broadcast_to(part, shape) for part in (value.numbers, value.state, value.unclear, value.anchored)]
    return Value(*parts, value.constant)


def guarded(evaluate, op, values, types, where):
    """An operation of a region; a number that does not fit its type matters only at the points that the region is for."""
    try:
        return evaluate(op, values, types)
    except Redraw:
        cut = [masked(value, where) for value in values]
        return evaluate(op, cut, types)


def masked(value, where):
    numbers = np.where(where, value.numbers, 0) if value.numbers.shape else value.numbers
    return Value(numbers, value.state, value.unclear, value.anchored, value.constant)


def forbid(unclear):
    if np.any(unclear):
        raise Redraw


def plain(op, types, operands):
    """An ordinary operation: what is absent counts as zero. A sum or a difference goes on with the other operand where one is
    nothing, a product is nothing itself there, and so are a quotient of it and an operation of one operand that makes zero of zero; a choice is what it picks; to any
    other operation it counts as zero."""
    shape = np.broadcast_shapes(*(x.state.shape for x in operands))
    operands = [spread(x, shape) for x in operands]
    nothing = [x.state == NOTHING for x in operands]
    numbers = [np.where(x.present, x.numbers, x.numbers.dtype.type(0)) for x in operands]
    if op.name == "math.fma" and np.any(nothing):
        raise Redraw
    found = Value(settled(op, compute(op, types, numbers)), *states(op, operands))
    if op.name in PRODUCTS:
        found.state = np.where(np.logical_or.reduce(nothing), NOTHING, found.state).astype(np.int8)
        return found.where_zero(op, operands)
    found = found.where_zero(op, operands)
    if op.name in QUOTIENTS:
        return divided(found, operands)
    if op.name in SHIFTS or (op.name == "arith.cmpi" and op.data == "ugt"):
        return gone_with(operands[0], found)
    if op.name == "arith.cmpi" and op.data == "ult":
        return gone_with(operands[1], found)
    if len(operands) == 1:
        found.state = np.where(nothing[0] & (found.numbers == 0), NOTHING, found.state).astype(np.int8)
    if op.name == "arith.select":
        chosen = np.where(numbers[0] != 0, nothing[1], nothing[2])
        found.state = np.where(chosen, NOTHING, found.state).astype(np.int8)
    return found


def divided(found, operands):
    """Absent, or nothing, as what is divided is. Over a zero that depends on where the zero is from, and is not drawn."""
    dividend, divisor = operands
    if np.any(~dividend.present & (divisor.numbers == 0)):
        raise Redraw
    return gone_with(dividend, found)


def gone_with(operand, found):
    """Absent, or nothing, where the operand is: what is divided or shifted, or the greater one of unsigned numbers."""
    gone = ~operand.present
    found.state = np.where(gone, operand.state, found.state).astype(np.int8)
    found.unclear = found.unclear & ~gone
    found.numbers = np.where(gone, found.numbers.dtype.type(0), found.numbers)
    return found


def states(op, operands):
    """The state of a result while its zeros are not looked at, where that is unclear, and where an entry has a part in it."""
    unclear, anchored = (np.logical_or.reduce(part) for part in zip(*((x.unclear, x.anchored) for x in operands)))
    present = [x.present for x in operands]
    all_present, any_present = np.logical_and.reduce(present), np.logical_or.reduce(present)
    all_nothing = np.logical_and.reduce([x.state == NOTHING for x in operands])
    is_present = all_present if op.name in PRODUCTS else any_present if op.name in UNIONS else np.ones_like(all_present)
    state = np.where(is_present, PRESENT, np.where(all_nothing, NOTHING, ABSENT)).astype(np.int8)
    return state, unclear, anchored, all(x.constant for x in operands)


# Text.

def texts(body, names, fresh, indent):
    """The lines of a body's operations; `names` are those of its arguments and grow by its results."""
    lines, types = [], list(body.arguments)
    for op in body.ops:
        name = fresh()
        lines += [indent + line for line in op_lines(op, name, names, types, fresh)]
        names.append(name)
        types.append(op.result)
    return lines


def op_lines(op, name, names, types, fresh):
    args = [names[arg] for arg in op.args]
    kinds = [types[arg] for arg in op.args]
    listed = ", ".join(args)
    if op.name == "constant":
        return [f"{name} = {op.result.constant(op.data)}"]
    if op.name == "linalg.index":
        return [f"{name} = linalg.index {op.data} : index"]
    if op.name in ("arith.cmpf", "arith.cmpi"):
        return [f"{name} = {op.name} {op.data}, {listed} : {kinds[0].name}"]
    if op.name == "arith.select":
        return [f"{name} = arith.select {listed} : {op.result.name}"]
    if op.name.startswith("sparse_tensor."):
        return semiring_lines(op, name, names, types, fresh)
    if op.name in ("complex.re", "complex.im", "complex.create"):
        return [f"{name} = {op.name} {listed} : {op.result.name if op.name == 'complex.create' else kinds[0].name}"]
    if op.name in ("complex.eq", "complex.neq"):
        return [f"{name} = {op.name} {listed} : {kinds[0].name}"]
    if kinds[0] != op.result:
        return [f"{name} = {op.name} {listed} : {kinds[0].name} to {op.result.name}"]
    return [f"{name} = {op.name} {listed} : {op.result.name}"]


def semiring_lines(op, name, names, types, fresh):
    args, kinds = [names[arg] for arg in op.args], [types[arg].name for arg in op.args]
    outside = op.data["outside"]
    region = lambda key: region_lines(op.data[key], names[:outside], types[:outside], fresh)
    kind = op.name.split(".")[1]
    if kind == "select":
        return [f"{name} = {op.name} {args[0]} : {kinds[0]} {{", *region("kept"), "}"]
    if kind == "reduce":
        return [f"{name} = {op.name} {args[0]}, {args[1]}, {names[op.data['identity']]} : {kinds[0]} {{", *region("combine"), "}"]
    lines = [f"{name} = {op.name} {', '.join(args)} : {', '.join(kinds)} to {op.result.name}"]
    for key in ("present", "absent") if kind == "unary" else ("overlap", "left", "right"):
        if op.data[key] == "identity":
            lines.append(f"  {key}=identity")
        elif op.data[key] is None:
            lines.append(f"  {key}={{}}")
        else:
            lines += [f"  {key}={{", *("  " + line for line in region(key)), "  }"]
    return lines


def region_lines(region, names, types, fresh):
    own = [fresh() for _ in region.arguments]
    head = [f"^bb0({', '.join(f'{name}: {kind.name}' for name, kind in zip(own, region.arguments))}):"] if own else []
    names, types, lines = names + own, types + region.arguments, []
    for op in region.ops:
        name = fresh()
        lines += ["  " + line for line in op_lines(op, name, names, types, fresh)]
        names, types = names + [name], types + [op.result]
    return ["  " + line for line in head + lines + [f"  sparse_tensor.yield {names[region.result]} : {types[region.result].name}"]]
