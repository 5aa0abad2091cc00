//! `linalg`: kernels in their general form. Named kernels are read into this form.

use std::sync::Arc;

use super::{linalg_shapes, regions::Shape};
use crate::{
    attribute::Attribute,
    constraints::{Constraints, INDEX_VALUE, INPUT, SCALAR, SHAPED, TENSOR, takes},
    draft::Draft,
    inherent::{COUNT, Kind, SIZES, groups, may_have, needs},
    ir::{Op, Operand, Region},
    mistake::{Mistake, Read},
    operation::{BodyOp, Regions},
    read::{Entry, Form, Reader, Use},
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, counted, did_you_mean},
    element::Scalar,
    ids::Dim,
    source::Span,
};
use nnz_encoding::{Affine, AffineMap};
use nnz_syntax::TokenKind;

/// The operands that a kernel reads, and those that it makes or writes.
pub(super) const KERNEL: Constraints = takes(&[INPUT.many(), SHAPED.many()]).gives(&[TENSOR.many()]).pure();

pub(super) static OPS: &[Entry] = &[
    Entry::host("linalg.generic", KERNEL, generic_syntax)
        .with(Regions::Exactly(1))
        .having(&[
            needs("indexing_maps", Kind::Any),
            needs("iterator_types", Kind::Any),
            may_have("doc", Kind::Text),
            may_have("library_call", Kind::Text),
            groups(2),
        ])
        .verified(generic_form),
    Entry::host("linalg.fill", takes(&[SCALAR, SHAPED]).gives(&[TENSOR.optional()]), fill_syntax)
        .with(Regions::Exactly(1))
        .having(&[groups(2)]),
    Entry::body("linalg.index", takes(&[]).gives(&[INDEX_VALUE]), index_syntax, BodyOp::Index)
        .having(&[needs("dim", COUNT)]),
    Entry::terminator("linalg.yield", takes(&[SCALAR.many()]), Form::operands),
];

/// `linalg.generic #trait ins(...) outs(...) attrs = {...} {region} -> T`
fn generic_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    if r.at(TokenKind::Ident) && matches!(r.text(), "ins" | "outs") {
        let mistake = Mistake::syntax(span, format!("expected the trait of the kernel, found `{}`", r.text()));
        let help = "its `indexing_maps` and `iterator_types` stand in front, in braces or as an alias of them";
        return Err(mistake.label("no trait before this").help(help));
    }
    if let Attribute::Dictionary(attributes) = r.attribute()? {
        draft.attributes = Arc::unwrap_or_clone(attributes);
    } else {
        return Err(Mistake::syntax(span, "a trait is a list in braces, or an alias of one"));
    }
    spelled_as_texts(draft)?;
    ins_and_outs(r, draft)?;
    if r.eat_word("attrs") {
        r.expect(TokenKind::Eq)?;
        let attributes = r.dictionary()?;
        if let Some((name, span)) = draft.attributes.repeated(&attributes) {
            return Err(Mistake::syntax(span, format!("`{name}` is written twice")).label("a second time"));
        }
        draft.attributes.append(attributes);
    }
    draft.regions = vec![Some(r.region_taking(BODY, &elements(&draft.operands))?)];
    results(r, draft)
}

/// In this syntax an iterator type is a text; the attribute itself belongs to the generic syntax.
fn spelled_as_texts(draft: &Draft) -> Read<()> {
    let Some(Attribute::Array(types)) = draft.attribute("iterator_types") else { return Ok(()) };
    let kind =
        |item: &Attribute| item.as_text().map(kind_of_loop).filter(|kind| KINDS.contains(kind)).map(str::to_string);
    let wrong = |at: usize, kind: String| {
        let message = format!("an iterator type is a text in quotes here: `\"{kind}\"`");
        let mistake = draft.wrong_item("iterator_types", at, message).label("an attribute of the generic syntax");
        match draft.attributes.item_span("iterator_types", at) {
            Some(span) => mistake.fix(format!("write `\"{kind}\"`"), span, format!("\"{kind}\"")),
            None => mistake.help("only `\"linalg.generic\"(...)` has `#linalg.iterator_type<...>`"),
        }
    };
    let attributes = types.iter().enumerate().filter_map(|(at, item)| Some((at, kind(item)?)));
    Mistake::all(attributes.map(|(at, kind)| Err(wrong(at, kind))))
}

