//! `vector`: reads and writes of those entries of buffers that a mask or a vector of indices selects.

use super::vector_shapes::vector_of;
use crate::{
    constraints::{Constraint, INDEX_VALUE, MEMREF, SHAPED, VECTOR, takes},
    draft::Draft,
    inherent::ALIGNMENT,
    ir::Operand,
    mistake::{Mistake, Read},
    operation::Group,
    read::{Entry, Reader, Use},
    types::{Type, VectorType},
};
use nnz_base::{diagnostic::counted, element::Element};
use nnz_syntax::TokenKind;

/// Of [`MASKED`].
const OPERANDS: &[Constraint] = &[MEMREF, INDEX_VALUE.many(), VECTOR, VECTOR];
/// A buffer, where in it the entries are, a mask, and what is written, or read where the mask is 0.
const MASKED: &[Group] = &[Group::One, Group::Rest, Group::One, Group::One];
/// The same with a vector of indices before the mask.
const PICKED: &[Group] = &[Group::One, Group::Rest, Group::One, Group::One, Group::One];

pub(super) static OPS: &[Entry] = &[
    masked_read("vector.maskedload"),
    masked_read("vector.expandload"),
    masked_write("vector.maskedstore"),
    masked_write("vector.compressstore"),
    Entry::host(
        "vector.gather",
        takes(&[SHAPED, INDEX_VALUE.many(), VECTOR, VECTOR, VECTOR]).gives(&[VECTOR]),
        gather_syntax,
    )
    .grouped(PICKED)
    .having(&[ALIGNMENT])
    .verified(gathered),
    Entry::host("vector.scatter", takes(&[SHAPED, INDEX_VALUE.many(), VECTOR, VECTOR, VECTOR]), scatter_syntax)
        .grouped(PICKED)
        .having(&[ALIGNMENT])
        .verified(scattered),
];

const fn masked_read(name: &'static str) -> Entry {
    Entry::host(name, takes(OPERANDS).gives(&[VECTOR]), read_syntax)
        .grouped(MASKED)
        .having(&[ALIGNMENT])
        .verified(masked)
}

const fn masked_write(name: &'static str) -> Entry {
    Entry::host(name, takes(OPERANDS), write_syntax).grouped(MASKED).having(&[ALIGNMENT]).verified(masked)
}

/// `%m[%i] [%places], %mask, %v {...} : T, vector<...>, vector<...>, vector<...>`: the operands; `picks` says whether
/// there are places.
fn operands(r: &mut Reader<'_>, draft: &mut Draft, picks: bool) -> Read<()> {
    let base = r.value_use()?;
    let indices = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?;
    let mut vectors: Vec<Use<'_>> = Vec::new();
    if picks {
        r.expect(TokenKind::LBracket)?;
        vectors.push(r.value_use()?);
        r.expect(TokenKind::RBracket)?;
    }
    for _ in 0..2 {
        r.expect(TokenKind::Comma)?;
        vectors.push(r.value_use()?);
    }
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    let Some((first, others)) = types.split_first().filter(|(_, others)| others.len() == vectors.len()) else {
        let message = format!("{} types are wanted here, one of each operand that is no index", vectors.len() + 1);
        return Err(Mistake::syntax(r.last_span(), message).label("not as many types"));
    };
    draft.group(vec![r.resolve(base, first)?]);
    let indices = r.resolve_all(&indices, &vec![Type::INDEX; indices.len()])?;
    draft.group(indices);
    for (name, ty) in vectors.into_iter().zip(others) {
        draft.group(vec![r.resolve(name, ty)?]);
    }
    Ok(())
}

/// `into vector<...>`
fn into_vector(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.expect_word("into")?;
    draft.results = vec![r.ty()?];
    Ok(())
}

fn read_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    operands(r, draft, false)?;
    into_vector(r, draft)
}

fn write_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    operands(r, draft, false)
}

fn gather_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    operands(r, draft, true)?;
    into_vector(r, draft)
}

fn scatter_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    operands(r, draft, true)?;
    if let Type::Tensor(_) = draft.operand(0)?.ty {
        Err(Mistake::unsupported(draft.span, "nnz scatters into memrefs alone"))
    } else {
        Ok(())
    }
}

fn in_group(draft: &Draft, group: usize) -> Result<&Operand, Mistake> {
    draft.group_of(group).first().ok_or_else(|| draft.mistake("an operand is missing"))
}

fn masked(draft: &Draft) -> Result<(), Mistake> {
    let vector = vector_type(draft, 3)?;
    if let Some(rank) = draft.operand(0)?.ty.rank().filter(|rank| *rank < vector.shape.len()) {
        let message = format!("a vector of {} dimensions is no part of a memref of {rank}", vector.shape.len());
        let label = format!("{} dimensions", vector.shape.len());
        return Err(Mistake::unsupported(in_group(draft, 3)?.span, message).label(label));
    }
    of_base(draft, vector)?;
    of_mask(in_group(draft, 2)?, vector)
}

fn gathered(draft: &Draft) -> Result<(), Mistake> {
    let base = draft.operand(0)?;
    if base.ty.sparse().is_some() {
        let message = format!("`{}` takes dense tensors, and this has an encoding", draft.name());
        return Err(Mistake::types(base.span, message).help("`sparse_tensor.convert` makes it dense"));
    }
    scattered(draft)
}

fn scattered(draft: &Draft) -> Result<(), Mistake> {
    let (vector, places) = (vector_type(draft, 4)?, in_group(draft, 2)?);
    of_base(draft, vector)?;
    of_mask(in_group(draft, 3)?, vector)?;
    let fits = |found: &VectorType| found.shape == vector.shape && found.element.is_integer();
    match vector_of(&places.ty) {
        Some(found) if !fits(found) => {
            let wanted = Type::Vector(VectorType { element: Element::Index, ..vector.clone() });
            Err(Mistake::types(places.span, format!("places are `{wanted}` here, or of integers, not `{}`", places.ty)))
        }
        _ => Ok(()),
    }
}

/// The vector in a group; what is read is of its type.
fn vector_type(draft: &Draft, group: usize) -> Result<&VectorType, Mistake> {
    let given = in_group(draft, group)?;
    let vector = vector_of(&given.ty).ok_or_else(Mistake::told)?;
    match draft.results.first() {
        Some(result) if *result != given.ty && !result.is_broken() => {
            Err(Mistake::types(given.span, format!("`{result}` is read here, and this is `{}`", given.ty)))
        }
        _ => Ok(vector),
    }
}

fn of_base(draft: &Draft, vector: &VectorType) -> Result<(), Mistake> {
    let (base, given) = (draft.operand(0)?, draft.group_of(1).len());
    if let Some(rank) = base.ty.rank().filter(|rank| *rank != given) {
        let message = format!("`{}` has {}, and {given} indices are given", base.ty, counted(rank, "dimension"));
        return Err(Mistake::types(base.span, message));
    }
    match base.ty.element() {
        Some(element) if element != vector.element => {
            let vector = Type::Vector(vector.clone());
            Err(Mistake::types(base.span, format!("`{}` and `{vector}` have other elements", base.ty)))
        }
        _ => Ok(()),
    }
}

fn of_mask(mask: &Operand, vector: &VectorType) -> Result<(), Mistake> {
    let wanted = Type::Vector(VectorType { element: Element::I1, ..vector.clone() });
    if mask.ty == wanted || mask.ty.is_broken() {
        return Ok(());
    }
    Err(Mistake::types(mask.span, format!("the mask is `{wanted}` here, not `{}`", mask.ty)))
}
