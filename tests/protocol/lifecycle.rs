//! Starting, ending, and messages that must not crash a server.

use serde_json::{Value, json};

use crate::client::{Client, frame};

fn error_code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error in {answer}"))
}

const HOVER: &str = "textDocument/hover";

fn anywhere() -> Value {
    json!({ "textDocument": { "uri": "file:///a.nnz" }, "position": { "line": 0, "character": 0 } })
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut client = Client::spawn();
    assert_eq!(error_code(&client.request(HOVER, anywhere())), -32002);
}

#[test]
fn a_second_initialize_is_refused() {
    let mut client = Client::start(&["utf-16"]);
    assert_eq!(error_code(&client.request("initialize", json!({ "capabilities": {} }))), -32600);
}

#[test]
fn requests_after_shutdown_are_refused() {
    let mut client = Client::start(&["utf-16"]);
    assert_eq!(client.request("shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(error_code(&client.request(HOVER, anywhere())), -32600);
}

#[test]
fn exit_after_shutdown_is_0_even_with_stdin_open() {
    let mut client = Client::start(&["utf-16"]);
    client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_1() {
    let mut client = Client::start(&["utf-16"]);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(1));
}

#[test]
fn closed_stdin_ends_the_server() {
    let mut client = Client::start(&["utf-16"]);
    client.close_stdin();
    assert_eq!(client.exit_status().code(), Some(1));
}

/// tower-lsp panics where an answer cannot be written.
#[test]
fn closed_stdout_ends_the_server_with_one_line() {
    use std::{io::Read, io::Write, process::Stdio};
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_nnz"));
    command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let (mut stdin, mut stderr) = (child.stdin.take().unwrap(), child.stderr.take().unwrap());
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    write!(stdin, "Content-Length: {}\r\n\r\n{initialize}", initialize.len()).unwrap();
    let mut said = String::new();
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(said.starts_with("nnz lsp: the output cannot be written: ") && said.lines().count() == 1, "{said}");
}

/// Its stdin stays open: another process may hold the pipe.
#[cfg(target_os = "linux")]
#[test]
fn the_end_of_the_parent_ends_the_server() {
    let mut parent = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let mut client = Client::spawn();
    client.request("initialize", json!({ "processId": parent.id(), "capabilities": {} }));
    assert_eq!(client.request(HOVER, anywhere())["result"], Value::Null);
    parent.kill().unwrap();
    // Nobody has asked for its exit status yet.
    assert_eq!(client.exit_status().code(), Some(1));
    parent.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_parent_that_has_ended_before_the_server_starts_ends_it() {
    let mut parent = std::process::Command::new("true").spawn().unwrap();
    parent.wait().unwrap();
    let mut client = Client::spawn();
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "processId": parent.id(), "capabilities": {} } }));
    assert_eq!(client.exit_status().code(), Some(1));
}

#[test]
fn unknown_methods_are_answered() {
    let mut client = Client::start(&["utf-16"]);
    assert_eq!(error_code(&client.request("$/nobodyKnows", json!({}))), -32601);
    assert_eq!(error_code(&client.request("nobody/knows", json!({}))), -32601);
    assert_eq!(error_code(&client.request(HOVER, json!({ "textDocument": 3 }))), -32602);
}

/// Each is told at once, and costs no frame behind it.
#[test]
fn malformed_frames_do_not_end_the_session() {
    let mut client = Client::start(&["utf-16"]);
    let whole = String::from_utf8(frame(&json!({ "jsonrpc": "2.0", "id": 7, "method": "nobody/knows" }))).unwrap();
    let (_, body) = whole.split_once("\r\n\r\n").unwrap();
    let batch = format!("[{body}]");
    let bad = [
        "Content-Length: 5\r\n\r\n{\"a\":".to_string(),
        "Content-Length: 2\r\n\r\n[]".to_string(),
        format!("Content-Length: {}\r\n\r\n{batch}", batch.len()),
        "Content-Length: x\r\n\r\n".to_string(),
        format!("Content-Length: abc\r\n\r\n{body}"),
        format!("Content-Length: -1\r\n\r\n{body}"),
        format!("Content-Length: 99999999999\r\n\r\n{body}"),
        "nonsense\r\n\r\n".to_string(),
        body.to_string(),
    ];
    let utf8 = bad.iter().map(|text| text.as_bytes().to_vec());
    for bytes in utf8.chain([b"Content-Length: 4\r\n\r\n\xff\xfe\xff\xfe".to_vec()]) {
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        client.send_bytes(&bytes);
        let told = client.receive(&format!("error about {shown:?}"), |m| m.get("id") == Some(&Value::Null));
        assert_eq!(error_code(&told), -32700, "{shown:?}");
        assert!(told["error"]["message"].as_str().is_some_and(|text| text.starts_with("dropped ")), "{told}");
        assert_eq!(error_code(&client.request("nobody/knows", json!({}))), -32601, "behind {shown:?}");
    }
}

