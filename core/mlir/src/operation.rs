//! The declaration of an operation, as data: its name, the kinds of its values, its attributes.

use crate::{constraints::Constraints, inherent::Inherent};
use nnz_base::id;

id!(/// An operation that is declared.
    OpId, "op");

/// One operation.
#[derive(Clone, Copy)]
pub struct OpDef {
    /// With its dialect: `arith.addf`.
    pub name: &'static str,
    /// The kinds of the values that it takes and gives.
    pub types: Constraints,
    /// The groups of operands in generic syntax; none if they are one group.
    pub groups: &'static [Group],
    /// Its inherent attributes.
    pub attributes: &'static [Inherent],
    pub regions: Regions,
    pub role: Role,
    /// Its place among all operations.
    pub(crate) id: OpId,
}

/// How many regions an operation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    Exactly(usize),
    /// As many as its attributes and operands say.
    Any,
}

/// A group of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    One,
    /// The operands that the other groups leave.
    Rest,
}

/// What the front end knows about an operation's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A function of scalars: of vectors element by element, in a kernel's body a part of its expression.
    Scalar,
    /// Anything that the host of the kernels does.
    Host,
    /// Ends a region, handing its operands on.
    Terminator,
    /// Ends a block and continues at one of its successors.
    Branch,
    /// Has a meaning within the body of a kernel only.
    Body(BodyOp),
}

/// The operations that only a kernel's body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyOp {
    /// `linalg.index`
    Index,
    Unary,
    Binary,
    Reduce,
    Select,
}

impl std::fmt::Debug for OpDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl OpDef {
    pub(crate) const fn new(name: &'static str, types: Constraints, role: Role) -> OpDef {
        OpDef { name, types, groups: &[], attributes: &[], regions: Regions::Exactly(0), role, id: OpId(u32::MAX) }
    }
    /// The sizes of the groups of `count` operands.
    pub fn segments(&self, count: usize) -> Vec<usize> {
        let rest = (count + 1).saturating_sub(self.groups.len());
        self.groups.iter().map(|group| if *group == Group::One { 1 } else { rest }).collect()
    }
    /// Its place among all operations.
    pub fn id(&self) -> OpId {
        self.id
    }
    pub fn is_terminator(&self) -> bool {
        matches!(self.role, Role::Terminator | Role::Branch)
    }
}
