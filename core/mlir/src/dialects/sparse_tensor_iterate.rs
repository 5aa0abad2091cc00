//! `sparse_tensor`: loops over iteration spaces, one space at a time or several together.

use super::regions::{are, carried_and_results, each};
use crate::{
    attribute::Attribute,
    constraints::{ANY, SPACE, takes},
    draft::Draft,
    inherent::{COUNT, NUMBERS, groups, needs},
    ir::{Ending, Region},
    mistake::{Mistake, Read},
    operation::{Group, Regions},
    read::{Entry, Reader, Use},
    types::{Levels, Type},
};
use nnz_base::diagnostic::counted;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host("sparse_tensor.iterate", takes(&[SPACE, ANY.many()]).gives(&[ANY.many()]), iterate_syntax)
        .with(Regions::Exactly(1))
        .grouped(&[Group::One, Group::Rest])
        .having(&[needs("crdUsedLvls", COUNT)])
        .verified(iterate_types),
    Entry::host("sparse_tensor.coiterate", takes(&[SPACE.many(), ANY.many()]).gives(&[ANY.many()]), coiterate_syntax)
        .with(Regions::Any)
        .having(&[needs("crdUsedLvls", COUNT), needs("cases", NUMBERS), groups(2)])
        .verified(coiterate_types),
];

// What both loops have: `at (%i, _) iter_args(%x = %init) : T -> U`

/// The names behind `at` and `iter_args`.
struct Head<'c> {
    coordinates: Vec<Option<Use<'c>>>,
    carried: Vec<(Use<'c>, Use<'c>)>,
}

/// A name, or `_`.
fn used<'c>(r: &mut Reader<'c>) -> Read<Option<Use<'c>>> {
    if r.eat_word("_") { Ok(None) } else { r.value_use().map(Some) }
}

fn head<'c>(r: &mut Reader<'c>) -> Read<Head<'c>> {
    let coordinates = if r.eat_word("at") { r.parenthesized(used)? } else { Vec::new() };
    let mut carried = Vec::new();
    if r.eat_word("iter_args") {
        carried = r.parenthesized(|r| {
            let name = r.argument_name()?;
            r.expect(TokenKind::Eq)?;
            Ok((name, r.value_use()?))
        })?;
    }
    Ok(Head { coordinates, carried })
}

impl<'c> Head<'c> {
    /// The names that each region has: what is carried, the coordinates, then the iterators.
    fn arguments(&self, results: &[Type], iterators: Vec<(Use<'c>, Type)>) -> Vec<(Use<'c>, Type)> {
        let carried = self.carried.iter().map(|(name, _)| *name).zip(results.iter().cloned());
        let coordinates = self.coordinates.iter().flatten().map(|name| (*name, Type::INDEX));
        carried.chain(coordinates).chain(iterators).collect()
    }
    /// A bit for each coordinate that has a name.
    fn bits(&self) -> Attribute {
        bits(self.coordinates.iter().map(Option::is_some))
    }
    fn inits(&self) -> Vec<Use<'c>> {
        self.carried.iter().map(|(_, init)| *init).collect()
    }
}

fn bits(set: impl Iterator<Item = bool>) -> Attribute {
    let bits = set.enumerate().filter(|(_, set)| *set).fold(0i128, |bits, (at, _)| bits | 1 << at.min(100));
    Attribute::Number(nnz_base::element::Scalar::Int(bits), None)
}

pub fn is_set(attribute: Option<&Attribute>, at: usize) -> bool {
    attribute.and_then(Attribute::as_int).is_some_and(|bits| bits >> at.min(100) & 1 == 1)
}

pub fn space_of(ty: &Type) -> Option<&Levels> {
    if let Type::Space(levels) = ty { Some(levels) } else { None }
}

/// Names for the coordinates of the first levels at most; the others have none.
fn check_coordinates(draft: &Draft, given: usize, levels: &Levels) -> Result<(), Mistake> {
    let wanted = levels.to - levels.from;
    if given <= wanted {
        return Ok(());
    }
    Err(draft
        .mistake(format!(
            "the space has {}, and {} {} named",
            counted(wanted, "level"),
            counted(given, "coordinate"),
            are(given)
        ))
        .help("`_` names none"))
}

