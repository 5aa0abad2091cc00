//! Renaming, in one text and in those that use it, and its refusals.

use serde_json::{Value, json};

use crate::{
    client::Client,
    navigation::{open_program, open_session, uri, workspace},
};

fn rename(client: &mut Client, uri: &str, (line, character): (u32, u32), name: &str) -> Value {
    let position = json!({ "line": line, "character": character });
    client.request(
        "textDocument/rename",
        json!({ "textDocument": { "uri": uri }, "position": position, "newName": name }),
    )
}

fn prepare(client: &mut Client, uri: &str, (line, character): (u32, u32)) -> Value {
    let position = json!({ "line": line, "character": character });
    client.request("textDocument/prepareRename", json!({ "textDocument": { "uri": uri }, "position": position }))
}

#[test]
fn an_alias_is_renamed_in_the_texts_that_use_its_file() {
    for from_session in [true, false] {
        let (folder, mut client) = workspace("utf-16");
        let session = uri(folder.path(), "run.nnz");
        let program = uri(folder.path(), "step.mlir");
        let (at, place) = match from_session {
            true => (open_session(&folder, &mut client), (2, 21)),
            false => (open_program(&folder, &mut client), (0, 2)),
        };
        assert_eq!(prepare(&mut client, &at, place)["result"]["placeholder"], "#CSR");
        let answer = rename(&mut client, &at, place, "Rows");
        let changes = answer["result"]["documentChanges"].as_array().unwrap();
        let in_text = |uri: &str| changes.iter().find(|change| change["textDocument"]["uri"] == *uri).unwrap();
        assert_eq!(in_text(&program)["edits"].as_array().unwrap().len(), 6, "{answer}");
        let edits = &in_text(&session)["edits"];
        assert_eq!(
            edits,
            &json!([{
                "range": { "start": { "line": 2, "character": 20 }, "end": { "line": 2, "character": 24 } }, "newText": "#Rows"
            }])
        );
        assert_eq!(in_text(&at)["textDocument"]["version"], 1);
    }
}

#[test]
fn a_function_is_renamed_where_sessions_call_it() {
    let (folder, mut client) = workspace("utf-8");
    let session = open_session(&folder, &mut client);
    let answer = rename(&mut client, &session, (4, 6), "@advance");
    let changes = answer["result"]["documentChanges"].as_array().unwrap();
    let counts: Vec<usize> = changes.iter().map(|change| change["edits"].as_array().unwrap().len()).collect();
    assert_eq!(counts, [3, 1], "{answer}");
}

