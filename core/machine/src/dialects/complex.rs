//! `complex` at run time: complex numbers.

use super::arith::{binary, no_expr, pair, two};
use crate::{
    dialects::math::unary_expr,
    machine::{Fault, Frame, Machine},
    meaning::{Function, Row, Rule, Signature, host, scalar},
    value::Value,
};
use nnz_base::{
    element::{Element, Scalar},
    functions::UnaryFunction,
};
use nnz_kernel::{BinaryOp, CompareOp, Expr, UnaryOp};
use nnz_loops::{Binary, Unary, quotient::quotient, scalar as arithmetic};
use nnz_mlir::{dialects::complex::number, ir::Op};
use num_complex::Complex;

/// A function that kernels and the evaluator have by one name.
macro_rules! both {
    ($name:literal, $op:ident $(($function:expr))?) => {
        scalar(
            $name,
            Rule::Zeros,
            Function {
                apply: |s, a| Ok(arithmetic::unary(Unary::$op $(($function))?, s.to, Scalar::Complex(first(a)))),
                expr: |_, a| unary_expr(a, UnaryOp::$op $(($function))?),
            },
        )
    };
}

pub(super) static MEANINGS: &[Row] = &[
    host("complex.constant", constant),
    scalar("complex.create", Rule::Zeros, Function { apply: create, expr: no_expr }),
    scalar(
        "complex.add",
        Rule::Sum,
        Function { apply: |s, a| binary(s, a, Binary::Add), expr: |_, a| pair(a, BinaryOp::Add) },
    ),
    scalar(
        "complex.sub",
        Rule::Difference,
        Function { apply: |s, a| binary(s, a, Binary::Sub), expr: |_, a| pair(a, BinaryOp::Sub) },
    ),
    scalar(
        "complex.mul",
        Rule::Product,
        Function { apply: |s, a| binary(s, a, Binary::Mul), expr: |_, a| pair(a, BinaryOp::Mul) },
    ),
    scalar(
        "complex.div",
        Rule::Quotient,
        Function { apply: |s, a| binary(s, a, Binary::Div), expr: |_, a| pair(a, BinaryOp::Div) },
    ),
    scalar(
        "complex.pow",
        Rule::Zeros,
        Function { apply: |s, a| binary(s, a, Binary::Pow), expr: |_, a| pair(a, BinaryOp::Pow) },
    ),
    scalar("complex.powi", Rule::Zeros, Function { apply: integer_power, expr: no_expr }),
    scalar("complex.atan2", Rule::Zeros, Function { apply: angle_of_two, expr: no_expr }),
    scalar(
        "complex.neg",
        Rule::Zeros,
        Function {
            apply: |s, a| Ok(arithmetic::unary(Unary::Neg, s.to, a.first().copied().unwrap_or(s.to.zero()))),
            expr: |_: &Signature<'_>, a: Vec<Expr>| unary_expr(a, UnaryOp::Neg),
        },
    ),
    both!("complex.conj", Conj),
    both!("complex.exp", Function(UnaryFunction::Exp)),
    both!("complex.expm1", Function(UnaryFunction::Expm1)),
    both!("complex.log", Function(UnaryFunction::Log)),
    both!("complex.log1p", Function(UnaryFunction::Log1p)),
    both!("complex.sqrt", Function(UnaryFunction::Sqrt)),
    scalar("complex.rsqrt", Rule::Zeros, Function { apply: inverse_root, expr: no_expr }),
    both!("complex.sin", Function(UnaryFunction::Sin)),
    both!("complex.cos", Function(UnaryFunction::Cos)),
    both!("complex.tan", Function(UnaryFunction::Tan)),
    both!("complex.tanh", Function(UnaryFunction::Tanh)),
    scalar("complex.sign", Rule::Zeros, Function { apply: |s, a| of(s, a, sign), expr: no_expr }),
    scalar("complex.abs", Rule::Zeros, Function { apply: |s, a| real(s, a, |z| z.re.hypot(z.im)), expr: no_expr }),
    scalar("complex.angle", Rule::Zeros, Function { apply: |s, a| real(s, a, |z| z.arg()), expr: no_expr }),
    scalar("complex.re", Rule::Zeros, Function { apply: |s, a| real(s, a, |z| z.re), expr: no_expr }),
    scalar("complex.im", Rule::Zeros, Function { apply: |s, a| real(s, a, |z| z.im), expr: no_expr }),
    scalar(
        "complex.eq",
        Rule::Zeros,
        Function {
            apply: |_, a| equal(a).map(|same| Scalar::Int(same.into())),
            expr: |_, a| comparison(a, CompareOp::Eq),
        },
    ),
    scalar(
        "complex.neq",
        Rule::Zeros,
        Function {
            apply: |_, a| equal(a).map(|same| Scalar::Int((!same).into())),
            expr: |_, a| comparison(a, CompareOp::Ne),
        },
    ),
];

