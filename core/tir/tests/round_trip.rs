//! What is printed is read as the same function, in both spellings.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use nnz_base::{ids::FileId, source::Source};
use nnz_tir::{
    Script,
    model::Function,
    print::{Spelling, print},
};

fn script(name: &str, text: &str) -> Script {
    let script = nnz_tir::script(&Source::new(FileId(0), name, text));
    let errors: Vec<String> = script
        .diagnostics
        .iter()
        .filter(|one| one.is_error())
        .map(|one| {
            format!(
                "{} {:?}: {}",
                one.code.text(),
                script.source.line_col(one.primary.span.start as usize),
                one.message
            )
        })
        .collect();
    assert!(errors.is_empty(), "{name}:\n{}\n{text}", errors.join("\n"));
    assert!(script.functions.iter().all(|read| read.whole));
    script
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/tir/scripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn functions(script: &Script) -> Vec<&Function> {
    script.functions.iter().map(|read| &read.function).collect()
}

#[test]
fn printed_functions_are_read_as_they_were() {
    let mut count = 0;
    for path in scripts() {
        let text = fs::read_to_string(&path).unwrap();
        let first = script(&path.display().to_string(), &text);
        for spelling in [Spelling::Rfc, Spelling::Prototype] {
            let printed = print(functions(&first), spelling);
            let again = script("printed", &printed);
            assert_eq!(functions(&first), functions(&again), "{printed}");
            assert_eq!(print(functions(&again), spelling), printed);
        }
        count += first.functions.len();
    }
    assert!(count > 10, "{count} functions were read");
}

#[test]
fn the_spellings_differ_in_names_alone() {
    let text = fs::read_to_string(scripts().iter().find(|path| path.ends_with("products.py")).unwrap()).unwrap();
    let script = script("products.py", &text);
    let (rfc, prototype) = (print(functions(&script), Spelling::Rfc), print(functions(&script), Spelling::Prototype));
    assert!(rfc.contains("T.sp.iteration([I, J, K], \"SRS\", \"csr_times_dense\") as [i, j, k]:"), "{rfc}");
    assert!(
        rfc.contains("J = T.sp.compressed_varied(I, (columns, nnz), (indptr, indices), idtype=\"int32\", sorted=True)")
    );
    assert!(prototype.contains("T.sp_iter([I, J, K]") && prototype.contains("T.sparse_variable(I, "), "{prototype}");
    assert!(!prototype.contains("T.sp."), "{prototype}");
}

#[test]
fn loops_become_grids_and_bindings_remaps() {
    let text = fs::read_to_string(scripts().iter().find(|path| path.ends_with("lowered.py")).unwrap()).unwrap();
    let printed = print(functions(&script("lowered.py", &text)), Spelling::Rfc);
    assert!(printed.contains("for j, x in T.grid(J_indptr[vi + 1] - J_indptr[vi], k):"), "{printed}");
    assert!(printed.contains("vb, vt = T.axis.remap(\"SS\", [bx, tx])"), "{printed}");
    assert!(printed.contains("(Z[i] - (1 - count)) // 2 % 5 | 1 ^ Z[i] << 2 & 6"), "{printed}");
}
