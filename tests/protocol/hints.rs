//! Inlay hints, and changes of semantic tokens.

use serde_json::{Value, json};

use crate::client::Client;

fn hints(client: &mut Client, uri: &str, lines: (u32, u32)) -> Vec<Value> {
    let range = json!({ "start": { "line": lines.0, "character": 0 }, "end": { "line": lines.1, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range });
    client.request("textDocument/inlayHint", params)["result"].as_array().unwrap().clone()
}

/// Each with the line and the text that it stands behind.
fn shown(text: &str, found: &[Value]) -> Vec<(String, String)> {
    let one = |hint: &Value| {
        let line = text.lines().nth(hint["position"]["line"].as_u64().unwrap() as usize).unwrap();
        let before: Vec<u16> =
            line.encode_utf16().take(hint["position"]["character"].as_u64().unwrap() as usize).collect();
        let before = String::from_utf16(&before).unwrap();
        assert!(hint["tooltip"].as_str().is_some_and(|tooltip| tooltip.ends_with('.')), "{hint}");
        (before[before.len().saturating_sub(20)..].to_string(), hint["label"].as_str().unwrap().to_string())
    };
    found.iter().map(one).collect()
}

const SESSION: &str = "\
#B = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)
P : CSR = poisson2d(n = 300)
A : tensor<8x8xf64, CSR> = random(density = 0.5)
B : tensor<8x8xf64, CSC> = random(density = 0.5)
C(i, j) : CSR = A(i, j) + B(i, j)
L : tensor<2x2xf64, CSR> = [[1, 0], [0, 1]]
";

#[test]
fn hints_of_a_session() {
    let mut client = Client::start(&["utf-16"]);
    client.open("file:///a.nnz", 1, SESSION);
    let found = hints(&mut client, "file:///a.nnz", (0, 6));
    let found = shown(SESSION, &found);
    let has = |before: &str, label: &str| {
        let found = found.iter().any(|(behind, text)| behind.ends_with(before) && text.contains(label));
        assert!(found, "no `{label}` behind `{before}`");
    };
    has("mod 2 : dense)", "i = l0 * 2 + l2, j = l1 * 2 + l3");
    has("(n = 300)", "90000 x 90000, 448,800 entries, 7.5 MiB");
    has("+ B(i, j)", "loops i, j");
    has("B", "as CSR");
    assert!(!found.iter().any(|(behind, _)| behind.ends_with("[0, 1]]")), "{found:?}");
    let one = hints(&mut client, "file:///a.nnz", (1, 2));
    assert_eq!(one.len(), 1, "{one:?}");
}

#[test]
fn a_file_that_is_read_says_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("m.mtx"),
        "%%MatrixMarket matrix coordinate integer general\n4 3 2\n2 1 5\n4 3 6\n",
    )
    .unwrap();
    let text = "A : CSR = read \"m.mtx\"\nB : CSR = read \"none.mtx\"\n";
    let uri = format!("file://{}/a.nnz", folder.path().display());
    let mut client = Client::start(&["utf-16"]);
    client.open(&uri, 1, text);
    let found = shown(text, &hints(&mut client, &uri, (0, 2)));
    assert_eq!(found, [(": CSR = read \"m.mtx\"".to_string(), "4 x 3, 2 entries, 72 bytes".to_string())]);
    let position = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 0 } });
    let hover = client.request("textDocument/hover", position)["result"].to_string();
    assert!(hover.contains("4x3xi64") && hover.contains("2 entries"), "{hover}");
}

#[test]
fn hints_of_a_program_that_is_not_finished() {
    let text = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
func.func @f(%A: tensor<8x8xf64, #CSR>, %B: tensor<8x8xf64, #CSC>, %C: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %r = linalg.add ins(%A, %B : tensor<8x8xf64, #CSR>, tensor<8x8xf64, #CSC>) outs(%C : tensor<8x8xf64>) -> tensor<8x8xf64>
  return %r : tensor<8x8xf64>
}
func.func @g(%A: tensor<8x
";
    let mut client = Client::start(&["utf-8"]);
    client.open("file:///a.mlir", 1, text);
    let found = shown(text, &hints(&mut client, "file:///a.mlir", (0, 7)));
    let labels: Vec<(&str, &str)> = found.iter().map(|(behind, label)| (behind.as_str(), label.as_str())).collect();
    assert!(
        labels.iter().any(|(behind, label)| behind.ends_with("linalg.add") && label.starts_with("loops ")),
        "{labels:?}"
    );
    assert!(labels.iter().any(|(behind, label)| behind.ends_with("%B") && *label == "as CSR"), "{labels:?}");
}

#[test]
fn settings_switch_kinds_of_hints_off() {
    let mut client = Client::spawn();
    let options = json!({ "nnz": { "inlayHints": { "loops": false, "sizes": false } } });
    client.request("initialize", json!({ "capabilities": {}, "initializationOptions": options }));
    client.notify("initialized", json!({}));
    client.open("file:///a.nnz", 1, SESSION);
    let labels = |client: &mut Client| -> Vec<String> {
        let found = hints(client, "file:///a.nnz", (0, 6));
        found.iter().filter_map(|hint| hint["label"].as_str().map(String::from)).collect()
    };
    assert_eq!(labels(&mut client), ["i = l0 * 2 + l2, j = l1 * 2 + l3", "as CSR"]);
    let settings =
        json!({ "settings": { "nnz": { "inlayHints": { "loops": true, "inverses": false, "conversions": false } } } });
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(labels(&mut client), ["loops i, j"]);
}

/// The numbers with the edits applied, as clients do.
fn edited(mut numbers: Vec<u64>, edits: &Value) -> Vec<u64> {
    for edit in edits.as_array().unwrap() {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        numbers.splice(start..end, ints(&edit["data"]));
    }
    numbers
}

fn ints(data: &Value) -> Vec<u64> {
    data.as_array().map(|all| all.iter().filter_map(Value::as_u64).collect()).unwrap_or_default()
}

#[test]
fn changes_of_tokens_lead_to_the_tokens() {
    let uri = "file:///a.nnz";
    let document = json!({ "textDocument": { "uri": uri } });
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, SESSION);
    let first = client.request("textDocument/semanticTokens/full", document.clone())["result"].clone();
    let (mut id, mut numbers) = (first["resultId"].clone(), ints(&first["data"]));
    let longer = format!("x : f64 = 1\n{SESSION}");
    let texts = [
        SESSION.replace("random", "banded"),
        longer.clone(),
        longer.replace("L : tensor", "LL : f64 = 1\nL : tensor"),
        longer,
        String::new(),
        SESSION.to_string(),
        SESSION.to_string(),
    ];
    for (version, text) in texts.iter().enumerate() {
        client.change(uri, version as i32 + 2, text);
        let params = json!({ "textDocument": { "uri": uri }, "previousResultId": id });
        let delta = client.request("textDocument/semanticTokens/full/delta", params)["result"].clone();
        assert!(delta["edits"].as_array().is_some_and(|edits| edits.len() < 2), "{delta}");
        numbers = edited(numbers, &delta["edits"]);
        let whole = client.request("textDocument/semanticTokens/full", document.clone())["result"].clone();
        assert_eq!(numbers, ints(&whole["data"]), "version {version}");
        id = whole["resultId"].clone();
    }
    let stale = json!({ "textDocument": { "uri": uri }, "previousResultId": "nothing" });
    let whole = client.request("textDocument/semanticTokens/full/delta", stale)["result"].clone();
    assert_eq!(ints(&whole["data"]), numbers, "an unknown answer before is no error");
}
