//! Published diagnostics: places, codes, fixes, and texts without any.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, is_publish};

const BROKEN: &str = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : densee, j : compressed) }>\n";
const RIGHT: &str = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\nfunc.func private @f(tensor<8x8xf64, #CSR>)\n";

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

fn errors(diagnostics: &[Value]) -> Vec<&Value> {
    diagnostics.iter().filter(|d| d["severity"] == 1).collect()
}

#[test]
fn an_error_stands_at_the_guilty_word_with_a_code_and_a_fix() {
    let uri = "file:///broken.mlir";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, BROKEN);
    let diagnostics = client.diagnostics(uri, 1);
    let [error] = errors(&diagnostics)[..] else { panic!("{diagnostics:?}") };
    assert_eq!(error["range"], range(0, 54, 60));
    assert!(error["code"].as_str().is_some_and(|code| code.starts_with('E')), "{error}");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("densee") && text.contains("dense")));

    let params = json!({ "textDocument": { "uri": uri }, "range": error["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params)["result"].clone();
    let fix = actions.as_array().and_then(|all| all.iter().find(|a| a["kind"] == "quickfix")).unwrap();
    assert_eq!(fix["edit"]["changes"][uri][0], json!({ "range": error["range"], "newText": "dense" }));
}

#[test]
fn a_code_leads_to_what_it_means_where_the_client_shows_views() {
    let uri = "file:///linked.mlir";
    let mut client = Client::spawn();
    let capabilities = json!({
        "textDocument": { "publishDiagnostics": { "codeDescriptionSupport": true } },
        "experimental": { "nnz": { "commands": ["nnz.openView"] } }
    });
    client.request("initialize", json!({ "capabilities": capabilities }));
    client.notify("initialized", json!({}));
    client.open(uri, 1, BROKEN);
    let diagnostics = client.diagnostics(uri, 1);
    let [error] = errors(&diagnostics)[..] else { panic!("{diagnostics:?}") };
    let (code, href) = (error["code"].as_str().unwrap(), &error["codeDescription"]["href"]);
    assert_eq!(*href, format!("nnz-view:/{code}.md?code={code}"));
    let meaning = client.request("nnz/textDocumentContent", json!({ "uri": href }))["result"].clone();
    assert_eq!(meaning["language"], "markdown");
    let said = std::process::Command::new(env!("CARGO_BIN_EXE_nnz")).args(["explain", code]).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let title = |text: &str| text.lines().next().unwrap().trim_start_matches("# ").to_string();
    assert_eq!(title(meaning["text"].as_str().unwrap()), title(&said));
}

#[test]
fn a_client_without_views_gets_no_links() {
    let uri = "file:///plain.mlir";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, BROKEN);
    let diagnostics = client.diagnostics(uri, 1);
    assert!(!diagnostics.is_empty() && diagnostics.iter().all(|each| each.get("codeDescription").is_none()));
}

#[test]
fn a_right_file_is_silent_and_an_edit_breaks_and_mends_it() {
    let uri = "file:///edit.mlir";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, RIGHT);
    assert_eq!(client.diagnostics(uri, 1), Vec::<Value>::new());
    client.change_with(uri, 2, json!([{ "range": range(0, 54, 59), "text": "densest" }]));
    assert_eq!(errors(&client.diagnostics(uri, 2)).len(), 1);
    client.change_with(
        uri,
        3,
        json!([{ "range": range(0, 58, 61), "text": "" }, { "range": range(0, 58, 58), "text": "e" }]),
    );
    assert_eq!(client.diagnostics(uri, 3), Vec::<Value>::new());
}

/// Characters that take two UTF-16 units and four bytes stand before the guilty word, on its line.
const ASTRAL: &str = "\"d\"() { s = \"😀😀\" } : () -> tensor<2x2xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : densee, j : dense) }>>\n";

#[test]
fn columns_are_of_the_negotiated_encoding() {
    let byte = ASTRAL.find("densee").unwrap() as u32;
    for (encoding, column) in [("utf-8", byte), ("utf-16", byte - 4)] {
        let uri = "file:///astral.mlir";
        let mut client = Client::start(&[encoding]);
        client.open(uri, 1, ASTRAL);
        let diagnostics = client.diagnostics(uri, 1);
        let [error] = errors(&diagnostics)[..] else { panic!("{encoding}: {diagnostics:?}") };
        assert_eq!(error["range"], range(0, column, column + 6), "{encoding}");
        let hover = client.at("textDocument/hover", uri, 0, column + 12);
        assert_eq!(hover["range"], range(0, column + 12, column + 17), "{encoding}: hover on `dense`");
    }
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let uri = "file:///mac.nnz";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, "// a\rzz\n");
    let diagnostics = client.diagnostics(uri, 1);
    let [error] = errors(&diagnostics)[..] else { panic!("{diagnostics:?}") };
    assert_eq!(error["range"], range(1, 0, 2));
    client.change_with(uri, 2, json!([{ "range": range(1, 0, 2), "text": "yyy" }]));
    let diagnostics = client.diagnostics(uri, 2);
    let [error] = errors(&diagnostics)[..] else { panic!("{diagnostics:?}") };
    assert_eq!(error["range"], range(1, 0, 3));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("`yyy`")), "{error}");
}

