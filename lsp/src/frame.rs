//! Cuts the client's bytes into the bodies of frames (LSP 3.17, "Base Protocol"), and resynchronizes after a frame
//! that does not match its header. A header cannot occur inside a body, because JSON writes a line end in a string
//! as `\r\n` and has no such word elsewhere. So a frame that is too long, too short, or without a length affects
//! no other frame.

use std::io::{self, BufReader, Read};

use memchr::memmem;
use nnz_core::memory;
use serde::Deserialize;
use tower_lsp::jsonrpc::Id;

use crate::backlog::Backlog;

/// A frame longer than this is refused. Editors send whole documents; none comes near.
const MAX_FRAME: usize = 1 << 30;

/// The number of copies of a body that are in memory until its text is in a document.
const COPIES: usize = 5;

/// The number of bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// The longest line of a header. Of a longer one only this much at its end is kept.
const MAX_LINE: usize = 256;

/// The next part of the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Body(Vec<u8>),
    Dropped(Dropped),
    /// The input has ended, in the middle of a body if there is a reason.
    End(Option<String>),
}

/// Something sent that is not a frame, or a frame that there is no room for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) what: String,
    /// The id of the request that waits for an answer; null if it is no request, or its id is not known.
    pub(crate) id: Id,
}

pub(crate) struct Frames<R> {
    input: R,
    buffer: Vec<u8>,
    /// The number of bytes of `buffer` that are done with.
    done: usize,
    /// The length that the header which is being read states.
    length: Option<usize>,
    /// Something was dropped, and no frame has come since.
    lost: bool,
    backlog: Backlog,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(input: R, backlog: Backlog) -> Self {
        Self { input, buffer: Vec::new(), done: 0, length: None, lost: false, backlog }
    }

    /// # Errors
    /// An error of the system.
    pub(crate) fn next(&mut self) -> io::Result<Frame> {
        loop {
            if self.is_empty() && !self.more()? {
                return Ok(Frame::End(None));
            }
            if self.begins_with_a_body() {
                return Ok(self.bad("a body without a header".to_string()));
            }
            let Some(line) = self.line()? else { return Ok(Frame::End(None)) };
            match (line.is_empty(), self.length) {
                (true, Some(length)) => {
                    let frame = match memory::room_apart((length * COPIES) as u64) {
                        Ok(()) => self.body(length),
                        Err(refused) => self.pass(length, format!("a frame of {length} bytes: {refused}")),
                    };
                    self.length = None;
                    return frame;
                }
                (true, None) => {}
                (false, _) => match self.header(&line) {
                    Some(bad) if !self.lost => return Ok(self.bad(bad)),
                    _ => {}
                },
            }
        }
    }

    /// Whether all bytes read so far have been handed out.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    fn rest(&self) -> &[u8] {
        self.buffer.get(self.done..).unwrap_or_default()
    }

    fn bad(&mut self, what: String) -> Frame {
        self.lost = true;
        Frame::Dropped(Dropped { what, id: Id::Null })
    }

    /// Known before its line has ended, which may never come.
    fn begins_with_a_body(&self) -> bool {
        !self.lost && self.length.is_none() && matches!(self.rest().first(), Some(b'{' | b'['))
    }

    /// Takes one line of a header, or returns why it is not one. After a body of unknown length the header is at the
    /// end of a line.
    fn header(&mut self, line: &str) -> Option<String> {
        let lower = line.to_ascii_lowercase();
        let Some(at) = lower.rfind(NAME) else {
            let is_another = lower.split_once(':').is_some_and(|(name, _)| name.bytes().all(is_of_name));
            return (!is_another).then(|| format!("{} bytes that are no header", line.len()));
        };
        let value = lower[at + NAME.len()..].trim();
        match value.parse() {
            Ok(length) if length <= MAX_FRAME => {
                self.length = Some(length);
                (at > 0).then(|| format!("{at} bytes without a header"))
            }
            Ok(length) => Some(format!("a frame that claims {length} bytes")),
            Err(_) => Some(format!("a frame whose length is `{value}`")),
        }
    }

    /// The next line without its end; `None` at the end of the input.
    fn line(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', self.rest()) {
                let line = String::from_utf8_lossy(&self.rest()[..at]).trim().to_string();
                self.done += at + 1;
                return Ok(Some(line));
            }
            self.done += self.rest().len().saturating_sub(MAX_LINE);
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    fn body(&mut self, length: usize) -> io::Result<Frame> {
        let mut looked = 0;
        loop {
            let here = &self.rest()[..self.rest().len().min(length)];
            if let Some(at) = header_in(&here[looked..]) {
                let begun = looked + at;
                self.done += begun;
                return Ok(self.bad(format!("a frame that claims {length} bytes and has {begun}")));
            }
            if here.len() == length {
                if let Some(begun) = end_of_short_body(here) {
                    self.done += begun;
                    return Ok(self.bad(format!("a frame that claims {length} bytes and has {begun}")));
                }
                let body = here.to_vec();
                self.done += length;
                self.lost = false;
                return Ok(Frame::Body(body));
            }
            looked = here.len().saturating_sub(MAX_LINE);
            let come = here.len();
            if !self.more()? {
                return Ok(Frame::End(Some(format!("the input ended after {come} of {length} bytes of a message"))));
            }
        }
    }

    /// Skips a body. Only the id of its request is kept.
    fn pass(&mut self, length: usize, what: String) -> io::Result<Frame> {
        let mut body = Passing { frames: self, left: length };
        let id = whose(&mut body);
        io::copy(&mut body, &mut io::sink())?;
        self.lost = false;
        Ok(Frame::Dropped(Dropped { what, id }))
    }

    /// Reads on; `false` at the end of the input.
    fn more(&mut self) -> io::Result<bool> {
        self.buffer.drain(..self.done);
        self.done = 0;
        self.backlog.arriving(self.length.is_some());
        let before = self.buffer.len();
        self.buffer.resize(before + CHUNK, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }
}

