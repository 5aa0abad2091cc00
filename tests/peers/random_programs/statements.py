"""Statements of a program: the text of each, and what it means.

`emit` adds lines to a Writer; `run` takes and gives tensors by name, and adds what is printed.
"""
import re
from dataclasses import dataclass, field, replace

import numpy as np

from . import bodies
from .choices import Redraw
from .elements import INDEX, Element, grain
from .encodings import Encoding, build
from .kernels import Kernel
from .tensors import Tensor


@dataclass(frozen=True)
class Type:
    shape: tuple
    element: Element
    encoding: Encoding = None

    @property
    def rank(self):
        return len(self.shape)

    @property
    def dense(self):
        return replace(self, encoding=None)


class Writer:
    """Collects the text of a program."""

    def __init__(self):
        self.aliases, self.functions, self.externals, self.lines, self.depth, self.count = {}, [], {}, [], 1, 0

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def type(self, type, open_sizes=False):
        sizes = "".join(("?" if open_sizes else str(size)) + "x" for size in type.shape)
        return f"tensor<{sizes}{type.element.name}{self.with_encoding(type.encoding)}>"

    def with_encoding(self, encoding):
        if encoding is None:
            return ""
        alias = self.aliases.setdefault(encoding.text(), f"#E{len(self.aliases)}")
        return f", {alias}"

    def constant(self, element, value):
        name = self.fresh()
        self.line(f"{name} = {element.constant(value)}")
        return name

    def index(self, value):
        return self.constant(INDEX, value)

    def text(self):
        aliases = [f"{alias} = {text}" for text, alias in self.aliases.items()]
        main = ["func.func @main() {", *self.lines, "  return", "}"]
        return "\n".join(aliases + sorted(self.externals.values()) + self.functions + main) + "\n"


def literal(element, numbers):
    """The text between the angle brackets of `dense<>`."""
    if numbers.ndim == 0:
        return element.text(numbers[()])
    return "[" + ", ".join(literal(element, part) for part in numbers) + "]"


def dense_attribute(element, numbers):
    if numbers.size == 0:
        return "dense<>" if numbers.ndim else "dense<0>"
    flat = numbers.reshape(-1)
    if numbers.size > 1 and np.all(flat == flat[0]):
        return f"dense<{element.text(flat[0])}>"
    return f"dense<{literal(element, numbers)}>"


@dataclass
class Constant:
    """A dense tensor of numbers; written as `sparse<>` where `listed` is set."""

    name: str
    type: Type
    numbers: np.ndarray
    listed: bool = False
    uses = ()

    def emit(self, writer):
        writer.line(f"{self.name} = arith.constant {self.attribute()} : {writer.type(self.type)}")

    def attribute(self):
        if not self.listed or not np.any(self.numbers) or not self.type.rank:
            return dense_attribute(self.type.element, self.numbers)
        places = np.argwhere(self.numbers)
        values = [self.type.element.text(self.numbers[tuple(place)]) for place in places]
        return f"sparse<{places.tolist()}, [{', '.join(values)}]>"

    def run(self, env):
        env[self.name] = Tensor(self.numbers, self.type.element)

    def kinds(self):
        return ["sparse constant" if self.listed else "dense constant"]


@dataclass
class Empty:
    name: str
    type: Type
    uses = ()

    def emit(self, writer):
        writer.line(f"{self.name} = tensor.empty() : {writer.type(self.type)}")

    def run(self, env):
        shape, element = self.type.shape, self.type.element
        if self.type.encoding is None:
            env[self.name] = Tensor(element.zeros(shape), element, undefined=True)
        else:
            env[self.name] = Tensor(element.zeros(shape), element, self.type.encoding, np.zeros(shape, bool)).placed()
            env[self.name].undefined = self.type.encoding.is_dense

    def kinds(self):
        return ["tensor.empty"]


@dataclass
class Convert:
    name: str
    type: Type
    source: str
    source_type: Type

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        writer.line(f"{self.name} = sparse_tensor.convert {self.source} : {writer.type(self.source_type)} to {writer.type(self.type)}")

    def run(self, env):
        env[self.name] = env[self.source].converted(self.type.encoding)
        if self.type.encoding and self.type.encoding.nonunique_above:
            env[self.name].loose = True

    def kinds(self):
        return ["sparse_tensor.convert"]


