# --- a decomposition into blocks
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- rules made in a loop, with the lists of the prototype
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rules = []
for size in [2 ** power for power in range(1, 4)]:
    name = f"bsr_{size}"
    rules.append(FormatRewriteRule(name, bsr(size), ["A"], ["I", "J"], ["IO", "JO", "II", "JI"],
                                   {"I": ["IO", "II"], "J": ["JO", "JI"]},
                                   lambda i, j: (i // size, j // size, i % size, j % size),
                                   lambda io, jo, ii, ji: (io * size + ii, jo * size + ji)))
mod = tvm.sparse.format_decompose(tvm.IRModule.from_expr(spmv), rules, include_format_rewrite_blks=False)

# --- maps that do not invert each other
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 8 + ii, jo * 4 + ji))
# ^ error E0724 71-120: the maps do not invert each other at (5, 0)
mod = format_decompose(spmv, [rule])

# --- maps in the order of other iterators
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
                         lambda i, j: (i // 4, i % 4, j // 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
# ^ error E0724 71-120: the maps do not invert each other at (1, 0)
mod = format_decompose(spmv, [rule])

# --- a map of too few coordinates
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
                         lambda i, j: (i // 4, j // 4, i % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
# ^ error E0724 26-62: this map goes from 2 coordinates to 3, not from 2 to 4
mod = format_decompose(spmv, [rule])

# --- a map that is not understood
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
                         lambda i, j: (i // 4, f(j), i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
# ^ error E0724 26-67: this index map is not understood
mod = format_decompose(spmv, [rule])

# --- a buffer that the function does not have
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["B"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
# ^ error E0724 39-44: `spmv` has no buffer `B`
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- a buffer over other iterators
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["X"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
# ^ error E0724 39-44: `X` is over [JD]
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- two buffers for a description of one
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A", "X"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
# ^ error E0724 39-49: `described` declares 1 buffer, and the rule names 2
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- an iterator that the function does not have
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "K": ["JO", "JI"]},
# ^ error E0724 46-84: `spmv` has no iterator `K`
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- an iterator that the description does not have
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JJ"]},
# ^ error E0724 46-84: `described` has no iterator `JJ`
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- an iterator that replaces two
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "II"]},
# ^ error E0724 46-84: `II` replaces two iterators
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- an iterator of the description that replaces none
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO"]},
# ^ error E0724 46-78: the buffer of the description is over [IO, JO, II, JI]
                         lambda i, j: (i // 4, j, i % 4), lambda io, j, ii: (io * 4 + ii, j))
mod = format_decompose(spmv, [rule])

# --- a rule whose name is no part of a name
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4 x 4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
# ^ error E0724 26-33: `4 x 4` is no name of a rule
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- two rules of one name
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
# ^ error E0724 26-29: two rules are called `4`
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule, rule])

# --- a description with an open number
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr, ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]},
# ^ error E0724 31-34: a format description, a function under `@T.prim_func`, is wanted here
                         lambda i, j: (i // 4, j // 4, i % 4, j % 4), lambda io, jo, ii, ji: (io * 4 + ii, jo * 4 + ji))
mod = format_decompose(spmv, [rule])

# --- a rule without a map back
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

rule = FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], "J": ["JO", "JI"]}, lambda i, j: (i // 4, j // 4, i % 4, j % 4))
# ^ error E0724 8-130: the rule has no `inv_idx_map`
mod = format_decompose(spmv, [rule])

# --- rules that are not known
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

mod = format_decompose(spmv, load("rules"))
# ^ error E0724 30-43: the rules are not known

# --- no rule
from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose

@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [JD])
    Y = T.sp.match_buffer(y, [I])
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
# ^ hint H0708 13-17: the prototype's code leaves rows of `Y` as they are where `J` is empty
        Y[i] = Y[i] + A[i, j] * X[j]

def bsr(size):
    @T.prim_func
    def described(a: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
        IO = T.sp.dense_fixed(n)
        JO = T.sp.compressed_varied(IO, (m, nnz), (p, q))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass
    return described

mod = format_decompose(spmv, [])
# ^ error E0724 30-32: a decomposition has at least one rule
