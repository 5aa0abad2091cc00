// Constants as MLIR prints large ones: the bytes of their numbers, bits eight to a byte; one number may stand for all coordinates.
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<"0x000000000000F83F00000000000000C0000000000000D03F000000000000084000000000000010400000000000001440"> : tensor<2x3xf64>
    %cst_0 = arith.constant dense<"0x01000000FEFFFFFF0300000004000000"> : tensor<4xi32>
    %cst_1 = arith.constant dense<"0x8D01"> : tensor<10xi1>
    %cst_2 = arith.constant dense<"0x0000803F00000040000040C00000003F"> : tensor<2xcomplex<f32>>
    %cst_3 = arith.constant dense<"0x803F2040"> : tensor<2xbf16>
    %cst_4 = arith.constant dense<"0x07000000000000000800000000000000"> : tensor<2xindex>
    %cst_5 = arith.constant sparse<[[0, 1], [1, 2]], "0x00000000000000400000000000000840"> : tensor<2x3xf64>
    %cst_6 = arith.constant sparse<[[1, 1], [0, 0]], "0x00000000000000400000000000000840"> : tensor<2x2xf64>
    %cst_7 = arith.constant dense<"0x01020D0201000102"> : tensor<8xi4>
    %cst_8 = arith.constant dense<"0x01C8"> : tensor<2xi8>
    %c1 = arith.constant 1 : index
    %extracted = tensor.extract %cst[%c0, %c1] : tensor<2x3xf64>
    vector.print %extracted : f64
    %extracted_9 = tensor.extract %cst_0[%c1] : tensor<4xi32>
    vector.print %extracted_9 : i32
    %extracted_10 = tensor.extract %cst_1[%c0] : tensor<10xi1>
    vector.print %extracted_10 : i1
    %extracted_11 = tensor.extract %cst_1[%c1] : tensor<10xi1>
    vector.print %extracted_11 : i1
    %c8 = arith.constant 8 : index
    %extracted_12 = tensor.extract %cst_1[%c8] : tensor<10xi1>
    vector.print %extracted_12 : i1
    %extracted_13 = tensor.extract %cst_4[%c1] : tensor<2xindex>
    vector.print %extracted_13 : index
    %extracted_14 = tensor.extract %cst_5[%c0, %c1] : tensor<2x3xf64>
    vector.print %extracted_14 : f64
    %extracted_15 = tensor.extract %cst_6[%c1, %c1] : tensor<2x2xf64>
    vector.print %extracted_15 : f64
    %extracted_16 = tensor.extract %cst_2[%c1] : tensor<2xcomplex<f32>>
    %0 = complex.re %extracted_16 : complex<f32>
    %1 = complex.im %extracted_16 : complex<f32>
    vector.print %0 : f32
    vector.print %1 : f32
    %extracted_17 = tensor.extract %cst_8[%c1] : tensor<2xi8>
    vector.print %extracted_17 : i8
    %extracted_18 = tensor.extract %cst_3[%c1] : tensor<2xbf16>
    %2 = arith.extf %extracted_18 : bf16 to f32
    vector.print %2 : f32
    %s0 = arith.constant sparse<1, 2.5> : tensor<2x2xf64>
    %s1 = arith.constant sparse<[0, 1], 3.5> : tensor<4xf64>
    %e0 = tensor.extract %s0[%c1, %c1] : tensor<2x2xf64>
    vector.print %e0 : f64
    %e1 = tensor.extract %s1[%c0] : tensor<4xf64>
    vector.print %e1 : f64
    %all = arith.constant dense<"0xFF"> : vector<9xi1>
    vector.print %all : vector<9xi1>
    return
  }
}

