//! MLIR programs: they print to standard output and read variables from the environment.

use std::{
    io::{BufWriter, IsTerminal, Stdout, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use nnz_core::{
    check::Checked,
    diagnostic::{Code, Diagnostic, Severity},
    ide::{
        execution::{Action, Part, execution},
        kernels::kernels,
    },
    languages::Program,
    machine::{self, Sink},
    mlir::Module,
    session::{self, Lowering, NotLowered, Options, Session, Told, Typed, View, Word},
    source::{Source, Span},
    storage::files::FileKind,
};

use crate::{
    cli::Run,
    exit::{self, Exit},
    format,
    host::{Cancel, LocalHost},
    interrupt,
    output::{Content, Format, Output, eprint, failed, stdout, unwritten},
    words::CommandLine,
};

/// A program in its file: its name, its text, and how it is read.
pub(crate) struct Text<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: String,
    pub(crate) read: fn(&Source) -> Program,
}

/// A program without errors; its diagnostics have been reported.
fn load(output: &mut Output, text: Text<'_>) -> Option<(Checked, Vec<Module>)> {
    let source = output.add(text.name, text.text);
    let Program { checked, modules } = (text.read)(&source);
    report(&checked.diagnostics, modules.as_ref().err().map_or(&[], Vec::as_slice), output);
    let modules = modules.ok().filter(|_| !checked.has_errors())?;
    Some((checked, modules))
}

/// Shows the stages of compiling the kernels of a function.
pub(crate) fn lower(output: &mut Output, text: Text<'_>, how: Lowering<'_>) -> Exit {
    let Some((checked, modules)) = load(output, text) else { return Exit::Failed };
    match session::lower_program(&checked, &modules, how) {
        Ok(sites) if too_many_pictures(output, how.view, sites.len()) => {
            let count = sites.len();
            failed(&format!("an SVG shows one kernel, and these are {count}: --json writes an object for each"))
        }
        Ok(sites) => {
            sites.iter().for_each(|site| output.answer(|| site.markup.clone(), || site.json(), &site.costs));
            Exit::Fine
        }
        Err(error) => {
            let told = not_lowered(output, how.function.unwrap_or_default(), error);
            output.diagnostic(&told);
            Exit::Failed
        }
    }
}

/// The error, at the command line if a function is missing, where it was named.
fn not_lowered(output: &mut Output, function: &str, error: NotLowered) -> Diagnostic {
    match error {
        NotLowered::Other(told) => *told,
        NotLowered::NoFunction { told, similar } => {
            let typed = output.wrong_word(function, told.code, told.message).label("no such function");
            let span = typed.primary.span;
            let typed = told.helps.into_iter().fold(typed, Diagnostic::help);
            similar.into_iter().fold(typed, |typed, name| typed.guess(span, name))
        }
    }
}

/// Runs a program until it reaches a kernel: the session then has the kernel's operands and its result, whose name this
/// gives. Without a name it is the only kernel of the program.
///
/// # Errors
/// What is wrong, which has been reported.
pub(crate) fn catch(
    session: &mut Session,
    output: &mut Output,
    text: Text<'_>,
    kernel: Option<&str>,
) -> Result<String, Exit> {
    let (checked, modules) = load(output, text).ok_or(Exit::Failed)?;
    let kernel = named_kernel(output, &checked, kernel)?;
    let found = execution(&checked, &kernel, Action::Time).map_err(|reason| failed(&reason))?;
    let Part::Kernel { function, .. } = &found.part else {
        return Err(failed(&format!("`{kernel}` is no kernel of a program")));
    };
    match session.catch(&checked, &modules, (function, found.place)) {
        Ok(Told { value, notes }) => {
            let said = notes.iter().filter(|diagnostic| diagnostic.severity() < Severity::Information);
            said.for_each(|diagnostic| output.diagnostic(diagnostic));
            Ok(value)
        }
        Err(refused) => Err(output.refused(&refused)),
    }
}

fn named_kernel(output: &mut Output, checked: &Checked, kernel: Option<&str>) -> Result<String, Exit> {
    if let Some(kernel) = kernel {
        let sigil = if kernel.starts_with('@') { "" } else { "@" };
        return Ok(format!("{sigil}{kernel}"));
    }
    let names: Vec<String> = kernels(checked).into_iter().map(|it| it.name).collect();
    match names.as_slice() {
        [name] => Ok(name.clone()),
        [] => Err(failed("the program has no kernels")),
        several => {
            let names: Vec<&str> = several.iter().map(String::as_str).collect();
            Err(several_kernels(output, &checked.source.name, &names))
        }
    }
}

/// Calls a function of a program with the arguments of the command line, and prints its results.
pub(crate) fn call(session: &mut Session, output: &mut Output, text: Text<'_>, (run, given): (&Run, &str)) -> Exit {
    if let Some(open) = parts(given).into_iter().find(|part| format::unclosed(part.trim()).is_some()) {
        return unclosed(output, given, open.trim());
    }
    if let Some(at) = idle_comma(given) {
        return empty(output, given, at);
    }
    let Some(loaded) = load(output, text) else { return Exit::Failed };
    called(session, output, loaded, (run, given))
}

fn called(
    session: &mut Session,
    output: &mut Output,
    (checked, modules): (Checked, Vec<Module>),
    (run, given): (&Run, &str),
) -> Exit {
    session.learn(&checked, modules);
    let line = output.command_line();
    let named = line.value_of(&["-e", "--entry"], run.program.entry.as_deref().unwrap_or(run.entry()));
    let function = Word { text: run.entry().to_string(), ..named };
    let given = arguments(&line, given);
    match session.call(&line.source, &function, &given, &mut |event| output.event(&event)) {
        Ok(Told { value, notes }) => {
            let Options { screen, data, .. } = session.options;
            output.answer(|| value.markup(screen), || value.json(data), &notes);
            Exit::Fine
        }
        Err(refused) => output.refused(&refused),
    }
}

/// An argument with a bracket that is never closed.
fn unclosed(output: &mut Output, given: &str, argument: &str) -> Exit {
    let closing = format::unclosed(argument).unwrap_or_default();
    let mut wrong = output.wrong_word(given, Code::CommandArguments, format!("`{argument}` lacks `{closing}`"));
    let end = wrong.primary.span.end as usize;
    let start = given.rfind(argument).map_or(end, |at| wrong.primary.span.start as usize + at);
    wrong.primary.span = Span::new(start, end.max(start));
    let place = start + end_of_numbers(argument).unwrap_or(end.max(start) - start);
    output.diagnostic(&wrong.label("never closed").fix(format!("add `{closing}`"), Span::at(place), closing));
    Exit::Failed
}

/// Where the numbers of `[1, 2, [0, 0]` end: another list behind them is another argument.
fn end_of_numbers(argument: &str) -> Option<usize> {
    let inner = argument.strip_prefix('[').filter(|inner| !inner.trim_start().starts_with('['))?;
    let next = inner.find('[')?;
    Some(1 + inner[..next].trim_end().strip_suffix(',')?.trim_end().len())
}

/// `2.5,`: there is nothing after a comma, or between two.
fn empty(output: &mut Output, given: &str, at: usize) -> Exit {
    let mut wrong =
        output.wrong_word(given, Code::CommandArguments, "an argument is missing beside this `,`".to_string());
    let start = wrong.primary.span.start as usize + at;
    wrong.primary.span = Span::new(start, start + 1);
    output.diagnostic(&wrong.label("no argument beside it").fix("remove it", Span::new(start, start + 1), ""));
    Exit::Failed
}

/// The place of a comma that an argument is missing beside.
fn idle_comma(given: &str) -> Option<usize> {
    let mut start = 0;
    let parts = parts(given);
    for (number, part) in parts.iter().enumerate().filter(|_| parts.len() > 1) {
        if part.trim().is_empty() {
            return Some(if number == 0 { part.len() } else { start - 1 });
        }
        start += part.len() + 1;
    }
    None
}

/// The arguments; the name of a file with a tensor is one.
fn arguments(line: &CommandLine, given: &str) -> Vec<Typed> {
    let (mut start, mut typed) = (0, Vec::new());
    for part in parts(given).into_iter().filter(|_| !given.trim().is_empty()) {
        let word = part.trim();
        let at = start + part.len() - part.trim_start().len();
        let place = line.part(given, at..at + word.len());
        typed.push(match !word.contains('"') && FileKind::of_path(word).is_some() {
            true => Typed::File(place),
            false => Typed::Written(place),
        });
        start += part.len() + 1;
    }
    typed
}

/// Cut at the commas outside brackets and quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted) = (0i32, false);
    text.split(move |c: char| {
        quoted ^= c == '"';
        depth += i32::from(!quoted && matches!(c, '(' | '[' | '<' | '{'));
        depth -= i32::from(!quoted && matches!(c, ')' | ']' | '>' | '}'));
        c == ',' && depth <= 0 && !quoted
    })
    .collect()
}

