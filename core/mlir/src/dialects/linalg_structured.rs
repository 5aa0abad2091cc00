//! `linalg`: kernels whose maps follow from ranks and from attributes: elementwise ones, transposition,
//! broadcast, reduction, `map`.

use std::collections::HashMap;

use crate::{
    attribute::{Attribute, Attributes},
    constraints::{SHAPED, TENSOR, takes},
    dialects::{
        linalg::{KERNEL, generic_form, ins_and_outs, results},
        linalg_named::{CAST, operands, own_maps},
        linalg_scalars::{elementwise_body, scalar_operation},
    },
    draft::Draft,
    inherent::{Inherent, NUMBERS, groups, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    operation::{Group, Regions},
    read::{BodyBuilder, Entry, Reader},
    types::Type,
};
use nnz_base::{diagnostic::counted, element::Element, ids::Dim, source::Span};
use nnz_encoding::{Affine, AffineMap};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    elementwise("linalg.add"),
    elementwise("linalg.sub"),
    elementwise("linalg.mul"),
    elementwise("linalg.div"),
    elementwise("linalg.div_unsigned"),
    elementwise("linalg.max"),
    elementwise("linalg.min"),
    elementwise("linalg.powf"),
    elementwise("linalg.abs"),
    elementwise("linalg.ceil"),
    elementwise("linalg.erf"),
    elementwise("linalg.exp"),
    elementwise("linalg.floor"),
    elementwise("linalg.log"),
    elementwise("linalg.negf"),
    elementwise("linalg.round"),
    elementwise("linalg.rsqrt"),
    elementwise("linalg.sqrt"),
    elementwise("linalg.square"),
    elementwise("linalg.tanh"),
    elementwise("linalg.copy").having(&[groups(2), CAST]),
    elementwise("linalg.reciprocal"),
    elementwise("linalg.select"),
    elementwise("linalg.elementwise"),
    Entry::host(
        "linalg.transpose",
        takes(&[SHAPED, SHAPED]).gives(&[TENSOR.optional()]).pure().alike(),
        transpose_syntax,
    )
    .with(Regions::Exactly(1))
    .grouped(&[Group::One, Group::One])
    .having(&[needs("permutation", NUMBERS)])
    .implying(transpose_loops)
    .verified(transposed),
    Entry::host(
        "linalg.broadcast",
        takes(&[SHAPED, SHAPED]).gives(&[TENSOR.optional()]).pure().alike(),
        broadcast_syntax,
    )
    .with(Regions::Exactly(1))
    .grouped(&[Group::One, Group::One])
    .having(&[needs("dimensions", NUMBERS)])
    .implying(broadcast_loops)
    .verified(broadcasted),
    Entry::host("linalg.reduce", takes(&[SHAPED, SHAPED]).gives(&[TENSOR.optional()]).pure(), reduce_syntax)
        .with(Regions::Exactly(1))
        .grouped(&[Group::One, Group::One])
        .having(&[needs("dimensions", NUMBERS)])
        .implying(reduce_loops)
        .verified(reduced),
    Entry::host("linalg.map", takes(&[SHAPED.many(), SHAPED]).gives(&[TENSOR.optional()]).pure(), map_syntax)
        .with(Regions::Exactly(1))
        .grouped(&[Group::Rest, Group::One])
        .implying(elementwise_loops)
        .verified(mapped),
];

const OPERANDS: &[Inherent] = &[groups(2)];

const fn elementwise(name: &'static str) -> Entry {
    Entry::host(name, KERNEL, elementwise_syntax)
        .with(Regions::Exactly(1))
        .having(OPERANDS)
        .implying(elementwise_loops)
        .verified(of_one_rank)
}

/// Without maps of their own, operands have the dimensions of the result; scalars have none.
fn of_one_rank(draft: &Draft) -> Result<(), Mistake> {
    let Some((result, inputs)) = draft.operands.split_last() else { return generic_form(draft) };
    let dims = result.ty.rank();
    let differs =
        |operand: &&Operand| operand.ty.scalar().is_none() && !operand.ty.is_broken() && operand.ty.rank() != dims;
    // Maps that the text wrote have a place in it.
    let implied = draft.attributes.span("indexing_maps").is_none();
    match inputs.iter().find(differs).filter(|_| implied && dims.is_some()) {
        Some(operand) => {
            let rank = counted(operand.ty.rank().unwrap_or(0), "dimension");
            let message = format!("`{}` has {rank}, and the result {}", draft.name_of(operand), dims.unwrap_or(0));
            Err(Mistake::types(operand.span, message).label(rank).secondary(result.span, format!("`{}`", result.ty)))
        }
        None => generic_form(draft),
    }
}

