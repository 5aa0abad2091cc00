//! Finds races and divergent barriers, from the loop variables that values depend on.
//!
//! A value depends on a concurrent loop if it is computed from the loop's variable, directly, through other
//! variables, or through the conditions under which these are assigned. A value that may have been written meanwhile
//! counts as dependent on all loops. A store is a race if neither its index nor a condition around it depends on the
//! loop: then all iterations write the same entry. A barrier is divergent if a condition around it depends on a
//! thread.

use std::collections::HashMap;

use super::{LoopError, Seen};
use crate::{AccessMode, ArrayId, ExprId, ForKind, Function, Stmt, VarId, sizes::constant, visit};

/// Concurrent loops, one a bit in the order of the text; all behind the 63rd share a bit.
type Loops = u64;
const ALL: Loops = Loops::MAX;

/// Every race and parting that is found.
pub(super) fn find(function: &Function) -> Vec<LoopError> {
    let is_concurrent = |stmt: &Stmt| matches!(stmt, Stmt::For { kind, .. } if kind.is_concurrent());
    if !visit::any(&function.body, &is_concurrent) {
        return Vec::new();
    }
    let mut flow = Flow {
        function,
        known: vec![0; function.vars.len()],
        edges: Vec::new(),
        loops: Vec::new(),
        owned: HashMap::new(),
        events: Vec::new(),
        seen: Seen::default(),
    };
    flow.block(&function.body, Context::default());
    flow.solve();
    flow.errors()
}

/// What a value is computed from: variables and conditions by number, and loops that it depends on in any case.
#[derive(Clone, Default)]
struct Sources {
    from: Vec<usize>,
    loops: Loops,
}

/// The loops and conditions around a statement.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The condition under which it runs.
    under: Option<usize>,
    /// The loops around it.
    inside: Loops,
    /// Those of more than one iteration.
    many: Loops,
}

/// What must not depend on a loop, or must.
enum Event {
    Store { array: ArrayId, place: Context, at: Sources },
    Barrier { place: Context },
    Shuffle { place: Context },
}

struct Flow<'f> {
    function: &'f Function,
    /// For each variable, then each condition, the loops that it depends on.
    known: Vec<Loops>,
    edges: Vec<(usize, Sources)>,
    loops: Vec<(VarId, ForKind)>,
    /// The loops around an array's allocation: each iteration has an array of its own.
    owned: HashMap<ArrayId, Loops>,
    events: Vec<Event>,
    seen: Seen,
}

