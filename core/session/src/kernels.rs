//! Runs, compiles and times kernels.

use std::{
    io::{BufRead, Write},
    sync::Arc,
};

use super::{
    Options, Timed,
    evaluation::{Evaluation, Result},
    names::{Applied, Computed, Kind, Number, Tensor, Value},
    shown::Shown,
    timing::Timing,
};
use nnz_backend::{BackendError, c};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    ids::TensorId,
    source::Span,
};
use nnz_check::{
    TensorPlace,
    command::{self, View},
    kernel::{KernelStatement, OfPart},
    schedule::StepPlace,
    scope::{Format, Word, suggest},
};
use nnz_listing::Listing;
use nnz_run::{
    self as run, Blame, Compiled, Engine, Hidden, Launch, Origin, Prepared, Refusal, Request, RunError,
    measure::MeasureError,
};
use nnz_storage::Storage;
use nnz_view::Markup;

/// The places for messages about a kernel's tensors.
pub(super) struct Places<'a> {
    tensors: &'a [TensorPlace],
    steps: &'a [StepPlace],
    otherwise: Span,
}

impl Places<'_> {
    /// One for all.
    pub(super) fn only(span: Span) -> Places<'static> {
        Places { tensors: &[], steps: &[], otherwise: span }
    }
    /// The access to a tensor with these index variables, or else its first place.
    fn of(&self, tensor: Option<TensorId>, indices: &[String]) -> Span {
        let place = tensor.and_then(|tensor| self.tensors.get(tensor.index()));
        place.map_or(self.otherwise, |place| place.of(indices))
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
        run::prepare(request, self.data(), &mut self.plans(), tell)
    }
}

/// The result of a kernel.
enum Output {
    Tensor(Storage),
    Number(Element, Scalar),
}

impl Output {
    /// Runs the kernel.
    ///
    /// # Errors
    /// As [`run::run`].
    fn of(
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
    fn named(self, (name, kind): (&str, Kind), origin: Computed) -> Value {
        let (name, origin) = (name.to_string(), Some(origin));
        match self {
            Output::Tensor(storage) => Value::Tensor(Arc::new(Tensor { name, kind, storage: storage.into(), origin })),
            Output::Number(element, value) => Value::Number(Arc::new(Number { element, value, origin })),
        }
    }
}

impl Evaluation<'_> {
    pub(super) fn kernel(&mut self, statement: KernelStatement) -> Result<Shown> {
        let name = statement.name.clone();
        let value = self.compute(statement)?;
        Ok(Shown::Definition(self.define(&name, value)))
    }

    /// Runs the kernel of a statement now.
    pub(super) fn compute(&mut self, statement: KernelStatement) -> Result<Value> {
        let unknown =
            || self.error(Code::IncompleteType, statement.expr_span, "a size or an element type is not known");
        let kernel = statement.kernel.ok_or_else(unknown)?;
        let operands = kernel.tensors().iter().take(kernel.tensors().len() - 1);
        let parts = statement.parts.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        let operands: Option<Vec<Value>> =
            operands.zip(parts).map(|(tensor, part)| self.operand(&tensor.name, part)).collect();
        let missing = || self.error(Code::UnknownName, statement.expr_span, "an operand has no data");
        let schedule = Arc::new(statement.scheduled.schedule);
        let applied = Applied::new(kernel, schedule, operands.ok_or_else(missing)?);
        let steps = &statement.scheduled.places;
        let places = Places { tensors: &statement.places, steps, otherwise: statement.expr_span };
        let format = statement.result.format.as_ref().unwrap_or(&Format::Plain);
        let kind = Kind::of(format, statement.result.format_name);
        self.made(applied, &places, (&statement.name.text, kind))
    }

    fn operand(&self, name: &str, part: Option<&OfPart>) -> Option<Value> {
        match part {
            Some(of) => self.names.get(&of.tensor)?.part(of.part),
            None => self.names.get(name).cloned(),
        }
    }

