//! What operations do. The machine has a table for each dialect (`dialects/*.rs`), keyed by the names that the front
//! end declares; every declared operation has one meaning, of the kind that its role requires.

use std::collections::HashMap;

use super::{Fault, Frame, Machine};
use crate::value::Value;
use nnz_base::element::{Element, Scalar};
use nnz_kernel::Expr;
use nnz_mlir::{
    dialects::operations,
    ir::{Function as Declared, Op},
    operation::{BodyOp, OpDef, Role},
};

/// The meaning of an operation.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// A function of scalars: of vectors element by element, in a kernel's body a part of its expression.
    Scalar(ScalarOp),
    /// A function of scalars with a result in several parts.
    Parts(PartsOp),
    /// Anything that the host of the kernels does.
    Host(HostFn),
    /// Ends a region, handing its operands on.
    Terminator,
    /// Ends a block and continues at one of its successors.
    Branch(BranchFn),
    /// Has a meaning within the body of a kernel only.
    Body(BodyOp),
}

pub(crate) type HostFn = fn(&mut Machine<'_>, &mut Frame<'_>, &Op) -> Result<Vec<Value>, Fault>;

/// Chooses the successor.
pub(crate) type BranchFn = fn(&Frame<'_>, &Op) -> Result<usize, Fault>;

/// A function of scalars with two implementations, evaluation and an expression in a kernel, and its rule of absence.
#[derive(Clone, Copy)]
pub struct ScalarOp {
    pub apply: Apply,
    /// `None` if kernels cannot express it.
    pub expr: Express,
    absence: Absence,
}

impl ScalarOp {
    pub(crate) fn rule(&self, signature: &Signature<'_>) -> Rule {
        match self.absence {
            Absence::Is(rule) => rule,
            Absence::Asks(rule) => rule(signature),
        }
    }
}

/// The two implementations of a function of scalars, as its row gives them.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    pub(crate) apply: Apply,
    pub(crate) expr: Express,
}

#[derive(Clone, Copy)]
enum Absence {
    Is(Rule),
    /// It depends on an attribute.
    Asks(fn(&Signature<'_>) -> Rule),
}

/// A function of scalars with a result in two parts; evaluated only.
#[derive(Clone, Copy)]
pub struct PartsOp {
    pub apply: ApplyParts,
    /// Every part is missing where a factor is.
    pub is_product: bool,
}

/// How an operation takes operands that are missing: those without an entry, and those without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Missing where a factor is.
    Product,
    /// `a * b + c`: a product that is one term of a sum.
    ProductAndSum,
    /// Gives the other operand.
    Sum,
    /// As a sum, but the second operand is negated.
    Difference,
    /// Missing where the first operand is: the dividend, the shifted number, or the left side of an unsigned `>`.
    Quotient,
    /// Unsigned `a < b`: missing where the second operand is, because no number is less than zero.
    Below,
    /// One of the two, unchanged.
    Choice,
    /// Takes missing operands as zero.
    Zeros,
}

/// The parts of an operation that its scalar function needs.
#[derive(Clone, Copy)]
pub struct Signature<'a> {
    pub op: &'a Op,
    /// The element type of the first operand; of a constant, its own.
    pub from: Element,
    /// The element type of the result.
    pub to: Element,
}

