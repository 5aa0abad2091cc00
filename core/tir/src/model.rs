//! A function of a script: what it declares, and the statements that use it.
//!
//! Names are resolved: an iterator, a buffer or a variable is a number into the lists of its [`Function`]. Expressions
//! have types, and only [`Expr`]'s constructors make them. Nothing here knows Python.

mod place;
mod element;
mod expr;
mod iterator;
mod buffer;
mod statement;
mod attributes;
mod function;
mod schedule;
mod rule;

pub use attributes::{Attributes, IndexMap, Value};
pub use buffer::{Bits, Buffer, Dense, Layout, Origin, SCOPES, Scope, Sparse};
pub(crate) use element::names as element_names;
pub use element::{Width, element_named, name_of};
pub use expr::{Access, Binary, Expr, ExprKind, MATH, Math, Real, Unary, WrongType};
pub use function::{Function, LEVEL, Param, ParamKind, Role, Stage, Variable};
pub use iterator::{Iterator, IteratorKind};
pub use place::Place;
pub use rule::{Decomposition, Description, Places, Rule};
pub use schedule::{Argued, Call, Fixed, Given, Results, Schedule, Specialization};
pub use statement::{
    Argument, Block, BlockVariable, BlockVariableKind, Intrinsic, Iteration, Kind, Loop, LoopKind, Pointer, Range,
    Region, Running, Statement, StatementKind, Step, TAGS, Tag,
};

use nnz_base::id;

id!(/// An iterator of a function, in the order of declarations.
    IteratorId, "iterator");
id!(/// A buffer of a function; those bound to parameters come first, in the order of parameters.
    BufferId, "buffer");
id!(/// A scalar with a name.
    VariableId, "variable");
id!(/// A parameter of a function.
    ParamId, "parameter");
