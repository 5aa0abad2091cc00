// The numbers of a storage specifier.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>

func.func @get(%s: !sparse_tensor.storage_specifier<#V>, %coo: !sparse_tensor.storage_specifier<#COO>) {
  // expected-error@+1 {{the values belong to no level}}
  %values = sparse_tensor.storage_specifier.get %s val_mem_sz at 0 : !sparse_tensor.storage_specifier<#V>
  // expected-error@+1 {{offsets and strides are kept of slices, and the encoding has none}}
  %offset = sparse_tensor.storage_specifier.get %s dim_offset at 0 : !sparse_tensor.storage_specifier<#V>
  // expected-error@+1 {{`crd_mem_sz` of which level?}}
  %level = sparse_tensor.storage_specifier.get %s crd_mem_sz : !sparse_tensor.storage_specifier<#V>
  // expected-error@+1 {{the encoding has levels 0 to 0}}
  %beyond = sparse_tensor.storage_specifier.get %s lvl_sz at 1 : !sparse_tensor.storage_specifier<#V>
  // expected-error@+1 {{level 1 is `singleton`, which has no positions}}
  %positions = sparse_tensor.storage_specifier.get %coo pos_mem_sz at 1 : !sparse_tensor.storage_specifier<#COO>
  // expected-error@+1 {{`lvl_size` is no number of a specifier}}
  %kind = sparse_tensor.storage_specifier.get %s lvl_size at 0 : !sparse_tensor.storage_specifier<#V>
  return
}
