//! Moves reductions out of loops that do not change their value: in `y(i) = x(i) / max(j, v(j))` the maximum is computed
//! once, and not for every `i`.
//!
//! A reduction here is a variable and the loops that assign it, as in
//!
//! ```text
//! for i in 0..n { var m: f64 = -inf; for j in 0..k { m = max(m, v[j]) }; y[i] = x[i] / m }
//! ```
//!
//! It moves if it reads nothing that the loop around it changes, and nobody else assigns its variables. What reads parameters
//! alone moves out of every loop, and may then be computed for nothing. Any other is computed only if the loop has an
//! iteration, as it may read entries that exist only then.

use std::collections::BTreeSet;

use crate::{
    Binary, Builder, Expr, ExprId, Function, Stmt, VarId,
    uses::{Uses, reading},
    visit,
};

/// `function` with its reductions moved as far out as they go; `None` if none moves. `tracked` are updated to their numbers in
/// it.
pub fn hoisted<'v>(function: &Function, tracked: impl Iterator<Item = &'v mut VarId>) -> Option<Function> {
    let mut hoist = Hoist { function: function.clone(), moved: false };
    let body = hoist.block(&function.body, Place::Outside);
    if !hoist.moved {
        return None;
    }
    let mut tracked: Vec<&mut VarId> = tracked.collect();
    let moved = Function { body, ..hoist.function };
    let (mut b, body) = Builder::reopen(&moved, tracked.iter_mut().map(|var| &mut **var));
    body.into_iter().for_each(|stmt| b.push(stmt));
    Some(b.finish_tracking(tracked.into_iter()))
}

/// Whether a block is executed again and again.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    InLoop,
}

struct Hoist {
    /// The body is that of the start; expressions are added.
    function: Function,
    moved: bool,
}

impl Hoist {
    /// The block with what moves out of its statements in front of each.
    fn block(&mut self, block: &[Stmt], place: Place) -> Vec<Stmt> {
        block.iter().flat_map(|stmt| self.around(stmt, place)).collect()
    }

    fn around(&mut self, stmt: &Stmt, place: Place) -> Vec<Stmt> {
        let mut before = Vec::new();
        let mut stmt = stmt.clone();
        let within = if stmt.is_loop() { Place::InLoop } else { place };
        blocks_of(&mut stmt).into_iter().for_each(|block| *block = self.block(block, within));
        // What stands in no loop is executed once as it is.
        if within == Place::InLoop {
            before.extend(self.moved_out(&mut stmt, Kind::Closed));
            if matches!(stmt, Stmt::For { .. }) {
                before.extend(self.moved_out(&mut stmt, Kind::Invariant));
            }
        }
        before.push(stmt);
        before
    }

    /// Takes the reductions of this kind out of a statement's blocks.
    fn moved_out(&mut self, stmt: &mut Stmt, kind: Kind) -> Vec<Stmt> {
        let whole = stmt.clone();
        let mut taken = Vec::new();
        for block in blocks_of(stmt) {
            let moves = Search::moves(&self.function, (&whole, block), kind);
            self.moved |= !moves.is_empty();
            let (moved, stays) = parted(std::mem::take(block), |at| moves.contains(&at));
            *block = stays;
            match (kind, &whole) {
                (Kind::Invariant, Stmt::For { lo, hi, .. }) => taken.extend(self.guarded([*lo, *hi], moved)),
                _ => taken.extend(moved),
            }
        }
        taken
    }

    /// The statements under the condition that a loop has an iteration, with what they declare in front.
    fn guarded(&mut self, [lo, hi]: [ExprId; 2], moved: Vec<Stmt>) -> Vec<Stmt> {
        let declares = |stmt: &Stmt| matches!(stmt, Stmt::Mut { .. });
        let (mut whole, then): (Vec<Stmt>, Vec<Stmt>) = moved.into_iter().partition(declares);
        if !then.is_empty() {
            let cond = self.expr(Expr::Binary(Binary::Lt, lo, hi));
            whole.push(Stmt::If { cond, then, other: Vec::new() });
        }
        whole
    }

