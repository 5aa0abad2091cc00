//! Completion: what is offered where, places to fill in, documentation, names of files.

use std::fs;

use serde_json::{Value, json};

use crate::client::Client;

/// A client that fills in places.
fn with_snippets(folder: Option<&str>) -> Client {
    let mut client = Client::spawn();
    let item = json!({ "snippetSupport": true, "documentationFormat": ["markdown"] });
    let capabilities = json!({ "textDocument": { "completion": { "completionItem": item } } });
    let folders = folder.map(|uri| json!([{ "uri": uri, "name": "folder" }]));
    client.request("initialize", json!({ "capabilities": capabilities, "workspaceFolders": folders }));
    client.notify("initialized", json!({}));
    client
}

/// The items at the `|` of a text.
fn items(client: &mut Client, uri: &str, text: &str) -> Vec<Value> {
    let (before, behind) = text.split_once('|').unwrap();
    client.open(uri, 1, &format!("{before}{behind}"));
    let line = before.matches('\n').count() as u32;
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count() as u32;
    let found = client.at("textDocument/completion", uri, line, column);
    found.as_array().unwrap_or_else(|| panic!("{text}: {found}")).clone()
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

fn item<'v>(items: &'v [Value], label: &str) -> &'v Value {
    let found = items.iter().find(|item| item["label"] == label);
    found.unwrap_or_else(|| panic!("no {label} in {:?}", labels(items)))
}

const CSR: &str = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n";

#[test]
fn what_fits_in_programs() {
    let mut client = Client::start(&["utf-16"]);
    let function = format!("{CSR}func.func @f(%A: tensor<8x8xf64, #CSR>, %x: tensor<8xf64>) {{\n");
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("#X = #|", &["CSR", "CSC", "COO", "BSR", "DCSR", "CSF", "NM", "DIA", "ELL"], &["JDS"]),
        ("#X = #sparse|", &["CSR"], &["#CSR"]),
        ("#X = |", &["CSR"], &[]),
        ("#X = #sparse_tensor.encoding<{ map = |", &["CSR", "BSR"], &["DIA"]),
        ("#X = #sparse_tensor.encoding<{ map = (i) -> (i : dense), posWidth = |", &["8", "32", "64"], &["map"]),
        ("  sparse_tensor.|", &["sparse_tensor.convert", "sparse_tensor.foreach"], &["linalg.matmul"]),
        ("  %y = linalg.|", &["linalg.generic", "linalg.matmul"], &["arith.addf"]),
        ("  %y, %z = ari|", &["arith", "arith.addf"], &["linalg"]),
        ("  |", &["arith", "linalg", "sparse_tensor"], &["arith.addf"]),
        ("  %y = arith.addf %|", &["%A", "%x"], &["%y"]),
        ("  %y = sparse_tensor.convert %A : |", &[], &["arith", "%A"]),
        ("  %y = func.call @|", &["@f"], &["%A"]),
        ("  %y = linalg.generic { |", &["indexing_maps", "iterator_types"], &["arith"]),
        ("  %y = foo.bar %A : tensor<8x8xf64, #|", &["#CSR"], &[]),
        ("  %y = foo.bar %A : tensor<8x8xf64, |", &["#CSR", "BSR"], &["%A"]),
        ("!T = tensor<8xf64>\nfunc.func @g(%t: !|", &["!T", "!sparse_tensor.iterator"], &["#CSR"]),
        ("#m = affine_map<(i) -> (i)>\n  %y = linalg.generic #|", &["#m"], &["CSR"]),
        ("  %y = linalg.generic { indexing_maps = |", &["[affine_map<(i, j) -> (i)>]"], &["arith"]),
        ("  %y = linalg.generic { indexing_maps = [|", &["affine_map<(i, j) -> (j, i)>"], &["arith"]),
        ("  %y = linalg.generic { indexing_maps = [affine_map<|", &["(i, j) -> (j, i)"], &["arith"]),
        ("  %y = linalg.generic { indexing_maps = [], |", &["iterator_types"], &["indexing_maps"]),
        ("  %y = linalg.generic { iterator_types = [|", &["\"parallel\"", "\"reduction\""], &["arith"]),
        ("  %y = linalg.generic { iterator_types = [\"|", &["parallel", "reduction"], &["arith"]),
        ("  %y = linalg.generic { iterator_types = [\"parallel\", \"re|\"", &["reduction"], &["parallel"]),
        ("#m = aff|", &["affine_map"], &["CSR"]),
        ("  // linalg.|", &[], &["linalg.matmul"]),
    ];
    for (line, wanted, unwanted) in cases {
        let found = items(&mut client, "file:///a.mlir", &format!("{function}{line}"));
        let found = labels(&found);
        assert!(wanted.iter().all(|label| found.contains(label)), "{line}: {found:?}");
        assert!(!unwanted.iter().any(|label| found.contains(label)), "{line}: {found:?}");
    }
}

