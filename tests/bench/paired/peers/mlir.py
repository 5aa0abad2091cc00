"""MLIR 22's sparsifier, compiled ahead of time: mlir-opt, mlir-translate, opt -O3, llc -O3, all for this processor.

Tensors become arrays and a record of their sizes (no runtime library), shapes are dynamic. Its CPU pipeline has no
parallel loops. Memory that a result takes is freed within the call.
"""
import ctypes
import os
import pathlib
import shutil
import subprocess

import numpy as np
import scipy.sparse as sp

from . import Offer
from .mkl import array

LLVM = pathlib.Path(os.environ.get("NNZ_LLVM", "/usr/lib/llvm-22")) / "bin"
TOOLS = ["mlir-opt", "mlir-translate", "opt", "llc"]
WIDTHS = "posWidth = 32, crdWidth = 32"
FORMATS = {
    "CSR": "(i, j) -> (i : dense, j : compressed)",
    "CSC": "(i, j) -> (j : dense, i : compressed)",
    "COO": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "BSR": "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)",
    "CSF": "(i, j, k) -> (i : compressed, j : compressed, k : compressed)",
}


def type_of(format, element="f64"):
    return f"tensor<{'?x?x?' if format == 'CSF' else '?x?'}x{element}, #{format}>"


def generic(maps, kinds, ins, out, element, body, loops):
    maps = ", ".join(f"affine_map<({loops}) -> ({m})>" for m in maps)
    kinds = ", ".join(f'"{kind}"' for kind in kinds)
    names, types = zip(*ins)
    blocks = ", ".join(f"%e{at} : {element}" for at in range(len(ins) + 1))
    return f"""  %r = linalg.generic {{ indexing_maps = [{maps}], iterator_types = [{kinds}] }}
    ins({', '.join(names)} : {', '.join(types)}) outs({out[0]} : {out[1]}) {{
    ^bb0({blocks}):
{body}
  }} -> {out[1]}
  return %r : {out[1]}
"""


def products(count, element, total):
    """The product of the first `count` values, added to the last."""
    lines = [f"      %m1 = arith.mulf %e0, %e1 : {element}"]
    lines += [f"      %m{at} = arith.mulf %m{at - 1}, %e{at} : {element}" for at in range(2, count)]
    lines += [f"      %s = arith.addf %e{count}, %m{count - 1} : {element}", f"      linalg.yield %s : {element}"]
    return "\n".join(lines) if total else "\n".join([*lines[:-2], f"      linalg.yield %m{count - 1} : {element}"])


PAR, RED = "parallel", "reduction"


def dense_kernel(ins, maps, result_type, kinds, loops, element="f64"):
    """A kernel into the dense array `%y`."""
    arguments = ", ".join(f"{name} : {t}" for name, t in ins)
    zero = f"  %z = arith.constant 0.0 : {element}\n  %f = linalg.fill ins(%z : {element}) outs(%y : {result_type}) -> {result_type}\n"
    body = generic(maps, kinds, ins, ("%f", result_type), element, products(len(ins), element, True), loops)
    return f"func.func @kernel({arguments}, %y : {result_type} {{bufferization.writable = true}}) -> {result_type} {{\n{zero}{body}}}\n"


def sparse_kernel(ins, maps, kinds, loops, body, sizes):
    """A kernel into a new CSR matrix; `sizes` say which operand's which dimension each of its sizes is."""
    arguments, t = ", ".join(f"{name} : {kind}" for name, kind in ins), type_of("CSR")
    types = dict(ins)
    text = "".join(
        f"  %c{at} = arith.constant {dim} : index\n  %n{at} = tensor.dim {name}, %c{at} : {types[name]}\n"
        for at, (name, dim) in enumerate(sizes)
    )
    text += f"  %o = tensor.empty(%n0, %n1) : {t}\n"
    return f"func.func @kernel({arguments}) -> {t} {{\n{text}{generic(maps, kinds, ins, ('%o', t), 'f64', body, loops)}}}\n"


def spmv_text(format, element):
    ins = [("%a", type_of(format, element)), ("%x", f"tensor<?x{element}>")]
    return dense_kernel(ins, ["i, j", "j", "i"], f"tensor<?x{element}>", [PAR, RED], "i, j", element)


def spmm_text(columns):
    ins = [("%a", type_of("CSR")), ("%b", f"tensor<?x{columns}xf64>")]
    return dense_kernel(ins, ["i, j", "j, k", "i, k"], f"tensor<?x{columns}xf64>", [PAR, RED, PAR], "i, j, k")


def mttkrp_text():
    ins = [("%a", type_of("CSF")), ("%g", "tensor<?x32xf64>"), ("%h", "tensor<?x32xf64>")]
    maps, kinds = ["i, j, l", "j, k", "l, k", "i, k"], [PAR, RED, RED, PAR]
    return dense_kernel(ins, maps, "tensor<?x32xf64>", kinds, "i, j, l, k")


