//! From the plan of a kernel to loops over arrays.
//!
//! A nest follows the levels of the sparse operand: each level's loop, coordinate and position come from
//! its format (`levels/<format>.rs`, the only code here that knows formats). As soon as the levels give
//! a dimension its coordinate, the coordinate is checked against the dimension's size where blocks may
//! reach over the edge, and against the variable's value where one access uses a variable twice.
//!
//! Sizes are parameters of the function, so that one function serves every shape with the same
//! encodings; constants of encodings (the sizes of blocks, n of m) are literals.

mod access;
mod levels;
mod nest;
mod parameters;
#[cfg(test)]
mod tests;
mod values;

use std::collections::HashMap;

pub use parameters::{ArrayBinding, ScalarBinding};

use crate::{
    element::Element,
    ids::IndexVar,
    iterate::{self, Plan, PlanError},
    kernel::Kernel,
    loops::{Builder, ExprId, ForKind, Function, LoopError, Stmt, Type, VarId, Verified, verify},
};
use parameters::Parameters;

/// A kernel as loops, and what to bind to their parameters.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub plan: Plan,
    pub function: Verified<Function>,
    /// One per array parameter.
    pub arrays: Vec<ArrayBinding>,
    /// One per scalar parameter.
    pub scalars: Vec<ScalarBinding>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("`{var}` runs to {extent}, beyond what positions can count")]
    TooLarge { var: String, extent: u64 },
    /// A bug in nnz: the loops that were made are shown with what is wrong with them.
    #[error("nnz made loops that its verifier refuses: {}", .problems.first().map_or(String::new(), LoopError::to_string))]
    Bug { problems: Vec<LoopError>, loops: String },
}

/// Lowers `kernel` to verified loops.
///
/// # Errors
/// Kernels that this version does not take; never [`LowerError::Bug`], unless nnz has one.
pub fn lower(kernel: &Kernel) -> Result<Lowered, LowerError> {
    let plan = iterate::plan(kernel)?;
    check_extents(kernel)?;
    let mut lowerer = Lowerer::new(kernel, &plan);
    lowerer.body();
    let Lowerer { b, parameters, .. } = lowerer;
    let function = b.finish();
    let (arrays, scalars) = parameters.into_bindings();
    match verify(function.clone()) {
        Ok(function) => Ok(Lowered { plan, function, arrays, scalars }),
        Err(problems) => Err(LowerError::Bug { problems, loops: function.to_string() }),
    }
}

fn check_extents(kernel: &Kernel) -> Result<(), LowerError> {
    let sizes = kernel.vars().iter().map(|var| (var.name.clone(), var.extent));
    match sizes.into_iter().find(|(_, extent)| i64::try_from(*extent).is_err()) {
        Some((var, extent)) => Err(LowerError::TooLarge { var, extent }),
        None => Ok(()),
    }
}

/// A kernel half lowered.
struct Lowerer<'k> {
    kernel: &'k Kernel,
    plan: &'k Plan,
    b: Builder,
    parameters: Parameters<'k>,
    /// The value of each variable that is bound so far.
    coordinates: HashMap<IndexVar, ExprId>,
    /// The value of the sparse operand at the entry that is visited.
    entry: Option<ExprId>,
}

impl<'k> Lowerer<'k> {
    fn new(kernel: &'k Kernel, plan: &'k Plan) -> Self {
        Self {
            kernel,
            plan,
            b: Builder::new(&kernel.tensor(kernel.result().tensor).name),
            parameters: Parameters::new(kernel, plan),
            coordinates: HashMap::new(),
            entry: None,
        }
    }

    fn element(&self) -> Element {
        self.kernel.element()
    }
    fn value_type(&self) -> Type {
        Type::Element(self.element())
    }

    fn body(&mut self) {
        self.b.comment(self.kernel.to_string());
        if let Some(scatter) = &self.plan.workspace {
            self.scatter(scatter);
        }
        let plan = self.plan;
        match plan.nests.split_first() {
            None => self.initialise(&plan.result_vars, true),
            Some((first, rest)) => {
                self.nest(first, nest::Target::Result, nest::Before::Nothing);
                rest.iter().for_each(|nest| self.nest(nest, nest::Target::Result, nest::Before::Initialised));
            }
        }
    }

    /// `for var in range` around what `body` emits.
    fn for_loop(&mut self, var: VarId, range: [ExprId; 2], kind: ForKind, body: impl FnOnce(&mut Self)) {
        self.b.open();
        body(self);
        let body = self.b.close();
        let [lo, hi] = range;
        self.b.push(Stmt::For { var, lo, hi, kind, body });
    }

    /// Loops over every value of `vars`, outermost first, around what `body` emits.
    fn dense_loops(&mut self, vars: &[IndexVar], kind: ForKind, body: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = vars.split_first() else { return body(self) };
        let var = self.b.local(&self.plan.vars[first.index()].name, Type::Index);
        let range = [self.b.index(0), self.extent(*first)];
        let value = self.b.var(var);
        let outer = self.coordinates.insert(*first, value);
        self.for_loop(var, range, kind, |this| this.dense_loops(rest, ForKind::Serial, body));
        match outer {
            Some(value) => self.coordinates.insert(*first, value),
            None => self.coordinates.remove(first),
        };
    }

    fn extent(&mut self, var: IndexVar) -> ExprId {
        self.parameters.extent(&mut self.b, var)
    }
}
