//! Lets only valid JSON-RPC messages through. tower-lsp 0.20 ends the session at the first frame that it
//! cannot read. Here such a frame is dropped, reported on stderr, and answered with an error, and the session
//! continues. The error has the id of the request, or none where that cannot be read, as JSON-RPC requires.
//!
//! A plain thread reads the input. With the runtime's own stdin every message would wait for another thread
//! to wake.

use std::{
    io::{self, Read},
    pin::Pin,
    task::{Context, Poll, ready},
};

use memchr::memmem;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::mpsc,
};
use tower_lsp::jsonrpc::{Error, Id};

use crate::{
    backlog::Backlog,
    frame::{self, Dropped, Frame},
    past::Past,
};

/// Frames that wait for the transport before the client has to.
const MAX_WAITING: usize = 1 << 10;

/// The messages of `input`, each again in a frame; texts go past it.
pub(crate) fn json_rpc_frames(input: impl Read + Send + 'static, backlog: Backlog, past: Past) -> Frames {
    let (sender, frames) = mpsc::channel(MAX_WAITING);
    let counted = backlog.clone();
    std::thread::spawn(move || {
        let mut input = frame::Frames::new(input, counted.clone());
        while let Some(body) = next_body(&mut input, &past) {
            counted.waits();
            if sender.blocking_send(framed(body)).is_err() {
                return;
            }
            counted.arriving(!input.is_empty());
        }
    });
    Frames { frames, current: Vec::new(), read: 0, backlog }
}

fn framed(mut body: Vec<u8>) -> Vec<u8> {
    let header = format!("Content-Length: {}\r\n\r\n", body.len());
    body.splice(0..0, header.into_bytes());
    body
}

/// The frames as the stream of bytes that tower-lsp reads.
pub(crate) struct Frames {
    frames: mpsc::Receiver<Vec<u8>>,
    current: Vec<u8>,
    /// The bytes of `current` that have been read.
    read: usize,
    backlog: Backlog,
}

impl AsyncRead for Frames {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.read == self.current.len() {
            let Some(frame) = ready!(self.frames.poll_recv(context)) else { return Poll::Ready(Ok(())) };
            self.backlog.taken();
            (self.current, self.read) = (frame, 0);
        }
        let rest = self.current.get(self.read..).unwrap_or_default();
        let part = rest.get(..to.remaining()).unwrap_or(rest);
        to.put_slice(part);
        self.read += part.len();
        Poll::Ready(Ok(()))
    }
}

/// The next message, or one in place of what was dropped; `None` at the end of the input.
fn next_body(input: &mut frame::Frames<impl Read>, past: &Past) -> Option<Vec<u8>> {
    let dropped = match input.next() {
        Ok(Frame::Body(mut body)) => {
            replace_lone_surrogates(&mut body);
            match message(&body) {
                Ok(message) => return Some(message.kept(past).unwrap_or(body)),
                Err(what) => Dropped { what, id: Id::Null },
            }
        }
        Ok(Frame::Dropped(dropped)) => dropped,
        Ok(Frame::End(why)) => {
            why.iter().for_each(|why| eprintln!("nnz lsp: {why}"));
            return None;
        }
        Err(error) => {
            eprintln!("nnz lsp: cannot read: {error}");
            return None;
        }
    };
    let Dropped { what, id } = dropped;
    eprintln!("nnz lsp: dropped {what}");
    let stand_in = json!({ "jsonrpc": "2.0", "id": id, "method": BAD_FRAME, "params": [what] });
    Some(stand_in.to_string().into_bytes())
}

/// The method of the request that replaces a dropped frame; the front answers it.
pub(crate) const BAD_FRAME: &str = "$/nnz/badFrame";

