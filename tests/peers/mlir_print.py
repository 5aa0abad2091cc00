#!/usr/bin/env python3
"""Compares `:dump` of nnz with `sparse_tensor.print` of MLIR 22, byte for byte.

Every case is a tensor literal and an encoding. MLIR converts the dense constant to the encoding and
prints it (through its runtime library, or direct IR where the library cannot); nnz does the same.
Cases where the two must differ carry the reason, and are shown with it; any other difference fails.

    NNZ=target/release/nnz tests/peers/mlir_print.py [-v]

Skips by name where mlir-opt-22 or mlir-runner-22 is absent, which fails in CI. Without NNZ, nnz is built.
"""
import glob
import itertools
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from setting import program, skipped

LLVM = os.environ.get("LLVM22", "/usr/lib/llvm-22")
HEAD = "---- Sparse Tensor ----\n"
LIBRARY, DIRECT = "true", "false"


@dataclass
class Case:
    name: str
    shape: tuple
    element: str
    encoding: str
    literal: str
    mode: str = LIBRARY
    differs: str = ""  # why the two must differ

    @property
    def type(self):
        return "x".join(map(str, self.shape)) + "x" + self.element


def literal(values, shape):
    """Nested brackets of `values`, an iterator of texts."""
    if not shape:
        return next(values)
    return "[" + ", ".join(literal(values, shape[1:]) for _ in range(shape[0])) + "]"


def tensor(shape, entries, zero, text=str):
    """A dense literal of `entries`, a dict from coordinates."""
    cells = itertools.product(*map(range, shape))
    return literal((text(entries[c]) if c in entries else zero for c in cells), shape)


def scattered(shape, step, first=0):
    """About one entry in `step`, values 1.5, 2.5, ..."""
    cells = list(itertools.product(*map(range, shape)))
    chosen = [c for n, c in enumerate(cells) if (n * n + 3 * n + first) % step == 0]
    return {c: n + 1.5 for n, c in enumerate(chosen)}


def fill(shape):
    return {c: n + 1.0 for n, c in enumerate(itertools.product(*map(range, shape)))}


def bits(x):
    return "0x" + struct.pack(">d", x).hex().upper()


# Hexadecimal numbers are bits to MLIR, and numbers in a session.
NAMES = {bits(float(name)): name for name in ("nan", "inf", "-inf")}


def named(literal):
    """As a session writes it."""
    for text, name in NAMES.items():
        literal = literal.replace(text, name)
    return literal


SPECIAL = {
    (0, 0): "1.0e+10", (0, 5): "123456789.0", (1, 1): "3.0e-05", (1, 2): bits(float("nan")),
    (2, 0): bits(float("inf")), (2, 3): "-0.0", (2, 4): bits(float("-inf")), (3, 3): "0.1", (3, 5): "999999.5",
}

