-- Kernels that run, are timed or compared: the result stands behind the kernel until the text changes.
local M = {}

local space = vim.api.nvim_create_namespace('nnz.results')

-- The lines of the last result.
local last = {}

-- Takes results away at the first change, which must not be made to wait.
local function forget_on_change(buffer)
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(buffer) then
          vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
        end
      end)
      return true
    end,
  })
end

-- Of a text that has changed while the kernel ran it is told in a message.
local function show(buffer, report, tick)
  last = report.lines
  if not vim.api.nvim_buf_is_valid(buffer) or vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
    vim.notify(report.title .. ': ' .. report.line)
    return
  end
  local line = report.range.start.line
  vim.api.nvim_buf_clear_namespace(buffer, space, line, line + 1)
  local look = report.ok and 'DiagnosticVirtualTextInfo' or 'DiagnosticVirtualTextError'
  vim.api.nvim_buf_set_extmark(buffer, space, line, 0, { virt_text = { { report.line, look } }, virt_text_pos = 'eol' })
  forget_on_change(buffer)
end

-- The command `nnz.execute`.
function M.execute(command, context)
  local wish = command.arguments[1]
  local buffer = vim.uri_to_bufnr(wish.uri)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  vim.lsp.get_client_by_id(context.client_id):request('nnz/execute', wish, function(failed, report)
    if failed then
      vim.notify(failed.message, vim.log.levels.ERROR)
    elseif report then
      show(buffer, report, tick)
    end
  end, buffer)
end

-- The whole of the last result, in a floating window.
function M.whole()
  vim.lsp.util.open_floating_preview(last, '', { border = 'rounded' })
end

return M
