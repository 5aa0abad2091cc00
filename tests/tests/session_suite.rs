//! Runs `suite/session/*.nnz`: sessions with what they answer, on every back end.
//!
//! Behind a statement stand the lines that it answers with: `// > ` what it shows, `// ! ` what it
//! reports, each place by the text there. `UPDATE_EXPECT=1` writes what is answered now.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use nnz_core::{
    backend::Target,
    diagnostic::Diagnostic,
    ids::FileId,
    session::{Host, Options, Outcome, Session},
    source::{Language, Source},
    storage::files::{Content, Written},
};

/// The files that sessions can read.
const FILES: &[(&str, &str)] = &[
    ("small.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 1.5\n2 3 -2\n3 4 4\n"),
    ("sized.tns", "4 3 2\n1 1 1.5\n4 3 -2\n"),
    ("symmetric.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 5\n"),
    ("formats.mlir", "#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>\n"),
    ("kernels.mlir", KERNELS),
    (
        "unknown.mlir",
        "#D = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>\nfunc.func @f() {\n  foo.bar\n  return\n}\n",
    ),
    ("wrong.mlir", "func.func @f() -> f64 {\n  return %x : f64\n}\n"),
    ("broken.mlir", "\n#X = #sparse_tensor.encoding<{ map = (i, j) -> (i : densee, j : compressed) }>\n"),
    ("broken.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n4 1 2\n"),
];

/// A program with functions for every kind of argument and result.
const KERNELS: &str = "
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %A, %c0 : tensor<?x?xf64, #CSR>
  %e = tensor.empty(%n) : tensor<?xf64>
  %y = linalg.matvec ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @columns(%A: tensor<3x4xf64>) -> tensor<3x4xf64, #CSC> {
  %B = sparse_tensor.convert %A : tensor<3x4xf64> to tensor<3x4xf64, #CSC>
  return %B : tensor<3x4xf64, #CSC>
}
func.func @scale(%a: f32, %n: index) -> (f32, index) {
  vector.print %a : f32
  %b = arith.mulf %a, %a : f32
  return %b, %n : f32, index
}
func.func @divide(%a: i32, %b: i32) -> i32 {
  vector.print %a : i32
  %c = arith.divsi %a, %b : i32
  return %c : i32
}
func.func @read(%name: !llvm.ptr) -> tensor<?x?xf64, #CSR> {
  %A = sparse_tensor.new %name : !llvm.ptr to tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}
func.func @of_vector(%v: vector<2xf64>) {
  return
}
func.func @nothing() {
  return
}
";

struct Files;

impl Host for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = FILES.iter().find(|(name, _)| *name == path).ok_or("no such file")?;
        Ok(file.1.as_bytes().to_vec())
    }
    fn write(&self, _: &str, content: Content<'_>) -> Result<Written, String> {
        let mut bytes = Vec::new();
        content(&mut bytes).map_err(|error| error.to_string())?;
        Ok(Written { bytes: bytes.len() as u64, replaced: false })
    }
}

fn is_answer(line: &str) -> bool {
    line.starts_with("// >") || line.starts_with("// !")
}

/// The session with its answers as they are now.
fn answered(text: &str, target: Target) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !is_answer(line)).collect();
    let source = Source::new(FileId(0), "session.nnz", Language::Nnz, lines.join("\n") + "\n");
    let mut answers: Vec<(usize, String)> = Vec::new();
    let mut session = Session::new(Arc::new(Files), Options { target, ..Options::default() });
    session.run(&source, true, &mut |outcome| {
        let line = source.line_col(outcome.span.end as usize).line as usize;
        answers.extend(answer(&source, &outcome).into_iter().map(|answer| (line, answer)));
    });
    let mut written = String::new();
    for (at, line) in lines.iter().enumerate() {
        written += &format!("{line}\n");
        let here = answers.iter().filter(|(line, _)| *line == at);
        here.for_each(|(_, answer)| written += &format!("{}\n", answer.trim_end()));
    }
    written
}

fn answer(source: &Source, outcome: &Outcome) -> Vec<String> {
    let mut lines: Vec<String> = outcome.diagnostics.iter().flat_map(|found| report(source, found)).collect();
    let shown = outcome.markup.as_ref().map(|markup| markup.plain_text()).unwrap_or_default();
    lines.extend(shown.lines().map(|line| format!("// > {line}")));
    lines
}

fn report(source: &Source, found: &Diagnostic) -> Vec<String> {
    let at = |span| source.slice(span).lines().next().unwrap_or_default().to_string();
    let (severity, code) = (found.severity().name(), found.code.text());
    let mut lines = vec![format!("// ! {severity}[{code}] at `{}`: {}", at(found.primary.span), found.message)];
    let labels = found.secondary.iter().map(|label| format!("// !   at `{}`: {}", at(label.span), label.message));
    lines.extend(labels);
    lines.extend(found.helps.iter().map(|help| format!("// !   help: {help}")));
    lines
}

fn targets() -> Vec<Target> {
    if cfg!(feature = "llvm") { vec![Target::Interpreter, Target::Cpu] } else { vec![Target::Interpreter] }
}

#[test]
fn sessions_answer_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/session");
    let files: BTreeSet<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for target in targets() {
            let now = answered(&text, target);
            if now != text && update && target == Target::Interpreter {
                fs::write(&file, &now).unwrap();
            } else if now != text && !update {
                wrong.push(format!("{} on {target:?}:\n{now}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
