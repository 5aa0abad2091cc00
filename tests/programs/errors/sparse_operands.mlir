// What looks into a tensor with an encoding takes one.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#Part = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>) -> (i : compressed) }>

func.func @dense(%t: tensor<8xf64>, %name: !llvm.ptr, %b: memref<?xf64>, %m: memref<?xi1>, %c: memref<?xindex>, %n: index) {
  // expected-error@+1 {{makes a tensor with an encoding, not `tensor<8xf64>`}}
  %new = sparse_tensor.new %name : !llvm.ptr to tensor<8xf64>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  sparse_tensor.out %t, %name : tensor<8xf64>, !llvm.ptr
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  sparse_tensor.print %t : tensor<8xf64>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %load = sparse_tensor.load %t : tensor<8xf64>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %positions = sparse_tensor.positions %t { level = 0 : index } : tensor<8xf64> to memref<?xindex>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %coordinates = sparse_tensor.coordinates %t { level = 0 : index } : tensor<8xf64> to memref<?xindex>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %buffer = sparse_tensor.coordinates_buffer %t : tensor<8xf64> to memref<?xindex>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %values = sparse_tensor.values %t : tensor<8xf64> to memref<?xf64>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %nse = sparse_tensor.number_of_entries %t : tensor<8xf64>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %v, %f, %a, %count = sparse_tensor.expand %t : tensor<8xf64> to memref<?xf64>, memref<?xi1>, memref<?xindex>
  // expected-error@+1 {{takes a tensor with an encoding, not `tensor<8xf64>`}}
  %filled = sparse_tensor.compress %b, %m, %c, %n into %t[] : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<8xf64>
  return
}

func.func @unranked(%t: tensor<*xf64>) {
  // expected-error@+1 {{`%t` is an unranked tensor; `sparse_tensor.positions` takes a tensor with a rank}}
  %positions = sparse_tensor.positions %t { level = 0 : index } : tensor<*xf64> to memref<?xindex>
  // expected-error@+1 {{`%t` is an unranked tensor; `sparse_tensor.coordinates` takes a tensor with a rank}}
  %coordinates = sparse_tensor.coordinates %t { level = 0 : index } : tensor<*xf64> to memref<?xindex>
  // expected-error@+1 {{`%t` is an unranked tensor; `sparse_tensor.convert` takes a tensor with a rank}}
  %ranked = sparse_tensor.convert %t : tensor<*xf64> to tensor<8xf64>
  return
}

func.func @conversions(%open: tensor<?xf64>, %t: tensor<8xf64>) {
  // expected-error@+1 {{a tensor of 1 dimension cannot become one of 2}}
  %rank = sparse_tensor.convert %t : tensor<8xf64> to tensor<?x?xf64>
  // expected-error@+1 {{the size of dimension 0 is not known here, and the result's is 8}}
  %stated = sparse_tensor.convert %open : tensor<?xf64> to tensor<8xf64, #V>
  // expected-error@+1 {{dimension 0 has size 8, and the result's has 9}}
  %other = sparse_tensor.convert %t : tensor<8xf64> to tensor<9xf64, #V>
  // expected-error@+1 {{`f64` entries do not become `complex<f64>`}}
  %complex = sparse_tensor.convert %t : tensor<8xf64> to tensor<8xcomplex<f64>, #V>
  %wide = sparse_tensor.convert %t : tensor<8xf64> to tensor<?xf64, #V>
  return
}

func.func @to_a_slice(%t: tensor<4xf64>) {
  // expected-error@+1 {{a conversion does not make a slice of another tensor}}
  %part = sparse_tensor.convert %t : tensor<4xf64> to tensor<4xf64, #Part>
  return
}
