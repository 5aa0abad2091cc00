#!/usr/bin/env python3
"""Kernels of nnz beside SciPy, a plain C loop, Numba and MKL, taking turns in one run.

    peers.py [--nnz target/release/nnz] [--kernels spmv_csr_f64,...] [--inputs FILE ...] [--rounds 8]
               [--threads 1] [--json OUT] [--reassociate]

Inputs are Matrix Market files (by default some below NNZ_DATA, and two that are made here); .tns files are for the
kernels over tensors. SciPy and a C compiler are needed; Numba and MKL (`pip install numba mkl`) join where they are
installed. Every result is first compared with that of the C loop. Then all programs take turns in blocks; a figure is
the least and the median time of a call, by processor time with one thread (which a busy machine disturbs less) and
by the clock with more. Conversions that nnz inserts are made once, before: the kernels here need none.
"""
import argparse
import ctypes
import glob
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.io
import scipy.sparse as sp

C_LOOPS = r"""
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef int64_t I;
#define SPMV(NAME, T) void NAME(I m, const I *pos, const I *crd, const T *val, const T *x, T *y) { \
    for (I i = 0; i < m; i++) { T sum = 0; for (I p = pos[i]; p < pos[i + 1]; p++) sum += val[p] * x[crd[p]]; y[i] = sum; } }
SPMV(spmv_f64, double)
SPMV(spmv_f32, float)
void spmv_csc(I m, I n, const I *pos, const I *crd, const double *val, const double *x, double *y) {
    memset(y, 0, m * sizeof *y);
    for (I j = 0; j < n; j++) for (I p = pos[j]; p < pos[j + 1]; p++) y[crd[p]] += val[p] * x[j];
}
void spmv_coo(I m, I n, const I *row, const I *col, const double *val, const double *x, double *y) {
    memset(y, 0, m * sizeof *y);
    for (I p = 0; p < n; p++) y[row[p]] += val[p] * x[col[p]];
}
void spmv_bsr4(I m, const I *pos, const I *crd, const double *val, const double *x, double *y) {
    for (I i = 0; i < m; i++) {
        double sum[4] = {0};
        for (I p = pos[i]; p < pos[i + 1]; p++)
            for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) sum[a] += val[16 * p + 4 * a + b] * x[4 * crd[p] + b];
        for (int a = 0; a < 4; a++) y[4 * i + a] = sum[a];
    }
}
void spmm(I m, I k, const I *pos, const I *crd, const double *val, const double *B, double *C) {
    memset(C, 0, m * k * sizeof *C);
    for (I i = 0; i < m; i++) for (I p = pos[i]; p < pos[i + 1]; p++) {
        const double a = val[p], *b = B + crd[p] * k; double *c = C + i * k;
        for (I r = 0; r < k; r++) c[r] += a * b[r];
    }
}
void sddmm(I m, I k, const I *pos, const I *crd, const double *val, const double *U, const double *V, double *out) {
    for (I i = 0; i < m; i++) for (I p = pos[i]; p < pos[i + 1]; p++) {
        double sum = 0; for (I r = 0; r < k; r++) sum += U[i * k + r] * V[crd[p] * k + r];
        out[p] = val[p] * sum;
    }
}
I add(I m, const I *ap, const I *ac, const double *av, const I *bp, const I *bc, const double *bv, I *cp, I *cc, double *cv) {
    I n = 0; cp[0] = 0;
    for (I i = 0; i < m; i++) {
        I p = ap[i], q = bp[i];
        while (p < ap[i + 1] && q < bp[i + 1]) {
            if (ac[p] == bc[q]) { cc[n] = ac[p]; cv[n++] = av[p++] + bv[q++]; }
            else if (ac[p] < bc[q]) { cc[n] = ac[p]; cv[n++] = av[p++]; }
            else { cc[n] = bc[q]; cv[n++] = bv[q++]; }
        }
        for (; p < ap[i + 1]; p++) { cc[n] = ac[p]; cv[n++] = av[p]; }
        for (; q < bp[i + 1]; q++) { cc[n] = bc[q]; cv[n++] = bv[q]; }
        cp[i + 1] = n;
    }
    return n;
}
I mul(I m, const I *ap, const I *ac, const double *av, const I *bp, const I *bc, const double *bv, I *cp, I *cc, double *cv) {
    I n = 0; cp[0] = 0;
    for (I i = 0; i < m; i++) {
        I p = ap[i], q = bp[i];
        while (p < ap[i + 1] && q < bp[i + 1]) {
            if (ac[p] == bc[q]) { cc[n] = ac[p]; cv[n++] = av[p++] * bv[q++]; }
            else if (ac[p] < bc[q]) p++; else q++;
        }
        cp[i + 1] = n;
    }
    return n;
}
static int less(const void *a, const void *b) { I x = *(const I *)a, y = *(const I *)b; return (x > y) - (x < y); }
/* Gustavson's algorithm with a dense row, columns sorted. */
I spgemm(I m, I n, const I *ap, const I *ac, const double *av, I *cp, I *cc, double *cv, double *row, char *seen) {
    I count = 0; cp[0] = 0; (void)n;
    for (I i = 0; i < m; i++) {
        I start = count;
        for (I p = ap[i]; p < ap[i + 1]; p++) for (I q = ap[ac[p]]; q < ap[ac[p] + 1]; q++) {
            I j = ac[q]; if (!seen[j]) { seen[j] = 1; cc[count++] = j; row[j] = 0; }
            row[j] += av[p] * av[q];
        }
        qsort(cc + start, count - start, sizeof *cc, less);
        for (I p = start; p < count; p++) { cv[p] = row[cc[p]]; seen[cc[p]] = 0; }
        cp[i + 1] = count;
    }
    return count;
}
void mttkrp(I n0, I slices, const I *s0, const I *p1, const I *c1, const I *p2, const I *c2, const double *val,
            const double *G, const double *H, double *M) {
    memset(M, 0, n0 * 32 * sizeof *M);
    for (I s = 0; s < slices; s++) for (I f = p1[s]; f < p1[s + 1]; f++) {
        double sum[32] = {0};
        for (I p = p2[f]; p < p2[f + 1]; p++) for (int r = 0; r < 32; r++) sum[r] += val[p] * H[32 * c2[p] + r];
        for (int r = 0; r < 32; r++) M[32 * s0[s] + r] += sum[r] * G[32 * c1[f] + r];
    }
}
void ttv(I n0, I n1, I slices, const I *s0, const I *p1, const I *c1, const I *p2, const I *c2, const double *val,
         const double *z, double *Y) {
    memset(Y, 0, n0 * n1 * sizeof *Y);
    for (I s = 0; s < slices; s++) for (I f = p1[s]; f < p1[s + 1]; f++) {
        double sum = 0;
        for (I p = p2[f]; p < p2[f + 1]; p++) sum += val[p] * z[c2[p]];
        Y[s0[s] * n1 + c1[f]] = sum;
    }
}
"""


