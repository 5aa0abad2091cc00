from tvm.script import tir as T
from tvm import tir


@T.prim_func
def spmm(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, w: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(w)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD, K])
    C = T.sp.match_buffer(c, [I, K])
    with T.sp.iteration([I, J, K], "SRS", "spmm") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]


sch = tir.Schedule(spmm)
(i,) = sch.get_loops(sch.get_block("spmm0"))
j, k = sch.get_loops(sch.get_block("spmm1"))
io, ii = sch.split(i, [None, 8])
ko, ki = sch.split(k, [None, 32])
sch.reorder(ko, j, ki)
sch.bind(io, "blockIdx.x")
sch.vectorize(ki)
