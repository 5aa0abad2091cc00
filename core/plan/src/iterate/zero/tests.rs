use super::*;
use nnz_base::{functions::UnaryFunction, ids::IndexVar};
use nnz_kernel::Tensor;

fn access(tensor: usize, vars: &[usize]) -> Expr {
    let vars: Vec<IndexVar> = vars.iter().map(|var| IndexVar::new(*var)).collect();
    Expr::Access(Access::of_vars(TensorId::new(tensor), &vars))
}

fn a() -> Expr {
    access(1, &[0])
}
fn b() -> Expr {
    access(2, &[0])
}
fn x() -> Expr {
    access(3, &[0])
}
fn number(value: i128) -> Expr {
    Expr::literal(Element::F64, Scalar::Int(value))
}
fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}
fn unary(op: UnaryOp, a: Expr) -> Expr {
    Expr::Unary(op, Box::new(a))
}
fn compare(op: CompareOp, a: Expr, b: Expr) -> Expr {
    Expr::Compare(op, Box::new(a), Box::new(b))
}
fn select(cond: Expr, then: Expr, other: Option<Expr>) -> Expr {
    Expr::Select { cond: Box::new(cond), then: Box::new(then), other: other.map(Box::new) }
}

/// A kernel over y, A, B, x of `element` with `size` entries.
fn kernel_of(element: Element, size: u64) -> Kernel {
    let tensor = |name: &str| Tensor { name: name.into(), element, shape: vec![size], encoding: None };
    let tensors = ["y", "A", "B", "x"].map(tensor).to_vec();
    let result = Access::of_vars(TensorId::new(0), &[IndexVar::new(0)]);
    Kernel::new(tensors, vec!["i".into()], result, a()).expect("a copy is a kernel")
}

/// `expr` where the tensors of these numbers are absent, as text; `-` where it is absent.
fn check_of(kernel: &Kernel, expr: &Expr, absent: &[usize], expected: &str) {
    let found = simplify(kernel, expr, &|access| absent.contains(&access.tensor.index()));
    let text = found.map_or("-".to_string(), |found| kernel.expr_text(&found));
    assert_eq!(text, expected, "{} without {absent:?}", kernel.expr_text(expr));
}

fn check(expr: Expr, absent: &[usize], expected: &str) {
    check_of(&kernel_of(Element::F64, 4), &expr, absent, expected);
}

#[test]
fn sums_keep_what_is_there_and_products_vanish() {
    use BinaryOp::*;
    for (op, without_a, without_b) in [(Add, "B(i)", "A(i)"), (Sub, "-B(i)", "A(i)"), (Mul, "-", "-")] {
        check(binary(op, a(), b()), &[1], without_a);
        check(binary(op, a(), b()), &[2], without_b);
        check(binary(op, a(), b()), &[1, 2], "-");
    }
    check(binary(Div, a(), b()), &[1], "-");
    check(binary(Div, a(), b()), &[2], "A(i) / 0.0");
    check(binary(Mul, binary(Add, a(), b()), x()), &[1], "B(i) * x(i)");
    check(binary(Add, a(), number(0)), &[1], "-");
    check(binary(Add, a(), number(1)), &[1], "1");
}

#[test]
fn extremes_meet_zeros() {
    check(binary(BinaryOp::Min, a(), b()), &[1], "min(0.0, B(i))");
    check(binary(BinaryOp::Max, a(), b()), &[2], "max(A(i), 0.0)");
    check(binary(BinaryOp::Max, a(), b()), &[1, 2], "-");
    check(binary(BinaryOp::Max, a(), number(0)), &[1], "-");
    let unsigned = kernel_of(Element::U8, 4);
    check_of(&unsigned, &binary(BinaryOp::Min, a(), b()), &[1], "-");
    check_of(&unsigned, &binary(BinaryOp::Max, a(), b()), &[1], "B(i)");
}

