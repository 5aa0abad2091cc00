//! The command line.

mod parse;
mod usage;

use std::path::{Path, PathBuf};

use clap::{
    Args, CommandFactory, Parser, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use nnz_core::{
    backend::{FloatOrder, Gpu},
    diagnostic::Lints,
    languages::{FrontEnd, LANGUAGES},
    machine,
    session::{Engine, MOST_THREADS, View},
};

use crate::{
    language::{called, language_of},
    output::{Content, Format},
    render::ErrorFormat,
    terminal::{ColorChoice, Wishes},
};
pub(crate) use parse::{command_like, is_first_word, neither, parse};

/// Sees, checks, runs and times sparse tensor encodings and kernels.
///
/// Without a file: an interactive session on a terminal, else statements from standard input. Results go
/// to standard output, diagnostics to standard error.
#[derive(Debug, Parser)]
#[command(name = "nnz", version, max_term_width = 100, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: Run,
    #[command(flatten)]
    pub(crate) common: Common,
}

const AFTER_HELP: &str = "\
Exit status: 0 if all went well, 1 if what was given has an error, 2 if the usage is wrong, 130 after Ctrl-C.

Examples:
  nnz -c ':help'
  nnz session.nnz
  nnz check kernels.mlir --error-format short
  nnz lower session.nnz --to c
  nnz compare session.nnz --tensor A --in CSR --in 'BSR(4, 4)'";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run session files (.nnz), programs (.mlir) and scripts (.py); the same as naming the files alone
    Run(Run),
    /// Report every diagnostic of some files, and run nothing
    Check(Check),
    /// Format files: their blanks, their line breaks, and how encodings and traits are laid out
    Fmt(Fmt),
    /// Show what kernels become: their iteration graph, loops, C, MLIR, LLVM IR or machine code
    Lower(Lower),
    /// Measure a kernel
    Time(Time),
    /// Measure a kernel with one of its tensors in several formats
    Compare(Compare),
    /// Explain a diagnostic at length, with a wrong and a right example
    Explain {
        /// As in E0001
        code: String,
    },
    /// Read a tensor from a file and write it to another in some encoding
    Convert(Convert),
    /// Serve an editor: the language server on standard input and output
    Lsp {
        /// Accepted because many editors pass it; there is no other way to talk to the server
        #[arg(long)]
        stdio: bool,
    },
}

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Run these statements
    #[arg(short = 'c', value_name = "STATEMENTS", conflicts_with = "files")]
    pub(crate) statements: Option<String>,
    /// Files to run one after the other in one session; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Go on after an error; the exit status is still 1
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) program: Program,
    #[command(flatten)]
    pub(crate) script: Script,
    #[command(flatten)]
    pub(crate) kernels: Kernels,
}

