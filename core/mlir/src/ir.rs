//! A checked program: functions of operations on values, in regions of blocks.
//!
//! A [`Module`] guarantees that every operand is defined before its use and has the type that the operation
//! needs, and that every called function exists.

use std::collections::HashMap;

use crate::{
    attribute::{Attribute, Attributes},
    operation::OpDef,
    types::Type,
};
use nnz_base::{id, source::Span};

id!(/// A value of a function: a parameter, an argument of a region, or a result of an operation.
    ValueId, "%");
id!(/// A function of a module.
    FunctionId, "@");

/// The part of a file between two `// -----`.
#[derive(Debug, Default)]
pub struct Module {
    pub functions: Vec<Function>,
    /// By name: those of several tables of symbols.
    pub(crate) names: HashMap<String, Vec<FunctionId>>,
}

impl Module {
    /// The function of this name; the outermost, if there are several.
    pub fn find(&self, name: &str) -> Option<FunctionId> {
        self.named(name).min_by_key(|id| self.function(*id).table)
    }
    /// The function that `caller` means by a name.
    pub fn called(&self, caller: &Function, name: &str) -> Option<FunctionId> {
        self.named(name).find(|id| self.function(*id).table == caller.table)
    }
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }
    fn named(&self, name: &str) -> impl Iterator<Item = FunctionId> {
        self.names.get(name).into_iter().flatten().copied()
    }
    /// The outermost of the functions of one name.
    pub fn outermost(&self) -> impl Iterator<Item = &Function> {
        self.names.keys().filter_map(|name| self.find(name)).map(|id| self.function(id))
    }
    /// In the order of the text.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter()
    }
}

#[derive(Debug)]
pub struct Function {
    /// Without its `@`.
    pub name: String,
    /// The table of symbols that it is in: that of the innermost module around it.
    pub table: usize,
    /// The name in the text.
    pub span: Span,
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
    /// `None` for one that is declared only.
    pub body: Option<Region>,
    /// The type of every value of the body.
    pub types: Vec<Type>,
}

impl Function {
    /// The operation that computes a value; `None` for arguments of regions.
    pub fn maker(&self, id: ValueId) -> Option<&Op> {
        self.body.as_ref()?.maker(id)
    }
}

/// The first block, and those that its branches lead to.
#[derive(Debug, Default)]
pub struct Region {
    /// The region's arguments, each with the place of its declaration.
    pub arguments: Vec<Operand>,
    /// The last one is a terminator, if the region has one.
    pub operations: Vec<Op>,
    /// Only functions and `scf.execute_region` have any.
    pub others: Vec<Block>,
    pub ending: Ending,
    /// Errors in its arguments have been reported.
    pub told: bool,
}

/// The end of a region, if it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    #[default]
    Whole,
    /// The last operation is broken, which is reported.
    Broken,
    /// The same, and it should have ended the region.
    BrokenTerminator,
}

/// A block that branches lead to.
#[derive(Debug)]
pub struct Block {
    pub label: Label,
    pub arguments: Vec<Operand>,
    pub operations: Vec<Op>,
}

/// A block's name in the text: `^bb1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    pub span: Span,
}

/// The target of a branch; its arguments are a group of the branch's operands.
#[derive(Clone, Debug)]
pub struct Successor {
    pub label: Label,
    /// The place in [`Region::others`].
    pub block: usize,
}

impl Region {
    /// `{}`
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.operations.is_empty()
    }
    /// The terminator, whose operands the region yields.
    pub fn yielded(&self) -> Option<&Op> {
        self.operations.last().filter(|op| op.def.is_terminator())
    }
    /// The operations of the first block that run.
    pub fn in_use(&self) -> impl Iterator<Item = &Op> {
        self.operations.iter().filter(|op| !op.idle)
    }
    /// The operations of each block, the first one's first.
    pub fn blocks(&self) -> impl Iterator<Item = &[Op]> {
        std::iter::once(&self.operations[..]).chain(self.others.iter().map(|block| &block.operations[..]))
    }
    fn maker(&self, id: ValueId) -> Option<&Op> {
        self.blocks().flatten().find_map(|op| match op.results.contains(&id) {
            true => Some(op),
            false => op.regions.iter().flatten().find_map(|inner| inner.maker(id)),
        })
    }
    /// The ends of the region: the last operation of every block that does not branch to another.
    pub fn ends(&self) -> impl Iterator<Item = &Op> {
        self.blocks().filter_map(<[Op]>::last).filter(|op| op.def.is_terminator() && op.successors.is_empty())
    }
}

#[derive(Debug)]
pub struct Op {
    pub def: &'static OpDef,
    /// The operation's name in the text.
    pub span: Span,
    pub operands: Vec<Operand>,
    /// The number of operands in each group, if an operation has several groups.
    pub segments: Vec<usize>,
    pub results: Vec<ValueId>,
    pub result_types: Vec<Type>,
    pub attributes: Attributes,
    /// `None` for one that is left out, such as the `else` of an `scf.if`.
    pub regions: Vec<Option<Region>>,
    /// The targets of a branch.
    pub successors: Vec<Successor>,
    /// Nothing that its kernel yields depends on it, and it does nothing else: it is not run.
    pub idle: bool,
}

/// A use of a value, or the place where one is declared.
#[derive(Clone, Debug)]
pub struct Operand {
    pub value: ValueId,
    pub ty: Type,
    pub span: Span,
    /// Nothing uses the value after this: it may be taken rather than copied.
    pub last: bool,
}

impl Operand {
    pub fn new(value: ValueId, ty: Type, span: Span) -> Operand {
        Operand { value, ty, span, last: false }
    }
}

impl Op {
    /// The operands of group `at`; all operands if there are no groups.
    pub fn group(&self, at: usize) -> &[Operand] {
        if self.segments.is_empty() {
            return if at == 0 { &self.operands } else { &[] };
        }
        let from: usize = self.segments.iter().take(at).sum();
        let len = self.segments.get(at).copied().unwrap_or(0);
        self.operands.get(from..from + len).unwrap_or_default()
    }
    pub fn region(&self, at: usize) -> Option<&Region> {
        self.regions.get(at)?.as_ref()
    }
    /// The arguments of a branch for a successor: the last groups of operands.
    pub fn handed(&self, successor: usize) -> &[Operand] {
        self.group(self.segments.len().saturating_sub(self.successors.len()) + successor)
    }
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.get(name)
    }
    /// The name of the function that a call names.
    pub fn callee(&self) -> &str {
        self.attribute("callee").and_then(Attribute::as_text).unwrap_or("")
    }
}
