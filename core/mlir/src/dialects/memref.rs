//! `memref`: buffers.

use crate::{
    constraints::{ANY_MEMREF, INDEX_VALUE, MEMREF, SCALAR, takes},
    dialects::{
        tensor_parts::{OFFSETS, SIZES, STRIDES},
        tensor_shapes::{known_numbers, known_sizes},
    },
    draft::Draft,
    inherent::{ALIGNMENT, NONTEMPORAL, groups},
    layout::Layout,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::{Type, compatible},
};
use nnz_base::source::Span;

pub(super) static OPS: &[Entry] = &[
    Entry::host("memref.alloc", takes(&[INDEX_VALUE.many()]).gives(&[MEMREF]), alloc_syntax)
        .having(&[groups(2), ALIGNMENT]),
    Entry::host("memref.alloca", takes(&[INDEX_VALUE.many()]).gives(&[MEMREF]), alloc_syntax)
        .having(&[groups(2), ALIGNMENT]),
    Entry::host("memref.dealloc", takes(&[ANY_MEMREF]), Form::operands),
    Entry::host("memref.load", takes(&[MEMREF, INDEX_VALUE.many()]).gives(&[SCALAR]).alike(), load_syntax)
        .having(&[NONTEMPORAL, ALIGNMENT]),
    Entry::host("memref.store", takes(&[SCALAR, MEMREF, INDEX_VALUE.many()]), store_syntax)
        .having(&[NONTEMPORAL, ALIGNMENT]),
    Entry::host("memref.cast", takes(&[ANY_MEMREF]).gives(&[ANY_MEMREF]).alike(), Form::cast).verified(cast_types),
    Entry::host("memref.dim", takes(&[ANY_MEMREF, INDEX_VALUE]).gives(&[INDEX_VALUE]), dim_syntax),
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

fn is_buffer(ty: &Type) -> bool {
    matches!(ty, Type::Memory(_) | Type::UnrankedMemory(_))
}

fn cast_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    match alike(&from.ty, to) {
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

fn viewed(draft: &Draft) -> Result<(), Mistake> {
    if draft.operand(0)?.ty.rank() != draft.result()?.rank() {
        return Err(draft.mistake("views that drop dimensions are not made"));
    }
    let (source, result) = (draft.operand(0)?, draft.result()?);
    super::tensor_parts::part_within(draft, source, 1)?;
    let (Some(shape), Some(found), Some(element)) = (source.ty.shape(), result.shape(), result.element()) else {
        return Ok(());
    };
    let Some(view) = view_layout(draft, &shape) else {
        return super::tensor_parts::part_fits(draft, result, "the result", |message| draft.wrong_result(message));
    };
    let sizes = known_sizes(draft, "static_sizes");
    if sizes == found && Layout::stated(result_text(draft), &found).is_none_or(|stated| stated == view) {
        return Ok(());
    }
    let wanted = view.of_buffer(&sizes, element);
    let mistake = draft.wrong_result(format!("the view is a `{wanted}`")).label("another buffer");
    Err(mistake.fix(format!("write `{wanted}`"), draft.result_span(), wanted))
}

fn result_text(draft: &Draft) -> &str {
    draft.text.get(draft.result_span().range()).unwrap_or_default()
}

/// The layout that a view has; `None` if its source's is not stated here.
fn view_layout(draft: &Draft, shape: &[Option<u64>]) -> Option<Layout> {
    let source = draft.text.get(draft.span.end as usize..draft.result_span().start as usize)?;
    let (offsets, strides) = (known_numbers(draft, "static_offsets"), known_numbers(draft, "static_strides"));
    Some(Layout::stated(source, shape)?.view(&offsets, &strides))
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
