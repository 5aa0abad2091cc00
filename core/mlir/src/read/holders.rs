//! Regions and the operations that hold them: the terminator of a region, and the values that its block
//! names.

use super::{Reader, scope::Use};
use crate::{
    draft::Draft,
    ir::{Operand, Region},
    mistake::{Mistake, Read},
    operation::Role,
    types::{Type, list},
};
use nnz_base::{
    diagnostic::{Code, counted},
    source::Span,
};
use nnz_syntax::TokenKind;

/// An operation that is being read.
pub(super) struct Holder {
    name: &'static str,
    /// How many of its regions were begun.
    pub(super) regions: usize,
    /// The token behind the brace of the one that was begun last.
    pub(super) inside: usize,
    /// How many mistakes were known where it began.
    known: usize,
}

impl Holder {
    /// Its regions are not without an operation that ends them.
    pub(super) fn needs_end(&self) -> bool {
        self.end().is_some_and(|end| end != "scf.yield" && end != "scf.reduce")
    }
    /// The operation that ends the region that was begun last.
    fn end(&self) -> Option<&'static str> {
        match self.name {
            "scf.while" if self.regions == 1 => Some("scf.condition"),
            "scf.parallel" => Some("scf.reduce"),
            name => match name.split_once('.').map(|(dialect, _)| dialect) {
                Some("scf") => Some("scf.yield"),
                Some("linalg") => Some("linalg.yield"),
                Some("tensor") => Some("tensor.yield"),
                Some("sparse_tensor") => Some("sparse_tensor.yield"),
                _ => None,
            },
        }
    }
}

/// Values that a region takes and its block does not name.
#[derive(Default)]
pub(super) struct Unnamed<'c> {
    /// The types of those for which no name was found yet, the first last.
    left: Vec<Type>,
    found: Vec<(Use<'c>, Type)>,
}

impl<'c> Reader<'c> {
    /// Begins an operation.
    ///
    /// # Errors
    /// One that ends regions, and not this one.
    pub(super) fn enter(&mut self, draft: &Draft) -> Read<()> {
        if draft.def.role == Role::Terminator {
            self.check_end(draft)?;
        }
        let known = self.mistakes();
        self.holders.push(Holder { name: draft.name(), regions: 0, inside: 0, known });
        Ok(())
    }

    /// Whether the operation that is being read contains a mistake.
    pub(crate) fn is_broken_within(&self) -> bool {
        self.holders.last().is_some_and(|holder| holder.known < self.mistakes())
    }

    fn check_end(&self, draft: &Draft) -> Read<()> {
        let found = self.checked.source.slice(draft.name_span());
        let (what, end) = match self.holders.last() {
            Some(holder) => (format!("a region of `{}`", holder.name), holder.end()),
            None => ("a function".to_string(), Some("func.return")),
        };
        let Some(end) = end.filter(|end| *end != draft.name()) else { return Ok(()) };
        let short = if draft.span == draft.name_span() { end.trim_start_matches("func.") } else { end };
        let message = format!("{what} ends with `{short}`, not with `{found}`");
        let mistake = Mistake::new(Code::OperationForm, draft.span, message).label(format!("not `{short}`"));
        Err(mistake.fix(format!("write `{short}`"), draft.name_span(), short))
    }

    /// Names of coordinates that the text does not use, for values of a region that nothing else names.
    fn name_the_missing(&self, missing: &[Type], unnamed: &mut Unnamed<'c>) {
        let free = ["%i", "%j", "%k", "%l", "%m", "%n"].into_iter().filter(|name| !self.text_has(name));
        let free: Vec<&'static str> = free.collect();
        if unnamed.found.is_empty() && missing.iter().all(|ty| *ty == Type::INDEX) && free.len() >= missing.len() {
            let named = free.into_iter().zip(missing).map(|(name, ty)| (Use { name, span: Span::at(0) }, ty.clone()));
            unnamed.found.extend(named);
        }
    }

    fn text_has(&self, name: &str) -> bool {
        let item = self.item.clone().unwrap_or(0..0);
        self.tokens.get(item).unwrap_or_default().iter().any(|token| token.text() == name)
    }

    /// Reads the part after the brace of a region that takes values of the types `takes`.
    pub(super) fn taking(&mut self, name: &str, takes: &[Type]) -> Read<Region> {
        if self.at(TokenKind::RBrace) {
            return self.region_body(Region::default());
        }
        let (brace, known) = (self.last_span(), self.mistakes());
        let arguments = self.label_of(takes, name)?;
        let (given, before) = (arguments.len(), std::mem::take(&mut self.unnamed_arguments));
        let all = arguments.iter().map(|(name, _, ty)| name.span.cover(*ty)).reduce(Span::cover);
        let first = missing_at(&arguments, takes);
        let lacking = if given < takes.len() { first..first + takes.len() - given } else { 0..0 };
        let place = match arguments.get(first) {
            Some((next, ..)) => Place::Before(next.span),
            None => arguments.last().map_or(Place::Alone(brace), |(_, _, ty)| Place::Behind(*ty)),
        };
        let missing = takes.get(lacking).unwrap_or_default();
        self.unnamed_arguments.left = missing.iter().rev().cloned().collect();
        let arguments = arguments.into_iter().map(|(name, ty, _)| (name, ty)).collect();
        let told = self.mistakes() > known || given < takes.len();
        let region = Region { arguments: self.declare_arguments(arguments), told, ..Region::default() };
        let region = self.region_body(region);
        let mut unnamed = std::mem::replace(&mut self.unnamed_arguments, before);
        let mut region = region?;
        if given < takes.len() {
            self.name_the_missing(missing, &mut unnamed);
            self.report(too_few(name, (takes, missing), (all.unwrap_or(brace), place), &unnamed));
            // Those that are named may be others than the first.
            let others = region.arguments.iter_mut().zip(takes).filter(|(given, wanted)| given.ty != **wanted);
            others.for_each(|(given, _)| given.ty = Type::Broken);
            // As many as there should be.
            for ty in takes.get(given..).unwrap_or_default() {
                let value = self.unnamed(ty.clone());
                region.arguments.push(Operand::new(value, Type::Broken, brace));
            }
        }
        Ok(region)
    }

