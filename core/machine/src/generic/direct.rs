//! Evaluates a body point by point, in the order of the loops. This is the reference: it defines the meaning
//! of every kernel, and runs those that cannot be compiled.

mod cell;

use std::collections::HashMap;

use super::{Generic, uses};
use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine, signature},
    meaning::{self, Meaning, PartsOp},
    value::{Array, Sparse, Value, advance, offset},
};
use cell::{Cell, Source};
use nnz_base::element::{Element, Scalar};
use nnz_encoding::AffineMap;
use nnz_loops::{Binary, scalar::binary};
use nnz_mlir::{
    attribute::Attribute,
    ir::{Op, Region, ValueId},
    operation::BodyOp,
};
use nnz_storage::Triplets;

/// The entries of an operand or result.
enum Entries {
    Scalar(Scalar),
    Dense(Array),
    /// By row-major coordinates.
    Sparse {
        element: Element,
        entries: HashMap<Vec<u64>, Scalar>,
    },
}

/// Runs the body at every point.
///
/// # Errors
/// Whatever stops it.
pub(super) fn run(
    machine: &mut Machine<'_>,
    frame: &mut Frame<'_>,
    generic: &Generic<'_>,
) -> Result<Vec<Value>, Fault> {
    let region = generic.op.region(0).ok_or_else(|| Fault::new("a kernel without a body"))?;
    let mut operands =
        generic.values.iter().map(|value| Entries::new(&machine.budget, value)).collect::<Result<Vec<_>, _>>()?;
    let old = Old::take(generic, region, &mut operands);
    let mut body = Body { cells: vec![None; frame.function.types.len()], point: Vec::new(), outs: generic.outs() };
    let points = generic.extents.iter().try_fold(1u64, |count, extent| count.checked_mul(*extent));
    let points = points.ok_or_else(|| Fault::limit("the kernel has more than 2^64 points"))?;
    let mut point = vec![0; generic.extents.len()];
    // One array for each, as there may be millions of points.
    let mut places = vec![Vec::new(); generic.maps.len()];
    let mut arguments = Vec::with_capacity(operands.len());
    for _ in 0..points {
        machine.step(1)?;
        body.point.clone_from(&point);
        generic.maps.iter().zip(&mut places).for_each(|(map, at)| go_to(map, &point, at));
        read(generic, &operands, &old, &places, &mut arguments)?;
        let yielded = body.region(machine, frame, region, &arguments)?;
        for (out, cell) in yielded.into_iter().enumerate() {
            let at = generic.inputs + out;
            operands[at].keep(&places[at], cell, old.filters_zeros)?;
        }
        advance(&mut point, &generic.extents);
    }
    operands
        .into_iter()
        .zip(&generic.values)
        .skip(generic.inputs)
        .map(|(entries, value)| entries.finish(&machine.budget, value))
        .collect()
}

/// Where a map leads at a point.
fn go_to(map: &AffineMap, point: &[u64], at: &mut Vec<u64>) {
    at.clear();
    at.extend(map.image(point).map(|at| u64::try_from(at).unwrap_or(u64::MAX)));
}

/// What the results were before.
struct Old {
    /// A result with an encoding keeps only nonzeros, because the body uses dense operands alone.
    filters_zeros: bool,
    /// Some loops are not dimensions of the result.
    reduces: bool,
}

impl Old {
    fn take(generic: &Generic<'_>, region: &Region, operands: &mut [Entries]) -> Old {
        let reduces = generic.maps.get(generic.inputs).is_some_and(|map| map.results.len() < map.dims);
        let used = |at: usize| region.arguments.get(at).is_some_and(|argument| uses(region, argument.value));
        let sparse = |(at, entries): (usize, &Entries)| matches!(entries, Entries::Sparse { .. }) && used(at);
        let sparse_inputs = operands.iter().take(generic.inputs).enumerate().any(sparse);
        for (at, operand) in operands.iter_mut().enumerate().skip(generic.inputs) {
            if !used(at) {
                operand.clear();
            }
        }
        let any_used = (generic.inputs..operands.len()).any(used);
        Old { filters_zeros: !sparse_inputs && !any_used, reduces }
    }
}

