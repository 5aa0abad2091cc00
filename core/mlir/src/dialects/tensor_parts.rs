//! `tensor`: extraction and insertion of parts of tensors.

use super::tensor_shapes::{known_numbers, mixed, numbers, open_numbers, rebuilt, result};
use crate::{
    constraints::{INDEX_VALUE, TENSOR, takes},
    inherent::{Inherent, Kind, groups, needs},
    ir::{Op, Operand},
    machine::{Fault, Frame, Machine},
    operation::OpDef,
    read::{Draft, Mistake, Read, Reader},
    types::Type,
    value::{Value, advance, by, entries},
};
use nnz_base::diagnostic::counted;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host(
        "tensor.extract_slice",
        takes(&[TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]).alike(),
        part_syntax,
        extract_slice,
    )
    .having(&[groups(4), OFFSETS, SIZES, STRIDES])
    .verified(extracted_part),
    OpDef::host(
        "tensor.insert_slice",
        takes(&[TENSOR, TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]).alike(),
        insert_slice_syntax,
        insert_slice,
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
    part_fits(draft, result, "the result", |message| draft.wrong_result(message))
}

fn inserted_part(draft: &Draft) -> Result<(), Mistake> {
    let source = draft.operand(0)?;
    part_within(draft, draft.operand(1)?, 2)?;
    let name = format!("`{}`", draft.name_of(source));
    part_fits(draft, &source.ty, &name, |message| Mistake::types(source.span, message))
}

/// What is cut out or put in has the sizes of the part, of which some that are 1 may be left out.
fn part_fits(draft: &Draft, ty: &Type, name: &str, wrong: impl Fn(String) -> Mistake) -> Result<(), Mistake> {
    let (sizes, Some(shape)) = (known_numbers(draft, "static_sizes"), ty.shape()) else { return Ok(()) };
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

/// A part that stays within the tensor, as far as numbers in the text tell.
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
    for (dim, size) in shape.iter().enumerate() {
        let (Some(size), Some(offset), Some(count), Some(stride)) = (*size, offsets[dim], sizes[dim], strides[dim])
        else {
            continue;
        };
        let last = count.checked_sub(1).map(|steps| u128::from(steps) * u128::from(stride) + u128::from(offset));
        if last.is_some_and(|last| last >= u128::from(size)) {
            let name = draft.name_of(whole);
            let message = format!("the part reaches beyond dimension {dim} of `{name}`, which has size {size}");
            let mistake = draft.wrong_item("static_sizes", dim, message);
            return Err(mistake.label(format!("up to coordinate {}", last.unwrap_or(0))));
        }
    }
    Ok(())
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

/// The part of a tensor that an operation means: offset, size and stride of each dimension.
pub(super) struct Part {
    pub(super) offsets: Vec<u64>,
    pub(super) sizes: Vec<u64>,
    pub(super) strides: Vec<u64>,
}

impl Part {
    /// The groups of operands behind `first` leave offsets, sizes and strides open.
    pub(super) fn of(frame: &Frame<'_>, op: &Op, first: usize) -> Result<Part, Fault> {
        let open = |at: usize| frame.numbers(op.group(first + at));
        Ok(Part {
            offsets: numbers(op, "static_offsets", open(0)?),
            sizes: numbers(op, "static_sizes", open(1)?),
            strides: numbers(op, "static_strides", open(2)?),
        })
    }

    pub(super) fn check(&self, whole: &[u64]) -> Result<(), Fault> {
        if [&self.offsets, &self.sizes, &self.strides].iter().any(|numbers| numbers.len() != whole.len()) {
            return Err(Fault::new(format!("a part of a tensor of {} dimensions names as many", whole.len())));
        }
        for (dim, size) in whole.iter().enumerate() {
            let Some(steps) = self.sizes[dim].checked_sub(1) else { continue };
            let last = steps.checked_mul(self.strides[dim]).and_then(|past| past.checked_add(self.offsets[dim]));
            if last.is_none_or(|last| last >= *size) || self.strides[dim] == 0 {
                let message = format!("the part reaches beyond dimension {dim}, which has size {size}");
                return Err(Fault::new(message));
            }
        }
        Ok(())
    }

    /// Where a coordinate of the whole stands in the part.
    fn inside(&self, at: &[u64]) -> Option<Vec<u64>> {
        let dims = at.iter().zip(&self.offsets).zip(self.strides.iter().zip(&self.sizes));
        dims.map(|((at, offset), (stride, size))| {
            let past = at.checked_sub(*offset)?;
            (past % stride == 0 && past / stride < *size).then(|| past / stride)
        })
        .collect()
    }
}

/// Which dimensions of `sizes` are left out to give `rank` of them: those of size 1, the last first.
fn kept(sizes: &[u64], shape: &[Option<u64>]) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut wanted = shape.iter().peekable();
    for (dim, size) in sizes.iter().enumerate() {
        let left = sizes.len() - dim;
        let fits = wanted.peek().is_some_and(|want| want.is_none_or(|want| want == *size));
        if fits && (*size != 1 || left <= wanted.len() || wanted.peek().is_some_and(|want| **want == Some(1))) {
            kept.push(dim);
            wanted.next();
        }
    }
    kept
}

fn extract_slice(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let part = Part::of(frame, op, 1)?;
    part.check(&source.sizes())?;
    let to = result(op)?;
    let kept = kept(&part.sizes, &to.shape);
    let shape: Vec<u64> = kept.iter().map(|dim| part.sizes[*dim]).collect();
    if shape.len() != to.shape.len() {
        return Err(Fault::new(format!(
            "a part of {} is not a tensor of {} dimensions",
            by(&part.sizes),
            to.shape.len()
        )));
    }
    let place = |at: &[u64]| part.inside(at).map(|at| kept.iter().map(|dim| at[*dim]).collect());
    Ok(vec![rebuilt(&source, (shape, to), place)?])
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

fn insert_slice(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.array()?.into_owned();
    let mut target = frame.operand(op, 1)?.array()?.into_owned();
    let part = Part::of(frame, op, 2)?;
    part.check(&target.shape)?;
    if entries(&part.sizes)? != source.values.len() {
        return Err(Fault::new(format!("{} entries for a part of {}", source.values.len(), by(&part.sizes))));
    }
    let mut at = vec![0; part.sizes.len()];
    let values = std::sync::Arc::make_mut(&mut target.values);
    for entry in 0..source.values.len() {
        let place: Vec<u64> = (0..at.len()).map(|dim| part.offsets[dim] + at[dim] * part.strides[dim]).collect();
        let offset = crate::value::offset(&target.shape, &place)?;
        values.set(offset, source.values.get(entry).unwrap_or(source.element.zero()));
        advance(&mut at, &part.sizes);
    }
    Ok(vec![Value::Array(target)])
}
