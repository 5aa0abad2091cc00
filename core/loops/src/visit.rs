//! The one walk over loops: visits the parts of expressions and statements, and rebuilds them with other
//! parts. Passes, schedules, copies and searches go over statements with it, and name a kind of statement only where
//! they treat it specially. The rules of the verifier, the printer and the back ends differ for every kind, so they match
//! on all of them.

use std::slice::from_ref;

use super::{ArrayId, AtomicOp, Expr, ExprId, ForKind, Launch, Stmt, VarId};

impl Expr {
    /// Its operands, in the order of its text.
    pub fn operands(&self) -> Vec<ExprId> {
        match *self {
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) | Expr::Var(_) => Vec::new(),
            Expr::Load { index, .. } => vec![index],
            Expr::Unary(_, a) | Expr::Cast { from: a, .. } => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Select { cond, then, other } => vec![cond, then, other],
        }
    }

    /// The variable that it reads itself.
    pub fn var(&self) -> Option<VarId> {
        if let Expr::Var(var) = *self { Some(var) } else { None }
    }

    /// The array that it reads itself.
    pub fn array(&self) -> Option<ArrayId> {
        if let Expr::Load { array, .. } = *self { Some(array) } else { None }
    }

    /// The same of other parts, in the order of its text.
    #[must_use]
    pub fn map(&self, by: &mut (impl Map + ?Sized)) -> Expr {
        match *self {
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) => self.clone(),
            Expr::Var(var) => Expr::Var(by.var(var)),
            Expr::Load { array, index } => Expr::Load { array: by.array(array), index: by.expr(index) },
            Expr::Unary(op, a) => Expr::Unary(op, by.expr(a)),
            Expr::Cast { to, from } => Expr::Cast { to, from: by.expr(from) },
            Expr::Binary(op, a, b) => Expr::Binary(op, by.expr(a), by.expr(b)),
            Expr::Select { cond, then, other } => {
                Expr::Select { cond: by.expr(cond), then: by.expr(then), other: by.expr(other) }
            }
        }
    }
}

impl ForKind {
    fn map(self, by: &mut (impl Map + ?Sized)) -> ForKind {
        match self {
            ForKind::Balanced(array) => ForKind::Balanced(by.array(array)),
            ForKind::Serial | ForKind::Rolled | ForKind::Parallel | ForKind::Vector => self,
            ForKind::Block(_) | ForKind::Thread(_) | ForKind::Warp | ForKind::Lane => self,
        }
    }
}

impl AtomicOp {
    fn operand(self) -> Option<ExprId> {
        match self {
            AtomicOp::CompareExchange { expected } => Some(expected),
            AtomicOp::Add | AtomicOp::Min | AtomicOp::Max | AtomicOp::Exchange => None,
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => None,
        }
    }

    fn map(self, by: &mut (impl Map + ?Sized)) -> AtomicOp {
        match self {
            AtomicOp::CompareExchange { expected } => AtomicOp::CompareExchange { expected: by.expr(expected) },
            AtomicOp::Add | AtomicOp::Min | AtomicOp::Max | AtomicOp::Exchange => self,
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => self,
        }
    }
}

impl Stmt {
    /// The expressions that the statement itself evaluates, in the order of its text, without those of its
    /// blocks.
    pub fn exprs(&self) -> Vec<ExprId> {
        match self {
            Stmt::Let { value, .. } | Stmt::Mut { value, .. } | Stmt::Assign { value, .. } => vec![*value],
            Stmt::Store { index, value, .. } => vec![*index, *value],
            Stmt::Sort { lo, hi, .. } | Stmt::For { lo, hi, .. } => vec![*lo, *hi],
            Stmt::LoadVector { index, .. } => vec![*index],
            Stmt::StoreVector { index, values, .. } => values.iter().chain([index]).copied().collect(),
            Stmt::Atomic { op, index, value, .. } => {
                [Some(*index), op.operand(), Some(*value)].into_iter().flatten().collect()
            }
            Stmt::Shuffle { value, by, .. } => vec![*value, *by],
            Stmt::Copy { len, .. } => vec![*len],
            Stmt::Launch(launch) => {
                launch.scalars.iter().chain(&launch.blocks).chain(&launch.threads).copied().collect()
            }
            Stmt::While { cond, .. } | Stmt::If { cond, .. } => vec![*cond],
            Stmt::Alloc { .. } | Stmt::Barrier | Stmt::Comment(_) => Vec::new(),
        }
    }

