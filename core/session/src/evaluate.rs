//! Runs each kind of statement.

use std::{
    io::{BufRead, Write},
    sync::Arc,
};

use serde_json::{Value as Json, json};

use super::{
    Effect, Options, Outcome, Timed,
    code::Listing,
    define::{Definer, Made, code_of_storage},
    help,
    hints::Hints,
    names::{Computed, Kind, Names, Number, Tensor, Value},
    show,
    timing::Timing,
};
use nnz_backend::{BackendError, Cache, c};
use nnz_base::{
    diagnostic::{self, Code, Diagnostic},
    element::{Element, Scalar},
    host::{Content, Host, Written},
    ids::TensorId,
    memory::NoRoom,
    source::{Source, Span},
};
use nnz_check::{
    DefinitionKind,
    command::{self, Command, View},
    kernel::KernelStatement,
    schedule::StepPlace,
    scope::{Format, Word},
    session::{Statement, TensorDefinition},
};
use nnz_run::{
    self as run, Blame, Compiled, Hidden, Means, Origin, Plans, Prepared, Refusal, Request, RunError,
    measure::MeasureError,
};
use nnz_storage::{
    self as storage, Storage,
    files::{self, FileKind},
};
use nnz_view::{Line, Markup, Role};
/// The output of a statement.
pub(super) struct Shown {
    pub markup: Option<Markup>,
    pub json: Json,
    pub effect: Effect,
}

impl Shown {
    pub(super) fn of((markup, json): (Markup, Json)) -> Shown {
        Shown { markup: Some(markup), json, effect: Effect::None }
    }
    fn text(markup: Markup) -> Shown {
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

/// A file that is written until the user cancels.
struct Watched<'a> {
    out: &'a mut dyn Write,
    host: &'a dyn Host,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.host.cancelled() { Err(std::io::Error::other("stopped")) } else { self.out.write(bytes) }
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
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

impl Computed {
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
        compiled: &Compiled,
        means: Means,
    ) -> std::result::Result<Output, RunError> {
        let result = prepared.kernel().tensor(prepared.kernel().result().tensor);
        if result.shape.is_empty() {
            let value = prepared.run_values(compiled, means)?.get(0);
            return Ok(Output::Number(result.element, value.unwrap_or_else(|| result.element.zero())));
        }
        Ok(Output::Tensor(prepared.run(compiled, means)?))
    }

    /// As a value of the session, which `origin` computed.
    pub(super) fn named(self, (name, kind): (&str, Kind), origin: Computed) -> Value {
        let (name, origin) = (name.to_string(), Some(origin));
        match self {
            Output::Tensor(storage) => Value::Tensor(Arc::new(Tensor { name, kind, storage, origin })),
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
}

impl Evaluation<'_> {
    /// # Errors
    /// The diagnostic of the failure; the names may then be half changed.
    pub(super) fn statement(&mut self, statement: Statement) -> Result<Shown> {
        match statement {
            Statement::Encoding { name, encoding } => {
                let json = json!({ "kind": "encoding", "name": name.text });
                self.names.define_encoding(&name.text, encoding);
                Ok(Shown { markup: None, json, effect: Effect::None })
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
        Shown { markup: None, json, effect: Effect::Defined(name.text.clone()) }
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
        for definition in &program.checked.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                names.push(source.slice(definition.name).to_string());
                self.names.define_encoding(source.slice(definition.name), encoding.clone());
            }
        }
        let (functions, note) = self.functions(path, program)?;
        let all = [names.as_slice(), functions.as_slice()].concat();
        let line = Line::of(Role::Note, format!("{}: {}", path.text, all.join(", ")));
        let json = json!({ "kind": "used", "path": path.text, "encodings": names, "functions": functions });
        let markup = note.into_iter().fold(Markup::new().line(line), Markup::line);
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
        let origin = Computed { kernel: Arc::new(kernel), schedule, operands: operands.ok_or_else(missing)? };
        let steps = &statement.scheduled.places;
        let places = Places { tensors: &statement.places, steps, otherwise: statement.expr_span };
        let prepared = self.prepare(&origin, &places)?;
        if let Some(refused) = prepared.too_much(self.host.memory_free()) {
            let error = self.error(Code::TooLarge, statement.expr_span, refused.to_string());
            return Err(Box::new(error.help(refused.help())));
        }
        let compiled = self.compile(&prepared, statement.expr_span)?;
        if prepared.points() >= run::LONG_FROM {
            self.hints.tell();
        }
        let format = statement.result.format.as_ref().unwrap_or(&Format::Plain);
        let kind = Kind::of(format, statement.result.format_name);
        let result = Output::of(&prepared, &compiled, self.means());
        let result = result.map_err(|error| self.error(error.code(), statement.expr_span, error.to_string()))?;
        drop(prepared);
        Ok(result.named((&statement.name.text, kind), origin))
    }

    /// The present resources for a run.
    pub(super) fn means(&self) -> Means {
        Means { threads: self.options.threads, memory: self.host.memory_free() }
    }

    /// The kernel that computed a value, prepared again. Its costs were reported when it was computed.
    fn prepare_again<'o>(&self, origin: &'o Computed, name: &Word) -> Result<Prepared<'o>> {
        let prepared = origin.prepare(None, &mut |_| ());
        prepared.map_err(|refusal| self.refused(&refusal, &Places::only(name.span)))
    }

