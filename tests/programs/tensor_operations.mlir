// Dense tensors: made, cast, read, changed.
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %f0 = arith.constant 0.0 : f64
    %f7 = arith.constant 7.0 : f64
    %e = tensor.from_elements %c1, %c2, %c4 : tensor<3xindex>
    %x = tensor.extract %e[%c2] : tensor<3xindex>
    vector.print %x : index
    %g = tensor.generate %c4 {
      ^bb0(%i: index):
        %t = arith.index_cast %i : index to i64
        %u = arith.sitofp %t : i64 to f64
        tensor.yield %u : f64
    } : tensor<?xf64>
    %h = tensor.insert %f7 into %g[%c1] : tensor<?xf64>
    %v = vector.transfer_read %h[%c0], %f0 : tensor<?xf64>, vector<6xf64>
    vector.print %v : vector<6xf64>
    %m = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
    %dyn = tensor.cast %m : tensor<2x3xf64> to tensor<?x?xf64>
    %d = tensor.dim %dyn, %c1 : tensor<?x?xf64>
    vector.print %d : index
    %shape = arith.constant dense<[3, 2]> : tensor<2xindex>
    %r = tensor.reshape %m(%shape) : (tensor<2x3xf64>, tensor<2xindex>) -> tensor<3x2xf64>
    %rv = vector.transfer_read %r[%c0, %c0], %f0 : tensor<3x2xf64>, vector<3x2xf64>
    vector.print %rv : vector<3x2xf64>
    %p = tensor.pad %m low[1, 0] high[0, 2] {
      ^bb0(%i: index, %j: index):
        tensor.yield %f7 : f64
    } : tensor<2x3xf64> to tensor<3x5xf64>
    %pv = vector.transfer_read %p[%c0, %c0], %f0 : tensor<3x5xf64>, vector<3x5xf64>
    vector.print %pv : vector<3x5xf64>
    %s = tensor.extract_slice %m[0, 1] [2, 2] [1, 1] : tensor<2x3xf64> to tensor<2x2xf64>
    %sv = vector.transfer_read %s[%c0, %c0], %f0 : tensor<2x2xf64>, vector<2x2xf64>
    vector.print %sv : vector<2x2xf64>
    %i = tensor.insert_slice %s into %p[1, 3] [2, 2] [1, 1] : tensor<2x2xf64> into tensor<3x5xf64>
    %iv = vector.transfer_read %i[%c0, %c0], %f0 : tensor<3x5xf64>, vector<3x5xf64>
    vector.print %iv : vector<3x5xf64>
    %col = tensor.collapse_shape %m [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
    %cv = vector.transfer_read %col[%c2], %f0 : tensor<6xf64>, vector<3xf64>
    vector.print %cv : vector<3xf64>
    return
  }
}
