//! The declaration of an operation: its name, its syntax, and the types that it takes. A new operation is one entry in
//! the table of its dialect (`dialects/*.rs`); what it does is another in the machine.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    constraints::{self, Constraints},
    dialects,
    inherent::Inherent,
    ir::Operand,
    read::{Draft, Mistake, Read, Reader},
    types::Type,
};
use nnz_base::{element::Element, id};

id!(/// An operation that is declared.
    OpId, "op");

/// One operation.
#[derive(Clone, Copy)]
pub struct OpDef {
    /// With its dialect: `arith.addf`.
    pub name: &'static str,
    /// The kinds of the values that it takes and gives.
    pub types: Constraints,
    /// Reads what follows the name in the custom syntax.
    pub syntax: SyntaxFn,
    /// Further checks of operands, attributes and regions, which the syntax does not express, or which generic
    /// syntax did not check.
    pub verify: fn(&Draft) -> Result<(), Mistake>,
    /// Adds what the custom syntax implies and generic syntax omits.
    pub implied: fn(&mut Draft),
    /// The groups of operands in generic syntax; none if they are one group.
    pub groups: &'static [Group],
    /// Its inherent attributes.
    pub attributes: &'static [Inherent],
    pub role: Role,
    /// Its place among all operations.
    id: OpId,
}

/// A group of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    One,
    /// All that the other groups leave.
    Rest,
}

/// What the front end knows of an operation's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A function of scalars: of vectors element by element, in a kernel's body a part of its expression.
    Scalar,
    /// Anything that the host of the kernels does.
    Host,
    /// Ends a region, handing its operands on.
    Terminator,
    /// Ends a block: goes on at one of its successors.
    Branch,
    /// Has a meaning within the body of a kernel only.
    Body(BodyOp),
}

pub type SyntaxFn = fn(&mut Reader<'_>, &mut Draft) -> Read<()>;

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

/// Looked up for every operation of a text. Of two with one name the first counts.
static BY_NAME: LazyLock<HashMap<&'static str, &'static OpDef>> =
    LazyLock::new(|| OpDef::all().iter().rev().map(|def| (def.name, def)).collect());

/// The operations of all dialects, each at the place that its id says.
static ALL: LazyLock<Vec<OpDef>> = LazyLock::new(|| {
    let defs = dialects::ALL.iter().flat_map(|ops| ops.iter()).enumerate();
    defs.map(|(at, def)| OpDef { id: OpId::new(at), ..*def }).collect()
});

impl std::fmt::Debug for OpDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl OpDef {
    const fn new(name: &'static str, types: Constraints, syntax: SyntaxFn, role: Role) -> OpDef {
        let id = OpId(u32::MAX);
        OpDef { name, types, syntax, verify: anything, implied: nothing, groups: &[], attributes: &[], role, id }
    }
    pub const fn host(name: &'static str, types: Constraints, syntax: SyntaxFn) -> OpDef {
        OpDef::new(name, types, syntax, Role::Host)
    }
    pub const fn terminator(name: &'static str, types: Constraints, syntax: SyntaxFn) -> OpDef {
        OpDef::new(name, types, syntax, Role::Terminator)
    }
    pub const fn branch(name: &'static str, types: Constraints, syntax: SyntaxFn) -> OpDef {
        OpDef::new(name, types, syntax, Role::Branch)
    }
    pub const fn body(name: &'static str, types: Constraints, syntax: SyntaxFn, meaning: BodyOp) -> OpDef {
        OpDef::new(name, types, syntax, Role::Body(meaning))
    }
    pub const fn scalar(name: &'static str, types: Constraints, syntax: SyntaxFn) -> OpDef {
        OpDef::new(name, types, syntax, Role::Scalar)
    }
    #[must_use]
    pub const fn verified(mut self, verify: fn(&Draft) -> Result<(), Mistake>) -> OpDef {
        self.verify = verify;
        self
    }
    #[must_use]
    pub const fn implying(mut self, implied: fn(&mut Draft)) -> OpDef {
        self.implied = implied;
        self
    }
    #[must_use]
    pub const fn grouped(mut self, groups: &'static [Group]) -> OpDef {
        self.groups = groups;
        self
    }
    #[must_use]
    pub const fn having(mut self, attributes: &'static [Inherent]) -> OpDef {
        self.attributes = attributes;
        self
    }
    /// The sizes of the groups of `count` operands.
    pub fn segments(&self, count: usize) -> Vec<usize> {
        let rest = (count + 1).saturating_sub(self.groups.len());
        self.groups.iter().map(|group| if *group == Group::One { 1 } else { rest }).collect()
    }
    /// Every operation, in the order of the dialects' tables.
    pub fn all() -> &'static [OpDef] {
        &ALL
    }
    /// Its place in [`OpDef::all`].
    pub fn id(&self) -> OpId {
        self.id
    }
    pub fn is_terminator(&self) -> bool {
        matches!(self.role, Role::Terminator | Role::Branch)
    }
    /// The declaration of an operation; `call` and `return` may leave their dialect out.
    pub fn lookup(name: &str) -> Option<&'static OpDef> {
        let name = match name {
            "call" => "func.call",
            "return" => "func.return",
            "constant" => "func.constant",
            other => other,
        };
        BY_NAME.get(name).copied()
    }
    /// The names of all operations.
    pub fn names() -> impl Iterator<Item = &'static str> {
        OpDef::all().iter().map(|def| def.name)
    }
}

