//! A diagnostic is made once, here, as plain data, and rendered at the edges: by ariadne in the
//! terminal, as LSP in the editor, as JSON in rustc's shape for machines.
//!
//! Style: a message is one lower-case line without a full stop, names code in backticks and stands
//! alone; secondary labels say why; notes state facts, helps say what to do.

pub mod code;
pub mod lints;

pub use code::{Code, Tag};
pub use lints::Lints;

use crate::{
    ids::FileId,
    source::{Source, Span},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
    /// Only where the user gives it to a code.
    Information,
    /// Worth knowing, nothing to mend: a hidden cost, an inferred fact.
    Hint,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "information",
            Severity::Hint => "hint",
        }
    }
}

/// A place, and a message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub file: FileId,
    pub span: Span,
    pub message: String,
}

/// A place in a data file, which is not a source: only the line of its text is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataPlace {
    pub file: String,
    /// Counted from 1, as is the column, in characters.
    pub line: u64,
    pub column: u64,
    pub text: String,
    pub message: String,
}

impl DataPlace {
    /// The line at its place in its file, after empty lines.
    pub fn source(&self, id: FileId) -> Source {
        // An empty line has a character to stand under.
        let text = if self.text.is_empty() { " " } else { &self.text };
        Source::new(id, &self.file, "\n".repeat(self.above()) + text)
    }
    /// The word at fault in [`DataPlace::source`].
    pub fn span(&self) -> Span {
        let characters = usize::try_from(self.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = self.text.char_indices().nth(characters).map_or(self.text.len(), |(at, _)| at);
        let word = self.text[start..].split(char::is_whitespace).next().unwrap_or_default();
        Span::new(self.above() + start, self.above() + start + word.len())
    }
    fn above(&self) -> usize {
        usize::try_from(self.line.saturating_sub(1)).unwrap_or(0)
    }
}

/// A place in another text, which the message gives in words; editors link to it.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    pub source: Source,
    pub span: Span,
    pub message: String,
}

impl PartialEq for Elsewhere {
    fn eq(&self, other: &Self) -> bool {
        let of = |one: &Elsewhere| (one.source.name.clone(), one.span);
        of(self) == of(other) && self.message == other.message && self.source.text == other.source.text
    }
}

impl Eq for Elsewhere {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub file: FileId,
    pub span: Span,
    pub replacement: String,
}

