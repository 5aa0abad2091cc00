//! Code shared by the tests of sessions: files in memory, and the cases of `suite/session`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use nnz_core::{
    check::{self, used::Found},
    host::{Content, Host, Written},
    ids::FileId,
    languages::LANGUAGES,
    source::Source,
};

/// The files that sessions can read.
pub const FILES: &[(&str, &str)] = &[
    ("small.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 1.5\n2 3 -2\n3 4 4\n"),
    ("column.mtx", "%%MatrixMarket matrix coordinate real general\n4 1 2\n1 1 1.5\n3 1 -2\n"),
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
func.func @point(%n: tensor<i64>, %x: tensor<f64>) -> (tensor<i64>, f64) {
  %0 = tensor.extract %x[] : tensor<f64>
  return %n, %0 : tensor<i64>, f64
}
";

/// A host that knows them alone.
#[derive(Clone, Copy, Debug)]
pub struct Files;

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

impl check::used::Files for Files {
    fn used(&self, path: &str) -> Found {
        match FILES.iter().find(|(name, _)| *name == path) {
            Some((name, text)) => {
                let source = Source::new(FileId(0), name, *text);
                let used = LANGUAGES.of_path(name).and_then(|language| language.check_alone(&source).used());
                used.map_or_else(|| Found::Missing(LANGUAGES.unknown()), Found::File)
            }
            None => Found::Missing("no such file".to_string()),
        }
    }
    fn unreadable(&self, path: &str) -> Option<String> {
        FILES.iter().all(|(name, _)| *name != path).then(|| "no such file".to_string())
    }
}

/// Whether a line of a case says what nnz answers.
pub fn is_answer(line: &str) -> bool {
    line.starts_with("// >") || line.starts_with("// !")
}

/// The files of `suite/session`.
pub fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/session");
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}