    /// Runs a kernel now.
    pub(super) fn made(&mut self, applied: Applied, places: &Places<'_>, named: (&str, Kind)) -> Result<Value> {
        let (prepared, span) = (self.prepare(&applied, places)?, places.otherwise);
        if let Some(refused) = prepared.too_much(self.host.memory_free()) {
            let error = self.error(Code::TooLarge, span, refused.to_string());
            return Err(Box::new(error.label(refused.label()).help(refused.help())));
        }
        if prepared.steps() >= run::LONG_FROM {
            self.hints.tell();
        }
        let result = self.launched(&prepared, span)?;
        let outline = prepared.outline().clone();
        drop(prepared);
        Ok(result.named(named, Computed { applied, outline }))
    }

    /// Runs a kernel with the present resources. A function that cannot be compiled runs in the interpreter, with a
    /// hint.
    fn launched(&mut self, prepared: &Prepared<'_>, span: Span) -> Result<Output> {
        let (launch, file, from) = (self.launch(), self.source.id, self.told_of_code_from());
        let result = Output::of(prepared, launch, &mut |cost| self.hints.tell_cost(&cost, from, (file, span)));
        result.map_err(|error| self.run_failed(span, error))
    }

    /// Who asked for machine code is told of every kernel that has none.
    fn told_of_code_from(&self) -> u64 {
        if self.options.engine == Engine::MachineCode { 0 } else { self.options.told_from }
    }

    pub(super) fn run_failed(&self, span: Span, error: RunError) -> Box<Diagnostic> {
        if let RunError::Backend(error) = error {
            return self.backend_failed(span, &error);
        }
        let large = error.code() == Code::TooLarge;
        let label = if large { "wants more memory than there is" } else { "this kernel failed" };
        Box::new(self.error(error.code(), span, error.to_string()).label(label))
    }

    /// The kernel that computed a value, with its operands prepared again. Its costs were reported when it was computed.
    fn prepare_again<'o>(&self, applied: &'o Applied, name: &Word) -> Result<Prepared<'o>> {
        let prepared = applied.prepare(None, &mut |_| ());
        prepared.map_err(|refusal| self.refused(&refusal, &Places::only(name.span)))
    }

    /// Prepares the kernel, and reports its costs.
    fn prepare<'o>(&mut self, applied: &'o Applied, places: &Places<'_>) -> Result<Prepared<'o>> {
        let (known, file, from) = (self.hints.len(), self.source.id, self.options.told_from);
        let mut tell = |cost: Hidden| {
            self.hints.tell_cost(&cost, from, (file, places.of(cost.tensor, &cost.indices)));
        };
        applied.prepare(Some(self.source.slice(places.otherwise)), &mut tell).map_err(|refusal| {
            self.hints.truncate(known);
            self.refused(&refusal, places)
        })
    }

    pub(super) fn refused(&self, refusal: &Refusal, places: &Places<'_>) -> Box<Diagnostic> {
        let span = match refusal.blame() {
            Blame::Kernel | Blame::Memory | Blame::Nnz => places.otherwise,
            Blame::Tensor(tensor) => places.of(Some(tensor), &[]),
            Blame::Step(step) => places.of_step(step),
        };
        let mut error = refusal.diagnostic(self.source.id, span);
        error.helps.iter_mut().for_each(|help| *help = self.names.scope.with_free_names(help));
        Box::new(error)
    }

    /// Compiles for the target. A function that the target cannot take runs in the interpreter, with a hint.
    pub(super) fn compile(&mut self, prepared: &Prepared<'_>, span: Span) -> Result<Arc<Compiled>> {
        let (file, from) = (self.source.id, self.told_of_code_from());
        let mut tell = |cost: Hidden| self.hints.tell_cost(&cost, from, (file, span));
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

    /// Runs the kernel that computed a name again, and shows each step.
    pub(super) fn steps(&mut self, name: &Word) -> Result<Shown> {
        /// More are not looked through by anybody, and the text of each takes memory.
        const MOST_STEPS: usize = 5_000;
        let applied = self.origin(name)?.applied;
        let prepared = self.prepare_again(&applied, name)?;
        let trace =
            prepared.trace(MOST_STEPS).map_err(|error| self.error(error.code(), name.span, error.to_string()))?;
        Ok(Shown::Steps { name: name.text.clone(), trace: Box::new(trace) })
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
}
