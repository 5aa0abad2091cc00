vim.filetype.add({ extension = { nnz = 'nnz', mlir = 'mlir' } })
