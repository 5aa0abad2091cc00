//! Texts from the client bypass tower-lsp, which would read and copy them again: the filter, which has read the
//! message, keeps its parameters and passes on a number in their place; the front puts them back.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};
use tower_lsp::jsonrpc::Request;

/// The parameters that are on their way, by their numbers.
#[derive(Clone, Default)]
pub(crate) struct Past(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    parameters: HashMap<u64, Value>,
    count: u64,
}

/// The parameters in the message while a number replaces them.
const NUMBER: &str = "kept";

/// Whether messages of a method have a text.
fn has_text(method: &str) -> bool {
    matches!(method, "textDocument/didOpen" | "textDocument/didChange")
}

impl Past {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The message to let through instead of a notification with a text, whose parameters are kept.
    pub(crate) fn keep(&self, method: &str, parameters: Value) -> Option<Vec<u8>> {
        if !has_text(method) || parameters.is_null() {
            return None;
        }
        let mut kept = self.lock();
        kept.count += 1;
        let number = kept.count;
        kept.parameters.insert(number, parameters);
        Some(json!({ "jsonrpc": "2.0", "method": method, "params": { NUMBER: number } }).to_string().into_bytes())
    }

    /// The message as the client sent it.
    pub(crate) fn restore(&self, message: Request) -> Request {
        let is_kept = has_text(message.method()) && message.id().is_none();
        let number = message.params().and_then(|params| params.get(NUMBER)?.as_u64()).filter(|_| is_kept);
        let Some(parameters) = number.and_then(|number| self.lock().parameters.remove(&number)) else {
            return message;
        };
        Request::build(message.method().to_string()).params(parameters).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> Request {
        serde_json::from_slice(bytes).unwrap()
    }

    #[test]
    fn a_text_is_kept_and_put_back_once() {
        let (past, text) = (Past::default(), json!({ "textDocument": { "text": "x".repeat(9999) } }));
        let sent = past.keep("textDocument/didOpen", text.clone()).unwrap();
        assert!(sent.len() < 99, "{}", String::from_utf8_lossy(&sent));
        assert_eq!(past.restore(message(&sent)).params(), Some(&text));
        assert_eq!(past.restore(message(&sent)).params(), Some(&json!({ NUMBER: 1 })));
    }

    #[test]
    fn other_messages_stay() {
        let past = Past::default();
        assert_eq!(past.keep("textDocument/hover", json!({})), None);
        past.keep("textDocument/didChange", json!([3]));
        for other in ["\"id\": 7, \"method\": \"textDocument/didChange\"", "\"method\": \"textDocument/didClose\""] {
            let sent = format!("{{\"jsonrpc\": \"2.0\", {other}, \"params\": {{\"kept\": 1}}}}");
            assert_eq!(past.restore(message(sent.as_bytes())).params(), Some(&json!({ "kept": 1 })));
        }
    }
}