TWO_D = {
    "CSR": "(i, j) -> (i : dense, j : compressed)",
    "CSC": "(i, j) -> (j : dense, i : compressed)",
    "DCSR": "(i, j) -> (i : compressed, j : compressed)",
    "DCSC": "(i, j) -> (j : compressed, i : compressed)",
    "dense rows": "(i, j) -> (i : compressed, j : dense)",
    "dense columns": "(i, j) -> (j : compressed, i : dense)",
    "all dense": "(i, j) -> (i : dense, j : dense)",
    "all dense, by columns": "(i, j) -> (j : dense, i : dense)",
    "COO": "(i, j) -> (i : compressed(nonunique), j : singleton)",
    "COO, SoA": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "COO by columns": "(i, j) -> (j : compressed(nonunique), i : singleton)",
    "COO, nonordered": "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))",
    "COO, loose": "(i, j) -> (i : loose_compressed(nonunique), j : singleton)",
    "loose CSR": "(i, j) -> (i : dense, j : loose_compressed)",
    "loose DCSR": "(i, j) -> (i : loose_compressed, j : loose_compressed)",
    "compressed, loose": "(i, j) -> (i : compressed, j : loose_compressed)",
    "loose, dense": "(i, j) -> (i : loose_compressed, j : dense)",
    "CSR, nonordered": "(i, j) -> (i : dense, j : compressed(nonordered))",
    "DCSR, nonordered": "(i, j) -> (i : compressed(nonordered), j : compressed(nonordered))",
    "nonunique rows": "(i, j) -> (i : compressed(nonunique), j : compressed)",
    "nonunique last": "(i, j) -> (i : dense, j : compressed(nonunique))",
    "BSR 2x2": "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
    "BSR 2x3": "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
    "BSC 2x2": "(i, j) -> (j floordiv 2 : dense, i floordiv 2 : compressed, j mod 2 : dense, i mod 2 : dense)",
    "DBSR 4x2": "(i, j) -> (i floordiv 4 : compressed, j floordiv 2 : compressed, i mod 4 : dense, j mod 2 : dense)",
    "blocks of sparse": "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : compressed)",
    "blocks, all sparse": "(i, j) -> (i floordiv 2 : compressed, j floordiv 3 : compressed, i mod 2 : compressed, j mod 3 : compressed)",
    "column blocks": "(i, j) -> (i : dense, j floordiv 3 : compressed, j mod 3 : dense)",
    "sparse column blocks": "(i, j) -> (i : compressed, j floordiv 2 : compressed, j mod 2 : compressed)",
    "BSR with an inverse": "{ib, jb, ii, jj} (i = ib * 2 + ii, j = jb * 3 + jj) -> (ib = i floordiv 2 : dense, "
    "jb = j floordiv 3 : compressed, ii = i mod 2 : dense, jj = j mod 3 : dense)",
}

WIDTHS = ["posWidth = 8", "crdWidth = 8", "posWidth = 16, crdWidth = 32", "posWidth = 32, crdWidth = 16", "posWidth = 64, crdWidth = 64"]

THREE_D = {
    **{
        "CSF " + "".join(p): f"(i, j, k) -> ({', '.join(d + ' : compressed' for d in p)})"
        for p in itertools.permutations("ijk")
    },
    "dense, dense, compressed": "(i, j, k) -> (i : dense, j : dense, k : compressed)",
    "dense, compressed, dense": "(i, j, k) -> (i : dense, j : compressed, k : dense)",
    "compressed, dense, compressed": "(i, j, k) -> (i : compressed, j : dense, k : compressed)",
    "compressed, dense, dense": "(k, j, i) -> (j : compressed, i : dense, k : dense)",
    "COO": "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)",
    "COO, SoA": "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(soa))",
    "COO below dense": "(i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton)",
    "COO below dense, SoA": "(i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton(soa))",
    "COO below compressed": "(i, j, k) -> (i : compressed, j : compressed(nonunique), k : singleton)",
    "loose COO below dense": "(i, j, k) -> (k : dense, j : loose_compressed(nonunique), i : singleton)",
}

ONE_D = {
    "compressed": "(i) -> (i : compressed)",
    "loose": "(i) -> (i : loose_compressed)",
    "dense": "(i) -> (i : dense)",
    "blocks": "(i) -> (i floordiv 4 : compressed, i mod 4 : dense)",
}


def f64(name, shape, entries, encoding, **more):
    text = lambda v: v if isinstance(v, str) else repr(float(v))
    return Case(name, shape, "f64", encoding, tensor(shape, entries, "0.0", text), **more)


def matrices():
    for name, encoding in TWO_D.items():
        for which, entries in [("scattered", scattered((4, 6), 3)), ("empty", {}), ("special", SPECIAL)]:
            yield f64(f"{name}, {which}", (4, 6), entries, "map = " + encoding)
    for name, widths in itertools.product(["CSR", "DCSR", "COO", "COO, SoA", "loose CSR", "BSR 2x3"], WIDTHS):
        yield f64(f"{name}, {widths}", (4, 6), scattered((4, 6), 2), f"map = {TWO_D[name]}, {widths}")
    twos = dict.fromkeys(scattered((4, 6), 3), 2.0)
    for name in ["CSR", "COO"]:
        values = "explicitVal = 2.0 : f64, implicitVal = 0.0 : f64"
        yield f64(f"{name}, values", (4, 6), twos, f"map = {TWO_D[name]}, {values}")
    yield f64("CSR, full", (4, 6), fill((4, 6)), "map = " + TWO_D["CSR"])
    yield f64("CSR, one row", (1, 9), scattered((1, 9), 2), "map = " + TWO_D["CSR"])
    yield f64("COO, one column", (9, 1), scattered((9, 1), 2), "map = " + TWO_D["COO"])