#[test]
fn values_are_those_in_scope_with_their_types() {
    let mut client = Client::start(&["utf-8"]);
    let text = format!(
        "{CSR}func.func @other(%o: f64) {{\n  return\n}}\n\
         func.func @f(%A: tensor<8x8xf64, #CSR>, %n: index) {{\n  %c = arith.constant 0 : index\n  \
         %r = scf.for %i = %c to %n step %n iter_args(%s = %c) -> (index) {{\n    %in = arith.addi %i, %s : index\n    \
         scf.yield %in : index\n  }}\n  \"op\"(%|) : () -> ()\n  %late = arith.constant 1 : index\n}}\n"
    );
    let found = items(&mut client, "file:///a.mlir", &text);
    assert_eq!(labels(&found), ["%r", "%c", "%n", "%A"]);
    assert_eq!(item(&found, "%A")["detail"], "tensor<8x8xf64, #CSR>");
    assert_eq!(item(&found, "%c")["detail"], "index");
    let inside = text.replace("%|", "").replace("yield %in", "yield %|");
    let found = items(&mut client, "file:///b.mlir", &inside);
    assert_eq!(labels(&found), ["%in", "%s", "%i", "%c", "%n", "%A"]);
}

#[test]
fn what_fits_in_sessions() {
    let mut client = Client::start(&["utf-16"]);
    let start = "A : tensor<4x6xf64, CSR> = random(density = 0.5, seed = 1)\nx = [1, 2, 3, 4, 5, 6]\n";
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("#X = #|", &["CSR", "ELL", "DIA", "BSR"], &["random"]),
        ("#X = |", &["CSR", "DIA"], &["random"]),
        ("B : tensor<3x4xf64, |", &["CSR", "BSR"], &["A"]),
        ("P : CSR = poisson2d(|", &["n", "m"], &["sqrt", "A"]),
        ("P : CSR = poisson2d(n = 3, |", &["m"], &["n"]),
        ("P : CSR = poisson2d(n = |", &[], &["m", "A"]),
        ("y(i) = A(i, j) * x(|", &["i", "j"], &[]),
        ("y(row, col) = A(|", &["row", "col"], &[]),
        ("y(i) = x(i) schedule |", &["split", "parallelize"], &["i"]),
        ("y(i) = |", &["A", "x", "sqrt"], &["y"]),
        ("y(i) = min_|", &["min_plus", "min_first"], &["min"]),
        ("y(i) = A(i, j) * x(j)\n:show loops |", &["y"], &["A", "x"]),
        ("y(i) = A(i, j) * x(j)\n:show levels |", &["y", "A", "x"], &[]),
        ("y(i) = A(i, j) * x(j)\n:time |", &["y"], &["A"]),
        (":set threads |", &[], &["A", "x"]),
    ];
    for (line, wanted, unwanted) in cases {
        let found = items(&mut client, "file:///a.nnz", &format!("{start}{line}"));
        let found = labels(&found);
        assert!(wanted.iter().all(|label| found.contains(label)), "{line}: {found:?}");
        assert!(!unwanted.iter().any(|label| found.contains(label)), "{line}: {found:?}");
    }
    let found = items(&mut client, "file:///a.nnz", &format!("{start}y(i) = A(i, j) * x(|"));
    assert_eq!(labels(&found)[..2], ["i", "j"], "index variables come first");
}

#[test]
fn places_are_for_clients_that_fill_them_in() {
    let text = |found: &[Value], label: &str| item(found, label)["textEdit"]["newText"].as_str().unwrap().to_string();
    let mut plain = Client::start(&["utf-16"]);
    let mut filling = with_snippets(None);
    let found = items(&mut plain, "file:///a.nnz", "B : |");
    assert_eq!((text(&found, "BSR").as_str(), &item(&found, "BSR")["insertTextFormat"]), ("BSR(2, 2)", &Value::Null));
    let found = items(&mut filling, "file:///a.nnz", "B : |");
    assert_eq!(
        (text(&found, "BSR").as_str(), &item(&found, "BSR")["insertTextFormat"]),
        ("BSR(${1:2}, ${2:2})", &json!(2))
    );
    assert_eq!(item(&found, "CSR")["insertTextFormat"], Value::Null);
    let found = items(&mut filling, "file:///a.mlir", "#X = #|");
    let blocks = "#sparse_tensor.encoding<{ map = (i, j) -> (i floordiv ${1:2} : dense, j floordiv ${2:2} : compressed, \
        i mod ${1:2} : dense, j mod ${2:2} : dense) \\}>";
    assert_eq!(text(&found, "BSR"), blocks);
    let found = items(&mut filling, "file:///b.nnz", "x = [1]\ny(i) = x(i) schedule |");
    assert_eq!(text(&found, "split"), "split(${1:i}, ${2:i0}, ${3:i1}, ${4:16})");
    let found = items(&mut filling, "file:///c.nnz", "P : CSR = random(|");
    assert!(text(&found, "density").starts_with("density = "), "{found:?}");
}

