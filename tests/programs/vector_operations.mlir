// Operations of vectors, entry by entry.
module {
  func.func @main() {
    %a = arith.constant dense<[1.0, -2.0, 3.5]> : vector<3xf32>
    %b = arith.constant dense<2.0> : vector<3xf32>
    %0 = arith.mulf %a, %b : vector<3xf32>
    %1 = arith.cmpf ogt, %a, %b : vector<3xf32>
    %2 = arith.select %1, %a, %b : vector<3xi1>, vector<3xf32>
    %3 = vector.bitcast %b : vector<3xf32> to vector<3xi32>
    %4 = math.absf %a : vector<3xf32>
    vector.print %0 : vector<3xf32>
    vector.print %1 : vector<3xi1>
    vector.print %2 : vector<3xf32>
    vector.print %3 : vector<3xi32>
    vector.print %4 : vector<3xf32>
    return
  }
}
