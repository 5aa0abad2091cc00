//! A session: runs the statements of a text one after another over its definitions.

use std::sync::{Arc, OnceLock};

use super::{
    Event, Options, Outcome, Verdict,
    evaluation::Evaluation,
    hints::Hints,
    limits,
    names::Names,
    outcome::Sink,
    programs::Reported,
    shown::Shown,
    stale::{self, Stale},
};
use nnz_backend::{Cache, FloatOrder};
use nnz_base::{
    diagnostic::{Code, Diagnostic, counted},
    host::Host,
    ids::FileId,
    memory,
    source::{Source, Span},
};
use nnz_check::{
    self as check, Checked, Checker,
    command::{Command, Setting},
    session::Statement,
    used::Files,
};
use nnz_ide::complete::{Completion, NoFolders, complete_within};
use nnz_languages::{Context, FrontEnd, Known};
use nnz_mlir::Module;
use nnz_run::Engine;
use nnz_syntax as syntax;
use nnz_view::Markup;

/// Adds the message of a bug to a failed outcome without an error.
fn told(source: &Source, outcome: &mut Outcome) {
    if !outcome.is_error() {
        let message = "this statement was refused without a reason";
        outcome.diagnostics.push(Diagnostic::new(Code::CompilerBug, source.id, outcome.span, message));
    }
}

/// What most sessions do first.
const WARM_UP: &str = "A : CSR = poisson2d(n = 3)\nx : tensor<9xf64> = random(density = 1.0)\ny(i) = A(i, j) * x(j)\n";

/// How an evaluation ended.
pub(super) struct Tried<T> {
    pub(super) result: Result<T, Box<Diagnostic>>,
    pub(super) hints: Vec<Diagnostic>,
    /// How many of the hints were reported early.
    pub(super) told: usize,
    /// The output of a program that failed.
    pub(super) printed: Option<Markup>,
}

#[derive(Clone)]
pub struct Session {
    pub(super) host: Arc<dyn Host>,
    pub options: Options,
    pub(super) names: Arc<Names>,
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
        let cuts = syntax::session::statements(&tree);
        for (at, cut) in cuts.iter().enumerate() {
            // Before the host is asked: a shortage of the last statement is over.
            memory::begin();
            if self.host.cancelled() {
                return Verdict::Cancelled;
            }
            let (mut outcome, ended) = self.run_statement(source, cut, sink);
            if ended == Verdict::Fine {
                outcome.diagnostics.extend(stale.hints(source, cut));
            } else {
                stale.explain(source, &mut outcome.diagnostics);
            }
            if ended == Verdict::Failed && !keep_going {
                left_out(&mut outcome.diagnostics, statements_behind(&cuts, at, &source.text));
            }
            sink(Event::Ended(Box::new(outcome)));
            match ended {
                Verdict::Fine => stale.ended(cut),
                Verdict::Failed => {
                    stale.failed(source, cut, &self.names.scope);
                    stale::hide_constants(cut, &mut Arc::make_mut(&mut self.names).scope);
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
        let text = OnceLock::new();
        let mut outcome = Outcome { span: cut.span, shown, screen, data, diagnostics, told: 0, text };
        let verdict = match self.checked(source, cut, &mut outcome.diagnostics) {
            Some(Statement::Command(Command::Quit)) => Verdict::Quit,
            Some(Statement::Command(Command::Set(setting))) => self.set(setting),
            Some(statement) => self.evaluate(source, statement, (&mut outcome, sink)),
            None => {
                if !outcome.is_error() {
                    outcome.diagnostics.extend(stale::hidden_constant(source, cut, &self.names.scope));
                }
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
    pub(super) fn attempt<T>(
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
        names.learn(checked, modules, Reported::Span);
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

/// How many statements are behind the one at `at`.
fn statements_behind(cuts: &[syntax::session::Statement<'_>], at: usize, text: &str) -> usize {
    let behind = (at + 1..cuts.len()).filter(|at| !begins_next(cuts, *at, text)).count();
    behind - usize::from(begins_next(cuts, at, text))
}

/// Whether text that is no statement, as a prompt, stands in front of one on its line.
fn begins_next(cuts: &[syntax::session::Statement<'_>], at: usize, text: &str) -> bool {
    let (Some(here), Some(next)) = (cuts.get(at), cuts.get(at + 1)) else { return false };
    let gap = text.get(here.span.end as usize..next.span.start as usize);
    here.node.is_none() && next.node.is_some() && gap.is_some_and(|gap| !gap.contains(['\n', ';']))
}

fn left_out(diagnostics: &mut [Diagnostic], statements: usize) {
    let last = diagnostics.iter_mut().rev().find(|found| found.is_error());
    let Some(error) = last.filter(|_| statements > 0) else { return };
    let was = if statements == 1 { "was" } else { "were" };
    error.notes.push(format!("{} below {was} not run", counted(statements, "statement")));
}
