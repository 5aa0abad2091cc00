-- Drives a headless Neovim with the configuration in editors/nvim, as a person has it, against a real server.
-- usage: NNZ=path/to/nnz nvim --headless -u NONE -i NONE -n -l nvim_check.lua

local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
local failed = 0

local function check(name, run)
  local ok, why = pcall(run)
  failed = failed + (ok and 0 or 1)
  local line = ok and ('ok nvim: ' .. name) or ('not ok nvim: ' .. name .. ': ' .. tostring(why):gsub('%s*\n%s*', ' | '))
  io.stdout:write(line .. '\n')
end

local function equal(got, wanted)
  assert(vim.deep_equal(got, wanted), ('got %s, wanted %s'):format(vim.inspect(got), vim.inspect(wanted)))
end

-- Waits until `probe` gives something, and gives that back.
local function await(what, probe)
  local value
  local in_time = vim.wait(30000, function()
    value = probe()
    return value
  end, 20)
  assert(in_time, 'waited 30 s in vain for ' .. what)
  return value
end

-- Opens a copy of a sample, so that no check changes the original.
local function open(name)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  vim.uv.fs_copyfile(here .. '/samples/' .. name, folder .. '/' .. name)
  vim.cmd.edit(folder .. '/' .. name)
  return vim.api.nvim_get_current_buf()
end

-- Puts the cursor on the first `text` of the buffer.
local function go_to(text)
  for line, content in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = content:find(text, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { line, at - 1 })
      return line - 1, at - 1
    end
  end
  error('no ' .. text .. ' in the buffer')
end

local function diagnostics(buffer)
  return await('diagnostics', function()
    local found = vim.diagnostic.get(buffer)
    return #found > 0 and found
  end)
end

-- The text of the floating window, once one is open.
local function float()
  return await('a floating window', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        return table.concat(lines, '\n')
      end
    end
  end)
end

vim.opt.runtimepath:append(vim.fs.normalize(here .. '/../../editors/nvim'))
vim.cmd('filetype plugin on | runtime! ftdetect/*.lua')
vim.lsp.config('nnz', { cmd = { assert(vim.env.NNZ, 'set NNZ'), 'lsp', '--stdio' }, init_options = { trusted = true } })
vim.lsp.enable('nnz')

local right = open('right.nnz')
check('an .nnz file has its filetype, its comments and a server', function()
  equal(vim.bo.filetype, 'nnz')
  equal(vim.bo.commentstring, '// %s')
  await('the server', function()
    local client = vim.lsp.get_clients({ bufnr = right, name = 'nnz' })[1]
    return client and client.server_capabilities and client.server_capabilities.hoverProvider
  end)
end)

check('hover opens a float that draws the levels', function()
  go_to('#CSR>')
  vim.lsp.buf.hover()
  local text = float()
  assert(text:find('lvl 0  i : dense') and text:find('lvl 1  j : compressed .*\n +pos%[I %+ 1%] index · crd%[nnz%] index'), text)
end)

check('semantic tokens colour a level format', function()
  local line, column = go_to('dense,')
  local token = await('a token', function()
    return (vim.lsp.semantic_tokens.get_at_pos(right, line, column) or {})[1]
  end)
  equal(token.type, 'enumMember')
end)

check('definition of an alias is where it is made', function()
  go_to('#CSR>')
  vim.lsp.buf.definition()
  await('the jump', function()
    return vim.api.nvim_win_get_cursor(0)[1] == 2
  end)
end)

check('completion inside an encoding offers the level formats', function()
  local line, column = go_to('dense,')
  local place = { textDocument = { uri = vim.uri_from_bufnr(right) }, position = { line = line, character = column } }
  local answer = vim.lsp.buf_request_sync(right, 'textDocument/completion', place, 30000) or {}
  local _, first = next(answer)
  local items = first.result.items or first.result
  local labels = vim.tbl_map(function(item) return item.label end, items)
  assert(vim.tbl_contains(labels, 'compressed') and vim.tbl_contains(labels, 'dense'), vim.inspect(labels))
end)

