// Reads and writes of entries that a mask or a vector of places picks.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<6xf32>
  %z = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : vector<6xf32>
  vector.store %z, %m[%c0] : memref<6xf32>, vector<6xf32>
  %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %pass = arith.constant dense<-1.0> : vector<4xf32>
  %a = vector.maskedload %m[%c2], %mask, %pass : memref<6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %a : vector<4xf32>
  %at = arith.constant dense<[3, 9, 0, -2]> : vector<4xi32>
  %some = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %b = vector.gather %m[%c2] [%at], %some, %pass : memref<6xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %b : vector<4xf32>
  vector.maskedstore %m[%c2], %mask, %b : memref<6xf32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%c2] [%at], %some, %a : memref<6xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %r = vector.load %m[%c0] : memref<6xf32>, vector<6xf32>
  vector.print %r : vector<6xf32>
  %edge = arith.constant 4 : index
  %front = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %c = vector.maskedload %m[%edge], %front, %pass : memref<6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %c : vector<4xf32>
  %n = memref.alloc() : memref<2x3xi32>
  %i1 = arith.constant 1 : i32
  %i5 = arith.constant 5 : i32
  memref.store %i1, %n[%c1, %c1] : memref<2x3xi32>
  %cc2 = arith.constant 2 : index
  memref.store %i5, %n[%c1, %cc2] : memref<2x3xi32>
  %ix = arith.constant dense<[1, 0]> : vector<2xindex>
  %two = arith.constant dense<[true, true]> : vector<2xi1>
  %zero = arith.constant dense<0> : vector<2xi32>
  %d = vector.gather %n[%c1, %c1] [%ix], %two, %zero : memref<2x3xi32>, vector<2xindex>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  vector.print %d : vector<2xi32>
  // What a mask picks is packed in the buffer.
  %e = vector.expandload %m[%c1], %mask, %pass : memref<6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %e : vector<4xf32>
  vector.compressstore %m[%c2], %mask, %pass : memref<6xf32>, vector<4xi1>, vector<4xf32>
  %s = vector.load %m[%c0] : memref<6xf32>, vector<6xf32>
  vector.print %s : vector<6xf32>
  return
}
