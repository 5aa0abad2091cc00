//! `nnz lower`, `nnz time` and `nnz compare`: a session runs without a word, and then its kernels are looked at.

use std::{collections::HashMap, path::Path};

use nnz_core::{
    diagnostic::Severity,
    session::{Lowering, Outcome, Session, Verdict, View},
    source::{Language, Source},
    view::number::duration,
};
use serde_json::Value as Json;

use crate::{
    cli::{Compare, Kernel, Time},
    exit::Exit,
    output::{Format, Output, eprint, print},
    program, script,
};

/// What a text is called that the command line stands for.
const COMMAND_LINE: &str = "<command line>";

/// The statements that defined each name.
type Statements = HashMap<String, String>;

/// `nnz lower`: one kernel, or each of the session; of an MLIR program, those of a function.
pub(crate) fn lower(session: &mut Session, output: &mut Output, kernel: &Kernel, to: View) -> Exit {
    if let [file] = kernel.files.as_slice()
        && is_mlir(file)
    {
        let how = Lowering { function: kernel.kernel.as_deref(), view: to, float_order: session.options.float_order };
        return match script::read(file) {
            Ok((name, text)) => program::lower(output, &name, text, how),
            Err(reason) => failed(&format!("{}: {reason}", file.display())),
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
    let show = |name: &String| format!(":show {} {name}\n", to.name());
    script::run_text(session, output, COMMAND_LINE, names.iter().map(show).collect(), false)
}

/// `nnz time`.
pub(crate) fn time(session: &mut Session, output: &mut Output, time: &Time) -> Exit {
    let chosen = prepare(session, output, &time.kernel).and_then(|_| the_kernel(session, &time.kernel));
    let name = match chosen {
        Ok(name) => name,
        Err(exit) => return exit,
    };
    if !time.serve {
        return script::run_text(session, output, COMMAND_LINE, format!(":time {name}"), false);
    }
    let source = output.add(COMMAND_LINE, name);
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
    let prepared = prepare(session, output, &compare.kernel);
    let chosen = prepared.and_then(|statements| Ok((the_kernel(session, &compare.kernel)?, statements)));
    let (name, statements) = match chosen {
        Ok(chosen) => chosen,
        Err(exit) => return exit,
    };
    let Some(statement) = statements.get(&name) else {
        return failed(&format!("no statement defines `{name}`"));
    };
    let mut rows = Vec::new();
    for format in &compare.formats {
        let tensor = &compare.tensor;
        let text = format!("{tensor} : {format} = {tensor}\n{statement}\n:time {name}\n");
        // Each starts from the session as it was.
        match quietly(&mut session.clone(), output, COMMAND_LINE, text) {
            Ok(outcomes) => {
                rows.extend(outcomes.into_iter().find(|json| json["kind"] == "timing").map(|json| (format, json)))
            }
            Err(exit) => return exit,
        }
    }
    match output.format() {
        Format::Json => rows.iter().for_each(|(_, json)| print(&format!("{json}\n"))),
        Format::Text => print(&table(&rows)),
    }
    Exit::Fine
}

/// Median and least time of each format, and how many times the best one's median it takes.
fn table(rows: &[(&String, Json)]) -> String {
    let median = |json: &Json| json["median_ns"].as_f64().unwrap_or(0.0);
    let best = rows.iter().map(|(_, json)| median(json)).fold(f64::INFINITY, f64::min);
    let width = rows.iter().map(|(format, _)| format.chars().count()).max().unwrap_or(0).max(6);
    let row = |(format, json): &(&String, Json)| {
        let least = json["min_ns"].as_f64().unwrap_or(0.0);
        let ratio = if best > 0.0 { median(json) / best } else { 1.0 };
        format!("{format:width$}  {:>10}  {:>10}  {ratio:>8.2}\n", duration(median(json)), duration(least))
    };
    let head = format!("{:width$}  {:>10}  {:>10}  {:>8}\n", "format", "median", "least", "to best");
    head + &rows.iter().map(row).collect::<String>()
}

/// Runs the session's files or statements.
fn prepare(session: &mut Session, output: &mut Output, kernel: &Kernel) -> Result<Statements, Exit> {
    let mut statements = Statements::new();
    let mut run = |name: &str, text: String| {
        let source = output.add(name, text);
        let defined = run_source(session, output, &source)?;
        let defined = defined.into_iter().filter(|(_, json)| json["kind"] == "definition");
        statements.extend(defined.filter_map(|(text, json)| Some((json["name"].as_str()?.to_string(), text))));
        Ok(())
    };
    if let Some(text) = &kernel.statements {
        run(COMMAND_LINE, text.clone())?;
    }
    for file in &kernel.files {
        let (name, text) = script::read(file).map_err(|reason| failed(&format!("{}: {reason}", file.display())))?;
        if is_mlir(file) {
            let reason = "an MLIR program stands alone here: `nnz lower FILE.mlir --function NAME --to loops`";
            return Err(failed(&format!("{name}: {reason}")));
        }
        run(&name, text)?;
    }
    Ok(statements)
}

fn is_mlir(file: &Path) -> bool {
    file.to_str().is_some_and(|path| Language::of_path(path) == Language::Mlir)
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

/// The objects of all statements of `text`, which say nothing but what is wrong.
fn quietly(session: &mut Session, output: &mut Output, name: &str, text: String) -> Result<Vec<Json>, Exit> {
    let source = output.add(name, text);
    run_source(session, output, &source).map(|outcomes| outcomes.into_iter().map(|(_, json)| json).collect())
}

/// Each statement's text and object. Hints are left to what is asked for.
fn run_source(session: &mut Session, output: &mut Output, source: &Source) -> Result<Vec<(String, Json)>, Exit> {
    let mut outcomes = Vec::new();
    let verdict = session.run(source, false, &mut |outcome: Outcome| {
        let said = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity() != Severity::Hint);
        said.for_each(|diagnostic| output.diagnostic(diagnostic));
        outcomes.push((source.slice(outcome.span).to_string(), outcome.json));
    });
    match verdict {
        Verdict::Fine | Verdict::Quit => Ok(outcomes),
        Verdict::Failed => Err(Exit::Failed),
        Verdict::Cancelled => Err(Exit::Interrupted),
    }
}

fn failed(reason: &str) -> Exit {
    eprint(&format!("error: {reason}\n"));
    Exit::Failed
}
