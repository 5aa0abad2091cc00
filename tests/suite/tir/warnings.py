# --- a spatial iterator without a place in the result
from tvm.script import tir as T

@T.prim_func
def total(a: T.handle, y: T.handle, n: T.int32, m: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SS", "total") as [i, j]:
# ^ warning W0701 55-56: the spatial coordinate `j` is not in `Y[i]`
        Y[i] = A[i, j]

# --- a reduction with a place in the result
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SR", "scale") as [i, j]:
# ^ warning W0702 55-56: the reduction `j` is a coordinate of `Y[i, j]`
        Y[i, j] = A[i, j] * 2.0

# --- a reduction that starts from what is there
from tvm.script import tir as T

@T.prim_func
def total(a: T.handle, y: T.handle, n: T.int32, m: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "total") as [i, j]:
        Y[i] = Y[i] + A[i, j]
# ^ warning W0703 9-13: the reduction adds to what `Y` holds before

# --- an initialization without a reduction
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        with T.init():
            Y[i, j] = 0.0
# ^ warning W0704 13-26: no iterator is a reduction
        Y[i, j] = A[i, j] * 2.0

# --- an element that is searched for
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
    with T.sp.iteration([I, J], "SS", "multiply") as [i, j]:
        Y[i, j] = A[i, m - 1 - j] * X[j]
# ^ hint H0705 19-34: the coordinate of `J` is searched for

# --- lengths that look exchanged
from tvm.script import tir as T

@T.prim_func
def multiply(a: T.handle, x: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (nnz, m), (p, c))
# ^ warning W0706 36-42: `m` is the length of another iterator, and counts positions here
# ^ fix: m, nnz
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "multiply") as [i, j]:
        Y[i, j] = A[i, j] * X[j]

# --- a dense iterator where the compressed one is meant
from tvm.script import tir as T

@T.prim_func
def multiply(a: T.handle, x: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, JD], "SS", "multiply") as [i, j]:
        Y[i, j] = A[i, j] * X[j]
# ^ warning W0707 19-26: `J` is searched for every coordinate of the dense `JD`
# ^ fix: J

# --- rows that the prototype leaves as they were
from tvm.script import tir as T

@T.prim_func
def total(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "total") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j]

# --- a declaration that nothing uses
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    K = T.sp.dense_fixed(m)
# ^ hint H0709 5-6: the iterator `K` is never used
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- more positions than the type counts
from tvm.script import tir as T

@T.prim_func
def clear(y: T.handle):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(100000)
    J = T.sp.dense_fixed(50000)
    Y = T.sp.match_buffer(y, [I, J])
# ^ warning W0710 5-6: `Y` has 5000000000 elements, more than `int32` counts
    with T.sp.iteration([I, J], "SS", "clear") as [i, j]:
        Y[i, j] = 0.0

# --- a result that is initialized again
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
    with T.sp.iteration([I, J], "SR", "again") as [i, j]:
# ^ warning W0711 10-47: `Y` is initialized again: what was computed before is lost
        with T.init():
            Y[i] = 0.0
        Y[i] = Y[i] + A[i, j] * 2.0

# --- an older spelling
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.dense_fixed(n)
# ^ hint H0712 11-22: `T.dense_fixed` is the prototype's spelling
# ^ fix: sp.dense_fixed
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- two structures in one expression
from tvm.script import tir as T

@T.prim_func
def multiply(a: T.handle, x: T.handle, q: T.handle, d: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    K = T.sp.compressed_varied(I, (m, nnz), (q, d))
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [I, K])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "multiply") as [i, j]:
        Y[i, j] = A[i, j] + X[i, j]
# ^ warning W0713 29-36: `J` and `K` are two structures, and only `J` is iterated

# --- an attribute that fuses whatever its value is
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2, "horizontal_fuse": 0})
# ^ warning W0714 17-62: `horizontal_fuse` fuses whatever its value is
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] * 2.0

# --- sums in half precision
from tvm.script import tir as T

@T.prim_func
def total(a: T.handle, y: T.handle, n: T.int32, m: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J], "float16")
    Y = T.sp.match_buffer(y, [I], "float16")
    with T.sp.iteration([I, J], "SR", "total") as [i, j]:
        with T.init():
            Y[i] = 0.0
        Y[i] = Y[i] + A[i, j]
# ^ hint H0715 9-13: `Y` sums in `float16`

# --- a structure that hangs off another parent
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

# --- index maps that do not invert each other
from tvm.script import tir as T

@T.prim_func
def blocks(a: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({
# ^ warning W0717 17-162: `inv_idx_map` does not invert `idx_map` at (1, 0)
        "idx_map": lambda i, j: (i // 4, j // 4, i % 4, j % 4),
        "inv_idx_map": lambda io, ii, jo, ji: (io * 4 + ii, jo * 4 + ji),
    })
    IO = T.sp.dense_fixed(n)
    JO = T.sp.compressed_varied(IO, (m, nnz), (p, c))
    II = T.sp.dense_fixed(4)
    JI = T.sp.dense_fixed(4)
    A = T.sp.match_buffer(a, [IO, JO, II, JI])
    pass

# --- index maps of other numbers of coordinates
from tvm.script import tir as T

@T.prim_func
def blocks(a: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({
# ^ warning W0717 17-155: `idx_map` gives 3 coordinates, and `inv_idx_map` takes 4
        "idx_map": lambda i, j: (i // 4, j // 4, j % 4),
        "inv_idx_map": lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji),
    })
    IO = T.sp.dense_fixed(n)
    JO = T.sp.compressed_varied(IO, (m, nnz), (p, c))
    II = T.sp.dense_fixed(4)
    JI = T.sp.dense_fixed(4)
    A = T.sp.match_buffer(a, [IO, JO, II, JI])
    pass

# --- index maps that invert each other
from tvm.script import tir as T

@T.prim_func
def blocks(a: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({
        "idx_map": lambda i, j: (i // 4, j // 4, i % 4, j % 4),
        "inv_idx_map": lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji),
    })
    IO = T.sp.dense_fixed(n)
    JO = T.sp.compressed_varied(IO, (m, nnz), (p, c))
    II = T.sp.dense_fixed(4)
    JI = T.sp.dense_fixed(4)
    A = T.sp.match_buffer(a, [IO, JO, II, JI])
    pass