/// What the values of a body are called.
const BODY: &str = "the region";

/// The types of the body's arguments.
fn elements(operands: &[Operand]) -> Vec<Type> {
    operands.iter().map(|operand| operand.ty.element().map_or(Type::Broken, Type::Scalar)).collect()
}

/// `-> T, T`: the types of `outs`.
pub(super) fn results(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let mut span = r.span();
    if r.eat(TokenKind::Arrow) {
        span = r.span();
        draft.results = if r.at(TokenKind::LParen) { r.result_types()? } else { r.types()? };
    } else if r.at(TokenKind::RBrace) && r.nth(1) == TokenKind::Arrow {
        let mistake = Mistake::syntax(span, "`}` closes nothing").label("one too many");
        return Err(mistake.fix("remove it", span, ""));
    } else if r.is_broken_within() {
        // Where its region ends is not known.
        return Err(Mistake::told());
    }
    let outs: Vec<&Type> = outs(draft).iter().map(|operand| &operand.ty).collect();
    let tensors = outs.iter().all(|ty| ty.tensor().is_some());
    let agree =
        draft.results.iter().zip(&outs).all(|(result, out)| result == *out || result.is_broken() || out.is_broken());
    if tensors && (draft.results.len() != outs.len() || !agree) {
        let types = crate::types::list(&outs.into_iter().cloned().collect::<Vec<_>>());
        let span = if draft.results.is_empty() { draft.span } else { span.cover(r.last_span()) };
        let mistake = Mistake::types(span, "the results are of the types of `outs`");
        return Err(mistake.label(format!("`{types}` is wanted")).help(format!("write `-> {types}`")));
    }
    Ok(())
}

pub(crate) fn outs(draft: &Draft) -> &[Operand] {
    let inputs = draft.segments.first().copied().unwrap_or(0);
    draft.operands.get(inputs..).unwrap_or_default()
}

/// `ins(%a, %b : T, T) outs(%x : T)`
pub(super) fn ins_and_outs(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    if draft.attributes.span(SIZES).is_some() {
        return Err(draft.wrong(SIZES, "`ins` and `outs` say the sizes of the groups").help("leave it out"));
    }
    let mut ins = if at_group(r, "ins") { Some(typed_group(r)?) } else { None };
    if !at_group(r, "outs") {
        r.expect_word("outs")?;
    }
    let outs = typed_group(r)?;
    if ins.is_none() && r.at_word("ins") && r.nth(1) == TokenKind::LParen {
        r.report(Mistake::syntax(r.span(), "`ins` belongs in front of `outs`").label("behind `outs`"));
        r.bump();
        ins = Some(typed_group(r)?);
    }
    let ins = ins.map_or(Ok(Vec::new()), |(uses, types)| r.resolve_all_on(&uses, &types));
    let outs = r.resolve_all_on(&outs.0, &outs.1);
    match (ins, outs) {
        (Ok(ins), Ok(outs)) => {
            draft.group(ins);
            draft.group(outs);
            Ok(())
        }
        (ins, outs) => Mistake::all([ins.map(|_| ()), outs.map(|_| ())]),
    }
}

/// Skips `word` before a parenthesis; a slip in it is reported.
fn at_group(r: &mut Reader<'_>, word: &'static str) -> bool {
    let (found, span) = (r.text(), r.span());
    let misspelt = r.nth(1) == TokenKind::LParen && word.starts_with(found.trim_end_matches("put"));
    let other = || matches!((word, found), ("ins", "inputs") | ("outs", "outputs" | "init" | "inits"));
    if found != word && r.at(TokenKind::Ident) && (misspelt || r.nth(1) == TokenKind::LParen && other()) {
        r.report(Mistake::syntax(span, format!("expected `{word}`, found `{found}`")).guess(span, word));
        r.bump();
        return true;
    }
    r.eat_word(word)
}

