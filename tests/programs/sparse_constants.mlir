// A constant `sparse<...>` is what it lists for the operation that takes it, in row-major order, and a dense tensor elsewhere.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @visit(%d: tensor<2x2xi32>) {
  sparse_tensor.foreach in %d : tensor<2x2xi32> do {
  ^bb0(%i: index, %j: index, %v: i32):
    vector.print %v : i32
  }
  return
}

func.func @pack(%d: tensor<6xf64>) {
  %s = sparse_tensor.convert %d : tensor<6xf64> to tensor<6xf64, #SV>
  sparse_tensor.print %s : tensor<6xf64, #SV>
  return
}

func.func @main() {
  %d = arith.constant sparse<[[2, 0], [0, 1], [0, 3]], [1.5, 2.5, 0.0]> : tensor<3x4xf64>
  sparse_tensor.foreach in %d : tensor<3x4xf64> do {
  ^bb0(%i: index, %j: index, %v: f64):
    vector.print %v : f64
  }
  sparse_tensor.foreach in %d {order = affine_map<(i, j) -> (j, i)>} : tensor<3x4xf64> do {
  ^bb0(%i: index, %j: index, %v: f64):
    vector.print %v : f64
  }

  %e = arith.constant sparse<[[1, 1], [0, 1]], [1, 2]> : tensor<2x2xi32>
  call @visit(%e) : (tensor<2x2xi32>) -> ()
  %cast = tensor.cast %e : tensor<2x2xi32> to tensor<?x?xi32>
  sparse_tensor.foreach in %cast : tensor<?x?xi32> do {
  ^bb0(%i: index, %j: index, %v: i32):
    vector.print %v : i32
  }

  // An explicit zero is an entry of the constant alone.
  %z = arith.constant sparse<[[2], [0], [4]], [1.5, 2.5, 0.0]> : tensor<6xf64>
  %direct = sparse_tensor.convert %z : tensor<6xf64> to tensor<6xf64, #SV>
  sparse_tensor.print %direct : tensor<6xf64, #SV>
  call @pack(%z) : (tensor<6xf64>) -> ()
  %true = arith.constant true
  %chosen = scf.if %true -> tensor<6xf64> {
    scf.yield %z : tensor<6xf64>
  } else {
    scf.yield %z : tensor<6xf64>
  }
  %of_chosen = sparse_tensor.convert %chosen : tensor<6xf64> to tensor<6xf64, #SV>
  sparse_tensor.print %of_chosen : tensor<6xf64, #SV>
  %copy = bufferization.alloc_tensor() copy(%z) : tensor<6xf64>
  %of_copy = sparse_tensor.convert %copy : tensor<6xf64> to tensor<6xf64, #SV>
  sparse_tensor.print %of_copy : tensor<6xf64, #SV>
  %rows = tensor.expand_shape %z [[0, 1]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64, #CSR>
  sparse_tensor.print %rows : tensor<2x3xf64, #CSR>
  return
}