@dataclass
class Assemble:
    """Arrays put together to a tensor; `entries` may hold zeros, and several at one coordinate of a nonunique level."""

    name: str
    type: Type
    entries: list
    arrangement: list = field(default_factory=list)
    uses = ()

    def arrays(self):
        def arrange(keys):
            turned = self.arrangement[0] % max(len(keys), 1) if self.arrangement else 0
            return keys[turned:][::-1] + keys[:turned]

        return build(self.type.encoding, self.type.shape, self.entries, arrange)

    def emit(self, writer):
        encoding, arrays = self.type.encoding, self.arrays()
        fields = []
        for at in range(len(encoding.levels)):
            if at in arrays.positions:
                fields.append(self.array(writer, arrays.positions[at], encoding.widths[0]))
            if at in arrays.coordinates:
                together = encoding.segment_end(at) - at
                tuples = together if together > 1 and "soa" not in encoding.levels[at + 1].properties else 1
                fields.append(self.array(writer, arrays.coordinates[at], encoding.widths[1], tuples))
        values = writer.fresh()
        numbers = np.array(arrays.values, self.type.element.dtype)
        kind = Type((len(arrays.values),), self.type.element)
        writer.line(f"{values} = arith.constant {dense_attribute(self.type.element, numbers)} : {writer.type(kind)}")
        names, kinds = [name for name, _ in fields], [kind for _, kind in fields]
        writer.line(f"{self.name} = sparse_tensor.assemble ({', '.join(names)}), {values} : "
                    f"({', '.join(kinds)}), {writer.type(kind)} to {writer.type(self.type)}")

    def array(self, writer, numbers, width, tuple_size=1):
        kind = f"i{width}" if width else "index"
        size = f"{len(numbers)}x"
        if tuple_size > 1:
            size += f"{tuple_size}x"
        name = writer.fresh()
        text = f"dense<{numbers}>" if numbers else "dense<>"
        writer.line(f"{name} = arith.constant {text} : tensor<{size}{kind}>")
        return name, f"tensor<{size}{kind}>"

    def run(self, env):
        numbers, stored = self.type.element.zeros(self.type.shape), np.zeros(self.type.shape, bool)
        for coordinates, value in self.entries:
            numbers[coordinates] += value
            stored[coordinates] = True
        twice = len({coordinates for coordinates, _ in self.entries}) < len(self.entries)
        numbers = self.type.element.settle(numbers)
        env[self.name] = Tensor(numbers, self.type.element, self.type.encoding, stored, loose=twice).placed()

    def kinds(self):
        found = ["sparse_tensor.assemble"]
        if len({coordinates for coordinates, _ in self.entries}) < len(self.entries):
            found.append("duplicates")
        return found + (["stored zeros"] if any(value == 0 for _, value in self.entries) else [])


