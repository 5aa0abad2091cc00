//! A session of definitions, kernels and commands. The REPL, scripts and one-liners all run through
//! [`Session::run`]; `nnz check` and the editors through [`Session::check`].
//!
//! A statement that fails or is cancelled takes back its definitions, so the session stays as it was. A session
//! is cheap to clone.

mod call;
mod code;
mod convert;
mod define;
mod evaluate;
mod functions;
mod help;
mod hints;
mod limits;
mod lower;
mod names;
mod parse;
mod show;
mod stale;
mod timing;

use std::{
    io::{BufRead, Write},
    sync::Arc,
};

use evaluate::Evaluation;
use hints::Hints;
pub use lower::{Lowering, lower_program};
use names::Names;
pub use parse::{Completeness, given_up, is_complete};
use serde_json::{Value as Json, json};
use stale::Stale;
pub use timing::before_text;

use nnz_backend::{Cache, FloatOrder, Gpu, Target, c};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    host::Host,
    ids::FileId,
    memory,
    source::{Source, Span},
};
pub use nnz_check::command::{Command, CommandInfo, MOST_THREADS, Setting, View};
use nnz_check::{self as check, Checked, Checker, scope::Word, session::Statement, used::Files};
use nnz_ide::complete::{Completion, complete_within};
use nnz_languages::{Context, FrontEnd, Known};
use nnz_machine as machine;
use nnz_mlir::Module;
use nnz_run::{Before, measure::Measurement};
use nnz_syntax as syntax;
use nnz_view::{Markup, Screen};

/// How kernels run and results look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub target: Target,
    /// At most this many threads run a kernel; at least 1.
    pub threads: usize,
    pub float_order: FloatOrder,
    /// The GPU that PTX is shown for.
    pub gpu: Gpu,
    /// Zeros of files are no entries: they are neither read nor written.
    pub drop_zeros: bool,
    /// JSON output of tensors includes all their data.
    pub data: bool,
    /// What MLIR programs print is reported while they run ([`Event::Printed`]); else it is a part of the outcome.
    pub streams: bool,
    pub screen: Screen,
    /// The limits of MLIR programs; its threads are those above.
    pub program: machine::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::Cpu,
            threads: 1,
            float_order: FloatOrder::Strict,
            gpu: Gpu::default(),
            drop_zeros: false,
            data: true,
            streams: false,
            screen: Screen::default(),
            program: machine::Options::default(),
        }
    }
}

/// The outcome of one statement.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The statement.
    pub span: Span,
    /// The text to show; nothing for a silent definition.
    pub markup: Option<Markup>,
    /// One object for machines: `{"kind": "tensor" | "scalar" | "timing" | "text" | ...}`.
    pub json: Json,
    pub effect: Effect,
    pub diagnostics: Vec<Diagnostic>,
    /// How many of the diagnostics were reported early.
    pub told: usize,
}

/// What a statement did, as a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Effect {
    #[default]
    None,
    /// It gave a tensor or a number this name.
    Defined(String),
    Timed(Timed),
}

/// How long a kernel takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// The loops, with the conversions that they need.
    pub loops: Measurement,
    /// What the statement makes before them, each time it runs.
    pub before: Before,
}

impl Timed {
    /// The nanoseconds of a run, with what is made before the loops.
    pub fn whole_ns(&self) -> f64 {
        self.loops.median_ns + self.before.time.as_secs_f64() * 1e9
    }
}

