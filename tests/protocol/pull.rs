//! Diagnostics for clients that ask for them, settings of their levels, work that takes long.

use std::{path::Path, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

const UNUSED: &str = "#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>\n";
const BROKEN: &str = "#V = #sparse_tensor.encoding<{ map = (i) -> (i : compresed) }>\n";

fn pulls() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

/// A folder `inside` with these files, and a client with these abilities that has it as its workspace.
fn start(files: &[(&str, &str)], capabilities: Value, options: Value) -> (TempDir, Client, Value) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inside")).unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    let mut client = Client::spawn();
    let folders = json!([{ "uri": uri(folder.path(), "inside"), "name": "inside" }]);
    let params = json!({ "capabilities": capabilities, "workspaceFolders": folders, "initializationOptions": options });
    let announced = client.request("initialize", params)["result"]["capabilities"].clone();
    client.notify("initialized", json!({}));
    (folder, client, announced)
}

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.canonicalize().unwrap().display())
}

fn pull(client: &mut Client, uri: &str, known: &Value) -> Value {
    let params = json!({ "textDocument": { "uri": uri }, "identifier": "nnz", "previousResultId": known });
    client.request("textDocument/diagnostic", params)["result"].clone()
}

fn codes(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().filter_map(|item| item["code"].as_str()).collect()
}

#[test]
fn who_asks_for_diagnostics_is_sent_none() {
    let (_folder, mut client, announced) = start(&[], pulls(), json!(null));
    assert_eq!(announced["diagnosticProvider"]["interFileDependencies"], true);
    let uri = "file:///pulled.mlir";
    client.open(uri, 1, BROKEN);
    let first = pull(&mut client, uri, &json!(null));
    assert_eq!((&first["kind"], codes(&first["items"])), (&json!("full"), vec!["E0106"]));
    let id = &first["resultId"];
    assert_eq!(pull(&mut client, uri, id), json!({ "kind": "unchanged", "resultId": id }));
    client.change(uri, 2, UNUSED);
    let second = pull(&mut client, uri, id);
    assert_eq!((&second["kind"], codes(&second["items"])), (&json!("full"), vec!["H0101"]));
    assert_eq!(second["items"][0]["tags"], json!([1]), "unused is drawn faded");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(pull(&mut client, uri, &json!(null))["items"], json!([]));
    let sent = client.drain(Duration::from_millis(50));
    assert!(sent.iter().all(|message| message["method"] != "textDocument/publishDiagnostics"), "{sent:?}");
}

fn pull_all(client: &mut Client, known: &Value) -> Vec<Value> {
    let params = json!({ "identifier": "nnz", "previousResultIds": known });
    client.request("workspace/diagnostic", params)["result"]["items"].as_array().unwrap().clone()
}

/// The names of files with what is said of them.
fn said(items: &[Value]) -> Vec<(String, String)> {
    let name = |item: &Value| item["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_string();
    let what = |item: &Value| match item["kind"] == "full" {
        true => codes(&item["items"]).join(" "),
        false => "unchanged".to_string(),
    };
    let mut said: Vec<_> = items.iter().map(|item| (name(item), what(item))).collect();
    said.sort();
    said
}

fn known(items: &[Value]) -> Value {
    items.iter().map(|item| json!({ "uri": item["uri"], "value": item["resultId"] })).collect()
}

fn pairs<'a>(of: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, what)| (name.to_string(), what.to_string())).collect()
}

#[test]
fn the_texts_of_the_workspace_are_asked_for_at_once() {
    let files = [
        ("inside/a.mlir", UNUSED),
        ("inside/b.nnz", "use \"c.mlir\"\nx : tensor<2xf64, #V> = [1, 0]\n"),
        ("inside/c.txt", ""),
    ];
    let (folder, mut client, _) = start(&files, pulls(), json!(null));
    let open = uri(folder.path(), "inside/a.mlir");
    client.open(&open, 7, BROKEN);
    let first = pull_all(&mut client, &json!([]));
    assert_eq!(said(&first), pairs(&[("a.mlir", "E0106"), ("b.nnz", "E0450")]));
    assert_eq!((&first[0]["version"], &first[1]["version"]), (&json!(7), &json!(null)));

    let second = pull_all(&mut client, &known(&first));
    assert_eq!(said(&second), pairs(&[("a.mlir", "unchanged"), ("b.nnz", "unchanged")]));

    std::fs::write(folder.path().join("inside/c.mlir"), UNUSED).unwrap();
    let change = json!({ "uri": uri(folder.path(), "inside/c.mlir"), "type": 1 });
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    client.receive("a refresh", |message| message["method"] == "workspace/diagnostic/refresh");
    // The list of files is looked at again after some time.
    std::thread::sleep(Duration::from_millis(2100));
    let third = pull_all(&mut client, &known(&second));
    assert_eq!(said(&third), pairs(&[("a.mlir", "unchanged"), ("b.nnz", ""), ("c.mlir", "H0101")]));
}

