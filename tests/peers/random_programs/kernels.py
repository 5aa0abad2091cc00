"""Kernels: `linalg.generic`, and named operations, which are the same with another text."""
import itertools
from dataclasses import dataclass, field

import numpy as np

from . import bodies
from .bodies import ABSENT, NOTHING, PRESENT, Body, Evaluation, Value
from .choices import Redraw
from .elements import grain
from .tensors import Tensor


@dataclass
class Access:
    """One subscript: a sum of loops, each with a factor, and a constant."""

    terms: tuple  # pairs of a loop and its factor
    shift: int = 0
    spare: int = 0
    """How much larger the dimension is than the subscript asks for."""

    def text(self):
        parts = [f"d{loop}" if factor == 1 else f"d{loop} * {factor}" for loop, factor in self.terms]
        return " + ".join(parts + ([str(self.shift)] if self.shift or not parts else []))

    def at(self, loops):
        return sum((factor * loops[loop] for loop, factor in self.terms), self.shift)

    def size(self, sizes):
        """The size that a dimension must have for this subscript to stay inside."""
        return sum(factor * (sizes[loop] - 1) for loop, factor in self.terms) + self.shift + 1 + self.spare


def plain(*loops):
    return [Access(((loop, 1),)) for loop in loops]


@dataclass
class Kernel:
    sizes: list  # of the loops
    maps: list  # for each operand, and last for the result, its subscripts
    body: Body
    order: list = field(default_factory=list)

    @property
    def parallel(self):
        return [term[0] for access in self.maps[-1] for term in access.terms]

    @property
    def reduction(self):
        return [loop for loop in range(len(self.sizes)) if loop not in self.parallel]

    def iterators(self):
        return ["parallel" if loop in self.parallel else "reduction" for loop in range(len(self.sizes))]

    def map_texts(self):
        loops = ", ".join(f"d{loop}" for loop in range(len(self.sizes)))
        return [f"affine_map<({loops}) -> ({', '.join(access.text() for access in part)})>" for part in self.maps]

    def run(self, operands, old):
        """The result, of the operands' tensors and the old one. Points of one reduction coordinate are evaluated side by side,
        the reduction coordinates one after the other, in loop order."""
        state = Run(self, operands, old)
        for coordinate in itertools.product(*(range(self.sizes[loop]) for loop in self.reduction)):
            state.step(coordinate)
        return state.result()


class Run:
    def __init__(self, kernel, operands, old):
        self.kernel, self.operands, self.old = kernel, operands, old
        self.grid = self.open_grid()
        self.shape = tuple(kernel.sizes[loop] for loop in sorted(kernel.parallel))
        where = self.places(kernel.maps[-1], self.loops(()))
        self.numbers = np.broadcast_to(old.numbers[where], self.shape)
        self.present = np.broadcast_to(old.stored[where], self.shape)
        self.unclear = np.broadcast_to(old.unclear[where], self.shape)
        self.reads_old = kernel.body.reads(len(operands))
        if old.undefined and self.reads_old:
            raise Redraw
        if not self.reads_old and 0 in kernel.sizes:
            raise Redraw
        if not self.reads_old:
            self.numbers, self.present = old.element.zeros(self.shape), np.full(self.shape, old.encoding is None)
            self.unclear = np.zeros(self.shape, bool)
        self.sums = bool(kernel.reduction) and not old.element.is_integer
        self.magnitudes, self.grain = np.abs(self.numbers), grain(self.numbers) if self.sums else 1.0

    def open_grid(self):
        parallel = sorted(self.kernel.parallel)
        parts = np.ogrid[tuple(slice(self.kernel.sizes[loop]) for loop in parallel)] if parallel else []
        return dict(zip(parallel, parts))

    def loops(self, coordinate):
        fixed = dict(zip(self.kernel.reduction, coordinate))
        return [self.grid.get(loop, fixed.get(loop, 0)) for loop in range(len(self.kernel.sizes))]

    def places(self, accesses, loops):
        return tuple(np.asarray(access.at(loops)) for access in accesses)

    def argument(self, tensor, accesses, loops):
        where = self.places(accesses, loops)
        state = np.where(tensor.stored[where], PRESENT, ABSENT).astype(np.int8)
        return Value(tensor.numbers[where], state, tensor.unclear[where], (state == PRESENT) & (tensor.encoding is not None))

    def old_value(self):
        state = np.where(self.present, PRESENT, ABSENT).astype(np.int8)
        return Value(self.numbers, state, self.unclear, (state == PRESENT) & (self.old.encoding is not None))

    def step(self, coordinate):
        loops = self.loops(coordinate)
        maps = self.kernel.maps[:-1]
        arguments = [self.argument(tensor, part, loops) for tensor, part in zip(self.operands, maps)]
        value = Evaluation(self.kernel.body, arguments + [self.old_value()], loops, self.shape).result
        self.store(Value(*(np.broadcast_to(part, self.shape) for part in (value.numbers, value.state, value.unclear, value.anchored))))

    def store(self, value):
        """What the body gives becomes the old value. Nothing leaves it alone."""
        stays = value.state == NOTHING
        present = value.state == PRESENT
        numbers = np.where(present, value.numbers, value.numbers.dtype.type(0))
        if self.old.encoding is None:
            present = np.ones(self.shape, bool)
        self.measure(np.where(stays, 0, numbers - self.numbers))
        self.numbers = np.where(stays, self.numbers, numbers)
        self.present = np.where(stays, self.present, present)
        # Without a sparse operand a result has its nonzeros, whatever the regions of the body yield.
        plain = all(operand.encoding is None for operand in self.operands)
        open_zero = present & (numbers == 0) & (plain | ~value.anchored)
        self.unclear = np.where(stays, self.unclear, (value.unclear | open_zero) & (self.old.encoding is not None))

    def measure(self, terms):
        """Keeps how large the terms of a reduction are: in another order of loops their partial sums are others."""
        if self.sums:
            self.magnitudes, self.grain = self.magnitudes + np.abs(terms), min(self.grain, grain(terms))

    def result(self):
        if self.sums:
            self.old.element.add_up(self.magnitudes, self.grain)
        parallel = sorted(self.kernel.parallel)
        order = [parallel.index(access.terms[0][0]) for access in self.kernel.maps[-1] if access.terms]
        turned = [np.transpose(part, order) for part in (self.numbers, self.present, self.unclear)]
        numbers, stored, unclear = [part.reshape(self.old.shape) for part in turned]
        return Tensor(numbers, self.old.element, self.old.encoding, stored, unclear).placed()
