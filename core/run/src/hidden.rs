//! Costs that the text of a kernel does not show, and which of them are told.
//!
//! One rule holds wherever a kernel is checked, shown or run, in sessions, programs and editors: a cost is told from
//! [`LONG_FROM`] steps on, before it arises. Its steps follow from sizes alone, so a check tells what a run will tell: a
//! tensor that is converted, copied or searched counts with all its places, however few entries it has. Smaller kernels
//! are done before anybody has read a hint.

use super::cost::LONG_FROM;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::{FileId, TensorId},
    source::Span,
};
use nnz_kernel::{BinaryOp, Expr};

/// A cost that the text of the kernel does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The tensor that it is about.
    pub tensor: Option<TensorId>,
    /// The index variables of the access that it is about, if it is about one.
    pub indices: Vec<String>,
    /// What kind of cost it is.
    pub code: Code,
    pub text: String,
    /// What it is, at the place, in a few words.
    pub label: &'static str,
    /// Its steps, as far as sizes tell.
    pub steps: u64,
}

impl Hidden {
    /// Of a kernel that is evaluated without loops.
    pub fn without_loops(how: &str, steps: u64) -> Hidden {
        let text = format!("this kernel is {how}");
        Hidden { tensor: None, indices: Vec::new(), code: Code::HiddenCost, text, label: "not compiled", steps }
    }

    /// The hint at a place.
    pub fn hint(&self, file: FileId, span: Span) -> Diagnostic {
        let hint = Diagnostic::new(self.code, file, span, self.text.clone()).label(self.label);
        self.help().into_iter().fold(hint, Diagnostic::help)
    }

    /// The way to do without.
    pub fn help(&self) -> Option<&'static str> {
        if self.code == Code::AcrossRows {
            return Some("store it with its dimensions in the order of the loops, or reorder the loops by a schedule");
        }
        let is_conversion = self.code == Code::HiddenConversion;
        is_conversion.then_some("define it in that encoding, or convert it once and use the result")
    }

    pub fn is_told(&self) -> bool {
        self.is_told_from(LONG_FROM)
    }

    /// As [`Hidden::is_told`], for those who want to hear of shorter ones, too.
    pub fn is_told_from(&self, steps: u64) -> bool {
        self.steps >= steps
    }

    /// Whether a kernel of this size, its points or the places of its largest tensor, may have costs that are told.
    pub fn may_be_told(size: u64) -> bool {
        size >= LONG_FROM
    }
}

/// Whether the value of a scalar may decide what is visited, as of `A(i, j) > t`. As a factor it decides nothing, unless
/// the other factor may be a number.
pub(super) fn depends_on_a_value(expr: &Expr) -> bool {
    if is_number(expr) {
        return !expr.accesses().is_empty();
    }
    if let Expr::Binary(BinaryOp::Mul, left, right) = expr {
        let decides =
            |scalar: &Expr, other: &Expr| is_number(scalar) && depends_on_a_value(scalar) && becomes_number(other);
        let within = [left, right].into_iter().any(|part| !is_number(part) && depends_on_a_value(part));
        return within || decides(left, right) || decides(right, left);
    }
    expr.operands().into_iter().any(depends_on_a_value)
}

/// Whether an expression may be a number where its operands are absent: `A(i) + 3`.
fn becomes_number(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| match node {
        Expr::Binary(op, a, b) => !matches!(op, BinaryOp::Mul | BinaryOp::Div) && (is_number(a) || is_number(b)),
        Expr::Unary(op, _) => !op.preserves_zero(),
        Expr::Compare(..) | Expr::Select { .. } | Expr::Present { .. } => true,
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Cast(..) => false,
        Expr::Reduce { .. } | Expr::Onto { .. } => false,
    })
}

/// Whether an expression is computed from scalars and numbers alone: `s`, `2 * s`.
pub(super) fn is_number(expr: &Expr) -> bool {
    expr.nodes().into_iter().all(|node| match node {
        Expr::Access(access) => access.indices.is_empty(),
        Expr::Literal(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => true,
        Expr::Index(..) | Expr::Slot(..) | Expr::Select { .. } | Expr::Present { .. } => false,
        Expr::Reduce { .. } | Expr::Onto { .. } => false,
    })
}