/// Whether a fix can be applied without review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicability {
    MachineApplicable,
    MaybeIncorrect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<Edit>,
    pub applicability: Applicability,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    /// The severity that the user wants in place of the code's own.
    wanted: Option<Severity>,
    pub message: String,
    /// The wrong token. Its message may be left to [`Diagnostic::reason`].
    pub primary: Label,
    pub secondary: Vec<Label>,
    pub elsewhere: Vec<Elsewhere>,
    /// The error in a data file that the wrong token names.
    pub data: Option<Box<DataPlace>>,
    pub notes: Vec<String>,
    pub helps: Vec<String>,
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    pub fn new(code: Code, file: FileId, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            wanted: None,
            message: shortened(message.into()),
            primary: Label { file, span, message: String::new() },
            secondary: Vec::new(),
            elsewhere: Vec::new(),
            data: None,
            notes: Vec::new(),
            helps: Vec::new(),
            fixes: Vec::new(),
        }
    }
    /// Every place that it names, including those of its fixes.
    pub fn places_mut(&mut self) -> impl Iterator<Item = (&mut FileId, &mut Span)> {
        let labels = std::iter::once(&mut self.primary).chain(&mut self.secondary);
        let edits = self.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        labels.map(|label| (&mut label.file, &mut label.span)).chain(edits.map(|edit| (&mut edit.file, &mut edit.span)))
    }
    /// Every text that it shows, except those of its fixes.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let labels = std::iter::once(&mut self.primary).chain(&mut self.secondary).map(|label| &mut label.message);
        let fixes = self.fixes.iter_mut().flat_map(|fix| {
            std::iter::once(&mut fix.title).chain(fix.edits.iter_mut().map(|edit| &mut edit.replacement))
        });
        std::iter::once(&mut self.message).chain(labels).chain(&mut self.notes).chain(&mut self.helps).chain(fixes)
    }
    pub fn severity(&self) -> Severity {
        self.wanted.unwrap_or(self.code.severity())
    }
    /// The same with the severity that the user wants.
    pub(crate) fn with_severity(self, severity: Severity) -> Self {
        Self { wanted: Some(severity), ..self }
    }
    /// The reason for the error, in a few words.
    pub fn reason(&self) -> &str {
        match self.message.split_once(", found ") {
            _ if !self.primary.message.is_empty() => &self.primary.message,
            Some((expected, _)) if expected.starts_with("expected ") => expected,
            _ => self.code.title(),
        }
    }
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
    /// Whether it repeats what `other` says about a place. Of several diagnostics at one place the first is enough,
    /// except that costs are independent of each other.
    pub fn repeats(&self, other: &Diagnostic) -> bool {
        let costs = self.code.is_cost() && other.code.is_cost();
        self.primary.span.start == other.primary.span.start && (!costs || self.message == other.message)
    }
    /// The message of the primary label.
    pub fn label(mut self, message: impl Into<String>) -> Self {
        self.primary.message = shortened(message.into());
        self
    }
    pub fn secondary(mut self, span: Span, message: impl Into<String>) -> Self {
        self.secondary.push(Label { file: self.primary.file, span, message: shortened(message.into()) });
        self
    }
    pub fn elsewhere(mut self, source: &Source, span: Span, message: impl Into<String>) -> Self {
        self.elsewhere.push(Elsewhere { source: source.clone(), span, message: shortened(message.into()) });
        self
    }
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(shortened(note.into()));
        self
    }
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.helps.push(shortened(help.into()));
        self
    }
    /// A fix that replaces one span of the primary label's file: a correction that the author may have meant.
    pub fn fix(self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let edit = Edit { file: self.primary.file, span, replacement: replacement.into() };
        self.fix_edits(title, vec![edit], Applicability::MaybeIncorrect)
    }
    /// A fix that only changes the spelling, not the meaning.
    pub fn respelt(self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let edit = Edit { file: self.primary.file, span, replacement: replacement.into() };
        self.fix_edits(title, vec![edit], Applicability::MachineApplicable)
    }
    /// A guess at what was meant, in place of a span of the primary label's file.
    pub fn guess(self, span: Span, replacement: impl Into<String>) -> Self {
        let (file, replacement) = (self.primary.file, replacement.into());
        let title = format!("did you mean `{replacement}`?");
        self.fix_edits(title, vec![Edit { file, span, replacement }], Applicability::MaybeIncorrect)
    }
    pub fn fix_edits(mut self, title: impl Into<String>, edits: Vec<Edit>, applicability: Applicability) -> Self {
        self.fixes.push(Fix { title: shortened(title.into()), edits, applicability });
        self
    }
}

/// `text` without the middles of words that nobody reads to their end.
fn shortened(text: String) -> String {
    const LONGEST: usize = 200;
    const KEPT: usize = 60;
    if text.len() <= LONGEST || text.split(char::is_whitespace).all(|word| word.len() <= LONGEST) {
        return text;
    }
    let short = |word: &str| {
        let count = word.chars().count();
        let (start, end) = (word.chars().take(KEPT), word.chars().skip(count.saturating_sub(KEPT)));
        if count > LONGEST { start.chain(['…']).chain(end).collect() } else { word.to_string() }
    };
    text.split_inclusive(char::is_whitespace).map(short).collect()
}

/// `1 operand`, `2 operands`, `no operands`.
pub fn counted(count: usize, what: &str) -> String {
    let many = match what {
        "index" => "indices".to_string(),
        other => other.strip_suffix('y').map_or(format!("{other}s"), |stem| format!("{stem}ies")),
    };
    match count {
        0 => format!("no {many}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {many}"),
    }
}

/// Of the names that are legal at a place, the few nearest to a word, nearest first. Nobody would read more.
pub fn nearest_first<'a>(word: &str, mut names: Vec<&'a str>) -> Vec<&'a str> {
    const LISTED: usize = 8;
    if names.len() > LISTED {
        names.sort_by_key(|name| distance(word, name));
        names.truncate(LISTED);
    }
    names
}

/// How many letters two words differ in, whatever their case.
pub fn distance(one: &str, other: &str) -> usize {
    if one.len().max(other.len()) > LONGEST_LIKENED {
        return one.len().max(other.len());
    }
    strsim::damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase())
}

