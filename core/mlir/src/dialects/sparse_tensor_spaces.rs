//! `sparse_tensor`: iteration spaces, explicit loops over the levels of a tensor. MLIR 22 parses these
//! operations and crashes in lowering; nnz follows MLIR's documentation.

use crate::ir::Operand;
use std::sync::Arc;

use super::{
    sparse_tensor::{dimension, one_tensor},
    sparse_tensor_levels::encoding_of,
};
use crate::{
    attribute::Attribute,
    constraints::{ANY, SCALAR, SPACE, TENSOR, takes},
    draft::Draft,
    inherent::{INDEX, needs},
    mistake::{Mistake, Read},
    operation::Group,
    read::{Entry, Reader},
    types::{Levels, Type},
};
use nnz_base::element::Scalar;
use nnz_encoding::Encoding;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host(
        "sparse_tensor.extract_iteration_space",
        takes(&[TENSOR, ANY.optional()]).gives(&[SPACE]),
        space_syntax,
    )
    .grouped(&[Group::One, Group::Rest])
    .having(&[needs("loLvl", INDEX), needs("hiLvl", INDEX)])
    .verified(space_types),
    Entry::host("sparse_tensor.extract_value", takes(&[TENSOR, ANY]).gives(&[SCALAR]), value_syntax)
        .verified(value_types),
];

// `sparse_tensor.extract_iteration_space %t at %it lvls = 1 : T, U -> V`

fn space_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let tensor = r.value_use()?;
    let parent = if r.eat_word("at") { Some(r.value_use()?) } else { None };
    r.expect_word("lvls")?;
    r.expect(TokenKind::Eq)?;
    let span = r.span();
    let from = r.integer()?;
    let to = if r.eat_word("to") { r.integer()? } else { from.saturating_add(1) };
    let span = span.cover(r.last_span());
    if to <= from {
        let message = format!("no level stands between {from} and {to}: the second is the end, behind the last level");
        return Err(Mistake::syntax(span, message).label("no levels"));
    }
    for (name, number) in [("loLvl", from), ("hiLvl", to)] {
        draft.attributes.set_at(name, Attribute::Number(Scalar::Int(number), Some(Type::INDEX)), span);
    }
    draft.attributes.append(r.optional_dictionary()?);
    let types = r.colon_types()?;
    r.expect(TokenKind::Arrow)?;
    draft.results = vec![r.ty()?];
    let uses: Vec<_> = [tensor].into_iter().chain(parent).collect();
    draft.operands = r.resolve_all(&uses, &types)?;
    draft.segments = vec![1, uses.len() - 1];
    Ok(())
}

fn space_types(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let Some(encoding) = encoding_of(draft.operand(0)?) else { return Ok(()) };
    let rank = encoding.lvl_rank();
    let levels = dimension(draft.attribute("loLvl")).zip(dimension(draft.attribute("hiLvl")));
    let Some((from, to)) = levels.filter(|(from, to)| from < to && *to <= rank) else {
        return Err(draft.wrong("loLvl", format!("the tensor has levels 0 to {}", rank.saturating_sub(1))));
    };
    parent_type(draft, encoding, from)?;
    let wanted = Type::Space(Levels { encoding: encoding.clone(), from, to });
    let result = draft.result()?;
    if *result == wanted || result.is_broken() {
        return Ok(());
    }
    Err(draft.wrong_result(format!("the result is `{wanted}`, not `{result}`")))
}

/// The levels of an iterator over a tensor with this encoding; of a broken type none.
fn levels_of<'o>(operand: &'o Operand, encoding: &Arc<Encoding>) -> Result<Option<&'o Levels>, Mistake> {
    if operand.ty.is_broken() {
        return Ok(None);
    }
    let Type::Iterator(levels) = &operand.ty else { return Err(Mistake::wanted(operand, "an iterator")) };
    if levels.encoding != *encoding {
        return Err(Mistake::types(operand.span, "this iterator is of a tensor with another encoding"));
    }
    Ok(Some(levels))
}

/// The iterator below which the level `from` is, of the level above; of the outermost none.
fn parent_type(draft: &Draft, encoding: &Arc<Encoding>, from: usize) -> Result<(), Mistake> {
    match (from, draft.operands.get(1)) {
        (0, Some(parent)) => {
            let message = "the outermost level stands below no other, and takes no iterator";
            return Err(Mistake::types(parent.span, message));
        }
        (0, None) => {}
        (_, None) => {
            let message = format!("level {from} stands below level {}: where is that one?", from - 1);
            return Err(draft.wrong("loLvl", message).help(format!("as in `at %it lvls = {from}`")));
        }
        (_, Some(parent)) => {
            let Some(above) = levels_of(parent, encoding)? else { return Ok(()) };
            if above.to != from {
                let (wanted, last) = (from - 1, above.to - 1);
                let message =
                    format!("level {from} stands below level {wanted}, and this iterator ends at level {last}");
                return Err(Mistake::types(parent.span, message));
            }
        }
    }
    Ok(())
}

// `sparse_tensor.extract_value %t at %it : T, U`

fn value_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let tensor = r.value_use()?;
    r.expect_word("at")?;
    let iterator = r.value_use()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    draft.results = vec![types.first().and_then(Type::element).map_or(Type::Broken, Type::Scalar)];
    draft.operands = r.resolve_all(&[tensor, iterator], &types)?;
    Ok(())
}

fn value_types(draft: &Draft) -> Result<(), Mistake> {
    one_tensor(draft)?;
    let (tensor, iterator) = (draft.operand(0)?, draft.operand(1)?);
    let Some(encoding) = encoding_of(tensor) else { return Ok(()) };
    if let Some(levels) = levels_of(iterator, encoding)?
        && levels.to != encoding.lvl_rank()
    {
        let (last, at) = (encoding.lvl_rank().saturating_sub(1), levels.to.saturating_sub(1));
        let message = format!("values stand below the last level, {last}, and this iterator is at level {at}");
        return Err(Mistake::types(iterator.span, message));
    }
    match (draft.result()?, tensor.ty.element()) {
        (result, Some(element)) if *result != Type::Scalar(element) => {
            Err(draft.wrong_result(format!("the value is `{element}`, and the result `{result}`")))
        }
        _ => Ok(()),
    }
}
