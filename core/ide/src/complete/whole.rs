//! Whole encodings: the names that the text knows, and the well-known formats written out.

use nnz_check::Grammar;
use nnz_encoding::{
    Encoding,
    named::{self, FormatName},
};
use nnz_syntax::TokenKind;

use super::{Completion, CompletionKind, Known, cursor::Cursor};
use crate::words;

impl Cursor {
    /// Behind `#CSR = ` at the beginning of a line.
    pub(super) fn defines_alias(&self) -> bool {
        let on_line = self.before.partition_point(|token| token.span.end <= self.line_start);
        matches!(&self.before[on_line..], [name, equals]
            if name.kind == TokenKind::HashId && equals.kind == TokenKind::Eq)
    }

    pub(super) fn aliases(&self, known: &Known<'_>) -> Vec<Completion> {
        let alias = |(name, encoding)| self.item(name, &words::map_text(encoding), CompletionKind::Encoding);
        known.encodings().take(super::MOST).map(alias).collect()
    }

    /// In the brackets of a tensor type.
    pub(super) fn encodings_of_type(&self, known: &Known<'_>) -> Vec<Completion> {
        let aliases = self.aliases(known).into_iter();
        match known.checked.grammar {
            Grammar::Notation => aliases.chain(self.formats()).collect(),
            Grammar::Mlir => aliases.chain(self.whole_encodings(known)).collect(),
        }
    }

    /// Names of formats, with their arguments.
    pub(super) fn formats(&self) -> impl Iterator<Item = Completion> {
        named::FORMATS.iter().map(|format| {
            let item = self.item(format.name, format.meaning, CompletionKind::Encoding);
            let numbers: Vec<(&str, u64)> = needed(format).collect();
            if numbers.is_empty() {
                return item;
            }
            let list = |text: &dyn Fn(&(&str, u64)) -> String| {
                let all: Vec<String> = numbers.iter().map(text).collect();
                format!("{}({})", format.name, all.join(", "))
            };
            let plain = list(&|(_, number)| number.to_string());
            item.inserting(plain).with(&list(&|(name, number)| format!("‹{name}|{number}›")))
        })
    }

    /// The formats as encodings that the language has.
    pub(super) fn whole_encodings(&self, known: &Known<'_>) -> Vec<Completion> {
        let written = |encoding: &Encoding| format!("#sparse_tensor.encoding<{{ map = {} }}>", encoding.map_text());
        let formats = self.written(known, &written);
        // What is typed may be the name of the format, or the beginning of its text.
        formats.map(|item| Completion { filter: format!("#{}", item.label), ..item }).collect()
    }

    /// Behind `#X = `: encodings; in programs, then those that only nnz stores, maps and traits.
    pub(super) fn values_of_alias(&self, known: &Known<'_>) -> Vec<Completion> {
        let mut items = self.whole_encodings(known);
        if known.checked.grammar == Grammar::Mlir {
            items.extend(BEYOND.iter().map(|(name, map, detail)| {
                let item = self.item(name, detail, CompletionKind::Encoding);
                let text = format!("#sparse_tensor.encoding<{{ map = {map} }}>");
                Completion { filter: format!("#{name}"), ..item.inserting(text) }
            }));
            items.extend(self.kernel_attributes());
        }
        items
    }

    /// The formats as maps.
    pub(super) fn maps(&self, known: &Known<'_>) -> Vec<Completion> {
        self.written(known, &Encoding::map_text).collect()
    }

    fn written(&self, known: &Known<'_>, text: &dyn Fn(&Encoding) -> String) -> impl Iterator<Item = Completion> {
        let mlir = known.checked.grammar == Grammar::Mlir;
        named::FORMATS.iter().filter_map(move |format| {
            let encoding = named::lookup(format.name, &numbers(format), None).ok()?;
            if mlir && encoding.beyond_mlir().is_some() {
                return None;
            }
            let item = self.item(format.name, format.meaning, CompletionKind::Encoding).inserting(text(&encoding));
            Some(match marked(format, text) {
                Some(marked) => item.with(&marked),
                None => item,
            })
        })
    }
}

/// Formats that MLIR can write, and does not store.
const BEYOND: &[(&str, &str, &str)] = &[
    (
        "ELL",
        "[s](i, j) -> (i * (s * 4) : dense, i : dense, j : compressed)",
        "rows padded to the longest; MLIR 22 crashes when it converts",
    ),
    (
        "DIA",
        "(i, j) -> (j - i : compressed, i : dense)",
        "the diagonals that hold entries; MLIR 22 refuses it, and nnz stores it",
    ),
];

/// The arguments that a format must have, each with a usual number.
fn needed(format: &FormatName) -> impl Iterator<Item = (&'static str, u64)> {
    let usual = |name: &'static str| match name {
        "m" => (name, 4),
        "bits" => (name, 8),
        _ => (name, 2),
    };
    format.arguments.iter().filter(|name| !name.ends_with('?')).map(move |name| usual(name))
}

fn numbers(format: &FormatName) -> Vec<u64> {
    needed(format).map(|(_, number)| number).collect()
}

/// The text with a place for each argument, found by numbers that no text has otherwise.
fn marked(format: &FormatName, text: &dyn Fn(&Encoding) -> String) -> Option<String> {
    const FIRST: u64 = 7001;
    let rare: Vec<u64> = (FIRST..).take(needed(format).count()).collect();
    let encoding = named::lookup(format.name, &rare, None).ok().filter(|_| !rare.is_empty())?;
    let mut text = text(&encoding);
    for (rare, (name, usual)) in rare.iter().zip(needed(format)) {
        text = text.replace(&rare.to_string(), &format!("‹{name}|{usual}›"));
    }
    Some(text)
}
