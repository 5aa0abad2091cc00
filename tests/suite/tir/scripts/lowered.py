from tvm.script import tir as T


@T.prim_func
def positions(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, k: T.int32,
              nnz: T.int32) -> None:
    T.func_attr({"sparse_tir_level": 1})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q), idtype="int32", sorted=True)
    J_dense = T.sp.dense_varied(I, (m, nnz), p)
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(k)
    A = T.sp.match_buffer(a, [I, J], "float32")
    B = T.sp.match_buffer(b, [JD, K], "float32")
    C = T.sp.match_buffer(c, [I, K], "float32")
    J_indptr = T.sp.match_buffer(p, [I], "int32", extra_storage=1)
    J_indices = T.sp.match_buffer(q, [I, J_dense], "int32")
    T.assume_buffer_domain(J_indptr, [0, nnz])
    T.assume_buffer_domain(J_indices, [0, m])
    for i in T.serial(n):
        with T.block("outer"):
            vi = T.axis.spatial(n, i)
            T.reads(J_indptr[vi : vi + 2], A[vi, 0:m], B[0:m, 0:k])
            T.writes(C[vi, 0:k])
            T.block_attr({"sparse": True})
            for j, x in T.grid(J_indptr[vi + 1] - J_indptr[vi], k):
                with T.block("inner"):
                    vj = T.axis.reduce((0, m), j)
                    vx = T.axis.S(k, x)
                    T.where(vj < m)
                    T.reads([A[vi, vj], B[J_indices[vi, vj], vx]])
                    T.writes()
                    with T.init():
                        C[vi, vx] = T.float32(0.0)
                    C[vi, vx] = C[vi, vx] + A[vi, vj] * B[J_indices[vi, vj], vx]


@T.prim_func
def flat(A: T.Buffer[(16, 8), "float16"], y: T.handle, Z: T.Buffer((4,), "int32"), n: T.int64):
    T.func_attr({"sparse_tir_level": 0})
    Y = T.match_buffer(y, [128], dtype="float32", strides=[1], align=64, offset_factor=4)
    S = T.alloc_buffer([16], "float32", scope="shared")
    for bx in T.thread_binding(16, thread="blockIdx.x"):
        for tx in T.thread_binding(0, 8, "threadIdx.x"):
            with T.block("copied"):
                vb, vt = T.axis.remap("SS", [bx, tx])
                part = T.match_buffer(A[vb, 0:8], (1, 8), "float16")
                S[vb] = T.cast(part[0, vt], "float32")
    for i in T.parallel(4, annotations={"pragma": 1}):
        for j in T.vectorized(2, 4):
            for k in T.unroll(2):
                Y[i * 8 + j * 2 + k] = -S[i] * T.float32(1e-3) + T.max(T.float32("inf"), T.sqrt(Y[i]))
    for i in range(4):
        count = 3
        while Z[i] > count and ~(Z[i] == 7):
            Z[i] = (Z[i] - (1 - count)) // 2 % 5 | 1 ^ (Z[i] << 2 & 6)
        if i < 2:
            Z[i] -= T.truncdiv(Z[i], 2) + T.floormod(Z[i], 3)
        elif i == 2:
            Z[i] *= -2
        else:
            Z[i] = T.Select(i > 1, 1, 0)
        assert Z[i] >= 0, "negative"
    with T.let(wide, n + 1):
        T.evaluate(wide * 2)
    long = T.int64(3) + n
    T.evaluate(T.pow(T.float64(2.0), T.float64(0.5)))
    T.atomic_add(Y.data, Y.elem_offset + 3, T.float32(1))
    T.evaluate(T.tvm_mma_sync(Y.data, 0, S.access_ptr("r"), Y.strides[0], "row", long))
    for t in T.serial(long):
        T.evaluate(t)


@T.prim_func
def nothing():
    pass
