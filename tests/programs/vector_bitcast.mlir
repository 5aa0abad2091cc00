// The bits of a vector, read as numbers of another width.
func.func @main() {
  %f = arith.constant dense<[1.0, -2.5]> : vector<2xf32>
  %halves = vector.bitcast %f : vector<2xf32> to vector<4xi16>
  vector.print %halves : vector<4xi16>
  %whole = vector.bitcast %f : vector<2xf32> to vector<1xi64>
  vector.print %whole : vector<1xi64>
  %bytes = arith.constant dense<[1, -1, 2, 3]> : vector<4xi8>
  %pairs = vector.bitcast %bytes : vector<4xi8> to vector<2xi16>
  vector.print %pairs : vector<2xi16>
  %same = vector.bitcast %f : vector<2xf32> to vector<2xi32>
  vector.print %same : vector<2xi32>
  %back = vector.bitcast %halves : vector<4xi16> to vector<2xf32>
  vector.print %back : vector<2xf32>
  %rows = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %longs = vector.bitcast %rows : vector<2x2xi32> to vector<2x1xi64>
  vector.print %longs : vector<2x1xi64>
  %long = arith.constant dense<[1.0]> : vector<1xf64>
  %short = vector.bitcast %long : vector<1xf64> to vector<4xf16>
  vector.print %short : vector<4xf16>
  return
}