#[test]
fn a_variable_is_renamed_in_its_statement_alone() {
    let mut client = Client::start(&["utf-16"]);
    let uri = "file:///a.nnz";
    client.open(uri, 1, "A : CSR = [[1, 2], [3, 4]]\ny(i) = sum(j, A(i, j)) + i\nz(i) = A(i, i)\n");
    let places = |answer: &Value| -> Vec<(u64, u64)> {
        let edits = answer["result"]["changes"][uri].as_array().unwrap().iter();
        edits
            .map(|e| {
                (e["range"]["start"]["line"].as_u64().unwrap(), e["range"]["start"]["character"].as_u64().unwrap())
            })
            .collect()
    };
    assert_eq!(places(&rename(&mut client, uri, (1, 2), "row")), [(1, 2), (1, 16), (1, 25)]);
    assert_eq!(places(&rename(&mut client, uri, (1, 11), "column")), [(1, 11), (1, 19)]);
    assert_eq!(places(&rename(&mut client, uri, (0, 0), "B")), [(0, 0), (1, 14), (2, 7)]);
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let mut client = Client::start(&["utf-8"]);
    let (text, program) = ("file:///a.nnz", "file:///a.mlir");
    client.open(text, 1, "A : CSR = [[1, 2], [3, 4]]\nx = [1, 2]\ny(i) = sqrt(A(i, j)) * x(j) // here\n");
    client.open(
        program,
        1,
        "func.func @f(%a: f64, %b: f64) -> f64 {\n  %c = arith.addf %a, %b : f64\n  return %d : f64\n}\n",
    );
    let mut refused = |uri: &str, place: (u32, u32), name: &str| {
        let answer = rename(&mut client, uri, place, name);
        assert_eq!(answer["error"]["code"], -32803, "{answer}");
        answer["error"]["message"].as_str().unwrap().to_string()
    };
    for (uri, place, name, reason) in [
        (text, (0, 0), "x", "`x` is taken: line 3 has it"),
        (text, (0, 0), "i", "`i` is taken: line 3 has it"),
        (text, (2, 2), "j", "`j` is taken: line 3 has it"),
        (text, (2, 2), "x", "`x` is taken: line 3 has it"),
        (text, (0, 0), "2x", "`2x` is no name of a tensor"),
        (text, (0, 0), "a b", "`a b` is no name of a tensor"),
        (text, (0, 0), "", "`` is no name of a tensor"),
        (text, (2, 8), "root", "`sqrt` is a word of the language or of another text: nothing defines it here"),
        (text, (2, 31), "there", "no name stands here"),
        (program, (0, 14), "%b", "`%b` is taken: line 2 has it"),
        (program, (2, 10), "e", "`%d` is not defined in this text"),
        (program, (0, 11), "#f", "`#f` is no name of a function"),
    ] {
        assert_eq!(refused(uri, place, name), reason);
    }
    assert_eq!(prepare(&mut client, program, (2, 10))["error"]["message"], "`%d` is not defined in this text");
}

#[test]
fn values_and_blocks_are_renamed_in_their_region() {
    let mut client = Client::start(&["utf-8"]);
    let uri = "file:///a.mlir";
    client.open(
        uri,
        1,
        "func.func @f(%c: i1, %a: f64) -> f64 {\n  %r:2 = scf.if %c -> (f64, f64) {\n    %x = arith.addf %a, %a : f64\n    scf.yield %x, %x : f64, f64\n  } else {\n    %x = arith.mulf %a, %a : f64\n    scf.yield %x, %a : f64, f64\n  }\n  cf.br ^end(%r#1 : f64)\n^end(%v: f64):\n  return %v : f64\n}\n",
    );
    let count = |answer: &Value| answer["result"]["changes"][uri].as_array().map(Vec::len);
    for (place, wanted) in [((2, 5), 3), ((5, 5), 2), ((1, 3), 2), ((8, 9), 2), ((9, 6), 2), ((0, 22), 6)] {
        let answer = rename(&mut client, uri, place, "other");
        assert_eq!(count(&answer), Some(wanted), "{place:?}: {answer}");
    }
    let answer = rename(&mut client, uri, (0, 14), "x");
    assert_eq!(answer["error"]["message"], "`%c` cannot be called `%x`: `%x` is defined twice");
}

#[test]
fn a_name_of_a_script_is_renamed_in_its_function() {
    let (mut client, uri) = (Client::start(&["utf-16"]), "file:///spmv.py");
    client.open_as("python", uri, 1, include_str!("../suite/repl/data/spmv.py"));
    assert_eq!(prepare(&mut client, uri, (8, 4))["result"]["placeholder"], "JD");
    let answer = rename(&mut client, uri, (8, 4), "COLUMN");
    let edits = answer["result"]["changes"][uri].as_array().unwrap_or_else(|| panic!("{answer}"));
    let starts: Vec<&Value> = edits.iter().map(|edit| &edit["range"]["start"]).collect();
    assert_eq!(starts, [&json!({ "line": 8, "character": 4 }), &json!({ "line": 10, "character": 30 })]);
    assert!(edits.iter().all(|edit| edit["newText"] == "COLUMN"), "{answer}");
    assert!(rename(&mut client, uri, (8, 4), "J")["error"]["message"].as_str().unwrap().contains("declared twice"));
}
