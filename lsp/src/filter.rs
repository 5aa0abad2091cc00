//! Lets only whole JSON-RPC messages through. tower-lsp 0.20 ends the session at the first frame
//! that it cannot read; here such a frame is dropped and logged, and the session goes on.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// A frame longer than this is refused. Editors send whole documents; none comes near.
const MAX_FRAME: usize = 1 << 30;

/// Whether more of the client's input is at hand than has been handed on.
#[derive(Clone, Default)]
pub(crate) struct Backlog(Arc<AtomicBool>);

impl Backlog {
    pub(crate) fn is_there(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
    fn set(&self, there: bool) {
        self.0.store(there, Ordering::Release);
    }
}

/// The messages of `input`, each again in a frame.
pub(crate) fn json_rpc_frames(input: impl AsyncRead + Unpin + Send + 'static, backlog: Backlog) -> DuplexStream {
    let (reader, mut writer) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let mut input = BufReader::with_capacity(1 << 16, input);
        while let Ok(Some(body)) = next_body(&mut input).await {
            let header = format!("Content-Length: {}\r\n\r\n", body.len());
            backlog.set(true);
            if writer.write_all(header.as_bytes()).await.is_err() || writer.write_all(&body).await.is_err() {
                return;
            }
            backlog.set(!input.buffer().is_empty());
        }
    });
    reader
}

/// The next body that is a message; `None` at the end of the input.
async fn next_body(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Vec<u8>>> {
    loop {
        let Some(length) = content_length(input).await? else { return Ok(None) };
        if length > MAX_FRAME {
            log(&format!("a frame that claims {length} bytes"));
            continue;
        }
        let mut body = Vec::new();
        if input.take(length as u64).read_to_end(&mut body).await? < length {
            return Ok(None);
        }
        match complaint(&body) {
            None => return Ok(Some(body)),
            Some(why) => log(&why),
        }
    }
}

/// Reads header lines up to the empty one. Lines that are no header are skipped, and so is a block
/// without a length: whatever follows it is searched for the next header.
async fn content_length(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<usize>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if let Some((_, value)) = text.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
            length = value.trim().parse().ok();
        } else if text.is_empty() && length.is_some() {
            return Ok(length);
        }
    }
}

/// Why a body is no message.
fn complaint(body: &[u8]) -> Option<String> {
    match serde_json::from_slice::<Value>(body) {
        Err(error) => Some(format!("a body that is no JSON ({error})")),
        Ok(Value::Object(fields)) if is_message(&fields) => None,
        Ok(_) => Some("JSON that is no JSON-RPC message".to_string()),
    }
}

fn is_message(fields: &serde_json::Map<String, Value>) -> bool {
    let id_is_legal = matches!(fields.get("id"), None | Some(Value::Null | Value::Number(_) | Value::String(_)));
    let is_request = fields.get("method").is_some_and(Value::is_string);
    let is_response = fields.contains_key("id") && (fields.contains_key("result") || fields.contains_key("error"));
    fields.get("jsonrpc").is_some_and(|v| v == "2.0") && id_is_legal && (is_request || is_response)
}

fn log(what: &str) {
    eprintln!("nnz lsp: dropped {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn bodies(input: &'static [u8]) -> Vec<String> {
        let mut reader = BufReader::new(input);
        let mut found = Vec::new();
        while let Ok(Some(body)) = next_body(&mut reader).await {
            found.push(String::from_utf8(body).unwrap());
        }
        found
    }

    #[tokio::test]
    async fn only_messages_come_through() {
        let good = r#"{"jsonrpc":"2.0","method":"a"}"#;
        assert_eq!(good.len(), 30);
        let input = b"Content-Length: 3\r\n\r\n{]}X: y\r\n\r\ncontent-length: 30\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\
            Content-Length: 2\r\n\r\n[]Content-Length: 30\r\nContent-Type: z\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}";
        assert_eq!(bodies(input).await, [good, good]);
        assert!(bodies(b"Content-Length: 99\r\n\r\n{").await.is_empty());
    }
}
