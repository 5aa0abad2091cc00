//! `nnz lower`, `nnz time` and `nnz compare`: a session runs without output, then its kernels are examined.

use std::collections::HashMap;

use nnz_core::{
    diagnostic::{Code, Severity, did_you_mean},
    ids::FileId,
    languages::{Execution, FrontEnd},
    session::{Effect, Event, Lowering, Outcome, Session, Timed, Verdict, before_text},
    source::{Source, Span},
    view::number::duration,
};
use serde_json::Value as Json;

use crate::{
    cli::{Compare, Kernel, Lower, Time},
    exit::Exit,
    format,
    output::{Format, Output, eprint, print},
    program,
    render::one_line,
    script::{self, Text},
    words::{COMMAND_LINE, Statements},
};

/// The statements that defined each name, and where they stand.
type Defined = HashMap<String, (String, FileId, usize)>;

/// `nnz lower`: one kernel, or each of the session; of an MLIR program, those of a function.
pub(crate) fn lower(session: &mut Session, output: &mut Output, lower: &Lower) -> Exit {
    let Lower { kernel, to, target: gpu } = lower;
    let (to, gpu) = (*to, *gpu);
    session.options.gpu = gpu;
    if let [file] = kernel.files.as_slice()
        && let Some(Execution::Functions(read)) = script::language_of(file).map(|language| language.execution)
    {
        let how =
            Lowering { function: kernel.kernel.as_deref(), view: to, float_order: session.options.float_order, gpu };
        return match script::open(output, file) {
            Ok(Text { name, text, .. }) => program::lower(output, program::Text { name: &name, text, read }, how),
            Err(exit) => exit,
        };
    }
    if let Err(exit) = prepare(session, output, kernel) {
        return exit;
    }
    let names: Vec<String> = match &kernel.kernel {
        Some(name) => vec![name.clone()],
        None => session.computed().map(String::from).collect(),
    };
    if names.is_empty() {
        return failed("no statement computes anything");
    }
    let lines = names.iter().fold(Statements::default(), |all, name| all.word(name).own("\n"));
    let source = output.add_statements(&lines);
    match session.lower(&source, to, &mut |outcome| output.outcome(&outcome)) {
        Ok(()) => Exit::Fine,
        Err(diagnostic) => {
            output.diagnostic(&diagnostic);
            Exit::Failed
        }
    }
}

/// `nnz time`.
pub(crate) fn time(session: &mut Session, output: &mut Output, time: &Time) -> Exit {
    let chosen = prepare(session, output, &time.kernel).and_then(|_| the_kernel(session, &time.kernel));
    let name = match chosen {
        Ok(name) => name,
        Err(exit) => return exit,
    };
    if !time.serve {
        return script::run_statements(session, output, &Statements::default().own(":time ").word(&name));
    }
    let source = output.add_statements(&Statements::default().word(&name));
    match session.serve(&source, std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => Exit::Fine,
        Err(diagnostic) => {
            output.diagnostic(&diagnostic);
            Exit::Failed
        }
    }
}

/// `nnz compare`: the kernel again for each format of one operand.
pub(crate) fn compare(session: &mut Session, output: &mut Output, compare: &Compare) -> Exit {
    if compare.formats.iter().any(|word| format::is_none(output, word, Some("--in"))) {
        return Exit::Failed;
    }
    let prepared = prepare(session, output, &compare.kernel);
    let chosen = prepared.and_then(|statements| Ok((the_kernel(session, &compare.kernel)?, statements)));
    let (name, statements) = match chosen {
        Ok(chosen) => chosen,
        Err(exit) => return exit,
    };
    let Some((statement, file, start)) = statements.get(&name) else {
        return failed(&format!("no statement defines `{name}`"));
    };
    if !statements.contains_key(&compare.tensor) {
        return no_tensor(output, &compare.tensor, &name, &statements);
    }
    let mut rows = Vec::new();
    for format in &compare.formats {
        let tensor = &compare.tensor;
        let again = Statements::default().word(tensor).own(" : ").word(format).own(" = ").word(tensor).own("\n");
        let again = again.copy(statement, *file, *start).own(&format!("\n:time {name}\n"));
        let source = output.add_statements(&again);
        // Each starts from the session as it was.
        match run_source(&mut session.clone(), output, &source) {
            Ok(outcomes) => {
                let timed = outcomes.into_iter().find_map(|outcome| match outcome.effect {
                    Effect::Timed(found) => Some(Row { format, found, json: outcome.json }),
                    Effect::None | Effect::Defined(_) => None,
                });
                rows.extend(timed);
            }
            Err(exit) => return exit,
        }
    }
    match output.format() {
        Format::Json => rows.iter().for_each(|row| print(&format!("{}\n", row.json))),
        Format::Text => print(&table(&rows)),
    }
    Exit::Fine
}

