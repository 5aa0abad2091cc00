// Kernels by name, branches and more in the generic syntax, which leaves out what their names say.
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "choose"}> ({
  ^bb0(%n: i32):
    %a = "arith.constant"() <{value = 5 : i32}> : () -> i32
    "cf.switch"(%n, %n, %a)[^other, ^known] <{case_operand_segments = array<i32: 1>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i32) -> ()
  ^known(%x: i32):
    "func.return"(%x) : (i32) -> ()
  ^other(%y: i32):
    %z = "arith.addi"(%y, %y) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "cf.br"(%z)[^known] : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %zero = "arith.constant"() <{value = 0.0 : f64}> : () -> f64
    %two = "arith.constant"() <{value = 2.0 : f64}> : () -> f64
    %t = "arith.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %all = "tensor.splat"(%two) : (f64) -> tensor<2x3xf64>
    %e = "tensor.empty"() : () -> tensor<2x3xf64>
    %sum = "linalg.add"(%t, %all, %e) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%p: f64, %q: f64, %o: f64):
      %s = "arith.addf"(%p, %q) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%s) : (f64) -> ()
    }) : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    %f = "tensor.empty"() : () -> tensor<3x2xf64>
    %turned = "linalg.transpose"(%sum, %f) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%p: f64, %o: f64):
      "linalg.yield"(%p) : (f64) -> ()
    }) : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %v = "vector.transfer_read"(%turned, %c0, %c0, %zero) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(i, j) -> (i, j)>}> : (tensor<3x2xf64>, index, index, f64) -> vector<3x2xf64>
    "vector.print"(%v) <{punctuation = #vector.punctuation<newline>}> : (vector<3x2xf64>) -> ()
    %one = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %nine = "arith.constant"() <{value = 9 : i32}> : () -> i32
    %g = "func.call"(%one) <{callee = @choose}> : (i32) -> i32
    %h = "func.call"(%nine) <{callee = @choose}> : (i32) -> i32
    "vector.print"(%g) <{punctuation = #vector.punctuation<newline>}> : (i32) -> ()
    "vector.print"(%h) <{punctuation = #vector.punctuation<newline>}> : (i32) -> ()
    "func.return"() : () -> ()
  }) {llvm.emit_c_interface} : () -> ()
}) : () -> ()
