//! Outline, folding, selection, links, highlights, types, calls, and symbols of the workspace.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

const PROGRAM: &str = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @step(%A: tensor<4x4xf64, #CSR>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.matvec ins(%A, %x : tensor<4x4xf64, #CSR>, tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @twice(%A: tensor<4x4xf64, #CSR>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %y = func.call @step(%A, %x) : (tensor<4x4xf64, #CSR>, tensor<4xf64>) -> tensor<4xf64>
  %z = func.call @step(%A, %y) : (tensor<4x4xf64, #CSR>, tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}
";

const SESSION: &str = "\
use \"step.mlir\"
// \u{1F600} The data.
A : tensor<4x4xf64, #CSR> = sparse<[[0, 0], [1, 2]], [1, 2]>
x = [1, 2, 3, 4]
y = @step(A, x)
y(i) += A(i, j) * x(j)
";

/// A folder with the program and the session, and a client that has it as its workspace.
pub(crate) fn workspace(encoding: &str) -> (TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("step.mlir"), PROGRAM).unwrap();
    std::fs::write(folder.path().join("run.nnz"), SESSION).unwrap();
    let mut client = Client::spawn();
    let edits = json!({ "workspaceEdit": { "documentChanges": true } });
    let rename = json!({ "rename": { "prepareSupport": true } });
    let capabilities =
        json!({ "general": { "positionEncodings": [encoding] }, "workspace": edits, "textDocument": rename });
    let folders = json!([{ "uri": uri(folder.path(), ""), "name": "all" }]);
    client.request("initialize", json!({ "capabilities": capabilities, "workspaceFolders": folders }));
    client.notify("initialized", json!({}));
    (folder, client)
}

pub(crate) fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.canonicalize().unwrap().display())
}

pub(crate) fn open_session(folder: &TempDir, client: &mut Client) -> String {
    let session = uri(folder.path(), "run.nnz");
    client.open(&session, 1, SESSION);
    session
}

pub(crate) fn open_program(folder: &TempDir, client: &mut Client) -> String {
    let program = uri(folder.path(), "step.mlir");
    client.open(&program, 1, PROGRAM);
    program
}

fn of_document(client: &mut Client, method: &str, uri: &str) -> Value {
    client.request(method, json!({ "textDocument": { "uri": uri } }))["result"].clone()
}

/// Line and column of a range's start.
fn start(range: &Value) -> (u64, u64) {
    (range["start"]["line"].as_u64().unwrap(), range["start"]["character"].as_u64().unwrap())
}

fn names(symbols: &Value) -> Vec<&str> {
    symbols.as_array().into_iter().flatten().filter_map(|symbol| symbol["name"].as_str()).collect()
}

#[test]
fn an_outline_has_values_and_kernels_below_their_function() {
    let (folder, mut client) = workspace("utf-8");
    let program = open_program(&folder, &mut client);
    let symbols = of_document(&mut client, "textDocument/documentSymbol", &program);
    assert_eq!(names(&symbols), ["#CSR", "@step", "@twice"]);
    assert_eq!(names(&symbols[1]["children"]), ["%e", "linalg.matvec"]);
    assert_eq!(names(&symbols[2]["children"]), ["%y", "%z"]);
    assert_eq!(symbols[2]["children"][0]["detail"], "func.call");
    assert!(symbols[1]["detail"].as_str().unwrap().ends_with("-> tensor<4xf64>"), "{symbols}");
    let session = open_session(&folder, &mut client);
    let symbols = of_document(&mut client, "textDocument/documentSymbol", &session);
    assert_eq!(names(&symbols), ["step.mlir", "A", "x", "y", "y"]);
}

#[test]
fn regions_comments_and_statements_fold() {
    let (folder, mut client) = workspace("utf-8");
    let program = open_program(&folder, &mut client);
    let folds = of_document(&mut client, "textDocument/foldingRange", &program);
    let lines: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(1, 4), (6, 9)]);
}

#[test]
fn a_selection_grows() {
    let (folder, mut client) = workspace("utf-16");
    let session = open_session(&folder, &mut client);
    let params = json!({ "textDocument": { "uri": session }, "positions": [{ "line": 5, "character": 14 }] });
    let answer = client.request("textDocument/selectionRange", params)["result"][0].clone();
    let mut lengths = Vec::new();
    let mut range = &answer;
    while range.is_object() {
        let (from, to) = (&range["range"]["start"], &range["range"]["end"]);
        lengths
            .push((to["line"].as_u64().unwrap() - from["line"].as_u64().unwrap(), to["character"].as_u64().unwrap()));
        range = &range["parent"];
    }
    // `j` is on line 5: `i, j`, the brackets, the access, the product, the statement, the text.
    assert_eq!(lengths.first(), Some(&(0, 14)));
    assert_eq!(lengths.last(), Some(&(6, 0)));
    assert!(lengths.len() >= 5, "{lengths:?}");
}

#[test]
fn files_are_links_where_they_are_there() {
    let (folder, mut client) = workspace("utf-8");
    let session = uri(folder.path(), "run.nnz");
    client.open(&session, 1, "use \"step.mlir\"\nA : CSR = read \"none.mtx\"\nuse \"none.mlir\"\n");
    let links = of_document(&mut client, "textDocument/documentLink", &session);
    assert_eq!(links.as_array().unwrap().len(), 1, "{links}");
    assert_eq!(links[0]["target"], uri(folder.path(), "step.mlir"));
    assert_eq!(
        links[0]["range"],
        json!({ "start": { "line": 0, "character": 5 }, "end": { "line": 0, "character": 14 } })
    );
    assert!(links[0]["tooltip"].is_string());
}