def structured():
    blocks = "map = (i, j) -> (i : dense, j floordiv {m} : dense, j mod {m} : structured[{n}, {m}])"
    for n, m, widths in [(2, 4, ""), (2, 4, ", crdWidth = 8"), (1, 2, ""), (3, 4, "")]:
        within = [c for c in range(m) if c != 1][:n] if n < m else range(n)
        entries = {(i, b * m + (c + i) % m): 1.0 + i + c for i in range(3) for b in range(2) for c in within}
        encoding = blocks.format(n=n, m=m) + widths
        yield f64(f"structured[{n}, {m}]{widths}", (3, 2 * m), entries, encoding)


def tensors():
    for name, encoding in THREE_D.items():
        for step in (3, 5):
            yield f64(f"{name}, one in {step}", (3, 4, 2), scattered((3, 4, 2), step), "map = " + encoding)
    for name, encoding in ONE_D.items():
        yield f64(f"vector, {name}", (16,), scattered((16,), 3), "map = " + encoding)
        yield f64(f"empty vector, {name}", (16,), {}, "map = " + encoding)


ELEMENTS = {
    "f32": ("0.0", ["0.1", "-2.5", "1.0e+20"], LIBRARY),
    "f16": ("0.0", ["0.1", "-2.5", "65504.0"], LIBRARY),
    "bf16": ("0.0", ["0.1", "-2.5", "1.0e+20"], LIBRARY),
    "i64": ("0", ["-1", "9223372036854775807", "3"], LIBRARY),
    "i32": ("0", ["-1", "2147483647", "3"], LIBRARY),
    "i16": ("0", ["-1", "32767", "3"], LIBRARY),
    "i8": ("0", ["-1", "127", "3"], LIBRARY),
    "complex<f32>": ("(0.0, 0.0)", ["(1.0, 2.5)", "(0.0, -1.0)", "(0.1, 0.0)"], LIBRARY),
    "complex<f64>": ("(0.0, 0.0)", ["(1.0, 2.5)", "(0.0, -1.0)", "(0.1, 0.0)"], LIBRARY),
    "i1": ("false", ["true", "true", "true"], DIRECT),
    "index": ("0", ["1", "5", "7"], DIRECT),
    "i4": ("0", ["-1", "7", "-8"], DIRECT),
}


def elements():
    for element, (zero, values, mode) in ELEMENTS.items():
        entries = dict(zip([(0, 1), (2, 0), (2, 3)], values))
        for name in ["CSR", "COO"]:
            encoding = "map = " + TWO_D[name]
            yield Case(f"{name} of {element}", (3, 4), element, encoding, tensor((3, 4), entries, zero), mode)


def different():
    far = {(130,): 1.0, (200,): 2.0}
    yield f64("coordinates above 127 in 8 bits", (256,), far, "map = (i) -> (i : compressed), crdWidth = 8",
              differs="MLIR prints narrow coordinates as signed numbers; nnz prints the coordinate")
    two = "(i, j, k, l) -> (i : compressed(nonunique), j : singleton, k : compressed(nonunique), l : singleton)"
    yield f64("two COO segments", (2, 2, 2, 2), scattered((2, 2, 2, 2), 3), "map = " + two,
              differs="sparse_tensor.print knows one COO segment; nnz shows each with its tuples")
    below = "(i, j, k) -> (i : compressed(nonunique), j : singleton, k : compressed)"
    repeated = {(0, 1, 0): 1.0, (0, 1, 1): 2.0, (2, 0, 1): 3.0}
    yield f64("compressed below a unique COO", (3, 2, 2), repeated, "map = " + below,
              differs="MLIR repeats the tuple (0, 1) although its last level is unique; nnz stores it once")
    loose = f64("loose CSR, direct IR", (4, 6), scattered((4, 6), 3), "map = " + TWO_D["loose CSR"],
                mode=DIRECT, differs="direct IR leaves 0 in the unused slot and in empty segments; nnz does as the library")
    yield loose