fn mapped(draft: &Draft) -> Result<(), Mistake> {
    of_one_rank(draft)?;
    alike_sizes(draft)
}

/// A kernel by name computes with integers, floats or complex numbers.
pub(super) fn computes_numbers(draft: &Draft) -> Result<(), Mistake> {
    let of_index = |operand: &&Operand| operand.ty.element() == Some(Element::Index);
    let Some(operand) = draft.operands.iter().find(of_index) else { return Ok(()) };
    let message = format!("`{}` computes with integers, floats or complex numbers, not with `index`", draft.name());
    let mistake = Mistake::types(operand.span, message).label(format!("`{}`", operand.ty));
    Err(mistake.help("`arith.index_cast` makes an `i64` of it, `linalg.map` takes any operation"))
}

/// What stands for one dimension has one size in the types, or is open in all.
fn alike_sizes(draft: &Draft) -> Result<(), Mistake> {
    generic_form(draft)?;
    let Some(Attribute::Array(maps)) = draft.attribute("indexing_maps") else { return Ok(()) };
    let mut known: HashMap<usize, (Option<u64>, &Operand)> = HashMap::new();
    for (operand, map) in draft.operands.iter().zip(maps.iter().map(Attribute::as_map)).rev() {
        let sizes = operand.ty.shape().unwrap_or_default();
        let results = map.map_or(&[][..], |map| &map.results[..]);
        for (var, size) in results.iter().filter_map(Affine::as_var).zip(sizes) {
            let (first, of) = *known.entry(var.index()).or_insert((size, operand));
            if first != size {
                return Err(unlike_sizes(draft, (operand, size), (of, first)));
            }
        }
    }
    Ok(())
}

fn unlike_sizes(
    draft: &Draft,
    (one, size): (&Operand, Option<u64>),
    (other, found): (&Operand, Option<u64>),
) -> Mistake {
    let text = |size: Option<u64>| size.map_or("?".to_string(), |size| size.to_string());
    let (name, size, found) = (draft.name(), text(size), text(found));
    let message = format!("a dimension of `{name}` is `{size}` in one type and `{found}` in another");
    let mistake = Mistake::types(one.span, message).label(format!("`{}`", one.ty));
    mistake.secondary(other.span, format!("`{}`", other.ty)).help("a cast gives both the same type")
}

/// Sets the maps and the kinds of the loops.
fn set_loops(draft: &mut Draft, maps: Vec<AffineMap>, kinds: Vec<&str>) {
    let maps = maps.into_iter().map(|map| Attribute::Map(map.into())).collect();
    let kinds = kinds.into_iter().map(|kind| Attribute::Text(kind.to_string())).collect();
    draft.attributes.set("indexing_maps", Attribute::Array(maps));
    draft.attributes.set("iterator_types", Attribute::Array(kinds));
}

fn map_of(dims: usize, places: impl IntoIterator<Item = usize>) -> AffineMap {
    AffineMap { dims, symbols: 0, results: places.into_iter().map(|at| Affine::Var(Dim::new(at))).collect() }
}

fn rank(draft: &Draft, operand: usize) -> usize {
    draft.operands.get(operand).and_then(|operand| operand.ty.rank()).unwrap_or(0)
}

/// # Errors
/// An operand with a mistake, of which nothing else is known.
pub(super) fn elements(draft: &Draft) -> Read<Vec<Element>> {
    draft.operands.iter().map(|operand| operand.ty.element().ok_or_else(Mistake::told)).collect()
}

/// Every operand at the loops that its dimensions are, the first ones, unless it has maps of its own.
fn elementwise_loops(draft: &mut Draft) {
    if let Some(Attribute::Array(maps)) = draft.attribute("indexing_maps") {
        let dims = maps.first().and_then(Attribute::as_map).map_or(0, |map| map.dims);
        draft
            .attributes
            .set("iterator_types", Attribute::Array(vec![Attribute::Text("parallel".to_string()); dims].into()));
        return;
    }
    let dims = rank(draft, draft.operands.len().saturating_sub(1));
    let maps = draft.operands.iter().map(|operand| map_of(dims, 0..operand.ty.rank().unwrap_or(0).min(dims))).collect();
    set_loops(draft, maps, vec!["parallel"; dims]);
}

/// The dimensions that an attribute lists.
fn listed(draft: &Draft, name: &str) -> Vec<usize> {
    let listed = draft.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    listed.iter().map(|dim| usize::try_from(*dim).unwrap_or(usize::MAX)).collect()
}

/// Dimension `d` of the result is dimension `permutation[d]` of the operand.
fn transpose_loops(draft: &mut Draft) {
    let (dims, order) = (rank(draft, 1), listed(draft, "permutation"));
    let place = |dim: usize| order.iter().position(|from| *from == dim).unwrap_or(0);
    set_loops(draft, vec![map_of(dims, (0..dims).map(place)), map_of(dims, 0..dims)], vec!["parallel"; dims]);
}

