//! The current position of the loops in each sparse operand.

use super::{
    ArrayBinding, Lowerer, ScalarBinding,
    levels::{Level, Parent, Segment, Step},
};
use crate::iterate::{OperandId, SparseOperand, find};
use nnz_base::{
    element::{Element, Scalar},
    ids::{IndexVar, Lvl},
};
use nnz_kernel::{Expr, Tensor};
use nnz_loops::{ExprId, Type};

/// The position of the loops in one operand.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    pub(super) place: Parent,
    /// The coordinate of each level entered so far.
    pub(super) levels: Vec<ExprId>,
    /// The value there, once it is loaded.
    pub(super) entry: Option<ExprId>,
}

impl Lowerer<'_> {
    /// Puts every cursor before the first level of its operand.
    pub(super) fn reset_cursors(&mut self) {
        let place = Parent { position: self.b.index(0), batch: None };
        let start = Cursor { place, levels: Vec::new(), entry: None };
        self.cursors = vec![start; self.plan.operands.len()];
        self.coordinates.clear();
    }

    pub(super) fn operand(&self, id: OperandId) -> &SparseOperand {
        &self.plan.operands[id.index()]
    }
    pub(super) fn cursor(&self, id: OperandId) -> &Cursor {
        &self.cursors[id.index()]
    }
    pub(super) fn next_level(&self, id: OperandId) -> Lvl {
        Lvl::new(self.cursor(id).levels.len())
    }
    pub(super) fn is_complete(&self, id: OperandId) -> bool {
        self.cursor(id).levels.len() == self.operand(id).encoding.lvl_rank()
    }

    /// Moves the cursor one level down.
    pub(super) fn enter(&mut self, id: OperandId, step: Step, coordinate: ExprId) {
        let cursor = &mut self.cursors[id.index()];
        cursor.place = step.place;
        cursor.levels.push(coordinate);
        cursor.entry = None;
    }

    /// The operands of `expr` whose next level is `var`.
    pub(super) fn participants(&self, var: IndexVar, expr: &Expr) -> Vec<OperandId> {
        let mut found: Vec<OperandId> = Vec::new();
        for access in expr.accesses() {
            let id = find(&self.plan.operands, access).filter(|id| !found.contains(id));
            found.extend(id.filter(|id| self.operand(*id).level_var(self.next_level(*id)) == Some(var)));
        }
        found
    }

    /// The level's size and arrays, as seen from where the operand's cursor is.
    pub(super) fn level(&mut self, id: OperandId, lvl: Lvl) -> Level {
        let operand = &self.plan.operands[id.index()];
        if let Some(level) = self.level_of_condition(id, lvl) {
            return level;
        }
        let format = operand.encoding.format(lvl);
        let expr = &operand.encoding.levels()[lvl.index()].expr;
        let sized = operand.encoding.walks_by_size(lvl);
        let size = sized.then(|| self.level_size(operand.tensor, lvl, expr, &operand.indices));
        let batch = self.cursor(id).place.batch;
        let positions = ArrayBinding::Positions(operand.tensor, lvl);
        let positions = format.has_positions().then(|| self.segment(positions, batch));
        let coordinates = ArrayBinding::Coordinates(operand.tensor, lvl);
        let coordinates = format.has_coordinates().then(|| self.segment(coordinates, batch));
        let level = Level::new(&mut self.b, format, size, positions, coordinates);
        if format.clips() { self.clipped(id, lvl, level) } else { level }
    }

    fn segment(&mut self, binding: ArrayBinding, batch: Option<ExprId>) -> Segment {
        let array = self.parameters.array(&mut self.b, binding);
        let start = match batch {
            None => self.b.index(0),
            Some(batch) => {
                let part = self.parameters.scalar(&mut self.b, ScalarBinding::BatchPart(array));
                self.b.mul(batch, part)
            }
        };
        Segment { array, start }
    }

    /// The operand's value at its cursor.
    pub(super) fn entry_value(&mut self, id: OperandId) -> ExprId {
        if let Some(entry) = self.cursor(id).entry {
            return entry;
        }
        if self.operand(id).condition.is_some() {
            return self.b.value(Element::I1, Scalar::Int(1));
        }
        if !self.is_complete(id) {
            // No loop walks the level, even if one binds its variable.
            let walked = self.operand(id).level_var(self.next_level(id)).unwrap_or(IndexVar::new(0));
            let missing = self.unbound(walked);
            self.b.define("missing", Type::Index, missing);
        }
        let place = self.cursor(id).place;
        let values = self.segment(ArrayBinding::Values(self.operand(id).tensor), place.batch);
        let at = self.b.add(values.start, place.position);
        self.b.load(values.array, at)
    }

    /// Loads the entries that stay the same in all later loops.
    pub(super) fn hoist_entries(&mut self, expr: &Expr) {
        let ids: Vec<OperandId> = expr.accesses().into_iter().filter_map(|a| find(&self.plan.operands, a)).collect();
        for id in ids {
            let stored = self.operand(id).condition.is_none();
            if stored && self.is_complete(id) && self.cursor(id).entry.is_none() {
                let (tensor, value) = (self.operand(id).tensor, self.entry_value(id));
                let Tensor { name, element, .. } = self.kernel.tensor(tensor);
                let (ty, name) = (Type::Element(*element), format!("{name}.value"));
                let var = self.b.define(&name, ty, value);
                self.cursors[id.index()].entry = Some(self.b.var(var));
            }
        }
    }
}
