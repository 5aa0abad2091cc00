autocmd BufRead,BufNewFile *.nnz setfiletype nnz
autocmd BufRead,BufNewFile *.mlir setfiletype mlir
