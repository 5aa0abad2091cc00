//! Operations by name.

use std::sync::Arc;

use super::{Expr, Literal};
use nnz_base::{
    element::{Element, Scalar},
    functions::{BinaryFunction, UnaryFunction},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    /// Every bit flipped: of `i1`, the logical negation.
    Not,
    /// Of a complex number a real one, as are `Real`, `Imag` and `Angle`.
    Abs,
    /// The complex conjugate.
    Conj,
    Real,
    Imag,
    /// Of a complex number, from the positive real axis on: -pi to pi.
    Angle,
    /// -1, 0 or 1; of NaN, NaN.
    Sign,
    /// `x * x`
    Square,
    Function(UnaryFunction),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder of division that truncates, with the sign of the first operand.
    Rem,
    /// The remainder of division that rounds down, with the sign of the second operand.
    Mod,
    Min,
    Max,
    Pow,
    Function(BinaryFunction),
    /// Bit by bit: of `i1`, the logical operation.
    And,
    Or,
    Xor,
    /// Bits moved up: beyond the width they are lost, and an amount that is negative or the width and more loses all.
    Shl,
    /// Bits moved down, the sign staying.
    Shr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How a reduction combines its terms.
#[derive(Clone, Debug, PartialEq)]
pub enum ReduceOp {
    Sum,
    Prod,
    Min,
    Max,
    /// `any` of conditions, that is of `i1`.
    Or,
    /// `all` of conditions, that is of `i1`.
    And,
    /// Whether an odd number of conditions hold.
    Xor,
    /// An arbitrary term, zero if there is none: GraphBLAS's `any`.
    Pick,
    /// The first value of the reduction's one variable where the body is least; its extent if there is no
    /// term.
    ArgMin,
    ArgMax,
    /// As its user wrote.
    Custom(Arc<Fold>),
}

/// A way of combining terms, one after the other, as a user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The value before the first term.
    pub identity: Literal,
    /// The value after one more term, made of [`Expr::Slot`]s, numbers and operations; it has the terms'
    /// type.
    pub combine: Expr,
}

/// A place in [`Fold::combine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The value of the terms so far.
    Left,
    /// The term that is taken in.
    Right,
}

impl Slot {
    pub fn name(self) -> &'static str {
        match self {
            Slot::Left => "left",
            Slot::Right => "right",
        }
    }
}

impl UnaryOp {
    /// All but the functions.
    const OWN: &'static [UnaryOp] = &[
        UnaryOp::Neg,
        UnaryOp::Not,
        UnaryOp::Abs,
        UnaryOp::Conj,
        UnaryOp::Real,
        UnaryOp::Imag,
        UnaryOp::Angle,
        UnaryOp::Sign,
        UnaryOp::Square,
    ];

    pub fn all() -> impl Iterator<Item = UnaryOp> {
        UnaryOp::OWN.iter().copied().chain(UnaryFunction::ALL.iter().copied().map(UnaryOp::Function))
    }

    pub fn name(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "not",
            UnaryOp::Abs => "abs",
            UnaryOp::Conj => "conj",
            UnaryOp::Real => "real",
            UnaryOp::Imag => "imag",
            UnaryOp::Angle => "angle",
            UnaryOp::Sign => "sign",
            UnaryOp::Square => "square",
            UnaryOp::Function(function) => function.name(),
        }
    }

    /// Whether it maps zero to zero.
    pub fn preserves_zero(self) -> bool {
        match self {
            UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Conj | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Angle => true,
            UnaryOp::Sign | UnaryOp::Square => true,
            UnaryOp::Function(function) => function.at_zero() == 0.0,
            UnaryOp::Not => false,
        }
    }
}

impl ReduceOp {
    /// The operation on two values that it repeats, if it is a named operation.
    pub fn of_two(&self) -> Option<BinaryOp> {
        match self {
            ReduceOp::Sum => Some(BinaryOp::Add),
            ReduceOp::Prod => Some(BinaryOp::Mul),
            ReduceOp::Min => Some(BinaryOp::Min),
            ReduceOp::Max => Some(BinaryOp::Max),
            ReduceOp::And => Some(BinaryOp::And),
            ReduceOp::Or => Some(BinaryOp::Or),
            ReduceOp::Xor => Some(BinaryOp::Xor),
            ReduceOp::Pick | ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => None,
        }
    }
}