type Group<'c> = (Vec<Use<'c>>, Vec<Type>);

/// `(%a, %b : T, T)`
fn typed_group<'c>(r: &mut Reader<'c>) -> Read<Group<'c>> {
    r.expect(TokenKind::LParen)?;
    if r.eat(TokenKind::RParen) {
        return Ok((Vec::new(), Vec::new()));
    }
    let uses = r.value_uses()?;
    let types = r.colon_types()?;
    r.expect(TokenKind::RParen)?;
    Ok((uses, types))
}

/// One map for each operand, over one set of loops; a region that takes and yields their elements.
pub(super) fn generic_form(draft: &Draft) -> Result<(), Mistake> {
    let loops = iterators(draft);
    let maps = match &loops {
        Ok(loops) => maps_form(draft, Some(*loops)),
        Err(_) => maps_form(draft, None),
    };
    let indices = loops.as_ref().map_or(Ok(()), |loops| index_dims(draft, *loops));
    Mistake::all([loops.map(|_| ()), maps, body_types(draft), indices])?;
    draft.region(0).map_or(Ok(()), super::sparse_tensor_body::absent_values)
}

/// `linalg.index` is in the body itself, and names an existing loop.
fn index_dims(draft: &Draft, loops: usize) -> Result<(), Mistake> {
    let Some(body) = draft.region(0) else { return Ok(()) };
    let wrong = |op: &Op, message: String, label: &str| {
        Err(Mistake::new(Code::OperationForm, op.span, message).label(label.to_string()))
    };
    for op in &body.operations {
        let dim = op.attribute("dim").and_then(Attribute::as_int).filter(|_| op.def.name == "linalg.index");
        if let Some(dim) = dim.filter(|dim| *dim >= loops as i128) {
            let loops = counted(loops, "loop");
            return wrong(
                op,
                format!("the kernel has {loops}, counted from 0, and `linalg.index` asks for loop {dim}"),
                "no such loop",
            );
        }
        if let Some(index) = op.regions.iter().flatten().find_map(nested_index) {
            let message = "`linalg.index` stands in the body of a kernel itself, not in a region within it";
            return wrong(index, message.to_string(), "in a region of the body");
        }
    }
    Ok(())
}

fn nested_index(region: &Region) -> Option<&Op> {
    region.blocks().flatten().find_map(|op| match op.def.name {
        "linalg.index" => Some(op),
        _ => op.regions.iter().flatten().find_map(nested_index),
    })
}