@dataclass
class Generic:
    name: str
    type: Type
    kernel: Kernel
    inputs: list
    input_types: list
    output: str
    named: str = ""
    """The text of a named operation before its `ins`."""
    attribute: str = ""
    """What stands behind its `outs`; such an operation does not repeat its result's type."""
    outlined: bool = False
    open_sizes: bool = False
    twice: bool = False
    """The function of a kernel is called by another."""

    @property
    def uses(self):
        return (*self.inputs, self.output)

    def run(self, env):
        operands = [env[name] for name in self.inputs]
        if any(operand.approximate for operand in operands) or env[self.output].approximate or any(operand.undefined for operand in operands):
            raise Redraw
        result = self.kernel.run(operands, env[self.output])
        result.approximate = any(op.name in bodies.INEXACT for op in self.kernel.body.ops)
        env[self.name] = result

    def emit(self, writer):
        if self.outlined:
            self.emit_outlined(writer)
        else:
            self.emit_kernel(writer, self.name, self.inputs, self.output, False)

    def emit_kernel(self, writer, name, inputs, output, open_sizes):
        kinds = [writer.type(kind, open_sizes) for kind in self.input_types]
        result = writer.type(self.type, open_sizes)
        operands = f" ins({', '.join(inputs)} : {', '.join(kinds)})" if inputs else ""
        if self.named:
            end = f" {self.attribute}" if self.attribute else f" -> {result}"
            writer.line(f"{name} = {self.named}{operands} outs({output} : {result}){end}")
            return
        maps, iterators = ", ".join(self.kernel.map_texts()), ", ".join(f'"{word}"' for word in self.kernel.iterators())
        writer.line(f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}{operands} outs({output} : {result}) {{")
        body = self.kernel.body
        names = [writer.fresh() for _ in body.arguments]
        writer.line(f"^bb0({', '.join(f'{name}: {kind.name}' for name, kind in zip(names, body.arguments))}):")
        for line in bodies.texts(body, names, writer.fresh, "  "):
            writer.line(line)
        writer.line(f"  linalg.yield {names[body.result]} : {self.type.element.name}")
        writer.line(f"}} -> {result}")

    def emit_outlined(self, writer):
        """The kernel as a function of its own, of open sizes or not, and a call of it."""
        kinds = [*self.input_types, self.type]
        types = [writer.type(kind, self.open_sizes) for kind in kinds]
        result = writer.type(self.type, self.open_sizes)
        function = f"@kernel{len(writer.functions)}"
        parameters = [f"%a{at}" for at in range(len(kinds))]
        inner = Writer()
        inner.aliases, inner.count = writer.aliases, writer.count
        self.emit_kernel(inner, "%r", parameters[:-1], parameters[-1], self.open_sizes)
        writer.count = inner.count
        signature = ", ".join(f"{name}: {kind}" for name, kind in zip(parameters, types))
        writer.functions.append("\n".join([f"func.func {function}({signature}) -> {result} {{", *inner.lines, f"  return %r : {result}", "}"]))
        if self.twice:
            outer = f"@outer{len(writer.functions)}"
            call = f"  %r = func.call {function}({', '.join(parameters)}) : ({', '.join(types)}) -> {result}"
            writer.functions.append("\n".join([f"func.func {outer}({signature}) -> {result} {{", call, f"  return %r : {result}", "}"]))
            function = outer
        arguments = [self.cast(writer, name, kind, True) for name, kind in zip([*self.inputs, self.output], kinds)]
        found = writer.fresh() if self.open_sizes and self.type.rank else self.name
        writer.line(f"{found} = func.call {function}({', '.join(arguments)}) : ({', '.join(types)}) -> {result}")
        if found != self.name:
            writer.line(f"{self.name} = tensor.cast {found} : {result} to {writer.type(self.type)}")

    def cast(self, writer, name, kind, opening):
        if not self.open_sizes or not kind.rank:
            return name
        cast = writer.fresh()
        writer.line(f"{cast} = tensor.cast {name} : {writer.type(kind)} to {writer.type(kind, True)}")
        return cast

    def kinds(self):
        found = [self.named.split(" ")[0].split("<")[0] if self.named else "linalg.generic", f"{len(self.inputs)} operands"]
        found += ["reduction"] if self.kernel.reduction else []
        found += ["old value read"] if self.kernel.body.reads(len(self.inputs)) else []
        found += ["shifted subscript"] if any(len(access.terms) > 1 for part in self.kernel.maps for access in part) else []
        found += ["outlined"] if self.outlined else []
        found += ["open sizes"] if self.outlined and self.open_sizes else []
        result = "sparse result" if self.type.encoding else "dense result"
        points = int(np.prod(self.kernel.sizes))
        size = "points >= 2^20" if points >= 1 << 20 else "points >= 4096" if points >= 4096 else "points < 4096"
        return found + [result, size] + [op.name for op in self.kernel.body.ops if op.name != "constant"]


@dataclass
class Concatenate:
    name: str
    type: Type
    sources: list
    source_types: list
    dim: int

    @property
    def uses(self):
        return tuple(self.sources)

    def emit(self, writer):
        kinds = ", ".join(writer.type(kind) for kind in self.source_types)
        writer.line(f"{self.name} = sparse_tensor.concatenate {', '.join(self.sources)} {{dimension = {self.dim} : index}} : "
                    f"{kinds} to {writer.type(self.type)}")

    def run(self, env):
        parts = [env[name] for name in self.sources]
        env[self.name] = rearranged(parts, self.type.encoding, lambda arrays: np.concatenate(arrays, self.dim), keeps_zeros=False)

    def kinds(self):
        return ["sparse_tensor.concatenate"]


def rearranged(parts, encoding, arrange, keeps_zeros=True):
    """What becomes of tensors whose coordinates change alone; entries of a dense one are those that are not zero. Of
    what is concatenated, stored zeros are none."""
    if any(part.undefined for part in parts):
        raise Redraw
    numbers = arrange([part.numbers for part in parts])
    result = Tensor(numbers, parts[0].element, encoding, approximate=any(part.approximate for part in parts))
    if encoding is not None:
        result.stored = arrange([part.numbers != 0 if part.encoding is None else part.stored for part in parts])
        if not keeps_zeros:
            result.stored &= numbers != 0
        result.unclear = arrange([part.unclear for part in parts]) & result.stored
        if not keeps_zeros:  # entries at one place are told from zero one by one, and added up then
            result.unclear |= arrange([part.stored & (part.numbers == 0) & part.loose for part in parts])
        result.loose = encoding.nonunique_above
    return result.placed()


@dataclass
class Reshape:
    """tensor.expand_shape or tensor.collapse_shape."""

    name: str
    type: Type
    source: str
    source_type: Type
    groups: list

    @property
    def uses(self):
        return (self.source,)

    @property
    def expands(self):
        return self.type.rank > self.source_type.rank

    def emit(self, writer):
        groups = ", ".join(str(group) for group in self.groups)
        shape = f" output_shape {list(self.type.shape)}" if self.expands else ""
        writer.line(f"{self.name} = tensor.{'expand' if self.expands else 'collapse'}_shape {self.source} [{groups}]{shape} : "
                    f"{writer.type(self.source_type)} into {writer.type(self.type)}")

    def run(self, env):
        env[self.name] = rearranged([env[self.source]], self.type.encoding, lambda arrays: arrays[0].reshape(self.type.shape))

    def kinds(self):
        return ["tensor.expand_shape" if self.expands else "tensor.collapse_shape"]


@dataclass
class Slice:
    """tensor.extract_slice; of a sparse tensor the result's encoding says which part it is."""

    name: str
    type: Type
    source: str
    source_type: Type
    offsets: list
    strides: list

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        writer.line(f"{self.name} = tensor.extract_slice {self.source}{self.offsets} {list(self.type.shape)} {self.strides} : "
                    f"{writer.type(self.source_type)} to {writer.type(self.type)}")

    def part(self):
        sizes = self.type.shape
        return tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(self.offsets, sizes, self.strides))

    def run(self, env):
        source = env[self.source]
        if source.undefined:
            raise Redraw
        cut = [part[self.part()] for part in (source.numbers, source.stored, source.unclear)]
        env[self.name] = Tensor(cut[0], source.element, self.type.encoding, *cut[1:], approximate=source.approximate, loose=source.loose)

    def kinds(self):
        return ["tensor.extract_slice" + (" (sparse)" if self.type.encoding else "")]


@dataclass
class InsertSlice:
    name: str
    type: Type
    source: str
    source_type: Type
    into: str
    offsets: list
    strides: list

    @property
    def uses(self):
        return (self.source, self.into)

    def emit(self, writer):
        writer.line(f"{self.name} = tensor.insert_slice {self.source} into {self.into}{self.offsets} {list(self.source_type.shape)} "
                    f"{self.strides} : {writer.type(self.source_type)} into {writer.type(self.type)}")

    def run(self, env):
        source, into = env[self.source], env[self.into]
        if source.undefined or into.undefined:
            raise Redraw
        sizes = self.source_type.shape
        part = tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(self.offsets, sizes, self.strides))
        numbers = into.numbers.copy()
        numbers[part] = source.numbers
        env[self.name] = Tensor(numbers, into.element, approximate=source.approximate or into.approximate)

    def kinds(self):
        return ["tensor.insert_slice"]