-- Takes the lens of this title over the only kernel of a buffer.
local function take_lens(buffer, title)
  local place = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  local lenses = await('lenses', function()
    local answer = vim.lsp.buf_request_sync(buffer, 'textDocument/codeLens', place, 30000) or {}
    local _, first = next(answer)
    return first and first.result
  end)
  -- The commands come with a second request, as they do for `vim.lsp.codelens`.
  lenses = vim.tbl_map(function(lens)
    local _, resolved = next(vim.lsp.buf_request_sync(buffer, 'codeLens/resolve', lens, 30000) or {})
    return resolved.result
  end, lenses)
  local chosen = vim.tbl_filter(function(lens) return lens.command.title == title end, lenses)
  equal(#chosen, 1)
  vim.lsp.get_clients({ bufnr = buffer, name = 'nnz' })[1]:exec_cmd(chosen[1].command, { bufnr = buffer })
end

check('a lens runs a kernel, and the result stands behind it until the text changes', function()
  local running = open('running.nnz')
  take_lens(running, 'Run')
  local space = vim.api.nvim_get_namespaces()['nnz.results']
  local function behind()
    local marks = space and vim.api.nvim_buf_get_extmarks(running, space, 0, -1, { details = true }) or {}
    return vim.tbl_map(function(mark) return { mark[2], mark[4].virt_text[1][1] } end, marks)
  end
  await('the values', function() return #behind() > 0 end)
  equal(behind(), { { 2, '[ 5 10 ]' } })
  require('nnz.execute').whole()
  assert(float():find('y: 2xf64, dense, 2 stored', 1, true))
  vim.api.nvim_buf_set_lines(running, 0, 0, false, { '// a line more' })
  await('nothing behind it', function() return #behind() == 0 end)
end)

check('a lens opens the loops of a kernel, which follow the text', function()
  local kernels = open('kernels.nnz')
  take_lens(kernels, 'Loops')
  local shown = vim.api.nvim_get_current_buf()
  local function contains(what)
    return function()
      return table.concat(vim.api.nvim_buf_get_lines(shown, 0, -1, false), '\n'):find(what, 1, true)
    end
  end
  await('the loops', contains('sum = sum + A.values[A.p1] * x[j]'))
  vim.api.nvim_buf_set_lines(kernels, 2, 3, false, { 'y(i) = A(i, j) * x(j) * 2.0' })
  await('the loops of the new text', contains('* x[j] * f64(2.0)'))
  vim.api.nvim_buf_set_lines(kernels, 2, 3, false, { 'y(i) = A(i, j) * ' })
  await('word that they are of an earlier one', contains('// of an earlier version of the text: '))
  await('the loops below it', contains('* x[j] * f64(2.0)'))
  equal(vim.bo[shown].modifiable, false)
  vim.cmd('bwipeout! ' .. shown)
end)

local broken = open('broken.mlir')
check('an .mlir file shows its diagnostic at the guilty word', function()
  equal(vim.bo.filetype, 'mlir')
  local found = diagnostics(broken)
  equal(#found, 1)
  equal({ found[1].lnum, found[1].col, found[1].end_col }, { 1, 54, 60 })
  assert(found[1].message:find('unknown level format `densee`', 1, true), found[1].message)
  assert(tostring(found[1].code):match('^E0%d%d%d$'), vim.inspect(found[1].code))
end)

check('a diagnostic after letters outside the basic plane is under the right word', function()
  local found = diagnostics(open('wide.mlir'))
  local line = vim.api.nvim_get_current_line()
  equal(vim.tbl_map(function(one) return line:sub(one.col + 1, one.end_col) end, found), { 'densee' })
end)

check('the code action mends the encoding', function()
  vim.cmd.buffer(broken)
  go_to('densee')
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.edit ~= nil and action.title:find('`dense`', 1, true) ~= nil end,
  })
  await('the diagnostic to go', function()
    return #vim.diagnostic.get(broken) == 0
  end)
  local line = vim.api.nvim_buf_get_lines(broken, 1, 2, false)[1]
  equal(line, '#Bad = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>')
end)

check('a right file has no diagnostics', function()
  equal(vim.diagnostic.get(right), {})
end)

vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