/// A body that is read once, up to its length or to the header of another frame.
struct Passing<'f, R> {
    frames: &'f mut Frames<R>,
    left: usize,
}

impl<R: Read> Read for Passing<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        // Looks ahead far enough to tell whether a header begins in the bytes that are given out.
        let seen = self.left.min(to.len() + MAX_LINE);
        while self.frames.rest().len() < seen && self.frames.more()? {}
        let here = self.frames.rest();
        let here = here.get(..seen).unwrap_or(here);
        if let Some(at) = header_in(here) {
            self.left = at;
        }
        let read = here.len().min(self.left).min(to.len());
        to[..read].copy_from_slice(&here[..read]);
        self.frames.done += read;
        self.left -= read;
        Ok(read)
    }
}

/// The id of a request.
fn whose(body: impl Read) -> Id {
    #[derive(Deserialize)]
    struct Asked {
        id: Id,
        #[serde(rename = "method")]
        _method: String,
    }
    let asked = Asked::deserialize(&mut serde_json::Deserializer::from_reader(BufReader::new(body)));
    asked.map_or(Id::Null, |asked| asked.id)
}

/// In lower case.
const NAME: &str = "content-length:";

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// The end of a body that is shorter than its header says: after its JSON, or where the header of the next frame
/// begins.
fn end_of_short_body(body: &[u8]) -> Option<usize> {
    if matches!(body.trim_ascii_end().last(), None | Some(b'}' | b']')) {
        return None;
    }
    let mut values = serde_json::Deserializer::from_slice(body).into_iter::<serde::de::IgnoredAny>();
    let whole = matches!(body.trim_ascii_start().first(), Some(b'{' | b'[')) && matches!(values.next(), Some(Ok(_)));
    let cut_off = || {
        let from = body.len().saturating_sub(MAX_LINE);
        (from..body.len()).find(|&at| begins_header(&body[at..]))
    };
    if whole { Some(values.byte_offset()) } else { cut_off() }
}

/// What could go on as a header, `Content-Le` or `Content-Length: 7`.
fn begins_header(bytes: &[u8]) -> bool {
    let (name, value) = bytes.split_at(bytes.len().min(NAME.len()));
    let is_value = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace();
    NAME.as_bytes().get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)) && value.iter().all(is_value)
}

