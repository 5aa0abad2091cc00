//! Random expressions as text, through the whole session on every back end, against a plain evaluator.
//!
//! Every operation on every element type, conversions among them, conditions, selections, the values of
//! index variables and reductions; operands are dense vectors, in one test also sparse ones. The
//! evaluator follows the meaning that the documentation gives: an operand that stores nothing at a
//! place is absent there, which is not the same as a stored zero.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

#[path = "expression_property/arithmetic.rs"]
mod arithmetic;
#[path = "expression_property/tree.rs"]
mod tree;

use std::sync::Arc;

use nnz_core::{
    backend::Target,
    element::{Element, Scalar},
    ids::FileId,
    session::{Options, Session},
    source::Source,
};
use nnz_tests::hosts::Nowhere;
use nnz_tests::kernels::random::Random;
use num_complex::Complex;
use tree::{Maker, SIZE, Tree, data};

fn targets() -> Vec<Target> {
    if cfg!(feature = "llvm") { vec![Target::Interpreter, Target::Cpu] } else { vec![Target::Interpreter] }
}

/// What the session has to say to `text`: the JSON of its last statement.
fn run(session: &mut Session, text: &str) -> Result<serde_json::Value, String> {
    let source = Source::new(FileId(0), "test.nnz", text.to_string());
    let (mut last, mut error) = (serde_json::Value::Null, None);
    session.run(&source, false, &mut |outcome| {
        let found = outcome.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        error = error.take().or(found.map(|found| format!("{}: {:?}", found.message, found.helps)));
        last = outcome.json();
    });
    error.map_or(Ok(last), Err)
}

/// A session that knows `d0`, `d1`, ...: a dense vector of each type; and `s0`, ...: a sparse one.
fn session(target: Target) -> Session {
    let mut session = Session::new(Arc::new(Nowhere), Options { engine: target.into(), ..Options::default() });
    for (at, element) in Element::ALL.iter().enumerate() {
        let dense = data(*element).into_iter().map(|value| tree::literal(value.unwrap_or(element.zero())));
        let dense = dense.collect::<Vec<_>>().join(", ");
        let stored: Vec<(usize, Scalar)> =
            tree::sparse_data(*element).into_iter().enumerate().filter_map(|(at, value)| Some((at, value?))).collect();
        let places: Vec<String> = stored.iter().map(|(at, _)| format!("[{at}]")).collect();
        let values: Vec<String> = stored.iter().map(|(_, value)| tree::literal(*value)).collect();
        let text = format!(
            "d{at} : tensor<{SIZE}x{element}> = [{dense}]\n#V = #sparse_tensor.encoding<{{ map = (i) -> (i : compressed) }}>\ns{at} : tensor<{SIZE}x{element}, #V> = sparse<[{}], [{}]>\n",
            places.join(", "),
            values.join(", ")
        );
        run(&mut session, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    session
}

/// The numbers of a dumped vector of type `element`.
fn values(json: &serde_json::Value, element: Element) -> Vec<Scalar> {
    let part = |json: &serde_json::Value| match json.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some(_) => f64::NEG_INFINITY,
        None => json.as_f64().unwrap(),
    };
    let value = |json: &serde_json::Value| match json.as_array() {
        Some(parts) => Scalar::Complex(Complex::new(part(&parts[0]), part(&parts[1]))),
        None if element.is_float() => Scalar::Float(part(json)),
        None => Scalar::Int(json.to_string().parse().unwrap()),
    };
    // Dumped with as many digits as the type has.
    json["values"].as_array().unwrap().iter().map(|json| arithmetic::convert(element, value(json))).collect()
}

/// Whether two numbers are the same, the signs of zeros included if `signs` says so; every NaN is.
fn same(a: Scalar, b: Scalar, signs: bool) -> bool {
    let parts = |a: f64, b: f64| match signs {
        _ if a.is_nan() => b.is_nan(),
        true => a.to_bits() == b.to_bits(),
        false => a == b,
    };
    match (a, b) {
        (Scalar::Complex(a), Scalar::Complex(b)) => parts(a.re, b.re) && parts(a.im, b.im),
        (Scalar::Float(a), Scalar::Float(b)) => parts(a, b),
        _ => a == b,
    }
}

fn check(sessions: &mut [Session], seed: u64, sparse: bool) {
    let mut maker = Maker { random: Random::new(seed), sparse };
    let element = maker.random.pick(Element::ALL);
    // Merging many sparse operands makes long programs.
    let tree: Tree = maker.number(element, if sparse { 2 } else { 4 });
    // The selection keeps the expression from being added up term by term, which rounds differently.
    let zero = tree::literal(element.zero());
    let text = format!("y(i) : tensor<{SIZE}x{element}> = select(i64(i) >= 0, {}, {zero})\n:dump y\n", tree.text());
    let expected: Vec<Scalar> = (0..SIZE).map(|i| tree.value(i, 0).unwrap_or(element.zero())).collect();
    for session in sessions {
        let dumped = match run(session, &text) {
            Ok(dumped) => dumped,
            // Said before anything runs, and so no wrong answer.
            Err(error) if error.contains("sparse operands in one loop") => return,
            Err(error) if error.contains("conditions are counted in `i1`") => return,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        };
        let found = values(&dumped, element);
        let alike = found.len() == SIZE && found.iter().zip(&expected).all(|(a, b)| same(*a, *b, !sparse));
        let target = session.options.engine;
        assert!(alike, "seed {seed} on {target:?}\n{text}   found {found:?}\nexpected {expected:?}");
    }
}

/// How many expressions each test draws; `NNZ_DRAWS` says another number, for a long run.
fn draws(usual: u64) -> u64 {
    std::env::var("NNZ_DRAWS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn expressions_over_dense_vectors_have_their_meaning_to_the_bit() {
    let mut sessions: Vec<Session> = targets().into_iter().map(session).collect();
    (0..draws(120)).for_each(|seed| check(&mut sessions, seed, false));
}

#[test]
fn absent_entries_take_part_as_absent() {
    let mut sessions: Vec<Session> = targets().into_iter().map(session).collect();
    (0..draws(150)).for_each(|seed| check(&mut sessions, seed, true));
}
