//! `tensor`: tensors as values. Operations that change a shape are in a separate file.

use crate::{
    constraints::{ANY_TENSOR, INDEX_VALUE, SCALAR, TENSOR, takes},
    draft::Draft,
    ir::{Ending, Operand},
    mistake::{Mistake, Read},
    operation::{Group, Regions},
    read::{Entry, Form, Reader},
    types::{Type, compatible},
};
use nnz_base::{
    diagnostic::{Code, counted},
    source::Span,
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("tensor.empty", takes(&[INDEX_VALUE.many()]).gives(&[TENSOR]), empty_syntax),
    Entry::host("tensor.dim", takes(&[ANY_TENSOR, INDEX_VALUE]).gives(&[INDEX_VALUE]), dim_syntax).verified(dim_within),
    Entry::host("tensor.rank", takes(&[ANY_TENSOR]).gives(&[INDEX_VALUE]), rank_syntax),
    Entry::host("tensor.cast", takes(&[ANY_TENSOR]).gives(&[ANY_TENSOR]).alike(), Form::cast).verified(cast_types),
    Entry::host("tensor.extract", takes(&[TENSOR, INDEX_VALUE.many()]).gives(&[SCALAR]).alike(), extract_syntax),
    Entry::host("tensor.insert", takes(&[SCALAR, TENSOR, INDEX_VALUE.many()]).gives(&[TENSOR]).alike(), insert_syntax),
    Entry::host("tensor.from_elements", takes(&[SCALAR.many()]).gives(&[TENSOR]), from_elements_syntax),
    Entry::host("tensor.generate", takes(&[INDEX_VALUE.many()]).gives(&[TENSOR]), generate_syntax)
        .with(Regions::Exactly(1)),
    Entry::host("tensor.splat", takes(&[SCALAR, INDEX_VALUE.many()]).gives(&[TENSOR]), splat_syntax)
        .grouped(&[Group::One, Group::Rest]),
    Entry::terminator("tensor.yield", takes(&[SCALAR]), Form::operands),
];

/// As many index operands as the type has open sizes.
///
/// # Errors
/// More or fewer; a type that is no tensor.
pub(super) fn check_sizes(draft: &Draft, sizes: &[Operand], ty: &Type) -> Result<(), Mistake> {
    let Some(tensor) = ty.tensor() else {
        return if ty.is_broken() { Ok(()) } else { Err(draft.mistake(format!("`{ty}` is not a ranked tensor"))) };
    };
    let open = tensor.shape.iter().filter(|size| size.is_none()).count();
    if sizes.len() == open {
        return Ok(());
    }
    Err(open_sizes(draft, &sizes.iter().map(|size| size.span).collect::<Vec<_>>(), ty, open))
}

/// Another number of sizes than a type leaves open.
pub(super) fn open_sizes(draft: &Draft, sizes: &[Span], ty: &Type, open: usize) -> Mistake {
    let (leaves, given) = (counted(open, "size"), sizes.len());
    let message = format!("`{ty}` leaves {leaves} open, and {given} {} given", if given == 1 { "is" } else { "are" });
    match sizes.get(open) {
        Some(beyond) => {
            Mistake::new(Code::OperationForm, *beyond, message).label("no `?` of the type is left for this size")
        }
        None => draft.wrong_result(message).label(format!("{} in this type", counted(open, "open size"))),
    }
}

/// `tensor.empty(%d) : T`
fn empty_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let sizes = r.parenthesized(Reader::value_use)?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let sizes = sizes.iter().map(|name| r.resolve_index(*name)).collect::<Read<Vec<_>>>()?;
    r.ends_with_type(draft);
    check_sizes(draft, &sizes, &ty)?;
    draft.group(sizes);
    draft.results = vec![ty];
    Ok(())
}

/// `tensor.dim %t, %i : T`
fn dim_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [source, at] = r.two_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(source, &ty)?, r.resolve_index(at)?];
    draft.results = vec![Type::INDEX];
    Ok(())
}

/// Checks that a tensor or a buffer has a dimension at all.
pub(super) fn has_dimensions(draft: &Draft) -> Result<(), Mistake> {
    let of = draft.operand(0)?;
    if of.ty.rank() != Some(0) {
        return Ok(());
    }
    let message = format!("`{}` of type `{}` has no dimension", draft.name_of(of), of.ty);
    Err(Mistake::types(of.span, message).label("of rank 0"))
}

/// Checks that the tensor has the dimension, if it is a constant.
pub(super) fn dim_within(draft: &Draft) -> Result<(), Mistake> {
    has_dimensions(draft)?;
    let (Some(rank), Some(at)) = (draft.operand(0)?.ty.rank(), draft.known(1)) else { return Ok(()) };
    if usize::try_from(at).is_ok_and(|at| at < rank) {
        return Ok(());
    }
    let message = format!(
        "there is no dimension {at}: `{}` has {}",
        draft.name_of(draft.operand(0)?),
        counted(rank, "dimension")
    );
    Err(Mistake::new(Code::OperationForm, draft.operand(1)?.span, message).label(format!("dimension {at}")))
}

fn rank_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::unary(r, draft)?;
    draft.results = vec![Type::INDEX];
    Ok(())
}

