//! Faults that the interpreter finds in kernels that the verifier would refuse.

use super::{Code, Program};
use crate::Argument;
use nnz_base::arrays::Values;
use nnz_loops::{Module, parse_module};

/// The report on a kernel of two warps with that body.
fn said(body: &str) -> String {
    let text = format!(
        "gpu k(y: device readwrite values<f64>[64],) {{
           for w in 0..2 warp {{ for l in 0..32 lane {{ let i = w * 32 + l {body} }} }} }}"
    );
    let kernel = parse_module(&text).expect("the text is a module").kernels.remove(0);
    let module = Module::launching(kernel).expect("the function is a kernel");
    let kernels = module.kernels.iter().map(Code::new).collect();
    let program = Program { kernels, ..Program::of(&module.host[0], u64::MAX) };
    let mut y = Values::from(vec![0.0; 64]);
    let outcome = program.run(&mut [Argument::ValuesMut(&mut y)], &[]);
    outcome.err().map_or("nothing".to_string(), |error| error.to_string())
}

fn wrong(text: &str) -> String {
    format!("the kernel went wrong at run time: in `k`: {text}")
}

#[test]
fn threads_that_part_before_a_barrier() {
    let parted = wrong("threads of block 0 part before a barrier");
    assert_eq!(said("if i < 40 { barrier }"), parted);
    assert_eq!(said("for q in 0..i { barrier }"), parted);
    assert_eq!(said("if w == 0 { barrier } else { barrier }"), parted);
    assert_eq!(said("for q in 0..i / 64 + 2 { barrier }"), "nothing");
}

#[test]
fn lanes_that_part_before_a_shuffle() {
    let parted = wrong("threads of block 0 part before a shuffle");
    assert_eq!(said("if l < 9 { shuffle up y[i], 1 -> q: f64 }"), parted);
    assert_eq!(said("if l < 9 { barrier } shuffle up y[i], 1 -> q: f64"), parted);
    assert_eq!(said("if w < 1 { shuffle up y[i], 1 -> q: f64 } barrier"), "nothing");
}

#[test]
fn stores_of_all_threads_to_one_entry() {
    let met =
        "threads 0 and 1 of block 0 meet at `y[0]` without a barrier between, and one stores, in thread 1 of block 0";
    assert_eq!(said("y[0] = f64(1.0)"), wrong(met));
}