/// One map for each operand, over the loops, if their number is known, and of the operand's rank and sizes.
fn maps_form(draft: &Draft, loops: Option<usize>) -> Result<(), Mistake> {
    let maps = maps_of(draft)?;
    if maps.len() != draft.operands.len() {
        let (maps, operands) = (counted(maps.len(), "indexing map"), counted(draft.operands.len(), "operand"));
        return Err(
            of_maps(draft, format!("{maps} for {operands}")).label("one map for each operand, `outs` among them")
        );
    }
    for (at, (map, operand)) in maps.iter().zip(&draft.operands).enumerate() {
        if map.is_broken() {
            continue;
        }
        let wrong = |message: String| draft.wrong_item(maps_name(draft), at, message);
        let Some(map) = map.as_map() else { return Err(wrong("`indexing_maps` holds affine maps".into())) };
        if let Some(loops) = loops.filter(|loops| map.dims != *loops) {
            return Err(of_loops(draft, at, map.dims, loops));
        }
        if map.symbols > 0 {
            let mistake = wrong("an indexing map has dimensions only: the loops of the kernel".into());
            return Err(mistake.label("a map with symbols"));
        }
        if let Some(divisor) = map.results.iter().find_map(no_divisor) {
            let mistake = wrong(format!("an indexing map divides by {divisor}")).label("a division without a result");
            return Err(mistake.help("`floordiv`, `ceildiv` and `mod` divide by numbers from 1 on"));
        }
        let rank = operand.ty.rank().unwrap_or(map.results.len());
        if rank != map.results.len() {
            if draft.attributes.span(maps_name(draft)).is_none() {
                return Err(of_rank(draft, operand, (rank, map.results.len()), maps));
            }
            let (rank, results) = (counted(rank, "dimension"), counted(map.results.len(), "result"));
            let name = draft.name_of(operand);
            let mistake = wrong(format!("`{name}` has {rank}, and its indexing map {results}"));
            let mistake = mistake.help(format!(
                "the map of `{name}` gives {rank}, one for each dimension of it",
                rank = counted(operand.ty.rank().unwrap_or(0), "result")
            ));
            return Err(mistake.label(results).secondary(operand.span, format!("`{}`, with {rank}", operand.ty)));
        }
    }
    if maps.iter().any(Attribute::is_broken) {
        return Ok(());
    }
    bounded_loops(draft, maps)?;
    linalg_shapes::fitting(draft)
}

/// An operand of another rank than the named operation has there.
fn of_rank(draft: &Draft, operand: &Operand, (rank, wanted): (usize, usize), maps: &[Attribute]) -> Mistake {
    let ranks = maps.iter().filter_map(Attribute::as_map).map(|map| format!("{}-d", map.results.len()));
    let ranks: Vec<String> = ranks.collect();
    let inputs = draft.segments.first().map_or(0, |inputs| *inputs).min(ranks.len());
    let form = format!("ins({}) outs({})", ranks[..inputs].join(", "), ranks[inputs..].join(", "));
    let (name, rank) = (draft.name_of(operand), counted(rank, "dimension"));
    let message = format!("`{name}` has {rank}, and `{}` takes {wanted} here", draft.name());
    let mistake = Mistake::new(Code::OperationForm, operand.span, message).label(format!("`{}`", operand.ty));
    mistake.help(format!("its operands are {form}, in this order"))
}

/// The first number in an expression that divides, and is not positive.
fn no_divisor(expression: &Affine<Dim>) -> Option<i64> {
    let (left, right) = expression.operands()?;
    let divides = matches!(expression, Affine::FloorDiv(..) | Affine::CeilDiv(..) | Affine::Mod(..));
    let own = right.as_const().filter(|divisor| divides && *divisor <= 0);
    own.or_else(|| no_divisor(left)).or_else(|| no_divisor(right))
}

/// Each loop is the sole variable of a result of some map: the size of that operand says how far it runs.
fn bounded_loops(draft: &Draft, maps: &[Attribute]) -> Result<(), Mistake> {
    let maps: Vec<&Arc<AffineMap>> = maps.iter().filter_map(Attribute::as_map).collect();
    let alone =
        |at: usize| maps.iter().flat_map(|map| &map.results).any(|result| result.as_var() == Some(Dim::new(at)));
    let Some(open) = (0..maps.first().map_or(0, |map| map.dims)).find(|at| !alone(*at)) else { return Ok(()) };
    let name = loop_name(draft, open);
    let message = format!("nothing says how far loop `{name}` runs: no indexing map has `{name}` alone as a result");
    Err(of_maps(draft, message).label(format!("`{name}` stands alone in none of them")))
}

/// What the first indexing map calls a loop.
pub(super) fn loop_name(draft: &Draft, at: usize) -> String {
    let named = || {
        let span = draft.attributes.item_span(maps_name(draft), 0)?;
        let (dims, _) = draft.text.get(span.range())?.split_once('(')?.1.split_once(')')?;
        Some(dims.split(',').nth(at)?.trim().to_string())
    };
    named().unwrap_or_else(|| format!("d{at}"))
}

