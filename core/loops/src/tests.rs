//! The printed text parses back.

use super::*;

/// Text that must print as it was read.
fn check(text: &str) {
    let function = parse(text).expect("the text is a function");
    let verified = verify(function.clone()).expect("the function is legal");
    assert_eq!(verified.to_string(), text);
    let again = parse(&verified.to_string()).expect("the printed text is a function");
    assert_eq!(format!("{again:?}"), format!("{function:?}"), "as text, for NaN is unequal to itself");
}

fn check_error(text: &str, at: usize, problem: &str) {
    assert_eq!(parse(text), Err(parse::ParseError { at, problem: problem.into() }));
}

#[test]
fn every_kind_of_loop() {
    check(
        "\
kernel kinds(
  n: index,
  p: read indices<u32>,
  y: readwrite values<f64>,
) {
  for i in 0..n parallel by p {
    for s in p[i]..p[i + 1] short {
      y[s] = y[s]
    }
  }
  for j in 0..n parallel {
    for k in 0..n vector {
      y[k] = y[k]
    }
  }
}
",
    );
}

#[test]
fn every_statement_and_operator() {
    check(
        "\
kernel every.part(
  n: index,
  alpha: f64,
  p: read indices<u32>,
  list: readwrite indices<u16>,
  x: read values<f64>,
  z: readwrite values<complex<f32>>,
  y: write values<f64>,
) {
  // what follows: everything
  for i in 0..n parallel {
    let a = (p[i] + -3) * (2 - (n - i)) / 4 % -(5)
    let odd: bool = a % 2 == 1 && !(a < 0 || a <= -n) || true != false
    var sum: f64 = -alpha + select(odd, x[i], f64(-0.0)) * f64(1e-300)
    while sum < min(max(x[a], f64(NaN)), pow(sqrt(x[0]), f64(inf))) {
      sum = sum - (x[i] - abs(tanh(alpha)))
    }
    list[n - 1] = list[i] + 1
    sort list[n - i..p[i + 1]]
    if odd {
      y[i] = cast<f64>(i)
    } else {
      z[i] = complex<f32>(1.0, -2.5) / z[i]
    }
  }
}
",
    );
}

#[test]
fn the_empty_function() {
    check("kernel nothing(\n) {\n}\n");
}

#[test]
fn errors_have_a_place() {
    check_error("kernel f(\n) {\n  let a = b\n}\n", 24, "`b` names nothing here");
    check_error("kernel f(\n) {\n  let a = 1\n  let a = 2\n}\n", 32, "`a` is declared twice");
    check_error("kernel f(\n", 10, "expected a name");
    check_error("kernel f(\n) {\n} tail", 16, "expected the end of the text");
    check_error("kernel f(\n) { let a = 99999999999999999999 }", 22, "`99999999999999999999` is not a 64-bit number");
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("kernel f(\n) {{ let a = {}1", "(".repeat(100_000));
    assert_eq!(parse(&text).map_err(|error| error.problem), Err("nested too deeply".to_string()));
}

#[test]
fn names_are_made_legal() {
    let mut b = Builder::new("2 kernels");
    b.param("for", Type::Index);
    b.param("x y", Type::Index);
    b.param("x.y", Type::Index);
    b.param("x.y", Type::Index);
    let function = verify(b.finish()).expect("names are legal");
    let names: Vec<&str> = function.vars.iter().map(|var| var.name.as_str()).collect();
    assert_eq!((function.name.as_str(), names), ("_2_kernels", vec!["for_", "x_y", "x.y", "x.y_1"]));
}
