//! Copies expressions and statements with other variables in them.

use std::collections::HashMap;

use super::Builder;
use crate::{Array, ArrayId, ExprId, Map, Stmt, VarId};

/// The replacements in a copy.
#[derive(Clone, Default)]
pub struct Copies {
    /// The copy takes the original's place, and keeps its variables.
    in_place: bool,
    /// Variables that the copy declares itself.
    renamed: HashMap<VarId, VarId>,
    /// Variables that are replaced by expressions.
    replaced: HashMap<VarId, ExprId>,
    /// Arrays that the copy allocates itself.
    allocated: HashMap<ArrayId, ArrayId>,
    done: HashMap<ExprId, ExprId>,
}

impl Copies {
    /// For a copy in the original's place, with `by` wherever `var` is read.
    pub fn in_place(var: VarId, by: ExprId) -> Copies {
        Copies { in_place: true, replaced: HashMap::from([(var, by)]), ..Copies::default() }
    }
    /// With another variable in place of one.
    pub fn renaming(instead: Option<(VarId, VarId)>) -> Copies {
        Copies { renamed: instead.into_iter().collect(), ..Copies::default() }
    }
    /// For a copy with new variables, and `by` wherever `var` is read.
    pub(crate) fn replacing(var: VarId, by: ExprId) -> Copies {
        Copies { replaced: HashMap::from([(var, by)]), ..Copies::default() }
    }
    /// From now on `to` replaces `var`, which the copy does not declare itself.
    pub fn rename(&mut self, var: VarId, to: VarId) {
        self.renamed.insert(var, to);
        // What was copied before did not read the variable.
        self.done.clear();
    }
    /// The variable that the copy has for `var`.
    pub fn var(&self, var: VarId) -> VarId {
        self.renamed.get(&var).copied().unwrap_or(var)
    }
    /// The array that the copy has for `array`.
    fn array(&self, array: ArrayId) -> ArrayId {
        self.allocated.get(&array).copied().unwrap_or(array)
    }
}

impl Builder {
    /// `block` with fresh variables for those that it declares.
    pub fn copied(&mut self, block: &[Stmt], copies: &mut Copies) -> Vec<Stmt> {
        Copier { b: self, copies }.block(block)
    }

    /// A fresh variable for one that the copy declares.
    pub fn copied_var(&mut self, var: VarId, copies: &mut Copies) -> VarId {
        let Some(local) = self.local_at(var).filter(|_| !copies.in_place).cloned() else { return var };
        let new = self.local(without_number(&local.name), local.ty);
        copies.rename(var, new);
        new
    }

    /// A fresh array for one that the copy allocates.
    fn copied_array(&mut self, array: ArrayId, copies: &mut Copies) -> ArrayId {
        let Some(allocated) = self.allocated_at(array).filter(|_| !copies.in_place).cloned() else { return array };
        let name = without_number(&allocated.name).to_string();
        let new = self.unallocated(Array { name, ..allocated });
        copies.allocated.insert(array, new);
        copies.done.clear();
        new
    }

    /// Whether the expression reads the variable.
    pub fn reads(&self, expr: ExprId, var: VarId) -> bool {
        self.exprs.get(expr.index()).is_some_and(|found| {
            found.var() == Some(var) || found.operands().into_iter().any(|operand| self.reads(operand, var))
        })
    }

    /// `expr` with the variables of the copy.
    pub(crate) fn copied_expr(&mut self, expr: ExprId, copies: &mut Copies) -> ExprId {
        if let Some(known) = copies.done.get(&expr) {
            return *known;
        }
        let Some(found) = self.exprs.get(expr.index()).cloned() else { return expr };
        let new = match found.var().and_then(|var| copies.replaced.get(&var).copied()) {
            Some(by) => by,
            None => {
                let copied = found.map(&mut Copier { b: self, copies });
                self.folded(copied)
            }
        };
        copies.done.insert(expr, new);
        new
    }
}

/// A block while it is copied.
struct Copier<'b> {
    b: &'b mut Builder,
    copies: &'b mut Copies,
}

impl Map for Copier<'_> {
    fn expr(&mut self, expr: ExprId) -> ExprId {
        self.b.copied_expr(expr, self.copies)
    }
    fn declare(&mut self, var: VarId) -> VarId {
        self.b.copied_var(var, self.copies)
    }
    fn var(&mut self, var: VarId) -> VarId {
        self.copies.var(var)
    }
    fn declare_array(&mut self, array: ArrayId) -> ArrayId {
        self.b.copied_array(array, self.copies)
    }
    fn array(&mut self, array: ArrayId) -> ArrayId {
        self.copies.array(array)
    }
}

/// The name that was wanted before it got a number for being taken.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((wanted, number)) if !wanted.is_empty() && number.parse::<u32>().is_ok() => wanted,
        _ => name,
    }
}
