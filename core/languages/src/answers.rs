//! The answers of one checked version of a text. All answers except the diagnostics are optional.

use std::{any::Any, ops::Range, sync::Arc};

use nnz_base::{
    diagnostic::{Code, Diagnostic, Edit},
    source::{Source, Span},
};
use nnz_check::{
    command::View,
    used::{Files, UsedFile},
};
use nnz_ide::{
    calls::{Callable, Calls},
    code_lens::LENSES,
    complete::{Completion, CompletionKind, Folders},
    execution::{Action, Executable, Execution},
    folding::Fold,
    formatting::{Formatted, Part, Style},
    hover::{Hover, Section},
    inlay::{HintKind, InlayHint},
    kernels::KernelPlace,
    links::Link,
    lowered::Preview,
    names::{Named, Place},
    panel::Panel,
    refactor::Refactoring,
    semantic_tokens::Token,
    signature::Signature,
    symbols::Symbol,
};

/// The answers of one version of a text. Immutable, so it can be shared.
pub trait Answers: Send + Sync {
    /// All diagnostics of the text that can be found without running it, in order. `known` holds what the version
    /// before has kept, and afterwards what the next one can use. Costs that take long to find are left out once
    /// `cancelled` says so.
    fn diagnostics(&self, known: &mut Known, cancelled: &dyn Fn() -> bool) -> Vec<Diagnostic>;
    /// The check of a text that replaces this one, if this check is of help; else it is checked afresh. What nobody else
    /// shares is not copied.
    fn edited(self: Arc<Self>, _source: &Source, _files: Option<&dyn Files>) -> Option<Arc<dyn Answers>> {
        None
    }
    /// What a session that uses the file gets from it; `None` if it has nothing for one.
    fn used(&self) -> Option<UsedFile> {
        None
    }
    fn hover(&self, _offset: usize) -> Option<Hover> {
        None
    }
    /// What fits at `offset`, best first; `folders` has the files.
    fn complete(&self, _offset: usize, _folders: &dyn Folders) -> Vec<Completion> {
        Vec::new()
    }
    /// What a word of a completion at `offset` means.
    fn about(&self, _kind: CompletionKind, _label: &str, _offset: usize) -> Vec<Section> {
        Vec::new()
    }
    /// The name in the definition of the thing at `offset`.
    fn definition(&self, _offset: usize) -> Option<Span> {
        None
    }
    /// The place in another file of the thing at `offset`.
    fn definition_elsewhere(&self, _offset: usize) -> Option<(&Source, Span)> {
        None
    }
    /// The places of the name at `offset`, in order.
    fn references(&self, _offset: usize, _with_definition: bool) -> Vec<Span> {
        Vec::new()
    }
    /// The same with what each place does to the thing.
    fn highlights(&self, _offset: usize) -> Vec<Place> {
        Vec::new()
    }
    /// What can be renamed at `offset`.
    ///
    /// # Errors
    /// Why nothing can, in one line.
    fn prepare_rename(&self, _offset: usize) -> Result<Named, String> {
        Err("nothing can be renamed in this language".to_string())
    }
    /// What this text calls by a name that several files may know, sigil included.
    fn shared(&self, _name: &str) -> Option<Named> {
        None
    }
    /// The files in use, by the names of their sources.
    fn uses(&self) -> Vec<&str> {
        Vec::new()
    }
    /// The edits that give a thing of this text another name.
    ///
    /// # Errors
    /// Why it cannot have this name, in one line.
    fn rename(&self, _old: &Named, _name: &str) -> Result<Vec<Edit>, String> {
        Ok(Vec::new())
    }
    /// The alias of the type of the thing at `offset`, in this text or in one that it uses.
    fn type_definition(&self, _offset: usize) -> Option<(&Source, Span)> {
        None
    }
    /// How what is open at `offset` is written.
    fn signatures(&self, _offset: usize) -> Vec<Signature> {
        Vec::new()
    }
    /// The parts of the text that can be folded, in order.
    fn folds(&self) -> Vec<Fold> {
        Vec::new()
    }
    /// The blanks and line breaks that are to change in a part of the text; none once `cancelled` says so.
    fn formatting(&self, _style: Style, _part: &Part, _cancelled: &dyn Fn() -> bool) -> Formatted {
        Formatted::default()
    }
    /// For each offset what grows around it.
    fn selections(&self, offsets: &[usize]) -> Vec<Vec<Span>> {
        offsets.iter().map(|_| Vec::new()).collect()
    }
    /// The files that the text names, in order.
    fn links(&self) -> Vec<Link> {
        Vec::new()
    }
    /// The function of this name that the text defines; without a name, the text itself, if it calls functions.
    fn callable(&self, _name: Option<&str>) -> Option<Callable> {
        None
    }
    /// Who in this text calls the function.
    fn callers(&self, _name: &str) -> Vec<Calls> {
        Vec::new()
    }
    /// What a function of this text calls, or the text itself: each with the places of its calls.
    fn called(&self, _caller: Option<&str>) -> Vec<(String, Vec<Span>)> {
        Vec::new()
    }
    /// The definitions of the text, in order.
    fn symbols(&self) -> Vec<Symbol> {
        Vec::new()
    }
    /// Its kernels, in order; finding them plans nothing.
    fn kernels(&self) -> Vec<KernelPlace> {
        Vec::new()
    }
    /// The views of a kernel that lenses open, each with its title.
    fn lenses(&self) -> &'static [(&'static str, View)] {
        LENSES
    }
    /// What can be run, in order.
    fn executables(&self) -> Vec<Executable> {
        Vec::new()
    }
    /// What runs for a kernel.
    ///
    /// # Errors
    /// What is missing, in one line.
    fn execution(&self, _kernel: &str, _action: Action) -> Result<Execution, String> {
        Err("texts of this language do not run: they are only checked".to_string())
    }
    /// What the storage panel shows at `offset`.
    fn panel(&self, _offset: usize) -> Option<Panel> {
        None
    }
    /// A kernel in a view; `None` once `cancelled` says so.
    fn lowered(&self, _kernel: &str, _view: View, _cancelled: &dyn Fn() -> bool) -> Option<Preview> {
        Some(Preview::Unknown(Vec::new()))
    }
    /// What can be rewritten at `range`; kernels are planned for it only as long as `may_plan` says so.
    fn refactorings(&self, _range: Range<usize>, _may_plan: &dyn Fn() -> bool) -> Vec<Refactoring> {
        Vec::new()
    }
    /// The refactorings that mend what a diagnostic of `code` at `place` reports.
    fn mending(&self, _code: Code, _place: Span) -> Vec<Refactoring> {
        Vec::new()
    }
    /// What follows from the text in `range` but is not written there; fewer hints once `cancelled` says so.
    fn inlay_hints(
        &self,
        _range: Range<usize>,
        _wanted: &dyn Fn(HintKind) -> bool,
        _cancelled: &dyn Fn() -> bool,
    ) -> Vec<InlayHint> {
        Vec::new()
    }
    /// The tokens that touch `range`, in order; fewer once `cancelled` says so.
    fn semantic_tokens(&self, _range: Range<usize>, _cancelled: &dyn Fn() -> bool) -> Vec<Token> {
        Vec::new()
    }
}

/// The findings in one version of a text, kept for the next; each front end decides what it keeps.
#[derive(Default)]
pub struct Known(Option<Box<dyn Any + Send>>);

impl Known {
    /// What the same front end has kept; empty at first.
    pub fn of<T: Any + Default + Send>(&mut self) -> &mut T {
        let kept = self.0.take().and_then(|kept| kept.downcast::<T>().ok()).unwrap_or_default();
        let kept: &mut dyn Any = self.0.insert(kept).as_mut();
        kept.downcast_mut().expect("of the type that was put in")
    }
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn what_another_front_end_has_left_is_forgotten() {
        let mut known = Known::default();
        *known.of::<u32>() = 3;
        assert_eq!(*known.of::<u32>(), 3);
        assert_eq!(*known.of::<String>(), "");
        assert_eq!(*known.of::<u32>(), 0);
    }
}
