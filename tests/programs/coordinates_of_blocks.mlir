// Coordinates of dimensions and of levels, from the ones to the others.
#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)
}>

func.func @main() {
  %i = arith.constant 5 : index
  %j = arith.constant 7 : index
  %a, %b, %c, %d = sparse_tensor.crd_translate dim_to_lvl [%i, %j] as #BSR : index, index, index, index
  vector.print %a : index
  vector.print %b : index
  vector.print %c : index
  vector.print %d : index
  %k, %l = sparse_tensor.crd_translate lvl_to_dim [%a, %b, %c, %d] as #BSR : index, index
  vector.print %k : index
  vector.print %l : index
  return
}
