#!/usr/bin/env python3
"""Operations on values of every kind, a tensor where a buffer is wanted and so on: whether nnz refuses what
`mlir-opt-22` refuses, and takes what it takes. What differs stands in DIFFERS with its reason.

    NNZ=target/release/nnz tests/peers/kinds.py [-v]

Skips by name where mlir-opt-22 is absent.
"""
import bisect
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from setting import program, skipped

VALUES = {
    "t": "tensor<2x2xf64>",
    "m": "memref<2x2xf64>",
    "v": "vector<2x2xf64>",
    "s": "tensor<2x2xf64, #CSR>",
    "c": "index",
    "f": "f64",
    "b": "i1",
    "i": "i32",
    "t1": "tensor<2xf64>",
    "v1": "vector<2xf64>",
    "k1": "vector<2xi1>",
    "p1": "vector<2xi32>",
    "m1": "memref<2xf64>",
    "z": "complex<f64>",
    "tu": "tensor<?x?xf64>",
    "mu": "memref<?x?xf64>",
    "ti": "tensor<2x2xi32>",
}
OPERATIONS = """
%r = memref.load %X[%c, %c] : T
memref.store %f, %X[%c, %c] : T
%r = memref.dim %X, %c : T
memref.dealloc %X : T
memref.copy %X, %m : T to memref<2x2xf64>
%r = memref.cast %X : T to memref<?x?xf64>
%r = memref.subview %X[0, 0] [1, 1] [1, 1] : T to memref<1x1xf64, strided<[2, 1]>>
%r = tensor.dim %X, %c : T
%r = tensor.rank %X : T
%r = tensor.extract %X[%c, %c] : T
%r = tensor.insert %f into %X[%c, %c] : T
%r = tensor.cast %X : T to tensor<?x?xf64>
%r = tensor.extract_slice %X[0, 0] [1, 1] [1, 1] : T to tensor<1x1xf64>
%r = tensor.collapse_shape %X [[0, 1]] : T into tensor<4xf64>
%r = tensor.concat dim(0) %X, %X : (T, T) -> tensor<4x2xf64>
%r = tensor.from_elements %X, %X : tensor<2xf64>
%r = tensor.splat %X : tensor<2xf64>
bufferization.dealloc_tensor %X : T
%r = bufferization.to_buffer %X : T to memref<2x2xf64>
%r = bufferization.to_tensor %X : T to tensor<2x2xf64>
%r = bufferization.alloc_tensor() copy(%X) : tensor<2x2xf64>
%r = vector.transfer_read %X[%c, %c], %f : T, vector<2xf64>
%r = vector.load %X[%c, %c] : T, vector<2xf64>
%r = vector.maskedload %X[%c, %c], %k1, %v1 : T, vector<2xi1>, vector<2xf64> into vector<2xf64>
vector.maskedstore %X[%c, %c], %k1, %v1 : T, vector<2xi1>, vector<2xf64>
%r = vector.expandload %X[%c, %c], %k1, %v1 : T, vector<2xi1>, vector<2xf64> into vector<2xf64>
vector.compressstore %X[%c, %c], %k1, %v1 : T, vector<2xi1>, vector<2xf64>
%r = vector.gather %X[%c, %c] [%p1], %k1, %v1 : T, vector<2xi32>, vector<2xi1>, vector<2xf64> into vector<2xf64>
vector.print %X : T
%r = vector.extract %X[0] : vector<2xf64> from T
%r = vector.reduction <add>, %X : T into f64
%r = vector.broadcast %X : T to vector<2x2xf64>
%r = vector.shape_cast %X : T to vector<4xf64>
%r = vector.transpose %X, [1, 0] : T to vector<2x2xf64>
%r = vector.fma %X, %X, %X : T
%r = arith.addf %X, %X : T
%r = arith.addi %X, %X : T
%r = arith.negf %X : T
%r = arith.cmpf oeq, %X, %X : T
%r = arith.select %b, %X, %X : T
%r = arith.index_cast %X : T to i64
%r = arith.sitofp %X : T to f64
%r = arith.fptosi %X : T to i32
%r = arith.truncf %X : T to f32
%r = math.sqrt %X : T
%r = math.absi %X : T
%r = complex.re %X : T
%r = complex.add %X, %X : T
scf.if %X { }
scf.for %q = %X to %c step %c { }
%r = sparse_tensor.convert %X : T to tensor<2x2xf64>
%r = sparse_tensor.values %X : T to memref<?xf64>
%r = sparse_tensor.number_of_entries %X : T
sparse_tensor.print %X : T
%r = sparse_tensor.load %X : T
%r = sparse_tensor.lvl %X, %c : T
%r = sparse_tensor.reinterpret_map %X : T to tensor<2x2xf64, #CSR>
%r = sparse_tensor.slice.offset %X at 0 : T
%r = sparse_tensor.concatenate %X, %X {dimension = 0 : index} : T, T to tensor<4x2xf64>
%r = linalg.fill ins(%f : f64) outs(%X : T) -> T
linalg.fill ins(%f : f64) outs(%X : T)
%r = linalg.matmul ins(%X, %X : T, T) outs(%t : tensor<2x2xf64>) -> tensor<2x2xf64>
%r = linalg.dot ins(%X, %X : T, T) outs(%t1 : tensor<2xf64>) -> tensor<2xf64>
%r = linalg.add ins(%X, %X : T, T) outs(%t : tensor<2x2xf64>) -> tensor<2x2xf64>
%r = linalg.transpose ins(%X : T) outs(%t : tensor<2x2xf64>) permutation = [1, 0]
%r = linalg.broadcast ins(%X : T) outs(%t : tensor<2x2xf64>) dimensions = [1]
%r = linalg.reduce { arith.addf } ins(%X : T) outs(%t1 : tensor<2xf64>) dimensions = [1]
%r = linalg.reduce { arith.cmpf } ins(%X : T) outs(%t1 : tensor<2xf64>) dimensions = [1]
%r = linalg.map { math.sqrt } ins(%X : T) outs(%t : tensor<2x2xf64>)
%r = linalg.map { math.absi } ins(%X : T) outs(%t : tensor<2x2xf64>)
""".strip().splitlines()