fn cast_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (&draft.operand(0)?.ty, draft.result()?);
    let shapes = from.shape().zip(to.shape()).is_none_or(|(from, to)| compatible(&from, &to));
    let elements = from.element() == to.element();
    if elements && shapes {
        return Ok(());
    }
    let mistake = Mistake::types(draft.operand(0)?.span, format!("`{from}` cannot be cast to `{to}`"));
    Err(mistake.label(if elements { "of another shape" } else { "of another element type" }))
}

/// `tensor.extract %t[%i, %j] : T`
fn extract_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    let mut indices = Draft::of(draft);
    let count = Form::indices(r, &mut indices)?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(source, &ty)?];
    draft.operands.append(&mut indices.operands);
    r.ends_with_type(draft);
    check_indices(draft, &ty, count)?;
    draft.results = vec![ty.of_element()];
    Ok(())
}

/// As many indices as dimensions.
pub(super) fn check_indices(draft: &Draft, ty: &Type, count: usize) -> Result<(), Mistake> {
    match ty.rank() {
        Some(rank) if rank != count => {
            let (has, given) = (counted(rank, "dimension"), counted(count, "index"));
            let are = if count == 1 { "is" } else { "are" };
            let mistake = draft.wrong_result(format!("`{ty}` has {has}, and {given} {are} given"));
            // The indices are the last operands.
            let extra = (draft.operands.len() + rank).checked_sub(count).filter(|_| count > rank);
            match extra.and_then(|extra| draft.operands.get(extra)) {
                Some(extra) => Err(mistake.label(format!("has {has}")).at(extra.span, "one index too many")),
                None => {
                    let help = match rank {
                        0 => "it takes no index: `[]`".to_string(),
                        1 => "one for the dimension: `[%i]`".to_string(),
                        2 => "one for each dimension: `[%i, %j]`".to_string(),
                        _ => "there is one for each dimension".to_string(),
                    };
                    Err(mistake.label(format!("has {has}")).help(help))
                }
            }
        }
        _ => Ok(()),
    }
}

/// `tensor.insert %v into %t[%i, %j] : T`
fn insert_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let value = r.value_use()?;
    r.expect_word("into")?;
    let target = r.value_use()?;
    let mut indices = Draft::of(draft);
    let count = Form::indices(r, &mut indices)?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let element = ty.of_element();
    draft.operands = vec![r.resolve(value, &element)?, r.resolve(target, &ty)?];
    draft.operands.append(&mut indices.operands);
    r.ends_with_type(draft);
    check_indices(draft, &ty, count)?;
    draft.results = vec![ty];
    Ok(())
}

/// `tensor.from_elements %a, %b : T`
fn from_elements_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = if r.at(TokenKind::PercentId) { r.value_uses()? } else { Vec::new() };
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let element = ty.of_element();
    let count = ty.shape().unwrap_or_default().iter().try_fold(1u64, |count, size| count.checked_mul((*size)?));
    if count != Some(uses.len() as u64) && !ty.is_broken() {
        return Err(draft.mistake(format!("{} elements for `{ty}`", uses.len())));
    }
    draft.operands = uses.iter().map(|name| r.resolve(*name, &element)).collect::<Read<_>>()?;
    draft.results = vec![ty];
    Ok(())
}

/// `tensor.generate %d {^bb0(%i: index): ... tensor.yield %v : f64} : T`
fn generate_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let sizes = if r.at(TokenKind::PercentId) { r.value_uses()? } else { Vec::new() };
    let region = r.region(Vec::new())?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let sizes = sizes.iter().map(|name| r.resolve_index(*name)).collect::<Read<Vec<_>>>()?;
    r.ends_with_type(draft);
    check_sizes(draft, &sizes, &ty)?;
    check_body(draft, &region, &ty)?;
    draft.group(sizes);
    draft.regions = vec![Some(region)];
    draft.results = vec![ty];
    Ok(())
}

/// A region with an index for each dimension, that yields an element.
pub(super) fn check_body(draft: &Draft, region: &crate::ir::Region, ty: &Type) -> Result<(), Mistake> {
    if ty.rank().is_some_and(|rank| rank != region.arguments.len()) {
        let message = format!("the region takes {} for `{ty}`", counted(region.arguments.len(), "argument"));
        return Err(draft.mistake(message));
    }
    if let Some(other) = region.arguments.iter().find(|argument| argument.ty != Type::INDEX && !argument.ty.is_broken())
    {
        let message = format!("the region takes `index` here, not `{}`", other.ty);
        return Err(Mistake::types(other.span, message).label(format!("this is `{}`", other.ty)));
    }
    match region.yielded().map(|op| (&op.operands[..], op.span)) {
        Some(([operand], _)) if operand.ty.element() == ty.element() || operand.ty.is_broken() => Ok(()),
        Some((_, span)) => Err(Mistake::types(span, format!("one element of `{ty}` is yielded here"))),
        None if region.ending != Ending::Whole => Ok(()),
        None => Err(draft.mistake("the region ends without yielding an element")),
    }
}

/// `tensor.splat %v[%d] : T`
fn splat_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let value = r.value_use()?;
    let sizes = if r.at(TokenKind::LBracket) {
        r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?
    } else {
        Vec::new()
    };
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let sizes = sizes.iter().map(|name| r.resolve_index(*name)).collect::<Read<Vec<_>>>()?;
    r.ends_with_type(draft);
    check_sizes(draft, &sizes, &ty)?;
    let value = r.resolve(value, &ty.of_element())?;
    draft.group(vec![value]);
    draft.group(sizes);
    draft.results = vec![ty];
    Ok(())
}
