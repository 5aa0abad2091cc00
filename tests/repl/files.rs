//! After a failed write the disk holds the whole old file, and nothing else. `NNZ_TRIES` sets how often a
//! program is killed while it writes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

const WRITES: &str = "A : CSR = poisson2d(n = 120)\n:write A \"a.tns\"\n";
const OLD: &str = "# extended FROSTT format\n1 1\n1\n1 2.5\n";

/// A folder of its own with a file `a.tns` in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("a.tns"), OLD).expect("a file");
    folder
}

fn writer(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    command.args(["--color", "never", "-c", WRITES]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    names.map(|name| name.into_string().expect("UTF-8")).collect()
}

fn contents(folder: &Path) -> String {
    fs::read_to_string(folder.join("a.tns")).expect("the file is there")
}

/// A shell that does `script`, where `$1` is nnz.
fn shell(folder: &Path, script: &str) -> ExitStatus {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_nnz")]).current_dir(folder).env("WRITES", WRITES);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a shell")
}

#[test]
fn a_program_killed_at_any_moment_leaves_one_of_both_files() {
    let folder = folder("killed");
    let begun = Instant::now();
    assert!(writer(&folder).status().expect("nnz runs").success());
    let (whole, new) = (begun.elapsed(), contents(&folder));
    assert!(new.len() > 100_000);
    let tries = std::env::var("NNZ_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(20u32);
    for at in 0..tries {
        fs::write(folder.join("a.tns"), OLD).expect("a file");
        let mut child = writer(&folder).spawn().expect("nnz starts");
        // A step that shares no factor with the tries spreads them evenly, in no order.
        std::thread::sleep(whole.mul_f64(f64::from(at * 7 % tries) / f64::from(tries)));
        let _ = child.kill();
        child.wait().expect("nnz ends");
        let found = contents(&folder);
        assert!(found == OLD || found == new, "try {at}: {} bytes", found.len());
    }
    let litter = names(&folder).into_iter().filter(|name| name != "a.tns");
    litter.for_each(|name| assert!(name.starts_with(".a.tns.") && name.ends_with(".nnz-unfinished"), "{name}"));
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_the_old_file_alone() {
    let folder = folder("full");
    // Files may have 64 blocks of 512 bytes.
    assert_eq!(shell(&folder, "ulimit -f 64; exec \"$1\" -c \"$WRITES\"").code(), Some(1));
    assert_eq!((contents(&folder), names(&folder)), (OLD.to_string(), vec!["a.tns".to_string()]));
}

#[cfg(unix)]
#[test]
fn ctrl_c_while_a_file_is_written_leaves_nothing_behind() {
    let folder = folder("interrupted");
    let mut child = writer(&folder).spawn().expect("nnz starts");
    let patience = Instant::now();
    while names(&folder).len() < 2 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
        if child.try_wait().expect("nnz is there").is_some() {
            break;
        }
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let ended = child.wait().expect("nnz ends");
    assert_eq!(names(&folder), ["a.tns"]);
    // The file may have been finished first.
    if interrupted.is_ok_and(|status| status.success()) && ended.code() == Some(130) {
        assert_eq!(contents(&folder), OLD);
    }
}

/// A program that waits for a pipe is interrupted, and has all it wants right after.
#[cfg(unix)]
#[test]
fn a_program_that_is_stopped_replaces_no_file() {
    const PROGRAM: &str = "#S = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>\n\
        func.func private @getTensorFilename(index) -> !llvm.ptr\n\
        func.func @main() {\n\
          %c0 = arith.constant 0 : index\n\
          %c1 = arith.constant 1 : index\n\
          %f = call @getTensorFilename(%c0) : (index) -> !llvm.ptr\n\
          %g = call @getTensorFilename(%c1) : (index) -> !llvm.ptr\n\
          %A = sparse_tensor.new %f : !llvm.ptr to tensor<?x?xf64, #S>\n\
          sparse_tensor.out %A, %g : tensor<?x?xf64, #S>, !llvm.ptr\n\
          return\n\
        }\n";
    let folder = folder("stopped");
    fs::write(folder.join("out.mlir"), PROGRAM).expect("a file");
    assert_eq!(shell(&folder, "mkfifo in.tns").code(), Some(0));
    // A busy machine may take long to deliver a signal. Only a program that ended well replaced the file.
    let ends =
        [50, 1_000, 10_000].map(Duration::from_millis).into_iter().map(|wait| interrupted_in_a_pipe(&folder, wait));
    let (code, said) = { ends }.find(|(code, _)| *code != Some(0)).expect("the signal is heeded");
    assert_eq!((code, said.contains("stopped")), (Some(130), true), "{said}");
    assert_eq!(contents(&folder), OLD);
}

/// Runs the program with the file as it was, interrupts it while it waits for the pipe, and fills that after `wait`: the
/// exit code, and what was said.
#[cfg(unix)]
fn interrupted_in_a_pipe(folder: &Path, wait: Duration) -> (Option<i32>, String) {
    fs::write(folder.join("a.tns"), OLD).expect("a file");
    // Whoever runs the tests in the background has them ignore the signal.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_nnz"), "run", "out.mlir"]);
    command.envs([("TENSOR0", "in.tns"), ("TENSOR1", "a.tns")]).current_dir(folder);
    let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("nnz starts");
    // It opens as soon as the program reads it.
    let mut pipe = fs::OpenOptions::new().write(true).open(folder.join("in.tns")).expect("the pipe");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    std::thread::sleep(wait);
    // It may have ended by then.
    let _ = std::io::Write::write_all(&mut pipe, b"1 1 1\n");
    drop(pipe);
    let ended = child.wait_with_output().expect("nnz ends");
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// A named pipe is opened once: whoever writes into it ends with its first reader.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_by_its_first_reader() {
    let folder = folder("named_pipe");
    assert_eq!(shell(&folder, "mkfifo in.tns").code(), Some(0));
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    command.args(["-c", "A : CSR = read \"in.tns\"\n:write A \"a.tns\"\n"]).current_dir(&folder);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("nnz starts");
    let mut pipe = fs::OpenOptions::new().write(true).open(folder.join("in.tns")).expect("the pipe");
    // Another opening would have time to come to nothing.
    std::thread::sleep(Duration::from_millis(200));
    std::io::Write::write_all(&mut pipe, b"# extended FROSTT format\n2 1\n2 2\n2 1 2.5\n").expect("somebody reads");
    drop(pipe);
    let ended = child.wait_with_output().expect("nnz ends");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(contents(&folder).ends_with("2 1 2.5\n"), "{}", contents(&folder));
}

/// A name is shown as it reads, and not as it would have others read.
#[cfg(unix)]
#[test]
fn names_of_files_cannot_turn_what_stands_beside_them() {
    let folder = folder("names");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    command.args(["convert", "a.tns", "r\u{202e}xtm.mtx", "--to", "COO"]).current_dir(&folder);
    let output = command.output().expect("nnz runs");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && shown.contains("r\u{fffd}xtm.mtx: ") && !shown.contains('\u{202e}'), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_shown_are_a_failure() {
    let folder = folder("unshown");
    assert_eq!(shell(&folder, "exec \"$1\" -c ':help' >&-").code(), Some(1));
    assert_eq!(shell(&folder, "exec \"$1\" -c ':help' > /dev/full").code(), Some(1));
    assert_eq!(shell(&folder, "exec \"$1\" -c ':help' > /dev/null").code(), Some(0));
    // What shows nothing needs no output.
    assert_eq!(shell(&folder, "exec \"$1\" -c 'x = [1, 2]' >&-").code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn what_does_not_fit_in_memory_is_refused_and_the_session_goes_on() {
    let folder = folder("memory");
    let session = "A : tensor<100000x100000xf64, COO> = random(density = 0.02)\n\
                   B : CSR = poisson2d(n = 80)\nC : BSR(2000, 2000) = B\nd : f64 = B(i, i)\n:write B \"after.tns\"\n";
    fs::write(folder.join("large.nnz"), session).expect("a file");
    let status = shell(&folder, "ulimit -v 1500000; exec \"$1\" --keep-going large.nnz");
    assert_eq!((status.code(), folder.join("after.tns").exists()), (Some(1), true));
}

#[test]
fn convert_leaves_zeros_out_on_request_alone() {
    let folder = folder("zeros");
    let matrix = "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 5\n2 3 0\n4 4 -0.0\n";
    fs::write(folder.join("zeros.mtx"), matrix).expect("a file");
    let converted = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
        let run = command.arg("convert").args(["zeros.mtx", "out.mtx", "--to"]).args(arguments);
        assert!(run.current_dir(&folder).output().expect("nnz runs").status.success());
        let text = fs::read_to_string(folder.join("out.mtx")).expect("a matrix");
        text.lines().find(|line| !line.starts_with('%')).map(str::to_string)
    };
    assert_eq!(converted(&["CSR"]).as_deref(), Some("4 4 3"));
    assert_eq!(converted(&["CSR", "--drop-zeros"]).as_deref(), Some("4 4 1"));
    // Of three blocks only one holds an entry, and its zeros are left out when the file is written.
    assert_eq!(converted(&["BSR(2, 2)"]).as_deref(), Some("4 4 12"));
    assert_eq!(converted(&["BSR(2, 2)", "--drop-zeros"]).as_deref(), Some("4 4 1"));
}

/// A path is a value, and no text of a statement.
#[test]
fn convert_takes_any_path() {
    let folder = folder("any path");
    std::fs::copy(folder.join("a.tns"), folder.join("a \"b\"\\.tns")).expect("a copy");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    let run = command.args(["convert", "a \"b\"\\.tns", "c \"d\"\\.tns"]).current_dir(&folder);
    assert_eq!(run.status().expect("nnz runs").code(), Some(0));
    assert!(folder.join("c \"d\"\\.tns").exists());
}

#[test]
fn convert_says_what_it_replaces_and_keeps_it_on_request() {
    let folder = folder("convert");
    let convert = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
        let output = command.arg("convert").args(arguments).current_dir(&folder).output().expect("nnz runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (fine, said) = convert(&["a.tns", "b.tns"]);
    assert_eq!((fine, said.contains("\nb.tns: 1 entry,")), (Some(0), true), "{said}");
    let (fine, said) = convert(&["a.tns", "b.tns"]);
    assert_eq!((fine, said.contains("\nreplaced b.tns: 1 entry,")), (Some(0), true), "{said}");
    assert_eq!(convert(&["a.tns", "b.tns", "--no-clobber"]).0, Some(1));
    // A file may be written over itself.
    assert_eq!(convert(&["a.tns", "a.tns"]).0, Some(0));
    assert_eq!(contents(&folder), OLD);
}

/// What nnz says of a statement, in a folder of its own that `prepare` fills.
#[cfg(unix)]
fn complaint(name: &str, prepare: &str, arguments: &[&str]) -> String {
    let folder = folder(name);
    assert!(shell(&folder, prepare).success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    let output = command.args(arguments).args(["--color", "never", "--error-format", "short"]).current_dir(&folder);
    let output = output.stdin(Stdio::null()).output().expect("nnz runs");
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Files without an end, or that are none, are refused by their start.
#[cfg(unix)]
#[test]
fn inputs_without_an_end_are_refused() {
    let reads = |file: &str| format!("A : CSR = read \"{file}\"");
    let zeros = complaint("zeros", "ln -s /dev/zero a.mtx", &["-c", &reads("a.mtx")]);
    assert!(zeros.contains("line 1, column 1: byte 0x00 is no text"), "{zeros}");
    let noise = complaint("noise", "ln -s /dev/urandom b.tns", &["-c", &reads("b.tns")]);
    assert!(noise.contains("is no text") || noise.contains("UTF-16"), "{noise}");
    let endless = "mkfifo a.mtx && { { printf '%%%%MatrixMarket matrix coordinate real general\\n9 9 10\\n'; \
                   yes '1 1 1'; } > a.mtx 2> /dev/null & }";
    let pipe = complaint("pipe", endless, &["-c", &reads("a.mtx")]);
    assert!(pipe.contains("more than its head can ask for"), "{pipe}");
    let directory = complaint("directory", "mkdir a.mtx", &["-c", &reads("a.mtx")]);
    assert!(directory.contains("Is a directory"), "{directory}");
    let statements = complaint("statements", "true", &["run", "/dev/zero"]);
    assert!(statements.contains("256 MiB are the most of a text of statements"), "{statements}");
    for used in ["z.nnz", "z.mlir"] {
        let said = complaint("used", &format!("ln -s /dev/zero {used}"), &["-c", &format!("use \"{used}\"")]);
        assert!(said.contains("256 MiB are the most of a text of statements"), "{said}");
    }
}

#[test]
fn a_program_finds_its_files_beside_it() {
    let folder = folder("beside");
    let below = folder.join("below");
    fs::create_dir_all(&below).expect("a folder");
    fs::write(below.join("b.tns"), OLD).expect("a file");
    let program = "#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
        func.func private @getTensorFilename(index) -> !llvm.ptr
        func.func @main() {
          %zero = arith.constant 0 : index
          %name = call @getTensorFilename(%zero) : (index) -> !llvm.ptr
          %x = sparse_tensor.new %name : !llvm.ptr to tensor<1xf64, #SV>
          sparse_tensor.print %x : tensor<1xf64, #SV>
          return
        }\n";
    fs::write(below.join("p.mlir"), program).expect("a file");
    assert!(shell(&folder, "TENSOR0=b.tns \"$1\" run below/p.mlir").success());
    assert!(!shell(&folder, "TENSOR0=c.tns \"$1\" run below/p.mlir").success());
}

#[test]
fn texts_are_formatted_in_place() {
    let folder = folder("formatted");
    fs::write(folder.join("a.nnz"), "x=[1,2]\n").expect("a file");
    fs::write(folder.join("b.nnz"), "y = 2\n").expect("a file");
    let before = fs::metadata(folder.join("b.nnz")).expect("it is there").modified().expect("a time");
    assert!(shell(&folder, "\"$1\" fmt a.nnz b.nnz").success());
    assert_eq!(fs::read_to_string(folder.join("a.nnz")).expect("the file is there"), "x = [1, 2]\n");
    // What needs no change is not written.
    assert_eq!(fs::metadata(folder.join("b.nnz")).expect("it is there").modified().expect("a time"), before);
    assert!(shell(&folder, "\"$1\" fmt --check a.nnz b.nnz").success());
    fs::write(folder.join("a.nnz"), "x=[1,2]\ny = )\n").expect("a file");
    assert!(!shell(&folder, "\"$1\" fmt a.nnz").success());
    assert_eq!(fs::read_to_string(folder.join("a.nnz")).expect("the file is there"), "x = [1, 2]\ny = )\n");
    assert_eq!(names(&folder).len(), 3);
}