/// A report of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A statement is about to take long, for this reason.
    Ahead(&'a Diagnostic),
    /// An MLIR program prints this; see [`Options::streams`].
    Printed(&'a str),
    Ended(Box<Outcome>),
}

impl Outcome {
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

/// A failure always has a message: that it has none is a bug.
fn told(source: &Source, outcome: &mut Outcome) {
    if !outcome.is_error() {
        let message = "this statement was refused without a reason";
        outcome.diagnostics.push(Diagnostic::new(Code::CompilerBug, source.id, outcome.span, message));
    }
}

/// What most sessions do first.
const WARM_UP: &str = "A : CSR = poisson2d(n = 3)\nx : tensor<9xf64> = random(density = 1.0)\ny(i) = A(i, j) * x(j)\n";

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

    /// The same session, whose statements ask another host.
    #[must_use]
    pub fn with_host(&self, host: Arc<dyn Host>) -> Session {
        Session { host, ..self.clone() }
    }

    /// Runs a small kernel in a separate session, so that the first kernel of this session does not wait until the
    /// compiler's library is opened and in memory. Meant for a background thread while the user types.
    pub fn warm_up(&self) {
        let mut session = Session::new(Arc::clone(&self.host), self.options);
        session.run(&Source::new(FileId(0), "warm-up", WARM_UP), false, &mut |_| ());
    }

    /// Runs every statement of `source` in order, handing each one's outcome to `sink` as it comes.
    /// Stops at the first error unless `keep_going`. What programs print is a part of the outcomes.
    pub fn run(&mut self, source: &Source, keep_going: bool, sink: &mut dyn FnMut(Outcome)) -> Verdict {
        let streams = std::mem::replace(&mut self.options.streams, false);
        let verdict = self.run_telling(source, keep_going, &mut |event| match event {
            Event::Ended(outcome) => sink(*outcome),
            Event::Ahead(_) | Event::Printed(_) => {}
        });
        self.options.streams = streams;
        verdict
    }

    /// As [`Session::run`], but reports in advance what will take long.
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
                Verdict::Failed if keep_going => {
                    stale.failed(&cut, &self.names.scope);
                    verdict = Verdict::Failed;
                }
                ended => return ended,
            }
        }
        verdict
    }

    fn run_statement(
        &mut self,
        source: &Source,
        cut: &syntax::session::Statement<'_>,
        sink: &mut dyn FnMut(Event<'_>),
    ) -> (Outcome, Verdict) {
        let (effect, diagnostics) = (Effect::None, Vec::new());
        let mut outcome = Outcome { span: cut.span, markup: None, json: Json::Null, effect, diagnostics, told: 0 };
        let verdict = match self.checked(source, cut, &mut outcome.diagnostics) {
            Some(Statement::Command(Command::Quit)) => Verdict::Quit,
            Some(Statement::Command(Command::Set(setting))) => self.set(setting),
            Some(statement) => self.evaluate(source, statement, (&mut outcome, sink)),
            None => {
                told(source, &mut outcome);
                Verdict::Failed
            }
        };
        if outcome.json.is_null() {
            let kind = if outcome.is_error() { "error" } else { "done" };
            outcome.json = json!({ "kind": kind });
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

    /// Evaluates, and takes back what was defined unless all went well.
    fn evaluate(
        &mut self,
        source: &Source,
        statement: Statement,
        (outcome, sink): (&mut Outcome, &mut dyn FnMut(Event<'_>)),
    ) -> Verdict {
        let hints = Hints::new(std::mem::take(&mut outcome.diagnostics), sink);
        let surroundings = (&*self.host, self.options, &*self.cache);
        let mut evaluation =
            Evaluation::new(surroundings, source, (Arc::make_mut(&mut self.names), &mut outcome.markup), hints);
        let ended = evaluation.statement(statement);
        (outcome.diagnostics, outcome.told) = evaluation.hints.into_parts();
        match ended.and_then(|shown| limits::went_well(source.id, outcome.span).map(|()| shown)) {
            Ok(shown) => {
                outcome.markup = shown.markup;
                (outcome.json, outcome.effect) = (shown.json, shown.effect);
                Arc::make_mut(&mut self.names).keep();
                Verdict::Fine
            }
            Err(diagnostic) => {
                Arc::make_mut(&mut self.names).take_back();
                let diagnostic = limits::cause(diagnostic, source.id, outcome.span);
                let cancelled = diagnostic.code == Code::Cancelled;
                outcome.diagnostics.push(*diagnostic);
                if cancelled { Verdict::Cancelled } else { Verdict::Failed }
            }
        }
    }

    /// Every diagnostic of a text that needs no data, without running anything; `files` are those that it uses.
    pub fn check(&self, language: &FrontEnd, source: &Source, files: &dyn Files) -> Vec<Diagnostic> {
        let context = Context { scope: &self.names.scope, files: Some(files) };
        (language.check)(source, context).diagnostics(&mut Known::default())
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

    /// Times the kernel that computed a name, the text of `source`, at another program's command
    /// (see [`nnz_run::measure::serve`]).
    ///
    /// # Errors
    /// A name that no kernel computed; a kernel that does not run; input or output that fails.
    pub fn serve(&self, source: &Source, input: impl BufRead, output: impl Write) -> Result<(), Box<Diagnostic>> {
        let name = source.text.trim();
        let word = Word { text: name.to_string(), span: Span::new(0, name.len()) };
        self.aside(source, |evaluation| evaluation.serve(&word, input, output))
    }

    /// The code of the kernels that computed names, the lines of `source`, as the parts of one file.
    ///
    /// # Errors
    /// A name that no kernel computed; a view that its kernel does not have.
    pub fn lower(&self, source: &Source, view: View, sink: &mut dyn FnMut(Outcome)) -> Result<(), Box<Diagnostic>> {
        let mut written = c::Written::default();
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let name = line.trim_end();
            let word = Word { text: name.to_string(), span: Span::new(start, start + name.len()) };
            start += line.len();
            sink(self.aside(source, |evaluation| evaluation.lower((view, &word), &mut written))?);
        }
        Ok(())
    }

    /// An evaluation that leaves the session as it is, and whose hints nobody hears before its end.
    fn aside<T>(&self, source: &Source, act: impl FnOnce(Evaluation<'_>) -> T) -> T {
        let (mut names, mut printed, mut nobody) = (Names::clone(&self.names), None, |_: Event<'_>| ());
        let surroundings = (&*self.host, self.options, &*self.cache);
        let hints = Hints::new(Vec::new(), &mut nobody);
        act(Evaluation::new(surroundings, source, (&mut names, &mut printed), hints))
    }

    /// The completions at byte `offset` of `text`, which a user is typing.
    pub fn complete(&self, text: &str, offset: usize) -> Vec<Completion> {
        let source = Source::new(FileId(0), "prompt", text);
        let checked = check::session::check_session(&source, &self.names.scope);
        complete_within(&checked, &self.names.scope, offset)
    }
}
