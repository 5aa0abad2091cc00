#!/usr/bin/env python3
"""Semirings mean what SuiteSparse:GraphBLAS means: products of matrices and vectors over every semiring that both have by
name, sparse and dense, under masks and complement masks, with accumulators; breadth-first levels and parents, and
shortest paths step by step, on random graphs.

Takes the command from $NNZ, else builds it. `--draws N` draws N kernels for each semiring instead of 3.
"""
import argparse
import json
import subprocess
import sys

from setting import program, skipped

try:
    import graphblas as gb
    import numpy as np
    from graphblas import binary, dtypes, monoid, semiring
except ImportError as missing:
    skipped(f"{missing} (pip install python-graphblas)")

SIZES = [(7, 6, 8), (1, 5, 3), (9, 9, 9)]
ADDITIONS = ["plus", "times", "min", "max", "any", "lor", "land", "lxor"]
MULTIPLICATIONS = {
    "first": "first", "second": "second", "pair": "pair", "plus": "plus", "minus": "minus", "rminus": "rminus",
    "times": "times", "div": "truediv", "rdiv": "rtruediv", "min": "min", "max": "max", "lor": "lor", "land": "land",
    "lxor": "lxor", "eq": "iseq", "ne": "isne", "lt": "islt", "le": "isle", "gt": "isgt", "ge": "isge",
}  # fmt: skip
# Comparisons of truth values have names without `is`.
LOGICAL = MULTIPLICATIONS | {name: name for name in ["eq", "ne", "lt", "le", "gt", "ge"]}
IDENTITY = {"plus": 0, "times": 1, "min": np.inf, "max": -np.inf, "any": 0, "lor": 0, "land": 1, "lxor": 0}


def semirings():
    """Every name, and GraphBLAS's semiring."""
    for add in ADDITIONS:
        for name, theirs in (LOGICAL if add.startswith("l") else MULTIPLICATIONS).items():
            found = getattr(semiring, f"{add}_{theirs}", None)
            if found is not None:
                yield add, f"{add}_{name}", found


def entries(rng, shape, density, low=-3, high=4, zeros=True):
    """A sparse array: where entries are, and their values, zeros among them unless they would make NaN."""
    there, values = rng.random(shape) < density, rng.integers(low, high, shape)
    return there, np.where(there, values if zeros else np.where(values == 0, 2, values), 0).astype(float)


def theirs_of(array, truth):
    """The same as GraphBLAS has it."""
    there, values = array
    places = np.nonzero(there)
    values = values[places].astype(bool) if truth else values[places]
    kind = dtypes.BOOL if truth else dtypes.FP64
    make = gb.Matrix.from_coo if there.ndim == 2 else gb.Vector.from_coo
    sizes = dict(zip(("nrows", "ncols"), there.shape)) if there.ndim == 2 else {"size": there.size}
    return make(*places, values, dtype=kind, **sizes)


def literal(name, array, form, truth):
    """The same as nnz has it."""
    there, values = array
    places = np.argwhere(there).tolist()
    shape, kind = "x".join(map(str, there.shape)), "i1" if truth else "f64"
    numbers = [int(bool(x)) if truth else float(x) for x in values[there]]
    if form is None:
        dense = (values != 0).astype(int) if truth else values
        return f"{name} : tensor<{shape}x{kind}> = {json.dumps(dense.tolist()).replace('Infinity', 'inf')}"
    return f"{name} : tensor<{shape}x{kind}, {form}> = sparse<{json.dumps(places)}, {json.dumps(numbers)}>"


def found_in(theirs, shape, nothing):
    """Where GraphBLAS has entries, and all values with `nothing` elsewhere."""
    there, values = np.zeros(shape, bool), np.full(shape, float(nothing))
    *places, numbers = theirs.to_coo()
    there[tuple(places)] = True
    values[tuple(places)] = numbers
    return there, values


class Run:
    """Statements for nnz, and what their results must be."""

    def __init__(self):
        self.lines, self.wanted = [], []

    def say(self, line):
        self.lines.append(line)

    def expect(self, name, what, there, low, high=None):
        """That `name` holds the values `low`, or values up to `high`, stored where `there` says if it is sparse."""
        self.lines.append(f":dump {name}")
        self.wanted.append((what, there, low, low if high is None else high))

    def differences(self):
        command = [program("NNZ", "-p", "nnz"), "--json", "--compile"]
        done = subprocess.run(command, input="\n".join(self.lines) + "\n", capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"nnz failed:\n{done.stdout[-3000:]}\n{done.stderr[-2000:]}")
        dumped = [answer for answer in map(json.loads, done.stdout.splitlines()) if answer.get("kind") == "tensor"]
        if len(dumped) != len(self.wanted):
            sys.exit(f"nnz shows {len(dumped)} tensors of {len(self.wanted)}")
        for answer, (what, there, low, high) in zip(dumped, self.wanted):
            wrong = difference(answer, there, low, high)
            if wrong:
                yield f"{what}\n    {wrong}"