ARRAYS = "functions of numbers take no tensor with an encoding"
DIFFERS = {
    ("vector.transfer_read", "s"): "not of tensors with an encoding",
    ("vector.gather", "s"): "not of tensors with an encoding",
    ("bufferization.to_buffer", "s"): "not of tensors with an encoding",
    ("arith.addf", "s"): ARRAYS,
    ("arith.negf", "s"): ARRAYS,
    ("arith.cmpf", "s"): ARRAYS,
    ("math.sqrt", "s"): ARRAYS,
}


def text(operation, value):
    line = operation.replace("%X", "%" + value).replace(" T", " " + VALUES[value]).replace("(T", "(" + VALUES[value])
    takes = ", ".join(f"%{name}: {ty}" for name, ty in VALUES.items())
    csr = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>"
    return f"{csr}\nfunc.func @f({takes}) {{\n  {line}\n  return\n}}\n"


def refused(command, path):
    return subprocess.run([*command, path], capture_output=True).returncode != 0


def refused_by_mlir(mlir_opt, texts):
    """Which of the texts it refuses: all in one process, as sections of one text, for it takes longer to start than to read
    them. Where it crashes on one, or does not say where an error is, each in a process of its own."""
    run = lambda text: subprocess.run(  # noqa: E731
        [mlir_opt, "--split-input-file", "-o", "/dev/null", "-"], input=text, capture_output=True, text=True)
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    ran = run("// -----\n".join(texts))
    lines = [int(line) for line in re.findall(r"^<stdin>:(\d+):\d+: error: ", ran.stderr, re.MULTILINE)]
    if ran.returncode not in (0, 1) or len(lines) != len(re.findall(r"\berror: ", ran.stderr)):
        return [run(text).returncode != 0 for text in texts]
    wrong = {bisect.bisect_right(starts, line) - 1 for line in lines}
    return [at in wrong for at in range(len(texts))]


def reason(operation, value):
    """Why the two differ; an operation in the braces of a kernel is not the one that takes the value."""
    of_it = lambda name: name in operation and f"{{ {name}" not in operation  # noqa: E731
    named = (why for (name, of), why in DIFFERS.items() if of == value and of_it(name))
    return next(named, None)


def main():
    mlir_opt = shutil.which(os.environ.get("MLIR_OPT", "mlir-opt-22"))
    if not mlir_opt:
        skipped("mlir-opt is not installed")
    nnz = program("NNZ", "-p", "nnz")
    cases = [(operation, value) for operation in OPERATIONS for value in VALUES]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:

        def by_mlir(operation):
            return refused_by_mlir(mlir_opt, [text(operation, value) for value in VALUES])

        def by_nnz(at):
            path = f"{folder}/{at}.mlir"
            pathlib.Path(path).write_text(text(*cases[at]))
            return refused([nnz, "check"], path)

        theirs = [found for of_one in pool.map(by_mlir, OPERATIONS) for found in of_one]
        found = list(zip(theirs, pool.map(by_nnz, range(len(cases)))))
    wrong = 0
    for (operation, value), (theirs, ours) in zip(cases, found):
        why = reason(operation, value)
        if (theirs != ours) != bool(why):
            wrong += 1
            who = "MLIR" if theirs else "nnz"
            print(f"UNEXPLAINED: {operation}, %{value}: {VALUES[value]}: {who} alone refuses it" if not why else
                  f"UNEXPLAINED: {operation}, %{value}: no difference, and a reason: {why}")
        elif why and "-v" in sys.argv:
            print(f"differs: {operation}, %{value}: {VALUES[value]}: {why}")
    print(f"{len(cases)} operations, {wrong} differences unexplained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
