// Vectors: their maps, masks, places.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @transfers(%t: tensor<4x4xf64>, %point: tensor<f64>, %s: tensor<8xf64, #V>, %m: vector<4xi1>, %v: vector<4xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{takes dense tensors, and this has an encoding}}
  %a = vector.transfer_read %s[%c0], %zero : tensor<8xf64, #V>, vector<8xf64>
  // expected-error@+1 {{has 2 dimensions, and 1 indices are given}}
  %b = vector.transfer_read %t[%c0], %zero : tensor<4x4xf64>, vector<4xf64>
  // expected-error@+1 {{`%one` is `f32`, not `f64`}}
  %c = vector.transfer_read %t[%c0, %c0], %one : tensor<4x4xf64>, vector<4xf64>
  // expected-error@+1 {{names dimensions of the source, each once}}
  %d = vector.transfer_read %t[%c0, %c0], %zero {permutation_map = affine_map<(i, j) -> (j, j)>} : tensor<4x4xf64>, vector<4x4xf64>
  // expected-error@+1 {{`%m` is `vector<4xi1>`, not `vector<2xi1>`}}
  %e = vector.transfer_read %t[%c0, %c0], %zero, %m : tensor<4x4xf64>, vector<2xf64>
  // expected-error@+1 {{has more dimensions than}}
  %f = vector.transfer_write %v, %point[] : vector<4xf64>, tensor<f64>
  return
}

func.func @parts(%v: vector<2x3xf64>, %x: f64) {
  // expected-error@+1 {{`vector<2x3xf64>` has no such place}}
  %a = vector.extract %v[2, 0] : f64 from vector<2x3xf64>
  // expected-error@+1 {{what stands at that place of `vector<2x3xf64>` is no `f64`}}
  %b = vector.extract %v[1] : f64 from vector<2x3xf64>
  // expected-error@+1 {{`vector<2x3xf64>` cannot be read as `vector<5xf64>`}}
  %c = vector.shape_cast %v : vector<2x3xf64> to vector<5xf64>
  // expected-error@+1 {{this order does not make `vector<2x3xf64>`}}
  %d = vector.transpose %v, [1, 0] : vector<2x3xf64> to vector<2x3xf64>
  // expected-error@+1 {{one dimension becomes a scalar}}
  %e = vector.reduction <add>, %v : vector<2x3xf64> into f64
  %row = vector.extract %v[0] : vector<3xf64> from vector<2x3xf64>
  // expected-error@+1 {{there is no such reduction of `vector<3xf64>`}}
  %f = vector.reduction <xor>, %row : vector<3xf64> into f64
  return
}
