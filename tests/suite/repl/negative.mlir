// Numbers that a program computes, and that are negative where none may be.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @reshape() {
  %t = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %s = arith.constant dense<[-1, -3]> : tensor<2xindex>
  %x = tensor.reshape %t(%s) : (tensor<3xf64>, tensor<2xindex>) -> tensor<?x?xf64>
  return
}

func.func @sort() {
  %n = arith.constant -1 : index
  %x = memref.alloc() : memref<4xindex>
  sparse_tensor.sort quick_sort %n, %x {perm_map = affine_map<(i) -> (i)>} : memref<4xindex>
  return
}

func.func @coordinates() {
  %p = arith.constant dense<[0, 2]> : tensor<2xindex>
  %c = arith.constant dense<[-1, 2]> : tensor<2xindex>
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %x = sparse_tensor.assemble (%p, %c), %v : (tensor<2xindex>, tensor<2xindex>), tensor<2xf64> to tensor<9xf64, #SV>
  return
}

func.func @positions() {
  %p = arith.constant dense<[-2, 2]> : tensor<2xindex>
  %c = arith.constant dense<[1, 2]> : tensor<2xindex>
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %x = sparse_tensor.assemble (%p, %c), %v : (tensor<2xindex>, tensor<2xindex>), tensor<2xf64> to tensor<9xf64, #SV>
  return
}

func.func @read() {
  %n = arith.constant -1 : index
  %p = arith.constant 9.0 : f64
  %t = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %v = vector.transfer_read %t[%n], %p : tensor<3xf64>, vector<4xf64>
  return
}

func.func @write() {
  %n = arith.constant -1 : index
  %t = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %v = arith.constant dense<1.0> : vector<2xf64>
  %w = vector.transfer_write %v, %t[%n] : vector<2xf64>, tensor<3xf64>
  return
}