/// Evaluates a function of scalars.
pub(crate) type Apply = fn(&Signature<'_>, &[Scalar]) -> Result<Scalar, String>;

/// Evaluates a function of scalars with a result in two parts.
pub(crate) type ApplyParts = fn(&Signature<'_>, &[Scalar]) -> Result<[Scalar; 2], String>;

/// Writes a function of scalars as an expression of a kernel.
pub(crate) type Express = fn(&Signature<'_>, Vec<Expr>) -> Option<Expr>;

/// The name of an operation and its meaning.
pub(crate) type Row = (&'static str, Meaning);

pub(crate) const fn host(name: &'static str, run: HostFn) -> Row {
    (name, Meaning::Host(run))
}
pub(crate) const fn branch(name: &'static str, taken: BranchFn) -> Row {
    (name, Meaning::Branch(taken))
}
pub(crate) const fn scalar(name: &'static str, rule: Rule, function: Function) -> Row {
    scalar_of(name, Absence::Is(rule), function)
}
/// A function of scalars whose attributes say how it takes missing operands.
pub(crate) const fn scalar_asking(name: &'static str, rule: fn(&Signature<'_>) -> Rule, function: Function) -> Row {
    scalar_of(name, Absence::Asks(rule), function)
}
const fn scalar_of(name: &'static str, absence: Absence, Function { apply, expr }: Function) -> Row {
    (name, Meaning::Scalar(ScalarOp { apply, expr, absence }))
}
pub(crate) const fn product_in_parts(name: &'static str, apply: ApplyParts) -> Row {
    (name, Meaning::Parts(PartsOp { apply, is_product: true }))
}
/// Takes missing operands as zero.
pub(crate) const fn sum_in_parts(name: &'static str, apply: ApplyParts) -> Row {
    (name, Meaning::Parts(PartsOp { apply, is_product: false }))
}

/// Calls a function that a program declares only.
pub type Library = fn(&mut Machine<'_>, &Declared, Vec<Value>) -> Result<Vec<Value>, Fault>;

/// What the dialects and the library give to a machine.
pub(crate) struct Meanings {
    /// By the ids of the declarations.
    operations: Vec<Meaning>,
    pub(super) library: Library,
}

impl Meanings {
    /// Joins the rows of all dialects with the declared operations.
    pub(crate) fn new(rows: impl Iterator<Item = Row>, library: Library) -> Meanings {
        let rows: HashMap<&str, Meaning> = rows.collect();
        Meanings { operations: operations().map(|def| meaning_in(&rows, def)).collect(), library }
    }

    /// The meaning of a declared operation.
    pub(crate) fn of(&self, def: &OpDef) -> Meaning {
        self.operations.get(def.id().index()).copied().unwrap_or(Meaning::Host(unknown))
    }
}

fn meaning_in(rows: &HashMap<&str, Meaning>, def: &OpDef) -> Meaning {
    match def.role {
        Role::Terminator => Meaning::Terminator,
        Role::Body(op) => Meaning::Body(op),
        Role::Scalar | Role::Host | Role::Branch => rows.get(def.name).copied().unwrap_or(Meaning::Host(unknown)),
    }
}

fn unknown(_: &mut Machine<'_>, _: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    Err(Fault::bug(format!("the machine does not know `{}`", op.def.name)))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::dialects;

    /// The kind of meaning that a role asks the machine's tables for.
    fn wanted(role: Role) -> Option<&'static str> {
        match role {
            Role::Scalar => Some("scalar"),
            Role::Host => Some("host"),
            Role::Branch => Some("branch"),
            Role::Terminator | Role::Body(_) => None,
        }
    }

    fn kind(meaning: Meaning) -> &'static str {
        match meaning {
            Meaning::Scalar(_) => "scalar",
            Meaning::Host(_) | Meaning::Parts(_) => "host",
            Meaning::Branch(_) => "branch",
            Meaning::Terminator | Meaning::Body(_) => "none",
        }
    }

    #[test]
    fn every_operation_has_one_meaning() {
        let declared: BTreeMap<&str, &str> =
            operations().filter_map(|def| Some((def.name, wanted(def.role)?))).collect();
        let meant: BTreeMap<&str, &str> = dialects::all().map(|(name, meaning)| (name, kind(meaning))).collect();
        assert!(declared.len() > 200);
        assert_eq!(declared, meant);
    }

    #[test]
    fn no_operation_has_two_meanings() {
        let mut seen = BTreeSet::new();
        let twice: Vec<&str> = dialects::all().map(|(name, _)| name).filter(|name| !seen.insert(*name)).collect();
        assert_eq!(twice, [""; 0]);
    }
}
