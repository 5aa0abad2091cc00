// What an operation that nnz lacks uses is defined, too.
func.func @main() {
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  // expected-error@+2 {{nnz has no operation `complex.bitcast`}}
  // expected-error@+1 {{`%i` is not defined before this}}
  %d = complex.bitcast %i : complex<f32> to i64
  // expected-error@+3 {{nnz has no operation `foo.bar`}}
  // expected-error@+2 {{`%j` is not defined before this}}
  // expected-error@+1 {{`%k` is not defined before this}}
  %e = foo.bar %c, %j, %k, %j : complex<f32>, i64, i64, i64
  // A region may begin with names of its own.
  // expected-error@+1 {{nnz has no operation `foo.all`}}
  foo.all (%m, %n) in (%d, %e) {
  }
  // expected-error@+1 {{nnz has no operation `foo.each`}}
  foo.each (%m, %n) in (%d, %e)
  {
  }
  return
}