/// Writes U+FFFD for each lone half of a surrogate pair: clients cut texts in UTF-16, and dropping a change would leave
/// the text stale.
fn replace_lone_surrogates(body: &mut [u8]) {
    // Most bodies escape the ends of lines, and nothing else.
    let Some(mut at) = memmem::find(body, b"\\u") else { return };
    // The backslashes in front of it belong together.
    at -= body.get(..at).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count();
    while let Some(found) = memchr::memchr(b'\\', body.get(at..).unwrap_or_default()) {
        at += found;
        let is_low = |at: usize| matches!(escaped(body, at), Some(0xdc00..=0xdfff));
        at += match escaped(body, at) {
            Some(0xd800..=0xdbff) if is_low(at + 6) => 12,
            Some(0xd800..=0xdfff) => {
                body[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            _ => 2,
        };
    }
}

/// The unit of UTF-16 that is escaped at `at`, as in `\ud83d`.
fn escaped(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

/// # Errors
/// Why a body is no message.
fn message(body: &[u8]) -> Result<Message, String> {
    match serde_json::from_slice::<Message>(body) {
        Err(error) if !error.is_data() => Err(format!("a body that is no JSON ({error})")),
        Ok(message) if body.trim_ascii_start().starts_with(b"{") => message.complaint().map_or(Ok(message), Err),
        _ => Err(NO_MESSAGE.to_string()),
    }
}

const NO_MESSAGE: &str = "JSON that is no JSON-RPC message";

/// The fields that make an object a message, each read whole: tower-lsp ends the session where it cannot read one that
/// was only passed over here, as one nested too deeply.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    jsonrpc: Value,
    #[serde(deserialize_with = "given")]
    id: Option<Value>,
    method: Value,
    params: Value,
    #[serde(deserialize_with = "given")]
    result: Option<Value>,
    #[serde(deserialize_with = "given")]
    error: Option<Value>,
}

/// A field that is there, even if it is null.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

impl Message {
    /// What is let through instead, if the message has a text.
    fn kept(self, past: &Past) -> Option<Vec<u8>> {
        if self.id.is_some() { None } else { past.keep(self.method.as_str()?, self.params) }
    }

    fn complaint(&self) -> Option<String> {
        let is_error = || self.error.as_ref().is_some_and(|error| Error::deserialize(error).is_ok());
        let is_response = || self.id.is_some() && (self.result.is_some() || is_error());
        let id_is_legal = match &self.id {
            None | Some(Value::Null | Value::String(_)) => true,
            Some(id) => id.as_i64().is_some(),
        };
        if self.jsonrpc != "2.0" || !(self.method.is_string() || is_response()) {
            return Some(NO_MESSAGE.to_string());
        }
        let id = self.id.as_ref().filter(|_| !id_is_legal)?;
        Some(format!("a message whose id is neither an integer of 64 bits nor a string: {id}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(input: &[u8]) -> Vec<String> {
        let mut frames = frame::Frames::new(input, Backlog::default());
        let next = || next_body(&mut frames, &Past::default());
        std::iter::from_fn(next).map(|body| String::from_utf8(body).unwrap()).collect()
    }

    #[test]
    fn what_is_no_message_is_replaced() {
        let good = r#"{"jsonrpc":"2.0","method":"a"}"#;
        let deep = format!(r#"{{"jsonrpc":"2.0","method":"a","params":{}0{}}}"#, "[".repeat(200), "]".repeat(200));
        for bad in [
            "{]}",
            "[]",
            "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]",
            "3",
            "{\"method\":\"a\"}",
            r#"{"jsonrpc":"2.0","method":"a","id":1.5}"#,
            r#"{"jsonrpc":"2.0","method":"a","id":9223372036854775808}"#,
            r#"{"jsonrpc":"2.0","method":"a","id":1e30}"#,
            r#"{"jsonrpc":"2.0","method":"a","params":[1e999]}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":3}"#,
            &deep,
        ] {
            let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
            let found = bodies(format!("{}{}", framed(bad), framed(good)).as_bytes());
            assert!(found.len() == 2 && found[0].contains(BAD_FRAME) && found[1] == good, "{bad}: {found:?}");
        }
        assert!(bodies(b"Content-Length: 99\r\n\r\n{").is_empty());
    }

    #[test]
    fn a_lone_surrogate_is_replaced() {
        for (sent, taken) in [
            (r"\ud800", r"\ufffd"),
            (r"a\uD83Db\ude00", r"a\ufffdb\ufffd"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\\ud800", r"\\ud800"),
            (r"\\\ud800\n", r"\\\ufffd\n"),
        ] {
            let message = |text: &str| format!(r#"{{"jsonrpc":"2.0","method":"a","params":["{text}"]}}"#);
            let sent = message(sent);
            let found = bodies(format!("Content-Length: {}\r\n\r\n{sent}", sent.len()).as_bytes());
            assert_eq!(found, [message(taken)]);
        }
    }

    #[tokio::test]
    async fn frames_are_read_in_parts_and_counted() {
        use tokio::io::AsyncReadExt;
        let backlog = Backlog::default();
        let input = b"X: y\r\nContent-Length: 30\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}";
        let mut frames = json_rpc_frames(&input[..], backlog.clone(), Past::default());
        let mut first = [0; 7];
        frames.read_exact(&mut first).await.unwrap();
        let mut rest = String::new();
        frames.read_to_string(&mut rest).await.unwrap();
        assert_eq!(first, *b"Content");
        assert_eq!(rest, "-Length: 30\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}");
        assert!(!backlog.is_there());
    }
}
