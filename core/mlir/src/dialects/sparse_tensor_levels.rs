//! `sparse_tensor`: levels and maps: sizes, translation of coordinates between dimensions and levels,
//! reinterpretation of arrays.

use std::sync::Arc;

use super::sparse_tensor::one_tensor;
use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, TENSOR, takes},
    draft::Draft,
    inherent::{INDEX, Kind, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::{
    arrays::Width,
    element::Scalar,
    ids::{Dim, Lvl},
};
use nnz_check::TensorType;
use nnz_encoding::{Affine, Encoding, LevelFormat, Slice};
use nnz_storage::bounds;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("sparse_tensor.lvl", takes(&[TENSOR, INDEX_VALUE]).gives(&[INDEX_VALUE]), level_syntax)
        .verified(level_number),
    Entry::host(
        "sparse_tensor.crd_translate",
        takes(&[INDEX_VALUE.many()]).gives(&[INDEX_VALUE.many()]),
        translate_syntax,
    )
    .having(&[needs("direction", Kind::Word(&["dim_to_lvl", "lvl_to_dim"])), needs("encoder", Kind::Encoding)])
    .verified(translated),
    Entry::host("sparse_tensor.reinterpret_map", takes(&[TENSOR]).gives(&[TENSOR]), Form::cast).verified(same_levels),
    Entry::host("sparse_tensor.reorder_coo", takes(&[TENSOR]).gives(&[TENSOR]), reorder_syntax)
        .having(&[needs("algorithm", Kind::Word(super::sparse_tensor_buffers::ALGORITHMS))])
        .verified(same_tuples),
    Entry::host("sparse_tensor.slice.offset", takes(&[TENSOR]).gives(&[INDEX_VALUE]), slice_syntax)
        .having(&[needs("dim", INDEX)])
        .verified(sliced),
    Entry::host("sparse_tensor.slice.stride", takes(&[TENSOR]).gives(&[INDEX_VALUE]), slice_syntax)
        .having(&[needs("dim", INDEX)])
        .verified(sliced),
];

pub fn encoding_of(operand: &Operand) -> Option<&Arc<Encoding>> {
    operand.ty.sparse().and_then(|tensor| tensor.encoding.as_ref())
}

/// `%t, %l : T`
fn level_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [tensor, level] = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(tensor, &ty)?, r.resolve_index(level)?];
    draft.results = vec![Type::INDEX];
    Ok(())
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

/// The encoding, and whether the result is coordinates of levels.
pub fn encoder<'a>(encoder: Option<&'a Attribute>, direction: Option<&Attribute>) -> Option<(&'a Arc<Encoding>, bool)> {
    let to_levels = direction?.as_text()?.contains("dim_to_lvl");
    if let Attribute::Encoding(encoding) = encoder? { Some((encoding, to_levels)) } else { None }
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

// `sparse_tensor.slice.offset %t at 0 : T`

fn slice_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    r.expect_word("at")?;
    let span = r.span();
    let dim = r.integer()?;
    draft.attributes = r.optional_dictionary()?;
    draft.attributes.set_at("dim", Attribute::Number(Scalar::Int(dim), Some(Type::INDEX)), span);
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
    match encoding.dims().get(dim).and_then(|dim| dim.slice) {
        Some(_) => Ok(()),
        None => Err(Mistake::types(operand.span, format!("dimension {dim} is no slice: the encoding shows all of it"))),
    }
}

/// What a slice says about the part of an operation, if it says it.
pub fn part_of(name: &str, slice: Slice) -> Option<u64> {
    if name == "sparse_tensor.slice.offset" { slice.offset } else { slice.stride }
}
