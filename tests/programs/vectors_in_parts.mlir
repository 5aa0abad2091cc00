// Functions with a result in two parts, of vectors element by element.
func.func @main() {
  %a = arith.constant dense<[0.5, 1.5]> : vector<2xf64>
  %s, %c = math.sincos %a : vector<2xf64>
  vector.print %s : vector<2xf64>
  vector.print %c : vector<2xf64>
  %x = arith.constant dense<[200, 100, -1]> : vector<3xi8>
  %y = arith.constant dense<[100, 27, 2]> : vector<3xi8>
  %sum, %carry = arith.addui_extended %x, %y : vector<3xi8>, vector<3xi1>
  vector.print %sum : vector<3xi8>
  vector.print %carry : vector<3xi1>
  %low, %high = arith.mulsi_extended %x, %y : vector<3xi8>
  vector.print %low : vector<3xi8>
  vector.print %high : vector<3xi8>
  %ulow, %uhigh = arith.mului_extended %x, %y : vector<3xi8>
  vector.print %ulow : vector<3xi8>
  vector.print %uhigh : vector<3xi8>
  return
}
