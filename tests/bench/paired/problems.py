"""The kernels: what nnz is told, what the answer is, and the arrays that the peers take.

Dense operands follow from their coordinates, so that nnz makes the same ones. An answer is compared by one number:
the sum of the entries, each times a weight that tells places apart.
"""
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp

from .inputs import csr32

ENCODINGS = {
    "CSR": "(i, j) -> (i : dense, j : compressed)",
    "CSC": "(i, j) -> (j : dense, i : compressed)",
    "COO": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "BSR": "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)",
    "CSF": "(i, j, k) -> (i : compressed, j : compressed, k : compressed)",
}
# A product with more multiplications, and a dense operand with more entries, are not tried.
MOST_MULTIPLICATIONS, MOST_DENSE = 2e8, 1.5e8
# The dense matrix of `dense2csr` is a corner of this size, where the matrix is larger.
CORNER = 4096
RANK = 32


@dataclass
class Problem:
    """One kernel over one input."""

    kernel: str
    op: str
    """What peers know it by: `spmv`, `spmm`, ..."""
    encoding: str
    dtype: type
    arrays: SimpleNamespace
    session: str
    check: str
    expected: float
    sums: bool
    """Whether the order of additions matters to speed."""


class Unfit(Exception):
    """The input is not one for the kernel."""


def element_of(dtype):
    return "f64" if dtype == np.float64 else "f32"


def vector(n, dtype=np.float64):
    return (np.arange(n) % 7 - 3.0).astype(dtype)


def matrix_of(rows, columns, dtype=np.float64):
    if rows * columns > MOST_DENSE:
        raise Unfit(f"a dense operand would have {rows * columns:.2g} entries")
    i, j = np.arange(rows)[:, None], np.arange(columns)[None, :]
    return np.ascontiguousarray(((3 * i + j) % 11 - 5.0).astype(dtype))


def weighted(result):
    """The number by which answers are compared."""
    if sp.issparse(result):
        coo = sp.coo_matrix(result)
        return float((coo.data.astype(np.float64) * (coo.row % 5 + coo.col % 6 + 1.0)).sum())
    weights = sum(np.arange(n).reshape([-1 if a == axis else 1 for a in range(result.ndim)]) % (5 + axis)
                  for axis, n in enumerate(result.shape)) + 1.0
    return float((result.astype(np.float64) * weights).sum())


def encodings(*names):
    return "".join(f"#{n} = #sparse_tensor.encoding<{{ map = {ENCODINGS[n]}, posWidth = 32, crdWidth = 32 }}>\n" for n in names)


def read(name, matrix, path, encoding, element="f64"):
    return f'{name} : tensor<{"x".join(map(str, matrix.shape))}x{element}, #{encoding}> = read "{path}"\n'


def dense_session(name, rows, columns, element="f64"):
    return f"{name}(p, q) : tensor<{rows}x{columns}x{element}> = rem(3 * p + q, 11) - 5.0\n"


CHECK_VECTOR = "check : f64 = f64(y(i)) * (rem(i, 5) + 1.0)\n"
CHECK_MATRIX = "check : f64 = f64(y(i, k)) * (rem(i, 5) + rem(k, 6) + 1.0)\n"


def spmv(encoding, dtype):
    def make(kernel, a):
        element, x = element_of(dtype), vector(a.columns, dtype)
        session = encodings(encoding) + read("A", a.csr, a.path, encoding, element)
        session += f"x(j) : tensor<{a.columns}x{element}> = rem(j, 7) - 3.0\ny(i) = A(i, j) * x(j)\n"
        arrays = SimpleNamespace(a=a.csr.astype(dtype), x=x, y=np.zeros(a.rows, dtype))
        expected = weighted(a.csr @ x.astype(np.float64))
        return Problem(kernel, "spmv", encoding, dtype, arrays, session, CHECK_VECTOR, expected, True)

    return make


def spmm(columns):
    def make(kernel, a):
        b = matrix_of(a.columns, columns)
        session = encodings("CSR") + read("A", a.csr, a.path, "CSR") + dense_session("B", a.columns, columns)
        arrays = SimpleNamespace(a=a.csr, b=b, y=np.zeros((a.rows, columns)))
        expected = weighted(a.csr @ b)
        session += "y(i, k) = A(i, j) * B(j, k)\n"
        return Problem(kernel, "spmm", "CSR", np.float64, arrays, session, CHECK_MATRIX, expected, False)

    return make


def spgemm(kernel, a):
    if a.rows != a.columns:
        raise Unfit("the matrix is not square")
    lengths = np.diff(a.csr.indptr)
    work = int(lengths[a.csr.indices].sum())
    if work > MOST_MULTIPLICATIONS:
        raise Unfit(f"{work:.2g} multiplications")
    session = encodings("CSR") + read("A", a.csr, a.path, "CSR") + "y(i, k) : #CSR = A(i, j) * A(j, k)\n"
    pattern = sp.csr_matrix((np.ones(a.entries, np.float32), a.csr.indices, a.csr.indptr), shape=a.csr.shape)
    # SciPy leaves out sums that are zero.
    arrays = SimpleNamespace(a=a.csr, room=(pattern @ pattern).nnz)
    expected = weighted(a.csr @ a.csr)
    return Problem(kernel, "spgemm", "CSR", np.float64, arrays, session, CHECK_MATRIX, expected, False)