    /// `^bb0(%a: T, %b: T):`, or nothing; with the places of the types.
    fn label_of(&mut self, takes: &[Type], name: &str) -> Read<Vec<(Use<'c>, Type, Span)>> {
        if !self.at_label() {
            return Ok(Vec::new());
        }
        let named = self.label_name();
        let placed = |r: &mut Self| {
            let (name, ty) = r.typed_name()?;
            Ok((name, ty, r.last_type))
        };
        let mut arguments = match self.at(TokenKind::LParen) {
            true => self.parenthesized(placed)?,
            false if !named => self.separated(placed)?,
            false => Vec::new(),
        };
        self.colon_of_label(named)?;
        let fits = arguments.len() == takes.len();
        if fits {
            self.turn_round(&mut arguments, takes, name);
        }
        for ((_, ty, place), wanted) in arguments.iter_mut().zip(takes).filter(|_| fits) {
            if ty != wanted && !ty.is_broken() && !wanted.is_broken() {
                let mistake = Mistake::types(*place, format!("{name} takes `{wanted}` here, not `{ty}`"));
                let mistake = mistake.label(format!("not `{wanted}`"));
                self.report(mistake.fix(format!("write `{wanted}`"), *place, wanted.to_string()));
                *ty = Type::Broken;
            }
        }
        Ok(arguments)
    }

    /// Puts arguments of the right types into the order of the region, which is reported.
    fn turn_round(&mut self, arguments: &mut Vec<(Use<'c>, Type, Span)>, takes: &[Type], name: &str) {
        let ordered = |arguments: &[(Use<'c>, Type, Span)]| arguments.iter().map(|(_, ty, _)| ty).eq(takes);
        let mut left = arguments.clone();
        let mut turned = Vec::new();
        for wanted in takes {
            let Some(at) = left.iter().position(|(_, ty, _)| ty == wanted) else { return };
            turned.push(left.remove(at));
        }
        let whole = arguments.iter().map(|(name, _, ty)| name.span.cover(*ty)).reduce(Span::cover);
        let Some(whole) = whole.filter(|_| !ordered(arguments)) else { return };
        let listed: Vec<String> = turned.iter().map(|(name, ty, _)| format!("{}: {ty}", name.name)).collect();
        let message = format!("{name} takes its values in the order `{}`", list(takes));
        let mistake = Mistake::types(whole, message).label("in another order");
        self.report(mistake.fix("turn them round", whole, listed.join(", ")));
        *arguments = turned;
    }

    /// An argument of a region that its block does not name, which an undefined name may mean.
    pub(super) fn argument_meant(&mut self, name: Use<'c>) -> Option<Operand> {
        if name.name.contains('#') {
            return None;
        }
        let ty = self.unnamed_arguments.left.pop()?;
        self.unnamed_arguments.found.push((name, ty));
        self.define(name, vec![Type::Broken]);
        self.lookup(name).ok()
    }
}

/// Where names of values are missing.
enum Place {
    /// In front of another name.
    Before(Span),
    /// Behind a type.
    Behind(Span),
    /// There are none: behind a brace.
    Alone(Span),
}

/// How many of a block's arguments are those that come first in the region, where the others are those that come last.
fn missing_at(arguments: &[(Use<'_>, Type, Span)], takes: &[Type]) -> usize {
    let same = |given: &(Use<'_>, Type, Span), wanted: &Type| given.1 == *wanted;
    let first = arguments.iter().zip(takes).take_while(|(given, wanted)| same(given, wanted)).count();
    let behind = arguments.get(first..).unwrap_or_default();
    let last = takes.get(takes.len() - behind.len().min(takes.len())..).unwrap_or_default();
    if behind.iter().zip(last).all(|(given, wanted)| same(given, wanted)) { first } else { arguments.len() }
}

/// A block that names fewer values than its region takes.
fn too_few(
    name: &str,
    (takes, missing): (&[Type], &[Type]),
    (all, place): (Span, Place),
    unnamed: &Unnamed<'_>,
) -> Mistake {
    let (wanted, given) = (counted(takes.len(), "value"), takes.len() - missing.len());
    let mistake = Mistake::new(Code::OperationForm, all, format!("{name} takes {wanted}, not {given}"));
    let are = if takes.len() == 1 { "is" } else { "are" };
    let mistake = mistake.label(format!("{wanted} {are} wanted"));
    let named: Vec<String> = unnamed.found.iter().map(|(name, ty)| format!("{}: {ty}", name.name)).collect();
    let more = named.join(", ");
    match place {
        _ if named.len() != missing.len() => mistake.help(format!("they are of the types `{}`", list(takes))),
        Place::Before(next) => mistake.fix(format!("add `{more}`"), Span::at(next.start as usize), format!("{more}, ")),
        Place::Behind(last) => mistake.fix(format!("add `{more}`"), Span::at(last.end as usize), format!(", {more}")),
        Place::Alone(brace) => {
            mistake.fix(format!("name them: `^bb0({more}):`"), Span::at(brace.end as usize), format!(" ^bb0({more}):"))
        }
    }
}
