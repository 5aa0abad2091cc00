//! Times the planning of kernels, and measures the length of their loops: hard ones written by hand, and the
//! twelve slowest of 2,000 random ones.
//!
//!     cargo run --release -p nnz-tests --example planning

use std::time::Instant;

use nnz_core::{
    check::{scope::Scope, session::check_session},
    element::Element,
    ids::FileId,
    iterate,
    kernel::Kernel,
    loops::Stmt,
    lower,
    source::Source,
};
use nnz_tests::kernels::{
    Case, Data,
    family::{Family, MANY, Maker, Spread, names},
};

fn statements(block: &[Stmt]) -> usize {
    let inside = |stmt: &Stmt| match stmt {
        Stmt::For { body, .. } | Stmt::While { body, .. } => statements(body),
        Stmt::If { then, other, .. } => statements(then) + statements(other),
        _ => 0,
    };
    block.iter().map(|stmt| 1 + inside(stmt)).sum()
}

/// Products of sums, chains, merges of looked-up operands, conditions, deep selects, semirings.
const HARD: &str = include_str!("planning.nnz");

fn main() {
    hard();
    random();
}

/// Prints how long a kernel takes to plan and to lower.
fn timed(kernel: &Kernel, text: &str) {
    let start = Instant::now();
    let plan = iterate::plan(kernel);
    let planned = start.elapsed();
    let lowered = plan
        .as_ref()
        .map_err(ToString::to_string)
        .and_then(|_| lower::lower(kernel).map_err(|error| error.to_string()));
    let size = lowered.map(|lowered| lowered.phases().map(|phase| statements(&phase.function.body)).sum::<usize>());
    println!("planned {planned:?}, again with loops {:?}, {size:?} statements: {text}", start.elapsed() - planned);
}

fn hard() {
    let checked = check_session(&Source::new(FileId(0), "planning.nnz", HARD.to_string()), &Scope::default());
    let errors: Vec<&str> = checked.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for kernel in &checked.kernels {
        timed(&kernel.kernel, checked.source.slice(kernel.span));
    }
}

fn random() {
    let mut times = Vec::new();
    let family =
        Family { kernels: MANY, elements: &[Element::F64, Element::I32], tolerance: 0.0, spread: Spread::Many };
    for seed in 9000..11000u64 {
        let mut maker = Maker::new(seed, &family);
        let text = maker.random.pick(family.kernels);
        maker.square(text);
        let data: Vec<Data> =
            names(text).into_iter().enumerate().map(|(at, name)| maker.tensor(name, at == 0)).collect();
        let Ok(case) = Case::new(text, data) else { continue };
        let start = Instant::now();
        let plan = iterate::plan(&case.kernel);
        let planned = start.elapsed();
        let lowered = plan.ok().and_then(|_| lower::lower(&case.kernel).ok());
        let size: usize =
            lowered.map_or(0, |lowered| lowered.phases().map(|phase| statements(&phase.function.body)).sum());
        times.push((start.elapsed() - planned, planned, size, text));
    }
    times.sort_by_key(|time| std::cmp::Reverse(time.0));
    for (total, planned, size, text) in times.iter().take(12) {
        println!("{total:?} planned {planned:?} {size} {text}");
    }
}
