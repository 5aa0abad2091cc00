//! `sparse_tensor`: levels and maps: sizes, translation of coordinates between dimensions and levels,
//! reinterpretation of arrays.

use std::sync::Arc;

use super::sparse_tensor::{converted, one_tensor};
use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, TENSOR, takes},
    inherent::{INDEX, Kind, needs},
    ir::{Op, Operand},
    machine::{Fault, Frame, Machine},
    operation::OpDef,
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
    value::{Sparse, Value},
};
use nnz_base::{
    arrays::Width,
    element::Scalar,
    ids::{Dim, Lvl},
};
use nnz_check::TensorType;
use nnz_encoding::{Affine, Encoding, LevelFormat, Slice};
use nnz_storage::{Storage, bounds};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("sparse_tensor.lvl", takes(&[TENSOR, INDEX_VALUE]).gives(&[INDEX_VALUE]), level_syntax, level_size)
        .verified(level_number),
    OpDef::host(
        "sparse_tensor.crd_translate",
        takes(&[INDEX_VALUE.many()]).gives(&[INDEX_VALUE.many()]),
        translate_syntax,
        translate,
    )
    .having(&[needs("direction", Kind::Word(&["dim_to_lvl", "lvl_to_dim"])), needs("encoder", Kind::Encoding)])
    .verified(translated),
    OpDef::host("sparse_tensor.reinterpret_map", takes(&[TENSOR]).gives(&[TENSOR]), Form::cast, reinterpret)
        .verified(same_levels),
    OpDef::host("sparse_tensor.reorder_coo", takes(&[TENSOR]).gives(&[TENSOR]), reorder_syntax, reorder)
        .having(&[needs("algorithm", Kind::Word(super::sparse_tensor_buffers::ALGORITHMS))])
        .verified(same_tuples),
    OpDef::host("sparse_tensor.slice.offset", takes(&[TENSOR]).gives(&[INDEX_VALUE]), slice_syntax, slice_part)
        .having(&[needs("dim", INDEX)])
        .verified(sliced),
    OpDef::host("sparse_tensor.slice.stride", takes(&[TENSOR]).gives(&[INDEX_VALUE]), slice_syntax, slice_part)
        .having(&[needs("dim", INDEX)])
        .verified(sliced),
];

pub(super) fn encoding_of(operand: &Operand) -> Option<&Arc<Encoding>> {
    operand.ty.sparse().and_then(|tensor| tensor.encoding.as_ref())
}

/// `%t, %l : T`
fn level_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [tensor, level] = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(tensor, &ty)?, r.resolve(level, &Type::INDEX)?];
    draft.results = vec![Type::INDEX];
    Ok(())
}

fn level_size(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let sizes = frame.operand(op, 0)?.sparse()?.storage()?.lvl_sizes();
    let level = frame.operand(op, 1)?.number()?;
    match usize::try_from(level).ok().and_then(|level| sizes.get(level)) {
        Some(size) => Ok(vec![Value::index(*size)]),
        None => Err(Fault::new(format!("there is no level {level} of {}", sizes.len()))),
    }
}

fn level_number(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let levels = encoding_of(draft.operand(0)?).map(|encoding| encoding.lvl_rank() as i128);
    match (draft.known(1), levels) {
        (Some(number), Some(levels)) if !(0..levels).contains(&number) => {
            let message = format!("there is no level {number}: the tensor has levels 0 to {}", levels - 1);
            Err(Mistake::types(draft.operand(1)?.span, message))
        }
        _ => Ok(()),
    }
}

// `sparse_tensor.crd_translate dim_to_lvl [%i, %j] as #BSR : index, index, index, index`

fn translate_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let direction = r.word_of(TokenKind::Ident, "`dim_to_lvl` or `lvl_to_dim`")?;
    if !matches!(direction, "dim_to_lvl" | "lvl_to_dim") {
        return Err(Mistake::syntax(span, "coordinates are translated `dim_to_lvl` or `lvl_to_dim`"));
    }
    draft.attributes.set_at("direction", Attribute::Word(direction.to_string()), span);
    Form::indices(r, draft)?;
    r.expect_word("as")?;
    let span = r.span();
    let encoding = r.encoding()?;
    draft.attributes.set_at("encoder", Attribute::Encoding(encoding), span);
    draft.attributes.append(r.optional_dictionary()?);
    draft.results = r.colon_types()?;
    Ok(())
}

/// The encoding, and whether coordinates of levels are asked for.
fn encoder<'a>(encoder: Option<&'a Attribute>, direction: Option<&Attribute>) -> Option<(&'a Arc<Encoding>, bool)> {
    let to_levels = direction?.as_text()?.contains("dim_to_lvl");
    match encoder? {
        Attribute::Encoding(encoding) => Some((encoding, to_levels)),
        _ => None,
    }
}

