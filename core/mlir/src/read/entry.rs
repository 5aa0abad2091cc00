//! The tables of the dialects: an operation's declaration, and how its text is read and checked.

use rustc_hash::FxHashMap;

use super::Reader;
use crate::{
    constraints::Constraints,
    draft::Draft,
    inherent::Inherent,
    ir::Op,
    mistake::{Mistake, Read},
    operation::{BodyOp, Group, OpDef, OpId, Regions, Role},
};
use nnz_base::element::Scalar;

/// One operation. A new operation is one entry in the table of its dialect (`dialects/*.rs`) and one in the machine's,
/// which says what it does.
#[derive(Clone, Copy)]
pub struct Entry {
    pub(crate) def: OpDef,
    /// Reads what follows the name in the custom syntax.
    pub(super) syntax: SyntaxFn,
    /// Further checks of operands, attributes and regions, which the syntax does not express, or which generic
    /// syntax did not check.
    pub(super) verify: fn(&Draft) -> Result<(), Mistake>,
    /// Adds what the custom syntax implies and generic syntax omits.
    pub(super) implied: fn(&mut Draft),
}

type SyntaxFn = fn(&mut Reader<'_>, &mut Draft) -> Read<()>;

impl Entry {
    const fn new(name: &'static str, types: Constraints, syntax: SyntaxFn, role: Role) -> Entry {
        Entry { def: OpDef::new(name, types, role), syntax, verify: anything, implied: nothing }
    }
    pub const fn host(name: &'static str, types: Constraints, syntax: SyntaxFn) -> Entry {
        Entry::new(name, types, syntax, Role::Host)
    }
    pub const fn terminator(name: &'static str, types: Constraints, syntax: SyntaxFn) -> Entry {
        Entry::new(name, types, syntax, Role::Terminator)
    }
    pub const fn branch(name: &'static str, types: Constraints, syntax: SyntaxFn) -> Entry {
        Entry::new(name, types, syntax, Role::Branch)
    }
    pub const fn body(name: &'static str, types: Constraints, syntax: SyntaxFn, meaning: BodyOp) -> Entry {
        Entry::new(name, types, syntax, Role::Body(meaning))
    }
    pub const fn scalar(name: &'static str, types: Constraints, syntax: SyntaxFn) -> Entry {
        Entry::new(name, types, syntax, Role::Scalar)
    }
    pub fn name(&self) -> &'static str {
        self.def.name
    }
    #[must_use]
    pub const fn verified(mut self, verify: fn(&Draft) -> Result<(), Mistake>) -> Entry {
        self.verify = verify;
        self
    }
    #[must_use]
    pub(crate) const fn implying(mut self, implied: fn(&mut Draft)) -> Entry {
        self.implied = implied;
        self
    }
    #[must_use]
    pub const fn grouped(mut self, groups: &'static [Group]) -> Entry {
        self.def.groups = groups;
        self
    }
    /// Most have none.
    #[must_use]
    pub(crate) const fn with(mut self, regions: Regions) -> Entry {
        self.def.regions = regions;
        self
    }
    #[must_use]
    pub const fn having(mut self, attributes: &'static [Inherent]) -> Entry {
        self.def.attributes = attributes;
        self
    }
}

fn nothing(_: &mut Draft) {}

/// No checks beyond those of the syntax.
fn anything(_: &Draft) -> Result<(), Mistake> {
    Ok(())
}

/// What a reader knows about the dialects.
pub struct Dialects {
    /// Each at the place that its id says.
    entries: Vec<Entry>,
    /// Looked up for every operation of a text.
    by_name: FxHashMap<&'static str, OpId>,
    /// Operations that are legal, but do not run.
    pub(super) elsewhere: &'static [&'static str],
    /// The number that an operation is, if it is a constant.
    pub(super) constant: fn(&Op) -> Option<Scalar>,
}

impl Dialects {
    /// Of two operations with one name the first counts.
    pub fn new(
        tables: &[&[Entry]],
        elsewhere: &'static [&'static str],
        constant: fn(&Op) -> Option<Scalar>,
    ) -> Dialects {
        let entries = tables.iter().flat_map(|table| table.iter()).enumerate();
        let numbered = |(at, entry): (usize, &Entry)| Entry { def: OpDef { id: OpId::new(at), ..entry.def }, ..*entry };
        let entries: Vec<Entry> = entries.map(numbered).collect();
        let by_name = entries.iter().rev().map(|entry| (entry.def.name, entry.def.id)).collect();
        Dialects { entries, by_name, elsewhere, constant }
    }
    /// The operation of a name; `call` and `return` may leave their dialect out.
    pub fn lookup(&self, name: &str) -> Option<&Entry> {
        let name = match name {
            "call" => "func.call",
            "return" => "func.return",
            "constant" => "func.constant",
            other => other,
        };
        self.entries.get(self.by_name.get(name)?.index())
    }
    /// Every operation, in the order of the tables.
    pub fn operations(&self) -> impl Iterator<Item = &OpDef> {
        self.entries.iter().map(|entry| &entry.def)
    }
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.operations().map(|def| def.name)
    }
}