def number(text):
    return {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}[text] if isinstance(text, str) else float(text)


def difference(answer, there, low, high):
    values = [number(value) for value in answer["values"]]
    shape = tuple(answer["shape"])
    found_there, found = np.ones(shape, bool), np.zeros(shape)
    if answer["encoding"] == "dense":
        found[...] = np.array(values).reshape(shape)
        there = np.ones(shape, bool)
    else:
        last = answer["levels"][-1]
        rows = np.repeat(np.arange(len(last["positions"]) - 1), np.diff(last["positions"]))
        places = (rows, last["coordinates"])[-len(shape):]
        found_there = np.zeros(shape, bool)
        found_there[tuple(np.array(place, int) for place in places)] = True
        found[tuple(np.array(place, int) for place in places)] = values
    if (found_there != there).any():
        return f"stored at\n{found_there.astype(int)}\nnot at\n{there.astype(int)}"
    alike = ((found >= low) & (found <= high)) | np.isclose(found, low, rtol=1e-12) | (np.isnan(found) & np.isnan(low))
    return None if (alike | ~there).all() else f"holds\n{found}\nnot\n{low}"


def product(run, rng, at, add, name, theirs):
    """One random product over a semiring."""
    truth = add.startswith("l")
    m, n, k = SIZES[rng.integers(len(SIZES))]
    vector, dense = rng.random() < 0.4, rng.random() < 0.35
    mask = rng.choice(["none", "mask", "complement"])
    accum = rng.choice(["none", "plus", "min", "max"]) if not truth and add != "any" and mask == "none" else "none"
    # Of NaN and a number GraphBLAS takes the number as the least, nnz NaN.
    zeros = "div" not in name
    a = entries(rng, (m, k), 0.35, zeros=zeros)
    b = entries(rng, (k,) if vector else (k, n), 0.4, zeros=zeros)
    shape = (m,) if vector else (m, n)
    run.say(literal(f"A{at}", a, rng.choice(["CSR", "CSC", "DCSR"]), truth))
    run.say(literal(f"B{at}", b, "SparseVector" if vector else rng.choice(["CSR", "CSC"]), truth))
    indices, form = ("i", "SparseVector") if vector else ("i, j", "CSR")
    text = f"{name}(k, A{at}(i, k), B{at}({'k' if vector else 'k, j'}))"
    op = lambda by: (theirs_of(a, truth).mxv if vector else theirs_of(a, truth).mxm)(theirs_of(b, truth), by)
    kind = dtypes.BOOL if truth else dtypes.FP64
    out = (lambda: gb.Vector(kind, m)) if vector else (lambda: gb.Matrix(kind, m, n))
    nothing = IDENTITY[add]
    if accum != "none":
        return accumulated(run, rng, at, accum, (text, op(theirs)), (shape, indices, None if dense else form))
    masked = entries(rng, shape, 0.5, 1, 4)
    spelled = {
        "none": text,
        "mask": f"unary(M{at}({indices}), present = {text})",
        "complement": rng.choice([f"unary(M{at}({indices}), absent = {text})", f"select(M{at}({indices}) == 0, {text})"]),
    }[mask]
    if mask != "none":
        run.say(literal(f"M{at}", masked, form, False))
    written = f"C{at}({indices}){'' if dense else ' : ' + form} = {spelled}"
    run.say(written)

    def wanted(by):
        c, m = out(), theirs_of(masked, False)
        if mask == "none":
            c << op(by)
        else:
            c(m.S if mask == "mask" else ~m.S, replace=True) << op(by)
        there, values = found_in(c, shape, nothing)
        # What a mask leaves out is zero in a dense result; what it lets through without terms counts as the identity.
        let_through = {"none": np.ones(shape, bool), "mask": masked[0], "complement": ~masked[0]}[mask]
        return there, np.where(let_through, values, 0)

    # Of any term GraphBLAS takes one and nnz another: both lie between the least and the greatest.
    multiply = theirs.name.removeprefix("any_")
    bounds = [getattr(semiring, f"{side}_{multiply}", None) for side in ["min", "max"]] if add == "any" else [theirs]
    if all(bounds):
        there, low = wanted(bounds[0])
        run.expect(f"C{at}", written, there, low, *[x for _, x in [wanted(by) for by in bounds[1:]]])


