from tvm.script import tir as T
from tvm import tir


@T.prim_func
def sums(a: T.handle, b: T.handle, c: T.handle, d: T.handle, m: T.int32):
    T.func_attr({"sparse_tir_level": 2, "horizontal_fuse": True})
    I = T.sp.dense_fixed(8)
    K = T.sp.dense_fixed(m)
    J = T.sp.dense_fixed(3)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [K, J])
    C = T.sp.match_buffer(c, [I, J])
    D = T.sp.match_buffer(d, [K])
    with T.sp.iteration([I, J], "SS", "first") as [i, j]:
        C[i, j] = A[i, j] * 2.0
    with T.sp.iteration([K], "S", "second") as [k]:
        D[k] = B[k, 0] + B[k, 1]


sch = tir.Schedule(sums.specialize({sums.params[4]: 6}))
i, j = sch.get_loops(sch.get_block("first0"))
blocks, threads = sch.split(i, factors=[None, 2])
sch.bind(blocks, "blockIdx.x")
sch.bind(threads, "threadIdx.y")
sch.bind(j, "threadIdx.x")
(k,) = sch.get_loops(sch.get_block("second0"))
blocks, threads = sch.split(k, factors=[None, 3])
sch.bind(blocks, "blockIdx.x")
sch.bind(threads, "threadIdx.y")
