//! Binary operations, grouped by how they are computed.

use super::Binary;

/// Gives a `Bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
}

/// The operations that numbers of every kind have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

impl Binary {
    pub fn comparison(self) -> Option<Comparison> {
        match self {
            Binary::Eq => Some(Comparison::Eq),
            Binary::Ne => Some(Comparison::Ne),
            Binary::Lt => Some(Comparison::Lt),
            Binary::Le => Some(Comparison::Le),
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem | Binary::Min | Binary::Max => None,
            Binary::Pow | Binary::Function(_) | Binary::And | Binary::Or => None,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => None,
        }
    }

    pub fn arithmetic(self) -> Option<Arithmetic> {
        match self {
            Binary::Add => Some(Arithmetic::Add),
            Binary::Sub => Some(Arithmetic::Sub),
            Binary::Mul => Some(Arithmetic::Mul),
            Binary::Div => Some(Arithmetic::Div),
            Binary::Rem | Binary::Min | Binary::Max | Binary::Pow | Binary::Function(_) => None,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => None,
            Binary::And | Binary::Or | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => None,
        }
    }
}

impl Comparison {
    pub fn name(self) -> &'static str {
        match self {
            Comparison::Eq => "eq",
            Comparison::Ne => "ne",
            Comparison::Lt => "lt",
            Comparison::Le => "le",
        }
    }
    /// As the printed text writes it, and C.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
        }
    }
}

impl Arithmetic {
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "add",
            Arithmetic::Sub => "sub",
            Arithmetic::Mul => "mul",
            Arithmetic::Div => "div",
        }
    }
}