/// How SparseTIR scripts run.
#[derive(Debug, Args)]
pub(crate) struct Script {
    /// The function of a SparseTIR script to run; not needed if the file has one
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Give the function the arrays of this file by the names of its parameters: a .npz file, or a .npy file whose name is
    /// that of the array
    #[arg(long, value_name = "FILE")]
    pub(crate) bind: Vec<PathBuf>,
    /// Run the function as it is lowered to this stage: 3 is compiled, 2 runs loop by loop, and 1 point by point; a function
    /// runs as it is unless given
    #[arg(long, value_name = "STAGE", value_parser = ["1", "2", "3"])]
    pub(crate) stage: Option<String>,
    /// Write what the function has written to this file: a .npz file, or a .npy file for one array; else it is printed
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How MLIR programs run.
#[derive(Debug, Args)]
pub(crate) struct Program {
    /// The function of an MLIR program to run, and to print the results of; `main` unless given, whose results are not
    /// printed
    #[arg(short = 'e', long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Give the function arguments, separated by commas: numbers, `[1, 2]`, `dense<...>`, `sparse<...>`, or the
    /// names of files (.mtx, .tns, ...); its results are printed
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub(crate) args: Option<String>,
    /// Stop an MLIR program at this kernel, as in `@main/linalg.generic`, and go on with a session that has the kernel's
    /// operands and its result; `--then` says what that does
    #[arg(long, value_name = "KERNEL", requires = "then", conflicts_with_all = ["args", "entry"])]
    pub(crate) at: Option<String>,
    /// The statements of that session, as in `:show storage A`
    #[arg(long, value_name = "STATEMENTS", requires = "at")]
    pub(crate) then: Option<String>,
    /// Stop an MLIR program, a script, or a function that a session calls, after so many operations and points of kernels
    #[arg(long, value_name = "N", default_value_t = machine::Options::default().steps, value_parser = steps, allow_negative_numbers = true)]
    pub(crate) max_steps: u64,
}

/// How much memory is taken.
#[derive(Debug, Args)]
pub(crate) struct Memory {
    /// Stop anything that takes more memory, as in 512M or 4GiB; by default, all that is free at the start
    #[arg(long, value_name = "BYTES", value_parser = crate::memory::parse, allow_negative_numbers = true)]
    pub(crate) max_memory: Option<u64>,
}

impl Run {
    /// What a program may take.
    pub(crate) fn limits(&self) -> machine::Options {
        let own = machine::Options::default();
        let memory = self.kernels.memory.max_memory.or_else(crate::memory::free).unwrap_or(own.memory);
        let kernels = if self.kernels.compile { machine::Kernels::Compiled } else { own.kernels };
        machine::Options { steps: self.program.max_steps, memory, kernels, engine: self.kernels.engine(), ..own }
    }
    pub(crate) fn entry(&self) -> &str {
        self.program.entry.as_deref().map_or("main", |name| name.trim_start_matches('@'))
    }
    /// A flag of programs or scripts where none is run, and whose it is.
    fn stray_flag(&self, stdin: Option<&Path>) -> Option<(&'static str, &'static str)> {
        let runs =
            |of: fn(&FrontEnd) -> bool| self.files.iter().any(|file| language_of(called(file, stdin)).is_some_and(of));
        let (Program { args, entry, at, .. }, Script { function, bind, stage, output }) = (&self.program, &self.script);
        let programs = [("--args", args.is_some()), ("--entry", entry.is_some()), ("--at", at.is_some())];
        let scripts = [
            ("--function", function.is_some()),
            ("--bind", !bind.is_empty()),
            ("--stage", stage.is_some()),
            ("--output", output.is_some()),
        ];
        let given = |flags: &[(&'static str, bool)]| flags.iter().find(|(_, given)| *given).map(|(flag, _)| *flag);
        let stray = given(&programs).filter(|_| !runs(FrontEnd::is_of_functions));
        let of_scripts = || given(&scripts).filter(|_| !runs(|language| language.of_arrays().is_some()));
        let of_programs = stray.map(|flag| (flag, "MLIR programs, and no file here ends in .mlir"));
        of_programs.or_else(|| Some((of_scripts()?, "SparseTIR scripts, and no file here ends in .py")))
    }
}

impl Cli {
    /// What `--max-memory` allows.
    pub(crate) fn max_memory(&self) -> Option<u64> {
        match &self.command {
            None => self.run.kernels.memory.max_memory,
            Some(Command::Run(run)) => run.kernels.memory.max_memory,
            Some(Command::Lower(lower)) => lower.kernel.kernels.memory.max_memory,
            Some(Command::Time(time)) => time.kernel.kernels.memory.max_memory,
            Some(Command::Compare(compare)) => compare.kernel.kernels.memory.max_memory,
            Some(Command::Convert(convert)) => convert.memory.max_memory,
            Some(Command::Check(_) | Command::Fmt(_) | Command::Explain { .. } | Command::Lsp { .. }) => None,
        }
    }

    /// Whether a text comes from standard input: of `nnz` and `nnz run`, unless others are named.
    fn reads_stdin(&self) -> bool {
        let (files, statements): (&[PathBuf], Option<&String>) = match &self.command {
            None => (&self.run.files, self.run.statements.as_ref()),
            Some(Command::Run(run)) => (&run.files, run.statements.as_ref()),
            Some(Command::Lower(lower)) => (&lower.kernel.files, lower.kernel.statements.as_ref()),
            Some(Command::Time(time)) => (&time.kernel.files, time.kernel.statements.as_ref()),
            Some(Command::Compare(compare)) => (&compare.kernel.files, compare.kernel.statements.as_ref()),
            Some(Command::Check(check)) => (&check.files, None),
            Some(Command::Fmt(fmt)) => (&fmt.files, None),
            Some(Command::Convert(_) | Command::Explain { .. } | Command::Lsp { .. }) => return false,
        };
        statements.is_none() && (files.is_empty() || files.iter().any(|file| file.as_os_str() == "-"))
    }

    /// # Errors
    /// Flags that would do nothing.
    fn consistent(self) -> Result<Cli, clap::Error> {
        let run = match &self.command {
            Some(Command::Run(run)) => run,
            _ => &self.run,
        };
        if let Some(Command::Lower(Lower { to, target: Some(_), .. })) = &self.command
            && *to != Shown::View(View::Ptx)
        {
            let message = format!("`--target` is for `--to ptx`, and this is `--to {}`", to.name());
            return Err(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message));
        }
        if self.common.stdin_name.is_some() && !self.reads_stdin() {
            let message = "`--stdin-name` names standard input, and nothing here reads it: no file is `-`";
            return Err(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message));
        }
        match run.stray_flag(self.common.stdin_name.as_deref()) {
            Some((flag, owners)) => {
                let message = format!("`{flag}` is for {owners}");
                let message = match flag {
                    "--entry" => format!("{message}; statements are given by `-c 'STATEMENTS'`"),
                    _ => message,
                };
                Err(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message))
            }
            None => Ok(self),
        }
    }
}

