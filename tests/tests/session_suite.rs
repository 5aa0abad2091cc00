//! Runs `suite/session/*.nnz`: sessions with their answers, on every back end.
//!
//! The lines after a statement hold its answer: `// > ` for output, `// ! ` for diagnostics, each place given
//! by the text there. `UPDATE_EXPECT=1` writes the present answers.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use nnz_core::{
    backend::Target,
    diagnostic::Diagnostic,
    ids::FileId,
    session::{Options, Outcome, Session},
    source::Source,
};
use nnz_tests::{
    parallel,
    sessions::{Files, is_answer},
};

/// The session with its answers as they are now.
fn answered(text: &str, target: Target) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !is_answer(line)).collect();
    let source = Source::new(FileId(0), "session.nnz", lines.join("\n") + "\n");
    let mut answers: Vec<(usize, String)> = Vec::new();
    let mut session =
        Session::new(Arc::new(Files), Options { engine: target.into(), told_from: 0, ..Options::default() });
    session.run(&source, true, &mut |outcome| {
        let line = source.line_col(outcome.span.end as usize).line as usize;
        answers.extend(answer(&source, &outcome).into_iter().map(|answer| (line, answer)));
    });
    let mut written = String::new();
    for (at, line) in lines.iter().enumerate() {
        written += &format!("{line}\n");
        let here = answers.iter().filter(|(line, _)| *line == at);
        here.for_each(|(_, answer)| written += &format!("{}\n", answer.trim_end()));
    }
    written
}

fn answer(source: &Source, outcome: &Outcome) -> Vec<String> {
    let mut lines: Vec<String> = outcome.diagnostics.iter().flat_map(|found| report(source, found)).collect();
    let shown = outcome.markup().map(|markup| markup.plain_text()).unwrap_or_default();
    lines.extend(shown.lines().map(|line| format!("// > {line}")));
    lines
}

fn report(source: &Source, found: &Diagnostic) -> Vec<String> {
    let at = |span| source.slice(span).lines().next().unwrap_or_default().to_string();
    let (severity, code) = (found.severity().name(), found.code.text());
    let mut lines = vec![format!("// ! {severity}[{code}] at `{}`: {}", at(found.primary.span), found.message)];
    let labels = found.secondary.iter().map(|label| format!("// !   at `{}`: {}", at(label.span), label.message));
    lines.extend(labels);
    lines.extend(found.helps.iter().map(|help| format!("// !   help: {help}")));
    lines
}

fn targets() -> Vec<Target> {
    if cfg!(feature = "llvm") { vec![Target::Interpreter, Target::Cpu] } else { vec![Target::Interpreter] }
}

#[test]
fn sessions_answer_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/session");
    let files: BTreeSet<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let wrong = parallel::each(files, |file| {
        let text = fs::read_to_string(&file).unwrap();
        let mut wrong = Vec::new();
        for target in targets() {
            let now = answered(&text, target);
            if now != text && update && target == Target::Interpreter {
                fs::write(&file, &now).unwrap();
            } else if now != text && !update {
                wrong.push(format!("{} on {target:?}:\n{now}", file.display()));
            }
        }
        wrong
    })
    .concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
