//! The iteration graph: loops, and the constraints on their order.

use super::{Lattice, MOST_WALKERS, OperandId, Presence, SparseOperand, Term, guard, zero};
use nnz_base::ids::{Dim, IndexVar, Lvl, TensorId};
use nnz_kernel::{Access, Expr, Kernel};

nnz_base::id!(/// A loop of an iteration graph, by its place in the order.
    LoopId, "loop");

/// The range of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterates {
    /// A level of the leading operand, along its storage.
    Level { operand: OperandId, lvl: Lvl },
    /// The values of a variable that the walked operands' levels leave to visit; all, if none is walked.
    Var(IndexVar),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub iterates: Iterates,
    /// The variables whose values are known from here on.
    pub binds: Vec<IndexVar>,
    /// The variables that the level is a part of: `i` for `i floordiv 2`.
    pub parts_of: Vec<IndexVar>,
    /// Every value is visited.
    pub full: bool,
}

impl Loop {
    /// A loop over a variable.
    pub(super) fn over(var: IndexVar, full: bool) -> Loop {
        Loop { iterates: Iterates::Var(var), binds: vec![var], parts_of: vec![var], full }
    }
}

/// Why one loop is outside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeReason {
    /// `inner` is stored below `outer`.
    Storage { tensor: TensorId, outer: Lvl, inner: Lvl },
    /// A dense variable goes inside, where the sparse operand's entry is loaded.
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

/// Loops in nesting order, outermost first, and the edges that constrain it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IterationGraph {
    pub loops: Vec<Loop>,
    pub edges: Vec<Edge>,
}

impl IterationGraph {
    /// The loops of `term` along the levels of the leader `operand`, then over the variables that it does not
    /// bind. `target` has the variables of the tensor that is written, in the order of its storage.
    pub(super) fn of_levels(term: &Term, target: &[IndexVar], leader: (OperandId, &SparseOperand)) -> IterationGraph {
        let (id, operand) = leader;
        let mut draft = IterationGraph { loops: levels(id, operand), edges: Vec::new() };
        let last_level = draft.loops.len();
        let dense = dense_vars(term, target, operand);
        draft.loops.extend(dense.iter().map(|var| Loop::over(*var, true)));
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

    /// The loops of `expr` over `vars`, in an order in which every operand is concordant.
    pub(super) fn of_vars(
        kernel: &Kernel,
        expr: &Expr,
        vars: &[IndexVar],
        operands: &[SparseOperand],
    ) -> IterationGraph {
        // If the outer loops found no entry, there may be none here either: in `a(i) + b(j)` both operands may be
        // absent.
        let full = |at: usize| is_full(kernel, expr, (&vars[..=at], vars), operands);
        let loops = vars.iter().enumerate().map(|(at, var)| Loop::over(*var, full(at))).collect();
        let place = |var: Option<IndexVar>| vars.iter().position(|other| Some(*other) == var).map(LoopId::new);
        let edges = operands.iter().flat_map(|operand| {
            let pairs = (1..operand.encoding.lvl_rank()).map(|at| (Lvl::new(at - 1), Lvl::new(at)));
            pairs.filter_map(move |(outer, inner)| {
                let (from, to) = (place(operand.level_var(outer))?, place(operand.level_var(inner))?);
                Some(Edge { from, to, reason: EdgeReason::Storage { tensor: operand.tensor, outer, inner } })
            })
        });
        IterationGraph { loops, edges: edges.collect() }
    }

    /// The variables in the order in which the loops bind them.
    pub fn variables(&self) -> impl Iterator<Item = IndexVar> {
        self.loops.iter().flat_map(|l| l.binds.iter().copied())
    }

    /// The operand whose levels are loops.
    pub(crate) fn leader(&self) -> Option<OperandId> {
        self.loops.iter().find_map(|l| match l.iterates {
            Iterates::Level { operand, .. } => Some(operand),
            Iterates::Var(_) => None,
        })
    }

    /// Marks the loops as not full in which one of the operands `looked_up` may be absent.
    pub(super) fn leave_out<'o>(&mut self, looked_up: impl Iterator<Item = &'o SparseOperand>) {
        let order: Vec<IndexVar> = self.loops.iter().flat_map(|l| l.binds.iter().copied()).collect();
        for operand in looked_up {
            let ends = |l: &Loop| l.binds.iter().any(|var| operand.may_end_at(*var, &order));
            self.loops.iter_mut().filter(|l| ends(l)).for_each(|l| l.full = false);
        }
    }

