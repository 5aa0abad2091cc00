//! How long the plans of 2,000 random kernels take, and how long their loops are: the twelve slowest.
//!
//!     cargo run --release -p nnz-tests --example planning

use std::time::Instant;

use nnz_core::{element::Element, loops::Stmt, lower};
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

fn main() {
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
        let plan = nnz_core::iterate::plan(&case.kernel);
        let planned = start.elapsed();
        let lowered = plan.ok().and_then(|plan| lower::lower_plan(plan).ok());
        let size: usize =
            lowered.map_or(0, |lowered| lowered.phases().map(|phase| statements(&phase.function.body)).sum());
        times.push((start.elapsed(), planned, size, text));
    }
    times.sort_by_key(|time| std::cmp::Reverse(time.0));
    for (total, planned, size, text) in times.iter().take(12) {
        println!("{total:?} planned {planned:?} {size} {text}");
    }
}
