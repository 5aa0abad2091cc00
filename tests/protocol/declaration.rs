//! `textDocument/declaration`: where a name is introduced, which is where it is defined.

use serde_json::{Value, json};

use crate::client::Client;

/// The place of the `count`-th `needle` in a text.
fn place(text: &str, needle: &str, count: usize) -> (u32, u32) {
    let offset = text.match_indices(needle).nth(count).unwrap().0;
    let before = &text[..offset];
    (before.matches('\n').count() as u32, before.rsplit('\n').next().unwrap().encode_utf16().count() as u32)
}

/// Each use leads to where its name begins first.
fn leads_home(uri: &str, text: &str, names: &[(&str, usize)]) {
    let mut client = Client::start(&["utf-16"]);
    client.open(uri, 1, text);
    for (name, count) in names {
        let (line, character) = place(text, name, *count);
        let found = client.at("textDocument/declaration", uri, line, character + 1);
        let (line, character) = place(text, name, 0);
        assert_eq!(found["uri"], uri, "{name} ({count})");
        assert_eq!(found["range"]["start"], json!({ "line": line, "character": character }), "{name} ({count})");
        let definition = client.at("textDocument/definition", uri, line, character + 1);
        assert_eq!(found, definition, "{name} ({count})");
    }
}

#[test]
fn names_of_programs() {
    let text = "\
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!T = tensor<8x8xf64, #CSR>
func.func @f(%A: tensor<8x8xf64, #CSR>) -> index {
  %n = sparse_tensor.number_of_entries %A : tensor<8x8xf64, #CSR>
  %m = func.call @f(%A) : (!T) -> index
  return %n : index
}
";
    leads_home("file:///a.mlir", text, &[("#CSR", 2), ("!T", 1), ("%A", 1), ("%n", 1), ("@f", 1)]);
}

#[test]
fn names_of_sessions() {
    let text = "\
// \u{1f4a0}
#B = (i, j) -> (i : dense, j : compressed)
A_ : #B = [[1, 0], [0, 2]]
x_ = [1, 2]
y_(i) = A_(i, j) * x_(j)
y_
";
    leads_home("file:///a.nnz", text, &[("#B", 1), ("A_", 1), ("x_", 1), ("y_", 1)]);
}

#[test]
fn nothing_is_declared_elsewhere() {
    let mut client = Client::start(&["utf-16"]);
    client.open("file:///b.nnz", 1, "y = [1, 2] // y\nz = unknown\n");
    for (line, character) in [(0, 3), (0, 14), (1, 5), (7, 0)] {
        assert_eq!(client.at("textDocument/declaration", "file:///b.nnz", line, character), Value::Null);
    }
}
