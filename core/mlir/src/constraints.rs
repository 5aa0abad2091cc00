//! The kinds of values that an operation takes and gives: a tensor, a memref, a vector, a scalar. Every operation
//! declares them, and `checks/values.rs` checks them. An operation's `verify` checks what depends on sizes, elements
//! and attributes.

use crate::types::Type;

/// The kinds that a value may have.
#[derive(Clone, Copy)]
pub struct Constraint {
    pub(crate) holds: fn(&Type) -> bool,
    /// What is wanted, behind "takes".
    pub(crate) words: &'static str,
    pub(crate) count: Count,
}

/// The number of values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    One,
    /// One or none.
    Optional,
    Any,
}

/// The constraints of an operation's operands and results, in order.
#[derive(Clone, Copy)]
pub struct Constraints {
    pub(crate) operands: &'static [Constraint],
    pub(crate) results: &'static [Constraint],
    /// The containers among the operands are tensors, all of them, or buffers.
    pub(crate) pure: bool,
    /// The containers among the operands, and the results, have elements of one type.
    pub(crate) alike: bool,
}

const fn one(words: &'static str, holds: fn(&Type) -> bool) -> Constraint {
    Constraint { holds, words, count: Count::One }
}

pub const TENSOR: Constraint = one("a tensor", |ty| matches!(ty, Type::Tensor(_)));
/// What reads or writes an array, and not entries.
pub(crate) const DENSE_TENSOR: Constraint =
    one("a tensor without an encoding", |ty| matches!(ty, Type::Tensor(tensor) if tensor.encoding.is_none()));
pub(crate) const ANY_TENSOR: Constraint = one("a tensor", |ty| matches!(ty, Type::Tensor(_) | Type::UnrankedTensor(_)));
pub(crate) const MEMREF: Constraint = one("a memref", |ty| matches!(ty, Type::Memory(_)));
pub(crate) const ANY_MEMREF: Constraint = one("a memref", |ty| matches!(ty, Type::Memory(_) | Type::UnrankedMemory(_)));
pub(crate) const SHAPED: Constraint = one("a tensor or a memref", |ty| matches!(ty, Type::Tensor(_) | Type::Memory(_)));
pub(crate) const VECTOR: Constraint = one("a vector", |ty| matches!(ty, Type::Vector(_)));
pub(crate) const SCALAR: Constraint = one("a scalar", |ty| matches!(ty, Type::Scalar(_)));
pub(crate) const INDEX_VALUE: Constraint = one("`index`", |ty| *ty == Type::INDEX);
pub(crate) const INTEGER: Constraint =
    one("an integer or `index`", |ty| ty.scalar().is_some_and(nnz_base::element::Element::is_integer));
pub const BOOL: Constraint = one("`i1`", |ty| *ty == Type::I1);
pub(crate) const PART_OF_VECTOR: Constraint =
    one("a vector or a scalar", |ty| matches!(ty, Type::Vector(_) | Type::Scalar(_)));
/// The operands of elementwise functions of scalars.
pub(crate) const ELEMENTWISE: Constraint = one("a scalar, a vector or a tensor without an encoding", |ty| {
    matches!(ty, Type::Scalar(_) | Type::Vector(_) | Type::UnrankedTensor(_)) || (DENSE_TENSOR.holds)(ty)
});
pub const CONSTANT: Constraint = one("a scalar, a vector or a tensor", |ty| {
    matches!(ty, Type::Scalar(_) | Type::Vector(_) | Type::Tensor(_) | Type::UnrankedTensor(_))
});
/// An operand that a kernel reads.
pub(crate) const INPUT: Constraint =
    one("a tensor, a memref or a scalar", |ty| matches!(ty, Type::Tensor(_) | Type::Memory(_) | Type::Scalar(_)));
pub(crate) const SPECIFIER: Constraint = one("a storage specifier", |ty| matches!(ty, Type::Specifier(_)));
pub(crate) const SPACE: Constraint = one("an iteration space", |ty| matches!(ty, Type::Space(_)));
pub(crate) const ANY: Constraint = one("any value", |_| true);

impl Constraint {
    /// None of them, or one.
    #[must_use]
    pub const fn optional(mut self) -> Constraint {
        self.count = Count::Optional;
        self
    }
    /// Any number of them.
    #[must_use]
    pub const fn many(mut self) -> Constraint {
        self.count = Count::Any;
        self
    }
    /// The constraint in words: `a tensor`, `a scalar ...` for any number of them.
    pub fn describe(&self) -> String {
        match self.count {
            Count::One => self.words.to_string(),
            Count::Optional => format!("{}, or none", self.words),
            Count::Any => format!("{} ...", self.words),
        }
    }
    pub(crate) fn admits(&self, ty: &Type) -> bool {
        ty.is_broken() || (self.holds)(ty)
    }
}

/// The operands of an operation; its results follow with `gives`.
pub const fn takes(operands: &'static [Constraint]) -> Constraints {
    Constraints { operands, results: &[], pure: false, alike: false }
}
pub const NOTHING: Constraints = takes(&[]);
/// A function of scalars whose `verify` counts the operands.
pub const FUNCTION: Constraints = takes(&[ELEMENTWISE.many()]).gives(&[ELEMENTWISE]);

impl Constraints {
    pub fn operands(&self) -> &'static [Constraint] {
        self.operands
    }
    pub fn results(&self) -> &'static [Constraint] {
        self.results
    }
    #[must_use]
    pub const fn gives(mut self, results: &'static [Constraint]) -> Constraints {
        self.results = results;
        self
    }
    /// Tensors and buffers must not be mixed.
    #[must_use]
    pub const fn pure(mut self) -> Constraints {
        self.pure = true;
        self
    }
    /// Operands and results have the same element type.
    #[must_use]
    pub const fn alike(mut self) -> Constraints {
        self.alike = true;
        self
    }
}
