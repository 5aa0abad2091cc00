" The server as ALE runs it.
function! nnz#linter(language) abort
  call ale#Set('nnz_executable', 'nnz')
  call ale#linter#Define(a:language, {
  \   'name': 'nnz',
  \   'lsp': 'stdio',
  \   'executable': {buffer -> ale#Var(buffer, 'nnz_executable')},
  \   'command': '%e lsp --stdio',
  \   'language': a:language,
  \   'project_root': function('nnz#root'),
  \})
endfunction

" The folder with `.git`, or else the text's own.
function! nnz#root(buffer) abort
  let l:git = ale#path#FindNearestDirectory(a:buffer, '.git')
  return fnamemodify(empty(l:git) ? bufname(a:buffer) : l:git, empty(l:git) ? ':p:h' : ':h:h')
endfunction
