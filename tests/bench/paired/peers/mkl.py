"""MKL's sparse routines (`pip install mkl`), as they take a matrix, and after its inspector was told of a thousand
calls: it then keeps a copy in a layout of its own."""
import ctypes
import glob
import os
import sys

import numpy as np
import scipy.sparse as sp

from . import Offer
from .c import pointer

FOLDERS = [f"{sys.prefix}/lib", "/usr/lib/x86_64-linux-gnu", "/opt/intel/oneapi/mkl/latest/lib"]
PLAIN, TRANSPOSED, ROW_MAJOR, CALLS = 10, 11, 101, 1000


class Description(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diagonal", ctypes.c_int)]


GENERAL = Description(20, 0, 0)


class Failed(Exception):
    """MKL's status was not that of success."""


def checked(status):
    if status != 0:
        raise Failed(f"MKL answers {status}")


def find():
    names = [os.environ.get("NNZ_MKL"), *(path for f in FOLDERS for path in sorted(glob.glob(f"{f}/libmkl_rt.so*")))]
    for path in filter(None, names):
        try:
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
    return None


class Mkl:
    name = "mkl"
    threads = True

    def __init__(self, folder, threads):
        self.library = find()
        self.absent = None if self.library else "no libmkl_rt.so (pip install mkl)"

    def offer(self, problem):
        return getattr(self, problem.op, lambda *_: None)(problem, problem.arrays)

    def handle(self, a, encoding, letter="d"):
        """A matrix of MKL's over arrays that it keeps a pointer to."""
        if encoding == "BSR":
            a = a.tobsr((4, 4))
        else:
            a = a.asformat(encoding.lower())
        handle, data = ctypes.c_void_p(), np.ascontiguousarray(a.data)
        create = getattr(self.library, f"mkl_sparse_{letter}_create_{encoding.lower()}")
        if encoding == "COO":
            arrays = [a.row, a.col, data]
            checked(create(ctypes.byref(handle), 0, *a.shape, a.nnz, *map(pointer, arrays)))
        else:
            arrays = [a.indptr, a.indptr[1:], a.indices, data]
            sizes = [ROW_MAJOR, a.shape[0] // 4, a.shape[1] // 4, 4] if encoding == "BSR" else a.shape
            checked(create(ctypes.byref(handle), 0, *sizes, *map(pointer, arrays)))
        handle.arrays = arrays, a
        return handle

    def inspect_mv(self, a):
        """Nothing is prepared."""

    def inspect_mm(self, a, columns):
        """Nothing is prepared."""

    def spmv(self, problem, d):
        letter, number = ("d", ctypes.c_double) if problem.dtype == np.float64 else ("s", ctypes.c_float)
        a = self.handle(d.a, problem.encoding, letter)
        self.inspect_mv(a)
        multiply, x, y = getattr(self.library, f"mkl_sparse_{letter}_mv"), pointer(d.x), pointer(d.y)
        return Offer(lambda: checked(multiply(PLAIN, number(1), a, GENERAL, x, number(0), y)), lambda: d.y)

    def spmm(self, problem, d):
        a, k = self.handle(d.a, "CSR"), d.b.shape[1]
        self.inspect_mm(a, k)
        b, y, one, zero = pointer(d.b), pointer(d.y), ctypes.c_double(1), ctypes.c_double(0)
        multiply = self.library.mkl_sparse_d_mm
        return Offer(lambda: checked(multiply(PLAIN, one, a, GENERAL, ROW_MAJOR, b, k, k, zero, y, k)), lambda: d.y)

    def made(self, make, export="csr"):
        """An offer that makes a matrix, and forgets the one before."""
        result = ctypes.c_void_p()

        def call():
            if result:
                checked(self.library.mkl_sparse_destroy(result))
                result.value = None
            checked(make(ctypes.byref(result)))
            if export == "csr":
                checked(self.library.mkl_sparse_order(result))

        return Offer(call, lambda: self.exported(result, export))

    def exported(self, handle, format):
        base, rows, columns, layout, size = (ctypes.c_int() for _ in range(5))
        starts, ends, indices, values = (ctypes.c_void_p() for _ in range(4))
        sizes = [rows, columns] if format != "bsr" else [layout, rows, columns, size]
        outputs = [base, *sizes, starts, ends, indices, values]
        checked(getattr(self.library, f"mkl_sparse_d_export_{format}")(handle, *map(ctypes.byref, outputs)))
        pos = array(starts, rows.value + 1, ctypes.c_int32)
        crd = array(indices, pos[-1], ctypes.c_int32)
        if format == "bsr":
            edge = size.value
            blocks = array(values, pos[-1] * edge * edge, ctypes.c_double).reshape(-1, edge, edge)
            return sp.bsr_matrix((blocks, crd, pos), shape=(rows.value * edge, columns.value * edge))
        return sp.csr_matrix((array(values, pos[-1], ctypes.c_double), crd, pos), shape=(rows.value, columns.value))

    def spgemm(self, problem, d):
        a = self.handle(d.a, "CSR")
        return self.made(lambda out: self.library.mkl_sparse_spmm(PLAIN, a, a, out))

    def add(self, problem, d):
        a, b = self.handle(d.a, "CSR"), self.handle(d.b, "CSR")
        return self.made(lambda out: self.library.mkl_sparse_d_add(PLAIN, a, ctypes.c_double(1), b, out))

    def coo2csr(self, problem, d):
        a = self.handle(d.coo, "COO")
        return self.made(lambda out: self.library.mkl_sparse_convert_csr(a, PLAIN, out))

    def csr2csc(self, problem, d):
        """MKL 2026 has no such conversion but that to the transposed matrix in CSR, which has the same arrays."""
        a = self.handle(d.a, "CSR")
        offer = self.made(lambda out: self.library.mkl_sparse_convert_csr(a, TRANSPOSED, out))
        return Offer(offer.call, lambda: offer.result().T)

    def csr2bsr(self, problem, d):
        a = self.handle(d.a, "CSR")
        return self.made(lambda out: self.library.mkl_sparse_convert_bsr(a, 4, ROW_MAJOR, PLAIN, out), "bsr")

    def dense2csr(self, problem, d):
        (m, n), nnz = d.d.shape, d.room
        pos, crd, val = np.zeros(m + 1, np.int32), np.zeros(nnz, np.int32), np.zeros(nnz)
        job = (ctypes.c_int * 6)(0, 0, 0, 2, nnz, 1)
        integers = [ctypes.c_int(x) for x in (m, n)]
        lead, info = ctypes.c_int(n), ctypes.c_int()
        arguments = [job, *map(ctypes.byref, integers), pointer(d.d), ctypes.byref(lead), *map(pointer, (val, crd, pos))]
        call = lambda keep=(pos, crd, val): self.library.mkl_ddnscsr(*arguments, ctypes.byref(info))
        return Offer(call, lambda: sp.csr_matrix((val, crd, pos), shape=(m, n)))


class Inspected(Mkl):
    """MKL over the layout that its inspector chooses."""

    name = "mkl-inspected"

    def offer(self, problem):
        return super().offer(problem) if problem.op in ("spmv", "spmm") else None

    def inspect_mv(self, a):
        self.library.mkl_sparse_set_mv_hint(a, PLAIN, GENERAL, CALLS)
        checked(self.library.mkl_sparse_optimize(a))

    def inspect_mm(self, a, columns):
        self.library.mkl_sparse_set_mm_hint(a, PLAIN, GENERAL, ROW_MAJOR, columns, CALLS)
        checked(self.library.mkl_sparse_optimize(a))


def array(address, count, kind):
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(kind)), (max(int(count), 1),))[: int(count)].copy()
