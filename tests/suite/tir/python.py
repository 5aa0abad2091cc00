# --- a broken line costs one error
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
        Y[i, j] = A[i, j * 2.0
# ^ error E0001 20-21: `[` is never closed

# --- a broken declaration
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n
# ^ error E0001 25-26: `(` is never closed
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a broken line beside a wrong one
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffr(y, [I, JD])
# ^ error E0716 11-25: there is no `T.sp.match_buffr`
# ^ fix: sp.match_buffer
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j] +
# ^ error E0001 28-29: expected an expression

# --- a file without SparseTIR
import numpy as np


def f(x:
    return T.nothing(x

# --- another decorator of that name
from numba import cuda


@cuda.prim_func
def f(x):
    return x

# --- a python function beside it
def helper(x):
    with open(x) as f:
        return [line for line in f]


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

# --- statements of python
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
        return
# ^ error E0718 9-15: `return` cannot stand in a function of SparseTIR
        try:
# ^ error E0718 9-64: `try` cannot stand in a function of SparseTIR
            pass
        finally:
            pass
        import os
# ^ error E0718 9-18: `import` cannot stand in a function of SparseTIR
        del i
# ^ error E0718 9-14: `del` cannot stand in a function of SparseTIR
        for k in [1, 2]:
# ^ error E0718 18-24: a loop runs over a range
            pass
        for k in T.serial(2):
            pass
        else:
            pass
# ^ error E0718 13-17: a loop has no `else`

# --- expressions of python
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
        Y[i, j] = [A[i, k] for k in range(2)][0]
# ^ error E0714 19-46: `[A[i, k] for k in range(2)]` is no buffer
        Y[i, j] = (lambda x: x)(2)
# ^ error E0718 20-31: `lambda x: x` is no function of SparseTIR
        Y[i, j] = f"{i}"
# ^ error E0718 19-25: a text with values in it is no value here
        Y[i, j] = A[i, j] if 1 < i < 3 else 0
# ^ error E0718 30-39: comparisons are not chained here
        Y[i, j] = helper(i)
# ^ error E0718 19-25: `helper` is no function of SparseTIR
        Y[i, j] = A[i, j] @ A[i, j]
# ^ error E0718 19-36: `@` multiplies no elements
        Y[i, *j] = 1
# ^ error E0718 14-16: a starred expression is no value here
        A[i, j]
# ^ error E0718 9-16: a value alone does nothing
        x, y = 1, 2
# ^ error E0718 16-20: a list is no value here
        x = y = 1
# ^ error E0718 9-18: an assignment has one target

# --- nested too deeply
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
        Y[i, j] = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
# ^ error E0719 9-460: brackets, operators or bodies nest too deeply

# --- a long sum
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
        Y[i, j] = A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j] + A[i, j]
# ^ error E0719 19-126: an expression nests deeper than 150

# --- other names for the module
import tvm.script.tir as S

@S.prim_func
def scale(a: S.handle, y: S.handle, p: S.handle, c: S.handle, n: S.int32, m: S.int32, nnz: S.int32):
    S.func_attr({"sparse_tir_level": 2})
    I = S.sp.dense_fixed(n)
    J = S.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = S.sp.dense_fixed(m)
    A = S.sp.match_buffer(a, [I, J])
    Y = S.sp.match_buffer(y, [I, JD])
    with S.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a decorator that is called
from tvm.script import tir as T

@T.prim_func()
def scale(a: T.handle, y: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, c))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    Y = T.sp.match_buffer(y, [I, JD])
    with T.sp.iteration([I, J], "SS", "scale") as [i, j]:
        Y[i, j] = A[i, j]

# --- a function without a name
from tvm.script import tir as T
@T.prim_func
def
# ^ error E0001 4-5: expected an identifier
# ^ error E0001 1-1: expected `)`, found end of file
# --- an iteration at the end without its names
from tvm.script import tir as T
@T.prim_func
def f(a: T.handle, n: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    with T.sp.iteration([I], "S", "f") as
# ^ error E0001 42-43: expected an expression
