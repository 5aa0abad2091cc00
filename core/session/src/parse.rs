//! Whether a text is complete, or needs more lines.

use nnz_check::command::Command;
use nnz_syntax as syntax;

/// Whether a text can be run as it is, or the user is still in the middle of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    Complete,
    Incomplete,
}

/// Whether a prompt can run a text. A text is incomplete only if more text could complete it.
pub fn is_complete(text: &str) -> Completeness {
    // A colon alone begins a command, of which all is on one line.
    match text.trim() != ":" && syntax::session::is_incomplete(text) {
        true => Completeness::Incomplete,
        false => Completeness::Complete,
    }
}

/// An unfinished statement, and the command on the line after it, which discards the statement.
pub fn given_up(text: &str) -> Option<(&str, &str)> {
    let (before, last) = text.trim_end().rsplit_once(['\n', '\r'])?;
    let word = last.trim_start().strip_prefix(':')?;
    let name = word.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let is_command = Command::info(name).is_some() && is_complete(before) == Completeness::Incomplete;
    is_command.then_some((before, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_text_is_incomplete() {
        assert_eq!(is_complete("y(i) = A(i, j) *"), Completeness::Incomplete);
        assert_eq!(is_complete("y(i) = )"), Completeness::Complete);
        assert_eq!(is_complete(": \n"), Completeness::Complete);
    }

    #[test]
    fn a_command_gives_an_unfinished_statement_up() {
        assert_eq!(given_up("x = [1,\n2\n:quit"), Some(("x = [1,\n2", ":quit")));
        assert_eq!(given_up("y(i) = 2 *\n  :vars\n"), Some(("y(i) = 2 *", "  :vars")));
        for text in
            [":quit", "x = [1, 2]\n:quit", "#A = #sparse_tensor.encoding<{ map = (i) -> (i\n:dense", "x = [1,\n2"]
        {
            assert_eq!(given_up(text), None, "{text}");
        }
    }
}
