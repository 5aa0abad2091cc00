//! Expressions, with no more parentheses than they need.

use nnz_base::element::Element;

use super::{Printer, list};
use crate::model::{Access, Binary, Expr, ExprKind, Range, Region, Unary, name_of};

/// What an operation binds as tightly as; higher binds tighter.
type Strength = u8;

const NOT: Strength = 3;
const COMPARISON: Strength = 4;
const SIGN: Strength = 11;
const CALL: Strength = 12;

pub(super) fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

impl Printer<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.bound(expr).0
    }

    pub(super) fn all(&self, exprs: &[Expr]) -> Vec<String> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// The text, and how tightly it binds.
    fn bound(&self, expr: &Expr) -> (String, Strength) {
        let call = |text: String| (text, CALL);
        match expr.kind() {
            ExprKind::Int(value) => int(*value, expr.element()),
            ExprKind::Float(value) => call(format!("T.{}({})", name_of(expr.element()), float(value.0))),
            ExprKind::Bool(value) => call(truth(*value).to_string()),
            ExprKind::Variable(id) => call(self.variable(*id).to_string()),
            ExprKind::Load(access) => call(self.access(access)),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Cast(value) => call(format!("T.cast({}, \"{}\")", self.expr(value), name_of(expr.element()))),
            ExprKind::Math(math, operand) => call(format!("T.{}({})", math.name, self.expr(operand))),
            ExprKind::Choice { lazy, parts } => {
                let name = if *lazy { "if_then_else" } else { "Select" };
                call(format!("T.{name}({})", self.all(&parts[..]).join(", ")))
            }
            ExprKind::Least => call(format!("T.min_value(\"{}\")", name_of(expr.element()))),
            ExprKind::Greatest => call(format!("T.max_value(\"{}\")", name_of(expr.element()))),
            ExprKind::Offset(buffer) => call(format!("{}.elem_offset", self.function.buffer(*buffer).name)),
            ExprKind::Stride(buffer, dimension) => {
                call(format!("{}.strides[{dimension}]", self.function.buffer(*buffer).name))
            }
        }
    }

    /// The text, in parentheses if it binds less tightly than its place needs.
    fn part(&self, expr: &Expr, least: Strength) -> String {
        let (text, strength) = self.bound(expr);
        if strength < least { format!("({text})") } else { text }
    }

    fn unary(&self, op: Unary, operand: &Expr) -> (String, Strength) {
        match op {
            Unary::Negate => (format!("-{}", self.part(operand, SIGN)), SIGN),
            Unary::Invert => (format!("~{}", self.part(operand, SIGN)), SIGN),
            Unary::Not => (format!("not {}", self.part(operand, NOT)), NOT),
        }
    }

    fn binary(&self, op: Binary, left: &Expr, right: &Expr) -> (String, Strength) {
        let (sign, strength) = match written(op) {
            Written::Sign(sign, strength) => (sign, strength),
            Written::Call(name) => return (format!("T.{name}({}, {})", self.expr(left), self.expr(right)), CALL),
        };
        // Operations of one strength join from the left, and comparisons do not join.
        let left = self.part(left, strength + u8::from(strength == COMPARISON));
        (format!("{left} {sign} {}", self.part(right, strength + 1)), strength)
    }

    pub(super) fn access(&self, access: &Access) -> String {
        format!("{}[{}]", self.function.buffer(access.buffer).name, self.all(&access.indices).join(", "))
    }

    pub(super) fn region(&self, region: &Region) -> String {
        let range = |range: &Range| match range {
            Range::Point(at) => self.expr(at),
            Range::Between(start, end) => format!("{}:{}", self.expr(start), self.expr(end)),
        };
        let ranges: Vec<String> = region.ranges.iter().map(range).collect();
        self.function.buffer(region.buffer).name.clone() + &list(&ranges)
    }
}

fn int(value: i64, element: Element) -> (String, Strength) {
    if element == Element::I32 {
        return (value.to_string(), if value < 0 { SIGN } else { CALL });
    }
    (format!("T.{}({value})", name_of(element)), CALL)
}

fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => "\"nan\"".to_string(),
        f64::INFINITY => "\"inf\"".to_string(),
        f64::NEG_INFINITY => "\"-inf\"".to_string(),
        _ => format!("{value:?}"),
    }
}

/// How an operation is written.
enum Written {
    Sign(&'static str, Strength),
    Call(&'static str),
}

fn written(op: Binary) -> Written {
    use Written::{Call, Sign};
    match op {
        Binary::Or => Sign("or", 1),
        Binary::And => Sign("and", 2),
        Binary::Equal => Sign("==", COMPARISON),
        Binary::NotEqual => Sign("!=", COMPARISON),
        Binary::Less => Sign("<", COMPARISON),
        Binary::LessEqual => Sign("<=", COMPARISON),
        Binary::Greater => Sign(">", COMPARISON),
        Binary::GreaterEqual => Sign(">=", COMPARISON),
        Binary::BitOr => Sign("|", 5),
        Binary::BitXor => Sign("^", 6),
        Binary::BitAnd => Sign("&", 7),
        Binary::ShiftLeft => Sign("<<", 8),
        Binary::ShiftRight => Sign(">>", 8),
        Binary::Add => Sign("+", 9),
        Binary::Subtract => Sign("-", 9),
        Binary::Multiply => Sign("*", 10),
        Binary::Divide => Sign("/", 10),
        Binary::FloorDivide => Sign("//", 10),
        Binary::FloorModulo => Sign("%", 10),
        Binary::TruncateDivide => Call("truncdiv"),
        Binary::TruncateModulo => Call("truncmod"),
        Binary::Power => Call("pow"),
        Binary::Least => Call("min"),
        Binary::Greatest => Call("max"),
    }
}