def accumulated(run, rng, at, accum, product, result):
    """The same onto an old value."""
    (text, theirs), (shape, indices, form) = product, result
    old = entries(rng, shape, 1.0 if form is None else 0.4)
    run.say(literal(f"C{at}", old, form, False))
    written = f"C{at}({indices}) {'+' if accum == 'plus' else accum}= {text}"
    run.say(written)
    c = theirs_of(old, False)
    c(getattr(binary, accum)) << theirs
    run.expect(f"C{at}", f"{written} onto {form or 'dense'}", *found_in(c, shape, 0))


def graph(rng, n, density):
    there, values = entries(rng, (n, n), density, 1, 9)
    np.fill_diagonal(there, False)
    return there, np.where(there, values, 0)


def first_alone(n, value):
    there = np.arange(n) == 0
    return there, np.where(there, value, 0.0)


def breadth_first(run, rng, at, n):
    """Levels and parents from vertex 0 on; vertices are named from 1 on."""
    edges = graph(rng, n, 1.6 / n)
    run.say(literal(f"A{at}", edges, "CSR", False))
    run.say(literal(f"level{at}", first_alone(n, 1), "SparseVector", False))
    run.say(literal(f"front{at}", first_alone(n, 1), "SparseVector", False))
    run.say(f"parent{at} : SparseVector = front{at}")
    a, levels, front = theirs_of(edges, False), theirs_of(first_alone(n, 1), False), theirs_of(first_alone(n, 1), False)
    parents, names = front.dup(), gb.Vector.from_coo(range(n), np.arange(1.0, n + 1), size=n)
    run.say(f"name{at} : tensor<{n}xf64> = {np.arange(1.0, n + 1).tolist()}")
    for depth in range(2, 6):
        run.say(f"next{at}(j) : SparseVector = unary(level{at}(j), absent = min_first(i, front{at}(i), A{at}(i, j)))")
        run.say(f"parent{at}(j) += next{at}(j)")
        run.say(f"level{at}(j) += unary(next{at}(j), present = {depth})")
        run.say(f"front{at}(j) : SparseVector = unary(next{at}(j), present = name{at}(j))")
        found = gb.Vector(dtypes.FP64, n)
        found(~levels.S) << semiring.min_first(front @ a)
        parents(found.S) << found
        levels(found.S) << depth
        front = gb.Vector(dtypes.FP64, n)
        front(found.S) << names
        run.expect(f"level{at}", f"levels of a search, depth {depth}", *found_in(levels, (n,), 0))
        run.expect(f"parent{at}", f"parents of a search, depth {depth}", *found_in(parents, (n,), 0))


def shortest_paths(run, rng, at, n):
    """Distances from vertex 0 after each step, sparse and dense, and between all pairs."""
    edges = graph(rng, n, 2.0 / n)
    run.say(literal(f"A{at}", edges, "CSR", False))
    run.say(literal(f"sparse{at}", first_alone(n, 0), "SparseVector", False))
    run.say(f"dense{at}(i) = unary(sparse{at}(i), present = sparse{at}(i), absent = inf)")
    run.say(f"all{at} : CSR = A{at}")
    a, d = theirs_of(edges, False), theirs_of(first_alone(n, 0), False)
    pairs = a.dup()
    for step in range(4):
        run.say(f"sparse{at}(j) min= min_plus(i, sparse{at}(i), A{at}(i, j))")
        run.say(f"dense{at}(j) min= min_plus(i, dense{at}(i), A{at}(i, j))")
        run.say(f"all{at}(i, j) min= min_plus(k, all{at}(i, k), A{at}(k, j))")
        d(binary.min) << semiring.min_plus(d @ a)
        pairs(binary.min) << semiring.min_plus(pairs @ a)
        run.expect(f"sparse{at}", f"sparse distances, step {step}", *found_in(d, (n,), np.inf))
        run.expect(f"dense{at}", f"dense distances, step {step}", *found_in(d, (n,), np.inf))
        run.expect(f"all{at}", f"distances of all pairs, step {step}", *found_in(pairs, (n, n), np.inf))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--draws", type=int, default=3)
    draws = arguments.parse_args().draws
    rng, run, at, names = np.random.default_rng(11), Run(), 0, 0
    for add, name, theirs in semirings():
        names += 1
        for _ in range(draws):
            at += 1
            product(run, rng, at, add, name, theirs)
    for n in [1, 6, 12, 25]:
        at += 2
        breadth_first(run, rng, at - 1, n)
        shortest_paths(run, rng, at, n)
    failures = list(run.differences())
    print(f"{len(run.wanted) - len(failures)} results over {names} semirings as python-graphblas {gb.__version__} has them")
    if failures:
        print("\n".join(failures[:20]))
        sys.exit(f"{len(failures)} differ")


main()
