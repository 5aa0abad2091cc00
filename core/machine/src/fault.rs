//! Why a program stopped before its end.

use nnz_base::{
    diagnostic::{Code, DataPlace, Diagnostic},
    ids::FileId,
    source::Span,
};
use nnz_storage::StorageError;

/// Why a program stopped before its end.
#[derive(Debug)]
pub struct Fault {
    pub kind: FaultKind,
    /// The operation; filled in where it runs.
    pub span: Option<Span>,
    pub message: String,
    /// Boxed, as every frame of the evaluator has room for a fault.
    pub more: Option<Box<More>>,
}

/// More about a fault.
#[derive(Debug, Default)]
pub struct More {
    pub notes: Vec<String>,
    pub help: Option<String>,
    /// Where in a file that the program read.
    pub data: Option<DataPlace>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The program made an error.
    Failed,
    /// It wants more time or memory than it may have.
    Limit,
    /// The user stopped it.
    Cancelled,
    /// nnz has a bug.
    Bug,
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Failed, span: None, message: message.into(), more: None }
    }
    pub fn cancelled() -> Fault {
        Fault { kind: FaultKind::Cancelled, ..Fault::new("stopped") }
    }
    pub fn bug(message: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Bug, ..Fault::new(message) }
    }
    pub fn limit(message: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Limit, ..Fault::new(message) }
    }
    /// Adds the place, unless a place inside it is known.
    #[must_use]
    pub fn at(self, span: Span) -> Fault {
        Fault { span: self.span.or(Some(span)), ..self }
    }
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Fault {
        self.helped(Some(help.into()))
    }
    /// Adds a help, if there is one.
    #[must_use]
    pub(crate) fn helped(mut self, help: Option<String>) -> Fault {
        if help.is_some() {
            self.more.get_or_insert_default().help = help;
        }
        self
    }
}

impl From<StorageError> for Fault {
    fn from(error: StorageError) -> Fault {
        Fault::new(error.to_string())
    }
}

/// The error for a fault in a function, of which the place is told where no operation is to blame.
pub(super) fn stopped(file: FileId, function: Span, fault: Fault) -> Diagnostic {
    let (code, label) = match fault.kind {
        FaultKind::Failed => (Code::ProgramFailed, "this failed"),
        FaultKind::Limit => (Code::ProgramLimit, "stopped here"),
        FaultKind::Cancelled => (Code::Cancelled, "stopped here"),
        FaultKind::Bug => (Code::CompilerBug, "nnz's mistake, not the program's"),
    };
    let mut diagnostic = Diagnostic::new(code, file, fault.span.unwrap_or(function), fault.message).label(label);
    let more = fault.more.map(|more| *more).unwrap_or_default();
    diagnostic.data = more.data.map(Box::new);
    diagnostic.notes.extend(more.notes);
    diagnostic.helps.extend(more.help);
    diagnostic
}
