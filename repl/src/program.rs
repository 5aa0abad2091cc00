//! MLIR programs: what they print goes to standard output, what they ask comes from the environment.

use std::io::{BufWriter, Stdout, Write};

use nnz_core::{
    check::{Checked, check},
    diagnostic::{Code, Diagnostic, Severity},
    program::{self, Host, Module},
    session::{self, Lowering},
};

use crate::{
    cli::Run,
    exit::Exit,
    host::Cancel,
    output::{Output, eprint},
};

/// The evaluator recurses with the calls of the program.
const STACK: usize = 256 << 20;

/// A program without errors; what there is to say about it is said.
fn load(output: &mut Output, name: &str, text: String) -> Option<(Checked, Vec<Module>)> {
    let source = output.add(name, text);
    let checked = check(&source);
    let modules = program::modules(&checked);
    report(&checked.diagnostics, modules.as_ref().err().map_or(&[], Vec::as_slice), output);
    let modules = modules.ok().filter(|_| !checked.has_errors())?;
    Some((checked, modules))
}

/// Shows what the kernels of a function become.
pub(crate) fn lower(output: &mut Output, name: &str, text: String, how: Lowering<'_>) -> Exit {
    let Some((checked, modules)) = load(output, name, text) else { return Exit::Failed };
    match session::lower_program(&checked, &modules, how) {
        Ok(outcomes) => {
            outcomes.iter().for_each(|outcome| output.outcome(outcome));
            Exit::Fine
        }
        Err(diagnostic) => {
            output.diagnostic(&diagnostic);
            Exit::Failed
        }
    }
}

/// Checks a program, and runs its entry if nothing is wrong with it.
pub(crate) fn run(options: &Run, output: &mut Output, name: &str, text: String, cancel: &Cancel) -> Exit {
    let Some((checked, modules)) = load(output, name, text) else { return Exit::Failed };
    stop_on_ctrl_c(cancel);
    let ended = std::thread::scope(|scope| {
        let body = || execute(options, &checked, &modules, cancel);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
        thread.ok().and_then(|thread| thread.join().ok())
    });
    let Some((notes, stopped)) = ended else {
        eprint("error: the program's thread could not run\n");
        return Exit::Failed;
    };
    notes.iter().chain(&stopped).for_each(|diagnostic| output.diagnostic(diagnostic));
    match stopped {
        None => Exit::Fine,
        Some(stopped) if stopped.code == Code::Cancelled => Exit::Interrupted,
        Some(_) => Exit::Failed,
    }
}

/// Notes by the way, and why the program stopped early.
type Ended = (Vec<Diagnostic>, Option<Diagnostic>);

fn execute(options: &Run, checked: &Checked, modules: &[Module], cancel: &Cancel) -> Ended {
    let mut host = Surroundings { stdout: BufWriter::new(std::io::stdout()), cancel, notes: Vec::new() };
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.kernels.threads.map_or_else(all, usize::from);
    let how = program::Options { steps: options.program.max_steps, threads, ..program::Options::default() };
    let stopped =
        program::run(checked, modules, &options.program.entry, &mut host, how).err().map(|diagnostic| *diagnostic);
    // Where nobody reads any more there is nobody to tell.
    let _ = host.stdout.flush();
    (host.notes, stopped)
}

/// What the check found and what the reader found, hints left out, one at each place.
fn report(checked: &[Diagnostic], own: &[Diagnostic], output: &mut Output) {
    let mut all: Vec<&Diagnostic> = checked.iter().chain(own).collect();
    all.retain(|diagnostic| diagnostic.severity() != Severity::Hint);
    all.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    all.dedup_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.is_error()));
    all.into_iter().for_each(|diagnostic| output.diagnostic(diagnostic));
}

/// The first asks the program to stop, the second stops it.
fn stop_on_ctrl_c(cancel: &Cancel) {
    let cancel = cancel.clone();
    let stop = move || {
        if cancel.is_requested() {
            std::process::exit(130);
        }
        cancel.request();
    };
    // Of several programs in one run the first has set it.
    let _ = ctrlc::set_handler(stop);
}

/// The process that the program runs in.
struct Surroundings<'a> {
    stdout: BufWriter<Stdout>,
    cancel: &'a Cancel,
    notes: Vec<Diagnostic>,
}

impl Host for Surroundings<'_> {
    fn print(&mut self, text: &str) {
        if self.stdout.write_all(text.as_bytes()).is_err() {
            // Nobody reads any more: the program may as well stop.
            self.cancel.request();
        }
    }
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| error.to_string())
    }
    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        std::fs::write(path, bytes).map_err(|error| error.to_string())
    }
    fn cancelled(&self) -> bool {
        self.cancel.is_requested()
    }
    fn note(&mut self, diagnostic: Diagnostic) {
        self.notes.push(diagnostic);
    }
}