def compile_c(folder):
    source, library = folder / "loops.c", folder / "loops.so"
    source.write_text(C_LOOPS)
    flags = ["-std=c11", "-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", library, source], check=True)
    return ctypes.CDLL(str(library))


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def c_call(function, *arguments, returns=None):
    """A call without arguments; arrays are kept alive by it."""
    function.restype = returns
    passed = [pointer(a) if isinstance(a, np.ndarray) else ctypes.c_int64(a) for a in arguments]
    return lambda keep=arguments: function(*passed)


# Data. Dense operands follow from the coordinates, so that nnz makes the same ones.


def vector(n, dtype=np.float64):
    return (np.arange(n) % 7 - 3.0).astype(dtype)


def dense(rows, columns, dtype=np.float64):
    i, j = np.arange(rows)[:, None], np.arange(columns)[None, :]
    return np.ascontiguousarray(((3 * i + j) % 11 - 5.0).astype(dtype))


def weights(shape):
    """Of a check sum that tells places apart."""
    return sum(np.arange(n).reshape([-1 if a == axis else 1 for a in range(len(shape))]) % (5 + axis)
               for axis, n in enumerate(shape)) + 1.0


def poisson(side):
    one = sp.diags([-np.ones(side - 1), 2 * np.ones(side), -np.ones(side - 1)], [-1, 0, 1])
    return sp.csr_matrix(sp.kronsum(one, one))


