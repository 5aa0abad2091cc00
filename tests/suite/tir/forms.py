# --- fewer names
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i]:
# ^ error E0708 52-53: 1 name for 2 iterators
        Y[i, j] = A[i, j]

# --- kinds that are none
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "sr", "scale") as [i, j]:
# ^ error E0708 33-37: `s` is no kind of iterator
# ^ fix: "SR"
        Y[i, j] = A[i, j]

# --- kinds that are none at all
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SX", "scale") as [i, j]:
# ^ error E0708 33-37: `X` is no kind of iterator
        Y[i, j] = A[i, j]

# --- no list
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration(I, "SS", "scale") as [i, j]:
# ^ error E0708 25-26: an iteration runs over a list of iterators
        Y[i, j] = A[i, j]

# --- fused iterators count each
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([T.sp.fuse(I, J)], "S", "scale") as [i, j]:
# ^ error E0708 44-47: 1 kind for 2 iterators
        Y[i, j] = A[i, j]

# --- a buffer in the list
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, A], "SS", "scale") as [i, j]:
# ^ error E0703 29-30: `A` is no iterator
        Y[i, j] = A[i, j]

# --- a shape of one number
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, m, (p, c))
# ^ error E0717 35-36: the shape is `(length, nnz)`
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- one array
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), p)
# ^ error E0704 45-46: a compressed varied iterator has two arrays
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- an array that is a number
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, nnz))
# ^ error E0704 49-52: `nnz` is no handle
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- values and structure in one array
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(p, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]
# ^ error E0711 9-16: `Y` is the structure of `J`, and only read

# --- an element type that is none
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J], "float23")
# ^ error E0714 38-47: `float23` is no element type
# ^ fix: "float32"
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a kind of memory that is none
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J], "float32", scope="glbal")
# ^ error E0717 55-62: `glbal` is no kind of memory
# ^ fix: "global"
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- types of values
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
        Y[i, j] = T.cast(A[i, j], "float64")
# ^ error E0714 19-45: `float64` does not become `float32` by itself
# ^ fix: T.cast(T.cast(A[i, j], "float64"), "float32")

# --- conditions and numbers
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
        Y[i, j] = T.if_then_else(A[i, j], 1, 0) + (i < 2)
# ^ error E0714 34-41: a condition is wanted here, not `float32`

# --- floats as coordinates
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
        Y[A[i, j], j] = A[i, 1.5]
# ^ error E0714 11-18: an integer is wanted here, not `float32`
# ^ error E0714 30-33: an integer is wanted here, not `float32`

# --- ranges as coordinates
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
        Y[i, 0:2] = A[i, :]
# ^ error E0707 14-17: an element is read at one coordinate, not at a range
# ^ error E0707 26-27: an element is read at one coordinate, not at a range

# --- an init behind statements
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
        with T.init():
# ^ error E0718 9-49: an initialization comes first, and once
            Y[i, j] = 0.0
# ^ warning W0704 13-26: no iterator is a reduction

# --- attributes
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2, 3: 4, "x": n, "y": f(2)})
# ^ error E0717 41-42: the key of an attribute is a text
# ^ error E0717 52-53: an attribute is written out, not computed
# ^ error E0717 60-64: an attribute is written out, not computed
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- declarations in a body
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
        K = T.sp.dense_fixed(n)
# ^ error E0718 13-32: iterators are declared at the beginning of the function
        B = T.sp.match_buffer(a, [I, J])
# ^ error E0718 9-10: a handle is bound at the beginning of the function
        Y[i, j] = A[i, j]

# --- loops
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
        for k in T.serial(0, 4, 2):
# ^ error E0717 33-34: attributes stand in a dictionary
            pass
        for k, l in T.grid(2):
# ^ error E0717 13-17: 2 names for 1 loop
            pass
        for k in T.thread_binding(4, thread="blockIdx.w"):
# ^ error E0717 45-57: `blockIdx.w` is no thread
# ^ fix: "blockIdx.x"
            pass
        for k in T.thread_binding(4):
# ^ error E0717 18-37: `T.thread_binding` needs `thread`
            pass
        for k in range(1, 2, 3):
# ^ error E0717 18-32: a loop has a start and a stop, and no step
            pass
        for k in T.grid():
# ^ error E0717 18-26: `T.grid` needs an extent
            pass
        Y[i, j] = A[i, j]

# --- updates
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
        Y[i, j] /= 2.0
# ^ error E0718 9-23: only elements of buffers are updated, by `+=`, `-=` or `*=`
        i += 1
# ^ error E0718 9-15: only elements of buffers are updated, by `+=`, `-=` or `*=`

# --- blocks
from tvm.script import tir as T

@T.prim_func
def blocks(a: T.handle, n: T.int32):
    T.func_attr({"sparse_tir_level": 0})
    A = T.match_buffer(a, [n, n], "float32")
    for i, j in T.grid(n, n):
        with T.block("b"):
            vi, vj = T.axis.remap("SX", [i, j])
# ^ error E0717 45-46: `X` is no kind
            vk = T.axis.remap("S", [n])
# ^ error E0717 37-38: only variables of loops are remapped
            vl = T.axis.remap("SS", [i])
# ^ error E0717 18-41: 2 kinds and 1 name for 1 loop
            vm = T.axis.spatial((0, n), A[i, j])
# ^ error E0714 41-48: an integer is wanted here, not `float32`
            T.reads(A, A[i])
# ^ error E0717 21-22: a part of a buffer is wanted here
# ^ error E0707 24-28: `A` has 2 dimensions, and 1 index is given
            T.where(i)
# ^ error E0714 21-22: a condition is wanted here, not `int32`
            A[vi, vm] = 1

# --- a later stage with iterations
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 1})
# ^ error E0701 17-40: level 1 has no sparse iterations
# ^ fix: 2
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a stage that is none
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 7})
# ^ error E0701 17-40: `sparse_tir_level` is none of 2, 1 and 0
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- attributes without a stage
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
# ^ error E0701 5-10: `scale` has sparse iterations and does not say its stage
# ^ fix: "sparse_tir_level": 2, 
    T.func_attr({"tir.noalias": True})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- dense buffers only at the last stage
from tvm.script import tir as T

@T.prim_func
def last(a: T.handle, n: T.int32):
    T.func_attr({"sparse_tir_level": 0})
# ^ error E0701 17-40: level 0 has no sparse buffers
    I = T.sp.dense_fixed(n)
    A = T.sp.match_buffer(a, [I])
    for i in T.serial(n):
        A[i] = 1.0

# --- more than is read
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
        x = T.allocate([1], "float32", "local")
# ^ error E0719 13-23: `T.allocate` is not read here
        Y[i, j] = A[i, j]


# --- a number beyond the type of the other operand keeps its own
from tvm.script import tir as T

@T.prim_func
def large(n: T.int32, Y: T.Buffer((n,), "int32"), Z: T.Buffer((n,), "int64")):
    T.func_attr({"sparse_tir_level": 0})
    for i in T.serial(n):
        Z[i] = Z[i] + 2147483648
        Y[i] = Y[i] + 2147483648
# ^ error E0714 16-33: `int64` does not become `int32` by itself
# ^ fix: T.cast(Y[i] + 2147483648, "int32")