/// The attribute that holds the maps in the generic syntax of a named kernel.
pub const MEMOIZED_MAPS: &str = "linalg.memoized_indexing_maps";

/// The name of the attribute with the maps.
fn maps_name(draft: &Draft) -> &'static str {
    if draft.attribute("indexing_maps").is_some() { "indexing_maps" } else { MEMOIZED_MAPS }
}

/// A mistake of the maps as a whole.
fn of_maps(draft: &Draft, message: String) -> Mistake {
    draft.wrong(maps_name(draft), message).secondary(draft.span, "in this kernel")
}

/// A map over another number of loops than there are iterator types.
fn of_loops(draft: &Draft, at: usize, dims: usize, loops: usize) -> Mistake {
    let (dims, kinds) = (counted(dims, "dimension"), counted(loops, "iterator type"));
    let mistake = draft.wrong("iterator_types", format!("{kinds} for indexing maps of {dims}"));
    let mistake = mistake.label("one word for each loop");
    match draft.attributes.item_span(maps_name(draft), at) {
        Some(map) => mistake.secondary(map, dims),
        None => mistake,
    }
}

pub(super) fn maps_of(draft: &Draft) -> Result<&[Attribute], Mistake> {
    match draft.attribute("indexing_maps").or(draft.attribute(MEMOIZED_MAPS)) {
        Some(Attribute::Array(maps)) => Ok(maps.as_ref()),
        _ => Err(missing(draft, "indexing_maps", "one affine map for each operand")),
    }
}

/// A part of a trait that is not there, or by another name.
fn missing(draft: &Draft, name: &'static str, what: &str) -> Mistake {
    let near = did_you_mean(name, draft.attributes.names()).filter(|near| *near != name);
    let near = near.or_else(|| draft.attributes.names().find(|given| is_alike(name, given)));
    match near.and_then(|near| Some((near, draft.attributes.span(near)?))) {
        Some((near, value)) => {
            let mistake = draft.wrong(near, format!("`{near}` is not known: `{name}` is meant, {what}"));
            let before = draft.text_before(value).and_then(|before| before.rfind(near));
            match before {
                Some(at) => {
                    let name_span = Span::new(at, at + near.len());
                    mistake.moved_to(name_span).label(format!("not `{name}`")).guess(name_span, name)
                }
                None => mistake,
            }
        }
        None => draft.mistake(format!("`{name}` is missing: {what}")),
    }
}

/// Whether a part of two names begins alike, as of `index_maps` and `indexing_maps`, or one is a part of the other.
fn is_alike(name: &str, given: &str) -> bool {
    const LEAST: usize = 4;
    let begins = |one: &str, other: &str| one.len() >= LEAST && other.starts_with(one);
    let mut parts = name.split('_').zip(given.split('_'));
    given != name && (parts.any(|(own, other)| begins(own, other) || begins(other, own)) || name.ends_with(given))
}

/// The number of loops.
fn iterators(draft: &Draft) -> Result<usize, Mistake> {
    if draft.attribute("iterator_types").is_none() && draft.name() != "linalg.generic" {
        // The generic syntax of a named kernel leaves the kinds of its loops out.
        return Ok(maps_of(draft)?.first().and_then(Attribute::as_map).map_or(0, |map| map.dims));
    }
    let Some(Attribute::Array(types)) = draft.attribute("iterator_types") else {
        return Err(missing(draft, "iterator_types", "one word for each loop"));
    };
    let known = |ty: &Attribute| {
        matches!(ty, Attribute::Text(word) if KINDS.contains(&&**word))
            || matches!(ty, Attribute::Word(word) if KINDS.contains(&kind_of_loop(word)))
    };
    match types.iter().position(|ty| !known(ty)) {
        Some(at) if matches!(&types[at], Attribute::Word(word) if KINDS.contains(&&**word)) => {
            Err(unquoted(draft, types))
        }
        Some(at) => Err(wrong_kind(draft, at, types.get(at))),
        None => Ok(types.len()),
    }
}