    /// The expression, which the function has once.
    fn expr(&mut self, expr: Expr) -> ExprId {
        let known = self.function.exprs.iter().position(|known| *known == expr);
        ExprId::new(known.unwrap_or_else(|| {
            self.function.exprs.push(expr);
            self.function.exprs.len() - 1
        }))
    }
}

/// The blocks in a statement that can be rebuilt.
fn blocks_of(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    if let Stmt::For { body, .. } | Stmt::While { body, .. } = stmt {
        return vec![body];
    }
    if let Stmt::If { then, other, .. } = stmt { vec![then, other] } else { Vec::new() }
}

/// The statements at which `is` holds, and the others, each in their order.
fn parted(block: Vec<Stmt>, is: impl Fn(usize) -> bool) -> (Vec<Stmt>, Vec<Stmt>) {
    let (moved, stays): (Vec<_>, Vec<_>) = block.into_iter().enumerate().partition(|(at, _)| is(*at));
    let plain = |stmts: Vec<(usize, Stmt)>| stmts.into_iter().map(|(_, stmt)| stmt).collect();
    (plain(moved), plain(stays))
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Reads parameters alone.
    Closed,
    /// Reads nothing that the loop changes.
    Invariant,
}

/// The search for the statements of a block that move.
struct Search<'f> {
    function: &'f Function,
    kind: Kind,
    parts: Vec<Part>,
    /// The variables that the statement around the block declares or assigns, anywhere in it.
    changed: BTreeSet<VarId>,
    /// For each expression, whether it contains a load.
    reads_arrays: Vec<bool>,
}

impl<'f> Search<'f> {
    /// The statements of `block`, a part of `whole`, that move out of `whole`, by number.
    fn moves(function: &'f Function, (whole, block): (&Stmt, &[Stmt]), kind: Kind) -> BTreeSet<usize> {
        let parts: Vec<Part> = block.iter().map(|stmt| Part::of(function, stmt)).collect();
        let around = Uses::of(function, std::slice::from_ref(whole));
        let stays = |part: &Part| part.is_effect || part.uses.loaded.iter().any(|array| around.stored.contains(array));
        let mut moves: BTreeSet<usize> = (0..parts.len()).filter(|at| !stays(&parts[*at])).collect();
        if !moves.iter().any(|at| parts[*at].has_loop) {
            return BTreeSet::new();
        }
        let mut changed = around.changing;
        visit::each(std::slice::from_ref(whole), &mut |stmt| changed.extend(stmt.declared().iter().copied()));
        let search = Search { function, kind, parts, changed, reads_arrays: reading(function) };
        loop {
            let before = moves.len();
            moves = search.needed(search.free(moves));
            if moves.len() == before {
                return moves;
            }
        }
    }

    /// Those of `moves` that depend on no others than these.
    fn free(&self, mut moves: BTreeSet<usize>) -> BTreeSet<usize> {
        while let Some(at) = moves.iter().copied().find(|at| !self.may_move(*at, &moves)) {
            moves.remove(&at);
        }
        moves
    }

    fn may_move(&self, at: usize, moves: &BTreeSet<usize>) -> bool {
        let part = &self.parts[at];
        let moved = |var: &VarId| moves.iter().any(|other| self.parts[*other].declares == Some(*var));
        let reads = part.read().all(|var| moved(&var) || self.is_known_outside(var));
        reads && part.assigned().all(|var| moved(&var)) && self.others_agree(at, moves, &moved)
    }

    fn is_known_outside(&self, var: VarId) -> bool {
        match self.kind {
            Kind::Closed => var.index() < self.function.scalar_params,
            Kind::Invariant => !self.changed.contains(&var),
        }
    }

