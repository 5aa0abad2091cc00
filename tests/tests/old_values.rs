//! Bodies of `linalg.generic` that use the old value of a dense result anywhere: added to, scaled, compared, chosen,
//! in chains. Whatever the formats of the operands, evaluated or compiled, the result is that of dense arithmetic,
//! which this file computes itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::fmt::Write;

use nnz_core::{
    check::mlir::check_mlir,
    ids::FileId,
    machine::{self, Kernels, Options},
    mlir,
    source::Source,
};
use nnz_tests::hosts::{Nowhere, Said};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 5;
const COLS: usize = 6;

const FORMATS: &[&str] = &[
    "i : dense, j : dense",
    "i : dense, j : compressed",
    "j : dense, i : compressed",
    "i : compressed, j : compressed",
    "j : compressed, i : compressed",
    "i : compressed(nonunique), j : singleton",
    "i : compressed(nonunique), j : singleton(soa)",
    "i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense",
];

/// A body: operands `p`, `q`, the old value `o`, numbers.
#[derive(Clone, Debug)]
enum Body {
    P,
    Q,
    Old,
    Number(i32),
    Two(&'static str, Box<Body>, Box<Body>),
    Neg(Box<Body>),
    /// `select(a < b, c, d)`
    Choice([Box<Body>; 4]),
}

impl Body {
    fn random(random: &mut ChaCha8Rng, depth: usize) -> Body {
        let part = |random: &mut ChaCha8Rng| Box::new(Body::random(random, depth.saturating_sub(1)));
        match random.random_range(if depth == 0 { 0..7 } else { 2..16 }) {
            0 | 5 => Body::P,
            1 | 6 => Body::Q,
            2 | 3 => Body::Old,
            4 => Body::Number(random.random_range(-2..4)),
            7 => Body::Neg(part(random)),
            8 => Body::Choice([part(random), part(random), part(random), part(random)]),
            _ => {
                let ops = ["addf", "addf", "addf", "subf", "subf", "mulf", "maximumf", "minimumf"];
                Body::Two(ops.choose(random).unwrap(), part(random), part(random))
            }
        }
    }

    fn value(&self, p: f64, q: f64, old: f64) -> f64 {
        let at = |body: &Body| body.value(p, q, old);
        match self {
            Body::P => p,
            Body::Q => q,
            Body::Old => old,
            Body::Number(number) => f64::from(*number),
            Body::Neg(a) => -at(a),
            Body::Choice([a, b, c, d]) => {
                if at(a) < at(b) {
                    at(c)
                } else {
                    at(d)
                }
            }
            Body::Two(op, a, b) => match *op {
                "addf" => at(a) + at(b),
                "subf" => at(a) - at(b),
                "mulf" => at(a) * at(b),
                "maximumf" => at(a).max(at(b)),
                _ => at(a).min(at(b)),
            },
        }
    }

    /// Writes the operations, and says what names the value.
    fn write(&self, text: &mut String, count: &mut usize) -> String {
        let line = match self {
            Body::P => return "%p".to_string(),
            Body::Q => return "%q".to_string(),
            Body::Old => return "%o".to_string(),
            Body::Number(number) => format!("arith.constant {number}.0 : f64"),
            Body::Neg(a) => format!("arith.negf {} : f64", a.write(text, count)),
            Body::Two(op, a, b) => {
                let (a, b) = (a.write(text, count), b.write(text, count));
                format!("arith.{op} {a}, {b} : f64")
            }
            Body::Choice(parts) => {
                let [a, b, c, d] = parts.each_ref().map(|part| part.write(text, count));
                *count += 1;
                writeln!(text, "    %v{count} = arith.cmpf olt, {a}, {b} : f64").unwrap();
                format!("arith.select %v{count}, {c}, {d} : f64")
            }
        };
        *count += 1;
        writeln!(text, "    %v{count} = {line}").unwrap();
        format!("%v{count}")
    }
}

struct Case {
    body: Body,
    /// The second loop adds up.
    reduces: bool,
    formats: [&'static str; 2],
    p: Vec<f64>,
    q: Vec<f64>,
    old: Vec<f64>,
}

impl Case {
    fn random(random: &mut ChaCha8Rng) -> Case {
        let reduces = random.random_bool(0.5);
        let sparse = |random: &mut ChaCha8Rng| {
            (0..ROWS * COLS)
                .map(|_| if random.random_bool(0.4) { f64::from(random.random_range(-3..5)) } else { 0.0 })
                .collect()
        };
        let depth = random.random_range(1..4);
        let (p, q) = (sparse(random), sparse(random));
        let olds = if reduces { ROWS } else { ROWS * COLS };
        let old = (0..olds).map(|_| f64::from(random.random_range(-4..9))).collect();
        let formats = [(); 2].map(|()| *FORMATS.choose(random).unwrap());
        let mut body = Body::random(random, depth);
        if reduces && random.random_bool(0.6) {
            // What programs write: something taken in by the old value.
            let op = ["addf", "addf", "subf", "maximumf", "minimumf"].choose(random).unwrap();
            body = Body::Two(op, Box::new(Body::Old), Box::new(Body::random(random, 1)));
            if random.random_bool(0.5) {
                body = Body::Two(op, Box::new(body), Box::new(Body::random(random, 0)));
            }
        }
        Case { body, reduces, formats, p, q, old }
    }

