//! Scripts of SparseTIR: functions in Python files. A Python file without one has no answers.

use std::sync::Arc;

use nnz_base::{
    diagnostic::Diagnostic,
    source::{Source, Span},
};
use nnz_ide::{
    hover::Hover,
    names::{Access, Place},
    scripts::{definition, hover, places, references, symbols},
    symbols::Symbol,
};
use nnz_tir::{Script, script};

use crate::{Answers, Context, Execution, FrontEnd, Known};

pub static SPARSE_TIR: FrontEnd = FrontEnd {
    name: "SparseTIR",
    extensions: &["py"],
    editor_ids: &["python"],
    check,
    may_use_files: |_| false,
    execution: Execution::Nothing,
};

fn check(source: &Source, _: Context<'_>) -> Arc<dyn Answers> {
    Arc::new(Checked(script(source)))
}

/// A Python file, read and checked.
struct Checked(Script);

impl Answers for Checked {
    fn diagnostics(&self, _: &mut Known, _: &dyn Fn() -> bool) -> Vec<Diagnostic> {
        self.0.diagnostics.clone()
    }
    fn hover(&self, offset: usize) -> Option<Hover> {
        hover(&self.0, offset)
    }
    fn definition(&self, offset: usize) -> Option<Span> {
        definition(&self.0, offset)
    }
    fn references(&self, offset: usize, with_definition: bool) -> Vec<Span> {
        references(&self.0, offset, with_definition)
    }
    fn highlights(&self, offset: usize) -> Vec<Place> {
        let place = |(span, declares)| Place { span, access: if declares { Access::Write } else { Access::Read } };
        places(&self.0, offset).into_iter().map(place).collect()
    }
    fn symbols(&self) -> Vec<Symbol> {
        symbols(&self.0)
    }
}
