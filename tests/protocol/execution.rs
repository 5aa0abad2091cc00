//! `nnz/execute`: kernels that run, are timed and compared, in a program beside the server.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::client::{Client, PATIENCE};

const URI: &str = "file:///a%20folder/run.nnz";
const TEXT: &str = "\
A : CSR = [[1, 0], [0, 2]] // 😀
x = [1, 2]; s : f64 = 0; y(i) = A(i, j) * x(j)
B : CSC = A
y(i) = 2.5 * A(i, j) * x(j) schedule parallelize(i)
s += A(i, j)
n : f64 = A(i, j) * A(i, j)
z(i) = A(i, j) * nothing(j)
";

const PROGRAM: &str = "\
func.func @takes(%x: tensor<4xf64>, %e: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.copy ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
func.func @gives() -> tensor<3xf64> {
  %r = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @main() {
  %c = arith.constant 7 : i32
  vector.print %c : i32
  return
}
func.func @long() {
  %c = arith.constant 8 : i32
  vector.print %c : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %end step %c1 {
    %s = arith.addi %i, %i : index
  }
  return
}
";

/// A server for a workspace that is trusted, or not.
fn started(trusted: bool, encoding: &str) -> Client {
    with(json!({ "nnz": { "trusted": trusted } }), encoding)
}

fn with(options: Value, encoding: &str) -> Client {
    let mut client = Client::spawn();
    let capabilities = json!({
        "general": { "positionEncodings": [encoding] },
        "window": { "workDoneProgress": true },
        "experimental": { "nnz": { "commands": ["nnz.openView", "nnz.execute"] } }
    });
    client.request("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
    client.notify("initialized", json!({}));
    client
}

fn opened(uri: &str, text: &str) -> Client {
    let mut client = started(true, "utf-16");
    client.open(uri, 3, text);
    client
}

fn execute(client: &mut Client, uri: &str, kernel: &str, action: &str) -> Value {
    client.request("nnz/execute", json!({ "uri": uri, "kernel": kernel, "action": action }))
}

/// What stands beside a kernel.
fn line(answer: &Value) -> &str {
    answer["result"]["line"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

/// Why a request has no answer.
fn refusal(answer: &Value) -> &str {
    assert!(matches!(answer["error"]["code"].as_i64(), Some(-32803 | -32602)), "{answer}");
    answer["error"]["message"].as_str().unwrap()
}

#[test]
fn a_kernel_runs_with_the_statements_before_it() {
    for (encoding, column) in [("utf-16", 25), ("utf-8", 25)] {
        let mut client = started(true, encoding);
        client.open(URI, 3, TEXT);
        let answer = execute(&mut client, URI, "y", "run");
        let range =
            json!({ "start": { "line": 1, "character": column }, "end": { "line": 1, "character": column + 1 } });
        let wanted = json!({
            "title": "run y", "line": "[ 1 4 ]", "lines": ["y: 2xf64, dense, 2 stored (100 %), 16 bytes", "[ 1  4 ]"],
            "ok": true, "diagnostics": [], "range": range, "version": 3
        });
        assert_eq!(answer["result"], wanted);
    }
    let mut client = opened(URI, TEXT);
    assert_eq!(line(&execute(&mut client, URI, "y#2", "run")), "[ 2.5 10 ]");
    assert_eq!(line(&execute(&mut client, URI, "B", "run")), "2x2xf64, CSC, 2 stored (50 %), 56 bytes");
    assert_eq!(line(&execute(&mut client, URI, "s", "run")), "f64 = 3");
    assert_eq!(line(&execute(&mut client, URI, "n", "run")), "f64 = 5");
    // The text as it is in the editor now.
    client.change(URI, 4, &TEXT.replace("[1, 2]", "[1, 3]"));
    let answer = execute(&mut client, URI, "y", "run");
    assert_eq!((line(&answer), &answer["result"]["version"]), ("[ 1 6 ]", &json!(4)));
}

#[test]
fn a_kernel_is_timed_and_compared() {
    let mut client = opened(URI, TEXT);
    let timed = execute(&mut client, URI, "y", "time");
    assert!(line(&timed).contains("(spread ") && line(&timed).ends_with(" GB/s"), "{timed}");
    assert_eq!(
        (&timed["result"]["title"], &timed["result"]["lines"][0]),
        (&json!("time y"), &json!("y(i) = A(i, j) * x(j)"))
    );
    let compared = execute(&mut client, URI, "y", "compare");
    assert!(line(&compared).starts_with("best with A in "), "{compared}");
    let lines = compared["result"]["lines"].as_array().unwrap();
    let formats: Vec<&str> = lines.iter().filter_map(|line| line.as_str()?.split(' ').next()).collect();
    assert_eq!(formats, ["format", "CSR", "CSC", "DCSR", "COO", "dense"]);
    assert_eq!(timed["result"]["times"], Value::Null);
    // As the storage panel asks.
    let chosen =
        json!({ "uri": URI, "kernel": "y", "action": "compare", "tensor": "A", "formats": ["COO", "BSR(2, 2)"] });
    let answer = client.request("nnz/execute", chosen);
    let times = answer["result"]["times"].as_array().unwrap();
    let named: Vec<&Value> = times.iter().map(|time| &time[0]).collect();
    assert_eq!(named, [&json!("COO"), &json!("BSR(2, 2)")], "{answer}");
    assert!(times.iter().all(|time| time[1].as_f64().is_some_and(|time| time > 0.0)), "{answer}");
}

#[test]
fn functions_of_programs_run() {
    let uri = "file:///p.mlir";
    let mut client = opened(uri, PROGRAM);
    let printed = execute(&mut client, uri, "@main", "run")["result"].clone();
    assert_eq!((&printed["title"], &printed["lines"]), (&json!("run @main"), &json!(["7"])));
    assert_eq!(line(&execute(&mut client, uri, "@gives", "run")), "[ 1 2 3 ]");
    let kernel = execute(&mut client, uri, "@takes/linalg.copy", "run")["result"].clone();
    assert_eq!((&kernel["title"], &kernel["range"]["start"]["line"]), (&json!("run @main"), &json!(1)));
    client.change(uri, 4, &PROGRAM.replace("@main", "@other"));
    assert!(
        refusal(&execute(&mut client, uri, "@takes", "run")).starts_with("`@takes` takes arguments: write a function")
    );
    client.change(uri, 5, &PROGRAM.replace("7 : i32", "7.5 : i32"));
    let wrong = execute(&mut client, uri, "@main", "run")["result"].clone();
    assert_eq!((&wrong["ok"], &wrong["diagnostics"][0]["range"]["start"]["line"]), (&json!(false), &json!(9)));
    assert!(wrong["line"].as_str().unwrap().starts_with("line 10: "), "{wrong}");
}

#[test]
fn a_text_with_errors_runs_up_to_them() {
    let mut client = opened(URI, TEXT);
    let answer = execute(&mut client, URI, "z", "run");
    let found = &answer["result"]["diagnostics"][0];
    assert_eq!(
        (&answer["result"]["ok"], &found["range"]["start"]),
        (&json!(false), &json!({ "line": 6, "character": 17 }))
    );
    assert_eq!(line(&answer), "there is no tensor and no function `nothing`");
    assert!(
        found["message"].as_str().unwrap().starts_with("there is no tensor and no function `nothing`\nnot defined\n")
    );
    // An error before it has its line.
    client.change(URI, 4, "x = [1] // 😀\ny(i) = x(i) + w(i)\nz(i) = x(i)\n");
    for action in ["run", "time", "compare"] {
        let answer = execute(&mut client, URI, "z", action);
        assert_eq!(line(&answer), "line 2: there is no tensor and no function `w`", "{action}");
        assert_eq!(answer["result"]["diagnostics"][0]["range"]["start"], json!({ "line": 1, "character": 14 }));
    }
}

#[test]
fn a_mistake_behind_a_kernel_is_no_part_of_another() {
    let mut client = opened(URI, "x = [1, 2]\ny(i) = x(i) x\n  + x(i)\n");
    let answer = execute(&mut client, URI, "y", "run");
    assert_eq!((&answer["result"]["ok"], line(&answer)), (&json!(false), "no operator stands between `x(i)` and `x`"));
    client.change(URI, 2, "x = [1, 2]\n:quit\ny(i) = x(i)\n");
    let answer = execute(&mut client, URI, "y", "run");
    assert_eq!(
        (&answer["result"]["ok"], line(&answer)),
        (&json!(false), "the text ends before there is a result of `y`")
    );
    // What is printed before the result may be long.
    client.change(URI, 3, "A : CSR = poisson2d(n = 300)\n:dump A\ny(i) = A(i, j)\n");
    let answer = execute(&mut client, URI, "y", "run");
    assert_eq!((&answer["result"]["ok"], &answer["result"]["title"]), (&json!(true), &json!("run y")));
    assert!(line(&answer).starts_with("[ 2 1 1 1 "), "{answer}");
}

#[test]
fn what_cannot_be_executed_is_told() {
    let mut client = opened(URI, TEXT);
    assert!(refusal(&execute(&mut client, URI, "q", "run")).starts_with("the text has no kernel `q`: it has "));
    assert_eq!(
        refusal(&execute(&mut client, URI, "y", "walk")),
        "there is no action `walk`: there are run, time, compare"
    );
    assert!(refusal(&execute(&mut client, "file:///none.nnz", "y", "run")).starts_with("the text is not open"));
    let limits = json!({ "uri": URI, "kernel": "y", "action": "run", "limits": { "seconds": 0 } });
    assert!(refusal(&client.request("nnz/execute", limits)).starts_with("`limits` are more than no `seconds`"));
    let mut client = with(json!({ "trusted": true, "command": "/nowhere/nnz" }), "utf-8");
    client.open(URI, 1, TEXT);
    assert!(line(&execute(&mut client, URI, "y", "run")).starts_with("`/nowhere/nnz` cannot be started: "));
}

#[test]
fn nothing_runs_in_a_workspace_that_is_not_trusted() {
    let mut client = started(false, "utf-16");
    client.open(URI, 1, TEXT);
    let refused = execute(&mut client, URI, "y", "run");
    let way_out = "trust it in the editor, or set `nnz.trusted` to true";
    assert_eq!(refusal(&refused), format!("nothing runs in a workspace that is not trusted: {way_out}"));
    let settings = |trusted: bool| json!({ "settings": { "nnz": { "trusted": trusted } } });
    client.notify("workspace/didChangeConfiguration", settings(true));
    assert_eq!(line(&execute(&mut client, URI, "y", "run")), "[ 1 4 ]");
    client.notify("workspace/didChangeConfiguration", settings(false));
    refusal(&execute(&mut client, URI, "y", "run"));
}

#[test]
fn files_are_found_from_the_folder_of_the_text() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("formats.mlir"),
        "#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n",
    )
    .unwrap();
    fs::write(folder.path().join("a.mtx"), "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 5\n").unwrap();
    let uri = format!("file://{}/text", folder.path().display());
    let mut client = started(true, "utf-16");
    // A name that tells no language: the editor knows it.
    client.open_as("nnz", &uri, 1, "use \"formats.mlir\"\nA : #Rows = read \"a.mtx\"\ny(i) = A(i, j)\n");
    assert_eq!(line(&execute(&mut client, &uri, "y", "run")), "[ 0 5 ]");
}

#[test]
fn what_takes_too_long_or_too_much_is_stopped() {
    let uri = "file:///p.mlir";
    let mut client = opened(uri, PROGRAM);
    let limits = json!({ "uri": uri, "kernel": "@long", "action": "run", "limits": { "seconds": 0.5 } });
    let answer = client.request("nnz/execute", limits);
    assert_eq!(line(&answer), "stopped after 0.5 s: `limits.seconds` allows more");
    // What it has printed is not lost.
    assert_eq!((&answer["result"]["ok"], &answer["result"]["lines"][0]), (&json!(false), &json!("8")));
    client.open(URI, 1, "A : tensor<10000x10000xf64> = random(density = 1.0)\ny(i) = A(i, j)\n");
    let limits = json!({ "uri": URI, "kernel": "y", "action": "run", "limits": { "bytes": 64 << 20 } });
    let answer = client.request("nnz/execute", limits);
    assert!(line(&answer).starts_with("line 1: ") && answer["result"]["diagnostics"][0]["code"] == "E0512", "{answer}");
}

#[test]
fn the_command_does_the_same() {
    let mut client = Client::spawn();
    let options = json!({ "capabilities": {}, "initializationOptions": { "trusted": true } });
    let answer = client.request("initialize", options);
    assert_eq!(answer["result"]["capabilities"]["executeCommandProvider"]["commands"], json!(["nnz.execute"]));
    client.notify("initialized", json!({}));
    client.open(URI, 1, TEXT);
    let argument = json!({ "uri": URI, "kernel": "y", "action": "run" });
    let answer =
        client.request("workspace/executeCommand", json!({ "command": "nnz.execute", "arguments": [argument] }));
    assert_eq!(line(&answer), "[ 1 4 ]");
    let told = client.receive("a message", |message| message["method"] == "window/showMessage");
    assert_eq!(told["params"]["message"], "run y: [ 1 4 ]");
    let wrong = client.request("workspace/executeCommand", json!({ "command": "nnz.execute", "arguments": [] }));
    assert_eq!(refusal(&wrong), "`nnz.execute` is not `nnz.execute` with one argument");
    // A client with a command of this name is not given another one.
    let mut client = Client::spawn();
    let capabilities = json!({ "experimental": { "nnz": { "commands": ["nnz.execute"] } } });
    let answer = client.request("initialize", json!({ "capabilities": capabilities }));
    assert_eq!(answer["result"]["capabilities"]["executeCommandProvider"], Value::Null);
}

#[test]
fn two_run_at_once_and_measurements_take_turns() {
    let mut client = opened(URI, TEXT);
    let ask = |client: &mut Client, action: &str| {
        client.ask("nnz/execute", json!({ "uri": URI, "kernel": "y", "action": action }))
    };
    let all = ["time", "run", "time", "run"].map(|action| ask(&mut client, action));
    let lines = all.map(|id| line(&client.answer(id)).to_string());
    assert_eq!([&*lines[1], &*lines[3]], ["[ 1 4 ]"; 2]);
    assert!([&lines[0], &lines[2]].iter().all(|line| line.ends_with("GB/s")), "{lines:?}");
}

#[test]
fn lenses_are_over_what_runs() {
    let titles = |uri: &str, text: &str| {
        let mut client = opened(uri, text);
        let lenses = client.lenses(uri);
        let lenses = lenses.iter().filter(|lens| lens["command"]["command"] == "nnz.execute");
        let told = |lens: &Value| {
            let argument = lens["command"]["arguments"][0].clone();
            assert_eq!(argument["uri"], uri);
            format!("{} {}", lens["command"]["title"].as_str().unwrap(), argument["kernel"].as_str().unwrap())
        };
        lenses.map(told).collect::<Vec<_>>()
    };
    let kernels = ["y", "B", "y#2", "s", "n", "z"].iter();
    let wanted: Vec<String> =
        kernels.flat_map(|kernel| ["Run", "Time", "Compare"].map(|title| format!("{title} {kernel}"))).collect();
    assert_eq!(titles(URI, TEXT), wanted);
    assert_eq!(titles("file:///p.mlir", PROGRAM), ["Run @gives", "Run @main", "Run @long"]);
}

/// What the server has started and has not ended.
#[cfg(target_os = "linux")]
mod processes {
    use super::*;

    fn parent(process: &str) -> Option<(u32, String)> {
        let stat = fs::read_to_string(Path::new("/proc").join(process).join("stat")).ok()?;
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        let state = fields.next()?.to_string();
        Some((fields.next()?.parse().ok()?, state))
    }

    fn children(of: u32) -> Vec<String> {
        let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        all.filter(|process| parent(process).is_some_and(|(parent, _)| parent == of)).collect()
    }

    /// It may be gone, or its number be waited for.
    fn is_gone(process: &str) -> bool {
        parent(process).is_none_or(|(_, state)| state == "Z" || state == "X")
    }

    fn until(what: &str, holds: impl Fn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds() {
            assert!(Instant::now() < deadline, "not {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    const LONG: &str = "file:///p.mlir";

    /// A server with a long run, the id of the request, and the process that runs.
    fn running() -> (Client, i64, String) {
        let mut client = opened(LONG, PROGRAM);
        let id = client.ask(
            "nnz/execute",
            json!({ "uri": LONG, "kernel": "@long", "action": "run", "limits": { "seconds": 600 } }),
        );
        until("running", || !children(client.process()).is_empty());
        let process = children(client.process()).remove(0);
        (client, id, process)
    }

    #[test]
    fn a_cancelled_request_ends_its_process() {
        let (mut client, id, process) = running();
        client.notify("$/cancelRequest", json!({ "id": id }));
        assert_eq!(client.answer(id)["error"]["code"], -32800);
        until("ended", || is_gone(&process));
        client.open(URI, 1, TEXT);
        assert_eq!(line(&execute(&mut client, URI, "y", "run")), "[ 1 4 ]");
    }

    #[test]
    fn the_stop_of_a_progress_ends_its_process() {
        let (mut client, id, process) = running();
        let create = client.receive("a progress", |message| message["method"] == "window/workDoneProgress/create");
        client.send(&json!({ "jsonrpc": "2.0", "id": create["id"], "result": null }));
        let begun = client.receive("its begin", |message| message["params"]["value"]["kind"] == "begin");
        assert_eq!(
            (&begun["params"]["value"]["title"], &begun["params"]["value"]["cancellable"]),
            (&json!("run @long"), &json!(true))
        );
        client.notify("window/workDoneProgress/cancel", json!({ "token": create["params"]["token"] }));
        let answer = client.answer(id);
        assert_eq!((line(&answer), &answer["result"]["ok"]), ("stopped", &json!(false)));
        until("ended", || is_gone(&process));
        client.receive("its end", |message| message["params"]["value"]["kind"] == "end");
    }

    #[test]
    fn a_process_that_is_killed_costs_its_own_result_alone() {
        let (mut client, id, process) = running();
        let process: i32 = process.parse().unwrap();
        std::process::Command::new("kill").args(["-ABRT", &process.to_string()]).status().unwrap();
        assert_eq!(line(&client.answer(id)), "crashed (signal 6): a bug of nnz");
        client.open(URI, 1, TEXT);
        assert_eq!(line(&execute(&mut client, URI, "y", "run")), "[ 1 4 ]");
    }

    #[test]
    fn the_end_of_the_server_ends_what_runs() {
        let ends: [fn(&mut Client); 3] = [
            |client| client.notify("exit", Value::Null),
            Client::close_stdin,
            |client| {
                let server = client.process().to_string();
                std::process::Command::new("kill").args(["-KILL", &server]).status().unwrap();
            },
        ];
        for end in ends {
            let (mut client, _, process) = running();
            end(&mut client);
            client.exit_status();
            until("ended with the server", || is_gone(&process));
        }
    }
}
