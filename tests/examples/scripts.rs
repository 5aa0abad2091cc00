//! Times functions of SparseTIR: the product of a random matrix in CSR, 10,000 by 10,000 with a million entries, and a dense one
//! of 32 columns, as a compiled function and as a kernel of the notation in the same run; and how long lowering takes.
//!
//!     cargo run --release -p nnz-tests --example scripts

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use nnz_core::{
    arrays::Values,
    backend::{FloatOrder, Target},
    element::Element,
    encoding::named,
    ids::{FileId, IndexVar, TensorId},
    kernel::{Access, BinaryOp, Expr, Kernel, Tensor},
    lower,
    run::{Bound, Compiled, Operand},
    source::Source,
    stages::{
        Array, Arrays,
        compile::{Means, loops, time_compiled},
        lower::{to_stage_three, to_stage_two},
    },
    storage::{self, Triplets},
    tir::{model::Function, script},
};

const ROWS: usize = 10_000;
const EACH: usize = 100;
const WIDTH: usize = 32;
const PRODUCTS: &str = include_str!("../suite/tir/scripts/products.py");

fn main() {
    let (columns, values, dense) = drawn();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, threads] {
        let (mut script, mut kernel) = (f64::INFINITY, f64::INFINITY);
        // In turns: what else the machine does meets both.
        for _ in 0..8 {
            script = script.min(of_script(&columns, &values, &dense, threads));
            kernel = kernel.min(of_kernel(&columns, &values, &dense, threads));
        }
        let ratio = script / kernel;
        println!("{threads} threads: script {:.2} ms, kernel {:.2} ms, ratio {ratio:.2}", script * 1e3, kernel * 1e3);
    }
    lowering();
}

/// Ascending coordinates of every row, the entries, and the dense operand.
fn drawn() -> (Vec<i32>, Vec<f32>, Vec<f32>) {
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut columns = Vec::new();
    for _ in 0..ROWS {
        let mut row = std::collections::BTreeSet::new();
        while row.len() < EACH {
            row.insert((next() % ROWS) as i32);
        }
        columns.extend(row);
    }
    let values = (0..ROWS * EACH).map(|_| (next() % 17) as f32 - 8.0).collect();
    let dense = (0..ROWS * WIDTH).map(|_| (next() % 17) as f32 - 8.0).collect();
    (columns, values, dense)
}

fn floats(values: &[f32]) -> Array {
    Array { element: Element::F32, shape: vec![values.len() as u64], values: Values::F32(values.to_vec()) }
}

fn ints(values: Vec<i32>) -> Array {
    Array { element: Element::I32, shape: vec![values.len() as u64], values: Values::I32(values) }
}

fn of_script(columns: &[i32], values: &[f32], dense: &[f32], threads: usize) -> f64 {
    let starts = (0..=ROWS).map(|row| (row * EACH) as i32).collect();
    let number = |number: usize| ints(vec![number as i32]);
    let arrays: Arrays = [
        ("a", floats(values)),
        ("b", floats(dense)),
        ("indptr", ints(starts)),
        ("indices", ints(columns.to_vec())),
        ("rows", number(ROWS)),
        ("columns", number(ROWS)),
        ("width", number(WIDTH)),
        ("nnz", number(values.len())),
    ]
    .into_iter()
    .map(|(name, array)| (name.to_string(), array))
    .collect();
    let third = third(&function(PRODUCTS, "csr_times_dense"));
    let means = Means { target: Target::Cpu, is_brief: false, order: FloatOrder::Strict, threads };
    let samples = time_compiled(&third, &arrays, (means, 15)).expect("it runs");
    best(samples)
}

fn best(samples: Vec<f64>) -> f64 {
    samples.into_iter().fold(f64::INFINITY, f64::min)
}

fn function(text: &str, name: &str) -> Function {
    script(&Source::new(FileId(0), "script.py", text)).function(name).expect("a function").clone()
}

fn third(function: &Function) -> Function {
    to_stage_three(&to_stage_two(function).expect("stage II")).expect("stage III")
}

/// `C(i, k) = A(i, j) * B(j, k)`.
fn of_kernel(columns: &[i32], values: &[f32], dense: &[f32], threads: usize) -> f64 {
    let csr = std::sync::Arc::new(named::csr().expect("an encoding"));
    let tensor = |name: &str, shape: [usize; 2], encoding| Tensor {
        name: name.into(),
        element: Element::F32,
        shape: shape.map(|size| size as u64).to_vec(),
        encoding,
    };
    let tensors = vec![
        tensor("A", [ROWS, ROWS], Some(csr.clone())),
        tensor("B", [ROWS, WIDTH], None),
        tensor("C", [ROWS, WIDTH], None),
    ];
    let [i, j, k] = [0, 1, 2].map(IndexVar::new);
    let access = |tensor: usize, vars: [IndexVar; 2]| Access::of_vars(TensorId::new(tensor), &vars);
    let product = [Expr::Access(access(0, [i, j])), Expr::Access(access(1, [j, k]))].map(Box::new);
    let [left, right] = product;
    let names = vec!["i".into(), "j".into(), "k".into()];
    let kernel =
        Kernel::new(tensors, names, access(2, [i, k]), Expr::Binary(BinaryOp::Mul, left, right)).expect("a kernel");
    let lowered = lower::lower(&kernel).expect("loops");
    let rows = (0..ROWS * EACH).map(|at| (at / EACH) as u64).collect();
    let columns = columns.iter().map(|column| *column as u64).collect();
    let shape = vec![ROWS as u64; 2];
    let entries =
        Triplets::new(shape, Element::F32, vec![rows, columns], Values::F32(values.to_vec())).expect("entries");
    let stored = storage::pack(&entries, &csr).expect("a matrix");
    let dense = Values::F32(dense.to_vec());
    let backend = nnz_core::backend::lookup(Target::Cpu).expect("machine code");
    let code = Compiled::new(&lowered, &*backend).expect("code");
    let operands = [Some(Operand::Stored(&stored)), Some(Operand::Dense(&dense)), None];
    let mut bound = Bound::new(&lowered, &operands, &[], threads).expect("operands");
    let run = |_| {
        let start = Instant::now();
        bound.run(&code).expect("it runs");
        start.elapsed().as_secs_f64()
    };
    best((0..15).map(run).collect())
}

/// How long the functions of each script of the suite take to be lowered to loops.
fn lowering() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/tir/scripts");
    let mut found: Vec<(Duration, usize, String)> = Vec::new();
    for entry in fs::read_dir(folder).expect("scripts").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a script");
        let script = script(&Source::new(FileId(0), "script.py", text.as_str()));
        let whole: Vec<&Function> =
            script.functions.iter().filter_map(|read| script.function(&read.function.name)).collect();
        let start = Instant::now();
        let loops = whole.iter().filter(|function| becomes_loops(function)).count();
        found.push((start.elapsed(), text.lines().count(), format!("{} ({loops} functions)", entry.path().display())));
    }
    found.sort();
    for (time, lines, name) in found {
        println!("{:>8.2} ms for {lines:>4} lines: {name}", time.as_secs_f64() * 1e3);
    }
}

fn becomes_loops(function: &Function) -> bool {
    let Ok(second) = to_stage_two(function) else { return false };
    to_stage_three(&second).is_ok_and(|third| loops(&third, function).is_ok_and(|made| made.is_ok()))
}
