from tvm.script import tir as T


@T.prim_func
def rows_by_sums(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I], "S", "rows") as [i]:
        largest = T.alloc_buffer([1], dtype="float32", scope="local")
        total = T.alloc_buffer((1,), "float32", scope="local")
        with T.sp.iteration([J], "R", "largest") as [j]:
            with T.init():
                largest[0] = T.min_value("float32")
            largest[0] = T.max(largest[0], A[i, j])
        with T.sp.iteration([J], "R", "total") as [j]:
            with T.init():
                total[0] = 0.0
            total[0] += T.exp(A[i, j] - largest[0], dtype="float32")
        with T.sp.iteration([J], "S", "divided") as [j]:
            Y[i, j] = T.exp(A[i, j] - largest[0]) / total[0]


@T.prim_func
def gathered(x: T.handle, y: T.handle, p: T.handle, c: T.handle, pt: T.handle, ct: T.handle, n: T.int32, m: T.int32,
             nnz: T.int32, width: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    E = T.sp.dense_fixed(m)
    IT = T.sp.compressed_varied(E, (n, nnz), (pt, ct))
    F = T.sp.dense_fixed(width)
    X = T.sp.match_buffer(x, [I, F])
    Y = T.sp.match_buffer(y, [I, F])
    W = T.sp.alloc_buffer([I, J], "float32", "global")
    with T.sp.iteration([I, F, J, T.sp.attach(IT, J)], "SSRR", "gathered") as [i, f, j, it]:
        with T.init():
            Y[i, f] = 0.0
        Y[i, f] = Y[i, f] + X[it, f]
    with T.sp.iteration([T.sp.fuse(I, J)], "SS", "ones") as [i, j]:
        W[i, j] = 1.0
