call nnz#linter('nnz')