/// `--tensor` names what the session does not define.
fn no_tensor(output: &mut Output, tensor: &str, kernel: &str, defined: &Defined) -> Exit {
    let mut names: Vec<&str> = defined.keys().map(String::as_str).filter(|name| *name != kernel).collect();
    names.sort_unstable();
    let wrong = output.wrong_word(tensor, Code::UnknownName, format!("there is no tensor `{tensor}`"));
    let span = wrong.primary.span;
    let wrong = wrong.label("not defined in the session");
    output.diagnostic(&match (did_you_mean(tensor, names.iter().copied()), names.as_slice()) {
        (Some(near), _) => wrong.guess(span, near),
        (None, []) => wrong,
        (None, names) => wrong.help(format!("there is `{}`", names.join("`, `"))),
    });
    Exit::Failed
}

/// The kernel with its tensor in one format.
struct Row<'f> {
    format: &'f str,
    found: Timed,
    json: Json,
}

/// Median and least time of each format, and how many times the best one it takes, each with what is made before its
/// loops.
fn table(rows: &[Row<'_>]) -> String {
    let best = rows.iter().map(|row| row.found.whole_ns()).fold(f64::INFINITY, f64::min);
    let width = rows.iter().map(|row| row.format.chars().count()).max().unwrap_or(0).max(6);
    let row = |Row { format, found, .. }: &Row<'_>| {
        let ratio = if best > 0.0 { found.whole_ns() / best } else { 1.0 };
        let [median, least] = [found.loops.median_ns, found.loops.min_ns].map(duration);
        format!("{format:width$}  {median:>10}  {least:>10}  {ratio:>8.2}\n")
    };
    let head = format!("{:width$}  {:>10}  {:>10}  {:>8}\n", "format", "median", "least", "to best");
    let before = |row: &Row<'_>| before_text(&row.found.before).map(|text| format!("{}: {text}\n", row.format));
    head + &rows.iter().map(row).collect::<String>() + &rows.iter().filter_map(before).collect::<String>()
}

/// Runs the session's files or statements.
fn prepare(session: &mut Session, output: &mut Output, kernel: &Kernel) -> Result<Defined, Exit> {
    let mut statements = Defined::new();
    let mut run = |output: &mut Output, name: &str, text: String| {
        let source = output.add(name, text);
        let defined = run_source(session, output, &source)?;
        let place = |span: Span| (source.slice(span).to_string(), source.id, span.start as usize);
        statements.extend(defined.into_iter().filter_map(|outcome| match outcome.effect {
            Effect::Defined(name) => Some((name, place(outcome.span))),
            Effect::None | Effect::Timed(_) => None,
        }));
        Ok(())
    };
    if let Some(text) = &kernel.statements {
        run(output, COMMAND_LINE, text.clone())?;
    }
    for file in &kernel.files {
        let Text { language, name, text } = script::open(output, file)?;
        match language.execution {
            Execution::Statements(_) => run(output, &name, text)?,
            Execution::Functions(_) => return Err(stands_alone(&name, language)),
            Execution::Nothing => return Err(script::not_run(output, &name, language)),
        }
    }
    Ok(statements)
}

/// A file of functions beside others.
fn stands_alone(name: &str, language: &FrontEnd) -> Exit {
    let ending = language.extensions.first().copied().unwrap_or_default();
    let instead = format!("`nnz lower FILE.{ending} --function NAME --to loops`");
    failed(&format!("{name}: a program stands alone here: {instead}"))
}

/// The kernel that is named, or the only one.
fn the_kernel(session: &Session, kernel: &Kernel) -> Result<String, Exit> {
    if let Some(name) = &kernel.kernel {
        return Ok(name.clone());
    }
    let names: Vec<&str> = session.computed().collect();
    match names.as_slice() {
        [name] => Ok(name.to_string()),
        [] => Err(failed("no statement computes anything")),
        several => Err(failed(&format!("there are several kernels: name one with --kernel: {}", several.join(", ")))),
    }
}

/// The outcome of each statement. Hints are left to what is asked for.
fn run_source(session: &mut Session, output: &mut Output, source: &Source) -> Result<Vec<Outcome>, Exit> {
    let mut outcomes = Vec::new();
    let verdict = session.run_telling(source, false, &mut |event| match event {
        Event::Ahead(_) => {}
        Event::Printed(text) => print(text),
        Event::Ended(outcome) => {
            let said = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity() != Severity::Hint);
            said.for_each(|diagnostic| output.diagnostic(diagnostic));
            outcomes.push(*outcome);
        }
    });
    match verdict {
        Verdict::Fine | Verdict::Quit => Ok(outcomes),
        Verdict::Failed => Err(Exit::Failed),
        Verdict::Cancelled => Err(Exit::Interrupted),
    }
}

fn failed(reason: &str) -> Exit {
    eprint(&format!("error: {}\n", one_line(reason)));
    Exit::Failed
}