def module(cases):
    """One MLIR module that prints every case in turn."""
    lines = ["module {", "  func.func @main() {"]
    for n, case in enumerate(cases):
        dense, sparse = f"tensor<{case.type}>", f"tensor<{case.type}, #sparse_tensor.encoding<{{ {case.encoding} }}>>"
        lines.append(f"    %d{n} = arith.constant dense<{case.literal}> : {dense}")
        lines.append(f"    %s{n} = sparse_tensor.convert %d{n} : {dense} to {sparse}")
        lines.append(f"    sparse_tensor.print %s{n} : {sparse}")
    return "\n".join(lines + ["    return", "  }", "}", ""])


def run(command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[:2000]}")
    return done.stdout


def mlir(cases, mode, tools):
    opt, runner = tools
    # Constants are not folded into the conversions: each prints what it stores.
    lowered = run([opt, f"--sparsifier=enable-runtime-library={mode}"], module(cases))
    libraries = ",".join(sorted(glob.glob(f"{LLVM}/lib/libmlir_c_runner_utils.so*") + glob.glob(f"{LLVM}/lib/libmlir_runner_utils.so*")))
    return blocks(run([runner, "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"], lowered))


def nnz(cases, binary):
    lines = []
    for n, case in enumerate(cases):
        lines.append(f"T{n} : tensor<{case.type}, #sparse_tensor.encoding<{{ {case.encoding} }}>> = dense<{named(case.literal)}>")
        lines.append(f":dump T{n}")
    with tempfile.NamedTemporaryFile("w", suffix=".nnz", delete=False) as session:
        session.write("\n".join(lines) + "\n")
    try:
        return blocks(run([binary, session.name]))
    finally:
        os.unlink(session.name)


def blocks(text):
    """The dumps in `text`; what stands between them is not part of one."""
    return [HEAD + part[: part.find("\n----\n") + len("\n----\n")] for part in text.split(HEAD)[1:]]


def tool(name):
    return shutil.which(f"{name}-22") or shutil.which(name, path=f"{LLVM}/bin")


def compare(cases, theirs, ours, verbose):
    failures = 0
    for case, their, our in zip(cases, theirs, ours):
        same = their == our
        if same and not case.differs:
            if verbose:
                print(f"same      {case.name}")
            continue
        if not same and case.differs:
            print(f"differs   {case.name}: {case.differs}")
            continue
        failures += 1
        what = "FAILED    should differ, but is the same:" if same else "FAILED   "
        print(f"{what} {case.name}\n  encoding: {case.encoding}\n-- MLIR\n{their}-- nnz\n{our}")
    return failures


def main():
    verbose = "-v" in sys.argv[1:]
    tools = tool("mlir-opt"), tool("mlir-runner")
    if None in tools:
        skipped("mlir-opt-22 and mlir-runner-22 are not installed")
    cases = [*matrices(), *structured(), *tensors(), *elements(), *different()]
    theirs = {}
    for mode in (LIBRARY, DIRECT):
        of_mode = [case for case in cases if case.mode == mode]
        printed = mlir(of_mode, mode, tools)
        assert len(printed) == len(of_mode), f"MLIR printed {len(printed)} of {len(of_mode)} tensors"
        theirs.update((case.name, text) for case, text in zip(of_mode, printed))
    assert len(theirs) == len(cases), "two cases share a name"
    ours = nnz(cases, program("NNZ", "-p", "nnz"))
    assert len(ours) == len(cases), f"nnz printed {len(ours)} of {len(cases)} tensors"
    failures = compare(cases, [theirs[case.name] for case in cases], ours, verbose)
    explained = sum(1 for case in cases if case.differs)
    print(f"{len(cases)} dumps compared: {len(cases) - explained - failures} the same, {explained} differ for a reason, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
