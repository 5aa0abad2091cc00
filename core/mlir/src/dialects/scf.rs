//! `scf`: loops and branches.

use super::regions::{Shape, carried_and_results, each};
use crate::{
    attribute::Attribute,
    checks::{Domain, in_domain},
    constraints::{ANY, BOOL, INDEX_VALUE, INTEGER, takes},
    draft::Draft,
    inherent::{NUMBERS, groups, needs},
    ir::{Ending, Operand},
    mistake::{Mistake, Read},
    operation::Regions,
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::{diagnostic::counted, element::Scalar, source::Span};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("scf.if", takes(&[BOOL]).gives(&[ANY.many()]), if_syntax).with(Regions::Exactly(2)).verified(if_types),
    Entry::host("scf.index_switch", takes(&[INDEX_VALUE]).gives(&[ANY.many()]), switch_syntax)
        .with(Regions::Any)
        .having(&[needs("cases", NUMBERS)])
        .verified(switch_types),
    Entry::host("scf.for", takes(&[INTEGER, INTEGER, INTEGER, ANY.many()]).gives(&[ANY.many()]), for_syntax)
        .with(Regions::Exactly(1))
        .verified(for_types),
    Entry::host("scf.parallel", takes(&[ANY.many()]).gives(&[ANY.many()]), parallel_syntax)
        .with(Regions::Exactly(1))
        .having(&[groups(4)])
        .verified(parallel_types),
    Entry::host("scf.while", takes(&[ANY.many()]).gives(&[ANY.many()]), while_syntax)
        .with(Regions::Exactly(2))
        .verified(while_types),
    Entry::host("scf.execute_region", takes(&[]).gives(&[ANY.many()]), execute_syntax)
        .with(Regions::Exactly(1))
        .verified(execute_types),
    Entry::terminator("scf.yield", takes(&[ANY.many()]), Form::operands),
    Entry::terminator("scf.reduce", takes(&[ANY.many()]), reduce_syntax).with(Regions::Any),
    Entry::terminator("scf.condition", takes(&[BOOL, ANY.many()]), condition_syntax),
];

/// Checks what a region yields against the results of the operation.
fn yields(draft: &Draft, region: usize) -> Result<(), Mistake> {
    let Some(Some(region)) = draft.regions.get(region) else { return Ok(()) };
    if region.ending == Ending::BrokenTerminator {
        return Ok(());
    }
    let (span, operands) = region.yielded().map_or((draft.span, &[][..]), |op| (op.span, &op.operands[..]));
    yielded_types(draft, (span, operands))
}

fn yielded_types(draft: &Draft, (span, operands): (Span, &[Operand])) -> Result<(), Mistake> {
    if operands.len() != draft.results.len() {
        let (results, given) = (counted(draft.results.len(), "result"), operands.len());
        let are = if given == 1 { "is" } else { "are" };
        let message = format!("`{}` has {results}, and {given} {are} yielded", draft.name());
        return Err(Mistake::types(span, message)
            .label(counted(given, "value").replace("no values", "nothing is yielded"))
            .help("the region ends with `scf.yield`, which hands on a value for each result"));
    }
    let wrong = operands
        .iter()
        .zip(&draft.results)
        .find(|(given, ty)| given.ty != **ty && !given.ty.is_broken() && !ty.is_broken());
    match wrong {
        Some((given, ty)) => {
            let message = format!("`{}` gives `{ty}` here, not `{}`", draft.name(), given.ty);
            Err(Mistake::types(given.span, message))
        }
        None => Ok(()),
    }
}

/// `scf.if %c -> (T) {...} else {...}`
fn if_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let cond = r.value_use()?;
    draft.operands = vec![r.resolve_on(cond, &Type::I1)?];
    draft.results = r.optional_results()?;
    let then = r.region(Vec::new())?;
    let other = if r.eat_word("else") { Some(r.region(Vec::new())?) } else { None };
    draft.regions = vec![Some(then), other];
    draft.attributes = r.optional_dictionary()?;
    Ok(())
}

fn if_types(draft: &Draft) -> Result<(), Mistake> {
    if !draft.results.is_empty() && !matches!(draft.regions.get(1), Some(Some(_))) {
        return Err(draft.mistake("an `scf.if` with results has an `else`"));
    }
    let cond = draft.operand(0)?;
    if cond.ty != Type::I1 && !cond.ty.is_broken() {
        return Err(Mistake::types(cond.span, format!("a condition is `i1`, and this is `{}`", cond.ty)));
    }
    if let Some(argument) = draft.regions.iter().flatten().find_map(|region| region.arguments.first()) {
        return Err(Mistake::types(argument.span, "the regions of an `scf.if` take no values"));
    }
    yields(draft, 0)?;
    yields(draft, 1)
}