/// Checks a program, and runs its entry if it has no errors. If the entry was named and gives results, they are printed.
pub(crate) fn run(
    session: &mut Session,
    output: &mut Output,
    text: Text<'_>,
    (options, stop): (&Run, (&Cancel, &Printer)),
) -> Exit {
    let Some((checked, modules)) = load(output, text) else { return Exit::Failed };
    if options.program.entry.is_some() && gives_results(&modules, options.entry()) {
        return called(session, output, (checked, modules), (options, ""));
    }
    stop_on_ctrl_c(stop.0, stop.1);
    let stopped = execute(options, &checked, &modules, (stop, output));
    output.tell_of_interpreter();
    let stopped = stopped.map(|stopped| of_entry(options, output, stopped));
    stopped.iter().for_each(|diagnostic| output.diagnostic(diagnostic));
    match stopped {
        None => Exit::Fine,
        Some(stopped) if stopped.code == Code::Cancelled => Exit::Interrupted,
        Some(_) => Exit::Failed,
    }
}

/// Whether a function takes nothing and gives something.
fn gives_results(modules: &[Module], name: &str) -> bool {
    let mut named = modules.iter().filter_map(|module| Some(module.function(module.find(name)?)));
    named.any(|function| function.inputs.is_empty() && !function.results.is_empty() && function.body.is_some())
}

