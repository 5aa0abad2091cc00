// Nothing has more than 64 dimensions.
// expected-error@+1 {{65 dimensions: an encoding has at most 64}}
#E = #sparse_tensor.encoding<{ map = (d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, d64) -> (d0 : compressed, d1 : compressed, d2 : compressed, d3 : compressed, d4 : compressed, d5 : compressed, d6 : compressed, d7 : compressed, d8 : compressed, d9 : compressed, d10 : compressed, d11 : compressed, d12 : compressed, d13 : compressed, d14 : compressed, d15 : compressed, d16 : compressed, d17 : compressed, d18 : compressed, d19 : compressed, d20 : compressed, d21 : compressed, d22 : compressed, d23 : compressed, d24 : compressed, d25 : compressed, d26 : compressed, d27 : compressed, d28 : compressed, d29 : compressed, d30 : compressed, d31 : compressed, d32 : compressed, d33 : compressed, d34 : compressed, d35 : compressed, d36 : compressed, d37 : compressed, d38 : compressed, d39 : compressed, d40 : compressed, d41 : compressed, d42 : compressed, d43 : compressed, d44 : compressed, d45 : compressed, d46 : compressed, d47 : compressed, d48 : compressed, d49 : compressed, d50 : compressed, d51 : compressed, d52 : compressed, d53 : compressed, d54 : compressed, d55 : compressed, d56 : compressed, d57 : compressed, d58 : compressed, d59 : compressed, d60 : compressed, d61 : compressed, d62 : compressed, d63 : compressed, d64 : compressed) }>
func.func @most(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>, %b: memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>) {
  return
}
// expected-error@+1 {{65 dimensions: a tensor has at most 64}}
func.func @tensors(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>) {
  return
}
// expected-error@+1 {{300 dimensions: a memref has at most 64}}
func.func @memories(%a: memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>) {
  return
}
// expected-error@+1 {{65 dimensions: a vector has at most 64}}
func.func @vectors(%a: vector<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>) {
  return
}
