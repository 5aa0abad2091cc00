//! A session of definitions, kernels and commands. The REPL, scripts and one-liners all run through
//! [`Session::run`]; `nnz check` and the editors through [`Session::check`].
//!
//! The definitions of a statement that fails or is cancelled are undone, so the session stays as it was. A session is
//! cheap to clone.

#![warn(clippy::wildcard_enum_match_arm)]

mod call;
mod caught;
mod compare;
mod convert;
mod define;
mod evaluate;
mod functions;
mod help;
mod hints;
pub mod json;
mod limits;
mod lower;
mod names;
mod parse;
mod requests;
mod shown;
mod stale;
mod timing;
mod write;

use std::sync::Arc;

pub use call::Called;
pub use compare::UsualFormats;
use evaluate::Evaluation;
use hints::Hints;
pub use lower::{LoweredSite, Lowering, lower_program};
use names::Names;
pub use parse::{Completeness, given_up, is_complete};
pub use requests::{Answer, Refused, Told};
use serde_json::Value as Json;
use shown::Shown;
use stale::Stale;
pub use timing::Timed;
pub use write::{Converted, Written};

use nnz_backend::{Cache, FloatOrder, Gpu};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    host::Host,
    ids::FileId,
    memory,
    source::{Source, Span},
};
pub use nnz_check::command::{Command, CommandInfo, MOST_THREADS, Setting, View};
use nnz_check::{self as check, Checked, Checker, session::Statement, used::Files};
pub use nnz_check::{scope::Word, session::Typed, spec::Spec};
use nnz_ide::complete::{Completion, NoFolders, complete_within};
use nnz_languages::{Context, FrontEnd, Known};
use nnz_machine as machine;
use nnz_mlir::Module;
pub use nnz_run::Engine;
use nnz_run::LONG_FROM;
use nnz_syntax as syntax;
use nnz_view::{Markup, Screen};

/// How kernels run and results look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which code runs kernels; those of MLIR programs too.
    pub engine: Engine,
    /// At most this many threads run a kernel; at least 1.
    pub threads: usize,
    pub float_order: FloatOrder,
    /// The GPU that PTX is shown for.
    pub gpu: Gpu,
    /// Zeros of files are not entries: they are neither read nor written.
    pub drop_zeros: bool,
    /// JSON output of tensors includes all their data.
    pub data: bool,
    /// What MLIR programs print is reported while they run ([`Event::Printed`]); else it is a part of the outcome.
    pub streams: bool,
    pub screen: Screen,
    /// Hidden costs of kernels are told from so many steps on.
    pub told_from: u64,
    /// The limits of MLIR programs; its threads and engine are those above.
    pub program: machine::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            threads: 1,
            float_order: FloatOrder::Strict,
            gpu: Gpu::default(),
            drop_zeros: false,
            data: true,
            streams: false,
            screen: Screen::default(),
            told_from: LONG_FROM,
            program: machine::Options::default(),
        }
    }
}

/// The outcome of one statement.
#[derive(Clone)]
pub struct Outcome {
    /// The statement.
    pub span: Span,
    shown: Shown,
    /// For the text.
    screen: Screen,
    /// JSON has the data of tensors.
    data: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// How many of the diagnostics were reported early.
    pub told: usize,
}

/// A report of a run.
pub enum Event<'a> {
    /// A statement is about to take long, for this reason.
    Ahead(&'a Diagnostic),
    /// An MLIR program prints this; see [`Options::streams`].
    Printed(&'a str),
    Ended(Box<Outcome>),
}

impl Outcome {
    /// The text to show; nothing for a silent definition.
    pub fn markup(&self) -> Option<Markup> {
        self.shown.markup(self.screen)
    }

    /// One object for machines ([`json`]).
    pub fn json(&self) -> Json {
        self.shown.json(self.data)
    }

    pub fn is_error(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    /// At least one statement had an error.
    Failed,
    /// The user stopped it.
    Cancelled,
    /// `:quit`.
    Quit,
}

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    Encoding,
    Tensor,
    Scalar,
    /// Of an MLIR program.
    Function,
}

/// A name of the session, for `:vars`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionInfo {
    pub name: String,
    pub kind: DefinitionKind,
    /// As MLIR writes it: `tensor<3x4xf64, #CSR>`.
    pub type_text: String,
}

/// Adds the message of a bug to a failed outcome without an error.
fn told(source: &Source, outcome: &mut Outcome) {
    if !outcome.is_error() {
        let message = "this statement was refused without a reason";
        outcome.diagnostics.push(Diagnostic::new(Code::CompilerBug, source.id, outcome.span, message));
    }
}