/// What the body is given at a point.
fn read(
    generic: &Generic<'_>,
    operands: &[Entries],
    old: &Old,
    places: &[Vec<u64>],
    cells: &mut Vec<Cell>,
) -> Result<(), Fault> {
    cells.clear();
    for (at, (operand, place)) in operands.iter().zip(places).enumerate() {
        let mut cell = operand.at(place)?;
        match operand {
            Entries::Dense(_) if at >= generic.inputs && old.reduces => cell.source = Source::Old,
            Entries::Sparse { element, .. } if at >= generic.inputs && cell.is_missing() => {
                cell = Cell::unset(*element)
            }
            Entries::Scalar(_) | Entries::Dense(_) | Entries::Sparse { .. } => {}
        }
        cells.push(cell);
    }
    Ok(())
}

impl Entries {
    fn new(budget: &Budget, value: &Value) -> Result<Entries, Fault> {
        Ok(match value {
            Value::Scalar(scalar) => Entries::Scalar(*scalar),
            Value::Sparse(tensor) => Entries::of(&tensor.visited()?),
            Value::Array(_)
            | Value::Entries(_)
            | Value::Memory(_)
            | Value::Name(_)
            | Value::Specifier(_)
            | Value::Walk(_) => Entries::Dense(value.to_array(budget)?),
        })
    }

    fn of(triplets: &Triplets) -> Entries {
        let element = triplets.element();
        let mut entries: HashMap<Vec<u64>, Scalar> = HashMap::with_capacity(triplets.len());
        for (at, value) in (0..triplets.len()).filter_map(|entry| triplets.entry(entry)) {
            // Entries that share a place add up.
            let so_far = entries.entry(at).or_insert(element.zero());
            *so_far = if so_far.is_zero() { value } else { binary(Binary::Add, element, *so_far, value) };
        }
        Entries::Sparse { element, entries }
    }

    /// A result whose old value nobody reads starts from nothing.
    fn clear(&mut self) {
        match self {
            Entries::Scalar(_) => {}
            Entries::Dense(array) => {
                let zeros = nnz_base::arrays::Values::zeros(array.element, array.values.len());
                array.values = zeros.into();
            }
            Entries::Sparse { entries, .. } => entries.clear(),
        }
    }

    fn at(&self, place: &[u64]) -> Result<Cell, Fault> {
        Ok(match self {
            Entries::Scalar(scalar) => Cell::constant(*scalar),
            Entries::Dense(array) => Cell::present(array.get(place)?),
            Entries::Sparse { element, entries } => {
                entries.get(place).map_or(Cell::absent(*element), |value| Cell::present(*value))
            }
        })
    }

    /// Stores the result of a point as the entry. Without a result the entry does not change.
    fn keep(&mut self, place: &[u64], cell: Cell, filters_zeros: bool) -> Result<(), Fault> {
        if cell.is_left_out() {
            return Ok(());
        }
        match self {
            Entries::Scalar(scalar) => *scalar = cell.value,
            Entries::Dense(array) => {
                let at = offset(&array.shape, place)?;
                std::sync::Arc::make_mut(&mut array.values).set(at, cell.value);
            }
            Entries::Sparse { .. } if filters_zeros && cell.value.is_zero() => {}
            Entries::Sparse { entries, .. } if cell.is_missing() => drop(entries.remove(place)),
            Entries::Sparse { entries, .. } => match entries.get_mut(place) {
                Some(value) => *value = cell.value,
                None => drop(entries.insert(place.to_vec(), cell.value)),
            },
        }
        Ok(())
    }