fn translated(draft: &Draft) -> Result<(), Mistake> {
    let Some((encoding, to_levels)) = encoder(draft.attribute("encoder"), draft.attribute("direction")) else {
        return Err(draft.mistake("an encoding and a direction are wanted, as in `dim_to_lvl [%i, %j] as #name`"));
    };
    let (dims, levels) = ((encoding.dim_rank(), "dimensions"), (encoding.lvl_rank(), "levels"));
    let (from, to) = if to_levels { (dims, levels) } else { (levels, dims) };
    if draft.operands.len() != from.0 {
        let message =
            format!("the encoding has {} {}, and {} coordinates are given", from.0, from.1, draft.operands.len());
        let beyond = draft.operands.get(from.0).map_or(draft.span, |operand| operand.span);
        return Err(Mistake::types(beyond, message).label("not as many"));
    }
    if draft.results.len() != to.0 {
        let message = format!("the encoding has {} {}, and there are {} results", to.0, to.1, draft.results.len());
        return Err(draft.mistake(message));
    }
    if !to_levels && encoding.inverse().is_none() {
        return Err(Mistake::unsupported(draft.span, "no dimension follows from these levels: the map has a symbol"));
    }
    Ok(())
}

fn translate(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (encoding, to_levels) = encoder(op.attribute("encoder"), op.attribute("direction"))
        .ok_or_else(|| Fault::new("no encoding to translate by"))?;
    let at = frame.numbers(&op.operands)?;
    let coordinates = if to_levels { levels_of(encoding, &at) } else { dims_of(encoding, &at) };
    let coordinates = coordinates.ok_or_else(|| Fault::new("the coordinates leave what 64 bits can say"))?;
    Ok(coordinates.into_iter().map(Value::index).collect())
}

/// The coordinates of the levels at those of the dimensions.
fn levels_of(encoding: &Encoding, dims: &[u64]) -> Option<Vec<u64>> {
    let exprs = encoding.levels().iter().map(|level| &level.expr);
    evaluated(exprs, |dim: Dim| dim.index(), dims)
}

/// The coordinates of the dimensions at those of the levels.
pub(super) fn dims_of(encoding: &Encoding, levels: &[u64]) -> Option<Vec<u64>> {
    evaluated(encoding.inverse()?.iter(), |lvl: Lvl| lvl.index(), levels)
}

fn evaluated<'e, V: Copy + PartialEq + 'e>(
    exprs: impl Iterator<Item = &'e Affine<V>>,
    place: impl Fn(V) -> usize,
    at: &[u64],
) -> Option<Vec<u64>> {
    let var = |var: V| at.get(place(var)).map_or(0, |&at| at as i64);
    exprs.map(|expr| expr.eval(&var, &|_| 0).map(|value| value as u64)).collect()
}

/// The one operand, its type and the result's; `None` where one of them is broken.
fn both_sparse(draft: &Draft) -> Result<Option<(&Operand, [&TensorType; 2])>, Mistake> {
    one_tensor(draft)?;
    let (operand, result) = (draft.operand(0)?, draft.result()?);
    if operand.ty.is_broken() || result.is_broken() {
        return Ok(None);
    }
    match operand.ty.sparse().zip(result.sparse()) {
        Some((from, to)) => Ok(Some((operand, [from, to]))),
        None => Err(draft.mistake(format!("the result has an encoding of its own, and `{result}` has none"))),
    }
}

// `sparse_tensor.reinterpret_map %t : T to U`

/// The same arrays: level formats, widths, elements and sizes of levels agree.
fn same_levels(draft: &Draft) -> Result<(), Mistake> {
    let Some((operand, [from, to])) = both_sparse(draft)? else { return Ok(()) };
    let Some((one, other)) = from.encoding.as_ref().zip(to.encoding.as_ref()) else { return Ok(()) };
    let wrong =
        |message: String| Err(Mistake::types(operand.span, message).help("`sparse_tensor.convert` makes other arrays"));
    if from.element != to.element {
        return wrong(format!("the values are `{}`, and the result's `{}`", from.element, to.element));
    }
    if one.lvl_rank() != other.lvl_rank() {
        return wrong(format!("there are {} levels, and {} in the result", one.lvl_rank(), other.lvl_rank()));
    }
    let formats =
        |encoding: &Encoding| -> Vec<LevelFormat> { encoding.levels().iter().map(|level| level.format).collect() };
    let pairs = formats(one).into_iter().zip(formats(other));
    if let Some((at, (one, other))) = pairs.enumerate().find(|(_, (one, other))| one != other) {
        return wrong(format!("level {at} is `{one}`, and the result's is `{other}`"));
    }
    if widths(one) != widths(other) {
        return wrong("positions or coordinates are of another width in the result".to_string());
    }
    match level_sizes(from).zip(level_sizes(to)) {
        Some((one, other)) if one != other => {
            wrong(format!("the levels have sizes {one:?}, and the result's {other:?}"))
        }
        _ => Ok(()),
    }
}

fn widths(encoding: &Encoding) -> (Width, Width) {
    (encoding.pos_width(), encoding.crd_width())
}

/// The sizes of the levels of a type whose sizes are all known.
fn level_sizes(tensor: &TensorType) -> Option<Vec<u64>> {
    let sizes: Vec<u64> = tensor.shape.iter().copied().collect::<Option<_>>()?;
    let bounds = bounds::of_levels(tensor.encoding.as_ref()?, &sizes).ok()?;
    Some(bounds.iter().map(|bounds| bounds.size).collect())
}

