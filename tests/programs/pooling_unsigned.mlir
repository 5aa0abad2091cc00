// Windows of numbers without a sign, in each order of the dimensions, and the other named kernels of MLIR 22.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<[[[[-1], [2]], [[3], [-128]]]]> : tensor<1x2x2x1xi8>
  %w = arith.constant dense<0> : tensor<2x2xi8>
  %z = arith.constant dense<0> : tensor<1x1x1x1xi32>
  %far = arith.constant dense<-1> : tensor<1x1x1x1xi32>
  %max = linalg.pooling_nhwc_max_unsigned ins(%x, %w : tensor<1x2x2x1xi8>, tensor<2x2xi8>)
      outs(%z : tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  %m = tensor.extract %max[%c0, %c0, %c0, %c0] : tensor<1x1x1x1xi32>
  vector.print %m : i32
  %min = linalg.pooling_nhwc_min_unsigned ins(%x, %w : tensor<1x2x2x1xi8>, tensor<2x2xi8>)
      outs(%far : tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  %n = tensor.extract %min[%c0, %c0, %c0, %c0] : tensor<1x1x1x1xi32>
  vector.print %n : i32

  %x1 = arith.constant dense<[[[-1], [2], [3]]]> : tensor<1x3x1xi8>
  %w1 = arith.constant dense<0> : tensor<2xi8>
  %z1 = arith.constant dense<0> : tensor<1x2x1xi32>
  %max1 = linalg.pooling_nwc_max_unsigned ins(%x1, %w1 : tensor<1x3x1xi8>, tensor<2xi8>)
      outs(%z1 : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  %m1 = tensor.extract %max1[%c0, %c0, %c0] : tensor<1x2x1xi32>
  vector.print %m1 : i32
  %min1 = linalg.pooling_nwc_min ins(%x1, %w1 : tensor<1x3x1xi8>, tensor<2xi8>)
      outs(%z1 : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  %n1 = tensor.extract %min1[%c0, %c0, %c0] : tensor<1x2x1xi32>
  vector.print %n1 : i32

  %xd = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf64>
  %wd = arith.constant dense<[[1.0, 10.0]]> : tensor<1x2xf64>
  %zd = arith.constant dense<0.0> : tensor<1x1x3xf64>
  %dw = linalg.depthwise_conv_1d_ncw_cw ins(%xd, %wd : tensor<1x1x4xf64>, tensor<1x2xf64>)
      outs(%zd : tensor<1x1x3xf64>) -> tensor<1x1x3xf64>
  %d = tensor.extract %dw[%c0, %c0, %c1] : tensor<1x1x3xf64>
  vector.print %d : f64
  %wp = arith.constant dense<0.0> : tensor<2xf64>
  %zp = arith.constant dense<0.0> : tensor<1x1x2xf64>
  %ps = linalg.pooling_ncw_sum {strides = dense<2> : tensor<1xi64>} ins(%xd, %wp : tensor<1x1x4xf64>, tensor<2xf64>)
      outs(%zp : tensor<1x1x2xf64>) -> tensor<1x1x2xf64>
  %p = tensor.extract %ps[%c0, %c0, %c1] : tensor<1x1x2xf64>
  vector.print %p : f64

  %t = arith.constant dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi32>
  %o = arith.constant dense<0> : tensor<1x1x1x1xi32>
  %tiles = linalg.mmt4d ins(%t, %t : tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>) outs(%o : tensor<1x1x1x1xi32>)
      -> tensor<1x1x1x1xi32>
  %q = tensor.extract %tiles[%c0, %c0, %c0, %c0] : tensor<1x1x1x1xi32>
  vector.print %q : i32
  %one = arith.constant 1 : i32
  %b = arith.constant dense<[[[3, 4]]]> : tensor<1x1x2xi8>
  %bt = arith.constant dense<[[[5], [6]]]> : tensor<1x2x1xi8>
  %ob = arith.constant dense<0> : tensor<1x1x1xi32>
  %qb = linalg.quantized_batch_matmul ins(%b, %bt, %one, %one : tensor<1x1x2xi8>, tensor<1x2x1xi8>, i32, i32)
      outs(%ob : tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
  %u = tensor.extract %qb[%c0, %c0, %c0] : tensor<1x1x1xi32>
  vector.print %u : i32
  return
}
