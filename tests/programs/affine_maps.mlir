// Maps with symbols, applied to indices; the least and the greatest of several.
#shift = affine_map<(i)[s] -> (i * 4 + s)>
#both = affine_map<(i, j)[s] -> (i floordiv 2 + s, j mod 3, 8 - i)>

func.func @main() {
  %i = arith.constant 5 : index
  %j = arith.constant 7 : index
  %s = arith.constant 2 : index
  %a = affine.apply #shift(%i)[%s]
  vector.print %a : index
  %b = affine.min #both(%i, %j)[%s]
  vector.print %b : index
  %c = affine.max #both(%i, %j)[%s]
  vector.print %c : index
  %d = affine.apply affine_map<(i, j) -> ((i + j) ceildiv 5)>(%i, %j)
  vector.print %d : index
  return
}
