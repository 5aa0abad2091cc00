// Complex numbers in a buffer stand in parentheses without spaces.
func.func private @printMemrefC64(tensor<*xcomplex<f64>>)

func.func @main() {
  %a = arith.constant dense<[(1.0, 2.0), (3.5, -4.0)]> : tensor<2xcomplex<f64>>
  %u = tensor.cast %a : tensor<2xcomplex<f64>> to tensor<*xcomplex<f64>>
  call @printMemrefC64(%u) : (tensor<*xcomplex<f64>>) -> ()
  return
}
