# The prototype's names, the newer and the older ones.
import tvm
import tvm.script.tir as script


@script.prim_func
def sampled(a: script.handle, b: script.handle, x: script.handle, y: script.handle, p: script.handle,
            q: script.handle, m: script.int64, n: script.int64, k: script.int64, nnz: script.int64):
    script.func_attr({'sparse_tir_level': 2, 'horizontal_fuse': True})
    I = script.dense_fixed(m, idtype="int64")
    J = script.sparse_variable(parent_axis=I, shape=(n, nnz), data=(p, q), idtype="int64", sorted=False)
    JD = script.dense_fixed(n, "int64")
    K = script.dense_fixed(k, "int64")
    A = script.match_sparse_buffer(a, (I, J), "float64", default_value=1.5)
    B = script.match_sparse_buffer(b, (I, J), "float64", 1)
    X = script.match_sparse_buffer(x, (I, K), "float64")
    Y = script.match_sparse_buffer(y, (K, JD), "float64")
    with script.iter([script.fuse(I, J), K], "SSR", "sampled") as [i, j, k]:
        script.iter_attr({"preprocess": True, "note": "a \"text\"\n", "numbers": [1, -2, 2.5], "more": {"x": None}})
        with script.init():
            B[i, j] = 0.0
        B[i, j] = B[i, j] + A[i, j] * X[i, k] * Y[k, j]
    with script.sp_iter([I, J], "SS", "names that are not identifiers") as [i, j]:
        script.sp_iter_attr({})
        B[i, j] = script.if_then_else(B[i, j] > 0.0 and not (i == 3 or j < 2), B[i, j], 0, dtype="float64")


@script.prim_func
def structures(a: script.handle, b: script.handle, c: script.handle, p: script.handle, q: script.handle, o: script.handle,
               n: script.int32, nnz: script.int32, g: script.int32):
    script.func_attr({"sparse_tir_level": 2})
    I = script.dense_fixed(n)
    J = script.dense_variable(I, (n, nnz), p)
    K = script.sparse_fixed(J, (n, 4), q)
    F = script.flatten([I, J], nnz, o)
    A = script.match_sparse_buffer(a, [I, J, K])
    B = script.match_sparse_buffer(b, [I, J])
    C = script.match_sparse_buffer(c, [F])
    with script.sp_iter([I, J, K], "SSR", "structures") as [i, j, k]:
        with script.init():
            B[i, j] = 0.0
        B[i, j] += A[i, j, k]
    with script.sp_iter([F], "S", "flat") as f:
        C[f] = script.float32("-inf")
