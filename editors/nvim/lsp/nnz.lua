-- The nnz language server. Switch it on with vim.lsp.enable('nnz').
return {
  cmd = { 'nnz', 'lsp', '--stdio' },
  filetypes = { 'nnz', 'mlir' },
  root_markers = { '.git' },
  -- The commands below: the server offers lenses for those alone.
  capabilities = { experimental = { nnz = { commands = { 'nnz.openView' } } } },
  commands = {
    ['nnz.openView'] = function(command, context)
      require('nnz.views').open(command, context)
    end,
  },
  handlers = {
    ['nnz/viewsChanged'] = function(...)
      require('nnz.views').changed(...)
    end,
  },
}
