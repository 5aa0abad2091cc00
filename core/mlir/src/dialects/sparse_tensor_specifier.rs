//! `sparse_tensor.storage_specifier`: the sizes that MLIR stores with the arrays of a tensor.

use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, SPECIFIER, takes},
    draft::Draft,
    inherent::{INDEX, Inherent, Kind, may_have, needs},
    mistake::{Mistake, Read},
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::{element::Scalar, ids::Lvl};
use nnz_encoding::Encoding;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host(
        "sparse_tensor.storage_specifier.init",
        takes(&[SPECIFIER.optional()]).gives(&[SPECIFIER]),
        init_syntax,
    ),
    Entry::host("sparse_tensor.storage_specifier.get", takes(&[SPECIFIER]).gives(&[INDEX_VALUE]), get_syntax)
        .having(KIND_AND_LEVEL)
        .verified(numbered),
    Entry::host(
        "sparse_tensor.storage_specifier.set",
        takes(&[SPECIFIER, INDEX_VALUE]).gives(&[SPECIFIER]),
        set_syntax,
    )
    .having(KIND_AND_LEVEL)
    .verified(numbered),
];

const KIND_AND_LEVEL: &[Inherent] = &[needs("specifierKind", Kind::Word(KINDS)), may_have("level", INDEX)];

const KINDS: &[&str] = &["lvl_sz", "pos_mem_sz", "crd_mem_sz", "val_mem_sz", "dim_offset", "dim_stride"];

/// `: T`, or `with %s : from T to U`
fn init_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = if r.eat_word("with") { Some(r.value_use()?) } else { None };
    draft.attributes = r.optional_dictionary()?;
    let Some(source) = source else {
        draft.results = vec![r.colon_type()?];
        return Ok(());
    };
    r.expect(TokenKind::Colon)?;
    r.expect_word("from")?;
    let from = r.ty()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.operands = vec![r.resolve(source, &from)?];
    Ok(())
}

/// `lvl_sz at 0`
fn kind_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let kind = r.word_of(TokenKind::Ident, "a number's kind")?;
    if !KINDS.contains(&kind) {
        let mistake = Mistake::syntax(span, format!("`{kind}` is no number of a specifier")).label("no such number");
        return Err(mistake.help(format!("there are {}", nnz_check::list_of(KINDS))));
    }
    draft.attributes.set_at("specifierKind", Attribute::Word(kind.to_string()), span);
    if r.eat_word("at") {
        let span = r.span();
        let level = r.integer()?;
        draft.attributes.set_at("level", Attribute::Number(Scalar::Int(level), Some(Type::INDEX)), span);
    }
    Ok(())
}

/// `%s lvl_sz at 0 : T`
fn get_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    kind_syntax(r, draft)?;
    draft.attributes.append(r.optional_dictionary()?);
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(name, &ty)?];
    draft.results = vec![Type::INDEX];
    Ok(())
}

/// `%s lvl_sz at 0 with %n : T`
fn set_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    kind_syntax(r, draft)?;
    r.expect_word("with")?;
    let value = r.value_use()?;
    draft.attributes.append(r.optional_dictionary()?);
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(name, &ty)?, r.resolve_index(value)?];
    draft.results = vec![ty];
    Ok(())
}

/// The number that the attributes name.
pub fn kind(attribute: Option<&Attribute>) -> Option<&'static str> {
    let name = attribute?.as_text()?;
    // Of the generic syntax: `#sparse_tensor<kind lvl_sz>`.
    KINDS.iter().find(|known| name == **known || name.contains(&format!("kind {known}"))).copied()
}

fn numbered(draft: &Draft) -> Result<(), Mistake> {
    let operand = draft.operand(0)?;
    if operand.ty.is_broken() {
        return Ok(());
    }
    let Type::Specifier(encoding) = &operand.ty else { return Err(Mistake::wanted(operand, "a storage specifier")) };
    let Some(kind) = kind(draft.attribute("specifierKind")) else {
        return Err(draft.mistake(format!("the kind is one of {}", nnz_check::list_of(KINDS))));
    };
    let level = draft.attribute("level");
    if kind == "val_mem_sz" {
        return match level {
            Some(_) => Err(draft.wrong("level", "the values belong to no level").help("leave out `at`")),
            None => Ok(()),
        };
    }
    if level.is_none() {
        return Err(draft
            .wrong("specifierKind", format!("`{kind}` of which level?"))
            .help(format!("as in `{kind} at 0`")));
    }
    let number = super::sparse_tensor::dimension(level);
    if kind.starts_with("dim_") { of_slice(draft, encoding, number) } else { of_level(draft, encoding, kind, number) }
}

fn of_slice(draft: &Draft, encoding: &Encoding, dim: Option<usize>) -> Result<(), Mistake> {
    if !encoding.is_slice() {
        return Err(draft.wrong("specifierKind", "offsets and strides are kept of slices, and the encoding has none"));
    }
    let rank = encoding.dim_rank();
    match dim {
        Some(dim) if dim < rank => Ok(()),
        _ => Err(draft.wrong("level", format!("the encoding has dimensions 0 to {}", rank.saturating_sub(1)))),
    }
}

fn of_level(draft: &Draft, encoding: &Encoding, kind: &str, level: Option<usize>) -> Result<(), Mistake> {
    let rank = encoding.lvl_rank();
    let Some(level) = level.filter(|level| *level < rank) else {
        return Err(draft.wrong("level", format!("the encoding has levels 0 to {}", rank.saturating_sub(1))));
    };
    let format = encoding.format(Lvl::new(level));
    let has = match kind {
        "pos_mem_sz" => format.has_positions(),
        "crd_mem_sz" => format.has_coordinates(),
        _ => true,
    };
    if has {
        return Ok(());
    }
    let array = if kind == "pos_mem_sz" { "positions" } else { "coordinates" };
    Err(draft.wrong("level", format!("level {level} is `{format}`, which has no {array}")))
}
