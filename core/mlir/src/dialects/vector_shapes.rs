//! `vector`: vectors made from other vectors: parts, repetitions, sums.

use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, PART_OF_VECTOR, SCALAR, VECTOR, takes},
    draft::Draft,
    inherent::{FAST_MATH, Kind, NUMBERS, needs},
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::{Type, VectorType, width},
};
use nnz_base::element::{Element, Scalar};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("vector.broadcast", takes(&[PART_OF_VECTOR]).gives(&[VECTOR]), Form::cast).verified(broadcast_types),
    Entry::host(
        "vector.extract",
        takes(&[VECTOR, INDEX_VALUE.many()]).gives(&[PART_OF_VECTOR]).alike(),
        extract_syntax,
    )
    .having(&[needs("static_position", NUMBERS)])
    .verified(extract_types),
    Entry::host(
        "vector.insert",
        takes(&[PART_OF_VECTOR, VECTOR, INDEX_VALUE.many()]).gives(&[VECTOR]).alike(),
        insert_syntax,
    )
    .having(&[needs("static_position", NUMBERS)])
    .verified(insert_types),
    Entry::host("vector.shape_cast", takes(&[VECTOR]).gives(&[VECTOR]).alike(), Form::cast).verified(same_count),
    Entry::host("vector.bitcast", takes(&[VECTOR]).gives(&[VECTOR]), Form::cast).verified(same_bits),
    Entry::host("vector.transpose", takes(&[VECTOR]).gives(&[VECTOR]).alike(), transpose_syntax)
        .having(&[needs("permutation", NUMBERS)])
        .verified(transpose_types),
    Entry::host("vector.reduction", takes(&[VECTOR, SCALAR.optional()]).gives(&[SCALAR]), reduction_syntax)
        .having(&[needs("kind", Kind::Word(REDUCTIONS)), FAST_MATH])
        .verified(reduction_types),
    Entry::host("vector.from_elements", takes(&[SCALAR.many()]).gives(&[VECTOR]), from_elements_syntax)
        .verified(from_elements_types),
];

pub fn vector_of(ty: &Type) -> Option<&VectorType> {
    if let Type::Vector(vector) = ty { Some(vector) } else { None }
}

/// How many entries it has, if a number can say.
fn count_of(vector: &VectorType) -> Option<u64> {
    vector.shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size))
}

fn no_vector(draft: &Draft, ty: &Type) -> Mistake {
    draft.mistake(format!("a vector is wanted, not `{ty}`"))
}

// `%x : f64 to vector<4xf64>`

fn broadcast_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    let (Some(vector), Some(shape)) = (vector_of(to), from.ty.shape()) else { return Err(no_vector(draft, to)) };
    let skipped = vector.shape.len().checked_sub(shape.len());
    let fits = |skipped: usize| {
        let pairs = shape.iter().zip(vector.shape.get(skipped..).unwrap_or_default());
        pairs.into_iter().all(|(from, to)| *from == Some(1) || *from == Some(*to))
    };
    if skipped.is_some_and(fits) && from.ty.element() == to.element() {
        return Ok(());
    }
    Err(Mistake::types(from.span, format!("`{}` cannot be repeated to `{to}`", from.ty)))
}

// `%v[0, 1] : f64 from vector<...>`

/// `[0, 1]`
fn position(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let places = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, |r| {
        if r.at(TokenKind::PercentId) {
            return Err(Mistake::unsupported(r.span(), "nnz takes entries at places that are numbers in the text"));
        }
        Ok(Attribute::Number(Scalar::Int(r.integer()?), None))
    })?;
    draft.attributes.set_at("static_position", Attribute::Array(places.into()), span.cover(r.last_span()));
    Ok(())
}

fn extract_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    position(r, draft)?;
    draft.attributes.append(r.optional_dictionary()?);
    draft.results = vec![r.colon_type()?];
    r.expect_word("from")?;
    let from = r.ty()?;
    draft.operands = vec![r.resolve(source, &from)?];
    Ok(())
}

pub fn places(attribute: Option<&Attribute>) -> Vec<u64> {
    let places = attribute.and_then(Attribute::as_ints).unwrap_or_default();
    places.into_iter().map(|at| u64::try_from(at).unwrap_or(u64::MAX)).collect()
}

