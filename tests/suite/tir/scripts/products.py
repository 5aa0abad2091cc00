"""Products of a sparse and a dense matrix, in several structures."""
from tvm.script import tir as T


@T.prim_func
def csr_times_dense(
    a: T.handle,
    b: T.handle,
    c: T.handle,
    indptr: T.handle,
    indices: T.handle,
    rows: T.int32,
    columns: T.int32,
    width: T.int32,
    nnz: T.int32,
) -> None:
    T.func_attr({"global_symbol": "csr_times_dense", "tir.noalias": True, "sparse_tir_level": 2})
    I = T.sp.dense_fixed(rows)
    J = T.sp.compressed_varied(I, (columns, nnz), (indptr, indices), "int32")
    JD = T.sp.dense_fixed(columns)
    K = T.sp.dense_fixed(width)
    A = T.sp.match_buffer(a, (I, J), "float32")
    B = T.sp.match_buffer(b, (JD, K), "float32")
    C = T.sp.match_buffer(c, (I, K), "float32")
    with T.sp.iteration([I, J, K], "SRS", "csr_times_dense") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]


@T.prim_func
def blocks_times_dense(a: T.handle, b: T.handle, c: T.handle, indptr: T.handle, indices: T.handle, nb: T.int32,
                       mb: T.int32, nnzb: T.int32, size: T.int32, width: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    IO = T.sp.dense_fixed(nb)
    JO = T.sp.compressed_varied(IO, (mb, nnzb), (indptr, indices))
    JD = T.sp.dense_fixed(mb)
    II = T.sp.dense_fixed(size)
    JI = T.sp.dense_fixed(size)
    K = T.sp.dense_fixed(width)
    A = T.sp.match_buffer(a, [IO, JO, II, JI])
    B = T.sp.match_buffer(b, [JD, JI, K])
    C = T.sp.match_buffer(c, [IO, II, K])
    with T.sp.iteration([IO, II, JI, K, JO], "SSRSR", "blocks_times_dense") as [io, ii, ji, k, jo]:
        with T.init():
            C[io, ii, k] = T.float32(0)
        C[io, ii, k] += A[io, jo, ii, ji] * B[jo, ji, k]


@T.prim_func
def ell_times_dense(a: T.handle, b: T.handle, c: T.handle, indices: T.handle, rows: T.int32, columns: T.int32,
                    per_row: T.int32, width: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(rows)
    J = T.sp.compressed_fixed(I, (columns, per_row), indices, idtype="int32", sorted=True)
    JD = T.sp.dense_fixed(columns)
    K = T.sp.dense_fixed(width)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD, K])
    C = T.sp.match_buffer(c, [I, K])
    with T.sp.iteration([I, J, K], "SRS", "ell_times_dense") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]
