//! The iteration graph: loops, and what orders them.

use super::{SparseOperand, Term};
use crate::ids::{Dim, IndexVar, Lvl, TensorId};

crate::ids::id!(/// A loop of an iteration graph, by its place in the order.
    LoopId, "loop");

/// What a loop runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterates {
    /// A level of a sparse operand, along its storage.
    Level { tensor: TensorId, lvl: Lvl },
    /// Every value of a variable.
    Dense(IndexVar),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub iterates: Iterates,
    /// The variables whose values are known from here on.
    pub binds: Vec<IndexVar>,
    /// The variables that the level is a part of: `i` for `i floordiv 2`.
    pub parts_of: Vec<IndexVar>,
}

/// Why one loop is outside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeReason {
    /// `inner` is stored below `outer`.
    Storage { tensor: TensorId, outer: Lvl, inner: Lvl },
    /// A dense variable goes inside, where the entry of the sparse operand is at hand.
    EntryFirst { tensor: TensorId },
    /// A reduction goes outside, so that the innermost loop runs along the result's memory.
    ResultInnermost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: LoopId,
    pub to: LoopId,
    pub reason: EdgeReason,
}

/// Loops in the order in which they nest, outermost first, and the edges that asked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IterationGraph {
    pub loops: Vec<Loop>,
    pub edges: Vec<Edge>,
}

impl IterationGraph {
    /// The loops of `term` over the stored entries of `operand`, writing to a target whose variables
    /// are `target`, in the order of its storage.
    pub(super) fn of_nest(term: &Term, target: &[IndexVar], operand: &SparseOperand) -> IterationGraph {
        let mut draft = IterationGraph { loops: levels(operand), edges: Vec::new() };
        let last_level = draft.loops.len();
        let dense = dense_vars(term, target, operand);
        draft.loops.extend(dense.iter().map(|var| Loop {
            iterates: Iterates::Dense(*var),
            binds: vec![*var],
            parts_of: vec![*var],
        }));
        draft.edges.extend((1..last_level).map(|at| Edge {
            from: LoopId::new(at - 1),
            to: LoopId::new(at),
            reason: EdgeReason::Storage { tensor: operand.tensor, outer: Lvl::new(at - 1), inner: Lvl::new(at) },
        }));
        if last_level > 0 {
            draft.edges.extend((last_level..draft.loops.len()).map(|at| Edge {
                from: LoopId::new(last_level - 1),
                to: LoopId::new(at),
                reason: EdgeReason::EntryFirst { tensor: operand.tensor },
            }));
        }
        draft.add_result_edges(target);
        draft.sorted(target)
    }

    fn add_result_edges(&mut self, target: &[IndexVar]) {
        let dense = self.loops.iter().enumerate().filter_map(|(at, l)| match l.iterates {
            Iterates::Dense(var) => Some((LoopId::new(at), target.contains(&var))),
            Iterates::Level { .. } => None,
        });
        let dense: Vec<(LoopId, bool)> = dense.collect();
        let reductions = dense.iter().filter(|(_, in_target)| !in_target);
        let pairs = reductions.flat_map(|(from, _)| dense.iter().filter(|(_, t)| *t).map(|(to, _)| (*from, *to)));
        let edges: Vec<Edge> = pairs.map(|(from, to)| Edge { from, to, reason: EdgeReason::ResultInnermost }).collect();
        self.edges.extend(edges);
    }

    /// The same graph with its loops in topological order. Of loops that are ready, levels come first,
    /// then reductions, then the target's variables in the order of its storage.
    fn sorted(&self, target: &[IndexVar]) -> IterationGraph {
        let key = |at: &usize| match self.loops[*at].iterates {
            Iterates::Level { lvl, .. } => (0, lvl.index()),
            Iterates::Dense(var) => match target.iter().position(|other| *other == var) {
                Some(place) => (2, place),
                None => (1, *at),
            },
        };
        let mut order: Vec<usize> = Vec::new();
        let ready = |order: &[usize], at: usize| {
            let before = self.edges.iter().filter(|edge| edge.to.index() == at);
            before.into_iter().all(|edge| order.contains(&edge.from.index()))
        };
        while let Some(next) =
            (0..self.loops.len()).filter(|at| !order.contains(at) && ready(&order, *at)).min_by_key(key)
        {
            order.push(next);
        }
        self.renumbered(&order)
    }

    fn renumbered(&self, order: &[usize]) -> IterationGraph {
        let new = |old: LoopId| LoopId::new(order.iter().position(|at| *at == old.index()).unwrap_or(0));
        IterationGraph {
            loops: order.iter().map(|at| self.loops[*at].clone()).collect(),
            edges: self.edges.iter().map(|e| Edge { from: new(e.from), to: new(e.to), ..*e }).collect(),
        }
    }
}

/// One loop per level, with what it makes known.
fn levels(operand: &SparseOperand) -> Vec<Loop> {
    let level = |at: usize| {
        let lvl = Lvl::new(at);
        let bound = |var: &IndexVar| operand.binding_dim(*var).map(|dim| operand.known_after(dim)) == Some(at + 1);
        let dims = operand.encoding.levels()[at].expr.vars();
        Loop {
            iterates: Iterates::Level { tensor: operand.tensor, lvl },
            binds: distinct(operand.indices.iter().copied().filter(bound)),
            parts_of: distinct(dims.into_iter().filter_map(|dim: Dim| operand.indices.get(dim.index()).copied())),
        }
    };
    (0..operand.encoding.lvl_rank()).map(level).collect()
}

/// The variables of the term and the target that the operand does not bind.
fn dense_vars(term: &Term, target: &[IndexVar], operand: &SparseOperand) -> Vec<IndexVar> {
    let all = term.summed.iter().copied().chain(term.body.free_vars()).chain(target.iter().copied());
    distinct(all.filter(|var| !operand.indices.contains(var)))
}

fn distinct(vars: impl Iterator<Item = IndexVar>) -> Vec<IndexVar> {
    let mut distinct = Vec::new();
    for var in vars {
        if !distinct.contains(&var) {
            distinct.push(var);
        }
    }
    distinct
}
