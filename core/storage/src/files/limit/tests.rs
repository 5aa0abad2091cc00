use std::io::Write;

use super::*;
use crate::files::{Progress, ReadOptions, read, read_from, unwatched};
use nnz_base::host::ByteSource;

/// A source that is not in memory.
struct File(Vec<u8>);

impl ByteSource for File {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read_at(offset, buffer)
    }
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

/// What reading says, from memory and from a file, which is the same.
fn told(kind: FileKind, text: Vec<u8>) -> Result<usize, String> {
    let options = ReadOptions::default();
    let answer = |read: Result<crate::files::Read, FileError>| {
        read.map(|read| read.triplets.len()).map_err(|error| error.message)
    };
    let from_memory = answer(read(kind, &text, &options, &unwatched));
    assert_eq!(answer(read_from(kind, &File(text), &options, &unwatched)), from_memory);
    from_memory
}

/// `before`, so many MiB of `filler`, and `after`.
fn filled(before: &str, filler: &str, mebibytes: usize, after: &str) -> Vec<u8> {
    let filler = filler.bytes().cycle().take(mebibytes << 20);
    before.bytes().chain(filler).chain(after.bytes()).collect()
}

/// A usual line of a comment.
const PERCENT: &str =
    "% what somebody has to say of the matrix, in a line that is as long as most lines of a comment are\n";
const HASH: &str =
    "# what somebody has to say of the tensor, in a line that is as long as most lines of a comment are\n";

const BANNER: &str = "%%MatrixMarket matrix coordinate real general\n";

/// Places where what tells nothing may stand, one of each format, before, in and behind its head.
const PLACES: [(FileKind, &str, &str, &str); 11] = [
    (FileKind::MatrixMarket, BANNER, PERCENT, "\n2 2 1\n1 1 5\n"),
    (FileKind::MatrixMarket, BANNER, "% one line ", "\n2 2 1\n1 1 5\n"),
    (FileKind::MatrixMarket, BANNER, " \n", "2 2 1\n1 1 5\n"),
    (FileKind::MatrixMarket, "%%MatrixMarket matrix coordinate real general\n2 2 1\n", PERCENT, "\n1 1 5\n"),
    (FileKind::Frostt, "", HASH, "\n1 1 5\n"),
    (FileKind::Frostt, "2 1\n", HASH, "\n2 2\n1 1 5\n"),
    (FileKind::Frostt, "2 1\n2 2\n", HASH, "\n1 1 5\n"),
    (FileKind::Frostt, "1 1 5\n", "\t\r\n", ""),
    (FileKind::Dlmc, "", "\n", "2, 2, 1\n0 1 1\n0\n"),
    (FileKind::Dlmc, "2, 2, 1\n0 1", "\n", "1\n0\n"),
    (FileKind::Dlmc, "2, 2, 1\n0 1 1\n0\n", " ", "\n"),
];

#[test]
fn comments_and_blanks_take_so_much_wherever_they_stand() {
    for (kind, before, filler, after) in PLACES {
        assert_eq!(told(kind, filled(before, filler, 1, after)), Ok(1), "{kind:?} {before}{filler}");
        let refused = told(kind, filled(before, filler, 17, after)).unwrap_err();
        let known = ["comments and blanks alone take more than 16 MiB", "the file goes on after 167"];
        assert!(known.iter().any(|known| refused.starts_with(known)), "{kind:?} {before}{filler}: {refused}");
    }
}

/// It is told apart from what tells nothing.
#[test]
fn a_long_text_of_entries_is_read() {
    let text = "1 1 1\n".repeat(3 << 20).into_bytes();
    assert_eq!(told(FileKind::Frostt, text), Ok(3 << 20));
}

/// A gzip file of a few kilobytes that would unfold to 64 MiB.
#[test]
fn a_bomb_of_comments_is_not_unfolded() {
    let bytes = packed(&filled(BANNER, PERCENT, 64, "2 2 1\n1 1 5\n"));
    let last = std::sync::Mutex::new(0);
    let watch = |progress: Progress| {
        *last.lock().unwrap() = progress.done;
        std::ops::ControlFlow::Continue(())
    };
    let error = read(FileKind::MatrixMarket, &bytes, &ReadOptions::default(), &watch).unwrap_err();
    assert_eq!(error.message, "comments and blanks alone take more than 16 MiB: this is no text of entries");
    assert!(*last.lock().unwrap() < bytes.len() as u64 / 2);
}

/// A head behind many comments promises as much as any.
#[test]
fn a_late_head_is_found() {
    let mut limit = Limit::new(FileKind::MatrixMarket);
    let text = filled(BANNER, PERCENT, 1, "\n2 2 1\n1 1 5\n");
    for end in [START, 1 << 19, text.len()] {
        limit.check(&text[..end], false).unwrap();
    }
    assert_eq!(limit.told, Told::Nothing);
    limit.check(&text, true).unwrap();
    assert!(matches!(limit.told, Told::Most(_)), "{:?}", limit.told);
}
