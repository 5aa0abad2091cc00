func.func @allocates() {
  %size = arith.constant 10000000 : index
  %buffer = memref.alloc(%size) : memref<?xf64>
  return
}
