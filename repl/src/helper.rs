//! What the line editor asks while the user types: is it finished, what could follow, how does it look.

use std::borrow::Cow;

use nnz_core::{
    session::{Command, Completeness, DefinitionInfo, DefinitionKind, View, is_complete},
    view::{
        Role,
        highlight::{FORMATS, roles},
        markup::display_width,
    },
};
use rustyline::{
    Context, Helper,
    completion::{Completer, Pair},
    highlight::{CmdKind, Highlighter},
    hint::Hinter,
    validate::{ValidationContext, ValidationResult, Validator},
};

use crate::{ansi::paint, terminal::Color};

pub(crate) struct SessionHelper {
    color: Color,
    definitions: Vec<DefinitionInfo>,
}

impl SessionHelper {
    pub(crate) fn new(color: Color) -> Self {
        Self { color, definitions: Vec::new() }
    }
    pub(crate) fn set_definitions(&mut self, definitions: Vec<DefinitionInfo>) {
        self.definitions = definitions;
    }
}

impl Helper for SessionHelper {}

impl Validator for SessionHelper {
    /// An unfinished statement goes on in a new line; an empty line ends it all the same, so that
    /// nobody is caught in it.
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        Ok(match is_complete(text) {
            Completeness::Incomplete if !text.ends_with('\n') => ValidationResult::Incomplete,
            _ => ValidationResult::Valid(None),
        })
    }
}

impl Highlighter for SessionHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        match self.color {
            Color::Off => Cow::Borrowed(line),
            Color::On => roles(line).into_iter().map(|(role, range)| paint(role, &line[range], Color::On)).collect(),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(paint(Role::Absent, hint, self.color))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.color == Color::On && kind != CmdKind::MoveCursor
    }
}

impl Hinter for SessionHelper {
    type Hint = String;

    /// The arguments of a command whose name stands alone.
    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<String> {
        let name = line.strip_prefix(':').filter(|_| position == line.len())?;
        let info = Command::info(name.trim_end())?;
        let gap = if name.ends_with(' ') { "" } else { " " };
        (!info.args.is_empty()).then(|| format!("{gap}{}", info.args))
    }
}

impl Completer for SessionHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..position];
        let start = before
            .rfind(|c: char| !is_word(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        let mut found: Vec<Candidate> =
            self.candidates(&before[..start]).into_iter().filter(|c| c.text.starts_with(word)).collect();
        found.sort_by(|a, b| a.text.cmp(&b.text));
        found.dedup_by(|a, b| a.text == b.text);
        Ok((start, pairs(found)))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '#' | '@' | '!' | '.')
}

/// One thing that could be meant.
struct Candidate {
    text: String,
    detail: String,
}

impl Candidate {
    fn new(text: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { text: text.into(), detail: detail.into() }
    }
}

impl SessionHelper {
    /// What can stand behind `before`, the statement's text up to the word.
    fn candidates(&self, before: &str) -> Vec<Candidate> {
        let statement = before.rsplit(['\n', ';']).next().unwrap_or(before).trim_start();
        let words: Vec<&str> = statement.split_whitespace().collect();
        match words.as_slice() {
            [":"] if !before.ends_with(' ') => commands(),
            [":help"] => commands(),
            [":show"] => View::ALL.iter().map(|view| Candidate::new(view.name(), view.summary())).collect(),
            [":explain"] => {
                nnz_core::diagnostic::Code::ALL.iter().map(|code| Candidate::new(code.text(), code.title())).collect()
            }
            [first, ..] if first.starts_with(':') => self.names(),
            _ => self.names().into_iter().chain(words_of_types(before)).collect(),
        }
    }

    fn names(&self) -> Vec<Candidate> {
        let detail = |info: &DefinitionInfo| match info.kind {
            DefinitionKind::Encoding => format!("encoding {}", info.type_text),
            DefinitionKind::Tensor | DefinitionKind::Scalar => info.type_text.clone(),
        };
        self.definitions.iter().map(|info| Candidate::new(&info.name, detail(info))).collect()
    }
}

fn commands() -> Vec<Candidate> {
    Command::ALL.iter().map(|info| Candidate::new(info.name, info.summary)).collect()
}

