//! The kernels of MLIR programs: timed, compared and drawn with the data that they have when a run reaches them.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///programs.mlir";
const TEXT: &str = include_str!("programs.mlir");
const KERNEL: &str = "@spmv/linalg.generic";

fn opened(text: &str) -> Client {
    let mut client = Client::spawn();
    let capabilities =
        json!({ "experimental": { "nnz": { "commands": ["nnz.openStorage", "nnz.openView", "nnz.execute"] } } });
    let options = json!({ "nnz": { "trusted": true } });
    client.request("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
    client.notify("initialized", json!({}));
    client.open(URI, 1, text);
    client
}

fn execute(client: &mut Client, kernel: &str, action: &str) -> Value {
    client.request("nnz/execute", json!({ "uri": URI, "kernel": kernel, "action": action }))
}

/// The storage panel at the first place of a text.
fn storage(client: &mut Client, text: &str, at: &str) -> Value {
    let before = &text[..text.find(at).unwrap()];
    let line = before.lines().count() - 1;
    let character = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    client.request("nnz/storage", json!({ "uri": URI, "position": { "line": line, "character": character } }))
}

fn names(sheets: &Value, member: &str) -> Vec<String> {
    sheets.as_array().into_iter().flatten().map(|it| it[member].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn lenses_measure_and_draw_the_kernels_that_a_run_reaches() {
    let told = |lens: &Value| {
        let (line, title) = (lens["range"]["start"]["line"].as_u64().unwrap(), lens["command"]["title"].as_str());
        format!("{line} {}", title.unwrap())
    };
    let all: Vec<String> = opened(TEXT).lenses(URI).iter().map(told).collect();
    let of_line = |line: u64| {
        let own = all.iter().filter_map(|it| it.strip_prefix(&format!("{line} "))).collect::<Vec<_>>();
        own.join(" ")
    };
    assert_eq!(of_line(11), "Time Compare Storage Loops Plan C", "{all:?}");
    assert_eq!(of_line(21), "Loops Plan C", "no run reaches it");
    assert_eq!(of_line(24), "Run");
    assert_eq!(of_line(29), "Time Compare Storage Loops Plan C", "{all:?}");
}

#[test]
fn a_kernel_is_timed_and_compared_where_a_run_reaches_it() {
    let mut client = opened(TEXT);
    let timed = execute(&mut client, KERNEL, "time")["result"].clone();
    assert!(timed["line"].as_str().is_some_and(|line| line.ends_with(" GB/s")), "{timed}");
    assert_eq!((&timed["title"], &timed["range"]["start"]["line"]), (&json!(format!("time {KERNEL}")), &json!(11)));
    assert_eq!(timed["lines"][0], "y(d0) = A(d0, d1) * x(d1)");
    let compared = execute(&mut client, KERNEL, "compare")["result"].clone();
    assert!(compared["line"].as_str().is_some_and(|line| line.starts_with("best with A in ")), "{compared}");
    let lines = compared["lines"].as_array().unwrap();
    let formats: Vec<&str> = lines.iter().filter_map(|line| line.as_str()?.split(' ').next()).collect();
    assert_eq!(formats, ["format", "#CSR", "CSC", "DCSR", "COO", "dense"]);
    let converted = execute(&mut client, "@main/sparse_tensor.convert#2", "time")["result"].clone();
    assert_eq!(converted["lines"][0], "B(i, j) = A(i, j)", "{converted}");
}

#[test]
fn what_is_not_reached_or_has_no_loops_says_why() {
    let mut client = opened(TEXT);
    let other = execute(&mut client, "@other/linalg.copy", "time")["result"].clone();
    let unreached = "`@main` has run to its end without this kernel";
    assert_eq!((&other["ok"], other["line"].as_str()), (&json!(false), Some(unreached)), "{other}");
    assert_eq!(other["diagnostics"][0]["range"]["start"]["line"], 21);
    let unknown = execute(&mut client, "@main", "compare");
    assert!(unknown["error"]["message"].as_str().unwrap().starts_with("the text has no kernel `@main`: "), "{unknown}");
    let alone = TEXT.replace("@main", "@main_of_others").replace("@main_of_others()", "@main_of_others(%n: index)");
    client.change(URI, 2, &alone);
    for refused in [execute(&mut client, KERNEL, "time"), storage(&mut client, &alone, "linalg.generic")] {
        let message = refused["error"]["message"].as_str().unwrap_or_else(|| panic!("{refused}"));
        assert!(
            message.starts_with("`@spmv` takes arguments: write a function without any that calls it"),
            "{refused}"
        );
    }
    let buffers = "func.func @main() {\n  %b = memref.alloc() : memref<2x2xf64>\n  linalg.transpose ins(%b : memref<2x2xf64>) \
                   outs(%b : memref<2x2xf64>) permutation = [1, 0]\n  return\n}\n";
    client.change(URI, 3, buffers);
    let timed = execute(&mut client, "@main/linalg.transpose", "time")["result"].clone();
    assert_eq!(
        timed["line"], "this kernel runs without loops: a result may be in the memory of another operand",
        "{timed}"
    );
}

#[test]
fn the_storage_panel_has_the_operands_and_the_steps_of_a_kernel() {
    let mut client = opened(TEXT);
    let found = storage(&mut client, TEXT, "linalg.generic")["result"].clone();
    assert_eq!(names(&found["tensors"], "name"), ["A", "x", "y"], "{found}");
    assert_eq!(names(&found["tensors"], "encoding"), ["#CSR", "dense", "dense"]);
    assert_eq!((&found["kernel"], &found["problems"]), (&json!(KERNEL), &json!([])));
    assert_eq!(names(&found["formats"], "name"), ["A"; 4], "{found}");
    let entry = &found["tensors"][0]["entries"][2];
    assert_eq!(entry, &json!({ "path": [2, 3], "positions": [2, 2], "dims": [2, 3], "value": "3" }));
    assert!(found["steps"]["steps"].as_array().is_some_and(|steps| steps.len() > 10), "{found}");
    // At a type in the operation it is the encoding of that.
    let example = storage(&mut client, TEXT, "#CSR>, tensor<4xf64>) outs")["result"].clone();
    assert_eq!((&example["kernel"], names(&example["tensors"], "encoding")), (&Value::Null, vec!["#CSR".to_string()]));
}
