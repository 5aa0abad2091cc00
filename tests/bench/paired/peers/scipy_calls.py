"""SciPy, which uses one thread."""
import scipy.sparse as sp

from . import Offer


def kept(call):
    """An offer whose result is what the call returns."""
    last = []

    def run():
        last[:] = [call()]

    return Offer(run, lambda: last[0])


def ordered(matrix):
    """The other programs' results have their columns in order."""
    matrix.sort_indices()
    return matrix


class SciPy:
    name = "scipy"
    threads = False
    absent = None

    def __init__(self, folder, threads):
        pass

    def offer(self, problem):
        call = getattr(self, problem.op, lambda *_: None)(problem, problem.arrays)
        return call and kept(call)

    def spmv(self, problem, d):
        a = d.a.tobsr((4, 4)) if problem.encoding == "BSR" else d.a.asformat(problem.encoding.lower())
        return lambda: a @ d.x

    def spmm(self, problem, d):
        return lambda: d.a @ d.b

    def spgemm(self, problem, d):
        return lambda: ordered(d.a @ d.a)

    def add(self, problem, d):
        return lambda: d.a + d.b

    def mul(self, problem, d):
        return lambda: d.a.multiply(d.b)

    def coo2csr(self, problem, d):
        return lambda: ordered(d.coo.tocsr())

    def csr2csc(self, problem, d):
        return lambda: d.a.tocsc()

    def csr2bsr(self, problem, d):
        return lambda: ordered(d.a.tobsr((4, 4)))

    def dense2csr(self, problem, d):
        return lambda: sp.csr_matrix(d.d)
