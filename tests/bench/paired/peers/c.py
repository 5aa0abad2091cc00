"""The plain C loop (`cc -O3 -march=native`, order of sums kept; OpenMP over rows for several threads)."""
import ctypes
import os
import pathlib
import shutil
import subprocess

import numpy as np
import scipy.sparse as sp

from . import Offer

SOURCE = pathlib.Path(__file__).with_name("loops.c")
# What a person would run on several threads without thinking long.
PARALLEL = {"spmv_csr_f64", "spmv_csr_f32", "spmv_bsr", "spmm", "sddmm", "mttkrp"}


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def passed(argument):
    return pointer(argument) if isinstance(argument, np.ndarray) else ctypes.c_int32(argument)


def csr_arrays(matrix):
    return matrix.indptr, matrix.indices, matrix.data


def csf_arrays(t):
    return t.shape[0], len(t.crd0), t.crd0, t.pos1, t.crd1, t.pos2, t.crd2, t.values


class Room:
    """Arrays of a CSR result of at most so many entries."""

    def __init__(self, shape, entries):
        self.shape, self.pos = shape, np.zeros(shape[0] + 2, np.int32)
        self.crd, self.val = np.zeros(entries, np.int32), np.zeros(entries)
        self.arrays = self.pos, self.crd, self.val

    def matrix(self):
        pos = self.pos[:-1]
        return sp.csr_matrix((self.val[: pos[-1]], self.crd[: pos[-1]], pos), shape=self.shape)


class C:
    name = "C"
    threads = True

    def __init__(self, folder, threads):
        self.absent = None if shutil.which(os.environ.get("CC", "cc")) else "no C compiler"
        self.several = threads > 1
        if not self.absent:
            library = folder / "loops.so"
            flags = ["-std=c11", "-O3", "-march=native", "-shared", "-fPIC", *(["-fopenmp"] if self.several else [])]
            subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", library, SOURCE], check=True)
            self.library = ctypes.CDLL(str(library))

    def offer(self, problem):
        function, arguments, result = getattr(self, problem.op)(problem, problem.arrays)
        if self.several and function not in PARALLEL:
            return None
        native, values = getattr(self.library, function), [passed(a) for a in arguments]
        return Offer(lambda keep=arguments: native(*values), result)

    def spmv(self, problem, d):
        y = lambda: d.y
        if problem.encoding == "CSR":
            return f"spmv_csr_{'f64' if problem.dtype == np.float64 else 'f32'}", (len(d.y), *csr_arrays(d.a), d.x, d.y), y
        if problem.encoding == "CSC":
            return "spmv_csc", (*d.a.shape, *csr_arrays(d.a.tocsc()), d.x, d.y), y
        if problem.encoding == "COO":
            coo = d.a.tocoo()
            return "spmv_coo", (len(d.y), coo.nnz, coo.row, coo.col, coo.data, d.x, d.y), y
        bsr = d.a.tobsr((4, 4))
        return "spmv_bsr", (len(d.y) // 4, bsr.indptr, bsr.indices, np.ascontiguousarray(bsr.data), d.x, d.y), y

    def spmm(self, problem, d):
        return "spmm", (len(d.y), d.b.shape[1], *csr_arrays(d.a), d.b, d.y), lambda: d.y

    def spgemm(self, problem, d):
        room, n = Room(d.a.shape, d.room), d.a.shape[1]
        return "spgemm", (d.a.shape[0], *csr_arrays(d.a), *room.arrays, np.zeros(n), np.zeros(n, np.int8)), room.matrix

    def sddmm(self, problem, d):
        arguments = d.a.shape[0], d.u.shape[1], *csr_arrays(d.a), d.u, d.v, d.out
        return "sddmm", arguments, lambda: sp.csr_matrix((d.out, d.a.indices, d.a.indptr), shape=d.a.shape)

    def add(self, problem, d):
        room = Room(d.a.shape, d.room)
        return problem.op, (d.a.shape[0], *csr_arrays(d.a), *csr_arrays(d.b), *room.arrays), room.matrix

    mul = add

    def mttkrp(self, problem, d):
        return "mttkrp", (*csf_arrays(d.t), d.g, d.h, d.y), lambda: d.y

    def ttv(self, problem, d):
        room = Room(d.t.shape[:2], len(d.t.crd1))
        return "ttv", (*csf_arrays(d.t), d.z, *room.arrays), room.matrix

    def coo2csr(self, problem, d):
        room = Room(d.a.shape, d.a.nnz)
        arguments = d.a.shape[0], d.a.nnz, d.coo.row, d.coo.col, d.coo.data, *room.arrays
        return "coo2csr", arguments, room.matrix

    def csr2csc(self, problem, d):
        room = Room(d.a.shape[::-1], d.a.nnz)
        return "csr2csc", (*d.a.shape, *csr_arrays(d.a), *room.arrays), lambda: room.matrix().T

    def csr2bsr(self, problem, d):
        blocks = d.a.tobsr((4, 4)).indices.size
        pos, crd, val = np.zeros(d.a.shape[0] // 4 + 1, np.int32), np.zeros(blocks, np.int32), np.zeros((blocks, 4, 4))
        at = np.full(d.a.shape[1] // 4, -1, np.int32)
        result = lambda: sp.bsr_matrix((val, crd, pos), shape=d.a.shape)
        return "csr2bsr", (d.a.shape[0], *csr_arrays(d.a), pos, crd, val, at), result

    def dense2csr(self, problem, d):
        room = Room(d.d.shape, d.room)
        return "dense2csr", (*d.d.shape, d.d, *room.arrays), room.matrix
