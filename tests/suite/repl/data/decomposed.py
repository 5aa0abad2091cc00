from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose


@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
        Y[i] = Y[i] + A[i, j] * X[j]


def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, count: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, count), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass

    return described


def rule(size):
    there = lambda i, j: (i // size, j // size, i % size, j % size)
    back = lambda io, jo, ii, ji: (io * size + ii, jo * size + ji)
    return FormatRewriteRule(str(size), bsr(size), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]}, there, back)


mod = format_decompose(spmv, [rule(size) for size in [2, 1]])
