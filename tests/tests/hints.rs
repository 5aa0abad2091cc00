//! Hints of cost are true: a kernel that is said to visit every coordinate takes at least as many steps, which the
//! interpreter counts, and one of which nothing is said takes far fewer. And every edge tells the same of a kernel.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::sync::Arc;

use nnz_core::{
    backend::{FloatOrder, Gpu, interp},
    check::{command::View, mlir::check_mlir, used::NoFiles},
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    languages::{MLIR, NOTATION},
    machine, mlir,
    session::{Engine, Lowering, Options, Session, lower_program},
    source::Source,
};
use nnz_tests::hosts::{Nowhere, Said};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// The operands have this many rows and columns, and about 40 entries each.
const SIZE: u64 = 200;
/// Loops over rows and entries of a few operands stay below this, and those over all coordinates do not.
const FEW: u64 = SIZE * SIZE / 4;

/// What running a statement told and took.
struct Ran {
    errors: Vec<String>,
    hints: Vec<String>,
    steps: u64,
}

fn run(session: &mut Session, text: &str) -> Ran {
    let source = Source::new(FileId(0), "test.nnz", text.to_string());
    let (before, mut ran) = (interp::steps(), Ran { errors: Vec::new(), hints: Vec::new(), steps: 0 });
    session.run(&source, true, &mut |outcome| {
        for found in &outcome.diagnostics {
            let told = if found.severity().name() == "error" { &mut ran.errors } else { &mut ran.hints };
            told.push(found.message.clone());
        }
    });
    ran.steps = interp::steps() - before;
    ran
}

fn session() -> Session {
    let options = Options { engine: Engine::Interpreter, threads: 1, told_from: 0, ..Options::default() };
    let mut session = Session::new(Arc::new(Nowhere), options);
    let operands = format!(
        "A : tensor<{SIZE}x{SIZE}xf64, CSR> = random(density = 0.001, seed = 1)\n\
         B : tensor<{SIZE}x{SIZE}xf64, DCSR> = random(density = 0.001, seed = 2)\n\
         C : tensor<{SIZE}x{SIZE}xf64, CSC> = random(density = 0.001, seed = 3)\n\
         d : tensor<{SIZE}xf64> = random(density = 1.0, seed = 4)\n\
         s : tensor<{SIZE}xf64, SparseVector> = random(density = 0.02, seed = 5)\n"
    );
    assert_eq!(run(&mut session, &operands).errors, [""; 0]);
    session
}

/// A kernel with a sparse result.
fn statement(draw: &mut ChaCha8Rng) -> String {
    let target = ["R(i, j) : CSR", "R(i, j) : DCSR", "R(i) : SparseVector", "R"].choose(draw).unwrap();
    let depth = draw.random_range(1..4);
    let body = expression(draw, depth);
    let over = ["", ", over = stored"].choose(draw).unwrap();
    let fold = ["sum", "sum", "max"].choose(draw).unwrap();
    match *target {
        "R" => format!("R : f64 = {fold}(i, j, {body}{over})"),
        "R(i) : SparseVector" => format!("{target} = {fold}(j, {body}{over})"),
        target => format!("{target} = {body}"),
    }
}

fn expression(draw: &mut ChaCha8Rng, depth: usize) -> String {
    const LEAVES: [&str; 13] = [
        "A(i, j)", "A(i, j)", "B(i, j)", "B(i, j)", "C(i, j)", "A(j, i)", "d(i)", "d(j)", "s(i)", "s(j)", "0.5", "2",
        "-1",
    ];
    if depth == 0 {
        return LEAVES.choose(draw).unwrap().to_string();
    }
    let part = |draw: &mut ChaCha8Rng| expression(draw, depth - 1);
    let [a, b] = [part(draw), part(draw)];
    match draw.random_range(0..15) {
        0..4 => format!("({a} * {b})"),
        4..6 => format!("({a} + {b})"),
        6 => format!("({a} - {b})"),
        7 => format!("min({a}, {b})"),
        8 => format!("max({a}, {b})"),
        9 => format!("{}({a})", ["exp", "sin", "abs", "sqrt", "-"].choose(draw).unwrap()),
        10 => format!("f64({a} {} {b})", ["<", ">", "==", "<="].choose(draw).unwrap()),
        11 => format!("select({a} > {b}, {a}, {})", part(draw)),
        12 => format!("select({}, {a})", ["i == j", "i < j", "j == 3"].choose(draw).unwrap()),
        13 => format!("unary({a}, present = {b})"),
        _ => format!("({a} / ({b} + 3))"),
    }
}