    /// The blocks in it, in the order of its text; empty if it has none.
    pub fn blocks(&self) -> [&[Stmt]; 2] {
        match self {
            Stmt::For { body, .. } | Stmt::While { body, .. } => [body, &[]],
            Stmt::If { then, other, .. } => [then, other],
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::Comment(_) => [&[], &[]],
            Stmt::Store { .. } | Stmt::Sort { .. } | Stmt::LoadVector { .. } | Stmt::StoreVector { .. } => [&[], &[]],
            Stmt::Atomic { .. } | Stmt::Alloc { .. } | Stmt::Barrier => [&[], &[]],
            Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) => [&[], &[]],
        }
    }

    /// As [`Stmt::blocks`], mutable.
    pub(crate) fn blocks_mut(&mut self) -> [&mut [Stmt]; 2] {
        match self {
            Stmt::For { body, .. } | Stmt::While { body, .. } => [body, &mut []],
            Stmt::If { then, other, .. } => [then, other],
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::Comment(_) => [&mut [], &mut []],
            Stmt::Store { .. } | Stmt::Sort { .. } | Stmt::LoadVector { .. } | Stmt::StoreVector { .. } => {
                [&mut [], &mut []]
            }
            Stmt::Atomic { .. } | Stmt::Alloc { .. } | Stmt::Barrier => [&mut [], &mut []],
            Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) => [&mut [], &mut []],
        }
    }

    /// The variables that it declares.
    pub fn declared(&self) -> &[VarId] {
        match self {
            Stmt::Let { var, .. } | Stmt::Mut { var, .. } | Stmt::For { var, .. } => from_ref(var),
            Stmt::Shuffle { var, .. } => from_ref(var),
            Stmt::LoadVector { vars, .. } => vars,
            Stmt::Atomic { old, .. } => old.as_slice(),
            Stmt::Assign { .. } | Stmt::Store { .. } | Stmt::StoreVector { .. } | Stmt::Sort { .. } => &[],
            Stmt::Alloc { .. } | Stmt::Barrier | Stmt::Copy { .. } | Stmt::Launch(_) => &[],
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Comment(_) => &[],
        }
    }

    /// The arrays whose entries it changes; for a launch, those that it may change.
    pub fn changed(&self) -> &[ArrayId] {
        match self {
            Stmt::Store { array, .. } | Stmt::Sort { array, .. } => from_ref(array),
            Stmt::StoreVector { array, .. } | Stmt::Atomic { array, .. } => from_ref(array),
            Stmt::Copy { to, .. } => from_ref(to),
            Stmt::Launch(Launch { arrays, .. }) => arrays,
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::For { .. } => &[],
            Stmt::LoadVector { .. } | Stmt::Alloc { .. } | Stmt::Barrier | Stmt::Shuffle { .. } => &[],
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Comment(_) => &[],
        }
    }

    /// The arrays whose entries it reads itself, besides those in its expressions; for a launch, those that it may
    /// read.
    pub fn inspected(&self) -> &[ArrayId] {
        match self {
            Stmt::Sort { array, .. } | Stmt::LoadVector { array, .. } | Stmt::Atomic { array, .. } => from_ref(array),
            Stmt::Copy { from, .. } => from_ref(from),
            Stmt::Launch(Launch { arrays, .. }) => arrays,
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::For { .. } => &[],
            Stmt::Store { .. } | Stmt::StoreVector { .. } => &[],
            Stmt::Alloc { .. } | Stmt::Barrier | Stmt::Shuffle { .. } => &[],
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Comment(_) => &[],
        }
    }

    pub fn is_loop(&self) -> bool {
        matches!(self, Stmt::For { .. } | Stmt::While { .. })
    }

    /// The same of other parts: its expressions, then the variables that it declares, then its blocks.
    #[must_use]
    pub fn map(&self, by: &mut (impl Map + ?Sized)) -> Stmt {
        match self {
            Stmt::Let { var, value } => {
                let value = by.expr(*value);
                Stmt::Let { var: by.declare(*var), value }
            }
            Stmt::Mut { var, value } => {
                let value = by.expr(*value);
                Stmt::Mut { var: by.declare(*var), value }
            }
            Stmt::Assign { var, value } => Stmt::Assign { var: by.var(*var), value: by.expr(*value) },
            Stmt::Store { array, index, value } => {
                Stmt::Store { array: by.array(*array), index: by.expr(*index), value: by.expr(*value) }
            }
            Stmt::Sort { array, lo, hi } => Stmt::Sort { array: by.array(*array), lo: by.expr(*lo), hi: by.expr(*hi) },
            Stmt::LoadVector { vars, array, index } => {
                let (array, index) = (by.array(*array), by.expr(*index));
                Stmt::LoadVector { vars: vars.iter().map(|var| by.declare(*var)).collect(), array, index }
            }
            Stmt::StoreVector { array, index, values } => {
                let values = values.iter().map(|value| by.expr(*value)).collect();
                Stmt::StoreVector { array: by.array(*array), index: by.expr(*index), values }
            }
            Stmt::Atomic { op, array, index, value, old } => {
                let (array, index, op) = (by.array(*array), by.expr(*index), op.map(by));
                let value = by.expr(*value);
                Stmt::Atomic { op, array, index, value, old: old.map(|var| by.declare(var)) }
            }
            Stmt::Alloc { array } => Stmt::Alloc { array: by.declare_array(*array) },
            Stmt::Barrier => Stmt::Barrier,
            Stmt::Shuffle { var, from, value, by: lane, width } => {
                let (value, lane) = (by.expr(*value), by.expr(*lane));
                Stmt::Shuffle { var: by.declare(*var), from: *from, value, by: lane, width: *width }
            }
            Stmt::Copy { from, to, len } => Stmt::Copy { from: by.array(*from), to: by.array(*to), len: by.expr(*len) },
            Stmt::Launch(launch) => Stmt::Launch(Launch {
                kernel: launch.kernel,
                scalars: launch.scalars.iter().map(|scalar| by.expr(*scalar)).collect(),
                arrays: launch.arrays.iter().map(|array| by.array(*array)).collect(),
                blocks: launch.blocks.map(|blocks| by.expr(blocks)),
                threads: launch.threads.map(|threads| by.expr(threads)),
            }),
            Stmt::For { var, lo, hi, kind, body } => {
                let (lo, hi, kind) = (by.expr(*lo), by.expr(*hi), kind.map(by));
                let var = by.declare(*var);
                Stmt::For { var, lo, hi, kind, body: by.block(body) }
            }
            Stmt::While { cond, body } => Stmt::While { cond: by.expr(*cond), body: by.block(body) },
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: by.expr(*cond), then: by.block(then), other: by.block(other) }
            }
            Stmt::Comment(text) => Stmt::Comment(text.clone()),
        }
    }
}