@dataclass
class Insert:
    """Entries inserted one after the other, in the order of storage, into an empty tensor, and its load."""

    name: str
    type: Type
    entries: list
    uses = ()

    def emit(self, writer):
        kind = writer.type(self.type)
        now = writer.fresh()
        writer.line(f"{now} = tensor.empty() : {kind}")
        for coordinates, value in self.entries:
            places = [writer.index(coordinate) for coordinate in coordinates]
            number = writer.constant(self.type.element, value)
            after = writer.fresh()
            writer.line(f"{after} = tensor.insert {number} into {now}[{', '.join(places)}] : {kind}")
            now = after
        writer.line(f"{self.name} = sparse_tensor.load {now} hasInserts : {kind}")

    def run(self, env):
        numbers, stored = self.type.element.zeros(self.type.shape), np.zeros(self.type.shape, bool)
        for coordinates, value in self.entries:
            numbers[coordinates], stored[coordinates] = value, True
        env[self.name] = Tensor(numbers, self.type.element, self.type.encoding, stored).placed()

    def kinds(self):
        return ["tensor.insert"]


@dataclass
class ForEach:
    """The sum of a tensor's entries, and, where that is asked for, of their coordinates with factors, printed."""

    source: str
    source_type: Type
    coordinates: bool = False

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        kind, source = self.source_type, writer.type(self.source_type)
        element, index = kind.element.name, ", index" if self.coordinates else ""
        starts = [writer.constant(kind.element, 0)] + ([writer.index(0)] if self.coordinates else [])
        factors = [writer.index(at + 2) for at in range(kind.rank)]
        results, value, total, weighted = (writer.fresh() for _ in range(4))
        writer.line(f"{results}{':2' if self.coordinates else ''} = sparse_tensor.foreach in {self.source} init({', '.join(starts)}) : "
                    f"{source}, {element}{index} -> {element}{index} do {{")
        places = [writer.fresh() for _ in kind.shape]
        names = [f"{place}: index" for place in places] + [f"{value}: {element}", f"{total}: {element}"]
        writer.line(f"^bb0({', '.join(names + ([f'{weighted}: index'] if self.coordinates else []))}):")
        add = {"float": "arith.addf", "integer": "arith.addi", "complex": "complex.add"}[kind.element.kind]
        next_total = writer.fresh()
        writer.line(f"  {next_total} = {add} {total}, {value} : {element}")
        for factor, place in zip(factors if self.coordinates else [], places):
            product, more = writer.fresh(), writer.fresh()
            writer.line(f"  {product} = arith.muli {factor}, {place} : index")
            writer.line(f"  {more} = arith.addi {weighted}, {product} : index")
            weighted = more
        writer.line(f"  sparse_tensor.yield {next_total}{', ' + weighted if self.coordinates else ''} : {element}{index}")
        writer.line("}")
        self.emit_results(writer, results)

    def emit_results(self, writer, results):
        element = self.source_type.element
        first = f"{results}#0" if self.coordinates else results
        if element.is_complex:
            for part in ("re", "im"):
                name = writer.fresh()
                writer.line(f"{name} = complex.{part} {first} : {element.name}")
                writer.line(f"vector.print {name} : {element.name[8:-1]}")
        else:
            writer.line(f"vector.print {first} : {element.name}")
        if self.coordinates:
            writer.line(f"vector.print {results}#1 : index")

    def run(self, env):
        tensor = env[self.source]
        if tensor.undefined:
            raise Redraw
        element = tensor.element
        if not (element.is_integer or tensor.approximate):
            element.add_up(np.sum(np.abs(tensor.numbers)), grain(tensor.numbers))
        total = element.settle(np.sum(tensor.numbers, dtype=element.dtype)) if not tensor.approximate else np.sum(tensor.numbers)
        parts = [total.real, total.imag] if element.is_complex else [total]
        env["printed"].append(Printed("foreach", parts + ([self.places(tensor)] if self.coordinates else []), element, tensor.approximate))

    def places(self, tensor):
        """The sum of coordinates; an entry that comes twice counts twice, so where that may be any will do."""
        if not tensor.structure_is_clear or tensor.encoding is not None and tensor.encoding.nonunique_above:
            return None
        return sum(int(places.sum()) * (at + 2) for at, places in enumerate(np.nonzero(tensor.stored)))

    def kinds(self):
        return ["sparse_tensor.foreach"] + (["foreach with two results"] if self.coordinates else [])


