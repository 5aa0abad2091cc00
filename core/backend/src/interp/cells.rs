//! Values of expressions, and operations on them.

use crate::BackendError;
use nnz_base::element::Scalar;
use nnz_loops::{Binary, Type, Unary, scalar};

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Bool(bool),
    Index(i64),
    Value(Scalar),
}

impl Cell {
    pub(super) fn of(ty: Type, scalar: Scalar) -> Cell {
        match (ty, scalar) {
            (Type::Index, Scalar::Int(number)) => Cell::Index(number as i64),
            (Type::Bool | Type::Index | Type::Element(_), _) => Cell::Value(scalar),
        }
    }

    pub(super) fn index(self) -> Result<i64, BackendError> {
        match self {
            Cell::Index(number) => Ok(number),
            Cell::Bool(_) | Cell::Value(_) => Err(ill_typed(self)),
        }
    }
    pub(super) fn truth(self) -> Result<bool, BackendError> {
        match self {
            Cell::Bool(truth) => Ok(truth),
            Cell::Index(_) | Cell::Value(_) => Err(ill_typed(self)),
        }
    }
}

pub(super) fn ill_typed(cell: Cell) -> BackendError {
    BackendError::Failed(format!("{cell:?} is of the wrong type here"))
}

pub(super) fn unary(op: Unary, ty: Type, cell: Cell) -> Cell {
    match (ty, cell) {
        (_, Cell::Bool(truth)) => Cell::Bool(!truth),
        (_, Cell::Index(number)) => Cell::Index(match op {
            Unary::Abs => number.wrapping_abs(),
            Unary::Neg => number.wrapping_neg(),
            // The verifier lets no other pass.
            Unary::Not | Unary::BitNot | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => number,
            Unary::Function(_) => number,
        }),
        (Type::Element(element), Cell::Value(value)) => Cell::Value(scalar::unary(op, element, value)),
        (_, Cell::Value(value)) => Cell::Value(value),
    }
}

pub(super) fn binary(op: Binary, ty: Type, left: Cell, right: Cell) -> Cell {
    match (ty, left, right) {
        (_, Cell::Bool(a), Cell::Bool(b)) => Cell::Bool(match op {
            Binary::And => a && b,
            Binary::Or => a || b,
            Binary::Eq => a == b,
            Binary::Ne => a != b,
            // The verifier lets no other pass.
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem | Binary::Min | Binary::Max => a,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => a,
            Binary::Pow | Binary::Function(_) | Binary::Lt | Binary::Le => a,
        }),
        (_, Cell::Index(a), Cell::Index(b)) => match op.comparison() {
            Some(comparison) => Cell::Bool(scalar::compare(comparison, a.partial_cmp(&b))),
            None => Cell::Index(scalar::index(op, a, b)),
        },
        (Type::Element(element), Cell::Value(a), Cell::Value(b)) => match op.comparison() {
            Some(comparison) => Cell::Bool(scalar::compare(comparison, scalar::order(a, b))),
            None => Cell::Value(scalar::binary(op, element, a, b)),
        },
        // The verifier lets no two kinds meet.
        (_, Cell::Bool(_) | Cell::Index(_) | Cell::Value(_), _) => left,
    }
}

pub(super) fn cast(to: Type, cell: Cell) -> Cell {
    let scalar = match cell {
        Cell::Index(number) => Scalar::Int(i128::from(number)),
        Cell::Value(scalar) => scalar,
        Cell::Bool(_) => return cell,
    };
    match to {
        Type::Index => Cell::Index(scalar::to_index(scalar)),
        Type::Element(element) => Cell::Value(scalar::convert(element, scalar)),
        Type::Bool => cell,
    }
}