/// The operand lacks the dimensions that are listed.
fn broadcast_loops(draft: &mut Draft) {
    let (dims, added) = (rank(draft, 1), listed(draft, "dimensions"));
    let kept = (0..dims).filter(|dim| !added.contains(dim));
    set_loops(draft, vec![map_of(dims, kept), map_of(dims, 0..dims)], vec!["parallel"; dims]);
}

/// The result lacks the dimensions that are listed.
fn reduce_loops(draft: &mut Draft) {
    let (dims, reduced) = (rank(draft, 0), listed(draft, "dimensions"));
    let kept: Vec<usize> = (0..dims).filter(|dim| !reduced.contains(dim)).collect();
    let kind = |dim| if reduced.contains(&dim) { "reduction" } else { "parallel" };
    set_loops(draft, vec![map_of(dims, 0..dims), map_of(dims, kept)], (0..dims).map(kind).collect());
}

/// `kind = #linalg.elementwise_kind<add> indexing_maps = [...] ins(%a, %b : T, T) outs(%c : T) -> T`, the kind and the
/// maps of `linalg.elementwise` alone.
fn elementwise_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    let kind =
        if draft.name() == "linalg.elementwise" { elementwise_kind(r, draft)? } else { draft.name().to_string() };
    operands(r, draft)?;
    results(r, draft)?;
    let inputs = draft.segments.first().copied().unwrap_or(0);
    let to = elements(draft)?.last().copied().unwrap_or(Element::F64);
    if !matches!(kind.as_str(), "linalg.copy" | "linalg.select") {
        computes_numbers(draft)?;
    }
    let Some((name, wanted)) = scalar_operation(&kind, to) else { return Ok(()) };
    if inputs != wanted || draft.operands.len() != wanted + 1 {
        return Err(draft.mistake(format!("`{kind}` takes {} and a result", counted(wanted, "operand"))));
    }
    elementwise_loops(draft);
    draft.regions = vec![Some(elementwise_body(r, draft, (&kind, name))?)];
    Ok(())
}

/// `kind = #linalg.elementwise_kind<add>` and maps, if there are any; gives the kernel that is meant, `linalg.add`.
fn elementwise_kind(r: &mut Reader<'_>, draft: &mut Draft) -> Read<String> {
    r.expect_word("kind")?;
    r.expect(TokenKind::Eq)?;
    let (span, word) = (r.span(), r.attribute()?);
    let kind = word.as_text().and_then(|word| word.strip_prefix("#linalg.elementwise_kind<")?.strip_suffix('>'));
    let meant = match kind.map(str::trim) {
        Some("max_signed") => "max",
        Some("min_signed") => "min",
        Some(kind) => kind,
        None => return Err(Mistake::syntax(span, "a kind is `#linalg.elementwise_kind<add>`")),
    };
    let kernel = format!("linalg.{meant}");
    if scalar_operation(&kernel, Element::F64).is_none() {
        return Err(Mistake::unsupported(span, format!("nnz has no elementwise kind `{meant}`")));
    }
    draft.attributes.append(own_maps(r)?.unwrap_or_default());
    Ok(kernel)
}

/// `permutation = [1, 0]`, under either spelling of a list.
fn dimensions(r: &mut Reader<'_>, draft: &mut Draft, name: &str) -> Read<()> {
    r.expect_word(name)?;
    r.expect(TokenKind::Eq)?;
    let span = r.span();
    let list = r.attribute()?;
    draft.attributes.set_at(name, list, span.cover(r.last_span()));
    draft.attributes.append(r.optional_dictionary()?);
    Ok(())
}

/// One input and one result, whose elements are copied.
fn copies(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if draft.operands.len() != 2 {
        return Err(draft.mistake(format!("`{}` takes one operand and a result", draft.name())));
    }
    let body = BodyBuilder::new(r, &elements(draft)?).of(draft.span);
    draft.regions = vec![Some(body.finish(&[0])?)];
    Ok(())
}

/// Tensor kernels give the types of `outs` where no `->` says it.
fn implied_results(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if r.at(TokenKind::Arrow) {
        return results(r, draft);
    }
    let outs: Vec<Type> = super::linalg::outs(draft).iter().map(|out: &Operand| out.ty.clone()).collect();
    if outs.iter().all(|ty| ty.tensor().is_some()) {
        draft.results = outs;
    }
    Ok(())
}

