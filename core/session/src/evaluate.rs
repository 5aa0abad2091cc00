//! What each statement does.

use std::{
    io::{BufRead, Write},
    sync::Arc,
};

use serde_json::{Value as Json, json};

use super::{
    Host, Options, Outcome,
    code::Listing,
    define::{Definer, Made, code_of_storage},
    help,
    hints::Hints,
    kernels::{Blame, Cost, NotReady, Ready},
    limits,
    names::{Computed, Kind, Names, Number, Tensor, Value},
    show,
    timing::Timing,
};
use nnz_backend::{BackendError, Cache, Executable, Target, c};
use nnz_base::{
    diagnostic::{self, Code, Diagnostic},
    ids::{FileId, TensorId},
    memory::NoRoom,
    source::{Language, Source, Span},
};
use nnz_check::{
    DefinitionKind,
    command::{self, Command, View},
    kernel::KernelStatement,
    schedule::StepPlace,
    scope::{Format, Word},
    session::{Statement, TensorDefinition},
};
use nnz_loops::{Function, Verified};
use nnz_run::{self as run, Compiled, Means, RunError, measure::MeasureError};
use nnz_storage::{
    self as storage,
    files::{self, Content, FileKind, Written},
};
use nnz_view::{Line, Markup, Role};

/// What a statement has to say.
pub(super) struct Shown {
    pub markup: Option<Markup>,
    pub json: Json,
}

impl Shown {
    fn of((markup, json): (Markup, Json)) -> Shown {
        Shown { markup: Some(markup), json }
    }
    fn text(markup: Markup) -> Shown {
        let json = json!({ "kind": "text", "text": markup.plain_text() });
        Shown { markup: Some(markup), json }
    }
    fn silent(json: Json) -> Shown {
        Shown { markup: None, json }
    }
}

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// One statement's evaluation, on names of its own.
pub(super) struct Evaluation<'a> {
    pub host: &'a dyn Host,
    pub options: Options,
    pub file: FileId,
    pub source: &'a Source,
    pub names: &'a mut Names,
    pub cache: &'a Cache,
    /// What the statement costs that its text does not show.
    pub hints: Hints<'a>,
    /// What the statement's program printed, where it fails later.
    pub printed: &'a mut Option<Markup>,
}

/// A file that is written until the user has had enough.
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

/// Where to say what about a kernel's tensors.
struct Places<'a> {
    tensors: &'a [Span],
    steps: &'a [StepPlace],
    otherwise: Span,
}

impl Places<'_> {
    fn of(&self, tensor: Option<TensorId>) -> Span {
        tensor.and_then(|tensor| self.tensors.get(tensor.index())).copied().unwrap_or(self.otherwise)
    }
    fn of_step(&self, step: usize) -> Span {
        self.steps.get(step).map_or(self.otherwise, |place| place.whole)
    }
}

