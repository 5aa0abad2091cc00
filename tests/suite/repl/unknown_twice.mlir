func.func @f(%a: f64) {
  "test.one"(%a) : (f64) -> ()
  "test.one"(%a) : (f64) -> ()
  "test.two"(%a) : (f64) -> ()
  return
}