/// `scf.index_switch %i -> T, U case 2 {...} case 5 {...} default {...}`
fn switch_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let flag = r.value_use()?;
    draft.operands = vec![r.resolve_index(flag)?];
    draft.attributes = r.optional_dictionary()?;
    // A list without parentheses, unlike that of other operations.
    draft.results = if r.eat(TokenKind::Arrow) { r.types()? } else { Vec::new() };
    let (mut values, mut regions) = (Vec::new(), Vec::new());
    while r.eat_word("case") {
        values.push(Attribute::Number(Scalar::Int(r.integer()?), None));
        regions.push(Some(r.region(Vec::new())?));
    }
    r.expect_word("default")?;
    // The default comes first, as in the generic syntax.
    regions.insert(0, Some(r.region(Vec::new())?));
    draft.regions = regions;
    draft.attributes.set("cases", Attribute::Array(values.into()));
    Ok(())
}

fn switch_types(draft: &Draft) -> Result<(), Mistake> {
    let flag = draft.operand(0)?;
    if flag.ty != Type::INDEX && !flag.ty.is_broken() {
        return Err(Mistake::types(flag.span, format!("an `index` chooses the case, and this is `{}`", flag.ty)));
    }
    let cases = draft.attribute("cases").and_then(Attribute::as_ints).unwrap_or_default();
    if draft.regions.len() != cases.len() + 1 {
        let found = draft.regions.len();
        return Err(draft.mistake(format!(
            "{} cases and a default are {} regions, not {found}",
            cases.len(),
            cases.len() + 1
        )));
    }
    if let Some(twice) = cases.iter().enumerate().find_map(|(at, case)| cases[..at].contains(case).then_some(case)) {
        return Err(draft.mistake(format!("there are two cases of {twice}")));
    }
    if let Some(argument) = draft.regions.iter().flatten().find_map(|region| region.arguments.first()) {
        return Err(Mistake::types(argument.span, "the regions of an `scf.index_switch` take no values"));
    }
    (0..draft.regions.len()).try_for_each(|region| yields(draft, region))
}

/// `scf.for %i = %lo to %hi step %s iter_args(%x = %init) -> (T) : i32 {...}`
fn for_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.eat_word("unsigned");
    let variable = r.value_use()?;
    r.expect(TokenKind::Eq)?;
    let from = r.value_use()?;
    r.expect_word("to")?;
    let to = r.value_use()?;
    r.expect_word("step")?;
    let step = r.value_use()?;
    let mut carried = Vec::new();
    if r.eat_word("iter_args") {
        carried = r.parenthesized(|r| {
            let name = r.argument_name()?;
            r.expect(TokenKind::Eq)?;
            Ok((name, r.value_use()?))
        })?;
        draft.results = r.optional_results()?;
    }
    let ty = if r.at(TokenKind::Colon) { r.colon_type()? } else { Type::INDEX };
    for name in [from, to, step] {
        draft.operands.push(r.resolve_on(name, &ty)?);
    }
    let inits: Vec<_> = carried.iter().map(|(_, init)| *init).collect();
    draft.operands.extend(r.resolve_all_on(&inits, &draft.results)?);
    let mut arguments = vec![(variable, ty)];
    arguments.extend(carried.iter().map(|(name, _)| *name).zip(draft.results.iter().cloned()));
    draft.regions = vec![Some(r.region(arguments)?)];
    draft.attributes = r.optional_dictionary()?;
    Ok(())
}

fn for_types(draft: &Draft) -> Result<(), Mistake> {
    for at in 0..3 {
        in_domain(draft, draft.operand(at)?, Domain::Integer)?;
    }
    let takes: Vec<Type> = [draft.operand(0)?.ty.clone()].into_iter().chain(draft.results.iter().cloned()).collect();
    let Some(region) = draft.region(0) else { return Err(draft.mistake("the region is missing")) };
    Shape { name: "the region", takes: &takes, end: "scf.yield", yields: &draft.results }.arguments(draft, region)?;
    let inits = draft.operands.get(3..).unwrap_or_default();
    if inits.len() != draft.results.len() {
        return Err(draft.mistake(carried_and_results(inits.len(), draft.results.len())));
    }
    each(inits, &draft.results, |given, wanted| format!("this value is `{}`, and its result `{wanted}`", given.ty))?;
    let others = draft.operands.get(1..3).unwrap_or_default();
    each(others, &vec![takes[0].clone(); 2], |given, wanted| format!("`{wanted}` is wanted here, not `{}`", given.ty))?;
    yields(draft, 0)
}