#[test]
fn highlights_tell_what_is_written() {
    let (folder, mut client) = workspace("utf-16");
    let session = open_session(&folder, &mut client);
    let places = |found: &Value| -> Vec<((u64, u64), u64)> {
        let all = found.as_array().unwrap().iter();
        all.map(|one| (start(&one["range"]), one["kind"].as_u64().unwrap())).collect()
    };
    let y = client.at("textDocument/documentHighlight", &session, 5, 0);
    assert_eq!(places(&y), [((4, 0), 3), ((5, 0), 3)]);
    let a = client.at("textDocument/documentHighlight", &session, 5, 8);
    assert_eq!(places(&a), [((2, 0), 3), ((4, 10), 2), ((5, 8), 2)]);
    let i = client.at("textDocument/documentHighlight", &session, 5, 10);
    assert_eq!(places(&i), [((5, 2), 3), ((5, 10), 2)]);
    let linked = client.at("textDocument/linkedEditingRange", &session, 5, 10);
    assert_eq!(linked["ranges"].as_array().unwrap().len(), 2);
    assert!(client.at("textDocument/linkedEditingRange", &session, 5, 8).is_null());
}

#[test]
fn the_type_of_a_tensor_or_value_is_its_alias() {
    let (folder, mut client) = workspace("utf-8");
    let (session, program) = (open_session(&folder, &mut client), uri(folder.path(), "step.mlir"));
    let alias = client.at("textDocument/typeDefinition", &session, 5, 8);
    assert_eq!((alias["uri"].as_str(), start(&alias["range"])), (Some(program.as_str()), (0, 0)));
    assert!(client.at("textDocument/typeDefinition", &session, 3, 0).is_null());
    open_program(&folder, &mut client);
    let alias = client.at("textDocument/typeDefinition", &program, 7, 23);
    assert_eq!(start(&alias["range"]), (0, 0));
}

#[test]
fn references_of_what_files_share_are_in_all_of_them() {
    let (folder, mut client) = workspace("utf-8");
    let (program, session) = (open_program(&folder, &mut client), uri(folder.path(), "run.nnz"));
    for (from, line, character) in [(&program, 0, 1), (&session, 2, 21)] {
        if *from == session {
            open_session(&folder, &mut client);
        }
        let found = client.at("textDocument/references", from, line, character);
        let mut files: Vec<&str> = found.as_array().unwrap().iter().filter_map(|one| one["uri"].as_str()).collect();
        files.sort_unstable();
        assert_eq!(files.len(), 7, "{found}");
        assert!(files.contains(&session.as_str()) && files.contains(&program.as_str()), "{found}");
    }
}

#[test]
fn calls_lead_from_the_session_to_the_program_and_back() {
    let (folder, mut client) = workspace("utf-8");
    let (session, program) = (open_session(&folder, &mut client), uri(folder.path(), "step.mlir"));
    let items = client.at("textDocument/prepareCallHierarchy", &session, 4, 6);
    assert_eq!((items[0]["name"].as_str(), items[0]["uri"].as_str()), (Some("@step"), Some(program.as_str())));
    let incoming = client.request("callHierarchy/incomingCalls", json!({ "item": items[0] }))["result"].clone();
    let callers: Vec<(&str, usize)> = incoming
        .as_array()
        .unwrap()
        .iter()
        .map(|call| (call["from"]["name"].as_str().unwrap(), call["fromRanges"].as_array().unwrap().len()))
        .collect();
    assert_eq!(callers, [("@twice", 2), ("run.nnz", 1)]);
    for call in incoming.as_array().unwrap() {
        let outgoing = client.request("callHierarchy/outgoingCalls", json!({ "item": call["from"] }))["result"].clone();
        assert_eq!(outgoing[0]["to"]["name"], "@step");
        assert_eq!(outgoing[0]["to"]["uri"], program);
        assert_eq!(outgoing[0]["fromRanges"], call["fromRanges"]);
    }
}

#[test]
fn symbols_of_the_workspace_come_from_open_texts_and_from_files() {
    let (folder, mut client) = workspace("utf-8");
    let session = uri(folder.path(), "run.nnz");
    client.open(&session, 1, "stepping : f64 = 1\n");
    let found = client.request("workspace/symbol", json!({ "query": "step" }))["result"].clone();
    assert_eq!(names(&found), ["@step", "stepping"]);
    let found = client.request("workspace/symbol", json!({ "query": "matvec" }))["result"].clone();
    assert_eq!((names(&found), found[0]["containerName"].as_str()), (vec!["linalg.matvec"], Some("@step")));
}

#[test]
fn broken_texts_have_answers_for_what_is_whole() {
    let mut client = Client::start(&["utf-16"]);
    let uri = "file:///broken.mlir";
    client.open(uri, 1, "func.func @f(%a: f64) {\n  %b = foo.bar %a {\n  %c = \n}\nfunc.func @g(\n");
    let found = client.at("textDocument/documentHighlight", uri, 0, 14);
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    let symbols = of_document(&mut client, "textDocument/documentSymbol", uri);
    assert_eq!(names(&symbols), ["@f", "@g"]);
    assert!(of_document(&mut client, "textDocument/foldingRange", uri).is_array());
}