@dataclass
class Printed:
    """What a statement prints: numbers in order, None where any will do; or the arrays of a tensor."""

    kind: str
    numbers: list
    element: Element
    approximate: bool = False


@dataclass
class Print:
    """A tensor, densely."""

    source: str
    source_type: Type
    by_vector: bool = False

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        kind, name = self.source_type, self.source
        if kind.encoding:
            name = writer.fresh()
            writer.line(f"{name} = sparse_tensor.convert {self.source} : {writer.type(kind)} to {writer.type(kind.dense)}")
        if kind.element.printer and not (self.by_vector and not kind.element.is_complex):
            self.emit_buffer(writer, name)
        elif kind.rank:
            self.emit_vector(writer, name)
        else:
            one = writer.fresh()
            writer.line(f"{one} = tensor.extract {name}[] : {writer.type(kind.dense)}")
            writer.line(f"vector.print {one} : {kind.element.name}")

    def emit_buffer(self, writer, name):
        element = self.source_type.element
        unranked = f"tensor<*x{element.name}>"
        writer.externals[element.printer] = f"func.func private @{element.printer}({unranked})"
        cast = writer.fresh()
        writer.line(f"{cast} = tensor.cast {name} : {writer.type(self.source_type.dense)} to {unranked}")
        writer.line(f"func.call @{element.printer}({cast}) : ({unranked}) -> ()")

    def emit_vector(self, writer, name):
        kind = self.source_type.dense
        zero, start, vector = writer.constant(kind.element, 0), writer.index(0), writer.fresh()
        text = writer.type(kind)
        writer.line(f"{vector} = vector.transfer_read {name}[{', '.join([start] * kind.rank)}], {zero} : {text}, vector{text[6:]}")
        writer.line(f"vector.print {vector} : vector{text[6:]}")

    def run(self, env):
        tensor = env[self.source]
        if tensor.undefined or 0 in tensor.shape and (self.by_vector or not tensor.element.printer):
            raise Redraw
        env["printed"].append(Printed("dense", tensor.numbers.reshape(-1).tolist(), tensor.element, tensor.approximate))

    def kinds(self):
        return ["printed densely"]


