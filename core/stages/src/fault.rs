//! Why a function does not run, or stopped.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Span,
};

use nnz_tir::model::{Binary, Expr, ExprKind};

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

/// A condition that a function asserts, and that does not hold.
pub(crate) fn assertion(condition: &Expr, message: &str) -> Box<Diagnostic> {
    let message = if message.is_empty() { "the condition does not hold" } else { message };
    Box::new(failed(condition.place.0, format!("assertion failed: {message}")).label("false here"))
}

/// More steps than a run may take.
pub(crate) fn endless(place: Span) -> Box<Diagnostic> {
    let told = failed(place, "it takes too many steps").label("stopped here");
    Box::new(told.help("raise `--max-steps`"))
}

/// An operation whose second operand it cannot have: a division by zero, or a shift by too many bits.
pub(crate) fn operand(expr: &Expr, given: i128) -> Box<Diagnostic> {
    let is_shift = matches!(expr.kind(), ExprKind::Binary(Binary::ShiftLeft | Binary::ShiftRight, ..));
    let message = if is_shift { "a shift by more bits than the type has" } else { "a division by zero" };
    let told = failed(expr.place.0, message).label(format!("the second operand is {given}"));
    Box::new(told.help("test the operand before: `T.if_then_else` computes only the value that it chooses"))
}
