//! Where results and diagnostics go: results to standard output, diagnostics to standard error.

use std::{
    io::{BufWriter, ErrorKind, StdoutLock, Write},
    path::PathBuf,
};

use nnz_core::{
    backend::without_machine_code,
    diagnostic::{Code, Diagnostic, Severity},
    ids::FileId,
    session::{Event, Outcome, Refused},
    source::Source,
    view::Markup,
};
use serde_json::{Value, json};

use crate::{
    ansi,
    exit::{self, Exit},
    host::Cancel,
    render::{self, ErrorFormat, Style, Texts, one_line},
    repeated::once,
    terminal::Terminal,
    words::{self, COMMAND_LINE, CommandLine},
};

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    /// One object a line.
    Json(Content),
}

/// What an object has of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// All arrays of tensors.
    Data,
    /// The text that a terminal shows.
    Text,
}

/// Prints outcomes, and keeps the texts that their diagnostics point into.
pub(crate) struct Output {
    terminal: Terminal,
    format: Format,
    error_format: ErrorFormat,
    texts: Texts,
    /// Reports since a text was added.
    drawn: usize,
    errors: usize,
    warnings: usize,
    /// Whether the user was told that kernels run in the interpreter, because there is no LLVM.
    told_of_interpreter: bool,
    /// What standard input is called, if it has a name.
    pub(crate) stdin_name: Option<PathBuf>,
    /// Stops long answers.
    pub(crate) cancel: Cancel,
}

/// So many bytes are printed before the next look at whether they are still wanted.
const PRINTED_AT_ONCE: usize = 1 << 14;

/// The largest number of reports that are drawn in full. A drawing takes time proportional to its text, and nobody
/// reads more.
const MOST_DRAWN: usize = 1000;

impl Output {
    /// The terminal has another width.
    pub(crate) fn fit(&mut self, width: usize) {
        self.terminal.screen.width = width;
        self.terminal.stderr_width = self.terminal.stderr_width.map(|_| width);
    }

    pub(crate) fn new(terminal: Terminal, format: Format, error_format: ErrorFormat) -> Self {
        Self {
            terminal,
            format,
            error_format,
            texts: Texts::default(),
            drawn: 0,
            errors: 0,
            warnings: 0,
            told_of_interpreter: false,
            stdin_name: None,
            cancel: Cancel::default(),
        }
    }

    /// A new source, which diagnostics may point into from now on.
    pub(crate) fn add(&mut self, name: &str, text: String) -> Source {
        let source = Source::new(FileId::new(self.texts.len()), name, text);
        self.add_source(source.clone());
        source
    }

    fn add_source(&mut self, source: Source) {
        self.texts.add(source);
        self.drawn = 0;
    }

    /// The command line, which diagnostics may point into from now on.
    pub(crate) fn command_line(&mut self) -> CommandLine {
        let line = CommandLine::of(words::words(), FileId::new(self.texts.len()));
        self.add_source(line.source.clone());
        line
    }

    /// Something wrong with a word of the command line.
    pub(crate) fn wrong_word(&mut self, word: &str, code: Code, message: impl Into<String>) -> Diagnostic {
        let line = self.command_line();
        Diagnostic::new(code, line.source.id, line.word(word).span, message)
    }

