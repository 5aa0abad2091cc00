//! `sparse_tensor` at run time: loops over iteration spaces, one space at a time or several together.

use std::collections::BTreeMap;

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Value, Walk},
};
use nnz_base::ids::Lvl;
use nnz_mlir::{
    dialects::sparse_tensor_iterate::{cases, is_set, space_of},
    ir::Op,
    types::Levels,
};
use nnz_storage::Fibers;

pub(super) static MEANINGS: &[Row] =
    &[host("sparse_tensor.iterate", iterate), host("sparse_tensor.coiterate", coiterate)];

/// The values of a region's arguments at coordinates.
fn arguments(op: &Op, carried: Vec<Value>, at: &[i64], iterators: impl Iterator<Item = Value>) -> Vec<Value> {
    let used = at.iter().enumerate().filter(|(lvl, _)| is_set(op.attribute("crdUsedLvls"), *lvl));
    let coordinates = used.map(|(_, &at)| Value::index(at as u64));
    carried.into_iter().chain(coordinates).chain(iterators).collect()
}

/// Coordinates, outermost level first, and positions of the innermost.
type Point = (Vec<i64>, Vec<u64>);

/// What a space holds, in order: coordinates, and the positions that have them. Several positions share
/// coordinates where a level is not unique.
fn places(walk: &Walk, levels: &Levels) -> Result<Vec<Point>, Fault> {
    let fibers = Fibers::new(&walk.storage)?;
    let mut reached = vec![(Vec::new(), walk.positions.as_ref().clone())];
    for lvl in levels.from..levels.to {
        let mut below: Vec<Point> = Vec::new();
        for (path, parents) in &reached {
            for parent in parents {
                let fiber = fibers.below(Lvl::new(lvl), *parent);
                for (position, coordinate) in fiber.children(0..u64::MAX) {
                    let path: Vec<i64> = path.iter().copied().chain([coordinate]).collect();
                    match below.last_mut() {
                        Some((before, positions)) if *before == path => positions.push(position),
                        _ => below.push((path, vec![position])),
                    }
                }
            }
        }
        reached = below;
    }
    Ok(reached)
}

fn iterate(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let walk = frame.operand(op, 0)?.walk()?.clone();
    let mut carried = frame.take(op.group(1))?;
    let levels = op.operands.first().and_then(|operand| space_of(&operand.ty));
    let (Some(region), Some(levels)) = (op.region(0), levels) else { return Ok(carried) };
    for (at, positions) in places(&walk, levels)? {
        machine.step(1)?;
        let iterator = Value::Walk(Walk { storage: walk.storage.clone(), positions: positions.into() });
        let arguments = arguments(op, carried, &at, [iterator].into_iter());
        carried = machine.region(frame, region, arguments)?;
    }
    Ok(carried)
}

/// The positions that each space has at the coordinates that any has.
type Together = BTreeMap<Vec<i64>, Vec<Vec<u64>>>;

fn together(frame: &Frame<'_>, op: &Op) -> Result<(Together, Vec<Walk>), Fault> {
    let mut together = Together::new();
    let mut walks = Vec::new();
    for (space, operand) in op.group(0).iter().enumerate() {
        let walk = frame.get(operand.value)?.walk()?.clone();
        let levels = space_of(&operand.ty).ok_or_else(|| Fault::new("no iteration space"))?;
        for (at, mut positions) in places(&walk, levels)? {
            let row = together.entry(at).or_insert_with(|| vec![Vec::new(); op.group(0).len()]);
            row[space].append(&mut positions);
        }
        walks.push(walk);
    }
    Ok((together, walks))
}

/// At each coordinate the case of exactly the spaces that have it; none where there is no such case.
fn coiterate(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let mut carried = frame.take(op.group(1))?;
    let cases = cases(op.attribute("cases"));
    let (together, walks) = together(frame, op)?;
    for (at, row) in together {
        machine.step(1)?;
        let present = row.iter().enumerate().filter(|(_, positions)| !positions.is_empty());
        let present = present.fold(0i128, |bits, (space, _)| bits | 1 << space.min(100));
        let case = cases.iter().position(|case| *case == present);
        let Some(region) = case.and_then(|case| op.region(case)) else { continue };
        let iterators = row.into_iter().zip(&walks).filter(|(positions, _)| !positions.is_empty());
        let iterators = iterators
            .map(|(positions, walk)| Value::Walk(Walk { storage: walk.storage.clone(), positions: positions.into() }));
        let arguments = arguments(op, carried, &at, iterators);
        carried = machine.region(frame, region, arguments)?;
    }
    Ok(carried)
}
