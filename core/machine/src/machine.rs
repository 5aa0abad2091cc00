//! Runs a program: functions, regions and operations, within limits.

mod elementwise;
pub mod meaning;

pub use crate::fault::{Fault, FaultKind, More};
use crate::{
    Run, Sink, budget::Budget, caught::Catch, freed::Freed, kept::Plans, random::Random, value::Value, views::Views,
};
use meaning::{BranchFn, Meaning, Meanings, PartsOp, Signature};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    host::Host,
    source::Span,
};
use nnz_mlir::{
    ir::{Function, FunctionId, Module, Op, Operand, Region, ValueId},
    types::Type,
};

/// The state of a run.
pub struct Machine<'p> {
    pub(super) module: &'p Module,
    pub(super) meanings: &'p Meanings,
    pub(super) run: Run<'p>,
    pub(super) host: &'p dyn Host,
    pub(super) sink: &'p mut dyn Sink,
    pub(super) budget: Budget,
    pub(super) random: Random,
    /// The kernels that were reported as slow.
    pub(super) slow: std::collections::HashSet<Span>,
    /// How often each kernel has run, and its plans.
    pub(super) plans: std::collections::HashMap<Span, Plans>,
    /// The tensors whose buffers the program has got.
    pub(super) views: Views,
    pub(super) freed: Freed,
    /// The kernel that a run is to end at.
    pub(super) catch: Catch,
    steps: u64,
    /// Operations that were run one by one, outside of kernels.
    alone: u64,
    depth: usize,
}

/// The values of one call.
pub struct Frame<'p> {
    pub(super) function: &'p Function,
    values: Vec<Option<Value>>,
}

impl Frame<'_> {
    /// # Errors
    /// A value that was not computed, which a checked program never has.
    pub fn get(&self, id: ValueId) -> Result<&Value, Fault> {
        let value = self.values.get(id.index()).and_then(Option::as_ref);
        value.ok_or_else(|| Fault::bug(format!("value {id} was never computed")))
    }
    pub fn set(&mut self, id: ValueId, value: Value) {
        if let Some(slot) = self.values.get_mut(id.index()) {
            *slot = Some(value);
        }
    }
    /// Sets the arguments of a region or a block.
    fn hand(&mut self, arguments: &[Operand], values: Vec<Value>) -> Result<(), Fault> {
        let mut pairs = arguments.iter().zip(values);
        pairs.try_for_each(|(argument, value)| value.handed_on().map(|value| self.set(argument.value, value)))
    }
    /// The value of an operand.
    ///
    /// # Errors
    /// As [`Frame::get`].
    pub fn operand(&self, op: &Op, at: usize) -> Result<&Value, Fault> {
        match op.operands.get(at) {
            Some(operand) => self.get(operand.value),
            None => Err(Fault::bug(format!("`{}` lacks an operand", op.def.name))),
        }
    }
    /// # Errors
    /// As [`Frame::get`].
    pub fn all(&self, operands: &[Operand]) -> Result<Vec<Value>, Fault> {
        operands.iter().map(|operand| self.get(operand.value).cloned()).collect()
    }
    /// The values of operands, taken out of the frame at their last use, so that their only owner may change
    /// them in place.
    ///
    /// # Errors
    /// As [`Frame::get`].
    pub fn take(&mut self, operands: &[Operand]) -> Result<Vec<Value>, Fault> {
        operands.iter().map(|operand| self.take_one(operand)).collect()
    }
    /// As [`Frame::take`].
    ///
    /// # Errors
    /// As [`Frame::get`].
    pub(crate) fn take_one(&mut self, operand: &Operand) -> Result<Value, Fault> {
        let taken = self.values.get_mut(operand.value.index()).filter(|_| operand.last).and_then(Option::take);
        taken.map_or_else(|| self.get(operand.value).cloned(), Ok)
    }
    /// The values of index operands.
    ///
    /// # Errors
    /// As [`Frame::get`]; operands that are not indices.
    pub fn numbers(&self, operands: &[Operand]) -> Result<Vec<u64>, Fault> {
        operands.iter().map(|operand| self.get(operand.value)?.number()).collect()
    }
}

/// The operation whose results are as its text lists them.
const CONSTANT: &str = "arith.constant";
/// The largest depth of calls; deeper ones could overflow the stack.
const MAX_CALLS: usize = 512;
/// After so many operations one by one the program hears that they are interpreted: about a second's work.
const TOLD_FROM: u64 = 1 << 23;
/// After so many steps the host is asked whether to go on.
const STEPS_BETWEEN_QUESTIONS: u64 = 4096;
/// After a result of so many the host is asked how much memory is in use.
const BYTES_BETWEEN_QUESTIONS: usize = 1 << 20;

