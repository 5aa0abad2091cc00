// Buffers that grow, and tuples that are sorted.
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %f = arith.constant 2.5 : f64
    %f0 = arith.constant 0.0 : f64
    %b = memref.alloc(%c1) : memref<?xf64>
    %b1, %n1 = sparse_tensor.push_back %c0, %b, %f : index, memref<?xf64>, f64
    %b2, %n2 = sparse_tensor.push_back %n1, %b1, %f0 : index, memref<?xf64>, f64
    %b3, %n3 = sparse_tensor.push_back %n2, %b2, %f, %c3 : index, memref<?xf64>, f64, index
    vector.print %n3 : index
    %cap = memref.dim %b3, %c0 : memref<?xf64>
    vector.print %cap : index
    %v = vector.transfer_read %b3[%c0], %f0 : memref<?xf64>, vector<5xf64>
    vector.print %v : vector<5xf64>
    %k = memref.alloc(%c5) : memref<?xindex>
    %w = memref.alloc(%c5) : memref<?xi32>
    scf.for %i = %c0 to %c5 step %c1 {
      %t = arith.muli %i, %c3 : index
      %u = arith.remui %t, %c5 : index
      memref.store %u, %k[%i] : memref<?xindex>
      %s = arith.index_cast %i : index to i32
      memref.store %s, %w[%i] : memref<?xi32>
    }
    sparse_tensor.sort hybrid_quick_sort %c5, %k jointly %w {ny = 0 : index, perm_map = affine_map<(i) -> (i)>}
      : memref<?xindex> jointly memref<?xi32>
    %i0 = arith.constant 0 : i32
    %kv = vector.transfer_read %k[%c0], %c0 : memref<?xindex>, vector<5xindex>
    vector.print %kv : vector<5xindex>
    %wv = vector.transfer_read %w[%c0], %i0 : memref<?xi32>, vector<5xi32>
    vector.print %wv : vector<5xi32>
    memref.dealloc %k : memref<?xindex>
    memref.dealloc %w : memref<?xi32>
    return
  }
}
