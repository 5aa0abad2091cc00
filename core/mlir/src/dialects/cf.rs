//! `cf`: branches between the blocks of a region.

use crate::{
    attribute::Attribute,
    constraints::{ANY, BOOL, INTEGER, takes},
    draft::Draft,
    inherent::{Kind, NUMBERS, groups, may_have, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    operation::Group,
    read::{Entry, Reader},
    types::Type,
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::branch("cf.br", takes(&[ANY.many()]), br_syntax)
        .grouped(&[Group::Rest])
        .verified(|draft| successors(draft, 1)),
    Entry::branch("cf.cond_br", takes(&[BOOL, ANY.many()]), cond_br_syntax).having(&[groups(3)]).verified(two_ways),
    Entry::branch("cf.switch", takes(&[INTEGER, ANY.many()]), switch_syntax)
        .having(&[
            groups(3),
            may_have("case_values", NUMBERS),
            may_have("case_operand_segments", Kind::Numbers(nnz_base::element::Element::I32)),
        ])
        .verified(flag),
    Entry::host("cf.assert", takes(&[BOOL]), assert_syntax).having(&[needs("msg", Kind::Text)]).verified(condition),
];

/// `^bb1(%a, %b : T, U)`
fn successor(r: &mut Reader<'_>, draft: &mut Draft) -> Read<Vec<Operand>> {
    draft.successors.push(r.label()?);
    if !r.eat(TokenKind::LParen) {
        return Ok(Vec::new());
    }
    let uses = r.value_uses()?;
    let types = r.colon_types()?;
    r.expect(TokenKind::RParen)?;
    r.resolve_all(&uses, &types)
}

fn br_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let handed = successor(r, draft)?;
    draft.group(handed);
    draft.attributes = r.optional_dictionary()?;
    Ok(())
}

/// `%c, ^bb1(%a : T), ^bb2`
fn cond_br_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let cond = r.value_use()?;
    draft.group(vec![r.resolve(cond, &Type::I1)?]);
    if r.at_word("weights") {
        r.bump();
        r.skip_group();
    }
    for _ in 0..2 {
        r.expect(TokenKind::Comma)?;
        let handed = successor(r, draft)?;
        draft.group(handed);
    }
    draft.attributes = r.optional_dictionary()?;
    Ok(())
}

fn successors(draft: &Draft, wanted: usize) -> Result<(), Mistake> {
    match draft.successors.len() {
        found if found == wanted => Ok(()),
        found => Err(draft.mistake(format!("`{}` leads to {wanted} blocks, not {found}", draft.name()))),
    }
}

fn two_ways(draft: &Draft) -> Result<(), Mistake> {
    successors(draft, 2)?;
    condition(draft)
}

/// The first operand is an `i1`.
fn condition(draft: &Draft) -> Result<(), Mistake> {
    let cond = draft.operand(0)?;
    if cond.ty == Type::I1 || cond.ty.is_broken() {
        return Ok(());
    }
    Err(Mistake::types(cond.span, format!("a condition is `i1`, and this is `{}`", cond.ty)))
}

/// `%n : i32, [default: ^bb1(%a : T), 42: ^bb2, -1: ^bb3]`
fn switch_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let flag = r.value_use()?;
    let ty = r.colon_type()?;
    draft.group(vec![r.resolve(flag, &ty)?]);
    r.expect(TokenKind::Comma)?;
    let mut values = Vec::new();
    let mut first = true;
    let cases = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, |r| {
        if first {
            r.expect_word("default")?;
        } else {
            values.push(Attribute::Number(nnz_base::element::Scalar::Int(r.integer()?), None));
        }
        first = false;
        r.expect(TokenKind::Colon)?;
        successor(r, draft)
    })?;
    if cases.is_empty() {
        return Err(r.expected("`default:`"));
    }
    cases.into_iter().for_each(|handed| draft.group(handed));
    draft.attributes.set("case_values", Attribute::Array(values.into()));
    Ok(())
}

fn flag(draft: &Draft) -> Result<(), Mistake> {
    let cases = draft.attribute("case_values").and_then(Attribute::as_ints).unwrap_or_default();
    successors(draft, cases.len() + 1)?;
    crate::checks::in_domain(draft, draft.operand(0)?, crate::checks::Domain::Integer)
}

/// `%c, "message" {...}`
fn assert_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let cond = r.value_use()?;
    r.expect(TokenKind::Comma)?;
    let message = r.string()?;
    draft.attributes = r.optional_dictionary()?;
    draft.attributes.set("msg", Attribute::Text(message));
    draft.operands = vec![r.resolve(cond, &Type::I1)?];
    Ok(())
}