#[test]
fn closing_clears() {
    let uri = "file:///closed.mlir";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, BROKEN);
    assert!(!client.diagnostics(uri, 1).is_empty());
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let cleared = client.receive("a clearing", |m| is_publish(m, uri));
    assert_eq!(cleared["params"]["diagnostics"], json!([]));
}

#[test]
fn mistakes_in_operations_are_found_as_they_are_typed() {
    let uri = "file:///program.mlir";
    let text = "func.func @f(%a: f64) -> f64 {\n  %b = arith.addf %a, %a : f64\n  return %b : f64\n}\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, text);
    assert_eq!(client.diagnostics(uri, 1), Vec::<Value>::new());
    client.change_with(uri, 2, json!([{ "range": range(1, 22, 24), "text": "%c" }]));
    let diagnostics = client.diagnostics(uri, 2);
    let [error] = errors(&diagnostics)[..] else { panic!("{diagnostics:?}") };
    assert_eq!((&error["range"], &error["code"]), (&range(1, 22, 24), &json!("E0603")));
    client.change_with(uri, 3, json!([{ "range": range(1, 22, 24), "text": "%a" }]));
    assert_eq!(client.diagnostics(uri, 3), Vec::<Value>::new());
}

#[test]
fn operations_that_the_server_does_not_know_are_no_errors() {
    let uri = "file:///unknown.mlir";
    let text = include_str!("unknown_operations.mlir");
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, text);
    let diagnostics = client.diagnostics(uri, 1);
    assert!(errors(&diagnostics).is_empty(), "{diagnostics:#?}");
    assert!(client.drain(Duration::from_millis(50)).is_empty());
}

/// What is in a file that cannot be read nobody knows.
#[test]
fn a_missing_file_is_one_error_and_what_it_may_define_none() {
    let uri = "file:///uses.nnz";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, "use \"csr.mlir\"\nA : tensor<2x2xf64, #CSR> = [[1, 0], [0, 2]]\nB : #CSR = A\nA\n");
    let found = client.diagnostics(uri, 1);
    assert_eq!(found.iter().map(|error| &error["code"]).collect::<Vec<_>>(), ["E0450"]);
    client.open("file:///alone.nnz", 1, "A : tensor<2x2xf64, #CSR> = [[1, 0], [0, 2]]\n");
    assert_eq!(client.diagnostics("file:///alone.nnz", 1)[0]["code"], "E0124");
}

#[test]
fn the_language_of_a_document_is_what_the_editor_says_else_its_extension() {
    let mut client = Client::start(&["utf-16"]);
    let mut codes = |id: &str, uri: &str, text: &str| {
        client.open_as(id, uri, 1, text);
        let found = client.diagnostics(uri, 1);
        found.iter().map(|one| one["code"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let text = "#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : bitmap) }>\nx : f64 = 1\n";
    assert_eq!(codes("nnz", "file:///a.txt", text), ["H0102"]);
    assert_eq!(codes("plaintext", "file:///b.nnz", text), ["H0102"]);
    assert!(codes("mlir", "file:///c.nnz", text).contains(&"E0128".to_string()));
}

#[test]
fn a_document_in_another_language_is_left_alone() {
    let mut client = Client::start(&["utf-16"]);
    client.open_as("python", "file:///a.py", 1, "y = z\n");
    assert_eq!(client.at("textDocument/hover", "file:///a.py", 0, 0), Value::Null);
    client.open("file:///b.nnz", 1, "y = z\n");
    assert_eq!(client.diagnostics("file:///b.nnz", 1).len(), 1);
    let of_python = |message: &Value| is_publish(message, "file:///a.py");
    let published = client.drain(Duration::from_millis(50));
    let found = published.iter().filter(|message| of_python(message));
    assert!(found.clone().all(|message| message["params"]["diagnostics"] == json!([])), "{published:?}");
}

#[test]
fn of_too_many_diagnostics_the_gravest_are_published_and_the_others_counted() {
    let uri = "file:///many.mlir";
    let old = |n| format!("#Old{n} = #sparse_tensor.encoding<{{ dimLevelType = [\"dense\", \"compressed\"] }}>\n");
    let wrong = |n| BROKEN.replace("#CSR", &format!("#CSR{n}"));
    let text = |errors: u32| (0..6).map(old).chain((0..errors).map(wrong)).collect::<String>();
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, &text(988));
    let all = client.diagnostics(uri, 1);
    assert_eq!((all.len(), errors(&all).len()), (1000, 988));
    client.change(uri, 2, &text(1200));
    let cut = client.diagnostics(uri, 2);
    assert_eq!((cut.len(), errors(&cut).len()), (1000, 1000));
    assert_eq!((&cut[0]["range"], &cut[998]["range"]), (&range(6, 55, 61), &range(1004, 57, 63)));
    assert_eq!(cut[999]["message"], "213 more are found in this file\nhelp: `nnz check` lists all");
    assert_eq!(cut[999]["range"], range(1005, 57, 63));
}
