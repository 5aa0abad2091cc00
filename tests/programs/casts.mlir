// Conversions of entries.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"],
  doc = "X(i) = OP A(i)"
}
module {
  func.func @ext(%a: tensor<?xf32, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf32, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf32, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f32, %o: f64):
        %1 = arith.extf %x : f32 to f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @trunc(%a: tensor<?xf64, #SV>) -> tensor<?xf32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf32, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf32, #SV>) {
      ^bb0(%x: f64, %o: f32):
        %1 = arith.truncf %x : f64 to f32
        linalg.yield %1 : f32
    } -> tensor<?xf32, #SV>
    return %0 : tensor<?xf32, #SV>
  }
  func.func @i2f(%a: tensor<?xi32, #SV>) -> tensor<?xf32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xf32, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xi32, #SV>) outs(%e : tensor<?xf32, #SV>) {
      ^bb0(%x: i32, %o: f32):
        %1 = arith.sitofp %x : i32 to f32
        linalg.yield %1 : f32
    } -> tensor<?xf32, #SV>
    return %0 : tensor<?xf32, #SV>
  }
  func.func @u2f(%a: tensor<?xi32, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xi32, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: i32, %o: f64):
        %1 = arith.uitofp %x : i32 to f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @f2i(%a: tensor<?xf32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: f32, %o: i32):
        %1 = arith.fptosi %x : f32 to i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @f2u(%a: tensor<?xf64, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: f64, %o: i32):
        %1 = arith.fptoui %x : f64 to i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @widen(%a: tensor<?xi32, #SV>) -> tensor<?xi64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xi32, #SV>) outs(%e : tensor<?xi64, #SV>) {
      ^bb0(%x: i32, %o: i64):
        %1 = arith.extsi %x : i32 to i64
        linalg.yield %1 : i64
    } -> tensor<?xi64, #SV>
    return %0 : tensor<?xi64, #SV>
  }
  func.func @widenu(%a: tensor<?xi32, #SV>) -> tensor<?xi64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xi32, #SV>) outs(%e : tensor<?xi64, #SV>) {
      ^bb0(%x: i32, %o: i64):
        %1 = arith.extui %x : i32 to i64
        linalg.yield %1 : i64
    } -> tensor<?xi64, #SV>
    return %0 : tensor<?xi64, #SV>
  }
  func.func @narrow(%a: tensor<?xi32, #SV>) -> tensor<?xi8, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi8, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xi32, #SV>) outs(%e : tensor<?xi8, #SV>) {
      ^bb0(%x: i32, %o: i8):
        %1 = arith.trunci %x : i32 to i8
        linalg.yield %1 : i8
    } -> tensor<?xi8, #SV>
    return %0 : tensor<?xi8, #SV>
  }
  func.func @bits(%a: tensor<?xf32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: f32, %o: i32):
        %1 = arith.bitcast %x : f32 to i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @main() {
    %f32 = arith.constant sparse<[[1], [2], [7]], [-1.5, 3.75, 100.0]> : tensor<9xf32>
    %f32s = sparse_tensor.convert %f32 : tensor<9xf32> to tensor<?xf32, #SV>
    %f64 = arith.constant sparse<[[1], [2], [7]], [1.5, 3.75, 100.1]> : tensor<9xf64>
    %f64s = sparse_tensor.convert %f64 : tensor<9xf64> to tensor<?xf64, #SV>
    %i32 = arith.constant sparse<[[1], [2], [7]], [-1, 255, 70000]> : tensor<9xi32>
    %i32s = sparse_tensor.convert %i32 : tensor<9xi32> to tensor<?xi32, #SV>
    %r_ext = call @ext(%f32s) : (tensor<?xf32, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_ext : tensor<?xf64, #SV>
    %r_trunc = call @trunc(%f64s) : (tensor<?xf64, #SV>) -> tensor<?xf32, #SV>
    sparse_tensor.print %r_trunc : tensor<?xf32, #SV>
    %r_i2f = call @i2f(%i32s) : (tensor<?xi32, #SV>) -> tensor<?xf32, #SV>
    sparse_tensor.print %r_i2f : tensor<?xf32, #SV>
    %r_u2f = call @u2f(%i32s) : (tensor<?xi32, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_u2f : tensor<?xf64, #SV>
    %r_f2i = call @f2i(%f32s) : (tensor<?xf32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_f2i : tensor<?xi32, #SV>
    %r_f2u = call @f2u(%f64s) : (tensor<?xf64, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_f2u : tensor<?xi32, #SV>
    %r_widen = call @widen(%i32s) : (tensor<?xi32, #SV>) -> tensor<?xi64, #SV>
    sparse_tensor.print %r_widen : tensor<?xi64, #SV>
    %r_widenu = call @widenu(%i32s) : (tensor<?xi32, #SV>) -> tensor<?xi64, #SV>
    sparse_tensor.print %r_widenu : tensor<?xi64, #SV>
    %r_narrow = call @narrow(%i32s) : (tensor<?xi32, #SV>) -> tensor<?xi8, #SV>
    sparse_tensor.print %r_narrow : tensor<?xi8, #SV>
    %r_bits = call @bits(%f32s) : (tensor<?xf32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_bits : tensor<?xi32, #SV>
    return
  }
}