#[test]
fn parts_and_progress_of_a_workspace() {
    let (_folder, mut client, _) = start(&[("inside/a.mlir", UNUSED)], pulls(), json!(null));
    let params = json!({ "previousResultIds": [], "partialResultToken": "parts", "workDoneToken": 3 });
    let answer = client.request("workspace/diagnostic", params);
    assert_eq!(answer["result"]["items"], json!([]), "all was sent in parts");
    let is_of =
        |token: Value| move |message: &Value| message["method"] == "$/progress" && message["params"]["token"] == token;
    let part = client.receive("a part", is_of(json!("parts")))["params"]["value"].clone();
    assert_eq!(said(part["items"].as_array().unwrap()), pairs(&[("a.mlir", "H0101")]));
    for kind in ["begin", "report", "end"] {
        assert_eq!(client.receive(kind, is_of(json!(3)))["params"]["value"]["kind"], kind);
    }
}

#[test]
fn folders_come_and_go() {
    let (folder, mut client, announced) = start(&[("inside/a.mlir", UNUSED)], pulls(), json!(null));
    assert_eq!(announced["workspace"]["workspaceFolders"]["changeNotifications"], true);
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::write(folder.path().join("other/b.mlir"), UNUSED).unwrap();
    let named = |name: &str| json!({ "uri": uri(folder.path(), name), "name": name });
    let event = json!({ "added": [named("other")], "removed": [named("inside")] });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    assert_eq!(said(&pull_all(&mut client, &json!([]))), pairs(&[("b.mlir", "H0101")]));
}

#[test]
fn levels_are_set_and_wrong_ones_told_of_once() {
    let options = json!({ "lints": { "H0101": "warning", "unusedAlia": "off" } });
    let (_folder, mut client, _) = start(&[], json!({}), options.clone());
    let told = |message: &Value| message["method"] == "window/showMessage";
    let message = client.receive("a message", told)["params"]["message"].clone();
    assert_eq!(message, "`nnz.lints`: there is no warning or hint `unusedAlia`: did you mean `unusedAlias`?");
    let uri = "file:///levels.mlir";
    client.open(uri, 1, UNUSED);
    let severities = |found: Vec<Value>| found.iter().map(|one| one["severity"].clone()).collect::<Vec<_>>();
    assert_eq!(severities(client.diagnostics(uri, 1)), [2]);

    let mut set = |lints: Value| {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": { "nnz": { "lints": lints } } }));
        severities(client.diagnostics(uri, 1))
    };
    assert_eq!(set(json!({ "unusedAlias": "off" })), Vec::<Value>::new());
    assert_eq!(set(json!({ "unusedAlias": "information" })), [3]);
    assert_eq!(set(options["lints"].clone()), [2]);
    let said = client.drain(Duration::from_millis(50));
    assert!(!said.iter().any(told), "{said:?}");
}

/// The fix of what is not to be told of is not offered.
#[test]
fn what_is_off_has_no_fixes() {
    let actions = |options: Value| {
        let (_folder, mut client, _) = start(&[], json!({}), options);
        client.open("file:///off.mlir", 1, UNUSED);
        let place = json!({ "line": 0, "character": 1 });
        let params = json!({ "textDocument": { "uri": "file:///off.mlir" }, "range": { "start": place, "end": place },
            "context": { "diagnostics": [], "only": ["quickfix"] } });
        client.request("textDocument/codeAction", params)["result"].as_array().unwrap().len()
    };
    assert_eq!((actions(json!(null)), actions(json!({ "lints": { "H0101": "off" } }))), (1, 0));
}

#[test]
fn a_client_that_answers_settings_is_asked() {
    let capabilities = json!({
        "workspace": { "configuration": true, "didChangeConfiguration": { "dynamicRegistration": true } }
    });
    let (_folder, mut client, _) = start(&[], capabilities, json!(null));
    let registration = client.receive("a registration", |m| m["method"] == "client/registerCapability");
    assert_eq!(registration["params"]["registrations"][0]["method"], "workspace/didChangeConfiguration");
    client.send(&json!({ "jsonrpc": "2.0", "id": registration["id"], "result": null }));
    let uri = "file:///asked.mlir";
    client.open(uri, 1, UNUSED);
    assert_eq!(client.diagnostics(uri, 1).len(), 1);
    let asked = client.receive("a question", |m| m["method"] == "workspace/configuration");
    assert_eq!(asked["params"]["items"][0]["section"], "nnz");
    client.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": [{ "lints": { "unusedAlias": "off" } }] }));
    assert_eq!(client.diagnostics(uri, 1), Vec::<Value>::new());
}

/// What a function of a file costs, and an error of a file, lead to their places in that file.
#[test]
fn places_in_other_files() {
    let program = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compresed) }>\n";
    let files = [("inside/wrong.mlir", program)];
    let (folder, mut client, _) = start(&files, json!({}), json!(null));
    let text = uri(folder.path(), "inside/a.nnz");
    client.open(&text, 1, "use \"wrong.mlir\"\n");
    let found = client.diagnostics(&text, 1);
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], uri(folder.path(), "inside/wrong.mlir"), "{found:?}");
    assert_eq!(related["location"]["range"]["start"], json!({ "line": 0, "character": 65 }));
}
