// What uses the name of a broken type says nothing.

// expected-error@+1 {{there is no type `f6`}}
!a = memref<?x4xf6>
// expected-error@+1 {{this `<` is never closed: `>` is missing}}
!b = memref<?x4xf64
// expected-error@+1 {{expected `>`, found the end of the line}}
!c = tensor<?x4xf64
// expected-error@+1 {{expected a type, found `?`}}
!d = ?

func.func @uses_them(%a: !a, %b: !b, %c: !c, %d: !d, %n: index) -> !a {
  %0 = memref.alloc(%n) : !a
  %1 = memref.alloc(%n) : !b
  %2 = tensor.empty(%n) : !c
  %3 = bufferization.alloc_tensor(%n) : !d
  return %0 : !a
}
