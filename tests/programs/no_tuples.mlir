// An array of no tuples still has two dimensions.
#Pairs = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>

func.func @main() {
  %positions = arith.constant dense<0> : tensor<2xindex>
  %none = arith.constant dense<> : tensor<0x2xindex>
  %values = arith.constant dense<> : tensor<0xf64>
  %t = sparse_tensor.assemble (%positions, %none), %values
    : (tensor<2xindex>, tensor<0x2xindex>), tensor<0xf64> to tensor<2x3xf64, #Pairs>
  %count = sparse_tensor.number_of_entries %t : tensor<2x3xf64, #Pairs>
  vector.print %count : index
  return
}