/// Moves the error about a missing function to the command line, if the function was named there.
fn of_entry(options: &Run, output: &mut Output, stopped: Diagnostic) -> Diagnostic {
    let unknown = stopped.code == Code::UnknownFunction;
    let Some(entry) = options.program.entry.as_deref().filter(|_| unknown) else { return stopped };
    let typed = output.wrong_word(entry, stopped.code, stopped.message);
    let mut told = typed.label("no such function");
    told.helps = stopped.helps;
    told.secondary.push(stopped.primary);
    told
}

/// Why the program stopped early, if it did.
fn execute(
    options: &Run,
    checked: &Checked,
    modules: &[Module],
    ((cancel, printer), output): ((&Cancel, &Printer), &mut Output),
) -> Option<Diagnostic> {
    let (host, mut sink) = (LocalHost::new(cancel.clone(), false), Shown { printer, output, pending: String::new() });
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.kernels.threads.map_or_else(all, usize::from);
    let how = machine::Options { threads, ..options.limits() };
    let stopped = machine::run(checked, modules, options.entry(), (&host, &mut sink), how);
    sink.print_pending();
    printer.flush().unwrap_or_else(|error| unwritten(&error));
    stopped.err().map(|diagnostic| *diagnostic)
}

/// What the check found and what the reader found, hints left out, one at each place.
fn report(checked: &[Diagnostic], own: &[Diagnostic], output: &mut Output) {
    let checked = checked.iter().map(|diagnostic| refused(diagnostic, own));
    let mut all: Vec<Diagnostic> = checked.chain(own.iter().cloned()).collect();
    all.retain(|diagnostic| diagnostic.severity() < Severity::Information);
    all.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    all.dedup_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.is_error()));
    output.found(all);
}

/// What a check warns of, as the error that it is where nnz does not run the old form.
fn refused(warning: &Diagnostic, own: &[Diagnostic]) -> Diagnostic {
    let (code, start) = (Code::UnsupportedProgram, warning.primary.span.start);
    let runs_not = own.iter().any(|error| error.code == code && error.primary.span.start == start);
    let mut told = warning.clone();
    if runs_not && warning.code == Code::HistoricOperation {
        told.code = code;
    }
    told
}

/// How long a program may take to heed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(500);

