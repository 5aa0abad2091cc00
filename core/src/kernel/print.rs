//! Kernels as index notation.

use std::fmt;

use super::{Access, BinaryOp, Expr, Kernel, UnaryOp};
use crate::element::Scalar;

impl fmt::Display for Kernel {
    /// `y(i) = A(i, j) * x(j)`, with the parentheses that the precedence of operators needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        write!(f, "{} = {}", names.access(&self.result), names.expr(&self.expr))
    }
}

impl Kernel {
    /// `expr` of this kernel as text.
    pub fn expr_text(&self, expr: &Expr) -> String {
        self.names().expr(expr)
    }

    fn names(&self) -> Names<'_> {
        Names {
            tensors: self.tensors.iter().map(|tensor| tensor.name.as_str()).collect(),
            vars: self.vars.iter().map(|var| var.name.as_str()).collect(),
        }
    }
}

/// What tensors and variables are called.
pub(super) struct Names<'k> {
    pub(super) tensors: Vec<&'k str>,
    pub(super) vars: Vec<&'k str>,
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Sum,
    Product,
    Factor,
}

impl Names<'_> {
    fn access(&self, access: &Access) -> String {
        let tensor = self.tensors.get(access.tensor.index()).copied().unwrap_or("?");
        let var = |var: &crate::ids::IndexVar| self.vars.get(var.index()).copied().unwrap_or("?");
        let indices: Vec<&str> = access.indices.iter().map(var).collect();
        if indices.is_empty() { tensor.to_string() } else { format!("{tensor}({})", indices.join(", ")) }
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.at(Level::Sum, expr)
    }

    /// `expr` where an operand that binds at least as tightly as `least` is needed.
    fn at(&self, least: Level, expr: &Expr) -> String {
        let (level, text) = self.text(expr);
        if level < least { format!("({text})") } else { text }
    }

    fn text(&self, expr: &Expr) -> (Level, String) {
        match expr {
            Expr::Access(access) => (Level::Factor, self.access(access)),
            Expr::Literal(scalar) => literal(*scalar),
            Expr::Unary(UnaryOp::Neg, a) => (Level::Product, format!("-{}", self.at(Level::Factor, a))),
            Expr::Unary(op, a) => (Level::Factor, format!("{}({})", op.name(), self.expr(a))),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Reduce { op, vars, body } => {
                let names = vars.iter().map(|var| self.vars.get(var.index()).copied().unwrap_or("?"));
                let arguments: Vec<String> = names.map(str::to_string).chain([self.expr(body)]).collect();
                (Level::Factor, format!("{}({})", op.name(), arguments.join(", ")))
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (Level, String) {
        let (level, right) = match op {
            BinaryOp::Add | BinaryOp::Sub => (Level::Sum, Level::Product),
            BinaryOp::Mul | BinaryOp::Div => (Level::Product, Level::Factor),
            BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow => {
                return (Level::Factor, format!("{}({}, {})", op.name(), self.expr(a), self.expr(b)));
            }
        };
        (level, format!("{} {} {}", self.at(level, a), op.name(), self.at(right, b)))
    }
}

/// A negative number binds like a negation.
fn literal(scalar: Scalar) -> (Level, String) {
    let text = literal_text(scalar);
    (if text.starts_with('-') { Level::Product } else { Level::Factor }, text)
}

pub(super) fn literal_text(scalar: Scalar) -> String {
    match scalar {
        Scalar::Float(x) => format!("{x:?}"),
        Scalar::Int(x) => x.to_string(),
        Scalar::Complex(x) => format!("({:?}, {:?})", x.re, x.im),
    }
}
