//! `linalg`: kernels in their general form. The named ones become this form when they are read.

use super::regions::Shape;
use crate::{
    program::{
        attribute::Attribute,
        generic,
        ir::{Op, Operand},
        machine::{Fault, Frame, Machine},
        operation::{BodyOp, OpDef},
        read::{Draft, Form, Mistake, Read, Reader},
        types::Type,
        value::{Array, Value},
    },
    syntax::TokenKind,
};

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("linalg.generic", generic_syntax, generic::run).verified(generic_form),
    OpDef::host("linalg.fill", fill_syntax, fill),
    OpDef::body("linalg.index", index_syntax, BodyOp::Index),
    OpDef::terminator("linalg.yield", Form::operands),
];

/// `linalg.generic #trait ins(...) outs(...) attrs = {...} {region} -> T`
fn generic_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    match r.attribute()? {
        Attribute::Dictionary(attributes) => draft.attributes = attributes,
        _ => return Err(Mistake::syntax(span, "a trait is a list in braces, or an alias of one")),
    }
    ins_and_outs(r, draft)?;
    if r.eat_word("attrs") {
        r.expect(TokenKind::Eq)?;
        let attributes = r.dictionary()?;
        draft.attributes.append(attributes);
    }
    draft.regions = vec![Some(r.region(Vec::new())?)];
    results(r, draft)
}

/// `-> T, T`: what `outs` are.
pub(super) fn results(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    if r.eat(TokenKind::Arrow) {
        draft.results = if r.at(TokenKind::LParen) { r.result_types()? } else { r.types()? };
    }
    let outs: Vec<&Type> = outs(draft).iter().map(|operand| &operand.ty).collect();
    let tensors = outs.iter().all(|ty| ty.tensor().is_some());
    let agree =
        draft.results.iter().zip(&outs).all(|(result, out)| result == *out || result.is_broken() || out.is_broken());
    if tensors && (draft.results.len() != outs.len() || !agree) {
        return Err(Mistake::types(span, "the results are of the types of `outs`"));
    }
    Ok(())
}

pub(in crate::program) fn outs(draft: &Draft) -> &[Operand] {
    let inputs = draft.segments.first().copied().unwrap_or(0);
    draft.operands.get(inputs..).unwrap_or_default()
}

/// `ins(%a, %b : T, T) outs(%x : T)`
pub(super) fn ins_and_outs(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let ins = if r.eat_word("ins") { typed_group(r)? } else { Vec::new() };
    draft.group(ins);
    r.expect_word("outs")?;
    let outs = typed_group(r)?;
    draft.group(outs);
    Ok(())
}

fn typed_group(r: &mut Reader<'_>) -> Read<Vec<Operand>> {
    r.expect(TokenKind::LParen)?;
    if r.eat(TokenKind::RParen) {
        return Ok(Vec::new());
    }
    let uses = r.value_uses()?;
    let types = r.colon_types()?;
    r.expect(TokenKind::RParen)?;
    r.resolve_all(&uses, &types)
}

/// One map for each operand, over one set of loops; a region that takes and yields their elements.
pub(super) fn generic_form(draft: &Draft) -> Result<(), Mistake> {
    let maps = maps_of(draft)?;
    let loops = iterators(draft)?;
    if maps.len() != draft.operands.len() {
        return Err(draft.mistake(format!("{} indexing maps for {} operands", maps.len(), draft.operands.len())));
    }
    for (map, operand) in maps.iter().zip(&draft.operands) {
        let Some(map) = map.as_map() else { return Err(draft.mistake("`indexing_maps` holds affine maps")) };
        if map.dims != loops {
            return Err(draft.mistake(format!("an indexing map has {} dimensions for {loops} loops", map.dims)));
        }
        if map.symbols > 0 {
            return Err(draft.wrong("indexing_maps", "an indexing map has dimensions only: the loops of the kernel"));
        }
        let rank = operand.ty.rank().unwrap_or(map.results.len());
        if rank != map.results.len() {
            let message = format!("`{}` has {rank} dimensions, and its indexing map {}", operand.ty, map.results.len());
            return Err(Mistake::types(operand.span, message));
        }
    }
    body_types(draft)?;
    draft.region(0).map_or(Ok(()), super::sparse_tensor_body::absent_values)
}