/// That it is too long shows when the next one comes.
#[test]
fn a_frame_that_claims_too_much_does_not_swallow_the_next() {
    for claimed in [100, 900_000_000] {
        let mut client = Client::start(&["utf-16"]);
        client.send_bytes(format!("Content-Length: {claimed}\r\n\r\n{{\"jsonrpc\":\"2.0\"}}").as_bytes());
        assert_eq!(error_code(&client.request("nobody/knows", json!({}))), -32601);
        let told = client.receive("error about the frame", |m| m.get("id") == Some(&Value::Null));
        assert!(told["error"]["message"].as_str().is_some_and(|text| text.ends_with("and has 17")), "{told}");
    }
}

/// By fewer bytes than the header of the next one has, too.
#[test]
fn a_frame_that_claims_a_little_too_much_leaves_the_next_header_whole() {
    for more in 1..=20 {
        let mut client = Client::start(&["utf-16"]);
        client.send_bytes(format!("Content-Length: {}\r\n\r\n{{\"jsonrpc\":\"2.0\"}}", 17 + more).as_bytes());
        assert_eq!(error_code(&client.request("nobody/knows", json!({}))), -32601, "{more}");
        let told = client.receive("error about the frame", |m| m.get("id") == Some(&Value::Null));
        assert!(told["error"]["message"].as_str().is_some_and(|text| text.ends_with("and has 17")), "{told}");
    }
}

/// tower-lsp holds ids in 64 bits; what it cannot read must not reach it.
#[test]
fn whatever_the_id_the_session_goes_on() {
    let mut client = Client::start(&["utf-16"]);
    for id in ["1.5", "9223372036854775808", "-9223372036854775809", "1e30", "[1]", "true"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"nobody/knows"}}"#);
        client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let told = client.receive("error about the id", |m| m.get("id") == Some(&Value::Null));
        assert!(told["error"]["message"].as_str().is_some_and(|text| text.contains("id is neither")), "{told}");
        assert_eq!(error_code(&client.request("nobody/knows", json!({}))), -32601, "behind {id}");
    }
    for id in [json!(i64::MAX), json!(i64::MIN), json!(0), json!("")] {
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "nobody/knows" }));
        assert_eq!(error_code(&client.receive("an answer", |m| m["id"] == id)), -32601);
    }
}

/// They are read whole by the filter: what it passed over would end the session behind it.
#[test]
fn parameters_that_cannot_be_read_do_not_end_the_session() {
    let mut client = Client::start(&["utf-16"]);
    let deep = format!("{}0{}", "[".repeat(200), "]".repeat(200));
    for params in [deep.as_str(), "[1e999]"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"nobody/knows","params":{params}}}"#);
        client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        client.receive("error about the parameters", |m| m.get("id") == Some(&Value::Null));
        assert_eq!(error_code(&client.request("nobody/knows", json!({}))), -32601);
    }
}

/// As a client does that cuts a text between the halves of an emoji.
#[test]
fn a_change_with_half_a_surrogate_pair_is_taken() {
    let mut client = Client::start(&["utf-16"]);
    client.open("file:///a.nnz", 1, "x = [1]\n");
    let text = r#"// \ud83d\nzz\n"#;
    let params = r#"{"textDocument":{"uri":"file:///a.nnz","version":2},"contentChanges":[{"text":"TEXT"}]}"#;
    let params = params.replace("TEXT", text);
    let body = format!(r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{params}}}"#);
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    let found = client.diagnostics("file:///a.nnz", 2);
    assert!(found.len() == 1 && found[0]["range"]["start"]["line"] == 1, "{found:?}");
}

#[test]
fn parameters_that_are_null_are_none() {
    let mut client = Client::start(&["utf-16"]);
    client.send(&json!({ "jsonrpc": "2.0", "id": "end", "method": "shutdown", "params": null }));
    let answer = client.receive("an answer", |message| message["id"] == "end");
    assert_eq!(answer.get("result"), Some(&Value::Null), "{answer}");
    client.send(&json!({ "jsonrpc": "2.0", "method": "exit", "params": null }));
    assert_eq!(client.exit_status().code(), Some(0));
}

#[test]
fn an_input_that_ends_within_a_frame_ends_the_server() {
    let mut client = Client::start(&["utf-16"]);
    client.send_bytes(b"Content-Length: 50\r\n\r\n{\"jsonrpc\":");
    client.close_stdin();
    assert_eq!(client.exit_status().code(), Some(1));
}

#[test]
fn a_message_may_come_in_pieces() {
    let mut client = Client::start(&["utf-16"]);
    let bytes = frame(&json!({ "jsonrpc": "2.0", "id": "text", "method": "nobody/knows" }));
    bytes.chunks(7).for_each(|piece| client.send_bytes(piece));
    client.receive("an answer", |message| message["id"] == "text");
}

#[test]
fn the_position_encoding_is_utf8_where_offered() {
    for (offered, chosen) in
        [(vec!["utf-16", "utf-8"], "utf-8"), (vec!["utf-16"], "utf-16"), (vec!["utf-32"], "utf-16")]
    {
        let mut client = Client::spawn();
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let answer = client.request("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], chosen);
    }
}
