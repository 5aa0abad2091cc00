//! Runs each kind of statement.

use std::{
    io::{BufRead, Write},
    sync::Arc,
};

use serde_json::{Value as Json, json};

use super::{
    Options, Timed,
    define::{Definer, Made},
    help,
    hints::Hints,
    names::{Applied, Computed, Kind, Names, Number, Tensor, Value},
    show,
    timing::Timing,
};
use nnz_backend::{BackendError, Cache, c};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    host::Host,
    ids::TensorId,
    memory::NoRoom,
    source::{Source, Span},
};
use nnz_check::{
    DefinitionKind,
    command::{self, Command, View},
    kernel::KernelStatement,
    schedule::StepPlace,
    scope::{Format, Word, suggest},
    session::{Statement, TensorDefinition},
};
use nnz_listing::Listing;
use nnz_run::{
    self as run, Blame, Compiled, Hidden, Launch, Means, Origin, Plans, Prepared, Refusal, Request, RunError,
    measure::MeasureError,
};
use nnz_storage::Storage;
use nnz_view::{Line, Markup, Role, steps::StepsView};
/// The output of a statement.
pub(super) struct Shown {
    pub markup: Option<Markup>,
    pub json: Json,
}

impl Shown {
    pub(super) fn of((markup, json): (Markup, Json)) -> Shown {
        Shown { markup: Some(markup), json }
    }
    pub(super) fn text(markup: Markup) -> Shown {
        let json = json!({ "kind": "text", "text": markup.plain_text() });
        Shown::of((markup, json))
    }
}

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The evaluation of one statement, on its own copy of the names.
pub(super) struct Evaluation<'a> {
    pub host: &'a dyn Host,
    pub options: Options,
    pub source: &'a Source,
    pub names: &'a mut Names,
    pub cache: &'a Cache,
    /// The costs of the statement that its text does not show.
    pub hints: Hints<'a>,
    /// The output of the statement's program, in case it fails later.
    pub printed: &'a mut Option<Markup>,
}

/// The places for messages about a kernel's tensors.
pub(super) struct Places<'a> {
    tensors: &'a [Span],
    steps: &'a [StepPlace],
    otherwise: Span,
}

impl Places<'_> {
    /// One for all.
    pub(super) fn only(span: Span) -> Places<'static> {
        Places { tensors: &[], steps: &[], otherwise: span }
    }
    fn of(&self, tensor: Option<TensorId>) -> Span {
        tensor.and_then(|tensor| self.tensors.get(tensor.index())).copied().unwrap_or(self.otherwise)
    }
    fn of_step(&self, step: usize) -> Span {
        self.steps.get(step).map_or(self.otherwise, |place| place.whole)
    }
}

impl Applied {
    /// The kernel with its operands, ready to be compiled; reports of costs quote the right side's `text`.
    pub(super) fn prepare(
        &self,
        text: Option<&str>,
        tell: &mut dyn FnMut(Hidden),
    ) -> std::result::Result<Prepared<'_>, Refusal> {
        let request = Request { kernel: &self.kernel, schedule: &self.schedule, text, origin: Origin::Session };
        run::prepare(request, self.data(), &mut Plans::default(), tell)
    }
}

/// The result of a kernel.
pub(super) enum Output {
    Tensor(Storage),
    Number(Element, Scalar),
}

impl Output {
    /// Runs the kernel.
    ///
    /// # Errors
    /// As [`run::run`].
    pub(super) fn of(
        prepared: &Prepared<'_>,
        launch: Launch<'_>,
        tell: &mut dyn FnMut(Hidden),
    ) -> std::result::Result<Output, RunError> {
        let result = prepared.kernel().tensor(prepared.kernel().result().tensor);
        if result.shape.is_empty() {
            let value = prepared.run_values(launch, tell)?.get(0);
            return Ok(Output::Number(result.element, value.unwrap_or_else(|| result.element.zero())));
        }
        Ok(Output::Tensor(prepared.run(launch, tell)?))
    }