/// A part of a vector, at a position, of the type that is left.
fn part_types(draft: &Draft, whole: &Type, part: &Type) -> Result<(), Mistake> {
    if whole.is_broken() || part.is_broken() {
        return Ok(());
    }
    let Some(vector) = vector_of(whole) else { return Err(no_vector(draft, whole)) };
    let places = places(draft.attribute("static_position"));
    let outside = places.len() > vector.shape.len() || places.iter().zip(&vector.shape).any(|(at, size)| at >= size);
    if outside {
        return Err(draft.wrong("static_position", format!("`{whole}` has no such place")));
    }
    let left: Vec<Option<u64>> = vector.shape.iter().skip(places.len()).copied().map(Some).collect();
    if part.shape().as_ref() == Some(&left) && part.element() == Some(vector.element) {
        return Ok(());
    }
    Err(draft.mistake(format!("what stands at that place of `{whole}` is no `{part}`")))
}

fn extract_types(draft: &Draft) -> Result<(), Mistake> {
    part_types(draft, &draft.operand(0)?.ty, draft.result()?)
}

/// `%x, %v[0, 1] : f64 into vector<...>`
fn insert_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let [part, whole] = r.two_uses()?;
    position(r, draft)?;
    draft.attributes.append(r.optional_dictionary()?);
    let from = r.colon_type()?;
    r.expect_word("into")?;
    let to = r.ty()?;
    draft.operands = vec![r.resolve(part, &from)?, r.resolve(whole, &to)?];
    draft.results = vec![to];
    Ok(())
}

fn insert_types(draft: &Draft) -> Result<(), Mistake> {
    part_types(draft, draft.result()?, &draft.operand(0)?.ty)
}

// `%v : vector<4xf64> to vector<2x2xf64>`

fn same_count(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    let count = |ty: &Type| vector_of(ty).and_then(count_of);
    if count(&from.ty).is_some() && count(&from.ty) == count(to) && from.ty.element() == to.element() {
        return Ok(());
    }
    Err(Mistake::types(from.span, format!("`{}` cannot be read as `{to}`", from.ty)))
}

// `%v : vector<2xf32> to vector<4xi16>`

/// The last dimension has as many bits in both types, the others are the same.
fn same_bits(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    if from.ty.is_broken() || to.is_broken() {
        return Ok(());
    }
    let (Some(one), Some(other)) = (vector_of(&from.ty), vector_of(to)) else { return Err(no_vector(draft, to)) };
    let (Some((rows, last)), Some((new_rows, new_last))) = (rows_of(one), rows_of(other)) else {
        return Err(draft.wrong_result(format!("`{}` cannot be read as `{to}`", from.ty)));
    };
    match rows == new_rows && last == new_last {
        true => Ok(()),
        false if rows != new_rows => {
            let message =
                format!("`{}` cannot be read as `{to}`: all but the last dimension stay as they are", from.ty);
            Err(draft.wrong_result(message).label("other dimensions"))
        }
        false => {
            let message = format!("the last dimension of `{}` has {last} bits, that of `{to}` {new_last}", from.ty);
            Err(draft.wrong_result(message).label(format!("{new_last} bits instead of {last}")))
        }
    }
}

/// The dimensions but the last one, and how many bits that has; of no dimension, those of its entry.
fn rows_of(vector: &VectorType) -> Option<(&[u64], u64)> {
    let bits = u64::from(width(vector.element));
    match vector.shape.split_last() {
        Some((last, rows)) => Some((rows, last.checked_mul(bits)?)),
        None => Some((&[], bits)),
    }
}

// `%v, [1, 0] : vector<2x3xf64> to vector<3x2xf64>`

fn transpose_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    r.expect(TokenKind::Comma)?;
    let span = r.span();
    let order = r.attribute()?;
    draft.attributes = r.optional_dictionary()?;
    draft.attributes.set_at("permutation", order, span);
    let from = r.colon_type()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.operands = vec![r.resolve(name, &from)?];
    Ok(())
}

