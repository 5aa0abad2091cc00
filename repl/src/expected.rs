//! `nnz check --expected`: compares the errors that a file's comments expect, as in MLIR's own tests, with those
//! that nnz reports.
//!
//! `// expected-error@+1 {{text}}` expects an error one line below whose message holds `text`; `@-1`, `@above` and
//! `@below` (the nearest line without such a comment) are other places, `@unknown` is any place; `-warning`, `-remark`
//! and `-note` expect warnings, hints, and notes of a diagnostic. In `expected-error-re` the text may have regular
//! expressions between `{{` and `}}`. The check fails on unexpected errors and warnings, and on expected ones that do
//! not occur.

use nnz_core::{
    diagnostic::{Code, Diagnostic, Severity},
    source::Source,
};
use regex_lite::Regex;

/// The expectation, and the line that has it (counted from 1).
struct Expectation {
    by: usize,
    kind: Kind,
    /// The line that it is about, from 1; `None` where any will do.
    line: Option<usize>,
    text: Text,
    met: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Error,
    Warning,
    Remark,
    Note,
}

impl Kind {
    const ALL: [(&str, Kind); 4] =
        [("error", Kind::Error), ("warning", Kind::Warning), ("remark", Kind::Remark), ("note", Kind::Note)];

    fn of(severity: Severity) -> Kind {
        match severity {
            Severity::Error => Kind::Error,
            Severity::Warning => Kind::Warning,
            Severity::Information | Severity::Hint => Kind::Remark,
        }
    }
    fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// What a message must hold.
enum Text {
    Part(String),
    Pattern(Box<Regex>, String),
}

impl Text {
    fn is_in(&self, message: &str) -> bool {
        match self {
            Text::Part(part) => message.contains(part.as_str()),
            Text::Pattern(pattern, _) => pattern.is_match(message),
        }
    }
    fn written(&self) -> &str {
        match self {
            Text::Part(text) | Text::Pattern(_, text) => text,
        }
    }
}

/// A difference.
pub(crate) struct Disagreement {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Compares the findings with the expectations in the comments of `source`.
pub(crate) fn verify(source: &Source, found: &[Diagnostic]) -> Vec<Disagreement> {
    let (mut expected, mut wrong) = expectations(&source.text);
    for diagnostic in found {
        let line = line_of(source, diagnostic.primary.span.start);
        let kind = Kind::of(diagnostic.severity());
        // What nnz does not run is an error when it is run, and a hint here: a file may say either.
        let met = diagnostic.code == Code::NotRun && meet(&mut expected, Kind::Error, line, &diagnostic.message);
        if !met && !meet(&mut expected, kind, line, &diagnostic.message) && kind != Kind::Remark {
            wrong.push(Disagreement {
                line,
                message: format!("{} that nobody expects: {}", kind.name(), diagnostic.message),
            });
        }
        for label in &diagnostic.secondary {
            meet(&mut expected, Kind::Note, line_of(source, label.span.start), &label.message);
        }
        for note in diagnostic.notes.iter().chain(&diagnostic.helps) {
            meet(&mut expected, Kind::Note, line, note);
        }
    }
    let missing = expected.into_iter().filter(|expectation| !expectation.met);
    wrong.extend(missing.map(|e| {
        let place = e.line.map_or("anywhere".to_string(), |line| format!("on line {line}"));
        Disagreement { line: e.by, message: format!("no {} {place} says `{}`", e.kind.name(), e.text.written()) }
    }));
    wrong.sort_by_key(|disagreement| disagreement.line);
    wrong
}

fn line_of(source: &Source, offset: u32) -> usize {
    source.line_col(offset as usize).line as usize + 1
}

/// Whether a diagnostic was expected; each expectation is met once.
fn meet(expected: &mut [Expectation], kind: Kind, line: usize, message: &str) -> bool {
    let fits = |e: &&mut Expectation| {
        !e.met && e.kind == kind && e.line.is_none_or(|wanted| wanted == line) && e.text.is_in(message)
    };
    match expected.iter_mut().find(fits) {
        Some(expectation) => {
            expectation.met = true;
            true
        }
        None => false,
    }
}

/// The expectations of a text, and those that cannot be read.
fn expectations(text: &str) -> (Vec<Expectation>, Vec<Disagreement>) {
    let (mut expected, mut wrong) = (Vec::new(), Vec::new());
    // Those that wait for the next line without a comment.
    let (mut waiting, mut last_plain): (Vec<usize>, usize) = (Vec::new(), 0);
    for (at, line) in text.lines().enumerate() {
        let by = at + 1;
        let Some(comment) = line.split_once("//").map(|(_, comment)| comment).filter(|comment| announces(comment))
        else {
            waiting.drain(..).for_each(|at: usize| expected_line(&mut expected, at, by));
            last_plain = by;
            continue;
        };
        match read(comment, by) {
            Ok((kind, place, text)) => {
                let line = match place {
                    Where::Offset(offset) => Some(by.saturating_add_signed(offset)),
                    Where::Above => Some(last_plain),
                    Where::Below | Where::Anywhere => None,
                };
                if place == Where::Below {
                    waiting.push(expected.len());
                }
                expected.push(Expectation { by, kind, line, text, met: false });
            }
            Err(message) => wrong.push(Disagreement { line: by, message }),
        }
    }
    // Below the last line there is nothing.
    waiting.into_iter().for_each(|at| expected_line(&mut expected, at, usize::MAX));
    (expected, wrong)
}

fn expected_line(expected: &mut [Expectation], at: usize, line: usize) {
    if let Some(expectation) = expected.get_mut(at) {
        expectation.line = Some(line);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Lines from the comment's own.
    Offset(isize),
    Above,
    Below,
    Anywhere,
}

/// Whether a comment expects something.
fn announces(comment: &str) -> bool {
    let kinds = comment.split("expected-").skip(1);
    kinds.into_iter().any(|rest| Kind::ALL.iter().any(|(name, _)| rest.starts_with(name)))
}

/// `expected-error-re@+1 {{text}}`
fn read(comment: &str, by: usize) -> Result<(Kind, Where, Text), String> {
    let unclear = || format!("line {by} expects something in words that are unclear: `expected-error@+1 {{{{text}}}}`");
    let (_, rest) = comment.split_once("expected-").ok_or_else(unclear)?;
    let (name, kind) = Kind::ALL.into_iter().find(|(name, _)| rest.starts_with(name)).ok_or_else(unclear)?;
    let rest = &rest[name.len()..];
    let (is_pattern, rest) = rest.strip_prefix("-re").map_or((false, rest), |rest| (true, rest));
    let (head, body) = rest.split_once("{{").ok_or_else(unclear)?;
    let text = body.trim_end().strip_suffix("}}").ok_or_else(unclear)?;
    let place = match head.trim() {
        "" => Where::Offset(0),
        "@above" => Where::Above,
        "@below" => Where::Below,
        "@unknown" => Where::Anywhere,
        other => Where::Offset(other.strip_prefix('@').and_then(|lines| lines.parse().ok()).ok_or_else(unclear)?),
    };
    let text = if is_pattern { pattern(text)? } else { Text::Part(text.to_string()) };
    Ok((kind, place, text))
}

/// A text with regular expressions in `{{` and `}}`.
fn pattern(text: &str) -> Result<Text, String> {
    let mut whole = String::new();
    for (at, part) in text.split("{{").enumerate() {
        let (inner, literal) = if at == 0 { ("", part) } else { part.split_once("}}").unwrap_or((part, "")) };
        if !inner.is_empty() {
            whole += &format!("(?:{inner})");
        }
        whole += &regex_lite::escape(literal);
    }
    let found = Regex::new(&whole).map_err(|error| format!("`{text}` is no regular expression: {error}"))?;
    Ok(Text::Pattern(Box::new(found), text.to_string()))
}

#[cfg(test)]
mod tests {
    use nnz_core::{ids::FileId, source::Span};

    use super::*;

    /// What does not agree where an error says "a wrong word" on each line that holds `WRONG`.
    fn told(text: &str) -> Vec<String> {
        let source = Source::new(FileId(0), "f.mlir", text);
        let places = text.match_indices("WRONG").map(|(at, _)| Span::new(at, at + 5));
        let found: Vec<Diagnostic> = places
            .map(|span| Diagnostic::new(Code::SyntaxError, FileId(0), span, "a wrong word (7)").help("write it right"))
            .collect();
        verify(&source, &found).into_iter().map(|d| format!("{}: {}", d.line, d.message)).collect()
    }

    #[test]
    fn places_are_lines_from_the_comment() {
        for text in [
            "WRONG // expected-error {{wrong word}}",
            "// expected-error@+1 {{wrong word}}\nWRONG",
            "// expected-error @+2 {{wrong}}\n\nWRONG",
            "WRONG\n// expected-error@-1 {{wrong word}}",
            "WRONG\n// expected-error@above {{word}}\n// expected-note@above {{write it}}",
            "// expected-error@below {{wrong}}\n// expected-note@below {{right}}\nWRONG",
            "// expected-error@unknown {{wrong}}\n\n\nWRONG",
            "WRONG WRONG // expected-error {{wrong}}\n// expected-error@-1 {{wrong}}",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn patterns_stand_in_braces_within_the_text() {
        assert!(told("WRONG // expected-error-re {{word ({{[0-9]+}})}}").is_empty());
        assert_eq!(told("WRONG // expected-error {{word ({{[0-9]+}})}}").len(), 2);
        assert_eq!(told("WRONG // expected-error-re {{word ({{[0-9}})}}").len(), 2);
    }

    #[test]
    fn what_does_not_agree_is_told() {
        assert_eq!(told("\nWRONG"), ["2: error that nobody expects: a wrong word (7)"]);
        assert_eq!(told("// expected-error@+1 {{wrong}}\n"), ["1: no error on line 2 says `wrong`"]);
        let other = ["1: error that nobody expects: a wrong word (7)", "1: no error on line 1 says `right`"];
        assert_eq!(told("WRONG // expected-error {{right}}"), other);
        assert_eq!(told("WRONG // expected-warning {{wrong}}").len(), 2);
        assert_eq!(told("WRONG WRONG // expected-error {{wrong}}").len(), 1);
        assert_eq!(told("// expected-error@next {{wrong}}").len(), 1);
        assert_eq!(told("// expected-error wrong").len(), 1);
    }
}
