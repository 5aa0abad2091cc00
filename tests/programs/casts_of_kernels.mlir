// Kernels that convert their operands: by `cast` without a sign, else with one; a bit with its sign, as in MLIR.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

func.func @show(%t: tensor<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %v = vector.transfer_read %t[%c0, %c0], %z : tensor<2x2xi32>, vector<2x2xi32>
  vector.print %v : vector<2x2xi32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 40 : index
  %z = arith.constant 0 : i32
  %a = arith.constant dense<[[-1, 2], [0, -128]]> : tensor<2x2xi8>
  %s = sparse_tensor.convert %a : tensor<2x2xi8> to tensor<2x2xi8, #CSR>
  %o = arith.constant dense<0> : tensor<2x2xi32>
  %of = arith.constant dense<0.0> : tensor<2x2xf64>
  %ob = arith.constant dense<0> : tensor<1x2x2xi32>

  %r0 = linalg.matmul ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  func.call @show(%r0) : (tensor<2x2xi32>) -> ()
  %r1 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>)
      outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  func.call @show(%r1) : (tensor<2x2xi32>) -> ()
  %r2 = linalg.matmul {cast = #linalg.type_fn<cast_signed>} ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>)
      outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  func.call @show(%r2) : (tensor<2x2xi32>) -> ()
  // Attributes stand behind the maps, too.
  %r3 = linalg.contract indexing_maps = [#A, #B, #C] {cast = #linalg.type_fn<cast_unsigned>}
      ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  func.call @show(%r3) : (tensor<2x2xi32>) -> ()
  %r4 = linalg.matmul indexing_maps = [#A, #B, #C] {cast = #linalg.type_fn<cast_unsigned>}
      ins(%s, %a : tensor<2x2xi8, #CSR>, tensor<2x2xi8>) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  func.call @show(%r4) : (tensor<2x2xi32>) -> ()
  %r5 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : tensor<2x2xi8>) outs(%o : tensor<2x2xi32>)
      -> tensor<2x2xi32>
  func.call @show(%r5) : (tensor<2x2xi32>) -> ()
  %r6 = linalg.copy ins(%a : tensor<2x2xi8>) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32>
  func.call @show(%r6) : (tensor<2x2xi32>) -> ()

  // Integers to floating-point numbers.
  %r7 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : tensor<2x2xi8>) outs(%of : tensor<2x2xf64>)
      -> tensor<2x2xf64>
  %x7 = tensor.extract %r7[%c0, %c0] : tensor<2x2xf64>
  vector.print %x7 : f64
  %r8 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>)
      outs(%of : tensor<2x2xf64>) -> tensor<2x2xf64>
  %x8 = tensor.extract %r8[%c0, %c0] : tensor<2x2xf64>
  vector.print %x8 : f64

  // In a batch; one step of many, so that it is compiled.
  %ab = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 2, 2] : tensor<2x2xi8> into tensor<1x2x2xi8>
  %r9 = linalg.batch_matmul {cast = #linalg.type_fn<cast_unsigned>}
      ins(%ab, %ab : tensor<1x2x2xi8>, tensor<1x2x2xi8>) outs(%ob : tensor<1x2x2xi32>) -> tensor<1x2x2xi32>
  %x9 = tensor.extract %r9[%c0, %c0, %c0] : tensor<1x2x2xi32>
  vector.print %x9 : i32
  %big = tensor.splat %z : tensor<64x64xi32>
  %big8 = arith.trunci %big : tensor<64x64xi32> to tensor<64x64xi8>
  %m1 = arith.constant -1 : i8
  %ones = tensor.insert %m1 into %big8[%c0, %c0] : tensor<64x64xi8>
  %sones = sparse_tensor.convert %ones : tensor<64x64xi8> to tensor<64x64xi8, #CSR>
  %r10 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
      ins(%sones, %ones : tensor<64x64xi8, #CSR>, tensor<64x64xi8>) outs(%big : tensor<64x64xi32>) -> tensor<64x64xi32>
  %x10 = tensor.extract %r10[%c0, %c0] : tensor<64x64xi32>
  vector.print %x10 : i32

  // A bit is 0 or -1, or 1 without a sign.
  %bits = arith.constant dense<[true, true, false]> : tensor<3xi1>
  %eights = arith.constant dense<[5, 6, 7]> : tensor<3xi8>
  %oi = arith.constant dense<0> : tensor<i8>
  %d0 = linalg.dot ins(%bits, %bits : tensor<3xi1>, tensor<3xi1>) outs(%oi : tensor<i8>) -> tensor<i8>
  %y0 = tensor.extract %d0[] : tensor<i8>
  vector.print %y0 : i8
  %d1 = linalg.dot ins(%bits, %eights : tensor<3xi1>, tensor<3xi8>) outs(%oi : tensor<i8>) -> tensor<i8>
  %y1 = tensor.extract %d1[] : tensor<i8>
  vector.print %y1 : i8
  %o3 = arith.constant dense<0> : tensor<3xi32>
  %d2 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%bits : tensor<3xi1>) outs(%o3 : tensor<3xi32>)
      -> tensor<3xi32>
  %y2 = tensor.extract %d2[%c0] : tensor<3xi32>
  vector.print %y2 : i32
  %d3 = linalg.copy ins(%bits : tensor<3xi1>) outs(%o3 : tensor<3xi32>) -> tensor<3xi32>
  %y3 = tensor.extract %d3[%c0] : tensor<3xi32>
  vector.print %y3 : i32
  return
}
