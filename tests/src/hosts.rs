//! A host without files, and a sink that keeps what a program prints and notes.

use nnz_core::{diagnostic::Diagnostic, host::Host, machine::Sink};

/// Has no files and no variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Host for Nowhere {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("no such file".to_string())
    }
}

/// What a program gave out.
#[derive(Debug, Default)]
pub struct Said {
    pub printed: String,
    pub notes: Vec<Diagnostic>,
}

impl Sink for Said {
    fn print(&mut self, text: &str) {
        self.printed += text;
    }
    fn note(&mut self, diagnostic: Diagnostic) {
        self.notes.push(diagnostic);
    }
}
