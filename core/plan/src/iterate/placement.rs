//! Where in a nest the result is initialised, accumulated and stored, and whether its outermost loop
//! may run in parallel.

use super::{Iterates, IterationGraph, Loop, LoopId, SparseOperand};
use nnz_base::ids::{IndexVar, Lvl};

/// Counts of loops, from the outermost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The longest run of outermost loops that visits every value of some of the target's variables, and
    /// nothing else, exactly once. The part of the result below one iteration can be initialised there.
    pub covering: usize,
    /// The target's variables that those loops bind.
    pub covered: Vec<IndexVar>,
    /// The loops below do not change which entry is written: their sum can stay in a register.
    pub accumulate_after: usize,
    /// The loop over stored tuples in which neighbours may write the same entry and no loop sums them up: the
    /// last value written can be carried from one to the next in a register.
    pub carrying: Option<LoopId>,
    /// No two iterations of the outermost loop write the same entry.
    pub parallel: bool,
    /// Every iteration of the loops writes a different entry; not every entry need be written.
    pub distinct: bool,
    /// The loops that a register adds up may come back to an entry.
    pub comes_back: bool,
    /// The variable of the outermost loop, if it runs over sorted coordinates that repeat. Parts of it that
    /// end where the coordinate changes write different entries.
    pub parts: Option<IndexVar>,
}

impl Placement {
    /// `leader` is the operand whose levels are loops, if there is one.
    pub(super) fn new(graph: &IterationGraph, target: &[IndexVar], leader: Option<&SparseOperand>) -> Placement {
        let context = Context { target, leader };
        let steers: Vec<bool> = graph.loops.iter().map(|l| context.steers(l)).collect();
        let (covering, covered) = context.covering(graph);
        let accumulate_after = context.accumulate_after(graph, &steers);
        let around = graph.loops.iter().zip(&steers).take(accumulate_after);
        Placement {
            covering,
            covered,
            comes_back: !around.into_iter().all(|(l, steers)| *steers && context.is_unique(l)),
            accumulate_after,
            carrying: context.carrying(graph, &steers),
            parallel: graph.loops.first().is_some_and(|l| context.steers(l) && context.is_unique(l)),
            distinct: context.is_distinct(graph),
            parts: graph.loops.first().and_then(|l| context.in_parts(l)),
        }
    }

    /// The placement of a nest that stores a value for every entry of its leader, which has so many levels.
    pub(super) fn of_entries(graph: &IterationGraph, levels: usize) -> Placement {
        let accumulate_after = if levels < graph.loops.len() { levels } else { graph.loops.len() };
        Placement {
            covering: accumulate_after,
            covered: Vec::new(),
            accumulate_after,
            carrying: None,
            parallel: levels > 0,
            distinct: levels == graph.loops.len(),
            comes_back: false,
            parts: None,
        }
    }

    /// Whether each entry is stored only once, so the value need not be added to the entry.
    pub(crate) fn stores_once(&self) -> bool {
        self.covering == self.accumulate_after
    }
}

struct Context<'p> {
    target: &'p [IndexVar],
    leader: Option<&'p SparseOperand>,
}

