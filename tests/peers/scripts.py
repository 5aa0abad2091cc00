#!/usr/bin/env python3
"""Functions of SparseTIR compute what SciPy and NumPy compute, over random matrices: products in CSR, in blocks and in
ELL, products at stored places, sums of rows of any length and of columns, coordinates that are searched for, and rows
divided by their sums; and products whose matrix is decomposed into blocks of several sizes, ELL, hyb and CSR. Every
function runs at all three stages; scheduled ones run at stages II and III.

Takes the command from $NNZ, else builds it. Skipped where SciPy is not installed.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from setting import program, skipped

try:
    import numpy as np
    import scipy.sparse as sp
except ImportError as missing:
    skipped(f"{missing} (pip install scipy)")

NNZ = program("NNZ", "-p", "nnz")
SCRIPTS = Path(__file__).resolve().parent.parent / "suite/tir/scripts"
RNG = np.random.default_rng(12)

MORE = '''from tvm.script import tir as T


@T.prim_func
def sampled(a: T.handle, x: T.handle, z: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32,
            k: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(k)
    A = T.sp.match_buffer(a, [I, J], "float64")
    X = T.sp.match_buffer(x, [I, K], "float64")
    Z = T.sp.match_buffer(z, [K, JD], "float64")
    Y = T.sp.match_buffer(y, [I, J], "float64")
    with T.sp.iteration([T.sp.fuse(I, J), K], "SSR", "sampled") as [i, j, k]:
        with T.init():
            Y[i, j] = 0.0
        Y[i, j] = Y[i, j] + A[i, j] * X[i, k] * Z[k, j]


@T.prim_func
def sums(x: T.handle, y: T.handle, p: T.handle, n: T.int32, longest: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.dense_varied(I, (longest, nnz), p)
    X = T.sp.match_buffer(x, [I, J], "float64")
    Y = T.sp.match_buffer(y, [I], "float64")
    with T.sp.iteration([I, J], "SR", "sums") as [i, j]:
        with T.init():
            Y[i] = 0.0
        Y[i] = Y[i] + X[i, j]
'''


def run(script, function, **arrays):
    """What a function writes, by names; the same at every stage, but for the shapes of arrays that are not given."""
    first, *others = (run_at(stage, script, function, arrays) for stage in "123")
    for other in others:
        for name, wanted in first.items():
            np.testing.assert_array_equal(other[name].ravel(), wanted.ravel(), err_msg=f"{function}: the stages differ")
    return first


def run_at(stage, script, function, arrays):
    with tempfile.TemporaryDirectory() as folder:
        given, result = Path(folder) / "given.npz", Path(folder) / "result.npz"
        np.savez(given, **arrays)
        command = [NNZ, "run", script, "--function", function, "--stage", stage, "--bind", given, "--output", result]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            sys.exit(f"{function} at stage {stage}: {ran.stderr}")
        with np.load(result) as archive:
            return dict(archive)


def agree(name, found, wanted):
    if not np.allclose(found, wanted, rtol=1e-5, atol=1e-5):
        sys.exit(f"{name}: nnz gives\n{found}\nand SciPy\n{wanted}")
    print(f"{name}: {np.asarray(wanted).size} elements agree")


def matrix(rows, columns, dtype="float32"):
    drawn = sp.random(rows, columns, 0.2, format="csr", rng=RNG, dtype=dtype)
    drawn.sort_indices()
    return drawn


def dense(*shape, dtype="float32"):
    return RNG.standard_normal(shape).astype(dtype)


def structure(of):
    return {"p": of.indptr.astype("int32"), "q": of.indices.astype("int32"), "nnz": np.int32(of.nnz)}


def products():
    products = SCRIPTS / "products.py"
    a, b = matrix(40, 30), dense(30, 8)
    given = dict(indptr=a.indptr, indices=a.indices, rows=np.int32(40), columns=np.int32(30), width=np.int32(8), nnz=np.int32(a.nnz))
    agree("csr", run(products, "csr_times_dense", a=a.data, b=b, **given)["c"], a @ b)

    blocks = sp.bsr_array(matrix(24, 16), blocksize=(4, 4))
    blocks.sort_indices()
    b = dense(16, 5)
    given = dict(indptr=blocks.indptr, indices=blocks.indices, nb=np.int32(6), mb=np.int32(4), size=np.int32(4), width=np.int32(5))
    found = run(products, "blocks_times_dense", a=blocks.data.ravel(), b=b, nnzb=np.int32(len(blocks.indices)), **given)
    agree("blocks", found["c"].reshape(24, 5), blocks @ b)

    places = np.stack([np.sort(RNG.choice(30, 3, replace=False)) for _ in range(20)]).astype("int32")
    values, b = dense(20, 3), dense(30, 6)
    full = np.zeros((20, 30), "float32")
    np.put_along_axis(full, places, values, 1)
    given = dict(rows=np.int32(20), columns=np.int32(30), per_row=np.int32(3), width=np.int32(6))
    agree("ell", run(products, "ell_times_dense", a=values, b=np.asfortranarray(b), indices=places, **given)["c"], full @ b)


def others():
    with tempfile.TemporaryDirectory() as folder:
        more = Path(folder) / "more.py"
        more.write_text(MORE)
        a, x, z = matrix(25, 20, "float64"), dense(25, 4, dtype="float64"), dense(4, 20, dtype="float64")
        given = dict(n=np.int32(25), m=np.int32(20), k=np.int32(4), **structure(a))
        agree("sampled", run(more, "sampled", a=a.data, x=x, z=z, **given)["y"], a.multiply(x @ z).tocsr().data)
        given = dict(p=a.indptr, n=np.int32(25), longest=np.int32(20), nnz=np.int32(a.nnz))
        agree("sums", run(more, "sums", x=a.data, **given)["y"], np.asarray(a.sum(axis=1)).ravel())

    searched()

    a = matrix(15, 15)
    given = dict(n=np.int32(15), m=np.int32(15), **structure(a))
    given["c"] = given.pop("q")
    exponents = a.copy()
    exponents.data = np.exp(a.data)
    wanted = exponents.data / np.repeat(np.asarray(exponents.sum(axis=1)).ravel(), np.diff(a.indptr))
    agree("rows by sums", run(SCRIPTS / "nested.py", "rows_by_sums", a=a.data, **given)["y"], wanted)


def searched():
    scripts = SCRIPTS / "searched.py"
    a, b = matrix(20, 16), dense(16, 3)
    given = dict(n=np.int32(20), m=np.int32(16), **structure(a))
    agree("over all columns", run(scripts, "over_all_columns", a=a.data, b=b, width=np.int32(3), **given)["c"], a @ b)
    agree("column sums", run(scripts, "column_sums", a=a.data, **given)["y"], np.asarray(a.sum(axis=0)).ravel())
    blocks = sp.bsr_array(a, blocksize=(2, 2))
    blocks.sort_indices()
    given |= dict(pb=blocks.indptr, qb=blocks.indices, nb=np.int32(10), mb=np.int32(8), nnzb=np.int32(len(blocks.indices)))
    agree("to blocks", run(scripts, "to_blocks", a=a.data, **given)["y"].ravel(), blocks.data.ravel())


def decomposed():
    """Products whose matrix is stored in parts, from the arrays of one in CSR."""
    text = (SCRIPTS / "decomposed.py").read_text()
    a = matrix(50, 37)
    # A dense block, and a row that is longer than any in ELL.
    full = a.toarray()
    full[8:16, 8:16] = dense(8, 8)
    full[49] = dense(37)
    a = sp.csr_array(full)
    b, x, z, y = dense(37, 6), dense(37), dense(50, 3), dense(3, 37)
    shape = dict(n=np.int32(50), m=np.int32(37), a=a.data, **structure(a))
    formats = {
        "blocks of 4": "[blocks(4)]",
        "blocks of 16, 8, 4 and 2": "[blocks(size) for size in [16, 8, 4, 2]]",
        "blocks and CSR": "[blocks(8), csr]",
        "ELL": "[rows_of(each) for each in [1, 2, 4, 8]]",
        "ELL of the longest row": "[whole_rows]",
        "hyb": "hyb(3, 13, [1, 2, 4])",
        "groups of 4": "[padded]",
        "DCSR": "[dcsr]",
    }
    for name, rules in formats.items():
        with tempfile.TemporaryDirectory() as folder:
            for function, given, result, wanted in [
                ("spmm", dict(b=b, w=np.int32(6)), "c", a @ b),
                ("spmv", dict(x=x), "y", a @ x),
                ("sddmm", dict(x=z, z=y, w=np.int32(3)), "y", a.multiply(z @ y).tocsr().data),
            ]:
                script = Path(folder) / f"{function}.py"
                script.write_text(f"{text}\nmod = format_decompose({function}, {rules})\n")
                agree(f"{function} in {name}", run(script, function, **shape, **given)[result].ravel(), np.ravel(wanted))


STEPS = {
    "copies": """
