#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#Narrow = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = 8 }>
#Positions = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 8 }>
#Wide = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = 64 }>
#Open = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = 32 }>
#Rows = #sparse_tensor.encoding<{ map = (r, c) -> (r : dense, c : compressed), crdWidth = 64 }>
func.func private @blocks(tensor<7x8xf64, #BSR>, tensor<7x8xf64, #BSR>, tensor<8x8xf64, #BSR>, tensor<?x8xf64, #BSR>)
func.func private @narrow(tensor<256x256xf64, #Narrow>, tensor<4x257xf64, #Narrow>, tensor<300x?xf64, #Narrow>)
func.func private @positions(tensor<200x200xf64, #Positions>, tensor<300x300xf64, #Positions>)
func.func private @wide(tensor<4000x4000xf64, #Wide>, tensor<4x4xf64, #Rows>)
func.func private @open(tensor<4000x4000xf64, #Open>, tensor<?x?xf64, #Open>)

// -----

#Rows = #sparse_tensor.encoding<{ map = (r, c) -> (r : dense, c : compressed), crdWidth = 64 }>
func.func private @another(tensor<4x4xf64, #Rows>)