fn complex(value: Scalar) -> Complex<f64> {
    if let Scalar::Complex(z) = value { z } else { Complex::new(value.as_f64(), 0.0) }
}

fn first(operands: &[Scalar]) -> Complex<f64> {
    complex(operands.first().copied().unwrap_or(Scalar::Int(0)))
}

fn of(s: &Signature<'_>, operands: &[Scalar], f: fn(Complex<f64>) -> Complex<f64>) -> Result<Scalar, String> {
    Ok(arithmetic::rounded(s.to, Scalar::Complex(f(first(operands)))))
}

fn real(s: &Signature<'_>, operands: &[Scalar], f: fn(Complex<f64>) -> f64) -> Result<Scalar, String> {
    Ok(arithmetic::rounded(s.to, Scalar::Float(f(first(operands)))))
}

fn comparison(operands: Vec<Expr>, op: CompareOp) -> Option<Expr> {
    let [a, b]: [Expr; 2] = operands.try_into().ok()?;
    Some(Expr::Compare(op, Box::new(a), Box::new(b)))
}

fn equal(operands: &[Scalar]) -> Result<bool, String> {
    let [a, b] = two(operands)?.map(complex);
    Ok(a == b)
}

/// `1 / sqrt(z)`, which is zero for what is infinite.
fn inverse_root(s: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let Scalar::Complex(root) =
        arithmetic::unary(Unary::Function(UnaryFunction::Sqrt), Element::C64, Scalar::Complex(first(operands)))
    else {
        return Err("a complex number is wanted".to_string());
    };
    Ok(arithmetic::rounded(s.to, Scalar::Complex(quotient(Complex::new(1.0, 0.0), root))))
}

/// The complex angle of `y` over `x`: `-i log((x + i y) / sqrt(x x + y y))`.
fn angle_of_two(s: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [y, x] = two(operands)?.map(complex);
    let of = |op, z| complex(arithmetic::unary(op, Element::C64, Scalar::Complex(z)));
    let root = of(Unary::Function(UnaryFunction::Sqrt), x * x + y * y);
    let log = of(Unary::Function(UnaryFunction::Log), quotient(x + Complex::new(0.0, 1.0) * y, root));
    Ok(arithmetic::rounded(s.to, Scalar::Complex(Complex::new(log.im, -log.re))))
}

/// The power by repeated squaring; a negative one is the inverse of the positive one.
fn integer_power(s: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [base, exponent] = two(operands)?;
    let Scalar::Int(exponent) = exponent else { return Err("the exponent is an integer".to_string()) };
    let one = Complex::new(1.0, 0.0);
    let rounded = |z: Complex<f64>| complex(arithmetic::rounded(s.to, Scalar::Complex(z)));
    let (mut power, mut square, mut left) = (one, complex(base), exponent.unsigned_abs());
    while left > 0 {
        power = if left & 1 == 1 { rounded(power * square) } else { power };
        left >>= 1;
        square = if left > 0 { rounded(square * square) } else { square };
    }
    Ok(Scalar::Complex(if exponent < 0 { rounded(quotient(one, power)) } else { power }))
}

fn sign(z: Complex<f64>) -> Complex<f64> {
    let modulus = z.re.hypot(z.im);
    if modulus == 0.0 { z } else { z / modulus }
}

fn create(_: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [re, im] = two(operands)?.map(Scalar::as_f64);
    Ok(Scalar::Complex(Complex::new(re, im)))
}

fn constant(_: &mut Machine<'_>, _: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let number = number(op).ok_or_else(|| Fault::new("a complex constant is two numbers"))?;
    Ok(vec![Value::Scalar(number)])
}