/// Where the header of another frame begins.
fn header_in(body: &[u8]) -> Option<usize> {
    let is_header = |at: &usize| {
        let value = &body[at + NAME.len()..];
        let digits = value.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = value.trim_ascii_start().get(digits..).unwrap_or_default();
        digits > 0 && behind.starts_with(b"\r\n")
    };
    let named = |name| memmem::find_iter(body, name).find(is_header);
    let usual = named("Content-Length:");
    [usual, named(NAME)].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let (Some((first, rest)), Some(place)) = (self.0.split_first(), to.first_mut()) else { return Ok(0) };
            (*place, self.0) = (*first, rest);
            Ok(1)
        }
    }

    fn frames(input: impl Read) -> Vec<String> {
        let mut frames = Frames::new(input, Backlog::default());
        let mut all = Vec::new();
        loop {
            match frames.next().unwrap() {
                Frame::Body(body) => all.push(String::from_utf8(body).unwrap()),
                Frame::Dropped(Dropped { what, .. }) => all.push(format!("bad: {what}")),
                Frame::End(why) => {
                    all.extend(why);
                    return all;
                }
            }
        }
    }

    fn check(input: &str, wanted: &[&str]) {
        assert_eq!(frames(input.as_bytes()), wanted, "{input:?}");
        assert_eq!(frames(Slow(input.as_bytes())), wanted, "{input:?}, byte by byte");
    }

    #[test]
    fn frames_are_cut_by_their_lengths() {
        check("Content-Length: 2\r\n\r\n{}content-length:3\nContent-Type: x\r\n\r\n[1]", &["{}", "[1]"]);
        check("", &[]);
    }

    #[test]
    fn behind_a_bad_frame_the_next_one_is_found() {
        let good = "Content-Length: 2\r\n\r\n{}";
        for (bad, told) in [
            ("Content-Length: abc\r\n\r\n{\"a\": 1}", "a frame whose length is `abc`"),
            ("Content-Length: -1\r\n\r\n{}", "a frame whose length is `-1`"),
            ("Content-Length:\r\n\r\n{}", "a frame whose length is ``"),
            ("Content-Length: 99999999999999\r\n\r\n{}", "a frame that claims 99999999999999 bytes"),
            ("Content-Length: 9999999\r\n\r\n{\"a\": 1}", "a frame that claims 9999999 bytes and has 8"),
            ("{\"a\": 1}", "a body without a header"),
            ("what is this\r\n\r\n{}", "12 bytes that are no header"),
        ] {
            check(&format!("{bad}{good}{good}"), &[&format!("bad: {told}"), "{}", "{}"]);
        }
        // What was cut off is no JSON, which is told elsewhere.
        check(
            &format!("Content-Length: 3\r\n\r\n{{\"a\": 1}}{good}"),
            &["{\"a", "bad: 5 bytes without a header", "{}"],
        );
    }

    #[test]
    fn of_a_body_that_is_passed_over_the_id_is_kept() {
        let params = format!("[{}\"id\", {{\"id\": 3}}]", "1, ".repeat(CHUNK));
        for (body, wanted) in [
            (format!("{{\"id\": 7, \"method\": \"a\", \"params\": {params}}}"), Id::Number(7)),
            (format!("{{\"method\": \"a\", \"params\": {params}, \"id\": \"x\"}}"), Id::String("x".to_string())),
            (format!("{{\"method\": \"a\", \"params\": {params}}}"), Id::Null),
            (format!("{{\"id\": 7, \"result\": {params}}}"), Id::Null),
            (format!("{{\"id\": 7, \"params\": {params}"), Id::Null),
        ] {
            for claimed in [body.len(), body.len() + 40] {
                let input = format!("{body}Content-Length: 2\r\n\r\n{{}}");
                let mut frames = Frames::new(input.as_bytes(), Backlog::default());
                let passed = frames.pass(claimed, String::new()).unwrap();
                assert_eq!(passed, Frame::Dropped(Dropped { what: String::new(), id: wanted.clone() }), "{claimed}");
                assert_eq!(frames.next().unwrap(), Frame::Body(b"{}".to_vec()), "{claimed}");
            }
        }
    }

    #[test]
    fn a_body_shorter_than_claimed_leaves_the_next_header_whole() {
        for next in [
            "Content-Length: 2\r\n\r\n{}",
            "content-length: 2\r\n\r\n{}",
            "Content-Type: x\r\ncontent-length:2\r\n\r\n{}",
        ] {
            for (body, more) in (1..=20).flat_map(|more| [("{\"a\": 1}", more), ("{\"a\": ", more)]) {
                let claimed = body.len() + more;
                let told = format!("bad: a frame that claims {claimed} bytes and has {}", body.len());
                let (other, whole) = (next.starts_with("Content-T"), body.ends_with('}'));
                if whole || !other {
                    check(&format!("Content-Length: {claimed}\r\n\r\n{body}{next}"), &[&told, "{}"]);
                }
            }
        }
    }

    #[test]
    fn an_end_in_a_body_is_told() {
        check("Content-Length: 5\r\n\r\n{}", &["the input ended after 2 of 5 bytes of a message"]);
        check("Content-Length: 5\r\n", &[]);
    }
}
