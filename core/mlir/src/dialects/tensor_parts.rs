//! `tensor`: extraction and insertion of parts of tensors.

use super::tensor_shapes::{known_numbers, known_sizes, mixed, not_negative, open_numbers};
use crate::{
    constraints::{DENSE_TENSOR, INDEX_VALUE, TENSOR, takes},
    draft::Draft,
    inherent::{Inherent, Kind, groups, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::diagnostic::counted;

pub(super) static OPS: &[Entry] = &[
    Entry::host("tensor.extract_slice", takes(&[TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]).alike(), part_syntax)
        .having(&[groups(4), OFFSETS, SIZES, STRIDES])
        .verified(extracted_part),
    Entry::host(
        "tensor.insert_slice",
        takes(&[DENSE_TENSOR, DENSE_TENSOR, INDEX_VALUE.many()]).gives(&[DENSE_TENSOR]).alike(),
        insert_slice_syntax,
    )
    .having(&[groups(5), OFFSETS, SIZES, STRIDES])
    .verified(inserted_part),
];

pub(super) const OFFSETS: Inherent = needs("static_offsets", Kind::Numbers);

pub(super) const SIZES: Inherent = needs("static_sizes", Kind::Numbers);

pub(super) const STRIDES: Inherent = needs("static_strides", Kind::Numbers);

pub(super) fn extracted_part(draft: &Draft) -> Result<(), Mistake> {
    part_within(draft, draft.operand(0)?, 1)?;
    let result = draft.result()?;
    if result.tensor().is_some() {
        moves_on(draft)?;
    }
    part_fits(draft, result, "the result", |message| draft.wrong_result(message))
}

/// A part of a tensor that has no entry twice.
fn moves_on(draft: &Draft) -> Result<(), Mistake> {
    let Some(dim) = known_numbers(draft, "static_strides").iter().position(|stride| *stride == Some(0)) else {
        return Ok(());
    };
    let mistake = draft.wrong_item("static_strides", dim, "nnz takes no part of a tensor with stride 0");
    Err(mistake.label("one entry, several times").help("`linalg.broadcast` repeats entries"))
}

fn inserted_part(draft: &Draft) -> Result<(), Mistake> {
    let source = draft.operand(0)?;
    part_within(draft, draft.operand(1)?, 2)?;
    let name = format!("`{}`", draft.name_of(source));
    part_fits(draft, &source.ty, &name, |message| Mistake::types(source.span, message))
}

/// The tensor that is extracted or inserted has the sizes of the part; some sizes of 1 may be left out.
fn part_fits(draft: &Draft, ty: &Type, name: &str, wrong: impl Fn(String) -> Mistake) -> Result<(), Mistake> {
    let (sizes, Some(shape)) = (known_sizes(draft, "static_sizes"), ty.shape()) else { return Ok(()) };
    let differs = |(size, of_type): &(&Option<u64>, &Option<u64>)| size.zip(**of_type).is_some_and(|(a, b)| a != b);
    if sizes.len() != shape.len() {
        let mut left = shape.iter().peekable();
        let extra = sizes.iter().filter(|size| left.next_if(|wanted| !differs(&(*size, *wanted))).is_none());
        let ones = extra.filter(|size| size.is_some_and(|size| size != 1)).count() == 0;
        return match ones && left.next().is_none() {
            true => Ok(()),
            false => {
                let sizes = sizes.iter().map(|size| size.map_or("?".to_string(), |size| size.to_string()));
                let sizes = sizes.collect::<Vec<_>>().join("x");
                Err(wrong(format!("the part is {sizes}, and {name} is `{ty}`")))
            }
        };
    }
    let Some(dim) = sizes.iter().zip(&shape).position(|pair| differs(&pair)) else { return Ok(()) };
    let [size, of_type] = [sizes[dim], shape[dim]].map(Option::unwrap_or_default);
    let message = format!("the part has size {size} in dimension {dim}, and {name} {of_type}");
    let mistake = wrong(message).label(format!("size {of_type} in dimension {dim}"));
    Err(match draft.attributes.item_span("static_sizes", dim) {
        Some(place) => mistake.secondary(place, format!("size {size}")),
        None => mistake,
    })
}

/// A part that stays within the tensor, judging by the numbers in the text.
fn part_within(draft: &Draft, whole: &Operand, groups: usize) -> Result<(), Mistake> {
    let shape = whole.ty.shape().unwrap_or_default();
    let [offsets, sizes, strides] =
        ["static_offsets", "static_sizes", "static_strides"].map(|name| known_numbers(draft, name));
    if let Some((name, numbers)) = [("offsets", &offsets), ("sizes", &sizes), ("strides", &strides)]
        .into_iter()
        .find(|(_, numbers)| numbers.len() != shape.len() && !whole.ty.is_broken())
    {
        let (given, has) = (numbers.len(), counted(shape.len(), "dimension"));
        let mistake = draft.wrong(&format!("static_{name}"), format!("{given} {name} for a tensor of {has}"));
        return Err(mistake.label(format!("{given} {name}")));
    }
    for (at, name) in ["static_offsets", "static_sizes", "static_strides"].into_iter().enumerate() {
        open_numbers(draft, name, groups + at)?;
    }
    not_negative(draft, "static_offsets", "an offset")?;
    not_negative(draft, "static_sizes", "a size")?;
    for (dim, size) in shape.iter().enumerate() {
        let (Some(size), Some(offset), Some(count), Some(stride)) = (*size, offsets[dim], sizes[dim], strides[dim])
        else {
            continue;
        };
        if let Some(outside) = reaches_beyond(size, [offset, count, stride]) {
            let name = draft.name_of(whole);
            let message = format!("the part reaches beyond dimension {dim} of `{name}`, which has size {size}");
            let mistake = draft.wrong_item("static_sizes", dim, message);
            return Err(mistake.label(format!("up to coordinate {outside}")));
        }
    }
    Ok(())
}

/// The first or the last coordinate of a part, if it is outside a dimension of `size`.
pub fn reaches_beyond(size: u64, [offset, count, stride]: [i64; 3]) -> Option<i128> {
    if count == 0 {
        return None;
    }
    let [offset, count, stride] = [offset, count, stride].map(i128::from);
    let inside = 0..i128::from(size);
    [offset + (count - 1) * stride, offset].into_iter().find(|end| !inside.contains(end))
}

/// Offsets, sizes and strides: `[0, %i] [2, 2] [1, 1]`.
fn parts(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    for name in ["static_offsets", "static_sizes", "static_strides"] {
        let open = mixed(r, draft, name)?;
        draft.group(open);
    }
    Ok(())
}

/// `%t[0, 0] [2, 2] [1, 1] : T to U`
pub(super) fn part_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let mut rest = Draft::of(draft);
    parts(r, &mut rest)?;
    draft.attributes = rest.attributes;
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.group(vec![r.resolve(source, &from)?]);
    draft.operands.append(&mut rest.operands);
    draft.segments.append(&mut rest.segments);
    Ok(())
}

/// `%t into %u[0, 0] [2, 2] [1, 1] : T into U`
fn insert_slice_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    r.expect_word("into")?;
    let target = r.value_use()?;
    let mut rest = Draft::of(draft);
    parts(r, &mut rest)?;
    draft.attributes = rest.attributes;
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("into")?;
    let to = r.ty()?;
    draft.group(vec![r.resolve(source, &from)?]);
    draft.group(vec![r.resolve(target, &to)?]);
    draft.operands.append(&mut rest.operands);
    draft.segments.append(&mut rest.segments);
    draft.results = vec![to];
    Ok(())
}
