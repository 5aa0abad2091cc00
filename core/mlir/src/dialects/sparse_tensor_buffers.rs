//! `sparse_tensor`: operations on plain buffers.

use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, MEMREF, SCALAR, takes},
    draft::Draft,
    inherent::{INDEX, Kind, may_have, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::diagnostic::did_you_mean;
use nnz_encoding::AffineMap;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host(
        "sparse_tensor.push_back",
        takes(&[INDEX_VALUE, MEMREF, SCALAR, INDEX_VALUE.optional()]).gives(&[MEMREF, INDEX_VALUE]),
        push_back_syntax,
    )
    .having(&[may_have("inbounds", Kind::Flag)])
    .verified(push_back_types),
    Entry::host("sparse_tensor.sort", takes(&[INDEX_VALUE, MEMREF, MEMREF.many()]), sort_syntax)
        .having(&[needs("perm_map", Kind::Map), may_have("ny", INDEX), needs("algorithm", Kind::Word(ALGORITHMS))])
        .verified(sort_types),
];

/// `inbounds %size, %buffer, %value, %count : index, memref<?xf64>, f64, index`
fn push_back_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.eat_word("inbounds");
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    draft.operands = r.resolve_all(&uses, &types)?;
    draft.results = vec![types.get(1).cloned().unwrap_or(Type::Broken), Type::INDEX];
    Ok(())
}

fn push_back_types(draft: &Draft) -> Result<(), Mistake> {
    let (buffer, value) = (draft.operand(1)?, draft.operand(2)?);
    one_dimension(buffer)?;
    let indices = [draft.operands.get(..1), draft.operands.get(3..)].into_iter().flatten().flatten();
    if let Some(other) = indices.into_iter().find(|operand| operand.ty != Type::INDEX && !operand.ty.is_broken()) {
        return Err(Mistake::wanted(other, "an `index`"));
    }
    let fits = value.ty.scalar().is_some() && value.ty.element() == buffer.ty.element();
    if !fits && !value.ty.is_broken() && !buffer.ty.is_broken() {
        let message = format!("`{}` cannot be pushed to `{}`", value.ty, buffer.ty);
        return Err(Mistake::types(value.span, message));
    }
    match draft.known(3) {
        Some(count) if count < 1 => {
            Err(Mistake::types(draft.operand(3)?.span, format!("the value is pushed once at least, not {count} times")))
        }
        _ => Ok(()),
    }
}

/// A buffer of one dimension.
fn one_dimension(operand: &Operand) -> Result<(), Mistake> {
    if operand.ty.is_broken() || matches!(&operand.ty, Type::Memory(memory) if memory.shape.len() == 1) {
        return Ok(());
    }
    Err(Mistake::wanted(operand, "a memref of one dimension"))
}

pub(super) const ALGORITHMS: &[&str] = &["hybrid_quick_sort", "insertion_sort_stable", "quick_sort", "heap_sort"];

/// `hybrid_quick_sort`
pub(super) fn algorithm(r: &mut Reader<'_>) -> Read<Attribute> {
    let span = r.span();
    let name = r.word_of(TokenKind::Ident, "a way to sort")?;
    if ALGORITHMS.contains(&name) {
        return Ok(Attribute::Word(name.to_string()));
    }
    let mistake = Mistake::syntax(span, format!("`{name}` is no way to sort")).label("no such way");
    let mistake = mistake.help(format!("there are {}", nnz_check::list_of(ALGORITHMS)));
    // The rest of the operation does not depend on it.
    let near = did_you_mean(name, ALGORITHMS.iter().copied());
    r.report(near.into_iter().fold(mistake, |mistake, near| mistake.guess(span, near)));
    Ok(Attribute::Word(near.unwrap_or("quick_sort").to_string()))
}

/// `hybrid_quick_sort %n, %xy jointly %y {perm_map = ..., ny = 1 : index} : T jointly U`
fn sort_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let algorithm = algorithm(r)?;
    let [size, keys] = r.two_uses()?;
    let others = if r.eat_word("jointly") { r.value_uses()? } else { Vec::new() };
    draft.attributes = r.dictionary()?;
    draft.attributes.set("algorithm", algorithm);
    let mut types = vec![r.colon_type()?];
    if r.eat_word("jointly") {
        types.extend(r.types()?);
    }
    let uses: Vec<_> = [keys].into_iter().chain(others).collect();
    draft.operands = vec![r.resolve_index(size)?];
    draft.operands.extend(r.resolve_all(&uses, &types)?);
    Ok(())
}

fn sort_types(draft: &Draft) -> Result<(), Mistake> {
    let keys = draft.operand(1)?;
    draft.operands.iter().skip(1).try_for_each(one_dimension)?;
    if keys.ty.element().is_some_and(|element| !element.is_integer()) {
        return Err(Mistake::types(keys.span, format!("keys are whole numbers, and this is `{}`", keys.ty)));
    }
    let Some(map) = draft.attribute("perm_map").and_then(Attribute::as_map) else {
        return Err(draft.wrong(
            "perm_map",
            "`perm_map` says in which order keys are compared, as in `affine_map<(i, j) -> (j, i)>`",
        ));
    };
    if !is_permutation(map) {
        return Err(draft.wrong("perm_map", "`perm_map` is a permutation: every key once, and nothing else"));
    }
    let Some(size) = draft.known(0) else { return Ok(()) };
    let width = map.dims as i128 + carried(draft.attribute("ny")) as i128;
    long_enough(keys, size.saturating_mul(width))?;
    draft.operands.iter().skip(2).try_for_each(|operand| long_enough(operand, size))
}

pub(super) fn is_permutation(map: &AffineMap) -> bool {
    let found: std::collections::HashSet<usize> =
        map.results.iter().filter_map(|result| result.as_var()).map(|dim| dim.index()).collect();
    found.len() == map.dims && map.results.len() == map.dims
}

/// The number of values in a tuple that are not keys.
pub fn carried(ny: Option<&Attribute>) -> usize {
    ny.and_then(Attribute::as_int).and_then(|ny| usize::try_from(ny).ok()).unwrap_or(0)
}

/// A buffer whose type says that it has too few entries.
fn long_enough(operand: &Operand, wanted: i128) -> Result<(), Mistake> {
    match operand.ty.shape().as_deref() {
        Some([Some(found)]) if i128::from(*found) < wanted => Err(Mistake::types(
            operand.span,
            format!("{wanted} entries are sorted here, and `{}` has {found}", operand.ty),
        )),
        _ => Ok(()),
    }
}
