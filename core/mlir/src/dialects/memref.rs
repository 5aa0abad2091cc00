//! `memref`: buffers.

use crate::{
    attribute::Attributes,
    constraints::{ANY_MEMREF, INDEX_VALUE, MEMREF, SCALAR, takes},
    dialects::{
        tensor_parts::{OFFSETS, SIZES, STRIDES},
        tensor_shapes::listed,
    },
    draft::Draft,
    inherent::{ALIGNMENT, NONTEMPORAL, groups},
    ir::Op,
    layout::Layout,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::{MemoryType, Type, compatible},
};
use nnz_base::source::Span;

pub(super) static OPS: &[Entry] = &[
    Entry::host("memref.alloc", takes(&[INDEX_VALUE.many()]).gives(&[MEMREF]), alloc_syntax)
        .having(&[groups(2), ALIGNMENT])
        .verified(known_places),
    Entry::host("memref.alloca", takes(&[INDEX_VALUE.many()]).gives(&[MEMREF]), alloc_syntax)
        .having(&[groups(2), ALIGNMENT])
        .verified(known_places),
    Entry::host("memref.dealloc", takes(&[ANY_MEMREF]), Form::operands),
    Entry::host("memref.load", takes(&[MEMREF, INDEX_VALUE.many()]).gives(&[SCALAR]).alike(), load_syntax)
        .having(&[NONTEMPORAL, ALIGNMENT]),
    Entry::host("memref.store", takes(&[SCALAR, MEMREF, INDEX_VALUE.many()]), store_syntax)
        .having(&[NONTEMPORAL, ALIGNMENT]),
    Entry::host("memref.cast", takes(&[ANY_MEMREF]).gives(&[ANY_MEMREF]).alike(), Form::cast).verified(cast_types),
    Entry::host("memref.dim", takes(&[ANY_MEMREF, INDEX_VALUE]).gives(&[INDEX_VALUE]), dim_syntax)
        .verified(super::tensor::has_dimensions),
    Entry::host("memref.subview", takes(&[MEMREF, INDEX_VALUE.many()]).gives(&[MEMREF]).alike(), subview_syntax)
        .having(&[groups(4), OFFSETS, SIZES, STRIDES])
        .verified(viewed),
    Entry::host("memref.copy", takes(&[ANY_MEMREF, ANY_MEMREF]).alike(), copy_syntax).verified(copy_types),
];

/// Buffers of the same elements, and of shapes that can be the same.
fn alike(one: &Type, other: &Type) -> bool {
    let shapes = one.shape().zip(other.shape()).is_none_or(|(one, other)| compatible(&one, &other));
    let broken = one.is_broken() || other.is_broken();
    broken || (shapes && one.element() == other.element() && is_buffer(one) && is_buffer(other))
}

/// Whether a value of this type is a buffer.
pub fn is_buffer(ty: &Type) -> bool {
    matches!(ty, Type::Memory(_) | Type::UnrankedMemory(_))
}

/// Whether buffers are in one memory, and can have their entries at the same places.
fn overlays(one: &Type, other: &Type) -> bool {
    let layouts = one.memory().zip(other.memory());
    let fit = layouts.is_none_or(|(one, other)| one.layout.can_be(&other.layout, [&one.shape, &other.shape]));
    fit && one.space() == other.space() || one.is_broken() || other.is_broken()
}

fn cast_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    let is_ranked = |ty: &Type| !matches!(ty, Type::UnrankedMemory(_));
    if !is_ranked(&from.ty) && !is_ranked(to) {
        let message = format!("a cast from `{}` gives a buffer with a rank", from.ty);
        return Err(draft.wrong_result(message).label("also without a rank"));
    }
    match alike(&from.ty, to) && overlays(&from.ty, to) {
        true => Ok(()),
        false => Err(draft.wrong_result(format!("`{}` cannot be `{to}`", from.ty)).label("another buffer")),
    }
}

fn copy_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.operand(1)?);
    match alike(&from.ty, &to.ty) {
        true => Ok(()),
        false => Err(Mistake::types(to.span, format!("`{}` cannot be copied to `{}`", from.ty, to.ty))),
    }
}

/// `memref.alloc(%d) : memref<?xf64>`
fn alloc_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let sizes = r.parenthesized(Reader::value_use)?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let open = ty.shape().unwrap_or_default().iter().filter(|size| size.is_none()).count();
    if open != sizes.len() && !ty.is_broken() {
        r.ends_with_type(draft);
        let places: Vec<Span> = sizes.iter().map(|name| name.span).collect();
        return Err(super::tensor::open_sizes(draft, &places, &ty, open));
    }
    draft.operands = sizes.iter().map(|name| r.resolve_index(*name)).collect::<Read<_>>()?;
    draft.results = vec![ty];
    Ok(())
}

