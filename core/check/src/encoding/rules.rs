//! Reports the verifier's findings in the words of the user's text, at their places.

mod inverse;
mod remarks;
mod slips;

use std::sync::Arc;

use super::{Checker, Places};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::{Dim, Lvl},
    source::Span,
};
use nnz_encoding::{
    Affine, Encoding, EncodingError, EncodingPart, EncodingParts, Layout, LevelFormat, MAX_LEVELS, MAX_RANK,
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

/// The encoding. Errors are reported, and remarks on a legal encoding, too.
pub(super) fn verified(parts: EncodingParts, places: &Places, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    let words = Words { parts: &parts.clone(), places };
    match Encoding::new(parts) {
        Ok(encoding) => {
            encoding.remarks().iter().for_each(|remark| c.report(words.of_remark(remark, c)));
            Some(Arc::new(encoding))
        }
        Err(errors) => {
            let mut errors = errors;
            let slips = words.slips(&mut errors, c);
            slips.into_iter().for_each(|slip| c.report(slip));
            errors.iter().for_each(|error| c.report(words.of_error(error, c)));
            // Without that value the types that use it are checked as well.
            let told = matches!(errors.as_slice(), [EncodingError::ImplicitNonzero]);
            let mended = EncodingParts { implicit_val: None, ..words.parts.clone() };
            told.then(|| Encoding::new(mended).ok().map(Arc::new)).flatten()
        }
    }
}

pub(super) fn report_no_map(node: NodeRef<'_>, places: &Places, c: &mut Checker<'_>) {
    let has_error = node.tree().has_error_in(node.span());
    if has_error {
        return;
    }
    let diagnostic = c.diagnostic(Code::NoMap, places.whole, "an encoding needs a map").label("without `map = ...`");
    let at = node.token(TokenKind::LBrace).map_or(places.whole.start, |brace| brace.span().end) as usize;
    let entries = node.child(NodeKind::Entry).is_some();
    let text = format!(" map = (i, j) -> (i : dense, j : compressed){}", if entries { "," } else { " " });
    c.report(diagnostic.help("for a matrix in CSR: `map = (i, j) -> (i : dense, j : compressed)`").fix_edits(
        "insert the map of CSR",
        vec![nnz_base::diagnostic::Edit { file: c.source.id, span: Span::at(at), replacement: text }],
        nnz_base::diagnostic::Applicability::MaybeIncorrect,
    ));
}

const PADDED_ROWS: &str = "rows padded to the longest: `(i, j) -> (#i : dense, i : dense, j : singleton)`";

/// Names and places of one encoding.
struct Words<'a> {
    parts: &'a EncodingParts,
    places: &'a Places,
}

