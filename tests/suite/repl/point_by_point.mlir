// Kernels that are evaluated point by point, and say why.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }

func.func @divide(%a: tensor<2000000xi32>, %to: tensor<2000000xi32>) -> tensor<2000000xi32> {
  %c = arith.constant 3 : i32
  %r = linalg.generic #each ins(%a : tensor<2000000xi32>) outs(%to : tensor<2000000xi32>) {
  ^bb0(%x: i32, %old: i32):
    %q = arith.divsi %x, %c : i32
    linalg.yield %q : i32
  } -> tensor<2000000xi32>
  return %r : tensor<2000000xi32>
}

// More steps than a program may take, from the sizes alone.
func.func @endless() -> tensor<1000000000000xi32, #SV> {
  %c = arith.constant 3 : i32
  %a = tensor.empty() : tensor<1000000000000xi32, #SV>
  %r = linalg.generic #each ins(%a : tensor<1000000000000xi32, #SV>) outs(%a : tensor<1000000000000xi32, #SV>) {
  ^bb0(%x: i32, %old: i32):
    %q = arith.divsi %x, %c : i32
    linalg.yield %q : i32
  } -> tensor<1000000000000xi32, #SV>
  return %r : tensor<1000000000000xi32, #SV>
}
