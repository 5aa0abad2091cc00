// What is wrong in an encoding that is written out without its name is told of at its place, and once.
// expected-error@+1 {{unknown level format `compresed`}}
func.func @space(%s: !sparse_tensor.iter_space<<{ map = (i) -> (i : compresed) }>, lvls = 0>) { return }
// expected-error@+1 {{an encoding needs a map}}
func.func @specifier(%s: !sparse_tensor.storage_specifier<<{ posWidth = 32 }>>) { return }
// expected-error@+1 {{expected `,`, found `j`}}
func.func @syntax(%s: !sparse_tensor.storage_specifier<<{ map = (i j) -> (i : dense, j : compressed) }>>) { return }
func.func @translated(%i: index) {
  // expected-error@+1 {{unknown level format `compresed`}}
  %l = sparse_tensor.crd_translate dim_to_lvl [%i] as <{ map = (i) -> (i : compresed) }> : index
  return
}
// expected-error@+1 {{the encoding has 1 level, and these end behind level 1}}
func.func @levels(%s: !sparse_tensor.iter_space<<{ map = (i) -> (i : compressed) }>, lvls = 1>) { return }
