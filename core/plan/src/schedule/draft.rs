//! A function whose loops are being rearranged.

use super::Refusal;
use crate::{
    iterate::Plan,
    lower::{ArrayBinding, LoopOver, LowerError, NamedLoop, Phase, ScalarBinding},
};
use nnz_base::ids::TensorId;
use nnz_kernel::LoopName;
use nnz_loops::{Builder, Expr, ExprId, ForKind, Map, Stmt, Type, VarId, verify, visit};

/// A phase taken apart.
pub(super) struct Draft {
    pub(super) b: Builder,
    pub(super) body: Vec<Stmt>,
    pub(super) loops: Vec<NamedLoop>,
    pub(super) arrays: Vec<ArrayBinding>,
    pub(super) scalars: Vec<ScalarBinding>,
}

/// A `for`, taken out of its block.
pub(super) struct Range {
    pub(super) var: VarId,
    pub(super) lo: ExprId,
    pub(super) hi: ExprId,
    pub(super) kind: ForKind,
    pub(super) body: Vec<Stmt>,
}

impl Draft {
    pub(super) fn new(phase: Phase) -> Draft {
        let Phase { function, arrays, scalars, mut loops } = phase;
        let (b, body) = Builder::reopen(&function, loops.iter_mut().filter_map(|named| named.over.var_mut()));
        Draft { b, body, loops, arrays, scalars }
    }

    /// # Errors
    /// [`LowerError::Bug`], if a step has one.
    pub(super) fn finish(self) -> Result<Phase, LowerError> {
        let Draft { mut b, body, mut loops, arrays, scalars } = self;
        body.into_iter().for_each(|stmt| b.push(stmt));
        let function = b.finish_tracking(loops.iter_mut().filter_map(|named| named.over.var_mut()));
        let text = function.to_string();
        match verify(function) {
            Ok(function) => Ok(Phase { function, arrays, scalars, loops }),
            Err(problems) => Err(LowerError::Bug { problems, loops: text }),
        }
    }

    pub(super) fn names(&self) -> Vec<LoopName> {
        self.loops.iter().map(|named| named.name.clone()).collect()
    }

    /// The variables of all loops called `name`, each of which must run over a range.
    pub(super) fn ranges(&self, plan: &Plan, name: &LoopName) -> Result<Vec<VarId>, Refusal> {
        let range = |named: &NamedLoop| match &named.over {
            LoopOver::Range { var } => Ok(*var),
            LoopOver::Entries { tensor, .. } => {
                Err(Refusal::Entries { name: name.clone(), tensor: plan.kernel.tensor(*tensor).name.clone() })
            }
            LoopOver::Merged { tensors } => Err(self.merges(plan, name, tensors)),
        };
        self.loops.iter().filter(|named| named.name == *name).map(range).collect()
    }

    /// The variables of all loops called `name`, over ranges or entries.
    pub(super) fn counted(&self, plan: &Plan, name: &LoopName) -> Result<Vec<VarId>, Refusal> {
        let counted = |named: &NamedLoop| match &named.over {
            LoopOver::Range { var } | LoopOver::Entries { var, .. } => Ok(*var),
            LoopOver::Merged { tensors } => Err(self.merges(plan, name, tensors)),
        };
        self.loops.iter().filter(|named| named.name == *name).map(counted).collect()
    }

    fn merges(&self, plan: &Plan, name: &LoopName, tensors: &[TensorId]) -> Refusal {
        // A copy that the plan makes has a name behind a point, which no text can write.
        let written = |name: &str| name.split('.').next().unwrap_or_default().to_string();
        let mut tensors: Vec<String> = tensors.iter().map(|id| written(&plan.kernel.tensor(*id).name)).collect();
        tensors.sort();
        tensors.dedup();
        Refusal::Merges { name: name.clone(), tensors }
    }

    /// Forgets a loop that is gone, and those inside it.
    pub(super) fn forget(&mut self, range: &Range) {
        let mut gone = vec![range.var];
        loop_vars(&range.body, &mut gone);
        self.loops.retain(|named| named.over.var().is_none_or(|var| !gone.contains(&var)));
    }

    /// Forgets the loop over `var`, which is gone. The loops of `into`, if there are any, have replaced it.
    pub(super) fn rename(&mut self, var: VarId, into: &[(&LoopName, VarId)]) {
        let Some(at) = self.loops.iter().position(|named| named.over.var() == Some(var)) else { return };
        let new =
            into.iter().map(|(name, var)| NamedLoop { name: (*name).clone(), over: LoopOver::Range { var: *var } });
        self.loops.splice(at..=at, new);
    }

