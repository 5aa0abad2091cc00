#COO = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>
#SOA = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa)) }>
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %i0 = arith.constant 0 : i32
    %data = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
    %pos = arith.constant dense<[0, 3]> : tensor<2xindex>
    %crd = arith.constant dense<[[1, 2],[5, 6],[7, 8]]> : tensor<3x2xindex>
    %pos32 = arith.constant dense<[0, 1, 3]> : tensor<3xi32>
    %crd32 = arith.constant dense<[1, 0, 1]> : tensor<3xi32>
    %c1s = arith.constant dense<[1, 5, 7]> : tensor<3xindex>
    %c2s = arith.constant dense<[2, 6, 8]> : tensor<3xindex>
    %s4 = sparse_tensor.assemble (%pos, %crd), %data : (tensor<2xindex>, tensor<3x2xindex>), tensor<3xf64> to tensor<10x10xf64, #COO>
    %s5 = sparse_tensor.assemble (%pos32, %crd32), %data : (tensor<3xi32>, tensor<3xi32>), tensor<3xf64> to tensor<2x2xf64, #CSR>
    %s6 = sparse_tensor.assemble (%pos, %c1s, %c2s), %data : (tensor<2xindex>, tensor<3xindex>, tensor<3xindex>), tensor<3xf64> to tensor<10x10xf64, #SOA>
    sparse_tensor.print %s4 : tensor<10x10xf64, #COO>
    sparse_tensor.print %s5 : tensor<2x2xf64, #CSR>
    sparse_tensor.print %s6 : tensor<10x10xf64, #SOA>
    %n = sparse_tensor.number_of_entries %s4 : tensor<10x10xf64, #COO>
    vector.print %n : index
    %vm = sparse_tensor.values %s4 : tensor<10x10xf64, #COO> to memref<?xf64>
    %v = vector.transfer_read %vm[%c0], %f0 : memref<?xf64>, vector<3xf64>
    vector.print %v : vector<3xf64>
    %pm = sparse_tensor.positions %s5 { level = 1 : index } : tensor<2x2xf64, #CSR> to memref<?xi32>
    %pv = vector.transfer_read %pm[%c0], %i0 : memref<?xi32>, vector<3xi32>
    vector.print %pv : vector<3xi32>
    %cb = sparse_tensor.coordinates_buffer %s4 : tensor<10x10xf64, #COO> to memref<?xindex>
    %cv = vector.transfer_read %cb[%c0], %c0 : memref<?xindex>, vector<8xindex>
    vector.print %cv : vector<8xindex>
    %ov = tensor.empty() : tensor<3xf64>
    %op = tensor.empty() : tensor<3xi32>
    %oc = tensor.empty() : tensor<3xi32>
    %p, %c, %d, %pl, %cl, %dl = sparse_tensor.disassemble %s5 : tensor<2x2xf64, #CSR> out_lvls(%op, %oc : tensor<3xi32>, tensor<3xi32>) out_vals(%ov : tensor<3xf64>) -> (tensor<3xi32>, tensor<3xi32>), tensor<3xf64>, (i32, i32), index
    %x1 = vector.transfer_read %p[%c0], %i0 : tensor<3xi32>, vector<3xi32>
    vector.print %x1 : vector<3xi32>
    %x2 = vector.transfer_read %c[%c0], %i0 : tensor<3xi32>, vector<3xi32>
    vector.print %x2 : vector<3xi32>
    %x3 = vector.transfer_read %d[%c0], %f0 : tensor<3xf64>, vector<3xf64>
    vector.print %x3 : vector<3xf64>
    vector.print %pl : i32
    vector.print %cl : i32
    vector.print %dl : index
    return
  }
}
