//! The attributes of functions, of their parameters and results, and of modules. They do not change what a program
//! does, but MLIR refuses some.

use super::Reader;
use crate::{
    attribute::Attributes,
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::{diagnostic::Code, element::Element, source::Span};
use nnz_syntax::TokenKind;

/// What the syntax of a function says itself.
const OF_SYNTAX: &[&str] = &["sym_name", "function_type", "sym_visibility"];

/// What belongs to no dialect, and a module may have.
const OF_MODULES: &[&str] = &["sym_name", "sym_visibility"];

/// What only a pointer has, among the types of LLVM.
const OF_POINTERS: &[&str] =
    &["llvm.noalias", "llvm.readonly", "llvm.writeonly", "llvm.readnone", "llvm.nocapture", "llvm.nonnull"];

impl Reader<'_> {
    /// `attributes {...}` of a function, or nothing.
    pub(super) fn function_attributes(&mut self) -> Read<()> {
        if !self.eat_word("attributes") {
            return self.attributes_without_word().map_or(Ok(()), Err);
        }
        let attributes = self.dictionary()?;
        for name in OF_SYNTAX {
            if let Some(span) = attributes.span(name) {
                let message =
                    format!("`{name}` follows from the head of the function, and is none of its `attributes`");
                self.report(Mistake::new(Code::OperationForm, span, message).label("said already"));
            }
        }
        Ok(())
    }

    /// `{llvm.emit_c_interface} {`: two braces behind a head, the first with names.
    fn attributes_without_word(&self) -> Option<Mistake> {
        let close = self.closings.get(self.at).copied().flatten().filter(|_| self.at(TokenKind::LBrace))?;
        let body = self.tokens.get(close + 1).is_some_and(|next| next.kind() == TokenKind::LBrace);
        let named = self.nth(1) == TokenKind::Ident
            && matches!(self.nth(2), TokenKind::Eq | TokenKind::Comma | TokenKind::RBrace);
        let mistake = || Mistake::syntax(self.span(), "the attributes of a function stand behind `attributes`");
        (body && named).then(|| {
            mistake().label("without the word").fix(
                "insert `attributes`",
                Span::at(self.span().start as usize),
                "attributes ",
            )
        })
    }

    /// `attributes {...}` of a module, or nothing.
    pub(super) fn module_attributes(&mut self) -> Read<()> {
        if self.eat_word("attributes") {
            let attributes = self.dictionary()?;
            self.with_dialects("module", "llvm.data_layout", &attributes);
        }
        Ok(())
    }

    /// `{dialect.name = ...}` behind the type of a parameter or of a result, or nothing.
    pub(super) fn annotations(&mut self, what: &str, ty: &Type) -> Read<()> {
        let rest = self.checked.tree.text().get(self.span().start as usize..).unwrap_or_default();
        if self.at(TokenKind::LBrace) && nnz_syntax::mlir::opens_body(rest) && what != "module" {
            let behind = Span::at(self.last_span().end as usize);
            return Err(Mistake::syntax(behind, nnz_syntax::mlir::OPEN_HEAD).label("`)` is missing"));
        }
        let attributes = self.optional_dictionary()?;
        self.with_dialects(what, "llvm.noundef", &attributes);
        if !is_number_of_llvm(ty) {
            return Ok(());
        }
        for name in OF_POINTERS {
            if let Some(span) = attributes.span(name) {
                let message = format!("`{name}` is said of pointers, and this is `{ty}`");
                self.report(Mistake::new(Code::OperationForm, span, message).label("not a pointer"));
            }
        }
        Ok(())
    }

    /// Names without a dialect are reported.
    fn with_dialects(&mut self, what: &str, example: &str, attributes: &Attributes) {
        let is_own = |name: &str| name.contains('.') || what == "module" && OF_MODULES.contains(&name);
        for name in attributes.names().filter(|name| !is_own(name)) {
            let message =
                format!("an attribute of a {what} belongs to a dialect, as in `{example}`: `{name}` has none");
            let span = attributes.span(name).unwrap_or(self.last_span());
            self.report(Mistake::new(Code::OperationForm, span, message).label(format!("of `{name}`")));
        }
    }
}

/// Whether LLVM has the type, and it is no pointer.
fn is_number_of_llvm(ty: &Type) -> bool {
    let number = |element: Element| element != Element::Index && !element.is_complex();
    let vector = matches!(ty, Type::Vector(vector) if vector.shape.len() == 1 && number(vector.element));
    vector || ty.scalar().is_some_and(number)
}
