if exists('b:current_syntax')
  finish
endif
syntax match nnzComment "//.*$"
syntax region nnzString start=/"/ skip=/\\./ end=/"\|$/
syntax match nnzAlias "#\h[[:alnum:]_.$-]*"
syntax match nnzCommand "^:[a-z]\+"
syntax match nnzNumber "\<\d[[:alnum:]_.]*"
syntax match nnzLevelFormat "\%(:\s*\)\@<=\%(dense\|batch\|compressed\|loose_compressed\|singleton\|structured\|range\|delta\|bitmap\|hashed\|run_length\)\>"
syntax keyword nnzKeyword use read decompose with in schedule map posWidth crdWidth explicitVal implicitVal nonunique nonordered soa
syntax keyword nnzType tensor sparse index
syntax match nnzType "\<\%([su]\?i\d\+\|bf16\|f16\|f32\|f64\)\>"
highlight default link nnzComment Comment
highlight default link nnzString String
highlight default link nnzAlias Type
highlight default link nnzCommand PreProc
highlight default link nnzNumber Number
highlight default link nnzLevelFormat Constant
highlight default link nnzKeyword Keyword
highlight default link nnzType Type
let b:current_syntax = 'nnz'
