from tvm.script import tir as T

SIZE = 16
KIND = "float16"


def make(mb, nb, nnzb, width=32):
    block = 4
    half = width // 2

    @T.prim_func
    def blocks(a: T.handle, y: T.handle, p: T.handle, c: T.handle) -> None:
        T.func_attr({"sparse_tir_level": 2})
        I = T.sp.dense_fixed(mb)
        J = T.sp.compressed_varied(I, (nb, nnzb), (p, c))
        B = T.sp.dense_fixed(block)
        W = T.sp.dense_fixed(half + SIZE)
        A = T.sp.match_buffer(a, [I, J, B], KIND)
        Y = T.sp.match_buffer(y, [I, B, W], "float32", scope="global")
        with T.sp.iteration([I, B, W, J], "SSSR", "blocks") as [i, b, w, j]:
            with T.init():
                Y[i, b, w] = 0
            Y[i, b, w] = Y[i, b, w] + A[i, j, b] * width

    return blocks


def to_blocks(i, j):
    return i // SIZE, j // SIZE, i % SIZE, j % SIZE


@T.prim_func
def bsr(a: T.handle, p: T.handle, c: T.handle, n: T.int32, m: T.int32, nnz: T.int32) -> None:
    T.func_attr({
        "buffer_to_rewrite": ["A"],
        "iterator_map": {"I": ["IO", "II"], "J": ["JO", "JI"]},
        "idx_map": to_blocks,
        "inv_idx_map": lambda io, jo, ii, ji: (io * SIZE + ii, jo * SIZE + ji),
    })
    IO = T.sp.dense_fixed(n)
    JO = T.sp.compressed_varied(IO, (m, nnz), (p, c))
    II = T.sp.dense_fixed(SIZE)
    JI = T.sp.dense_fixed(SIZE)
    A = T.sp.match_buffer(a, [IO, JO, II, JI])
    pass


class Formats:
    @T.prim_func
    def ell(a: T.handle, p: T.handle, c: T.handle, d: T.handle, n: T.int32, m: T.int32, nnz: T.int32, cols: T.int32):
        O = T.sp.dense_fixed(1)
        I = T.sp.compressed_varied(O, (n, nnz), (p, c))
        J = T.sp.compressed_fixed(I, (m, cols), d)
        A = T.sp.match_buffer(a, [O, I, J])
        T.evaluate(0)


if __name__ == "__main__":
    print(make(1, 2, 3))
