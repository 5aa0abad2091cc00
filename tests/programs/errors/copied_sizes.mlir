// Sizes beside a tensor to copy, which has them.
func.func @main() {
  %n = arith.constant 4 : index
  %s = arith.constant dense<1.0> : tensor<4xf64>
  %t = tensor.cast %s : tensor<4xf64> to tensor<?xf64>
  // expected-error@+1 {{sizes beside `copy`: the copied tensor has them}}
  %a = bufferization.alloc_tensor(%n) copy(%t) : tensor<?xf64>
  // expected-error@+1 {{sizes beside `copy`: the copied tensor has them}}
  %b = "bufferization.alloc_tensor"(%n, %t) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  // expected-error@+1 {{sizes beside `copy`: the copied tensor has them}}
  %c = bufferization.alloc_tensor(%n) copy(%s) : tensor<4xf64>
  // expected-error@+1 {{`tensor<?xf64>` leaves 1 size open, and 0 are given}}
  %d = "bufferization.alloc_tensor"() : () -> tensor<?xf64>
  return
}
