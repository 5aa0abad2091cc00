"""Draws programs: tensors, and steps that make others of them."""
import itertools
from dataclasses import replace

import numpy as np

from . import draw
from .bodies import Body, Op
from .choices import Redraw
from .draw import Sources
from .encodings import Level
from .draw_body import ADD, BodyDrawer, family
from .kernels import Access, Kernel, plain
from .program import Made, Program
from .statements_more import Coiterate, Iterate, PrintArray
from .statements_storage import ALGORITHMS, Reinterpret, Reorder, Sort, in_order, of_levels
from .statements import Concatenate, Convert, ForEach, Generic, InsertSlice, Loop, Print, PrintStorage, Reshape, Slice, Type


class Steps:
    """`large` programs have kernels of so many points that they are compiled; `tame` ones keep to what MLIR compiles more often."""

    def __init__(self, choices, large=False, tame=False):
        self.choices, self.large, self.tame = choices, large, tame
        self.program = Program()
        self.sources = Sources(choices, self.program, tame)
        self.kind = draw.element(choices, tame)
        self.results = []

    def draw(self):
        steps = [(10, self.generic), (3, self.named), (3, self.product), (2, self.convert), (1, self.concatenate), (1, self.reshape), (1, self.slice),
                 (1, self.insert_slice), (2, self.loop), (1, self.reinterpret), (1, self.reorder), (1, self.sort)]
        if self.large:
            steps = [(10, self.generic), (2, self.named)]
        if self.tame:
            steps = steps[:6]
        more = True
        while more:
            with self.choices.inside():
                self.keep(self.choices.weighted(steps)())
            more = self.choices.chance(0 if self.tame else 25 if self.large else 45)
        for made in self.results:
            with self.choices.inside():
                self.show(made)
        return self.program.needed()

    def keep(self, made):
        if made is not None:
            self.results.append(made)

    def show(self, made):
        kind, choices = made.type, self.choices
        small = np.prod(kind.shape) <= 5000
        if small or kind.encoding is None:
            self.program.say(Print(made.name, kind, choices.chance(30) and np.prod(kind.shape) < 200))
        if kind.encoding is not None and (not small or choices.chance(60)):
            self.program.say(PrintStorage(made.name, kind, choices.chance(30)))
        if small and kind.rank and choices.chance(10):
            self.program.say(ForEach(made.name, kind, choices.chance(50)))
        if small and kind.encoding is not None and not self.tame:
            self.show_storage(made)

    def show_storage(self, made):
        """By what reads levels and arrays: where the oracle says how they are."""
        choices, form = self.choices, made.type.encoding
        if choices.chance(10) and not (form.slices or form.has_batch or form.nonunique_above or form.has_structure):
            self.program.say(Iterate(made.name, made.type, choices.chance(40)))
        if choices.chance(10) and not made.type.element.is_complex and made.type.element.name != "i1":
            self.program.say(PrintArray(made.name, made.type, choices.one_of(["values", "positions", "coordinates"]), choices.below(len(form.levels))))
        if choices.chance(30) and made.type.rank == 1 and len(form.levels) == 1 and not form.order_open and form.levels[0].is_unique:
            other = self.sources.sparse(made.type.shape, made.type.element)
            level = other.type.encoding.levels
            if len(level) == 1 and level[0].is_unique and not other.type.encoding.order_open:
                self.program.say(Coiterate(made.name, made.type, other.name, other.type))

    # Operands.

    def earlier(self, fits, promised=False):
        """A tensor that fits. What is changed cannot be one of which its encoding says what every entry is."""
        says = lambda type: type.encoding is not None and type.encoding.explicit
        found = [made for made in self.program.made if fits(made.type) and (promised or not says(made.type))]
        return self.choices.one_of(found) if found and self.choices.chance(40) else None

    def operand(self, shape, kind=None):
        """A tensor of this shape, sparse more often than not; one that is there, or a new one."""
        with self.choices.inside():
            return self.any_operand(shape, kind or self.kind)

    def any_operand(self, shape, kind):
        if any(size < 0 for size in shape):  # a sum of loops without a point
            raise Redraw
        made = self.earlier(lambda type: type.shape == shape and type.element == kind, promised=True)
        if made is not None and not is_empty(self.program, made):
            return made
        if shape and not self.tame and np.prod(shape) <= draw.LARGE and self.choices.chance(8):
            return self.sources.promised(shape, kind)
        if shape and not self.choices.chance(25):
            return self.sources.sparse(shape, kind)
        return self.sources.dense(shape, kind)

    def output(self, shape, kind):
        """What the result starts from: dense or sparse, with entries or without."""
        with self.choices.inside():
            return self.any_output(shape, kind)

    def any_output(self, shape, kind):
        ways = [(5, "zero"), (4, "dense"), (2, "splat"), (2, "empty")] + ([(4, "sparse empty"), (2, "sparse")] if shape else [])
        way = self.choices.weighted(ways)
        if np.prod(shape) > 20000 and not way.startswith("sparse"):
            raise Redraw
        if way == "zero":
            return self.sources.splat(shape, kind, 0)
        if way == "splat":
            return self.sources.splat(shape, kind, draw.number(self.choices, kind, zero=False))
        if way == "dense":
            return self.sources.dense(shape, kind, 100)
        if way == "empty":
            return self.sources.empty(shape, kind)
        if way == "sparse":
            made = self.earlier(lambda type: type.shape == shape and type.element == kind and type.encoding is not None and not type.encoding.slices)
            return made or self.sources.sparse(shape, kind)
        return self.sources.empty(shape, kind, draw.encoding(self.choices, len(shape), structured=False, tame=self.tame))

    def sizes(self, count):
        if self.large:
            return self.large_sizes(count)
        sizes = [self.choices.weighted([(4, 1), (12, 2), (16, 3), (16, 4), (8, 5), (8, 6), (0 if self.tame else 3, 0)]) for _ in range(count)]
        while np.prod(sizes) > 600:
            sizes[sizes.index(max(sizes))] -= 1
        return sizes

    def large_sizes(self, count):
        points = self.choices.one_of([5000, 9000, 1 << 20])
        sides = {1: [5000], 2: [(72, 70), (96, 100), (1030, 1024)], 3: [(18, 17, 20), (20, 21, 22), (104, 100, 102)], 4: [(9, 9, 8, 8), (10, 10, 10, 9), (32, 34, 32, 33)]}
        if count == 1:
            return [points if points < 10000 else 1 << 20]
        return list(sides[count][[5000, 9000, 1 << 20].index(points)])

    # Kernels.

    def generic(self, carried=None):
        """Any kernel; `carried` is what its result starts from, where that is given."""
        choices = self.choices
        count = choices.weighted([(4, 2), (2, 1), (3, 3), (1, 4)])
        if carried is not None:
            count = max(count, carried.type.rank)
        loops = count if count else 1
        sizes = self.sizes(loops)
        result_loops = self.result_loops(loops, carried)
        if carried is not None:
            for loop, size in zip(result_loops, carried.type.shape):
                sizes[loop] = size
            if np.prod(sizes) > 3000:
                raise Redraw
        maps = self.maps(loops, result_loops)
        if self.large and any(np.prod([access.size(sizes) for access in part] or [1]) > 1100000 for part in maps):
            raise Redraw
        if not self.large and not self.tame:
            self.constants(maps, result_loops)
        kind = carried.type.element if carried else self.kind if self.tame or not choices.chance(10) else draw.element(choices)
        operands = [self.operand(tuple(access.size(sizes) for access in part), kind if self.tame or not choices.chance(8) else draw.element(choices)) for part in maps]
        shape = tuple(sizes[loop] for loop in result_loops)
        old = carried or self.output(shape, kind)
        maps = maps + [plain(*result_loops)]
        kernel = Kernel(sizes, maps, None)
        arguments = [made.type.element for made in operands] + [kind]
        dense = [at for at, made in enumerate(operands) if made.type.encoding is None]
        defined = not is_empty(self.program, old) or old.type.encoding is not None
        drawer = BodyDrawer(choices, arguments, loops, dense, choices.chance(40), self.tame)
        with choices.inside():
            kernel.body = drawer.body(bool(kernel.reduction), defined)
        if self.large and np.prod([sizes[loop] for loop in kernel.reduction]) > 1100:
            raise Redraw
        return self.program.add(self.pruned(kernel, operands, old, kind))

    def pruned(self, kernel, operands, old, kind):
        outlined = self.choices.chance(30)
        return Generic(self.program.fresh(), replace(old.type, element=kind), kernel, [made.name for made in operands],
                       [made.type for made in operands], old.name, outlined=outlined, open_sizes=outlined and self.choices.chance(40), twice=outlined and self.choices.chance(30))

    def result_loops(self, loops, carried):
        if carried is not None:
            return self.choices.order(range(loops))[: carried.type.rank]
        order = list(range(loops)) if not self.choices.chance(30) else self.choices.order(range(loops))
        rank = self.choices.weighted([(4, loops), (3, max(loops - 1, 0)), (1, 0), (1, max(loops - 2, 0))])
        return order[:rank] if not self.choices.chance(30) else sorted(order[-rank:] if rank else [])

    def maps(self, loops, result):
        """Subscripts of the operands; each loop of the result or the operands is a subscript of its own somewhere."""
        choices = self.choices
        count = choices.weighted([(3, 2), (3, 1), (2, 3), (1, 4)])
        maps = []
        for _ in range(count):
            order = list(range(loops)) if not choices.chance(30) else choices.order(range(loops))
            rank = choices.weighted([(5, loops), (2, max(loops - 1, 0)), (1, 1), (1, 0)])
            start = choices.below(loops - rank + 1)
            maps.append(plain(*order[start : start + rank]))
        covered = set(result) | {access.terms[0][0] for part in maps for access in part}
        missing = [loop for loop in range(loops) if loop not in covered]
        if missing:
            maps[-1] = plain(*range(loops))
        if choices.chance(8):
            self.shift(maps, result)
        return maps

    def constants(self, maps, result):
        """Makes a subscript a number, or adds one to it where its loop stands alone elsewhere."""
        choices = self.choices
        if choices.chance(6):
            part = choices.one_of(maps)
            part.insert(choices.below(len(part) + 1), Access((), choices.below(3), choices.below(2)))
        if choices.chance(6):
            at = choices.below(len(maps))
            alone = [access for other, part in enumerate(maps) if other != at for access in part if len(access.terms) == 1 and not access.shift]
            elsewhere = set(result) | {access.terms[0][0] for access in alone}
            for place, access in enumerate(maps[at]):
                if len(access.terms) == 1 and access.terms[0][0] in elsewhere:
                    maps[at][place] = replace(access, shift=choices.between(1, 2), spare=choices.below(2))
                    return

    def shift(self, maps, result):
        """Makes a subscript the sum of two loops, where both stand alone elsewhere."""
        at = self.choices.below(len(maps))
        elsewhere = set(result) | {access.terms[0][0] for other, part in enumerate(maps) if other != at for access in part}
        for place, access in enumerate(maps[at]):
            others = sorted(elsewhere - {access.terms[0][0]} - {one.terms[0][0] for one in maps[at]})
            if access.terms[0][0] in elsewhere and others:
                maps[at][place] = Access((access.terms[0], (self.choices.one_of(others), 1)))
                return

    def loop(self, start=None):
        """A kernel that is run several times, or under a condition, on its own result; at times another loop within."""
        choices = self.choices
        form = choices.one_of(["for", "while", "if"])
        times = choices.between(0, 1) if form == "if" else choices.between(1, 3)
        shape = tuple(self.sizes(choices.between(1, 2)))
        inside, start = start is not None, start or self.output(shape, self.kind)
        if is_empty(self.program, start) and start.type.encoding is None:
            raise Redraw
        carried = Made(self.program.fresh(), start.type)
        outside, before = self.program.statements, len(self.program.statements)
        made = self.loop(carried) if not inside and choices.chance(25) else self.generic(carried)
        body = outside[before:]
        del outside[before:]
        self.program.made = [one for one in self.program.made if one.name not in {statement.name for statement in body}]
        statement = Loop(self.program.fresh(), start.type, start.name, carried.name, body, made.name, times, form)
        return self.program.add(statement)

    # Named operations: kernels with another text.

    def named(self):
        names = ["matmul", "matvec", "elementwise", "transpose", "batch_matmul", "dot", "vecmat", "conv_1d", "conv_2d", "conv_1d_nwc", "pooling", "broadcast", "batch_matvec", "batch_vecmat", "contract", "reduce",
                 "conv_2d_nhwc", "pooling_max", "copy"]
        if self.large:
            names = names[:3]
        return getattr(self, "named_" + self.choices.one_of(names))()

    def contraction(self, name, sizes, maps):
        """A product that is added to the old value."""
        operands = [self.operand(tuple(access.size(sizes) for access in part)) for part in maps[:-1]]
        return self.added(name, sizes, maps, operands, product=len(operands) == 2)

    def added(self, name, sizes, maps, operands, product):
        kind = self.kind
        mul, add = {"float": ("arith.mulf", "arith.addf"), "integer": ("arith.muli", "arith.addi"), "complex": ("complex.mul", "complex.add")}[kind.kind]
        if kind.name == "i1":
            mul, add = "arith.andi", "arith.ori"
        if product:
            body = Body([kind] * 3, [Op(mul, [0, 1], kind), Op(add, [2, 3], kind)], 4)
        else:
            body = Body([kind] * (len(operands) + 1), [Op(add, [len(operands), 0], kind)], len(operands) + 1)
        shape = tuple(sizes[access.terms[0][0]] for access in maps[-1])
        old = self.output(shape, kind)
        return self.stated(name, Kernel(sizes, maps, body), operands, old)

    def stated(self, name, kernel, operands, old):
        if old.type.element.name == "index" and name not in ("linalg.copy", "linalg.select"):
            raise Redraw  # kernels by name compute with no `index`
        return self.program.add(Generic(self.program.fresh(), old.type, kernel, [made.name for made in operands],
                                        [made.type for made in operands], old.name, named=name))

    def named_matmul(self):
        return self.contraction("linalg.matmul", self.sizes(3), [plain(0, 2), plain(2, 1), plain(0, 1)])

    def named_batch_matmul(self):
        return self.contraction("linalg.batch_matmul", self.sizes(4), [plain(0, 1, 3), plain(0, 3, 2), plain(0, 1, 2)])

    def named_matvec(self):
        return self.contraction("linalg.matvec", self.sizes(2), [plain(0, 1), plain(1), plain(0)])

    def named_vecmat(self):
        return self.contraction("linalg.vecmat", self.sizes(2), [plain(1), plain(1, 0), plain(0)])

    def named_dot(self):
        return self.contraction("linalg.dot", self.sizes(1), [plain(0), plain(0), []])

    def named_batch_matvec(self):
        return self.contraction("linalg.batch_matvec", self.sizes(3), [plain(0, 1, 2), plain(0, 2), plain(0, 1)])

    def named_batch_vecmat(self):
        return self.contraction("linalg.batch_vecmat", self.sizes(3), [plain(0, 2), plain(0, 2, 1), plain(0, 1)])

    def product(self):
        """Two to four factors, added to or taken from the old value: `o + a * b * c`."""
        choices, kind = self.choices, self.kind
        loops = choices.between(1, 3)
        sizes, count = self.sizes(loops), choices.weighted([(1, 2), (3, 3), (1, 4)])
        maps = [plain(*choices.order(range(loops))[: choices.weighted([(4, loops), (1, 1)])]) for _ in range(count)]
        maps[0] = plain(*range(loops))
        kept = list(range(loops)) if choices.chance(70) else sorted(choices.order(range(loops))[: choices.between(1, loops)])
        operands = [self.operand(tuple(access.size(sizes) for access in part)) for part in maps]
        mul, add, sub = {"float": ("arith.mulf", "arith.addf", "arith.subf"), "integer": ("arith.muli", "arith.addi", "arith.subi"),
                         "complex": ("complex.mul", "complex.add", "complex.sub")}[kind.kind]
        ops = [Op(mul, [count + at if at else 0, at + 1], kind) for at in range(count - 1)]
        term = 2 * count - 1
        joined = choices.one_of([(add, [count, term]), (add, [term, count]), (sub, [count, term])])
        body = Body([kind] * (count + 1), ops + [Op(*joined, kind)], term + 1)
        shape = tuple(sizes[loop] for loop in kept)
        old = self.sources.empty(shape, kind, draw.encoding(choices, len(shape), structured=False, tame=self.tame)) if choices.chance(60) else self.output(shape, kind)
        return self.program.add(self.pruned(Kernel(sizes, maps + [plain(*kept)], body), operands, old, kind))

    def named_contract(self):
        """Any product of two tensors; a loop that the result lacks is a reduction, which both operands have."""
        loops = self.choices.between(2, 3)
        order = self.choices.order(range(loops))
        second = self.choices.order(order)[: self.choices.between(1, loops)]
        kept = sorted(order)[: self.choices.between(1, loops - 1)]
        second += [loop for loop in order if loop not in kept and loop not in second]
        maps = [plain(*order), plain(*second), plain(*kept)]
        names = ", ".join(f"d{loop}" for loop in range(loops))
        texts = ", ".join(f"affine_map<({names}) -> ({', '.join(access.text() for access in part)})>" for part in maps)
        return self.contraction(f"linalg.contract indexing_maps = [{texts}]", self.sizes(loops), maps)

    def named_reduce(self):
        """One operation over some dimensions."""
        kind, choices = self.kind, self.choices
        rank = choices.between(1, 3)
        sizes = self.sizes(rank)
        gone = sorted(choices.order(range(rank))[: choices.between(1, rank)])
        kept = [dim for dim in range(rank) if dim not in gone]
        op = choices.one_of({"float": ["arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"], "integer": ["arith.addi", "arith.muli", "arith.maxsi", "arith.minsi", "arith.andi", "arith.ori", "arith.xori"],
                             "complex": ["complex.add", "complex.mul"]}[kind.kind])
        if kind.name in ("i1", "index"):
            op = choices.one_of(["arith.andi", "arith.ori", "arith.xori"])
        source, old = self.operand(tuple(sizes)), self.output(tuple(sizes[dim] for dim in kept), kind)
        kernel = Kernel(sizes, [plain(*range(rank)), plain(*kept)], Body([kind, kind], [Op(op, [0, 1], kind)], 2))
        return self.attributed(f"linalg.reduce {{ {op} }}", f"dimensions = {gone}", kernel, source, old)

    def named_copy(self):
        rank = self.choices.between(1, 3)
        sizes = self.sizes(rank)
        kernel = Kernel(sizes, [plain(*range(rank))] * 2, Body([self.kind] * 2, [], 0))
        return self.stated("linalg.copy", kernel, [self.operand(tuple(sizes))], self.output(tuple(sizes), self.kind))

    def named_conv_2d_nhwc(self):
        """Loops: batch, height, width, filter, window height and width, channel."""
        sizes = [self.choices.between(1, 2) for _ in range(7)]
        image = [*plain(0), Access(((1, 1), (4, 1))), Access(((2, 1), (5, 1))), *plain(6)]
        name = "linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"
        return self.contraction(name, sizes, [image, plain(4, 5, 6, 3), plain(0, 1, 2, 3)])

    def named_pooling_max(self):
        kind, word = self.kind, self.choices.one_of(["max", "min"])
        if kind.is_complex or kind.name in ("i1", "index"):
            raise Redraw
        sizes = [self.choices.between(1, 2), self.choices.between(1, 3), self.choices.between(1, 3), self.choices.between(1, 2), self.choices.between(1, 2), self.choices.between(1, 2)]
        image = [*plain(0), Access(((1, 1), (4, 1))), Access(((2, 1), (5, 1))), *plain(3)]
        op = {"max": "arith.maximumf", "min": "arith.minimumf"}[word] if kind.is_float else {"max": "arith.maxsi", "min": "arith.minsi"}[word]
        operands = [self.operand(tuple(access.size(sizes) for access in image)), self.sources.dense(tuple(sizes[4:]), kind, 100)]
        kernel = Kernel(sizes, [image, plain(4, 5), plain(0, 1, 2, 3)], Body([kind] * 3, [Op(op, [2, 0], kind)], 3))
        name = f"linalg.pooling_nhwc_{word} {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}}"
        return self.stated(name, kernel, operands, self.output(tuple(sizes[:4]), kind))

    def named_conv_1d(self):
        sizes = self.sizes(2)
        return self.contraction("linalg.conv_1d", sizes, [[Access(((0, 1), (1, 1)))], plain(1), plain(0)])

    def named_conv_2d(self):
        sizes = self.sizes(4)
        return self.contraction("linalg.conv_2d", sizes, [[Access(((0, 1), (2, 1))), Access(((1, 1), (3, 1)))], plain(2, 3), plain(0, 1)])

    def named_conv_1d_nwc(self):
        """Loops: batch, width, filter, window, channel."""
        sizes = [min(size, 3) for size in self.sizes(4)] + [self.choices.between(1, 2)]
        stride, dilation = self.choices.between(1, 2), self.choices.between(1, 2)
        name = f"linalg.conv_1d_nwc_wcf {{dilations = dense<{dilation}> : tensor<1xi64>, strides = dense<{stride}> : tensor<1xi64>}}"
        image = plain(0) + [Access(((1, stride), (3, dilation)))] + plain(4)
        return self.contraction(name, sizes, [image, plain(3, 4, 2), plain(0, 1, 2)])

    def named_pooling(self):
        """Loops: batch, height, width, channel, window height, window width; the window gives its shape alone."""
        sizes = [self.choices.between(1, 2), self.choices.between(1, 3), self.choices.between(1, 3), self.choices.between(1, 2), self.choices.between(1, 2), self.choices.between(1, 2)]
        if self.kind.is_complex or self.kind.name == "i1":
            raise Redraw
        image = [*plain(0), Access(((1, 1), (4, 1))), Access(((2, 1), (5, 1))), *plain(3)]
        maps = [image, plain(4, 5), plain(0, 1, 2, 3)]
        operands = [self.operand(tuple(access.size(sizes) for access in image)), self.sources.dense(tuple(sizes[4:]), self.kind, 100)]
        name = "linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"
        return self.added(name, sizes, maps, operands, product=False)

    def named_elementwise(self):
        kind, choices = self.kind, self.choices
        table = {"float": [("add", "arith.addf"), ("mul", "arith.mulf"), ("sub", "arith.subf"), ("max", "arith.maximumf"), ("min", "arith.minimumf"), ("negf", "arith.negf"), ("abs", "math.absf")],
                 "integer": [("add", "arith.addi"), ("mul", "arith.muli"), ("sub", "arith.subi"), ("max", "arith.maxsi"), ("min", "arith.minsi")],
                 "complex": [("add", "complex.add"), ("mul", "complex.mul"), ("sub", "complex.sub")]}
        if kind.name == "i1":
            table["integer"] = [("add", "arith.ori"), ("mul", "arith.andi")]
        if kind.name == "index":
            raise Redraw
        rank = 2 if self.large else choices.between(1, 3)
        sizes, (name, op) = self.sizes(rank), choices.one_of(table[kind.kind])
        count = 1 if name in ("negf", "abs") else 2
        operands = [self.operand(tuple(sizes)) for _ in range(count)]
        body = Body([kind] * (count + 1), [Op(op, list(range(count)), kind)], count + 1)
        kernel = Kernel(sizes, [plain(*range(rank))] * (count + 1), body)
        return self.stated(f"linalg.{name}", kernel, operands, self.output(tuple(sizes), kind))

    def named_transpose(self):
        source = self.operand(tuple(self.sizes(self.choices.between(2, 3))))
        order = self.choices.order(range(source.type.rank))
        sizes = [source.type.shape[dim] for dim in order]
        maps = [plain(*(order.index(dim) for dim in range(len(order)))), plain(*range(len(order)))]
        kernel = Kernel(sizes, maps, Body([self.kind] * 2, [], 0))
        old = self.output(tuple(sizes), self.kind)
        return self.attributed(f"linalg.transpose", f"permutation = {order}", kernel, source, old)

    def named_broadcast(self):
        sizes = self.sizes(2)
        added = self.choices.below(2)
        source = self.operand((sizes[1 - added],))
        kernel = Kernel(sizes, [plain(1 - added), plain(0, 1)], Body([self.kind] * 2, [], 0))
        return self.attributed("linalg.broadcast", f"dimensions = [{added}]", kernel, source, self.output(tuple(sizes), self.kind))

    def attributed(self, name, attribute, kernel, source, old):
        statement = Generic(self.program.fresh(), old.type, kernel, [source.name], [source.type], old.name, named=name)
        statement.attribute = attribute
        return self.program.add(statement)

    # Steps that move entries.

    def any_sparse(self, rank_least=1):
        made = self.earlier(lambda type: type.encoding is not None and type.rank >= rank_least and not type.encoding.slices)
        return made or self.sources.sparse(tuple(self.sizes(self.choices.between(rank_least, 3))), self.kind)

    def convert(self):
        made = self.any_sparse()
        form = draw.encoding(self.choices, made.type.rank, structured=False, tame=self.tame)
        result = self.program.add(Convert(self.program.fresh(), replace(made.type, encoding=form), made.name, made.type))
        while self.choices.chance(40):
            form = draw.encoding(self.choices, made.type.rank, structured=False, tame=self.tame)
            result = self.program.add(Convert(self.program.fresh(), replace(made.type, encoding=form), result.name, result.type))
        return result

    def concatenate(self):
        choices, shape = self.choices, self.sizes(self.choices.between(1, 3))
        dim, count = choices.below(len(shape)), choices.between(2, 3)
        parts = []
        for _ in range(count):
            own = list(shape)
            own[dim] = choices.between(1, 4)
            parts.append(self.operand(tuple(own)))
        if all(part.type.encoding is None for part in parts):
            parts[0] = self.sources.sparse(parts[0].type.shape, self.kind)
        shape[dim] = sum(part.type.shape[dim] for part in parts)
        form = draw.encoding(choices, len(shape), structured=False, tame=self.tame) if not choices.chance(30) else None
        return self.program.add(Concatenate(self.program.fresh(), Type(tuple(shape), self.kind, form), [part.name for part in parts],
                                            [part.type for part in parts], dim))

    def reinterpret(self):
        """The levels of a tensor as dimensions."""
        made = self.any_sparse()
        form = made.type.encoding
        shape = tuple(form.level_sizes(made.type.shape))
        if form.has_batch or form.slices or form.explicit or np.prod(shape) > draw.LARGE:
            raise Redraw
        return self.program.add(Reinterpret(self.program.fresh(), Type(shape, made.type.element, of_levels(form)), made.name, made.type))

    def reorder(self):
        """Coordinates in any order, put in order."""
        rank = self.choices.between(2, 3)
        levels = [Level(at, format="singleton" if at else "compressed", properties=(*(("nonunique",) if at < rank - 1 else ()), "nonordered")) for at in range(rank)]
        form = draw.Encoding(rank, tuple(levels))
        made = self.sources.sparse(tuple(self.sizes(rank)), self.kind, form)
        kind = replace(made.type, encoding=in_order(form))
        return self.program.add(Reorder(self.program.fresh(), kind, made.name, made.type, self.choices.one_of(ALGORITHMS)))

    def sort(self):
        """Tuples in a buffer, each at most once."""
        choices, rank = self.choices, self.choices.between(1, 3)
        keys = []
        for _ in range(choices.below(7)):
            key = tuple(choices.below(5) for _ in range(rank))
            keys += [key] if key not in keys else []
        values = [draw.number(choices, self.kind) for _ in keys]
        self.program.say(Sort(keys, choices.order(range(rank)), values, self.kind, choices.one_of(ALGORITHMS)))

    def reshape(self):
        """Two neighbouring dimensions made one, or one made two."""
        made = self.any_sparse()
        shape, at = made.type.shape, self.choices.below(made.type.rank)
        rank = len(shape)
        if rank > 1 and at < rank - 1:
            new = (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
            groups = [[dim] for dim in range(at)] + [[at, at + 1]] + [[dim] for dim in range(at + 2, rank)]
        else:
            factor = next((factor for factor in (2, 3) if shape[at] % factor == 0), 1)
            new = (*shape[:at], factor, shape[at] // factor, *shape[at + 1 :])
            groups = [[dim] for dim in range(at)] + [[at, at + 1]] + [[dim + 1] for dim in range(at + 1, rank)]
        form = draw.encoding(self.choices, len(new), structured=False, tame=self.tame)
        return self.program.add(Reshape(self.program.fresh(), replace(made.type, shape=new, encoding=form), made.name, made.type, groups))

    def parts(self, shape):
        """A part that fits in: offsets, sizes, strides."""
        offsets, sizes, strides = [], [], []
        if 0 in shape:
            raise Redraw
        for size in shape:
            part = self.choices.between(1, size)
            stride = self.choices.between(1, max((size - 1) // max(part - 1, 1), 1)) if part > 1 else 1
            offsets.append(self.choices.below(size - (part - 1) * stride))
            sizes.append(part)
            strides.append(stride)
        return offsets, sizes, strides

    def slice(self):
        """A part of a sparse tensor, or of a dense one."""
        if self.choices.chance(25):
            made = self.sources.dense(tuple(self.sizes(2)), self.kind)
        else:
            made = self.any_sparse()
        offsets, sizes, strides = self.parts(made.type.shape)
        form = made.type.encoding
        if form is not None:
            if form.blocks or form.has_batch or form.has_structure:
                raise Redraw
            form = replace(form, slices=tuple(zip(offsets, sizes, strides)))
        made = self.program.add(Slice(self.program.fresh(), Type(tuple(sizes), made.type.element, form), made.name, made.type, offsets, strides))
        if form is not None and self.choices.chance(50):
            result = replace(made.type, encoding=draw.encoding(self.choices, made.type.rank, structured=False, tame=self.tame))
            return self.program.add(Convert(self.program.fresh(), result, made.name, made.type))
        return made

    def insert_slice(self):
        into = self.sources.dense(tuple(self.sizes(self.choices.between(1, 3))), self.kind, 100)
        offsets, sizes, strides = self.parts(into.type.shape)
        source = self.sources.dense(tuple(sizes), self.kind, 50)
        return self.program.add(InsertSlice(self.program.fresh(), into.type, source.name, source.type, into.name, offsets, strides))


def is_empty(program, made):
    return any(type(statement).__name__ == "Empty" and statement.name == made.name for statement in program.statements)
