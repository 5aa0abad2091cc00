//! What MLIR 22 miscompiles, what a session never uses, and the quick fixes of hints.

use serde_json::{Value, json};

use crate::client::Client;

const ALIASES: &str = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(soa)) }>
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#Any = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed(nonordered)) }>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#D = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#two = affine_map<(i, j) -> (i, j)>
";

/// A kernel of two operands, which are compared or added.
fn merged(one: &str, other: &str, body: &str) -> String {
    let ty = |name: &str| format!("tensor<8x8xf64, {name}>");
    let (one, other) = (ty(one), ty(other));
    format!(
        "func.func @f(%A: {one}, %B: {other}, %C: tensor<8x8xf64>) -> tensor<8x8xf64> {{\n  \
         %r = linalg.generic {{ indexing_maps = [#two, #two, #two], iterator_types = [\"parallel\", \"parallel\"] }}\n    \
         ins(%A, %B : {one}, {other}) outs(%C : tensor<8x8xf64>) {{\n  ^bb0(%a: f64, %b: f64, %c: f64):\n    {body}\n    \
         linalg.yield %s : f64\n  }} -> tensor<8x8xf64>\n  return %r : tensor<8x8xf64>\n}}\n"
    )
}

/// The messages of H0103.
fn told(client: &mut Client, version: i32, text: &str) -> Vec<String> {
    let uri = "file:///peer.mlir";
    client.open(uri, version, &format!("{ALIASES}{text}"));
    let found = client.diagnostics(uri, version);
    let errors: Vec<_> = found.iter().filter(|found| found["severity"] == 1).collect();
    assert!(errors.is_empty(), "{text}: {errors:?}");
    let messages = found.iter().filter(|found| found["code"] == "H0103");
    messages.map(|found| found["message"].as_str().unwrap().to_string()).collect()
}

#[test]
fn operations_that_mlir_miscompiles_are_told() {
    let add = "%s = arith.addf %a, %b : f64";
    let compare = |name: &str| {
        let to_number = "%z = arith.constant 0.0 : f64\n    %s = arith.select %q, %a, %z : f64";
        format!("%q = arith.cmpf {name}, %a, %b : f64\n    {to_number}")
    };
    let shifted = "func.func @f(%A: tensor<8xf64, #V>, %C: tensor<7xf64>) -> tensor<7xf64> {\n  %r = linalg.generic \
        { indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"] } \
        ins(%A : tensor<8xf64, #V>) outs(%C : tensor<7xf64>) {\n  ^bb0(%a: f64, %c: f64):\n    linalg.yield %a : f64\n  \
        } -> tensor<7xf64>\n  return %r : tensor<7xf64>\n}\n";
    let collapsed = |name: &str| {
        format!(
            "func.func @f(%A: tensor<2x2xf64, {name}>) -> tensor<4xf64, #D> {{\n  %t = tensor.collapse_shape %A [[0, 1]] : \
             tensor<2x2xf64, {name}> into tensor<4xf64, #D>\n  return %t : tensor<4xf64, #D>\n}}\n"
        )
    };
    let product = "func.func @f(%A: tensor<8x8xf64, #CSR>) -> tensor<8x8xf64> {\n  %e = tensor.empty() : tensor<8x8xf64, #CSR>\n  \
        %r = linalg.matmul ins(%A, %A : tensor<8x8xf64, #CSR>, tensor<8x8xf64, #CSR>) outs(%e : tensor<8x8xf64, #CSR>) -> \
        tensor<8x8xf64, #CSR>\n  %d = sparse_tensor.convert %r : tensor<8x8xf64, #CSR> to tensor<8x8xf64>\n  \
        return %d : tensor<8x8xf64>\n}\n";
    let cases: &[(String, Option<&str>)] = &[
        (merged("#CSR", "#CSR", add), None),
        (merged("#CSR", "#CSC", add), None),
        (merged("#CSR", "#Any", add), Some("nonordered")),
        (merged("#COO", "#BSR", add), Some("coordinates with blocks")),
        (merged("#CSR", "#CSR", &compare("oeq")), Some("answers `false`")),
        (merged("#CSR", "#CSR", &compare("ogt")), None),
        (shifted.to_string(), Some("shifted coordinate")),
        (collapsed("#CSC"), Some("transposes")),
        (collapsed("#CSR"), None),
        (product.to_string(), Some("has not initialized")),
        ("func.func private @f(tensor<8x8xi1, #CSR>)\n".to_string(), Some("sparse tensors of `i1`")),
        ("func.func private @f(tensor<8x8xi8, #CSR>)\n".to_string(), None),
    ];
    let mut client = Client::start(&["utf-16"]);
    for (version, (text, wanted)) in (1..).zip(cases) {
        let found = told(&mut client, version, text);
        match wanted {
            Some(part) => assert!(found.iter().any(|message| message.contains(part)), "{text}: {found:?}"),
            None => assert!(found.is_empty(), "{text}: {found:?}"),
        }
    }
}

