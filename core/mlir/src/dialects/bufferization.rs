//! `bufferization`: conversion between tensors and buffers.

use crate::{
    constraints::{INDEX_VALUE, MEMREF, SHAPED, TENSOR, takes},
    inherent::groups,
    operation::OpDef,
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("bufferization.dealloc_tensor", takes(&[TENSOR]), Form::operands),
    OpDef::host(
        "bufferization.alloc_tensor",
        takes(&[INDEX_VALUE.many(), TENSOR.optional(), INDEX_VALUE.optional()]).gives(&[TENSOR]),
        alloc_syntax,
    )
    .having(&[groups(3)]),
    OpDef::host("bufferization.to_buffer", takes(&[TENSOR]).gives(&[MEMREF]).alike(), to_syntax),
    OpDef::host("bufferization.to_tensor", takes(&[MEMREF]).gives(&[TENSOR]).alike(), to_syntax),
    OpDef::host(
        "bufferization.materialize_in_destination",
        takes(&[TENSOR, SHAPED]).gives(&[TENSOR.optional()]).alike(),
        materialize_syntax,
    ),
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
    let sizes = sizes.iter().map(|name| r.resolve(*name, &Type::INDEX)).collect::<Read<Vec<_>>>()?;
    draft.ends_with_type(r);
    super::tensor::check_sizes(draft, &sizes, &ty, copied.is_empty())?;
    draft.group(sizes);
    let copied = copied.iter().map(|name| r.resolve(*name, &ty)).collect::<Read<Vec<_>>>()?;
    draft.group(copied);
    let hints = hints.iter().map(|name| r.resolve(*name, &Type::INDEX)).collect::<Read<Vec<_>>>()?;
    draft.group(hints);
    draft.results = vec![ty];
    Ok(())
}

/// `%t read_only : T to U`, of `to_tensor` with `restrict`, `writable` too.
fn to_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    while ["read_only", "restrict", "writable"].iter().any(|word| r.eat_word(word)) {}
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
    while ["restrict", "writable"].iter().any(|word| r.eat_word(word)) {}
    let dest = r.value_use()?;
    r.expect(TokenKind::Colon)?;
    let ty = r.function_type()?;
    draft.operands = r.resolve_all(&[source, dest], &ty.inputs)?;
    draft.results = ty.results;
    Ok(())
}