def sddmm_text():
    ins = [("%a", type_of("CSR")), ("%u", "tensor<?x32xf64>"), ("%v", "tensor<?x32xf64>")]
    maps = ["i, k", "i, r", "k, r", "i, k"]
    return sparse_kernel(ins, maps, [PAR, PAR, RED], "i, k, r", products(3, "f64", True), [("%a", 0), ("%a", 1)])


def spgemm_text():
    ins = [("%a", type_of("CSR")), ("%b", type_of("CSR"))]
    maps = ["i, j", "j, k", "i, k"]
    return sparse_kernel(ins, maps, [PAR, RED, PAR], "i, j, k", products(2, "f64", True), [("%a", 0), ("%b", 1)])


def ttv_text():
    ins = [("%a", type_of("CSF")), ("%z", "tensor<?xf64>")]
    maps = ["i, k, l", "l", "i, k"]
    return sparse_kernel(ins, maps, [PAR, PAR, RED], "i, k, l", products(2, "f64", True), [("%a", 0), ("%a", 1)])


def merged_text(op):
    ins = [("%a", type_of("CSR")), ("%b", type_of("CSR"))]
    body = f"      %s = arith.{op}f %e0, %e1 : f64\n      linalg.yield %s : f64"
    return sparse_kernel(ins, ["i, j"] * 3, [PAR, PAR], "i, j", body, [("%a", 0), ("%a", 1)])


def convert_text(source, target):
    source = "tensor<?x?xf64>" if source == "dense" else type_of(source)
    return f"""func.func @kernel(%a : {source}) -> {type_of(target)} {{
  %r = sparse_tensor.convert %a : {source} to {type_of(target)}
  return %r : {type_of(target)}
}}
"""


# What is passed: an array is five words, a matrix seven, a sparse tensor its arrays and the words of its sizes.


