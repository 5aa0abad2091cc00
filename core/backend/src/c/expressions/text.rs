//! Expressions as text, and the precedence of C's operators.

use nnz_loops::Binary;

/// How tightly an operator of C binds; larger is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::c) enum Prec {
    Conditional,
    Or,
    And,
    Compare,
    Sum,
    Product,
    /// Casts too.
    Sign,
    Leaf,
}

/// An expression as text.
pub(in crate::c) struct C {
    pub(super) prec: Prec,
    pub(in crate::c) text: String,
}

impl C {
    pub(super) fn new(prec: Prec, text: impl Into<String>) -> C {
        C { prec, text: text.into() }
    }
    pub(super) fn leaf(text: impl Into<String>) -> C {
        C::new(Prec::Leaf, text)
    }
    /// Numbers may have a sign.
    pub(super) fn number(text: String) -> C {
        C::new(if text.starts_with('-') { Prec::Sign } else { Prec::Leaf }, text)
    }
    pub(super) fn cast(ty: &str, of: C) -> C {
        C::new(Prec::Sign, format!("({ty}){}", of.at(Prec::Sign)))
    }
    /// Where an operand that binds at least as tightly as `least` is needed.
    pub(super) fn at(self, least: Prec) -> String {
        if self.prec < least { format!("({})", self.text) } else { self.text }
    }
    /// `self op right`, which associates to the left.
    pub(super) fn infix(self, prec: Prec, op: &str, right: C) -> C {
        let tighter = if prec == Prec::Sum { Prec::Product } else { Prec::Sign };
        C::new(prec, format!("{} {op} {}", self.at(prec), right.at(tighter)))
    }
}

/// Arithmetic that a C operator does.
pub(super) fn operator(op: Binary) -> Option<(Prec, &'static str)> {
    match op {
        Binary::Add => Some((Prec::Sum, "+")),
        Binary::Sub => Some((Prec::Sum, "-")),
        Binary::Mul => Some((Prec::Product, "*")),
        Binary::Div => Some((Prec::Product, "/")),
        Binary::Rem => Some((Prec::Product, "%")),
        Binary::Min | Binary::Max | Binary::Pow | Binary::Function(_) | Binary::And | Binary::Or => None,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => None,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => None,
    }
}