    fn add_result_edges(&mut self, target: &[IndexVar]) {
        let dense = self.loops.iter().enumerate().filter_map(|(at, l)| match l.iterates {
            Iterates::Var(var) => Some((LoopId::new(at), target.contains(&var))),
            Iterates::Level { .. } => None,
        });
        let dense: Vec<(LoopId, bool)> = dense.collect();
        let reductions = dense.iter().filter(|(_, in_target)| !in_target);
        let pairs = reductions.flat_map(|(from, _)| dense.iter().filter(|(_, t)| *t).map(|(to, _)| (*from, *to)));
        let edges: Vec<Edge> = pairs.map(|(from, to)| Edge { from, to, reason: EdgeReason::ResultInnermost }).collect();
        self.edges.extend(edges);
    }

    /// The same graph with its loops in topological order. Among ready loops levels come first, then
    /// reductions, then the target's variables in the order of its storage.
    fn sorted(&self, target: &[IndexVar]) -> IterationGraph {
        let key = |at: &usize| match self.loops[*at].iterates {
            Iterates::Level { lvl, .. } => (0, lvl.index()),
            Iterates::Var(var) => match target.iter().position(|other| *other == var) {
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

/// One loop per level, with the variables that it binds.
fn levels(id: OperandId, operand: &SparseOperand) -> Vec<Loop> {
    let level = |at: usize| {
        let lvl = Lvl::new(at);
        let bound = |var: &IndexVar| operand.binding_dim(*var).map(|dim| operand.known_after(dim)) == Some(at + 1);
        let dims = operand.encoding.levels()[at].expr.vars();
        Loop {
            iterates: Iterates::Level { operand: id, lvl },
            binds: distinct(operand.indices.iter().copied().filter(bound)),
            parts_of: distinct(dims.into_iter().filter_map(|dim: Dim| operand.indices.get(dim.index()).copied())),
            full: operand.encoding.format(lvl).is_full(),
        }
    };
    (0..operand.encoding.lvl_rank()).map(level).collect()
}

/// The variables of the term and the target that the operand does not bind.
fn dense_vars(term: &Term, target: &[IndexVar], operand: &SparseOperand) -> Vec<IndexVar> {
    let all = term.summed.iter().copied().chain(term.body.free_vars()).chain(target.iter().copied());
    distinct(all.filter(|var| !operand.indices.contains(var)))
}

/// The operands whose level over `var` is walked: those that store only some of its values, and are not looked up.
fn walkers(expr: &Expr, var: IndexVar, operands: &[SparseOperand]) -> Vec<OperandId> {
    let walked = |operand: &SparseOperand| {
        let mut levels = operand.partial_levels(var);
        !operand.is_looked_up_along(var) && levels.any(|lvl| operand.level_var(lvl) == Some(var))
    };
    in_expr(expr, operands).into_iter().filter(|id| walked(&operands[id.index()])).collect()
}

/// The operands in which the loop over `var`, of loops in `order`, looks entries up.
pub(super) fn looked_up(expr: &Expr, along: (IndexVar, &[IndexVar]), operands: &[SparseOperand]) -> Vec<OperandId> {
    let here = partial_along(expr, along, operands).into_iter();
    here.filter(|id| operands[id.index()].has_looked_up_level()).collect()
}

/// The operands for which the loop over `var`, of loops in `order`, may find no entry.
pub(super) fn partial_along(
    expr: &Expr,
    (var, order): (IndexVar, &[IndexVar]),
    operands: &[SparseOperand],
) -> Vec<OperandId> {
    let here = in_expr(expr, operands).into_iter();
    here.filter(|id| operands[id.index()].may_end_at(var, order)).collect()
}

fn in_expr(expr: &Expr, operands: &[SparseOperand]) -> Vec<OperandId> {
    let accesses = expr.accesses();
    let used = (0..operands.len()).filter(|at| accesses.iter().any(|access| operands[*at].is(access)));
    used.map(OperandId::new).collect()
}

/// What a loop over one variable walks.
pub(crate) enum Walks {
    /// Every value of the variable.
    Values,
    Lattice(Lattice),
    /// More operands than one loop merges: the terms have loops of their own.
    Many(Vec<OperandId>),
}

/// What a loop over `var` walks for the whole expression.
pub(crate) fn walks_along(kernel: &Kernel, expr: &Expr, var: IndexVar, operands: &[SparseOperand]) -> Walks {
    let walkers = walkers(expr, var, operands);
    let operand = |access: &Access| super::operand::find(operands, access);
    let open = |id: OperandId| {
        let lvl = operands[id.index()].partial_levels(var).last();
        operands[id.index()].has_partial_level_from(lvl.map_or(0, |lvl| lvl.index() + 1))
    };
    if walkers.is_empty() {
        return Walks::Values;
    }
    match Lattice::new(kernel, expr, walkers.clone(), &operand, &open) {
        Some(lattice) => Walks::Lattice(lattice),
        None => Walks::Many(walkers),
    }
}

/// Whether the loops over `vars`, of loops in an order, visit every point if `expr` is not absent: it has a value
/// whichever operands they find absent.
pub(crate) fn is_full(
    kernel: &Kernel,
    expr: &Expr,
    (vars, order): (&[IndexVar], &[IndexVar]),
    operands: &[SparseOperand],
) -> bool {
    let asks = expr.nodes().into_iter().any(Expr::asks);
    let all = in_expr(expr, operands);
    let partial = vars.iter().flat_map(|var| partial_along(expr, (*var, order), operands));
    let partial: Vec<OperandId> = partial.collect();
    let left = |absent: &[OperandId]| left_without(kernel, expr, (absent, operands));
    match asks && all.len() > MOST_WALKERS {
        _ if partial.is_empty() => true,
        true => false,
        // If no part tests presence, an absent expression stays absent when more operands are.
        false if !asks => left(&partial).is_some(),
        false => subsets(&all).all(|absent| left(&absent).is_some()),
    }
}

/// `expr` where the loops over `vars`, of loops in an order, find none of the operands that they may pass over.
pub(crate) fn without_partial(
    kernel: &Kernel,
    expr: &Expr,
    (vars, order): (&[IndexVar], &[IndexVar]),
    operands: &[SparseOperand],
) -> Option<Expr> {
    let partial = vars.iter().flat_map(|var| partial_along(expr, (*var, order), operands));
    left_without(kernel, expr, (&partial.collect::<Vec<_>>(), operands))
}

/// Whether filters leave out a value of `expr` somewhere, with any of its operands absent.
pub(crate) fn is_filtered(kernel: &Kernel, expr: &Expr, operands: &[SparseOperand]) -> bool {
    let all = in_expr(expr, operands);
    let filtered = |left: Expr| guard::of(kernel, &left).is_some();
    let absent = |absent: Vec<OperandId>| left_without(kernel, expr, (&absent, operands));
    all.len() > MOST_WALKERS || subsets(&all).filter_map(absent).any(filtered)
}

/// `expr` simplified for some absent operands.
fn left_without(kernel: &Kernel, expr: &Expr, (absent, operands): (&[OperandId], &[SparseOperand])) -> Option<Expr> {
    zero::simplify(kernel, expr, &|access| absent.iter().any(|id| operands[id.index()].is(access)))
}

/// All subsets of a few operands.
fn subsets(all: &[OperandId]) -> impl Iterator<Item = Vec<OperandId>> {
    let some = |present: Presence| (0..all.len()).filter(move |at| !present.has(*at)).map(|at| all[at]).collect();
    Presence::all(all.len()).subsets().into_iter().map(some)
}

/// The variables of the loops of a term: those that nothing inside it binds.
pub(super) fn loop_vars(term: &Term, target: &[IndexVar]) -> Vec<IndexVar> {
    let bound = term.body.bound_vars();
    let all = target.iter().copied().chain(term.summed.iter().copied()).chain(term.body.free_vars());
    distinct(all.filter(|var| !bound.contains(var)))
}

pub(super) fn distinct(vars: impl Iterator<Item = IndexVar>) -> Vec<IndexVar> {
    let mut distinct = Vec::new();
    for var in vars {
        if !distinct.contains(&var) {
            distinct.push(var);
        }
    }
    distinct
}
