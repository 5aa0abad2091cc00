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
    pub fn is_broken_within(&self) -> bool {
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

    /// Reads the part after the brace of a region that takes values of the types `takes`.
    pub(super) fn taking(&mut self, name: &str, takes: &[Type]) -> Read<Region> {
        if self.at(TokenKind::RBrace) {
            return self.region_body(Region::default());
        }
        let (brace, known) = (self.last_span(), self.mistakes());
        let arguments = self.label_of(takes, name)?;
        let (given, before) = (arguments.len(), std::mem::take(&mut self.unnamed_arguments));
        let place = arguments.iter().map(|(_, _, ty)| *ty).next_back();
        let all = arguments.iter().map(|(name, _, ty)| name.span.cover(*ty)).reduce(Span::cover);
        self.unnamed_arguments.left = takes.iter().skip(given).rev().cloned().collect();
        let arguments = arguments.into_iter().map(|(name, ty, _)| (name, ty)).collect();
        let told = self.mistakes() > known || given < takes.len();
        let region = Region { arguments: self.declare_arguments(arguments), told, ..Region::default() };
        let region = self.region_body(region);
        let unnamed = std::mem::replace(&mut self.unnamed_arguments, before);
        let mut region = region?;
        if given < takes.len() {
            let missing = takes.get(given..).unwrap_or_default();
            self.report(too_few(name, (takes, missing), (brace, all, place), &unnamed));
            // As many as there should be.
            for ty in missing {
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
        self.label_name();
        let mut arguments = Vec::new();
        if self.at(TokenKind::LParen) {
            arguments = self.parenthesized(|r| {
                let (name, ty) = r.typed_name()?;
                Ok((name, ty, r.last_type))
            })?;
        }
        self.expect(TokenKind::Colon)?;
        let fits = arguments.len() == takes.len();
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

/// A block that names fewer values than its region takes.
fn too_few(
    name: &str,
    (takes, missing): (&[Type], &[Type]),
    (brace, all, last): (Span, Option<Span>, Option<Span>),
    unnamed: &Unnamed<'_>,
) -> Mistake {
    let (wanted, given) = (counted(takes.len(), "value"), takes.len() - missing.len());
    let mistake =
        Mistake::new(Code::OperationForm, all.unwrap_or(brace), format!("{name} takes {wanted}, not {given}"));
    let are = if takes.len() == 1 { "is" } else { "are" };
    let mistake = mistake.label(format!("{wanted} {are} wanted"));
    let named: Vec<String> = unnamed.found.iter().map(|(name, ty)| format!("{}: {ty}", name.name)).collect();
    let more = named.join(", ");
    match last {
        _ if named.len() != missing.len() => mistake.help(format!("they are of the types `{}`", list(takes))),
        Some(last) => mistake.fix(format!("add `{more}`"), Span::at(last.end as usize), format!(", {more}")),
        None => {
            mistake.fix(format!("name them: `^bb0({more}):`"), Span::at(brace.end as usize), format!(" ^bb0({more}):"))
        }
    }
}
