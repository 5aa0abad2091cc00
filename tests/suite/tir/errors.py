# --- a function that does not say its stage
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
# ^ error E0701 5-10: `scale` has sparse iterations and does not say its stage
# ^ fix: T.func_attr({"sparse_tir_level": 2})\n    
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- a name that is declared twice
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    A = T.sp.match_buffer(y, [I, J])
# ^ error E0702 5-6: `A` is declared twice
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        A[i, j] = A[i, j] * 2.0

# --- a name that nothing declares
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(K, (m, nnz), (p, c))
# ^ error E0703 32-33: `K` is not declared
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- an array that the caller does not pass
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, n))
# ^ error E0704 49-50: `n` is no handle
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- a handle that passes two arrays
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(c, [I, J])
# ^ error E0705 5-6: `c` passes the structure of `J` and the values of `A`
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- a buffer over an iterator without its ancestors
from tvm.script import tir as T

@T.prim_func
def multiply(a: T.handle, x: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [J])
# ^ error E0706 31-32: `X` is over `J` without its ancestor `I`
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "multiply") as [i, j]:
        Y[i, j] = A[i, j] * X[j]
# ^ hint H0705 29-33: the coordinate of `J` is searched for

# --- an element with the wrong number of coordinates
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i] * 2.0
# ^ error E0707 19-23: `A` has 2 dimensions, and 1 index is given

# --- an iteration whose parts do not fit together
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "S", "scale") as [i, j]:
# ^ error E0708 33-36: 1 kind for 2 iterators
        Y[i, j] = A[i, j] * 2.0

# --- an iterator that runs without its parent
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([J, I], "SS", "scale") as [j, i]:
# ^ error E0709 26-27: `J` runs without its parent `I` before it
# ^ fix: I
# ^ fix: J
# ^ fix: i
# ^ fix: j
        Y[i, j] = A[i, j] * 2.0

# --- an iterator that runs twice
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J, J], "SSS", "scale") as [i, j, k]:
# ^ error E0710 32-33: `J` runs already
# ^ warning W0701 62-63: the spatial coordinate `k` is not in `Y[i, j]`
        Y[i, j] = A[i, j] * 2.0

# --- a structure that is written
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    C = T.sp.match_buffer(c, [I, J], "int32")
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        C[i, j] = 0
# ^ error E0711 9-16: `C` is the structure of `J`, and only read
        Y[i, j] = A[i, j] * 2.0

# --- iterators that cannot be fused
from tvm.script import tir as T

@T.prim_func
def multiply(a: T.handle, x: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([T.sp.fuse(I, JD), J], "SSS", "multiply") as [i, k, j]:
# ^ error E0712 39-41: `JD` cannot be fused with `I`
# ^ warning W0701 74-75: the spatial coordinate `k` is not in `Y[i, j]`
        Y[i, j] = A[i, j] * X[j]

# --- an iterator that cannot be attached
from tvm.script import tir as T

@T.prim_func
def gather(x: T.handle, y: T.handle, p: T.handle, c: T.handle, q: T.handle, d: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    E = T.sp.dense_fixed(m)
    K = T.sp.compressed_varied(E, (n, nnz), (q, d))
    ID = T.sp.dense_fixed(n)
    X = T.sp.match_buffer(x, [ID])
    Y = T.sp.match_buffer(y, [I, E, ID])
    with T.sp.iteration([I, T.sp.attach(K, J), J], "SSS", "gather") as [i, k, j]:
# ^ error E0713 29-46: `K` cannot be attached to `J`
        Y[i, j, k] = X[k]

# --- a value of another type
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i / 2, j] * 2.0
# ^ error E0714 21-26: `/` does not divide integers
# ^ fix: //

# --- a search among coordinates without an order
from tvm.script import tir as T

@T.prim_func
def multiply(a: T.handle, x: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c), sorted=False)
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, JD], "SS", "multiply") as [i, j]:
        Y[i, j] = A[i, j] * X[j]
# ^ error E0715 9-16: the coordinate of `J` is searched for, and its coordinates are not sorted
# ^ error E0715 19-26: the coordinate of `J` is searched for, and its coordinates are not sorted

# --- a name that SparseTIR does not have
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n, ifdtype="int32")
# ^ error E0716 29-36: `T.sp.dense_fixed` has no `ifdtype`
# ^ fix: idtype
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- arguments that a call cannot take
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed()
# ^ error E0717 9-27: `T.sp.dense_fixed` needs `length`
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- Python that a function cannot have
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        return
# ^ error E0718 9-15: `return` cannot stand in a function of SparseTIR
        Y[i, j] = A[i, j] * 2.0

# --- legal, and not read yet
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        T.launch_thread("blockIdx.x", 4)
# ^ error E0719 9-24: `T.launch_thread` is not read here
        Y[i, j] = A[i, j] * 2.0

