//! Why a function does not run, or stopped.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Span,
};

/// What a step gives, or why there is none.
pub(crate) type Done<T> = Result<T, Box<Diagnostic>>;

/// An array that does not fit.
pub(crate) fn unfit(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ArrayMisfit, FileId(0), place, message)
}

/// Something that a running function must not do.
pub(crate) fn failed(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ScriptFailed, FileId(0), place, message)
}

/// Something that is read, and does not run.
pub(crate) fn unread(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ScriptUnread, FileId(0), place, message)
}