    /// Adds the text typed at the prompt.
    pub(crate) fn add_cell(&mut self, text: String) -> Source {
        let name = format!("<input {}>", self.texts.len() + 1);
        self.add(&name, text)
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    pub(crate) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Ahead(diagnostic) => {
                self.tell_of_interpreter();
                self.diagnostic(diagnostic);
            }
            Event::Printed(text) => self.printed(text),
            Event::Ended(outcome) => self.outcome(outcome),
        }
    }

    /// What a program prints, at once.
    pub(crate) fn printed(&self, text: &str) {
        match self.format {
            Format::Text => print(text),
            Format::Json(_) => print_json(&json!({ "kind": "printed", "text": text })),
        }
    }

    pub(crate) fn outcome(&mut self, outcome: &Outcome) {
        self.tell_of_interpreter();
        outcome.diagnostics.iter().skip(outcome.told).for_each(|diagnostic| self.diagnostic(diagnostic));
        match self.format {
            Format::Json(content) => {
                let text = || outcome.markup().map_or_else(String::new, Markup::plain_text);
                self.print_object(with(content, outcome.json(), text), &outcome.diagnostics)
            }
            Format::Text => outcome.markup().into_iter().for_each(|markup| self.print_text(markup)),
        }
    }

    /// The answer of a session, as text or for machines, with its messages.
    pub(crate) fn answer(
        &mut self,
        markup: impl FnOnce() -> Markup,
        json: impl FnOnce() -> Value,
        notes: &[Diagnostic],
    ) {
        self.tell_of_interpreter();
        notes.iter().for_each(|note| self.diagnostic(note));
        match self.format {
            Format::Json(content) => self.print_object(with(content, json(), || markup().plain_text()), notes),
            Format::Text => self.print_text(&markup()),
        }
    }

    /// Why a session refuses a request.
    pub(crate) fn refused(&mut self, refused: &Refused) -> Exit {
        let printed = || refused.printed.clone().unwrap_or_default();
        let mut found = refused.diagnostics.clone();
        for edit in found.iter_mut().flat_map(|one| &mut one.fixes).flat_map(|fix| &mut fix.edits) {
            let line = self.texts.get(edit.file).filter(|source| &*source.name == COMMAND_LINE);
            line.into_iter().for_each(|line| words::quote(&line, edit));
        }
        self.answer(printed, || json!({ "kind": "error" }), &found);
        if refused.is_cancelled() { Exit::Interrupted } else { Exit::Failed }
    }

    fn print_text(&self, markup: &Markup) {
        if !markup.is_empty() {
            self.print_while_wanted(&ansi::markup(markup, self.terminal.stdout));
        }
    }

    /// Prints until the user stops the input that this answers.
    fn print_while_wanted(&self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            if self.cancel.is_requested() {
                print("\n");
                return eprint("stopped; the rest is not shown\n");
            }
            let (part, more) = rest.split_at(rest.floor_char_boundary(PRINTED_AT_ONCE));
            print(part);
            rest = more;
        }
    }

    /// An object, with its diagnostics if it has any.
    fn print_object(&self, mut object: Value, diagnostics: &[Diagnostic]) {
        if !diagnostics.is_empty() && object.is_object() {
            object["diagnostics"] = diagnostics.iter().map(|found| render::json(found, &self.texts)).collect();
        }
        print_json(&object);
    }

    /// Reports what a check found: what it says of every mention of a name is told once, but not to programs.
    pub(crate) fn found(&mut self, found: Vec<Diagnostic>) {
        let found = if self.error_format == ErrorFormat::Json { found } else { once(found) };
        found.iter().for_each(|diagnostic| self.diagnostic(diagnostic));
    }

    pub(crate) fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        match diagnostic.severity() {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Information | Severity::Hint => {}
        }
        let style = Style {
            format: self.error_format,
            color: self.terminal.stderr,
            charset: self.terminal.screen.charset,
            terminal: self.terminal.stderr_width,
        };
        if self.drawn == MOST_DRAWN && self.error_format == ErrorFormat::Human {
            eprint(&format!("note: {MOST_DRAWN} reports are drawn; those that follow have a line each\n"));
        }
        eprint(&match self.drawn {
            ..MOST_DRAWN => style.render(diagnostic, &self.texts),
            _ => style.render_briefly(diagnostic, &self.texts),
        });
        self.drawn += 1;
    }

    /// Reports once, in one line, that kernels run in the interpreter because this machine has no LLVM, and what would
    /// help.
    pub(crate) fn tell_of_interpreter(&mut self) {
        let Some(reason) = without_machine_code().filter(|_| !self.told_of_interpreter) else { return };
        self.told_of_interpreter = true;
        let message = format!("kernels run in the interpreter, slowly: {reason}");
        let rendered = format!("note: {}\n", one_line(&message));
        match self.error_format {
            ErrorFormat::Human | ErrorFormat::Short => eprint(&rendered),
            ErrorFormat::Json => {
                let object = json!({ "$message_type": "diagnostic", "message": message, "code": null, "level": "note", "spans": [], "children": [], "rendered": rendered });
                eprint(&format!("{object}\n"));
            }
        }
    }

    /// How many errors were printed.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// `2 errors, 1 warning`, for people; nothing where there was nothing.
    pub(crate) fn tally(&self) -> Option<String> {
        let count = |n: usize, what: &str| (n > 0).then(|| format!("{n} {what}{}", if n == 1 { "" } else { "s" }));
        let counts: Vec<String> =
            [count(self.errors, "error"), count(self.warnings, "warning")].into_iter().flatten().collect();
        (self.error_format == ErrorFormat::Human && !counts.is_empty()).then(|| counts.join(", "))
    }
}

