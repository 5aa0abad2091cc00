//! `nnz lower`, `nnz time` and `nnz compare`: a session runs without output, then its kernels are examined.

use nnz_core::{
    backend::c::Written,
    diagnostic::{Code, Severity},
    languages::{Execution, FrontEnd},
    session::{Event, Lowering, Refused, Session, Timed, Told, UsualFormats, Verdict, View, Word, json::text},
    source::Source,
    view::number::duration,
};
use serde_json::json;

use crate::{
    arrays,
    cli::{Compare, Kernel, Lower, Shown, Time},
    exit::Exit,
    format,
    language::{called, language_of},
    output::{Content, Format, Output, failed, print, print_json},
    program::{self, several_kernels, too_many_pictures},
    render::one_line,
    texts::{Text, not_run, open},
    words::{COMMAND_LINE, CommandLine},
};

/// The options whose values diagnostics point at.
const KERNEL: [&str; 2] = ["--kernel", "--function"];
const TENSOR: [&str; 1] = ["--tensor"];
const IN: [&str; 1] = ["--in"];
const NO_KERNEL: &str = "no statement computes anything: there is no kernel such as `y(i) = A(i, j) * x(j)`";

/// `nnz lower`: one kernel, or each of the session; of an MLIR program, those of a function.
pub(crate) fn lower(session: &mut Session, output: &mut Output, lower: &Lower) -> Exit {
    let Lower { kernel, to, target: gpu } = lower;
    if let [file] = kernel.files.as_slice()
        && let Some(functions) =
            language_of(called(file, output.stdin_name.as_deref())).and_then(|language| language.of_arrays())
    {
        return match open(output, file) {
            Ok(Text { name, text, .. }) => {
                let gpu = gpu.unwrap_or_default();
                arrays::lower(output, (&name, text), (functions, (kernel.kernel.as_deref(), *to, gpu)))
            }
            Err(exit) => exit,
        };
    }
    let Shown::View(to) = *to else {
        return failed(&format!("`--to {}` is for one SparseTIR script, and this is none", to.name()));
    };
    let gpu = gpu.unwrap_or_default();
    session.options.gpu = gpu;
    if let [file] = kernel.files.as_slice()
        && let Some(Execution::Functions(read)) =
            language_of(called(file, output.stdin_name.as_deref())).map(|language| language.execution)
    {
        let how =
            Lowering { function: kernel.kernel.as_deref(), view: to, float_order: session.options.float_order, gpu };
        return match open(output, file) {
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
        return failed(NO_KERNEL);
    }
    if too_many_pictures(output, to, names.len()) {
        return failed(&format!("an SVG shows one kernel: name one with --kernel: {}", names.join(", ")));
    }
    let (line, mut written) = (output.command_line(), Written::default());
    for name in &names {
        let head = head(to, name).filter(|_| names.len() > 1 && output.format() == Format::Text);
        head.iter().for_each(|head| print(head));
        match session.lower(&line.source, (to, &line.value_of(&KERNEL, name)), &mut written) {
            Ok(Told { value, notes }) => output.answer(|| value.clone(), || text(&value), &notes),
            Err(refused) => return output.refused(&refused),
        }
    }
    Exit::Fine
}

/// A comment that says whose code follows, in languages whose texts of several kernels have the same labels.
fn head(to: View, name: &str) -> Option<String> {
    let sign = match to {
        View::Asm => "#",
        View::Llvm => ";",
        View::Ptx => "//",
        View::Levels
        | View::Tree
        | View::Storage
        | View::Dump
        | View::Spy
        | View::Graph
        | View::Svg
        | View::Lattice => return None,
        View::Plan | View::Loops | View::Lowered | View::Grid | View::C | View::Mlir => return None,
    };
    Some(format!("{sign} kernel {name}\n"))
}

/// `nnz time`.
pub(crate) fn time(session: &mut Session, output: &mut Output, time: &Time) -> Exit {
    let name = match chosen(session, output, &time.kernel) {
        Ok(name) => name,
        Err(exit) => return exit,
    };
    let line = output.command_line();
    let name = line.value_of(&KERNEL, &name);
    let ended = match time.serve {
        true => session.serve(&line.source, &name, std::io::stdin().lock(), std::io::stdout().lock()).map(|_| ()),
        false => session.time(&line.source, &name).map(|Told { value, notes }| {
            output.answer(|| value.markup(session.options.screen.width), || value.json(), &notes);
        }),
    };
    ended.map_or_else(|refused| output.refused(&refused), |()| Exit::Fine)
}

/// `nnz compare`: the kernel again for each format of one operand.
pub(crate) fn compare(session: &mut Session, output: &mut Output, compare: &Compare) -> Exit {
    if compare.formats.iter().any(|word| format::is_none(output, word, Some("--in"))) {
        return Exit::Failed;
    }
    let name = match chosen(session, output, &compare.kernel) {
        Ok(name) => name,
        Err(exit) => return exit,
    };
    let line = output.command_line();
    let name = line.value_of(&KERNEL, &name);
    let tensor = compare.tensor.as_deref().map(|tensor| line.value_of(&TENSOR, tensor));
    let usual = match session.usual_formats(&line.source, (&name, tensor.as_ref())) {
        Ok(told) => told.value,
        Err(refused) => return output.refused(&refused),
    };
    let words = (&name, &line.value_of(&TENSOR, &usual.operand));
    let compared = match compare.formats.is_empty() {
        true => Ok(compared_usually(session, &line.source, words, &usual)),
        false => compared(session, output, &line, (words, &compare.formats)),
    };
    compared.map_or_else(|exit| exit, |compared| compared.print(output))
}

/// The kernel with its tensor in each of the formats that are usual; one that it cannot have is left out.
fn compared_usually<'f>(
    session: &Session,
    line: &Source,
    words: (&Word, &'f Word),
    usual: &'f UsualFormats,
) -> Compared<'f> {
    let mut compared = Compared::of(words.1);
    for (format, spec) in &usual.formats {
        match session.time_with(line, words, spec) {
            Ok(Told { value: found, .. }) => compared.rows.push(Row { format, found }),
            Err(refused) => {
                compared.left_out.extend(refused.diagnostics.last().map(|why| (&**format, why.message.clone())))
            }
        }
    }
    compared
}