/// The candidate nearest to a misspelt `word`, if it is near enough.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_LIKENED {
        return None;
    }
    let lower = word.to_lowercase();
    let most = |candidate: &str| candidate.len().max(word.len()) / 3;
    candidates
        .into_iter()
        .take(MOST_LIKENED)
        .filter(|candidate| {
            !word.is_ascii() || !candidate.is_ascii() || fewest_slips(word, candidate) <= most(candidate)
        })
        .map(|candidate| (candidate.to_lowercase(), candidate))
        .map(|(known, candidate)| (strsim::damerau_levenshtein(&lower, &known), known, candidate))
        .map(|(distance, _, candidate)| (distance, candidate))
        .filter(|(distance, candidate)| *distance <= most(candidate) && is_slip(word, candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// No distance is less than the difference of the lengths, or than the number of letters that only one of two words has.
fn fewest_slips(one: &str, other: &str) -> usize {
    let letters = |word: &str| word.bytes().fold(0_u128, |all, letter| all | 1 << (letter.to_ascii_lowercase() & 0x7f));
    let (ones, others) = (letters(one), letters(other));
    let alone = (ones & !others).count_ones().max((others & !ones).count_ones());
    one.len().abs_diff(other.len()).max(alone as usize)
}

/// Whether two near words may be one for the other: of two with as many parts (`times_exp`, `times_eq`; `SparseTensor`,
/// `SparseVector`) each part is near to its other, and short ones differ by more than another letter at a place, as `foo`
/// does not from `coo`.
fn is_slip(word: &str, known: &str) -> bool {
    let (words, others) = (parts(word), parts(known));
    if words.len() != others.len() {
        return true;
    }
    words.iter().zip(&others).all(|(one, other)| {
        let longest = one.len().max(other.len());
        let near = one == other || strsim::damerau_levenshtein(one, other) <= longest / 3;
        near && (longest != SHORT || is_transposed(one, other))
    })
}

/// The parts of a name in small letters: between underscores, and from each capital behind a small letter on.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut last = '_';
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && last.is_lowercase() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c != '_') {
            part.extend(c.to_lowercase());
        }
        last = c;
    }
    parts
}

/// Words of so many letters are all near to each other: one for the other is another word.
const SHORT: usize = 3;

/// Whether two words have other than just another letter at a place.
fn is_transposed(one: &str, other: &str) -> bool {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    one.len() != other.len() || letters(one) == letters(other)
}

/// So many names are compared with a word: more would make a text of many unknown names take quadratic time.
const MOST_LIKENED: usize = 512;
/// Longer words are not compared letter by letter, which takes the product of their lengths.
const LONGEST_LIKENED: usize = 256;

#[cfg(test)]
mod tests {
    use super::{did_you_mean, shortened};

    #[test]
    fn long_words_are_cut() {
        let name = "ä".repeat(1_000_000);
        let text = shortened(format!("there is no `{name}` here"));
        assert!(text.starts_with("there is no `äää") && text.ends_with("äää` here") && text.contains('…'), "{text}");
        assert_eq!(text.chars().count(), "there is no ".len() + 60 + 1 + 60 + "here".len());
        assert_eq!(shortened("a b ".repeat(100)), "a b ".repeat(100));
    }

    #[test]
    fn near_words_only() {
        let formats = ["dense", "compressed", "singleton"];
        assert_eq!(did_you_mean("densee", formats), Some("dense"));
        assert_eq!(did_you_mean("Compressed", formats), Some("compressed"));
        assert_eq!(did_you_mean("banana", formats), None);
    }

    #[test]
    fn short_words_and_parts_are_not_likened() {
        assert_eq!(did_you_mean("foo", ["COO"]), None);
        assert_eq!(did_you_mean("map", ["max"]), None);
        assert_eq!(did_you_mean("f46", ["f64"]), Some("f64"));
        assert_eq!(did_you_mean("su", ["sum"]), Some("sum"));
        assert_eq!(did_you_mean("times_exp", ["times_eq"]), None);
        assert_eq!(did_you_mean("min_pluss", ["min_plus"]), Some("min_plus"));
        assert_eq!(did_you_mean("minplus", ["min_plus"]), Some("min_plus"));
    }
}
