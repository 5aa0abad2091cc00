//! The program in scripts: every transcript in `suite/repl` runs through a pipe, and its exit status,
//! standard output and standard error are compared. `TRYCMD=overwrite` writes them anew.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm-256color")
        .env("CLICOLOR_FORCE", "0")
        .env("NO_COLOR", "")
        .case("../tests/suite/repl/*.toml");
}

fn nnz(arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnz"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    command.args(arguments).envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("nnz starts");
    // A program that shows its help reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("nnz ends")
}

fn has_escape(output: &Output) -> bool {
    output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b)
}

/// Each line of a text as JSON.
fn objects(text: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(text).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let output = nnz(&["-", "--error-format", "short"], &[], "\u{feff}x = [1]\nx\ny = z\n");
    assert!(String::from_utf8_lossy(&output.stdout).contains("[ 1 ]"), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "<stdin>:3:5: error[E0320]: `z` is not defined\n");
    let output = nnz(&["-", "--error-format", "short"], &[], "\u{feff}y = z\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "<stdin>:1:5: error[E0320]: `z` is not defined\n");
}

#[test]
fn what_is_typed_cannot_drive_the_terminal() {
    for arguments in
        [&["\u{1b}[31mred"][..], &["a\u{1b}[31m.nnz"], &["lower", "\u{1b}]0;x\u{7}", "--to", "c"], &["--\u{1b}[31m"]]
    {
        let output = nnz(arguments, &[], "");
        assert!(!has_escape(&output) && !output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn what_is_very_long_is_not_shown_whole() {
    let name = "a".repeat(100_000);
    for text in [format!("y = {name}"), format!("x = [1]\ny = x.{name}"), format!("s : f64 = {}", "9".repeat(100_000))]
    {
        for format in ["human", "short", "json"] {
            let output = nnz(&["-", "--error-format", format], &[], &text);
            assert!((1..10_000).contains(&output.stderr.len()), "{format}: {}", output.stderr.len());
        }
    }
}

#[cfg(unix)]
#[test]
fn an_ignored_interrupt_stays_ignored() {
    let program = env!("CARGO_BIN_EXE_nnz");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/suite/repl/large.mlir");
    let line = format!(
        "trap '' INT; {program} run {file} --threads 1 --max-steps 1000000000000 & child=$!; sleep 1; kill -INT $child; sleep 1; kill -KILL $child; wait $child; echo $?"
    );
    let output = Command::new("sh").args(["-c", &line]).output().expect("sh runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().last(), Some("137"), "{output:?}");
}

#[test]
fn json_is_one_object_a_statement_and_one_a_diagnostic() {
    let output = nnz(&["--json", "--keep-going"], &[], ":help quit\n:hepl\n");
    assert_eq!(output.status.code(), Some(1));
    let statements = objects(&output.stdout);
    assert_eq!(statements.iter().map(|s| s["kind"].as_str()).collect::<Vec<_>>(), [Some("text"), Some("error")]);
    let diagnostics = objects(&output.stderr);
    assert_eq!(statements[1]["diagnostics"].as_array(), Some(&diagnostics));
    let [diagnostic] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
    assert_eq!(keys(diagnostic), ["$message_type", "message", "code", "level", "spans", "children", "rendered"]);
    assert_eq!(diagnostic["code"]["code"], "E0501");
    let span = &diagnostic["spans"][0];
    assert_eq!(
        (&span["file_name"], &span["line_start"], &span["column_start"]),
        (&"<stdin>".into(), &2.into(), &2.into())
    );
    assert_eq!((&span["byte_start"], &span["byte_end"]), (&12.into(), &16.into()));
}

#[test]
fn json_of_tensors_and_timings_has_fixed_members() {
    let session = "A : tensor<3x4xf64, CSR> = [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]\n\
                   x : tensor<4xf64> = [1, 2, 3, 4]\ny(i) = A(i, j) * x(j)\nA\n:dump A\n:time y\n";
    let output = nnz(&["--json"], &[], session);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let statements = objects(&output.stdout);
    let [.., shown, dumped, timing] = statements.as_slice() else { panic!("{statements:?}") };
    assert_eq!(statements.len(), 6);
    assert_eq!(shown, dumped);
    assert_eq!(keys(shown), ["kind", "name", "shape", "element", "encoding", "nse", "levels", "values"]);
    let levels = r#"[{"level":0,"format":"dense","size":3},
        {"level":1,"format":"compressed","size":4,"positions":[0,2,2,3],"coordinates":[0,2,1]}]"#;
    assert_eq!(shown["levels"], serde_json::from_str::<Value>(levels).expect("JSON"));
    assert_eq!(shown["values"], serde_json::json!([1.0, 2.0, 3.0]));
    let members = ["kind", "kernel", "encodings", "target", "threads", "median_ns", "min_ns", "runs", "flops", "bytes"];
    assert!(members.iter().all(|member| !timing[*member].is_null()), "{timing}");
}

#[test]
fn timings_count_what_the_loops_do() {
    let poisson = "P : CSR = poisson2d(n = 100)";
    let rows = [
        // Of 999,999 slots the loops visit one.
        (
            "A : tensor<1000000x1000000xf64, DIA> = sparse<[[0, 999999]], [1.0]>\nx : tensor<1000000xf64> = dense<1.0>\ns : f64 = A(i, j) * x(j)",
            2,
            48,
            1,
        ),
        ("A : tensor<1x1xf64, BSR(1000, 1000)> = [[2]]\nx = [3]\ns : f64 = A(i, j) * x(j)", 2, 48, 1),
        // Sums of dense terms add once less than there are terms.
        ("x : tensor<10xf64> = dense<1.0>\nz(i) = x(i) + x(i)", 10, 160, 1),
        ("x : tensor<10xf64> = dense<1.0>\nz(i) = x(i) * x(i) + x(i) * x(i)", 30, 160, 1),
        // Of the dense copy of 763 MiB one column is read.
        (&format!("{poisson}\nf : tensor<10000xf64> = dense<1.0>\ny(i) = P(i + k, 7) * f(k)"), 20_000, 160_008, 1),
        // Coordinates that nothing uses are not read.
        (&format!("{poisson}\nn : i64 = sum(i, j, unary(P(i, j), present = 1))"), 49_600, 80_016, 1),
        // What meets counts, not what could.
        ("A : CSR = [[1, 2], [3, 4]]\nB : CSR = [[1, 0], [0, 4]]\ns : f64 = A(i, j) * B(i, j)", 4, 128, 1),
        // The conversion runs on one thread.
        (&format!("{poisson}\nT(i, j) : CSR = P(i, j) * P(j, i)"), 49_600, 2_620_824, 1),
    ];
    for (session, flops, bytes, threads) in rows {
        let output = nnz(&["time", "--threads", "2", "-c", session, "--json"], &[], "");
        let timing = &objects(&output.stdout)[0];
        let found = ["flops", "bytes", "threads"].map(|member| timing[member].as_u64());
        assert_eq!(found, [flops, bytes, threads].map(Some), "{session}\n{timing}");
        assert_eq!(timing["flops_are"], "counted", "{timing}");
    }
}

#[test]
fn what_is_made_before_the_loops_is_said_beside_their_time() {
    let copied =
        "A : CSR = poisson2d(n = 20)\nw : tensor<2xf64> = [1, 2]\ny(i) : tensor<399xf64> = A(i + k, 0) * w(k)\n";
    let cut = "A : CSR = poisson2d(n = 20)\ny(i) = A(i = 0:10, j) * 2\n";
    for (session, made) in [(copied, "`A` is copied into a dense array"), (cut, "is cut out of `A` first")] {
        let text = String::from_utf8(nnz(&["time", "-c", session], &[], "").stdout).expect("text");
        // On one line: the end of a line is where the screen ends.
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            line.contains("without ") && line.contains(" before the loops each time: ") && line.contains(made),
            "{text}"
        );
        let timing = &objects(&nnz(&["time", "-c", session, "--json"], &[], "").stdout)[0];
        assert!(timing["before"][0].as_str().is_some_and(|text| text.contains(made)), "{timing}");
        assert!(timing["before_ns"].as_f64().is_some_and(|time| time > 0.0), "{timing}");
        let compared = nnz(&["compare", "-c", session, "--tensor", "A", "--in", "CSR"], &[], "").stdout;
        let compared = String::from_utf8(compared).expect("text");
        assert!(compared.lines().last().is_some_and(|line| line.starts_with("CSR: without ")), "{compared}");
    }
    let plain = "x : tensor<3xf64> = [1, 2, 3]\ny(i) = 2 * x(i)\n";
    let timing = &objects(&nnz(&["time", "-c", plain, "--json"], &[], "").stdout)[0];
    assert_eq!((timing["before"].to_string(), timing["before_ns"].to_string()), ("[]".into(), "0.0".into()));
}

#[test]
fn no_escape_sequence_gets_into_a_pipe() {
    let all: &[&[&str]] = &[&["--help"], &["check", "--help"], &["-c", ":help"], &["-c", ":hepl"], &["--frob"], &[]];
    for arguments in all {
        assert!(!has_escape(&nnz(arguments, &[], ":hepl\n")), "{arguments:?}");
        assert!(
            !has_escape(&nnz(arguments, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], ":hepl\n")),
            "{arguments:?}"
        );
        let never = [arguments, &["--color", "never"][..]].concat();
        assert!(!has_escape(&nnz(&never, &[("CLICOLOR_FORCE", "1")], ":hepl\n")), "{never:?}");
    }
}

#[test]
fn colours_can_be_forced() {
    for arguments in [&["-c", ":help", "--color", "always"][..], &["-c", ":hepl", "--color=always"]] {
        assert!(has_escape(&nnz(arguments, &[], "")), "{arguments:?}");
    }
    assert!(has_escape(&nnz(&["-c", ":help"], &[("CLICOLOR_FORCE", "1")], "")));
}

#[test]
fn text_that_holds_escape_sequences_is_shown_without_them() {
    let output = nnz(&[], &[], ":hepl \u{1b}[31mred\u{9b}\n\"\u{1b}]0;title\u{7}\"\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(!has_escape(&output), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_reader_that_goes_away_ends_the_program_without_a_word() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nnz"))
        .args(["-c", &":help;".repeat(5000)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nnz starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("nnz ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]));
}

const KERNEL: &str = "A : tensor<3x4xf64, CSR> = [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]\n\
                      x : tensor<4xf64> = [1, 2, 3, 4]\ny(i) = A(i, j) * x(j)\n";

#[test]
fn a_kernel_is_timed_at_another_program_s_command() {
    let output = nnz(&["time", "-c", KERNEL, "--serve"], &[], "block 3 2\nblok\nquit\nblock 1 1\n");
    assert!(output.status.success(), "{output:?}");
    let [ready, block, refused] = objects(&output.stdout).try_into().expect("three answers");
    assert_eq!((&ready["ok"], ready["est"].is_number()), (&Value::Bool(true), true));
    assert_eq!(block["w"].as_array().map(Vec::len), Some(3));
    assert_eq!(block["c"].as_array().map(Vec::len), Some(3));
    assert_eq!(refused["ok"], false);
}

#[test]
fn kernels_with_conversions_are_timed() {
    let text = "A : CSR = poisson2d(n = 5)\nn : f64 = A(i, j) * A(j, i)\ny(i, j) : CSC = A(i, k) * A(k, j)\n";
    for kernel in ["n", "y"] {
        let output = nnz(&["time", "-c", text, "--kernel", kernel, "--serve"], &[], "block 1 2\nquit\n");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(objects(&output.stdout).len(), 2, "{kernel}: {output:?}");
    }
}

#[test]
fn a_kernel_is_compared_over_formats() {
    let formats = ["--tensor", "A", "--in", "CSC", "--in", "BSR(2, 2)"];
    let arguments = [&["compare", "-c", KERNEL, "--json", "--threads", "1"], formats.as_slice()].concat();
    let output = nnz(&arguments, &[], "");
    assert!(output.status.success(), "{output:?}");
    let timings = objects(&output.stdout);
    let encodings: Vec<_> = timings.iter().map(|timing| timing["encodings"]["A"].as_str()).collect();
    assert_eq!(encodings, [Some("CSC"), Some("BSR(2, 2)")]);
    assert!(timings.iter().all(|timing| timing["kind"] == "timing" && timing["threads"] == 1));
}

#[test]
fn a_kernel_is_compared_over_the_usual_formats_of_its_sparse_operand() {
    let compared = |session: &str, more: &[&str]| {
        let arguments = [&["compare", "-c", session, "--json", "--with-text", "--threads", "1"], more].concat();
        let mut objects = objects(&nnz(&arguments, &[], "").stdout);
        let table = objects.pop().expect("a table");
        assert_eq!(table["kind"], "table");
        (objects, table["text"].as_str().unwrap_or_default().to_string())
    };
    let formats = |timings: &[serde_json::Value], operand: &str| {
        let encoding = |timing: &serde_json::Value| timing["encodings"][operand].as_str().map(String::from);
        timings.iter().filter_map(encoding).collect::<Vec<_>>()
    };
    let (timings, table) = compared(KERNEL, &[]);
    assert_eq!(formats(&timings, "A"), ["CSR", "CSC", "DCSR", "COO", "dense"]);
    assert_eq!(table.lines().count(), 6, "{table}");
    let (timings, _) = compared(KERNEL, &["--tensor", "x", "--in", "SparseVector"]);
    assert_eq!(formats(&timings, "x"), ["SparseVector"]);
    // A matrix that would be large as an array is not made one, and what cannot be compared is left out with the reason.
    let large = "A : CSR = poisson2d(n = 60); x : tensor<3600xf64> = random(density = 1.0); \
                 y(i) = A(i, j) * x(j) schedule parallelize(i)";
    let (timings, table) = compared(large, &[]);
    assert!(!formats(&timings, "A").contains(&"dense".to_string()));
    assert!(table.contains("CSC: left out: "), "{table}");
    // A tensor's own format is what it is stored in, though the name has another meaning by now; it is not measured again
    // by its usual name.
    let renamed = "#F = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>; A : #F = poisson2d(n = 4); \
                   x : tensor<16xf64> = random(density = 1.0); y(i) = A(i, j) * x(j); \
                   #F = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>";
    let (timings, table) = compared(renamed, &[]);
    assert_eq!(formats(&timings, "A"), ["#F", "CSR", "DCSR", "COO", "dense"], "{table}");
}

#[test]
fn a_format_that_cannot_be_is_an_error_of_the_comparison() {
    let output = nnz(&["compare", "-c", KERNEL, "--tensor", "A", "--in", "CSX"], &[], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("CSX"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn words_that_are_not_utf_8_are_told_of() {
    use std::os::unix::ffi::OsStrExt;
    let word = std::ffi::OsStr::from_bytes(b"none\xe9");
    let cases: [(&[&str], i32, &str); 4] = [
        (&["-c"], 2, "invalid UTF-8"),
        (&["explain"], 2, "invalid UTF-8"),
        (&["--args"], 2, "invalid UTF-8"),
        (&["check"], 1, "there is no file `none\u{fffd}`"),
    ];
    for (arguments, status, told) in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_nnz")).args(arguments).arg(word).output().expect("nnz starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
    }
}

#[test]
fn standard_input_that_is_not_utf_8_is_told_of() {
    for arguments in [&[][..], &["-"], &["check", "-"], &["lower", "-", "--to", "c"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nnz"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("nnz starts");
        child.stdin.take().expect("a pipe").write_all(b"x = [1] // caf\xe9\nx\n").expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot read standard input: line 1 is not UTF-8 text"), "{arguments:?}: {stderr}");
    }
}
