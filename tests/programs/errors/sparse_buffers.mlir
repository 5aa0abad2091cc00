// Pushing to buffers and sorting them.
func.func @push_back(%n: index, %buffer: memref<?xf64>, %matrix: memref<?x?xf64>, %single: f32, %value: f64) {
  // expected-error@+1 {{`f32` cannot be pushed to `memref<?xf64>`}}
  %a:2 = sparse_tensor.push_back %n, %buffer, %single : index, memref<?xf64>, f32
  %none = arith.constant 0 : index
  // expected-error@+1 {{the value is pushed once at least, not 0 times}}
  %b:2 = sparse_tensor.push_back %n, %buffer, %value, %none : index, memref<?xf64>, f64, index
  %less = arith.constant -1 : index
  // expected-error@+1 {{the value is pushed once at least, not -1 times}}
  %d:2 = sparse_tensor.push_back %n, %buffer, %value, %less : index, memref<?xf64>, f64, index
  // expected-error@+1 {{`sparse_tensor.push_back` takes 3 to 4 operands, not 1}}
  sparse_tensor.push_back %value : f64
  // expected-error@+1 {{`sparse_tensor.push_back` takes 3 to 4 operands, not 2}}
  %e:2 = sparse_tensor.push_back %n, %buffer : index, memref<?xf64>
  // expected-error@+1 {{a memref of one dimension is wanted here, not `memref<?x?xf64>`}}
  %c:2 = sparse_tensor.push_back %n, %matrix, %value : index, memref<?x?xf64>, f64
  return
}

#pair = affine_map<(i, j) -> (i, j)>
#twice = affine_map<(i, j) -> (i, i)>

func.func @sort(%n: index, %floats: memref<?xf64>, %keys: memref<?xindex>, %few: memref<50xindex>, %enough: memref<60xindex>,
                %short: memref<10xf64>) {
  // expected-error@+1 {{keys are whole numbers, and this is `memref<?xf64>`}}
  sparse_tensor.sort quick_sort %n, %floats {perm_map = #pair} : memref<?xf64>
  // expected-error@+1 {{`bubble_sort` is no way to sort}}
  sparse_tensor.sort bubble_sort %n, %keys {perm_map = #pair} : memref<?xindex>
  // expected-error@+1 {{`perm_map` is a permutation: every key once, and nothing else}}
  sparse_tensor.sort heap_sort %n, %keys {perm_map = #twice, ny = 1 : index} : memref<?xindex>
  %twenty = arith.constant 20 : index
  // expected-error@+1 {{60 entries are sorted here, and `memref<50xindex>` has 50}}
  sparse_tensor.sort hybrid_quick_sort %twenty, %few {perm_map = #pair, ny = 1 : index} : memref<50xindex>
  // expected-error@+1 {{20 entries are sorted here, and `memref<10xf64>` has 10}}
  sparse_tensor.sort insertion_sort_stable %twenty, %enough jointly %short {perm_map = #pair, ny = 1 : index}
    : memref<60xindex> jointly memref<10xf64>
  return
}

#M = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @compress(%values: memref<?xf64>, %singles: memref<?xf32>, %marks: memref<?xi1>, %added: memref<?xindex>, %n: index,
                    %t: tensor<8x8xf64, #M>) {
  // expected-error@+1 {{the tensor has 2 levels: 1 coordinates of the outer ones are wanted, and 2 are given}}
  %two = sparse_tensor.compress %values, %marks, %added, %n into %t[%n, %n]
    : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<8x8xf64, #M>
  // expected-error@+1 {{`memref<?xf64>` is wanted here, not `memref<?xf32>`}}
  %type = sparse_tensor.compress %singles, %marks, %added, %n into %t[%n]
    : memref<?xf32>, memref<?xi1>, memref<?xindex>, tensor<8x8xf64, #M>
  return
}

#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }

func.func @ends_no_region(%a: tensor<2xf64>) {
  %0 = linalg.generic #each ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %x, %x : f64
    // expected-error@+1 {{`sparse_tensor.push_back` takes 3 to 4 operands, not 1}}
    sparse_tensor.push_back %s : f64
  } -> tensor<2xf64>
  return
}

func.func @loads_nothing() {
  // expected-error@+1 {{`memref.load` takes 1 operand or more, not 0}}
  %x = "memref.load"() : () -> f64
  return
}