fn transpose_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    let (Some(one), Some(other)) = (vector_of(&from.ty), vector_of(to)) else { return Err(no_vector(draft, to)) };
    let order = places(draft.attribute("permutation"));
    let sizes: Option<Vec<u64>> = order.iter().map(|dim| one.shape.get(usize::try_from(*dim).ok()?).copied()).collect();
    let once = order.iter().enumerate().all(|(at, dim)| !order[..at].contains(dim));
    if once && sizes.as_ref() == Some(&other.shape) && order.len() == one.shape.len() && one.element == other.element {
        return Ok(());
    }
    Err(draft.wrong("permutation", format!("this order does not make `{to}` of `{}`", from.ty)))
}

// `<add>, %v, %init : vector<4xf64> into f64`

fn reduction_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let kind = r.angles()?.trim().to_string();
    draft.attributes.set_at("kind", Attribute::Word(kind), span.cover(r.last_span()));
    r.expect(TokenKind::Comma)?;
    let names = r.value_uses()?;
    Form::flags(r, draft)?;
    let from = r.colon_type()?;
    r.expect_word("into")?;
    let to = r.ty()?;
    let types: Vec<Type> = [from].into_iter().chain(names.iter().skip(1).map(|_| to.clone())).collect();
    draft.operands = r.resolve_all(&names, &types)?;
    draft.results = vec![to];
    Ok(())
}

const REDUCTIONS: &[&str] = &[
    "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor", "minimumf", "maximumf",
];

/// The operation of scalars that a kind of reduction repeats.
pub fn combining(kind: Option<&Attribute>, element: Element) -> Option<&'static str> {
    let kind = kind?.as_text()?;
    let kind = kind.trim_start_matches("#vector.kind<").trim_end_matches('>');
    let float = element.is_float();
    Some(match kind {
        "add" if float => "arith.addf",
        "add" => "arith.addi",
        "mul" if float => "arith.mulf",
        "mul" => "arith.muli",
        "minui" => "arith.minui",
        "minsi" => "arith.minsi",
        "maxui" => "arith.maxui",
        "maxsi" => "arith.maxsi",
        "minnumf" => "arith.minnumf",
        "maxnumf" => "arith.maxnumf",
        "minimumf" => "arith.minimumf",
        "maximumf" => "arith.maximumf",
        "and" => "arith.andi",
        "or" => "arith.ori",
        "xor" => "arith.xori",
        _ => return None,
    })
}

fn reduction_types(draft: &Draft) -> Result<(), Mistake> {
    let (from, to) = (draft.operand(0)?, draft.result()?);
    let Some(vector) = vector_of(&from.ty) else { return Err(no_vector(draft, &from.ty)) };
    if vector.shape.len() != 1 || *to != Type::Scalar(vector.element) {
        return Err(Mistake::types(
            from.span,
            format!("`{}` is not reduced to `{to}`: one dimension becomes a scalar", from.ty),
        ));
    }
    let Some(name) = combining(draft.attribute("kind"), vector.element) else {
        return Err(draft.wrong("kind", format!("there is no such reduction of `{}`", from.ty)));
    };
    let floats = matches!(
        name,
        "arith.minnumf" | "arith.maxnumf" | "arith.minimumf" | "arith.maximumf" | "arith.addf" | "arith.mulf"
    );
    if floats != vector.element.is_float() {
        return Err(draft.wrong("kind", format!("there is no such reduction of `{}`", from.ty)));
    }
    Ok(())
}

/// `%a, %b : vector<2xf64>`
fn from_elements_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let names = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let to = r.colon_type()?;
    let element = to.element().map_or(Type::Broken, Type::Scalar);
    draft.operands = r.resolve_all(&names, &vec![element; names.len()])?;
    draft.results = vec![to];
    Ok(())
}

fn from_elements_types(draft: &Draft) -> Result<(), Mistake> {
    let to = draft.result()?;
    let Some(vector) = vector_of(to) else { return Err(no_vector(draft, to)) };
    let alike =
        draft.operands.iter().all(|operand| operand.ty == Type::Scalar(vector.element) || operand.ty.is_broken());
    if count_of(vector) == Some(draft.operands.len() as u64) && alike {
        return Ok(());
    }
    Err(draft.mistake(format!("{} elements do not make `{to}`", draft.operands.len())))
}
