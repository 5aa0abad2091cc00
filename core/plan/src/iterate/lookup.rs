//! Operands that loops look up instead of walking: "locate" in Chou 2018, section 3.
//!
//! A level that can locate, but is not full, needs no conversion if other operands give the coordinates, or if all
//! coordinates are visited. Once the variables of its expression are bound, its position is computed or searched
//! for, and a branch tests whether there is one. Otherwise, as for a hash table in a union, a level that has a place
//! for every coordinate is traversed, and any other is converted. It is converted, too, if only full levels give the
//! coordinates, the result is absent wherever it is, and visiting all of them takes more steps than converting.

use super::{
    SparseOperand,
    order::{FIBER, conversion_steps},
    zero,
};
use nnz_base::ids::{IndexVar, Lvl};
use nnz_encoding::LevelFormat;
use nnz_kernel::{Access, Expr, Kernel};

/// The levels of an operand that a loop enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entered {
    Nothing,
    /// Levels that are full.
    Full,
    /// A level that is walked.
    Walked,
    /// Levels that are looked up, each with a place for every coordinate.
    Scanned,
    /// Levels that are looked up and do not have a place for every coordinate, so that a loop over all coordinates
    /// would not traverse them.
    Searched,
}

/// The parts of `expr` that a loop over `var` computes: the bodies of the reductions over `var`, or else the whole.
fn within(expr: &Expr, var: IndexVar) -> Vec<&Expr> {
    let reduced = |node: &'_ Expr| matches!(node, Expr::Reduce { vars, .. } if vars.contains(&var));
    let found: Vec<&Expr> = expr.nodes().into_iter().filter(|node| reduced(node)).collect();
    let bodies: Vec<&Expr> = found.iter().flat_map(|node| node.operands()).collect();
    if bodies.is_empty() { vec![expr] } else { bodies }
}

/// The operands that are searched.
fn searched(entered: &[Entered]) -> Vec<usize> {
    (0..entered.len()).filter(|at| entered[*at] == Entered::Searched).collect()
}

/// Expressions, and the order of the loops that compute them.
pub(super) struct LookUps<'p> {
    pub(super) kernel: &'p Kernel,
    pub(super) exprs: Vec<&'p Expr>,
    pub(super) operands: &'p [SparseOperand],
    pub(super) order: &'p [IndexVar],
}

impl LookUps<'_> {
    /// Which operands the loops cannot reach as they are: one flag for each.
    pub(super) fn broken(&self) -> Vec<bool> {
        let mut broken: Vec<bool> = self.operands.iter().map(|operand| !operand.follows(self.order)).collect();
        if self.operands.iter().all(|operand| operand.mergeable().is_some()) {
            return broken;
        }
        while let Some(at) = self.undriven(&broken) {
            broken[at] = true;
        }
        broken
    }

    /// An operand that would be searched at coordinates that no walked operand gives.
    fn undriven(&self, broken: &[bool]) -> Option<usize> {
        let loops = 0..self.order.len();
        loops.into_iter().find_map(|at| {
            let entered = self.operands.iter().enumerate().map(|(operand, _)| self.entered(operand, at, broken));
            let entered: Vec<Entered> = entered.collect();
            let computed = self.exprs.iter().flat_map(|expr| within(expr, self.order[at]));
            { computed }.find_map(|expr| self.undriven_in(expr, &entered).or_else(|| self.dear_in(expr, at, &entered)))
        })
    }

    /// Whether something is left of `expr` where these operands are absent.
    fn remains(&self, expr: &Expr, absent: &dyn Fn(usize) -> bool) -> bool {
        let absent = |access: &Access| self.operands.iter().position(|o| o.is(access)).is_some_and(absent);
        zero::simplify(self.kernel, expr, &absent).is_some()
    }

    fn undriven_in(&self, expr: &Expr, entered: &[Entered]) -> Option<usize> {
        let remains = |absent: &dyn Fn(usize) -> bool| self.remains(expr, absent);
        let searched = searched(entered);
        let others = |at: usize| !matches!(entered[at], Entered::Nothing | Entered::Searched);
        let everywhere = || remains(&|at| !matches!(entered[at], Entered::Nothing | Entered::Full));
        if searched.is_empty() || !remains(&others) || everywhere() {
            return None;
        }
        let alone = |only: &&usize| remains(&|at| at != **only && entered[at] != Entered::Nothing);
        searched.iter().find(alone).or(searched.first()).copied()
    }

    /// An operand that would be searched at every coordinate of a loop, of which its own few would do.
    fn dear_in(&self, expr: &Expr, at: usize, entered: &[Entered]) -> Option<usize> {
        let dear = searched(entered)
            .into_iter()
            .find(|only| self.is_dear(&self.operands[*only], at) && !self.remains(expr, &|operand| operand == *only))?;
        self.remains(expr, &|operand| entered[operand] == Entered::Walked).then_some(dear)
    }

    /// Whether searching an operand at every coordinate of the `at`th loop takes more steps than converting it first.
    fn is_dear(&self, operand: &SparseOperand, at: usize) -> bool {
        let extent = |var: &IndexVar| self.kernel.var(*var).extent as f64;
        let outside = self.order[..at].iter().filter(|var| operand.indices.contains(var));
        let rows: f64 = outside.map(extent).product();
        let conversion = conversion_steps(&self.kernel.tensor(operand.tensor).shape);
        rows * extent(&self.order[at]) > conversion + rows * FIBER
    }

    /// What the `at`th loop enters of an operand.
    fn entered(&self, operand: usize, at: usize, broken: &[bool]) -> Entered {
        let (operand, broken, var) = (&self.operands[operand], broken[operand], self.order[at]);
        if broken {
            return if operand.indices.contains(&var) { Entered::Walked } else { Entered::Nothing };
        }
        let levels = operand.levels_entered(self.order, at).unwrap_or_default();
        let formats: Vec<LevelFormat> = levels.map(|lvl| operand.encoding.format(Lvl::new(lvl))).collect();
        match formats.iter().find(|format| !format.has_every_place()) {
            _ if formats.is_empty() => Entered::Nothing,
            Some(format) if format.merges() => Entered::Walked,
            Some(_) => Entered::Searched,
            None if formats.iter().all(|format| format.is_full()) => Entered::Full,
            None => Entered::Scanned,
        }
    }
}