    /// As a value of the session, which `origin` computed.
    pub(super) fn named(self, (name, kind): (&str, Kind), origin: Computed) -> Value {
        let (name, origin) = (name.to_string(), Some(origin));
        match self {
            Output::Tensor(storage) => Value::Tensor(Arc::new(Tensor { name, kind, storage: storage.into(), origin })),
            Output::Number(element, value) => Value::Number(Arc::new(Number { element, value, origin })),
        }
    }
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(
        (host, options, cache): (&'a dyn Host, Options, &'a Cache),
        source: &'a Source,
        (names, printed): (&'a mut Names, &'a mut Option<Markup>),
        hints: Hints<'a>,
    ) -> Evaluation<'a> {
        Evaluation { host, options, source, names, cache, hints, printed }
    }

    /// How kernels run now.
    pub(super) fn launch(&self) -> Launch<'a> {
        let Options { engine, float_order: order, threads, .. } = self.options;
        Launch { engine, order, cache: self.cache, means: Means { threads, memory: self.host.memory_free() } }
    }
}

impl Evaluation<'_> {
    /// # Errors
    /// The diagnostic of the failure; the names may then be half changed.
    pub(super) fn statement(&mut self, statement: Statement) -> Result<Shown> {
        match statement {
            Statement::Encoding { name, encoding } => {
                let json = json!({ "kind": "encoding", "name": name.text });
                self.names.define_encoding(&name.text, encoding);
                Ok(Shown { markup: None, json })
            }
            Statement::Tensor(definition) => self.tensor(&definition),
            Statement::Constant { name, element, value } => {
                let number = Value::Number(Arc::new(Number { element, value, origin: None }));
                Ok(self.define(&name, number))
            }
            Statement::Kernel(kernel) => self.kernel(kernel),
            Statement::Call(call) => self.call(&call),
            Statement::Compute(kernel) => {
                let name = kernel.name.clone();
                let value = self.compute(kernel)?.forgetting_its_kernel();
                let shown = self.shown(&name, show::value(&name.text, &value, self.options))?;
                self.names.define(&name.text, value);
                Ok(shown)
            }
            Statement::Show(name) => self.show(&name),
            Statement::Use(path) => self.import(&path),
            Statement::Command(command) => self.command(command),
        }
    }

    pub(super) fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, self.source.id, span, message))
    }

    /// The path of a file that the text names.
    pub(super) fn found(&self, path: &Word) -> String {
        self.host.find(&path.text, &self.source.name)
    }

    fn define(&mut self, name: &Word, value: Value) -> Shown {
        let (_, mut json) = show::type_of(&name.text, &value.meaning());
        json["kind"] = "definition".into();
        self.names.define(&name.text, value);
        Shown { markup: None, json }
    }

    pub(super) fn tensor(&mut self, definition: &TensorDefinition) -> Result<Shown> {
        let Made { tensor, notes, doubts } = match self.converted_by_loops(definition)? {
            Some(made) => made,
            None => self.definer().tensor(definition)?,
        };
        self.hints.extend(doubts);
        let title = tensor.view().title();
        let literal = matches!(definition.init, nnz_check::session::Init::Literal(_));
        let shown = self.define(&definition.name, Value::Tensor(tensor));
        let markup = (!literal).then(|| notes.into_iter().fold(Markup::new().line(title), Markup::line));
        Ok(Shown { markup, ..shown })
    }

    /// Takes over the encodings of another file, and the functions of an MLIR program.
    fn import(&mut self, path: &Word) -> Result<Shown> {
        let program = self.checked_file(path)?;
        let (source, mut names) = (&program.checked.source, Vec::new());
        let mut others = self.names.functions_of_others(&path.text);
        for definition in &program.checked.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                let name = source.slice(definition.name).to_string();
                if self.names.encoding(&name).is_some_and(|old| old != encoding) {
                    others.push(name.clone());
                }
                self.names.define_encoding(&name, encoding.clone());
                names.push(name);
            }
        }
        let (functions, note) = self.functions(path, program)?;
        let all = [names.as_slice(), functions.as_slice()].concat();
        let line = Line::of(Role::Note, format!("{}: {}", path.text, all.join(", ")));
        others.retain(|name| all.contains(name));
        let json = json!({ "kind": "used", "path": path.text, "encodings": names, "functions": functions, "replaced": others });
        let replaced =
            (!others.is_empty()).then(|| Line::of(Role::Note, format!("in place of others: {}", others.join(", "))));
        let markup = replaced.into_iter().chain(note).fold(Markup::new().line(line), Markup::line);
        Ok(Shown::of((markup, json)))
    }

    // Kernels.

    fn kernel(&mut self, statement: KernelStatement) -> Result<Shown> {
        let name = statement.name.clone();
        let value = self.compute(statement)?;
        Ok(self.define(&name, value))
    }

    /// Runs the kernel now.
    fn compute(&mut self, statement: KernelStatement) -> Result<Value> {
        let unknown =
            || self.error(Code::IncompleteType, statement.expr_span, "a size or an element type is not known");
        let kernel = statement.kernel.ok_or_else(unknown)?;
        let operands = kernel.tensors().iter().take(kernel.tensors().len() - 1);
        let operands: Option<Vec<Value>> = operands.map(|tensor| self.names.get(&tensor.name).cloned()).collect();
        let missing = || self.error(Code::UnknownName, statement.expr_span, "an operand has no data");
        let schedule = Arc::new(statement.scheduled.schedule);
        let applied = Applied { kernel: Arc::new(kernel), schedule, operands: operands.ok_or_else(missing)? };
        let steps = &statement.scheduled.places;
        let places = Places { tensors: &statement.places, steps, otherwise: statement.expr_span };
        let prepared = self.prepare(&applied, &places)?;
        if let Some(refused) = prepared.too_much(self.host.memory_free()) {
            let error = self.error(Code::TooLarge, statement.expr_span, refused.to_string());
            return Err(Box::new(error.label(refused.label()).help(refused.help())));
        }
        if prepared.steps() >= run::LONG_FROM {
            self.hints.tell();
        }
        let format = statement.result.format.as_ref().unwrap_or(&Format::Plain);
        let kind = Kind::of(format, statement.result.format_name);
        let result = self.launched(&prepared, statement.expr_span)?;
        let outline = prepared.outline().clone();
        drop(prepared);
        Ok(result.named((&statement.name.text, kind), Computed { applied, outline }))
    }

    /// Runs a kernel with the present resources. A function that cannot be compiled runs in the interpreter, with a
    /// hint.
    fn launched(&mut self, prepared: &Prepared<'_>, span: Span) -> Result<Output> {
        let (launch, file) = (self.launch(), self.source.id);
        let mut tell = |cost: Hidden| self.hints.push(cost.hint(file, span));
        let result = Output::of(prepared, launch, &mut tell);
        result.map_err(|error| {
            if let RunError::Backend(error) = error {
                self.backend_failed(span, &error)
            } else {
                let large = error.code() == Code::TooLarge;
                let label = if large { "wants more memory than there is" } else { "this kernel failed" };
                Box::new(self.error(error.code(), span, error.to_string()).label(label))
            }
        })
    }

    /// The kernel that computed a value, with its operands prepared again. Its costs were reported when it was computed.
    fn prepare_again<'o>(&self, applied: &'o Applied, name: &Word) -> Result<Prepared<'o>> {
        let prepared = applied.prepare(None, &mut |_| ());
        prepared.map_err(|refusal| self.refused(&refusal, &Places::only(name.span)))
    }

    /// Prepares the kernel, and reports its costs.
    fn prepare<'o>(&mut self, applied: &'o Applied, places: &Places<'_>) -> Result<Prepared<'o>> {
        let (known, file, mut steps) = (self.hints.len(), self.source.id, 0u64);
        let mut tell = |cost: Hidden| {
            steps = steps.saturating_add(cost.steps);
            self.hints.push(cost.hint(file, places.of(cost.tensor)));
            if steps >= run::LONG_FROM {
                self.hints.tell();
            }
        };
        applied.prepare(Some(self.source.slice(places.otherwise)), &mut tell).map_err(|refusal| {
            self.hints.truncate(known);
            self.refused(&refusal, places)
        })
    }

    pub(super) fn refused(&self, refusal: &Refusal, places: &Places<'_>) -> Box<Diagnostic> {
        let span = match refusal.blame() {
            Blame::Kernel | Blame::Memory | Blame::Nnz => places.otherwise,
            Blame::Tensor(tensor) => places.of(Some(tensor)),
            Blame::Step(step) => places.of_step(step),
        };
        let mut error = refusal.diagnostic(self.source.id, span);
        error.helps.iter_mut().for_each(|help| *help = self.names.scope.with_free_names(help));
        Box::new(error)
    }

    /// Compiles for the target. A function that the target cannot take runs in the interpreter, with a hint.
    pub(super) fn compile(&mut self, prepared: &Prepared<'_>, span: Span) -> Result<Arc<Compiled>> {
        let file = self.source.id;
        let mut tell = |cost: Hidden| self.hints.push(cost.hint(file, span));
        let compiled =
            prepared.compile((self.options.engine.target(), self.options.float_order), self.cache, &mut tell);
        compiled.map_err(|error| self.backend_failed(span, &error))
    }

    pub(super) fn backend_failed(&self, span: Span, error: &BackendError) -> Box<Diagnostic> {
        let mut diagnostic = self.error(error.code(), span, error.to_string());
        diagnostic.helps.extend(error.loops().map(str::to_string));
        diagnostic
    }

    pub(super) fn origin(&self, name: &Word) -> Result<Computed> {
        let value = self.names.get(&name.text).ok_or_else(|| self.undefined_kernel(name))?;
        value.origin().cloned().ok_or_else(|| Box::new(command::no_kernel(self.source.id, name)))
    }

    fn undefined_kernel(&self, name: &Word) -> Box<Diagnostic> {
        let error = self.error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
        let names: Vec<&str> = self.names.computed().collect();
        let computed = match names.as_slice() {
            [] => "no kernel computed anything".to_string(),
            names => format!("kernels computed `{}`", names.join("`, `")),
        };
        Box::new(suggest(error.label("not defined"), &name.text, names.iter().copied(), computed))
    }

    /// Prepares and compiles a kernel again, and calls `act` with it.
    fn with_timing<T>(&mut self, applied: &Applied, name: &Word, act: impl FnOnce(&Timing<'_>) -> T) -> Result<T> {
        let prepared = self.prepare_again(applied, name)?;
        let compiled = self.compile(&prepared, name.span)?;
        Ok(act(&Timing { host: self.host, options: self.options, prepared: &prepared, compiled: &compiled }))
    }

    /// Times the kernel that computed a name.
    pub(super) fn timed(&mut self, name: &Word) -> Result<Timed> {
        let applied = self.origin(name)?.applied;
        self.timed_kernel(&applied, name)
    }

    pub(super) fn timed_kernel(&mut self, applied: &Applied, name: &Word) -> Result<Timed> {
        let measured = self.with_timing(applied, name, |timing| timing.timed(applied))?;
        measured.map_err(|error| match error {
            MeasureError::Cancelled => self.error(Code::Cancelled, name.span, "stopped"),
            MeasureError::Failed(error) => self.error(error.code(), name.span, error.to_string()),
        })
    }

    /// Times a kernel at another program's command.
    pub(super) fn serve(&mut self, name: &Word, input: impl BufRead, output: impl Write) -> Result<()> {
        let applied = self.origin(name)?.applied;
        let served = self.with_timing(&applied, name, |timing| timing.serve(input, output))?;
        served.map_err(|error| self.error(Code::RunFailed, name.span, error.to_string()))
    }

    /// Runs the kernel that computed a name again, and tells each step.
    fn steps(&mut self, name: &Word) -> Result<Shown> {
        /// More are not looked through by anybody, and the text of each takes memory.
        const MOST_STEPS: usize = 5_000;
        let applied = self.origin(name)?.applied;
        let prepared = self.prepare_again(&applied, name)?;
        let trace =
            prepared.trace(MOST_STEPS).map_err(|error| self.error(error.code(), name.span, error.to_string()))?;
        let view = StepsView { name: &name.text, trace: &trace };
        Ok(Shown::of((view.markup(self.options.screen), view.json())))
    }

    pub(super) fn code_of(&mut self, view: View, name: &Word) -> Result<Markup> {
        self.code_part((view, name), &mut c::Written::default())
    }

    /// The code of a kernel, after the part of a file that is already `written`.
    pub(super) fn code_part(&mut self, (view, name): (View, &Word), written: &mut c::Written) -> Result<Markup> {
        let origin = self.origin(name)?;
        let Options { engine, float_order: order, gpu, .. } = self.options;
        let (outline, schedule) = (&*origin.outline, &*origin.applied.schedule);
        let listing = Listing { outline, schedule, target: engine.target(), order, gpu };
        let found = listing.part(view, written).map_err(|error| self.backend_failed(name.span, &error))?;
        Ok(if view == View::Plan { found.wrapped(self.options.screen.width) } else { found })
    }

    pub(super) fn definer(&self) -> Definer<'_> {
        Definer {
            host: self.host,
            names: self.names,
            file: self.source.id,
            text: &self.source.name,
            drop_zeros: self.options.drop_zeros,
        }
    }

    // Showing.

    fn value(&self, name: &Word) -> Result<&Value> {
        let none = || self.error(Code::CommandArguments, name.span, format!("`{}` is no tensor", name.text));
        self.names.get(&name.text).ok_or_else(none)
    }

    pub(super) fn tensor_named(&self, name: &Word) -> Result<&Arc<Tensor>> {
        match self.value(name)? {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Number(_) => Err(Box::new(command::no_tensor(self.source.id, name))),
        }
    }

    fn show(&self, name: &Word) -> Result<Shown> {
        match self.names.get(&name.text) {
            Some(value) => self.shown(name, show::value(&name.text, value, self.options)),
            None => self.type_of(name),
        }
    }

    /// The output for `name`, if there is room for it.
    fn shown(&self, name: &Word, made: std::result::Result<(Markup, Json), NoRoom>) -> Result<Shown> {
        made.map(Shown::of).map_err(|refused| self.error(Code::TooLarge, name.span, refused.to_string()))
    }

    fn type_of(&self, name: &Word) -> Result<Shown> {
        let unknown = || self.error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
        let meaning = self.names.scope.get(&name.text).ok_or_else(unknown)?;
        Ok(Shown::of(show::type_of(&name.text, meaning)))
    }

    fn view(&mut self, view: View, name: &Word) -> Result<Shown> {
        let screen = self.options.screen;
        let markup = match view {
            View::Levels => self.tensor_named(name)?.view().levels(screen),
            View::Tree => self.tensor_named(name)?.view().tree(screen),
            View::Storage => {
                let view = self.tensor_named(name)?.view();
                return Ok(Shown::of((view.storage(screen), view.storage_json())));
            }
            View::Spy => {
                let tensor = self.tensor_named(name)?;
                let refusal = command::no_matrix(self.source.id, name, tensor.storage.dim_sizes().len());
                refusal.map_or(Ok(tensor.view().spy(screen)), |refusal| Err(Box::new(refusal)))?
            }
            View::Dump => {
                let tensor = self.tensor_named(name)?;
                return self.shown(name, show::dump(tensor, self.options));
            }
            View::Graph
            | View::Svg
            | View::Lattice
            | View::Plan
            | View::Loops
            | View::Lowered
            | View::C
            | View::Mlir
            | View::Llvm
            | View::Asm
            | View::Ptx => self.code_of(view, name)?,
        };
        Ok(Shown::text(markup))
    }

    fn command(&mut self, command: Command) -> Result<Shown> {
        match command {
            Command::Show { view, name } => self.view(view, &name),
            Command::Type(name) => self.type_of(&name),
            Command::Vars => {
                let (names, json) = show::vars(self.names);
                Ok(Shown::of((names.wrapped(self.options.screen.width), json)))
            }
            Command::Explain(code) => Ok(Shown::text(help::explain(code, self.options.screen.width))),
            Command::Help(topic) => {
                let function = topic.as_ref().and_then(|word| self.function_help(&word.text));
                let told = function.unwrap_or_else(|| help::help(topic.as_ref()));
                Ok(Shown::text(told.wrapped(self.options.screen.width)))
            }
            Command::Time(name) => {
                let timed = self.timed(&name)?;
                Ok(Shown::of((timed.markup(self.options.screen.width), timed.json())))
            }
            Command::Step(name) => self.steps(&name),
            Command::Write { name, path } => {
                let written = self.write(&name, &path)?;
                Ok(Shown::of((Markup::new().line(written.line()), written.json())))
            }
            Command::Set(_) | Command::Quit => Ok(Shown::text(Markup::of(Role::Note, "bye"))),
        }
    }
}
