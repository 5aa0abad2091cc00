//! Mistakes in a command line as a whole, in the words of the person who typed it.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command_like;
use crate::render::one_line;
use nnz_core::languages::LANGUAGES;

/// What to print in place of an error of the parser of options, if its cause is known.
pub(crate) fn told(error: &clap::Error, words: &[String]) -> Option<String> {
    match error.kind() {
        ErrorKind::ArgumentConflict => unquoted(words).or_else(|| two_kernels(words)),
        ErrorKind::InvalidValue => view_of_gpu(error),
        ErrorKind::InvalidSubcommand => {
            let word = words.last()?;
            let near = command_like(word).map(|command| format!("did you mean `nnz help {command}`?"));
            let help = near.unwrap_or_else(|| "`nnz --help` lists the commands".to_string());
            Some(format!("error: there is no command `{}`\n  = help: {help}\n", one_line(word)))
        }
        _ => None,
    }
}

/// `nnz -c x = [1]`: the shell makes several words of statements without quotes.
fn unquoted(words: &[String]) -> Option<String> {
    let at = words.iter().position(|word| word == "-c")?;
    let statements =
        words.get(at + 1..).filter(|rest| rest.len() > 1 && rest.iter().all(|word| !word.starts_with("--")))?;
    let again = statements.iter().any(|word| word == "-c");
    if again || is_file(&statements[1]) {
        return Some(not_together(again));
    }
    let whole = one_line(&statements.join(" "));
    let quote = if whole.contains('\'') { '"' } else { '\'' };
    Some(format!(
        "error: `-c` takes one word, and `{}` stands behind it\n  = help: put the statements in quotes: `nnz -c {quote}{whole}{quote}`\n",
        one_line(&statements[1])
    ))
}

/// `--kernel y --function f`: two names of one option.
fn two_kernels(words: &[String]) -> Option<String> {
    let given = |option: &str| words.iter().any(|word| word.split('=').next() == Some(option));
    (given("--kernel") && given("--function")).then(|| {
        let help =
            "`--kernel` names what a session computes, `--function` a function of an MLIR program: give one of them";
        format!("error: `--kernel` and `--function` are the same option\n  = help: {help}\n")
    })
}

/// `nnz lower k.nnz --to cuda`: what is shown of kernels on a GPU has names of its own.
fn view_of_gpu(error: &clap::Error) -> Option<String> {
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (option, value) = (said(ContextKind::InvalidArg)?, said(ContextKind::InvalidValue)?);
    let meant =
        matches!(value.to_ascii_lowercase().as_str(), "cuda" | "cu" | "gpu" | "nvptx" | "nvvm" | "cubin" | "hip");
    (meant && option.starts_with("--to ")).then(|| {
        let help = "`--to ptx` shows the code of a kernel on a GPU, `--to grid` its loops there";
        format!("error: there is no view `{}`\n  = help: {help}\n", one_line(value))
    })
}

fn is_file(word: &str) -> bool {
    let ends = |ending: &&str| word.strip_suffix(*ending).is_some_and(|name| name.ends_with('.'));
    let mut endings = LANGUAGES.rows().iter().flat_map(|row| row.extensions);
    std::path::Path::new(word).exists() || endings.any(ends)
}

/// `nnz -c 'x = [1]' b.nnz`, `nnz -c 'x = [1]' -c 'x'`
fn not_together(again: bool) -> String {
    let (message, help) = match again {
        true => (
            "a second `-c` stands behind the statements",
            "separate statements by `;` in one pair of quotes: `nnz -c 'x = [1]; x'`",
        ),
        false => (
            "statements and files do not go together, and a file stands behind `-c`",
            "run the file alone, or take its encodings over, which is what `use` takes of a `.nnz` file: `nnz -c 'use \"FILE\"; ...'`",
        ),
    };
    format!("error: {message}\n  = help: {help}\n")
}

/// A word among files that is not a file: a command after a file, or the unit of a size.
pub(crate) fn misplaced(words: &[String], cli: &clap::Command) -> Option<String> {
    let exists = |word: &str| std::path::Path::new(word).exists();
    let unit =
        |word: &str| matches!(word.trim_end_matches(['B', 'b', 'i']), "K" | "k" | "M" | "m" | "G" | "g" | "T" | "t");
    for (at, word) in words.iter().enumerate().skip(2).filter(|(_, word)| !exists(word)) {
        let before = &words[at - 1];
        if unit(word) && words[at - 2] == "--max-memory" {
            return Some(format!(
                "error: a size is one word, and `{word}` stands behind it\n  = help: write `--max-memory {before}{word}`\n"
            ));
        }
        if exists(&words[1]) && !words[at - 1].starts_with('-') && cli.find_subcommand(word).is_some() {
            let (file, word) = (one_line(&words[1]), one_line(word));
            return Some(format!(
                "error: a command stands in front of its files\n  = help: write `nnz {word} {file}`\n"
            ));
        }
    }
    None
}
