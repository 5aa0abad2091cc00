//! Statements.

use super::{Access, Attributes, BufferId, Expr, IteratorId, Place, VariableId};

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub place: Place,
    pub kind: StatementKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Iteration(Box<Iteration>),
    Block(Box<Block>),
    Loop(Loop),
    While(Expr, Vec<Statement>),
    If {
        condition: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Store(Access, Expr),
    /// A variable is known by its name behind this, as far as the body around it goes.
    Let(VariableId, Expr),
    Evaluate(Expr),
    Intrinsic(Intrinsic),
    Assert(Expr, String),
    /// The buffer lives from here to the end of the block around it.
    Allocate(BufferId),
    /// Elements of the buffer lie in this range, its end excluded.
    Domain(BufferId, Expr, Expr),
}

impl Statement {
    /// The bodies within it, in order.
    pub fn bodies(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::Iteration(iteration) => vec![&iteration.init, &iteration.body],
            StatementKind::Block(block) => vec![&block.init, &block.body],
            StatementKind::Loop(one) => vec![&one.body],
            StatementKind::While(_, body) => vec![body],
            StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
            StatementKind::Store(..)
            | StatementKind::Let(..)
            | StatementKind::Evaluate(_)
            | StatementKind::Intrinsic(_)
            | StatementKind::Assert(..)
            | StatementKind::Allocate(_)
            | StatementKind::Domain(..) => Vec::new(),
        }
    }
    /// The expressions that it computes itself, without those of its bodies.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StatementKind::Block(block) => {
                block.predicate.iter().chain(block.variables.iter().map(|one| &one.value)).collect()
            }
            StatementKind::Loop(one) => vec![&one.start, &one.end],
            StatementKind::While(condition, _) | StatementKind::If { condition, .. } => vec![condition],
            StatementKind::Store(access, value) => access.indices.iter().chain([value]).collect(),
            StatementKind::Let(_, value) | StatementKind::Evaluate(value) | StatementKind::Assert(value, _) => {
                vec![value]
            }
            StatementKind::Domain(_, start, end) => vec![start, end],
            StatementKind::Intrinsic(intrinsic) => intrinsic.values().collect(),
            StatementKind::Iteration(_) | StatementKind::Allocate(_) => Vec::new(),
        }
    }
    /// The element that it writes.
    pub fn written(&self) -> Option<&Access> {
        if let StatementKind::Store(access, _) = &self.kind { Some(access) } else { None }
    }
    pub fn iteration(&self) -> Option<&Iteration> {
        if let StatementKind::Iteration(iteration) = &self.kind { Some(iteration) } else { None }
    }
}

impl Intrinsic {
    fn values(&self) -> impl Iterator<Item = &Expr> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Value(value) => Some(value),
            Argument::Text(_) | Argument::Pointer(..) => None,
        })
    }
}

/// A sparse iteration: its body runs for each point of its iterators.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    pub name: String,
    pub steps: Vec<Step>,
    pub attributes: Attributes,
    pub init: Vec<Statement>,
    pub body: Vec<Statement>,
}

/// What one entry of the list of iterators says.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    One(Running),
    /// A chain of iterators under one loop.
    Fused(Vec<Running>),
    /// An iterator whose parent takes the coordinate of another as its position.
    Attached(Running, IteratorId),
}

/// An iterator that runs, with the name of its coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    pub place: Place,
    pub iterator: IteratorId,
    pub kind: Kind,
    pub variable: VariableId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Spatial,
    Reduction,
}

impl Kind {
    pub fn letter(self) -> char {
        match self {
            Kind::Spatial => 'S',
            Kind::Reduction => 'R',
        }
    }
}

impl Step {
    pub fn running(&self) -> &[Running] {
        match self {
            Step::One(one) | Step::Attached(one, _) => std::slice::from_ref(one),
            Step::Fused(several) => several,
        }
    }
}

impl Iteration {
    /// All iterators that run, in order.
    pub fn running(&self) -> impl Iterator<Item = &Running> {
        self.steps.iter().flat_map(|step| step.running())
    }
}

/// A loop from `start` to `end`, which is excluded.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub variable: VariableId,
    pub kind: LoopKind,
    pub start: Expr,
    pub end: Expr,
    pub attributes: Attributes,
    pub body: Vec<Statement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    Serial,
    Parallel,
    Vectorized,
    Unrolled,
    Bound(Tag),
}

/// What a loop of a GPU kernel is bound to, one of [`TAGS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag(&'static str);

pub const TAGS: &[&str] = &[
    "blockIdx.x",
    "blockIdx.y",
    "blockIdx.z",
    "threadIdx.x",
    "threadIdx.y",
    "threadIdx.z",
    "vthread",
    "vthread.x",
    "vthread.y",
    "vthread.z",
];

impl Tag {
    pub fn named(name: &str) -> Option<Tag> {
        TAGS.iter().find(|known| **known == name).map(|known| Tag(known))
    }
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// A block: statements with what they read and write, under variables of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub name: String,
    pub variables: Vec<BlockVariable>,
    pub predicate: Option<Expr>,
    /// `None` where they are to be inferred.
    pub reads: Option<Vec<Region>>,
    pub writes: Option<Vec<Region>>,
    pub attributes: Attributes,
    pub init: Vec<Statement>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BlockVariable {
    pub variable: VariableId,
    pub kind: BlockVariableKind,
    pub start: Expr,
    pub end: Expr,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockVariableKind {
    Spatial,
    Reduce,
    Opaque,
}

/// A part of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub place: Place,
    pub buffer: BufferId,
    pub ranges: Vec<Range>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    Point(Expr),
    /// From the first to the last, which is excluded.
    Between(Expr, Expr),
}

/// A call that machines know and nnz only reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Intrinsic {
    /// As scripts write it, without the prefix.
    pub name: &'static str,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Value(Expr),
    Text(String),
    Pointer(BufferId, Pointer),
}

/// What is taken of a buffer as a pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum Pointer {
    Data,
    /// With the letters of what it is for: `r`, `w` or `rw`.
    Access(String),
}
