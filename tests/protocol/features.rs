//! Hover, definition, references, symbols, completion, semantic tokens.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///features.mlir";
const TEXT: &str = "\
#CSR = #sparse_tensor.encoding<{ map = (row, col) -> (row : dense, col : compressed(nonunique)), posWidth = 32 }>
func.func @f(%A: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>) {
  \"use\"(%A) : (tensor<8x6xf64, #CSR>) -> ()
  return
}
";

fn started() -> Client {
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, TEXT);
    client
}

fn hover_text(client: &mut Client, line: u32, character: u32) -> String {
    let hover = client.at("textDocument/hover", URI, line, character);
    hover["contents"]["value"].as_str().unwrap_or_default().to_string()
}

fn column(line: usize, needle: &str) -> u32 {
    TEXT.lines().nth(line).and_then(|text| text.find(needle)).unwrap() as u32
}

#[test]
fn hovering_an_alias_shows_how_it_stores() {
    let mut client = started();
    for (line, needle) in [(0, "#CSR"), (1, "#CSR"), (2, "#CSR")] {
        let text = hover_text(&mut client, line, column(line as usize, needle) + 1);
        for expected in ["#CSR", "row", "dense", "col", "compressed(nonunique)", "pos", "crd"] {
            assert!(text.contains(expected), "line {line}: no `{expected}` in\n{text}");
        }
        assert!(code_lines(&text).all(|line| line.chars().count() <= 60), "too wide for a hover:\n{text}");
    }
}

fn code_lines(markdown: &str) -> impl Iterator<Item = &str> {
    markdown.split("```").skip(1).step_by(2).flat_map(str::lines)
}

#[test]
fn hovering_parts_of_an_encoding() {
    let mut client = started();
    for (needle, expected) in [
        ("dense", "every coordinate"),
        ("compressed", "positions"),
        ("nonunique", "repeat"),
        ("posWidth", "32"),
        ("map", "level"),
        ("sparse_tensor", "#CSR"),
    ] {
        let text = hover_text(&mut client, 0, column(0, needle) + 1);
        assert!(text.contains(expected), "hover on `{needle}`: no `{expected}` in\n{text}");
    }
}

#[test]
fn hovering_a_sparse_tensor_type_gives_sizes() {
    let mut client = started();
    let text = hover_text(&mut client, 1, column(1, "8x6xf64") + 2);
    assert!(text.contains('9') && text.contains("i32") && text.contains("f64"), "{text}");
}

#[test]
fn hovering_a_value_shows_its_type_and_how_it_is_stored() {
    let uri = "file:///values.mlir";
    let text = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @f(%A: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>) -> index {
  %n = sparse_tensor.number_of_entries %A : tensor<8x6xf64, #CSR>
  %p = foo.bar %n : index
  %c, %d = scf.if %undefined -> (index, f64) {
  }
  return %n : index
}
func.func @g() { return }
";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, text);
    let mut hover = |line: u32, character: u32| {
        let hover = client.at("textDocument/hover", uri, line, character);
        hover["contents"]["value"].as_str().unwrap_or_default().to_string()
    };
    for (line, character) in [(1, 14), (2, 40)] {
        let shown = hover(line, character);
        assert!(shown.contains("`%A`**: `tensor<8x6xf64, #CSR>`") && shown.contains("pos"), "{shown}");
    }
    // Also behind operations that are unknown or broken.
    for (line, character) in [(2, 3), (3, 16), (6, 10)] {
        assert!(hover(line, character).contains("`%n`**: `index`"), "line {line}");
    }
    assert_eq!(hover(3, 3), "");
    assert!(hover(1, 41).contains("`%x`**: `tensor<6xf64>`"));
}

#[test]
fn definition_and_references_of_an_alias() {
    let mut client = started();
    let definition = client.at("textDocument/definition", URI, 2, column(2, "#CSR") + 2);
    assert_eq!(definition["range"]["start"], json!({ "line": 0, "character": 0 }));
    assert_eq!(definition["range"]["end"], json!({ "line": 0, "character": 4 }));
    let references = client.at("textDocument/references", URI, 0, 1);
    let lines: Vec<i64> =
        references.as_array().unwrap().iter().filter_map(|r| r["range"]["start"]["line"].as_i64()).collect();
    assert_eq!(lines, [0, 1, 2]);
}

