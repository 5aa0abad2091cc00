//! Expressions and statements once more, with other variables in them.

use std::collections::HashMap;

use super::Builder;
use crate::loops::{Expr, ExprId, Stmt, VarId, verify::operands};

/// What stands in a copy for what in the original.
#[derive(Clone, Default)]
pub struct Copies {
    /// The copy takes the original's place, and keeps its variables.
    in_place: bool,
    /// Variables that the copy declares itself.
    renamed: HashMap<VarId, VarId>,
    /// Variables that are replaced by expressions.
    replaced: HashMap<VarId, ExprId>,
    done: HashMap<ExprId, ExprId>,
}

impl Copies {
    /// For a copy in the original's place, with `by` wherever `var` is read.
    pub fn in_place(var: VarId, by: ExprId) -> Copies {
        Copies { in_place: true, replaced: HashMap::from([(var, by)]), ..Copies::default() }
    }
    /// With another variable in the place of one.
    pub fn renaming(instead: Option<(VarId, VarId)>) -> Copies {
        Copies { renamed: instead.into_iter().collect(), ..Copies::default() }
    }
    /// The variable that the copy has for `var`.
    pub fn var(&self, var: VarId) -> VarId {
        self.renamed.get(&var).copied().unwrap_or(var)
    }
}

impl Builder {
    /// `block` with fresh variables for those that it declares.
    pub fn copied(&mut self, block: &[Stmt], copies: &mut Copies) -> Vec<Stmt> {
        block.iter().map(|stmt| self.copied_stmt(stmt, copies)).collect()
    }

    fn copied_stmt(&mut self, stmt: &Stmt, copies: &mut Copies) -> Stmt {
        match stmt {
            Stmt::Let { var, value } => {
                let value = self.copied_expr(*value, copies);
                Stmt::Let { var: self.copied_var(*var, copies), value }
            }
            Stmt::Mut { var, value } => {
                let value = self.copied_expr(*value, copies);
                Stmt::Mut { var: self.copied_var(*var, copies), value }
            }
            Stmt::Assign { var, value } => {
                Stmt::Assign { var: copies.var(*var), value: self.copied_expr(*value, copies) }
            }
            Stmt::Store { array, index, value } => Stmt::Store {
                array: *array,
                index: self.copied_expr(*index, copies),
                value: self.copied_expr(*value, copies),
            },
            Stmt::Sort { array, lo, hi } => {
                Stmt::Sort { array: *array, lo: self.copied_expr(*lo, copies), hi: self.copied_expr(*hi, copies) }
            }
            Stmt::For { var, lo, hi, kind, body } => {
                let (lo, hi) = (self.copied_expr(*lo, copies), self.copied_expr(*hi, copies));
                let var = self.copied_var(*var, copies);
                Stmt::For { var, lo, hi, kind: *kind, body: self.copied(body, copies) }
            }
            Stmt::While { cond, body } => {
                Stmt::While { cond: self.copied_expr(*cond, copies), body: self.copied(body, copies) }
            }
            Stmt::If { cond, then, other } => Stmt::If {
                cond: self.copied_expr(*cond, copies),
                then: self.copied(then, copies),
                other: self.copied(other, copies),
            },
            Stmt::Comment(text) => Stmt::Comment(text.clone()),
        }
    }

    /// A fresh variable for one that the copy declares.
    pub fn copied_var(&mut self, var: VarId, copies: &mut Copies) -> VarId {
        let Some(local) = self.local_at(var).filter(|_| !copies.in_place).cloned() else { return var };
        let new = self.local(without_number(&local.name), local.ty);
        copies.renamed.insert(var, new);
        // What was copied before the declaration did not read the variable.
        copies.done.clear();
        new
    }

    /// Whether the expression reads the variable.
    pub fn reads(&self, expr: ExprId, var: VarId) -> bool {
        self.exprs.get(expr.index()).is_some_and(|found| match found {
            Expr::Var(read) => *read == var,
            other => operands(other).into_iter().any(|operand| self.reads(operand, var)),
        })
    }

    /// `expr` with the variables of the copy.
    pub fn copied_expr(&mut self, expr: ExprId, copies: &mut Copies) -> ExprId {
        if let Some(known) = copies.done.get(&expr) {
            return *known;
        }
        let Some(found) = self.exprs.get(expr.index()).cloned() else { return expr };
        let mut part = |part: ExprId| self.copied_expr(part, copies);
        let new = match found {
            Expr::Var(var) => match copies.replaced.get(&var) {
                Some(by) => *by,
                None => self.var(copies.var(var)),
            },
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) => expr,
            Expr::Load { array, index } => {
                let index = part(index);
                self.load(array, index)
            }
            Expr::Unary(op, a) => {
                let a = part(a);
                self.unary(op, a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (part(a), part(b));
                self.binary(op, a, b)
            }
            Expr::Select { cond, then, other } => {
                let (cond, then, other) = (part(cond), part(then), part(other));
                self.select(cond, then, other)
            }
            Expr::Cast { to, from } => {
                let from = part(from);
                self.cast(to, from)
            }
        };
        copies.done.insert(expr, new);
        new
    }
}

/// The name that was wanted before it got a number for being taken.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((wanted, number)) if !wanted.is_empty() && number.parse::<u32>().is_ok() => wanted,
        _ => name,
    }
}
