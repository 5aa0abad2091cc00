#A=#sparse_tensor.encoding<{map=(i,j->(i:dense)}>
#B=#sparse_tensor.encoding<{map=(i)->(i:dense)}>
#C=#sparse_tensor.encoding<{map=(i)->(i:dense), }>
func.func @f(
