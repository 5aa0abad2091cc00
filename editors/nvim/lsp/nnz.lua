-- The nnz language server. Switch it on with vim.lsp.enable('nnz').
return {
  cmd = { 'nnz', 'lsp', '--stdio' },
  -- Of Python files only those with functions of SparseTIR get answers.
  filetypes = { 'nnz', 'mlir', 'python' },
  root_markers = { '.git' },
  -- The commands below: the server offers lenses for those alone.
  capabilities = { experimental = { nnz = { commands = { 'nnz.openView', 'nnz.execute' } } } },
  commands = {
    ['nnz.openView'] = function(command, context)
      require('nnz.views').open(command, context)
    end,
    ['nnz.execute'] = function(command, context)
      require('nnz.execute').execute(command, context)
    end,
  },
  handlers = {
    ['nnz/viewsChanged'] = function(...)
      require('nnz.views').changed(...)
    end,
  },
}