impl Words<'_> {
    fn dim(&self, dim: Dim) -> String {
        self.parts.dims.get(dim.index()).map_or_else(|| dim.to_string(), |dim| dim.name.clone())
    }
    fn expr(&self, expr: &Affine<Dim>) -> String {
        expr.print(&|dim| self.dim(dim), &|sym| nnz_encoding::symbol_name(&self.parts.symbols, sym))
    }
    /// A level by its expression: `i floordiv 2`.
    fn level(&self, lvl: Lvl) -> String {
        self.parts.levels.get(lvl.index()).map_or_else(|| lvl.to_string(), |level| self.expr(&level.expr))
    }
    fn format(&self, lvl: Lvl) -> Option<LevelFormat> {
        self.parts.levels.get(lvl.index()).map(|level| level.format)
    }
    fn inverse(&self, expr: &Affine<Lvl>) -> String {
        let name = |lvl: Lvl| self.parts.levels.get(lvl.index()).and_then(|level| level.name.clone());
        expr.print(&|lvl| name(lvl).unwrap_or_else(|| lvl.to_string()), &|sym| sym.to_string())
    }

    fn span(&self, place: EncodingPart) -> Span {
        let dim = |dim: Dim| self.places.dims.get(dim.index());
        let level = |lvl: Lvl| self.places.levels.get(lvl.index());
        let found = match place {
            EncodingPart::Map => None,
            EncodingPart::Dim(d) => dim(d).map(|places| places.name),
            EncodingPart::Slice(d) => dim(d).and_then(|places| places.slice.or(Some(places.name))),
            EncodingPart::Inverse(d) => dim(d).and_then(|places| places.inverse.or(Some(places.name))),
            EncodingPart::Lvl(l) => level(l).map(|places| places.whole),
            EncodingPart::LvlExpr(l) => level(l).map(|places| places.expr),
            EncodingPart::LvlFormat(l) => level(l).map(|places| places.format),
            EncodingPart::PosWidth => self.places.pos_width,
            EncodingPart::CrdWidth => self.places.crd_width,
            EncodingPart::ExplicitVal => self.places.explicit_val,
            EncodingPart::ImplicitVal => self.places.implicit_val,
        };
        found.unwrap_or(self.places.map)
    }
    fn format_span(&self, lvl: Lvl) -> Span {
        self.span(EncodingPart::LvlFormat(lvl))
    }

    fn of_error(&self, error: &EncodingError, c: &Checker<'_>) -> Diagnostic {
        let at = |code, message: String| c.diagnostic(code, self.span(error.place()), message);
        match error {
            EncodingError::NoLevels => {
                at(Code::NoMap, "the map has no levels, so nothing would be stored".into()).label("no levels")
            }
            EncodingError::TooManyDims { dims } => {
                at(Code::TooLarge, format!("{dims} dimensions: an encoding has at most {MAX_RANK}"))
                    .label(format!("more than {MAX_RANK} dimensions"))
            }
            EncodingError::TooManyLevels { levels } => {
                at(Code::TooLarge, format!("{levels} levels: an encoding has at most {MAX_LEVELS}"))
                    .label(format!("more than {MAX_LEVELS} levels"))
            }
            EncodingError::SingletonWithoutParent { lvl } => self.singleton_alone(*lvl, c),
            EncodingError::MixedLayouts { lvl, first } => self.mixed_layouts(*lvl, *first, c),
            EncodingError::BatchNotLeading { lvl, above } => {
                at(Code::BatchNotLeading, "batch levels come first".into())
                    .label(format!("below a {} level", self.name_of_format(*above)))
                    .secondary(
                        self.format_span(*above),
                        format!("this {} level is above it", self.name_of_format(*above)),
                    )
                    .help(format!("move the level of `{}` up, or make it dense", self.level(*lvl)))
                    .fix("make it dense", self.format_span(*lvl), "dense")
            }
            EncodingError::StructuredNotLast { lvl } => {
                at(Code::StructuredPlace, "a structured level is the innermost one".into())
                    .label("levels stand below this one")
                    .help(format!("move the level of `{}` to the end", self.level(*lvl)))
            }
            EncodingError::StructuredBelow { lvl, above } => {
                at(Code::StructuredPlace, "all levels above a structured one are dense".into())
                    .label(format!("a {} level", self.name_of_format(*above)))
                    .secondary(self.format_span(*lvl), "the structured level")
                    .fix("make that level dense", self.format_span(*above), "dense")
            }
            EncodingError::StructuredNotBlocked { lvl, block } => self.not_blocked(*lvl, block.n(), block.m(), c),
            EncodingError::StructuredOtherBlock { lvl, block, .. } => {
                let (n, m) = (block.n(), block.m());
                at(Code::StructuredPlace, format!("with `structured[{n}, {m}]` every block is of {m}"))
                    .label("blocks of another size")
                    .secondary(self.format_span(*lvl), "the structured level")
                    .help(format!("block this dimension by {m}, or not at all"))
            }
            EncodingError::CountFormat { lvl } => at(
                Code::CountFormat,
                format!("a level that counts is `dense` or `compressed`, not `{}`", self.text_of_format(*lvl)),
            )
            .label("does not count")
            .help(PADDED_ROWS)
            .fix("make it dense", self.format_span(*lvl), "dense"),
            EncodingError::RunLengthNotLast { lvl } => {
                at(Code::RunLengthPlace, "a run-length level is the innermost one".into())
                    .label("levels stand below this one")
                    .note("a run is of equal values, and only the innermost level has values below it")
                    .help(format!("move the level of `{}` to the end, or make it dense", self.level(*lvl)))
                    .fix("make it dense", self.format_span(*lvl), "dense")
            }
            EncodingError::RangeAlone { lvl } => self.range_alone(*lvl, c),
            EncodingError::TwoBitWidth { structured: None } => {
                at(Code::BadWidth, "2 bits hold the coordinates of a structured level, and there is none".into())
                    .label("no level is structured")
                    .fix("use 8 bits", self.span(EncodingPart::CrdWidth), "8")
            }
            EncodingError::TwoBitWidth { structured: Some(block) } => {
                at(Code::BadWidth, format!("2 bits hold coordinates up to 3, and the block has {}", block.m()))
                    .label(format!("too few for a block of {}", block.m()))
                    .fix("use 8 bits", self.span(EncodingPart::CrdWidth), "8")
            }
            EncodingError::TwoBitPositions => at(Code::BadWidth, "posWidth cannot be 2".into())
                .label("2 bits are for coordinates alone")
                .help("widths: `8`, `16`, `32`, `64`, or `0` for `index`")
                .fix("use 8 bits", self.span(EncodingPart::PosWidth), "8"),
            EncodingError::EmptySlice { .. } => {
                at(Code::BadSlice, "the size of a slice is at least 1, or `?`".into()).label("of size 0")
            }
            EncodingError::ZeroStride { .. } => {
                at(Code::BadSlice, "the stride of a slice is at least 1, or `?`".into()).label("of stride 0")
            }
            EncodingError::SliceOfBlock { .. } => {
                at(Code::BadSlice, "a slice needs as many levels as dimensions: blocks cannot be sliced".into())
                    .label("of a dimension in blocks")
            }
            EncodingError::ImplicitNonzero => at(Code::ImplicitNonzero, "entries that are not stored are zero".into())
                .label("not zero")
                .help("use `explicitVal` to promise the value of those that are stored")
                .note("another implicit value would have to be visited by every kernel"),
            EncodingError::NoInverse(reason) => self.of_no_inverse(reason, c),
            EncodingError::WrongInverse { dim, right } => self.wrong_inverse(*dim, right.as_ref(), c),
        }
    }

    fn name_of_format(&self, lvl: Lvl) -> &'static str {
        self.format(lvl).map_or("", LevelFormat::name)
    }

    fn text_of_format(&self, lvl: Lvl) -> String {
        self.format(lvl).map_or(String::new(), |format| format.to_string())
    }

    fn singleton_alone(&self, lvl: Lvl, c: &Checker<'_>) -> Diagnostic {
        let message = "a singleton level needs a compressed level above it";
        let diagnostic = c.diagnostic(Code::SingletonParent, self.format_span(lvl), message).label("no entries above");
        let note = "a singleton stores one coordinate for each entry of its parent, and only `compressed`, \
                    `loose_compressed` and `singleton` levels have entries";
        let Some(above) = lvl.index().checked_sub(1).map(Lvl::new) else {
            let structured = self.parts.levels.iter().any(|level| level.format.block().is_some());
            let format = if structured { "dense" } else { "compressed" };
            return diagnostic.note(note).fix(format!("make it {format}"), self.format_span(lvl), format);
        };
        let diagnostic =
            diagnostic.secondary(self.format_span(above), format!("the level above is {}", self.name_of_format(above)));
        if self.counts(above) {
            let diagnostic = diagnostic.note(note);
            return match self.meant_count(above, lvl) {
                Some(count) => diagnostic.guess(self.span(EncodingPart::LvlExpr(above)), count),
                None => diagnostic.help(PADDED_ROWS),
            };
        }
        diagnostic.note(note).fix(
            "make the level above `compressed(nonunique)`",
            self.format_span(above),
            "compressed(nonunique)",
        )
    }

    /// Whether a level is `#i`.
    fn counts(&self, lvl: Lvl) -> bool {
        self.parts.levels.get(lvl.index()).is_some_and(|level| level.expr.has_symbol())
    }

    /// `#i` for the `#j` of `(i : dense, #j : dense, j : singleton)`: what is counted is stored above, not below.
    fn meant_count(&self, count: Lvl, below: Lvl) -> Option<String> {
        let counted = *self.parts.levels.get(count.index())?.expr.vars().first()?;
        let own = self.parts.levels.get(below.index())?.expr.as_var()?;
        let mut stored = self.parts.levels.iter().take(count.index()).rev().filter_map(|level| level.expr.as_var());
        let other = stored.find(|dim| *dim != own)?;
        (counted == own).then(|| format!("#{}", self.dim(other)))
    }

    fn mixed_layouts(&self, lvl: Lvl, first: Lvl, c: &Checker<'_>) -> Diagnostic {
        let message = "all singletons of one run have `soa`, or none of them";
        let diagnostic = c.diagnostic(Code::MixedLayouts, self.format_span(lvl), message);
        let layout = self.format(first).and_then(LevelFormat::layout);
        let fixed = match self.format(lvl).zip(layout) {
            Some((format, layout)) => format.with_layout(layout).to_string(),
            None => "singleton".to_string(),
        };
        let label = if layout == Some(Layout::Soa) { "without `soa`" } else { "with `soa`" };
        diagnostic.label(label).secondary(self.format_span(first), "the first singleton decides").fix(
            format!("write `{fixed}`"),
            self.format_span(lvl),
            fixed,
        )
    }

    fn not_blocked(&self, lvl: Lvl, n: u64, m: u64, c: &Checker<'_>) -> Diagnostic {
        let dim = self.parts.levels.get(lvl.index()).and_then(|level| Some(self.dim(*level.expr.vars().first()?)));
        let dim = dim.as_deref().unwrap_or("d");
        let message = format!(
            "`structured[{n}, {m}]` needs a dimension blocked by {m}: `{dim} floordiv {m}` above, `{dim} mod {m}` here"
        );
        c.diagnostic(Code::StructuredPlace, self.span(EncodingPart::LvlExpr(lvl)), message)
            .label(format!("not blocked by {m}"))
            .help("or give it a whole dimension, of which every place above then keeps as many entries")
    }

    fn range_alone(&self, lvl: Lvl, c: &Checker<'_>) -> Diagnostic {
        let span = self.format_span(lvl);
        let what = self.level(lvl);
        let is_dim = self.parts.levels.get(lvl.index()).is_some_and(|level| level.expr.as_var().is_some());
        let message = if is_dim {
            format!("a range level follows a diagonal, and no level above adds to or subtracts from `{what}`")
        } else {
            format!("a range level runs over a dimension, and `{what}` is none")
        };
        c.diagnostic(Code::RangePlace, span, message)
            .label("follows no diagonal")
            .help("the diagonals of a matrix: `(i, j) -> (j - i : compressed, i : range)`")
            .fix("make it dense", span, "dense")
    }
}
