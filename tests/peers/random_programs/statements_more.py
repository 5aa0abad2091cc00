"""Statements that read a tensor's storage: iteration over its levels, and its arrays."""
from dataclasses import dataclass

import numpy as np

from .choices import Redraw
from .elements import I8, INDEX, grain
from .statements import Printed, Type

ADD = {"float": "arith.addf", "integer": "arith.addi", "complex": "complex.add"}
MULTIPLY = {"float": "arith.mulf", "integer": "arith.muli", "complex": "complex.mul"}


def print_number(writer, name, element):
    if not element.is_complex:
        writer.line(f"vector.print {name} : {element.name}")
        return
    for part in ("re", "im"):
        one = writer.fresh()
        writer.line(f"{one} = complex.{part} {name} : {element.name}")
        writer.line(f"vector.print {one} : {element.name[8:-1]}")


def parts(element, number):
    return [number.real, number.imag] if element.is_complex else [number]


def added_up(element, numbers):
    if not element.is_integer:
        element.add_up(np.sum(np.abs(numbers)), grain(numbers))
    return element.settle(np.sum(numbers, dtype=element.dtype))


@dataclass
class Iterate:
    """The sum of a tensor's values, and of its level coordinates with factors, by sparse_tensor.iterate over all levels at once, or
    over the first and then the others."""

    source: str
    source_type: Type
    nested: bool = False

    @property
    def uses(self):
        return (self.source,)

    def levels(self):
        return len(self.source_type.encoding.levels)

    def emit(self, writer):
        element, last = self.source_type.element.name, self.levels()
        zero, none = writer.constant(self.source_type.element, 0), writer.index(0)
        self.factors = [writer.index(at + 2) for at in range(last)]
        results = writer.fresh()
        if not self.nested or last < 2:
            inner = self.loop(writer, results, "", 0, last, zero, none)
            self.add(writer, *inner)
            writer.line("}")
        else:
            iterator, places, total, weighted = self.loop(writer, results, "", 0, 1, zero, none)
            found = writer.fresh()
            below, more, *carried = self.loop(writer, found, f" at {iterator}", 1, last, total, weighted)
            self.add(writer, below, places + more, *carried)
            writer.line("}")
            writer.line(f"sparse_tensor.yield {found}#0, {found}#1 : {element}, index")
            writer.line("}")
        print_number(writer, f"{results}#0", self.source_type.element)
        writer.line(f"vector.print {results}#1 : index")

    def levels_text(self, low, high):
        return f"lvls = {low}" if high == low + 1 else f"lvls = {low} to {high}"

    def loop(self, writer, results, at, low, high, total, weighted):
        """The head of a loop over levels; its iterator, coordinates and carried values."""
        kind, element = writer.type(self.source_type), self.source_type.element.name
        alias = writer.with_encoding(self.source_type.encoding)[2:]
        space, iterator, sum_here, weight_here = (writer.fresh() for _ in range(4))
        levels = self.levels_text(low, high)
        parent = f", !sparse_tensor.iterator<{alias}, {self.levels_text(0, low)}>" if at else ""
        writer.line(f"{space} = sparse_tensor.extract_iteration_space {self.source}{at} {levels} : {kind}{parent} -> !sparse_tensor.iter_space<{alias}, {levels}>")
        places = [writer.fresh() for _ in range(low, high)]
        writer.line(f"{results}:2 = sparse_tensor.iterate {iterator} in {space} at ({', '.join(places)}) iter_args({sum_here} = {total}, {weight_here} = {weighted}) : "
                    f"!sparse_tensor.iter_space<{alias}, {levels}> -> ({element}, index) {{")
        self.iterator_type = f"!sparse_tensor.iterator<{alias}, {levels}>"
        return iterator, places, sum_here, weight_here

    def weigh(self, writer, places, weighted):
        for factor, place in zip(self.factors, places):
            product, more = writer.fresh(), writer.fresh()
            writer.line(f"{product} = arith.muli {factor}, {place} : index")
            writer.line(f"{more} = arith.addi {weighted}, {product} : index")
            weighted = more
        return weighted

    def add(self, writer, iterator, places, total, weighted):
        element, value, more = self.source_type.element, writer.fresh(), writer.fresh()
        weighted = self.weigh(writer, places, weighted)
        writer.line(f"{value} = sparse_tensor.extract_value {self.source} at {iterator} : {writer.type(self.source_type)}, {self.iterator_type}")
        writer.line(f"{more} = {ADD[element.kind]} {total}, {value} : {element.name}")
        writer.line(f"sparse_tensor.yield {more}, {weighted} : {element.name}, index")

    def run(self, env):
        tensor = env[self.source]
        if not tensor.structure_is_clear or tensor.approximate:
            raise Redraw
        total = added_up(tensor.element, tensor.numbers)
        places = [tuple(level.of(coordinates) for level in tensor.encoding.levels) for coordinates, _ in tensor.entries()]
        weight = sum((at + 2) * int(place) for one in places for at, place in enumerate(one))
        if tensor.encoding.blocks:
            weight = None  # a last block has places beyond the shape
        env["printed"].append(Printed("foreach", parts(tensor.element, total) + [weight], tensor.element))

    def kinds(self):
        return ["sparse_tensor.iterate" + (" (nested)" if self.nested else "")]


