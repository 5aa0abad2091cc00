//! A function, and what it declares.

use nnz_base::element::Element;

use super::{Attributes, Buffer, BufferId, Expr, Iterator, IteratorId, ParamId, Place, Statement, Value, VariableId};

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub place: Place,
    pub params: Vec<Param>,
    /// Names of the Python around it whose values are not known: arguments of the enclosing function.
    pub captured: Vec<VariableId>,
    pub attributes: Attributes,
    pub iterators: Vec<Iterator>,
    pub buffers: Vec<Buffer>,
    pub variables: Vec<Variable>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub place: Place,
    pub kind: ParamKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A pointer to an array.
    Handle,
    Scalar(VariableId),
    /// A pointer and the dense buffer over it in one.
    Array(BufferId),
}

/// A scalar with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub place: Place,
    pub element: Element,
    pub role: Role,
}

/// What gives a variable its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Param,
    Captured,
    /// It runs over the coordinates of an iterator.
    Iteration,
    Loop,
    Block,
    Let,
    /// It stands for a coordinate in an index map.
    Map,
}

/// How far a function is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Sparse iterations over coordinates.
    I,
    /// Loops over positions of sparse buffers.
    II,
    /// Loops over dense buffers.
    III,
}

/// The attribute that says the stage.
pub const LEVEL: &str = "sparse_tir_level";

impl Stage {
    pub fn level(self) -> i64 {
        match self {
            Stage::I => 2,
            Stage::II => 1,
            Stage::III => 0,
        }
    }
}

impl Function {
    /// The stage that its attributes say.
    pub fn stage(&self) -> Option<Stage> {
        let level = match self.attributes.get(LEVEL)? {
            Value::Int(level) => *level,
            Value::Nothing
            | Value::Bool(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Entries(_)
            | Value::Map(_) => return None,
        };
        [Stage::I, Stage::II, Stage::III].into_iter().find(|stage| stage.level() == level)
    }
    pub fn iterator(&self, id: IteratorId) -> &Iterator {
        &self.iterators[id.index()]
    }
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.index()]
    }
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.index()]
    }
    /// An iterator below its ancestors, the root first.
    pub fn path(&self, id: IteratorId) -> Vec<IteratorId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |id| self.iterator(*id).parent()).collect();
        path.reverse();
        path
    }
    pub fn iterator_ids(&self) -> impl std::iter::Iterator<Item = IteratorId> + use<> {
        (0..self.iterators.len()).map(IteratorId::new)
    }
    /// The number of positions of an iterator over all its parents, as an expression. `None` where only the arrays tell
    /// it.
    pub fn count(&self, id: IteratorId) -> Option<Expr> {
        use super::IteratorKind::{CompressedFixed, CompressedVaried, DenseFixed, DenseVaried, Flatten};
        let iterator = self.iterator(id);
        match &iterator.kind {
            DenseFixed | Flatten { .. } => Some(iterator.length.clone()),
            DenseVaried { count, .. } => count.clone(),
            CompressedVaried { count, .. } => Some(count.clone()),
            CompressedFixed { parent, columns, .. } => self.count(*parent)?.times(columns),
        }
    }
}
