-- The nnz language server. Switch it on with vim.lsp.enable('nnz').
return {
  cmd = { 'nnz', 'lsp', '--stdio' },
  filetypes = { 'nnz', 'mlir' },
  root_markers = { '.git' },
}
