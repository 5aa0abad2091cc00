"""The matrices and tensors: files below NNZ_DATA, and made ones: `poisson2d_N` on a grid of N by N points, `rmat_S_E`
of 2^S rows and E entries in each, both by nnz's own generators, and `zipf_Nk`, a tensor of some N thousand entries.
"""
import os
import pathlib
import re
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
# Of at least five million entries each.
LARGE = ["poisson2d_1001", "rmat_18_24", "zipf_6500k"]
MATRIX = re.compile(r"(poisson2d)_(\d+)|(rmat)_(\d+)_(\d+)")
TENSOR = re.compile(r"zipf_(\d+)k")


class Missing(Exception):
    """An input that is not there."""


def default_names():
    return [*FILES, *LARGE]


def is_made(name):
    return bool(MATRIX.fullmatch(name) or TENSOR.fullmatch(name))


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


def zipf(drawn):
    """Skewed in every dimension, as data about people and words is; what is drawn twice is there once."""
    random, shape = np.random.default_rng(7), np.array([100_000, 2_000, 50_000])
    coordinates = (shape * random.random((drawn, 3)) ** 3).astype(np.int64)
    flat = np.unique(np.ravel_multi_index(coordinates.T, shape))
    return shape, np.stack(np.unravel_index(flat, shape), axis=1), random.integers(1, 9, len(flat)).astype(float)


def generator(name):
    """nnz's words for a made matrix."""
    grid, points, _, scale, entries = MATRIX.fullmatch(name).groups()
    return f"poisson2d(n = {points})" if grid else f"rmat(scale = {scale}, edge_factor = {entries}, seed = 1)"


def generated(name, nnz, folder):
    path = folder / f"{name}.mtx"
    if not path.exists():
        statements = f'A : COO = {generator(name)}\n:write A "{path}"'
        subprocess.run([nnz, "-c", statements], check=True, stdout=subprocess.DEVNULL)
    return scipy.io.mmread(path)


def find(name):
    data = os.environ.get("NNZ_DATA")
    for path in [pathlib.Path(name), *([pathlib.Path(data) / name] if data else [])]:
        if path.exists():
            return path
    raise Missing(f"{name}: not here, nor below NNZ_DATA ({data or 'not set'})")


def order_of(name):
    return 3 if TENSOR.fullmatch(name) or ".tns" in name else 2


def load(name, nnz, folder):
    if MATRIX.fullmatch(name):
        return Matrix(name, generated(name, nnz, folder), folder)
    if made := TENSOR.fullmatch(name):
        return Tensor(name, *zipf(1000 * int(made[1])), folder)
    path = find(name)
    short = path.name.split(".")[0]
    if order_of(name) == 3:
        return Tensor(short, *frostt(path), folder)
    return Matrix(short, scipy.io.mmread(path), folder)
