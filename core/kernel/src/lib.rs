//! Kernels in index notation: tensors, index variables, one assignment.
//!
//! Meaning (Kjolstad 2017, section 3, with its sums made explicit). `y(i) = A(i, j) * x(j) + c(i)` holds for every
//! value of the variables on the left. Each additive term is summed over those of its variables that do not occur on
//! the left: `c(i)` is added once. Absent entries are zero of the type, and zero times anything is zero. `max(j, ...)`
//! reduces over `j`, with absent entries as zeros; without terms it gives the operation's identity. A reduction over
//! stored terms only (see [`Over`]) leaves absent terms out, as GraphBLAS's semirings and MLIR's `sparse_tensor.reduce`
//! do.
//!
//! Every expression has one element type, which follows from its parts: a tensor's own, a literal's
//! own, `i1` of a comparison; only [`Expr::Cast`] changes it. `f16` and `bf16` accumulate in
//! themselves, as MLIR's kernels do.
//!
//! A [`Kernel`] is valid by construction: [`Kernel::new`] is the only way to make one. Its errors name
//! an access by its number in the text (see [`AccessRef`]); `check` turns that into a place in a file.

#![warn(clippy::wildcard_enum_match_arm)]

mod index;
mod expr;
mod walk;
mod closed;
mod error;
mod print;
mod extents;
pub mod schedule;
mod stored;
mod typing;
mod validate;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use error::{AccessRef, KernelError};
pub use expr::{
    Access, BinaryOp, CompareOp, Expr, Fold, Literal, MOST_QUESTIONS, Nothing, Over, ReduceOp, Slot, UnaryOp,
};
pub use index::IndexExpr;
pub use schedule::{LoopName, Schedule, Step};
pub use stored::{Terms, of_stored};
pub use validate::result_shape;
pub use walk::Sum;

use nnz_base::{
    element::Element,
    ids::{IndexVar, TensorId},
};
use nnz_encoding::Encoding;

/// When kernels are planned without data, sizes that are known only from data are assumed to be this.
pub const ASSUMED_SIZE: u64 = 1000;

/// An operand or the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub name: String,
    pub element: Element,
    /// Size of each dimension; empty for a scalar.
    pub shape: Vec<u64>,
    /// `None`: a plain dense array, row-major.
    pub encoding: Option<Arc<Encoding>>,
}

impl Tensor {
    /// The product of its sizes.
    pub fn places(&self) -> u64 {
        self.shape.iter().copied().fold(1, u64::saturating_mul)
    }
}

/// The left side of an assignment: distinct variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultAccess {
    pub tensor: TensorId,
    pub indices: Vec<IndexVar>,
}

/// An index variable: its name and the extent that the accessed dimensions give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVarInfo {
    pub name: String,
    pub extent: u64,
}

/// The declaration of an index variable. Its extent is given if the accesses leave it open, or if it is a
/// window of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    pub name: String,
    pub extent: Option<u64>,
}

/// `result = expr`, with every tensor that it names.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    tensors: Vec<Tensor>,
    vars: Vec<IndexVarInfo>,
    result: ResultAccess,
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
        let vars = vars.into_iter().map(|name| VarDecl { name, extent: None }).collect();
        Kernel::declared(tensors, vars, result, expr)
    }

    /// The same, with the extents of some variables given.
    ///
    /// # Errors
    /// Every broken rule (see [`KernelError`]).
    pub fn declared(
        tensors: Vec<Tensor>,
        mut vars: Vec<VarDecl>,
        result: Access,
        expr: Expr,
    ) -> Result<Kernel, Vec<KernelError>> {
        let (result, mut extents) = validate::validate(&tensors, &vars, &result, &expr)?;
        let mut fresh = |var: IndexVar| {
            extents.push(extents[var.index()]);
            vars.push(vars[var.index()].clone());
            IndexVar::new(vars.len() - 1)
        };
        let expr = closed::closed(&expr, &result.indices, &mut fresh);
        Ok(Kernel::of_parts(tensors, vars, expr, (result, extents)))
    }

    /// A kernel derived from this one, with the same result. The place of its sums is not checked again.
    ///
    /// # Errors
    /// Every other rule that is broken.
    pub fn rewritten(&self, tensors: Vec<Tensor>, vars: Vec<VarDecl>, expr: Expr) -> Result<Kernel, Vec<KernelError>> {
        self.moved(tensors, vars, (self.result.tensor, expr))
    }

    /// The same with another of the tensors as the result.
    ///
    /// # Errors
    /// Every other rule that is broken.
    pub fn moved(
        &self,
        tensors: Vec<Tensor>,
        vars: Vec<VarDecl>,
        (result, expr): (TensorId, Expr),
    ) -> Result<Kernel, Vec<KernelError>> {
        let result = Access::of_vars(result, &self.result.indices);
        let (result, extents) = validate::validate_rewritten(&tensors, &vars, &result, &expr)?;
        Ok(Kernel::of_parts(tensors, vars, expr, (result, extents)))
    }

    fn of_parts(
        tensors: Vec<Tensor>,
        vars: Vec<VarDecl>,
        expr: Expr,
        (result, extents): (ResultAccess, Vec<u64>),
    ) -> Kernel {
        let vars = vars.into_iter().zip(extents).map(|(var, extent)| IndexVarInfo { name: var.name, extent }).collect();
        Kernel { tensors, vars, result, expr }
    }

    /// The variables with their extents, for a kernel derived from this one.
    pub fn declarations(&self) -> Vec<VarDecl> {
        self.vars.iter().map(|var| VarDecl { name: var.name.clone(), extent: Some(var.extent) }).collect()
    }
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }
    pub fn vars(&self) -> &[IndexVarInfo] {
        &self.vars
    }
    /// The most points that its loops can have, or the number of places of its largest operand with an encoding, if
    /// that is more.
    pub fn size(&self) -> u64 {
        let points = self.vars.iter().map(|var| var.extent).fold(1, u64::saturating_mul);
        let operands = self.tensors.iter().filter(|tensor| tensor.encoding.is_some());
        let largest = operands.map(Tensor::places).max();
        points.max(largest.unwrap_or(0))
    }
    pub fn result(&self) -> &ResultAccess {
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
    /// Whether one of the variables takes no value, so that a reduction over them has no terms at all.
    pub fn is_empty_over(&self, vars: &[IndexVar]) -> bool {
        vars.iter().any(|var| self.var(*var).extent == 0)
    }
    /// The element type of the result.
    pub fn element(&self) -> Element {
        self.tensor(self.result.tensor).element
    }
    /// The element type of a part of the expression.
    pub fn element_of(&self, expr: &Expr) -> Element {
        expr.element(&|tensor| self.tensor(tensor).element)
    }
}
