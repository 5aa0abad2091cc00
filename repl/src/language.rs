//! The language of a text, by its name.

use std::path::Path;

use nnz_core::languages::{FrontEnd, LANGUAGES};

/// The path that gives the language of a file and its folder: standard input may have been given a name.
pub(crate) fn called<'f>(file: &'f Path, stdin: Option<&'f Path>) -> &'f Path {
    stdin.filter(|_| file == Path::new("-")).unwrap_or(file)
}

/// The language of a file, by its name.
pub(crate) fn language_of(file: &Path) -> Option<&'static FrontEnd> {
    LANGUAGES.of_path(&file.to_string_lossy())
}
