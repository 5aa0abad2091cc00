// What operations give, and where their attributes stand, in generic syntax and not.

func.func @two_sums(%c: i32) {
  // expected-error@+1 {{`arith.addi` gives 1 result, not 2}}
  %a:2 = "arith.addi"(%c, %c) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> (i32, i32)
  return
}

func.func @printed(%c: i32) {
  // expected-error@+1 {{`vector.print` gives no results, not 1}}
  %a = "vector.print"(%c) <{punctuation = #vector.punctuation<newline>}> : (i32) -> i64
  return
}

"func.func"() <{function_type = () -> (), sym_name = "gives"}> ({
  "func.return"() : () -> ()
  // expected-error@+1 {{`func.func` takes no operands and gives no results}}
}) : () -> (i64)

func.func @behind(%a: i32) -> i32 {
  // expected-error@+1 {{the attributes of `func.return` stand in front of its operands}}
  return %a {a = 1} : i32
}

func.func @in_front(%m: memref<2xf64>) {
  // expected-error@+1 {{the attributes of `memref.dealloc` stand behind its operands}}
  memref.dealloc {a = 1} %m : memref<2xf64>
  return {a = 1}
}

func.func @permuted(%v: vector<1x2xi32>) {
  // expected-error@+1 {{`permutation` is a list of numbers, as in `array<i64: 1, 0>`}}
  %t = "vector.transpose"(%v) <{permutation = array<f64: 1, 0>}> : (vector<1x2xi32>) -> vector<2x1xi32>
  return
}

// A hint in a function hides no error behind it.
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 3 : dense, j floordiv 3 : compressed, i mod 3 : dense, j mod 3 : dense) }>
func.func @blocks(%a: tensor<3x3xi32>, %o: tensor<3x3xi32, #B>) {
  // expected-hint@+1 {{MLIR 22 drops the old values of a result in blocks, or crashes}}
  %0 = linalg.matmul ins(%a, %a : tensor<3x3xi32>, tensor<3x3xi32>) outs(%o : tensor<3x3xi32, #B>) -> tensor<3x3xi32, #B>
  return
// expected-error@+1 {{`foo` does not begin an alias, a module or a function}}
} foo