#[test]
fn what_a_session_never_uses_is_faded() {
    let uri = "file:///unused.nnz";
    let definitions = "#B = (i, j) -> (i : dense, j : compressed)\nA : CSR = [[1, 0], [0, 2]]\nC : CSC = A\n\
        m : f64 = 2\nx = [1, 2]\nn : f64 = A(i, j)\n";
    let mut client = Client::start(&["utf-16"]);
    let faded = |client: &mut Client, version: i32, text: &str| -> Vec<(String, u64)> {
        client.open(uri, version, text);
        let found = client.diagnostics(uri, version).into_iter().filter(|found| found["tags"] == json!([1]));
        let line = |found: &Value| found["range"]["start"]["line"].as_u64().unwrap();
        found.map(|found| (found["code"].as_str().unwrap().to_string(), line(&found))).collect()
    };
    assert_eq!(faded(&mut client, 1, definitions), [], "others may use a text that only defines");
    let found = faded(&mut client, 2, &format!("{definitions}y(i) = A(i, j) * 3\n"));
    let wanted = [("H0101", 0), ("H0144", 3), ("H0144", 4)].map(|(code, line)| (code.to_string(), line));
    assert_eq!(found, wanted);
    let used = format!("{definitions}y : #B = A\nk = [1, 2]\nk(i) += x(i)\nz(i) = A(i, j) * x(j) * m\n");
    assert_eq!(faded(&mut client, 3, &used), []);
}

/// The titles of the quick fixes of a text, each with its new texts.
fn fixes(client: &mut Client, uri: &str, text: &str) -> Vec<(String, String)> {
    client.open(uri, 1, text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
    let found = client.request("textDocument/codeAction", params)["result"].as_array().unwrap().clone();
    let texts = |action: &Value| {
        let edits = action["edit"]["changes"][uri].as_array().unwrap().iter();
        edits.map(|edit| edit["newText"].as_str().unwrap()).collect::<Vec<_>>().join("|")
    };
    found.iter().map(|action| (action["title"].as_str().unwrap().to_string(), texts(action))).collect()
}

#[test]
fn hints_have_quick_fixes() {
    let mut client = Client::start(&["utf-16"]);
    let blocks = "#B = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, \
        i mod 4 : dense, j mod 4 : dense) }>\nfunc.func private @f(tensor<9x8xf64, #B>)\n";
    let narrow = "#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = 8 }>\n\
        func.func private @f(tensor<1000x1000xf64, #A>)\n";
    let session = "A : tensor<2000x2000xf64, CSR> = random(density = 0.001, seed = 1)\n\
        B : tensor<2000x2000xf64, CSR> = random(density = 0.001, seed = 2)\nC(i, j) : CSR = A(i, j) * B(j, i)\n";
    let program = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n\
        #CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>\n\
        func.func @f(%A: tensor<2000x2000xf64, #CSR>, %B: tensor<2000x2000xf64, #CSC>, %C: tensor<2000x2000xf64>) -> \
        tensor<2000x2000xf64> {\n  %r = linalg.mul ins(%A, %B : tensor<2000x2000xf64, #CSR>, tensor<2000x2000xf64, #CSC>) \
        outs(%C : tensor<2000x2000xf64>) -> tensor<2000x2000xf64>\n  return %r : tensor<2000x2000xf64>\n}\n";
    let cases: &[(&str, &str, &str, &str)] = &[
        ("file:///blocks.mlir", blocks, "blocks of 3", "3|3"),
        ("file:///blocks.mlir", blocks, "a size of 12", "12"),
        ("file:///narrow.mlir", narrow, "write `crdWidth = 16`", "16"),
        ("file:///session.nnz", session, "convert B to CSC in a statement of its own", "B_CSC : CSC = B"),
        ("file:///program.mlir", program, "in a statement of its own", "sparse_tensor.convert"),
    ];
    for (uri, text, title, edit) in cases {
        let found = fixes(&mut client, uri, text);
        let is_it = |(known, texts): &(String, String)| known.contains(title) && texts.contains(edit);
        assert!(found.iter().any(is_it), "{title}: {found:?}");
    }
}