/// The kernel with its tensor in each of the requested formats.
///
/// # Errors
/// A word that is not a format, or data that the format does not hold; both are reported.
fn compared<'f>(
    session: &Session,
    output: &mut Output,
    line: &CommandLine,
    (words, formats): ((&Word, &'f Word), &'f [String]),
) -> Result<Compared<'f>, Exit> {
    let specs: Vec<_> =
        formats.iter().map(|format| session.format(&line.source, &line.value_of(&IN, format))).collect();
    if specs.iter().any(Result::is_err) {
        let refused = specs.iter().filter_map(|spec| spec.as_ref().err());
        return Err(refused.fold(Exit::Failed, |_, refused| output.refused(refused)));
    }
    let mut compared = Compared::of(words.1);
    for (format, spec) in formats.iter().zip(specs.into_iter().flatten()) {
        match session.time_with(&line.source, words, &spec.value) {
            Ok(Told { value: found, notes }) => {
                let said = notes.iter().filter(|diagnostic| diagnostic.severity() < Severity::Information);
                said.for_each(|diagnostic| output.diagnostic(diagnostic));
                compared.rows.push(Row { format, found });
            }
            Err(refused) => {
                return Err(output.refused(&with_format(refused, &line.value_of(&IN, format), &words.1.text)));
            }
        }
    }
    Ok(compared)
}

/// The refusal, with the format that it is about.
fn with_format(mut refused: Refused, format: &Word, tensor: &str) -> Refused {
    for told in refused.diagnostics.iter_mut().filter(|told| told.is_error() && told.code == Code::IllegalStep) {
        told.message = format!("with `{tensor}` in `{}`, {}", format.text, told.message);
        told.primary.span = format.span;
    }
    refused
}

/// A kernel with one of its tensors in several formats.
struct Compared<'f> {
    tensor: &'f str,
    rows: Vec<Row<'f>>,
    /// Formats that the tensor cannot have, and why.
    left_out: Vec<(&'f str, String)>,
}

