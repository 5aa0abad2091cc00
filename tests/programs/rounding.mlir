// Floating-point sums are rounded as the body says, at any size, whatever the operands are stored as.
#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#Blocks = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense) }>
#List = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#by_rows = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
#two_by_rows = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
#pointwise = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}
#in_all = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}

func.func @show(%t: tensor<80xf32>) {
  %first = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %head = vector.transfer_read %t[%first], %none : tensor<80xf32>, vector<3xf32>
  vector.print %head : vector<3xf32>
  return
}

func.func @main() {
  %zeros = arith.constant dense<0.0> : tensor<80xf32>
  %large = arith.constant dense<1.0e8> : tensor<80xf32>
  %few = arith.constant sparse<[[0, 0], [0, 5], [1, 0], [1, 1]], [1.0e8, 1.0, 1.0e8, 1.0]> : tensor<80x600xf32>
  %fewer = arith.constant sparse<[[0, 0], [1, 0]], [1.0e8, 1.0e8]> : tensor<80x600xf32>
  %threes = arith.constant dense<3.0> : tensor<80x600xf32>
  %line = arith.constant sparse<[[0, 0], [0, 3], [0, 4], [0, 5], [1, 3]], [1.0e8, 3.0, 3.0, 3.0, 1.0]> : tensor<80x600xf32>

  // A difference is one term: its sides are not added up apart.
  %a = sparse_tensor.convert %few : tensor<80x600xf32> to tensor<80x600xf32, #Blocks>
  %b = sparse_tensor.convert %fewer : tensor<80x600xf32> to tensor<80x600xf32, #Rows>
  %r0 = linalg.generic #two_by_rows ins(%a, %b : tensor<80x600xf32, #Blocks>, tensor<80x600xf32, #Rows>)
      outs(%zeros : tensor<80xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %1 = arith.subf %x, %z : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<80xf32>
  call @show(%r0) : (tensor<80xf32>) -> ()

  // A block's part of a row is not added up first.
  %c = sparse_tensor.convert %line : tensor<80x600xf32> to tensor<80x600xf32, #Blocks>
  %r1 = linalg.generic #by_rows ins(%c : tensor<80x600xf32, #Blocks>) outs(%zeros : tensor<80xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %o, %x : f32
    linalg.yield %1 : f32
  } -> tensor<80xf32>
  call @show(%r1) : (tensor<80xf32>) -> ()

  // The old value comes first.
  %r2 = linalg.generic #by_rows ins(%threes : tensor<80x600xf32>) outs(%large : tensor<80xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %o, %x : f32
    linalg.yield %1 : f32
  } -> tensor<80xf32>
  call @show(%r2) : (tensor<80xf32>) -> ()

  // No reduction: brackets hold.
  %many = arith.constant dense<1.0e8> : tensor<5000xf32>
  %ones = arith.constant dense<1.0> : tensor<5000xf32>
  %r3 = linalg.generic #pointwise ins(%many, %many : tensor<5000xf32>, tensor<5000xf32>) outs(%ones : tensor<5000xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.subf %x, %y : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5000xf32>
  %first = arith.constant 0 : index
  %one = tensor.extract %r3[%first] : tensor<5000xf32>
  vector.print %one : f32

  // No infinity arises on the way.
  %limit = arith.constant dense<3.0e38> : tensor<5000xf32>
  %v = sparse_tensor.convert %limit : tensor<5000xf32> to tensor<5000xf32, #List>
  %start = arith.constant dense<0.0> : tensor<f32>
  %r4 = linalg.generic #in_all ins(%v, %v : tensor<5000xf32, #List>, tensor<5000xf32, #List>) outs(%start : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.subf %x, %y : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %total = tensor.extract %r4[] : tensor<f32>
  vector.print %total : f32
  return
}
