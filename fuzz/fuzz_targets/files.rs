//! The other readers never panic: the first byte chooses the format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nnz_core::storage::files::{self, FileKind, ReadOptions};

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let kinds = [FileKind::Frostt, FileKind::Dlmc, FileKind::Scipy];
    let options = ReadOptions { limit: 1 << 20, ..ReadOptions::default() };
    let _ = files::read(kinds[usize::from(choice) % kinds.len()], bytes, &options, &files::unwatched);
});
