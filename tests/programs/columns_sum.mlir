// The sums of columns, of rows, and of squares, of one matrix.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#columns = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (j)> ],
  iterator_types = ["reduction", "parallel"]
}
#all = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> ()> ],
  iterator_types = ["reduction", "reduction"]
}
module {
  func.func @columns(%a: tensor<3x4xf64, #CSR>, %x: tensor<4xf64>) -> tensor<4xf64> {
    %0 = linalg.generic #columns ins(%a : tensor<3x4xf64, #CSR>) outs(%x : tensor<4xf64>) {
      ^bb0(%p: f64, %q: f64):
        %1 = arith.addf %q, %p : f64
        linalg.yield %1 : f64
    } -> tensor<4xf64>
    return %0 : tensor<4xf64>
  }
  func.func @squares(%a: tensor<3x4xf64, #CSR>, %x: tensor<f64>) -> tensor<f64> {
    %0 = linalg.generic #all ins(%a : tensor<3x4xf64, #CSR>) outs(%x : tensor<f64>) {
      ^bb0(%p: f64, %q: f64):
        %1 = arith.mulf %p, %p : f64
        %2 = arith.addf %q, %1 : f64
        linalg.yield %2 : f64
    } -> tensor<f64>
    return %0 : tensor<f64>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %m = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %a = sparse_tensor.convert %m : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %x = arith.constant dense<[100.0, 200.0, 300.0, 400.0]> : tensor<4xf64>
    %0 = call @columns(%a, %x) : (tensor<3x4xf64, #CSR>, tensor<4xf64>) -> tensor<4xf64>
    %v = vector.transfer_read %0[%c0], %f0 : tensor<4xf64>, vector<4xf64>
    vector.print %v : vector<4xf64>
    %z = arith.constant dense<0.0> : tensor<f64>
    %1 = call @squares(%a, %z) : (tensor<3x4xf64, #CSR>, tensor<f64>) -> tensor<f64>
    %s = tensor.extract %1[] : tensor<f64>
    vector.print %s : f64
    return
  }
}
