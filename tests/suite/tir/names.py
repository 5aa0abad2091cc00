# --- misspelt names
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
        Y[i, j] = A[i, jj] + B[i, j]
# ^ error E0703 24-26: `jj` is not declared
# ^ error E0703 30-31: `B` is not declared
        Y[i, J] = A[i, j] * a
# ^ error E0714 14-15: `J` is an iterator, not a number
# ^ error E0714 29-30: `a` is a handle, not a number
        x = I + 1
# ^ error E0714 13-14: `I` is an iterator, not a number
        Y[i, j] = x

# --- a parent that is declared later
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
# ^ error E0703 32-33: `I` is declared only behind this
    I = T.sp.dense_fixed(n)
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a parent that is a number
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(n, (m, nnz), (p, c))
# ^ error E0703 32-33: `n` is no iterator
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a broken declaration is told once
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fix(n)
# ^ error E0716 11-23: there is no `T.sp.dense_fix`
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- unknown members
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
        Y[i, j] = T.expp(A[i, j])
# ^ error E0716 21-25: there is no `T.expp`
# ^ fix: exp
        Y[i, j] = T.exp(A[i, j], dtyp="float32")
# ^ error E0716 34-38: `T.exp` has no `dtyp`
# ^ fix: dtype
        Y[i, j] = A.size + Y.strides[4]
# ^ error E0716 21-25: a buffer has no number `size`
# ^ error E0716 28-40: a buffer has no such field
        T.sp.iteration()
# ^ error E0717 9-25: `T.sp.iteration` needs `iterators`
        T.block("x")
# ^ error E0718 9-16: `T.block` cannot stand here

# --- keywords
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c), idtype="int23", sortd=False)
# ^ error E0716 69-74: `T.sp.compressed_varied` has no `sortd`
# ^ fix: sorted
    JD = T.sp.dense_fixed(length=m, length=n)
# ^ error E0717 37-45: `length` is given twice
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- iterations of one name
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
        Y[i, j] = A[i, j]
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
# ^ error E0702 10-47: two iterations are called `scale`
        Y[i, j] = A[i, j]

# --- parameters without a type
from tvm.script import tir as T

@T.prim_func
def scale(a, y: T.handle, p: T.handle, c: T.handle, n: T.block, m: int, nnz: T.int32):
# ^ error E0704 11-12: the parameter `a` has no type
# ^ fix: : T.handle
# ^ error E0704 56-63: `T.block` is no type of a parameter
# ^ error E0704 68-71: `int` is no type of a parameter
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- names from outside
SIZE = 4
WORDS = "x"
some = compute()

from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(some * SIZE)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * SIZE + WORDS
# ^ error E0714 36-41: `WORDS` is no number

# --- a parameter that only the next one declares
from tvm.script import tir as T

@T.prim_func
def scale(x: T.Buffer((n,), "float32"), n: T.int32):
# ^ error E0703 24-25: `n` is declared only behind this
    T.func_attr({"sparse_tir_level": 0})
    for i in T.serial(n):
        x[i] = x[i] * 2.0
