#!/usr/bin/env python3
"""Compiled kernels beside SciPy and beside the plain C loop, taking turns in one run.

    tests/bench/kernels.py [--nnz target/release/nnz] [--rounds 5] [--threads 1 2] [--only WORD] [FILE.mtx...]

Without files: the matrices of $NNZ_DATA with at least 50,000 entries, a Poisson and an R-MAT matrix. nnz runs
with sums in order and reassociated; the C loop is compiled with `gcc -O3 -march=native` (`-fopenmp` for several
threads) and keeps the order too, `fast` is the same with -ffast-math; SciPy has one thread. All use 32-bit
positions and coordinates. Prints, per kernel and matrix, the least milliseconds of each, and the best of the
others / nnz (above 1: nnz is faster): for sums in order the best of SciPy and C, for reassociated ones the
best of all.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.io
import scipy.sparse

C = r"""
#include <stdint.h>
typedef int32_t I;
#define FOR _Pragma("omp parallel for schedule(dynamic, 512)") for (I i = 0; i < n; i++)
void csr(I n, const I *pos, const I *crd, const T *a, const T *restrict x, T *restrict y) {
  FOR { T s = 0; for (I p = pos[i]; p < pos[i + 1]; p++) s += a[p] * x[crd[p]]; y[i] = s; }
}
void csc(I m, I n, const I *pos, const I *crd, const T *a, const T *restrict x, T *restrict y) {
  for (I i = 0; i < m; i++) y[i] = 0;
  for (I j = 0; j < n; j++) for (I p = pos[j]; p < pos[j + 1]; p++) y[crd[p]] += a[p] * x[j];
}
void coo(I m, I nnz, const I *row, const I *col, const T *a, const T *restrict x, T *restrict y) {
  for (I i = 0; i < m; i++) y[i] = 0;
  for (I p = 0; p < nnz; p++) y[row[p]] += a[p] * x[col[p]];
}
void bsr(I n, const I *pos, const I *crd, const T *a, const T *restrict x, T *restrict y) {
  FOR { T s[4] = {0, 0, 0, 0};
    for (I p = pos[i]; p < pos[i + 1]; p++) for (I r = 0; r < 4; r++) for (I c = 0; c < 4; c++)
      s[r] += a[p * 16 + r * 4 + c] * x[crd[p] * 4 + c];
    for (I r = 0; r < 4; r++) y[i * 4 + r] = s[r]; }
}
void spmm(I n, I k, const I *pos, const I *crd, const T *a, const T *restrict b, T *restrict y) {
  FOR { for (I c = 0; c < k; c++) y[i * (int64_t)k + c] = 0;
    for (I p = pos[i]; p < pos[i + 1]; p++) for (I c = 0; c < k; c++)
      y[i * (int64_t)k + c] += a[p] * b[crd[p] * (int64_t)k + c]; }
}
void mttkrp(I n, I k, const I *pos1, const I *crd1, const I *pos2, const I *crd2, const T *a, const T *restrict b,
            const T *restrict d, T *restrict y) {
  FOR { for (I c = 0; c < k; c++) y[i * (int64_t)k + c] = 0;
    for (I p = pos1[i]; p < pos1[i + 1]; p++) for (I q = pos2[p]; q < pos2[p + 1]; q++) for (I c = 0; c < k; c++)
      y[i * (int64_t)k + c] += a[q] * b[crd1[p] * (int64_t)k + c] * d[crd2[q] * (int64_t)k + c]; }
}
"""

ENCODINGS = {
    "CSR": "(i, j) -> (i : dense, j : compressed)",
    "CSC": "(i, j) -> (j : dense, i : compressed)",
    "COO": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "BSR": "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)",
}
# Name, encoding, element, columns of the dense matrix (0: a vector).
KERNELS = [
    ("SpMV CSR f64", "CSR", "f64", 0),
    ("SpMV CSR f32", "CSR", "f32", 0),
    ("SpMV CSC f64", "CSC", "f64", 0),
    ("SpMV COO f64", "COO", "f64", 0),
    ("SpMV BSR f64", "BSR", "f64", 0),
    ("SpMM CSR f64, 32", "CSR", "f64", 32),
    ("SpMM CSR f32, 128", "CSR", "f32", 128),
]


def compile_loops(folder, threads):
    """Name -> library, for both element types, as written and with -ffast-math; without OpenMP for one
    thread, which would cost the promises that pointers do not alias."""
    parallel = ["-fopenmp"] if threads > 1 else []
    libraries = {}
    for element, c_type in (("f64", "double"), ("f32", "float")):
        for name, flags in (("C", []), ("fast", ["-ffast-math"])):
            path = os.path.join(folder, f"{name}_{element}.so")
            command = ["gcc", "-O3", "-march=native", *parallel, *flags, f"-DT={c_type}", "-shared", "-fPIC"]
            subprocess.run([*command, "-x", "c", "-", "-o", path], input=C, text=True, check=True)
            libraries[name, element] = ctypes.CDLL(path)
    return libraries


def generate(nnz, folder):
    """A Poisson and an R-MAT matrix as files, made by nnz itself."""
    paths = []
    for name, text in (("poisson2d_500", "poisson2d(n = 500)"), ("rmat_16", "rmat(scale = 16, edge_factor = 8, seed = 1)")):
        path = os.path.join(folder, name + ".mtx")
        subprocess.run([nnz, "-c", f'A : COO = {text}\n:write A "{path}"'], check=True, stdout=subprocess.DEVNULL)
        paths.append(path)
    return paths


class Served:
    """A kernel `y` of nnz in a process of its own."""

    def __init__(self, options, threads, text, *flags):
        command = [options.nnz, "time", "--serve", "--kernel", "y", "--threads", str(threads), *flags, "-c", text]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ready = json.loads(self.process.stdout.readline())
        self.inner = max(1, int(2e6 / max(1, ready["est"])))

    def milliseconds(self):
        print(f"block 20 {self.inner}", file=self.process.stdin, flush=True)
        return min(json.loads(self.process.stdout.readline())["w"]) / 1e6

    def quit(self):
        print("quit", file=self.process.stdin, flush=True)
        self.process.wait()


def session(path, shape, kernel):
    """The statements that define `y`."""
    _, encoding, element, columns = kernel
    sizes = f"{shape[1]}x{columns}" if columns else f"{shape[1]}"
    return (
        f"#E = #sparse_tensor.encoding<{{ map = {ENCODINGS[encoding]}, posWidth = 32, crdWidth = 32 }}>\n"
        f'A : tensor<{shape[0]}x{shape[1]}x{element}, #E> = read "{path}"\n'
        f"x : tensor<{sizes}x{element}> = random(density = 1.0, seed = 1)\n"
        + ("y(i, k) = A(i, j) * x(j, k)" if columns else "y(i) = A(i, j) * x(j)")
    )


def timed(call, budget=0.06):
    """The least milliseconds of a call."""
    end, best = time.perf_counter() + budget, float("inf")
    while time.perf_counter() < end:
        start = time.perf_counter_ns()
        call()
        best = min(best, time.perf_counter_ns() - start)
    return best / 1e6


def peers(libraries, matrix, kernel, threads):
    """Name -> a call of the kernel."""
    _, encoding, element, columns = kernel
    dtype = np.dtype(element.replace("f", "float"))
    stored = {"BSR": lambda m: m.tobsr((4, 4)), "COO": lambda m: m.tocsr().tocoo()}
    make = stored.get(encoding, lambda m: m.asformat(encoding.lower()))
    a = make(matrix.astype(dtype))
    x = np.random.default_rng(1).random((a.shape[1], columns) if columns else a.shape[1]).astype(dtype)
    y = np.zeros((a.shape[0], columns) if columns else a.shape[0], dtype)
    if encoding == "COO":
        arrays, sizes = [a.row.astype(np.int32), a.col.astype(np.int32)], [a.shape[0], a.nnz]
    else:
        arrays, sizes = [a.indptr.astype(np.int32), a.indices.astype(np.int32)], [len(a.indptr) - 1]
    sizes = [a.shape[0], *sizes] if encoding == "CSC" else sizes + [columns] * (columns > 0)
    name = "spmm" if columns else encoding.lower()
    data = np.ascontiguousarray(a.data)
    arguments = [ctypes.c_int32(size) for size in sizes]
    arguments += [array.ctypes.data_as(ctypes.c_void_p) for array in [*arrays, data, x, y]]
    calls = {}
    for kind in ("C", "fast"):
        function = getattr(libraries[kind, element], name)
        calls[kind] = lambda function=function: function(*arguments)
        calls[kind]()
        expected = a @ x
        assert np.abs(y - expected).max() <= 1e-3 * np.abs(expected).max(), f"the {kind} loop of {name} is wrong"
    if threads == 1:
        calls["scipy"] = lambda: a @ x
    return calls


def matrix_kernel(options, libraries, path, kernel, threads):
    matrix = scipy.io.mmread(path).tocsr()
    if kernel[1] == "BSR" and any(size % 4 for size in matrix.shape):
        return
    calls = peers(libraries, matrix, kernel, threads)
    name = os.path.basename(path).split(".")[0]
    report(options, f"{kernel[0]:18} {threads} thr  {name:22}", threads, session(path, matrix.shape, kernel), calls)


def mttkrp(options, libraries, folder, threads, rank=32):
    """The matricised tensor times Khatri-Rao product, of a random tensor in CSF."""
    shape, count = (200, 300, 400), 200_000
    random = np.random.default_rng(1)
    flat = np.unique(random.integers(0, np.prod(shape), count))
    coords, values = np.unravel_index(flat, shape), random.random(len(flat))
    path = os.path.join(folder, "random.tns")
    np.savetxt(path, np.column_stack([*(c + 1 for c in coords), values]), fmt=["%d", "%d", "%d", "%.17g"])
    b, c = random.random((shape[1], rank)), random.random((shape[2], rank))
    fibres, starts = np.unique(flat // shape[2], return_index=True)
    pos2 = np.append(starts, len(flat)).astype(np.int32)
    crd1, slices = (fibres % shape[1]).astype(np.int32), fibres // shape[1]
    pos1 = np.searchsorted(slices, np.arange(shape[0] + 1)).astype(np.int32)
    y, crd2 = np.zeros((shape[0], rank)), coords[2].astype(np.int32)
    arrays = [array.ctypes.data_as(ctypes.c_void_p) for array in (pos1, crd1, pos2, crd2, values, b, c, y)]
    call = lambda kind: lambda: libraries[kind, "f64"].mttkrp(ctypes.c_int32(shape[0]), ctypes.c_int32(rank), *arrays)
    encoding = "(i, j, k) -> (i : dense, j : compressed, k : compressed), posWidth = 32, crdWidth = 32"
    text = (
        f"#E = #sparse_tensor.encoding<{{ map = {encoding} }}>\n"
        f'T : tensor<200x300x400xf64, #E> = read "{path}"\n'
        f"B : tensor<300x{rank}xf64> = random(density = 1.0, seed = 1)\n"
        f"C : tensor<400x{rank}xf64> = random(density = 1.0, seed = 2)\n"
        "y(i, r) = T(i, j, k) * B(j, r) * C(k, r)"
    )
    title = f"{f'MTTKRP CSF f64, {rank}':18} {threads} thr  {'random 200x300x400':22}"
    report(options, title, threads, text, {"C": call("C"), "fast": call("fast")})


def report(options, title, threads, text, calls):
    served = {"nnz": Served(options, threads, text), "nnz fast": Served(options, threads, text, "--reassociate")}
    best = {}
    for _ in range(options.rounds):
        ours = {name: kernel.milliseconds() for name, kernel in served.items()}
        round_of = {**ours, **{name: timed(call) for name, call in calls.items()}}
        best = {name: min(best.get(name, ms), ms) for name, ms in round_of.items()}
    for kernel in served.values():
        kernel.quit()
    others = [name for name in ("C", "scipy") if name in best]
    strict = min(best[name] for name in others) / best["nnz"]
    fast = min(best[name] for name in [*others, "fast"]) / best["nnz fast"]
    row = "  ".join(f"{name} {best[name]:.3f}" for name in ("nnz", "C", "scipy", "nnz fast", "fast") if name in best)
    print(f"{title} {row}  x{strict:.2f}  fast x{fast:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnz", default="target/release/nnz")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", default="", help="kernels whose name contains this")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = options.files or generate(options.nnz, folder)
        data = os.environ.get("NNZ_DATA")
        if not options.files and data:
            found = [os.path.join(data, name) for name in sorted(os.listdir(data)) if ".mtx" in name]
            paths += [path for path in found if scipy.io.mminfo(path)[2] >= 50_000]
        for threads in options.threads:
            # OpenMP looks once, when its first loop runs; so each number of threads is a process of its own.
            if os.environ.get("OMP_NUM_THREADS") != str(threads):
                command = [sys.executable, __file__, "--nnz", options.nnz, "--rounds", str(options.rounds)]
                command += ["--only", options.only, "--threads", str(threads), "--", *paths]
                subprocess.run(command, check=True, env=dict(os.environ, OMP_NUM_THREADS=str(threads)))
                continue
            libraries = compile_loops(folder, threads)
            for kernel in (kernel for kernel in KERNELS if options.only in kernel[0]):
                for path in paths:
                    matrix_kernel(options, libraries, path, kernel, threads)
            if options.only in "MTTKRP":
                mttkrp(options, libraries, folder, threads)


if __name__ == "__main__":
    main()