/// The type says where a new buffer has its coordinates.
fn known_places(draft: &Draft) -> Result<(), Mistake> {
    let ty = draft.result()?;
    match ty.memory().map(|memory| &memory.layout) {
        Some(Layout::Strided(strided)) if strided.is_open() => {
            let message = format!("`{ty}` leaves open where its coordinates are");
            Err(draft.wrong_result(message).label("strides or an offset that are not known"))
        }
        _ => Ok(()),
    }
}

/// `%m[%i, %j] : T`
fn load_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let mut indices = Draft::of(draft);
    let count = Form::indices(r, &mut indices)?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(source, &ty)?];
    draft.operands.append(&mut indices.operands);
    r.ends_with_type(draft);
    super::tensor::check_indices(draft, &ty, count)?;
    draft.results = vec![ty.of_element()];
    Ok(())
}

/// `%v, %m[%i, %j] : T`
fn store_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [value, target] = r.two_uses()?;
    let mut indices = Draft::of(draft);
    let count = Form::indices(r, &mut indices)?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let element = ty.of_element();
    draft.operands = vec![r.resolve(value, &element)?, r.resolve(target, &ty)?];
    draft.operands.append(&mut indices.operands);
    r.ends_with_type(draft);
    super::tensor::check_indices(draft, &ty, count)
}

/// `%m, %d : T`
fn dim_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [source, at] = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(source, &ty)?, r.resolve_index(at)?];
    draft.results = vec![Type::INDEX];
    Ok(())
}

/// `%m[%o] [%n] [4] : T to U`
fn subview_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    super::tensor_parts::part_syntax(r, draft)
}

/// The result is the view of the part, from which dimensions of size 1 may be left out.
fn viewed(draft: &Draft) -> Result<(), Mistake> {
    let (source, result) = (draft.operand(0)?, draft.result()?);
    super::tensor_parts::part_within(draft, source, 1)?;
    let (Some(of), Some(found)) = (source.ty.memory(), result.memory()) else { return Ok(()) };
    let Some(view) = view_of(of, &draft.attributes) else {
        return super::tensor_parts::part_fits(draft, result, "the result", |message| draft.wrong_result(message));
    };
    if found.space == view.space && kept_dims(&view, found).is_some() {
        return Ok(());
    }
    let wanted = Type::Memory(view);
    let mistake = draft.wrong_result(format!("the view is a `{wanted}`")).label("another buffer");
    Err(mistake.fix(format!("write `{wanted}`"), draft.result_span(), wanted.to_string()))
}

/// The type of a view with all its dimensions; `None` if a map says where its source has its coordinates.
fn view_of(of: &MemoryType, part: &Attributes) -> Option<MemoryType> {
    let layout = of.layout.strided(&of.shape)?.view(&listed(part, "static_offsets"), &listed(part, "static_strides"));
    let sizes = listed(part, "static_sizes").into_iter();
    let shape: Vec<_> = sizes.map(|size| u64::try_from(size?).ok()).collect();
    Some(MemoryType { layout: layout.stated(&shape), shape, element: of.element, space: of.space.clone() })
}

/// The dimensions of the part that the result of a `memref.subview` has.
pub fn viewed_dims(op: &Op) -> Option<Vec<usize>> {
    let (of, to) = (op.operands.first()?.ty.memory()?, op.result_types.first()?.memory()?);
    let sizes = || listed(&op.attributes, "static_sizes").into_iter().map(|size| u64::try_from(size?).ok());
    let by_sizes = || super::tensor_parts::kept_dims(&sizes().collect::<Vec<_>>(), &to.shape);
    view_of(of, &op.attributes).and_then(|view| kept_dims(&view, to)).or_else(by_sizes)
}

/// The dimensions of a view that a buffer has, if it can be that view: the others are of size 1. `None` if it cannot
/// be, or if a map says where it has its coordinates.
fn kept_dims(view: &MemoryType, buffer: &MemoryType) -> Option<Vec<usize>> {
    let [whole, part] = [view, buffer].map(|memory| memory.layout.strided(&memory.shape));
    let (whole, part) = (whole?, part?);
    let mut wanted = buffer.shape.iter().zip(&part.strides).peekable();
    let mut kept = Vec::new();
    for (dim, size) in view.shape.iter().enumerate() {
        if wanted.next_if_eq(&(size, whole.strides.get(dim)?)).is_some() {
            kept.push(dim);
        } else if *size != Some(1) {
            return None;
        }
    }
    (wanted.next().is_none() && whole.offset == part.offset).then_some(kept)
}

/// `%a, %b : T to U`
fn copy_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [from, to] = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let from_type = r.colon_type()?;
    r.expect_word("to")?;
    let to_type = r.ty()?;
    draft.operands = vec![r.resolve(from, &from_type)?, r.resolve(to, &to_type)?];
    Ok(())
}
