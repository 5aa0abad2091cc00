// The arrays of loose levels are those that were given, free slots included; a conversion adds the slot that MLIR's library adds.
#Loose = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : loose_compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %positions = arith.constant dense<[0, 2, 3, 5]> : tensor<4xindex>
  %coordinates = arith.constant dense<[1, 2, 2, 0, 1]> : tensor<5xindex>
  %values = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %given = sparse_tensor.assemble (%positions, %coordinates), %values
    : (tensor<4xindex>, tensor<5xindex>), tensor<5xf64> to tensor<2x3xf64, #Loose>
  sparse_tensor.print %given : tensor<2x3xf64, #Loose>
  %stored = sparse_tensor.coordinates %given {level = 1 : index} : tensor<2x3xf64, #Loose> to memref<?xindex>
  %slots = vector.transfer_read %stored[%c0], %c0 : memref<?xindex>, vector<5xindex>
  vector.print %slots : vector<5xindex>
  // Kernels read the pairs, whether there is a slot behind them or not.
  %x = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%given, %x : tensor<2x3xf64, #Loose>, tensor<3xf64>) outs(%zero : tensor<2xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %c, %product : f64
    linalg.yield %sum : f64
  } -> tensor<2xf64>
  %f0 = arith.constant 0.0 : f64
  %sums = vector.transfer_read %y[%c0], %f0 : tensor<2xf64>, vector<2xf64>
  vector.print %sums : vector<2xf64>
  %d = arith.constant sparse<[[0, 0], [1, 1], [1, 2]], [1.0, 2.0, 3.0]> : tensor<2x3xf64>
  %packed = sparse_tensor.convert %d : tensor<2x3xf64> to tensor<2x3xf64, #Loose>
  %pairs = sparse_tensor.positions %packed {level = 1 : index} : tensor<2x3xf64, #Loose> to memref<?xindex>
  %n = memref.dim %pairs, %c0 : memref<?xindex>
  vector.print %n : index
  return
}