impl<'f> Compared<'f> {
    fn of(tensor: &'f Word) -> Compared<'f> {
        Compared { tensor: &tensor.text, rows: Vec::new(), left_out: Vec::new() }
    }

    fn print(&self, output: &Output) -> Exit {
        match output.format() {
            Format::Text => print(&self.table()),
            Format::Json(content) => {
                self.rows.iter().for_each(|row| print_json(&row.found.json()));
                if content == Content::Text {
                    print_json(&json!({ "kind": "table", "tensor": self.tensor, "text": self.table() }));
                }
            }
        }
        Exit::Fine
    }

    fn table(&self) -> String {
        let left_out = |(format, why): &(&str, String)| format!("{format}: left out: {}\n", one_line(why));
        table(&self.rows) + &self.left_out.iter().map(left_out).collect::<String>()
    }
}

/// The kernel with its tensor in one format.
struct Row<'f> {
    format: &'f str,
    found: Timed,
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
    let before = |row: &Row<'_>| row.found.before_text().map(|text| format!("{}: {text}\n", row.format));
    head + &rows.iter().map(row).collect::<String>() + &rows.iter().filter_map(before).collect::<String>()
}

/// The name that the kernel defines, once everything before it has run: statements, or a program.
fn chosen(session: &mut Session, output: &mut Output, kernel: &Kernel) -> Result<String, Exit> {
    if let [file] = kernel.files.as_slice()
        && let Some(Execution::Functions(read)) =
            language_of(called(file, output.stdin_name.as_deref())).map(|language| language.execution)
    {
        let Text { name, text, .. } = open(output, file)?;
        return program::catch(session, output, program::Text { name: &name, text, read }, kernel.kernel.as_deref());
    }
    prepare(session, output, kernel).and_then(|()| the_kernel(session, output, kernel))
}

/// Runs the session's files or statements.
fn prepare(session: &mut Session, output: &mut Output, kernel: &Kernel) -> Result<(), Exit> {
    let mut run = |output: &mut Output, name: &str, text: String| {
        let source = output.add(name, text);
        run_source(session, output, &source)
    };
    if let Some(text) = &kernel.statements {
        run(output, COMMAND_LINE, text.clone())?;
    }
    for file in &kernel.files {
        let Text { language, name, text } = open(output, file)?;
        match language.execution {
            Execution::Statements(_) => run(output, &name, text)?,
            Execution::Functions(_) => return Err(stands_alone(&name, language)),
            Execution::Arrays(_) | Execution::Nothing => return Err(not_run(output, &name, language)),
        }
    }
    Ok(())
}

/// The error for a file of functions among other files.
fn stands_alone(name: &str, language: &FrontEnd) -> Exit {
    let ending = language.extensions.first().copied().unwrap_or_default();
    let instead = format!("`nnz lower FILE.{ending} --function NAME --to loops`");
    failed(&format!("{name}: a program stands alone here: {instead}"))
}

/// The kernel that is named, or the only one.
fn the_kernel(session: &Session, output: &mut Output, kernel: &Kernel) -> Result<String, Exit> {
    if let Some(name) = &kernel.kernel {
        return Ok(name.clone());
    }
    let names: Vec<&str> = session.computed().collect();
    match names.as_slice() {
        [name] => Ok(name.to_string()),
        [] => Err(failed(NO_KERNEL)),
        several => {
            let file = kernel.files.first().map_or("-c".to_string(), |file| file.display().to_string());
            Err(several_kernels(output, &file, several))
        }
    }
}

/// Runs statements and prints only errors. Hints come with the answer.
fn run_source(session: &mut Session, output: &mut Output, source: &Source) -> Result<(), Exit> {
    let verdict = session.run_telling(source, false, &mut |event| match event {
        Event::Ahead(_) => {}
        Event::Printed(text) => output.printed(text),
        Event::Ended(outcome) => {
            let said = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity() < Severity::Information);
            said.for_each(|diagnostic| output.diagnostic(diagnostic));
        }
    });
    match verdict {
        Verdict::Fine | Verdict::Quit => Ok(()),
        Verdict::Failed => Err(Exit::Failed),
        Verdict::Cancelled => Err(Exit::Interrupted),
    }
}
