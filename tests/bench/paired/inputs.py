"""The matrices and tensors: files below NNZ_DATA, and two of each kind of at least five million entries, made here."""
import os
import pathlib
import subprocess

import numpy as np
import scipy.io
import scipy.sparse as sp

FILES = [
    "bcsstk13.mtx",
    "gnn_pubmed.mtx.gz",
    "power_jac_13659pegase.mtx.gz",
    "dlmc_tr_mag0.9_ffn1.mtx.gz",
    "wing.mtx.gz",
    "bayer10.mtx",
    "kg_wn18rr.tns",
]
# By nnz's own generators.
MADE = {"poisson2d_1001": "poisson2d(n = 1001)", "rmat_18_24": "rmat(scale = 18, edge_factor = 24, seed = 1)"}
MADE_TENSOR = "zipf_5m"


class Missing(Exception):
    """An input that is not there."""


def default_names():
    return [*FILES, *MADE, MADE_TENSOR]


def whole_blocks(size):
    return -(-size // 4) * 4


class Matrix:
    """In CSR with 32-bit positions and coordinates, both sizes multiples of four, no entry twice, none zero."""

    order = 2

    def __init__(self, name, matrix, folder):
        self.name = name
        matrix = sp.csr_matrix(matrix).astype(np.float64)
        matrix.resize([whole_blocks(size) for size in matrix.shape])
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        matrix.sort_indices()
        self.csr = csr32(matrix)
        self.rows, self.columns = self.csr.shape
        self.folder = folder
        self.path = self.saved("", self.csr)

    @property
    def entries(self):
        return self.csr.nnz

    def saved(self, suffix, matrix):
        """The file of a matrix derived from this one, for nnz."""
        path = self.folder / f"{self.name}{suffix}.npz"
        if not path.exists():
            sp.save_npz(path, sp.coo_matrix(matrix), compressed=False)
        return path

    def rotated(self):
        """Columns moved on by one, halves of the values."""
        turned = self.csr.tocoo()
        turned = sp.csr_matrix((turned.data * 0.5, (turned.row, (turned.col + 1) % self.columns)), shape=self.csr.shape)
        turned.sort_indices()
        return csr32(turned)


def csr32(matrix):
    parts = matrix.data, matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    result = sp.csr_matrix(parts, shape=matrix.shape)
    result.has_sorted_indices = True
    return result


class Tensor:
    """Of order three, by slices and fibers (CSF), 32-bit positions and coordinates."""

    order = 3

    def __init__(self, name, shape, coordinates, values, folder):
        self.name, self.shape = name, tuple(int(n) for n in shape)
        order = np.lexsort(coordinates.T[::-1])
        coordinates, self.values = coordinates[order].astype(np.int32), np.ascontiguousarray(values[order])
        i, j, k = coordinates.T
        fiber = np.flatnonzero(np.r_[True, (i[1:] != i[:-1]) | (j[1:] != j[:-1])])
        slices = np.flatnonzero(np.r_[True, i[fiber][1:] != i[fiber][:-1]])
        self.pos0 = np.array([0, len(slices)], np.int32)
        self.crd0 = np.ascontiguousarray(i[fiber][slices])
        self.pos1, self.crd1 = np.r_[slices, len(fiber)].astype(np.int32), np.ascontiguousarray(j[fiber])
        self.pos2, self.crd2 = np.r_[fiber, len(i)].astype(np.int32), np.ascontiguousarray(k)
        self.coordinates = (i, j, k)
        self.path = folder / f"{name}.npz"
        if not self.path.exists():
            sp.save_npz(self.path, sp.coo_array((self.values, (i, j, k)), shape=self.shape), compressed=False)

    @property
    def entries(self):
        return len(self.values)


def frostt(path):
    rows = np.loadtxt(path, comments="#")
    coordinates = rows[:, :3].astype(np.int64) - 1
    return coordinates.max(axis=0) + 1, coordinates, rows[:, 3]


def zipf():
    """Skewed in every dimension, as data about people and words is."""
    random, shape = np.random.default_rng(7), np.array([100_000, 2_000, 50_000])
    coordinates = (shape * random.random((6_500_000, 3)) ** 3).astype(np.int64)
    flat = np.unique(np.ravel_multi_index(coordinates.T, shape))
    return shape, np.stack(np.unravel_index(flat, shape), axis=1), random.integers(1, 9, len(flat)).astype(float)


def generated(name, nnz, folder):
    path = folder / f"{name}.mtx"
    if not path.exists():
        statements = f'A : COO = {MADE[name]}\n:write A "{path}"'
        subprocess.run([nnz, "-c", statements], check=True, stdout=subprocess.DEVNULL)
    return scipy.io.mmread(path)


def find(name):
    data = os.environ.get("NNZ_DATA")
    for path in [pathlib.Path(name), *([pathlib.Path(data) / name] if data else [])]:
        if path.exists():
            return path
    raise Missing(f"{name}: not here, nor below NNZ_DATA ({data or 'not set'})")


def order_of(name):
    return 3 if name == MADE_TENSOR or ".tns" in name else 2


def load(name, nnz, folder):
    if name in MADE:
        return Matrix(name, generated(name, nnz, folder), folder)
    if name == MADE_TENSOR:
        return Tensor(name, *zipf(), folder)
    path = find(name)
    short = path.name.split(".")[0]
    if order_of(name) == 3:
        return Tensor(short, *frostt(path), folder)
    return Matrix(short, scipy.io.mmread(path), folder)