/// What most sessions do first.
const WARM_UP: &str = "A : CSR = poisson2d(n = 3)\nx : tensor<9xf64> = random(density = 1.0)\ny(i) = A(i, j) * x(j)\n";

/// Receives reports of work that is about to take long, and of what programs print.
type Sink<'s> = &'s mut dyn FnMut(Event<'_>);

/// How an evaluation ended.
struct Tried<T> {
    result: Result<T, Box<Diagnostic>>,
    hints: Vec<Diagnostic>,
    /// How many of the hints were reported early.
    told: usize,
    /// The output of a program that failed.
    printed: Option<Markup>,
}

#[derive(Clone)]
pub struct Session {
    host: Arc<dyn Host>,
    pub options: Options,
    names: Arc<Names>,
    cache: Arc<Cache>,
}

impl Session {
    pub fn new(host: Arc<dyn Host>, options: Options) -> Session {
        Session { host, options, names: Arc::default(), cache: Arc::default() }
    }

    /// The same session with another host.
    #[must_use]
    pub fn with_host(&self, host: Arc<dyn Host>) -> Session {
        Session { host, ..self.clone() }
    }

    /// Runs a small kernel in a separate session, so that the first kernel of this session does not wait until the
    /// compiler's library is opened and in memory. Meant for a background thread while the user types.
    pub fn warm_up(&self) {
        let engine = Engine::from(self.options.engine.target());
        let mut session = Session::new(Arc::clone(&self.host), Options { engine, ..self.options });
        session.run(&Source::new(FileId(0), "warm-up", WARM_UP), false, &mut |_| ());
    }

    /// Runs every statement of `source` in order, handing each one's outcome to `sink` as it comes. Stops at the first
    /// error unless `keep_going`. The outcomes include what programs print.
    pub fn run(&mut self, source: &Source, keep_going: bool, sink: &mut dyn FnMut(Outcome)) -> Verdict {
        let streams = std::mem::replace(&mut self.options.streams, false);
        let verdict = self.run_telling(source, keep_going, &mut |event| match event {
            Event::Ended(outcome) => sink(*outcome),
            Event::Ahead(_) | Event::Printed(_) => {}
        });
        self.options.streams = streams;
        verdict
    }

    /// As [`Session::run`], but reports long work in advance.
    pub fn run_telling(&mut self, source: &Source, keep_going: bool, sink: &mut dyn FnMut(Event<'_>)) -> Verdict {
        let tree = syntax::session::parse(source.text.clone());
        let (mut verdict, mut stale) = (Verdict::Fine, Stale::default());
        for cut in syntax::session::statements(&tree) {
            // Before the host is asked: a shortage of the last statement is over.
            memory::begin();
            if self.host.cancelled() {
                return Verdict::Cancelled;
            }
            let (mut outcome, ended) = self.run_statement(source, &cut, sink);
            if ended == Verdict::Fine {
                outcome.diagnostics.extend(stale.hints(source, &cut));
            } else {
                stale.explain(source, &mut outcome.diagnostics);
            }
            sink(Event::Ended(Box::new(outcome)));
            match ended {
                Verdict::Fine => stale.ended(&cut),
                Verdict::Failed => {
                    stale.failed(source, &cut, &self.names.scope);
                    stale::hide_constants(&cut, &mut Arc::make_mut(&mut self.names).scope);
                    verdict = Verdict::Failed;
                }
                Verdict::Quit | Verdict::Cancelled => return ended,
            }
            if verdict == Verdict::Failed && !keep_going {
                return verdict;
            }
        }
        verdict
    }

    fn run_statement(
        &mut self,
        source: &Source,
        cut: &syntax::session::Statement<'_>,
        sink: Sink<'_>,
    ) -> (Outcome, Verdict) {
        let Options { screen, data, .. } = self.options;
        let (shown, diagnostics) = (Shown::Done, Vec::new());
        let mut outcome = Outcome { span: cut.span, shown, screen, data, diagnostics, told: 0 };
        let verdict = match self.checked(source, cut, &mut outcome.diagnostics) {
            Some(Statement::Command(Command::Quit)) => Verdict::Quit,
            Some(Statement::Command(Command::Set(setting))) => self.set(setting),
            Some(statement) => self.evaluate(source, statement, (&mut outcome, sink)),
            None => {
                told(source, &mut outcome);
                Verdict::Failed
            }
        };
        if verdict == Verdict::Failed {
            stale::explain_constants(source, cut, &self.names.scope, &mut outcome.diagnostics);
        }
        if outcome.is_error() && matches!(outcome.shown, Shown::Done) {
            outcome.shown = Shown::Failed(None);
        }
        (outcome, verdict)
    }

    /// The statement, unless it has errors, which are then reported.
    fn checked(
        &self,
        source: &Source,
        cut: &syntax::session::Statement<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Statement> {
        let mut c = Checker::within(source, &self.names.scope);
        *diagnostics = check::session::syntax_errors(&c, &self.names.scope, cut);
        let node = cut.node.filter(|_| cut.errors.is_empty())?;
        let statement = check::session::statement(&mut c, &self.names.scope, node);
        *diagnostics = c.take_diagnostics();
        statement.filter(|_| !diagnostics.iter().any(Diagnostic::is_error))
    }

    fn set(&mut self, setting: Setting) -> Verdict {
        match setting {
            Setting::Threads(threads) => self.options.threads = usize::from(threads.get()),
            Setting::Precision(digits) => self.options.screen.precision = usize::from(digits.get()),
            Setting::Reassociate(true) => self.options.float_order = FloatOrder::Relaxed,
            Setting::Reassociate(false) => self.options.float_order = FloatOrder::Strict,
        }
        Verdict::Fine
    }

    fn evaluate(
        &mut self,
        source: &Source,
        statement: Statement,
        (outcome, sink): (&mut Outcome, Sink<'_>),
    ) -> Verdict {
        let hints = (std::mem::take(&mut outcome.diagnostics), sink);
        let Tried { result, hints, told, printed } =
            self.attempt((source, outcome.span), hints, |evaluation| evaluation.statement(statement));
        (outcome.diagnostics, outcome.told) = (hints, told);
        match result {
            Ok(shown) => {
                outcome.shown = shown;
                Verdict::Fine
            }
            Err(diagnostic) => {
                outcome.shown = Shown::Failed(printed);
                let cancelled = diagnostic.code == Code::Cancelled;
                outcome.diagnostics.push(*diagnostic);
                if cancelled { Verdict::Cancelled } else { Verdict::Failed }
            }
        }
    }

    /// Evaluates, and undoes the definitions unless all went well.
    fn attempt<T>(
        &mut self,
        (source, span): (&Source, Span),
        (known, sink): (Vec<Diagnostic>, Sink<'_>),
        act: impl FnOnce(&mut Evaluation<'_>) -> Result<T, Box<Diagnostic>>,
    ) -> Tried<T> {
        let (mut printed, hints) = (None, Hints::new(known, sink));
        let surroundings = (&*self.host, self.options, &*self.cache);
        let mut evaluation =
            Evaluation::new(surroundings, source, (Arc::make_mut(&mut self.names), &mut printed), hints);
        let ended = act(&mut evaluation);
        let (hints, told) = evaluation.hints.into_parts();
        let result = match ended.and_then(|value| limits::went_well(source.id, span).map(|()| value)) {
            Ok(value) => {
                Arc::make_mut(&mut self.names).keep();
                Ok(value)
            }
            Err(diagnostic) => {
                Arc::make_mut(&mut self.names).take_back();
                Err(limits::cause(diagnostic, source.id, span))
            }
        };
        Tried { result, hints, told, printed }
    }

    /// Every diagnostic of a text that needs no data, without running anything; `files` are those that it uses.
    pub fn check(&self, language: &FrontEnd, source: &Source, files: &dyn Files) -> Vec<Diagnostic> {
        let context = Context { scope: &self.names.scope, files: Some(files) };
        (language.check)(source, context).diagnostics(&mut Known::default(), &|| false)
    }

    /// Defines the functions of a checked program. A fault of one is reported at its place in the program's text.
    pub fn learn(&mut self, checked: &Checked, modules: Vec<Module>) {
        let names = Arc::make_mut(&mut self.names);
        names.learn(checked, modules, functions::Reported::Span);
        names.keep();
    }

    /// The names that kernels computed.
    pub fn computed(&self) -> impl Iterator<Item = &str> {
        self.names.computed()
    }

    /// The completions at byte `offset` of `text`, which a user is typing.
    pub fn complete(&self, text: &str, offset: usize) -> Vec<Completion> {
        let source = Source::new(FileId(0), "prompt", text);
        let checked = check::session::check_session(&source, &self.names.scope);
        complete_within(&checked, &self.names.scope, offset, &NoFolders)
    }
}