impl<'p> Machine<'p> {
    pub(super) fn new(
        (module, meanings): (&'p Module, &'p Meanings),
        host: &'p dyn Host,
        sink: &'p mut dyn Sink,
        run: Run<'p>,
    ) -> Machine<'p> {
        Machine {
            module,
            meanings,
            run,
            host,
            sink,
            budget: Budget::new(run.options.memory),
            random: Random::default(),
            views: Views::default(),
            freed: Freed::default(),
            catch: Catch::default(),
            steps: 0,
            alone: 0,
            slow: std::collections::HashSet::new(),
            plans: std::collections::HashMap::new(),
            depth: 0,
        }
    }

    /// Asks for at least `count` steps at once, before the first of them.
    ///
    /// # Errors
    /// More than are left.
    pub(crate) fn has_steps_for(&self, count: u64, what: &str) -> Result<(), Fault> {
        let (taken, limit) = (self.steps, self.run.options.steps);
        if taken.saturating_add(count) <= limit {
            return Ok(());
        }
        let message = format!("{what} takes {count} steps, and the program may take {limit}");
        Err(Fault::limit(message).help("`--max-steps` sets another limit"))
    }

    /// Counts `count` steps of work.
    ///
    /// # Errors
    /// Too many steps, or cancelled by the user.
    pub fn step(&mut self, count: u64) -> Result<(), Fault> {
        let before = self.steps;
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.run.options.steps {
            let message = format!("the program took more than {} steps", self.run.options.steps);
            return Err(Fault::limit(message).help("`--max-steps` sets another limit"));
        }
        let asks = before / STEPS_BETWEEN_QUESTIONS != self.steps / STEPS_BETWEEN_QUESTIONS;
        if !asks {
            return Ok(());
        }
        self.budget.check(self.host.memory_used())?;
        self.go_on()
    }

    /// # Errors
    /// The user wants the program stopped, or memory ran out.
    pub fn go_on(&self) -> Result<(), Fault> {
        match self.host.cancelled() {
            true => Err(self.budget.check(None).err().unwrap_or_else(Fault::cancelled)),
            false => Ok(()),
        }
    }

    /// # Errors
    /// Whatever stops the function.
    pub fn call(&mut self, id: FunctionId, arguments: Vec<Value>) -> Result<Vec<Value>, Fault> {
        let function = self.module.function(id);
        let Some(body) = &function.body else { return (self.meanings.library)(self, function, arguments) };
        if self.depth >= MAX_CALLS {
            return Err(Fault::limit(format!("`@{}` is called within {MAX_CALLS} calls", function.name)));
        }
        self.depth += 1;
        let mut frame = Frame { function, values: vec![None; function.types.len()] };
        let returned = self.region(&mut frame, body, arguments);
        self.depth -= 1;
        returned
    }

    /// Runs a region, and returns the operands of its terminator.
    ///
    /// # Errors
    /// A fault of one of its operations, at its place.
    pub fn region(
        &mut self,
        frame: &mut Frame<'_>,
        region: &Region,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, Fault> {
        frame.hand(&region.arguments, arguments)?;
        let mut operations = region.operations.iter();
        while let Some(op) = operations.next() {
            if op.idle {
                continue;
            }
            match self.meanings.of(op.def) {
                Meaning::Terminator => return frame.take(&op.operands),
                Meaning::Branch(taken) => operations = self.branch(frame, region, (op, taken))?.iter(),
                meaning @ (Meaning::Scalar(_) | Meaning::Parts(_) | Meaning::Host(_) | Meaning::Body(_)) => {
                    self.operation(frame, (op, meaning)).map_err(|fault| fault.at(op.span))?
                }
            }
        }
        Ok(Vec::new())
    }

    /// The operations of the block that a branch leads to, whose arguments are set.
    fn branch<'r>(
        &mut self,
        frame: &mut Frame<'_>,
        region: &'r Region,
        (op, taken): (&Op, BranchFn),
    ) -> Result<&'r [Op], Fault> {
        self.step(1)?;
        let taken = taken(frame, op).map_err(|fault| fault.at(op.span))?;
        let block = op.successors.get(taken).and_then(|successor| region.others.get(successor.block));
        let block = block.ok_or_else(|| Fault::bug("a branch to no block"))?;
        let values = frame.take(op.handed(taken))?;
        frame.hand(&block.arguments, values)?;
        Ok(&block.operations)
    }

    fn operation(&mut self, frame: &mut Frame<'_>, (op, meaning): (&Op, Meaning)) -> Result<(), Fault> {
        self.step(1)?;
        self.alone += 1;
        if self.alone == TOLD_FROM {
            self.say_interpreted(op);
        }
        if !self.views.is_empty() {
            self.no_outdated(frame, op)?;
        }
        if !self.freed.is_empty() {
            self.no_freed(frame, op)?;
        }
        if let (Meaning::Scalar(meaning), [result]) = (meaning, &op.results[..])
            && let Some(number) = elementwise::of_numbers(frame, (op, meaning))?
        {
            frame.set(*result, Value::Scalar(number));
            return Ok(());
        }
        let values = self.evaluate(frame, (op, meaning))?;
        self.keep(frame, op, values)
    }

    /// Says that a loop takes long because its operations are not compiled.
    fn say_interpreted(&mut self, op: &Op) {
        let message = format!("the program has run {TOLD_FROM} operations one by one so far, and is here");
        let hint = Diagnostic::new(Code::HiddenCost, self.run.source.id, op.span, message).label("interpreted");
        let help =
            "loops of `scf` and bodies of `tensor.generate` are interpreted, kernels such as `linalg.generic` compiled";
        self.sink.note(hint.help(help));
    }

    /// Prints, and has no results.
    ///
    /// # Errors
    /// None; the type lets a caller end an operation with it.
    pub fn print(&mut self, text: &str) -> Result<Vec<Value>, Fault> {
        self.sink.print(text);
        Ok(Vec::new())
    }

    /// The results of an operation.
    ///
    /// # Errors
    /// Whatever stops it.
    pub(super) fn evaluate(
        &mut self,
        frame: &mut Frame<'_>,
        (op, meaning): (&Op, Meaning),
    ) -> Result<Vec<Value>, Fault> {
        match meaning {
            Meaning::Scalar(meaning) => Ok(vec![elementwise::one(&self.budget, frame, (op, meaning))?]),
            Meaning::Parts(PartsOp { apply, .. }) => elementwise::parts(&self.budget, frame, (op, apply)),
            Meaning::Host(run) => {
                // One of these may take long, or write a file.
                self.go_on()?;
                run(self, frame, op)
            }
            Meaning::Terminator | Meaning::Branch(_) => Ok(Vec::new()),
            Meaning::Body(_) => Err(Fault::bug(format!("`{}` stands outside of a kernel", op.def.name))),
        }
    }

    /// # Errors
    /// An operand whose buffer was written to.
    fn no_outdated(&self, frame: &Frame<'_>, op: &Op) -> Result<(), Fault> {
        let outdated = |operand: &&Operand| frame.get(operand.value).is_ok_and(|value| self.views.is_outdated(value));
        if op.def.name == "bufferization.dealloc_tensor" || !op.operands.iter().any(|operand| outdated(&operand)) {
            return Ok(());
        }
        let message = format!("`{}` reads a tensor whose buffer was stored into: nnz keeps them apart", op.def.name);
        Err(Fault::new(message)
            .help("in MLIR the stores would show in the tensor: make it after them, or compute a new one"))
    }

    /// # Errors
    /// An operand that was deallocated.
    fn no_freed(&self, frame: &Frame<'_>, op: &Op) -> Result<(), Fault> {
        let freed = |operand: &Operand| frame.get(operand.value).is_ok_and(|value| self.freed.has(value));
        if !op.operands.iter().any(freed) {
            return Ok(());
        }
        Err(Fault::new(format!("`{}` is given a buffer that was deallocated", op.def.name)))
    }

    fn keep(&mut self, frame: &mut Frame<'_>, op: &Op, values: impl IntoIterator<Item = Value>) -> Result<(), Fault> {
        let mut bytes = 0;
        for (id, value) in op.results.iter().zip(values) {
            let value = if op.def.name == CONSTANT { value } else { value.handed_on()? };
            bytes += value.bytes();
            frame.set(*id, value);
        }
        let made = self.budget.made();
        if made > 1 {
            self.step(made - 1)?;
        }
        if bytes < BYTES_BETWEEN_QUESTIONS { Ok(()) } else { self.budget.check(self.host.memory_used()) }
    }
}

/// The parts of an operation that its scalar function needs.
pub(super) fn signature(op: &Op) -> Signature<'_> {
    let to = op.result_types.first().and_then(Type::element).unwrap_or(Element::F64);
    let from = op.operands.first().and_then(|operand| operand.ty.element()).unwrap_or(to);
    Signature { op, from, to }
}
