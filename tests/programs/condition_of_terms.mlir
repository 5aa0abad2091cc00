// A reduction whose body asks something of its term alone: the term is what is asked about, not the answer.
#rows = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"] }

func.func @main() {
  %a = arith.constant dense<[[1, 2], [2, 2], [0, 3]]> : tensor<3x2xi32>
  %o = arith.constant dense<[1, 10, 100]> : tensor<3xi32>
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %twice = linalg.generic #rows ins(%a : tensor<3x2xi32>) outs(%o : tensor<3xi32>) {
  ^bb0(%x: i32, %y: i32):
    %c = arith.cmpi eq, %x, %two : i32
    %s = arith.select %c, %y, %y : i32
    %t = arith.addi %y, %s : i32
    linalg.yield %t : i32
  } -> tensor<3xi32>
  %v = vector.transfer_read %twice[%c0], %zero : tensor<3xi32>, vector<3xi32>
  vector.print %v : vector<3xi32>
  %some = linalg.generic #rows ins(%a : tensor<3x2xi32>) outs(%o : tensor<3xi32>) {
  ^bb0(%x: i32, %y: i32):
    %c = arith.cmpi sge, %x, %two : i32
    %t = arith.addi %y, %y : i32
    %s = arith.select %c, %t, %y : i32
    linalg.yield %s : i32
  } -> tensor<3xi32>
  %w = vector.transfer_read %some[%c0], %zero : tensor<3xi32>, vector<3xi32>
  vector.print %w : vector<3xi32>
  return
}