/// Replacements for the parts of statements and expressions. By default everything stays as it is.
pub trait Map {
    fn expr(&mut self, expr: ExprId) -> ExprId {
        expr
    }
    /// A variable where it is declared.
    fn declare(&mut self, var: VarId) -> VarId {
        self.var(var)
    }
    /// A variable where it is assigned or read.
    fn var(&mut self, var: VarId) -> VarId {
        var
    }
    /// An array where it is allocated.
    fn declare_array(&mut self, array: ArrayId) -> ArrayId {
        self.array(array)
    }
    /// An array where a statement or an expression names it.
    fn array(&mut self, array: ArrayId) -> ArrayId {
        array
    }
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        stmt.map(self)
    }
    fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }
}

/// Every statement of `block`, before those in its own blocks.
pub fn each<'s>(block: &'s [Stmt], visit: &mut impl FnMut(&'s Stmt)) {
    for stmt in block {
        visit(stmt);
        stmt.blocks().into_iter().for_each(|inner| each(inner, visit));
    }
}

/// As [`each`], mutable.
pub fn each_mut(block: &mut [Stmt], visit: &mut impl FnMut(&mut Stmt)) {
    for stmt in block {
        visit(stmt);
        stmt.blocks_mut().into_iter().for_each(|inner| each_mut(inner, visit));
    }
}

/// Whether `is` holds for a statement of `block`, or for one inside it.
pub fn any(block: &[Stmt], is: &impl Fn(&Stmt) -> bool) -> bool {
    block.iter().any(|stmt| is(stmt) || stmt.blocks().into_iter().any(|inner| any(inner, is)))
}
