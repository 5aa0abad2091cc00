// The result is in the memory of an operand: a loop that is reduced stands between others, so the first of its terms shows in the second.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %B = memref.alloc() : memref<1x2x2x3xi64>
  %L = memref.alloc() : memref<1x2x1x1xi64>
  linalg.fill ins(%one : i64) outs(%B : memref<1x2x2x3xi64>)
  linalg.fill ins(%one : i64) outs(%L : memref<1x2x1x1xi64>)
  %w = memref.subview %B[0,0,0,1][1,2,2,1][1,1,1,1] : memref<1x2x2x3xi64> to memref<1x2x2x1xi64, strided<[12,6,3,1], offset: 1>>
  %C = memref.subview %B[0,1,0,0][1,1,1,2][1,1,1,1] : memref<1x2x2x3xi64> to memref<1x1x1x2xi64, strided<[12,6,3,1], offset: 6>>
  linalg.mmt4d ins(%L, %w : memref<1x2x1x1xi64>, memref<1x2x2x1xi64, strided<[12,6,3,1], offset: 1>>) outs(%C : memref<1x1x1x2xi64, strided<[12,6,3,1], offset: 6>>)
  %x = memref.load %B[%c0, %c1, %c0, %c0] : memref<1x2x2x3xi64>
  vector.print %x : i64
  return
}
