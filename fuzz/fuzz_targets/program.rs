//! Checking and running any program never panics; every diagnostic lies within its text; the diagnostics are the same
//! with and without the cache; and kernels print the same compiled and evaluated point by point.

#![no_main]

use std::fmt::Write;

use libfuzzer_sys::fuzz_target;
use nnz_core::{
    check::{Checked, mlir::check_mlir},
    host::Host,
    ids::FileId,
    machine::{self, Sink, Kernels, Options},
    mlir::{self, Known},
    source::Source,
};

/// Keeps what is printed.
#[derive(Default)]
struct Printed(String);

impl Sink for Printed {
    fn print(&mut self, text: &str) {
        let _ = self.0.write_str(text);
    }
}

/// Has no files.
struct Nowhere;

impl Host for Nowhere {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("no files here".to_string())
    }
}

/// Sizes of more digits would only ask for memory.
const MOST_DIGITS: usize = 4;
/// Room for the deepest calls, in a build with large frames.
const STACK: usize = 1 << 29;

fn large_numbers(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > MOST_DIGITS)
}

fn checked(text: &str) -> Checked {
    check_mlir(&Source::new(FileId(0), "fuzz.mlir", text))
}

fn explore(text: &str) {
    let checked = checked(text);
    let found = machine::diagnostics(&checked, &mut Known::default());
    assert!(found.iter().all(|found| found.primary.span.end as usize <= text.len()));
    let mut known = Known::default();
    let half = text.split_at_checked(text.len() / 2).map_or("", |(half, _)| half);
    machine::diagnostics(&self::checked(half), &mut known);
    assert_eq!(machine::diagnostics(&checked, &mut known), found);
    let Ok(modules) = mlir::modules(&checked) else { return };
    if checked.has_errors() {
        return;
    }
    let printed = [Kernels::Direct, Kernels::Compiled].map(|kernels| {
        let mut printed = Printed::default();
        let options = Options { steps: 20_000, kernels, ..Options::default() };
        machine::run(&checked, &modules, "main", (&Nowhere, &mut printed), options).ok().map(|()| printed.0)
    });
    if let [Some(direct), Some(compiled)] = printed {
        assert_eq!(direct, compiled);
    }
}

fuzz_target!(|text: &str| {
    if large_numbers(text) {
        return;
    }
    let explored = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || explore(text));
        thread.expect("a thread").join()
    });
    explored.expect("no panic");
});
