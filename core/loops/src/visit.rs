//! The one walk over loops: visits the parts of expressions and statements, and rebuilds them with other
//! parts. The verifier, the printer, passes and back ends name a kind of statement only where they treat it
//! specially.

use super::{ArrayId, Expr, ExprId, Stmt, VarId};

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

    /// The same with other operands, requested in the order of its text.
    #[must_use]
    pub fn map(&self, mut part: impl FnMut(ExprId) -> ExprId) -> Expr {
        match *self {
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) | Expr::Var(_) => self.clone(),
            Expr::Load { array, index } => Expr::Load { array, index: part(index) },
            Expr::Unary(op, a) => Expr::Unary(op, part(a)),
            Expr::Cast { to, from } => Expr::Cast { to, from: part(from) },
            Expr::Binary(op, a, b) => Expr::Binary(op, part(a), part(b)),
            Expr::Select { cond, then, other } => {
                Expr::Select { cond: part(cond), then: part(then), other: part(other) }
            }
        }
    }
}

impl Stmt {
    /// The expressions that the statement itself evaluates, in the order of its text, without those of its
    /// blocks.
    pub fn exprs(&self) -> Vec<ExprId> {
        match *self {
            Stmt::Let { value, .. } | Stmt::Mut { value, .. } | Stmt::Assign { value, .. } => vec![value],
            Stmt::Store { index, value, .. } => vec![index, value],
            Stmt::Sort { lo, hi, .. } | Stmt::For { lo, hi, .. } => vec![lo, hi],
            Stmt::While { cond, .. } | Stmt::If { cond, .. } => vec![cond],
            Stmt::Comment(_) => Vec::new(),
        }
    }

    /// The blocks in it, in the order of its text; empty where it has none.
    pub fn blocks(&self) -> [&[Stmt]; 2] {
        match self {
            Stmt::For { body, .. } | Stmt::While { body, .. } => [body, &[]],
            Stmt::If { then, other, .. } => [then, other],
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } => [&[], &[]],
            Stmt::Store { .. } | Stmt::Sort { .. } | Stmt::Comment(_) => [&[], &[]],
        }
    }

    /// As [`Stmt::blocks`], to be changed.
    pub fn blocks_mut(&mut self) -> [&mut [Stmt]; 2] {
        match self {
            Stmt::For { body, .. } | Stmt::While { body, .. } => [body, &mut []],
            Stmt::If { then, other, .. } => [then, other],
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } => [&mut [], &mut []],
            Stmt::Store { .. } | Stmt::Sort { .. } | Stmt::Comment(_) => [&mut [], &mut []],
        }
    }

    /// The variable that it declares.
    pub fn declared(&self) -> Option<VarId> {
        match self {
            Stmt::Let { var, .. } | Stmt::Mut { var, .. } | Stmt::For { var, .. } => Some(*var),
            Stmt::Assign { .. } | Stmt::Store { .. } | Stmt::Sort { .. } => None,
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Comment(_) => None,
        }
    }

    /// The array of which it changes entries.
    pub fn changed(&self) -> Option<ArrayId> {
        match self {
            Stmt::Store { array, .. } | Stmt::Sort { array, .. } => Some(*array),
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::For { .. } => None,
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Comment(_) => None,
        }
    }

    pub fn is_loop(&self) -> bool {
        matches!(self, Stmt::For { .. } | Stmt::While { .. })
    }

    /// The same of other parts: its expressions, then the variable that it declares, then its blocks.
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
                Stmt::Store { array: *array, index: by.expr(*index), value: by.expr(*value) }
            }
            Stmt::Sort { array, lo, hi } => Stmt::Sort { array: *array, lo: by.expr(*lo), hi: by.expr(*hi) },
            Stmt::For { var, lo, hi, kind, body } => {
                let (lo, hi) = (by.expr(*lo), by.expr(*hi));
                let var = by.declare(*var);
                Stmt::For { var, lo, hi, kind: *kind, body: by.block(body) }
            }
            Stmt::While { cond, body } => Stmt::While { cond: by.expr(*cond), body: by.block(body) },
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: by.expr(*cond), then: by.block(then), other: by.block(other) }
            }
            Stmt::Comment(text) => Stmt::Comment(text.clone()),
        }
    }
}

/// Replacements for the parts of statements. By default everything stays as it is.
pub trait Map {
    fn expr(&mut self, expr: ExprId) -> ExprId {
        expr
    }
    /// A variable where it is declared.
    fn declare(&mut self, var: VarId) -> VarId {
        self.var(var)
    }
    /// A variable where it is assigned.
    fn var(&mut self, var: VarId) -> VarId {
        var
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

/// As [`each`], to be changed.
pub fn each_mut(block: &mut [Stmt], visit: &mut impl FnMut(&mut Stmt)) {
    for stmt in block {
        visit(stmt);
        stmt.blocks_mut().into_iter().for_each(|inner| each_mut(inner, visit));
    }
}

/// Whether `is` holds for a statement of `block`, or for one inside of it.
pub fn any(block: &[Stmt], is: &impl Fn(&Stmt) -> bool) -> bool {
    block.iter().any(|stmt| is(stmt) || stmt.blocks().into_iter().any(|inner| any(inner, is)))
}
