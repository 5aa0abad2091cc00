-- Views of kernels (loops, plans, code) in scratch buffers that follow the text.
local M = {}

-- Of each view its buffer, its client, the text that it is of, and the number of the last request.
local views = {}

local function source_of(uri)
  return vim.uri_decode((uri:match('[?&]source=([^&]*)') or ''))
end

local function show(uri, content)
  local view = views[uri]
  if not vim.api.nvim_buf_is_valid(view.buffer) then
    return
  end
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, vim.split(content.text, '\n', { trimempty = true }))
  vim.bo[view.buffer].modifiable = false
  if vim.bo[view.buffer].filetype == '' and content.language ~= 'plaintext' then
    vim.bo[view.buffer].filetype = content.language
  end
end

-- Asks for a view; an answer that a later one overtakes is dropped.
local function refresh(uri)
  local view = views[uri]
  local client = vim.lsp.get_client_by_id(view.client)
  if not client then
    return
  end
  view.asked = view.asked + 1
  local asked = view.asked
  client:request('nnz/textDocumentContent', { uri = uri }, function(failed, content)
    if failed then
      vim.notify(failed.message, vim.log.levels.ERROR)
    elseif content and asked == view.asked then
      show(uri, content)
    end
  end)
end

local function buffer_of(uri)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].modifiable = false
  pcall(vim.api.nvim_buf_set_name, buffer, 'nnz ' .. (uri:match('^nnz%-view:/([^?]*)') or 'view'))
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    callback = function()
      views[uri] = nil
    end,
  })
  return buffer
end

-- The command `nnz.openView`: the view in a window beside this one.
function M.open(command, context)
  local uri = command.arguments[1].uri
  local view = views[uri]
  if view and vim.fn.bufwinid(view.buffer) ~= -1 then
    vim.api.nvim_set_current_win(vim.fn.bufwinid(view.buffer))
  else
    local buffer = buffer_of(uri)
    views[uri] = { buffer = buffer, client = context.client_id, source = source_of(uri), asked = 0 }
    vim.cmd('rightbelow vertical sbuffer ' .. buffer)
  end
  refresh(uri)
end

-- The notification `nnz/viewsChanged`.
function M.changed(_, params)
  for uri, view in pairs(views) do
    if view.source == params.uri then
      refresh(uri)
    end
  end
end

return M
