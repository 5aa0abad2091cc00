// Operands, texts, constants and blocks as other languages have them: one error each, at its place.
// expected-error@+1 {{expected `,`, found `crdWidth`}}
#no_comma = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32 crdWidth = 32 }>
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#id = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
// expected-error@+1 {{this string is never closed: `"` is missing}}
#open = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel] }

// expected-error@+1 {{the parts of a type are separated by `,`, not by `:`}}
func.func @colon(%t: tensor<4xf64: #S>) -> tensor<4xf64, #S> {
  return %t : tensor<4xf64, #S>
}

func.func @texts(%x: f64) -> f64 {
  // expected-error@+1 {{this string is never closed: `"` is missing}}
  vector.print str "hello
  // expected-error@+1 {{this string is never closed: `"` is missing}}
  %a = arith.constant {name = "abc} 1.0 : f64
  // expected-error@+1 {{this string is never closed: `"` is missing}}
  %b = "arith.addf(%x, %x) : (f64, f64) -> f64
  return %a : f64
}

func.func @one(%x: f64) -> f64 {
  // expected-error@+1 {{the operands of this operation stand without parentheses}}
  return (%x) : (f64)
}

func.func @two(%x: f64, %y: i32) -> (f64, i32) {
  // expected-error@+1 {{the operands of this operation stand without parentheses}}
  return (%x, %y) : f64, i32
}

func.func @three(%x: f64, %y: i32) -> (f64, i32) {
  // expected-error@+1 {{the types of the operands stand together, behind the last of them}}
  return %x : f64, %y : i32
}

func.func @four(%x: f64) -> f64 {
  // expected-error@+1 {{the type of `%x` stands behind the operands, and not in front of it}}
  return f64 %x
}

func.func @calls(%x: f64, %t: tensor<4xf64>, %i: index) -> f64 {
  // expected-error@+1 {{the type of `%x` stands behind the operands, and not in front of it}}
  %a = func.call @one(f64 %x) : (f64) -> f64
  // expected-error@+1 {{types stand behind the operands, and not among them}}
  %b = call @one(%x: f64) : (f64) -> f64
  // expected-error@+1 {{types stand behind the operands, and not among them}}
  %c = "arith.addf"(%x: f64, %x: f64) : (f64, f64) -> f64
  // expected-error@+1 {{the types of the operands stand together, behind the last of them}}
  %d = arith.addf %x : f64, %x : f64
  // expected-error@+1 {{the type of `%x` stands behind the operands, and not in front of it}}
  %e = arith.addf f64 %x, f64 %x
  // expected-error@+1 {{the type of `%t` stands behind the operands, and not in front of it}}
  %f = tensor.extract tensor<4xf64> %t[%i] : tensor<4xf64>
  return %f : f64
}

func.func @constants() -> tensor<2xf64> {
  // expected-error@+1 {{the entries of a constant stand in `dense<...>`}}
  %a = arith.constant dense [1.0, 2.0] : tensor<2xf64>
  // expected-error@+1 {{the entries of a constant stand in `dense<...>`}}
  %b = arith.constant dense -1.0 : tensor<2xf64>
  // expected-error@+1 {{the entries of a constant stand in `sparse<...>`}}
  %c = arith.constant sparse [[0]], [1.0] : tensor<2xf64>
  return %a : tensor<2xf64>
}

func.func @blocks(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #id ins(%b : tensor<4xf64>) outs(%a : tensor<4xf64>) {
    // expected-error@+1 {{the values of a block stand behind its name: `^bb0(...):`}}
    (%x: f64, %o: f64):
    linalg.yield %x : f64
  } -> tensor<4xf64>
  %s = linalg.generic #id ins(%b : tensor<4xf64>) outs(%r : tensor<4xf64>) {
    // expected-error@+1 {{the values of a block stand behind its name: `^bb0(...):`}}
    (%x: f64, %o: f64)
    linalg.yield %x : f64
  } -> tensor<4xf64>
  %t = linalg.generic #id ins(%b : tensor<4xf64>) outs(%s : tensor<4xf64>) {
    // expected-error@+1 {{the values of a block stand behind its name: `^bb0(...):`}}
    %x: f64, %o: f64:
    linalg.yield %x : f64
  } -> tensor<4xf64>
  %u = linalg.generic #id ins(%b : tensor<4xf64>) outs(%t : tensor<4xf64>) {
    // expected-error@+1 {{expected `:` behind the name and the values of a block, found the end of the line}}
    ^bb0(%x: f64, %o: f64)
    linalg.yield %x : f64
  } -> tensor<4xf64>
  return %u : tensor<4xf64>
}

func.func @divisors(%t: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{`b` is not declared in this map, and a divisor is a number}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv b)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    linalg.yield %x : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @types_missing(%x: f64, %y: i32, %t: tensor<4xf64, #S>) -> f64 {
  // expected-error@+1 {{expected `:`, found the end of the line}}
  %a = arith.addf %x, %x
  // expected-error@+1 {{expected `:`, found the end of the line}}
  vector.print %y
  // expected-error@+1 {{expected `:`, found the end of the line}}
  %n = sparse_tensor.number_of_entries %t
  // expected-error@+1 {{`+` is no operation: one is named in front of its operands}}
  %b = %x + %x : f64
  // expected-error@+1 {{`*` is no operation: one is named in front of its operands}}
  %c = %y * %y
  // expected-error@+1 {{expected `:`, found the end of the line}}
  return %x
}
