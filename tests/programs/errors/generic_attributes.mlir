// Attributes of the generic form: missing, of another kind, out of range.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @numbers(%a: i32, %x: f64) {
  // expected-error@+1 {{`arith.cmpf` needs `predicate`, a whole number from 0 to 15}}
  %0 = "arith.cmpf"(%x, %x) : (f64, f64) -> i1
  // expected-error@+1 {{`predicate` is a whole number from 0 to 15}}
  %1 = "arith.cmpf"(%x, %x) <{predicate = 99 : i64}> : (f64, f64) -> i1
  // expected-error@+1 {{`predicate` is a whole number from 0 to 15}}
  %2 = "arith.cmpf"(%x, %x) <{predicate = -1 : i64}> : (f64, f64) -> i1
  // expected-error@+1 {{`predicate` is a whole number from 0 to 15}}
  %3 = "arith.cmpf"(%x, %x) <{predicate = "x"}> : (f64, f64) -> i1
  // expected-error@+1 {{`arith.cmpi` needs `predicate`, a whole number from 0 to 9}}
  %4 = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
  // expected-error@+1 {{`predicate` is a whole number from 0 to 9}}
  %5 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  // expected-error@+1 {{`predicate` is a whole number from 0 to 9}}
  %6 = "arith.cmpi"(%a, %a) <{predicate = 1 : i32}> : (i32, i32) -> i1
  // expected-error@+1 {{`complex.constant` needs `value`}}
  %7 = "complex.constant"() : () -> complex<f64>
  // expected-error@+1 {{a complex constant is two numbers, of a complex type}}
  %8 = "complex.constant"() <{value = 1.0 : f64}> : () -> complex<f64>
  // expected-error@+1 {{`punctuation` is one of `no_punctuation`, `newline`, `comma`, `open`, `close`}}
  "vector.print"(%x) <{punctuation = #vector.punctuation<dot>}> : (f64) -> ()
  // expected-error@+1 {{`stringLiteral` is a text in quotes}}
  "vector.print"() <{stringLiteral = 7 : i64}> : () -> ()
  return
}
func.func @shapes(%d: tensor<2x2xf64>, %m: memref<?xi32>, %n: index, %x: f64) {
  // expected-error@+1 {{`permutation` names each of 2 dimensions once}}
  %0 = "linalg.transpose"(%d, %d) <{permutation = array<i64: 7, 7>}> ({
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  }) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{`dim` names one of 2 dimensions}}
  %1 = "tensor.concat"(%d, %d) <{dim = 99 : i64}> : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<4x2xf64>
  // expected-error@+1 {{`tensor.concat` needs `dim`, a whole number from 0 on}}
  %2 = "tensor.concat"(%d, %d) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<4x2xf64>
  // expected-error@+1 {{`tensor.expand_shape` needs `reassociation`, a list of lists of numbers, as in `[[0, 1], [2]]`}}
  %3 = "tensor.expand_shape"(%d) <{static_output_shape = array<i64: 2, 2, 1>}> : (tensor<2x2xf64>) -> tensor<2x2x1xf64>
  // expected-error@+1 {{`operandSegmentSizes` is the sizes of 3 groups of operands}}
  %4 = "tensor.pad"(%d) <{operandSegmentSizes = array<i32: 1>, static_low = array<i64: 0, 0>, static_high = array<i64: 0, 0>}> ({
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f64
  }) : (tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{groups of 2 operands together, and there are 1 operand}}
  %5 = "tensor.extract_slice"(%d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{`static_sizes` leaves 1 number open, for which there are no values}}
  %6 = "tensor.extract_slice"(%d) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 2>, static_strides = array<i64: 1, 1>}> : (tensor<2x2xf64>) -> tensor<?x2xf64>
  // expected-error@+1 {{`linalg.fill` needs `operandSegmentSizes`, the sizes of 2 groups of operands, as in `array<i32: 1, 1>`}}
  %7 = "linalg.fill"(%x, %d) ({
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  }) : (f64, tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{1 in `in_bounds` for a vector of 2 dimensions}}
  %8 = vector.transfer_read %d[%n, %n], %x {in_bounds = [true]} : tensor<2x2xf64>, vector<2x2xf64>
  // expected-error@+1 {{`in_bounds` is a list of `true` and `false`}}
  %9 = vector.transfer_read %d[%n, %n], %x {in_bounds = 1 : i64} : tensor<2x2xf64>, vector<2x2xf64>
  // expected-error@+1 {{`static_offsets` is a list of numbers, as in `array<i64: 1, 0>`}}
  %10 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = "x", static_sizes = array<i64: 2>, static_strides = array<i64: 1>}> : (memref<?xi32>) -> memref<2xi32, strided<[1]>>
  return
}
func.func @sparse(%S: tensor<4xf64, #SV>, %f: tensor<1x1x1xf64>, %n: index, %keys: memref<?xindex>, %x: f64) {
  // expected-error@+1 {{`sparse_tensor.sort` needs `algorithm`, one of `hybrid_quick_sort`, `insertion_sort_stable`, `quick_sort`, `heap_sort`}}
  "sparse_tensor.sort"(%n, %keys) <{perm_map = affine_map<(i) -> (i)>, ny = 0 : index}> : (index, memref<?xindex>) -> ()
  // expected-error@+1 {{`ny` is a number of type `index`, from 0 on}}
  "sparse_tensor.sort"(%n, %keys) <{perm_map = affine_map<(i) -> (i)>, ny = "x", algorithm = #sparse_tensor<SparseTensorSortAlgorithm quick_sort>}> : (index, memref<?xindex>) -> ()
  // expected-error@+1 {{`direction` is one of `dim_to_lvl`, `lvl_to_dim`}}
  %0 = "sparse_tensor.crd_translate"(%n) <{direction = "x", encoder = #SV}> : (index) -> index
  // expected-error@+1 {{`level` is a number of type `index`, from 0 on}}
  %1 = "sparse_tensor.positions"(%S) <{level = 0 : i64}> : (tensor<4xf64, #SV>) -> memref<?xindex>
  // expected-error@+1 {{`hasInserts` is a name without a value}}
  %2 = "sparse_tensor.load"(%S) <{hasInserts = 1 : i64}> : (tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  %d = arith.constant dense<0.0> : tensor<4xf64>
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%S : tensor<4xf64, #SV>) outs(%d : tensor<4xf64>) {
  ^bb0(%a: f64, %o: f64):
    // expected-error@+1 {{`linalg.index` needs `dim`, a whole number from 0 on}}
    %i = "linalg.index"() : () -> index
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{`strides` is a list of numbers, as in `dense<[1, 2]> : tensor<2xi64>`}}
  %4 = linalg.conv_1d_nwc_wcf {strides = 2 : i64} ins(%f, %f : tensor<1x1x1xf64>, tensor<1x1x1xf64>) outs(%f : tensor<1x1x1xf64>) -> tensor<1x1x1xf64>
  return
}
