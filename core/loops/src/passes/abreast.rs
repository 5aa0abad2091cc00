//! Unrolls and jams a loop whose iterations each add up a sum of their own, as
//!
//! ```text
//! for p in lo..hi { var sum = 0; for r in 0..n { sum = sum + u[r] * v[crd[p] * n + r] }; y[p] = sum }
//! ```
//!
//! in a sampled product. A sum in the order written takes one addition's latency per term; four independent sums take
//! hardly longer than one. Every sum has the same additions in the same order, so the result has the same bits.

use std::collections::BTreeSet;

use crate::{Binary, Builder, Copies, ExprId, ForKind, Function, Map, Stmt, Type, VarId, uses::Uses, visit};

/// How many go abreast.
const ABREAST: i64 = 4;

/// `function` with such loops unrolled and jammed [`ABREAST`] times; `None` if it has none.
pub(super) fn with_sums_abreast(function: &Function) -> Option<Function> {
    let mut found = Vec::new();
    visit::each(&function.body, &mut |stmt| {
        if let Stmt::For { var, kind: ForKind::Serial | ForKind::Parallel, body, .. } = stmt
            && has_own_sums(function, *var, body)
        {
            found.push(*var);
        }
    });
    if found.is_empty() {
        return None;
    }
    let (b, body) = Builder::reopen(function, found.iter_mut());
    let mut jam = Jam { b, found };
    let body = jam.block(&body);
    body.into_iter().for_each(|stmt| jam.b.push(stmt));
    Some(jam.b.finish())
}

/// A function while loops of it are unrolled and jammed.
struct Jam {
    b: Builder,
    /// The variables of the loops.
    found: Vec<VarId>,
}

impl Map for Jam {
    fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        let mut done = Vec::with_capacity(block.len());
        for stmt in block {
            if let Stmt::For { var, lo, hi, kind, body } = stmt
                && self.found.contains(var)
            {
                done.extend(self.abreast(*var, [*lo, *hi], *kind, body));
            } else {
                done.push(self.stmt(stmt));
            }
        }
        done
    }
}

impl Jam {
    /// The iterations that go [`ABREAST`], and then those that are left.
    fn abreast(&mut self, var: VarId, [lo, hi]: [ExprId; 2], kind: ForKind, body: &[Stmt]) -> Vec<Stmt> {
        let b = &mut self.b;
        let mut made = Vec::new();
        let (lo, hi) = (fixed(b, "from", lo, &mut made), fixed(b, "to", hi, &mut made));
        let (zero, width) = (b.index(0), b.index(ABREAST));
        let length = b.sub(hi, lo);
        let length = if b.index_literal(length).is_some() { length } else { b.binary(Binary::Max, length, zero) };
        let groups = b.binary(Binary::Div, length, width);
        let groups = fixed(b, "groups", groups, &mut made);
        let group = b.local("group", Type::Index);
        let at = b.var(group);
        let covered = b.mul(at, width);
        let start = b.add(lo, covered);
        let mut all: Vec<Copies> = (0..ABREAST)
            .map(|ahead| {
                let ahead = b.index(ahead);
                Copies::replacing(var, b.add(start, ahead))
            })
            .collect();
        let jammed = jammed(b, &mut all, body);
        made.push(Stmt::For { var: group, lo: zero, hi: groups, kind, body: jammed });
        let covered = b.mul(groups, width);
        let middle = b.add(lo, covered);
        if middle != hi {
            made.push(Stmt::For { var, lo: middle, hi, kind: ForKind::Serial, body: body.to_vec() });
        }
        made
    }
}

/// A literal or a variable itself, else a `let` of it in `before`, so that an expression that is used twice is
/// evaluated once.
fn fixed(b: &mut Builder, name: &str, expr: ExprId, before: &mut Vec<Stmt>) -> ExprId {
    if b.is_simple(expr) {
        return expr;
    }
    let var = b.local(name, Type::Index);
    before.push(Stmt::Let { var, value: expr });
    b.var(var)
}

/// Each statement for one iteration after the other; loops inside are entered together.
fn jammed(b: &mut Builder, all: &mut [Copies], body: &[Stmt]) -> Vec<Stmt> {
    let mut done = Vec::new();
    for stmt in body {
        match (stmt, &mut *all) {
            (Stmt::For { var, lo, hi, kind, body }, [first, others @ ..]) => {
                let (lo, hi) = (b.copied_expr(*lo, first), b.copied_expr(*hi, first));
                let shared = b.copied_var(*var, first);
                others.iter_mut().for_each(|copies| copies.rename(*var, shared));
                done.push(Stmt::For { var: shared, lo, hi, kind: *kind, body: jammed(b, all, body) });
            }
            (other, all) => {
                all.iter_mut().for_each(|copies| done.extend(b.copied(std::slice::from_ref(other), copies)))
            }
        }
    }
    done
}

/// Whether the iterations of a loop over `var` are independent and what takes their time is sums of floating-point
/// numbers over the same ranges.
fn has_own_sums(function: &Function, var: VarId, body: &[Stmt]) -> bool {
    let Uses { loaded, stored, changing, .. } = Uses::of(function, body);
    let mut own = Own { vars: BTreeSet::from([var]), stores: 0 };
    own.block(function, body)
        && body.iter().any(|stmt| matches!(stmt, Stmt::For { .. }))
        && changing.is_subset(&own.vars)
        && loaded.is_disjoint(&stored)
        // Stores of several statements to one array would change their order.
        && own.stores == stored.len()
}

/// What an iteration declares, and how many statements of it store.
struct Own {
    vars: BTreeSet<VarId>,
    stores: usize,
}

impl Own {
    /// Takes note of a block of the iteration; no, if it has statements that do not go abreast.
    fn block(&mut self, function: &Function, body: &[Stmt]) -> bool {
        body.iter().all(|stmt| match stmt {
            Stmt::Let { var, .. } | Stmt::Mut { var, .. } => {
                self.vars.insert(*var);
                true
            }
            Stmt::Store { .. } => {
                self.stores += 1;
                true
            }
            Stmt::For { var, lo, hi, body, .. } => {
                let same = [lo, hi].into_iter().all(|bound| self.is_same(function, *bound));
                self.vars.insert(*var);
                same && sums(function, body) && self.block(function, body)
            }
            Stmt::Assign { .. } | Stmt::Comment(_) => true,
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Sort { .. } => false,
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Atomic { .. } | Stmt::Alloc { .. } => false,
            Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) => false,
        })
    }

    /// Whether an expression has the same value in every iteration.
    fn is_same(&self, function: &Function, expr: ExprId) -> bool {
        let Uses { read, loaded, .. } = Uses::of_expr(function, expr);
        read.is_disjoint(&self.vars) && loaded.is_empty()
    }
}

/// Whether a loop with this body adds to floating-point variables, or has such loops inside, and stores nothing.
fn sums(function: &Function, body: &[Stmt]) -> bool {
    let is_float = |var: VarId| matches!(function.var(var).ty, Type::Element(element) if element.is_float());
    let is_sum =
        |stmt: &Stmt| matches!(stmt, Stmt::For { .. }) || matches!(stmt, Stmt::Assign { var, .. } if is_float(*var));
    body.iter().any(is_sum) && !body.iter().any(|stmt| matches!(stmt, Stmt::Store { .. }))
}
