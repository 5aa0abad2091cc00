from tvm.script import tir as T
from tvm import tir


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


n, m = spmv.params[5:7]
square = spmv.specialize({n: 3, m: 3})
sch = tir.Schedule(square)
loops = sch.get_loops(sch.get_block("spmv0"))
sch.parallel(loops[0])
