module {
  func.func private @printMemrefF64(%ptr: tensor<*xf64>)
  func.func private @printMemref1dF64(%ptr: memref<?xf64>) attributes { llvm.emit_c_interface }
  func.func private @printMemref2dF32(%ptr: memref<?x?xf32>) attributes { llvm.emit_c_interface }
  func.func private @printMemref3dF32(%ptr: memref<?x?x?xf32>) attributes { llvm.emit_c_interface }
  func.func @main() {
    %d = arith.constant dense<[[1.0, 0.0, 2.5],[0.0,-1.0e10,0.123456789]]> : tensor<2x3xf64>
    %u = tensor.cast %d : tensor<2x3xf64> to tensor<*xf64>
    call @printMemrefF64(%u) : (tensor<*xf64>) -> ()
    %d1 = arith.constant dense<[1.0, 0.0, 2.5]> : tensor<3xf64>
    %u1 = tensor.cast %d1 : tensor<3xf64> to tensor<*xf64>
    call @printMemrefF64(%u1) : (tensor<*xf64>) -> ()
    %c5 = arith.constant 5 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %f = arith.constant 2.5 : f64
    %m = memref.alloc(%c3) : memref<?xf64>
    scf.for %i = %c0 to %c3 step %c1 { memref.store %f, %m[%i] : memref<?xf64> }
    call @printMemref1dF64(%m) : (memref<?xf64>) -> ()
    %m2 = memref.alloc(%c2, %c3) : memref<?x?xf32>
    %g = arith.constant 1.5 : f32
    scf.for %i = %c0 to %c2 step %c1 { scf.for %j = %c0 to %c3 step %c1 { memref.store %g, %m2[%i, %j] : memref<?x?xf32> } }
    call @printMemref2dF32(%m2) : (memref<?x?xf32>) -> ()
    %m3 = memref.alloc(%c2, %c2, %c3) : memref<?x?x?xf32>
    scf.for %k = %c0 to %c2 step %c1 { scf.for %i = %c0 to %c2 step %c1 { scf.for %j = %c0 to %c3 step %c1 { memref.store %g, %m3[%k, %i, %j] : memref<?x?x?xf32> } } }
    call @printMemref3dF32(%m3) : (memref<?x?x?xf32>) -> ()
    %d3 = arith.constant dense<[[[1.0, 0.0],[ 2.5, 3.0]]]> : tensor<1x2x2xf64>
    %u3 = tensor.cast %d3 : tensor<1x2x2xf64> to tensor<*xf64>
    call @printMemrefF64(%u3) : (tensor<*xf64>) -> ()
    %d4 = arith.constant dense<[[[[1.0, 0.0],[ 2.5, 3.0]]],[[[1.0, 0.0],[ 2.5, 3.0]]]]> : tensor<2x1x2x2xf64>
    %u4 = tensor.cast %d4 : tensor<2x1x2x2xf64> to tensor<*xf64>
    call @printMemrefF64(%u4) : (tensor<*xf64>) -> ()
    %d0 = arith.constant dense<1.5> : tensor<f64>
    %u0 = tensor.cast %d0 : tensor<f64> to tensor<*xf64>
    call @printMemrefF64(%u0) : (tensor<*xf64>) -> ()
    %i1 = arith.constant 1 : i1
    vector.print %i1 : i1
    %i8 = arith.constant -3 : i8
    vector.print %i8 : i8
    %m1 = arith.subi %c0, %c1 : index
    vector.print %m1 : index
    %f16 = arith.constant 1.3333 : f16
    vector.print %f16 : f16
    %bf16 = arith.constant 1.3333 : bf16
    vector.print %bf16 : bf16
    %v = arith.constant dense<[[1, 2],[3, -4]]> : vector<2x2xi32>
    vector.print %v : vector<2x2xi32>
    %vb = arith.constant dense<[true, false]> : vector<2xi1>
    vector.print %vb : vector<2xi1>
    %vi = arith.constant dense<[1, 2]> : vector<2xindex>
    vector.print %vi : vector<2xindex>
    %v0 = arith.constant dense<7.5> : vector<f64>
    vector.print %v0 : vector<f64>
    %big = arith.constant 1.0e100 : f64
    vector.print %big : f64
    %f32 = arith.constant 0.1 : f32
    vector.print %f32 : f32
    vector.print %f32 : f32 punctuation <comma>
    vector.print punctuation <newline>
    vector.print
    return
  }
}