impl BinaryOp {
    /// Whether it maps two zeros that stand for absent operands to zero: 0 / 0 counts as zero.
    pub fn preserves_zero(self) -> bool {
        match self {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max => true,
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => true,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => true,
            BinaryOp::Function(function) => function.of_double(0.0, 0.0) == 0.0,
            BinaryOp::Pow => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "rem",
            BinaryOp::Mod => "mod",
            BinaryOp::Min => "min",
            BinaryOp::Max => "max",
            BinaryOp::Pow => "pow",
            BinaryOp::Function(function) => function.name(),
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
        }
    }
}

impl CompareOp {
    /// The equivalent comparison with both sides negated, or exchanged.
    pub fn mirrored(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            CompareOp::Eq | CompareOp::Ne => self,
        }
    }

    /// The comparison that holds exactly where this does not, if no number is NaN.
    pub fn negated(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Ge => CompareOp::Lt,
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
        }
    }

    pub const ALL: &'static [CompareOp] =
        &[CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

    pub fn name(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }

    /// Whether it holds for two equal numbers.
    pub fn holds_of_equals(self) -> bool {
        matches!(self, CompareOp::Eq | CompareOp::Le | CompareOp::Ge)
    }
}

impl ReduceOp {
    /// All except those that users define.
    pub const ALL: &'static [ReduceOp] = &[
        ReduceOp::Sum,
        ReduceOp::Prod,
        ReduceOp::Min,
        ReduceOp::Max,
        ReduceOp::Or,
        ReduceOp::And,
        ReduceOp::Xor,
        ReduceOp::Pick,
        ReduceOp::ArgMin,
        ReduceOp::ArgMax,
    ];

    pub fn name(&self) -> &'static str {
        match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Prod => "prod",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
            ReduceOp::Or => "any",
            ReduceOp::And => "all",
            ReduceOp::Xor => "odd",
            ReduceOp::Pick => "pick",
            ReduceOp::ArgMin => "argmin",
            ReduceOp::ArgMax => "argmax",
            ReduceOp::Custom(_) => "reduce",
        }
    }

    /// Its value without terms, for terms of `element`; `argmin` and `argmax` give the extent of their variable,
    /// and their terms start from this. Complex numbers have no minimum; validation refuses it.
    pub fn identity(&self, element: Element) -> Scalar {
        let extreme = |int: fn((i128, i128)) -> i128, float: f64| {
            element.int_range().map_or(Scalar::Float(float), |range| Scalar::Int(int(range)))
        };
        match self {
            ReduceOp::Sum | ReduceOp::Or | ReduceOp::Xor | ReduceOp::Pick => element.zero(),
            ReduceOp::Custom(fold) => fold.identity.value,
            ReduceOp::Prod | ReduceOp::And => Scalar::Int(1),
            ReduceOp::Min | ReduceOp::ArgMin => extreme(|(_, high)| high, f64::INFINITY),
            ReduceOp::Max | ReduceOp::ArgMax => extreme(|(low, _)| low, f64::NEG_INFINITY),
        }
    }

    /// Whether it gives zero without terms, and zeros change nothing in it; of a user's operation that is not known here.
    pub fn gives_zero(&self) -> bool {
        match self {
            ReduceOp::Sum | ReduceOp::Or | ReduceOp::Xor | ReduceOp::Pick => true,
            ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max | ReduceOp::And => false,
            ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => false,
        }
    }

    /// The same for values of `element`: the greatest of unsigned integers is that, too, and a user's operation from 0 on.
    pub fn gives_zero_of(&self, element: Element) -> bool {
        if let ReduceOp::Custom(fold) = self {
            return fold.identity.value.is_zero();
        }
        self.gives_zero() || *self == ReduceOp::Max && element.is_unsigned()
    }

    /// Whether its value is a value of its variable, not of its body.
    pub fn is_place(&self) -> bool {
        matches!(self, ReduceOp::ArgMin | ReduceOp::ArgMax)
    }
}
