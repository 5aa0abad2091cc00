//! The cost of a statement does not grow with the number of defined names, and what is shown is not made again,
//! measured in allocated bytes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use nnz_core::{
    check::used::NoFiles,
    diagnostic::Severity,
    ids::FileId,
    languages::NOTATION,
    session::{Options, Session, Verdict},
    source::Source,
};
use nnz_tests::hosts::Nowhere;

struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn session() -> Session {
    Session::new(Arc::new(Nowhere), Options::default())
}

fn source(text: String) -> Source {
    Source::new(FileId(0), "long", text)
}

/// What running and checking a text allocates.
fn bytes(text: String) -> [usize; 2] {
    let (source, mut session) = (source(text), session());
    let count = |work: &mut dyn FnMut()| {
        let before = BYTES.load(Ordering::Relaxed);
        work();
        BYTES.load(Ordering::Relaxed) - before
    };
    let checked = count(&mut || {
        let found = self::session().check(&NOTATION, &source, &NoFiles);
        // The encodings are one, and a hint says so.
        assert!(found.iter().all(|one| one.severity() == Severity::Hint), "{found:?}");
    });
    let ran = count(&mut || assert_eq!(session.run(&source, true, &mut |_| ()), Verdict::Failed));
    [checked, ran]
}

fn text(names: usize) -> String {
    let mut text = String::new();
    for name in 0..names {
        writeln!(text, "x{name} = [{name}, 1]").unwrap();
        writeln!(text, "#E{name} = #sparse_tensor.encoding<{{ map = (i) -> (i : compressed) }}>").unwrap();
        writeln!(text, "y{name} : tensor<2xf64, #E{name}> = x{name}").unwrap();
    }
    // One that fails takes back what it has defined, and nothing else.
    text + ":write x0 \"x.tns\"\n:type x0\n"
}

/// What showing a kernel allocates that has read a dense copy of 8 MB.
fn bytes_of_showing() -> usize {
    let mut session = session();
    let mut run = |text: &str| {
        let before = BYTES.load(Ordering::Relaxed);
        assert_eq!(session.run(&source(text.to_string()), false, &mut |_| ()), Verdict::Fine);
        BYTES.load(Ordering::Relaxed) - before
    };
    let copied = run("A : tensor<1000x1000xf64, CSR> = random(density = 0.001)\nf : tensor<3xf64> = [1, 2, 1]\n\
                      s(i) = A(i + k, 7) * f(k)\n");
    assert!(copied > 8_000_000, "{copied} bytes");
    run(":show plan s\n:show graph s\n:show loops s\n:show c s\n")
}

/// One test, as the count is of the whole process.
#[test]
fn a_statement_takes_no_more_than_it_needs() {
    let shown = bytes_of_showing();
    assert!(shown < 4_000_000, "{shown} bytes");
    let (few, many) = (bytes(text(40)), bytes(text(320)));
    for (few, many) in few.into_iter().zip(many) {
        assert!(many < 10 * few, "{few} bytes for 40 definitions, {many} for 320");
    }
}
