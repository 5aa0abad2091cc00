//! `vector` at run time: reads and writes of those entries of buffers that a mask or a vector of indices selects.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Value, advance},
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_mlir::ir::Op;

pub(super) static MEANINGS: &[Row] = &[
    host("vector.maskedload", |machine, frame, op| read(machine, (frame, op), &Picks::masked(frame, op)?)),
    host("vector.expandload", |machine, frame, op| read(machine, (frame, op), &Picks::packed(frame, op)?)),
    host("vector.gather", |machine, frame, op| read(machine, (frame, op), &Picks::gathered(frame, op)?)),
    host("vector.maskedstore", |machine, frame, op| write(machine, (frame, op), &Picks::masked(frame, op)?)),
    host("vector.compressstore", |machine, frame, op| write(machine, (frame, op), &Picks::packed(frame, op)?)),
    host("vector.scatter", |machine, frame, op| write(machine, (frame, op), &Picks::gathered(frame, op)?)),
];

/// The coordinates in the buffer of each entry of a vector, in order; `None` for an entry that the mask leaves out.
struct Picks(Vec<Option<Vec<u64>>>);

impl Picks {
    fn of(mask: &Array, mut place: impl FnMut(usize, &[u64]) -> Result<Vec<u64>, Fault>) -> Result<Picks, Fault> {
        let mut at = vec![0; mask.shape.len()];
        let mut picks = Vec::with_capacity(mask.values.len());
        for (entry, picked) in mask.values.iter().enumerate() {
            picks.push(if picked.is_zero() { None } else { Some(place(entry, &at)?) });
            advance(&mut at, &mask.shape);
        }
        Ok(Picks(picks))
    }

    /// Entries have the places that they would have without a mask.
    fn masked(frame: &Frame<'_>, op: &Op) -> Result<Picks, Fault> {
        let from = frame.numbers(op.group(1))?;
        Picks::of(&vector(frame, op, 2)?, |_, at| {
            let mut place = from.clone();
            let first = place.len().saturating_sub(at.len());
            place.iter_mut().skip(first).zip(at).for_each(|(place, at)| *place = place.saturating_add(*at));
            Ok(place)
        })
    }

    /// The entries that the mask picks follow one another without gaps.
    fn packed(frame: &Frame<'_>, op: &Op) -> Result<Picks, Fault> {
        let from = frame.numbers(op.group(1))?;
        let mut next = 0;
        Picks::of(&vector(frame, op, 2)?, |_, _| {
            next += 1;
            moved(&from, next - 1)
        })
    }

    fn gathered(frame: &Frame<'_>, op: &Op) -> Result<Picks, Fault> {
        let (from, places) = (frame.numbers(op.group(1))?, vector(frame, op, 2)?);
        Picks::of(&vector(frame, op, 3)?, |entry, _| {
            let place = places.values.get(entry).ok_or_else(|| Fault::new("a mask is longer than its places"))?;
            moved(&from, super::arith::to_signed(places.element, place))
        })
    }
}

/// `by` entries further in the last dimension.
fn moved(from: &[u64], by: i128) -> Result<Vec<u64>, Fault> {
    let mut place = from.to_vec();
    let Some(last) = place.last_mut() else { return Ok(place) };
    let to = i128::from(*last as i64) + by;
    *last = u64::try_from(to).map_err(|_| Fault::new(format!("coordinate {to} is in front of the buffer")))?;
    Ok(place)
}

fn vector(frame: &Frame<'_>, op: &Op, group: usize) -> Result<Array, Fault> {
    let operand = op.group(group).first().ok_or_else(|| Fault::new("a vector is missing"))?;
    Ok(frame.get(operand.value)?.array()?.into_owned())
}

fn last_vector(frame: &Frame<'_>, op: &Op) -> Result<Array, Fault> {
    vector(frame, op, op.segments.len().saturating_sub(1))
}

/// Entries that the mask leaves out are those of the last operand.
fn read(machine: &mut Machine<'_>, (frame, op): (&Frame<'_>, &Op), picks: &Picks) -> Result<Vec<Value>, Fault> {
    let others = last_vector(frame, op)?;
    machine.step(picks.0.len() as u64)?;
    let base = frame.operand(op, 0)?;
    let load =
        |place: &[u64]| if let Value::Memory(memory) = base { memory.load(place) } else { base.array()?.get(place) };
    let element: Element = others.element;
    let mut values = Values::with_capacity(element, picks.0.len());
    for (pick, other) in picks.0.iter().zip(others.values.iter()) {
        let value: Scalar = pick.as_ref().map_or(Ok(other), |place| load(place))?;
        values.push(value);
    }
    Ok(vec![Value::Array(Array { element, shape: others.shape, values: values.into() })])
}

/// In the order of the vector: of two entries at one place the later stays.
fn write(machine: &mut Machine<'_>, (frame, op): (&Frame<'_>, &Op), picks: &Picks) -> Result<Vec<Value>, Fault> {
    let written = last_vector(frame, op)?;
    machine.step(picks.0.len() as u64)?;
    let memory = frame.operand(op, 0)?.memory()?;
    for (pick, value) in picks.0.iter().zip(written.values.iter()) {
        if let Some(place) = pick {
            memory.store(place, value)?;
        }
    }
    Ok(Vec::new())
}
