//! Kernels as index notation.

use std::fmt;

use super::{Access, BinaryOp, Expr, IndexExpr, Kernel, ReduceOp, UnaryOp};
use nnz_base::{element::Scalar, ids::IndexVar};

impl fmt::Display for Kernel {
    /// `y(i) = A(i, j) * x(j)`, with the parentheses that the precedence of operators needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        write!(
            f,
            "{} = {}",
            names.access(&Access::of_vars(self.result.tensor, &self.result.indices)),
            names.expr(&self.expr)
        )
    }
}

impl Kernel {
    /// `expr` of this kernel as text.
    pub fn expr_text(&self, expr: &Expr) -> String {
        self.names().expr(expr)
    }

    /// The indices of `access`, separated by commas.
    pub fn indices_text(&self, access: &Access) -> String {
        self.names().indices(access)
    }

    fn names(&self) -> Names<'_> {
        Names {
            tensors: self.tensors.iter().map(|tensor| tensor.name.as_str()).collect(),
            vars: self.vars.iter().map(|var| var.name.as_str()).collect(),
        }
    }
}

/// The names of tensors and variables.
pub(super) struct Names<'k> {
    pub(super) tensors: Vec<&'k str>,
    pub(super) vars: Vec<&'k str>,
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Or,
    And,
    Not,
    Comparison,
    Shift,
    Sum,
    Product,
    Factor,
}

impl Names<'_> {
    fn access(&self, access: &Access) -> String {
        let tensor = self.tensors.get(access.tensor.index()).copied().unwrap_or("?");
        if access.indices.is_empty() { tensor.to_string() } else { format!("{tensor}({})", self.indices(access)) }
    }

    fn indices(&self, access: &Access) -> String {
        let indices: Vec<String> = access.indices.iter().map(|index| self.index(index)).collect();
        indices.join(", ")
    }

    pub(super) fn var(&self, var: IndexVar) -> &str {
        self.vars.get(var.index()).copied().unwrap_or("?")
    }

    /// `2 * i + k - 1`
    pub(super) fn index(&self, index: &IndexExpr) -> String {
        let mut text = String::new();
        let mut add = |negative: bool, part: &str| {
            let sign = match (text.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            text.push_str(part);
        };
        for (factor, var) in index.terms() {
            match factor.unsigned_abs() {
                1 => add(*factor < 0, self.var(*var)),
                size => add(*factor < 0, &format!("{size} * {}", self.var(*var))),
            }
        }
        if index.offset() != 0 || index.terms().is_empty() {
            add(index.offset() < 0, &index.offset().unsigned_abs().to_string());
        }
        text
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.at(Level::Or, expr)
    }

    /// `expr` where an operand that binds at least as tightly as `least` is needed.
    fn at(&self, least: Level, expr: &Expr) -> String {
        let (level, text) = self.text(expr);
        if level < least { format!("({text})") } else { text }
    }

    fn text(&self, expr: &Expr) -> (Level, String) {
        match expr {
            Expr::Access(access) => (Level::Factor, self.access(access)),
            Expr::Literal(number) => literal(number.value),
            Expr::Index(var, _) => (Level::Factor, self.var(*var).to_string()),
            Expr::Slot(slot, _) => (Level::Factor, slot.name().to_string()),
            Expr::Unary(UnaryOp::Neg, a) => (Level::Product, format!("-{}", self.at(Level::Factor, a))),
            Expr::Unary(UnaryOp::Not, a) => (Level::Not, format!("not {}", self.at(Level::Not, a))),
            Expr::Unary(op, a) => (Level::Factor, self.call(op.name(), &[a])),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Compare(op, a, b) => {
                (Level::Comparison, format!("{} {} {}", self.at(Level::Shift, a), op.name(), self.at(Level::Shift, b)))
            }
            Expr::Cast(element, a) => (Level::Factor, self.call(element.name(), &[a])),
            Expr::Select { cond, then, other } => {
                let arguments: Vec<&Expr> = [cond, then].into_iter().chain(other).map(|part| &**part).collect();
                (Level::Factor, self.call("select", &arguments))
            }
            Expr::Present { of, .. } if expr.as_there().is_some() => self.text(of),
            Expr::Present { of, then, other } => (Level::Factor, self.present(of, then.as_deref(), other.as_deref())),
            Expr::Onto { from, reduce } => (Level::Factor, self.call("onto", &[from, reduce])),
            Expr::Reduce { op, over, vars, body } => {
                let over = if over.is_stored() { ", over = stored" } else { "" };
                let names: Vec<&str> = vars.iter().map(|var| self.var(*var)).collect();
                let how = self.written(op);
                (Level::Factor, format!("{}({}, {}{how}{over})", op.name(), names.join(", "), self.expr(body)))
            }
        }
    }

    /// What a user wrote about a reduction.
    fn written(&self, op: &ReduceOp) -> String {
        let ReduceOp::Custom(fold) = op else { return String::new() };
        format!(", combine = {}, identity = {}", self.expr(&fold.combine), literal(fold.identity.value).1)
    }

    fn call(&self, name: &str, arguments: &[&Expr]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
        format!("{name}({})", arguments.join(", "))
    }

    /// `unary(...)`, or `binary(...)` where the branches ask for the same second operand.
    fn present(&self, of: &Expr, then: Option<&Expr>, other: Option<&Expr>) -> String {
        let region = |name: &str, part: Option<&Expr>| part.map(|part| format!("{name} = {}", self.expr(part)));
        let parts = match (branch(then), branch(other)) {
            (Some((second, overlap, left)), Some((again, right, None))) if second == again => {
                let regions = [region("overlap", overlap), region("left", left), region("right", right)];
                ("binary", vec![Some(self.expr(of)), Some(self.expr(second))], regions.to_vec())
            }
            (Some((second, overlap, left)), None) if other.is_none() => {
                let regions = [region("overlap", overlap), region("left", left)];
                ("binary", vec![Some(self.expr(of)), Some(self.expr(second))], regions.to_vec())
            }
            _ => ("unary", vec![Some(self.expr(of))], vec![region("present", then), region("absent", other)]),
        };
        let (name, operands, regions) = parts;
        let arguments: Vec<String> = operands.into_iter().chain(regions).flatten().collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (Level, String) {
        let called = || (Level::Factor, self.call(op.name(), &[a, b]));
        let (level, right) = match op {
            BinaryOp::Add | BinaryOp::Sub => (Level::Sum, Level::Product),
            BinaryOp::Mul | BinaryOp::Div => (Level::Product, Level::Factor),
            BinaryOp::Shl | BinaryOp::Shr => (Level::Shift, Level::Sum),
            BinaryOp::Or => (Level::Or, Level::And),
            BinaryOp::And => (Level::And, Level::Not),
            BinaryOp::Rem | BinaryOp::Mod | BinaryOp::Pow | BinaryOp::Min | BinaryOp::Max | BinaryOp::Xor => {
                return called();
            }
            BinaryOp::Function(_) => return called(),
        };
        (level, format!("{} {} {}", self.at(level, a), op.name(), self.at(right, b)))
    }
}

/// The parts of [`Expr::Present`].
fn branch(expr: Option<&Expr>) -> Option<(&Expr, Option<&Expr>, Option<&Expr>)> {
    let Expr::Present { of, then, other } = expr? else { return None };
    Some((of, then.as_deref(), other.as_deref()))
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