def words_of(array_):
    address, shape = array_.ctypes.data, array_.shape
    strides = [stride // array_.itemsize for stride in array_.strides]
    return [address, address, 0, *shape, *strides]


def sparse_words(level_sizes, arrays):
    return [word for a in arrays for word in words_of(a)] + [*level_sizes, *(a.size for a in arrays)]


def matrix_words(a, format):
    """The words, and the arrays that must live on."""
    if format == "COO":
        coo = a.tocoo()
        arrays = [np.array([0, coo.nnz], np.int32), coo.row, coo.col, coo.data]
        return sparse_words(a.shape, arrays), arrays
    a = a.tobsr((4, 4)) if format == "BSR" else a.asformat(format.lower())
    arrays = [a.indptr, a.indices, np.ascontiguousarray(a.data).reshape(-1)]
    sizes = [a.shape[0] // 4, a.shape[1] // 4, 4, 4] if format == "BSR" else a.shape[:: -1 if format == "CSC" else 1]
    return sparse_words(sizes, arrays), arrays


def tensor_words(t):
    arrays = [t.pos0, t.crd0, t.pos1, t.crd1, t.pos2, t.crd2, t.values]
    return sparse_words(t.shape, arrays), arrays


class Mlir:
    name = "mlir"
    threads = False

    def __init__(self, folder, threads):
        missing = [tool for tool in TOOLS if not shutil.which(LLVM / tool)]
        self.absent = f"no {', '.join(missing)} in {LLVM} (apt install mlir-22-tools llvm-22)" if missing else None
        self.folder, self.compiled = folder, {}
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def compile(self, name, text, *first):
        """The kernel's function, or None where MLIR refuses it; `first` are passes before the pipeline."""
        if name not in self.compiled:
            head = "".join(f"#{n} = #sparse_tensor.encoding<{{ map = {m}, {WIDTHS} }}>\n" for n, m in FORMATS.items())
            self.compiled[name] = self.built(name, head + text, first)
        return self.compiled[name]

    def built(self, name, text, first):
        stem = self.folder / f"mlir_{name}"
        path = lambda suffix: f"{stem}.{suffix}"
        pathlib.Path(path("mlir")).write_text(text)
        steps = [
            [LLVM / "mlir-opt", *first, path("mlir"), "-o", path("arrays.mlir")],
            [LLVM / "mlir-opt", "--sparsifier=enable-runtime-library=false", path("arrays.mlir"), "-o", path("lowered.mlir")],
            [LLVM / "mlir-translate", "--mlir-to-llvmir", path("lowered.mlir"), "-o", path("ll")],
            [LLVM / "opt", "-O3", "-mtriple=x86_64-linux-gnu", "-mcpu=native", path("ll"), "-o", path("bc")],
            [LLVM / "llc", "-O3", "-mcpu=native", "-relocation-model=pic", "-filetype=obj", path("bc"), "-o", path("o")],
            [os.environ.get("CC", "cc"), "-shared", "-o", path("so"), path("o"), "-lm"],
        ]
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True)
            if done.returncode != 0:
                reason = next((line for line in done.stderr.split("\n") if "error" in line), "it fails")
                print(f"mlir has no {name}: {reason.strip()[:160]}", flush=True)
                return None
        return ctypes.CDLL(path("so")).kernel

    def offer(self, problem):
        return getattr(self, problem.op, lambda *_: None)(problem, problem.arrays)

    def dense(self, name, text, words, y, keep):
        """A kernel into `y`: alone, the pipeline makes a new array of every result that is zero at first."""
        kernel = self.compile(name, text, "--sparsification-and-bufferization")
        if kernel is None:
            return None
        returned = (ctypes.c_int64 * 8)()
        arguments = [ctypes.c_int64(word) for word in [*words, *words_of(y)]]
        call = lambda keep=keep: kernel(returned, *arguments)
        call()
        if returned[1] != y.ctypes.data:
            raise RuntimeError("MLIR put the result elsewhere")
        return Offer(call, lambda: y)

    def sparse(self, name, text, words, keep, format, shape):
        """A kernel that returns positions, coordinates, values and a record of sizes."""
        kernel = self.compile(name, text)
        if kernel is None:
            return None
        returned, arguments = (ctypes.c_int64 * 24)(), [ctypes.c_int64(word) for word in words]

        def call(keep=keep):
            kernel(returned, *arguments)
            for at in (0, 5, 10):
                self.free(returned[at])

        def result():
            kernel(returned, *arguments)
            levels = 4 if format == "BSR" else 2
            counts = returned[15 + levels : 18 + levels]
            kinds = ctypes.c_int32, ctypes.c_int32, ctypes.c_double
            pos, crd, val = (array(returned[5 * at + 1], n, kind) for at, (n, kind) in enumerate(zip(counts, kinds)))
            for at in (0, 5, 10):
                self.free(returned[at])
            if format == "BSR":
                return sp.bsr_matrix((val.reshape(-1, 4, 4), crd, pos), shape=shape)
            return (sp.csc_matrix if format == "CSC" else sp.csr_matrix)((val, crd, pos), shape=shape)

        return Offer(call, result)

    def spmv(self, problem, d):
        element = "f64" if problem.dtype == np.float64 else "f32"
        words, keep = matrix_words(d.a, problem.encoding)
        name = f"spmv_{problem.encoding}_{element}"
        return self.dense(name, spmv_text(problem.encoding, element), words + words_of(d.x), d.y, keep)

    def spmm(self, problem, d):
        words, keep = matrix_words(d.a, "CSR")
        columns = d.b.shape[1]
        return self.dense(f"spmm_{columns}", spmm_text(columns), words + words_of(d.b), d.y, keep)

    def mttkrp(self, problem, d):
        words, keep = tensor_words(d.t)
        return self.dense("mttkrp", mttkrp_text(), words + words_of(d.g) + words_of(d.h), d.y, keep)

    def sddmm(self, problem, d):
        words, keep = matrix_words(d.a, "CSR")
        return self.sparse("sddmm", sddmm_text(), words + words_of(d.u) + words_of(d.v), keep, "CSR", d.a.shape)

    def spgemm(self, problem, d):
        words, keep = matrix_words(d.a, "CSR")
        return self.sparse("spgemm", spgemm_text(), words + words, keep, "CSR", d.a.shape)

    def ttv(self, problem, d):
        words, keep = tensor_words(d.t)
        return self.sparse("ttv", ttv_text(), words + words_of(d.z), keep, "CSR", d.t.shape[:2])

    def add(self, problem, d):
        (words, keep), (more, others) = matrix_words(d.a, "CSR"), matrix_words(d.b, "CSR")
        return self.sparse(problem.op, merged_text(problem.op), words + more, (keep, others), "CSR", d.a.shape)

    mul = add

    def converted(self, problem, d, source, target):
        words, keep = matrix_words(d.a, source)
        return self.sparse(problem.op, convert_text(source, target), words, keep, target, d.a.shape)

    def coo2csr(self, problem, d):
        return self.converted(problem, d, "COO", "CSR")

    def csr2csc(self, problem, d):
        return self.converted(problem, d, "CSR", "CSC")

    def csr2bsr(self, problem, d):
        return self.converted(problem, d, "CSR", "BSR")

    def dense2csr(self, problem, d):
        return self.sparse(problem.op, convert_text("dense", "CSR"), words_of(d.d), d.d, "CSR", d.d.shape)