/// Formats, level formats, properties, element types: inside the brackets of an encoding the words of
/// its grammar, elsewhere those of types.
fn words_of_types(before: &str) -> Vec<Candidate> {
    const LEVELS: &[(&str, &str)] = &[
        ("dense", "every coordinate; stores nothing"),
        ("compressed", "a segment of coordinates, found by positions"),
        ("loose_compressed", "a segment with a start and an end of its own"),
        ("singleton", "one coordinate for each of the level above"),
        ("structured", "n of every m coordinates: structured[2, 4]"),
        ("batch", "every coordinate; splits all arrays in equal parts"),
    ];
    const PROPERTIES: &[(&str, &str)] = &[
        ("nonunique", "coordinates may repeat"),
        ("nonordered", "coordinates may come in any order"),
        ("soa", "singleton: one array for each level"),
    ];
    const KEYS: &[(&str, &str)] = &[
        ("map", "dimensions to levels: (i, j) -> (i : dense, j : compressed)"),
        ("posWidth", "bits of a position: 0, 8, 16, 32, 64"),
        ("crdWidth", "bits of a coordinate: 0, 8, 16, 32, 64"),
        ("explicitVal", "the value of every stored entry"),
        ("implicitVal", "the value of every absent entry"),
    ];
    let of = |rows: &[(&str, &str)]| -> Vec<Candidate> {
        rows.iter().map(|(text, detail)| Candidate::new(*text, *detail)).collect()
    };
    let in_encoding = before.rfind("encoding<").is_some_and(|at| !before[at..].contains("}>"));
    if in_encoding {
        return [LEVELS, PROPERTIES, KEYS].into_iter().flat_map(of).collect();
    }
    let formats = FORMATS.iter().map(|name| Candidate::new(*name, "format"));
    let elements = nnz_core::element::Element::ALL.iter().map(|element| Candidate::new(element.name(), "element type"));
    formats.chain(elements).chain(of(&[("tensor", "tensor<3x4xf64, CSR>"), ("read", "read \"FILE\"")])).collect()
}

/// Candidates with their descriptions in a column of their own.
fn pairs(found: Vec<Candidate>) -> Vec<Pair> {
    let width = found.iter().map(|candidate| display_width(&candidate.text)).max().unwrap_or(0);
    let pair = |candidate: Candidate| {
        let pad = " ".repeat(width - display_width(&candidate.text));
        Pair { display: format!("{}{pad}  {}", candidate.text, candidate.detail), replacement: candidate.text }
    };
    found.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustyline::history::DefaultHistory;

    fn complete(line: &str) -> Vec<String> {
        let mut helper = SessionHelper::new(Color::Off);
        let type_text = "tensor<3x4xf64, #CSR>".to_owned();
        helper.set_definitions(vec![DefinitionInfo { name: "Alpha".into(), kind: DefinitionKind::Tensor, type_text }]);
        let history = DefaultHistory::new();
        let (_, pairs) = helper.complete(line, line.len(), &Context::new(&history)).unwrap();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn completion_knows_commands_views_and_names() {
        assert_eq!(complete(":he"), ["help"]);
        assert_eq!(complete("x; :sho"), ["show"]);
        assert_eq!(complete(":show tr"), ["tree"]);
        assert_eq!(complete(":show tree Al"), ["Alpha"]);
        assert_eq!(complete("y(i) = Al"), ["Alpha"]);
        assert_eq!(complete("A : DCS"), ["DCSC", "DCSR"]);
        assert_eq!(complete("#A = #sparse_tensor.encoding<{ map = (i) -> (i : comp"), ["compressed"]);
        assert_eq!(complete(":explain E000"), ["E0001"]);
    }

    #[test]
    fn descriptions_stand_in_a_column() {
        let found = vec![Candidate::new("a", "one"), Candidate::new("long", "two")];
        let displayed: Vec<String> = pairs(found).into_iter().map(|pair| pair.display).collect();
        assert_eq!(displayed, ["a     one", "long  two"]);
    }

    #[test]
    fn highlighting_keeps_the_text() {
        let helper = SessionHelper::new(Color::On);
        let text = "A : tensor<3x4xf64, CSR> =\n  read \"é.mtx\" // x";
        let shown = helper.highlight(text, 0);
        let mut plain = String::new();
        let mut escape = false;
        for c in shown.chars() {
            match c {
                '\u{1b}' => escape = true,
                'm' if escape => escape = false,
                c if !escape => plain.push(c),
                _ => {}
            }
        }
        assert_eq!(plain, text);
        assert!(shown.len() > text.len());
    }

    #[test]
    fn a_command_hints_its_arguments() {
        let helper = SessionHelper::new(Color::Off);
        let history = DefaultHistory::new();
        let hint = |line: &str| helper.hint(line, line.len(), &Context::new(&history));
        assert_eq!(hint(":show").as_deref(), Some(" VIEW NAME"));
        assert_eq!(hint(":show ").as_deref(), Some("VIEW NAME"));
        assert_eq!(hint(":vars"), None);
        assert_eq!(hint("x"), None);
    }
}
