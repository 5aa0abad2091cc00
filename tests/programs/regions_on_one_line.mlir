// A region that ends on its line, and a next line that is indented deeper; operands on the next line.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @half(%a: f64) -> f64 {
  %c = arith.constant 0.5 : f64
  %r = arith.mulf %a, %c : f64
  return
    %r : f64
}

func.func @two(%a: f64, %b: f64) -> (f64, f64) {
  return
    %a,
    %b : f64, f64
}

func.func @main() {
  %t = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.if %t { vector.print %t : i1 }
    scf.for %i = %c0 to %c2 step %c1 { vector.print %i : index }
      scf.parallel (%i) = (%c0) to (%c1) step (%c1) { vector.print %i : index }
        scf.if %t { vector.print %c1 : index } else { vector.print %c0 : index }
          %x = arith.constant 3.0 : f64
  %h = call @half(%x) : (f64) -> f64
  %p:2 = call @two(%x, %h) : (f64, f64) -> (f64, f64)
  vector.print %p#0 : f64
  vector.print %p#1 : f64
  %y = scf.if %t -> f64 {
    scf.yield
      %h : f64
  } else {
    scf.yield %x : f64
  }
  vector.print %y : f64
  %n = scf.while (%i = %c0) : (index) -> index {
    %less = arith.cmpi ult, %i, %c2 : index
    scf.condition(%less)
      %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield
      %next : index
  }
  vector.print %n : index
  %g = tensor.generate {
  ^bb0(%i: index):
    tensor.yield
      %y : f64
  } : tensor<2xf64>
  %s = sparse_tensor.convert %g : tensor<2xf64> to tensor<2xf64, #SV>
  sparse_tensor.print
    %s : tensor<2xf64, #SV>
  bufferization.dealloc_tensor
    %s : tensor<2xf64, #SV>
  return
}
