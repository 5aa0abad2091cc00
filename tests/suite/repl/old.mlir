func.func @main() {
  %0 = sparse_tensor.init [4, 4] : tensor<4x4xf64>
  std.return
}
