//! `hashed`: the slots `pos[parent] .. pos[parent + 1]`; a slot whose coordinate is the level's size is free.

use super::{Code, Level, Parent, Step, Walk, compressed};
use nnz_loops::{Binary, Builder, ExprId, Stmt, Type};
use nnz_storage::HASH_FACTOR;

pub(super) const CODE: Code = Code { walk, step, locate };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    (compressed::CODE.walk)(level, b, parent)
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    let step = (compressed::CODE.step)(level, b, parent, at);
    let free = level.size(b);
    Step { present: Some(b.binary(Binary::Lt, step.coordinate, free)), ..step }
}

/// Searches from the coordinate's home slot on, wrapping at the end, for its slot or a free one. A table that is not
/// empty always has a free slot.
fn locate(level: &Level, b: &mut Builder, parent: Parent, coordinate: ExprId) -> Step {
    let (zero, one) = (b.index(0), b.index(1));
    let next = b.add(parent.position, one);
    let [first, end] = [parent.position, next].map(|at| level.position(b, at));
    let first = named(b, "table", first);
    let slots = b.sub(end, first);
    let slots = named(b, "slots", slots);
    let home = home(b, coordinate, slots);
    let slot = b.local("slot", Type::Index);
    b.push(Stmt::Mut { var: slot, value: home });
    let at = b.var(slot);
    let position = b.add(first, at);
    let (any, stored, free) = (b.binary(Binary::Lt, zero, slots), level.coordinate(b, position), level.size(b));
    let [other, taken] = [(Binary::Ne, coordinate), (Binary::Lt, free)].map(|(op, to)| b.binary(op, stored, to));
    let other = b.binary(Binary::And, other, taken);
    let cond = b.binary(Binary::And, any, other);
    let step = b.add(at, one);
    let inside = b.binary(Binary::Lt, step, slots);
    let value = b.select(inside, step, zero);
    b.push(Stmt::While { cond, body: vec![Stmt::Assign { var: slot, value }] });
    let same = b.binary(Binary::Eq, stored, coordinate);
    let present = b.binary(Binary::And, any, same);
    Step { coordinate, place: Parent { position, ..parent }, present: Some(present) }
}

/// The home slot, as `storage` computes it, but in signed numbers: a product that wraps is negative, and so is its
/// remainder.
fn home(b: &mut Builder, coordinate: ExprId, slots: ExprId) -> ExprId {
    let (word, factor) = (b.index(1 << 32), b.index(HASH_FACTOR));
    let low = b.binary(Binary::Rem, coordinate, word);
    let product = b.mul(low, factor);
    let rest = b.binary(Binary::Rem, product, word);
    let rest = b.add(rest, word);
    let rest = b.binary(Binary::Rem, rest, word);
    let scaled = b.mul(rest, slots);
    b.binary(Binary::Div, scaled, word)
}

fn named(b: &mut Builder, name: &str, value: ExprId) -> ExprId {
    let var = b.define(name, Type::Index, value);
    b.var(var)
}
