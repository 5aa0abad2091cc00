//! Remarks on legal encodings.

use super::Words;
use crate::Checker;
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    ids::Lvl,
    source::Span,
};
use nnz_encoding::{LevelFormat, Props, Remark, mlir::MlirMap};

impl Words<'_> {
    pub(super) fn of_remark(&self, remark: &Remark, c: &Checker<'_>) -> Diagnostic {
        let span = self.span(remark.place());
        let at = |code, message: String| c.diagnostic(code, span, message);
        match remark {
            Remark::UniqueHead { lvl, below } => {
                let fixed = self.format(*lvl).map_or(String::new(), |format| with_nonunique(format).to_string());
                at(Code::UniqueHead, format!("without `nonunique`, each `{}` has at most one entry", self.level(*lvl)))
                    .label("unique")
                    .secondary(self.format_span(*below), "a singleton stores one coordinate for each entry above")
                    .note("MLIR 22 accepts it, drops entries on conversion and reads past the coordinates")
                    .fix(format!("write `{fixed}`"), self.format_span(*lvl), fixed)
            }
            Remark::NonuniqueAbove { lvl, below } => self.nonunique_above(*lvl, *below, c),
            Remark::ExplicitZero => {
                at(Code::ExplicitZero, "every stored value is promised to be zero".into()).label("this is zero").note(
                    "kernels use the promise instead of the stored values, so every result is that of an empty tensor",
                )
            }
            Remark::SecondSegment { .. } => {
                at(Code::MlirMiscompiles, "MLIR 22 prints two COO segments wrongly".into()).label("the second one")
            }
            Remark::BelowSegment { .. } => {
                at(Code::MlirMiscompiles, "MLIR 22 crashes or scrambles values on a level below a COO segment".into())
                    .label("below a COO segment")
            }
            Remark::TwoBitWidth => at(Code::NotMlir, "not MLIR 22: it wants a crdWidth of 8 here".into())
                .label("coordinates of 2 bits")
                .note("nnz packs four coordinates into a byte"),
            Remark::BeyondMlir { lvl } if self.format(*lvl).is_some_and(LevelFormat::is_mlir) => {
                at(Code::NotMlir, format!("not MLIR 22: it cannot count, as `{}` does", self.level(*lvl)))
                    .label("a count")
            }
            Remark::BeyondMlir { lvl } => {
                at(Code::NotMlir, format!("not MLIR 22: it has no `{}` levels", self.name_of_format(*lvl)))
                    .label("a level format of nnz")
            }
            Remark::Mlir(map) => self.of_mlir_map(map, span, c),
        }
    }

    fn nonunique_above(&self, lvl: Lvl, below: Lvl, c: &Checker<'_>) -> Diagnostic {
        let unique = self.format(lvl).map_or(String::new(), |format| without_nonunique(format).to_string());
        let edit = Edit { file: c.source.id, span: self.format_span(lvl), replacement: unique };
        let message = format!("duplicates of `{}` each get a segment of their own below", self.level(lvl));
        c.diagnostic(Code::NonuniqueAbove, self.format_span(lvl), message)
            .label("may hold a coordinate twice")
            .secondary(self.format_span(below), "this level's segments")
            .note("MLIR 22 stores the entries and loses values on reading back")
            .help("drop `nonunique`, or make the levels below singletons")
            .fix_edits("drop `nonunique`", vec![edit], Applicability::MaybeIncorrect)
    }

    fn of_mlir_map(&self, map: &MlirMap, span: Span, c: &Checker<'_>) -> Diagnostic {
        let (code, message, label) = match map {
            MlirMap::Same | MlirMap::Refused => {
                (Code::NotMlir, "not MLIR 22: it cannot invert this map", "inverted by nnz alone")
            }
            MlirMap::RefusedInverse(_) => {
                (Code::NotMlir, "not MLIR 22: it wants this inverse in another form", "of a form that nnz takes")
            }
            MlirMap::WrongInverse => {
                let message = "MLIR 22 infers a wrong inverse for this map, or crashes";
                (Code::MlirMiscompiles, message, "its inverse is wrong in MLIR 22")
            }
            MlirMap::Symbols => {
                let message = "MLIR 22 verifies maps with symbols and crashes when it converts";
                (Code::MlirMiscompiles, message, "a map with symbols")
            }
        };
        c.diagnostic(code, span, message).label(label)
    }
}

fn without_nonunique(format: LevelFormat) -> LevelFormat {
    format.with_props(Props { nonunique: false, ..format.props() })
}

fn with_nonunique(format: LevelFormat) -> LevelFormat {
    format.with_props(Props { nonunique: true, ..format.props() })
}
