//! The order of loops of well-known kernels, in words; how expressions split into terms.

use std::sync::Arc;

use expect_test::{Expect, expect};

use super::*;
use nnz_base::{
    element::{Element, Scalar},
    ids::TensorId,
};
use nnz_encoding::{Encoding, named};
use nnz_kernel::{Access, BinaryOp, Expr, Tensor};

fn tensor(name: &str, shape: &[u64], encoding: Option<Encoding>) -> Tensor {
    Tensor { name: name.into(), element: Element::F64, shape: shape.into(), encoding: encoding.map(Arc::new) }
}

fn access(tensor: usize, indices: &[usize]) -> Access {
    let vars: Vec<IndexVar> = indices.iter().map(|at| IndexVar::new(*at)).collect();
    Access::of_vars(TensorId::new(tensor), &vars)
}

fn load(tensor: usize, indices: &[usize]) -> Box<Expr> {
    Box::new(Expr::Access(access(tensor, indices)))
}

fn binary(op: BinaryOp, a: Box<Expr>, b: Box<Expr>) -> Box<Expr> {
    Box::new(Expr::Binary(op, a, b))
}

#[expect(clippy::boxed_local, reason = "as the helpers below make expressions")]
fn kernel(tensors: Vec<Tensor>, result: Access, expr: Box<Expr>) -> Kernel {
    let used = expr.accesses().into_iter().chain([&result]).flat_map(|access| access.vars().collect::<Vec<_>>());
    let count = used.map(|var| var.index() + 1).max().unwrap_or(0);
    let vars = ["i", "j", "k", "l"].iter().take(count).map(|name| name.to_string()).collect();
    Kernel::new(tensors, vars, result, *expr).expect("the kernel is legal")
}

fn check(kernel: &Kernel, expected: Expect) {
    let plan = plan(kernel).expect("the kernel can be planned");
    let text: Vec<String> =
        describe(kernel, &plan, plan.hints.iter().map(Hint::to_string)).iter().map(GraphText::to_string).collect();
    expected.assert_eq(&text.join("\n"));
}