    /// Prepares the kernel, and reports its costs.
    fn prepare<'o>(&mut self, origin: &'o Computed, places: &Places<'_>) -> Result<Prepared<'o>> {
        let (known, file) = (self.hints.len(), self.source.id);
        let mut tell = |cost: Hidden| {
            let is_long = cost.is_long();
            self.hints.push(Diagnostic::new(Code::HiddenCost, file, places.of(cost.tensor), cost.text));
            if is_long {
                self.hints.tell();
            }
        };
        origin.prepare(Some(self.source.slice(places.otherwise)), &mut tell).map_err(|refusal| {
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
        Box::new(refusal.diagnostic(self.source.id, span))
    }

    /// Compiles for the target. A function that the target cannot take runs in the interpreter, with a hint.
    pub(super) fn compile(&mut self, prepared: &Prepared<'_>, span: Span) -> Result<Arc<Compiled>> {
        let file = self.source.id;
        let mut tell = |cost: Hidden| self.hints.push(Diagnostic::new(Code::HiddenCost, file, span, cost.text));
        let compiled = prepared.compile((self.options.target, self.options.float_order), self.cache, &mut tell);
        compiled.map_err(|error| self.backend_failed(span, &error))
    }

    pub(super) fn backend_failed(&self, span: Span, error: &BackendError) -> Box<Diagnostic> {
        let mut diagnostic = self.error(error.code(), span, error.to_string());
        diagnostic.helps.extend(error.loops().map(str::to_string));
        diagnostic
    }

    fn origin(&self, name: &Word) -> Result<Computed> {
        let origin = self.value(name)?.origin().cloned();
        origin.ok_or_else(|| Box::new(command::no_kernel(self.source.id, name)))
    }

    /// Does something with a kernel that computed a name, prepared and compiled again.
    fn with_timing<T>(&mut self, name: &Word, act: impl FnOnce(&Timing<'_>, &Computed) -> T) -> Result<T> {
        let origin = self.origin(name)?;
        let prepared = self.prepare_again(&origin, name)?;
        let compiled = self.compile(&prepared, name.span)?;
        let timing = Timing { host: self.host, options: self.options, prepared: &prepared, compiled: &compiled };
        Ok(act(&timing, &origin))
    }

    fn time(&mut self, name: &Word) -> Result<Shown> {
        let measured = self.with_timing(name, |timing, origin| {
            let found = timing.measure()?;
            let shown = Shown::of(timing.shown(origin, &found));
            let timed = Timed { loops: found, before: timing.prepared.before().clone() };
            Ok(Shown { effect: Effect::Timed(timed), ..shown })
        })?;
        match measured {
            Ok(shown) => Ok(shown),
            Err(MeasureError::Cancelled) => Err(self.error(Code::Cancelled, name.span, "stopped")),
            Err(MeasureError::Failed(error)) => Err(self.error(error.code(), name.span, error.to_string())),
        }
    }

    /// Times a kernel at another program's command.
    pub(super) fn serve(mut self, name: &Word, input: impl BufRead, output: impl Write) -> Result<()> {
        let served = self.with_timing(name, |timing, _| timing.serve(input, output))?;
        served.map_err(|error| self.error(Code::RunFailed, name.span, error.to_string()))
    }

    /// The code of a kernel, after the part of a file that is already `written`.
    pub(super) fn lower(mut self, (view, name): (View, &Word), written: &mut c::Written) -> Result<Outcome> {
        let shown = Shown::text(self.code_part((view, name), written)?);
        let (diagnostics, told) = self.hints.into_parts();
        Ok(Outcome { span: name.span, markup: shown.markup, json: shown.json, effect: shown.effect, diagnostics, told })
    }

    fn code_of(&mut self, view: View, name: &Word) -> Result<Markup> {
        self.code_part((view, name), &mut c::Written::default())
    }

    fn code_part(&mut self, (view, name): (View, &Word), written: &mut c::Written) -> Result<Markup> {
        let origin = self.origin(name)?;
        let prepared = self.prepare_again(&origin, name)?;
        let Options { target, float_order: order, gpu, .. } = self.options;
        let listing = Listing { prepared: &prepared, schedule: &origin.schedule, target, order, gpu };
        let found = listing.part(view, written).map_err(|error| self.backend_failed(name.span, &error))?;
        Ok(if view == View::Plan { found.wrapped(self.options.screen.width) } else { found })
    }

    /// A tensor's entries, in the order of its storage; the picture of a kernel's iteration graph where the path
    /// ends in `.svg`.
    fn write(&mut self, name: &Word, path: &Word) -> Result<Shown> {
        let (written, entries) = if command::is_picture(&path.text) {
            let picture = self.code_of(View::Svg, name)?.plain_text();
            (self.write_file(path, &mut |out| out.write_all(picture.as_bytes()))?, None)
        } else {
            let (written, entries) = self.write_entries(name, path)?;
            (written, Some(entries))
        };
        let Written { bytes, replaced } = written;
        let counted = entries.map_or(String::new(), |entries| diagnostic::counted(entries, "entry") + ", ");
        let verb = if replaced { "replaced " } else { "" };
        let line = Line::of(Role::Note, format!("{verb}{}: {counted}{bytes} bytes", path.text));
        let json =
            json!({ "kind": "written", "path": path.text, "entries": entries, "bytes": bytes, "replaced": replaced });
        Ok(Shown::of((Markup::new().line(line), json)))
    }

    fn definer(&self) -> Definer<'_> {
        Definer {
            host: self.host,
            names: self.names,
            file: self.source.id,
            text: &self.source.name,
            drop_zeros: self.options.drop_zeros,
        }
    }

    fn write_file(&self, path: &Word, content: Content<'_>) -> Result<Written> {
        let mut watched = |out: &mut dyn Write| content(&mut Watched { out, host: self.host });
        self.host.write(&path.text, &mut watched).map_err(|reason| match self.host.cancelled() {
            true => self.error(Code::Cancelled, path.span, "stopped"),
            false => self.error(Code::BadFile, path.span, format!("cannot write `{}`: {reason}", path.text)),
        })
    }

    /// Writes a tensor's entries, and returns their number.
    fn write_entries(&self, name: &Word, path: &Word) -> Result<(Written, usize)> {
        let tensor = self.tensor_named(name)?;
        let bad = |message: String| self.error(Code::BadFile, path.span, message);
        if let Some(refusal) = command::unwritable(self.source.id, path, Some(tensor.storage.dim_sizes())) {
            return Err(Box::new(refusal));
        }
        let kind = FileKind::of_path(&path.text).ok_or_else(|| bad("no kind of file".to_string()))?;
        let stored = storage::unpack(&tensor.storage)
            .map_err(|error| self.error(code_of_storage(&error), path.span, error.to_string()))?;
        let triplets = if self.options.drop_zeros { stored.without_zeros() } else { stored };
        let packing = files::Packing::of_path(&path.text);
        let written = self.write_file(path, &mut |out| files::write(kind, &triplets, packing, out))?;
        Ok((written, triplets.len()))
    }

    // Showing.

    fn value(&self, name: &Word) -> Result<&Value> {
        let none = || self.error(Code::CommandArguments, name.span, format!("`{}` is no tensor", name.text));
        self.names.get(&name.text).ok_or_else(none)
    }

    fn tensor_named(&self, name: &Word) -> Result<&Arc<Tensor>> {
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
            View::Spy => {
                let tensor = self.tensor_named(name)?;
                let refusal = command::no_matrix(self.source.id, name, tensor.storage.dim_sizes().len());
                refusal.map_or(Ok(tensor.view().spy(screen)), |refusal| Err(Box::new(refusal)))?
            }
            View::Dump => {
                let tensor = self.tensor_named(name)?;
                return self.shown(name, show::dump(tensor, self.options));
            }
            _ => self.code_of(view, name)?,
        };
        Ok(Shown::text(markup))
    }

    fn command(&mut self, command: Command) -> Result<Shown> {
        match command {
            Command::Show { view, name } => self.view(view, &name),
            Command::Type(name) => self.type_of(&name),
            Command::Vars => Ok(Shown::of(show::vars(self.names))),
            Command::Explain(code) => Ok(Shown::text(help::explain(code, self.options.screen.width))),
            Command::Help(topic) => Ok(Shown::text(help::help(topic.as_ref()).wrapped(self.options.screen.width))),
            Command::Time(name) => self.time(&name),
            Command::Write { name, path } => self.write(&name, &path),
            Command::Set(_) | Command::Quit => Ok(Shown::text(Markup::of(Role::Note, "bye"))),
        }
    }
}