/// The same arrays under another map.
fn reinterpret(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let to = op.result_types.first().and_then(Type::sparse).ok_or_else(|| Fault::new("no tensor to make"))?;
    let Some(encoding) = &to.encoding else { return Err(Fault::new("no encoding to read the arrays by")) };
    let shape = reinterpreted_shape(&storage, to)?;
    let (element, (levels, values)) = (storage.element(), Arc::unwrap_or_clone(storage).into_parts());
    Ok(vec![Value::Sparse(Sparse::new(Storage::new(encoding.clone(), element, shape, levels, values)?))])
}

/// The sizes that make levels of the same sizes.
fn reinterpreted_shape(storage: &Storage, to: &TensorType) -> Result<Vec<u64>, Fault> {
    if let Some(shape) = to.shape.iter().copied().collect::<Option<Vec<u64>>>() {
        return Ok(shape);
    }
    let order = to.encoding.as_ref().and_then(|encoding| encoding.permutation());
    let order = order.ok_or_else(|| Fault::new("the sizes of the new dimensions are not known"))?;
    let mut shape = vec![0; to.shape.len()];
    for (dim, size) in order.iter().zip(storage.lvl_sizes()) {
        if let Some(slot) = shape.get_mut(dim.index()) {
            *slot = size;
        }
    }
    Ok(shape)
}

// `sparse_tensor.reorder_coo quick_sort %t : T to U`

fn reorder_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let algorithm = super::sparse_tensor_buffers::algorithm(r)?;
    Form::cast(r, draft)?;
    draft.attributes.set("algorithm", algorithm);
    Ok(())
}

/// Lists of coordinates under one map, which differ in nothing but order.
fn same_tuples(draft: &Draft) -> Result<(), Mistake> {
    let Some((operand, [from, to])) = both_sparse(draft)? else { return Ok(()) };
    let Some((one, other)) = from.encoding.as_ref().zip(to.encoding.as_ref()) else { return Ok(()) };
    let wrong = |message: String| Err(Mistake::types(operand.span, message).help("`sparse_tensor.convert` does this"));
    if !is_list(one) || !is_list(other) {
        return wrong("lists of coordinates are reordered: encodings that begin with `compressed(nonunique)`, the other levels `singleton`".to_string());
    }
    let maps = |encoding: &Encoding| -> Vec<Affine<Dim>> {
        encoding.levels().iter().map(|level| level.expr.clone()).collect()
    };
    if maps(one) != maps(other) {
        return wrong("the result has its levels in another order of dimensions".to_string());
    }
    if from.shape != to.shape {
        return wrong("the result has other sizes".to_string());
    }
    if from.element != to.element || widths(one) != widths(other) {
        return wrong("the result stores values, positions or coordinates of another type".to_string());
    }
    Ok(())
}

fn is_list(encoding: &Encoding) -> bool {
    encoding.coo_segments().first().is_some_and(|segment| segment.head == Lvl(0) && segment.len == encoding.lvl_rank())
}

fn reorder(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = frame.operand(op, 0)?.clone();
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    Ok(vec![converted(value, to)?])
}

// `sparse_tensor.slice.offset %t at 0 : T`

fn slice_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    r.expect_word("at")?;
    let span = r.span();
    let dim = r.integer()?;
    draft.attributes = r.optional_dictionary()?;
    draft.attributes.set_at("dim", Attribute::Number(Scalar::Int(dim), None), span);
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(name, &ty)?];
    draft.results = vec![Type::INDEX];
    Ok(())
}

fn sliced(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let operand = draft.operand(0)?;
    let Some(encoding) = encoding_of(operand) else { return Ok(()) };
    let rank = encoding.dim_rank();
    let dim = super::sparse_tensor::dimension(draft.attribute("dim"));
    let Some(dim) = dim.filter(|dim| *dim < rank) else {
        return Err(draft.wrong("dim", format!("the tensor has dimensions 0 to {}", rank.saturating_sub(1))));
    };
    let Some(slice) = encoding.dims().get(dim).and_then(|dim| dim.slice) else {
        return Err(Mistake::types(operand.span, format!("dimension {dim} is no slice: the encoding shows all of it")));
    };
    match part_of(draft.name(), slice) {
        Some(_) => Ok(()),
        None => Err(Mistake::unsupported(draft.span, "nnz knows of a slice what its type states, and this is a `?`")),
    }
}

fn part_of(name: &str, slice: Slice) -> Option<u64> {
    if name == "sparse_tensor.slice.offset" { slice.offset } else { slice.stride }
}

fn slice_part(_: &mut Machine<'_>, _: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let dim = super::sparse_tensor::dimension(op.attribute("dim")).unwrap_or(0);
    let slice = op.operands.first().and_then(encoding_of).and_then(|encoding| encoding.dims().get(dim)?.slice);
    let part = slice.and_then(|slice| part_of(op.def.name, slice));
    part.map(|part| vec![Value::index(part)])
        .ok_or_else(|| Fault::new("the type does not state this part of the slice"))
}
