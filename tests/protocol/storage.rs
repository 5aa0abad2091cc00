//! `nnz/storage`: what the storage panel draws.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///panel.nnz";
const TEXT: &str = "\
A : tensor<3x4xf64, CSR> = sparse<[[0, 1], [2, 0], [2, 3]], [1, 2, 3]>
x = [1, 2, 3, 4]
y(i) = A(i, j) * x(j)
z(i) = nothing(i)
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
";

fn opened(trusted: bool, uri: &str, text: &str) -> Client {
    let mut client = Client::spawn();
    let options = json!({ "nnz": { "trusted": trusted } });
    let capabilities = json!({ "experimental": { "nnz": { "commands": ["nnz.openStorage"] } } });
    client.request("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
    client.notify("initialized", json!({}));
    client.open(uri, 1, text);
    client
}

fn storage(client: &mut Client, uri: &str, line: u32, character: u32) -> Value {
    let position = json!({ "line": line, "character": character });
    client.request("nnz/storage", json!({ "uri": uri, "position": position }))
}

fn names(sheets: &Value, member: &str) -> Vec<String> {
    sheets.as_array().into_iter().flatten().map(|it| it[member].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn a_kernel_shows_its_tensors_its_steps_and_other_encodings() {
    let mut client = opened(true, URI, TEXT);
    let answer = storage(&mut client, URI, 2, 8);
    let found = &answer["result"];
    assert_eq!(names(&found["tensors"], "name"), ["A", "x", "y"], "{answer}");
    assert_eq!(found["kernel"], "y");
    assert_eq!(found["title"], "y(i) = A(i, j) * x(j)");
    assert_eq!(names(&found["formats"], "encoding"), ["CSC", "DCSR", "COO", "BSR(2, 2)"]);
    assert_eq!(names(&found["formats"], "name"), ["A"; 4]);
    assert_eq!(found["problems"], json!([]));
    assert_eq!(names(&found["tensors"][0]["levels"], "find"), ["find O(1)", "find O(log n)"]);
    let entry = &found["tensors"][0]["entries"][2];
    assert_eq!(entry, &json!({ "path": [2, 3], "positions": [2, 2], "dims": [2, 3], "value": "3" }));
    let steps = found["steps"]["steps"].as_array().expect("it has steps");
    let stores = |step: &&Value| step["touched"][0]["how"] == "store" && step["touched"][0]["array"] == "y";
    assert_eq!(
        steps.iter().filter(stores).map(|it| it["touched"][0]["value"].as_f64()).collect::<Vec<_>>(),
        [Some(2.0), Some(0.0), Some(14.0)]
    );
}

/// The encodings to choose from do not hold its own again, whatever its dimensions are called.
#[test]
fn its_own_encoding_is_there_once() {
    let named = "#Own = #sparse_tensor.encoding<{ map = (r, c) -> (r : dense, c : compressed) }>\n";
    let text = format!("{named}{}", TEXT.replace("CSR", "#Own"));
    let mut client = opened(true, URI, &text);
    let answer = storage(&mut client, URI, 3, 8);
    assert_eq!(names(&answer["result"]["formats"], "encoding"), ["CSC", "DCSR", "COO", "BSR(2, 2)"], "{answer}");
}

#[test]
fn a_lens_over_a_kernel_opens_the_panel_there() {
    let mut client = opened(true, URI, TEXT);
    let commands: Vec<Value> = client.lenses(URI).iter().map(|lens| lens["command"].clone()).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    let argument = json!({ "uri": URI, "position": { "line": 2, "character": 0 } });
    assert_eq!(commands[0], json!({ "title": "Storage", "command": "nnz.openStorage", "arguments": [argument] }));
}

#[test]
fn a_tensor_shows_itself_and_a_broken_kernel_why_it_has_none() {
    let mut client = opened(true, URI, TEXT);
    let found = storage(&mut client, URI, 0, 0)["result"].clone();
    assert_eq!((names(&found["tensors"], "name"), &found["steps"]), (vec!["A".to_string()], &Value::Null));
    let found = storage(&mut client, URI, 3, 0)["result"].clone();
    let problems = found["problems"].to_string();
    assert!(problems.contains("no function `nothing`"), "{found}");
    assert_eq!(found["tensors"], json!([]));
}

#[test]
fn an_encoding_shows_an_example_though_nothing_may_run() {
    let mut client = opened(false, URI, TEXT);
    let found = storage(&mut client, URI, 4, 2)["result"].clone();
    assert_eq!(names(&found["tensors"], "encoding"), ["#COO"], "{found}");
    assert_eq!(found["tensors"][0]["levels"][0]["arrays"][1]["tuple"], 2);
    let refused = storage(&mut client, URI, 2, 0);
    assert_eq!(refused["error"]["code"], -32803, "{refused}");
    let refused = storage(&mut client, URI, 5, 0);
    assert!(refused["error"]["message"].as_str().is_some_and(|it| it.contains("put the cursor on one")), "{refused}");

    let program = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\nfunc.func private @f(tensor<8x8xf64, #CSR>)\n";
    client.open("file:///panel.mlir", 1, program);
    let found = storage(&mut client, "file:///panel.mlir", 1, 40)["result"].clone();
    assert_eq!(names(&found["tensors"], "encoding"), ["#CSR"], "{found}");
}
