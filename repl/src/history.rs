//! The history file, in the line editor's own format: a first line `#V2`, then a line for each statement with
//! `\` and line ends escaped.
//!
//! The line editor would rewrite the whole file if another session has added to it, and a session killed meanwhile
//! would lose it. Here a line is only appended, and a file that has grown too long is replaced atomically.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::files::{self, Existing};

const HEAD: &str = "#V2\n";

pub(crate) struct History {
    path: PathBuf,
}

impl History {
    /// Opens or makes `nnz/history` in the user's state folder, cut to its last `most` entries; `None` if there is
    /// no place for it.
    pub(crate) fn open(most: usize) -> Option<History> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
        let folder = state.join("nnz");
        fs::create_dir_all(&folder).ok()?;
        let history = History { path: folder.join("history") };
        // One that stays long is no reason to stop.
        let _ = history.shorten(most);
        Some(history)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a statement at the end.
    pub(crate) fn add(&self, text: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.path)?;
        let mut line = before_new_line(&mut file)?.to_string();
        line += &text.replace('\\', "\\\\").replace('\n', "\\n");
        line.push('\n');
        file.write_all(line.as_bytes())
    }

    fn shorten(&self, most: usize) -> io::Result<()> {
        let text = fs::read_to_string(&self.path)?;
        let entries = text.lines().count().saturating_sub(1);
        let Some(path) = self.path.to_str().filter(|_| text.starts_with(HEAD) && entries > most) else { return Ok(()) };
        let kept: String = text.lines().skip(1 + entries - most).map(|line| format!("{line}\n")).collect();
        files::write(path, Existing::Replaced, &mut |out| out.write_all(format!("{HEAD}{kept}").as_bytes()))?;
        Ok(())
    }
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
}
