//! Single slips that explain several findings.

use super::Words;
use crate::Checker;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::{Dim, Lvl},
};
use nnz_encoding::{EncodingError, EncodingPart, NoInverse};

impl Words<'_> {
    /// What one wrong word of the map explains, with the errors that follow from it taken away.
    pub(super) fn slips(&self, errors: &mut Vec<EncodingError>, c: &Checker<'_>) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for (lvl, dim, modulus, divisor) in self.unequal_blocks() {
            let count = errors.len();
            errors.retain(|error| !self.is_about(error, lvl, dim));
            if errors.len() < count {
                found.push(self.unequal_block(lvl, dim, modulus, divisor, c));
            }
        }
        while let Some((twice, never)) = self.stored_twice(errors) {
            errors.retain(
                |error| !matches!(error, EncodingError::NoInverse(NoInverse::Redundant { lvl }) if *lvl == twice),
            );
            errors.retain(
                |error| !matches!(error, EncodingError::NoInverse(NoInverse::Unstored { dim, .. }) if *dim == never),
            );
            found.push(self.stored_instead(twice, never, c));
        }
        found
    }

    /// Levels `d mod m` beside levels `d floordiv n` of another size.
    fn unequal_blocks(&self) -> Vec<(Lvl, Dim, i64, i64)> {
        let levels = || self.parts.levels.iter().enumerate();
        let divided: Vec<(Dim, i64)> = levels()
            .filter_map(|(_, level)| level.expr.as_floordiv())
            .filter_map(|(e, n)| Some((e.as_var()?, n)))
            .collect();
        let rests = levels().filter_map(|(at, level)| {
            let (expr, modulus) = level.expr.as_mod()?;
            let dim = expr.as_var()?;
            let mut of_dim = divided.iter().filter(|(divided, _)| *divided == dim).map(|(_, n)| *n);
            let divisor = of_dim.next()?;
            (divisor != modulus && of_dim.next().is_none()).then_some((Lvl::new(at), dim, modulus, divisor))
        });
        rests.collect()
    }

    fn is_about(&self, error: &EncodingError, level: Lvl, dimension: Dim) -> bool {
        let EncodingError::NoInverse(error) = error else { return false };
        match error {
            NoInverse::Opaque { lvl } | NoInverse::Redundant { lvl } => {
                *lvl == level
                    || self.parts.levels.get(lvl.index()).is_some_and(|other| {
                        [other.expr.as_mod(), other.expr.as_floordiv()]
                            .into_iter()
                            .flatten()
                            .any(|(expr, _)| expr.as_var() == Some(dimension))
                    })
            }
            NoInverse::Unstored { dim, .. } | NoInverse::Undetermined { dim } => *dim == dimension,
        }
    }

    fn unequal_block(&self, lvl: Lvl, dim: Dim, modulus: i64, divisor: i64, c: &Checker<'_>) -> Diagnostic {
        let (d, span) = (self.dim(dim), self.span(EncodingPart::LvlExpr(lvl)));
        let code = if modulus > divisor { Code::NoKnownInverse } else { Code::LostDimension };
        let message = format!("`{d} mod {modulus}` does not fit `{d} floordiv {divisor}`");
        let diagnostic = c.diagnostic(code, span, message).label(format!("blocks of {modulus}"));
        let whole = self.parts.levels.iter().position(|level| {
            level.expr.as_floordiv().is_some_and(|(expr, n)| expr.as_var() == Some(dim) && n == divisor)
        });
        let diagnostic = match whole {
            Some(at) => {
                diagnostic.secondary(self.span(EncodingPart::LvlExpr(Lvl::new(at))), format!("blocks of {divisor}"))
            }
            None => diagnostic,
        };
        diagnostic.fix(format!("write `{d} mod {divisor}`"), span, format!("{d} mod {divisor}"))
    }

    /// A dimension that two levels store as a whole, and another that none does.
    fn stored_twice(&self, errors: &[EncodingError]) -> Option<(Lvl, Dim)> {
        let twice = errors.iter().find_map(|error| {
            if let EncodingError::NoInverse(NoInverse::Redundant { lvl }) = error {
                self.parts.levels.get(lvl.index())?.expr.as_var().map(|_| *lvl)
            } else {
                None
            }
        })?;
        let never = errors.iter().find_map(|error| {
            if let EncodingError::NoInverse(NoInverse::Unstored { dim, part }) = error {
                part.as_var().map(|_| *dim)
            } else {
                None
            }
        })?;
        Some((twice, never))
    }

    fn stored_instead(&self, twice: Lvl, never: Dim, c: &Checker<'_>) -> Diagnostic {
        let (d, missing, span) = (self.level(twice), self.dim(never), self.span(EncodingPart::LvlExpr(twice)));
        let message = format!("`{d}` is stored twice and `{missing}` by no level");
        if self.is_historic() {
            let diagnostic = c.diagnostic(Code::LostDimension, self.places.map, message);
            let help = "an order names every dimension once: `affine_map<(i, j) -> (j, i)>`";
            return diagnostic.label(format!("`{d}` twice")).help(help);
        }
        let first = self
            .parts
            .levels
            .iter()
            .position(|level| Some(&level.expr) == self.parts.levels.get(twice.index()).map(|level| &level.expr));
        let diagnostic = c.diagnostic(Code::LostDimension, span, message).label(format!("`{d}` again"));
        let diagnostic = match first {
            Some(at) => {
                diagnostic.secondary(self.span(EncodingPart::LvlExpr(Lvl::new(at))), format!("`{d}` is stored here"))
            }
            None => diagnostic,
        };
        diagnostic.secondary(self.span(EncodingPart::Dim(never)), "stored by no level").guess(span, missing)
    }
}