/// An object, with the text that a terminal shows where that is wanted.
pub(crate) fn with(content: Content, mut object: Value, text: impl FnOnce() -> String) -> Value {
    if content == Content::Text && object.is_object() {
        object["text"] = text().into();
    }
    object
}

/// Writes to standard output. If its reader has ended (`nnz ... | head -1`) the program ends quietly, with status
/// 1, because not all output was written.
pub(crate) fn print(text: &str) {
    print_with(|stdout| stdout.write_all(text.as_bytes()));
}

/// A line of JSON, whose text is never there whole: it would take as much memory again as the object.
pub(crate) fn print_json(object: &Value) {
    print_with(|stdout| {
        serde_json::to_writer(&mut *stdout, object)?;
        stdout.write_all(b"\n")
    });
}

fn print_with(write: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> std::io::Result<()>) {
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let written = stdout::check().and_then(|()| write(&mut stdout)).and_then(|()| stdout.flush());
    if let Err(error) = written {
        unwritten(&error);
    }
}

/// Ends the program, whose results cannot be shown.
pub(crate) fn unwritten(error: &std::io::Error) -> ! {
    if error.kind() != ErrorKind::BrokenPipe {
        eprint(&format!("error: standard output cannot be written: {error}\n"));
    }
    exit::now(Exit::Failed)
}

/// Whether there is a standard output at all. Rust's start-up code replaces a closed one (`nnz ... >&-`) by
/// `/dev/null`, so this checks before.
pub(crate) mod stdout {
    #[cfg(target_os = "linux")]
    mod start {
        use std::sync::atomic::{AtomicBool, Ordering};

        pub(super) static CLOSED: AtomicBool = AtomicBool::new(false);

        extern "C" fn look() {
            // SAFETY: it asks for the flags of a descriptor, which need not exist.
            let closed = unsafe { libc::fcntl(1, libc::F_GETFD) } == -1;
            CLOSED.store(closed, Ordering::Relaxed);
        }

        // SAFETY: the section holds functions that are called before `main`; this one needs nothing of Rust's start.
        #[used]
        #[unsafe(link_section = ".init_array")]
        static LOOK: extern "C" fn() = look;
    }

    /// # Errors
    /// There is none.
    pub(crate) fn check() -> std::io::Result<()> {
        #[cfg(target_os = "linux")]
        if start::CLOSED.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(std::io::Error::other("it is closed"));
        }
        Ok(())
    }
}

/// Writes to standard error; a failure cannot be reported.
pub(crate) fn eprint(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says why there is no answer.
pub(crate) fn failed(reason: &str) -> Exit {
    eprint(&format!("error: {}\n", one_line(reason)));
    Exit::Failed
}
