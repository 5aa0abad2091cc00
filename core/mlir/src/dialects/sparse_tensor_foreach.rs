//! `sparse_tensor.foreach`

use super::regions::{Shape, carried_and_results, each};
use crate::{
    attribute::Attribute,
    constraints::{ANY, TENSOR, takes},
    draft::Draft,
    inherent::{Kind, may_have},
    mistake::{Mistake, Read},
    operation::Regions,
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::diagnostic::counted;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] =
    &[Entry::host("sparse_tensor.foreach", takes(&[TENSOR, ANY.many()]).gives(&[ANY.many()]), foreach_syntax)
        .with(Regions::Exactly(1))
        .having(&[may_have("order", Kind::Map)])
        .verified(foreach_types)];

/// `in %t init(%x) {order = ...} : T, U -> U do {^bb0(%i: index, ..., %v: f64, %x: U): ...}`
fn foreach_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.expect_word("in")?;
    let source = r.value_use()?;
    let inits = if r.eat_word("init") { r.parenthesized(Reader::value_use)? } else { Vec::new() };
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    draft.results = result_types(r)?;
    r.expect_word("do")?;
    let uses: Vec<_> = [source].into_iter().chain(inits).collect();
    draft.operands = r.resolve_all_on(&uses, &types)?;
    let region = match values(draft) {
        Some(takes) => r.region_taking("the region", &takes)?,
        None => r.region(Vec::new())?,
    };
    draft.regions = vec![Some(region)];
    Ok(())
}

/// What the region takes: coordinates, the value, and what is carried.
fn values(draft: &Draft) -> Option<Vec<Type>> {
    let tensor = draft.operands.first()?.ty.tensor()?;
    let mut takes = vec![Type::INDEX; tensor.shape.len()];
    takes.push(Type::Scalar(tensor.element));
    takes.extend(draft.results.iter().cloned());
    Some(takes)
}

/// `-> T, U`, or nothing; the only list of results without parentheses.
fn result_types(r: &mut Reader<'_>) -> Read<Vec<Type>> {
    if !r.eat(TokenKind::Arrow) {
        return Ok(Vec::new());
    }
    if r.at(TokenKind::LParen) {
        let message = "the results of `sparse_tensor.foreach` stand without parentheses: `-> T, U do`";
        return Err(Mistake::syntax(r.span(), message).label("no `(`"));
    }
    r.types()
}

fn foreach_types(draft: &Draft) -> Result<(), Mistake> {
    let source = draft.operand(0)?;
    if source.ty.is_broken() {
        return Ok(());
    }
    let Type::Tensor(tensor) = &source.ty else {
        let message = format!("`{}` takes a tensor, not `{}`", draft.name(), source.ty);
        return Err(Mistake::types(source.span, message));
    };
    let order = draft.attribute("order").and_then(Attribute::as_map);
    if order.is_some_and(|map| map.dims != tensor.shape.len() || !super::sparse_tensor_buffers::is_permutation(map)) {
        return Err(draft.wrong("order", "`order` is a permutation of the dimensions"));
    }
    let inits = draft.operands.get(1..).unwrap_or_default();
    if inits.len() != draft.results.len() {
        let message = carried_and_results(inits.len(), draft.results.len());
        return Err(draft.mistake(message).help("each value of `init(...)` comes out as a result"));
    }
    each(inits, &draft.results, |given, wanted| format!("this value is `{}`, and its result `{wanted}`", given.ty))?;
    let mut takes = vec![Type::INDEX; tensor.shape.len()];
    takes.push(Type::Scalar(tensor.element));
    takes.extend(draft.results.iter().cloned());
    let Some(region) = draft.region(0) else { return Err(draft.mistake("the region is missing")) };
    let coordinates = counted(tensor.shape.len(), "coordinate");
    let told = |mistake: Mistake| match region.arguments.len() == takes.len() {
        true => mistake,
        false => mistake.help(format!("it takes {coordinates}, the value, and what `init` carries")),
    };
    if draft.results.is_empty() && region.yielded().is_none() {
        // The yield of nothing may be left out.
        return Shape { name: "the region", takes: &takes, end: "", yields: &[] }
            .arguments(draft, region)
            .map_err(told);
    }
    Shape { name: "the region", takes: &takes, end: "sparse_tensor.yield", yields: &draft.results }
        .check(draft, region)
        .map_err(told)
}
