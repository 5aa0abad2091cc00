//! Code actions: only those requested, and none that harms a text while it is written.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///actions.mlir";

fn actions(client: &mut Client, range: ((u32, u32), (u32, u32)), only: &Value) -> Vec<Value> {
    let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    let range = json!({ "start": place(range.0), "end": place(range.1) });
    let mut context = json!({ "diagnostics": [] });
    if !only.is_null() {
        context["only"] = only.clone();
    }
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
    client.request("textDocument/codeAction", params)["result"].as_array().unwrap().clone()
}

const WHOLE: ((u32, u32), (u32, u32)) = ((0, 0), (99, 0));

/// Every state that a text goes through while it is typed is saved with `source.fixAll`: nothing changes it.
#[test]
fn fixing_on_save_takes_nothing_away_from_a_text_that_is_being_written() {
    let text = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed(nonunique)), posWidth = 32 }>\n\
        func.func @f(%A: tensor<8x8xf64, #CSC>) {\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 0, "");
    for end in 1..=text.len() {
        client.change(URI, end as i32, &text[..end]);
        let found = actions(&mut client, WHOLE, &json!(["source.fixAll"]));
        assert_eq!(found, Vec::<Value>::new(), "after {:?}", &text[..end]);
    }
}

#[test]
fn an_unused_alias_is_removed_at_its_place_alone() {
    let text = "#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>\n\nfunc.func private @f()\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, text);
    let [remove] = &actions(&mut client, ((0, 1), (0, 1)), &json!(["quickfix"]))[..] else { panic!("one action") };
    assert_eq!((&remove["kind"], &remove["isPreferred"]), (&json!("quickfix"), &json!(false)));
    for only in [Value::Null, json!(["quickfix"]), json!(["source"]), json!(["source.fixAll.nnz"]), json!([""])] {
        assert_eq!(actions(&mut client, ((2, 0), (2, 4)), &only), Vec::<Value>::new(), "{only}");
    }
}

#[test]
fn only_the_kinds_that_are_asked_for() {
    let old = "\"op\"() : () -> tensor<4xf64, #sparse_tensor.encoding<{ dimLevelType = [\"compressed\"] }>>\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, old);
    for (only, wanted) in [
        (Value::Null, &["quickfix"][..]),
        (json!(["quickfix"]), &["quickfix"]),
        (json!(["source"]), &["source.fixAll.nnz"]),
        (json!(["source.fixAll"]), &["source.fixAll.nnz"]),
        (json!(["source.fixAll.nnz"]), &["source.fixAll.nnz"]),
        (json!(["source.fixAll.other"]), &[]),
        (json!(["source.organizeImports", "refactor"]), &[]),
        (json!([""]), &["quickfix", "source.fixAll.nnz"]),
        (json!([]), &[]),
    ] {
        let found = actions(&mut client, WHOLE, &only);
        let kinds: Vec<&str> = found.iter().filter_map(|action| action["kind"].as_str()).collect();
        assert_eq!(kinds, wanted, "only {only}");
    }
}

/// Another way to write what stands there comes with its edit, or gets it when it is chosen; not after a change.
#[test]
fn a_client_that_resolves_gets_the_edit_of_the_chosen_action() {
    let text = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n\
        func.func private @f(tensor<8x8xf64, #CSR>)\n";
    let place = ((0, 60), (0, 60));
    let csc = |found: Vec<Value>| {
        let found = found.into_iter().find(|action| action["title"].as_str().is_some_and(|it| it.contains("CSC")));
        found.expect("an action")
    };
    let mut plain = Client::start(&["utf-16"]);
    plain.open(URI, 1, text);
    let whole = csc(actions(&mut plain, place, &json!(["refactor"])));
    assert_eq!(whole["kind"], "refactor.rewrite");
    let edits = whole["edit"]["changes"][URI].as_array().unwrap().clone();
    assert_eq!(edits[0]["newText"], "(i, j) -> (j : dense, i : compressed)");

    let mut client = Client::spawn();
    let resolves = json!({ "dataSupport": true, "resolveSupport": { "properties": ["edit"] } });
    client.request("initialize", json!({ "capabilities": { "textDocument": { "codeAction": resolves } } }));
    client.notify("initialized", json!({}));
    client.open(URI, 1, text);
    let action = csc(actions(&mut client, place, &Value::Null));
    assert_eq!(action["edit"], Value::Null);
    let resolved = client.request("codeAction/resolve", action.clone())["result"].clone();
    assert_eq!((&resolved["edit"], &resolved["title"]), (&whole["edit"], &whole["title"]));
    client.change(URI, 2, &format!("\n{text}"));
    assert_eq!(client.request("codeAction/resolve", action)["error"]["code"], -32801);
}

/// A bare map is written out, too.
#[test]
fn a_bare_map_is_rewritten_and_named() {
    let text = "A : tensor<2x2xf64, (i, j) -> (i : dense, j : compressed)> = [[1, 0], [0, 2]]\n";
    let mut client = Client::start(&["utf-16"]);
    client.open("file:///a.nnz", 1, text);
    let place = json!({ "line": 0, "character": 30 });
    let params = json!({ "textDocument": { "uri": "file:///a.nnz" }, "range": { "start": place, "end": place },
        "context": { "diagnostics": [], "only": ["refactor"] } });
    let found = client.request("textDocument/codeAction", params)["result"].clone();
    let titled = |part: &str| found.as_array().unwrap().iter().find(|it| it["title"].as_str().unwrap().contains(part));
    let csc = titled("CSC").unwrap_or_else(|| panic!("{found}"));
    let edits = &csc["edit"]["changes"]["file:///a.nnz"];
    assert_eq!(edits[0]["newText"], "(i, j) -> (j : dense, i : compressed)");
    assert!(titled("name this encoding #CSR").is_some(), "{found}");
}

/// All historic spellings of a text are offered to be written anew at one of them.
#[test]
fn one_historic_spelling_leads_to_all() {
    let old = "\"op\"() : () -> tensor<4xf64, #sparse_tensor.encoding<{ dimLevelType = [\"compressed\"] }>>\n";
    let mut client = Client::start(&["utf-16"]);
    client.open(URI, 1, &old.repeat(2));
    let at = old.find("dimLevelType").unwrap() as u32;
    let found = actions(&mut client, ((0, at), (0, at)), &json!(["quickfix"]));
    let titles: Vec<&str> = found.iter().filter_map(|action| action["title"].as_str()).collect();
    assert!(titles.iter().any(|title| title.starts_with("Write historic")), "{titles:?}");
}
