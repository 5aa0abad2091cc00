//! Plans without one of their loops: the verifier reports the variable that no loop binds.

use super::*;

/// `expr` over a matrix `A` in CSR and a vector `x`, summed to `result(i)` by a plan that `fault` breaks: what is reported.
fn problems(result: Tensor, expr: Expr, fault: impl FnOnce(&mut ResultPlan)) -> Vec<LoopError> {
    let tensors = vec![result, tensor("A", &[3, 4], named::csr()), tensor("x", &[4], None)];
    let vars = ["i", "j"].map(String::from).to_vec();
    let kernel = Kernel::new(tensors, vars, access(0, &[0]), expr).expect("the kernel is legal");
    let mut plan = iterate::plan(&kernel).expect("the kernel has a plan");
    fault(&mut plan.result);
    match lower_plan(plan) {
        Err(LowerError::Bug { problems, .. }) => problems,
        other => panic!("a missing loop is not reported: {other:?}"),
    }
}

fn is_missing(var: &str, problems: &[LoopError]) {
    assert!(problems.contains(&LoopError::OutOfScope(var.into())), "{problems:?}");
}

#[test]
fn a_missing_inner_loop_is_reported() {
    let j = || Box::new(Expr::Index(IndexVar::new(1), Element::F64));
    for other in [load(2, &[1]), j(), load(1, &[0, 1])] {
        let expr = binary(BinaryOp::Mul, load(1, &[0, 1]), other);
        let found = problems(tensor("y", &[3], None), *expr, |result| {
            let ResultPlan::Dense { nests, .. } = result else { return };
            nests.iter_mut().for_each(|nest| drop(nest.graph.loops.pop()));
        });
        is_missing("j", &found);
    }
}

#[test]
fn a_missing_row_of_a_sparse_result_is_reported() {
    let found = problems(tensor("y", &[3], named::coo(1)), *load(1, &[0, 1]), |result| {
        let ResultPlan::Assembled(assembly) = result else { return };
        assembly.rows.clear();
    });
    is_missing("i", &found);
}
