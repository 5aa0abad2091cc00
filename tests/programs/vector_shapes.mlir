// Parts, repetitions, other shapes and sums of vectors.
func.func @main() {
  %v = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf64>
  %row = vector.extract %v[1] : vector<3xf64> from vector<2x3xf64>
  vector.print %row : vector<3xf64>
  %one = vector.extract %v[1, 2] : f64 from vector<2x3xf64>
  vector.print %one : f64
  %set = vector.insert %one, %v[0, 0] : f64 into vector<2x3xf64>
  vector.print %set : vector<2x3xf64>
  %rows = vector.insert %row, %v[0] : vector<3xf64> into vector<2x3xf64>
  vector.print %rows : vector<2x3xf64>
  %turned = vector.transpose %v, [1, 0] : vector<2x3xf64> to vector<3x2xf64>
  vector.print %turned : vector<3x2xf64>
  %flat = vector.shape_cast %v : vector<2x3xf64> to vector<6xf64>
  vector.print %flat : vector<6xf64>
  %many = vector.broadcast %row : vector<3xf64> to vector<2x3xf64>
  vector.print %many : vector<2x3xf64>
  %sum = vector.reduction <add>, %flat : vector<6xf64> into f64
  vector.print %sum : f64
  %most = vector.reduction <maximumf>, %row, %sum : vector<3xf64> into f64
  vector.print %most : f64
  %fused = vector.fma %v, %v, %many : vector<2x3xf64>
  vector.print %fused : vector<2x3xf64>
  %steps = vector.step : vector<4xindex>
  vector.print %steps : vector<4xindex>
  %pair = vector.from_elements %one, %sum : vector<2xf64>
  vector.print %pair : vector<2xf64>
  return
}
