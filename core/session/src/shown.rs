//! What a statement gives, as a value: a text is made of it here, and JSON in [`super::json`], by those who want it.

use std::sync::Arc;

use super::{
    DefinitionInfo,
    names::{Number, Tensor, Value},
    timing::Timed,
};
use nnz_base::diagnostic::counted;
use nnz_check::scope::Meaning;
use nnz_loops::trace::Trace;
use nnz_view::{Line, Markup, Role, Screen, number, steps::StepsView};

/// What a statement gives.
#[derive(Clone)]
pub(crate) enum Shown {
    /// A setting is made.
    Done,
    /// A statement failed; a program may have printed something before.
    Failed(Option<Markup>),
    Encoding(String),
    Definition(Definition),
    Value(Named),
    /// Of each part of a decomposed tensor.
    Storage(Vec<Arc<Tensor>>),
    Dump(Vec<Arc<Tensor>>),
    Type {
        name: String,
        text: String,
    },
    Names(Vec<DefinitionInfo>),
    Timed(Box<Timed>),
    Steps {
        name: String,
        trace: Box<Trace>,
    },
    Written(Written),
    Used(Used),
    Called(Called),
    Text(Markup),
}

/// A value under its name.
#[derive(Clone)]
pub(crate) struct Named {
    pub name: String,
    pub value: Value,
}

/// A name that has a value now.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub name: String,
    pub ty: String,
    /// Nothing where the text of the statement says it all.
    pub said: Option<Markup>,
}

/// A file whose encodings and functions are known now.
#[derive(Clone, Debug)]
pub(crate) struct Used {
    pub path: String,
    pub encodings: Vec<String>,
    pub functions: Vec<String>,
    /// Names of these that meant something else before.
    pub replaced: Vec<String>,
    /// What keeps functions out of the session.
    pub note: Option<Line>,
}

/// The outcome of calling a function.
#[derive(Clone)]
pub struct Called {
    /// Without its `@`.
    pub(crate) function: String,
    /// What it printed, unless that was reported at once.
    pub(crate) printed: String,
    /// A value, or a definition where it has a name.
    pub(crate) results: Vec<Shown>,
}

impl Called {
    /// The printed text, and the results.
    pub fn markup(&self, screen: Screen) -> Markup {
        let printed: Markup = self.printed.lines().map(Line::plain).collect();
        self.results.iter().filter_map(|result| result.markup(screen)).fold(printed, Markup::then)
    }
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub path: String,
    /// The number of entries, if it holds a tensor.
    pub entries: Option<usize>,
    pub bytes: u64,
    /// Whether a file of that name was replaced.
    pub replaced: bool,
}

impl Written {
    pub fn line(&self) -> Line {
        let counted = self.entries.map_or(String::new(), |entries| counted(entries, "entry") + ", ");
        let verb = if self.replaced { "replaced " } else { "" };
        Line::of(Role::Note, format!("{verb}{}: {counted}{} bytes", self.path, self.bytes))
    }
}

impl Shown {
    /// For a person; nothing for a silent definition.
    pub(crate) fn markup(&self, screen: Screen) -> Option<Markup> {
        match self {
            Shown::Done | Shown::Encoding(_) => None,
            Shown::Failed(printed) => printed.clone(),
            Shown::Definition(definition) => definition.said.clone(),
            Shown::Value(named) => Some(named.markup(screen)),
            Shown::Storage(stored) => stored.iter().map(|tensor| tensor.view().storage(screen)).reduce(Markup::then),
            Shown::Dump(stored) => stored.iter().map(|tensor| tensor.view().dump()).reduce(Markup::then),
            Shown::Type { name, text } => Some(of_type(name, text)),
            Shown::Names(infos) => Some(names(infos).wrapped(screen.width)),
            Shown::Timed(timed) => Some(timed.markup(screen.width)),
            Shown::Steps { name, trace } => Some(StepsView { name, trace }.markup(screen)),
            Shown::Written(written) => Some(Markup::new().line(written.line())),
            Shown::Used(used) => Some(used.markup()),
            Shown::Called(called) => Some(called.markup(screen)).filter(|markup| !markup.lines.is_empty()),
            Shown::Text(markup) => Some(markup.clone()),
        }
    }
}

impl Named {
    /// The value with its title.
    pub(crate) fn markup(&self, screen: Screen) -> Markup {
        match &self.value {
            Value::Tensor(tensor) => tensor.view().value(screen),
            Value::Parts(parts) => {
                let shown = parts.stored.iter().map(|part| part.view().value(screen));
                shown.fold(Markup::new().line(parts.title()), Markup::then)
            }
            Value::Number(number) => Markup::new().line(number_line(&self.name, number)),
        }
    }
}

impl Definition {
    pub(crate) fn of(name: &str, meaning: &Meaning) -> Definition {
        Definition { name: name.to_string(), ty: type_text(meaning), said: None }
    }
}

impl Used {
    fn markup(&self) -> Markup {
        let all = [self.encodings.as_slice(), self.functions.as_slice()].concat();
        let brought = match all.is_empty() {
            true if self.path.ends_with(".nnz") => "nothing, as a `.nnz` file gives its encodings alone".to_string(),
            true => "nothing".to_string(),
            false => all.join(", "),
        };
        let line = Line::of(Role::Note, format!("{}: {brought}", self.path));
        let others = || Line::of(Role::Note, format!("in place of others: {}", self.replaced.join(", ")));
        let replaced = (!self.replaced.is_empty()).then(others);
        replaced.into_iter().chain(self.note.clone()).fold(Markup::new().line(line), Markup::line)
    }
}

fn number_line(name: &str, found: &Number) -> Line {
    let line = Line::of(Role::Name, name).text(": ").with(Role::Type, found.element.name());
    line.text(" = ").with(Role::Number, number::exact(found.value, found.element))
}

/// The meaning of a name, in a few words.
pub(crate) fn type_text(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Encoding(encoding) => encoding.to_string(),
        Meaning::Tensor(ty) => ty.to_string(),
        Meaning::Scalar(element) => element.name().to_string(),
        Meaning::Broken => "unknown".to_string(),
    }
}

fn of_type(name: &str, text: &str) -> Markup {
    Markup::new().line(Line::of(Role::Name, name).text(": ").with(Role::Type, text))
}

/// Every name, one a line.
fn names(infos: &[DefinitionInfo]) -> Markup {
    let width = infos.iter().map(|info| info.name.len()).max().unwrap_or(0) + 2;
    let line = |info: &DefinitionInfo| {
        let mut line = Line::new();
        line.push_left(Role::Name, &info.name, width);
        line.with(Role::Type, &info.type_text)
    };
    match infos.is_empty() {
        true => Markup::of(Role::Note, "nothing is defined yet; `:help` shows how to begin"),
        false => infos.iter().map(line).collect(),
    }
}
