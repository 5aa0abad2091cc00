//! `sparse_tensor`: work on plain buffers.

use crate::{
    element::{Element, Scalar},
    program::{
        attribute::Attribute,
        ir::Op,
        machine::{Fault, Frame, Machine},
        operation::OpDef,
        read::{Draft, Mistake, Read, Reader},
        types::Type,
        value::{Memory, Value},
    },
    syntax::TokenKind,
};

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("sparse_tensor.push_back", push_back_syntax, push_back),
    OpDef::host("sparse_tensor.sort", sort_syntax, sort),
];

/// `inbounds %size, %buffer, %value, %count : index, memref<?xf64>, f64, index`
fn push_back_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.eat_word("inbounds");
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    draft.operands = r.resolve_all(&uses, &types)?;
    let [size, buffer, value] = [0, 1, 2].map(|at| types.get(at).cloned().unwrap_or(Type::Broken));
    if size != Type::INDEX || buffer.element() != value.element() || !matches!(buffer, Type::Memory(_)) {
        return Err(draft.mistake("`sparse_tensor.push_back` takes a size, a memref, and a value for it"));
    }
    draft.results = vec![buffer, Type::INDEX];
    Ok(())
}

/// A buffer that is full is doubled until all fits.
fn push_back(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let size = frame.operand(op, 0)?.number()?;
    let mut buffer = frame.operand(op, 1)?.memory()?.clone();
    let value = frame.operand(op, 2)?.scalar()?;
    let count = if op.operands.len() > 3 { frame.operand(op, 3)?.number()? } else { 1 };
    let wanted = size.checked_add(count).filter(|&wanted| wanted <= 1 << 31);
    let wanted = wanted.ok_or_else(|| Fault::limit("a buffer of more than 2^31 entries"))?;
    let mut room = buffer.shape.first().copied().unwrap_or(0);
    if room < wanted {
        while room < wanted {
            room = (room * 2).max(1);
        }
        buffer = grown(&buffer, room)?;
    }
    for at in size..wanted {
        buffer.store(&[at], value)?;
    }
    Ok(vec![Value::Memory(buffer), Value::index(wanted)])
}

fn grown(buffer: &Memory, room: u64) -> Result<Memory, Fault> {
    let old = buffer.to_array()?;
    let mut values = (*old.values).clone();
    (values.len() as u64..room).for_each(|_| values.push(buffer.element.zero()));
    Ok(Memory::new(buffer.element, vec![room], values))
}

const ALGORITHMS: &[&str] = &["hybrid_quick_sort", "insertion_sort_stable", "quick_sort", "heap_sort"];

/// `hybrid_quick_sort %n, %xy jointly %y {perm_map = ..., ny = 1 : index} : T jointly U`
fn sort_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let algorithm = r.word_of(TokenKind::Ident, "a way to sort")?;
    if !ALGORITHMS.contains(&algorithm) {
        let mistake = Mistake::syntax(span, format!("`{algorithm}` is no way to sort"));
        return Err(mistake.help(format!("there are {}", crate::check::list_of(ALGORITHMS))));
    }
    let [size, keys] = r.two_uses()?;
    let others = if r.eat_word("jointly") { r.value_uses()? } else { Vec::new() };
    draft.attributes = r.dictionary()?;
    let mut types = vec![r.colon_type()?];
    if r.eat_word("jointly") {
        types.extend(r.types()?);
    }
    let uses: Vec<_> = [keys].into_iter().chain(others).collect();
    draft.operands = vec![r.resolve(size, &Type::INDEX)?];
    draft.operands.extend(r.resolve_all(&uses, &types)?);
    match draft.operands.iter().skip(1).find(|operand| !matches!(operand.ty, Type::Memory(_) | Type::Broken)) {
        Some(other) => Err(Mistake::types(other.span, format!("buffers are sorted, not `{}`", other.ty))),
        None if draft.attribute("perm_map").and_then(Attribute::as_map).is_some() => Ok(()),
        None => Err(draft.mistake("`perm_map` is missing: the order of the keys")),
    }
}

/// Tuples of keys and `ny` other values stand in the first buffer; the others go along.
fn sort(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let size = frame.operand(op, 0)?.number()? as usize;
    let keys = frame.operand(op, 1)?.memory()?.clone();
    let map = op.attribute("perm_map").and_then(Attribute::as_map).cloned();
    let map = map.ok_or_else(|| Fault::new("the order of the keys is missing"))?;
    let carried = op.attribute("ny").and_then(Attribute::as_int).and_then(|ny| usize::try_from(ny).ok()).unwrap_or(0);
    let width = map.dims + carried;
    let tuples = tuples(&keys, size, width)?;
    let key = |tuple: &Vec<Scalar>| {
        let at = |number: usize| tuple.get(number).map_or(0, |value| as_int(*value));
        map.results.iter().map(|result| result.as_var().map_or(0, |dim| at(dim.index()))).collect::<Vec<_>>()
    };
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by_key(|at| key(&tuples[*at]));
    rearrange(&keys, &tuples, &order, width)?;
    for operand in op.operands.get(2..).unwrap_or_default() {
        let buffer = frame.get(operand.value)?.memory()?;
        let old = self::tuples(buffer, size, 1)?;
        rearrange(buffer, &old, &order, 1)?;
    }
    Ok(Vec::new())
}

fn as_int(value: Scalar) -> i128 {
    super::arith::to_unsigned(Element::Index, value)
}

fn tuples(buffer: &Memory, count: usize, width: usize) -> Result<Vec<Vec<Scalar>>, Fault> {
    let load = |entry: usize, at: usize| buffer.load(&[(entry * width + at) as u64]);
    if count > buffer.buffer.borrow().len() {
        return Err(Fault::new(format!("there are not {count} tuples in the buffer")));
    }
    (0..count).map(|entry| (0..width).map(|at| load(entry, at)).collect()).collect()
}

fn rearrange(buffer: &Memory, tuples: &[Vec<Scalar>], order: &[usize], width: usize) -> Result<(), Fault> {
    for (entry, from) in order.iter().enumerate() {
        for (at, value) in tuples[*from].iter().enumerate() {
            buffer.store(&[(entry * width + at) as u64], *value)?;
        }
    }
    Ok(())
}
