//! Formatting: the whole text, a range, and what ends where somebody types; the edits are applied as an editor does.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///a.nnz";

fn options(tab_size: u64, insert_spaces: bool) -> Value {
    json!({ "tabSize": tab_size, "insertSpaces": insert_spaces })
}

/// The edits of an answer, applied to the text by UTF-16 columns.
fn applied(text: &str, answer: &Value) -> String {
    let mut edits = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
    edits.reverse();
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for edit in edits {
        let place = |name: &str| offset(text, &edit["range"][name]);
        let new: Vec<u16> = edit["newText"].as_str().unwrap().encode_utf16().collect();
        units.splice(place("start")..place("end"), new);
    }
    String::from_utf16(&units).unwrap()
}

fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let before: usize = text.split_inclusive('\n').take(line).map(|line| line.encode_utf16().count()).sum();
    before + position["character"].as_u64().unwrap() as usize
}

fn whole(client: &mut Client, uri: &str, options: Value) -> Value {
    client.request("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options }))
}

#[test]
fn a_text_is_formatted_in_both_units() {
    let text = "// 😀\nx=[ 1,2 ]  // 😀\ny(i)=x(i)*2   // é\nz(i) = ) \n";
    let wanted = "// 😀\nx = [1, 2]       // 😀\ny(i) = x(i) * 2  // é\nz(i) = )\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, text);
    let answer = whole(&mut client, URI, options(2, true));
    assert_eq!(applied(text, &answer), wanted);
    client.change(URI, 2, wanted);
    assert_eq!(whole(&mut client, URI, options(2, true))["result"], json!([]));
    let mut client = Client::start(&["utf-8"]);
    client.open(URI, 1, "s = \"😀\"  + 1\nx : f64 = 3  ; x\n");
    let answer = whole(&mut client, URI, options(2, true));
    assert_eq!(answer["result"].as_array().unwrap().last().unwrap()["range"]["start"]["line"], 1, "{answer}");
}

#[test]
fn options_tell_the_indentation() {
    let text = "A : CSR = [\n[1, 2]\n]\n#B = #sparse_tensor.encoding<{\nmap = (i) -> (i : dense) }>\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, text);
    let shown = |indent: &str| {
        text.replace("\n[", &format!("\n{indent}[")).replace("\nmap", &format!("\n{indent}map")).replace(" }>", "\n}>")
    };
    for (asked, indent) in [(options(4, true), "    "), (options(8, false), "\t"), (options(0, true), " ")] {
        let answer = whole(&mut client, URI, asked);
        assert_eq!(applied(text, &answer), shown(indent));
    }
    assert!(applied(text, &whole(&mut client, URI, options(4_000_000_000, true))).len() < 200);
}

#[test]
fn a_range_formats_the_statements_that_it_touches() {
    let text = "x=1\ny=2\nz=[1,\n2]\nw=3\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, text);
    let range = json!({ "start": { "line": 1, "character": 1 }, "end": { "line": 2, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "options": options(2, true) });
    let answer = client.request("textDocument/rangeFormatting", params);
    assert_eq!(applied(text, &answer), "x=1\ny = 2\nz = [1,\n     2]\nw=3\n");
}

fn typed(client: &mut Client, uri: &str, (line, character): (u32, u32), sign: &str) -> Value {
    let position = json!({ "line": line, "character": character });
    let params = json!({
        "textDocument": { "uri": uri }, "position": position, "ch": sign, "options": options(2, true)
    });
    client.request("textDocument/onTypeFormatting", params)
}

#[test]
fn what_ends_is_formatted_where_somebody_types() {
    let mut client = Client::start(&["utf-16"]);
    let text = "x=1\ny(i)=A(i,j)*x(j)\n\nz=2\n";
    client.open(URI, 1, text);
    let answer = typed(&mut client, URI, (2, 0), "\n");
    assert_eq!(applied(text, &answer), "x=1\ny(i) = A(i, j) * x(j)\n\nz=2\n");
    // A statement that goes on stays as it is, and so does the line that is being written.
    let text = "y(i)=A(i,j)*\n  ";
    client.change(URI, 2, text);
    assert_eq!(applied(text, &typed(&mut client, URI, (1, 2), "\n")), text);
    let text = "#t={indexing_maps=[affine_map<(i)->(i)>],iterator_types=[\"parallel\"]}\n!t=i32\n";
    client.open("file:///b.mlir", 1, text);
    let answer = typed(&mut client, "file:///b.mlir", (0, 69), "}");
    let wanted = "#t = {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}\n!t=i32\n";
    assert_eq!(applied(text, &answer), wanted);
}

#[test]
fn of_a_program_only_encodings_maps_and_traits_are_formatted() {
    let text =
        "#A=#sparse_tensor.encoding<{map=(i)->(i:compressed)}>\nfunc.func   @f( %a:tensor<4xf64,#A>){\n    return\n  ";
    let mut client = Client::start(&["utf-16"]);
    client.open("file:///a.mlir", 1, text);
    let answer = whole(&mut client, "file:///a.mlir", options(4, true));
    let (first, rest) = text.split_once('\n').unwrap();
    assert_ne!(first, "");
    let wanted = format!("#A = #sparse_tensor.encoding<{{ map = (i) -> (i : compressed) }}>\n{rest}");
    assert_eq!(applied(text, &answer), wanted);
}

#[test]
fn the_setting_switches_formatting_off() {
    let uri = "file:///off.nnz";
    let mut client = Client::start(&["utf-8"]);
    client.open(uri, 1, "x=1\n");
    let whole = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
    for (enable, edits) in [(false, None), (true, Some(2))] {
        let settings = json!({ "nnz": { "format": { "enable": enable } } });
        client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
        let answer = client.request("textDocument/formatting", whole.clone());
        assert_eq!(answer["result"].as_array().map(Vec::len), edits, "{answer}");
    }
}
