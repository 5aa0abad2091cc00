//! Lets only whole JSON-RPC messages through. tower-lsp 0.20 ends the session at the first frame
//! that it cannot read; here such a frame is dropped and logged, and the session goes on.
//!
//! The input is read by a plain thread: through the runtime's own stdin every message would wait
//! for one more thread to wake.

use std::{
    io::{self, BufRead, BufReader, Read},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
};

use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::mpsc,
};

/// A frame longer than this is refused. Editors send whole documents; none comes near.
const MAX_FRAME: usize = 1 << 30;

/// Room for a body that is made before it has come.
const MAX_AHEAD: usize = 1 << 22;

/// Room for a header.
const HEADER: usize = 64;

/// Frames that wait for the transport before the client has to.
const MAX_WAITING: usize = 1 << 10;

/// Whether more of the client's input is at hand than has been handed on.
#[derive(Clone, Default)]
pub(crate) struct Backlog(Arc<Input>);

#[derive(Default)]
struct Input {
    /// Messages that the transport has not begun to read.
    waiting: AtomicUsize,
    /// A message has arrived in part, or lies behind another in the buffer.
    arriving: AtomicBool,
}

impl Backlog {
    pub(crate) fn is_there(&self) -> bool {
        self.0.arriving.load(Ordering::Acquire) || self.0.waiting.load(Ordering::Acquire) > 0
    }
    fn arriving(&self, arriving: bool) {
        self.0.arriving.store(arriving, Ordering::Release);
    }
}

/// The messages of `input`, each again in a frame.
pub(crate) fn json_rpc_frames(input: impl Read + Send + 'static, backlog: Backlog) -> Frames {
    let (sender, frames) = mpsc::channel(MAX_WAITING);
    let counted = backlog.clone();
    std::thread::spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        while let Ok(Some(body)) = next_body(&mut input, &counted) {
            counted.0.waiting.fetch_add(1, Ordering::AcqRel);
            if sender.blocking_send(framed(body)).is_err() {
                return;
            }
            counted.arriving(!input.buffer().is_empty());
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
            self.backlog.0.waiting.fetch_sub(1, Ordering::AcqRel);
            (self.current, self.read) = (frame, 0);
        }
        let rest = self.current.get(self.read..).unwrap_or_default();
        let part = rest.get(..to.remaining()).unwrap_or(rest);
        to.put_slice(part);
        self.read += part.len();
        Poll::Ready(Ok(()))
    }
}

/// The next body that is a message; `None` at the end of the input.
fn next_body(input: &mut impl BufRead, backlog: &Backlog) -> io::Result<Option<Vec<u8>>> {
    loop {
        let Some(length) = content_length(input)? else { return Ok(None) };
        if length > MAX_FRAME {
            log(&format!("a frame that claims {length} bytes"));
            continue;
        }
        backlog.arriving(true);
        let mut body = Vec::with_capacity(length.min(MAX_AHEAD) + HEADER);
        if input.take(length as u64).read_to_end(&mut body)? < length {
            return Ok(None);
        }
        match complaint(&body) {
            None => return Ok(Some(body)),
            Some(why) => log(&why),
        }
        backlog.arriving(false);
    }
}

/// Reads header lines up to the empty one. Lines that are no header are skipped, and so is a block
/// without a length: whatever follows it is searched for the next header.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
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
    match serde_json::from_slice::<Message>(body) {
        Err(error) if !error.is_data() => Some(format!("a body that is no JSON ({error})")),
        Ok(message) if body.trim_ascii_start().starts_with(b"{") && message.is_legal() => None,
        _ => Some("JSON that is no JSON-RPC message".to_string()),
    }
}

/// The fields that make an object a message. Whole documents come in `params`, which are read over.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    jsonrpc: Value,
    #[serde(deserialize_with = "given")]
    id: Option<Value>,
    method: Value,
    #[serde(deserialize_with = "given")]
    result: Option<IgnoredAny>,
    #[serde(deserialize_with = "given")]
    error: Option<IgnoredAny>,
}

/// A field that is there, even if it is null.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

impl Message {
    fn is_legal(&self) -> bool {
        let id_is_legal = matches!(self.id, None | Some(Value::Null | Value::Number(_) | Value::String(_)));
        let is_response = self.id.is_some() && (self.result.is_some() || self.error.is_some());
        self.jsonrpc == "2.0" && id_is_legal && (self.method.is_string() || is_response)
    }
}

fn log(what: &str) {
    eprintln!("nnz lsp: dropped {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(mut input: &[u8]) -> Vec<String> {
        let next = || next_body(&mut input, &Backlog::default()).unwrap();
        std::iter::from_fn(next).map(|body| String::from_utf8(body).unwrap()).collect()
    }

    #[test]
    fn only_messages_come_through() {
        let good = r#"{"jsonrpc":"2.0","method":"a"}"#;
        assert_eq!(good.len(), 30);
        let input = b"Content-Length: 3\r\n\r\n{]}X: y\r\n\r\ncontent-length: 30\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\
            Content-Length: 2\r\n\r\n[]Content-Length: 30\r\nContent-Type: z\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}";
        assert_eq!(bodies(input), [good, good]);
        assert!(bodies(b"Content-Length: 99\r\n\r\n{").is_empty());
    }

    #[tokio::test]
    async fn frames_are_read_in_parts_and_counted() {
        use tokio::io::AsyncReadExt;
        let backlog = Backlog::default();
        let input = b"X: y\r\nContent-Length: 30\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}";
        let mut frames = json_rpc_frames(&input[..], backlog.clone());
        let mut first = [0; 7];
        frames.read_exact(&mut first).await.unwrap();
        let mut rest = String::new();
        frames.read_to_string(&mut rest).await.unwrap();
        assert_eq!(first, *b"Content");
        assert_eq!(rest, "-Length: 30\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}");
        assert!(!backlog.is_there());
    }
}
