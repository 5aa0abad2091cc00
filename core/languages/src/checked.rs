//! The answers of the languages that share encodings, tensor types and their syntax tree: nnz notation and MLIR.

use std::{ops::Range, sync::Arc};

use nnz_base::{
    diagnostic::{Code, Diagnostic, Edit},
    source::{Source, Span},
};
use nnz_check::{
    Checked,
    command::View,
    used::{Files, UsedFile},
};
use nnz_ide::{
    calls::{self, Callable, Calls},
    complete::{Completion, CompletionKind, Folders, complete},
    definition::{definition, definition_elsewhere},
    execution::{Action, Executable, Execution, executables, execution},
    folding::{Fold, folds},
    formatting::{Formatted, Part, Style, formatting},
    hover::{Hover, Section, about, hover},
    inlay::{HintKind, InlayHint, inlay_hints},
    kernels::{KernelPlace, kernels},
    links::{Link, links},
    lowered::{Preview, lowered},
    names::{self, Named, Place},
    panel::{Panel, panel},
    refactor::{Refactoring, mending, refactorings},
    references::{highlights, references},
    rename,
    selection::selections,
    semantic_tokens::{Token, semantic_tokens},
    signature::{Signature, signatures},
    symbols::{Symbol, symbols},
    type_definition::type_definition,
};

use crate::{Answers, Known};

/// A checked text, with what the two languages do not share.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) checked: Arc<Checked>,
    pub(crate) diagnostics: fn(&Checked, &mut Known, &dyn Fn() -> bool) -> Vec<Diagnostic>,
    pub(crate) used: fn(&Arc<Checked>) -> UsedFile,
    /// The check of a text that replaces this one, if this one is of help.
    pub(crate) edited: Edited,
}

pub(crate) type Edited = fn(Checked, &Source, Option<&dyn Files>) -> Option<Checked>;

impl Answers for Text {
    fn diagnostics(&self, known: &mut Known, cancelled: &dyn Fn() -> bool) -> Vec<Diagnostic> {
        (self.diagnostics)(&self.checked, known, cancelled)
    }
    fn edited(self: Arc<Self>, source: &Source, files: Option<&dyn Files>) -> Option<Arc<dyn Answers>> {
        let before = Arc::unwrap_or_clone(self);
        let checked = Arc::new((before.edited)(Arc::unwrap_or_clone(before.checked), source, files)?);
        Some(Arc::new(Text { checked, ..before }))
    }
    fn used(&self) -> Option<UsedFile> {
        Some((self.used)(&self.checked))
    }
    fn hover(&self, offset: usize) -> Option<Hover> {
        hover(&self.checked, offset)
    }
    fn complete(&self, offset: usize, folders: &dyn Folders) -> Vec<Completion> {
        complete(&self.checked, offset, folders)
    }
    fn about(&self, kind: CompletionKind, label: &str, offset: usize) -> Vec<Section> {
        about(&self.checked, kind, label, offset)
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
    fn highlights(&self, offset: usize) -> Vec<Place> {
        highlights(&self.checked, offset)
    }
    fn prepare_rename(&self, offset: usize) -> Result<Named, String> {
        rename::prepare(&self.checked, offset)
    }
    fn shared(&self, name: &str) -> Option<Named> {
        names::shared(&self.checked, name)
    }
    fn uses(&self) -> Vec<&str> {
        self.checked.used.iter().map(|used| &*used.file.source.name).collect()
    }
    fn rename(&self, old: &Named, name: &str) -> Result<Vec<Edit>, String> {
        rename::rename(&self.checked, old, name)
    }
    fn type_definition(&self, offset: usize) -> Option<(&Source, Span)> {
        let (file, span) = type_definition(&self.checked, offset)?;
        Some((&file.source, span))
    }
    fn signatures(&self, offset: usize) -> Vec<Signature> {
        signatures(&self.checked, offset)
    }
    fn folds(&self) -> Vec<Fold> {
        folds(&self.checked)
    }
    fn formatting(&self, style: Style, part: &Part, cancelled: &dyn Fn() -> bool) -> Formatted {
        formatting(&self.checked, (style, part), cancelled)
    }
    fn selections(&self, offsets: &[usize]) -> Vec<Vec<Span>> {
        selections(&self.checked, offsets)
    }
    fn links(&self) -> Vec<Link> {
        links(&self.checked)
    }
    fn callable(&self, name: Option<&str>) -> Option<Callable> {
        match name {
            Some(name) => calls::function(&self.checked, name),
            None => Some(calls::whole_text(&self.checked)),
        }
    }
    fn callers(&self, name: &str) -> Vec<Calls> {
        calls::callers(&self.checked, name)
    }
    fn called(&self, caller: Option<&str>) -> Vec<(String, Vec<Span>)> {
        calls::called(&self.checked, caller)
    }
    fn symbols(&self) -> Vec<Symbol> {
        symbols(&self.checked)
    }
    fn kernels(&self) -> Vec<KernelPlace> {
        kernels(&self.checked)
    }
    fn executables(&self) -> Vec<Executable> {
        executables(&self.checked)
    }
    fn execution(&self, kernel: &str, action: Action) -> Result<Execution, String> {
        execution(&self.checked, kernel, action)
    }
    fn panel(&self, offset: usize) -> Option<Panel> {
        panel(&self.checked, offset)
    }
    fn lowered(&self, kernel: &str, view: View, cancelled: &dyn Fn() -> bool) -> Option<Preview> {
        lowered(&self.checked, kernel, view, cancelled)
    }
    fn refactorings(&self, range: Range<usize>, may_plan: &dyn Fn() -> bool) -> Vec<Refactoring> {
        refactorings(&self.checked, range, may_plan)
    }
    fn mending(&self, code: Code, place: Span) -> Vec<Refactoring> {
        mending(&self.checked, code, place)
    }
    fn inlay_hints(
        &self,
        range: Range<usize>,
        wanted: &dyn Fn(HintKind) -> bool,
        cancelled: &dyn Fn() -> bool,
    ) -> Vec<InlayHint> {
        inlay_hints(&self.checked, range, wanted, cancelled)
    }
    fn semantic_tokens(&self, range: Range<usize>, cancelled: &dyn Fn() -> bool) -> Vec<Token> {
        semantic_tokens(&self.checked, range, cancelled)
    }
}