#[test]
fn definition_of_a_dimension_is_in_the_map() {
    let mut client = started();
    let place = TEXT.find("col :").unwrap() as u32;
    let definition = client.at("textDocument/definition", URI, 0, place + 1);
    let wanted = TEXT.find("col)").unwrap() as u32;
    assert_eq!(definition["range"]["start"], json!({ "line": 0, "character": wanted }));
}

#[test]
fn symbols_name_encodings_and_functions() {
    let mut client = started();
    let params = json!({ "textDocument": { "uri": URI } });
    let symbols = client.request("textDocument/documentSymbol", params)["result"].clone();
    let names: Vec<&str> = symbols.as_array().unwrap().iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["#CSR", "@f"]);
}

fn completions(client: &mut Client, text: &str) -> Vec<String> {
    let uri = "file:///completion.mlir";
    let cursor = text.find('|').unwrap();
    client.open(uri, 1, &text.replace('|', ""));
    let items = client.at("textDocument/completion", uri, 0, cursor as u32);
    let labels = items.as_array().map(|all| all.iter().filter_map(|i| i["label"].as_str().map(String::from)).collect());
    labels.unwrap_or_default()
}

#[test]
fn completion_inside_an_encoding() {
    let mut client = Client::start(&["utf-16"]);
    let cases: [(&str, &[&str], &[&str]); 5] = [
        (
            "#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : |) }>",
            &["dense", "compressed", "singleton"],
            &["posWidth", "soa"],
        ),
        ("#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : com|, j : dense) }>", &["compressed"], &["posWidth"]),
        (
            "#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(|)) }>",
            &["nonunique", "nonordered"],
            &["dense", "soa"],
        ),
        (
            "#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense), | }>",
            &["posWidth", "crdWidth", "explicitVal"],
            &["dense"],
        ),
        ("#A = #sparse_tensor.encoding<{ map = (row, col) -> (row : dense, |) }>", &["row", "col"], &["posWidth"]),
    ];
    for (text, wanted, unwanted) in cases {
        let found = completions(&mut client, text);
        assert!(wanted.iter().all(|w| found.iter().any(|f| f == w)), "{text}: {found:?}");
        assert!(!unwanted.iter().any(|u| found.iter().any(|f| f == u)), "{text}: {found:?}");
    }
}

#[test]
fn aliases_complete_in_a_tensor_type() {
    let mut client = started();
    let at = column(2, "#CSR>");
    client.change_with(URI, 2, json!([{
        "range": { "start": { "line": 2, "character": at + 1 }, "end": { "line": 2, "character": at + 4 } }, "text": ""
    }]));
    let items = client.at("textDocument/completion", URI, 2, at + 1);
    let labels: Vec<&str> = items.as_array().unwrap().iter().filter_map(|i| i["label"].as_str()).collect();
    assert!(labels.contains(&"#CSR"), "{labels:?}");
}

#[test]
fn semantic_tokens_decode_to_the_words() {
    let mut client = started();
    let params = json!({ "textDocument": { "uri": URI } });
    let data = client.request("textDocument/semanticTokens/full", params)["result"]["data"].clone();
    let words = decode(&data, TEXT);
    for word in ["#CSR", "map", "row", "dense", "compressed", "nonunique", "posWidth", "32"] {
        assert!(words.iter().any(|found| found == word), "no token `{word}` in {words:?}");
    }
}

fn decode(data: &Value, text: &str) -> Vec<String> {
    let numbers: Vec<usize> = data.as_array().unwrap().iter().filter_map(|n| n.as_u64()).map(|n| n as usize).collect();
    let (mut line, mut start) = (0, 0);
    let mut word = |token: &[usize]| {
        start = if token[0] == 0 { start + token[1] } else { token[1] };
        line += token[0];
        text.lines().nth(line).unwrap()[start..start + token[2]].to_string()
    };
    numbers.chunks(5).map(&mut word).collect()
}