    fn expected(&self) -> Vec<f64> {
        let mut result = self.old.clone();
        for at in 0..ROWS * COLS {
            let out = if self.reduces { at / COLS } else { at };
            result[out] = self.body.value(self.p[at], self.q[at], result[out]);
        }
        result
    }

    fn program(&self) -> String {
        let matrix = |values: &[f64]| {
            let rows: Vec<String> = values.chunks(COLS).map(list).collect();
            format!("dense<[{}]> : tensor<{ROWS}x{COLS}xf64>", rows.join(", "))
        };
        let (old, out, map, kind) = if self.reduces {
            (
                format!("dense<{}> : tensor<{ROWS}xf64>", list(&self.old)),
                format!("tensor<{ROWS}xf64>"),
                "(i)",
                "reduction",
            )
        } else {
            (matrix(&self.old), format!("tensor<{ROWS}x{COLS}xf64>"), "(i, j)", "parallel")
        };
        let mut operations = String::new();
        let yielded = self.body.write(&mut operations, &mut 0);
        let [e, f] = self.formats;
        let (p, q) = (matrix(&self.p), matrix(&self.q));
        let plain = format!("tensor<{ROWS}x{COLS}xf64>");
        format!(
            "#E = #sparse_tensor.encoding<{{ map = (i, j) -> ({e}) }}>
#F = #sparse_tensor.encoding<{{ map = (i, j) -> ({f}) }}>
func.func private @printMemrefF64(tensor<*xf64>)
func.func @main() {{
  %a = arith.constant {p}
  %b = arith.constant {q}
  %y = arith.constant {old}
  %A = sparse_tensor.convert %a : {plain} to tensor<{ROWS}x{COLS}xf64, #E>
  %B = sparse_tensor.convert %b : {plain} to tensor<{ROWS}x{COLS}xf64, #F>
  %0 = linalg.generic {{ indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> {map}>], iterator_types = [\"parallel\", \"{kind}\"] }}
      ins(%A, %B : tensor<{ROWS}x{COLS}xf64, #E>, tensor<{ROWS}x{COLS}xf64, #F>) outs(%y : {out}) {{
    ^bb0(%p: f64, %q: f64, %o: f64):
{operations}    linalg.yield {yielded} : f64
  }} -> {out}
  %u = tensor.cast %0 : {out} to tensor<*xf64>
  call @printMemrefF64(%u) : (tensor<*xf64>) -> ()
  return
}}
"
        )
    }
}

fn list(values: &[f64]) -> String {
    format!("[{}]", values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", "))
}

fn found(text: &str, kernels: Kernels) -> Vec<f64> {
    let checked = check_mlir(&Source::new(FileId(0), "old values", text));
    assert!(!checked.has_errors(), "{:?}\n{text}", checked.diagnostics);
    let modules = mlir::modules(&checked).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut printed = Said::default();
    let options = Options { kernels, ..Options::default() };
    machine::run(&checked, &modules, "main", (&Nowhere, &mut printed), options)
        .unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let data = printed.printed.split("data =").nth(1).unwrap();
    let numbers = data.split(|c: char| "[], \n".contains(c)).filter(|word| !word.is_empty());
    numbers.map(|word| word.parse().unwrap()).collect()
}

#[test]
fn the_old_value_is_an_ordinary_value() {
    let draws = std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(400);
    let mut random = ChaCha8Rng::seed_from_u64(20);
    for draw in 0..draws {
        let case = Case::random(&mut random);
        let (text, expected) = (case.program(), case.expected());
        // Products of products of the old value may leave what doubles print exactly.
        if expected.iter().any(|value| value.abs() > 1e5) {
            continue;
        }
        for kernels in [Kernels::Direct, Kernels::Compiled] {
            let found = found(&text, kernels);
            assert!(found == expected, "draw {draw}, {kernels:?}: {found:?}, not {expected:?}\n{text}");
        }
    }
}
