from tvm.script import tir as T
from tvm.sparse import FormatRewriteRule, format_decompose


@T.prim_func
def spmm(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, w: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(w)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD, K])
    C = T.sp.match_buffer(c, [I, K])
    with T.sp.iteration([I, J, K], "SRS", "spmm") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]


@T.prim_func
def spmv(a: T.handle, x: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    A = T.sp.match_buffer(a, [I, J])
    X = T.match_buffer(x, [m], "float32")
    Y = T.match_buffer(y, [n], "float32")
    with T.sp.iteration([I, J], "SR", "spmv") as [i, j]:
        with T.init():
            Y[i] = 0.0
        Y[i] = Y[i] + A[i, j] * X[j]


@T.prim_func
def sddmm(a: T.handle, x: T.handle, z: T.handle, y: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, w: T.int32,
          nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(w)
    A = T.sp.match_buffer(a, [I, J])
    X = T.sp.match_buffer(x, [I, K])
    Z = T.sp.match_buffer(z, [K, JD])
    Y = T.sp.match_buffer(y, [I, J])
    with T.sp.iteration([T.sp.fuse(I, J), K], "SSR", "sddmm") as [i, j, k]:
        with T.init():
            Y[i, j] = 0.0
        Y[i, j] = Y[i, j] + A[i, j] * X[i, k] * Z[k, j]


def bsr(size):
    @T.prim_func
    def described(a: T.handle, indptr: T.handle, indices: T.handle, rows: T.int32, columns: T.int32, blocks: T.int32):
        IO = T.sp.dense_fixed(rows)
        JO = T.sp.compressed_varied(IO, (columns, blocks), (indptr, indices))
        II = T.sp.dense_fixed(size)
        JI = T.sp.dense_fixed(size)
        A = T.sp.match_buffer(a, [IO, JO, II, JI])
        pass

    return described


def blocks(size):
    return FormatRewriteRule(
        str(size),
        bsr(size),
        ["A"],
        ["I", "J"],
        ["IO", "JO", "II", "JI"],
        {"I": ["IO", "II"], "J": ["JO", "JI"]},
        lambda i, j: (i // size, j // size, i % size, j % size),
        lambda io, jo, ii, ji: (io * size + ii, jo * size + ji),
    )


def ell(each):
    @T.prim_func
    def described(a: T.handle, indptr: T.handle, rows: T.handle, indices: T.handle, n: T.int32, m: T.int32, count: T.int32):
        O = T.sp.dense_fixed(1)
        I = T.sp.compressed_varied(O, (n, count), (indptr, rows))
        J = T.sp.compressed_fixed(I, (m, each), indices)
        A = T.sp.match_buffer(a, [O, I, J])
        pass

    return described


def rows_of(each):
    return FormatRewriteRule(
        f"ell{each}", ell(each), ["A"], {"I": ["O", "I"], "J": ["J"]}, lambda i, j: (0, i, j), lambda o, i, j: (i, j)
    )


def part_of_ell(part, width, each):
    @T.prim_func
    def described(a: T.handle, indptr: T.handle, rows: T.handle, indices: T.handle, n: T.int32, m: T.int32, count: T.int32):
        T.func_attr({"takes": lambda i, j: (j // width == part,)})
        O = T.sp.dense_fixed(1)
        I = T.sp.compressed_varied(O, (n, count), (indptr, rows))
        J = T.sp.compressed_fixed(I, (m, each), indices)
        A = T.sp.match_buffer(a, [O, I, J])
        pass

    return described


def hyb(parts, width, sizes):
    found = []
    for part in range(parts):
        for each in sizes:
            name = "part_{}_{}".format(part, each)
            found.append(
                FormatRewriteRule(
                    name,
                    part_of_ell(part, width, each),
                    ["A"],
                    {"I": ["O", "I"], "J": ["J"]},
                    lambda i, j: (0, i, j),
                    lambda o, i, j: (i, j),
                )
            )
    return found


@T.prim_func
def plain(a: T.handle, indptr: T.handle, indices: T.handle, n: T.int32, m: T.int32, count: T.int32):
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, count), (indptr, indices))
    A = T.sp.match_buffer(a, [I, J])
    pass


csr = FormatRewriteRule("rest", plain, ["A"], {"I": ["I"], "J": ["J"]}, lambda i, j: (i, j), lambda i, j: (i, j))


@T.prim_func
def wide(a: T.handle, indices: T.handle, n: T.int32, m: T.int32, each: T.int32):
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_fixed(I, (m, each), indices)
    A = T.sp.match_buffer(a, [I, J])
    pass


whole_rows = FormatRewriteRule("wide", wide, ["A"], {"I": ["I"], "J": ["J"]}, lambda i, j: (i, j), lambda i, j: (i, j))


@T.prim_func
def groups(a: T.handle, indptr: T.handle, indices: T.handle, n: T.int32, m: T.int32, count: T.int32):
    I = T.sp.dense_fixed(n)
    JO = T.sp.dense_varied(I, ((m + 3) // 4, count), indptr)
    JI = T.sp.compressed_fixed(JO, (m, 4), indices)
    A = T.sp.match_buffer(a, [I, JO, JI])
    pass


padded = FormatRewriteRule(
    "padded", groups, ["A"], {"I": ["I"], "J": ["JO", "JI"]}, lambda i, j: (i, 0, j), lambda i, jo, ji: (i, ji)
)


@T.prim_func
def some_rows(a: T.handle, ip: T.handle, iq: T.handle, jp: T.handle, jq: T.handle, n: T.int32, m: T.int32, rows: T.int32,
              count: T.int32):
    O = T.sp.dense_fixed(1)
    I = T.sp.compressed_varied(O, (n, rows), (ip, iq))
    J = T.sp.compressed_varied(I, (m, count), (jp, jq))
    A = T.sp.match_buffer(a, [O, I, J])
    pass


dcsr = FormatRewriteRule(
    "dcsr", some_rows, ["A"], {"I": ["O", "I"], "J": ["J"]}, lambda i, j: (0, i, j), lambda o, i, j: (i, j)
)
