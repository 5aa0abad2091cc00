#!/usr/bin/env python3
"""Files beside SciPy: what SciPy writes we read, what we write SciPy reads, and the real files of
$NNZ_DATA (where set) have SciPy's shape, entries and sum. Takes the reader from $NNZ_READ_FILE, else builds it.
"""
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile

from setting import program, skipped

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError as missing:
    skipped(missing)

failures, passed = [], 0


def run(*args, text=""):
    done = subprocess.run([READER, *args], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr.strip())
    return done.stdout


def dump(path):
    """The tensor in a file as we read it, dense."""
    answer = json.loads(run("dump", path))
    is_complex = answer["element"].startswith("complex")
    values = [complex(*value) for value in answer["values"]] if is_complex else answer["values"]
    whole = answer["element"][0] in "iu"
    dense = np.zeros(answer["shape"], dtype=complex if is_complex else object if whole else float)
    np.add.at(dense, tuple(np.array(column, dtype=np.int64) for column in answer["coords"]), values)
    return dense


def check(name, question):
    global passed
    try:
        question()
        passed += 1
    except Exception as error:  # noqa: BLE001
        failures.append(f"{name}: {type(error).__name__}: {error}")


def same(ours, theirs):
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape, f"shape {ours.shape}, SciPy {theirs.shape}"
    if ours.dtype == object:
        assert all(int(a) == int(b) for a, b in zip(ours.flat, theirs.flat)), "other integers"
    else:
        assert np.array_equal(ours, theirs.astype(ours.dtype), equal_nan=True), "other values"


def random(dtype, rows=17, columns=17, format="coo"):
    rng = np.random.default_rng(5)
    pattern = sp.random(rows, columns, density=0.2, random_state=rng, format="coo")
    if np.issubdtype(dtype, np.complexfloating):
        data = rng.normal(size=pattern.nnz) + 1j * rng.normal(size=pattern.nnz)
    elif np.issubdtype(dtype, np.floating):
        data = rng.normal(size=pattern.nnz) * 10.0 ** rng.integers(-9, 9, size=pattern.nnz)
    elif dtype == np.bool_:
        data = np.ones(pattern.nnz)
    else:
        info = np.iinfo(dtype)
        data = rng.integers(max(info.min, -(10**9)), min(info.max, 10**9), size=pattern.nnz)
    return sp.coo_matrix((data.astype(dtype), (pattern.row, pattern.col)), shape=(rows, columns)).asformat(format)


FIELDS = {
    "real": np.float64,
    "integer": np.int64,
    "unsigned-integer": np.uint64,
    "complex": np.complex128,
    "pattern": np.float64,
}
SYMMETRIES = {
    "general": lambda a: a,
    "symmetric": lambda a: a + a.T,
    "skew-symmetric": lambda a: a - a.T,
    "hermitian": lambda a: a + a.conj().T,
}


def exists(field, symmetry, array):
    """Whether Matrix Market, or SciPy's writer, has this combination."""
    if symmetry == "skew-symmetric" and field == "unsigned-integer":
        return False
    return not (array and field in ("pattern", "unsigned-integer"))


def matrix_market(folder):
    """Every field and symmetry, sparse and dense, plain and gzipped."""
    for field, symmetry, array in itertools.product(FIELDS, SYMMETRIES, [False, True]):
        if not exists(field, symmetry, array):
            continue
        matrix = SYMMETRIES[symmetry](random(FIELDS[field])).tocoo()
        path = os.path.join(folder, f"{field}-{symmetry}-{'array' if array else 'coordinate'}.mtx")
        scipy.io.mmwrite(path, matrix.toarray() if array else matrix, field=field, symmetry=symmetry, precision=17)
        check(os.path.basename(path), lambda path=path: read_as_scipy(path))
        with open(path, "rb") as plain, gzip.open(path + ".gz", "wb") as packed:
            packed.write(plain.read())
        check(os.path.basename(path) + ".gz", lambda path=path: read_as_scipy(path + ".gz"))


def read_as_scipy(path):
    theirs = scipy.io.mmread(path)
    same(dump(path), theirs.toarray() if sp.issparse(theirs) else theirs)


def archives(folder):
    """Every format, type and width of indices, packed and not."""
    dtypes = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
    dtypes += [np.float32, np.float64, np.complex64, np.complex128]
    for format, dtype, packed in itertools.product(["csr", "csc", "coo", "bsr", "dia"], dtypes, [False, True]):
        matrix = random(np.dtype(dtype).type, 12, 18, format)
        if packed and format in ("csr", "csc"):
            matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
        path = os.path.join(folder, f"{format}-{np.dtype(dtype)}-{'packed' if packed else 'plain'}.npz")
        sp.save_npz(path, matrix, compressed=packed)
        check(os.path.basename(path), lambda path=path, matrix=matrix: same(dump(path), matrix.toarray()))
    path = os.path.join(folder, "array-3d.npz")
    cube = np.arange(24.0).reshape(2, 3, 4)
    sp.save_npz(path, sp.coo_array(cube))
    check("array-3d.npz", lambda: same(dump(path), cube))


def written(folder):
    """What we write, SciPy reads."""
    for field in ("real", "integer", "complex"):
        given = os.path.join(folder, f"given-{field}.mtx")
        scipy.io.mmwrite(given, random(FIELDS[field]), precision=17)
        for name in (f"written-{field}.mtx", f"written-{field}.mtx.gz"):
            made = os.path.join(folder, name)

            def question(given=given, made=made):
                run("write", given, made)
                same(dump(given), scipy.io.mmread(made).toarray())

            check(name, question)


def real_files():
    folder = os.environ.get("NNZ_DATA")
    if not folder:
        print("skipped: the files of NNZ_DATA, which is not set")
        if os.environ.get("NNZ_CI"):
            failures.append("NNZ_DATA is not set, and nothing is skipped in CI")
        return
    for name in sorted(os.listdir(folder)):
        if name.endswith((".mtx", ".mtx.gz", ".tns", ".tns.gz", ".smtx", ".smtx.gz")):
            check(name, lambda name=name: facts(os.path.join(folder, name)))


def facts(path):
    ours = json.loads(run("time", path, text="\n"))
    shape, entries, total = peer_facts(path)
    assert ours["shape"] == shape and ours["entries"] == entries, f"{ours}, expected {shape} with {entries}"
    assert abs(ours["sum"] - total) <= 1e-9 * max(1.0, abs(total)), f"sum {ours['sum']}, expected {total}"


def peer_facts(path):
    opened = gzip.open if path.endswith(".gz") else open
    if ".mtx" in path:
        matrix = scipy.io.mmread(path)
        return list(matrix.shape), matrix.nnz, float(matrix.data.sum().real)
    if ".smtx" in path:
        with opened(path, "rt") as file:
            rows, columns, entries = (int(number) for number in file.readline().split(","))
        return [rows, columns], entries, float(entries)
    table = np.loadtxt(path, comments="#", ndmin=2)
    return [int(size) for size in table[:, :-1].max(axis=0)], len(table), float(table[:, -1].sum())


if __name__ == "__main__":
    READER = program("NNZ_READ_FILE", "-p", "nnz-core", "--example", "read_file")
    with tempfile.TemporaryDirectory() as folder:
        matrix_market(folder)
        archives(folder)
        written(folder)
    real_files()
    print(f"files: {passed} agree, {len(failures)} do not")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)
