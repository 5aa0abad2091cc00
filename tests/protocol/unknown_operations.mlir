// Operations of many dialects, in the forms that MLIR prints: none of them is known to nnz, none is an error.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0)[s0] -> (d0 + s0, d0 floordiv 2, d0 mod 4)>
#row = affine_map<(d0, d1) -> (d0)>
#next = affine_map<(d0)[s0] -> (d0 + s0)>
#set = affine_set<(d0) : (d0 - 10 >= 0, d0 mod 2 == 0)>
#trait = {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"], doc = "y(i) = A(i,j) \"quoted\""}
#tbaa = #llvm.tbaa_root<id = "root">
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
!vec = vector<4x[8]xf32>
!fn = (i32, tensor<?xf64>) -> (index, memref<?x?xf64, strided<[?, 1], offset: ?>>)
module @kernels attributes {gpu.container_module, dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 64>>} {
  func.func private @getTensorFilename(index) -> !llvm.ptr
  llvm.mlir.global internal constant @text("x > y -> {\"\00") {addr_space = 0 : i32}
  func.func @spmv(%arg0: tensor<8x8xf64, #CSR>, %arg1: tensor<8xf64> {bufferization.writable = false}, %n: index, %buf: memref<?x?xf64>) -> (tensor<8xf64> {llvm.noalias}) attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<[[1.0, 2.0e-3], [0x7FF0000000000000, -4.0]]> : tensor<2x2xf64>
    %sp = arith.constant sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<3x4xf64>
    %pad = arith.constant 0.0 : f64
    %0 = tensor.empty() : tensor<8xf64>
    %3 = arith.cmpi eq, %n, %c0 : index
    %1 = linalg.generic #trait ins(%arg0 : tensor<8x8xf64, #CSR>) outs(%0 : tensor<8xf64>) {
    ^bb0(%in: f64, %out: f64):
      %2 = arith.mulf %in, %out fastmath<reassoc, contract> : f64
      %11 = arith.cmpf olt, %in, %out : f64
      linalg.yield %2 : f64
    } -> tensor<8xf64>
    %r:2 = scf.for %i = %c0 to %n step %c0 iter_args(%a = %cst, %b = %1) -> (tensor<2x2xf64>, tensor<8xf64>) {
      %4 = scf.if %3 -> (i1) { scf.yield %3 : i1 } else { scf.yield %3 : i1 }
      scf.yield %a, %b : tensor<2x2xf64>, tensor<8xf64>
    } {loop.note = "a < b", "quoted key" = [1, 2.5, @spmv::@inner, unit]}
    %5 = vector.transfer_read %r#1[%c0], %pad {in_bounds = [true]} : tensor<8xf64>, vector<[4]xf64>
    %6 = affine.apply #next(%c0)[%n]
    affine.if #set(%6) { affine.store %2, %buf[%6 + 1 - 2 * symbol(%n)] : memref<?xf64> }
    %7 = "some.generic"(%5, %6) ({
    ^bb1(%x: i32, %y: !vec):
      "some.branch"(%x)[^bb1, ^bb2] : (i32) -> ()
    ^bb2:
    }) {value = opaque<"d", "0x00">, nested = {a = {b = []}}, ty = !fn} : (vector<[4]xf64>, index) -> (i32)
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c0, %gy = %c0, %gz = %c0) threads(%tx, %ty, %tz) in (%sx = %c0, %sy = %c0, %sz = %c0) { gpu.terminator }
    %8 = memref.subview %buf[%c0, 0] [%n, 4] [1, 1] : memref<?x?xf64> to memref<?x4xf64, strided<[?, 1], offset: ?>>
    %9 = builtin.unrealized_conversion_cast %8 : memref<?x4xf64, strided<[?, 1], offset: ?>> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %10 = llvm.inline_asm asm_dialect = att "bswap $0", "=r,r" %7 : (i32) -> i32
    cf.cond_br %3, ^bb3(%7 : i32), ^bb4
  ^bb3(%z: i32):
    return %1 : tensor<8xf64>
  ^bb4:
    return %1 : tensor<8xf64>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) { transform.yield }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x08000000010000000000000002000000"
    }
  },
  external_resources: {}
#-}
