//! Evaluates a body point by point, in the order of the loops. This is the reference: it says what every
//! kernel means, and carries out those that the compiler cannot.

use std::collections::HashMap;

use super::{Generic, place};
use crate::{
    element::{Element, Scalar},
    encoding::LevelFormat,
    program::{
        attribute::Attribute,
        ir::{Op, Region, ValueId},
        machine::{Fault, Frame, Machine, signature},
        operation::{BodyOp, Meaning, ScalarOp},
        value::{Array, Sparse, Value, advance, offset},
    },
    storage::Triplets,
};

/// A value of the body at a point.
#[derive(Clone, Copy, Debug)]
struct Cell {
    value: Scalar,
    source: Source,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// It follows from no operand: a constant, a loop's number, a value from outside of the body.
    Constant,
    /// From what an operand stores, or a dense one has.
    Present,
    /// From what operands do not store: zero.
    Absent,
    /// From the old value of a dense result, which is always there and never new.
    Old,
    /// From that and from something else.
    New,
}

impl Cell {
    fn present(value: Scalar) -> Cell {
        Cell { value, source: Source::Present }
    }
    fn constant(value: Scalar) -> Cell {
        Cell { value, source: Source::Constant }
    }
    fn absent(element: Element) -> Cell {
        Cell { value: element.zero(), source: Source::Absent }
    }
    /// It goes into the result.
    fn counts(&self) -> bool {
        matches!(self.source, Source::Present | Source::Constant | Source::New)
    }
    /// It depends on the old value of a dense result.
    fn of_old(&self) -> bool {
        matches!(self.source, Source::Old | Source::New)
    }
    fn is_absent(&self) -> bool {
        self.source == Source::Absent
    }
}

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
    let mut operands = generic.values.iter().map(Entries::new).collect::<Result<Vec<_>, _>>()?;
    let old = Old::take(generic, region, &mut operands);
    let mut body =
        Body { cells: vec![None; frame.function.types.len()], point: Vec::new(), started: false, identity: None };
    let mut starts = Starts::default();
    let points = generic.extents.iter().try_fold(1u64, |count, extent| count.checked_mul(*extent));
    let points = points.ok_or_else(|| Fault::limit("the kernel has more than 2^64 points"))?;
    let mut point = vec![0; generic.extents.len()];
    for _ in 0..points {
        machine.step(1)?;
        body.point.clone_from(&point);
        let places: Vec<Vec<u64>> = generic.maps.iter().map(|map| unsigned(&place(map, &point))).collect();
        let arguments = arguments(generic, &operands, &old, &places)?;
        let result = places.get(generic.inputs).map(Vec::as_slice).unwrap_or_default();
        body.started = starts.contains(result);
        let yielded = body.region(machine, frame, region, &arguments)?;
        starts.note(result, &body, &yielded);
        for (out, cell) in yielded.into_iter().enumerate() {
            let at = generic.inputs + out;
            operands[at].keep(&places[at], cell, old.filters_zeros)?;
        }
        advance(&mut point, &generic.extents);
    }
    starts.finish(generic, &mut operands, &body)?;
    operands
        .into_iter()
        .zip(&generic.values)
        .skip(generic.inputs)
        .map(|(entries, value)| entries.finish(value))
        .collect()
}

/// Which entries of a dense result a `sparse_tensor.reduce` has begun. It begins at its identity, whatever
/// the result was before; without a term that is the value where the loops come by, which they do unless a
/// level above stores nothing.
#[derive(Default)]
struct Starts {
    /// Entries that were visited, and whether they have a term.
    entries: HashMap<Vec<u64>, bool>,
}

impl Starts {
    fn contains(&self, at: &[u64]) -> bool {
        self.entries.get(at).copied().unwrap_or(false)
    }

    fn note(&mut self, at: &[u64], body: &Body, yielded: &[Cell]) {
        if body.identity.is_some() {
            *self.entries.entry(at.to_vec()).or_default() |= yielded.first().is_some_and(Cell::counts);
        }
    }

    fn finish(self, generic: &Generic<'_>, operands: &mut [Entries], body: &Body) -> Result<(), Fault> {
        let (Some(identity), true) = (body.identity, visits_all_results(generic)) else { return Ok(()) };
        let Some(result @ Entries::Dense(_)) = operands.get_mut(generic.inputs) else { return Ok(()) };
        let without = self.entries.into_iter().filter(|(_, has_term)| !has_term);
        for (at, _) in without {
            result.keep(&at, Cell::constant(identity), false)?;
        }
        Ok(())
    }
}

