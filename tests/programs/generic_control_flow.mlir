// A named kernel and control flow in the generic syntax.
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> index, sym_name = "collatz"}> ({
  ^bb0(%arg4: index):
    %9 = "arith.constant"() <{value = 0 : index}> : () -> index
    %10 = "arith.constant"() <{value = 1 : index}> : () -> index
    %11 = "arith.constant"() <{value = 2 : index}> : () -> index
    %12 = "arith.constant"() <{value = 3 : index}> : () -> index
    %13:2 = "scf.while"(%arg4, %9) ({
    ^bb0(%arg7: index, %arg8: index):
      %21 = "arith.cmpi"(%arg7, %10) <{predicate = 1 : i64}> : (index, index) -> i1
      "scf.condition"(%21, %arg7, %arg8) : (i1, index, index) -> ()
    }, {
    ^bb0(%arg5: index, %arg6: index):
      %14 = "arith.remui"(%arg5, %11) : (index, index) -> index
      %15 = "arith.cmpi"(%14, %9) <{predicate = 0 : i64}> : (index, index) -> i1
      %16 = "scf.if"(%15) ({
        %20 = "arith.divui"(%arg5, %11) : (index, index) -> index
        "scf.yield"(%20) : (index) -> ()
      }, {
        %18 = "arith.muli"(%arg5, %12) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %19 = "arith.addi"(%18, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        "scf.yield"(%19) : (index) -> ()
      }) : (i1) -> index
      %17 = "arith.addi"(%arg6, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "scf.yield"(%16, %17) : (index, index) -> ()
    }) : (index, index) -> (index, index)
    "func.return"(%13#1) : (index) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 8 : index}> : () -> index
    %3 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %4 = "arith.constant"() <{value = 5.000000e-01 : f64}> : () -> f64
    "scf.for"(%1, %2, %1) ({
    ^bb0(%arg3: index):
      %8 = "func.call"(%arg3) <{callee = @collatz}> : (index) -> index
      "vector.print"(%8) <{punctuation = #vector.punctuation<newline>}> : (index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %5:2 = "scf.for"(%0, %2, %1, %3, %4) ({
    ^bb0(%arg0: index, %arg1: f64, %arg2: f64):
      %7 = "arith.addf"(%arg1, %arg2) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "scf.yield"(%arg2, %7) : (f64, f64) -> ()
    }) : (index, index, index, f64, f64) -> (f64, f64)
    "vector.print"(%5#0) <{punctuation = #vector.punctuation<newline>}> : (f64) -> ()
    "vector.print"(%5#1) <{punctuation = #vector.punctuation<newline>}> : (f64) -> ()
    %6 = "arith.cmpf"(%5#1, %5#0) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f64, f64) -> i1
    "scf.if"(%6) ({
      "vector.print"() <{punctuation = #vector.punctuation<newline>, stringLiteral = "grows\0A"}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

