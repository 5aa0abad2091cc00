"""Coordinates that no loop is at: they are searched for."""
from tvm.script import tir as T


@T.prim_func
def over_all_columns(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32,
                     width: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(width)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD, K])
    C = T.sp.match_buffer(c, [I, K])
    with T.sp.iteration([I, JD, K], "SRS", "over_all_columns") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]


@T.prim_func
def sampled(a: T.handle, x: T.handle, z: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32,
            k: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(k)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [I, K])
    Z = T.sp.match_buffer(z, [K, JD])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([T.sp.fuse(I, J), K], "SSR", "sampled") as [i, j, k]:
        with T.init():
            Y[i, j] = 0.0
        Y[i, j] = Y[i, j] + A[i, j] * X[i, k] * Z[k, j]


@T.prim_func
def column_sums(a: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [JD])
    with T.sp.iteration([I, J], "RS", "column_sums") as [i, j]:
        with T.init():
            Y[j] = 0.0
        Y[j] = Y[j] + A[i, j]


@T.prim_func
def to_blocks(a: T.handle, y: T.handle, p: T.handle, q: T.handle, pb: T.handle, qb: T.handle, n: T.int32, m: T.int32,
              nb: T.int32, mb: T.int32, nnz: T.int32, nnzb: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    IO = T.sp.dense_fixed(nb)
    JO = T.sp.compressed_varied(IO, (mb, nnzb), (pb, qb))
    II = T.sp.dense_fixed(2)
    JI = T.sp.dense_fixed(2)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [IO, JO, II, JI])
    with T.sp.iteration([I, J], "SS", "to_blocks") as [i, j]:
        Y[i // 2, j // 2, i % 2, j % 2] = A[i, j]


@T.prim_func
def ragged(x: T.handle, y: T.handle, w: T.handle, p: T.handle, n: T.int32, longest: T.int32, count: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.dense_varied(I, (longest, count), p)
    JD = T.sp.dense_fixed(longest)
    X = T.sp.match_buffer(x, [I, J])
    W = T.sp.match_buffer(w, [JD])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([T.sp.fuse(I, J)], "SS", "ragged") as [i, j]:
        Y[i, j] = X[i, j] * W[j] + X[i, j + 1]
