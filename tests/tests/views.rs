//! Every kernel of the programs and sessions of the suite has a name, a place and views in editors.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use nnz_core::{
    check::{Checked, command::View, mlir::check_mlir, scope::Scope, session::check_session},
    ide::{
        kernels::{KernelPlace, kernels},
        lowered::{Preview, lowered},
    },
    ids::FileId,
    machine, mlir,
    source::{Source, Span},
};

fn texts(folder: &str, ending: &str) -> Vec<(PathBuf, Source)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path.clone(), Source::new(FileId(0), &path.to_string_lossy(), text))
    };
    paths.into_iter().map(read).collect()
}

/// What has no view without an error in its text.
fn without_view(checked: &Checked, view: View) -> Vec<String> {
    let missing = |kernel: &KernelPlace| match lowered(checked, &kernel.name, view, &|| false) {
        Some(Preview::Shown(shown)) if !shown.text.is_empty() => None,
        other => Some(format!("{}: {other:?}", kernel.name)),
    };
    kernels(checked).iter().filter_map(missing).collect()
}

#[test]
fn the_kernels_of_programs_are_those_that_the_machine_finds() {
    let mut count = 0;
    for (path, source) in texts("programs", "mlir") {
        let checked = check_mlir(&source);
        let modules = mlir::modules(&checked).unwrap();
        let functions = modules.iter().flat_map(|module| &module.functions);
        let mut wanted: Vec<Span> =
            functions.flat_map(|function| machine::sites(&source, function)).map(|site| site.span).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let found: Vec<Span> = kernels(&checked).iter().map(|kernel| kernel.selection).collect();
        assert_eq!(found, wanted, "{}", path.display());
        assert_eq!(without_view(&checked, View::Plan), [""; 0], "{}", path.display());
        count += found.len();
    }
    assert!(count > 300, "{count}");
}

const CSR: &str = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>";

#[test]
fn the_kernels_of_sessions_without_errors_have_views() {
    let mut count = 0;
    for (path, source) in texts("../examples", "nnz") {
        let alone = source.text.replace("use \"examples/csr.mlir\"", CSR);
        let checked = check_session(&Source::new(FileId(0), "a.nnz", alone), &Scope::default());
        assert_eq!(without_view(&checked, View::Loops), [""; 0], "{}", path.display());
        count += kernels(&checked).len();
    }
    assert!(count > 5, "{count}");
}
