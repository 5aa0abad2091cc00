// Positions and coordinates of 8 bits have no sign: a byte holds up to 255.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 8, crdWidth = 8 }>
func.func @main() {
  %p = arith.constant dense<[0, 200]> : tensor<2xi8>
  %e = tensor.empty() : tensor<200xi8>
  %i = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<200xi8>) {
    ^bb0(%o: i8):
      %at = linalg.index 0 : index
      %byte = arith.index_cast %at : index to i8
      linalg.yield %byte : i8
  } -> tensor<200xi8>
  %v = arith.constant dense<1.5> : tensor<200xf64>
  %s = sparse_tensor.assemble (%p, %i), %v : (tensor<2xi8>, tensor<200xi8>), tensor<200xf64> to tensor<256xf64, #V>
  %n = sparse_tensor.number_of_entries %s : tensor<256xf64, #V>
  vector.print %n : index
  %d = sparse_tensor.convert %s : tensor<256xf64, #V> to tensor<256xf64>
  %c199 = arith.constant 199 : index
  %c200 = arith.constant 200 : index
  %a = tensor.extract %d[%c199] : tensor<256xf64>
  %b = tensor.extract %d[%c200] : tensor<256xf64>
  vector.print %a : f64
  vector.print %b : f64
  return
}