    /// The result that took the place of `before`.
    fn finish(self, budget: &Budget, before: &Value) -> Result<Value, Fault> {
        match (self, before) {
            (Entries::Scalar(scalar), _) => Ok(Value::Scalar(scalar)),
            (Entries::Dense(array), Value::Memory(memory)) => {
                crate::dialects::memref::fill_from(budget, memory, &array)?;
                Ok(before.clone())
            }
            (Entries::Dense(array), _) => Ok(Value::Array(array)),
            (Entries::Sparse { element, entries }, before) => {
                let tensor = before.sparse()?;
                Ok(Value::Sparse(Sparse::packed(triplets(tensor.shape(), element, entries)?, tensor.encoding())?))
            }
        }
    }
}

fn triplets(shape: &[u64], element: Element, entries: HashMap<Vec<u64>, Scalar>) -> Result<Triplets, Fault> {
    let mut coords = vec![Vec::with_capacity(entries.len()); shape.len()];
    let mut values = nnz_base::arrays::Values::with_capacity(element, entries.len());
    for (at, value) in entries {
        coords.iter_mut().zip(at).for_each(|(column, at)| column.push(at));
        values.push(value);
    }
    let triplets = Triplets::new(shape.to_vec(), element, coords, values);
    Ok(triplets.map_err(nnz_storage::StorageError::from)?)
}

/// The state of a body at one point.
struct Body {
    /// The values that the body has computed, by their ids.
    cells: Vec<Option<Cell>>,
    point: Vec<u64>,
    /// What the results were before.
    outs: Vec<ValueId>,
}

impl Body {
    fn region(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        region: &Region,
        arguments: &[Cell],
    ) -> Result<Vec<Cell>, Fault> {
        for (argument, cell) in region.arguments.iter().zip(arguments) {
            self.set(argument.value, *cell);
        }
        for op in &region.operations {
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

    /// A value of the body, or one from outside it.
    fn cell(&self, frame: &Frame<'_>, id: ValueId) -> Result<Cell, Fault> {
        match self.cells.get(id.index()).copied().flatten() {
            Some(cell) => Ok(cell),
            None => Ok(Cell::constant(frame.get(id)?.scalar()?)),
        }
    }

    fn operation(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Option<Cell>, Fault> {
        match meaning::of(op.def) {
            Meaning::Scalar(meaning) => {
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
            Meaning::Parts(meaning) => self.parts(machine, frame, op, meaning),
            Meaning::Host(run) => self.host(machine, frame, op, run),
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
        PartsOp { run, is_product }: PartsOp,
    ) -> Result<Option<Cell>, Fault> {
        if is_product {
            let cells = self.operands(frame, op)?;
            if cells.iter().any(Cell::is_missing) {
                return Ok(self.all_missing(op, cells.iter().any(Cell::is_left_out)));
            }
        }
        self.host(machine, frame, op, run)
    }

    /// Any other operation, on plain values.
    fn host(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        op: &Op,
        run: crate::meaning::HostFn,
    ) -> Result<Option<Cell>, Fault> {
        let mut source = Source::Constant;
        for operand in &op.operands {
            match self.cells.get(operand.value.index()).copied().flatten() {
                Some(cell) => {
                    source = if source == Source::Present { source } else { cell.source };
                    frame.set(operand.value, Value::Scalar(cell.value));
                }
                None => source = Source::Present,
            }
        }
        let mut values = run(machine, frame, op)?.into_iter();
        let first = values.next();
        for (id, value) in op.results.iter().skip(1).zip(values) {
            if let Value::Scalar(value) = value { self.set(*id, Cell { value, source }) } else { frame.set(*id, value) }
        }
        match first {
            Some(Value::Scalar(value)) => Ok(Some(Cell { value, source })),
            Some(other) => {
                op.results.iter().for_each(|id| frame.set(*id, other.clone()));
                Ok(None)
            }
            None => Ok(None),
        }
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
