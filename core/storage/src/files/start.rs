//! Checks the start of a file: whether it is text, and what its head tells of its length. A file that does not match its
//! own head is refused before it is read.

use super::{FileError, FileKind, dlmc, frostt, gzip, limit::Told, matrix_market};

/// This many bytes of a file are enough for most heads with their comments.
pub const START: usize = 1 << 16;

/// Checks the `start` of a file, its first [`START`] bytes or more or all of them, and says what the head tells of the
/// text's length.
///
/// # Errors
/// Text of another kind; a complete but wrong head.
pub(super) fn told(kind: FileKind, start: &[u8]) -> Result<Told, FileError> {
    if let Some(name) = packed_as(start).filter(|name| *name != ZIP || kind != FileKind::Scipy) {
        return Err(FileError::whole(packing_told(name)));
    }
    if kind == FileKind::Scipy && !start.starts_with(b"PK") {
        if gzip::is_gzip(start) {
            let error =
                FileError::whole("an archive of `save_npz` is not packed by gzip as well: it is packed already");
            return Err(error.help("unpack the file with `gunzip`, and read the `.npz` file that is in it"));
        }
        let error = FileError::whole("this is not an archive of `save_npz`: it does not begin with `PK`");
        return Err(match start.starts_with(b"%%MatrixMarket") {
            true => error.help("it begins as a Matrix Market file does: end its name in .mtx"),
            false => error,
        });
    }
    if kind == FileKind::Scipy || gzip::is_gzip(start) || is_utf16(start) {
        return Ok(Told::NoText);
    }
    if let Some(at) = start.iter().take(START).position(|byte| is_control(*byte)) {
        return Err(FileError::at(start, at, format!("byte {:#04x} is no text", start.get(at).copied().unwrap_or(0))));
    }
    match kind {
        FileKind::MatrixMarket => matrix_market::told(start),
        FileKind::Frostt => Ok(frostt::told(start)),
        FileKind::Dlmc => Ok(dlmc::told(start)),
        FileKind::Scipy => Ok(Told::NoText),
    }
}

/// What an archive of arrays is packed by.
const ZIP: &str = "zip";

/// What else than gzip these bytes are packed by.
fn packed_as(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 5] = [
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"PK\x03\x04", ZIP),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    ];
    MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| *name)
}

/// For bytes that are packed by something other than gzip, what to do with them.
pub fn is_packed(start: &[u8]) -> Option<String> {
    packed_as(start).map(packing_told)
}

fn packing_told(name: &str) -> String {
    format!("{name} is not read: decompress the file first")
}

/// A text in another code, which its reader names.
fn is_utf16(start: &[u8]) -> bool {
    start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff])
}

/// What no text has.
fn is_control(byte: u8) -> bool {
    byte < b' ' && !byte.is_ascii_whitespace() && byte != 0x0b
}

#[cfg(test)]
mod tests {
    use std::{io::Write, ops::ControlFlow};

    use super::*;
    use crate::files::{Progress, ReadOptions, read};

    fn told(kind: FileKind, start: &[u8]) -> Result<Told, String> {
        super::told(kind, start).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_no_text_is_refused_at_once() {
        assert_eq!(told(FileKind::Frostt, &[0; 100]), Err("line 1, column 1: byte 0x00 is no text".to_string()));
        let noise = b"%%MatrixMarket matrix coordinate real general\n1 2 \x7f\x03";
        assert_eq!(told(FileKind::MatrixMarket, noise), Err("line 2, column 6: byte 0x03 is no text".to_string()));
        assert_eq!(told(FileKind::Dlmc, b"2, 3, 1\r\n0 1 1\n\x0b2\n"), Ok(Told::Most(16_781_319)));
        assert!(told(FileKind::MatrixMarket, &[b'a'; START]).is_err_and(|text| text.starts_with("line 1, column 1: ")));
    }

    #[test]
    fn an_archive_is_known_by_its_first_bytes() {
        let message = "this is not an archive of `save_npz`: it does not begin with `PK`";
        for start in [&[0; 100][..], b"", b"%%MatrixMarket"] {
            assert_eq!(told(FileKind::Scipy, start), Err(message.to_string()));
        }
        assert_eq!(told(FileKind::Scipy, b"PK\x05\x06"), Ok(Told::NoText));
        let twice = "an archive of `save_npz` is not packed by gzip as well: it is packed already";
        assert_eq!(told(FileKind::Scipy, b"\x1f\x8b\x08"), Err(twice.to_string()));
    }

    #[test]
    fn a_packed_file_is_named() {
        let packed: [(&[u8], &str); 5] = [
            (b"BZh91AY&SY", "bzip2"),
            (b"\xfd7zXZ\0\0\x04", "xz"),
            (b"\x28\xb5\x2f\xfd\x24\x44", "Zstandard"),
            (b"PK\x03\x04\x14", ZIP),
            (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
        ];
        for (bytes, packer) in packed {
            assert_eq!(
                told(FileKind::MatrixMarket, bytes),
                Err(format!("{packer} is not read: decompress the file first"))
            );
            assert_eq!(told(FileKind::Scipy, bytes).is_ok(), packer == ZIP);
            assert_eq!(is_packed(bytes), Some(format!("{packer} is not read: decompress the file first")));
        }
    }

    /// A few kilobytes that would unfold to 64 MiB.
    #[test]
    fn a_text_beyond_its_head_is_not_read_to_its_end() {
        let mut text = b"%%MatrixMarket matrix coordinate real general\n9 9 10\n".to_vec();
        text.extend(b"1 1 1\n".iter().cycle().take(64 << 20));
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&text).unwrap();
        let packed = packed.finish().unwrap();
        for bytes in [&packed, &text] {
            let last = std::sync::Mutex::new(0);
            let watch = |progress: Progress| {
                *last.lock().unwrap() = progress.done;
                ControlFlow::Continue(())
            };
            let error = read(FileKind::MatrixMarket, bytes, &ReadOptions::default(), &watch).unwrap_err();
            assert!(error.message.starts_with("the file goes on after 167"), "{error}");
            assert!(*last.lock().unwrap() < bytes.len() as u64 / 2);
        }
    }

    #[test]
    fn a_head_says_how_long_its_text_can_be() {
        let head = |entries: u64| format!("%%MatrixMarket matrix coordinate real general\n9 9 {entries}\n1 1 1\n");
        let most = |entries| told(FileKind::MatrixMarket, head(entries).as_bytes());
        assert_eq!(most(10), Ok(Told::Most((1 << 24) + 53 + 10 * 1024)));
        assert_eq!(most(u64::MAX >> 1), Ok(Told::NoHead));
        assert_eq!(
            told(FileKind::MatrixMarket, b"%%MatrixMarket matrix coordinate real general\n% no sizes yet"),
            Ok(Told::Nothing)
        );
        assert_eq!(told(FileKind::MatrixMarket, &[0x1f, 0x8b, 0, 0]), Ok(Told::NoText));
        assert_eq!(told(FileKind::Frostt, b"2 3\n4 4\n1 1 1"), Ok(Told::Nothing));
        assert_eq!(told(FileKind::Frostt, b"2 3\n4 4\n1 1 1\n1"), Ok(Told::Most((1 << 24) + 8 + 12 * 1024)));
        assert_eq!(told(FileKind::Frostt, b"1 1 1\n1 2 1\n2 2 2\n1"), Ok(Told::NoHead));
        assert_eq!(told(FileKind::Dlmc, b"2, 3, 1"), Ok(Told::Nothing));
        assert_eq!(told(FileKind::Dlmc, b"2, x, 1"), Ok(Told::NoHead));
    }
}
