//! `textDocument/codeLens`: what can be seen and done of every kernel, above it. Nothing is planned for it.

use nnz_base::source::Span;
use nnz_check::{Checked, command::View};

use crate::kernels::kernels;

/// What a lens does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Open(View),
    Execute(Action),
}

/// What is done with a kernel and its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Run,
    Time,
    /// Times it with its operands in other formats.
    Compare,
}

impl Action {
    /// As clients name it.
    pub fn name(self) -> &'static str {
        match self {
            Action::Run => "run",
            Action::Time => "time",
            Action::Compare => "compare",
        }
    }
}

/// The lenses of every kernel, from left to right.
pub const LENSES: &[(&str, Act)] = &[
    ("Loops", Act::Open(View::Loops)),
    ("Plan", Act::Open(View::Plan)),
    ("C", Act::Open(View::C)),
    ("Run", Act::Execute(Action::Run)),
    ("Time", Act::Execute(Action::Time)),
    ("Compare formats", Act::Execute(Action::Compare)),
];

/// A line of text above a kernel that can be clicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLens {
    pub title: &'static str,
    pub act: Act,
    /// The kernel by its name (see [`crate::kernels`]).
    pub kernel: String,
    pub span: Span,
}

/// In the order of the text.
pub fn code_lenses(checked: &Checked) -> Vec<CodeLens> {
    let of_kernel = |kernel: crate::kernels::KernelPlace| {
        let lens = move |(title, act): &(&'static str, Act)| CodeLens {
            title,
            act: *act,
            kernel: kernel.name.clone(),
            span: kernel.selection,
        };
        LENSES.iter().map(lens)
    };
    kernels(checked).into_iter().flat_map(of_kernel).collect()
}
