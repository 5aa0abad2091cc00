//! Loops along the levels of a leading operand, whatever its encoding.

use super::{
    Lowerer, ScalarBinding,
    access::affine,
    clip::is_clipped,
    levels::{Step, Walk},
};
use crate::iterate::{OperandId, SparseOperand, is_plain};
use nnz_base::ids::{Dim, IndexVar, Lvl};
use nnz_encoding::Affine;
use nnz_loops::{Binary, ExprId, ForKind, Stmt, Type};

impl<'k> Lowerer<'k> {
    /// The loop over the operand's next level, around what `body` emits.
    pub(super) fn level_loop(&mut self, id: OperandId, kind: ForKind, body: &mut dyn FnMut(&mut Self)) {
        let lvl = self.next_level(id);
        let (level, parent) = (self.level(id, lvl), self.cursor(id).place);
        match level.walk(&mut self.b, parent) {
            Walk::Here => {
                let step = level.step(&mut self.b, parent, parent.position);
                self.descend(id, lvl, step, body);
            }
            walk @ (Walk::Coordinates(whole) | Walk::Positions(whole)) => {
                let var = self.operand(id).level_var(lvl);
                let range = var.and_then(|var| self.positions_in_part(id, &level, var)).unwrap_or(whole);
                let tensor = &self.kernel.tensor(self.operand(id).tensor).name;
                let name = match walk {
                    Walk::Positions(_) => format!("{tensor}.p{}", lvl.index()),
                    Walk::Coordinates(_) | Walk::Here => self.level_name(id, lvl),
                };
                let var = self.b.local(&name, Type::Index);
                let level_name = self.level_name(id, lvl);
                match walk {
                    Walk::Positions(_) => self.loop_over_positions(&level_name, var, id),
                    Walk::Coordinates(_) | Walk::Here => self.loop_over_coordinates(&level_name, var),
                }
                let value = self.b.var(var);
                self.for_loop(var, range, kind, |this| {
                    let step = level.step(&mut this.b, parent, value);
                    this.descend(id, lvl, step, body);
                });
            }
        }
    }

    /// The body of one iteration over a level: binds its coordinate and the dimensions that follow from it, then emits
    /// `body`.
    fn descend(&mut self, id: OperandId, lvl: Lvl, step: Step, body: &mut dyn FnMut(&mut Self)) {
        let (cursors, coordinates) = (self.cursors.clone(), self.coordinates.clone());
        let coordinate = self.level_value(id, lvl, step.coordinate);
        self.enter(id, step, coordinate);
        let mut guards = self.bind_dims(id);
        guards.extend(step.present);
        match guards.into_iter().reduce(|a, b| self.b.binary(Binary::And, a, b)) {
            None => body(self),
            Some(cond) => {
                self.b.open();
                body(self);
                let then = self.b.close();
                self.b.push(Stmt::If { cond, then, other: Vec::new() });
            }
        }
        (self.cursors, self.coordinates) = (cursors, coordinates);
    }

    /// The value of the level's expression, named where it is more than a variable.
    fn level_value(&mut self, id: OperandId, lvl: Lvl, stored: ExprId) -> ExprId {
        let name = self.level_name(id, lvl);
        let operand = &self.plan.operands[id.index()];
        let expr = &operand.encoding.levels()[lvl.index()].expr;
        let value = if is_plain(expr) || expr.has_symbol() {
            stored
        } else {
            let origin = self.parameters.scalar(&mut self.b, ScalarBinding::LevelOrigin(operand.tensor, lvl));
            self.b.add(stored, origin)
        };
        self.named(&name, value)
    }

    /// The name of a level: that of its variable, or of the part of the variable that it is.
    fn level_name(&self, id: OperandId, lvl: Lvl) -> String {
        let operand = self.operand(id);
        let expr = &operand.encoding.levels()[lvl.index()].expr;
        let var = |dim: Dim| operand.indices.get(dim.index()).map(|var| self.kernel.var(*var).name.clone());
        let of = |e: &Affine<Dim>| e.as_var().and_then(var);
        let plain = of(expr);
        let outer = || expr.as_floordiv().and_then(|(e, _)| of(e)).map(|name| format!("{name}.outer"));
        let inner = || expr.as_mod().and_then(|(e, _)| of(e)).map(|name| format!("{name}.inner"));
        let tensor = &self.kernel.tensor(operand.tensor).name;
        plain.or_else(outer).or_else(inner).unwrap_or_else(|| format!("{tensor}.l{}", lvl.index()))
    }

    /// Binds the coordinates of the dimensions that are known now, and returns the conditions that they must meet.
    fn bind_dims(&mut self, id: OperandId) -> Vec<ExprId> {
        let operand = &self.plan.operands[id.index()];
        let levels = self.cursor(id).levels.clone();
        let known = (0..operand.indices.len()).map(Dim::new);
        let mut guards = Vec::new();
        for dim in known.filter(|dim| operand.known_after(*dim) == levels.len()) {
            let var = operand.indices[dim.index()];
            let inverse = &operand.inverse[dim.index()];
            let value = affine(&mut self.b, inverse, &|lvl: Lvl| levels.get(lvl.index()).copied());
            let name = self.kernel.var(var).name.clone();
            let value = self.named(&name, value);
            guards.extend(self.range_guards(operand, dim, value));
            if operand.binding_dim(var) == Some(dim) {
                self.coordinates.insert(var, value);
            } else {
                let bound = self.coordinate(var);
                guards.push(self.b.binary(Binary::Eq, value, bound));
            }
        }
        guards
    }

    /// What keeps a coordinate inside its dimension where the levels reach beyond it: blocks that do not
    /// divide it, diagonals that leave the matrix.
    fn range_guards(&mut self, operand: &SparseOperand, dim: Dim, value: ExprId) -> Vec<ExprId> {
        if self.is_exact(operand, dim) || is_clipped(operand, dim) {
            return Vec::new();
        }
        let size = self.extent(operand.indices[dim.index()]);
        let below = self.b.binary(Binary::Lt, value, size);
        let plain = |lvl: &Lvl| is_plain(&operand.encoding.levels()[lvl.index()].expr);
        if operand.levels_of(dim).iter().all(plain) {
            return vec![below];
        }
        let zero = self.b.index(0);
        vec![self.b.binary(Binary::Le, zero, value), below]
    }

    /// Whether the dimension is a level, or blocks that divide it and places in them.
    pub(super) fn is_exact(&self, operand: &SparseOperand, dim: Dim) -> bool {
        let levels = operand.levels_of(dim);
        let exprs: Vec<&Affine<Dim>> = levels.iter().map(|lvl| &operand.encoding.levels()[lvl.index()].expr).collect();
        let of_dim = |pair: Option<(&Affine<Dim>, i64)>| pair.filter(|(e, _)| e.as_var() == Some(dim)).map(|(_, c)| c);
        match exprs.as_slice() {
            [level] => level.as_var() == Some(dim),
            [outer, inner] => {
                let var: IndexVar = operand.indices[dim.index()];
                let block = of_dim(outer.as_floordiv()).filter(|c| of_dim(inner.as_mod()) == Some(*c));
                let block = block.and_then(|c| u64::try_from(c).ok());
                block.is_some_and(|c| self.kernel.var(var).extent.is_multiple_of(c))
            }
            _ => false,
        }
    }
}
