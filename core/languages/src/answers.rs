//! The answers of one checked version of a text. All answers except the diagnostics are optional.

use std::{any::Any, ops::Range};

use nnz_base::{
    diagnostic::Diagnostic,
    source::{Source, Span},
};
use nnz_check::{command::View, used::UsedFile};
use nnz_ide::{
    complete::Completion, hover::Hover, kernels::KernelPlace, lowered::Preview, semantic_tokens::Token, symbols::Symbol,
};

/// Immutable: whoever asks it shares it.
pub trait Answers: Send + Sync {
    /// All that is wrong with the text as far as that is known without running it, in order. `known` is what the version
    /// before has left, and is left for the next one.
    fn diagnostics(&self, known: &mut Known) -> Vec<Diagnostic>;
    /// What a session that uses the file gets of it; `None` where it has nothing for one.
    fn used(&self) -> Option<UsedFile> {
        None
    }
    fn hover(&self, _offset: usize) -> Option<Hover> {
        None
    }
    /// What fits at `offset`, best first.
    fn complete(&self, _offset: usize) -> Vec<Completion> {
        Vec::new()
    }
    /// The name in the definition of what stands at `offset`.
    fn definition(&self, _offset: usize) -> Option<Span> {
        None
    }
    /// The place in another file of what stands at `offset`.
    fn definition_elsewhere(&self, _offset: usize) -> Option<(&Source, Span)> {
        None
    }
    /// Where the name at `offset` stands, in order.
    fn references(&self, _offset: usize, _with_definition: bool) -> Vec<Span> {
        Vec::new()
    }
    /// The definitions of the text, in order.
    fn symbols(&self) -> Vec<Symbol> {
        Vec::new()
    }
    /// Its kernels, in order; nothing is planned for it.
    fn kernels(&self) -> Vec<KernelPlace> {
        Vec::new()
    }
    /// A kernel in a view; `None` once `cancelled` says so.
    fn lowered(&self, _kernel: &str, _view: View, _cancelled: &dyn Fn() -> bool) -> Option<Preview> {
        Some(Preview::Unknown(Vec::new()))
    }
    /// The tokens that touch `range`, in order; fewer once `cancelled` says so.
    fn semantic_tokens(&self, _range: Range<usize>, _cancelled: &dyn Fn() -> bool) -> Vec<Token> {
        Vec::new()
    }
}

/// What was found in one version of a text, kept for the next: each front end keeps what it likes.
#[derive(Default)]
pub struct Known(Option<Box<dyn Any + Send>>);

impl Known {
    /// What the same front end has left; empty at first.
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