block = sch.get_block("spmm1")
sch.cache_read(block, "B", "shared")
copy = sch.cache_write(block, "C", "local")
(i,) = sch.get_loops(sch.get_block("spmm0"))
sch.reverse_compute_at(copy, i)
sch.parallel(i)
""",
    "a copy of what a turn reads": """
j, k = sch.get_loops(sch.get_block("spmm1"))
outer, inner = sch.split(k, [None, 4])
copy = sch.cache_read(sch.get_block("spmm1"), "B", "shared")
sch.compute_at(copy, outer)
""",
    "sums by parts": """
j, k = sch.get_loops(sch.get_block("spmm1"))
outer, inner = sch.split(j, [None, 4])
part = sch.rfactor(inner)
""",
}
OF_PARTS = """
for size in [4, 2]:
    block = sch.get_block(f"spmm_{size}1")
    jo, ji, k = sch.get_loops(block)
    sch.cache_read(block, "B", "shared")
    sch.vectorize(k)
"""


def scheduled():
    """Products after steps of schedules, of which one adds up in another order."""
    text = (SCRIPTS / "decomposed.py").read_text()
    a, b = matrix(50, 37), dense(37, 6)
    given = dict(n=np.int32(50), m=np.int32(37), w=np.int32(6), a=a.data, b=b, **structure(a))
    steps = {name: f"sch = tvm.tir.Schedule(spmm)\n{steps}" for name, steps in STEPS.items()}
    parts = "mod = format_decompose(spmm, [blocks(size) for size in [4, 2]])\nsch = tvm.tir.Schedule(mod)\n"
    for name, steps in {**steps, "copies of parts": parts + OF_PARTS}.items():
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "scheduled.py"
            script.write_text(f"{text}\n{steps}")
            second, third = (run_at(stage, script, "spmm", given)["c"] for stage in "23")
            np.testing.assert_array_equal(second.ravel(), third.ravel(), err_msg=f"{name}: the stages differ")
            agree(f"spmm with {name}", third, a @ b)


products()
others()
decomposed()
scheduled()