#[test]
fn completion_in_the_nnz_notation() {
    let uri = "file:///completion.nnz";
    let text = "A : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]\n";
    let mut client = Client::start(&["utf-16"]);
    for (line, wanted) in
        [(":s", "show"), (":show l", "levels"), ("B : C", "CSR"), ("B : CSR = r", "random"), ("y(i) = A", "A")]
    {
        client.open(uri, 1, &format!("{text}{line}"));
        let items = client.at("textDocument/completion", uri, 1, line.len() as u32);
        let labels: Vec<&str> = items.as_array().unwrap().iter().filter_map(|i| i["label"].as_str()).collect();
        assert!(labels.contains(&wanted), "{line}: {labels:?}");
    }
}

#[test]
fn hovering_a_tensor_of_the_nnz_notation_shows_its_storage() {
    let uri = "file:///hover.nnz";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, "A : tensor<2x3xf64, CSR> = [[1, 0, 0], [0, 2, 0]]\nA\n");
    let hover = client.at("textDocument/hover", uri, 1, 0);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("tensor<2x3xf64, CSR>") && text.contains("compressed") && text.contains("[3]"), "{text}");
}

#[test]
fn hovering_levels_beyond_mlir() {
    let uri = "file:///levels.nnz";
    let line = "#A = (i, j) -> (#i : dense, i : hashed, j : run_length)";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, line);
    for (needle, expected) in [("#i", "ELL"), ("hashed", "linear probing"), ("run_length", "equal values")] {
        let at = line.find(needle).unwrap() + 1;
        let hover = client.at("textDocument/hover", uri, 0, at as u32);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(expected), "hover on `{needle}`: no `{expected}` in\n{text}");
    }
}

#[test]
fn levels_beyond_mlir_complete_in_the_nnz_notation_alone() {
    let line = "#A = #sparse_tensor.encoding<{ map = (i) -> (i : ";
    for (uri, wanted) in [("file:///levels.nnz", true), ("file:///levels.mlir", false)] {
        let mut client = Client::start(&["utf-16"]);
        client.open(uri, 1, line);
        let items = client.at("textDocument/completion", uri, 0, line.len() as u32);
        let labels: Vec<&str> = items.as_array().unwrap().iter().filter_map(|i| i["label"].as_str()).collect();
        assert!(labels.contains(&"compressed"), "{labels:?}");
        assert_eq!(labels.contains(&"bitmap"), wanted, "{uri}: {labels:?}");
    }
}

/// Enter is Enter: nothing opens a list behind a space, a comma or a bracket, nor in a comment or a string.
#[test]
fn completion_stays_out_of_the_way() {
    let mut client = Client::spawn();
    let answer = client.request("initialize", json!({ "capabilities": {} }));
    let provider = &answer["result"]["capabilities"]["completionProvider"];
    assert_eq!(provider["triggerCharacters"], json!([":", "#", "!", "@", "%", ".", "\""]));
    assert!(provider.get("allCommitCharacters").is_none_or(Value::is_null), "{provider}");
    client.notify("initialized", json!({}));
    let uri = "untitled:prose";
    for line in ["// the type: #", "x : f64 = 1 // a ", "use \"", "A : CSR = read \"m", "A : CSR = read \"m:"] {
        client.open(uri, 1, line);
        assert_eq!(client.at("textDocument/completion", uri, 0, line.len() as u32), json!([]), "{line}");
    }
}

#[test]
fn tuples_of_coordinates_are_drawn_as_one_array() {
    let uri = "file:///coo.nnz";
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, "A : tensor<4x4xf64, COO> = poisson2d(n = 2)\n");
    let hover = client.at("textDocument/hover", uri, 0, 0);
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("crd[nnz] (index, index)") && text.matches("crd[").count() == 1, "{text}");
}