#[test]
fn spmv_follows_the_levels() {
    let tensors = vec![tensor("y", &[3], None), tensor("A", &[3, 4], named::csr()), tensor("x", &[4], None)];
    let spmv = binary(BinaryOp::Mul, load(1, &[0, 1]), load(2, &[1]));
    check(
        &kernel(tensors, access(0, &[0]), spmv),
        expect![[r#"
        sum(j, A(i, j) * x(j))
          i: level 0 of A (dense), parallel
            j: level 1 of A (compressed), summed
          i -> j: A stores level 1 below level 0
          A(i, j): walked level by level, in the order of its storage
          x(j): dense, at computed places
          summed in a register inside the loop over i
          the result is stored once per entry
    "#]],
    );
}

#[test]
fn mttkrp_puts_the_column_innermost() {
    let shapes: [(&str, &[u64], Option<Encoding>); 4] =
        [("M", &[2, 5], None), ("T", &[2, 3, 4], named::csf(3)), ("B", &[3, 5], None), ("C", &[4, 5], None)];
    let tensors = shapes.into_iter().map(|(name, shape, encoding)| tensor(name, shape, encoding)).collect();
    let factors = binary(BinaryOp::Mul, load(2, &[1, 3]), load(3, &[2, 3]));
    let mttkrp = binary(BinaryOp::Mul, load(1, &[0, 1, 2]), factors);
    check(
        &kernel(tensors, access(0, &[0, 3]), mttkrp),
        expect![[r#"
        sum(j, k, T(i, j, k) * (B(j, l) * C(k, l)))
          i: level 0 of T (compressed), parallel
            j: level 1 of T (compressed), summed
              k: level 2 of T (compressed), summed
                l: all of l
          i -> j: T stores level 1 below level 0
          j -> k: T stores level 2 below level 1
          k -> l: the entry of T is loaded once for the loop
          T(i, j, k): walked level by level, in the order of its storage
          B(j, l): dense, along its memory
          C(k, l): dense, along its memory
          the result is initialised before the loops, then added to
    "#]],
    );
}

#[test]
fn what_is_not_zero_at_zero_visits_every_coordinate() {
    let tensors = vec![tensor("s", &[], None), tensor("A", &[3, 4], named::csc())];
    let exp = Expr::Unary(nnz_kernel::UnaryOp::Function(nnz_base::functions::UnaryFunction::Exp), load(1, &[0, 1]));
    check(
        &kernel(tensors, access(0, &[]), Box::new(exp)),
        expect![[r#"
            sum(i, j, exp(A(i, j)))
              j: all of j, summed
                i: all of i, beside level 1 of A (compressed), summed
              j -> i: A stores level 1 below level 0
              A(i, j): walked level by level, in the order of its storage
              summed in a register before the loops
              the result is stored once per entry
              `exp(A(i, j))` visits every coordinate, 12 of them: it need not be zero where its operands are absent
        "#]],
    );
}

#[test]
fn other_terms_start_the_sum() {
    let tensors = vec![tensor("y", &[3], None), tensor("A", &[3, 4], named::csc()), tensor("c", &[3], None)];
    let sum = binary(BinaryOp::Add, load(1, &[0, 1]), load(2, &[0]));
    check(
        &kernel(tensors, access(0, &[0]), sum),
        expect![[r#"
        sum(j, A(i, j))
          j: level 0 of A (dense), summed
            i: level 1 of A (compressed)
          j -> i: A stores level 1 below level 0
          A(i, j): walked level by level, in the order of its storage
          the result is initialised before the loops, then added to
          the result starts from c(i), at every coordinate
    "#]],
    );
}

/// The terms of `y(i) = expr` over y : 3, A : 3x4 in CSR, x : 4, c : 3, as text.
fn check_terms(expr: Box<Expr>, expected: &[&str]) {
    let tensors = [("y", 3), ("x", 4), ("c", 3)].map(|(name, size)| tensor(name, &[size], None));
    let [y, x, c] = tensors;
    let tensors = vec![y, tensor("A", &[3, 4], named::csr()), x, c];
    let kernel = kernel(tensors, access(0, &[0]), expr);
    let text = |term: Term| {
        let sign = if term.negated { "-" } else { "+" };
        let vars: Vec<&str> = term.summed.iter().map(|var| kernel.var(*var).name.as_str()).collect();
        format!("{sign} [{}] {}", vars.join(" "), kernel.expr_text(&term.body))
    };
    let terms: Vec<String> =
        split::terms(&kernel, &|access| access.tensor == TensorId::new(1), false).1.into_iter().map(text).collect();
    assert_eq!(terms, expected);
}

#[test]
fn products_are_multiplied_out_where_it_helps() {
    let one = || Box::new(Expr::literal(Element::F64, Scalar::Int(1)));
    let (a, x) = (|| load(1, &[0, 1]), || load(2, &[1]));
    check_terms(binary(BinaryOp::Mul, a(), binary(BinaryOp::Add, x(), one())), &["+ [j] A(i, j) * (x(j) + 1)"]);
    let difference = binary(BinaryOp::Sub, one(), a());
    check_terms(binary(BinaryOp::Mul, x(), difference), &["+ [j] x(j) * (1 - A(i, j))"]);
    let sum = |body: Box<Expr>| Box::new(Expr::reduce(nnz_kernel::ReduceOp::Sum, vec![IndexVar::new(1)], *body));
    let with_sum = binary(BinaryOp::Mul, load(3, &[0]), binary(BinaryOp::Sub, load(3, &[0]), sum(a())));
    check_terms(with_sum, &["+ [] c(i) * c(i)", "- [j] c(i) * A(i, j)"]);
}

#[test]
fn brackets_of_rounded_numbers_hold() {
    let (a, x, c) = (|| load(1, &[0, 1]), || load(2, &[1]), || load(3, &[0]));
    let difference = |left, right| binary(BinaryOp::Sub, left, right);
    check_terms(difference(c(), difference(c(), c())), &["+ [] c(i)", "- [] f64(c(i) - c(i))"]);
    let sum = |body: Box<Expr>| Box::new(Expr::reduce(nnz_kernel::ReduceOp::Sum, vec![IndexVar::new(1)], *body));
    check_terms(sum(difference(a(), x())), &["+ [j] f64(A(i, j) - x(j))"]);
    check_terms(difference(a(), x()), &["+ [j] A(i, j)", "- [j] x(j)"]);
}

#[test]
fn named_sums_dissolve() {
    let (a, x) = (|| load(1, &[0, 1]), || load(2, &[1]));
    let sum = |body: Box<Expr>| Box::new(Expr::reduce(nnz_kernel::ReduceOp::Sum, vec![IndexVar::new(1)], *body));
    let two = Box::new(Expr::literal(Element::F64, Scalar::Int(2)));
    let scaled = binary(BinaryOp::Mul, two, sum(binary(BinaryOp::Mul, a(), x())));
    check_terms(binary(BinaryOp::Sub, sum(a()), scaled), &["+ [j] A(i, j)", "- [j] 2 * (A(i, j) * x(j))"]);
}

#[test]
fn a_sum_whose_variable_is_used_outside_stays() {
    let (a, x) = (load(1, &[0, 1]), load(2, &[1]));
    let sum = Box::new(Expr::reduce(nnz_kernel::ReduceOp::Sum, vec![IndexVar::new(1)], *a));
    check_terms(binary(BinaryOp::Mul, x, sum), &["+ [j] x(j) * sum(j, A(i, j))"]);
}
