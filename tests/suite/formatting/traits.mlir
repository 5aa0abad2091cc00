#CSR=#sparse_tensor.encoding<{map=(i,j)->(i:dense,j:compressed)}>
#map=affine_map<(d0,d1)[s0]->(d1,d0+s0*2)>
#t={indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"],doc="y(i) += A(i,  j) * x(j)"}
#short = { iterator_types = [ "parallel" ] }
#commented = {
    indexing_maps = [
        affine_map<(i,j) -> (i,j)>,  // A
        affine_map<(i,j) -> (j)>,    // x
        affine_map<(i,j) -> (i)>  // y
    ], sorted=true,
  widths = array<i64:1,2>, value=dense<[1,2]>:tensor<2xi32>, other={a=1:i32} }
#pass = dense<[1,  2]>:tensor<2xi32>
!t = tensor<4x4xf64,#CSR>
#Slice = #sparse_tensor.encoding<{ map = (i:#sparse_tensor<slice(0,4,2)>, j:#sparse_tensor<slice(?,4,?)>) -> (i:dense, j:compressed), explicitVal=1.0:f64 }>
func.func @f(%A: tensor<?x?xf64,#CSR>)   ->   tensor<?x?xf64,#CSR> {
    %0 = linalg.copy  ins(%A : tensor<?x?xf64,#sparse_tensor.encoding<{map=(i,j)->(i:dense,j:compressed)}>>)
  return %0 : tensor<?x?xf64,#CSR>
}
  #late = affine_map<(i)->(i)>