/// `scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%s, %t) {...}`
fn parallel_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let variables = r.parenthesized(Reader::argument_name)?;
    r.expect(TokenKind::Eq)?;
    let mut bounds = r.parenthesized(Reader::value_use)?;
    for word in ["to", "step"] {
        r.expect_word(word)?;
        bounds.extend(r.parenthesized(Reader::value_use)?);
    }
    if r.text() == "init" {
        return Err(Mistake::unsupported(r.span(), "nnz runs `scf.parallel` without values that it reduces to"));
    }
    if bounds.len() != 3 * variables.len() {
        return Err(draft.mistake("`scf.parallel` has as many bounds and steps as variables"));
    }
    draft.operands = r.resolve_all_on(&bounds, &vec![Type::INDEX; bounds.len()])?;
    let arguments = variables.into_iter().map(|name| (name, Type::INDEX)).collect();
    draft.regions = vec![Some(r.region(arguments)?)];
    draft.attributes = r.optional_dictionary()?;
    Ok(())
}

/// Without reductions nothing follows.
fn reduce_syntax(r: &mut Reader<'_>, _: &mut Draft) -> Read<()> {
    match r.at(TokenKind::LParen) {
        true => Err(Mistake::unsupported(r.span(), "nnz runs `scf.parallel` without values that it reduces to")),
        false => Ok(()),
    }
}

fn parallel_types(draft: &Draft) -> Result<(), Mistake> {
    let Some(region) = draft.region(0) else { return Err(draft.mistake("the region is missing")) };
    let takes = vec![Type::INDEX; draft.operands.len() / 3];
    if !draft.results.is_empty() || !draft.operands.len().is_multiple_of(3) {
        return Err(draft.mistake("`scf.parallel` takes two bounds and a step for each loop, and has no results here"));
    }
    each(&draft.operands, &vec![Type::INDEX; draft.operands.len()], |given, wanted| {
        format!("`{wanted}` is wanted here, not `{}`", given.ty)
    })?;
    Shape { name: "the region", takes: &takes, end: "scf.reduce", yields: &[] }.arguments(draft, region)
}

/// `scf.while (%a = %init) : (T) -> U { ... scf.condition(%c) %b : U } do { ^bb0(%b: U): ... }`
fn while_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let mut carried = Vec::new();
    if r.at(TokenKind::LParen) {
        carried = r.parenthesized(|r| {
            let name = r.argument_name()?;
            r.expect(TokenKind::Eq)?;
            Ok((name, r.value_use()?))
        })?;
    }
    r.expect(TokenKind::Colon)?;
    let ty = r.function_type()?;
    let inits: Vec<_> = carried.iter().map(|(_, init)| *init).collect();
    draft.operands = r.resolve_all_on(&inits, &ty.inputs)?;
    draft.results = ty.results;
    let arguments = carried.iter().map(|(name, _)| *name).zip(ty.inputs).collect();
    let before = r.region(arguments)?;
    r.expect_word("do")?;
    let after = r.region(Vec::new())?;
    draft.regions = vec![Some(before), Some(after)];
    if r.eat_word("attributes") {
        draft.attributes = r.dictionary()?;
    }
    Ok(())
}

/// `scf.condition(%c) %a, %b : T, T`
fn condition_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    r.expect(TokenKind::LParen)?;
    let cond = r.value_use()?;
    r.expect(TokenKind::RParen)?;
    draft.operands.push(r.resolve(cond, &Type::I1)?);
    if r.at_operands() {
        let uses = r.value_uses()?;
        let types = r.colon_types()?;
        draft.operands.extend(r.resolve_all(&uses, &types)?);
    }
    Ok(())
}

fn while_types(draft: &Draft) -> Result<(), Mistake> {
    let carried: Vec<Type> = draft.operands.iter().map(|operand| operand.ty.clone()).collect();
    let handed: Vec<Type> = [Type::I1].into_iter().chain(draft.results.iter().cloned()).collect();
    let (Some(before), after) = (draft.region(0), draft.region(1)) else {
        return Err(draft.mistake("the first region is missing"));
    };
    Shape { name: "the first region", takes: &carried, end: "scf.condition", yields: &handed }.check(draft, before)?;
    let shape = Shape { name: "the second region", takes: &draft.results, end: "scf.yield", yields: &carried };
    after.map_or(Ok(()), |after| shape.check(draft, after))
}

/// `scf.execute_region -> T no_inline {...} {attributes}`
fn execute_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.results = r.optional_results()?;
    let stays = r.eat_word("no_inline");
    draft.regions = vec![Some(r.region(Vec::new())?)];
    draft.attributes = r.optional_dictionary()?;
    if stays {
        draft.attributes.set("no_inline", Attribute::Unit);
    }
    Ok(())
}

/// Every block that ends the region yields the results.
fn execute_types(draft: &Draft) -> Result<(), Mistake> {
    let Some(region) = draft.region(0) else { return Err(draft.mistake("the region is missing")) };
    if region.others.is_empty() {
        return yields(draft, 0);
    }
    region.ends().try_for_each(|end| yielded_types(draft, (end.span, &end.operands)))
}
