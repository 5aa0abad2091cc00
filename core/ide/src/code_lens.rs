//! `textDocument/codeLens`: what can be seen and done of every kernel (see [`crate::kernels`]), above it. Nothing is
//! planned for it.

use nnz_check::command::View;

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

/// The lenses over a kernel, from left to right, with their titles.
pub const LENSES: &[(&str, Act)] = &[
    ("Loops", Act::Open(View::Loops)),
    ("Plan", Act::Open(View::Plan)),
    ("C", Act::Open(View::C)),
    ("Run", Act::Execute(Action::Run)),
    ("Time", Act::Execute(Action::Time)),
    ("Compare formats", Act::Execute(Action::Compare)),
];
