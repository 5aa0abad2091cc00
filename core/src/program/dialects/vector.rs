//! `vector`: reading, printing, and little more.

use crate::{
    arrays::Values,
    element::{Element, Scalar},
    program::{
        attribute::Attribute,
        ir::Op,
        machine::{Fault, Frame, Machine},
        operation::OpDef,
        print,
        read::{Draft, Form, Mistake, Read, Reader},
        types::Type,
        value::{Array, Value, advance, entries},
    },
    syntax::TokenKind,
};

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("vector.print", print_syntax, print_value),
    OpDef::host("vector.transfer_read", read_syntax, transfer_read).verified(reads_last_dimensions),
    OpDef::host("vector.broadcast", Form::cast, broadcast),
    OpDef::host("vector.extract", extract_syntax, extract),
    OpDef::scalar("vector.bitcast", Form::cast, super::arith_casts::BITCAST),
];

/// `vector.print %v : T`, `vector.print str "text"`, `vector.print punctuation <comma>`
fn print_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if r.eat_word("str") {
        draft.attributes.set("stringLiteral", Attribute::Text(r.string()?));
        return Ok(());
    }
    let value = if r.at(TokenKind::PercentId) { Some(r.value_use()?) } else { None };
    if let Some(name) = value {
        let ty = r.colon_type()?;
        draft.operands = vec![r.resolve(name, &ty)?];
        if ty.tensor().is_some() || matches!(ty, Type::Memory(_) | Type::Pointer) {
            return Err(Mistake::types(name.span, format!("`vector.print` prints scalars and vectors, not `{ty}`")));
        }
    }
    if r.eat_word("punctuation") {
        draft.attributes.set("punctuation", Attribute::Text(r.angles()?.trim().to_string()));
    } else if value.is_none() {
        draft.attributes.set("punctuation", Attribute::Text("newline".to_string()));
    }
    Ok(())
}

fn print_value(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    if let Some(text) = op.attribute("stringLiteral").and_then(Attribute::as_text) {
        return machine.print(text);
    }
    let mut text = match op.operands.first() {
        Some(operand) => match frame.get(operand.value)? {
            Value::Scalar(scalar) => print::scalar(operand.ty.element().unwrap_or(Element::F64), *scalar),
            other => print::vector(&*other.array()?),
        },
        None => String::new(),
    };
    let punctuation = op.attribute("punctuation").and_then(Attribute::as_text).unwrap_or("newline");
    text.push_str(match punctuation.trim_start_matches("#vector.punctuation<").trim_end_matches('>') {
        "comma" => ", ",
        "open" => "( ",
        "close" => " )",
        "no_punctuation" => "",
        _ => "\n",
    });
    machine.print(&text)
}

/// `vector.transfer_read %t[%i, %j], %padding, %mask {...} : T, vector<...>`
fn read_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let indices = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?;
    r.expect(TokenKind::Comma)?;
    let padding = r.value_use()?;
    if r.at(TokenKind::Comma) {
        return Err(Mistake::unsupported(r.span(), "masks of `vector.transfer_read` are not carried out"));
    }
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    let [from, to] = &types[..] else {
        return Err(Mistake::syntax(r.last_span(), "the types of the source and of the vector are wanted"));
    };
    let rank = from.rank().unwrap_or(indices.len());
    if rank != indices.len() {
        let message = format!("`{}` has {rank} dimensions, and {} indices are given", source.name, indices.len());
        return Err(Mistake::types(source.span, message));
    }
    if from.sparse().is_some() {
        let message = "`vector.transfer_read` reads dense tensors, and this has an encoding";
        return Err(Mistake::types(source.span, message).help("`sparse_tensor.convert` makes it dense"));
    }

    if to.rank().unwrap_or(0) > rank || from.element() != to.element() && from.element().is_some() {
        return Err(Mistake::types(draft.span, format!("`{to}` cannot be read from `{from}`")));
    }
    let element = Type::Scalar(from.element().unwrap_or(Element::F64));
    draft.group(vec![r.resolve(source, from)?]);
    draft.group(r.resolve_all(&indices, &vec![Type::INDEX; indices.len()])?);
    draft.group(vec![r.resolve(padding, &element)?]);
    draft.results = vec![to.clone()];
    Ok(())
}

/// The vector's dimensions are the last ones of the source, in order.
fn reads_last_dimensions(draft: &Draft) -> Result<(), Mistake> {
    let Some(map) = draft.attribute("permutation_map").and_then(Attribute::as_map) else { return Ok(()) };
    let first = map.dims.saturating_sub(map.results.len());
    let last =
        map.results.iter().enumerate().all(|(at, result)| result.as_var().is_some_and(|dim| dim.index() == first + at));
    if last {
        Ok(())
    } else {
        Err(Mistake::unsupported(draft.span, "a `permutation_map` that permutes is not carried out"))
    }
}

/// What lies beyond the source is padding.
fn transfer_read(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = match frame.operand(op, 0)? {
        Value::Memory(memory) => memory.to_array()?,
        other => other.array()?.into_owned(),
    };
    let padding = op.group(2).first().ok_or_else(|| Fault::new("the padding is missing"))?;
    let padding = frame.get(padding.value)?.scalar()?;
    let from = frame.numbers(op.group(1))?;
    let Some(Type::Vector(vector)) = op.result_types.first() else { return Err(Fault::new("no vector to read")) };
    let count = entries(&vector.shape)?;
    machine.step(count as u64)?;
    let outer = from.len().saturating_sub(vector.shape.len());
    let mut values = Values::with_capacity(vector.element, count);
    let mut at = vec![0u64; vector.shape.len()];
    for _ in 0..count {
        let mut place = from.clone();
        place.iter_mut().skip(outer).zip(&at).for_each(|(from, at)| *from = from.saturating_add(*at));
        values.push(source.get(&place).unwrap_or(padding));
        advance(&mut at, &vector.shape);
    }
    Ok(vec![Value::Array(Array { element: vector.element, shape: vector.shape.clone(), values: values.into() })])
}

fn broadcast(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let Some(Type::Vector(vector)) = op.result_types.first() else { return Err(Fault::new("no vector to make")) };
    let value: Scalar = match frame.operand(op, 0)? {
        Value::Scalar(scalar) => *scalar,
        _ => return Err(Fault::new("only scalars are broadcast")),
    };
    Ok(vec![Value::Array(Array::filled(vector.element, vector.shape.clone(), value)?)])
}

/// `vector.extract %v[0, 1] : f64 from vector<...>`
fn extract_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let places = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::attribute)?;
    let to = r.colon_type()?;
    r.expect_word("from")?;
    let from = r.ty()?;
    draft.operands = vec![r.resolve(source, &from)?];
    if to.scalar().is_none() || Some(places.len()) != from.rank() {
        return Err(Mistake::unsupported(draft.span, "only single entries of vectors are extracted"));
    }
    draft.attributes.set("position", Attribute::Array(places));
    draft.results = vec![to];
    Ok(())
}

fn extract(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let at = op.attribute("position").and_then(Attribute::as_ints).unwrap_or_default();
    let at: Vec<u64> = at.iter().map(|&at| u64::try_from(at).unwrap_or(u64::MAX)).collect();
    Ok(vec![Value::Scalar(frame.operand(op, 0)?.array()?.get(&at)?)])
}
