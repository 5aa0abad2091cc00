// The regions of unary, binary, reduce and select: what they take, yield and end with.
func.func @unary(%a: f64) {
  %taken = sparse_tensor.unary %a : f64 to f64
    present = {
      // expected-error@+1 {{the `present` region takes `f64` here, not `index`}}
      ^bb0(%x: index):
        sparse_tensor.yield %a : f64
    }
    absent = {}
  %none = sparse_tensor.unary %a : f64 to f64
    present = {}
    absent = {
      // expected-error@+1 {{the `absent` region takes no values, not 1}}
      ^bb0(%x: f64):
        sparse_tensor.yield %x : f64
    }
  %type = sparse_tensor.unary %a : f64 to f64
    present = {
      ^bb0(%x: f64):
        %one = arith.constant 1.0 : f32
        // expected-error@+1 {{the `present` region yields `f64` here, not `f32`}}
        sparse_tensor.yield %one : f32
    }
    absent = {}
  %end = sparse_tensor.unary %a : f64 to f64
    present = {
      ^bb0(%x: f64):
        // expected-error@+1 {{a region of `sparse_tensor.unary` ends with `sparse_tensor.yield`, not with `tensor.yield`}}
        tensor.yield %x : f64
    }
    absent = {}
  return
}

func.func @binary(%a: f64, %b: f64, %n: i64) {
  %one = sparse_tensor.binary %a, %b : f64, f64 to f64
    overlap = {
      // expected-error@+1 {{the `overlap` region takes 2 values, not 1}}
      ^bb0(%x: f64):
        sparse_tensor.yield %x : f64
    }
    left = {}
    right = {}
  %two = sparse_tensor.binary %a, %b : f64, f64 to f64
    overlap = {}
    left = {}
    right = {
      // expected-error@+1 {{the `right` region takes 1 value, not 2}}
      ^bb0(%x: f64, %y: f64):
        sparse_tensor.yield %y : f64
    }
  %type = sparse_tensor.binary %a, %b : f64, f64 to f64
    overlap = {
      // expected-error@+1 {{the `overlap` region takes `f64` here, not `f32`}}
      ^bb0(%x: f64, %y: f32):
        sparse_tensor.yield %x : f64
    }
    left = identity
    right = identity
  %yield = sparse_tensor.binary %a, %b : f64, f64 to f64
    overlap = {}
    left = {
      ^bb0(%x: f64):
        %zero = arith.constant 0.0 : f32
        // expected-error@+1 {{the `left` region yields `f64` here, not `f32`}}
        sparse_tensor.yield %zero : f32
    }
    right = identity
  // expected-error@+1 {{`left = identity` keeps `i64`, and the result is `f64`}}
  %identity = sparse_tensor.binary %n, %b : i64, f64 to f64
    overlap = {}
    left = identity
    right = identity
  %end = sparse_tensor.binary %a, %b : f64, f64 to f64
    overlap = {}
    left = {
      ^bb0(%x: f64):
        // expected-error@+1 {{a region of `sparse_tensor.binary` ends with `sparse_tensor.yield`, not with `tensor.yield`}}
        tensor.yield %x : f64
    }
    right = identity
  return
}

func.func @reduce(%a: f64, %b: f64, %m: i64, %n: i64) {
  %unit = arith.constant 1.0 : f64
  %one = arith.constant 1 : i64
  %few = sparse_tensor.reduce %a, %b, %unit : f64 {
    // expected-error@+1 {{the `reduce` region takes 2 values, not 1}}
    ^bb0(%x: f64):
      sparse_tensor.yield %x : f64
  }
  %type = sparse_tensor.reduce %m, %n, %one : i64 {
    // expected-error@+2 {{the `reduce` region takes `i64` here, not `f64`}}
    // expected-error@+1 {{the `reduce` region takes `i64` here, not `f64`}}
    ^bb0(%x: f64, %y: f64):
      sparse_tensor.yield %one : i64
  }
  %yield = sparse_tensor.reduce %a, %b, %unit : f64 {
    ^bb0(%x: f64, %y: f64):
      // expected-error@+1 {{the `reduce` region yields `f64` here, not `i64`}}
      sparse_tensor.yield %one : i64
  }
  %end = sparse_tensor.reduce %a, %b, %unit : f64 {
    ^bb0(%x: f64, %y: f64):
      // expected-error@+1 {{a region of `sparse_tensor.reduce` ends with `sparse_tensor.yield`, not with `linalg.yield`}}
      linalg.yield %x : f64
  }
  return
}

func.func @select(%a: f64) {
  %two = sparse_tensor.select %a : f64 {
    // expected-error@+1 {{the `select` region takes 1 value, not 2}}
    ^bb0(%x: f64, %y: f64):
      %true = arith.constant true
      sparse_tensor.yield %true : i1
  }
  %yield = sparse_tensor.select %a : f64 {
    ^bb0(%x: f64):
      // expected-error@+1 {{the `select` region yields `i1` here, not `f64`}}
      sparse_tensor.yield %x : f64
  }
  %end = sparse_tensor.select %a : f64 {
    ^bb0(%x: f64):
      %true = arith.constant true
      // expected-error@+1 {{a region of `sparse_tensor.select` ends with `sparse_tensor.yield`, not with `tensor.yield`}}
      tensor.yield %true : i1
  }
  return
}

// Right, but in no kernel.
func.func @outside(%a: f64) {
  // expected-error@+1 {{`sparse_tensor.select` has a meaning in the body of a kernel only}}
  %kept = sparse_tensor.select %a : f64 {
    ^bb0(%x: f64):
      %true = arith.constant true
      sparse_tensor.yield %true : i1
  }
  return
}

// -----

// Where nothing is stored, nothing that is stored can be yielded.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }

func.func @absent(%v: tensor<8xf64, #V>, %outside: f64) {
  %empty = tensor.empty() : tensor<8xf64, #V>
  %entry = linalg.generic #each ins(%v : tensor<8xf64, #V>) outs(%empty : tensor<8xf64, #V>) {
    ^bb0(%a: f64, %x: f64):
      %r = sparse_tensor.unary %a : f64 to f64
        present = {}
        // expected-error@+1 {{nothing is stored where the `absent` region yields}}
        absent = { sparse_tensor.yield %a : f64 }
      linalg.yield %r : f64
  } -> tensor<8xf64, #V>
  %computed = linalg.generic #each ins(%v : tensor<8xf64, #V>) outs(%empty : tensor<8xf64, #V>) {
    ^bb0(%a: f64, %x: f64):
      %twice = arith.addf %a, %a : f64
      %r = sparse_tensor.unary %a : f64 to f64
        present = {}
        // expected-error@+1 {{yields a value that does not change, and this is computed at each point}}
        absent = { sparse_tensor.yield %twice : f64 }
      linalg.yield %r : f64
  } -> tensor<8xf64, #V>
  %right = linalg.generic #each ins(%v : tensor<8xf64, #V>) outs(%empty : tensor<8xf64, #V>) {
    ^bb0(%a: f64, %x: f64):
      %r = sparse_tensor.unary %a : f64 to f64
        present = {}
        absent = { sparse_tensor.yield %outside : f64 }
      linalg.yield %r : f64
  } -> tensor<8xf64, #V>
  return
}