/// A region yields what is carried, of the types of the results.
fn check_yield(draft: &Draft, region: &Region) -> Result<(), Mistake> {
    if region.ending == Ending::BrokenTerminator {
        return Ok(());
    }
    let (span, operands) = region.operations.last().map_or((draft.span, &[][..]), |op| (op.span, &op.operands[..]));
    if region.operations.last().is_some_and(|op| op.def.name != "sparse_tensor.yield") && !draft.results.is_empty() {
        return Err(Mistake::types(span, "the region ends with `sparse_tensor.yield`")
            .label("`sparse_tensor.yield` is missing behind this"));
    }
    if region.yielded().is_some() && operands.len() != draft.results.len()
        || region.yielded().is_none() && !draft.results.is_empty()
    {
        let given = region.yielded().map_or(0, |_| operands.len());
        let carried = draft.results.len();
        let message =
            format!("{} {} carried, and {given} {} yielded", counted(carried, "value"), are(carried), are(given));
        return Err(Mistake::types(span, message).label(counted(given, "value")));
    }
    if region.yielded().is_none() {
        return Ok(());
    }
    each(operands, &draft.results, |given, wanted| format!("`{wanted}` is carried here, not `{}`", given.ty))
}

fn check_carried(draft: &Draft, group: usize) -> Result<(), Mistake> {
    let inits = draft.group_of(group);
    if inits.len() != draft.results.len() {
        let message = carried_and_results(inits.len(), draft.results.len());
        return Err(draft.mistake(message));
    }
    each(inits, &draft.results, |given, wanted| format!("this value is `{}`, and its result `{wanted}`", given.ty))
}

/// What a region takes: what is carried, the coordinates that are used, iterators.
fn values_taken(draft: &Draft, levels: &Levels, iterators: impl Iterator<Item = Type>) -> Vec<Type> {
    let used = (0..levels.to - levels.from).filter(|at| is_set(draft.attribute("crdUsedLvls"), *at));
    let coordinates = used.map(|_| Type::INDEX);
    draft.results.iter().cloned().chain(coordinates).chain(iterators).collect()
}

fn check_region(draft: &Draft, region: &Region, levels: &Levels, takes: &[Type]) -> Result<(), Mistake> {
    let used = draft.attribute("crdUsedLvls").and_then(Attribute::as_int).unwrap_or(0);
    if used >> (levels.to - levels.from).min(100) != 0 {
        let has = counted(levels.to - levels.from, "level");
        return Err(draft.wrong("crdUsedLvls", format!("a bit for each level, and the space has {has}")));
    }
    if region.arguments.len() != takes.len() {
        let message = format!("the region takes {}, not {}", counted(takes.len(), "value"), region.arguments.len());
        return Err(draft.mistake(message));
    }
    each(&region.arguments, takes, |given, wanted| format!("the region takes `{wanted}` here, not `{}`", given.ty))?;
    check_yield(draft, region)
}

// `sparse_tensor.iterate %it in %space at (%i) iter_args(%x = %init) : T -> U {...}`

fn iterate_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let iterator = r.value_use()?;
    r.expect_word("in")?;
    let space = r.value_use()?;
    let head = head(r)?;
    let ty = r.colon_type()?;
    draft.results = r.optional_results()?;
    draft.group(vec![r.resolve(space, &ty)?]);
    let inits = r.resolve_all(&head.inits(), &draft.results)?;
    draft.group(inits);
    draft.attributes.set("crdUsedLvls", head.bits());
    let of = if let Type::Space(levels) = &ty {
        check_coordinates(draft, head.coordinates.len(), levels)?;
        Type::Iterator(levels.clone())
    } else {
        Type::Broken
    };
    let region = r.region(head.arguments(&draft.results, vec![(iterator, of)]))?;
    draft.regions = vec![Some(region)];
    draft.attributes.append(r.optional_dictionary()?);
    Ok(())
}