@dataclass
class PrintStorage:
    """The arrays of a tensor, or only how many entries it has."""

    source: str
    source_type: Type
    only_count: bool = False

    @property
    def uses(self):
        return (self.source,)

    def emit(self, writer):
        if self.only_count:
            name = writer.fresh()
            writer.line(f"{name} = sparse_tensor.number_of_entries {self.source} : {writer.type(self.source_type)}")
            writer.line(f"vector.print {name} : index")
        else:
            writer.line(f"sparse_tensor.print {self.source} : {writer.type(self.source_type)}")

    def run(self, env):
        tensor = env[self.source]
        encoding = tensor.encoding
        if not tensor.structure_is_clear or encoding.slices or encoding.nonunique_above or encoding.has_batch:
            env["printed"].append(Printed("anything", [], tensor.element))
            return
        arrays = tensor.arrays()
        if self.only_count:
            env["printed"].append(Printed("count", [len(arrays.values)], INDEX))
        elif encoding.order_open:
            env["printed"].append(Printed("nse", [len(arrays.values)], INDEX))
        else:
            env["printed"].append(Printed("storage", shown(encoding, tensor.shape, arrays), tensor.element, tensor.approximate))

    def kinds(self):
        return ["sparse_tensor.number_of_entries" if self.only_count else "sparse_tensor.print"]


