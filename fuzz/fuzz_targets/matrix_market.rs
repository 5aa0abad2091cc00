//! The Matrix Market reader never panics, places every error within the text, and reads back the same after
//! writing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nnz_core::storage::files::{self, FileKind, Packing, ReadOptions, Triangles};

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions { limit: 1 << 20, ..ReadOptions::default() };
    match files::read(FileKind::MatrixMarket, bytes, &options, &files::unwatched) {
        Ok(read) => {
            let mut text = Vec::new();
            files::write(FileKind::MatrixMarket, &read.triplets, Packing::Plain, &mut text).expect("a matrix is written");
            let element = Some(read.triplets.element());
            let again = files::read(FileKind::MatrixMarket, &text, &ReadOptions { element, ..options }, &files::unwatched);
            // NaN is not equal to itself, so the values are compared as text.
            let again = again.expect("what was written is read").triplets;
            assert_eq!(again.coords(), read.triplets.coords());
            assert_eq!(format!("{:?}", again.values()), format!("{:?}", read.triplets.values()));
        }
        Err(error) => {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            let gzipped = bytes.starts_with(&[0x1f, 0x8b]);
            assert!(gzipped || error.line().is_some_and(|line| line <= lines), "{error}");
        }
    }
    let stored = ReadOptions { triangles: Triangles::Stored, limit: 1 << 20, ..ReadOptions::default() };
    let _ = files::read(FileKind::MatrixMarket, bytes, &stored, &files::unwatched);
});