def sddmm(kernel, a):
    u, v = matrix_of(a.rows, RANK), matrix_of(a.columns, RANK)
    session = encodings("CSR") + read("A", a.csr, a.path, "CSR")
    session += dense_session("U", a.rows, RANK) + dense_session("V", a.columns, RANK)
    session += "y(i, k) : #CSR = A(i, k) * U(i, r) * V(k, r)\n"
    coo = a.csr.tocoo()
    chunks = range(0, coo.nnz, 1 << 18)
    dots = [np.einsum("pr,pr->p", u[coo.row[at : at + (1 << 18)]], v[coo.col[at : at + (1 << 18)]]) for at in chunks]
    result = sp.csr_matrix((coo.data * np.concatenate(dots), (coo.row, coo.col)), shape=a.csr.shape)
    arrays = SimpleNamespace(a=a.csr, u=u, v=v, out=np.zeros(a.csr.nnz))
    return Problem(kernel, "sddmm", "CSR", np.float64, arrays, session, CHECK_MATRIX, weighted(result), True)


def merged(op):
    def make(kernel, a):
        b = a.rotated()
        session = encodings("CSR") + read("A", a.csr, a.path, "CSR") + read("B", b, a.saved("_rotated", b), "CSR")
        session += f"y(i, k) : #CSR = A(i, k) {'+' if op == 'add' else '*'} B(i, k)\n"
        result = a.csr + b if op == "add" else a.csr.multiply(b)
        arrays = SimpleNamespace(a=a.csr, b=b, room=a.csr.nnz + b.nnz)
        return Problem(kernel, op, "CSR", np.float64, arrays, session, CHECK_MATRIX, weighted(result), False)

    return make


def csf_session(t):
    return encodings("CSF", "CSR") + read("A", t, t.path, "CSF")


def mttkrp(kernel, t):
    if t.shape[0] * RANK > MOST_DENSE:
        raise Unfit("the result is too large")
    g, h = matrix_of(t.shape[1], RANK), matrix_of(t.shape[2], RANK)
    session = csf_session(t) + dense_session("G", t.shape[1], RANK) + dense_session("H", t.shape[2], RANK)
    session += "y(i, k) = A(i, j, l) * G(j, k) * H(l, k)\n"
    i, j, k = t.coordinates
    weights = (np.arange(RANK) % 6)[None, :] + (i % 5)[:, None] + 1.0 if t.entries < 1e6 else None
    if weights is not None:
        expected = float((t.values[:, None] * g[j] * h[k] * weights).sum())
    else:
        expected = sum(float((t.values * g[j, r] * h[k, r] * (i % 5 + r % 6 + 1.0)).sum()) for r in range(RANK))
    arrays = SimpleNamespace(t=t, g=g, h=h, y=np.zeros((t.shape[0], RANK)))
    return Problem(kernel, "mttkrp", "CSF", np.float64, arrays, session, CHECK_MATRIX, expected, False)


def ttv(kernel, t):
    z = vector(t.shape[2])
    session = csf_session(t) + f"z(l) : tensor<{t.shape[2]}xf64> = rem(l, 7) - 3.0\ny(i, k) : #CSR = A(i, k, l) * z(l)\n"
    i, j, k = t.coordinates
    expected = float((t.values * z[k] * (i % 5 + j % 6 + 1.0)).sum())
    arrays = SimpleNamespace(t=t, z=z)
    return Problem(kernel, "ttv", "CSF", np.float64, arrays, session, CHECK_MATRIX, expected, True)


def converted(op, source, target):
    def make(kernel, a):
        session = encodings(source, target) + read("A", a.csr, a.path, source) + f"y(i, k) : #{target} = A(i, k)\n"
        arrays = SimpleNamespace(a=a.csr, coo=a.csr.tocoo() if source == "COO" else None)
        return Problem(kernel, op, source, np.float64, arrays, session, CHECK_MATRIX, weighted(a.csr), False)

    return make


def dense2csr(kernel, a):
    """The filter drops the zeros: in nnz every entry of a dense tensor is stored."""
    corner = csr32(a.csr[:CORNER, :CORNER])
    path, (rows, columns) = a.saved("_corner", corner), corner.shape
    session = encodings("CSR") + f'D : tensor<{rows}x{columns}xf64> = read "{path}"\n'
    session += "y(i, k) : #CSR = select(D(i, k) != 0.0, D(i, k))\n"
    arrays = SimpleNamespace(d=np.ascontiguousarray(corner.toarray()), room=corner.nnz)
    return Problem(kernel, "dense2csr", "dense", np.float64, arrays, session, CHECK_MATRIX, weighted(corner), False)


# Name -> (order of the input, how it is made).
KERNELS = {
    "spmv_csr_f64": (2, spmv("CSR", np.float64)),
    "spmv_csr_f32": (2, spmv("CSR", np.float32)),
    "spmv_csc_f64": (2, spmv("CSC", np.float64)),
    "spmv_coo_f64": (2, spmv("COO", np.float64)),
    "spmv_bsr_f64": (2, spmv("BSR", np.float64)),
    "spmm_32": (2, spmm(32)),
    "spmm_128": (2, spmm(128)),
    "spgemm": (2, spgemm),
    "sddmm_32": (2, sddmm),
    "add_csr": (2, merged("add")),
    "mul_csr": (2, merged("mul")),
    "mttkrp_32": (3, mttkrp),
    "ttv": (3, ttv),
    "coo_to_csr": (2, converted("coo2csr", "COO", "CSR")),
    "csr_to_csc": (2, converted("csr2csc", "CSR", "CSC")),
    "csr_to_bsr": (2, converted("csr2bsr", "CSR", "BSR")),
    "dense_to_csr": (2, dense2csr),
}
