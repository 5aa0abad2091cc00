//! A body at one point.

use std::collections::HashMap;

use super::{
    super::uses::captured,
    cell::{self, Cell, Source},
};
use crate::{
    machine::{Fault, Frame, Machine, signature},
    meaning::{Meaning, PartsOp},
    value::Value,
};
use nnz_base::{
    element::{Element, Scalar},
    source::Span,
};
use nnz_mlir::{
    attribute::Attribute,
    ir::{Op, Operand, Region, ValueId},
    operation::BodyOp,
    types::Type,
};

/// The state of a body at one point.
pub(super) struct Body {
    /// The scalars that the body has computed, by their ids.
    cells: Vec<Option<Cell>>,
    /// Where the vectors and tensors come from that the body has computed; the frame has their values.
    wholes: HashMap<ValueId, Source>,
    /// What the regions of the operations at these places capture.
    captured: HashMap<Span, Vec<ValueId>>,
    pub(super) point: Vec<u64>,
    /// What the results were before.
    outs: Vec<ValueId>,
}

/// A scalar from outside of the body follows from nothing in it; a tensor there has entries.
fn from_outside(frame: &Frame<'_>, id: ValueId) -> Source {
    if let Ok(Value::Scalar(_)) = frame.get(id) { Source::Constant } else { Source::Present }
}

/// Whether an operation takes and gives scalars alone.
fn is_scalar(op: &Op) -> bool {
    let types = op.operands.iter().map(|operand: &Operand| &operand.ty).chain(&op.result_types);
    types.into_iter().all(|ty| matches!(ty, Type::Scalar(_)))
}

impl Body {
    pub(super) fn new(frame: &Frame<'_>, outs: Vec<ValueId>) -> Body {
        let cells = vec![None; frame.function.types.len()];
        Body { cells, wholes: HashMap::new(), captured: HashMap::new(), point: Vec::new(), outs }
    }

    pub(super) fn region(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        region: &Region,
        arguments: &[Cell],
    ) -> Result<Vec<Cell>, Fault> {
        for (argument, cell) in region.arguments.iter().zip(arguments) {
            self.set(argument.value, *cell);
        }
        for op in region.in_use() {
            if op.def.is_terminator() {
                return op.operands.iter().map(|operand| self.cell(frame, operand.value)).collect();
            }
            let cell = self
                .operation(machine, frame, op)
                .map_err(|fault| Fault { span: fault.span.or(Some(op.span)), ..fault })?;
            if let (Some(id), Some(cell)) = (op.results.first(), cell) {
                self.set(*id, cell);
            }
        }
        Ok(Vec::new())
    }

    fn set(&mut self, id: ValueId, cell: Cell) {
        if let Some(slot) = self.cells.get_mut(id.index()) {
            *slot = Some(cell);
        }
    }

    /// A value of the body, or one from outside of it.
    fn cell(&self, frame: &Frame<'_>, id: ValueId) -> Result<Cell, Fault> {
        match self.cells.get(id.index()).copied().flatten() {
            Some(cell) => Ok(cell),
            None => Ok(Cell::constant(frame.get(id)?.scalar()?)),
        }
    }