    /// The variables of the loops around the one over `target`, outermost first.
    pub(super) fn around(&self, target: VarId) -> Vec<VarId> {
        let mut path = Vec::new();
        find(&self.body, target, &mut path);
        path
    }

    /// The loop over `target`.
    pub(super) fn range(&self, target: VarId) -> Option<Range> {
        range(&self.body, target)
    }

    /// What the loop is called; those without a name go by that of their variable.
    pub(super) fn name_of(&self, var: VarId) -> LoopName {
        let named = self.loops.iter().find(|named| named.over.var() == Some(var));
        named.map_or_else(|| LoopName::new(self.b.var_name(var)), |named| named.name.clone())
    }

    pub(super) fn set_kind(&mut self, var: VarId, kind: ForKind) {
        set_kind(&mut self.body, var, kind);
    }

    /// Replaces the loop over `var` by what `by` makes of it.
    pub(super) fn replace<E>(
        &mut self,
        var: VarId,
        by: impl FnOnce(&mut Self, Range) -> Result<Vec<Stmt>, E>,
    ) -> Result<(), E> {
        let body = std::mem::take(&mut self.body);
        let mut exchange = Exchange { target: var, by: Some(|range| by(self, range)), failed: None };
        let body = exchange.block(&body);
        let failed = exchange.failed;
        self.body = body;
        failed.map_or(Ok(()), Err)
    }

    /// The expression itself where nothing can change it, else a `let` of it in `before`.
    pub(super) fn fixed(&mut self, name: &str, expr: ExprId, before: &mut Vec<Stmt>) -> ExprId {
        let is_fixed = match self.b.get(expr) {
            Some(Expr::Index(_)) => true,
            Some(Expr::Var(var)) => self.b.is_param(*var),
            _ => false,
        };
        if is_fixed {
            return expr;
        }
        let var = self.b.local(name, Type::Index);
        before.push(Stmt::Let { var, value: expr });
        self.b.var(var)
    }
}

/// The variables of the loops in `block`.
fn loop_vars(block: &[Stmt], found: &mut Vec<VarId>) {
    visit::each(block, &mut |stmt| found.extend(loop_var(stmt)));
}

fn loop_var(stmt: &Stmt) -> Option<VarId> {
    stmt.declared().first().copied().filter(|_| stmt.is_loop())
}

/// Whether the loop over `target` is in `block`; `path` gets the loops around it.
fn find(block: &[Stmt], target: VarId, path: &mut Vec<VarId>) -> bool {
    block.iter().any(|stmt| {
        let var = loop_var(stmt);
        let before = path.len();
        path.extend(var);
        let inside = stmt.blocks().into_iter().any(|inner| find(inner, target, path));
        if !inside {
            path.truncate(before);
        }
        inside || var == Some(target)
    })
}

fn range(block: &[Stmt], target: VarId) -> Option<Range> {
    let inside = |stmt: &Stmt| stmt.blocks().into_iter().find_map(|inner| range(inner, target));
    block.iter().find_map(|stmt| range_over(stmt, target).or_else(|| inside(stmt)))
}

/// The loop that the statement is, if that is the one over `target`.
fn range_over(stmt: &Stmt, target: VarId) -> Option<Range> {
    let Stmt::For { var, lo, hi, kind, body } = stmt else { return None };
    (*var == target).then(|| Range { var: *var, lo: *lo, hi: *hi, kind: *kind, body: body.clone() })
}

fn set_kind(block: &mut [Stmt], target: VarId, to: ForKind) {
    visit::each_mut(block, &mut |stmt| {
        if let Stmt::For { var, kind, .. } = stmt
            && *var == target
        {
            *kind = to;
        }
    });
}

/// Replaces the loop over `target` in a block, once.
struct Exchange<E, By: FnOnce(Range) -> Result<Vec<Stmt>, E>> {
    target: VarId,
    by: Option<By>,
    failed: Option<E>,
}

impl<E, By: FnOnce(Range) -> Result<Vec<Stmt>, E>> Map for Exchange<E, By> {
    fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        let mut done = Vec::with_capacity(block.len());
        for stmt in block {
            let Some(range) = range_over(stmt, self.target) else {
                done.push(self.stmt(stmt));
                continue;
            };
            match self.by.take().map(|by| by(range)) {
                Some(Ok(instead)) => done.extend(instead),
                Some(Err(error)) => self.failed = Some(error),
                None => {}
            }
        }
        done
    }
}
