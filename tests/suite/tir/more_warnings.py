# --- a reduction over relations
from tvm.script import tir as T

@T.prim_func
def copy(x: T.handle, y: T.handle, p: T.handle, q: T.handle, b: T.int32, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    B = T.sp.dense_fixed(b)
    I = T.sp.dense_varied(B, (n, nnz), p)
    K = T.sp.dense_varied(B, (m, nnz), q)
    X = T.sp.match_buffer(x, [B, I, K])
# ^ warning W0716 5-6: the rows of `K` in `X` do not depend on `I`
    Y = T.sp.match_buffer(y, [B, I, K])
# ^ warning W0716 5-6: the rows of `K` in `Y` do not depend on `I`
    with T.sp.iteration([B, I, K], "SSS", "copy") as [h, i, k]:
        Y[h, i, k] = X[h, i, k]

# --- old spellings
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.dense_fixed(n)
# ^ hint H0712 11-22: `T.dense_fixed` is the prototype's spelling
# ^ fix: sp.dense_fixed
# ^ fix: sp.compressed_varied
# ^ fix: sp.dense_fixed
# ^ fix: sp.match_buffer
# ^ fix: sp.match_buffer
# ^ fix: sp.iteration
    J = T.sparse_variable(I, (m, nnz), (p, c))
    JD = T.dense_fixed(m)
    A = T.match_sparse_buffer(a, [I, J])
    Y = T.match_sparse_buffer(y, [I, JD])
    with T.iter([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a structure over another parent with a hint of rows
from tvm.script import tir as T

@T.prim_func
def total(a: T.handle, y: T.handle, n: T.int32, m: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "total") as [i, j]:
        with T.init():
            Y[i] = 0.0
        Y[i] = Y[i] + A[i, j]

# --- a dtype that differs
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = T.exp(A[i, j], dtype="float64")
# ^ error E0714 40-49: the result is of type `float32`
# ^ fix: "float32"

