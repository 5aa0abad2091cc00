//! A shortage of memory is an error of its statement, with the size, not an abort or a panic. The program runs with
//! limits on addresses (`ulimit -v`) and on memory (`--max-memory`).
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    io::Write,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

const BIN: &str = env!("CARGO_BIN_EXE_nnz");
/// The stack of a statement.
const STACK: u64 = 256 << 20;

/// Runs `nnz` in `folder` with `bytes` of addresses.
fn bounded(folder: &Path, bytes: u64, arguments: &[&str]) -> Output {
    let limit = format!("ulimit -c 0; ulimit -v {}; exec \"$0\" \"$@\"", bytes >> 10);
    let mut command = Command::new("sh");
    command.args(["-c", &limit, BIN]).args(arguments).current_dir(folder);
    command.output().unwrap()
}

/// What `nnz` maps before it does anything, its stack included: so much is needed to begin with.
fn least() -> u64 {
    let folder = TempDir::new().unwrap();
    let starts = |bytes: &u64| bounded(folder.path(), *bytes, &["-c", "x : f64 = 1.0"]).status.success();
    (0..).map(|at| STACK + (at << 23)).find(starts).unwrap()
}

fn error_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// That the program has come to an end of its own.
#[track_caller]
fn ended_by_itself(output: &Output, what: &str) {
    let text = error_text(output);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{what}: {:?}: {text}", output.status);
    for word in ["panicked", "memory allocation of", "LLVM ERROR", "this is a bug"] {
        assert!(!text.contains(word), "{what}: {text}");
    }
    if !output.status.success() {
        assert!(text.contains("E0512") || text.contains("error: memory"), "{what}: {text}");
    }
}

/// A diagonal matrix in coordinates.
fn diagonal(folder: &Path, entries: u64) {
    let mut file = std::fs::File::create(folder.join("n.mtx")).unwrap();
    let lines: String = (1..=entries).map(|at| format!("{at} {at} 1\n")).collect();
    write!(file, "%%MatrixMarket matrix coordinate real general\n{entries} {entries} {entries}\n{lines}").unwrap();
}

#[test]
fn no_bound_of_addresses_aborts() {
    let folder = TempDir::new().unwrap();
    diagonal(folder.path(), 100_000);
    let literal = format!("A : tensor<20000xf64> = [{}]", vec!["1.5"; 20_000].join(", "));
    let scripts = [
        "A : COO = read \"n.mtx\"\nB : CSR = A",
        "A : CSR = poisson2d(n = 60)\nC(i, j) : CSR = A(i, k) * A(k, j)\n:dump C\n:show tree C\n:write C \"c.mtx\"",
        "A : tensor<400x400xf64> = random(density = 1)\nB(i, j) = A(i, j) + A(j, i)",
        &literal,
    ];
    let least = least();
    for (at, script) in scripts.iter().enumerate() {
        for more in (0..7).map(|step| step * (12 << 20)) {
            let output = bounded(folder.path(), least + more, &["-c", script]);
            ended_by_itself(&output, &format!("script {at} with {} MiB more than the least", more >> 20));
        }
    }
}

#[test]
fn generators_ask_for_all_that_they_make() {
    let folder = TempDir::new().unwrap();
    let least = least();
    let generators = [
        "A : CSR = poisson2d(n = 200)",
        "A : CSR = banded(n = 20000, lower = 4, upper = 4)",
        "A : CSR = rmat(scale = 14)",
        "A : tensor<500x500xf64> = random(density = 0.9)",
    ];
    for script in generators {
        for more in (0..6).map(|step| step * (4 << 20)) {
            let output = bounded(folder.path(), least + more, &["-c", script]);
            let text = error_text(&output);
            assert!(output.status.success() || text.contains("E0512"), "{script}, {more} more: {text}");
        }
    }
}

