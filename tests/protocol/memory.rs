//! A shortage of memory is reported, and the session continues.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///large.nnz";

/// A text of so many MiB, all of it one comment but for its last line.
fn text(mebibytes: usize) -> String {
    format!("// {}\nA : f64 = 1.0\n", "x".repeat(mebibytes << 20))
}

/// A server with too few addresses for large texts.
fn client() -> Client {
    let mut client = Client::spawn_within(320);
    client.initialize(&["utf-8"]);
    client
}

fn hover(client: &mut Client) -> Value {
    client.at("textDocument/hover", URI, 1, 0)
}

#[test]
fn a_text_too_large_to_be_checked_is_told_until_it_is_smaller() {
    let mut client = client();
    client.open(URI, 1, &text(8));
    let told = client.diagnostics(URI, 1);
    let [error] = &told[..] else { panic!("{told:?}") };
    assert_eq!(error["code"], "E0512");
    assert!(
        error["message"].as_str().is_some_and(|text| text.starts_with("this text is not checked: this would take "))
    );
    assert_eq!(hover(&mut client), Value::Null);
    client.change(URI, 2, &text(0));
    assert_eq!(client.diagnostics(URI, 2), Vec::<Value>::new());
    assert_ne!(hover(&mut client), Value::Null);
}

#[test]
fn a_message_too_large_to_be_read_is_dropped_and_answered() {
    let mut client = client();
    client.open(URI, 1, &text(80));
    let answer =
        client.receive("an answer without an id", |message| message["id"].is_null() && message["error"].is_object());
    let told = answer["error"]["message"].as_str().unwrap_or_default().to_string();
    assert!(told.starts_with("dropped a frame of 8") && told.contains("this would take 4"), "{told}");
    client.open(URI, 1, &text(0));
    assert_eq!(client.diagnostics(URI, 1), Vec::<Value>::new());
    assert_ne!(hover(&mut client), Value::Null);
    assert_eq!(client.request("shutdown", json!(null))["result"], Value::Null);
}

#[test]
fn a_request_too_large_to_be_read_is_answered_with_its_id() {
    let mut client = client();
    let id = client.ask("textDocument/hover", json!({ "position": "x".repeat(60 << 20) }));
    let told = client.answer(id)["error"]["message"].clone();
    assert!(told.as_str().is_some_and(|told| told.starts_with("dropped a frame of 6")), "{told}");
    client.open(URI, 1, &text(0));
    assert_ne!(hover(&mut client), Value::Null);
}

#[test]
fn behind_a_text_that_took_the_last_memory_the_server_goes_on() {
    let mut client = Client::spawn_within(350);
    client.initialize(&["utf-8"]);
    client.open(URI, 1, &"x : f64 = 1 + q\n".repeat(65_000));
    assert!(!client.diagnostics(URI, 1).is_empty());
    let answer = client.at("textDocument/hover", URI, 0, 0);
    assert!(answer.is_object() || answer.is_null(), "{answer}");
    client.change(URI, 2, "x = [1\n");
    assert!(!client.diagnostics(URI, 2).is_empty());
    assert_ne!(
        client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }))["result"],
        Value::Null
    );
    assert_eq!(client.request("shutdown", json!(null))["result"], Value::Null);
}
