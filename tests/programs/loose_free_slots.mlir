// What stands in slots between segments means nothing, not even if it is no coordinate.
#Loose = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : loose_compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f64
  %positions = arith.constant dense<[0, 1, 3, 5]> : tensor<4xindex>
  %coordinates = arith.constant dense<[2, 77, 99, 0, 3]> : tensor<5xindex>
  %values = arith.constant dense<[1.0, 8.0, 9.0, 2.0, 3.0]> : tensor<5xf64>
  %a = sparse_tensor.assemble (%positions, %coordinates), %values : (tensor<4xindex>, tensor<5xindex>), tensor<5xf64> to tensor<2x4xf64, #Loose>
  %d = sparse_tensor.convert %a : tensor<2x4xf64, #Loose> to tensor<2x4xf64>
  %v = vector.transfer_read %d[%c0, %c0], %f0 : tensor<2x4xf64>, vector<2x4xf64>
  vector.print %v : vector<2x4xf64>
  return
}