    fn operation(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Option<Cell>, Fault> {
        match machine.meanings.of(op.def) {
            Meaning::Scalar(meaning) if is_scalar(op) => {
                let cells = self.operands(frame, op)?;
                cell::scalar(op, meaning, &cells).map(Some)
            }
            Meaning::Body(BodyOp::Index) => {
                let dim = op.attribute("dim").and_then(Attribute::as_int).unwrap_or(0);
                let at = usize::try_from(dim).ok().and_then(|dim| self.point.get(dim));
                let at = at.ok_or_else(|| Fault::new(format!("there is no loop {dim}")))?;
                Ok(Some(Cell::present(Scalar::Int((*at).into()))))
            }
            Meaning::Body(BodyOp::Unary) => self.unary(machine, frame, op).map(Some),
            Meaning::Body(BodyOp::Binary) => self.binary(machine, frame, op).map(Some),
            Meaning::Body(BodyOp::Reduce) => self.reduce(machine, frame, op).map(Some),
            Meaning::Body(BodyOp::Select) => self.select(machine, frame, op).map(Some),
            Meaning::Parts(PartsOp { is_product, .. }) => self.parts(machine, frame, op, is_product),
            Meaning::Scalar(_) | Meaning::Host(_) => self.plain(machine, frame, op),
            Meaning::Terminator | Meaning::Branch(_) => Ok(None),
        }
    }

    fn operands(&self, frame: &Frame<'_>, op: &Op) -> Result<Vec<Cell>, Fault> {
        op.operands.iter().map(|operand| self.cell(frame, operand.value)).collect()
    }

    /// A result in parts.
    fn parts(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        op: &Op,
        is_product: bool,
    ) -> Result<Option<Cell>, Fault> {
        if is_product && is_scalar(op) {
            let cells = self.operands(frame, op)?;
            if cells.iter().any(Cell::is_missing) {
                return Ok(self.all_missing(op, cells.iter().any(Cell::is_left_out)));
            }
        }
        self.plain(machine, frame, op)
    }

    /// Any other operation, on plain values: the machine runs it and its regions in the frame.
    fn plain(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Option<Cell>, Fault> {
        let sources = self.hand_over(frame, op);
        let values = machine.evaluate(frame, (op, machine.meanings.of(op.def)))?;
        for (id, value) in op.results.iter().zip(values) {
            if let Value::Scalar(value) = value {
                self.set(*id, Cell::plain(value, &sources));
            } else {
                self.wholes.insert(*id, cell::source_of_whole(&sources));
                frame.set(*id, value);
            }
        }
        Ok(None)
    }

    /// Puts the values of the body that an operation uses, or that its regions capture, into the frame. Tells where
    /// each value comes from.
    fn hand_over(&mut self, frame: &mut Frame<'_>, op: &Op) -> Vec<Source> {
        let uses = match op.regions.is_empty() {
            true => &[][..],
            false => self.captured.entry(op.span).or_insert_with(|| captured(op)),
        };
        let uses = op.operands.iter().map(|operand| operand.value).chain(uses.iter().copied());
        let source = |id: ValueId| match self.cells.get(id.index()).copied().flatten() {
            Some(cell) => {
                frame.set(id, Value::Scalar(cell.value));
                cell.source
            }
            None => self.wholes.get(&id).copied().unwrap_or_else(|| from_outside(frame, id)),
        };
        uses.map(source).collect()
    }

    /// Every result of a product in parts, where a factor is missing.
    fn all_missing(&mut self, op: &Op, left_out: bool) -> Option<Cell> {
        let elements = op.result_types.iter().map(|ty| ty.element().unwrap_or(Element::I64));
        let cells: Vec<Cell> =
            elements.map(|to| if left_out { Cell::left_out(to) } else { Cell::absent(to) }).collect();
        op.results.iter().zip(&cells).for_each(|(id, cell)| self.set(*id, *cell));
        cells.first().copied()
    }

    /// The branch of an operation, if it has one, applied to cells; without it there is no result.
    fn branch(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        op: &Op,
        (at, arguments): (usize, &[Cell]),
    ) -> Result<Cell, Fault> {
        let left_out = Cell::left_out(signature(op).to);
        let Some(region) = op.region(at) else { return Ok(left_out) };
        let yielded = self.region(machine, frame, region, arguments)?;
        Ok(yielded.first().map_or(left_out, |cell| cell.yielded()))
    }

    fn unary(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let present = cells.first().is_some_and(|cell| !cell.is_missing());
        self.branch(machine, frame, op, if present { (0, &cells) } else { (1, &[]) })
    }

    fn binary(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let [left, right] = cells[..] else { return Err(Fault::new("two operands are wanted")) };
        let keeps = |name| op.attribute(name).is_some();
        match (!left.is_missing(), !right.is_missing()) {
            (true, true) => self.branch(machine, frame, op, (0, &cells)),
            (true, false) if keeps("left_identity") => Ok(left),
            (false, true) if keeps("right_identity") => Ok(right),
            (true, false) => self.branch(machine, frame, op, (1, &[left])),
            (false, true) => self.branch(machine, frame, op, (2, &[right])),
            (false, false) => Ok(Cell::left_out(signature(op).to)),
        }
    }

    /// `sparse_tensor.reduce`: a missing term changes nothing, and the first term of a result without an entry is
    /// combined with the identity.
    fn reduce(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let [first, second, identity] = cells[..] else { return Err(Fault::new("three operands are wanted")) };
        let swapped = op.operands.get(1).is_some_and(|operand| self.outs.contains(&operand.value));
        let (so_far, term) = if swapped { (second, first) } else { (first, second) };
        if term.is_missing() {
            return Ok(so_far);
        }
        let so_far = if so_far.is_missing() { identity } else { so_far };
        let pair = if swapped { [term, so_far] } else { [so_far, term] };
        self.branch(machine, frame, op, (0, &pair))
    }

    fn select(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let left_out = Cell::left_out(signature(op).to);
        let Some(cell) = cells.first().filter(|cell| !cell.is_missing()) else { return Ok(left_out) };
        let kept = self.branch(machine, frame, op, (0, &cells))?;
        Ok(if kept.value.is_zero() { left_out } else { *cell })
    }
}
