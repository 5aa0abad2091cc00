//! `textDocument/formatting` and its kin, and `nnz fmt`: blanks and line breaks, and nothing else.
//!
//! The text is taken as tokens with gaps between them, and each gap gets other blanks. Comments are tokens here.
//! Statements keep their lines, since the end of a line may end a statement. Encodings, maps and traits are laid out
//! anew. A statement with a syntax error stays as it is. In an MLIR file only aliases of encodings, maps and traits
//! change.

mod aliases;
mod blanks;
mod columns;
mod edits;
mod matrices;
mod pieces;
mod statements;

use std::ops::Range;

use nnz_base::{diagnostic::Edit, source::Span};
use nnz_check::{Checked, Grammar};
use nnz_syntax::{NodeKind, NodeRef};

use edits::Sheet;

/// How far lines go before an encoding breaks.
const WIDTH: usize = 100;

/// How lines are indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The columns of one step.
    pub step: usize,
    /// With tabs, where `false` means spaces.
    pub tabs: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { step: 2, tabs: false }
    }
}

/// The part of a text that is formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    /// The statements that touch these bytes.
    Range(Range<usize>),
    /// What ended where a line or a brace was just typed.
    Typed(usize),
}

/// What formatting does to a text.
#[derive(Clone, Debug, Default)]
pub struct Formatted {
    /// In order; none overlap.
    pub edits: Vec<Edit>,
    /// The statements that stay as they are, each with its first mistake.
    pub left: Vec<Left>,
}

/// A statement that has a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub span: Span,
    /// Where the mistake is, and what it is.
    pub error: Span,
    pub message: String,
}

/// The edits that format a part of a text; none once `cancelled` says so.
pub fn formatting(checked: &Checked, (style, part): (Style, &Part), cancelled: &dyn Fn() -> bool) -> Formatted {
    let sheet = match checked.grammar {
        Grammar::Notation => statements::sheet(checked, (style, matches!(part, Part::Typed(_))), cancelled),
        Grammar::Mlir => Some(program(checked, style)),
    };
    let edited =
        sheet.and_then(|sheet| Some(Formatted { edits: sheet.edits(checked, part, cancelled)?, left: sheet.left }));
    edited.unwrap_or_default()
}

/// The aliases of encodings, maps and traits of an MLIR file.
fn program(checked: &Checked, style: Style) -> Sheet {
    let mut sheet = Sheet::new(&checked.source.text, style);
    let aliases = checked.tree.root().children_of(NodeKind::AttrAlias);
    for alias in aliases.filter(|alias| is_laid_out(*alias) || is_trait_or_map(*alias)) {
        let span = alias.span();
        let first = checked.tree.errors().partition_point(|error| error.span.end < span.start);
        match checked.tree.errors().get(first).filter(|error| error.span.start <= span.end) {
            Some(error) => sheet.left.push(Left { span, error: error.span, message: error.message.clone() }),
            None => sheet.add_alias(&checked.tree, span),
        }
    }
    sheet
}

/// Whether the value of an alias is an encoding.
fn is_laid_out(alias: NodeRef<'_>) -> bool {
    let value = alias.children().next();
    value.is_some_and(|value| matches!(value.kind(), NodeKind::Encoding | NodeKind::Map))
}

/// Whether the value of an alias is an affine map or a dictionary.
fn is_trait_or_map(alias: NodeRef<'_>) -> bool {
    let value = alias.children().next();
    value.is_some_and(|value| {
        value.kind() == NodeKind::AffineMap || value.kind() == NodeKind::Value && value.text().starts_with('{')
    })
}
