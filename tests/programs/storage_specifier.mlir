// Numbers beside the arrays of a tensor.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @main() {
  %n = arith.constant 12 : index
  %m = arith.constant 7 : index
  %s = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#CSR>
  %a = sparse_tensor.storage_specifier.set %s lvl_sz at 1 with %n : !sparse_tensor.storage_specifier<#CSR>
  %b = sparse_tensor.storage_specifier.set %a val_mem_sz with %m : !sparse_tensor.storage_specifier<#CSR>
  %size = sparse_tensor.storage_specifier.get %b lvl_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %values = sparse_tensor.storage_specifier.get %b val_mem_sz : !sparse_tensor.storage_specifier<#CSR>
  vector.print %size : index
  vector.print %values : index
  return
}
