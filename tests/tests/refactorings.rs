//! Every other way to write what stands at a place is applied, and the result is checked.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path};

use nnz_core::{
    diagnostic::{Diagnostic, Edit},
    ide::refactor::Refactoring,
    ids::FileId,
    languages::{Answers, Known, LANGUAGES},
    source::Source,
};
use nnz_tests::parallel;
use std::sync::Arc;

fn checked(name: &str, text: &str) -> Arc<dyn Answers> {
    LANGUAGES.of_path(name).unwrap().check_alone(&Source::new(FileId(0), name, text))
}

fn errors(name: &str, text: &str) -> Vec<Diagnostic> {
    let mut found = checked(name, text).diagnostics(&mut Known::default(), &|| false);
    found.retain(Diagnostic::is_error);
    found
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_string();
    assert!(edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{edits:?}");
    edits.iter().rev().for_each(|edit| text.replace_range(edit.span.range(), &edit.replacement));
    text
}

fn at(name: &str, text: &str, offset: usize) -> Vec<Refactoring> {
    checked(name, text).refactorings(offset..offset, &|| true)
}

/// The text with the refactoring applied whose title begins so, at the `|`.
fn rewritten(name: &str, text: &str, title: &str) -> String {
    let offset = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let found = at(name, &text, offset);
    let titles: Vec<&str> = found.iter().map(|found| found.title.as_str()).collect();
    let chosen = found.iter().find(|found| found.title.starts_with(title));
    let chosen = chosen.unwrap_or_else(|| panic!("no `{title}` in {titles:?}"));
    let result = applied(&text, &chosen.edits);
    let wrong: Vec<String> = errors(name, &result).into_iter().map(|error| error.message).collect();
    assert!(wrong.is_empty(), "{wrong:?} in\n{result}");
    result
}

const CSR: &str = "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>";

fn program(encoding: &str) -> String {
    format!("#M = {encoding}\nfunc.func private @f(tensor<100x200xf64, #M>) -> tensor<100x200xf64, #M>\n")
}

#[test]
fn another_format() {
    let text = program(&CSR.replace("i : dense", "i : |dense").replace(" }>", ", posWidth = 32 }>"));
    let csc = "#sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed), posWidth = 32 }>";
    assert_eq!(rewritten("a.mlir", &text, "store as CSC:"), program(csc));
    let named = "#M = #sparse_tensor.encoding<{ map = (row, col) -> (row : dense, col : compressed) }>\n";
    let text = named.replacen('#', "|#", 1) + "func.func private @f(tensor<8x8xf64, #M>)\n";
    let blocks = "map = (row, col) -> (row floordiv 2 : dense, col floordiv 2 : compressed, row mod 2 : dense, col mod 2 : dense)";
    assert!(rewritten("a.mlir", &text, "store as BSR(2, 2):").contains(blocks));
    let text = "A : tensor<4x4xf64, |CSR> = poisson2d(n = 2)\n";
    assert_eq!(rewritten("a.nnz", text, "store as BSR(2, 2):"), text.replace("|CSR", "BSR(2, 2)"));
    assert_eq!(rewritten("a.nnz", "A : |CSR = poisson2d(n = 2)\n", "store as DIA:"), "A : DIA = poisson2d(n = 2)\n");
    let beyond = at("a.mlir", &program(CSR), program(CSR).find("dense").unwrap());
    assert!(!beyond.iter().any(|found| found.title.contains("DIA")), "MLIR has no diagonals");
}

#[test]
fn the_inverse_written_and_inferred() {
    let csc = "#sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>";
    let text = program(&csc.replace("-> (", "-> (|"));
    let written = rewritten("a.mlir", &text, "write the inverse");
    assert!(written.contains("map = {l0, l1}(i = l1, j = l0) -> (l0 = j : dense, l1 = i : compressed)"), "{written}");
    let again = written.replace("-> (l0", "-> (|l0");
    assert_eq!(rewritten("a.mlir", &again, "leave the inverse"), program(csc));
}

#[test]
fn narrow_widths() {
    let text = program(&CSR.replace("i : dense", "i : |dense"));
    let narrow = CSR.replace(" }>", ", posWidth = 16, crdWidth = 8 }>");
    assert_eq!(rewritten("a.mlir", &text, "narrow to posWidth = 16, crdWidth = 8"), program(&narrow));
    let wide = CSR.replace(" }>", ", crdWidth = 32, posWidth = 16 }>");
    let narrowed = wide.replace("32", "8");
    assert_eq!(
        rewritten("a.mlir", &program(&wide.replacen('{', "{|", 1)), "narrow to crdWidth = 8"),
        program(&narrowed)
    );
    let unknown = program(CSR).replace("100x", "?x");
    assert!(!at("a.mlir", &unknown, 10).iter().any(|found| found.title.starts_with("narrow")));
    let named = program(CSR) + "func.func private @g(!sparse_tensor.storage_specifier<#M>)\n";
    assert!(!at("a.mlir", &named, 10).iter().any(|found| found.title.starts_with("narrow")));
}

#[test]
fn aliases_written_out_and_named() {
    let text = program(CSR).replace("-> tensor<100x200xf64, #M", "-> tensor<100x200xf64, |#M");
    let body = program(CSR).lines().nth(1).unwrap().to_string() + "\n";
    assert_eq!(rewritten("a.mlir", &text, "write #M out and remove"), body.replace("#M", CSR));
    let here = program(CSR).replace("-> tensor<100x200xf64, #M", &format!("-> tensor<100x200xf64, {CSR}"));
    assert_eq!(rewritten("a.mlir", &text, "write #M out here"), here);
    let inlined = body.replacen("#M", &CSR.replacen('(', "|(", 1), 1).replace("#M", CSR);
    let named = body.replace("#M", "#CSR");
    assert_eq!(rewritten("a.mlir", &inlined, "name this encoding #CSR"), format!("#CSR = {CSR}\n{named}"));
    let session = "#M = (i, j) -> (i : dense, j : compressed)\nA : tensor<4x4xf64, |#M> = poisson2d(n = 2)\n";
    let written = rewritten("a.nnz", session, "write #M out");
    assert_eq!(written, format!("A : tensor<4x4xf64, {CSR}> = poisson2d(n = 2)\n"));
    let back = rewritten("a.nnz", &written.replacen("i : dense", "i : |dense", 1), "name this encoding #CSR");
    assert_eq!(back, format!("#CSR = {CSR}\nA : tensor<4x4xf64, #CSR> = poisson2d(n = 2)\n"));
}

#[test]
fn the_conversion_of_a_kernel_in_a_statement_of_its_own() {
    let start = "A : tensor<8x8xf64, CSR> = random(density = 0.5)\nB : tensor<8x8xf64, CSC> = random(density = 0.5)\n";
    let text = format!("{start}C(i, j) : CSR = A(i, j) |+ B(i, j)\n");
    let written = rewritten("a.nnz", &text, "convert B to CSR");
    assert_eq!(written, format!("{start}B_CSR : CSR = B\nC(i, j) : CSR = A(i, j) + B_CSR(i, j)\n"));
    let kernel = written.find("B_CSR(").unwrap();
    assert!(!at("a.nnz", &written, kernel).iter().any(|found| found.title.starts_with("convert")));
}

#[test]
fn the_conversion_of_an_operation() {
    let text = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
func.func @f(%A: tensor<8x8xf64, #CSR>, %B: tensor<8x8xf64, #CSC>, %C: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %r = linalg.|add ins(%A, %B : tensor<8x8xf64, #CSR>, tensor<8x8xf64, #CSC>) outs(%C : tensor<8x8xf64>) -> tensor<8x8xf64>
  return %r : tensor<8x8xf64>
}
";
    let written = rewritten("a.mlir", text, "convert %B to CSR");
    let lines = "  %B_CSR = sparse_tensor.convert %B : tensor<8x8xf64, #CSC> to tensor<8x8xf64, #CSR>\n  \
        %r = linalg.add ins(%A, %B_CSR : tensor<8x8xf64, #CSR>, tensor<8x8xf64, #CSR>) outs";
    assert!(written.contains(lines), "{written}");
    let kernel = written.find("linalg.add").unwrap() + 1;
    assert!(!at("a.mlir", &written, kernel).iter().any(|found| found.title.starts_with("convert")));
}

#[test]
fn one_more_step() {
    let start = "A : tensor<80x80xf64, CSR> = random(density = 0.5)\nx : tensor<80xf64> = random(density = 1)\n";
    let text = format!("{start}y(i) = A(i, j) |* x(j)\n");
    let written = rewritten("a.nnz", &text, "add the step parallelize(i)");
    assert!(written.ends_with("y(i) = A(i, j) * x(j) schedule parallelize(i)\n"), "{written}");
    let again = written.replacen("* x", "|* x", 1);
    let two = rewritten("a.nnz", &again, "add the step unroll(j, 4)");
    assert!(two.ends_with(" schedule parallelize(i), unroll(j, 4)\n"), "{two}");
    let found = at("a.nnz", &again.replacen('|', "", 1), again.find('|').unwrap());
    assert!(!found.iter().any(|found| found.title.contains("parallelize")), "only once");
}

/// At names of encodings, formats and kernels of all texts: nothing that was right is wrong afterwards, but for the
/// operations that depend on the format.
#[test]
fn no_text_breaks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for (folder, ending) in [("suite/session", "nnz"), ("programs", "mlir")] {
        let mut files: Vec<_> = fs::read_dir(root.join(folder)).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.retain(|file| file.extension().is_some_and(|own| own == ending));
        let tried = parallel::each(&files, |file| {
            let (name, text) = (file.to_str().unwrap(), fs::read_to_string(file).unwrap());
            stays_right(name, &text)
        });
        count += tried.into_iter().sum::<usize>();
    }
    assert!(count > 500, "only {count} were tried");
}

fn stays_right(name: &str, text: &str) -> usize {
    const PLACES: [&str; 6] = ["#", ", #", "linalg.", ", CSR>", " : CSC", "(i) ="];
    let before = errors(name, text).len();
    let mut count = 0;
    for offset in PLACES.iter().filter_map(|word| Some(text.find(word)? + word.len() - 1)) {
        for found in at(name, text, offset) {
            let result = applied(text, &found.edits);
            let wrong = errors(name, &result);
            let counts = |error: &&Diagnostic| !found.title.starts_with("store as") || error.code.text() < "E0200";
            assert!(wrong.iter().filter(counts).count() <= before, "{name}: {}\n{wrong:#?}\n{result}", found.title);
            count += 1;
        }
    }
    count
}
