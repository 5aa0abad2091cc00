//! The command `nnz`: the interactive session, scripts and one-liners over `nnz_core::session`.
//!
//! `cli` parses the command line, `texts` reads the files that it names, and `terminal` finds what the streams can show.
//! `script` and `interactive` run sessions, `program` runs MLIR programs, and `memory` is the allocator. `output` prints
//! results, and `render` and `ansi` turn them into text.

mod terminal;
mod ansi;
mod render;
mod words;
mod unfinished;
mod exit;
mod interrupt;
mod files;
mod memory;
mod host;
mod background;
mod repeated;
mod output;
mod format;
mod language;
mod cli;
mod texts;
mod expected;
mod fmt;
mod iterators;
mod convert;
mod program;
mod arrays;
mod script;
mod kernel;
mod history;
mod helper;
mod interactive;

use std::{io::Write, sync::Arc};

use nnz_core::{
    backend::FloatOrder,
    diagnostic::{Code, distance},
    session::{Engine, Options, Session, json::text},
    threads::STATEMENT_STACK,
};

use background::COMMAND_STACK;
use cli::{Cli, Command, Kernels, Run};
use exit::Exit;
use files::Existing;
use host::{Cancel, LocalHost};
use output::{Content, Format, Output};
use terminal::Terminal;
use words::COMMAND_LINE;

/// The main thread's stack is as the limit of the shell says (`ulimit -s`); all work is done on stacks of stated size.
fn main() {
    #[cfg(feature = "llvm")]
    nnz_core::backend::fatal::end_with(failed);
    memory::keep();
    memory::tell();
    let exit = on_stack(COMMAND_STACK, command);
    // What is printed is flushed line by line; a reader that has ended was told of before.
    let _ = std::io::stdout().flush();
    exit::now(exit)
}

/// Says why nothing can go on, and ends the process.
#[cfg(feature = "llvm")]
fn failed(message: &str) -> ! {
    output::eprint(&format!("{message}\n"));
    exit::now(Exit::Failed)
}

/// Does `work` on a stack of so many bytes, or says why it cannot.
fn on_stack(bytes: usize, work: impl FnOnce() -> Exit + Send) -> Exit {
    background::on_stack(bytes, work).unwrap_or_else(|stopped| {
        output::eprint(&format!("{stopped}\n"));
        Exit::Failed
    })
}

/// Does what the command line asks for.
fn command() -> Exit {
    files::outlive_size_limits();
    let cli = cli::parse();
    memory::limit_to(cli.max_memory());
    let Cli { command, run, common } = cli;
    let terminal = Terminal::detect(common.wishes());
    let format = common.format();
    let mut output = Output::new(terminal, format, common.error_format());
    output.stdin_name.clone_from(&common.stdin_name);
    obey(command.unwrap_or(Command::Run(run)), (terminal, format), &mut output)
}

fn obey(command: Command, edge: (Terminal, Format), output: &mut Output) -> Exit {
    let session = |kernels: Option<&Kernels>| session(kernels, edge, (Cancel::default(), Existing::Replaced));
    match command {
        Command::Run(run) => start(run, edge, output),
        Command::Fmt(asked) => on_stack(COMMAND_STACK, || fmt::fmt(output, &asked)),
        Command::Check(check) => script::check(&session(None), output, &check),
        Command::Lower(lower) => {
            on_stack(STATEMENT_STACK, || kernel::lower(&mut session(Some(&lower.kernel.kernels)), output, &lower))
        }
        Command::Time(time) => {
            on_stack(STATEMENT_STACK, || kernel::time(&mut session(Some(&time.kernel.kernels)), output, &time))
        }
        Command::Compare(compare) => {
            on_stack(STATEMENT_STACK, || kernel::compare(&mut session(Some(&compare.kernel.kernels)), output, &compare))
        }
        Command::Lsp { stdio: _ } => nnz_lsp::run(),
        Command::Explain { code } => explain(&session(None), output, &code),
        Command::Convert(convert) => {
            let existing = if convert.no_clobber { Existing::Kept } else { Existing::Replaced };
            let mut session = self::session(None, edge, (Cancel::default(), existing));
            on_stack(STATEMENT_STACK, || convert::convert(&mut session, output, &convert))
        }
    }
}

fn start(mut run: Run, (terminal, format): (Terminal, Format), output: &mut Output) -> Exit {
    let cancel = Cancel::default();
    let mut session = session(Some(&run.kernels), (terminal, format), (cancel.clone(), Existing::Replaced));
    session.options.program = run.limits();
    if run.statements.is_none() && run.files.is_empty() && terminal.interactive {
        return interactive::run(&mut session, output, terminal);
    }
    if run.files.is_empty() {
        run.files.push("-".into());
    }
    on_stack(STATEMENT_STACK, || match &run.statements {
        Some(text) => script::run_text(&mut session, output, COMMAND_LINE, text.clone(), run.keep_going),
        None => script::run_all(&mut session, output, &run, &cancel),
    })
}

/// `nnz explain`.
fn explain(session: &Session, output: &mut Output, code: &str) -> Exit {
    if let Some(code) = Code::parse(code) {
        let explained = session.explain(code);
        output.answer(|| explained.clone(), || text(&explained), &[]);
        return Exit::Fine;
    }
    let wrong = output.wrong_word(code, Code::CommandArguments, format!("there is no diagnostic `{code}`"));
    let span = wrong.primary.span;
    let wrong = wrong.label("no code of a diagnostic");
    let whole = format!("E{code:0>4}");
    let near = Code::ALL.iter().map(|code| code.text()).find(|known| **known == *whole || distance(code, known) == 1);
    let wrong = match near {
        Some(near) => wrong.guess(span, near),
        None => wrong,
    };
    output.diagnostic(&wrong.help("a diagnostic shows its code behind its severity: `error[E0320]`"));
    Exit::Failed
}

fn session(
    kernels: Option<&Kernels>,
    (terminal, format): (Terminal, Format),
    (cancel, existing): (Cancel, Existing),
) -> Session {
    let host = LocalHost::new(cancel, terminal.stderr_is_terminal).with_existing(existing);
    let engine = kernels.map_or(Engine::default(), Kernels::engine);
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = kernels.map_or_else(all, Kernels::threads);
    let float_order = kernels.map_or(FloatOrder::Strict, Kernels::order);
    let data = format == Format::Json(Content::Data);
    let screen = terminal.screen;
    let options = Options { engine, threads, float_order, data, streams: !data, screen, ..Options::default() };
    Session::new(Arc::new(host), options)
}
