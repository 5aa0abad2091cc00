#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#matvec = { indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (j)>, affine_map<(i,j) -> (i)> ], iterator_types = ["parallel","reduction"], doc = "x(i) += A(i,j) * b(j)" }
module {
  func.func @kernel(%a: tensor<?x?xf64, #CSR>, %b: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
    %0 = linalg.generic #matvec ins(%a, %b : tensor<?x?xf64, #CSR>, tensor<?xf64>) outs(%x : tensor<?xf64>) {
      ^bb0(%aa: f64, %bb: f64, %xx: f64):
        %m = arith.mulf %aa, %bb : f64
        %s = arith.addf %xx, %m : f64
        linalg.yield %s : f64
    } -> tensor<?xf64>
    return %0 : tensor<?xf64>
  }
  func.func @main() {
    %f0 = arith.constant 0.0 : f64
    %f1 = arith.constant 1.0 : f64
    %c0 = arith.constant 0 : index
    %d = arith.constant dense<[[1.0, 0.0, 2.5],[0.0,0.0,0.0],[0.0, 3.0, 0.0]]> : tensor<3x3xf64>
    %A = sparse_tensor.convert %d : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
    sparse_tensor.print %A : tensor<3x3xf64, #CSR>
    %B = tensor.cast %A : tensor<3x3xf64, #CSR> to tensor<?x?xf64, #CSR>
    %c3 = arith.constant 3 : index
    %x = tensor.generate %c3 { ^bb0(%i: index): tensor.yield %f1 : f64 } : tensor<?xf64>
    %y = tensor.generate %c3 { ^bb0(%i: index): tensor.yield %f0 : f64 } : tensor<?xf64>
    %r = call @kernel(%B, %x, %y) : (tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %v = vector.transfer_read %r[%c0], %f0 : tensor<?xf64>, vector<3xf64>
    vector.print %v : vector<3xf64>
    vector.print %f1 : f64
    vector.print str "hello\n"
    vector.print %c3 : index
    bufferization.dealloc_tensor %A : tensor<3x3xf64, #CSR>
    return
  }
}
