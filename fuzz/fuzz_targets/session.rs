//! Parsing and checking any session never panics; the tree reprints its text; every diagnostic lies
//! within it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nnz_core::{
    check::{scope::Scope, session::check_session},
    ids::FileId,
    source::Source,
    syntax,
};

fuzz_target!(|text: &str| {
    let tree = syntax::session::parse(text);
    assert_eq!(tree.tokens().map(|token| token.text()).collect::<String>(), text);
    let source = Source::new(FileId(0), "fuzz.nnz", text);
    for found in check_session(&source, &Scope::default()).diagnostics {
        assert!(found.primary.span.end as usize <= text.len());
    }
});