fn iterate_types(draft: &Draft) -> Result<(), Mistake> {
    let operand = draft.operand(0)?;
    let Some(levels) = space_of(&operand.ty) else {
        return if operand.ty.is_broken() { Ok(()) } else { Err(Mistake::wanted(operand, "an iteration space")) };
    };
    check_carried(draft, 1)?;
    let Some(region) = draft.region(0) else { return Ok(()) };
    let takes = values_taken(draft, levels, [Type::Iterator(levels.clone())].into_iter());
    check_region(draft, region, levels, &takes)
}

// `sparse_tensor.coiterate (%a, %b) at (%i) iter_args(%x = %init) : (T, U) -> V case %ita, _ {...} case ...`

fn coiterate_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let spaces = r.parenthesized(Reader::value_use)?;
    let head = head(r)?;
    r.expect(TokenKind::Colon)?;
    let types = r.parenthesized(Reader::ty)?;
    draft.results = r.optional_results()?;
    draft.group(r.resolve_all(&spaces, &types)?);
    let inits = r.resolve_all(&head.inits(), &draft.results)?;
    draft.group(inits);
    draft.attributes.set("crdUsedLvls", head.bits());
    if let Some(levels) = types.first().and_then(space_of) {
        check_coordinates(draft, head.coordinates.len(), levels)?;
    }
    let mut cases = Vec::new();
    while r.eat_word("case") {
        let names = r.separated(used)?;
        if names.len() != types.len() {
            let message = format!("a case names {} iterators, or `_` in their place, not {}", types.len(), names.len());
            let label = counted(names.len(), "name");
            return Err(Mistake::syntax(r.last_span(), message).label(label));
        }
        let iterators = names.iter().zip(&types).filter_map(|(name, ty)| {
            let of = space_of(ty).map_or(Type::Broken, |levels| Type::Iterator(levels.clone()));
            Some(((*name)?, of))
        });
        let region = r.region(head.arguments(&draft.results, iterators.collect()))?;
        draft.regions.push(Some(region));
        cases.push(bits(names.iter().map(Option::is_some)));
    }
    draft.attributes.set("cases", Attribute::Array(cases.into()));
    draft.attributes.append(r.optional_dictionary()?);
    Ok(())
}

/// A bit for each space of which a case has an iterator.
pub fn cases(attribute: Option<&Attribute>) -> Vec<i128> {
    attribute.and_then(Attribute::as_ints).unwrap_or_default()
}

fn coiterate_types(draft: &Draft) -> Result<(), Mistake> {
    let spaces = draft.group_of(0);
    let Some(first) = spaces.first().and_then(|operand| space_of(&operand.ty)) else {
        return Err(draft.mistake("`sparse_tensor.coiterate` takes iteration spaces"));
    };
    let rank = first.to - first.from;
    let fits = |ty: &Type| ty.is_broken() || space_of(ty).is_some_and(|levels| levels.to - levels.from == rank);
    if let Some(other) = spaces.iter().find(|operand| !fits(&operand.ty)) {
        return Err(Mistake::wanted(other, &format!("an iteration space of {}", counted(rank, "level"))));
    }
    check_carried(draft, 1)?;
    let cases = cases(draft.attribute("cases"));
    if cases.len() != draft.regions.len() {
        return Err(draft.mistake(format!("{} cases, and {} regions", cases.len(), draft.regions.len())));
    }
    if let Some(twice) = cases.iter().enumerate().position(|(at, case)| cases[..at].contains(case)) {
        return Err(draft.mistake(format!("case {twice} is there before it")));
    }
    for (case, region) in cases.iter().zip(draft.regions.iter().flatten()) {
        let taken = spaces.iter().enumerate().filter(|(at, _)| case >> at.min(&100) & 1 == 1);
        let iterators = taken.filter_map(|(_, operand)| space_of(&operand.ty)).cloned().map(Type::Iterator);
        check_region(draft, region, first, &values_taken(draft, first, iterators))?;
    }
    Ok(())
}