/// A file as `scipy.sparse.save_npz` writes it: the type, the shape and the bytes of each array.
fn npz(folder: &Path, name: &str, arrays: &[(&str, &str, String, Vec<u8>)]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.join(name)).unwrap());
    for (array, descr, shape, data) in arrays {
        zip.start_file(format!("{array}.npy"), zip::write::SimpleFileOptions::default()).unwrap();
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        zip.write_all(&[b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn files_of_scipy_ask_for_all_that_they_become() {
    let (folder, n) = (TempDir::new().unwrap(), 300_000i32);
    let of_numbers = |numbers: &mut dyn Iterator<Item = i32>| numbers.flat_map(i32::to_le_bytes).collect::<Vec<u8>>();
    let ones = |count: i32| (0..count).flat_map(|_| 1f64.to_le_bytes()).collect::<Vec<u8>>();
    let along = || of_numbers(&mut (0..n));
    let shape = || ("shape", "<i4", "(2,)".to_string(), of_numbers(&mut [n, n].into_iter()));
    let format = |name: &str| ("format", "|S3", "()".to_string(), name.as_bytes().to_vec());
    let list = format!("({n},)");
    let [row, column] = ["row", "col"].map(|name| (name, "<i4", list.clone(), along()));
    npz(folder.path(), "coo.npz", &[format("coo"), shape(), row, column, ("data", "<f8", list, ones(n))]);
    let offsets = ("offsets", "<i4", "(2,)".to_string(), of_numbers(&mut (0..2)));
    let data = ("data", "<f8", format!("(2, {n})"), ones(2 * n));
    npz(folder.path(), "dia.npz", &[format("dia"), shape(), offsets, data]);
    let least = least();
    for file in ["coo.npz", "dia.npz"] {
        let script = format!("A : COO = read \"{file}\"");
        let mut read = 0;
        for more in (0..12).map(|step| step * (4 << 20)) {
            let output = bounded(folder.path(), least + more, &["-c", &script]);
            let text = error_text(&output);
            assert!(output.status.success() || text.contains("E0512"), "{file}, {more} more: {text}");
            read += usize::from(output.status.success());
        }
        assert!(read > 0, "{file}");
    }
}

#[test]
fn too_few_addresses_to_begin_with_are_said() {
    let folder = TempDir::new().unwrap();
    let output = bounded(folder.path(), STACK + (8 << 20), &["-c", "x : f64 = 1.0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error_text(&output).starts_with("error: memory is short: with its stack this would take 280 MiB of memory")
    );
}

/// It is the text's error, and the next is checked.
#[test]
fn a_text_that_is_too_large_to_be_checked_is_said() {
    let folder = TempDir::new().unwrap();
    let lines = "  %v = arith.constant 1.0 : f64\n".repeat(300_000);
    std::fs::write(folder.path().join("large.mlir"), format!("func.func @f() {{\n{lines}  return\n}}\n")).unwrap();
    std::fs::write(folder.path().join("wrong.nnz"), "zz\n").unwrap();
    for bytes in [160, 240, 320, 480] {
        let arguments = ["check", "--error-format", "short", "large.mlir", "wrong.nnz"];
        let output = bounded(folder.path(), bytes << 20, &arguments);
        let text = error_text(&output);
        assert!(text.contains("large.mlir:1:1: error[E0512]: this text is not checked: "), "{bytes} MiB: {output:?}");
        assert!(text.contains("wrong.nnz:1:1: error[E0320]"), "{bytes} MiB: {output:?}");
    }
}

/// No work is done on the main thread, whose stack the shell bounds.
#[test]
fn no_bound_of_the_stack_aborts() {
    let folder = TempDir::new().unwrap();
    diagonal(folder.path(), 10);
    let kernel = "A : CSR = [[1, 0], [0, 2]]; y(i) = A(i, j) + A(j, i)";
    let deep = format!("x : f64 = {}1.0{}", "(".repeat(5000), ")".repeat(5000));
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["-c", kernel],
        &["-c", &deep],
        &["check", "n.nnz"],
        &["explain", "E0001"],
        &["lower", "-c", kernel, "--to", "asm"],
        &["time", "-c", kernel],
        &["compare", "-c", kernel, "--tensor", "A", "--in", "CSC"],
        &["convert", "n.mtx", "n.tns"],
    ];
    std::fs::write(folder.path().join("n.nnz"), &deep).unwrap();
    for arguments in commands {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -c 0; ulimit -s 64; exec \"$0\" \"$@\"", BIN]);
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {:?}", output.status);
    }
}

#[test]
fn a_session_lives_on_where_an_array_cannot_be_had() {
    let folder = TempDir::new().unwrap();
    let script = "x : tensor<20000000xf64> = dense<1.0>\ny : tensor<2xf64> = [1, 2]\ny";
    let output = bounded(folder.path(), least() + (80 << 20), &["--keep-going", "-c", script]);
    assert!(error_text(&output).contains("error[E0512]: this would take 153 MiB of memory, and "), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("y: 2xf64, dense, 2 stored"), "{output:?}");
}

#[test]
fn what_a_limit_does_not_allow_is_an_error_of_its_statement() {
    let folder = TempDir::new().unwrap();
    diagonal(folder.path(), 500_000);
    let script = "A : COO = read \"n.mtx\"\n\
                  #d = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : delta[2]) }>\n\
                  B : tensor<10x109951162xf64, COO> = sparse<[[0, 109951161]], [1]>\n\
                  E : #d = B\n\
                  C : tensor<10x4000000xf64, COO> = sparse<[[9, 3999999]], [1]>\n\
                  H : tensor<?x?xf64, (i, j) -> (i : dense, j : bitmap)> = C\n\
                  y : tensor<2xf64> = [1, 2]\ny";
    let mut command = Command::new(BIN);
    let output = command.args(["--max-memory", "16M", "--keep-going", "-c", script]).current_dir(folder.path());
    let output = output.output().unwrap();
    ended_by_itself(&output, "a session");
    assert_eq!(error_text(&output).matches("error[E0512]").count(), 3, "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("y: 2xf64, dense, 2 stored"), "{output:?}");
}

#[test]
fn a_packed_file_is_not_damaged_where_memory_is_short() {
    let folder = TempDir::new().unwrap();
    let lines: String = (1..=400_000).map(|at| format!("{at} {at} 1\n")).collect();
    let text = format!("%%MatrixMarket matrix coordinate real general\n400000 400000 400000\n{lines}");
    std::fs::write(folder.path().join("n.mtx"), text).unwrap();
    assert!(Command::new("gzip").arg("n.mtx").current_dir(folder.path()).status().unwrap().success());
    let script = "A : COO = read \"n.mtx.gz\"";
    let output =
        Command::new(BIN).args(["--max-memory", "8M", "-c", script]).current_dir(folder.path()).output().unwrap();
    let text = error_text(&output);
    assert!(
        text.contains("error[E0512]") && text.contains("the gzip file unfolds to more than fits in memory"),
        "{text}"
    );
    assert!(text.contains("are left of the 8 MiB that `--max-memory` allows"), "{text}");
}

#[test]
fn the_bound_that_is_short_is_named() {
    let folder = TempDir::new().unwrap();
    let script = "A : tensor<6000x6000xf64, CSR> = random(density = 1)";
    let output = bounded(folder.path(), least() + (100 << 20), &["--max-memory", "4G", "-c", script]);
    let text = error_text(&output);
    assert!(text.contains("E0512") && text.contains(" left of the addresses that `ulimit -v` allows"), "{text}");
    let output = bounded(folder.path(), 16 << 30, &["--max-memory", "50M", "-c", script]);
    let text = error_text(&output);
    assert!(text.contains("E0512") && text.contains(" left of the 50 MiB that `--max-memory` allows"), "{text}");
}

/// The allocator does not count what LLVM's library takes by itself, some 40 MiB.
#[test]
fn a_small_limit_leaves_the_library_out() {
    let script = "A : CSR = poisson2d(n = 20)\nB(i, k) : CSR = A(i, j) * A(j, k)";
    let told = |limit: &str| {
        let output = Command::new(BIN).args(["--max-memory", limit, "--compile", "-c", script]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        error_text(&output).contains("its library takes 48.0 MiB, more than a quarter of the memory")
    };
    assert_eq!(["100M", "1G"].map(told), [true, false]);
}
