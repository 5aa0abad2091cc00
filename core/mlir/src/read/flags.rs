//! Flags after the operands of an operation: `fastmath<fast>`, `overflow<nsw>`, `exact`. They do not change results in
//! nnz.

use super::Reader;
use crate::{
    draft::Draft,
    inherent::{EXACT, Inherent, Kind, ROUNDING},
    mistake::{Mistake, Read},
};
use nnz_base::diagnostic::did_you_mean;
use nnz_check::list_of;
use nnz_syntax::TokenKind;

/// What the first argument of a rounding may be, by MLIR's numbers.
const ROUNDINGS: &[&str] = &["to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"];

/// Flags of operations of LLVM's dialect.
const OF_LLVM: &[&str] = &["nneg", "disjoint"];

impl Reader<'_> {
    /// The flags that the operation has, in their order.
    ///
    /// # Errors
    /// A flag of other operations; one that does not exist; brackets that are not closed.
    pub(super) fn flags(&mut self, draft: &Draft) -> Read<()> {
        for own in draft.def.attributes {
            if self.at_flag(own) {
                self.flag(own.kind)?;
            }
        }
        if self.at_any_flag() { Err(self.flag_of_others(draft)) } else { Ok(()) }
    }

    fn at_flag(&self, own: &Inherent) -> bool {
        if let Kind::Flags(keyword, _) = own.kind {
            return self.text() == keyword && self.nth(1) == TokenKind::Lt;
        }
        let rounding = own.name == ROUNDING.name && ROUNDINGS.contains(&self.text());
        rounding || own.name == EXACT.name && self.at_word("exact")
    }

    fn flag(&mut self, kind: Kind) -> Read<()> {
        self.bump();
        let Kind::Flags(_, known) = kind else { return Ok(()) };
        self.expect(TokenKind::Lt)?;
        self.separated(|r| r.known_flag(known))?;
        self.expect(TokenKind::Gt)
    }

    fn known_flag(&mut self, flags: &[&str]) -> Read<()> {
        let (span, word) = (self.span(), self.word_of(TokenKind::Ident, "a flag")?);
        if flags.contains(&word) {
            return Ok(());
        }
        let mistake = Mistake::syntax(span, format!("there is no flag `{word}`")).label("no such flag");
        Err(match did_you_mean(word, flags.iter().copied()) {
            Some(nearest) => mistake.guess(span, nearest),
            None => mistake.help(format!("flags: {}", flags.join(", "))),
        })
    }

    fn at_any_flag(&self) -> bool {
        match self.text() {
            "fastmath" | "overflow" => self.nth(1) == TokenKind::Lt,
            word => !self.begins_line() && (word == "exact" || ROUNDINGS.contains(&word) || OF_LLVM.contains(&word)),
        }
    }

    /// A flag that the operation lacks, or has had.
    fn flag_of_others(&mut self, draft: &Draft) -> Mistake {
        let (before, start, word) = (self.last_span(), self.span(), self.text());
        self.bump();
        if self.at(TokenKind::Lt) && self.angles().is_err() {
            return Mistake::syntax(start, format!("`{word}<` is never closed: `>` is missing"));
        }
        let (name, whole) = (draft.name(), start.cover(self.last_span()));
        let own: Vec<&str> = draft.def.attributes.iter().filter_map(keyword).collect();
        let mistake = match own.contains(&word) {
            true => Mistake::syntax(whole, format!("`{name}` takes `{word}` once, in front of `{{...}}`")),
            false => Mistake::syntax(whole, format!("`{name}` has no flag `{word}`")),
        };
        let has = if own.is_empty() { String::from("no flags") } else { list_of(&own) };
        let mistake = mistake.label("not a flag of this operation").help(format!("`{name}` has {has}"));
        mistake.fix("remove it", nnz_base::source::Span::new(before.end as usize, whole.end as usize), "")
    }
}

/// The word that a flag begins with.
fn keyword(own: &Inherent) -> Option<&'static str> {
    if let Kind::Flags(keyword, _) = own.kind { Some(keyword) } else { (own.name == EXACT.name).then_some("exact") }
}