impl Evaluation<'_> {
    /// # Errors
    /// The diagnostic of what went wrong; the names may then be half changed.
    pub(super) fn statement(&mut self, statement: Statement) -> Result<Shown> {
        match statement {
            Statement::Encoding { name, encoding } => {
                let json = json!({ "kind": "encoding", "name": name.text });
                self.names.define_encoding(&name.text, encoding);
                Ok(Shown::silent(json))
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
        Box::new(Diagnostic::new(code, self.file, span, message))
    }

    /// Where a file lies that the text names.
    pub(super) fn found(&self, path: &Word) -> String {
        self.host.find(&path.text, &self.source.name)
    }

    fn define(&mut self, name: &Word, value: Value) -> Shown {
        let (_, mut json) = show::type_of(&name.text, &value.meaning());
        json["kind"] = "definition".into();
        self.names.define(&name.text, value);
        Shown::silent(json)
    }

    pub(super) fn tensor(&mut self, definition: &TensorDefinition) -> Result<Shown> {
        let Made { tensor, notes, doubts } = match self.converted_by_loops(definition) {
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
        let (source, checked) = self.checked_file(path)?;
        let mut names = Vec::new();
        for definition in &checked.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                names.push(source.slice(definition.name).to_string());
                self.names.define_encoding(source.slice(definition.name), encoding.clone());
            }
        }
        let (functions, note) = match source.language {
            Language::Mlir => self.functions(path, &checked)?,
            Language::Nnz => (Vec::new(), None),
        };
        let all = [names.as_slice(), functions.as_slice()].concat();
        let line = Line::of(Role::Note, format!("{}: {}", path.text, all.join(", ")));
        let json = json!({ "kind": "used", "path": path.text, "encodings": names, "functions": functions });
        let markup = note.into_iter().fold(Markup::new().line(line), Markup::line);
        Ok(Shown { markup: Some(markup), json })
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
        let ready = self.ready(&origin, &places)?;
        if let Some((message, help)) = limits::refusal(&ready, self.host.memory()) {
            return Err(Box::new(self.error(Code::TooLarge, statement.expr_span, message).help(help)));
        }
        let compiled = self.compile(&ready, statement.expr_span)?;
        if run::points(&ready.lowered, &ready.operands()) >= run::LONG_FROM {
            self.hints.tell();
        }
        let format = statement.result.format.as_ref().unwrap_or(&Format::Plain);
        let kind = Kind::of(format, statement.result.format_name);
        let result = ready.run((&statement.name.text, kind), &compiled, self.means(), origin);
        result.map_err(|error| {
            let (code, message) = match &error {
                RunError::Memory { tensor, wanted, free } => {
                    (Code::TooLarge, limits::too_large(tensor, *wanted, *free))
                }
                error if error.is_no_room() => (Code::TooLarge, error.to_string()),
                RunError::Storage { .. } => (Code::BadData, error.to_string()),
                _ => (Code::RunFailed, error.to_string()),
            };
            self.error(code, statement.expr_span, message)
        })
    }

    /// What a run may use, as things are now.
    pub(super) fn means(&self) -> Means {
        Means { threads: self.options.threads, memory: self.host.memory() }
    }

    /// The kernel that computed a value, lowered again. What it costs was said when it was computed.
    fn ready_again(&self, origin: &Computed, name: &Word) -> Result<Ready> {
        let ready = Ready::new(origin, "", &mut |_| ());
        ready.map_err(|reason| self.not_ready(reason, &Places { tensors: &[], steps: &[], otherwise: name.span }))
    }

    /// Lowers the kernel, and says what it costs.
    fn ready(&mut self, origin: &Computed, places: &Places<'_>) -> Result<Ready> {
        let (known, file) = (self.hints.len(), self.file);
        let mut tell = |Cost { tensor, text, steps }: Cost| {
            self.hints.push(Diagnostic::new(Code::HiddenCost, file, places.of(tensor), text));
            if steps >= run::LONG_FROM {
                self.hints.tell();
            }
        };
        Ready::new(origin, self.source.slice(places.otherwise), &mut tell).map_err(|reason| {
            self.hints.truncate(known);
            self.not_ready(reason, places)
        })
    }

    fn not_ready(&self, NotReady { blame, message, label, help }: NotReady, places: &Places<'_>) -> Box<Diagnostic> {
        let (code, span) = match blame {
            Blame::Kernel => (Code::NotYet, places.otherwise),
            Blame::Tensor(tensor) => (Code::NotYet, places.of(Some(tensor))),
            Blame::Step(step) => (Code::IllegalStep, places.of_step(step)),
            Blame::Memory => (Code::TooLarge, places.otherwise),
            Blame::Nnz => (Code::CompilerBug, places.otherwise),
        };
        let mut error = self.error(code, span, message);
        error.helps.extend(help);
        error.primary.message = label.unwrap_or_default().to_string();
        error
    }

    /// Compiles for the target; a kernel that it cannot take runs in the interpreter, which is said.
    pub(super) fn compile(&mut self, ready: &Ready, span: Span) -> Result<Compiled> {
        let points = run::points(&ready.lowered, &ready.operands());
        Compiled::new(&ready.lowered, |function| self.compile_one(function, (span, points)))
    }

    fn compile_one(
        &mut self,
        function: &Verified<Function>,
        (span, points): (Span, u64),
    ) -> Result<Arc<dyn Executable>> {
        let reason = match self.cache.compile(self.options.target, self.options.float_order, function) {
            Ok(executable) => return Ok(executable),
            Err(error @ BackendError::Unsupported { .. }) => error,
            Err(error) => return Err(self.error(Code::RunFailed, span, error.to_string())),
        };
        let message = format!("runs in the interpreter, in {points} steps or so: {reason}");
        self.hints.push(Diagnostic::new(Code::HiddenCost, self.file, span, message));
        let compiled = self.cache.compile(Target::Interpreter, self.options.float_order, function);
        compiled.map_err(|error| self.error(Code::RunFailed, span, error.to_string()))
    }

    fn origin(&self, name: &Word) -> Result<Computed> {
        let origin = self.value(name)?.origin().cloned();
        origin.ok_or_else(|| Box::new(command::no_kernel(self.file, name)))
    }

    fn time(&mut self, name: &Word) -> Result<Shown> {
        let origin = self.origin(name)?;
        let ready = self.ready_again(&origin, name)?;
        let compiled = self.compile(&ready, name.span)?;
        let timing = Timing { host: self.host, options: self.options, ready: &ready, compiled: &compiled };
        match timing.measure() {
            Ok(measurement) => Ok(Shown::of(timing.shown(&origin, &measurement))),
            Err(MeasureError::Cancelled) => Err(self.error(Code::Cancelled, name.span, "stopped")),
            Err(MeasureError::Failed(error)) => {
                let code = if error.is_no_room() { Code::TooLarge } else { Code::RunFailed };
                Err(self.error(code, name.span, error.to_string()))
            }
        }
    }

    /// Times a kernel at another program's command.
    pub(super) fn serve(mut self, name: &Word, input: impl BufRead, output: impl Write) -> Result<()> {
        let origin = self.origin(name)?;
        let ready = self.ready_again(&origin, name)?;
        let compiled = self.compile(&ready, name.span)?;
        let timing = Timing { host: self.host, options: self.options, ready: &ready, compiled: &compiled };
        let served = timing.serve(input, output);
        served.map_err(|error| self.error(Code::RunFailed, name.span, error.to_string()))
    }

    /// The code of a kernel, behind what is `written` of a file.
    pub(super) fn lower(mut self, (view, name): (View, &Word), written: &mut c::Written) -> Result<Outcome> {
        let shown = Shown::text(self.code_part((view, name), written)?);
        let (diagnostics, told) = self.hints.into_parts();
        Ok(Outcome { span: name.span, markup: shown.markup, json: shown.json, diagnostics, told })
    }

    fn code_of(&mut self, view: View, name: &Word) -> Result<Markup> {
        self.code_part((view, name), &mut c::Written::default())
    }

    fn code_part(&mut self, (view, name): (View, &Word), written: &mut c::Written) -> Result<Markup> {
        let origin = self.origin(name)?;
        let ready = self.ready_again(&origin, name)?;
        let order = self.options.float_order;
        let (kernel, lowered) = (&ready.kernel, &ready.lowered);
        let listing = Listing { kernel, lowered, schedule: &origin.schedule, order };
        listing.part(view, written).map_err(|error| self.error(Code::RunFailed, name.span, error.to_string()))
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
        Ok(Shown { markup: Some(Markup::new().line(line)), json })
    }

    fn definer(&self) -> Definer<'_> {
        Definer {
            host: self.host,
            names: self.names,
            file: self.file,
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

    /// Writes a tensor's entries, and says how many those are.
    fn write_entries(&self, name: &Word, path: &Word) -> Result<(Written, usize)> {
        let tensor = self.tensor_named(name)?;
        let bad = |message: String| self.error(Code::BadFile, path.span, message);
        if let Some(refusal) = command::unwritable(self.file, path, Some(tensor.storage.dim_sizes())) {
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
            Value::Number(_) => Err(Box::new(command::no_tensor(self.file, name))),
        }
    }

    fn show(&self, name: &Word) -> Result<Shown> {
        match self.names.get(&name.text) {
            Some(value) => self.shown(name, show::value(&name.text, value, self.options)),
            None => self.type_of(name),
        }
    }

    /// What is shown of `name`, if there is room for it.
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
                let refusal = command::no_matrix(self.file, name, tensor.storage.dim_sizes().len());
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
            Command::Help(topic) => Ok(Shown::text(help::help(topic.as_ref()))),
            Command::Time(name) => self.time(&name),
            Command::Write { name, path } => self.write(&name, &path),
            Command::Set(_) | Command::Quit => Ok(Shown::text(Markup::of(Role::Note, "bye"))),
        }
    }
}
