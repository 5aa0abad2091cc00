//! The command `nnz`: the interactive session, scripts and one-liners over `nnz_core::session`.
//!
//! `cli` parses the command line, and `terminal` finds what the streams can show. `script` and `interactive` run
//! sessions, `program` runs MLIR programs, and `memory` is the allocator. `output` prints results, and `render` and
//! `ansi` turn them into text.

mod ansi;
mod background;
mod cli;
mod exit;
mod expected;
mod files;
mod format;
mod helper;
mod history;
mod host;
mod interactive;
mod interrupt;
mod kernel;
mod memory;
mod output;
mod program;
mod render;
mod script;
mod terminal;
mod words;

use std::{process::ExitCode, sync::Arc};

use nnz_core::{
    backend::{FloatOrder, Target},
    diagnostic::{Code, distance},
    session::{Options, Session},
    storage::files::FileKind,
};

use cli::{Cli, Command, Convert, Kernels, Run};
use exit::Exit;
use files::Existing;
use host::{Cancel, LocalHost};
use output::{Format, Output};
use terminal::Terminal;
use words::{COMMAND_LINE, Statements};

fn main() -> ExitCode {
    memory::keep();
    memory::tell();
    files::outlive_size_limits();
    let cli = cli::parse();
    memory::limit_to(cli.max_memory());
    let Cli { command, run, common } = cli;
    let terminal = Terminal::detect(common.wishes());
    let format = if common.json { Format::Json } else { Format::Text };
    let mut output = Output::new(terminal, format, common.error_format());
    let session =
        |kernels: Option<&Kernels>, cancel| session(kernels, (terminal, format), (cancel, Existing::Replaced));
    let exit = match command {
        None => start(&run, (terminal, format), &mut output),
        Some(Command::Run(run)) => start(&run, (terminal, format), &mut output),
        Some(Command::Check(check)) => script::check(&session(None, Cancel::default()), &mut output, &check),
        Some(Command::Lower(lower)) => {
            let mut session = session(Some(&lower.kernel.kernels), Cancel::default());
            kernel::lower(&mut session, &mut output, &lower)
        }
        Some(Command::Time(time)) => {
            let mut session = session(Some(&time.kernel.kernels), Cancel::default());
            kernel::time(&mut session, &mut output, &time)
        }
        Some(Command::Compare(compare)) => {
            let mut session = session(Some(&compare.kernel.kernels), Cancel::default());
            kernel::compare(&mut session, &mut output, &compare)
        }
        Some(Command::Lsp { stdio: _ }) => nnz_lsp::run(),
        Some(Command::Explain { code }) => explain(session(None, Cancel::default()), &mut output, &code),
        Some(Command::Convert(convert)) => match statements(&convert) {
            Ok(_) if FileKind::of_path(&convert.output.to_string_lossy()).is_none() => {
                unwritable(&mut output, &convert)
            }
            Ok(_) if format::is_none(&mut output, &convert.to, None) => Exit::Failed,
            Ok(statements) => {
                let existing = if convert.no_clobber { Existing::Kept } else { Existing::Replaced };
                let mut session = self::session(None, (terminal, format), (Cancel::default(), existing));
                session.options.drop_zeros = convert.drop_zeros;
                script::run_statements(&mut session, &mut output, &statements)
            }
            Err(reason) => {
                output::eprint(&format!("error: {}\n", render::one_line(&reason)));
                Exit::Failed
            }
        },
    };
    files::remove_unfinished();
    exit.into()
}

fn start(run: &Run, (terminal, format): (Terminal, Format), output: &mut Output) -> Exit {
    let cancel = Cancel::default();
    let mut session = session(Some(&run.kernels), (terminal, format), (cancel.clone(), Existing::Replaced));
    session.options.program = run.limits();
    if run.statements.is_none() && run.files.is_empty() && terminal.interactive {
        return interactive::run(&mut session, output, terminal);
    }
    let work = || match &run.statements {
        Some(text) => script::run_text(&mut session, output, COMMAND_LINE, text.clone(), run.keep_going),
        None if !run.files.is_empty() => script::run_all(&mut session, output, run, &cancel),
        None => script::run_stdin(&mut session, output, run.keep_going),
    };
    background::on_large_stack(work).unwrap_or_else(|stopped| {
        output::eprint(&format!("{stopped}\n"));
        Exit::Failed
    })
}

/// `nnz explain`.
fn explain(mut session: Session, output: &mut Output, code: &str) -> Exit {
    if Code::parse(code).is_some() {
        return script::run_statements(&mut session, output, &Statements::default().own(":explain ").word(code));
    }
    let wrong = output.wrong_word(code, Code::CommandArguments, format!("there is no diagnostic `{code}`"));
    let span = wrong.primary.span;
    let wrong = wrong.label("no code of a diagnostic");
    let wrong = match Code::ALL.iter().map(|code| code.text()).find(|known| distance(code, known) == 1) {
        Some(near) => wrong.guess(span, near),
        None => wrong,
    };
    output.diagnostic(&wrong.help("a diagnostic shows its code behind its severity: `error[E0320]`"));
    Exit::Failed
}

/// A file that `nnz convert` does not know how to write.
fn unwritable(output: &mut Output, convert: &Convert) -> Exit {
    let path = convert.output.to_string_lossy();
    let message = format!("the name of `{path}` does not tell how to write it");
    let wrong = output.wrong_word(&path, Code::BadFile, message).label("no ending of a file that is written");
    output.diagnostic(&wrong.help("end it in .mtx or .tns"));
    Exit::Failed
}

fn session(
    kernels: Option<&Kernels>,
    (terminal, format): (Terminal, Format),
    (cancel, existing): (Cancel, Existing),
) -> Session {
    let host = LocalHost::new(cancel, terminal.stderr_is_terminal).with_existing(existing);
    let interpret = kernels.is_some_and(|kernels| kernels.interpret);
    let target = if interpret { Target::Interpreter } else { Target::Cpu };
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = kernels.and_then(|kernels| kernels.threads).map_or_else(all, usize::from);
    let reassociate = kernels.is_some_and(|kernels| kernels.reassociate);
    let float_order = if reassociate { FloatOrder::Relaxed } else { FloatOrder::Strict };
    let (data, screen) = (format == Format::Json, terminal.screen);
    let options = Options { target, threads, float_order, data, streams: !data, screen, ..Options::default() };
    Session::new(Arc::new(host), options)
}

/// The session that converts a file.
///
/// # Errors
/// A path that the notation cannot write.
fn statements(convert: &Convert) -> Result<Statements, String> {
    let named = |path: &std::path::Path| match path.to_str() {
        Some(text) if !text.contains(['"', '\\', '\n', '\r']) => Ok(text.to_string()),
        Some(text) => {
            Err(format!("{text:?}: a path with quotes, backslashes or line ends cannot be named; rename or link it"))
        }
        None => Err(format!("{}: a path that is not UTF-8 text cannot be named; rename or link it", path.display())),
    };
    let (input, output) = (named(&convert.input)?, named(&convert.output)?);
    let read = Statements::default().own("T : ").word(&convert.to).own(" = read \"").word(&input);
    Ok(read.own("\"\n:write T \"").word(&output).own("\"\n"))
}
