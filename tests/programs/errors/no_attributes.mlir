// Words where attributes are.
// expected-error@+1 {{`d0` is no attribute}}
#A = d0<{a = 1}>
// expected-error@+1 {{`foo` is no attribute}}
#B = foo
// expected-error@+1 {{`encoding` is no attribute}}
#C = encoding<{ map = (d0) -> (d0 : dense) }>
// expected-error@+1 {{`b` is no attribute}}
#D = [1, b]
// expected-error@+1 {{`q` is no attribute}}
#E = {a = q}
func.func @main() {
  // expected-error@+1 {{`fast` is no attribute}}
  %x = arith.constant {mode = fast} 1.0 : f32
  return
}