    /// Whether what a statement declares is the same for the other statements of the block once it has moved.
    fn others_agree(&self, at: usize, moves: &BTreeSet<usize>, moved: &dyn Fn(&VarId) -> bool) -> bool {
        let part = &self.parts[at];
        let Some(var) = part.declares else { return true };
        let assigners = || (0..self.parts.len()).filter(|other| self.parts[*other].assigned().any(|to| to == var));
        let mut readers = (0..self.parts.len()).filter(|other| self.parts[*other].read().any(|from| from == var));
        let last = assigners().next_back().unwrap_or(at);
        let alone = assigners().all(|other| moves.contains(&other));
        match (self.kind, part.start) {
            // In front of the condition.
            (Kind::Invariant, Some(start)) => {
                let simple = !self.reads_arrays.get(start.index()).copied().unwrap_or(true);
                let own = part.read().any(|var| moved(&var));
                simple && !own && alone && readers.all(|other| moves.contains(&other) || last < other)
            }
            // Under the condition, where only what moves sees it.
            (Kind::Invariant, None) => readers.all(|other| moves.contains(&other)),
            (Kind::Closed, _) => alone && readers.all(|other| moves.contains(&other) || last < other),
        }
    }

    /// The loops of `moves` with what they need.
    fn needed(&self, moves: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut needed: BTreeSet<usize> = moves.iter().copied().filter(|at| self.parts[*at].has_loop).collect();
        loop {
            let of_needed = |var: VarId| needed.iter().any(|at| self.parts[*at].declares == Some(var));
            let more: Vec<usize> = moves
                .iter()
                .copied()
                .filter(|at| !needed.contains(at))
                .filter(|at| {
                    let read = self.parts[*at].declares.is_some_and(|var| self.is_used(var, &needed));
                    read || self.parts[*at].assigned().any(of_needed)
                })
                .collect();
            if more.is_empty() {
                return needed;
            }
            needed.extend(more);
        }
    }

    fn is_used(&self, var: VarId, by: &BTreeSet<usize>) -> bool {
        by.iter().map(|at| &self.parts[*at]).any(|part| part.read().chain(part.assigned()).any(|used| used == var))
    }
}

/// What a statement of the block does.
struct Part {
    uses: Uses,
    /// The variables that only it sees.
    inner: BTreeSet<VarId>,
    /// The variable that it declares for the statements behind it.
    declares: Option<VarId>,
    /// The first value of a variable that is assigned later.
    start: Option<ExprId>,
    has_loop: bool,
    is_effect: bool,
}

impl Part {
    fn of(function: &Function, stmt: &Stmt) -> Part {
        let one = std::slice::from_ref(stmt);
        let start = if let Stmt::Mut { value, .. } = stmt { Some(*value) } else { None };
        let declares = if let Stmt::Let { var, .. } | Stmt::Mut { var, .. } = stmt { Some(*var) } else { None };
        let mut inner = BTreeSet::new();
        visit::each(one, &mut |stmt| inner.extend(stmt.declared().iter().copied()));
        inner.retain(|var| Some(*var) != declares);
        let (has_loop, is_effect) = (visit::any(one, &Stmt::is_loop), visit::any(one, &is_effect));
        Part { uses: Uses::of(function, one), inner, declares, start, has_loop, is_effect }
    }

    /// The variables of others that it reads.
    fn read(&self) -> impl Iterator<Item = VarId> {
        self.uses.read.iter().copied().filter(|var| !self.inner.contains(var))
    }

    /// The variables of others that it assigns.
    fn assigned(&self) -> impl Iterator<Item = VarId> {
        let own = |var: &VarId| self.inner.contains(var) || self.declares == Some(*var);
        self.uses.changing.iter().copied().filter(move |var| !own(var))
    }
}

/// Whether a statement does more than computing variables.
fn is_effect(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::For { .. } => false,
        Stmt::While { .. } | Stmt::If { .. } | Stmt::LoadVector { .. } => false,
        Stmt::Store { .. } | Stmt::StoreVector { .. } | Stmt::Sort { .. } | Stmt::Atomic { .. } => true,
        Stmt::Alloc { .. } | Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) => true,
        // It stays where its readers look for it.
        Stmt::Comment(_) => true,
    }
}
