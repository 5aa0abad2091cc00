// Kernels on buffers, which run as loops on copies where no result is in the memory of another operand at another place.
#same = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#diagonal = affine_map<(i) -> (i, i)>
func.func @show(%m: memref<?x?xf64, strided<[?, ?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf64, strided<[?, ?], offset: ?>>
  %k = memref.dim %m, %c1 : memref<?x?xf64, strided<[?, ?], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %v = memref.load %m[%i, %j] : memref<?x?xf64, strided<[?, ?], offset: ?>>
      vector.print %v : f64 punctuation <comma>
    }
    vector.print punctuation <newline>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %all = memref.alloc() : memref<4x6xf64>
  // all(i, j) = 10 i + j, written where it is read.
  linalg.fill ins(%zero : f64) outs(%all : memref<4x6xf64>)
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%all : memref<4x6xf64>) outs(%all : memref<4x6xf64>) {
    ^bb(%old: f64, %out: f64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c10 = arith.constant 10 : index
      %10 = arith.muli %i, %c10 : index
      %11 = arith.addi %10, %j : index
      %12 = arith.index_cast %11 : index to i64
      %13 = arith.sitofp %12 : i64 to f64
      %14 = arith.addf %old, %13 : f64
      linalg.yield %14 : f64
  }
  %any = memref.cast %all : memref<4x6xf64> to memref<?x?xf64, strided<[?, ?], offset: ?>>
  call @show(%any) : (memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()

  // The left half times the right half's transpose, into a part of another buffer.
  %left = memref.subview %all[0, 0] [4, 3] [1, 1] : memref<4x6xf64> to memref<4x3xf64, strided<[6, 1]>>
  %right = memref.subview %all[0, 3] [4, 3] [1, 1] : memref<4x6xf64> to memref<4x3xf64, strided<[6, 1], offset: 3>>
  %wide = memref.alloc() : memref<4x8xf64>
  linalg.fill ins(%two : f64) outs(%wide : memref<4x8xf64>)
  %even = memref.subview %wide[0, 0] [4, 4] [1, 2] : memref<4x8xf64> to memref<4x4xf64, strided<[8, 2]>>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left, %right : memref<4x3xf64, strided<[6, 1]>>, memref<4x3xf64, strided<[6, 1], offset: 3>>)
      outs(%even : memref<4x4xf64, strided<[8, 2]>>) {
    ^bb(%a: f64, %b: f64, %c: f64):
      %20 = arith.mulf %a, %b : f64
      %21 = arith.addf %c, %20 : f64
      linalg.yield %21 : f64
  }
  %whole = memref.cast %wide : memref<4x8xf64> to memref<?x?xf64, strided<[?, ?], offset: ?>>
  call @show(%whole) : (memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()

  // Each entry is the sum of the one before, which has changed by then, and its own.
  %first = memref.subview %all[0, 0] [4, 5] [1, 1] : memref<4x6xf64> to memref<4x5xf64, strided<[6, 1]>>
  %next = memref.subview %all[0, 1] [4, 5] [1, 1] : memref<4x6xf64> to memref<4x5xf64, strided<[6, 1], offset: 1>>
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%first : memref<4x5xf64, strided<[6, 1]>>) outs(%next : memref<4x5xf64, strided<[6, 1], offset: 1>>) {
    ^bb(%a: f64, %c: f64):
      %30 = arith.addf %a, %c : f64
      linalg.yield %30 : f64
  }
  call @show(%any) : (memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()

  // A square turned over in its own memory: the entries above the diagonal are read after they were written.
  %square = memref.subview %wide[0, 0] [4, 4] [1, 1] : memref<4x8xf64> to memref<4x4xf64, strided<[8, 1]>>
  linalg.generic {indexing_maps = [#turned, #both], iterator_types = ["parallel", "parallel"]}
      ins(%square : memref<4x4xf64, strided<[8, 1]>>) outs(%square : memref<4x4xf64, strided<[8, 1]>>) {
    ^bb(%a: f64, %c: f64):
      %40 = arith.mulf %a, %two : f64
      linalg.yield %40 : f64
  }
  call @show(%whole) : (memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()

  // Only the diagonal is written.
  %numbers = memref.alloc() : memref<4xf64>
  linalg.fill ins(%two : f64) outs(%numbers : memref<4xf64>)
  linalg.generic {indexing_maps = [#same, #diagonal], iterator_types = ["parallel"]}
      ins(%numbers : memref<4xf64>) outs(%square : memref<4x4xf64, strided<[8, 1]>>) {
    ^bb(%a: f64, %c: f64):
      linalg.yield %a : f64
  }
  // The sums of rows, onto what was there, in the buffer that the next kernel reads.
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%square : memref<4x4xf64, strided<[8, 1]>>) outs(%numbers : memref<4xf64>) {
    ^bb(%a: f64, %c: f64):
      %50 = arith.addf %a, %c : f64
      linalg.yield %50 : f64
  }
  call @show(%whole) : (memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()
  %sums = vector.transfer_read %numbers[%c0], %zero : memref<4xf64>, vector<4xf64>
  vector.print %sums : vector<4xf64>
  return
}
