use super::*;
use nnz_base::element::Scalar;

fn tensor(name: &str, shape: &[u64]) -> Tensor {
    Tensor { name: name.into(), element: Element::F64, shape: shape.into(), encoding: None }
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

#[expect(clippy::boxed_local, reason = "as the other helpers take expressions")]
fn max(vars: &[usize], body: Box<Expr>) -> Box<Expr> {
    let vars = vars.iter().map(|at| IndexVar::new(*at)).collect();
    Box::new(Expr::reduce(ReduceOp::Max, vars, *body))
}

/// A kernel over y : 3, A : 3x4, x : 4, z : 5, B : 4x5 and the variables i, j, k.
#[expect(clippy::boxed_local, reason = "as the helpers below make expressions")]
fn kernel(result: Access, expr: Box<Expr>) -> Result<Kernel, Vec<KernelError>> {
    let shapes: [(&str, &[u64]); 5] = [("y", &[3]), ("A", &[3, 4]), ("x", &[4]), ("z", &[5]), ("B", &[4, 5])];
    let tensors = shapes.iter().map(|(name, shape)| tensor(name, shape)).collect();
    let last = expr.free_vars().into_iter().map(IndexVar::index).max().unwrap_or(0).clamp(1, 2);
    let names = ["i", "j", "k"].iter().take(last + 1).map(|name| name.to_string()).collect();
    Kernel::new(tensors, names, result, *expr)
}

fn check_error(result: Access, expr: Box<Expr>, expected: &str) {
    let errors = kernel(result, expr).expect_err("the kernel was accepted");
    let texts: Vec<String> = errors.iter().map(KernelError::to_string).collect();
    assert_eq!(texts, [expected]);
}

fn check_text(result: Access, expr: Box<Expr>, expected: &str) {
    let kernel = kernel(result, expr).expect("the kernel is legal");
    assert_eq!(kernel.to_string(), expected);
}

const Y: usize = 0;
const A: usize = 1;
const X: usize = 2;
const Z: usize = 3;
const B: usize = 4;
use BinaryOp::{Add, Mul, Sub};

#[test]
fn a_reduction_names_each_variable_once() {
    check_error(access(Y, &[0]), max(&[1, 1], load(A, &[0, 1])), "the reduction over `j` names it twice");
}

#[test]
fn printed_with_the_parentheses_that_are_needed() {
    let spmv = binary(Mul, load(A, &[0, 1]), load(X, &[1]));
    check_text(access(Y, &[0]), spmv.clone(), "y(i) = A(i, j) * x(j)");
    let half = Box::new(Expr::literal(Element::F64, Scalar::Float(-0.5)));
    let nested = binary(Mul, half, binary(Sub, load(X, &[1]), binary(Sub, load(X, &[1]), spmv)));
    check_text(access(Y, &[0]), nested, "y(i) = -0.5 * (x(j) - (x(j) - A(i, j) * x(j)))");
    let row_max = max(&[1], binary(BinaryOp::Min, load(A, &[0, 1]), load(X, &[1])));
    check_text(access(Y, &[0]), row_max, "y(i) = max(j, min(A(i, j), x(j)))");
}

#[test]
fn extents_name_both_places() {
    let product = binary(Mul, load(A, &[0, 1]), load(Z, &[1]));
    check_error(access(Y, &[0]), product, "`j` runs to 4 in dimension 1 of `A` and to 5 in dimension 0 of `z`");
}

#[test]
fn arity_result_and_bounds() {
    check_error(access(Y, &[0]), load(A, &[0]), "`A` has 2 dimensions and 1 indices");
    check_error(access(Y, &[0]), binary(Add, load(Y, &[0]), load(X, &[1])), "the result `y` is also an operand");
    let constant = Box::new(Expr::literal(Element::F64, Scalar::Float(1.0)));
    check_error(access(Y, &[0]), constant, "no access says how far `j` runs");
}

#[test]
fn sums_under_products_are_refused_where_readings_differ() {
    let open = binary(Mul, load(A, &[0, 1]), binary(Add, load(X, &[1]), load(Z, &[2])));
    check_error(access(Y, &[0]), open, "it is open whether `k` is summed inside or outside of `x(j) + z(k)`");
    let one = Box::new(Expr::literal(Element::F64, Scalar::Int(1)));
    let settled = binary(Mul, load(A, &[0, 1]), binary(Add, load(X, &[1]), one));
    check_text(access(Y, &[0]), settled, "y(i) = A(i, j) * (x(j) + 1)");
    let product = binary(Mul, load(A, &[0, 1]), load(B, &[1, 2]));
    check_error(
        access(Y, &[0]),
        max(&[1], product),
        "it is open whether `k` is summed inside or outside of `max(j, A(i, j) * B(j, k))`",
    );
}

#[test]
fn expression_and_result_have_one_element_type() {
    let mut x = tensor("x", &[3]);
    x.element = Element::F32;
    let made = Kernel::new(vec![tensor("y", &[3]), x], vec!["i".into()], access(0, &[0]), *load(1, &[0]));
    let errors = made.expect_err("mixed types were accepted");
    assert_eq!(errors[0].to_string(), "`y` holds f64, and `x(i)` is f32");
}

#[test]
fn deep_expressions_are_refused_and_not_a_crash() {
    let deep = (0..5000).fold(load(X, &[0]), |a, _| binary(Add, a, load(X, &[0])));
    let made = Kernel::new(
        vec![tensor("y", &[4]), tensor("A", &[]), tensor("x", &[4])],
        vec!["i".into()],
        access(0, &[0]),
        *deep,
    );
    assert_eq!(made.err(), Some(vec![KernelError::TooDeep { limit: 400 }]));
}

#[test]
fn the_result_takes_its_shape_from_the_operands() {
    let tensors = [tensor("y", &[]), tensor("A", &[3, 4])];
    let names = ["i", "j"].map(|name| VarDecl { name: name.to_string(), extent: None });
    assert_eq!(result_shape(&tensors, &names, &access(0, &[1, 0]), &load(1, &[0, 1])), Ok(vec![4, 3]));
}
