//! Products over semirings, with the names of GraphBLAS: `min_plus(j, A(i, j), x(j))`.
//!
//! The first word combines terms, the second makes a term of the two operands. There is a term where both
//! operands are stored; an absent entry is the semiring's additive identity.

use nnz_base::element::Element;
use nnz_kernel::{BinaryOp, CompareOp, Expr, Over, ReduceOp, UnaryOp};

/// How a term is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Multiply {
    First,
    Second,
    /// 1
    Pair,
    Binary(BinaryOp),
    /// The operation with its operands exchanged.
    Reversed(BinaryOp),
    /// 1 or 0 of the operands' type.
    Compare(CompareOp),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Semiring {
    pub add: &'static ReduceOp,
    pub multiply: Multiply,
}

/// The operations that combine terms; `any` takes an arbitrary term.
pub const ADDITIONS: &[(&str, ReduceOp)] = &[
    ("plus", ReduceOp::Sum),
    ("times", ReduceOp::Prod),
    ("min", ReduceOp::Min),
    ("max", ReduceOp::Max),
    ("any", ReduceOp::Pick),
    ("or", ReduceOp::Or),
    ("and", ReduceOp::And),
    ("xor", ReduceOp::Xor),
    ("lor", ReduceOp::Or),
    ("land", ReduceOp::And),
    ("lxor", ReduceOp::Xor),
];

/// The ways to make a term.
pub(crate) const MULTIPLICATIONS: &[(&str, Multiply)] = &[
    ("first", Multiply::First),
    ("second", Multiply::Second),
    ("pair", Multiply::Pair),
    ("oneb", Multiply::Pair),
    ("plus", Multiply::Binary(BinaryOp::Add)),
    ("minus", Multiply::Binary(BinaryOp::Sub)),
    ("rminus", Multiply::Reversed(BinaryOp::Sub)),
    ("times", Multiply::Binary(BinaryOp::Mul)),
    ("div", Multiply::Binary(BinaryOp::Div)),
    ("rdiv", Multiply::Reversed(BinaryOp::Div)),
    ("min", Multiply::Binary(BinaryOp::Min)),
    ("max", Multiply::Binary(BinaryOp::Max)),
    ("or", Multiply::Binary(BinaryOp::Or)),
    ("and", Multiply::Binary(BinaryOp::And)),
    ("xor", Multiply::Binary(BinaryOp::Xor)),
    ("lor", Multiply::Binary(BinaryOp::Or)),
    ("land", Multiply::Binary(BinaryOp::And)),
    ("lxor", Multiply::Binary(BinaryOp::Xor)),
    ("eq", Multiply::Compare(CompareOp::Eq)),
    ("ne", Multiply::Compare(CompareOp::Ne)),
    ("lt", Multiply::Compare(CompareOp::Lt)),
    ("le", Multiply::Compare(CompareOp::Le)),
    ("gt", Multiply::Compare(CompareOp::Gt)),
    ("ge", Multiply::Compare(CompareOp::Ge)),
];

/// The names of the ways to make a term.
pub fn multiplication_names() -> impl Iterator<Item = &'static str> {
    MULTIPLICATIONS.iter().map(|(name, _)| *name)
}

/// Every semiring's name.
pub(crate) fn names() -> impl Iterator<Item = String> {
    ADDITIONS.iter().flat_map(|(add, _)| multiplication_names().map(move |multiply| format!("{add}_{multiply}")))
}

/// An operation on conditions; of numbers it asks whether they are zero, and gives 1 or 0 of their type.
pub(crate) fn is_logic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

impl Multiply {
    /// The operation of arithmetic, with its operands in either order.
    pub(crate) fn arithmetic(self) -> Option<BinaryOp> {
        match self {
            Multiply::Binary(op) | Multiply::Reversed(op) => Some(op).filter(|op| !is_logic(*op)),
            Multiply::First | Multiply::Second | Multiply::Pair | Multiply::Compare(_) => None,
        }
    }

    /// Whether numbers are taken as they are, even where their terms are combined as conditions: `or_lt` compares them
    /// and `or_plus` adds them, before it asks whether there is a sum that is not zero.
    pub(crate) fn is_of_numbers(self) -> bool {
        self.arithmetic().is_some() || matches!(self, Multiply::Compare(_))
    }

    /// The same for operands of this type: GraphBLAS's arithmetic on conditions is logic.
    pub(crate) fn of(self, element: Option<Element>) -> Multiply {
        let Some(op) = self.arithmetic().filter(|_| element == Some(Element::I1)) else { return self };
        let is_reversed = matches!(self, Multiply::Reversed(_));
        match op {
            BinaryOp::Add | BinaryOp::Max => Multiply::Binary(BinaryOp::Or),
            BinaryOp::Sub => Multiply::Binary(BinaryOp::Xor),
            BinaryOp::Mul | BinaryOp::Min => Multiply::Binary(BinaryOp::And),
            BinaryOp::Div if is_reversed => Multiply::Second,
            BinaryOp::Div => Multiply::First,
            BinaryOp::Rem | BinaryOp::Mod | BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr => self,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Function(_) => self,
        }
    }
}

impl Semiring {
    pub(crate) fn parse(name: &str) -> Option<Semiring> {
        let (add, multiply) = name.split_once('_')?;
        let (_, add) = ADDITIONS.iter().find(|(known, _)| *known == add)?;
        let multiply = MULTIPLICATIONS.iter().find(|(known, _)| *known == multiply)?.1;
        Some(Semiring { add, multiply })
    }

    /// Whether terms are conditions, and their operands, too.
    pub(crate) fn is_logical(self) -> bool {
        matches!(self.add, ReduceOp::Or | ReduceOp::And | ReduceOp::Xor)
    }

    /// An operand as its term takes it. Reductions in it are numbers, present even without terms, except one over stored
    /// terms that is the whole operand. A product with `plus` is a sum, and multiplied out with the sums in it.
    pub(crate) fn value_of(self, operand: &Expr) -> Expr {
        match operand {
            Expr::Reduce { over: Over::Stored, .. } => operand.clone(),
            Expr::Cast(..) | Expr::Unary(UnaryOp::Neg, _) => operand.with_parts(&|part| self.value_of(part)),
            Expr::Reduce { .. }
            | Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Onto { .. } => self.with_numbers(operand),
        }
    }

    fn with_numbers(self, expr: &Expr) -> Expr {
        match expr {
            Expr::Reduce { op: ReduceOp::Sum, .. } if *self.add == ReduceOp::Sum => expr.clone(),
            Expr::Reduce { op, over, vars, body } => {
                Expr::Reduce { op: op.clone(), over: over.as_value(), vars: vars.clone(), body: body.clone() }
            }
            Expr::Present { of, then, other } => {
                let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(self.with_numbers(arm))));
                Expr::Present { of: of.clone(), then, other }
            }
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Select { .. }
            | Expr::Onto { .. } => expr.with_parts(&|part| self.with_numbers(part)),
        }
    }
}
