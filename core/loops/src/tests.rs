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
    for s in p[i]..p[i + 1] rolled {
      y[s] = y[s]
    }
  }
  for j in 0..n parallel {
    for k in 0..n vector {
      y[j * n + k] = y[j * n + k]
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
    list[i] = list[n - 1] + 1
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
fn every_operation_that_is_written_as_a_function() {
    let mut body = String::new();
    for op in Unary::all().filter(|op| op.name().len() > 1) {
        let (of, to) = match op {
            Unary::BitNot => ("k", "k"),
            Unary::Conj => ("z", "z"),
            Unary::Re | Unary::Im | Unary::Angle => ("z", "x"),
            Unary::Neg | Unary::Not | Unary::Abs | Unary::Function(_) => ("x", "x"),
        };
        body += &format!("  {to}[1] = {}({of}[0])\n", op.name());
    }
    for op in Binary::all().filter(|op| op.name().len() > 2) {
        let of = if matches!(op, Binary::Function(_)) { "x" } else { "k" };
        body += &format!("  {of}[1] = {}({of}[0], {of}[2])\n", op.name());
    }
    let arrays = ["k: readwrite values<i32>", "x: readwrite values<f64>", "z: readwrite values<complex<f64>>"];
    check(&format!("kernel all(\n  {},\n) {{\n{body}}}\n", arrays.join(",\n  ")));
    check("kernel names(\n  re: index,\n  y: write values<f64>,\n) {\n  y[re] = floor(cast<f64>(re))\n}\n");
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

/// A module that must print as it was read.
fn check_module(text: &str) {
    let module = parse_module(text).expect("the text is a module");
    let verified = verify_module(module.clone()).expect("the module is legal");
    assert_eq!(verified.to_string(), text);
    assert_eq!(parse_module(&verified.to_string()), Ok(module));
}

#[test]
fn kernels_and_launches() {
    check_module(
        "\
gpu rows(
  n: index,
  scale: f64,
  pos: device read indices<u32>[n + 1],
  crd: device read indices<u32>,
  a: device read values<f64>,
  x: device read values<f64>,
  y: device write values<f64>[n],
) {
  let blocks = (n + 127) / 128
  // a thread for each row
  for b in 0..(n + 127) / 128 block.x {
    for t in 0..128 thread.x {
      let i = b * 128 + t
      if i < n {
        var sum: f64 = f64(0.0)
        for p in pos[i]..pos[i + 1] {
          sum = sum + a[p] * x[crd[p]]
        }
        y[i] = sum * scale
      }
    }
  }
}
gpu everything(
  n: index,
  x: device read values<f32>[n],
  y: device readwrite values<f32>,
  n.of: device readwrite indices<u64>[3],
) {
  for bz in 0..2 block.z {
    for by in 1..n block.y {
      for bx in 0..n / 512 block.x {
        alloc tile: shared values<f32>[128]
        alloc rest: shared indices<u32>[n]
        for tz in 0..2 thread.z {
          for ty in 0..2 thread.y {
            for w in 0..4 warp {
              for l in 0..32 lane {
                alloc own: local values<f64>[4]
                let t = (bx * 128 + w * 32 + l) * 4
                load x[t] -> x0: f32, x1: f32, x2: f32, x3: f32
                store f64(1.0), f64(2.0) -> own[2]
                atomic add tile[l], x0 + x1
                atomic max n.of[0], t -> before
                atomic compare_exchange n.of[1], before, t -> found
                atomic exchange n.of[2], found
                barrier
                if w < 2 {
                  shuffle xor x2, 16 -> other: f32
                  shuffle index t, 0 -> first
                  shuffle down x3, w width 8 -> near: f32
                  atomic add y[first], other
                }
              }
            }
          }
        }
      }
    }
  }
}
host y(
  n: index,
  h: readwrite values<f64>,
  pos: device read indices<u32>[n + 1],
  crd: device read indices<u32>,
  a: device read values<f64>,
  x: device read values<f64>,
  y: device write values<f64>[n],
) {
  alloc work: device values<f64>[n]
  alloc list: values<f64>[8]
  for i in 0..3 {
    launch rows(n, f64(2.0))[pos, crd, a, x, work] blocks((n + 127) / 128, 1, 1) threads(128, 1, 1)
    launch rows(n, h[0])[pos, crd, a, work, y] blocks((n + 127) / 128, 1, 1) threads(128, 1, 1)
  }
  copy x -> h, n / 2
  copy list -> work, 8
  store h[0], h[1] -> list[6]
  load list[6] -> h0: f64, h1: f64
  h[0] = h0 + h1
}
",
    );
}

#[test]
fn words_of_kernels_may_name_things() {
    check(
        "\
kernel launch(
  load: index,
  alloc: readwrite values<f64>,
  store: read values<f64>[load],
) {
  for barrier in 0..load {
    var atomic = barrier
    atomic = atomic + 1
    alloc[barrier] = store[barrier]
    let shuffle = atomic
    let copy = shuffle
    let width = copy
    load alloc[shuffle * 2] -> launch: f64, gpu: f64
    alloc[0] = launch + gpu
  }
}
",
    );
}

#[test]
fn errors_of_kernels_have_a_place() {
    let problem = |body: &str| {
        let text = format!("gpu k(\n  y: device readwrite values<f32>,\n) {{ {body} }}");
        parse_module(&text).map_err(|error| error.problem).err().unwrap_or_default()
    };
    assert_eq!(problem("atomic divide y[0], f32(1.0)"), "`divide` is no atomic operation");
    assert_eq!(problem("shuffle around f32(1.0), 1 -> a: f32"), "`around` is no way to shuffle");
    assert_eq!(problem("shuffle up f32(1.0), 1 width w -> a: f32"), "expected a number");
    assert_eq!(problem("copy y -> z, 1"), "no array `z`");
    assert_eq!(problem("alloc t: shared values<f32>"), "expected the length");
    assert_eq!(problem("launch other()[] blocks(1, 1, 1) threads(1, 1, 1)"), "no kernel `other`");
    assert_eq!(problem("load y -> a: f32"), "expected `[`");
}

#[test]
fn a_kernel_is_launched_as_its_loops_say() {
    let kernel = "\
gpu k(
  n: index,
  scale: f64,
  y: device readwrite values<f64>[n * 32],
) {
  for c in 1..4 block.z {
    for b in 2..n block.x {
      for h in 0..2 thread.y {
        for w in 0..2 warp {
          for l in 0..32 lane {
            y[b * 32 + l] = scale
          }
        }
      }
    }
  }
}
";
    let module = parse_module(kernel).expect("the text is a module");
    let module = Module::launching(module.kernels[0].clone()).expect("the function is a kernel");
    let host = "\
host k.launch(
  n: index,
  scale: f64,
  y: device readwrite values<f64>[n * 32],
) {
  launch k(n, scale)[y] blocks(max(n - 2, 0), 1, 3) threads(64, 2, 1)
}
";
    assert_eq!(module.to_string(), format!("{kernel}{host}"));
    assert_eq!(parse_module(&module.to_string()), Ok(module));
}