/// A kernel of a session or of a program, which runs first.
#[derive(Debug, Args)]
pub(crate) struct Kernel {
    /// Statements instead of files
    #[arg(short = 'c', value_name = "STATEMENTS", conflicts_with = "files")]
    pub(crate) statements: Option<String>,
    /// Session files, one after the other, or an MLIR program; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "statements")]
    pub(crate) files: Vec<PathBuf>,
    /// The kernel, by the name of what it computes; in an MLIR program as in `@main/linalg.generic`, or, for `nnz lower`,
    /// its function
    #[arg(long, value_name = "NAME", visible_alias = "function")]
    pub(crate) kernel: Option<String>,
    #[command(flatten)]
    pub(crate) kernels: Kernels,
}

#[derive(Debug, Args)]
pub(crate) struct Lower {
    #[command(flatten)]
    pub(crate) kernel: Kernel,
    /// What to show
    #[arg(long, value_name = "VIEW", value_parser = kernel_views())]
    pub(crate) to: Shown,
    /// The GPU that `--to ptx` is for; sm_80 unless given
    #[arg(long, value_name = "GPU", value_parser = gpus())]
    pub(crate) target: Option<Gpu>,
}

/// What is shown: a view of kernels, or a stage of the functions of a language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    View(View),
    Stage(&'static str),
}

impl Shown {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shown::View(view) => view.name(),
            Shown::Stage(name) => name,
        }
    }
}

fn gpus() -> impl TypedValueParser<Value = Gpu> {
    let names = Gpu::ALL.iter().map(|gpu| gpu.name());
    PossibleValuesParser::new(names).try_map(|name| {
        Gpu::ALL.iter().copied().find(|gpu| gpu.name() == name).ok_or_else(|| format!("there is no GPU `{name}`"))
    })
}

fn kernel_views() -> impl TypedValueParser<Value = Shown> {
    let views = || View::ALL.iter().copied().filter(|view| view.is_of_kernel());
    let stages = || LANGUAGES.rows().iter().filter_map(|row| row.of_arrays()).flat_map(|functions| functions.stages);
    let names = views().map(|view| PossibleValue::new(view.name()).help(view.summary()));
    let names = names.chain(stages().map(|(name, summary)| PossibleValue::new(*name).help(*summary)));
    PossibleValuesParser::new(names).try_map(move |name| {
        let view = views().find(|view| view.name() == name).map(Shown::View);
        let stage = || stages().find(|(stage, _)| *stage == name).map(|(stage, _)| Shown::Stage(stage));
        view.or_else(stage).ok_or_else(|| format!("there is no view `{name}`"))
    })
}

#[derive(Debug, Args)]
pub(crate) struct Time {
    #[command(flatten)]
    pub(crate) kernel: Kernel,
    /// Answer lines `block SAMPLES INNER` on standard input with that many times in nanoseconds, until `quit`: for a
    /// program that takes turns between several
    #[arg(long)]
    pub(crate) serve: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) kernel: Kernel,
    /// The operand whose format changes; the first sparse one unless given
    #[arg(long, value_name = "NAME")]
    pub(crate) tensor: Option<String>,
    /// A format for it, as in `CSR` or `BSR(2, 2)`; may be given again; its own and the usual ones unless given
    #[arg(long = "in", value_name = "FORMAT")]
    pub(crate) formats: Vec<String>,
}

/// How kernels run.
#[derive(Debug, Args)]
pub(crate) struct Kernels {
    /// Run kernels with at most this many threads; all of the machine's unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Let kernels add floating-point numbers in another order than written, which is faster
    #[arg(long)]
    pub(crate) reassociate: bool,
    /// Run kernels with the reference interpreter instead of as machine code
    #[arg(long)]
    pub(crate) interpret: bool,
    /// Run all kernels as machine code, also small ones, which otherwise run in the interpreter because that is faster
    /// than making machine code
    #[arg(long, conflicts_with = "interpret")]
    pub(crate) compile: bool,
    #[command(flatten)]
    pub(crate) memory: Memory,
}

