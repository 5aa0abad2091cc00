//! `bufferization`: conversion between tensors and buffers.

use crate::{
    attribute::Attribute,
    constraints::{DENSE_TENSOR, INDEX_VALUE, MEMREF, SHAPED, TENSOR, takes},
    draft::Draft,
    inherent::{Kind, SIZES, groups, may_have},
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::diagnostic::Code;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("bufferization.dealloc_tensor", takes(&[TENSOR]), Form::operands),
    Entry::host(
        "bufferization.alloc_tensor",
        takes(&[INDEX_VALUE.many(), TENSOR.optional(), INDEX_VALUE.optional()]).gives(&[TENSOR]),
        alloc_syntax,
    )
    .having(&[groups(3)])
    .verified(alloc_sizes),
    Entry::host("bufferization.to_buffer", takes(&[DENSE_TENSOR]).gives(&[MEMREF]).alike(), to_syntax),
    Entry::host("bufferization.to_tensor", takes(&[MEMREF]).gives(&[TENSOR]).alike(), to_syntax),
    Entry::host(
        "bufferization.materialize_in_destination",
        takes(&[TENSOR, SHAPED]).gives(&[TENSOR.optional()]).alike(),
        materialize_syntax,
    )
    .having(&[may_have("restrict", Kind::Flag), may_have("writable", Kind::Flag)])
    .verified(destination_words),
];

/// `bufferization.alloc_tensor(%d) copy(%t) size_hint=%h : T`
fn alloc_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let sizes = r.parenthesized(Reader::value_use)?;
    let copied = if r.eat_word("copy") { r.parenthesized(Reader::value_use)? } else { Vec::new() };
    let hints = if r.eat_word("size_hint") {
        r.expect(TokenKind::Eq)?;
        vec![r.value_use()?]
    } else {
        Vec::new()
    };
    draft.attributes = r.optional_dictionary()?;
    let ty = r.colon_type()?;
    let sizes = sizes.iter().map(|name| r.resolve_index(*name)).collect::<Read<Vec<_>>>()?;
    r.ends_with_type(draft);
    draft.group(sizes);
    let copied = copied.iter().map(|name| r.resolve(*name, &ty)).collect::<Read<Vec<_>>>()?;
    draft.group(copied);
    let hints = hints.iter().map(|name| r.resolve_index(*name)).collect::<Read<Vec<_>>>()?;
    draft.group(hints);
    draft.results = vec![ty];
    Ok(())
}

/// The operands are the sizes that the type leaves open, or a tensor to copy that has them.
fn alloc_sizes(draft: &Draft) -> Result<(), Mistake> {
    let (sizes, copied) = (draft.group_of(0), draft.group_of(1));
    if copied.is_empty() {
        return super::tensor::check_sizes(draft, sizes, draft.result()?);
    }
    let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else { return Ok(()) };
    let whole = first.span.cover(last.span);
    let mistake = Mistake::new(Code::OperationForm, whole, "sizes beside `copy`: the copied tensor has them");
    let mistake = mistake.label("no size is needed");
    // The generic syntax has the tensor in the same brackets.
    let bare = draft.attribute(SIZES).is_none();
    Err(if bare { mistake.fix("remove what says them", whole, "") } else { mistake })
}

/// `%t read_only : T to U`, of `to_tensor` with `restrict` and `writable`.
fn to_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    let words: &[&str] =
        if draft.name() == "bufferization.to_tensor" { &["restrict", "writable"] } else { &["read_only"] };
    for word in words {
        r.eat_word(word);
    }
    draft.attributes = r.optional_dictionary()?;
    let from = r.colon_type()?;
    r.expect_word("to")?;
    let to = r.ty()?;
    if from.shape() != to.shape() || from.element() != to.element() {
        return Err(Mistake::types(name.span, format!("`{from}` and `{to}` differ in shape or elements")));
    }
    draft.operands = vec![r.resolve(name, &from)?];
    draft.results = vec![to];
    Ok(())
}

/// `%t in %dest : (T, U) -> T`
fn materialize_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let source = r.value_use()?;
    r.expect_word("in")?;
    for word in ["restrict", "writable"] {
        let span = r.span();
        if r.eat_word(word) {
            draft.attributes.set_at(word, Attribute::Unit, span);
        }
    }
    let dest = r.value_use()?;
    r.expect(TokenKind::Colon)?;
    let ty = r.function_type()?;
    draft.operands = r.resolve_all(&[source, dest], &ty.inputs)?;
    draft.results = ty.results;
    Ok(())
}

/// A memref is written to, and says so; a tensor is not.
fn destination_words(draft: &Draft) -> Result<(), Mistake> {
    let dest = draft.operand(1)?;
    let memref = matches!(dest.ty, Type::Memory(_));
    match ["restrict", "writable"].iter().find(|word| draft.attribute(word).is_some()) {
        _ if dest.ty.is_broken() => Ok(()),
        Some(word) if !memref => {
            Err(draft.wrong(word, format!("`{word}` is said of memrefs, and `{}` is a tensor", draft.name_of(dest))))
        }
        _ if memref && draft.attribute("writable").is_none() => {
            let message =
                format!("a memref is written to only where `writable` stands in front of `{}`", draft.name_of(dest));
            Err(Mistake::new(Code::OperationForm, dest.span, message).label("no `writable` in front of this"))
        }
        _ => Ok(()),
    }
}