/// Whether the levels of every operand above those that are reduced are dense.
fn visits_all_results(generic: &Generic<'_>) -> bool {
    let results = generic.maps.last().map(|map| &map.results[..]).unwrap_or_default();
    let kept: Vec<_> = results.iter().filter_map(|result| result.as_var()).collect();
    generic.values.iter().zip(&generic.maps).take(generic.inputs).all(|(value, map)| {
        let Value::Sparse(tensor) = value else { return true };
        tensor.encoding().levels().iter().all(|level| {
            let result = level.expr.as_var().and_then(|dim| map.results.get(dim.index())?.as_var());
            result.is_none_or(|dim| !kept.contains(&dim)) || level.format == LevelFormat::Dense
        })
    })
}

fn unsigned(at: &[i128]) -> Vec<u64> {
    at.iter().map(|&at| u64::try_from(at).unwrap_or(u64::MAX)).collect()
}

/// What the results were before.
struct Old {
    /// Of each result with an encoding, the entries that a body without reductions reads.
    entries: Vec<Option<Entries>>,
    /// Of dense operands alone, a result with an encoding keeps what is not zero.
    filters_zeros: bool,
}

impl Old {
    fn take(generic: &Generic<'_>, region: &Region, operands: &mut [Entries]) -> Old {
        let reduces = generic.maps.get(generic.inputs).is_some_and(|map| map.results.len() < map.dims);
        let sparse_inputs =
            operands.iter().take(generic.inputs).any(|entries| matches!(entries, Entries::Sparse { .. }));
        let used = |at: usize| region.arguments.get(at).is_some_and(|argument| uses(region, argument.value));
        let mut entries = Vec::new();
        for (at, operand) in operands.iter_mut().enumerate().skip(generic.inputs) {
            entries.push(operand.begin(used(at), reduces));
        }
        let any_used = (generic.inputs..operands.len()).any(used);
        Old { entries, filters_zeros: !sparse_inputs && !any_used }
    }
}

/// Whether a value is used within a region.
fn uses(region: &Region, value: ValueId) -> bool {
    region.operations.iter().any(|op| {
        op.operands.iter().any(|operand| operand.value == value)
            || op.regions.iter().flatten().any(|inner| uses(inner, value))
    })
}

fn arguments(generic: &Generic<'_>, operands: &[Entries], old: &Old, places: &[Vec<u64>]) -> Result<Vec<Cell>, Fault> {
    let mut cells = Vec::with_capacity(operands.len());
    for (at, (operand, place)) in operands.iter().zip(places).enumerate() {
        let out = at.checked_sub(generic.inputs);
        let before = out.and_then(|out| old.entries.get(out)).and_then(Option::as_ref);
        let mut cell = before.unwrap_or(operand).at(place)?;
        if out.is_some() && matches!(operand, Entries::Dense(_)) {
            cell.source = Source::Old;
        }
        cells.push(cell);
    }
    Ok(cells)
}

impl Entries {
    fn new(value: &Value) -> Result<Entries, Fault> {
        Ok(match value {
            Value::Scalar(scalar) => Entries::Scalar(*scalar),
            Value::Sparse(tensor) => Entries::of(&tensor.visited()?),
            Value::Memory(memory) => Entries::Dense(memory.to_array()?),
            other => Entries::Dense(other.array()?.into_owned()),
        })
    }

    fn of(triplets: &Triplets) -> Entries {
        let entries = (0..triplets.len()).filter_map(|entry| triplets.entry(entry)).collect();
        Entries::Sparse { element: triplets.element(), entries }
    }

