#!/usr/bin/env python3
"""Every named format of NVIDIA's Universal Sparse Tensor stores what nvmath-python stores: positions, coordinates and
values of each level, over matrices of several shapes. nvmath-python converts on the CPU, so no GPU is needed.

Takes the command from $NNZ, else builds it. Skipped where nvmath-python 1.0.0 is not installed.
"""
import json
import subprocess
import sys

from setting import program, skipped

try:
    import numpy as np
    import nvmath
    from nvmath.sparse.ust import NamedFormats, Tensor
except ImportError as missing:
    skipped(f"{missing} (pip install nvmath-python==1.0.0)")
if nvmath.__version__ != "1.0.0":
    skipped(f"nvmath-python {nvmath.__version__}; the formats are compared with 1.0.0")

VECTOR = {
    "DenseVector": NamedFormats.DenseVector,
    "SparseVector": NamedFormats.SparseVector,
    "BlockVector(2)": NamedFormats.BlockVector(2),
    "BlockVector(4)": NamedFormats.BlockVector(4),
    "COOd(1)": NamedFormats.COOd(1),
    "CSFd(1)": NamedFormats.CSFd(1),
    "DensedRight(1)": NamedFormats.DensedRight(1),
}
PLAIN = ["DenseMatrixRight", "DenseMatrixLeft", "COO", "CSR", "CSC", "DCSR", "DCSC", "CROW", "CCOL"]
DIAGONAL = ["DIAI", "DIAJ", "SkewDIAI", "SkewDIAJ"]
BLOCKED = ["BSRRight", "BSRLeft", "BSCRight", "BSCLeft"]
MATRIX = {name: getattr(NamedFormats, name) for name in PLAIN + DIAGONAL}
MATRIX |= {f"{name}(({m}, {n}))": getattr(NamedFormats, name)((m, n)) for name in BLOCKED for m, n in [(2, 2), (4, 2), (2, 4)]}
MATRIX |= {f"DELTA({bits})": NamedFormats.DELTA(bits) for bits in [1, 2, 3, 8, 31]}
MATRIX |= {f"Structured({n}, {m})": NamedFormats.Structured(n, m) for n, m in [(4, 4), (2, 2), (8, 8)]}
MATRIX |= {
    "COOd(2)": NamedFormats.COOd(2),
    "COOd(1, 1)": NamedFormats.COOd(1, 1),
    "CSFd(2)": NamedFormats.CSFd(2),
    "CSRd": NamedFormats.CSRd(),
    "CSCd": NamedFormats.CSCd(),
    "BSRRightd((2, 2))": NamedFormats.BSRRightd((2, 2)),
    "BSCRightd((2, 4))": NamedFormats.BSCRightd((2, 4)),
    "DensedRight(2)": NamedFormats.DensedRight(2),
    "DensedLeft(2)": NamedFormats.DensedLeft(2),
}
CUBE = {
    "BatchedCSR": NamedFormats.BatchedCSR,
    "BatchedDIAINonUniform": NamedFormats.BatchedDIAINonUniform,
    "BatchedDIAIUniform": NamedFormats.BatchedDIAIUniform,
    "BSR3((2, 2, 4))": NamedFormats.BSR3((2, 2, 4)),
    "COOd(3)": NamedFormats.COOd(3),
    "CSFd(3)": NamedFormats.CSFd(3),
    "CSRd(0, 1)": NamedFormats.CSRd(0, 1),
    "CSCd(0, 1)": NamedFormats.CSCd(0, 1),
    "BSRRightd((2, 2), 0, 1)": NamedFormats.BSRRightd((2, 2), 0, 1),
    "BSCRightd((2, 2), 0, 1)": NamedFormats.BSCRightd((2, 2), 0, 1),
    "DensedRight(3)": NamedFormats.DensedRight(3),
    "DensedLeft(3)": NamedFormats.DensedLeft(3),
}
# Not compared: batch levels, to which nvmath-python 1.0.0 converts nothing, and COOd(n, 1), where it stores a whole
# dense fiber for each entry of one fiber; nnz stores each tuple of coordinates once.


