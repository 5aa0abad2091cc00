"""Statements that see a tensor's levels as they are stored, put entries in order, and sort buffers."""
from dataclasses import dataclass, replace

import numpy as np

from .choices import Redraw
from .elements import INDEX
from .encodings import Encoding, Level
from .statements import Printed, Type
from .statements_more import print_number
from .tensors import Tensor


def of_levels(form):
    """The encoding of the tensor whose dimensions are the levels of another."""
    levels = [replace(level, dim=at, part="whole", block=level.block if level.format == "structured" else 0) for at, level in enumerate(form.levels)]
    return Encoding(len(levels), tuple(levels), form.widths)


@dataclass
class Reinterpret:
    """sparse_tensor.reinterpret_map: the same arrays, of a tensor whose dimensions are the levels."""

    name: str
    type: Type
    source: str
    source_type: Type

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        writer.line(f"{self.name} = sparse_tensor.reinterpret_map {self.source} : {writer.type(self.source_type)} to {writer.type(self.type)}")

    def run(self, env):
        source = env[self.source]
        if not source.structure_is_clear:
            raise Redraw
        numbers, stored = source.element.zeros(self.type.shape), np.zeros(self.type.shape, bool)
        for coordinates, number in source.entries():
            place = tuple(level.of(coordinates) for level in source.encoding.levels)
            numbers[place], stored[place] = number, True
        result = Tensor(numbers, source.element, self.type.encoding, stored, approximate=source.approximate)
        env[self.name] = result.placed()

    def kinds(self):
        return ["sparse_tensor.reinterpret_map"]


def in_order(form):
    """The same levels, in order."""
    ordered = [replace(level, properties=tuple(word for word in level.properties if word != "nonordered")) for level in form.levels]
    return replace(form, levels=tuple(ordered))


@dataclass
class Reorder:
    """sparse_tensor.reorder_coo: the entries of coordinates without an order, in order."""

    name: str
    type: Type
    source: str
    source_type: Type
    algorithm: str

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        writer.line(f"{self.name} = sparse_tensor.reorder_coo {self.algorithm} {self.source} : {writer.type(self.source_type)} to {writer.type(self.type)}")

    def run(self, env):
        env[self.name] = env[self.source].converted(self.type.encoding)

    def kinds(self):
        return ["sparse_tensor.reorder_coo"]


ALGORITHMS = ["hybrid_quick_sort", "quick_sort", "insertion_sort_stable", "heap_sort"]


@dataclass
class Sort:
    """sparse_tensor.sort of tuples of coordinates, with what stands beside them; then all of it is printed."""

    keys: list  # of each tuple, in the order in which its parts are stored
    order: list  # the stored part that is compared first, and so on
    values: list
    element: object
    algorithm: str
    uses = ()

    def emit(self, writer):
        rank, count = len(self.order), len(self.keys)
        tuples = self.buffer(writer, [part for key in self.keys for part in key], INDEX)
        values = self.buffer(writer, self.values, self.element)
        names = [f"d{at}" for at in range(rank)]
        order = f"affine_map<({', '.join(names)}) -> ({', '.join(names[at] for at in self.order)})>"
        writer.line(f"sparse_tensor.sort {self.algorithm} {writer.index(count)}, {tuples} jointly {values} "
                    f"{{ perm_map = {order}, ny = 0 : index }} : memref<?xindex> jointly memref<?x{self.element.name}>")
        for buffer, length, element in ((tuples, rank * count, INDEX), (values, count, self.element)):
            for at in range(length):
                number = writer.fresh()
                place = writer.index(at)
                writer.line(f"{number} = memref.load {buffer}[{place}] : memref<?x{element.name}>")
                print_number(writer, number, element)

    def buffer(self, writer, numbers, element):
        name = writer.fresh()
        writer.line(f"{name} = memref.alloc({writer.index(len(numbers))}) : memref<?x{element.name}>")
        for at, number in enumerate(numbers):
            value, place = writer.constant(element, number), writer.index(at)
            writer.line(f"memref.store {value}, {name}[{place}] : memref<?x{element.name}>")
        return name

    def run(self, env):
        places = sorted(range(len(self.keys)), key=lambda at: [self.keys[at][part] for part in self.order])
        env["printed"].append(Printed("foreach", [part for at in places for part in self.keys[at]]
                                      + [part for at in places for part in self.parts(self.values[at])], self.element))

    def parts(self, value):
        return [value.real, value.imag] if self.element.is_complex else [value]

    def kinds(self):
        return ["sparse_tensor.sort"]
