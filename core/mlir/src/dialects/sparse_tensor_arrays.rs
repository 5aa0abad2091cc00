//! `sparse_tensor`: the arrays of tensors with encodings.

use std::sync::Arc;

use crate::{
    attribute::Attribute,
    constraints::{MEMREF, TENSOR, takes},
    dialects::sparse_tensor::one_tensor,
    draft::Draft,
    inherent::{INDEX, needs},
    layout::{Layout, Space, Strided},
    mistake::Mistake,
    read::{Entry, Form},
    types::{MemoryType, Type},
};
use nnz_base::{element::Element, ids::Lvl};
use nnz_encoding::{Encoding, Layout as SegmentLayout};

pub(super) static OPS: &[Entry] = &[
    Entry::host("sparse_tensor.positions", takes(&[TENSOR]).gives(&[MEMREF]), Form::cast)
        .having(&[needs("level", INDEX)])
        .verified(level_array),
    Entry::host("sparse_tensor.coordinates", takes(&[TENSOR]).gives(&[MEMREF]), Form::cast)
        .having(&[needs("level", INDEX)])
        .verified(level_array),
    Entry::host("sparse_tensor.coordinates_buffer", takes(&[TENSOR]).gives(&[MEMREF]), Form::cast).verified(has_tuples),
    Entry::host("sparse_tensor.values", takes(&[TENSOR]).gives(&[MEMREF]).alike(), Form::cast).verified(value_array),
];

/// An array of a tensor, as its operations name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Positions(Lvl),
    Coordinates(Lvl),
    /// The coordinates of a segment of levels, tuple by tuple.
    Tuples {
        head: Lvl,
        len: usize,
    },
}

/// The arrays of an encoding except the values, in order.
pub fn fields(encoding: &Encoding) -> Vec<Field> {
    let tuples: Vec<(Lvl, usize)> = encoding
        .coo_segments()
        .into_iter()
        .filter(|segment| segment.layout == SegmentLayout::Aos)
        .map(|segment| (segment.head, segment.len))
        .collect();
    let mut fields = Vec::new();
    for at in 0..encoding.lvl_rank() {
        let lvl = Lvl::new(at);
        let format = encoding.format(lvl);
        if format.has_positions() {
            fields.push(Field::Positions(lvl));
        }
        match tuples.iter().find(|(head, len)| (head.index()..head.index() + len).contains(&at)) {
            Some((head, len)) if *head == lvl => fields.push(Field::Tuples { head: *head, len: *len }),
            Some(_) => {}
            None if format.has_coordinates() => fields.push(Field::Coordinates(lvl)),
            None => {}
        }
    }
    fields
}

pub(super) fn encoding_of(ty: &Type) -> Option<&Arc<Encoding>> {
    ty.sparse().and_then(|tensor| tensor.encoding.as_ref())
}

/// The level that the attribute names.
pub fn level(attribute: Option<&Attribute>) -> Option<Lvl> {
    attribute.and_then(Attribute::as_int).and_then(|level| usize::try_from(level).ok()).map(Lvl::new)
}

fn level_array(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let Some(encoding) = encoding_of(&draft.operand(0)?.ty) else { return Ok(()) };
    let levels = encoding.lvl_rank();
    let Some(lvl) = level(draft.attribute("level")).filter(|lvl| lvl.index() < levels) else {
        let mistake = draft.wrong("level", format!("`level` names one of the {levels} levels, counted from 0"));
        return Err(mistake.label(format!("the last level is {}", levels.saturating_sub(1))));
    };
    let format = encoding.format(lvl);
    let positions = draft.name() == "sparse_tensor.positions";
    let has = if positions { format.has_positions() } else { format.has_coordinates() };
    if !has {
        let what = if positions { "positions" } else { "coordinates" };
        return Err(draft.wrong("level", format!("level {} is `{format}`, which has no {what}", lvl.index())));
    }
    let width = if positions { encoding.pos_width() } else { encoding.crd_width() };
    let tuples = |field: Field| match field {
        Field::Tuples { head, len } => (head.index()..head.index() + len).contains(&lvl.index()),
        Field::Positions(_) | Field::Coordinates(_) => false,
    };
    let strided = !positions && fields(encoding).into_iter().any(tuples);
    check_array(draft, array_of(draft, encoding, strided)?, Element::parse(width.type_name()))
}

fn has_tuples(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let Some(encoding) = encoding_of(&draft.operand(0)?.ty) else { return Ok(()) };
    if !fields(encoding).iter().any(|field| matches!(field, Field::Tuples { .. })) {
        return Err(draft.mistake("the encoding stores no tuples of coordinates"));
    }
    let array = array_of(draft, encoding, false)?;
    check_array(draft, array, Element::parse(encoding.crd_width().type_name()))
}

fn value_array(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let Some(encoding) = encoding_of(&draft.operand(0)?.ty) else { return Ok(()) };
    check_array(draft, array_of(draft, encoding, false)?, draft.operand(0)?.ty.element())
}

/// The shape and the layout of an array: a dimension for each batch level and one of open size. The coordinates of one
/// level among tuples are a view with a stride; every other array is a buffer of its own.
fn array_of(draft: &Draft, encoding: &Encoding, strided: bool) -> Result<(Vec<Option<u64>>, Layout), Mistake> {
    let sizes = draft.operand(0)?.ty.shape().unwrap_or_default();
    let size_of = |lvl: usize| {
        let dim = encoding.levels().get(lvl)?.expr.as_var()?;
        sizes.get(dim.index()).copied().flatten()
    };
    let shape: Vec<Option<u64>> = (0..encoding.batch_rank()).map(size_of).chain([None]).collect();
    let layout = if strided { Layout::Strided(Strided::open(shape.len())) } else { Layout::Rows };
    Ok((shape, layout))
}

/// The result is a buffer of the elements with this shape and this layout.
fn check_array(
    draft: &Draft,
    (shape, layout): (Vec<Option<u64>>, Layout),
    element: Option<Element>,
) -> Result<(), Mistake> {
    let (result, Some(element)) = (draft.result()?, element) else { return Ok(()) };
    let wanted = Type::Memory(MemoryType { shape, element, layout, space: Space::default() });
    if *result == wanted || result.is_broken() {
        return Ok(());
    }
    let message = match result.element() {
        Some(found) if found != element => format!("the array holds `{element}`, and the result is `{result}`"),
        _ => format!("the array is `{wanted}`, and the result is `{result}`"),
    };
    let mistake = draft.wrong_result(message).label(format!("`{wanted}` is wanted"));
    Err(mistake.fix(format!("write `{wanted}`"), draft.result_span(), wanted.to_string()))
}
