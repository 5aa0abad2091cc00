call nnz#linter('mlir')
