// The generic syntax, as mlir-opt prints it.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#sparse1 = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x?xf64, #sparse>) -> tensor<?xf64, #sparse1>, sym_name = "prod"}> ({
  ^bb0(%arg8: tensor<?x?xf64, #sparse>):
    %24 = "arith.constant"() <{value = 0 : index}> : () -> index
    %25 = "arith.constant"() <{value = 1.000000e+00 : f64}> : () -> f64
    %26 = "tensor.dim"(%arg8, %24) : (tensor<?x?xf64, #sparse>, index) -> index
    %27 = "tensor.empty"(%26) : (index) -> tensor<?xf64, #sparse1>
    %28 = "linalg.generic"(%arg8, %27) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: f64, %arg10: f64):
      %29 = "sparse_tensor.reduce"(%arg9, %arg10, %25) ({
      ^bb0(%arg11: f64, %arg12: f64):
        %30 = "arith.mulf"(%arg11, %arg12) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "sparse_tensor.yield"(%30) : (f64) -> ()
      }) : (f64, f64, f64) -> f64
      "linalg.yield"(%29) : (f64) -> ()
    }) : (tensor<?x?xf64, #sparse>, tensor<?xf64, #sparse1>) -> tensor<?xf64, #sparse1>
    "func.return"(%28) : (tensor<?xf64, #sparse1>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x?xf64, #sparse>) -> tensor<?x?xf64, #sparse>, sym_name = "large"}> ({
  ^bb0(%arg4: tensor<?x?xf64, #sparse>):
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    %16 = "arith.constant"() <{value = 1 : index}> : () -> index
    %17 = "arith.constant"() <{value = 2.000000e+00 : f64}> : () -> f64
    %18 = "tensor.dim"(%arg4, %15) : (tensor<?x?xf64, #sparse>, index) -> index
    %19 = "tensor.dim"(%arg4, %16) : (tensor<?x?xf64, #sparse>, index) -> index
    %20 = "tensor.empty"(%18, %19) : (index, index) -> tensor<?x?xf64, #sparse>
    %21 = "linalg.generic"(%arg4, %20) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: f64, %arg6: f64):
      %22 = "sparse_tensor.select"(%arg5) ({
      ^bb0(%arg7: f64):
        %23 = "arith.cmpf"(%arg7, %17) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f64, f64) -> i1
        "sparse_tensor.yield"(%23) : (i1) -> ()
      }) : (f64) -> f64
      "linalg.yield"(%22) : (f64) -> ()
    }) : (tensor<?x?xf64, #sparse>, tensor<?x?xf64, #sparse>) -> tensor<?x?xf64, #sparse>
    "func.return"(%21) : (tensor<?x?xf64, #sparse>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x?xf64, #sparse>) -> tensor<?x?xf64, #sparse>, sym_name = "upper"}> ({
  ^bb0(%arg0: tensor<?x?xf64, #sparse>):
    %5 = "arith.constant"() <{value = 0 : index}> : () -> index
    %6 = "arith.constant"() <{value = 1 : index}> : () -> index
    %7 = "tensor.dim"(%arg0, %5) : (tensor<?x?xf64, #sparse>, index) -> index
    %8 = "tensor.dim"(%arg0, %6) : (tensor<?x?xf64, #sparse>, index) -> index
    %9 = "tensor.empty"(%7, %8) : (index, index) -> tensor<?x?xf64, #sparse>
    %10 = "linalg.generic"(%arg0, %9) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      %11 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %12 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %13 = "sparse_tensor.select"(%arg1) ({
      ^bb0(%arg3: f64):
        %14 = "arith.cmpi"(%12, %11) <{predicate = 8 : i64}> : (index, index) -> i1
        "sparse_tensor.yield"(%14) : (i1) -> ()
      }) : (f64) -> f64
      "linalg.yield"(%13) : (f64) -> ()
    }) : (tensor<?x?xf64, #sparse>, tensor<?x?xf64, #sparse>) -> tensor<?x?xf64, #sparse>
    "func.return"(%10) : (tensor<?x?xf64, #sparse>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "arith.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00], [0.000000e+00, 2.500000e+00, 0.000000e+00]]> : tensor<4x3xf64>}> : () -> tensor<4x3xf64>
    %1 = "sparse_tensor.convert"(%0) : (tensor<4x3xf64>) -> tensor<?x?xf64, #sparse>
    %2 = "func.call"(%1) <{callee = @prod}> : (tensor<?x?xf64, #sparse>) -> tensor<?xf64, #sparse1>
    %3 = "func.call"(%1) <{callee = @large}> : (tensor<?x?xf64, #sparse>) -> tensor<?x?xf64, #sparse>
    %4 = "func.call"(%1) <{callee = @upper}> : (tensor<?x?xf64, #sparse>) -> tensor<?x?xf64, #sparse>
    "sparse_tensor.print"(%2) : (tensor<?xf64, #sparse1>) -> ()
    "sparse_tensor.print"(%3) : (tensor<?x?xf64, #sparse>) -> ()
    "sparse_tensor.print"(%4) : (tensor<?x?xf64, #sparse>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