def shown(encoding, shape, arrays):
    """What sparse_tensor.print writes: pairs of a word and numbers. Positions of a loose level may have an unused slot at the
    end, and empty segments any place, so only those of segments with entries count."""
    lines = [("nse", [len(arrays.values)]), ("dim", list(shape)), ("lvl", encoding.level_sizes(shape))]
    for at, level in enumerate(encoding.levels):
        if at in arrays.positions:
            numbers = arrays.positions[at]
            if level.format == "loose_compressed":
                pairs = zip(numbers[::2], numbers[1::2])
                numbers = [number for low, high in pairs for number in ((low, high) if low < high else (None, None))] + [None]
            lines.append((f"pos[{at}]", numbers))
        if at in arrays.coordinates:
            lines.append((f"crd[{at}]", [int(one) for one in np.array(arrays.coordinates[at]).reshape(-1)]))
    return lines + [("values", np.array(arrays.values).tolist())]


@dataclass
class Loop:
    """scf.for, scf.while or scf.if around statements that make a tensor out of `carried`."""

    name: str
    type: Type
    start: str
    carried: str
    body: list
    result: str
    times: int = 1
    form: str = "for"
    """Of `if`, `times` says whether the condition holds; where it does not, the result is `start`."""

    @property
    def uses(self):
        inside = {name for statement in self.body for name in statement.uses} - {self.carried}
        return (self.start, *inside)

    def run(self, env):
        inner = dict(env)
        inner[self.carried] = env[self.start]
        for _ in range(self.times):
            for statement in self.body:
                statement.run(inner)
            inner[self.carried] = inner[self.result]
        env[self.name] = inner[self.carried]

    def emit(self, writer):
        getattr(self, "emit_" + self.form)(writer)

    def emit_body(self, writer):
        writer.depth += 1
        for statement in self.body:
            statement.emit(writer)
        writer.depth -= 1

    def emit_for(self, writer):
        kind, low, high, step = writer.type(self.type), writer.index(0), writer.index(self.times), writer.index(1)
        loop = writer.fresh()
        writer.line(f"{self.name} = scf.for {loop} = {low} to {high} step {step} iter_args({self.carried} = {self.start}) -> ({kind}) {{")
        self.emit_body(writer)
        writer.line(f"  scf.yield {self.result} : {kind}")
        writer.line("}")

    def emit_if(self, writer):
        kind, condition = writer.type(self.type), writer.fresh()
        low, high = writer.index(0), writer.index(self.times)
        writer.line(f"{condition} = arith.cmpi slt, {low}, {high} : index")
        writer.line(f"{self.name} = scf.if {condition} -> ({kind}) {{")
        saved, self_carried = len(writer.lines), self.carried
        self.emit_body(writer)
        writer.lines[saved:] = [substituted(line, self_carried, self.start) for line in writer.lines[saved:]]
        result = self.start if self.result == self.carried else self.result
        writer.line(f"  scf.yield {result} : {kind}")
        writer.line("} else {")
        writer.line(f"  scf.yield {self.start} : {kind}")
        writer.line("}")

    def emit_while(self, writer):
        kind, low, high, one = writer.type(self.type), writer.index(0), writer.index(self.times), writer.index(1)
        count, test, done, more, passed, last = (writer.fresh() for _ in range(6))
        writer.line(f"{self.name}, {last} = scf.while ({passed} = {self.start}, {count} = {low}) : ({kind}, index) -> ({kind}, index) {{")
        writer.line(f"  {test} = arith.cmpi slt, {count}, {high} : index")
        writer.line(f"  scf.condition({test}) {passed}, {count} : {kind}, index")
        writer.line("} do {")
        writer.line(f"^bb0({self.carried}: {kind}, {done}: index):")
        self.emit_body(writer)
        writer.line(f"  {more} = arith.addi {done}, {one} : index")
        writer.line(f"  scf.yield {self.result}, {more} : {kind}, index")
        writer.line("}")

    def kinds(self):
        return [f"scf.{self.form}"] + [kind for statement in self.body for kind in statement.kinds()]


def substituted(line, name, other):
    return re.sub(re.escape(name) + r"(?![\w])", other, line)
