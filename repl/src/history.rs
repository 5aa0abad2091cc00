//! The history file, in the line editor's own format: a first line `#V2`, then a line for each statement with
//! `\` and line ends escaped.
//!
//! The line editor would rewrite the whole file if another session has added to it, and a session killed meanwhile
//! would lose it. Here lines are only appended, and a file that has grown too long is replaced atomically.
//!
//! The kind of the file is checked before it is read: reading a pipe would wait, and a device has no end.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use nnz_core::memory::size_text;

use crate::files::{self, Existing};

const HEAD: &str = "#V2\n";

/// A longer file is not read, and none becomes so long.
const MOST_BYTES: u64 = 8 << 20;

/// A longer statement is not kept.
const LONGEST_LINE: usize = 64 << 10;

pub(crate) struct History {
    path: PathBuf,
}

impl History {
    /// Opens or makes `nnz/history` in the user's state folder, cut to its last `most` entries; `None` if there is
    /// no place for it.
    ///
    /// # Errors
    /// The file that is there is not a history.
    pub(crate) fn open(most: usize) -> Result<Option<History>, String> {
        let Some(history) = History::in_place() else { return Ok(None) };
        history.fit()?;
        // One that stays long is no reason to stop.
        let _ = history.shorten(most);
        Ok(Some(history))
    }

    fn in_place() -> Option<History> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
        let folder = state.join("nnz");
        fs::create_dir_all(&folder).ok()?;
        Some(History { path: folder.join("history") })
    }

    /// # Errors
    /// Why the file of this name is not read. The first time there is no file.
    fn fit(&self) -> Result<(), String> {
        let Ok(metadata) = fs::metadata(&self.path) else { return Ok(()) };
        let path = self.path.display();
        match metadata.len() {
            _ if !metadata.is_file() => Err(format!("`{path}` is no regular file")),
            length if length > MOST_BYTES => {
                Err(format!("`{path}` has {}, and at most {} are read", size_text(length), size_text(MOST_BYTES)))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a statement at the end, unless it or the file is too long.
    pub(crate) fn add(&self, text: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.path)?;
        let mut line = before_new_line(&mut file)?.to_string();
        line += &text.replace('\\', "\\\\").replace('\n', "\\n");
        line.push('\n');
        let fits = line.len() <= LONGEST_LINE && file.metadata()?.len() + line.len() as u64 <= MOST_BYTES;
        if fits { file.write_all(line.as_bytes()) } else { Ok(()) }
    }

    fn shorten(&self, most: usize) -> io::Result<()> {
        let text = fs::read_to_string(&self.path)?;
        let (Some(path), Some(lines)) = (self.path.to_str(), text.strip_prefix(HEAD)) else { return Ok(()) };
        let kept = newest(lines, most);
        if kept.len() == lines.lines().count() {
            return Ok(());
        }
        let kept: String = kept.iter().map(|line| format!("{line}\n")).collect();
        files::write(path, Existing::Replaced, &mut |out| out.write_all(format!("{HEAD}{kept}").as_bytes()))?;
        Ok(())
    }
}

/// The last `most` lines that are kept, in half of the most bytes: a session may add the other half.
fn newest(lines: &str, most: usize) -> Vec<&str> {
    let mut bytes = 0;
    let mut fits = |line: &&str| {
        bytes += line.len() + 1;
        bytes as u64 <= MOST_BYTES / 2
    };
    let short = lines.lines().rev().filter(|line| line.len() < LONGEST_LINE);
    let mut kept: Vec<&str> = short.take(most).take_while(&mut fits).collect();
    kept.reverse();
    kept
}

/// The head of an empty file; the end of a line that was cut off.
fn before_new_line(file: &mut fs::File) -> io::Result<&'static str> {
    if file.metadata()?.len() == 0 {
        return Ok(HEAD);
    }
    let mut last = [b'\n'];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(if last == [b'\n'] { "" } else { "\n" })
}

#[cfg(test)]
mod tests {
    use rustyline::history::{FileHistory, History as _, SearchDirection};

    use super::*;

    #[test]
    fn the_line_editor_reads_what_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let history = History { path: folder.path().join("history") };
        let statements = ["A : CSR = [[1]]", "y(i) =\n  A(i, j)", r":write A \x", "é"];
        statements.iter().for_each(|text| history.add(text).unwrap());
        let mut read = FileHistory::new();
        read.load(history.path()).unwrap();
        for (at, text) in statements.iter().enumerate() {
            assert_eq!(read.get(at, SearchDirection::Forward).unwrap().unwrap().entry, *text);
        }
        assert_eq!(read.len(), statements.len());
    }

    #[test]
    fn a_line_cut_off_does_not_swallow_the_next_one_and_the_oldest_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let history = History { path: folder.path().join("history") };
        fs::write(history.path(), "#V2\none\ntw").unwrap();
        history.add("three").unwrap();
        assert_eq!(fs::read_to_string(history.path()).unwrap(), "#V2\none\ntw\nthree\n");
        history.shorten(2).unwrap();
        assert_eq!(fs::read_to_string(history.path()).unwrap(), "#V2\ntw\nthree\n");
    }

    #[test]
    fn what_is_too_long_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let history = History { path: folder.path().join("history") };
        let long = "x".repeat(LONGEST_LINE);
        fs::write(history.path(), format!("#V2\none\n{long}\ntwo\n")).unwrap();
        history.shorten(10).unwrap();
        history.add(&long).unwrap();
        assert_eq!(fs::read_to_string(history.path()).unwrap(), "#V2\none\ntwo\n");
        let half = format!("{}\n", &long[..LONGEST_LINE / 2]);
        fs::write(history.path(), format!("{HEAD}{}", half.repeat(255))).unwrap();
        history.add(&half).unwrap();
        assert_eq!(history.fit(), Ok(()));
        history.shorten(1000).unwrap();
        assert_eq!(fs::read_to_string(history.path()).unwrap(), format!("{HEAD}{}", half.repeat(127)));
        fs::write(history.path(), vec![b'x'; MOST_BYTES as usize + 1]).unwrap();
        assert!(history.fit().is_err_and(|why| why.ends_with("has 8.0 MiB, and at most 8.0 MiB are read")));
    }
}