def tensors(shape):
    """Empty, full, sparse and banded ones, with the entries numbered so that any other order shows."""
    rng = np.random.default_rng(7)
    numbers = np.arange(1, 1 + int(np.prod(shape)), dtype=float).reshape(shape)
    yield "sparse", numbers * (rng.random(shape) < 0.2)
    yield "half", -numbers * (rng.random(shape) < 0.5)
    yield "full", numbers
    yield "empty", numbers * 0
    last = np.zeros(shape)
    last[tuple(size - 1 for size in shape)] = 2.5
    yield "last", last
    if len(shape) > 1:
        distance = np.subtract(*np.indices(shape)[-2:])
        yield "banded", numbers * (abs(distance) <= 1)


def structured(shape):
    """Two of every four columns, at most."""
    numbers = np.arange(1, 1 + int(np.prod(shape)), dtype=float).reshape(shape)
    for name, kept in [("first two", [0, 1]), ("one", [3]), ("outer two", [0, 3]), ("none", [])]:
        yield name, numbers * np.isin(np.arange(shape[1]) % 4, kept)


def cases():
    for shapes, formats in [
        ([(8,), (12,)], VECTOR),
        ([(4, 8), (8, 4), (8, 8), (12, 16), (4, 40)], MATRIX),
        ([(2, 4, 4), (4, 2, 8), (6, 8, 4)], CUBE),
    ]:
        for shape in shapes:
            for kind, array in tensors(shape):
                for name, form in formats.items():
                    if not (name.startswith("Structured(8") and shape[-1] % 8):
                        yield name, form, kind, array
    for shape in [(4, 8), (3, 12)]:
        for kind, array in structured(shape):
            yield "Structured(2, 4)", NamedFormats.Structured(2, 4), kind, array


def ours(all_cases):
    """What nnz stores of every case, in one run."""
    lines = []
    for at, (name, _, _, array) in enumerate(all_cases):
        shape = "x".join(map(str, array.shape))
        lines.append(f"A{at} : tensor<{shape}xf64, {name}> = {json.dumps(array.tolist())}\n:dump A{at}\n")
    done = subprocess.run([program("NNZ", "-p", "nnz"), "--json"], input="".join(lines), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"nnz failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    answers = map(json.loads, done.stdout.splitlines())
    return {answer["name"]: answer for answer in answers if answer.get("kind") == "tensor"}


def difference(answer, form, array):
    theirs = Tensor.from_package(array).convert(tensor_format=form)
    numbers = lambda wrapped: [] if wrapped is None else np.asarray(wrapped.tensor).ravel().tolist()
    if len(answer["levels"]) != theirs.num_levels:
        return f"{len(answer['levels'])} levels, nvmath {theirs.num_levels}"
    for level in answer["levels"]:
        at = level["level"]
        if level["size"] != theirs.levels[at]:
            return f"size {at}: {level['size']}, nvmath {theirs.levels[at]}"
        for what, wrapped in [("positions", theirs._pos.get(at)), ("coordinates", theirs._crd.get(at))]:
            # Below no positions at all, nvmath-python leaves the positions empty; they start with 0.
            if level.get(what, []) != (numbers(wrapped) or [0] * (what == "positions" and what in level)):
                return f"{what} {at}: {level.get(what, [])}, nvmath {numbers(wrapped)}"
    if answer["values"] != numbers(theirs._val):
        return f"values: {answer['values']}, nvmath {numbers(theirs._val)}"
    return None


ALL = list(cases())
ANSWERS = ours(ALL)
failures = []
for at, (name, form, kind, array) in enumerate(ALL):
    answer = ANSWERS.get(f"A{at}")
    wrong = "nnz shows nothing" if answer is None else difference(answer, form, array)
    if wrong:
        failures.append(f"{name} of {kind} {array.shape}: {wrong}")
names = {name for name, *_ in ALL}
print(f"{len(ALL) - len(failures)} tensors in {len(names)} named formats stored as nvmath-python {nvmath.__version__} stores them")
if failures:
    print("\n".join(failures[:40]))
    sys.exit(f"{len(failures)} differ")
