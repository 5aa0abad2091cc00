//! Files, pipes and one-liners: no prompt, no line editor. The whole text is parsed, so that an
//! unfinished last statement is an error and not lost.

use std::path::{Path, PathBuf};

use nnz_core::{
    diagnostic::Diagnostic,
    session::{Session, Verdict},
    source::{Language, Source},
};

use crate::{
    cli::{self, Check, Run},
    exit::Exit,
    expected, files,
    host::Cancel,
    output::{Output, eprint},
    program,
};

/// What a text is called that has no file.
const STDIN: &str = "<stdin>";

/// Runs files one after the other: session files in one session, programs each by itself.
pub(crate) fn run_all(session: &mut Session, output: &mut Output, run: &Run, cancel: &Cancel) -> Exit {
    let printer = program::Printer::default();
    in_turn(&run.files, run.keep_going, |name, text| match Language::of_path(&name) {
        Language::Mlir => match &run.program.args {
            Some(given) => program::call(session, output, (&name, text), (run.entry(), given)),
            None => program::run(run, output, &name, text, (cancel, &printer)),
        },
        Language::Nnz => run_text(session, output, &name, text, run.keep_going),
    })
}

/// Runs session files one after the other in one session.
pub(crate) fn run_files(session: &mut Session, output: &mut Output, files: &[PathBuf], keep_going: bool) -> Exit {
    in_turn(files, keep_going, |name, text| run_text(session, output, &name, text, keep_going))
}

fn in_turn(files: &[PathBuf], keep_going: bool, mut run: impl FnMut(String, String) -> Exit) -> Exit {
    let mut exit = Exit::Fine;
    for file in files {
        let ran = match read(file) {
            Ok((name, text)) => run(name, text),
            Err(reason) => unreadable(file, &reason),
        };
        exit = exit.worse(ran);
        if exit == Exit::Interrupted || exit != Exit::Fine && !keep_going {
            break;
        }
    }
    exit
}

/// Runs one text.
pub(crate) fn run_text(session: &mut Session, output: &mut Output, name: &str, text: String, keep_going: bool) -> Exit {
    let source = output.add(name, text);
    match session.run_telling(&source, keep_going, &mut |event| output.event(&event)) {
        Verdict::Fine | Verdict::Quit => Exit::Fine,
        Verdict::Failed => Exit::Failed,
        Verdict::Cancelled => Exit::Interrupted,
    }
}

/// Runs standard input.
pub(crate) fn run_stdin(session: &mut Session, output: &mut Output, keep_going: bool) -> Exit {
    run_files(session, output, &[PathBuf::from("-")], keep_going)
}

/// Prints every diagnostic of the files, each checked on its own; or where they are not as their comments say.
pub(crate) fn check(session: &Session, output: &mut Output, check: &Check) -> Exit {
    let mut exit = Exit::Fine;
    for file in &check.files {
        match read(file) {
            Ok((name, text)) => {
                let source = output.add(&name, text);
                let found = session.check(&source, &nnz_lsp::FromDisk::beside(Some(file)));
                match check.expected {
                    true => exit = exit.worse(disagreements(&source, &found)),
                    false => found.iter().for_each(|diagnostic| output.diagnostic(diagnostic)),
                }
            }
            Err(reason) => exit = unreadable(file, &reason),
        }
    }
    if let Some(tally) = output.tally() {
        eprint(&format!("{tally}\n"));
    }
    if output.errors() > 0 { Exit::Failed } else { exit }
}

fn disagreements(source: &Source, found: &[Diagnostic]) -> Exit {
    let wrong = expected::verify(source, found);
    wrong.iter().for_each(|wrong| eprint(&format!("{}:{}: {}\n", source.name, wrong.line, wrong.message)));
    if wrong.is_empty() { Exit::Fine } else { Exit::Failed }
}

/// The name and text of a file, or of standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<(String, String), String> {
    let bytes = files::read_text(file).map_err(|error| error.to_string())?;
    let name = if file == Path::new("-") { STDIN.to_owned() } else { file.display().to_string() };
    text(bytes).map(|text| (name, text))
}

/// # Errors
/// Where the bytes are not text, by line.
fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8 text")
    })
}

fn unreadable(file: &Path, reason: &str) -> Exit {
    let is_word = file.to_str().is_some_and(|word| !word.contains(['.', '/']));
    if is_word && !file.exists() {
        eprint(&format!("error: `{}` is neither a command nor a file\n", file.display()));
        let help = file.to_str().and_then(cli::command_like).map(|command| format!("did you mean `nnz {command}`?"));
        eprint(&format!("  = help: {}\n", help.as_deref().unwrap_or("`nnz --help` lists the commands")));
        return Exit::Misused;
    }
    let reason = if file.is_dir() { "a folder, and no text" } else { reason };
    eprint(&format!("error: {}: {reason}\n", file.display()));
    if let Some(command) = file.to_str().filter(|_| !file.exists()).and_then(cli::command_like) {
        eprint(&format!("  = help: did you mean `nnz {command}`?\n"));
    }
    Exit::Failed
}