@dataclass
class Coiterate:
    """Of two vectors: the sum of the products where both have an entry, and of the values where one alone has."""

    source: str
    source_type: Type
    other: str
    other_type: Type

    @property
    def uses(self):
        return (self.source, self.other)

    def emit(self, writer):
        element, zero, spaces, kinds, names = self.source_type.element, writer.constant(self.source_type.element, 0), [], [], []
        for name, kind in ((self.source, self.source_type), (self.other, self.other_type)):
            alias, space = writer.with_encoding(kind.encoding)[2:], writer.fresh()
            kinds.append(f"!sparse_tensor.iter_space<{alias}, lvls = 0>")
            writer.line(f"{space} = sparse_tensor.extract_iteration_space {name} lvls = 0 : {writer.type(kind)} -> {kinds[-1]}")
            spaces.append(space)
            names.append((name, writer.type(kind), f"!sparse_tensor.iterator<{alias}, lvls = 0>"))
        result, place, total = (writer.fresh() for _ in range(3))
        writer.line(f"{result} = sparse_tensor.coiterate ({', '.join(spaces)}) at ({place}) iter_args({total} = {zero}) : ({', '.join(kinds)}) -> {element.name}")
        for case in ((0,), (1,), (0, 1)):
            self.case(writer, case, names, total)
        print_number(writer, result, element)

    def case(self, writer, case, names, total):
        element, more = self.source_type.element, writer.fresh()
        iterators = [writer.fresh() if at in case else "_" for at in range(2)]
        writer.line(f"case {', '.join(iterators)} {{")
        values = []
        for at in case:
            name, kind, iterator = names[at]
            values.append(writer.fresh())
            writer.line(f"  {values[-1]} = sparse_tensor.extract_value {name} at {iterators[at]} : {kind}, {iterator}")
        if len(values) == 2:
            product = writer.fresh()
            writer.line(f"  {product} = {MULTIPLY[element.kind]} {', '.join(values)} : {element.name}")
            values = [product]
        writer.line(f"  {more} = {ADD[element.kind]} {total}, {values[0]} : {element.name}")
        writer.line(f"  sparse_tensor.yield {more} : {element.name}")
        writer.line("}")

    def run(self, env):
        a, b = env[self.source], env[self.other]
        if not (a.structure_is_clear and b.structure_is_clear) or a.approximate or b.approximate:
            raise Redraw
        both = a.stored & b.stored
        terms = np.where(both, a.numbers * b.numbers, np.where(a.stored, a.numbers, np.where(b.stored, b.numbers, a.element.zeros(a.shape))))
        env["printed"].append(Printed("foreach", parts(a.element, added_up(a.element, a.element.settle(terms))), a.element))

    def kinds(self):
        return ["sparse_tensor.coiterate"]


@dataclass
class PrintArray:
    """The values of a tensor, or the positions or coordinates of a level, as a vector."""

    source: str
    source_type: Type
    what: str
    level: int
    length: int = 0

    @property
    def uses(self):
        return (self.source,)

    def element(self):
        width = self.source_type.encoding.widths[0 if self.what == "positions" else 1]
        return self.source_type.element.name if self.what == "values" else f"i{width}" if width else "index"

    def emit(self, writer):
        element, buffer, start, pad, vector = self.element(), writer.fresh(), writer.index(0), writer.fresh(), writer.fresh()
        attribute = "" if self.what == "values" else f" {{level = {self.level} : index}}"
        writer.line(f"{buffer} = sparse_tensor.{self.what} {self.source}{attribute} : {writer.type(self.source_type)} to memref<?x{element}>")
        writer.line(f"{pad} = arith.constant {'0.0' if self.source_type.element.is_float and self.what == 'values' else '0'} : {element}")
        writer.line(f"{vector} = vector.transfer_read {buffer}[{start}], {pad} : memref<?x{element}>, vector<{self.length}x{element}>")
        writer.line(f"vector.print {vector} : vector<{self.length}x{element}>")

    def run(self, env):
        tensor = env[self.source]
        if not tensor.structure_is_clear or tensor.encoding.order_open or tensor.encoding.nonunique_above or tensor.encoding.has_batch or tensor.encoding.slices:
            raise Redraw
        arrays = tensor.arrays()
        numbers = arrays.values if self.what == "values" else getattr(arrays, self.what).get(self.level)
        if not numbers or isinstance(numbers[0], list) or len(numbers) > 500 or self.what == "positions" and tensor.encoding.levels[self.level].format == "loose_compressed":
            raise Redraw
        self.length = len(numbers)
        element = tensor.element if self.what == "values" else INDEX
        wanted = [int(one) % 256 for one in numbers] if self.what != "values" and self.element() == "i8" else list(numbers)
        env["printed"].append(Printed("dense", wanted, element if self.element() != "i8" or self.what == "values" else I8, tensor.approximate))

    def kinds(self):
        return [f"sparse_tensor.{self.what}"]
