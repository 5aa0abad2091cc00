if exists('b:current_syntax')
  finish
endif
runtime! syntax/nnz.vim
syntax match mlirOperation "\<[a-z_]\+\.[a-z_.]\+\>"
syntax match mlirSymbol "@[[:alnum:]_$.]\+"
syntax match mlirValue "%[[:alnum:]_$.#-]\+"
highlight default link mlirOperation Statement
highlight default link mlirSymbol Function
highlight default link mlirValue Identifier
let b:current_syntax = 'mlir'
