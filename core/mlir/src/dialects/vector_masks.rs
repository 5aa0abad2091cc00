//! `vector`: masks, and `step`.

use super::vector_shapes::{places, vector_of};
use crate::{
    constraints::{INDEX_VALUE, VECTOR, takes},
    draft::Draft,
    inherent::{NUMBERS, needs},
    mistake::{Mistake, Read},
    read::{Entry, Reader},
    types::{Type, VectorType},
};
use nnz_base::element::Element;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("vector.create_mask", takes(&[INDEX_VALUE.many()]).gives(&[VECTOR]), create_mask_syntax)
        .verified(mask_types),
    Entry::host("vector.constant_mask", takes(&[]).gives(&[VECTOR]), constant_mask_syntax)
        .having(&[needs("mask_dim_sizes", NUMBERS)])
        .verified(constant_mask_types),
    Entry::host("vector.step", takes(&[]).gives(&[VECTOR]), step_syntax).verified(step_types),
];

/// `%n, %m : vector<4x4xi1>`
fn create_mask_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let names = if r.at(TokenKind::PercentId) { r.value_uses()? } else { Vec::new() };
    draft.attributes = r.optional_dictionary()?;
    draft.results = vec![r.colon_type()?];
    draft.operands = r.resolve_all(&names, &vec![Type::INDEX; names.len()])?;
    Ok(())
}

fn mask_types(draft: &Draft) -> Result<(), Mistake> {
    let to = draft.result()?;
    match vector_of(to) {
        Some(vector) if vector.element == Element::I1 && vector.shape.len() == draft.operands.len() => Ok(()),
        _ => Err(draft.mistake(format!("{} sizes do not make `{to}`", draft.operands.len()))),
    }
}

/// `[2, 3] : vector<4x4xi1>`
fn constant_mask_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let sizes = r.attribute()?;
    draft.attributes.set_at("mask_dim_sizes", sizes, span);
    draft.results = vec![r.colon_type()?];
    Ok(())
}

fn constant_mask_types(draft: &Draft) -> Result<(), Mistake> {
    let to = draft.result()?;
    let sizes = places(draft.attribute("mask_dim_sizes"));
    match vector_of(to) {
        Some(vector) if vector.element == Element::I1 && vector.shape.len() == sizes.len() => {
            mask_bounds(draft, vector, &sizes)
        }
        _ => Err(draft.wrong("mask_dim_sizes", format!("{} sizes do not make `{to}`", sizes.len()))),
    }
}

/// No size is beyond its dimension, and none is 0 unless all are.
fn mask_bounds(draft: &Draft, vector: &VectorType, sizes: &[u64]) -> Result<(), Mistake> {
    if let Some(at) = sizes.iter().zip(&vector.shape).position(|(size, most)| size > most) {
        let message = format!("dimension {at} has {} entries, and {} are masked", vector.shape[at], sizes[at] as i64);
        return Err(draft.wrong("mask_dim_sizes", message));
    }
    match sizes.contains(&0) && sizes.iter().any(|size| *size > 0) {
        true => Err(draft.wrong("mask_dim_sizes", "where one size is 0 all are")),
        false => Ok(()),
    }
}

/// `: vector<4xindex>`, the numbers from 0 on.
fn step_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    draft.results = vec![r.colon_type()?];
    Ok(())
}

fn step_types(draft: &Draft) -> Result<(), Mistake> {
    match vector_of(draft.result()?) {
        Some(vector) if vector.element == Element::Index && vector.shape.len() == 1 => Ok(()),
        _ => Err(draft.mistake("the result is a vector of one dimension, of `index`")),
    }
}
