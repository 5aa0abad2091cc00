// Parts of tensors, taken and written in loops: a tensor that is used later stays as it is.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f64
  %t = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf64>

  // Columns, rows, steps, one entry, none.
  scf.for %j = %c0 to %c2 step %c1 {
    %column = tensor.extract_slice %t[0, %j] [3, 1] [1, 1] : tensor<3x4xf64> to tensor<3xf64>
    %v = vector.transfer_read %column[%c0], %z : tensor<3xf64>, vector<3xf64>
    vector.print %v : vector<3xf64>
    %row = tensor.extract_slice %t[%j, 0] [1, 4] [1, 1] : tensor<3x4xf64> to tensor<1x4xf64>
    %w = vector.transfer_read %row[%c0, %c0], %z : tensor<1x4xf64>, vector<1x4xf64>
    vector.print %w : vector<1x4xf64>
  }
  %steps = tensor.extract_slice %t[0, 1] [%c2, 2] [2, %c2] : tensor<3x4xf64> to tensor<?x2xf64>
  %v = vector.transfer_read %steps[%c0, %c0], %z : tensor<?x2xf64>, vector<2x2xf64>
  vector.print %v : vector<2x2xf64>
  %one = tensor.extract_slice %t[2, 3] [1, 1] [1, 1] : tensor<3x4xf64> to tensor<f64>
  %x = tensor.extract %one[] : tensor<f64>
  vector.print %x : f64
  %none = tensor.extract_slice %t[2, 3] [%c0, 1] [1, 1] : tensor<3x4xf64> to tensor<?x1xf64>
  %d = tensor.dim %none, %c0 : tensor<?x1xf64>
  vector.print %d : index

  // Each row gets the first one, and the tensor at the start stays.
  %first = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<3x4xf64> to tensor<4xf64>
  %filled = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t) -> tensor<3x4xf64> {
    %b = tensor.insert_slice %first into %a[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<3x4xf64>
    scf.yield %b : tensor<3x4xf64>
  }
  %f = vector.transfer_read %filled[%c0, %c0], %z : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %f : vector<3x4xf64>
  %o = vector.transfer_read %t[%c0, %c0], %z : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %o : vector<3x4xf64>
  %pair = tensor.extract_slice %filled[0, 0] [1, 2] [1, 1] : tensor<3x4xf64> to tensor<2xf64>
  %spread = tensor.insert_slice %pair into %filled[1, 1] [1, 2] [1, 2] : tensor<2xf64> into tensor<3x4xf64>
  %s = vector.transfer_read %spread[%c0, %c0], %z : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %s : vector<3x4xf64>
  return
}
