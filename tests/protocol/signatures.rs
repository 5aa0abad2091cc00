//! Signature help.

use serde_json::{Value, json};

use crate::client::Client;

const START: &str = "A : tensor<4x6xf64, CSR> = random(density = 0.5, seed = 1)\nx = [1, 2, 3, 4, 5, 6]\n";

/// The label and the text of the active parameter at the end of a line below [`START`].
fn help(client: &mut Client, version: i32, line: &str) -> Option<(String, String)> {
    let uri = "file:///a.nnz";
    match version {
        1 => client.open(uri, 1, &format!("{START}{line}")),
        _ => client.change(uri, version, &format!("{START}{line}")),
    }
    shown(&at(client, uri, 2, line.encode_utf16().count() as u32))
}

fn at(client: &mut Client, uri: &str, line: u32, character: u32) -> Value {
    let position = json!({ "line": line, "character": character });
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    client.request("textDocument/signatureHelp", params)["result"].clone()
}

fn shown(help: &Value) -> Option<(String, String)> {
    let signature = &help["signatures"][help["activeSignature"].as_u64()? as usize];
    let parameter = &signature["parameters"][help["activeParameter"].as_u64()? as usize]["label"];
    Some((signature["label"].as_str()?.to_string(), parameter.as_str().unwrap_or_default().to_string()))
}

#[test]
fn calls_of_the_notation() {
    let mut client = Client::start(&["utf-16"]);
    for (version, (line, label, parameter)) in [
        ("y(i) = atan2(", "atan2(y, x)", "y"),
        ("y(i) = atan2(A(i, 0), ", "atan2(y, x)", "x"),
        ("y(i) = sqrt(x(i), ", "sqrt(x)", ""),
        ("y(i) = A(i, ", "A(d0, d1)", "d1"),
        ("y(i) = sum(j, A(i, j", "A(d0, d1)", "d1"),
        ("y(i) = sum(j, k, A(i, j) ", "sum(i, ..., x)", "..."),
        ("B : CSR = poisson2d(", "poisson2d(n = ..., m = n)", "n = ..."),
        ("y(i) = x(i) schedule split(i, i0, ", "split(i, i0, i1, 16)", "i1"),
        (":show ", ":show VIEW NAME", "VIEW"),
        (":show tree ", ":show VIEW NAME", "NAME"),
        (":write A", ":write NAME \"FILE\"", "NAME"),
    ]
    .into_iter()
    .enumerate()
    {
        let found = help(&mut client, version as i32 + 1, line);
        assert_eq!(found, Some((label.to_string(), parameter.to_string())), "{line}");
    }
    for (version, line) in ["y(i) = x(i)", "// sqrt(", "y(i) = [", "x"].into_iter().enumerate() {
        assert_eq!(help(&mut client, version as i32 + 20, line), None, "{line}");
    }
    let named = help(&mut client, 30, "B : tensor<4x4xf64, CSR> = random(seed = ");
    assert!(
        named.as_ref().is_some_and(|(label, active)| label.starts_with("random(") && active.starts_with("seed")),
        "{named:?}"
    );
}

#[test]
fn calls_and_operations_of_programs() {
    let mut client = Client::start(&["utf-8"]);
    let uri = "file:///a.mlir";
    let text = "func.func @f(%a: tensor<4xf64>, %b: f64) -> f64 {\n  %c = func.call @f(%a, \n  %d = arith.addf %b, \n";
    client.open(uri, 1, text);
    let called = shown(&at(&mut client, uri, 1, 24));
    assert_eq!(called, Some(("@f(%a: tensor<4xf64>, %b: f64) -> f64".to_string(), "%b: f64".to_string())));
    let operation = shown(&at(&mut client, uri, 2, 22)).unwrap();
    assert!(operation.0.starts_with("arith.addf("), "{operation:?}");
}