/// The number of coordinates that hints say are visited, whatever holds there.
fn visited(hints: &[String]) -> Option<f64> {
    let number = |hint: &String| {
        let (_, rest) = hint.split_once(" visits every coordinate, ")?;
        rest.split_once(" of them").unwrap().0.parse::<f64>().ok()
    };
    hints.iter().filter_map(number).reduce(f64::max)
}

/// Without any, a condition such as `i < j` shows what is visited.
fn names_a_sparse_operand(text: &str) -> bool {
    ["A(", "B(", "C(", " s(", "(s("].iter().any(|access| text.contains(access))
}

/// What is wrong with the hints of a statement; `None` if it did not run.
fn wrong(session: &mut Session, text: &str) -> Option<Option<String>> {
    let ran = run(session, text);
    if !ran.errors.is_empty() {
        return None;
    }
    let untrue = match visited(&ran.hints) {
        Some(points) => (ran.steps as f64) < 0.99 * points,
        None => ran.hints.is_empty() && ran.steps > FEW && names_a_sparse_operand(text),
    };
    Some(untrue.then(|| format!("{text}: {} steps, {:?}", ran.steps, ran.hints)))
}

#[test]
fn hints_of_visited_coordinates_are_true() {
    let draws: u64 = std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(200);
    let (mut session, mut draw) = (session(), ChaCha8Rng::seed_from_u64(30));
    let found: Vec<_> = (0..draws).filter_map(|_| wrong(&mut session, &statement(&mut draw))).collect();
    assert!(found.len() as u64 > draws / 2, "only {} of {draws} ran", found.len());
    let wrong: Vec<String> = found.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {draws}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A kernel of two matrices, as a statement and as a program.
struct Kernel {
    size: u64,
    formats: [&'static str; 3],
    body: &'static [&'static str; 3],
}

/// The right side, the operation of a program, and the map of `B`.
const BODIES: &[[&str; 3]] = &[
    ["A(i, j) + B(i, j)", "arith.addf %a, %b : f64", "(i, j) -> (i, j)"],
    ["A(i, j) * B(i, j)", "arith.mulf %a, %b : f64", "(i, j) -> (i, j)"],
    ["A(i, j) + B(j, i)", "arith.addf %a, %b : f64", "(i, j) -> (j, i)"],
    ["A(i, j) * B(j, i)", "arith.mulf %a, %b : f64", "(i, j) -> (j, i)"],
    ["max(A(i, j), B(i, j))", "arith.maximumf %a, %b : f64", "(i, j) -> (i, j)"],
    ["exp(A(i, j))", "math.exp %a : f64", "(i, j) -> (i, j)"],
];

const FORMATS: &[[&str; 2]] = &[
    ["CSR", "(i, j) -> (i : dense, j : compressed)"],
    ["CSC", "(i, j) -> (j : dense, i : compressed)"],
    ["COO", "(i, j) -> (i : compressed(nonunique), j : singleton)"],
    ["DCSR", "(i, j) -> (i : compressed, j : compressed)"],
];

impl Kernel {
    fn drawn(draw: &mut ChaCha8Rng) -> Kernel {
        let formats = [(); 3].map(|()| FORMATS.choose(draw).unwrap()[0]);
        Kernel { size: *[700, 1100].choose(draw).unwrap(), formats, body: BODIES.choose(draw).unwrap() }
    }

    fn statements(&self) -> String {
        let (Kernel { size, formats: [a, b, c], body: [right, ..] }, by) = (self, "random(density = 0.001");
        format!(
            "A : tensor<{size}x{size}xf64, {a}> = {by}, seed = 1)\nB : tensor<{size}x{size}xf64, {b}> = {by}, seed = 2)\n\
             C(i, j) : {c} = {right}\n"
        )
    }

    fn program(&self) -> String {
        let (Kernel { formats, body: [_, op, map], .. }, id) = (self, "affine_map<(i, j) -> (i, j)>");
        let [a, b, c] = formats.map(|format| format!("tensor<{0}x{0}xf64, #{format}>", self.size));
        let encoding = |[name, map]: &[&str; 2]| format!("#{name} = #sparse_tensor.encoding<{{ map = {map} }}>\n");
        let encodings: String = FORMATS.iter().map(encoding).collect();
        format!(
            "{encodings}func.func @main() {{\n  %A = tensor.empty() : {a}\n  %B = tensor.empty() : {b}\n  \
             %o = tensor.empty() : {c}\n  %C = linalg.generic {{indexing_maps = [{id}, affine_map<{map}>, {id}], \
             iterator_types = [\"parallel\", \"parallel\"]}}\n    ins(%A, %B : {a}, {b}) outs(%o : {c}) {{\n  \
             ^bb0(%a: f64, %b: f64, %c: f64):\n    %s = {op}\n    linalg.yield %s : f64\n  }} -> {c}\n  return\n}}\n"
        )
    }
}

/// The hidden costs among diagnostics.
fn costs<'d>(found: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<(Code, String, Vec<String>)> {
    let is_cost = |found: &&Diagnostic| {
        assert!(!found.is_error(), "{}", found.message);
        matches!(found.code, Code::HiddenCost | Code::HiddenConversion | Code::DenseCopy | Code::EveryCoordinate)
    };
    let mut costs: Vec<_> = found
        .into_iter()
        .filter(is_cost)
        .map(|found| (found.code, found.message.clone(), found.helps.clone()))
        .collect();
    costs.sort_by(|a, b| a.1.cmp(&b.1));
    costs
}

