// What only MLIR's verifiers say of functions, blocks and a few operations.
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
// expected-error@+1 {{`@declared` has no body, and what is only declared is private}}
func.func @declared(f64)
func.func private @hidden(f64)
func.func @named(%x: f64) {
// expected-error@+1 {{the first block has no label, as its arguments have names already}}
^bb0:
  // expected-error@+1 {{`%x` is `f64`; `vector.fma` takes a vector}}
  %0 = vector.fma %x, %x, %x : f64
  return
}
func.func @labelled() {
^bb0:
  return
}
func.func @tuples(%v: tensor<2xf64>, %p: tensor<2xindex>, %c: tensor<4xindex>) {
  // expected-error@+1 {{tuples of 2 coordinates are rows of two dimensions, and this is `tensor<4xindex>`}}
  %0 = sparse_tensor.assemble (%p, %c), %v : (tensor<2xindex>, tensor<4xindex>), tensor<2xf64> to tensor<10x10xf64, #COO>
  return
}
