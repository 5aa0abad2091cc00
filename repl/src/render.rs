//! Renders diagnostics as text and as JSON. Nothing here prints.

mod advice;
mod excerpt;
mod human;
#[cfg(test)]
mod tests;
mod texts;
mod wrap;

use clap::ValueEnum;
use nnz_core::{diagnostic::Diagnostic, view::Charset};
use serde_json::Value;

use self::human::Look;
pub(crate) use self::{excerpt::one_line, texts::Texts};
use crate::terminal::Color;

/// `--error-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    /// With the lines of text that they are about
    #[default]
    Human,
    /// One object a line, in rustc's shape
    Json,
    /// One line each: `file:line:column: severity[code]: message`
    Short,
}

/// How diagnostics are rendered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) format: ErrorFormat,
    pub(crate) color: Color,
    pub(crate) charset: Charset,
    /// The columns of the terminal; `None` if there is none.
    pub(crate) terminal: Option<usize>,
}

impl Style {
    fn look(self) -> Look {
        Look { color: self.color, charset: self.charset, terminal: self.terminal }
    }

    /// The diagnostic as text, a newline at its end.
    pub(crate) fn render(self, diagnostic: &Diagnostic, texts: &Texts) -> String {
        match self.format {
            ErrorFormat::Human => human::render(diagnostic, texts, self.look()),
            ErrorFormat::Short => short(diagnostic, texts),
            ErrorFormat::Json => format!("{}\n", json(diagnostic, texts)),
        }
    }

    /// The same in few words: without the excerpt, which takes the longer the longer the text is.
    pub(crate) fn render_briefly(self, diagnostic: &Diagnostic, texts: &Texts) -> String {
        match self.format {
            ErrorFormat::Human | ErrorFormat::Short => short(diagnostic, texts),
            ErrorFormat::Json => format!("{}\n", object(diagnostic, texts, short(diagnostic, texts))),
        }
    }
}

/// In rustc's format, with the text for people as `rendered`.
pub(crate) fn json(diagnostic: &Diagnostic, texts: &Texts) -> Value {
    let look = Look { color: Color::Off, charset: Charset::Unicode, terminal: None };
    object(diagnostic, texts, human::render(diagnostic, texts, look))
}

fn object(diagnostic: &Diagnostic, texts: &Texts, rendered: String) -> Value {
    let mut object = nnz_core::view::json::diagnostic(diagnostic, &|file| texts.get(file));
    object["rendered"] = rendered.into();
    object
}

fn short(diagnostic: &Diagnostic, texts: &Texts) -> String {
    let place = place(diagnostic, texts);
    let severity = diagnostic.severity().name();
    excerpt::one_line(&format!("{place}{severity}[{}]: {}", diagnostic.code.text(), diagnostic.message)) + "\n"
}

/// `file:line:column: ` of the file of data at fault, or of the primary label; columns are counted in characters from 1.
fn place(diagnostic: &Diagnostic, texts: &Texts) -> String {
    if let Some(data) = &diagnostic.data {
        return format!("{}:{}:{}: ", data.file, data.line, data.column);
    }
    let Some(source) = texts.get(diagnostic.primary.file) else { return String::new() };
    let (line, column) = source.line_and_character(diagnostic.primary.span.start as usize);
    format!("{}:{line}:{column}: ", source.name)
}
