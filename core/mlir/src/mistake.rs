//! A mistake in a program, before it becomes a diagnostic.

use crate::ir::Operand;
use nnz_base::{
    diagnostic::{Code, Diagnostic, counted},
    ids::FileId,
    source::Span,
};

pub type Read<T> = Result<T, Mistake>;

/// A mistake in the text, before it becomes a diagnostic.
#[derive(Debug)]
pub struct Mistake(Box<Diagnostic>, Vec<Mistake>);

impl Mistake {
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Mistake {
        // The file is filled in where the mistake is reported.
        Mistake(Box::new(Diagnostic::new(code, FileId(0), span, message)), Vec::new())
    }
    /// A mistake that is reported elsewhere.
    pub fn told() -> Mistake {
        Mistake::syntax(Span::at(0), "")
    }
    pub(crate) fn is_silent(&self) -> bool {
        self.0.message.is_empty()
    }
    /// Whether this says that a name is none of a type.
    pub(crate) fn names_no_type(&self) -> bool {
        matches!(self.0.code, Code::ElementType | Code::UnknownAlias) && !self.is_silent()
    }
    /// Whether this says that nnz lacks something that MLIR has.
    pub(crate) fn is_unsupported(&self) -> bool {
        self.0.code == Code::UnsupportedProgram && !self.is_silent()
    }
    /// Whether this is about a number that its type does not hold.
    pub(crate) fn is_of_literal(&self) -> bool {
        matches!(self.0.code, Code::LiteralType | Code::LiteralRange)
    }
    /// One mistake for several of one kind: its fix mends them all.
    pub(crate) fn of_all(mut mistakes: Vec<Mistake>) -> Option<Mistake> {
        let (fixed, others): (Vec<Mistake>, Vec<Mistake>) =
            mistakes.drain(..).partition(|mistake| mistake.0.fixes.len() == 1);
        let mut all: Vec<Mistake> = [fixed, others].into_iter().filter_map(Mistake::joined).collect();
        let last = all.pop();
        match all.pop() {
            Some(mut first) => {
                first.1.extend(last);
                Some(first)
            }
            None => last,
        }
    }
    /// The first, which says how many more there are.
    fn joined(mistakes: Vec<Mistake>) -> Option<Mistake> {
        let mut rest = mistakes.into_iter();
        let mut first = rest.next()?;
        let mut more = 0;
        for other in rest {
            more += 1;
            let mut edits = other.0.fixes.into_iter().flat_map(|fix| fix.edits);
            first.0.fixes.iter_mut().for_each(|fix| fix.edits.extend(edits.by_ref()));
        }
        if more > 0 {
            first.0.fixes.iter_mut().for_each(|fix| fix.title += ", and the others so");
            first = first.note(format!("this literal has {} more", counted(more, "error")));
        }
        Some(first)
    }
    /// Runs several checks of one operation.
    ///
    /// # Errors
    /// The first mistake, with the others attached.
    pub fn all(looks: impl IntoIterator<Item = Result<(), Mistake>>) -> Result<(), Mistake> {
        let mut found = looks.into_iter().filter_map(Result::err);
        let Some(mut first) = found.next() else { return Ok(()) };
        first.1.extend(found);
        Err(first)
    }
    /// The place of the undefined value, if that is the mistake.
    pub(crate) fn undefined_value(&self) -> Option<Span> {
        (self.0.code == Code::UndefinedValue).then_some(self.0.primary.span)
    }
    /// Whether nnz lacks the operation of this name, so that it has not read its operands.
    pub(crate) fn is_unread_operation(&self, name: Span) -> bool {
        matches!(self.0.code, Code::UnsupportedProgram | Code::UnknownOperation) && self.0.primary.span == name
    }
    /// The same with the guilty token elsewhere; the earlier place is marked, too.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Mistake {
        let file = self.0.primary.file;
        let guilty = nnz_base::diagnostic::Label { file, span, message: label.into() };
        let before = std::mem::replace(&mut self.0.primary, guilty);
        self.0.secondary.push(before);
        self
    }
    /// The diagnostic alone, in its file.
    pub fn diagnostic(mut self, file: FileId) -> Diagnostic {
        self.0.primary.file = file;
        *self.0
    }
    /// The diagnostic, and the mistakes that were found with it.
    pub(crate) fn into_parts(self) -> (Box<Diagnostic>, Vec<Mistake>) {
        (self.0, self.1)
    }
    /// A value of a wrong type.
    pub fn types(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(Code::ValueType, span, message)
    }
    /// A value of another type than expected, in words.
    pub fn wanted(operand: &Operand, wanted: &str) -> Mistake {
        Mistake::types(operand.span, format!("{wanted} is wanted here, not `{}`", operand.ty))
    }
    pub fn syntax(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(Code::SyntaxError, span, message)
    }
    /// Text that may be legal but that nnz does not support.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(Code::UnsupportedProgram, span, message)
    }
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Mistake {
        self.0.helps.push(help.into());
        self
    }
    /// The same at another place.
    #[must_use]
    pub(crate) fn moved_to(mut self, span: Span) -> Mistake {
        self.0.primary.span = span;
        self
    }
    /// The same by another code.
    #[must_use]
    pub fn code(mut self, code: Code) -> Mistake {
        self.0.code = code;
        self
    }
    /// Points to the type that a constant does not fit.
    #[must_use]
    pub fn of_type(self, ty: Span) -> Mistake {
        if matches!(self.0.code, Code::LiteralShape | Code::LiteralCoordinate if self.0.secondary.is_empty()) {
            self.secondary(ty, "the type that it is of")
        } else {
            self
        }
    }
    /// The label at the place, in a few words.
    #[must_use]
    pub fn label(mut self, message: impl Into<String>) -> Mistake {
        self.0.primary.message = message.into();
        self
    }
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Mistake {
        self.0.notes.push(note.into());
        self
    }
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Mistake {
        self.0 = Box::new(self.0.fix(title, span, replacement));
        self
    }
    /// A guess at what was meant in place of `span`.
    #[must_use]
    pub fn guess(mut self, span: Span, replacement: impl Into<String>) -> Mistake {
        self.0 = Box::new(self.0.guess(span, replacement));
        self
    }
    #[must_use]
    pub fn secondary(mut self, span: Span, message: impl Into<String>) -> Mistake {
        let file = self.0.primary.file;
        self.0.secondary.push(nnz_base::diagnostic::Label { file, span, message: message.into() });
        self
    }
}
