//! A host for programs of which only the diagnostics matter.

use nnz_core::{diagnostic::Diagnostic, machine::Host};

/// Without files or variables; keeps what a program's run notes.
#[derive(Default)]
pub struct Notes(pub Vec<Diagnostic>);

impl Host for Notes {
    fn print(&mut self, _: &str) {}
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("no such file".to_string())
    }
    fn note(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }
}