def scattered(rows, degree):
    random = np.random.default_rng(7)
    columns = random.integers(0, rows, size=rows * degree)
    values = random.integers(1, 9, size=rows * degree).astype(float)
    return sp.csr_matrix((values, columns, np.arange(rows + 1) * degree), shape=(rows, rows))


MADE = {"poisson2d_1000": lambda: poisson(1000), "scattered_320k_16": lambda: scattered(320_000, 16)}


def load(name):
    if name in MADE:
        matrix = MADE[name]()
    else:
        matrix = sp.csr_matrix(scipy.io.mmread(name)).astype(np.float64)
    padded = [-(-size // 4) * 4 for size in matrix.shape]  # whole blocks of four
    matrix.resize(padded)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


class Csr:
    """A matrix in the index type that nnz and the C loops use."""

    def __init__(self, matrix):
        self.shape, self.nnz = matrix.shape, matrix.nnz
        self.pos, self.crd = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
        self.val = np.ascontiguousarray(matrix.data)


class Input:
    """A matrix, as a file for nnz and in memory for the others."""

    def __init__(self, name, folder):
        self.name = pathlib.Path(name).name.split(".")[0]
        self.matrix = load(name)
        self.path = folder / f"{self.name}.mtx"
        scipy.io.mmwrite(self.path, self.matrix, symmetry="general")
        self.csr = Csr(self.matrix)
        self.rows, self.columns = self.matrix.shape

    def rotated(self, folder):
        """Columns moved on by one, halves of the values."""
        turned = sp.coo_matrix(self.matrix)
        turned = sp.csr_matrix((turned.data * 0.5, (turned.row, (turned.col + 1) % self.columns)), shape=self.matrix.shape)
        turned.sort_indices()
        path = folder / f"{self.name}_rotated.mtx"
        if not path.exists():
            scipy.io.mmwrite(path, turned, symmetry="general")
        return turned, path


class Tensor:
    """A tensor of order three, by slices and fibers."""

    def __init__(self, name):
        self.name, self.path = pathlib.Path(name).name.split(".")[0], name
        rows = np.loadtxt(name, comments="#")
        self.coordinates, self.values = rows[:, :3].astype(np.int64) - 1, rows[:, 3]
        order = np.lexsort(self.coordinates.T[::-1])
        self.coordinates, self.values = self.coordinates[order], np.ascontiguousarray(self.values[order])
        self.shape = tuple(int(n) for n in self.coordinates.max(axis=0) + 1)
        i, j, k = self.coordinates.T
        fiber = np.flatnonzero(np.r_[True, (i[1:] != i[:-1]) | (j[1:] != j[:-1])])
        slices = np.flatnonzero(np.r_[True, i[fiber][1:] != i[fiber][:-1]])
        self.s0 = np.ascontiguousarray(i[fiber][slices])
        self.p1, self.c1 = np.r_[slices, len(fiber)].astype(np.int64), np.ascontiguousarray(j[fiber])
        self.p2, self.c2 = np.r_[fiber, len(i)].astype(np.int64), np.ascontiguousarray(k)


# Programs: each answers `block(samples, inner)` with nanoseconds by the clock and of processor time.


class Call:
    def __init__(self, call):
        self.call = call
        call()

    def block(self, samples, inner):
        wall, cpu = [], []
        for _ in range(samples):
            before, start = time.process_time_ns(), time.perf_counter_ns()
            for _ in range(inner):
                self.call()
            wall.append((time.perf_counter_ns() - start) / inner)
            cpu.append((time.process_time_ns() - before) / inner)
        return wall, cpu

    def quit(self):
        pass


class Nnz:
    def __init__(self, options, session, folder):
        path = folder / "kernel.nnz"
        path.write_text(session)
        flags = ["--threads", str(options.threads)] + (["--reassociate"] if options.reassociate else [])
        command = [options.nnz, "time", str(path), "--kernel", "y", "--serve", *flags]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready:
            raise RuntimeError(self.process.stderr.read().strip().split("\n")[0])

    def block(self, samples, inner):
        print(f"block {samples} {inner}", file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        return answer["w"], answer["c"]

    def quit(self):
        print("quit", file=self.process.stdin, flush=True)
        self.process.wait()


def nnz_sum(options, session, folder):
    """What nnz computes, as one number."""
    path = folder / "check.nnz"
    path.write_text(session + "check\n")
    done = subprocess.run([options.nnz, "--json", str(path), "--threads", str(options.threads)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().split("\n")[0][:300])
    return float(json.loads(done.stdout.strip().split("\n")[-1])["value"])


# Kernels: each gives nnz's session, the check sum, and the peers.


class Case:
    def __init__(self, session, check, expected, peers):
        self.session, self.check, self.expected, self.peers = session, check, expected, peers


def weighted(array):
    return float((array * weights(array.shape)).sum())


def weighted_csr(matrix):
    coo = sp.coo_matrix(matrix)
    return float((coo.data * (coo.row % 5 + coo.col % 6 + 1.0)).sum())


CHECK_VECTOR = "check : f64 = f64(y(i)) * (rem(i, 5) + 1.0)\n"
CHECK_MATRIX = "check : f64 = y(i, k) * (rem(i, 5) + rem(k, 6) + 1.0)\n"


def x_of(n, element="f64"):
    return f"x(j) : tensor<{n}x{element}> = rem(j, 7) - 3.0\n"


def dense_of(name, rows, columns):
    return f"{name}(p, q) : tensor<{rows}x{columns}xf64> = rem(3 * p + q, 11) - 5.0\n"


def read(a, encoding, element="f64"):
    return f'A : tensor<{a.rows}x{a.columns}x{element}, {encoding}> = read "{a.path}"\n'


def spmv(a, c, folder, encoding, element):
    dtype = np.float64 if element == "f64" else np.float32
    x, y = vector(a.columns, dtype), np.zeros(a.rows, dtype)
    session = read(a, encoding, element) + x_of(a.columns, element) + "y(i) = A(i, j) * x(j)\n"
    matrix, peers = a.matrix.astype(dtype), {}
    if encoding == "CSR":
        peers["scipy"] = lambda: matrix @ x
        val = a.csr.val.astype(dtype)
        peers["C"] = c_call(c.spmv_f64 if element == "f64" else c.spmv_f32, a.rows, a.csr.pos, a.csr.crd, val, x, y)
        peers.update(numba_spmv(a, val, x, y))
        peers.update(mkl_spmv(a, element, x, y))
    elif encoding == "CSC":
        csc = matrix.tocsc()
        peers["scipy"] = lambda: csc @ x
        peers["C"] = c_call(c.spmv_csc, a.rows, a.columns, csc.indptr.astype(np.int64), csc.indices.astype(np.int64), csc.data, x, y)
    elif encoding == "COO":
        coo = matrix.tocoo()
        peers["scipy"] = lambda: coo @ x
        peers["C"] = c_call(c.spmv_coo, a.rows, a.csr.nnz, coo.row.astype(np.int64), coo.col.astype(np.int64), coo.data, x, y)
    else:
        bsr = matrix.tobsr((4, 4))
        peers["scipy"] = lambda: bsr @ x
        blocks = np.ascontiguousarray(bsr.data)
        peers["C"] = c_call(c.spmv_bsr4, a.rows // 4, bsr.indptr.astype(np.int64), bsr.indices.astype(np.int64), blocks, x, y)
    return Case(session, CHECK_VECTOR, weighted((a.matrix @ x.astype(np.float64))), peers)


def spmm(a, c, folder, k):
    b, out = dense(a.columns, k), np.zeros((a.rows, k))
    session = read(a, "CSR") + dense_of("B", a.columns, k) + "y(i, k) = A(i, j) * B(j, k)\n"
    peers = {"scipy": lambda: a.matrix @ b, "C": c_call(c.spmm, a.rows, k, a.csr.pos, a.csr.crd, a.csr.val, b, out)}
    peers.update(numba_spmm(a, b, out))
    return Case(session, CHECK_MATRIX, weighted(a.matrix @ b), peers)


def sddmm(a, c, folder, k):
    u, v, out = dense(a.rows, k), dense(a.columns, k), np.zeros(a.csr.nnz)
    session = read(a, "CSR") + dense_of("U", a.rows, k) + dense_of("V", a.columns, k)
    session += "y(i, k) : CSR = A(i, k) * U(i, r) * V(k, r)\n"
    call = c_call(c.sddmm, a.rows, k, a.csr.pos, a.csr.crd, a.csr.val, u, v, out)
    call()
    result = sp.csr_matrix((out.copy(), a.csr.crd, a.csr.pos), shape=a.matrix.shape)
    return Case(session, CHECK_MATRIX, weighted_csr(result), {"C": call, **numba_sddmm(a, u, v, out)})


def merged(a, c, folder, sign):
    turned, path = a.rotated(folder)
    b = Csr(turned)
    session = read(a, "CSR") + f'B : tensor<{a.rows}x{a.columns}xf64, CSR> = read "{path}"\n'
    session += f"y(i, k) : CSR = A(i, k) {sign} B(i, k)\n"
    room = a.csr.nnz + b.nnz
    pos, crd, val = np.zeros(a.rows + 1, np.int64), np.zeros(room, np.int64), np.zeros(room)
    operands = (a.csr.pos, a.csr.crd, a.csr.val, b.pos, b.crd, b.val, pos, crd, val)
    call = c_call(c.add if sign == "+" else c.mul, a.rows, *operands, returns=ctypes.c_int64)
    scipy_call = (lambda: a.matrix + turned) if sign == "+" else (lambda: a.matrix.multiply(turned))
    return Case(session, CHECK_MATRIX, weighted_csr(scipy_call()), {"scipy": scipy_call, "C": call})


def spgemm(a, c, folder):
    if a.rows != a.columns:
        return None
    result = a.matrix @ a.matrix
    if result.nnz > 60_000_000:
        return None
    session = read(a, "CSR") + "y(i, k) : CSR = A(i, j) * A(j, k)\n"
    pos, crd, val = np.zeros(a.rows + 1, np.int64), np.zeros(result.nnz + a.rows, np.int64), np.zeros(result.nnz + a.rows)
    row, seen = np.zeros(a.columns), np.zeros(a.columns, np.int8)
    call = c_call(c.spgemm, a.rows, a.columns, a.csr.pos, a.csr.crd, a.csr.val, pos, crd, val, row, seen, returns=ctypes.c_int64)

    def sorted_product():
        product = a.matrix @ a.matrix
        product.sort_indices()

    return Case(session, CHECK_MATRIX, weighted_csr(result), {"scipy": sorted_product, "C": call})


def tensor_session(t):
    shape = "x".join(map(str, t.shape))
    return f'A : tensor<{shape}xf64, CSF> = read "{t.path}"\n'


def mttkrp(t, c, folder):
    g, h, out = dense(t.shape[1], 32), dense(t.shape[2], 32), np.zeros((t.shape[0], 32))
    session = tensor_session(t) + dense_of("G", t.shape[1], 32) + dense_of("H", t.shape[2], 32)
    session += "y(i, k) = A(i, j, l) * G(j, k) * H(l, k)\n"
    call = c_call(c.mttkrp, t.shape[0], len(t.s0), t.s0, t.p1, t.c1, t.p2, t.c2, t.values, g, h, out)
    call()
    return Case(session, CHECK_MATRIX, weighted(out), {"C": call})


def ttv(t, c, folder):
    z, out = vector(t.shape[2]), np.zeros(t.shape[:2])
    session = tensor_session(t) + f"z(l) : tensor<{t.shape[2]}xf64> = rem(l, 7) - 3.0\ny(i, k) : CSR = A(i, k, l) * z(l)\n"
    call = c_call(c.ttv, t.shape[0], t.shape[1], len(t.s0), t.s0, t.p1, t.c1, t.p2, t.c2, t.values, z, out)
    if out.nbytes > 2 << 30:
        return None
    call()
    return Case(session, CHECK_MATRIX, weighted(out), {"C (dense result)": call})


KERNELS = {
    "spmv_csr_f64": lambda a, c, f: spmv(a, c, f, "CSR", "f64"),
    "spmv_csr_f32": lambda a, c, f: spmv(a, c, f, "CSR", "f32"),
    "spmv_csc_f64": lambda a, c, f: spmv(a, c, f, "CSC", "f64"),
    "spmv_coo_f64": lambda a, c, f: spmv(a, c, f, "COO", "f64"),
    "spmv_bsr4_f64": lambda a, c, f: spmv(a, c, f, "BSR(4, 4)", "f64"),
    "spmm32": lambda a, c, f: spmm(a, c, f, 32),
    "spmm128": lambda a, c, f: spmm(a, c, f, 128),
    "sddmm32": lambda a, c, f: sddmm(a, c, f, 32),
    "add_csr": lambda a, c, f: merged(a, c, f, "+"),
    "mul_csr": lambda a, c, f: merged(a, c, f, "*"),
    "spgemm": spgemm,
}
TENSOR_KERNELS = {"mttkrp32": mttkrp}


# Peers that may be absent.

try:
    import numba
except ImportError:
    numba = None


def numba_spmv(a, val, x, y):
    if numba is None:
        return {}

    @numba.njit
    def loop(pos, crd, val, x, y):
        for i in range(len(y)):
            total = y.dtype.type(0)
            for p in range(pos[i], pos[i + 1]):
                total += val[p] * x[crd[p]]
            y[i] = total

    return {"numba": lambda: loop(a.csr.pos, a.csr.crd, val, x, y)}


def numba_spmm(a, b, out):
    if numba is None:
        return {}

    @numba.njit
    def loop(pos, crd, val, b, out):
        for i in range(out.shape[0]):
            out[i, :] = 0.0
            for p in range(pos[i], pos[i + 1]):
                for r in range(out.shape[1]):
                    out[i, r] += val[p] * b[crd[p], r]

    return {"numba": lambda: loop(a.csr.pos, a.csr.crd, a.csr.val, b, out)}


def numba_sddmm(a, u, v, out):
    if numba is None:
        return {}

    @numba.njit
    def loop(pos, crd, val, u, v, out):
        for i in range(u.shape[0]):
            for p in range(pos[i], pos[i + 1]):
                total = 0.0
                for r in range(u.shape[1]):
                    total += u[i, r] * v[crd[p], r]
                out[p] = val[p] * total

    return {"numba": lambda: loop(a.csr.pos, a.csr.crd, a.csr.val, u, v, out)}


def find_mkl():
    for folder in [f"{sys.prefix}/lib", "/usr/lib/x86_64-linux-gnu", "/opt/intel/oneapi/mkl/latest/lib"]:
        for path in sorted(glob.glob(f"{folder}/libmkl_rt.so*")):
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    return None


MKL = find_mkl()


class Description(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diagonal", ctypes.c_int)]


def mkl_spmv(a, element, x, y):
    """MKL's inspector and executor, told of a thousand calls."""
    if MKL is None:
        return {}
    letter = "d" if element == "f64" else "s"
    number = ctypes.c_double if element == "f64" else ctypes.c_float
    pos, crd = a.matrix.indptr.astype(np.int32), a.matrix.indices.astype(np.int32)
    val = a.matrix.data.astype(x.dtype)
    handle, general = ctypes.c_void_p(), Description(20, 0, 0)
    create = getattr(MKL, f"mkl_sparse_{letter}_create_csr")
    ends = pointer(pos[1:])
    status = create(ctypes.byref(handle), 0, a.rows, a.columns, pointer(pos), ends, pointer(crd), pointer(val))
    MKL.mkl_sparse_set_mv_hint(handle, 10, general, 1000)
    status |= MKL.mkl_sparse_optimize(handle)
    if status != 0:
        return {}
    multiply = getattr(MKL, f"mkl_sparse_{letter}_mv")
    keep = (pos, crd, val, x, y)
    return {"mkl": lambda keep=keep: multiply(10, number(1), handle, general, pointer(x), number(0), pointer(y))}


# Measuring.


def inner_of(program):
    """Calls in a sample of at least a millisecond."""
    wall, _ = program.block(1, 1)
    return max(1, int(1e6 // max(wall[0], 1.0)))


def compare(options, case, folder):
    programs = {name: Call(call) for name, call in case.peers.items()}
    programs["nnz"] = Nnz(options, case.session, folder)
    inner = {name: inner_of(program) for name, program in programs.items()}
    samples = {name: ([], []) for name in programs}
    for _ in range(options.rounds):
        for name, program in programs.items():
            for kept, new in zip(samples[name], program.block(3, inner[name])):
                kept.extend(new)
    for program in programs.values():
        program.quit()
    which = 1 if options.threads == 1 else 0
    return {name: {"min": min(s[which]), "median": statistics.median(s[which])} for name, s in samples.items()}


def measure(options, kernel, make, source, c, folder):
    case = make(source, c, folder)
    if case is None:
        return None
    row = {"kernel": kernel, "input": source.name}
    try:
        found = nnz_sum(options, case.session + case.check, folder)
        tolerance = 1e-3 if "f32" in kernel else 1e-9
        scale = max(abs(case.expected), 1.0)
        if abs(found - case.expected) > tolerance * scale:
            return {**row, "error": f"wrong: {found} and not {case.expected}"}
        return {**row, "times": compare(options, case, folder)}
    except RuntimeError as error:
        return {**row, "error": str(error)}


def shown(row):
    place = f"| {row['kernel']} | {row['input']} |"
    if "error" in row:
        return f"{place} {row['error']} |"
    times = row["times"]
    ours = times["nnz"]
    peers = {name: found["min"] / ours["min"] for name, found in times.items() if name != "nnz"}
    text = ", ".join(f"{name} {ratio:.2f}" for name, ratio in sorted(peers.items(), key=lambda pair: pair[1]))
    return f"{place} {ours['min'] / 1e6:.4g} | {ours['median'] / 1e6:.4g} | {text} |"


def default_inputs():
    data = os.environ.get("NNZ_DATA")
    names = ["bayer10.mtx", "bcsstk13.mtx", "gnn_pubmed.mtx.gz", "power_jac_13659pegase.mtx.gz", "dlmc_tr_mag0.9_ffn1.mtx.gz", "wing.mtx.gz"]
    files = [str(pathlib.Path(data) / name) for name in names] if data else []
    tensors = sorted(glob.glob(f"{data}/*.tns")) if data else []
    return [name for name in files if os.path.exists(name)] + tensors + list(MADE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnz", default=os.environ.get("NNZ", "target/release/nnz"))
    parser.add_argument("--kernels", default=",".join([*KERNELS, *TENSOR_KERNELS]))
    parser.add_argument("--inputs", nargs="*", default=None)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--reassociate", action="store_true", help="let nnz regroup sums, as libraries do")
    parser.add_argument("--json", help="where to write every figure")
    options = parser.parse_args()
    for name in ["OMP_NUM_THREADS", "MKL_NUM_THREADS"]:
        os.environ[name] = str(options.threads)
    wanted = options.kernels.split(",")
    rows = []
    print("| kernel | input | nnz, least ms | median ms | peer / nnz, least of each (above 1: nnz is faster) |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        c = compile_c(folder)
        for name in options.inputs if options.inputs is not None else default_inputs():
            of_tensor = name.endswith(".tns")
            source = Tensor(name) if of_tensor else Input(name, folder)
            for kernel, make in (TENSOR_KERNELS if of_tensor else KERNELS).items():
                row = measure(options, kernel, make, source, c, folder) if kernel in wanted else None
                if row is not None:
                    rows.append(row)
                    print(shown(row), flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
    return 1 if any("wrong" in row.get("error", "") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
