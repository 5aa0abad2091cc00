//! A language client for tests. It sends what tests ask for and checks nothing itself.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// Long enough for a loaded machine; no test measures time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Received, but not yet asked for.
    kept: Vec<Value>,
    next_id: i64,
}

impl Client {
    /// A server process that has been told nothing yet.
    pub(crate) fn spawn() -> Client {
        Client::spawn_by(Command::new(env!("CARGO_BIN_EXE_nnz")))
    }

    /// The same with so many MiB of addresses.
    #[cfg(target_os = "linux")]
    pub(crate) fn spawn_within(mebibytes: u64) -> Client {
        let limit = format!("ulimit -c 0; ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10);
        let mut command = Command::new("sh");
        command.args(["-c", &limit, env!("CARGO_BIN_EXE_nnz")]);
        Client::spawn_by(command)
    }

    fn spawn_by(mut command: Command) -> Client {
        let mut child = command
            .args(["lsp", "--stdio"])
            .env("NNZ_LSP_TEST_HOOKS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || read_messages(stdout, |message| sender.send(message).is_ok()));
        let stdin = child.stdin.take();
        Client { child, stdin, messages, kept: Vec::new(), next_id: 0 }
    }

    /// A session with these position encodings on offer.
    pub(crate) fn start(encodings: &[&str]) -> Client {
        let mut client = Client::spawn();
        client.initialize(encodings);
        client
    }

    pub(crate) fn initialize(&mut self, encodings: &[&str]) {
        let capabilities = json!({
            "general": { "positionEncodings": encodings },
            "experimental": { "nnz": { "commands": ["nnz.openView"] } }
        });
        let answer = self.request("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(answer["result"]["serverInfo"]["name"], "nnz");
        self.notify("initialized", json!({}));
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }
    pub(crate) fn send(&mut self, message: &Value) {
        self.send_bytes(&frame(message));
    }
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&message(json!({ "method": method }), params));
    }
    /// Sends a request and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&message(json!({ "id": id, "method": method }), params));
        id
    }
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }
    /// The response to request `id`.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.receive(&format!("an answer to request {id}"), |m| m["id"] == id && m.get("method").is_none())
    }
    /// The next message that is `wanted`; others are kept for later.
    pub(crate) fn receive(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).unwrap_or_else(|e| panic!("no {what}: {e}"));
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }
    /// Everything that has come in until nothing came for `quiet`.
    pub(crate) fn drain(&mut self, quiet: Duration) -> Vec<Value> {
        let mut all = std::mem::take(&mut self.kept);
        while let Ok(message) = self.messages.recv_timeout(quiet) {
            all.push(message);
        }
        all
    }

    pub(crate) fn open(&mut self, uri: &str, version: i32, text: &str) {
        self.open_as(if uri.ends_with(".mlir") { "mlir" } else { "nnz" }, uri, version, text);
    }
    /// A document that the editor says is in `language`.
    pub(crate) fn open_as(&mut self, language: &str, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }
    /// Replaces the whole text.
    pub(crate) fn change(&mut self, uri: &str, version: i32, text: &str) {
        self.change_with(uri, version, json!([{ "text": text }]));
    }
    pub(crate) fn change_with(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }
    /// The diagnostics published for this version.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let wanted = |m: &Value| is_publish(m, uri) && m["params"]["version"] == version;
        let message = self.receive(&format!("diagnostics of version {version}"), wanted);
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }
    /// A request about a place: its result.
    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": uri }, "position": position, "context": { "includeDeclaration": true, "triggerKind": 1 }
        });
        self.request(method, params)["result"].clone()
    }

    /// The number of the server's process.
    /// The lenses of a text with their commands.
    pub(crate) fn lenses(&mut self, uri: &str) -> Vec<Value> {
        let answer = self.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let lenses = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        assert!(lenses.iter().all(|lens| lens["command"].is_null()), "{answer}");
        lenses.into_iter().map(|lens| self.request("codeLens/resolve", lens)["result"].clone()).collect()
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }
    /// How the process ended, which must be soon.
    pub(crate) fn exit_status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the server is still running");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn is_publish(message: &Value, uri: &str) -> bool {
    message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
}

/// A message with its parameters; none at all for `null`, as the protocol wants it.
fn message(mut fields: Value, params: Value) -> Value {
    fields["jsonrpc"] = json!("2.0");
    if !params.is_null() {
        fields["params"] = params;
    }
    fields
}

pub(crate) fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read_messages(mut from: impl BufRead, mut deliver: impl FnMut(Value) -> bool) {
    let mut line = String::new();
    let mut length = 0;
    while from.read_line(&mut line).is_ok_and(|read| read > 0) {
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        } else if line.trim().is_empty() {
            let mut body = vec![0; length];
            from.read_exact(&mut body).unwrap();
            if !deliver(serde_json::from_slice(&body).unwrap()) {
                return;
            }
        }
        line.clear();
    }
}