#[test]
fn functions_fold_at_zero() {
    check(unary(UnaryOp::Function(UnaryFunction::Sqrt), a()), &[1], "-");
    check(unary(UnaryOp::Function(UnaryFunction::Exp), a()), &[1], "1");
    check(unary(UnaryOp::Function(UnaryFunction::Log), a()), &[1], "-inf");
    check(binary(BinaryOp::Mul, unary(UnaryOp::Function(UnaryFunction::Cos), a()), b()), &[1], "1 * B(i)");
    check(binary(BinaryOp::Pow, a(), number(2)), &[1], "-");
    check(binary(BinaryOp::Pow, a(), number(0)), &[1], "1.0");
    check(binary(BinaryOp::Pow, a(), b()), &[2], "1");
    check_of(&kernel_of(Element::I8, 4), &unary(UnaryOp::Not, a()), &[1], "-1");
    check_of(&kernel_of(Element::U8, 4), &unary(UnaryOp::Not, a()), &[1], "255");
}

#[test]
fn comparisons_of_zeros_are_decided() {
    check(compare(CompareOp::Eq, a(), b()), &[1, 2], "1");
    check(compare(CompareOp::Ge, a(), number(0)), &[1], "1");
    check(compare(CompareOp::Lt, a(), b()), &[1, 2], "-");
    check(compare(CompareOp::Lt, a(), b()), &[1], "0.0 < B(i)");
    check(compare(CompareOp::Gt, a(), b()), &[2], "A(i) > 0.0");
}

#[test]
fn selections_take_the_arm_that_is_decided() {
    let positive = || compare(CompareOp::Gt, a(), number(0));
    check(select(positive(), b(), Some(x())), &[1], "x(i)");
    check(select(compare(CompareOp::Eq, a(), number(0)), b(), Some(x())), &[1], "B(i)");
    check(select(positive(), b(), None), &[1], "-");
    check(select(positive(), b(), Some(x())), &[2], "select(not A(i) > 0, x(i))");
    check(select(positive(), b(), Some(x())), &[2, 3], "-");
    check(select(positive(), b(), Some(x())), &[3], "select(A(i) > 0, B(i))");
}

#[test]
fn regions_follow_presence() {
    let regions = || Expr::regions([a(), b()], Some(binary(BinaryOp::Mul, a(), b())), Some(a()), Some(number(0)));
    check(regions(), &[], "A(i) * B(i)");
    check(regions(), &[2], "A(i)");
    // A zero that a region gives is stored.
    check(regions(), &[1], "0");
    check(regions(), &[1, 2], "-");
    let absent = Expr::Present { of: Box::new(a()), then: None, other: Some(Box::new(number(7))) };
    check(absent.clone(), &[], "-");
    check(absent, &[1], "7");
}

#[test]
fn reductions_of_zeros_are_zero_unless_they_are_over_nothing() {
    let prod = Expr::reduce(ReduceOp::Prod, vec![IndexVar::new(0)], a());
    check(prod.clone(), &[1], "-");
    check(prod.clone(), &[], "prod(i, A(i))");
    let empty = kernel_of(Element::F64, 0);
    check_of(&empty, &prod, &[1], "prod(i, 0.0)");
    check_of(&empty, &Expr::reduce(ReduceOp::Sum, vec![IndexVar::new(0)], a()), &[1], "-");
}

#[test]
fn filters_guard_what_they_are_part_of() {
    let kernel = kernel_of(Element::F64, 4);
    let filter = || select(compare(CompareOp::Gt, a(), number(0)), b(), None);
    let check = |expr: Expr, expected: &str| {
        let text = guard::of(&kernel, &expr).map_or("always".to_string(), |cond| kernel.expr_text(&cond));
        assert_eq!(text, expected, "{}", kernel.expr_text(&expr));
    };
    check(filter(), "A(i) > 0");
    check(binary(BinaryOp::Mul, x(), filter()), "A(i) > 0");
    check(binary(BinaryOp::Add, x(), filter()), "always");
    check(binary(BinaryOp::Add, filter(), filter()), "A(i) > 0 or A(i) > 0");
    check(unary(UnaryOp::Function(UnaryFunction::Exp), filter()), "always");
    check(binary(BinaryOp::Max, filter(), filter()), "A(i) > 0 or A(i) > 0");
    check(binary(BinaryOp::Max, filter(), x()), "always");
    check(compare(CompareOp::Ne, filter(), filter()), "A(i) > 0 or A(i) > 0");
    check(compare(CompareOp::Eq, filter(), filter()), "always");
    let arms = select(compare(CompareOp::Lt, x(), number(5)), filter(), Some(x()));
    check(arms, "x(i) < 5 and A(i) > 0 or not x(i) < 5");
}