impl Flow<'_> {
    fn block(&mut self, block: &[Stmt], place: Context) {
        block.iter().for_each(|stmt| self.stmt(stmt, place));
    }

    fn stmt(&mut self, stmt: &Stmt, place: Context) {
        match stmt {
            Stmt::Let { var, value } | Stmt::Mut { var, value } => self.edge(var.index(), &[*value], None),
            Stmt::Assign { var, value } => self.edge(var.index(), &[*value], place.under),
            Stmt::Store { array, index, .. } | Stmt::StoreVector { array, index, .. } => {
                self.store(*array, &[*index], place);
            }
            Stmt::Sort { array, lo, hi } => self.store(*array, &[*lo, *hi], place),
            Stmt::LoadVector { vars, array, index } => {
                let read = self.read(*array);
                vars.iter().for_each(|var| {
                    self.known[var.index()] |= read;
                    self.edge(var.index(), &[*index], None);
                });
            }
            Stmt::Atomic { old, .. } => old.iter().for_each(|old| self.known[old.index()] = ALL),
            Stmt::Shuffle { var, .. } => {
                self.known[var.index()] = ALL;
                self.events.push(Event::Shuffle { place });
            }
            Stmt::Barrier => self.events.push(Event::Barrier { place }),
            Stmt::Alloc { array } => drop(self.owned.insert(*array, place.inside)),
            Stmt::For { var, lo, hi, kind, body } => self.for_loop(*var, [*lo, *hi], *kind, body, place),
            Stmt::While { cond, body } => {
                let place = self.under(&[*cond], place);
                self.block(body, place);
            }
            Stmt::If { cond, then, other } => {
                let place = self.under(&[*cond], place);
                self.block(then, place);
                self.block(other, place);
            }
            Stmt::Copy { .. } | Stmt::Launch(_) | Stmt::Comment(_) => {}
        }
    }

    fn for_loop(&mut self, var: VarId, [lo, hi]: [ExprId; 2], kind: ForKind, body: &[Stmt], place: Context) {
        self.edge(var.index(), &[lo, hi], None);
        let mut place = self.under(&[lo, hi], place);
        if kind.is_concurrent() {
            let bit = 1 << self.loops.len().min(63);
            self.loops.push((var, kind));
            self.known[var.index()] |= bit;
            place.inside |= bit;
            let once =
                constant(self.function, lo).zip(constant(self.function, hi)).is_some_and(|(lo, hi)| hi - lo <= 1);
            place.many |= if once { 0 } else { bit };
        }
        self.block(body, place);
    }

    fn edge(&mut self, to: usize, values: &[ExprId], under: Option<usize>) {
        let mut sources = self.sources(values);
        sources.from.extend(under);
        self.edges.push((to, sources));
    }

    /// Inside a statement that runs under the conditions `conds`.
    fn under(&mut self, conds: &[ExprId], place: Context) -> Context {
        let node = self.known.len();
        self.known.push(0);
        self.edge(node, conds, place.under);
        Context { under: Some(node), ..place }
    }

    fn store(&mut self, array: ArrayId, at: &[ExprId], place: Context) {
        let at = self.sources(at);
        self.events.push(Event::Store { array, place, at });
    }

    /// What a loaded value depends on besides its index.
    fn read(&self, array: ArrayId) -> Loops {
        if self.function.array(array).mode == AccessMode::Read { 0 } else { ALL }
    }

    fn sources(&mut self, values: &[ExprId]) -> Sources {
        let mut pending = values.to_vec();
        let mut sources = Sources::default();
        self.seen.start(self.function.exprs.len());
        while let Some(id) = pending.pop() {
            if !self.seen.is_new(id) {
                continue;
            }
            let expr = self.function.expr(id);
            sources.from.extend(expr.var().map(VarId::index));
            sources.loops |= expr.array().map_or(0, |array| self.read(array));
            pending.extend(expr.operands());
        }
        sources
    }

    fn of(&self, sources: &Sources) -> Loops {
        sources.from.iter().fold(sources.loops, |loops, from| loops | self.known[*from])
    }

    /// Lets dependence flow until nothing changes: once in the order of the text, and again where loops go round.
    fn solve(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.edges.len() {
                let (to, sources) = &self.edges[at];
                let (to, loops) = (*to, self.of(sources));
                changed |= self.known[to] | loops != self.known[to];
                self.known[to] |= loops;
            }
        }
    }

    fn errors(&self) -> Vec<LoopError> {
        self.events.iter().filter_map(|event| self.error(event)).collect()
    }

    fn error(&self, event: &Event) -> Option<LoopError> {
        let under = |place: &Context| place.under.map_or(0, |under| self.known[under]);
        match event {
            Event::Store { array, place, at } => {
                let told = self.of(at) | under(place) | self.owned.get(array).copied().unwrap_or(0);
                let shared = place.many & !told;
                let (var, _) = self.loops.get(shared.trailing_zeros() as usize).filter(|_| shared != 0)?;
                let (array, var) = (self.function.array(*array).name.clone(), self.function.var(*var).name.clone());
                Some(LoopError::Race { array, var })
            }
            Event::Barrier { place } => {
                let parting = self.kinds(place.many, ForKind::is_thread);
                (under(place) & parting != 0).then_some(LoopError::Divergent("a barrier"))
            }
            Event::Shuffle { place } => {
                let parting = self.kinds(place.many, |kind| kind == ForKind::Lane);
                (under(place) & parting != 0).then_some(LoopError::Divergent("a shuffle"))
            }
        }
    }

    /// Those of `loops` that are of a kind.
    fn kinds(&self, loops: Loops, is: impl Fn(ForKind) -> bool) -> Loops {
        let bits = self.loops.iter().enumerate().filter(|(_, (_, kind))| is(*kind)).map(|(at, _)| 1 << at.min(63));
        loops & bits.fold(0, |bits, bit: Loops| bits | bit)
    }
}