/// The `parallel` of `#linalg.iterator_type<parallel>`; of another attribute nothing.
fn kind_of_loop(word: &str) -> &str {
    let kind = word.strip_prefix("#linalg.iterator_type<").and_then(|rest| rest.strip_suffix('>'));
    kind.map_or("", str::trim)
}

/// Words without their quotes, all of them.
fn unquoted(draft: &Draft, types: &[Attribute]) -> Mistake {
    let bare = |at: &usize| matches!(types.get(*at), Some(Attribute::Word(_)));
    let wrong = |at: usize| {
        let word = types.get(at).and_then(Attribute::as_text).unwrap_or_default();
        let mistake =
            draft.wrong_item("iterator_types", at, format!("an iterator type stands in quotes: `\"{word}\"`"));
        let mistake = mistake.label("no quotes");
        match draft.attributes.item_span("iterator_types", at) {
            Some(span) => mistake.fix(format!("write `\"{word}\"`"), span, format!("\"{word}\"")),
            None => mistake,
        }
    };
    match Mistake::all((0..types.len()).filter(bare).map(|at| Err(wrong(at)))) {
        Err(mistake) => mistake,
        Ok(()) => draft.wrong("iterator_types", "an iterator type stands in quotes"),
    }
}

/// The kinds of loops.
const KINDS: &[&str] = &["parallel", "reduction"];

fn wrong_kind(draft: &Draft, at: usize, found: Option<&Attribute>) -> Mistake {
    let (word, quoted) = match found {
        Some(Attribute::Text(word)) => (&word[..], true),
        Some(Attribute::Word(word)) if word.starts_with("#linalg.iterator_type<") => (kind_of_loop(word), false),
        Some(Attribute::Word(word)) => (&word[..], true),
        _ => return draft.wrong_item("iterator_types", at, "an iterator type is a word in quotes"),
    };
    let mistake = draft.wrong_item("iterator_types", at, format!("unknown iterator type `{word}`"));
    let mistake = mistake.label("neither `parallel` nor `reduction`");
    // `reduce` is as far from one as from the other.
    let near = if word.starts_with("red") { Some("reduction") } else { did_you_mean(word, KINDS.iter().copied()) };
    match (near, draft.attributes.item_span("iterator_types", at)) {
        (Some(near), Some(span)) if quoted => mistake.guess(span, format!("\"{near}\"")),
        (Some(near), Some(span)) => mistake.guess(span, format!("#linalg.iterator_type<{near}>")),
        _ => mistake.help("loops are `\"parallel\"` or `\"reduction\"`"),
    }
}

fn body_types(draft: &Draft) -> Result<(), Mistake> {
    let Some(Some(region)) = draft.regions.first() else { return Err(draft.mistake("the region is missing")) };
    let (takes, yields) = (elements(&draft.operands), elements(outs(draft)));
    Shape { name: BODY, takes: &takes, end: "linalg.yield", yields: &yields }.check(draft, region)
}

/// `linalg.index 0 : index`
fn index_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let dim = r.integer()?;
    if dim < 0 {
        return Err(Mistake::syntax(span, "a loop is named by its number"));
    }
    draft.attributes.set_at("dim", Attribute::Number(Scalar::Int(dim), None), span);
    draft.attributes.append(r.optional_dictionary()?);
    draft.results = vec![r.colon_type()?];
    r.ends_with_type(draft);
    Ok(())
}

/// `linalg.fill {...} ins(%v : f64) outs(%t : T) -> T`
fn fill_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    ins_and_outs(r, draft)?;
    results(r, draft)?;
    let (value, target) = (draft.operand(0)?, draft.operand(1)?);
    if value.ty.element() != target.ty.element() && !value.ty.is_broken() && !target.ty.is_broken() {
        return Err(Mistake::types(value.span, format!("`{}` cannot fill `{}`", value.ty, target.ty)));
    }
    Ok(())
}
