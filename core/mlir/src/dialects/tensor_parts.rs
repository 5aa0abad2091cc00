//! `tensor`: extraction and insertion of parts of tensors.

use super::tensor_shapes::{known_numbers, known_sizes, mixed, not_negative, open_numbers};
use crate::{
    constraints::{DENSE_TENSOR, INDEX_VALUE, TENSOR, takes},
    draft::Draft,
    inherent::{Inherent, NUMBERS, groups, needs},
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

pub(super) const OFFSETS: Inherent = needs("static_offsets", NUMBERS);

pub(super) const SIZES: Inherent = needs("static_sizes", NUMBERS);

pub(super) const STRIDES: Inherent = needs("static_strides", NUMBERS);

fn extracted_part(draft: &Draft) -> Result<(), Mistake> {
    part_within(draft, draft.operand(0)?, 1)?;
    moves_on(draft)?;
    part_fits(draft, draft.result()?, "the result", |message| draft.wrong_result(message))
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

/// The tensor that is extracted or inserted has the sizes of the part, open where a value gives them; some sizes of 1
/// may be left out.
pub(super) fn part_fits(
    draft: &Draft,
    ty: &Type,
    name: &str,
    wrong: impl Fn(String) -> Mistake,
) -> Result<(), Mistake> {
    let (sizes, Some(shape)) = (known_sizes(draft, "static_sizes"), ty.shape()) else { return Ok(()) };
    if kept_dims(&sizes, &shape).is_some() {
        return Ok(());
    }
    let different = sizes.iter().zip(&shape).position(|(size, of_type)| size != of_type);
    let Some(dim) = different.filter(|_| sizes.len() == shape.len()) else {
        let sizes: Vec<String> =
            sizes.iter().map(|size| size.map_or("?".to_string(), |size| size.to_string())).collect();
        return Err(wrong(format!("the part is {}, and {name} is `{ty}`", sizes.join("x"))));
    };
    let (size, of_type) = (sizes[dim], shape[dim]);
    let label = of_type.map_or_else(|| "an open size".to_string(), |size| format!("size {size}"));
    let mistake = wrong(other_size(dim, size, of_type, name)).label(format!("{label} in dimension {dim}"));
    let mistake = match size.is_some() && of_type.is_some() {
        true => mistake,
        false => mistake.help("the type has `?` where a value gives the size; `tensor.cast` makes one of the other"),
    };
    let place = draft.attributes.item_span("static_sizes", dim);
    let given = size.map_or_else(|| "a value gives the size".to_string(), |size| format!("size {size}"));
    Err(match place {
        Some(place) => mistake.secondary(place, given),
        None => mistake,
    })
}

/// A part whose size in a dimension is not that of the tensor that is extracted or inserted.
fn other_size(dim: usize, size: Option<u64>, of_type: Option<u64>, name: &str) -> String {
    match (size, of_type) {
        (Some(size), Some(of_type)) => format!("the part has size {size} in dimension {dim}, and {name} {of_type}"),
        (Some(size), None) => format!("the part has size {size} in dimension {dim}, which {name} leaves open"),
        (None, of_type) => {
            let of_type = of_type.map_or("?".to_string(), |size| size.to_string());
            format!("a value gives the part's size in dimension {dim}, and {name} has size {of_type}")
        }
    }
}

/// The dimensions of a part of `sizes` that a tensor of `shape` has, if it can be that part: the others are of size 1.
/// An open size goes with an open one.
pub fn kept_dims(sizes: &[Option<u64>], shape: &[Option<u64>]) -> Option<Vec<usize>> {
    let mut wanted = shape.iter().peekable();
    let mut kept = Vec::new();
    for (dim, size) in sizes.iter().enumerate() {
        if wanted.next_if_eq(&size).is_some() {
            kept.push(dim);
        } else if *size != Some(1) {
            return None;
        }
    }
    wanted.next().is_none().then_some(kept)
}

/// A part that stays within the tensor, judging by the numbers in the text.
pub(super) fn part_within(draft: &Draft, whole: &Operand, groups: usize) -> Result<(), Mistake> {
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