/// `ins(%a : T) outs(%b : U) permutation = [1, 0]`
fn transpose_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    ins_and_outs(r, draft)?;
    dimensions(r, draft, "permutation")?;
    implied_results(r, draft)?;
    copies(r, draft)?;
    transpose_loops(draft);
    Ok(())
}

fn transposed(draft: &Draft) -> Result<(), Mistake> {
    let dims = rank(draft, 1);
    let mut sorted = listed(draft, "permutation");
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..dims) {
        return Err(draft.wrong("permutation", format!("`permutation` names each of {dims} dimensions once")));
    }
    alike_sizes(draft)
}

fn broadcasted(draft: &Draft) -> Result<(), Mistake> {
    some_dimensions(draft, rank(draft, 1))?;
    alike_sizes(draft)
}

fn reduced(draft: &Draft) -> Result<(), Mistake> {
    some_dimensions(draft, rank(draft, 0))?;
    if let Some(at) = listed(draft, "dimensions").windows(2).position(|pair| pair[0] >= pair[1]) {
        let mistake =
            draft.wrong_item("dimensions", at + 1, "`dimensions` lists the reduced dimensions in their order");
        return Err(mistake.label("smaller than the one before it"));
    }
    alike_sizes(draft)
}

/// Some of `dims` dimensions, each once.
fn some_dimensions(draft: &Draft, dims: usize) -> Result<(), Mistake> {
    let listed = listed(draft, "dimensions");
    let twice = |(at, dim): (usize, &usize)| listed[..at].contains(dim);
    if listed.iter().any(|dim| *dim >= dims) || listed.iter().enumerate().any(twice) {
        return Err(draft.wrong("dimensions", format!("`dimensions` names some of {dims} dimensions, each once")));
    }
    Ok(())
}

/// `ins(%a : T) outs(%b : U) dimensions = [0]`
fn broadcast_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    ins_and_outs(r, draft)?;
    dimensions(r, draft, "dimensions")?;
    implied_results(r, draft)?;
    copies(r, draft)?;
    broadcast_loops(draft);
    Ok(())
}

/// The function of scalars that is a whole body.
struct Short<'c> {
    name: &'c str,
    span: Span,
    attributes: Attributes,
}

/// `{ arith.addf }`: the name of a scalar operation, or nothing.
fn short_body<'c>(r: &mut Reader<'c>) -> Read<Option<Short<'c>>> {
    if !r.eat(TokenKind::LBrace) {
        return Ok(None);
    }
    let (span, name) = (r.span(), r.word_of(TokenKind::Ident, "a scalar operation")?);
    let attributes = r.optional_dictionary()?;
    r.expect(TokenKind::RBrace)?;
    Ok(Some(Short { name, span, attributes }))
}

/// The region of the short form, or the one that follows: `(%a: f64, %b: f64) {...}`.
fn region_of(r: &mut Reader<'_>, draft: &mut Draft, short: Option<Short<'_>>, operands: &[usize]) -> Read<()> {
    let region = match short {
        Some(Short { name, span, attributes }) => {
            let elements = elements(draft)?;
            let to = elements.last().copied().unwrap_or(Element::F64);
            let mut body = BodyBuilder::new(r, &elements).of(span);
            let result = body.operation_having(name, attributes, operands, to)?;
            body.finish(&[result])?
        }
        None => {
            let arguments = r.parenthesized(Reader::typed_name)?;
            r.region(arguments)?
        }
    };
    draft.regions = vec![Some(region)];
    Ok(())
}

/// `linalg.reduce { arith.addf } ins(%a : T) outs(%b : U) dimensions = [1]`
fn reduce_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let short = short_body(r)?;
    draft.attributes = r.optional_dictionary()?;
    ins_and_outs(r, draft)?;
    dimensions(r, draft, "dimensions")?;
    implied_results(r, draft)?;
    if draft.operands.len() != 2 {
        return Err(draft.mistake("`linalg.reduce` takes one operand and a result"));
    }
    region_of(r, draft, short, &[0, 1])?;
    reduce_loops(draft);
    Ok(())
}

/// `linalg.map { arith.addf } ins(%a, %b : T, T) outs(%c : T)`
fn map_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let short = short_body(r)?;
    operands(r, draft)?;
    implied_results(r, draft)?;
    let inputs = draft.segments.first().copied().unwrap_or(0);
    let operands: Vec<usize> = (0..inputs).collect();
    region_of(r, draft, short, &operands)?;
    elementwise_loops(draft);
    match draft.arguments(0).len() {
        found if found == inputs + 1 => Ok(()),
        found => {
            let [found, operands] =
                [(found, "value"), (inputs + 1, "operand")].map(|(count, what)| counted(count, what));
            Err(Mistake::types(draft.span, format!("the region takes {found} for {operands}")).label(found))
        }
    }
}