/// Asks the program to stop. A program inside a long kernel cannot react, and the process is ended; so it is at the
/// second Ctrl-C.
fn stop_on_ctrl_c(cancel: &Cancel, printer: &Printer) {
    let (cancel, printer) = (cancel.clone(), printer.clone());
    let stop = move || {
        if !cancel.is_requested() {
            cancel.request();
            let printer = printer.clone();
            let late = move || {
                std::thread::sleep(PATIENCE);
                end(&printer);
            };
            // Without a thread the second Ctrl-C ends it.
            let _ = std::thread::Builder::new().spawn(late);
            return;
        }
        end(&printer);
    };
    interrupt::on_ctrl_c(stop);
}

/// Ends the process within a kernel. What was printed before is kept.
fn end(printer: &Printer) -> ! {
    // A failure cannot be reported any more.
    let _ = printer.flush();
    eprint("stopped\n");
    exit::now(Exit::Interrupted)
}

/// Standard output, which the program and Ctrl-C share.
#[derive(Clone)]
pub(crate) struct Printer(Arc<Mutex<BufWriter<Stdout>>>);

impl Default for Printer {
    fn default() -> Printer {
        Printer(Arc::new(Mutex::new(BufWriter::new(std::io::stdout()))))
    }
}

impl Printer {
    /// Prints a text. On a terminal it is flushed at once.
    fn print(&self, text: &str) -> std::io::Result<()> {
        stdout::check()?;
        let mut stdout = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stdout.write_all(text.as_bytes())?;
        if stdout.get_ref().is_terminal() { stdout.flush() } else { Ok(()) }
    }
    fn flush(&self) -> std::io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// Where a program prints, and its notes are drawn.
struct Shown<'a> {
    printer: &'a Printer,
    output: &'a mut Output,
    /// The begun line of a program whose lines are printed as JSON.
    pending: String,
}

impl Shown<'_> {
    fn print_pending(&mut self) {
        if !self.pending.is_empty() {
            self.output.printed(&std::mem::take(&mut self.pending));
        }
    }
}

impl Sink for Shown<'_> {
    /// Among JSON objects, whole lines as objects.
    fn print(&mut self, text: &str) {
        if self.output.format() != Format::Json(Content::Data) {
            return self.printer.print(text).unwrap_or_else(|error| unwritten(&error));
        }
        self.pending += text;
        if let Some(end) = self.pending.rfind('\n') {
            let begun = self.pending.split_off(end + 1);
            self.print_pending();
            self.pending = begun;
        }
    }
    fn note(&mut self, diagnostic: Diagnostic) {
        self.print_pending();
        // Keeps the order: the text printed before comes first.
        self.printer.flush().unwrap_or_else(|error| unwritten(&error));
        self.output.diagnostic(&diagnostic);
    }
}

/// The error where one kernel must be named.
pub(crate) fn several_kernels(output: &mut Output, file: &str, names: &[&str]) -> Exit {
    let wrong = output.wrong_word(file, Code::CommandArguments, "there are several kernels").label("which of them?");
    let help = names.iter().map(|name| format!("`--kernel {name}`")).collect::<Vec<_>>().join(", ");
    output.diagnostic(&wrong.help(format!("name one: {help}")));
    Exit::Failed
}

/// Several SVG pictures in one output would be no valid SVG; several JSON objects are fine.
pub(crate) fn too_many_pictures(output: &Output, to: View, kernels: usize) -> bool {
    to == View::Svg && kernels > 1 && output.format() == Format::Text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_core::ids::FileId;

    #[test]
    fn files_among_arguments_are_told_from_literals() {
        let told = |given: &str| -> Vec<String> {
            let words = ["nnz", "--args", given].map(str::to_string);
            let line = CommandLine::of(words.into_iter(), FileId(0));
            let slice = |word: Word| line.source.slice(word.span).to_string();
            let said = |typed| match typed {
                Typed::File(path) => format!("file {}", slice(path)),
                Typed::Written(word) => slice(word),
            };
            arguments(&line, given).into_iter().map(said).collect()
        };
        assert_eq!(
            told("2.5, a b/m.mtx,[[1, 2], [3, 4]] , x.tns.gz"),
            ["2.5", "file a b/m.mtx", "[[1, 2], [3, 4]]", "file x.tns.gz"]
        );
        assert_eq!(told(r#"dense<1>, "a,b.mtx", read "x.mtx""#), ["dense<1>", r#""a,b.mtx""#, r#"read "x.mtx""#]);
        assert!(told(" ").is_empty());
    }
}