    /// Makes a result ready: what nobody reads is cleared, and what is read of entries that are made anew
    /// is given back.
    fn begin(&mut self, used: bool, reduces: bool) -> Option<Entries> {
        match self {
            Entries::Dense(array) if !used => {
                let zeros = crate::arrays::Values::zeros(array.element, array.values.len());
                array.values = zeros.into();
                None
            }
            Entries::Sparse { element, entries } if !used => {
                *self = Entries::Sparse { element: *element, entries: HashMap::with_capacity(entries.len()) };
                None
            }
            Entries::Sparse { element, .. } if !reduces => {
                let empty = Entries::Sparse { element: *element, entries: HashMap::new() };
                Some(std::mem::replace(self, empty))
            }
            _ => None,
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

    fn keep(&mut self, place: &[u64], cell: Cell, filters_zeros: bool) -> Result<(), Fault> {
        if !cell.counts() {
            return Ok(());
        }
        match self {
            Entries::Scalar(scalar) => *scalar = cell.value,
            Entries::Dense(array) => {
                let at = offset(&array.shape, place)?;
                std::sync::Arc::make_mut(&mut array.values).set(at, cell.value);
            }
            Entries::Sparse { .. } if filters_zeros && cell.value.is_zero() => {}
            Entries::Sparse { entries, .. } => drop(entries.insert(place.to_vec(), cell.value)),
        }
        Ok(())
    }

    /// The result that took the place of `before`.
    fn finish(self, before: &Value) -> Result<Value, Fault> {
        match (self, before) {
            (Entries::Scalar(scalar), _) => Ok(Value::Scalar(scalar)),
            (Entries::Dense(array), Value::Memory(memory)) => {
                crate::program::dialects::memref::fill_from(memory, &array)?;
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
    let mut values = crate::arrays::Values::with_capacity(element, entries.len());
    for (at, value) in entries {
        coords.iter_mut().zip(at).for_each(|(column, at)| column.push(at));
        values.push(value);
    }
    let triplets = Triplets::new(shape.to_vec(), element, coords, values);
    Ok(triplets.map_err(crate::storage::StorageError::from)?)
}

/// The state of a body at one point.
struct Body {
    /// By value, those that the body has computed.
    cells: Vec<Option<Cell>>,
    point: Vec<u64>,
    /// The entry of a dense result has taken in a term of a `sparse_tensor.reduce`.
    started: bool,
    /// What that starts from.
    identity: Option<Scalar>,
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

    /// A value of the body, or one from outside of it.
    fn cell(&self, frame: &Frame<'_>, id: ValueId) -> Result<Cell, Fault> {
        match self.cells.get(id.index()).copied().flatten() {
            Some(cell) => Ok(cell),
            None => Ok(Cell::constant(frame.get(id)?.scalar()?)),
        }
    }

    fn operation(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Option<Cell>, Fault> {
        match op.def.meaning {
            Meaning::Scalar(meaning) => {
                let cells = self.operands(frame, op)?;
                scalar(op, meaning, &cells).map(Some)
            }
            Meaning::Body(BodyOp::Index) => {
                let dim = op.attribute("dim").and_then(Attribute::as_int).unwrap_or(0);
                let at = usize::try_from(dim).ok().and_then(|dim| self.point.get(dim));
                let at = at.ok_or_else(|| Fault::new(format!("there is no loop {dim}")))?;
                Ok(Some(Cell::constant(Scalar::Int((*at).into()))))
            }
            Meaning::Body(BodyOp::Unary) => self.unary(machine, frame, op).map(Some),
            Meaning::Body(BodyOp::Binary) => self.binary(machine, frame, op).map(Some),
            Meaning::Body(BodyOp::Reduce) => self.reduce(machine, frame, op).map(Some),
            Meaning::Body(BodyOp::Select) => self.select(machine, frame, op).map(Some),
            Meaning::Host(run) => self.host(machine, frame, op, run),
            Meaning::Terminator | Meaning::Branch(_) => Ok(None),
        }
    }

    fn operands(&self, frame: &Frame<'_>, op: &Op) -> Result<Vec<Cell>, Fault> {
        op.operands.iter().map(|operand| self.cell(frame, operand.value)).collect()
    }

    /// Any other operation, on plain values.
    fn host(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        op: &Op,
        run: crate::program::operation::HostFn,
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
        let values = run(machine, frame, op)?;
        match values.into_iter().next() {
            Some(Value::Scalar(value)) => Ok(Some(Cell { value, source })),
            Some(other) => {
                op.results.iter().for_each(|id| frame.set(*id, other.clone()));
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// The branch of an operation, if it has one, applied to cells; absent where it has none.
    fn branch(
        &mut self,
        machine: &mut Machine<'_>,
        frame: &mut Frame<'_>,
        op: &Op,
        (at, arguments): (usize, &[Cell]),
    ) -> Result<Cell, Fault> {
        let absent = Cell::absent(signature(op).to);
        let Some(region) = op.region(at) else { return Ok(absent) };
        let yielded = self.region(machine, frame, region, arguments)?;
        Ok(yielded.first().map_or(absent, |cell| Cell::present(cell.value)))
    }

    fn unary(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let present = cells.first().is_some_and(|cell| !cell.is_absent());
        self.branch(machine, frame, op, if present { (0, &cells) } else { (1, &[]) })
    }

    fn binary(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let [left, right] = cells[..] else { return Err(Fault::new("two operands are wanted")) };
        let keeps = |name| op.attribute(name).is_some();
        match (!left.is_absent(), !right.is_absent()) {
            (true, true) => self.branch(machine, frame, op, (0, &cells)),
            (true, false) if keeps("left_identity") => Ok(left),
            (false, true) if keeps("right_identity") => Ok(right),
            (true, false) => self.branch(machine, frame, op, (1, &[left])),
            (false, true) => self.branch(machine, frame, op, (2, &[right])),
            (false, false) => Ok(Cell::absent(signature(op).to)),
        }
    }

    /// Of an absent term nothing is taken in; the first of a result that was absent starts from the identity.
    fn reduce(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let [first, second, identity] = cells[..] else { return Err(Fault::new("three operands are wanted")) };
        let swapped = second.of_old() && !first.of_old();
        let (so_far, term) = if swapped { (second, first) } else { (first, second) };
        self.identity = Some(identity.value);
        if term.is_absent() {
            return Ok(so_far);
        }
        let starts = so_far.is_absent() || so_far.of_old() && !self.started;
        let so_far = if starts { identity } else { so_far };
        let pair = if swapped { [term, so_far] } else { [so_far, term] };
        self.branch(machine, frame, op, (0, &pair))
    }

    fn select(&mut self, machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Cell, Fault> {
        let cells = self.operands(frame, op)?;
        let Some(cell) = cells.first().filter(|cell| !cell.is_absent()) else {
            return Ok(Cell::absent(signature(op).to));
        };
        let kept = self.branch(machine, frame, op, (0, &cells))?;
        Ok(if kept.value.is_zero() { Cell::absent(signature(op).to) } else { *cell })
    }
}

/// An operation of cells, with the rules of absence.
fn scalar(op: &Op, meaning: ScalarOp, cells: &[Cell]) -> Result<Cell, Fault> {
    let signature = signature(op);
    let has = |source: fn(&Cell) -> bool| cells.iter().any(source);
    let (old, absent) = (has(Cell::of_old), has(Cell::is_absent));
    if absorbs_zero(op.def.name) && absent && !old {
        return Ok(Cell::absent(signature.to));
    }
    if op.def.name == "arith.select" && cells.iter().skip(1).all(Cell::is_absent) {
        return Ok(Cell::absent(signature.to));
    }
    let values: Vec<Scalar> = cells.iter().map(|cell| cell.value).collect();
    // The condition of a choice makes nothing present.
    let chosen = if op.def.name == "arith.select" { cells.get(1..).unwrap_or_default() } else { cells };
    let present = chosen.iter().any(|cell| cell.source == Source::Present);
    let value = match (meaning.apply)(&signature, &values) {
        Ok(value) => value,
        Err(_) if absent && !present && !old => return Ok(Cell::absent(signature.to)),
        Err(message) => return Err(Fault::new(message)),
    };
    let source = match () {
        // A sum is not changed by what is absent; anything else takes it for zero.
        () if old && absent && !present && is_sum(op.def.name) => Source::Old,
        () if old && cells.len() == 1 => cells[0].source,
        () if old => Source::New,
        () if present => Source::Present,
        // A number added to what is absent is there, even a zero.
        () if is_sum(op.def.name) && has(|cell| cell.source == Source::Constant) => Source::Present,
        () if absent && value.is_zero() => Source::Absent,
        () if absent => Source::Present,
        () => Source::Constant,
    };
    Ok(Cell { value, source })
}

/// Products, which are zero where a factor is.
fn absorbs_zero(name: &str) -> bool {
    matches!(name, "arith.mulf" | "arith.muli" | "arith.andi" | "complex.mul")
}

fn is_sum(name: &str) -> bool {
    matches!(
        name,
        "arith.addf"
            | "arith.addi"
            | "arith.subf"
            | "arith.subi"
            | "arith.ori"
            | "arith.xori"
            | "complex.add"
            | "complex.sub"
    )
}
