//! The answers of the languages that share encodings, tensor types and their syntax tree: nnz notation and MLIR.

use std::{ops::Range, sync::Arc};

use nnz_base::{
    diagnostic::Diagnostic,
    source::{Source, Span},
};
use nnz_check::{Checked, command::View, used::UsedFile};
use nnz_ide::{
    complete::{Completion, complete},
    definition::{definition, definition_elsewhere},
    hover::{Hover, hover},
    kernels::{KernelPlace, kernels},
    lowered::{Preview, lowered},
    references::references,
    semantic_tokens::{Token, semantic_tokens},
    symbols::{Symbol, symbols},
};

use crate::{Answers, Known};

/// A checked text, with what the two languages do not share.
pub(crate) struct Text {
    pub(crate) checked: Arc<Checked>,
    pub(crate) diagnostics: fn(&Checked, &mut Known) -> Vec<Diagnostic>,
    pub(crate) used: fn(&Arc<Checked>) -> UsedFile,
}

impl Answers for Text {
    fn diagnostics(&self, known: &mut Known) -> Vec<Diagnostic> {
        (self.diagnostics)(&self.checked, known)
    }
    fn used(&self) -> Option<UsedFile> {
        Some((self.used)(&self.checked))
    }
    fn hover(&self, offset: usize) -> Option<Hover> {
        hover(&self.checked, offset)
    }
    fn complete(&self, offset: usize) -> Vec<Completion> {
        complete(&self.checked, offset)
    }
    fn definition(&self, offset: usize) -> Option<Span> {
        definition(&self.checked, offset)
    }
    fn definition_elsewhere(&self, offset: usize) -> Option<(&Source, Span)> {
        let (file, span) = definition_elsewhere(&self.checked, offset)?;
        Some((&file.source, span))
    }
    fn references(&self, offset: usize, with_definition: bool) -> Vec<Span> {
        references(&self.checked, offset, with_definition)
    }
    fn symbols(&self) -> Vec<Symbol> {
        symbols(&self.checked)
    }
    fn kernels(&self) -> Vec<KernelPlace> {
        kernels(&self.checked)
    }
    fn lowered(&self, kernel: &str, view: View, cancelled: &dyn Fn() -> bool) -> Option<Preview> {
        lowered(&self.checked, kernel, view, cancelled)
    }
    fn semantic_tokens(&self, range: Range<usize>, cancelled: &dyn Fn() -> bool) -> Vec<Token> {
        semantic_tokens(&self.checked, range, cancelled)
    }
}
