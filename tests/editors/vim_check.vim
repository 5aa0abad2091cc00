" Drives Vim with editors/vim and ALE, as a person has them, against a real server.
" usage: NNZ=path/to/nnz RESULTS=file vim -Nu NONE -i NONE -n -es -S vim_check.vim
set nocompatible hidden
let s:here = expand('<sfile>:p:h')
let s:ale = filter(['/usr/share/vim-ale'] + glob('/usr/share/vim*/pack/*/*/ale', 1, 1), 'filereadable(v:val . "/plugin/ale.vim")')
execute 'set runtimepath^=' . s:ale[0]
execute 'set runtimepath+=' . fnamemodify(s:here . '/../../editors/vim', ':p')
let g:ale_nnz_executable = $NNZ
let g:ale_hover_to_preview = 1
let g:ale_lint_delay = 0
let g:ale_lsp_suggestions = 1
let g:ale_update_tagstack = 0
filetype plugin on
syntax on
runtime plugin/ale.vim
let s:lines = []

function! s:check(name, probe) abort
  try
    let l:start = reltime()
    while !a:probe()
      if reltimefloat(reltime(l:start)) > 30
        throw 'waited 30 s in vain'
      endif
      sleep 50m
    endwhile
    call add(s:lines, 'ok vim: ' . a:name)
  catch
    call add(s:lines, 'not ok vim: ' . a:name . ': ' . v:exception)
  endtry
endfunction

" A copy, so that no check changes the original.
function! s:open(name) abort
  let l:folder = tempname()
  call mkdir(l:folder, 'p')
  call writefile(readfile(s:here . '/samples/' . a:name), l:folder . '/' . a:name)
  execute 'edit ' . fnameescape(l:folder . '/' . a:name)
  call ale#Queue(0, 'lint_file')
endfunction

function! s:found() abort
  return ale#engine#GetLoclist(bufnr(''))
endfunction

function! s:preview() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow')
      return join(getbufline(winbufnr(l:window), 1, '$'), "\n")
    endif
  endfor
  return ''
endfunction

" The answer is shown in the preview window; a question that came before the server was ready is put again.
function! s:hovers(place, wanted) abort
  call cursor(1, 1)
  call search(a:place)
  ALEHover
  sleep 200m
  return s:preview() =~# a:wanted
endfunction

call s:open('broken.mlir')
call s:check('an .mlir file has its filetype, its comments and its colours', {-> [&filetype, &commentstring, b:current_syntax] ==# ['mlir', '// %s', 'mlir']})
call s:check('an .mlir file shows its diagnostic at the guilty word', {-> len(s:found()) == 1
\ && [s:found()[0].lnum, s:found()[0].col, s:found()[0].end_col] ==# [2, 55, 60] && s:found()[0].text =~# 'unknown level format `densee`'})
call setline(2, substitute(getline(2), 'densee', 'dense', ''))
call ale#Queue(0, '')
call s:check('the diagnostic goes when the word is mended', {-> empty(s:found())})
call s:open('right.nnz')
call s:check('an .nnz file has its filetype and its colours', {-> [&filetype, b:current_syntax] ==# ['nnz', 'nnz']})
call s:check('a level format is coloured', {-> synIDattr(synID(2, 55, 1), 'name') ==# 'nnzLevelFormat'})
call s:check('hover draws the levels of #CSR', {-> s:hovers('#CSR>', 'lvl 1  j : compressed')})
call cursor(3, 1)
call search('#CSR>')
ALEGoToDefinition
call s:check('definition of an alias is where it is made', {-> line('.') == 2})
call writefile(s:lines, $RESULTS)
execute empty(filter(copy(s:lines), 'v:val =~# "^not"')) ? 'qall!' : 'cquit!'
