//! `sparse_tensor`: assembling tensors from given arrays, and disassembling them.

use super::{
    regions::each,
    sparse_tensor_arrays::{Field, encoding_of, fields},
};
use crate::{
    constraints::{ANY, DENSE_TENSOR, INTEGER, TENSOR, takes},
    draft::Draft,
    ir::Operand,
    mistake::{Mistake, Read},
    operation::Group,
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::element::Element;
use nnz_encoding::Encoding;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host(
        "sparse_tensor.assemble",
        takes(&[DENSE_TENSOR.many(), DENSE_TENSOR]).gives(&[TENSOR]),
        assemble_syntax,
    )
    .grouped(&[Group::Rest, Group::One])
    .verified(assemble_types),
    Entry::host(
        "sparse_tensor.disassemble",
        takes(&[TENSOR, DENSE_TENSOR.many(), DENSE_TENSOR.many()]).gives(&[ANY.many()]),
        disassemble_syntax,
    )
    .grouped(&[Group::One, Group::Rest, Group::One])
    .verified(disassemble_types),
];

// `sparse_tensor.assemble (%pos, %crd), %values : (T, U), V to W`

fn assemble_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let levels = r.parenthesized(Reader::value_use)?;
    r.expect(TokenKind::Comma)?;
    let values = r.value_use()?;
    draft.attributes = r.optional_dictionary()?;
    r.expect(TokenKind::Colon)?;
    let types = r.parenthesized(Reader::ty)?;
    r.expect(TokenKind::Comma)?;
    let value_type = r.ty()?;
    r.expect_word("to")?;
    let to = r.ty()?;
    draft.group(r.resolve_all(&levels, &types)?);
    draft.group(vec![r.resolve(values, &value_type)?]);
    draft.results = vec![to];
    Ok(())
}

fn assemble_types(draft: &Draft) -> Result<(), Mistake> {
    let to = draft.result()?;
    let Some(encoding) = encoding_of(to) else {
        return if to.is_broken() { Ok(()) } else { Err(draft.mistake(format!("`{to}` has no encoding to assemble"))) };
    };
    match draft.group_of(1) {
        [values] if values.ty.element() == to.element() || values.ty.is_broken() => {}
        [values] => {
            let message = format!("`{}` is no array of the values of `{to}`", values.ty);
            return Err(Mistake::types(values.span, message));
        }
        _ => return Err(draft.mistake("the values are missing")),
    }
    if to.shape().is_none_or(|shape| shape.contains(&None)) {
        return Err(draft.mistake("the sizes of an assembled tensor are stated in its type: there is no `?`"));
    }
    check_fields(draft, encoding, draft.group_of(0))
}

/// One operand for each array, of its width.
fn check_fields(draft: &Draft, encoding: &Encoding, operands: &[Operand]) -> Result<(), Mistake> {
    let fields = fields(encoding);
    if fields.len() != operands.len() {
        let message = format!(
            "the encoding has {} arrays of positions and coordinates, and {} are given",
            fields.len(),
            operands.len()
        );
        return Err(draft.mistake(message));
    }
    for (field, operand) in fields.iter().zip(operands) {
        let width = match field {
            Field::Positions(_) => encoding.pos_width(),
            Field::Coordinates(_) | Field::Tuples { .. } => encoding.crd_width(),
        };
        let wanted = Element::parse(width.type_name());
        if operand.ty.element() != wanted && !operand.ty.is_broken() {
            let message = format!("the array holds `{}`, and this is `{}`", width.type_name(), operand.ty);
            return Err(Mistake::types(operand.span, message));
        }
        tuple_length(*field, operand)?;
    }
    Ok(())
}

/// An array of tuples has one of its coordinates for each level that they stand for.
fn tuple_length(field: Field, operand: &Operand) -> Result<(), Mistake> {
    let shape = operand.ty.shape();
    match (field, shape.as_deref()) {
        (Field::Tuples { len, .. }, Some([.., _, Some(found)])) if *found != len as u64 => {
            Err(Mistake::types(operand.span, format!("the tuples have {len} coordinates, and these {found}")))
        }
        (Field::Tuples { len, .. }, Some([] | [_])) => {
            let message =
                format!("tuples of {len} coordinates are rows of two dimensions, and this is `{}`", operand.ty);
            Err(Mistake::types(operand.span, message))
        }
        _ => Ok(()),
    }
}

// `sparse_tensor.disassemble %t : T out_lvls(%a, %b : U, V) out_vals(%c : W) -> (U, V), W, (index, index), index`

fn disassemble_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    draft.group(vec![r.resolve(source, &ty)?]);
    for word in ["out_lvls", "out_vals"] {
        r.expect_word(word)?;
        r.expect(TokenKind::LParen)?;
        let uses = r.value_uses()?;
        let types = r.colon_types()?;
        r.expect(TokenKind::RParen)?;
        draft.group(r.resolve_all(&uses, &types)?);
    }
    r.expect(TokenKind::Arrow)?;
    draft.results = r.parenthesized(Reader::ty)?;
    r.expect(TokenKind::Comma)?;
    draft.results.push(r.ty()?);
    r.expect(TokenKind::Comma)?;
    let lengths = r.parenthesized(Reader::ty)?;
    draft.results.extend(lengths);
    r.expect(TokenKind::Comma)?;
    draft.results.push(r.ty()?);
    Ok(())
}

fn disassemble_types(draft: &Draft) -> Result<(), Mistake> {
    let ty = &draft.operand(0)?.ty;
    let Some(encoding) = encoding_of(ty) else {
        return if ty.is_broken() { Ok(()) } else { Err(draft.mistake(format!("`{ty}` has no encoding"))) };
    };
    check_fields(draft, encoding, draft.group_of(1))?;
    match draft.group_of(2) {
        [values] if values.ty.element() == ty.element() || values.ty.is_broken() => {}
        [values] => {
            let element = ty.element().map_or(String::new(), |element| element.to_string());
            return Err(Mistake::types(
                values.span,
                format!("the values are `{element}`, and this is `{}`", values.ty),
            ));
        }
        _ => return Err(draft.mistake("`out_vals` names one array")),
    }
    let arrays = draft.operands.get(1..).unwrap_or_default();
    let wanted = 2 * arrays.len();
    if draft.results.len() != wanted {
        return Err(draft.mistake(format!("there are {wanted} results: the arrays, the values and how long each is")));
    }
    each(arrays, &draft.results, |given, wanted| format!("this array is `{}`, and its result `{wanted}`", given.ty))?;
    let lengths = draft.results.iter().skip(arrays.len());
    match lengths.clone().find(|length| !is_length(length)) {
        Some(length) => Err(draft
            .wrong_result(format!("how long an array is, is an integer or `index`, not `{length}`"))
            .label("with another length")),
        None => Ok(()),
    }
}

/// The lengths of batches come as `tensor<i64>`, as in MLIR's own tests.
fn is_length(ty: &Type) -> bool {
    let of_one = ty.tensor().is_some_and(|tensor| tensor.shape.is_empty() && tensor.encoding.is_none());
    ty.is_broken() || INTEGER.admits(ty) || of_one && ty.element().is_some_and(Element::is_integer)
}
