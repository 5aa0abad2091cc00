//! Checking any MLIR text, encodings above all, never panics and never stalls; every diagnostic and
//! every edit of a fix lies within the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nnz_core::{
    check,
    ids::FileId,
    source::Source,
};

fuzz_target!(|text: &str| {
    let source = Source::new(FileId(0), "fuzz.mlir", text);
    let checked = check::mlir::check_mlir(&source);
    assert_eq!(checked.tree.tokens().map(|token| token.text()).collect::<String>(), text);
    for found in &checked.diagnostics {
        let edits = found.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
        for span in edits.chain([found.primary.span]) {
            assert!(text.get(span.range()).is_some());
        }
    }
});
