//! Operands that loops look up instead of walking: "locate" in Chou 2018, section 3.
//!
//! A level that can locate, but is not full, needs no conversion if other operands give the coordinates, or if all
//! coordinates are visited. Once the variables of its expression are bound, its position is computed or searched
//! for, and a branch tests whether there is one. Otherwise, as for a hash table in a union, a level that has a place
//! for every coordinate is traversed, and any other is converted. It is converted, too, if only full levels give the
//! coordinates, the result is absent wherever it is, and visiting all of them takes more steps than converting.
//!
//! A sparse vector whose walk outer loops would repeat, and which only filters what others give, becomes a bitmap first,
//! which is looked up.

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

/// How loops get at the entries of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    AsStored,
    /// Converted first, to levels in the order of the loops.
    Sorted,
    /// Converted first, to a level with a place for every coordinate.
    Located,
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
    /// How the loops reach each operand.
    pub(super) fn reaches(&self) -> Vec<Reach> {
        let follows =
            |operand: &SparseOperand| if operand.follows(self.order) { Reach::AsStored } else { Reach::Sorted };
        let mut reaches: Vec<Reach> = self.operands.iter().map(follows).collect();
        if self.operands.iter().any(|operand| operand.mergeable().is_none()) {
            while let Some(at) = self.undriven(&reaches) {
                reaches[at] = Reach::Sorted;
            }
        }
        while let Some(at) = self.repeated(&reaches) {
            reaches[at] = Reach::Located;
        }
        reaches
    }

    /// What the `at`th loop enters of each operand, and the parts of the expressions that it computes.
    fn entered_by(&self, at: usize, reaches: &[Reach]) -> (Vec<Entered>, Vec<&Expr>) {
        let entered = (0..self.operands.len()).map(|operand| self.entered(operand, at, reaches));
        (entered.collect(), self.exprs.iter().flat_map(|expr| within(expr, self.order[at])).collect())
    }

    /// An operand that would be searched at coordinates that no walked operand gives.
    fn undriven(&self, reaches: &[Reach]) -> Option<usize> {
        (0..self.order.len()).find_map(|at| {
            let (entered, computed) = self.entered_by(at, reaches);
            let undriven = |expr: &Expr| self.undriven_in(expr, &entered).or_else(|| self.dear_in(expr, at, &entered));
            computed.into_iter().find_map(|expr| undriven(expr).or_else(|| undriven(&self.left_by(expr, at, reaches)?)))
        })
    }

    /// What is left of `expr` in the `at`th loop where outer loops met none of what they walk.
    fn left_by(&self, expr: &Expr, at: usize, reaches: &[Reach]) -> Option<Expr> {
        let walked = |operand: usize| (0..at).any(|outer| self.entered(operand, outer, reaches) == Entered::Walked);
        let absent = |access: &Access| self.operands.iter().position(|o| o.is(access)).is_some_and(walked);
        zero::simplify(self.kernel, expr, &absent)
    }

    /// A vector that a loop would walk anew in every step of the loops around it, though others give the coordinates
    /// wherever it stands.
    fn repeated(&self, reaches: &[Reach]) -> Option<usize> {
        (1..self.order.len()).find_map(|at| {
            let (entered, computed) = self.entered_by(at, reaches);
            let walked = |operand: &usize| entered[*operand] == Entered::Walked;
            let has = |expr: &Expr, only: usize| expr.accesses().iter().any(|access| self.operands[only].is(access));
            let filters = |only: usize| {
                let mut parts = computed.iter().filter(|expr| has(expr, only)).peekable();
                let driven = |expr: &&Expr| !self.remains(expr, &|operand| operand != only && walked(&operand));
                parts.peek().is_some() && parts.all(driven)
            };
            (0..entered.len()).find(|only| walked(only) && self.is_dear_anew(*only, at) && filters(*only))
        })
    }

    /// Whether walking an operand in every step of the loops around the `at`th takes more steps than converting it.
    fn is_dear_anew(&self, operand: usize, at: usize) -> bool {
        let operand = &self.operands[operand];
        let extent = |var: &IndexVar| self.kernel.var(*var).extent as f64;
        let rounds: f64 = self.order[..at].iter().map(extent).product();
        let is_vector = operand.condition.is_none() && operand.indices == [self.order[at]];
        is_vector && rounds * FIBER > conversion_steps(&self.kernel.tensor(operand.tensor).shape)
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
    fn entered(&self, operand: usize, at: usize, reaches: &[Reach]) -> Entered {
        let (operand, reach, var) = (&self.operands[operand], reaches[operand], self.order[at]);
        match reach {
            Reach::Sorted | Reach::Located if !operand.indices.contains(&var) => return Entered::Nothing,
            Reach::Sorted => return Entered::Walked,
            Reach::Located => return Entered::Scanned,
            Reach::AsStored => {}
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