impl Kernels {
    /// At most so many threads run a kernel.
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
    pub(crate) fn order(&self) -> FloatOrder {
        if self.reassociate { FloatOrder::Relaxed } else { FloatOrder::Strict }
    }
    pub(crate) fn engine(&self) -> Engine {
        match (self.interpret, self.compile) {
            (true, _) => Engine::Interpreter,
            (_, true) => Engine::MachineCode,
            (false, false) => Engine::Adaptive,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files to check; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Compare the findings with the files' comments `// expected-error@+1 {{text}}`, as in MLIR's own tests, and fail
    /// if they differ
    #[arg(long)]
    pub(crate) expected: bool,
    /// The level of a warning or hint, as in `H0330=off` or `unusedAlias=error`: off, hint, information, warning, error
    #[arg(long = "lint", value_name = "CODE=LEVEL", value_parser = Lint::parse)]
    pub(crate) lints: Vec<Lint>,
}

/// A level for a code.
#[derive(Clone, Debug)]
pub(crate) struct Lint {
    code: String,
    level: String,
}

impl Lint {
    fn parse(text: &str) -> Result<Lint, String> {
        let (code, level) = text.split_once('=').ok_or("a code and its level, as in `H0330=off`")?;
        Lints::default().set(code, level)?;
        Ok(Lint { code: code.to_string(), level: level.to_string() })
    }
}

impl Check {
    /// The levels; the last one of a code counts.
    pub(crate) fn lints(&self) -> Lints {
        let mut lints = Lints::default();
        let known = self.lints.iter().all(|lint| lints.set(&lint.code, &lint.level).is_ok());
        debug_assert!(known, "parsing has looked at them");
        lints
    }
}

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Files to format in place; `-` is standard input, which goes to standard output
    #[arg(value_name = "FILE", required_unless_present = "stdin")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing: show what would change, and fail if anything would
    #[arg(long)]
    pub(crate) check: bool,
    /// Format standard input; the same as `-`
    #[arg(long, conflicts_with = "files")]
    pub(crate) stdin: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The file to read; with `--to iterators` also an encoding or the name of a format
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write; iterators and encodings are printed without one
    #[arg(value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// A format's name as in `CSR` or `BSR(2, 2)`, or an encoding. `iterators` makes SparseTIR's iterators of the encoding
    /// IN, or of those of an .mlir or .nnz file; `encoding` makes encodings of the buffers of a SparseTIR script
    #[arg(long, value_name = "ENCODING", default_value = "COO")]
    pub(crate) to: String,
    /// Leave out the zeros that IN stores, and those of blocks. Otherwise they are entries and stay, unless ENCODING
    /// stores every value, such as `dense`: then zeros are not entries, and are left out
    #[arg(long)]
    pub(crate) drop_zeros: bool,
    /// Fail if OUT exists; otherwise it is replaced, and a message says so
    #[arg(long)]
    pub(crate) no_clobber: bool,
    #[command(flatten)]
    pub(crate) memory: Memory,
}

/// How things look.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Common {
    /// One JSON object for each statement
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// With --json: each object has the text that a terminal would show, and tensors have no data
    #[arg(long, global = true, requires = "json")]
    pub(crate) with_text: bool,
    /// The name of standard input: its extension gives the language, and files that it uses are looked for beside it
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) stdin_name: Option<PathBuf>,
    /// How diagnostics are written
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) error_format: ErrorFormat,
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorChoice,
    /// Draw with ASCII characters only
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
    /// Draw for a screen of this many columns
    #[arg(long, global = true, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..=1000), allow_negative_numbers = true)]
    pub(crate) width: Option<u16>,
}

impl Common {
    pub(crate) fn format(&self) -> Format {
        match (self.json, self.with_text) {
            (false, _) => Format::Text,
            (true, false) => Format::Json(Content::Data),
            (true, true) => Format::Json(Content::Text),
        }
    }
    pub(crate) fn wishes(&self) -> Wishes {
        Wishes { color: self.color, ascii: self.ascii, width: self.width.map(usize::from) }
    }
    pub(crate) fn error_format(&self) -> ErrorFormat {
        if self.json { ErrorFormat::Json } else { self.error_format }
    }
}

fn steps(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number of steps, at most {}, is wanted", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn files_and_commands_are_told_apart() {
        let parse = |line: &str| Cli::try_parse_from(line.split(' '));
        assert!(matches!(parse("nnz check a.nnz --error-format short").unwrap().command, Some(Command::Check(_))));
        assert_eq!(parse("nnz a.nnz b.nnz").unwrap().run.files.len(), 2);
        assert!(parse("nnz -c x a.nnz").is_err());
        assert!(parse("nnz check").is_err());
        let consistent = |line: &str| parse(line).unwrap().consistent().is_ok();
        assert!(consistent("nnz a.nnz b.mlir --args 1") && consistent("nnz run a.mlir -e f"));
        assert!(!consistent("nnz a.nnz --args 1") && !consistent("nnz run a.nnz -e f") && !consistent("nnz -c x -e f"));
        assert!(parse("nnz --threads 0").is_err());
    }
}