fn nothing(_: &mut Draft) {}

/// No checks beyond those of the syntax.
pub fn anything(_: &Draft) -> Result<(), Mistake> {
    Ok(())
}

/// Which elements an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    Float,
    /// Signless integers and `index`.
    Integer,
    Complex,
    Any,
}

impl Domain {
    pub fn holds(self, element: Element) -> bool {
        match self {
            Domain::Float => element.is_float(),
            Domain::Integer => element.is_integer(),
            Domain::Complex => element.is_complex(),
            Domain::Any => true,
        }
    }
    pub fn words(self) -> &'static str {
        match self {
            Domain::Float => "a floating-point type",
            Domain::Integer => "an integer type or `index`",
            Domain::Complex => "a complex type",
            Domain::Any => "any type",
        }
    }
}

/// Checks that a draft has `count` operands, each with elements of `domain`.
///
/// # Errors
/// Another number of operands; the first operand of another type.
pub fn operands(draft: &Draft, count: usize, domain: Domain) -> Result<(), Mistake> {
    if draft.operands.len() != count {
        return Err(constraints::wrong_count(draft, count));
    }
    draft.operands.iter().try_for_each(|operand| in_domain(draft, operand, domain))
}

/// The operation on floats of which this is the one on integers, or the other way round: `arith.mulf` for `arith.muli`.
fn of_other_numbers(name: &str) -> Option<&'static str> {
    let bare = name.strip_prefix("arith.")?;
    let other = match bare {
        "divsi" | "divui" => "divf".to_string(),
        "remsi" | "remui" => "remf".to_string(),
        "divf" => "divsi".to_string(),
        "remf" => "remsi".to_string(),
        _ => match bare.strip_suffix('i') {
            Some(stem) => format!("{stem}f"),
            None => format!("{}i", bare.strip_suffix('f')?),
        },
    };
    OpDef::lookup(&format!("arith.{other}")).map(|def| def.name)
}

/// Checks the elements of one operand.
///
/// # Errors
/// Elements outside `domain`.
pub fn in_domain(draft: &Draft, operand: &Operand, domain: Domain) -> Result<(), Mistake> {
    match operand.ty.element() {
        Some(element) if !domain.holds(element) => {
            let message = format!("`{}` takes {}, not `{}`", draft.name(), domain.words(), operand.ty);
            let outside = |operand: &Operand| operand.ty.element().is_some_and(|element| !domain.holds(element));
            let all = draft.operands.iter().all(outside);
            match of_other_numbers(draft.name()).filter(|_| all) {
                Some(other) => Err(Mistake::types(draft.span, message)
                    .label(format!("takes {}", domain.words()))
                    .secondary(operand.span, format!("this is `{}`", operand.ty))
                    .fix(format!("write `{other}`"), draft.name_span(), other)),
                None => Err(Mistake::types(operand.span, message)),
            }
        }
        None if !operand.ty.is_broken() => {
            Err(Mistake::types(operand.span, format!("`{}` cannot take `{}`", draft.name(), operand.ty)))
        }
        _ => Ok(()),
    }
}

/// Checks that every operand and result is of one type.
///
/// # Errors
/// The first that differs from the first operand.
pub fn all_alike(draft: &Draft) -> Result<(), Mistake> {
    let Some(first) = draft.operands.first() else { return Ok(()) };
    let differs = |ty: &Type| !ty.is_broken() && !first.ty.is_broken() && *ty != first.ty;
    if let Some(other) = draft.operands.iter().find(|operand| differs(&operand.ty)) {
        let message = format!("this is `{}`, the first operand `{}`", other.ty, first.ty);
        return Err(Mistake::types(other.span, message));
    }
    match draft.results.iter().find(|ty| differs(ty)) {
        Some(ty) => Err(draft.wrong_result(format!("the result is `{ty}`, the operands are `{}`", first.ty))),
        None => Ok(()),
    }
}
