// A list of four dimensions whose entries are all the same.
#Mask = #sparse_tensor.encoding<{
  map = (i, j, k, l) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(nonunique, soa), l : singleton(soa)),
  explicitVal = 1 : i32
}>

func.func @main() {
  %d = arith.constant sparse<[[0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]], [1, 1, 1]> : tensor<2x2x2x2xi32>
  %a = sparse_tensor.convert %d : tensor<2x2x2x2xi32> to tensor<2x2x2x2xi32, #Mask>
  sparse_tensor.print %a : tensor<2x2x2x2xi32, #Mask>
  bufferization.dealloc_tensor %a : tensor<2x2x2x2xi32, #Mask>
  return
}
