"""Eigen (Debian's `libeigen3-dev`), compiled by `c++ -O3 -march=native`."""
import ctypes
import os
import pathlib
import shutil
import subprocess

import numpy as np
import scipy.sparse as sp

from . import Offer
from .c import csr_arrays, passed
from .mkl import array

SOURCE = pathlib.Path(__file__).with_name("eigen.cpp")
# Where Eigen uses several threads.
PARALLEL = {"spmv_csr_f64", "spmv_csr_f32", "spmm"}


class Eigen:
    name = "eigen"
    threads = True

    def __init__(self, folder, threads):
        include, compiler = os.environ.get("NNZ_EIGEN", "/usr/include/eigen3"), os.environ.get("CXX", "c++")
        self.absent, self.several = None, threads > 1
        if not pathlib.Path(include, "Eigen/Sparse").exists():
            self.absent = f"no Eigen/Sparse below {include} (apt install libeigen3-dev)"
        elif not shutil.which(compiler):
            self.absent = "no C++ compiler"
        else:
            library = folder / "eigen.so"
            flags = ["-O3", "-march=native", "-DNDEBUG", "-shared", "-fPIC", *(["-fopenmp"] if self.several else [])]
            subprocess.run([compiler, *flags, "-I", include, "-o", library, SOURCE], check=True)
            self.library = ctypes.CDLL(str(library))
            for name in ("result_pos", "result_crd", "result_val"):
                getattr(self.library, name).restype = ctypes.c_void_p

    def offer(self, problem):
        found = getattr(self, problem.op, lambda *_: None)(problem, problem.arrays)
        if found is None or (self.several and found[0] not in PARALLEL):
            return None
        function, arguments, result = found
        native, values = getattr(self.library, function), [passed(a) for a in arguments]
        return Offer(lambda keep=arguments: native(*values), result)

    def made(self, shape, by_columns=False):
        def result():
            arrays = [getattr(self.library, f"result_{name}")(int(by_columns)) for name in ("pos", "crd", "val")]
            pos = array(arrays[0], shape[by_columns] + 1, ctypes.c_int32)
            crd, val = array(arrays[1], pos[-1], ctypes.c_int32), array(arrays[2], pos[-1], ctypes.c_double)
            return (sp.csc_matrix if by_columns else sp.csr_matrix)((val, crd, pos), shape=shape)

        return result

    def spmv(self, problem, d):
        if problem.encoding == "CSR":
            name = "spmv_csr_f64" if problem.dtype == np.float64 else "spmv_csr_f32"
            return name, (*d.a.shape, *csr_arrays(d.a), d.x, d.y), lambda: d.y
        if problem.encoding == "CSC":
            return "spmv_csc", (*d.a.shape, *csr_arrays(d.a.tocsc()), d.x, d.y), lambda: d.y
        return None

    def spmm(self, problem, d):
        return "spmm", (*d.a.shape, *csr_arrays(d.a), d.b.shape[1], d.b, d.y), lambda: d.y

    def spgemm(self, problem, d):
        return "spgemm", (*d.a.shape, *csr_arrays(d.a)), self.made(d.a.shape)

    def add(self, problem, d):
        return problem.op, (*d.a.shape, *csr_arrays(d.a), *csr_arrays(d.b)), self.made(d.a.shape)

    mul = add

    def coo2csr(self, problem, d):
        return "coo2csr", (*d.a.shape, d.coo.nnz, d.coo.row, d.coo.col, d.coo.data), self.made(d.a.shape)

    def csr2csc(self, problem, d):
        return "csr2csc", (*d.a.shape, *csr_arrays(d.a)), self.made(d.a.shape, by_columns=True)

    def dense2csr(self, problem, d):
        return "dense2csr", (*d.d.shape, d.d), self.made(d.d.shape)
