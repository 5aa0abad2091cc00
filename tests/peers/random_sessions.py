#!/usr/bin/env python3
"""Draws sessions, and holds what nnz stores against an oracle of its own: NumPy over dense arrays, with a model of which coordinates
are stored. Nothing here is shared with nnz.

    tests/peers/random_sessions.py [--sessions N] [--first K] [--seed S] [--nnz PATH] [--keep FOLDER]

A session defines tensors in any format, and each statement may read what those before it gave: kernels, semirings, reductions, windows,
conversions, scalars and updates. Behind each of them stands what was stored. Of a session on which nnz disagrees, or which it refuses, the
statements that the wrong one depends on are shown and kept in FOLDER. Everything follows from the seed.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

from setting import program as built

SECONDS = 60
DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i8": np.int8, "complex<f64>": np.complex128}
ENCODINGS = {
    "#Loose": "(i, j) -> (i : dense, j : loose_compressed)",
    "#Rows": "(i, j) -> (i : compressed, j : dense)",
    "#Mask": "(i, j) -> (i : dense, j : bitmap)",
    "#Table": "(i, j) -> (i : dense, j : hashed)",
    "#Runs": "(i, j) -> (i : dense, j : run_length)",
    "#Delta": "(i, j) -> (i : dense, j : delta[2])",
    "#Full": "(i, j) -> (i : dense, j : dense)",
    "#Soa": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "#Masked": "(i) -> (i : bitmap)",
    "#Hashed": "(i) -> (i : hashed)",
    "#Delta1": "(i) -> (i : delta[2])",
}
MATRICES = [None, "CSR", "COO", "CSC", "DCSR", "BSR(2, 2)", "#Rows", "#Mask", "#Table", "#Loose", "#Delta", "#Runs", "ELL", "JDS", "DIA", "DCSC", "#Full", "#Soa"]
VECTORS = [None, "SparseVector", "#Masked", "#Hashed", "#Delta1"]
PADDED = {"#Runs", "#Delta", "#Delta1", "DIA"}
"""Formats whose zeros are no entries."""
IDENTITIES = {"plus": 0, "times": 1, "min": "greatest", "max": "least"}
COMBINE = {"plus": np.add, "times": np.multiply, "min": np.minimum, "max": np.maximum}


class Redraw(Exception):
    """What was drawn is left open by the notation, or too large."""


@dataclass
class Value:
    """Numbers, and where there is an entry."""

    numbers: np.ndarray
    present: np.ndarray


@dataclass
class Tensor:
    name: str
    kind: str
    format: str
    value: Value

    @property
    def shape(self):
        return self.value.numbers.shape

    @property
    def dense(self):
        return self.format in (None, "#Full")

    @property
    def operand(self):
        """As kernels see it."""
        if self.dense:
            return Value(self.value.numbers, np.ones(self.shape, bool))
        return self.value


def stored(value, format):
    """What a format stores of entries."""
    numbers, present = np.where(value.present, value.numbers, value.numbers.dtype.type(0)), value.present.copy()
    if format in (None, "#Full"):
        present = np.ones(present.shape, bool)
    elif format in PADDED:
        present &= numbers != 0
    elif format == "#Rows":
        present |= present.any(1)[:, None]
    elif format == "BSR(2, 2)":
        for i in range(0, present.shape[0], 2):
            for j in range(0, present.shape[1], 2):
                present[i : i + 2, j : j + 2] |= present[i : i + 2, j : j + 2].any()
    return Value(numbers, present)


def bound(kind, which):
    """The greatest or the least value of a type."""
    if kind.startswith("f"):
        return DTYPES[kind](np.inf if which == "greatest" else -np.inf)
    info = np.iinfo(DTYPES[kind])
    return DTYPES[kind](info.max if which == "greatest" else info.min)


class Session:
    def __init__(self, seed):
        self.random, self.count = random.Random(seed), 0
        self.tensors, self.scalars, self.statements = {}, {}, []
        self.kind = self.random.choice(["f64"] * 4 + ["f32", "i64", "i32", "i8", "complex<f64>"])
        self.size = [self.random.randint(1, 5) for _ in range(2)]
        if self.random.random() < 0.5:
            self.size[1] = self.size[0]

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def chance(self, share):
        return self.random.random() < share

    @property
    def ordered(self):
        return not self.kind.startswith("complex")

    def draw(self):
        for _ in range(self.random.randint(2, 4)):
            self.literal(self.random.choice([1, 2, 2]))
        ways = [self.sum] * 5 + [self.convert] * 3 + [self.product] * 3 + [self.update] * 3 + [self.scalar] * 2 + [self.window] * 2
        ways += [self.reduction] * 2 + [self.filter, self.regions, self.semiring, self.semiring] + [self.masked] * 2
        ways += [self.beside] * 2 + [self.shifted]
        for _ in range(self.random.randint(3, 9)):
            before = (dict(self.tensors), dict(self.scalars), list(self.statements))
            try:
                with np.errstate(all="ignore"):
                    self.random.choice(ways)()
            except Redraw:
                self.tensors, self.scalars, self.statements = before
        return self

    # Statements. Each is a text, what it reads, what it gives, and what must be stored then.

    def state(self, text, reads, name):
        value = self.tensors[name] if name in self.tensors else self.scalars[name]
        self.check(value.value.numbers if isinstance(value, Tensor) else value)
        self.statements.append((text, set(reads), name, value))

    def check(self, numbers):
        if numbers.dtype.kind in "fc" and (not np.all(np.isfinite(numbers) | (numbers.real == np.inf) | (numbers.real == -np.inf)) or np.any(np.abs(numbers[np.isfinite(numbers)]) > 1 << 20)):
            raise Redraw

    def define(self, text, reads, format, value, name=None, letter="T"):
        name = name or self.fresh(letter)
        self.tensors[name] = Tensor(name, self.kind, format, stored(value, format))
        self.state(text.replace("$", name), reads, name)

    def number(self, zero=False):
        found = self.random.choice([1, 2, 3, -1, -2] + [0] * zero)
        if not self.kind.startswith("complex") or self.chance(0.4):
            return found, f"{found:#x}" if self.chance(0.1) else str(found)
        imaginary = self.random.choice([1, -2, 0])
        return complex(found, imaginary), f"({found}, {imaginary})"

    def format(self, rank):
        return self.random.choice(MATRICES if rank == 2 else VECTORS)

    def typed(self, shape, format):
        sizes = "x".join(map(str, shape))
        return f"tensor<{sizes}x{self.kind}{', ' + format if format else ''}>"

    def literal(self, rank):
        shape = tuple(self.size) if rank == 2 else (self.random.choice(self.size),)
        format, share = self.format(rank), self.random.choice([0, 0.2, 0.4, 0.7, 1])
        numbers, present = np.zeros(shape, DTYPES[self.kind]), np.zeros(shape, bool)
        places, texts = [], []
        for place in np.ndindex(*shape):
            if self.chance(share):
                infinite = self.kind.startswith("f") and self.chance(0.04)
                numbers[place], text = (np.inf, "inf") if infinite else self.number(zero=self.chance(0.2))
                present[place] = True
                places.append(str(list(place)))
                texts.append(text)
        literal = f"sparse<[{', '.join(places)}], [{', '.join(texts)}]>" if places else "sparse<>"
        self.define(f"$ : {self.typed(shape, format)} = {literal}", [], format, Value(numbers, present))

    def any(self, rank, shape=None):
        fitting = [tensor for tensor in self.tensors.values() if len(tensor.shape) == rank and shape in (None, tensor.shape)]
        if not fitting:
            raise Redraw
        return self.random.choice(fitting)

    def convert(self):
        source = self.any(self.random.choice([1, 2, 2]))
        format = self.format(len(source.shape))
        if format is None:
            raise Redraw
        value = source.value
        if source.format in (None, "#Full") and format != "#Full":
            value = Value(value.numbers, value.numbers != 0)
        self.define(f"$ : {format} = {source.name}", [source.name], format, value)

    def result(self, indices, rank):
        """The left side of a kernel, and its format."""
        format = self.format(rank) if rank and self.chance(0.6) else None
        return f"$({indices}){' : ' + format if format else ''}", format

    def leaf(self, indices, shape, reads):
        """The text and the value of an access, a scalar or a number."""
        what = self.random.random()
        if what < 0.08:
            value, text = self.number()
            return text, Value(np.full(shape, value, DTYPES[self.kind]), np.ones(shape, bool))
        if what < 0.16 and self.scalars:
            name = self.random.choice(sorted(self.scalars))
            reads.add(name)
            return name, Value(np.full(shape, self.scalars[name], DTYPES[self.kind]), np.ones(shape, bool))
        if what < 0.22:
            tensor = self.any(self.random.choice([1, 2]))
            place = tuple(self.random.randrange(size) for size in tensor.shape)
            reads.add(tensor.name)
            number, there = tensor.operand.numbers[place], tensor.operand.present[place]
            return f"{tensor.name}({', '.join(map(str, place))})", Value(np.full(shape, number), np.full(shape, there))
        if len(shape) == 2 and what < 0.35:
            at = self.random.randrange(2)
            tensor = self.any(1, (shape[at],))
            reads.add(tensor.name)
            spread = lambda array: np.broadcast_to(array[:, None] if at == 0 else array[None, :], shape)
            return f"{tensor.name}({indices[at]})", Value(spread(tensor.operand.numbers), spread(tensor.operand.present))
        if len(shape) == 2 and what < 0.45 and shape[0] == shape[1]:
            tensor = self.any(2, shape)
            reads.add(tensor.name)
            return f"{tensor.name}({indices[1]}, {indices[0]})", Value(tensor.operand.numbers.T, tensor.operand.present.T)
        tensor = self.any(len(shape), shape)
        reads.add(tensor.name)
        return f"{tensor.name}({', '.join(indices)})", tensor.operand

    def expression(self, indices, shape, reads, depth):
        if depth == 0 or self.chance(0.2):
            return self.leaf(indices, shape, reads)
        if self.chance(0.2):
            return self.where(indices, shape, self.expression(indices, shape, reads, depth - 1))
        left, right = (self.expression(indices, shape, reads, depth - 1) for _ in range(2))
        op = self.random.choice("++--*" + ("mM" if self.ordered else ""))
        return joined(op, left, right)

    def condition(self, indices, shape):
        """A condition on index variables, and where it holds."""
        places = np.indices(shape)
        at = self.random.randrange(len(indices))
        of, left = places[at], indices[at]
        if len(indices) == 2 and self.chance(0.4):
            other, right = places[1 - at], indices[1 - at]
        else:
            other = self.random.randrange(max(shape))
            right = str(other)
        op = self.random.choice(["==", "!=", "<", "<=", ">", ">="])
        ways = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
        text, holds = f"{left} {op} {right}", ways[op](of, other)
        return (f"not ({text})", ~holds) if self.chance(0.2) else (text, holds)

    def where(self, indices, shape, factor):
        """A product with a condition on index variables, which is absent where that does not hold."""
        (text, value), (condition, holds) = factor, self.condition(indices, shape)
        written = f"({condition})" if self.chance(0.5) else f"select({condition}, 1, 0)"
        zero = value.numbers.dtype.type(0)
        pair = [text, written] if self.chance(0.7) else [written, text]
        return f"({' * '.join(pair)})", Value(np.where(holds, value.numbers, zero), value.present & holds)

    def sum(self):
        rank = self.random.choice([1, 2, 2])
        shape = tuple(self.size) if rank == 2 else (self.random.choice(self.size),)
        indices, reads = ["i", "j"][:rank], set()
        text, value = self.expression(indices, shape, reads, self.random.choice([1, 2, 2, 3]))
        if not any(name in self.tensors for name in reads) or not bound_by(indices, text):
            raise Redraw
        # A variable that no tensor has says nothing of its range.
        left, format = self.result(", ".join(indices), rank)
        self.define(f"{left} = {text}", reads, format, value)

    def product(self):
        what = self.random.choice(["mv", "mm", "dot", "rows"])
        matrix = self.any(2)
        a = matrix.operand
        if what == "mv":
            vector = self.any(1, (matrix.shape[1],))
            x, text, rank = vector.operand, f"{matrix.name}(i, j) * {vector.name}(j)", 1
            terms = Value(a.numbers * x.numbers, a.present & x.present)
            self.reduced(text, {matrix.name, vector.name}, terms, 1, "i", rank)
        elif what == "rows":
            self.reduced(f"{matrix.name}(j, i)", {matrix.name}, Value(a.numbers.T, a.present.T), 1, "i", 1)
        elif what == "dot":
            other = self.any(2, matrix.shape)
            b = other.operand
            terms = Value(a.numbers * b.numbers, a.present & b.present)
            self.total(f"{matrix.name}(i, j) * {other.name}(i, j)", {matrix.name, other.name}, terms)
        else:
            other, terms = self.pairs(matrix, np.multiply)
            self.reduced(f"{matrix.name}(i, k) * {other.name}(k, j)", {matrix.name, other.name}, terms, 1, "i, j", 2)

    def pairs(self, matrix, op):
        """All terms of a matrix product: i, k, j."""
        other = self.random.choice([one for one in self.tensors.values() if len(one.shape) == 2 and one.shape[0] == matrix.shape[1]] or [None])
        if other is None:
            raise Redraw
        a, b = matrix.operand, other.operand
        return other, Value(op(a.numbers[:, :, None], b.numbers[None]), a.present[:, :, None] & b.present[None])

    def reduced(self, text, reads, terms, axis, indices, rank):
        numbers = folded("plus", terms, axis, self.kind)
        left, format = self.result(indices, rank)
        self.define(f"{left} = {text}", reads, format, Value(numbers, terms.present.any(axis)))

    def total(self, text, reads, terms):
        name = self.fresh("s")
        self.scalars[name] = folded("plus", Value(terms.numbers.reshape(-1), terms.present.reshape(-1)), 0, self.kind)
        self.state(f"{name} : {self.kind} = {text}", reads, name)

    def scalar(self):
        if not self.scalars or self.chance(0.4):
            value, text = self.number(zero=True)
            name = self.fresh("s")
            self.scalars[name] = DTYPES[self.kind](value)
            return self.state(f"{name} : {self.kind} = {text}", [], name)
        source, name = self.random.choice(sorted(self.scalars)), self.fresh("s")
        value, text = self.number()
        op = self.random.choice("+-*")
        ways = {"+": np.add, "-": np.subtract, "*": np.multiply}
        self.scalars[name] = DTYPES[self.kind](ways[op](self.scalars[source], DTYPES[self.kind](value)))
        return self.state(f"{name} : {self.kind} = {source} {op} {text}", [source], name)

    def window(self):
        tensor = self.any(2)
        at, size = self.random.randrange(2), tensor.shape
        operand = tensor.operand
        if self.chance(0.4):
            place = self.random.randrange(size[at])
            cut = Value(operand.numbers.take(place, at), operand.present.take(place, at))
            text = f"{tensor.name}({place}, j)" if at == 0 else f"{tensor.name}(j, {place})"
            left, format = self.result("j", 1)
            return self.define(f"{left} = {text}", [tensor.name], format, cut)
        parts, texts = [], []
        for index, extent in zip("ij", size):
            start = self.random.randrange(extent)
            end = self.random.randint(start + 1, extent)
            step = self.random.choice([1, 1, 2])
            parts.append(slice(start, end, step))
            texts.append(f"{index} = {start}:{end}" + (f":{step}" if step > 1 else ""))
        cut = Value(operand.numbers[tuple(parts)], operand.present[tuple(parts)])
        left, format = self.result("i, j", 2)
        return self.define(f"{left} = {tensor.name}({', '.join(texts)})", [tensor.name], format, cut)

    def reduction(self):
        """Over stored entries, or over all of them, absent ones as zeros."""
        if not self.ordered:
            raise Redraw
        matrix, word = self.any(2), self.random.choice(["min", "max", "sum", "prod"])
        op = {"sum": "plus", "prod": "times"}.get(word, word)
        terms, over = matrix.operand, self.chance(0.5)
        if over and word != "sum":
            left, format = self.result("i", 1)
            given = folded(op, terms, 1, self.kind)
            text = f"{left} = {word}(j, {matrix.name}(i, j), over = stored)"
            return self.define(text, [matrix.name], format, Value(given, terms.present.any(1))) if format else self.define(
                text, [matrix.name], format, Value(given, np.ones(given.shape, bool)))
        whole = Value(np.where(terms.present, terms.numbers, terms.numbers.dtype.type(0)), np.ones(terms.present.shape, bool))
        given = folded(op, whole, 1, self.kind)
        return self.define(f"$(i) = {word}(j, {matrix.name}(i, j))", [matrix.name], None, Value(given, np.ones(given.shape, bool)))

    def semiring(self):
        if not self.ordered:
            raise Redraw
        combine, make = self.random.choice(["min", "max", "plus", "times"]), self.random.choice(["plus", "times", "first", "second", "min", "max", "pair"])
        functions = {"plus": np.add, "times": np.multiply, "first": lambda a, b: a + 0 * b, "second": lambda a, b: b + 0 * a,
                     "min": np.minimum, "max": np.maximum, "pair": lambda a, b: 1 + 0 * a + 0 * b}
        matrix = self.any(2)
        other, terms = self.pairs(matrix, functions[make])
        negated = self.chance(0.2)
        given = folded(combine, terms, 1, self.kind)
        given = -given if negated else given
        left, format = self.result("i, j", 2)
        present = terms.present.any(1) if format not in (None, "#Full") else np.ones(given.shape, bool)
        text = f"{left} = {'-' if negated else ''}{combine}_{make}(k, {matrix.name}(i, k), {other.name}(k, j))"
        return self.define(text, {matrix.name, other.name}, format, Value(given, present))

    def masked(self):
        """A reduction over stored terms behind a mask: what that leaves out is absent, and zero in a dense result."""
        if not self.ordered:
            raise Redraw
        matrix, word = self.any(2), self.random.choice(["min", "max", "prod"])
        a, reads, size = matrix.operand, {matrix.name}, matrix.shape[0]
        reduced = f"{word}(j, {matrix.name}(i, j), over = stored)"
        given = folded({"prod": "times"}.get(word, word), a, 1, self.kind)
        vector = self.any(1, (size,)) if self.chance(0.6) else None
        if vector is None:
            condition, holds = self.condition(["i"], (size,))
            text = f"select({condition}, {reduced})"
        else:
            reads.add(vector.name)
            word = self.random.choice(["present", "absent"])
            holds = vector.operand.present == (word == "present")
            text = f"unary({vector.name}(i), {word} = {reduced})"
        left, format = self.result("i", 1)
        present = holds & a.present.any(1) if format not in (None, "#Full") else holds
        self.define(f"{left} = {text}", reads, format, Value(given, present))

    def filter(self):
        if not self.ordered:
            raise Redraw
        matrix = self.any(2)
        a, (limit, text) = matrix.operand, self.number(zero=True)
        left, format = self.result("i, j", 2)
        kept = Value(a.numbers, a.present & (a.numbers > limit))
        self.define(f"{left} = select({matrix.name}(i, j) > {text}, {matrix.name}(i, j))", [matrix.name], format, kept)

    def regions(self):
        matrix = self.any(2)
        other = self.any(2, matrix.shape)
        text, value, _ = self.binary(matrix, other)
        left, format = self.result("i, j", 2)
        self.define(f"{left} = {text}", {matrix.name, other.name}, format, value)

    def binary(self, matrix, other):
        """A `binary` of two tensors, its value, and where it gives something for an operand that is not stored beside a dense one."""
        a, b = matrix.operand, other.operand
        both, left_only, right_only = a.present & b.present, a.present & ~b.present, ~a.present & b.present
        numbers, present, texts, given = np.zeros(matrix.shape, DTYPES[self.kind]), np.zeros(matrix.shape, bool), [], False
        names = f"{matrix.name}(i, j)", f"{other.name}(i, j)"
        for word, where, value, text, beside in [("overlap", both, a.numbers * b.numbers, " * ".join(names), False), ("left", left_only, -a.numbers, "-" + names[0], matrix.dense and not other.dense),
                                                 ("right", right_only, b.numbers, names[1], other.dense and not matrix.dense)]:
            if self.chance(0.7):
                numbers, present = np.where(where, value, numbers), present | where
                texts.append(f"{word} = {text}")
                given |= beside
        if not texts:
            raise Redraw
        return f"binary({', '.join(names)}, {', '.join(texts)})", Value(numbers, present), given

    def beside(self):
        """A reduction over stored terms, each beside a dense operand: those where a sparse one stores an entry, or where a region gives
        a value for an absent one."""
        if not self.ordered:
            raise Redraw
        matrix, vector = self.any(2), self.any(1)
        other = self.any(2, matrix.shape)
        if vector.shape[0] != matrix.shape[0]:
            raise Redraw
        if self.chance(0.3):
            number, given = self.number()
            text, everywhere = f"unary({matrix.name}(i, j), absent = {given})", True
            region = Value(np.full(matrix.shape, number, DTYPES[self.kind]), ~matrix.operand.present)
            reads = [matrix, vector]
        else:
            text, region, everywhere = self.binary(matrix, other)
            reads = [matrix, vector, other]
        d = vector.operand
        sparse = [tensor.operand.present if tensor is not vector else d.present[:, None] for tensor in reads if not tensor.dense]
        met = np.any([np.broadcast_to(one, matrix.shape) for one in sparse], axis=0) if sparse and not everywhere else np.ones(matrix.shape, bool)
        zero = DTYPES[self.kind](0)
        numbers = np.where(d.present, d.numbers, zero)[:, None] + np.where(region.present, region.numbers, zero)
        terms = Value(numbers, (d.present[:, None] | region.present) & met)
        word = self.random.choice(["min", "max", "prod"])
        given = folded({"prod": "times"}.get(word, word), terms, 1, self.kind)
        left, format = self.result("i", 1)
        present = terms.present.any(1) if format not in (None, "#Full") else np.ones(given.shape, bool)
        text = f"{left} = {word}(j, {vector.name}(i) + {text}, over = stored)"
        self.define(text, {tensor.name for tensor in reads}, format, Value(given, present))

    def shifted(self):
        """A number that a region gives, times a factor, where the operand is copied because its index is a sum."""
        vector, factor = self.any(1), self.any(1)
        (number, given), long, width = self.number(zero=True), vector.shape[0], factor.shape[0]
        if width > long:
            raise Redraw
        places = np.arange(long - width + 1)[:, None] + np.arange(width)[None, :]
        v, f = vector.operand, factor.operand
        numbers = np.where(v.present, v.numbers, DTYPES[self.kind](number))[places] * f.numbers[None, :]
        present = np.broadcast_to(f.present[None, :], numbers.shape)
        left, format = self.result("i, k", 2)
        text = f"{left} = unary({vector.name}(i + k), present = {vector.name}(i + k), absent = {given}) * {factor.name}(k)"
        self.define(text, {vector.name, factor.name}, format, Value(np.where(present, numbers, numbers.dtype.type(0)), present))

    def update(self):
        rank = self.random.choice([1, 2])
        target = self.any(rank)
        op = self.random.choice(["+=", "-="] + (["min=", "max="] if self.ordered else []))
        old, reads, indices = target.operand, {target.name}, ["i", "j"][:rank]
        if rank == 1 and self.chance(0.4):
            matrix = self.random.choice([one for one in self.tensors.values() if len(one.shape) == 2 and one.shape[0] == target.shape[0]] or [None])
            if matrix is None:
                raise Redraw
            reads.add(matrix.name)
            word = {"+=": "plus", "-=": "plus", "min=": "min", "max=": "max"}[op]
            terms = matrix.operand
            if op in ("min=", "max="):
                raise Redraw
            text, value = f"{matrix.name}(i, j)", Value(folded(word, terms, 1, self.kind), terms.present.any(1))
        else:
            text, value = self.leaf(indices, target.shape, reads)
            if self.chance(0.25):
                text, value = self.where(indices, target.shape, (text, value))
        numbers, present = updated(op, old, value)
        left = f"{target.name}({', '.join(indices)})"
        self.define(f"{left} {op} {text}", reads, target.format, Value(numbers, present), name=target.name)

    def text(self, statements):
        lines = [f"{name} = #sparse_tensor.encoding<{{ map = {map} }}>" for name, map in ENCODINGS.items()]
        return "\n".join(lines + [line for text, _, name, value in statements for line in [text, *shown(name, value)]]) + "\n"

    def needed(self, last):
        """The statements that one depends on, and it."""
        wanted, kept = {self.statements[last][2]}, []
        for statement in reversed(self.statements[: last + 1]):
            if statement[2] in wanted:
                kept.append(statement)
                wanted |= statement[1]
        return kept[::-1]


def bound_by(indices, text):
    """Whether some tensor says how far each of the variables runs."""
    accesses = ",".join(re.findall(r"\bT\d+\(([^()]*)\)", text))
    return all(re.search(rf"\b{index}\b", accesses) for index in indices)


def joined(op, left, right):
    (left, a), (right, b) = left, right
    if op in "mM":
        zero = a.numbers.dtype.type(0)
        given = (np.minimum if op == "m" else np.maximum)(np.where(a.present, a.numbers, zero), np.where(b.present, b.numbers, zero))
        if np.any((a.present ^ b.present) & (given == 0)):
            raise Redraw
        return f"{'min' if op == 'm' else 'max'}({left}, {right})", Value(given, a.present | b.present)
    zeroed = [np.where(x.present, x.numbers, x.numbers.dtype.type(0)) for x in (a, b)]
    text = f"({left} {op} {right})"
    if op == "*":
        return text, Value(zeroed[0] * zeroed[1], a.present & b.present)
    return text, Value(zeroed[0] + zeroed[1] if op == "+" else zeroed[0] - zeroed[1], a.present | b.present)


def folded(op, terms, axis, kind):
    """Terms combined along an axis; the identity where there is none."""
    identity = IDENTITIES[op]
    identity = bound(kind, identity) if isinstance(identity, str) else DTYPES[kind](identity)
    whole = np.where(terms.present, terms.numbers, identity)
    return COMBINE[op].reduce(whole, axis=axis, dtype=DTYPES[kind], initial=identity)


def updated(op, old, value):
    """Where the right side is absent nothing changes; `min=` and `max=` take it where the old value is absent."""
    zero = old.numbers.dtype.type(0)
    before, after = np.where(old.present, old.numbers, zero), np.where(value.present, value.numbers, zero)
    if op in ("+=", "-="):
        return (before + after if op == "+=" else before - after), old.present | value.present
    combined = np.where(old.present, (np.minimum if op == "min=" else np.maximum)(before, after), after)
    return np.where(value.present, combined, before), old.present | value.present


# What nnz prints.


def shown(name, value):
    if not isinstance(value, Tensor):
        return [name]
    if value.format is None:
        return [f":dump {name}"]
    copy = "COO" if len(value.shape) == 2 else "SparseVector"
    return [f"shown_{name} : {copy} = {name}", f":dump shown_{name}"]


def number_of(text, kind):
    if kind.startswith("complex"):
        parts = [float(part) for part in re.findall(r"[-+]?(?:inf|nan|\d+\.?\d*(?:e[+-]?\d+)?)", text)]
        return complex(*parts) if len(parts) == 2 else complex(parts[0], 0)
    return float(text) if kind.startswith("f") else int(float(text))


def values_of(line, kind):
    if kind.startswith("complex"):
        return [number_of(part, kind) for part in re.findall(r"\([^()]*\)", line.split(":", 1)[1].strip()[1:-1])]
    return [number_of(part, kind) for part in re.findall(r"-?(?:inf|nan|[\d.]+(?:e[+-]?\d+)?)", line.split(":", 1)[1])]


def answers(text):
    """What was printed for each statement: the lines of a dump, or the line of a scalar."""
    found, lines = [], iter(text.splitlines())
    for line in lines:
        if line.startswith("---- Sparse"):
            block = []
            for inner in lines:
                if inner == "----":
                    break
                block.append(inner)
            found.append(block)
        elif re.match(r"s\d+: ", line):
            found.append([line])
    return found


def wrong(value, block, kind):
    """What is wrong with an answer; nothing if it is right."""
    if not isinstance(value, Tensor):
        found = number_of(block[0].split("= ", 1)[1], kind)
        return "" if same(found, value) else f"{found} rather than {value}"
    fields = {line.split(" ")[0]: line for line in block}
    numbers = values_of(fields["values"], kind)
    if value.format is None:
        right = value.value.numbers.reshape(-1)
        return "" if len(numbers) == len(right) and all(map(same, numbers, right)) else f"{numbers} rather than {right.tolist()}"
    rank = len(value.shape)
    places = [int(part) for part in re.findall(r"\d+", fields["crd[0]"].split(":", 1)[1])]
    found = {tuple(places[at : at + rank]): one for at, one in zip(range(0, len(places), rank), numbers)}
    dense = value.format == "#Full"
    present = value.value.numbers != 0 if dense else value.value.present
    right = {tuple(int(at) for at in place): value.value.numbers[tuple(place)] for place in np.argwhere(present)}
    if set(found) != set(right):
        return f"entries at {sorted(found)} rather than {sorted(right)}"
    return "".join(f"{found[place]} rather than {right[place]} at {place}" for place in right if not same(found[place], right[place]))


def same(found, right):
    if found == right or found != found and right != right:
        return True
    return abs(complex(found) - complex(right)) <= 1e-5 * abs(complex(right))


def run(nnz, text, folder, way=()):
    path = os.path.join(folder, "session.nnz")
    with open(path, "w") as file:
        file.write(text)
    return subprocess.run([nnz, *way, path], capture_output=True, text=True, timeout=SECONDS)


def failure(session, nnz, folder):
    """The number of the first statement that goes wrong, and how: as usual, and with small kernels as machine code too."""
    text = session.text(session.statements)
    return wrong_answer(session, run(nnz, text, folder)) or wrong_answer(session, run(nnz, text, folder, ["--compile"]))


def wrong_answer(session, done):
    found = answers(done.stdout)
    for at, (_, _, _, value) in enumerate(session.statements):
        if at >= len(found):
            lines = [line for line in done.stderr.splitlines() if line.startswith("error")]
            return at, (lines or [done.stderr[-300:] or "nothing is printed"])[0]
        problem = wrong(value, found[at], session.kind)
        if problem:
            return at, problem
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nnz")
    parser.add_argument("--keep")
    options = parser.parse_args()
    nnz = os.path.abspath(options.nnz or built("NNZ", "--bin", "nnz"))
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    failures = statements = 0
    for number in range(options.first, options.first + options.sessions):
        session = Session(f"{options.seed}.{number}").draw()
        statements += len(session.statements)
        found = failure(session, nnz, folder)
        if found:
            at, problem = found
            failures += 1
            path = os.path.join(folder, f"session_{options.seed}_{number}.nnz")
            with open(path, "w") as file:
                file.write(session.text(session.needed(at)) + f"// {problem}\n")
            print(f"FAIL {number}: {session.statements[at][0]}: {problem[:200]}\n     {path}", flush=True)
    print(f"{statements} statements in {options.sessions} sessions of seed {options.seed}, {failures} sessions on which nnz fails")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