/// Whole encodings are what they say: the text with each of them has no diagnostic but that it is not used.
#[test]
fn whole_encodings_are_right() {
    let mut client = Client::start(&["utf-16"]);
    for uri in ["file:///a.mlir", "file:///a.nnz"] {
        let found = items(&mut client, uri, "#X = #|");
        assert!(found.len() > 15, "{uri}: {}", found.len());
        for (version, item) in found.iter().enumerate() {
            let text = format!("#X = {}\n", item["textEdit"]["newText"].as_str().unwrap());
            let version = version as i32 + 2;
            client.change(uri, version, &text);
            let wrong = client.diagnostics(uri, version).into_iter().filter(|found| found["severity"] == 1);
            assert_eq!(wrong.count(), 0, "{text}");
        }
    }
}

#[test]
fn an_item_is_explained_once_it_is_asked_for() {
    let mut client = with_snippets(None);
    let cases = [
        ("file:///a.mlir", "#X = #|", "CSC", "crd"),
        ("file:///b.mlir", "#X = #sparse_tensor.encoding<{ map = (i) -> (i : |) }>", "compressed", "positions"),
        ("file:///c.mlir", "func.func @f() {\n  sparse_tensor.|", "sparse_tensor.convert", "Costs"),
        ("file:///d.mlir", "func.func @f(%A: f64) {\n  %b = arith.addf %|", "%A", "f64"),
        ("file:///e.nnz", "A : CSR = |", "poisson2d", "for example"),
        ("file:///f.nnz", "A : tensor<2x2xf64, CSR> = [[1, 0], [0, 1]]\n:show levels |", "A", "pos"),
        ("file:///g.nnz", "x = [1]\ny(i) = |", "sqrt", "root"),
        ("file:///h.nnz", ":|", "show", ":show"),
    ];
    for (uri, text, label, says) in cases {
        let found = items(&mut client, uri, text);
        let asked = item(&found, label).clone();
        assert_eq!(asked["documentation"], Value::Null);
        let resolved = client.request("completionItem/resolve", asked.clone())["result"].clone();
        let value = resolved["documentation"]["value"].as_str().unwrap_or_default();
        assert!(value.contains(says), "{label}: {resolved}");
        assert_eq!((&resolved["label"], &resolved["textEdit"]), (&asked["label"], &asked["textEdit"]));
    }
    let unknown = json!({ "label": "x", "data": ["file:///nowhere.nnz", 0, 0] });
    assert_eq!(client.request("completionItem/resolve", unknown.clone())["result"]["label"], "x");
}

#[test]
fn files_are_those_of_the_workspace() {
    let root = tempfile::tempdir().unwrap();
    let (workspace, outside) = (root.path().join("workspace"), root.path().join("outside"));
    for folder in [&workspace.join("data"), &outside, &workspace.join("data/deep")] {
        fs::create_dir_all(folder).unwrap();
    }
    for file in ["formats.mlir", "mine.nnz", "notes.txt", ".hidden.nnz", "data/m.mtx", "data/deep/t.tns.gz"] {
        fs::write(workspace.join(file), "").unwrap();
    }
    fs::write(outside.join("secret.mtx"), "").unwrap();
    #[cfg(unix)]
    std::process::Command::new("mkfifo").arg(workspace.join("data/pipe.mtx")).status().unwrap();
    let uri = |path: &std::path::Path| format!("file://{}", path.display());
    let mut client = with_snippets(Some(&uri(&workspace)));
    let text = uri(&workspace.join("text.nnz"));
    for (line, wanted) in [
        ("use \"|", &["formats.mlir", "mine.nnz", "data/"][..]),
        ("use \"f|\"", &["formats.mlir"]),
        ("A : CSR = read \"|", &["data/"]),
        ("A : CSR = read \"data/|", &["m.mtx", "deep/"]),
        ("A : CSR = read \"data/deep/|\"", &["t.tns.gz"]),
        ("A : CSR = read \"../outside/|", &[]),
        ("A : CSR = read \"../|", &[]),
        ("A : CSR = read \"/|", &[]),
        (":write A \"|", &[]),
        ("use \"formats.mlir\"|", &[]),
    ] {
        assert_eq!(labels(&items(&mut client, &text, line)), wanted, "{line}");
    }
    let found = items(&mut client, &text, "use \"da|x\" // é");
    let range = &found[0]["textEdit"]["range"];
    assert_eq!((&range["start"]["character"], &range["end"]["character"]), (&json!(5), &json!(8)));
}

/// A list that is cut says so: the editor asks again when more is typed.
#[test]
fn a_long_list_is_cut() {
    let mut client = Client::start(&["utf-16"]);
    let text: String = (0..800).map(|at| format!("a{at} : f64 = 1\n")).collect();
    client.open("file:///long.nnz", 1, &format!("{text}y : f64 = "));
    let found = client.at("textDocument/completion", "file:///long.nnz", 800, 10);
    assert_eq!(found["isIncomplete"], true);
    assert_eq!(found["items"].as_array().unwrap().len(), 500);
}
