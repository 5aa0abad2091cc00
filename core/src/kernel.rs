//! Kernels in index notation: tensors, index variables, one assignment.
//!
//! Meaning (Kjolstad 2017, section 3, with its sums made explicit). `y(i) = A(i, j) * x(j) + c(i)` holds
//! for every value of the variables on the left. Each additive term is summed over its own variables
//! that the left side lacks: `c(i)` is added once. Absent entries are zero of the type, and zero times
//! anything is zero. `max(j, ...)` reduces over `j` by name, absent entries included as zeros; over
//! nothing it gives the operation's identity. All arithmetic is in the element type that the tensors
//! share; `f16` and `bf16` accumulate in themselves, as MLIR's kernels do.
//!
//! A [`Kernel`] is valid by construction: [`Kernel::new`] is the only way to make one. Its errors name
//! an access by its number in the text (see [`Place`]); `check` turns that into a place in a file.

mod error;
mod print;
#[cfg(test)]
mod tests;
mod validate;
mod walk;

use std::sync::Arc;

pub use error::{KernelError, Place};
pub use validate::result_shape;

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
    tensors: Vec<Tensor>,
    vars: Vec<IndexVarInfo>,
    result: Access,
    expr: Expr,
}

impl Kernel {
    /// Checks the assignment and gives every variable the extent that the shapes agree on. `vars` are
    /// the variables' names.
    ///
    /// # Errors
    /// Every broken rule (see [`KernelError`]).
    pub fn new(
        tensors: Vec<Tensor>,
        vars: Vec<String>,
        result: Access,
        expr: Expr,
    ) -> Result<Kernel, Vec<KernelError>> {
        let extents = validate::validate(&tensors, &vars, &result, &expr)?;
        let vars = vars.into_iter().zip(extents).map(|(name, extent)| IndexVarInfo { name, extent }).collect();
        Ok(Kernel { tensors, vars, result, expr })
    }

    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }
    pub fn vars(&self) -> &[IndexVarInfo] {
        &self.vars
    }
    /// The left side: distinct variables.
    pub fn result(&self) -> &Access {
        &self.result
    }
    pub fn expr(&self) -> &Expr {
        &self.expr
    }
    pub fn tensor(&self, id: TensorId) -> &Tensor {
        &self.tensors[id.index()]
    }
    pub fn var(&self, var: IndexVar) -> &IndexVarInfo {
        &self.vars[var.index()]
    }
    /// The element type that every tensor has.
    pub fn element(&self) -> Element {
        self.tensor(self.result.tensor).element
    }
}
