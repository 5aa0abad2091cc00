//! What safe code cannot do: run loops on arrays that they were not made for.

use std::sync::Arc;

use nnz_core::{
    arrays::Values,
    backend::{Argument, BackendError, Interpreter},
    element::Element,
    encoding::named,
    ids::{IndexVar, TensorId},
    iterate::{self, ResultPlan},
    kernel::{Access, Expr, Kernel, Tensor},
    loops::{parse, verify},
    lower::{self, Lowered},
    run::{self, Compiled, Operand, RunError},
    storage::{self, Triplets},
};
use nnz_tests::kernels::targets;

/// `y(i) = x(i)`, of so many entries.
fn copy(entries: u64) -> Lowered {
    let tensor = |name: &str| Tensor { name: name.into(), element: Element::F64, shape: vec![entries], encoding: None };
    let access = |tensor: usize| Access::of_vars(TensorId::new(tensor), &[IndexVar::new(0)]);
    let tensors = vec![tensor("x"), tensor("y")];
    let kernel = Kernel::new(tensors, vec!["i".into()], access(1), Expr::Access(access(0))).expect("a kernel");
    lower::lower(&kernel).expect("loops")
}

#[test]
fn code_of_another_kernel_is_refused() {
    let (short, long) = (copy(2), copy(2000));
    let x = Values::F64(vec![1.0; 2]);
    for target in targets() {
        let backend = nnz_core::backend::lookup(target).expect("a back end");
        let of_long = Compiled::new(&long, &*backend).expect("code");
        let ran = run::run(&short, &of_long, &[Some(Operand::Dense(&x)), None], 1);
        assert_eq!(ran.err(), Some(RunError::OtherCode));
        let of_short = Compiled::new(&short, &*backend).expect("code");
        let ran = run::run(&short.clone(), &of_short, &[Some(Operand::Dense(&x)), None], 1).expect("the same loops");
        assert_eq!(*ran.values(), x);
    }
}

#[test]
fn operands_of_another_length_are_refused() {
    let lowered = copy(2000);
    let x = Values::F64(vec![1.0; 2]);
    for target in targets() {
        let backend = nnz_core::backend::lookup(target).expect("a back end");
        let compiled = Compiled::new(&lowered, &*backend).expect("code");
        let ran = run::run(&lowered, &compiled, &[Some(Operand::Dense(&x)), None], 1);
        assert!(matches!(ran, Err(RunError::Mismatch { tensor, .. }) if tensor == "x"));
    }
}

/// A plan can be read and changed, but only unsafe code makes loops of one that was changed (the documentation of
/// `lower_changed` has what does not compile). Here `y(j)` is written instead of `y(i)`, far behind `y`.
#[test]
fn loops_of_a_changed_plan_are_refused_where_accesses_are_looked_at() {
    let csr = Arc::new(named::csr().expect("an encoding"));
    let [i, j] = [0, 1].map(IndexVar::new);
    let tensor = |name: &str, shape: &[u64], encoding| Tensor {
        name: name.into(),
        element: Element::F64,
        shape: shape.to_vec(),
        encoding,
    };
    let tensors = vec![tensor("A", &[2, 100], Some(csr.clone())), tensor("y", &[2], None)];
    let [result, read] = [Access::of_vars(TensorId::new(1), &[i]), Access::of_vars(TensorId::new(0), &[i, j])];
    let kernel = Kernel::new(tensors, vec!["i".into(), "j".into()], result, Expr::Access(read)).expect("a kernel");
    let mut plan = iterate::plan(&kernel).expect("a plan");
    let ResultPlan::Dense { nests, vars, .. } = &mut plan.result else { panic!("a dense result") };
    *vars = vec![j];
    nests.iter_mut().for_each(|nest| nest.target = vec![j]);
    // SAFETY: the interpreter alone runs the loops, and it looks at every access.
    let Ok(lowered) = (unsafe { lower::lower_changed(plan) }) else { return };
    let entries = Triplets::new(vec![2, 100], Element::F64, vec![vec![0, 1], vec![99, 5]], Values::F64(vec![1.0, 2.0]));
    let stored = storage::pack(&entries.expect("entries"), &csr).expect("a matrix");
    let code = Compiled::new(&lowered, &Interpreter).expect("code");
    let ran = run::run(&lowered, &code, &[Some(Operand::Stored(&stored)), None], 1);
    assert!(matches!(ran, Err(RunError::Backend(_))), "{:?}", ran.map(|stored| stored.values().len()));
}

#[test]
fn parsed_loops_run_where_every_access_is_looked_at() {
    let text = "kernel f(\n  n: index,\n  y: write values<f64>,\n) {\n  for i in 0..n {\n    y[i] = f64(1)\n  }\n}\n";
    let function = verify(parse(text).expect("loops")).expect("loops");
    let mut y = Values::F64(vec![0.0; 2]);
    let n = |n| [nnz_core::element::Scalar::Int(n)];
    Interpreter::run(&function, &mut [Argument::ValuesMut(&mut y)], &n(2)).expect("two entries");
    assert_eq!(y, Values::F64(vec![1.0; 2]));
    let outside = Interpreter::run(&function, &mut [Argument::ValuesMut(&mut y)], &n(3));
    assert!(matches!(outside, Err(BackendError::Failed(reason)) if reason.contains("y[2]")));
}

/// What `tests/sanitizers/run.sh` must be told of: machine code that reads behind an array.
#[cfg(feature = "llvm")]
#[test]
#[ignore = "reads behind an array; AddressSanitizer must stop it"]
fn planted_access_outside() {
    use nnz_core::backend::{Backend, Llvm};
    let text = "kernel f(\n  n: index,\n  x: read values<f64>,\n  y: write values<f64>,\n) {\n  y[0] = x[n]\n}\n";
    let function = verify(parse(text).expect("loops")).expect("loops");
    let (x, mut y) = (Values::F64(vec![0.0; 2]), Values::F64(vec![0.0; 1]));
    let mut arrays = [Argument::Values(&x), Argument::ValuesMut(&mut y)];
    let code = Llvm::default().compile(&function).expect("code");
    // SAFETY: none, and that is the point: one entry behind the end is read.
    unsafe { code.run(&mut arrays, &[nnz_core::element::Scalar::Int(2)], 1) }.expect("nothing else looks");
}