impl Context<'_> {
    /// Whether the entry of the target that is written depends on the loop.
    fn steers(&self, l: &Loop) -> bool {
        match l.iterates {
            Iterates::Var(var) => self.target.contains(&var),
            Iterates::Level { lvl, .. } => self.target.iter().any(|var| self.levels_of(*var).contains(&lvl)),
        }
    }

    /// The levels that the variable's value follows from.
    fn levels_of(&self, var: IndexVar) -> Vec<Lvl> {
        let levels = |leader: &SparseOperand| Some(leader.levels_of(leader.binding_dim(var)?));
        self.leader.and_then(levels).unwrap_or_default()
    }

    /// The coordinates of the leader do not repeat, and the target has all variables.
    fn is_distinct(&self, graph: &IterationGraph) -> bool {
        let unique = self.leader.is_none_or(|leader| leader.unique);
        unique && graph.loops.iter().flat_map(|l| &l.binds).all(|var| self.target.contains(var))
    }

    /// Whether the loop's iterations have distinct coordinates, and these follow from one variable. Where levels store
    /// tuples together, only whole tuples are known to be distinct; a sequential level cannot be divided among threads.
    fn is_unique(&self, l: &Loop) -> bool {
        let (Iterates::Level { lvl, .. }, Some(leader)) = (l.iterates, self.leader) else { return true };
        let levels = leader.encoding.levels();
        let in_tuple = levels.get(lvl.index() + 1).is_some_and(|below| below.format.is_branchless());
        let format = leader.encoding.format(lvl);
        l.parts_of.len() == 1 && !in_tuple && !format.props().nonunique && !format.is_sequential()
    }

    /// The loop around the last levels where these are tuples whose last parts do not steer.
    fn carrying(&self, graph: &IterationGraph, steers: &[bool]) -> Option<LoopId> {
        let after = steers.iter().rposition(|steers| *steers)? + 1;
        let around = graph.loops.iter().rposition(|l| !self.is_branchless(l))?;
        let tuples = around < after && after < graph.loops.len() && self.repeats_coordinates(&graph.loops[around]);
        tuples.then(|| LoopId::new(around))
    }

    fn in_parts(&self, l: &Loop) -> Option<IndexVar> {
        let (Iterates::Level { lvl, .. }, [var]) = (l.iterates, l.binds.as_slice()) else { return None };
        let leader = self.leader?;
        let format = leader.encoding.format(lvl);
        let sorted = format.lists_entries() && format.props().nonunique && !format.props().nonordered;
        (sorted && lvl == Lvl::new(0) && leader.level_var(lvl) == Some(*var) && self.target.contains(var))
            .then_some(*var)
    }

    fn repeats_coordinates(&self, l: &Loop) -> bool {
        match l.iterates {
            Iterates::Var(_) => false,
            Iterates::Level { lvl, .. } => {
                self.leader.is_some_and(|leader| leader.encoding.format(lvl).props().nonunique)
            }
        }
    }

    fn is_branchless(&self, l: &Loop) -> bool {
        match l.iterates {
            Iterates::Var(_) => false,
            Iterates::Level { lvl, .. } => {
                self.leader.is_some_and(|leader| leader.encoding.format(lvl).is_branchless())
            }
        }
    }

    /// The number of loops down to the last one that steers; of all loops, if none below it repeats: a register would
    /// then be of no use.
    fn accumulate_after(&self, graph: &IterationGraph, steers: &[bool]) -> usize {
        let after = steers.iter().rposition(|steers| *steers).map_or(0, |at| at + 1);
        if graph.loops[after..].iter().any(|l| !self.is_branchless(l)) { after } else { graph.loops.len() }
    }

    /// The longest covering run after which each variable is bound or untouched.
    fn covering(&self, graph: &IterationGraph) -> (usize, Vec<IndexVar>) {
        let run = graph.loops.iter().take_while(|l| l.full && self.steers(l)).count();
        let bound = |count: usize| -> Vec<IndexVar> {
            let binds = graph.loops[..count].iter().flat_map(|l| l.binds.iter().copied());
            binds.filter(|var| self.target.contains(var)).collect()
        };
        let whole = |count: &usize| graph.loops[..*count].iter().all(|l| self.is_whole(l, &bound(*count)));
        let count = (0..=run).rev().find(whole).unwrap_or(0);
        (count, bound(count))
    }

    /// Every variable that the level is a part of is bound; a level that mixes dimensions is not whole.
    fn is_whole(&self, l: &Loop, bound: &[IndexVar]) -> bool {
        l.parts_of.len() == 1 && l.parts_of.iter().all(|var| bound.contains(var))
    }
}
