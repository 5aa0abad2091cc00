"""The same loops in Python, compiled by Numba (`pip install numba`)."""
import importlib.util
import os
import warnings

import numpy as np
import scipy.sparse as sp

from . import Offer
from .c import Room, csr_arrays

if importlib.util.find_spec("numba"):
    import numba

    # Parallel loops of one thread cost what a thread's start does.
    warnings.filterwarnings("ignore", category=numba.errors.NumbaPerformanceWarning)
    several = int(os.environ.get("NUMBA_NUM_THREADS", "1")) > 1
    compiled = numba.njit(parallel=several)
    rows = numba.prange

    @compiled
    def spmv_csr(pos, crd, val, x, y):
        for i in rows(len(y)):
            total = y.dtype.type(0)
            for p in range(pos[i], pos[i + 1]):
                total += val[p] * x[crd[p]]
            y[i] = total

    @numba.njit
    def spmv_csc(pos, crd, val, x, y):
        y[:] = 0
        for j in range(len(x)):
            for p in range(pos[j], pos[j + 1]):
                y[crd[p]] += val[p] * x[j]

    @numba.njit
    def spmv_coo(row, col, val, x, y):
        y[:] = 0
        for p in range(len(val)):
            y[row[p]] += val[p] * x[col[p]]

    @compiled
    def spmm(pos, crd, val, b, y):
        for i in rows(y.shape[0]):
            y[i, :] = 0.0
            for p in range(pos[i], pos[i + 1]):
                for r in range(y.shape[1]):
                    y[i, r] += val[p] * b[crd[p], r]

    @compiled
    def sddmm(pos, crd, val, u, v, out):
        for i in rows(u.shape[0]):
            for p in range(pos[i], pos[i + 1]):
                total = 0.0
                for r in range(u.shape[1]):
                    total += u[i, r] * v[crd[p], r]
                out[p] = val[p] * total

    @compiled
    def mttkrp(crd0, pos1, crd1, pos2, crd2, val, g, h, y):
        y[:, :] = 0.0
        for s in rows(len(crd0)):
            for f in range(pos1[s], pos1[s + 1]):
                total = np.zeros(32)
                for p in range(pos2[f], pos2[f + 1]):
                    for r in range(32):
                        total[r] += val[p] * h[crd2[p], r]
                for r in range(32):
                    y[crd0[s], r] += total[r] * g[crd1[f], r]

    @numba.njit
    def add(ap, ac, av, bp, bc, bv, cp, cc, cv):
        n = 0
        for i in range(len(ap) - 1):
            p, q = ap[i], bp[i]
            while p < ap[i + 1] or q < bp[i + 1]:
                left = q >= bp[i + 1] or (p < ap[i + 1] and ac[p] <= bc[q])
                right = p >= ap[i + 1] or (q < bp[i + 1] and bc[q] <= ac[p])
                cc[n] = ac[p] if left else bc[q]
                cv[n] = (av[p] if left else 0.0) + (bv[q] if right else 0.0)
                p, q, n = p + left, q + right, n + 1
            cp[i + 1] = n

    @numba.njit
    def mul(ap, ac, av, bp, bc, bv, cp, cc, cv):
        n = 0
        for i in range(len(ap) - 1):
            p, q = ap[i], bp[i]
            while p < ap[i + 1] and q < bp[i + 1]:
                if ac[p] == bc[q]:
                    cc[n], cv[n] = ac[p], av[p] * bv[q]
                    n += 1
                p, q = p + (ac[p] <= bc[q]), q + (bc[q] <= ac[p])
            cp[i + 1] = n


class Numba:
    name = "numba"
    threads = True

    def __init__(self, folder, threads):
        self.absent = None if importlib.util.find_spec("numba") else "not installed (pip install numba)"
        self.several = threads > 1

    def offer(self, problem):
        return getattr(self, problem.op, lambda *_: None)(problem, problem.arrays)

    def spmv(self, problem, d):
        y = lambda: d.y
        if problem.encoding == "CSR":
            return Offer(lambda: spmv_csr(*csr_arrays(d.a), d.x, d.y), y)
        if self.several or problem.encoding == "BSR":
            return None
        if problem.encoding == "CSC":
            csc = d.a.tocsc()
            return Offer(lambda: spmv_csc(*csr_arrays(csc), d.x, d.y), y)
        coo = d.a.tocoo()
        return Offer(lambda: spmv_coo(coo.row, coo.col, coo.data, d.x, d.y), y)

    def spmm(self, problem, d):
        return Offer(lambda: spmm(*csr_arrays(d.a), d.b, d.y), lambda: d.y)

    def sddmm(self, problem, d):
        result = lambda: sp.csr_matrix((d.out, d.a.indices, d.a.indptr), shape=d.a.shape)
        return Offer(lambda: sddmm(*csr_arrays(d.a), d.u, d.v, d.out), result)

    def mttkrp(self, problem, d):
        t = d.t
        return Offer(lambda: mttkrp(t.crd0, t.pos1, t.crd1, t.pos2, t.crd2, t.values, d.g, d.h, d.y), lambda: d.y)

    def merged(self, loop, d):
        if self.several:
            return None
        room = Room(d.a.shape, d.room)
        return Offer(lambda: loop(*csr_arrays(d.a), *csr_arrays(d.b), room.pos[:-1], room.crd, room.val), room.matrix)

    def add(self, problem, d):
        return self.merged(add, d)

    def mul(self, problem, d):
        return self.merged(mul, d)
