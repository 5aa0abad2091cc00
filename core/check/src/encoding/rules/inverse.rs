//! Maps that do not determine the dimensions.

use super::Words;
use crate::Checker;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::{Dim, Lvl},
    source::Span,
};
use nnz_encoding::{Affine, EncodingPart, Level, NoInverse, named};

impl Words<'_> {
    pub(super) fn of_no_inverse(&self, reason: &NoInverse, c: &Checker<'_>) -> Diagnostic {
        match reason {
            NoInverse::Unstored { dim, part } => self.unstored(*dim, part, c),
            NoInverse::Redundant { lvl } => {
                let span = self.span(EncodingPart::LvlExpr(*lvl));
                let message = format!("`{}` adds nothing: the levels above it determine it", self.level(*lvl));
                c.diagnostic(Code::RedundantLevel, span, message)
                    .label("known from the levels above")
                    .help("remove the level, or store a part of a dimension that no other level stores")
            }
            NoInverse::Undetermined { dim } => {
                let span = self.span(EncodingPart::Dim(*dim));
                let message = format!("the levels do not determine `{}`", self.dim(*dim));
                c.diagnostic(Code::NoKnownInverse, span, message)
                    .label("no level tells it")
                    .note("every dimension must be a sum of levels, each with a whole factor")
            }
            NoInverse::Opaque { lvl } => {
                let span = self.span(EncodingPart::LvlExpr(*lvl));
                let message = format!(
                    "`{}` cannot be taken back: how the dimensions follow from it is unknown",
                    self.level(*lvl)
                );
                c.diagnostic(Code::NoKnownInverse, span, message)
                    .label("nothing takes this back")
                    .note("nnz inverts sums of dimensions, `floordiv` and `mod` by constants that divide each other")
                    .help("give the inverse yourself: `{l0, l1}(i = ..., j = ...) -> (l0 = ..., l1 = ...)`")
            }
        }
    }

    fn unstored(&self, dim: Dim, part: &Affine<Dim>, c: &Checker<'_>) -> Diagnostic {
        let (d, part_text) = (self.dim(dim), self.expr(part));
        let whole = part.as_var().is_some();
        let message = if whole {
            format!("dimension `{d}` is stored by no level")
        } else {
            format!("`{part_text}` is stored by no level, so `{d}` is lost")
        };
        let (format, place, text) = self.level_to_add(&part_text, whole);
        let diagnostic = c.diagnostic(Code::LostDimension, self.span(EncodingPart::Dim(dim)), message);
        let label = if whole { "in no level".to_string() } else { format!("`{part_text}` is in no level") };
        let diagnostic = diagnostic.label(label);
        if self.is_historic() {
            return diagnostic.help(format!("a map says it: `map = (...) -> (..., {part_text} : {format})`"));
        }
        let added = |error: Diagnostic| error.fix(format!("add a level for `{part_text}`"), place, text);
        match self.superfluous(dim, c).filter(|_| whole) {
            Some(place) => added(diagnostic.fix(format!("leave `{d}` out"), place, "")),
            None => added(diagnostic),
        }
    }

    /// The format, the place and the text of a level for `part`: behind the others, or in front of them if the last one is
    /// structured, which has only dense levels above it and none below.
    fn level_to_add(&self, part: &str, whole: bool) -> (&'static str, Span, String) {
        let structured = |level: &Level| level.format.block().is_some();
        if self.parts.levels.last().is_some_and(structured) {
            let start = self.places.levels.first().map_or(self.places.map.end, |level| level.whole.start);
            return ("dense", Span::at(start as usize), format!("{part} : dense, "));
        }
        let format = if whole { "compressed" } else { "dense" };
        let end = self.places.levels.last().map_or(self.places.map.end, |level| level.whole.end);
        (format, Span::at(end as usize), format!(", {part} : {format}"))
    }

    /// The last dimension, with its comma, where the encoding has the name of a format with one dimension less.
    fn superfluous(&self, dim: Dim, c: &Checker<'_>) -> Option<Span> {
        let before = c.source.text.get(..self.places.map.start as usize)?;
        let name = before.rsplit_once('#').and_then(|(before, _)| before.rsplit('#').next())?;
        let name = name.split(['=', ' ']).next()?;
        let known = named::lookup(name, &[], None).ok()?;
        let is_last = dim.index() + 1 == self.parts.dims.len() && known.dim_rank() == dim.index();
        let place = self.span(EncodingPart::Dim(dim));
        let comma = before.len() + c.source.text.get(before.len()..place.start as usize)?.rfind(',')?;
        is_last.then(|| Span::new(comma, place.end as usize))
    }

    /// The names of `lvlTypes` are no levels of a map.
    pub(super) fn is_historic(&self) -> bool {
        self.places.levels.iter().all(|level| level.expr == level.format)
    }

    pub(super) fn wrong_inverse(&self, dim: Dim, right: Option<&Affine<Lvl>>, c: &Checker<'_>) -> Diagnostic {
        let span = self.span(EncodingPart::Inverse(dim));
        let message = format!("this is not how `{}` follows from the levels", self.dim(dim));
        let diagnostic = c.diagnostic(Code::WrongInverse, span, message).label("gives another number");
        match right {
            Some(right) => {
                let text = self.inverse(right);
                diagnostic.fix(format!("write `{text}`"), span, text)
            }
            None => {
                diagnostic.note("put the levels' expressions in for the level variables: the dimension must come out")
            }
        }
    }
}