/// What the check and the run of a session tell.
fn told_in_session(text: &str) -> [Vec<(Code, String, Vec<String>)>; 2] {
    let source = Source::new(FileId(0), "test.nnz", text.to_string());
    let mut session = Session::new(Arc::new(Nowhere), Options::default());
    let checked = session.check(&NOTATION, &source, &NoFiles);
    let mut ran = Vec::new();
    session.run(&source, true, &mut |outcome| ran.extend(outcome.diagnostics));
    [costs(&checked), costs(&ran)]
}

/// What the check, the run and `nnz lower` of a program tell.
fn told_in_program(text: &str) -> [Vec<(Code, String, Vec<String>)>; 3] {
    let source = Source::new(FileId(0), "test.mlir", text.to_string());
    let found = Session::new(Arc::new(Nowhere), Options::default()).check(&MLIR, &source, &NoFiles);
    let checked = check_mlir(&source);
    let modules = mlir::modules(&checked).unwrap();
    let mut said = Said::default();
    machine::run(&checked, &modules, "main", (&Nowhere, &mut said), machine::Options::default()).unwrap();
    let (float_order, gpu) = (FloatOrder::Strict, Gpu::default());
    let lowering = Lowering { function: None, view: View::Plan, float_order, gpu };
    let lowered = lower_program(&checked, &modules, lowering).unwrap();
    [costs(&found), costs(&said.notes), costs(lowered.iter().flat_map(|site| &site.costs))]
}

#[test]
fn every_edge_tells_the_same() {
    let draws: u64 = std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(24);
    let (mut draw, mut told) = (ChaCha8Rng::seed_from_u64(31), 0);
    for _ in 0..draws {
        let kernel = Kernel::drawn(&mut draw);
        let (statements, program) = (kernel.statements(), kernel.program());
        let [checked, ran] = told_in_session(&statements);
        assert_eq!(checked, ran, "{statements}");
        let [of_program, others @ ..] = told_in_program(&program);
        for other in others {
            assert_eq!(of_program, other, "{program}");
        }
        let codes = |told: &[(Code, String, Vec<String>)]| told.iter().map(|(code, ..)| *code).collect::<Vec<_>>();
        assert_eq!(codes(&checked), codes(&of_program), "{statements}{program}{checked:?}{of_program:?}");
        assert!(kernel.size > 1000 || checked.is_empty(), "{statements}");
        told += checked.len();
    }
    assert!(told as u64 > draws / 4, "{told}");
}

/// A program of many operations outside of kernels hears once that these are not compiled.
#[test]
fn interpreted_loops_are_told() {
    let text = |count: u32| {
        format!(
            "func.func @main() {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant \
             {count} : index\n  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {{\n    %b = arith.addi %a, %i \
             : index\n    %c = arith.xori %b, %i : index\n    scf.yield %c : index\n  }}\n  return\n}}\n"
        )
    };
    let told = |count| {
        let source = Source::new(FileId(0), "test.mlir", text(count));
        let checked = check_mlir(&source);
        let modules = mlir::modules(&checked).unwrap();
        let mut said = Said::default();
        machine::run(&checked, &modules, "main", (&Nowhere, &mut said), machine::Options::default()).unwrap();
        costs(&said.notes)
    };
    assert_eq!(told(4_000_000), []);
    let [(code, message, _)] = &told(5_000_000)[..] else { panic!("told once") };
    assert_eq!(*code, Code::HiddenCost);
    assert_eq!(message, "the program has run 8388608 operations one by one so far, and is here");
}
