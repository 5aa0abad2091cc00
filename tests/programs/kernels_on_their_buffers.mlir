// A kernel on buffers reads and writes them point by point: its body may load from the buffer that it writes to, and its
// operands may overlap.
#id = affine_map<(i) -> (i)>
#twice = affine_map<(i) -> (2 * i)>
func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 42.0 : f64
  %z = arith.constant 0.0 : f64
  %m = memref.alloc() : memref<4xf64, 0 : i32>
  %u = memref.cast %m : memref<4xf64> to memref<*xf64>
  linalg.fill ins(%z : f64) outs(%m : memref<4xf64>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%m : memref<4xf64>) {
  ^bb0(%o: f64):
    %q = memref.load %m[%c0] : memref<4xf64>
    %p = arith.addf %q, %x : f64
    linalg.yield %p : f64
  }
  call @printMemrefF64(%u) : (memref<*xf64>) -> ()
  %a = memref.subview %m[0] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1]>>
  %b = memref.subview %m[1] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1], offset: 1>>
  linalg.copy ins(%a : memref<3xf64, strided<[1]>>) outs(%b : memref<3xf64, strided<[1], offset: 1>>)
  call @printMemrefF64(%u) : (memref<*xf64>) -> ()
  %two = memref.alloc() : memref<2xf64>
  linalg.fill ins(%z : f64) outs(%two : memref<2xf64>)
  %c = memref.subview %m[0] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #twice], iterator_types = ["parallel"]}
    ins(%two : memref<2xf64>) outs(%c : memref<3xf64, strided<[1]>>) {
  ^bb0(%e: f64, %o: f64):
    linalg.yield %e : f64
  }
  call @printMemrefF64(%u) : (memref<*xf64>) -> ()
  %s = memref.alloc() : memref<2x2xf64>
  linalg.fill ins(%x : f64) outs(%s : memref<2x2xf64>)
  memref.store %z, %s[%c0, %c0] : memref<2x2xf64>
  linalg.matmul ins(%s, %s : memref<2x2xf64>, memref<2x2xf64>) outs(%s : memref<2x2xf64>)
  %w = memref.cast %s : memref<2x2xf64> to memref<*xf64>
  call @printMemrefF64(%w) : (memref<*xf64>) -> ()
  return
}