/// Where the generic syntax of a named kernel has its maps.
pub(in crate::program) const MEMOIZED_MAPS: &str = "linalg.memoized_indexing_maps";

fn maps_of(draft: &Draft) -> Result<&[Attribute], Mistake> {
    match draft.attribute("indexing_maps").or(draft.attribute(MEMOIZED_MAPS)) {
        Some(Attribute::Array(maps)) => Ok(maps),
        _ => Err(draft.mistake("`indexing_maps` is missing: one affine map for each operand")),
    }
}

/// The number of loops.
fn iterators(draft: &Draft) -> Result<usize, Mistake> {
    if draft.attribute("iterator_types").is_none() && draft.name() != "linalg.generic" {
        // The generic syntax of a named kernel leaves the kinds of its loops out.
        return Ok(maps_of(draft)?.first().and_then(Attribute::as_map).map_or(0, |map| map.dims));
    }
    let Some(Attribute::Array(types)) = draft.attribute("iterator_types") else {
        return Err(draft.mistake("`iterator_types` is missing: one word for each loop"));
    };
    let known = |word: &str| matches!(word, "parallel" | "reduction" | "window") || word.contains("iterator_type<");
    match types.iter().find(|ty| !ty.as_text().is_some_and(known)) {
        Some(_) => Err(draft.mistake("`iterator_types` holds `\"parallel\"` and `\"reduction\"`")),
        None => Ok(types.len()),
    }
}

fn body_types(draft: &Draft) -> Result<(), Mistake> {
    let Some(Some(region)) = draft.regions.first() else { return Err(draft.mistake("the region is missing")) };
    let element = |operand: &Operand| operand.ty.element().map_or(Type::Broken, Type::Scalar);
    let takes: Vec<Type> = draft.operands.iter().map(element).collect();
    let yields: Vec<Type> = outs(draft).iter().map(element).collect();
    Shape { name: "the region", takes: &takes, end: "linalg.yield", yields: &yields }.check(draft, region)
}

/// `linalg.index 0 : index`
fn index_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let value = r.attribute()?;
    if value.as_int().is_none_or(|dim| dim < 0) {
        return Err(Mistake::syntax(span, "a loop is named by its number"));
    }
    draft.attributes.set("dim", value);
    if r.at(TokenKind::Colon) {
        r.colon_type()?;
    }
    draft.results = vec![Type::INDEX];
    Ok(())
}

/// `linalg.fill ins(%v : f64) outs(%t : T) -> T`
fn fill_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    ins_and_outs(r, draft)?;
    results(r, draft)?;
    let (value, target) = (draft.operand(0)?, draft.operand(1)?);
    if value.ty.element() != target.ty.element() && !value.ty.is_broken() && !target.ty.is_broken() {
        return Err(Mistake::types(value.span, format!("`{}` cannot fill `{}`", value.ty, target.ty)));
    }
    Ok(())
}

fn fill(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = frame.operand(op, 0)?.scalar()?;
    let target = frame.operand(op, 1)?;
    if let Value::Memory(memory) = target {
        let array = Array::filled(memory.element, memory.shape.clone(), value)?;
        super::memref::fill_from(memory, &array)?;
        return Ok(Vec::new());
    }
    let sizes = target.sizes();
    let Some(tensor) = op.result_types.first().and_then(Type::tensor) else { return Ok(Vec::new()) };
    let array = Array::filled(tensor.element, sizes.clone(), value)?;
    super::tensor::made(tensor, sizes, (*array.values).clone())
}
