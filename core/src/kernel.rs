//! Kernels in index notation: tensors, index variables, one assignment.
//! `y(i) = A(i, j) * x(j)` sums over the variables absent from the left side, term by term
//! (Kjolstad 2017, section 3).

use std::sync::Arc;

use crate::{
    element::{Element, Scalar},
    encoding::Encoding,
    ids::{IndexVar, TensorId},
};

/// An operand or the result.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub element: Element,
    /// Size of each dimension; empty for a scalar.
    pub shape: Vec<u64>,
    /// `None`: a plain dense array, row-major.
    pub encoding: Option<Arc<Encoding>>,
}

/// `A(i, j)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub tensor: TensorId,
    pub indices: Vec<IndexVar>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    Abs,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
    Tanh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Pow,
}

/// How a reduction combines its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    Sum,
    Prod,
    Min,
    Max,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Access(Access),
    Literal(Scalar),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `max(j, A(i, j))`: an explicit reduction over `vars`.
    Reduce {
        op: ReduceOp,
        vars: Vec<IndexVar>,
        body: Box<Expr>,
    },
}

/// An index variable: its name and the extent that the accessed dimensions give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVarInfo {
    pub name: String,
    pub extent: u64,
}

/// `result = expr`, with every tensor that it names.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub tensors: Vec<Tensor>,
    pub vars: Vec<IndexVarInfo>,
    pub result: Access,
    pub expr: Expr,
}

impl Kernel {
    pub fn tensor(&self, id: TensorId) -> &Tensor {
        &self.tensors[id.index()]
    }
    pub fn var(&self, var: IndexVar) -> &IndexVarInfo {
        &self.vars[var.index()]
    }
}
