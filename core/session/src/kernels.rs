//! From a checked kernel to one that can run.
//!
//! Of a sparse operand at computed places that one variable each decides, such as `A(i + 2, j)`, the entries that can be
//! met are cut out first. At places that several variables decide, such as `A(i + k)`, it is copied into a dense array,
//! which is said with its size. A copy would turn `0 * inf` at an absent entry into NaN, so that kernels whose
//! values are not finite are refused instead.

use std::sync::Arc;

use super::{
    names::{Computed, Kind, Number, Tensor, Value},
    window::Window,
};
use nnz_base::{
    arrays::Values,
    diagnostic::counted,
    element::{Element, Scalar},
    ids::TensorId,
};
use nnz_kernel::{self as kernel, Access, Expr, Kernel, Schedule};
use nnz_plan::{
    iterate::{Hint, PlanError, hints_on, is_finite, is_random_access, masks, minds_padding, unpadded, zero},
    lower::{LowerError, Lowered},
    schedule::{self, ScheduleError},
};
use nnz_run::{self as run, Compiled, Means, Operand, RunError};
use nnz_storage::{self as storage, Storage, StorageError};

/// A dense copy of more entries is not made.
const MOST_COPIED: u64 = 1 << 27;

/// A lowered kernel with its operands.
pub(super) struct Ready {
    pub kernel: Kernel,
    pub lowered: Lowered,
    operands: Vec<Data>,
}

/// What was not asked for and costs something.
pub(super) struct Cost {
    /// The tensor that it is about.
    pub tensor: Option<TensorId>,
    pub text: String,
    /// How long it takes, about.
    pub steps: u64,
}

/// The data of an operand.
enum Data {
    Value(Value),
    /// A row-major copy of a sparse operand.
    Copy(Values),
    /// A window of a sparse operand, or the operand without its padding.
    Window(Storage),
}

/// Why a kernel is not ready, and what is to blame.
pub(super) struct NotReady {
    pub blame: Blame,
    pub message: String,
    /// What the place says, where there is more to say than the code does.
    pub label: Option<&'static str>,
    pub help: Option<String>,
}

/// What a kernel that is not ready founders on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame {
    Kernel,
    Tensor(TensorId),
    /// A step of the schedule, by its number.
    Step(usize),
    Memory,
    Nnz,
}

impl Ready {
    /// Every cost is told before it arises, in words of the right side's `text`.
    ///
    /// # Errors
    /// What this version cannot lower, even with copies.
    pub(super) fn new(computed: &Computed, text: &str, tell: &mut dyn FnMut(Cost)) -> Result<Ready, NotReady> {
        let operands = computed.operands.iter().cloned().map(Data::Value).collect();
        let (tensors, expr) = (computed.kernel.tensors().to_vec(), computed.kernel.expr().clone());
        let mut draft = Draft { tensors, operands, expr, tell };
        draft.take_as_dense()?;
        draft.leave_padding_out(&computed.kernel)?;
        // Each round cuts windows out of one operand or copies it, so that there are no more than two rounds for each.
        for _ in 0..=2 * computed.kernel.tensors().len() {
            let kernel = draft.kernel(&computed.kernel)?;
            match schedule::lower(&kernel, &computed.schedule) {
                Ok(lowered) => {
                    let numbers = draft.with_numbers(&kernel, &lowered, &computed.schedule);
                    let (kernel, lowered) = numbers.unwrap_or((kernel, lowered));
                    let hints = draft.hints(&lowered, &computed.kernel, text);
                    let Draft { operands, tell, .. } = draft;
                    hints.iter().for_each(|hint| {
                        tell(Cost { tensor: about(&kernel, hint), text: hint.to_string(), steps: hint.points() });
                    });
                    return Ok(Ready { kernel, lowered, operands });
                }
                Err(ScheduleError::Lower(
                    error @ (LowerError::TooLong { .. } | LowerError::Plan(PlanError::ManyOperands { .. })),
                )) => draft.make_shorter(&kernel, &error)?,
                Err(ScheduleError::Lower(LowerError::Plan(error))) => draft.make_reachable(&kernel, &error)?,
                Err(error) => return Err(NotReady::of(&error)),
            }
        }
        Err(NotReady::plain("the kernel cannot be lowered".to_string()))
    }

    /// One per tensor of the kernel, the result's empty.
    pub(super) fn operands(&self) -> Vec<Option<Operand<'_>>> {
        let tensors = self.kernel.tensors().iter();
        let mut operands: Vec<_> = self.operands.iter().zip(tensors).map(|(data, t)| Some(operand(data, t))).collect();
        operands.resize(self.kernel.tensors().len(), None);
        operands
    }

    /// Runs the kernel and makes a value of what it gives.
    ///
    /// # Errors
    /// As [`run::run`].
    pub(super) fn run(
        &self,
        (name, kind): (&str, Kind),
        compiled: &Compiled,
        means: Means,
        origin: Computed,
    ) -> Result<Value, RunError> {
        let tensor = self.kernel.tensor(self.kernel.result().tensor);
        let operands = self.operands();
        if tensor.shape.is_empty() {
            let value = run::run_scalar(&self.lowered, compiled, &operands, means)?;
            return Ok(Value::Number(Arc::new(Number { element: tensor.element, value, origin: Some(origin) })));
        }
        let storage = run::run(&self.lowered, compiled, &operands, means)?;
        let tensor = Tensor { name: name.to_string(), kind, storage, origin: Some(origin) };
        Ok(Value::Tensor(Arc::new(tensor)))
    }
}

/// The tensor that a hint is about.
fn about(kernel: &Kernel, hint: &Hint) -> Option<TensorId> {
    let name = match hint {
        Hint::EveryCoordinate { .. } => return None,
        Hint::Converted { tensor, .. } | Hint::ResultConverted { tensor, .. } => tensor,
    };
    kernel.tensors().iter().position(|tensor| tensor.name == *name).map(TensorId::new)
}

fn operand<'a>(data: &'a Data, tensor: &kernel::Tensor) -> Operand<'a> {
    match data {
        Data::Copy(values) => Operand::Dense(values),
        Data::Window(storage) => of_storage(storage, tensor),
        Data::Value(Value::Number(number)) => Operand::Scalar(number.value),
        Data::Value(Value::Tensor(data)) => of_storage(&data.storage, tensor),
    }
}

fn of_storage<'a>(storage: &'a Storage, tensor: &kernel::Tensor) -> Operand<'a> {
    match tensor.encoding {
        Some(_) => Operand::Stored(storage),
        None => Operand::Dense(storage.values()),
    }
}

/// A kernel whose tensors are made dense until it can be lowered.
struct Draft<'t> {
    /// The operands', and then the result.
    tensors: Vec<kernel::Tensor>,
    expr: Expr,
    operands: Vec<Data>,
    tell: &'t mut dyn FnMut(Cost),
}

impl Draft<'_> {
    fn tell(&mut self, at: usize, text: String, steps: u64) {
        (self.tell)(Cost { tensor: Some(TensorId::new(at)), text, steps });
    }

    fn kernel(&self, of: &Kernel) -> Result<Kernel, NotReady> {
        let (result, expr) = (TensorId::new(self.operands.len()), self.expr.clone());
        of.moved(self.tensors.clone(), of.declarations(), (result, expr)).map_err(|errors| {
            NotReady::plain(errors.first().map_or("the kernel is not valid".to_string(), ToString::to_string))
        })
    }

    /// What the plan has to say of the kernel as it was written: where that would pass over what is absent, it is copies
    /// that are read everywhere.
    fn hints(&self, lowered: &Lowered, written: &Kernel, text: &str) -> Vec<Hint> {
        let mut hints = hints_on(&lowered.plan.hints, written, text);
        let sparse = |access: &Access| !is_random_access(written.tensor(access.tensor));
        let copied = self.operands.iter().any(|data| matches!(data, Data::Copy(_)));
        if copied && zero::simplify(written, written.expr(), &sparse).is_none() {
            hints.iter_mut().for_each(Hint::blame_copies);
        }
        hints
    }

    /// The same with the values of scalars in their place, where fewer terms then visit every coordinate: of
    /// `A(i, j) > t` the value of `t` decides. Else the loops serve every value.
    fn with_numbers(&self, kernel: &Kernel, lowered: &Lowered, schedule: &Schedule) -> Option<(Kernel, Lowered)> {
        let scalar = |access: &Access| match self.operands.get(access.tensor.index()) {
            Some(Data::Value(Value::Number(number))) => Some((number.element, number.value)),
            _ => None,
        };
        let uses = kernel.expr().accesses().into_iter().any(|access| scalar(access).is_some());
        if dense_terms(lowered) == 0 || !uses {
            return None;
        }
        let expr = with_scalars(kernel.expr(), &scalar);
        let kernel = kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), expr).ok()?;
        let known = schedule::lower(&kernel, schedule).ok()?;
        (dense_terms(&known) < dense_terms(lowered)).then_some((kernel, known))
    }

    /// Puts dense copies in the place of operands whose levels are all dense, and no dimensions: every place is an entry.
    fn take_as_dense(&mut self) -> Result<(), NotReady> {
        let skewed = |tensor: &kernel::Tensor| {
            let dense = tensor.encoding.as_ref().is_some_and(|encoding| encoding.all_dense());
            dense && !is_random_access(tensor)
        };
        for at in (0..self.operands.len()).filter(|at| skewed(&self.tensors[*at])).collect::<Vec<_>>() {
            let refused =
                |blame| NotReady { blame, ..NotReady::plain("an operand is too large to be copied".to_string()) };
            if self.copy_size(at)[0] > MOST_COPIED {
                return Err(refused(Blame::Tensor(TensorId::new(at))));
            }
            self.copy_one(at, (", as its levels are no dimensions", &refused))?;
        }
        Ok(())
    }

    /// Puts copies without padding in the place of operands that have some, where a slot of padding that counted as an
    /// entry would show.
    fn leave_padding_out(&mut self, kernel: &Kernel) -> Result<(), NotReady> {
        let padded =
            self.tensors.iter().any(|tensor| tensor.encoding.as_ref().is_some_and(|it| unpadded(it).is_some()));
        if !padded || !minds_padding(kernel, || self.operands.iter().any(has_special_values)) {
            return Ok(());
        }
        for at in 0..self.operands.len() {
            let Some(Data::Value(Value::Tensor(data))) = self.operands.get(at) else { continue };
            let Some(encoding) = self.tensors[at].encoding.as_ref().and_then(|encoding| unpadded(encoding)) else {
                continue;
            };
            let (data, slots) = (data.clone(), data.storage.nse());
            let text = format!("`{}` is copied without its padding first: {}", data.name, counted(slots, "slot"));
            self.tell(at, text, slots as u64);
            let storage = storage::convert(&data.storage, &encoding);
            let storage = storage.map_err(|error| NotReady::of_storage(&error))?;
            self.tensors[at].encoding = Some(encoding);
            self.operands[at] = Data::Window(storage);
        }
        Ok(())
    }

    /// Cuts windows out of the operand that `error` is about, or else copies it.
    fn make_reachable(&mut self, kernel: &Kernel, error: &PlanError) -> Result<(), NotReady> {
        let refused = |blame| NotReady { blame, label: None, help: None, message: error.to_string() };
        let at = self.to_copy(kernel, error).ok_or_else(|| refused(Blame::Kernel))?;
        if self.cut_windows(kernel, at)? { Ok(()) } else { self.copy(kernel, at, ("", &refused)) }
    }

    /// Copies the smallest sparse operand, which loops then need not tell present from absent.
    fn make_shorter(&mut self, kernel: &Kernel, error: &LowerError) -> Result<(), NotReady> {
        let help = "make parts of it first, each a kernel of its own".to_string();
        let refused = |blame| NotReady { blame, label: None, help: Some(help.clone()), message: error.to_string() };
        let size = |at: &usize| kernel.tensors()[*at].shape.iter().copied().fold(1, u64::saturating_mul);
        let used = |at: &usize| kernel.expr().accesses().iter().any(|access| access.tensor.index() == *at);
        let sparse = |at: &usize| !is_random_access(&kernel.tensors()[*at]);
        let smallest = (0..self.operands.len()).filter(sparse).filter(used).min_by_key(size);
        let at = smallest.ok_or_else(|| refused(Blame::Kernel))?;
        self.copy(kernel, at, (", as loops over so many sparse operands would be too long", &refused))
    }

    /// Puts windows in the place of accesses to an operand; `false` where none can be.
    fn cut_windows(&mut self, kernel: &Kernel, at: usize) -> Result<bool, NotReady> {
        let Some(data) = self.storage(at) else { return Ok(false) };
        let name = self.tensors[at].name.clone();
        let mut windows: Vec<(Access, Access)> = Vec::new();
        let mut absent: Vec<Access> = Vec::new();
        for access in kernel.expr().accesses().into_iter().filter(|access| access.tensor.index() == at) {
            let window = Window::of(access, |var| kernel.var(var).extent);
            if let Some(window) = window.filter(|_| windows.iter().all(|(known, _)| known != access)) {
                let (storage, met) = window.cut(&data).map_err(|error| NotReady::of_storage(&error))?;
                let text = kernel.expr_text(&Expr::Access(access.clone()));
                let all = data.nse();
                let text = format!(
                    "`{text}` is cut out of `{name}` first: {met} of {all} {}",
                    if all == 1 { "entry" } else { "entries" }
                );
                self.tell(at, text, all as u64);
                // Where no index varies, the place is one, and nothing stored there is known now.
                if window.vars.is_empty() && met == 0 {
                    absent.push(access.clone());
                }
                windows
                    .push((access.clone(), Access::of_vars(self.add_window(at, window.shape, storage), &window.vars)));
            }
        }
        self.expr = masks::without(kernel, &self.expr, &|access| absent.contains(access));
        let replaced = |access: &Access| windows.iter().find(|(known, _)| known == access).map(|(_, new)| new.clone());
        self.expr = self.expr.with_accesses(&replaced);
        Ok(!windows.is_empty())
    }

    /// A window of operand `at`, as one more operand.
    fn add_window(&mut self, at: usize, shape: Vec<u64>, storage: Storage) -> TensorId {
        let kernel::Tensor { name, element, .. } = &self.tensors[at];
        let (name, element) = (format!("{name}.window"), *element);
        let number = self.tensors.iter().filter(|other| other.name.starts_with(&name)).count();
        let name = if number == 0 { name } else { format!("{name}{number}") };
        let encoding = (!shape.is_empty()).then(|| storage.encoding().clone());
        self.add_operand(kernel::Tensor { name, element, shape, encoding }, Data::Window(storage))
    }

    /// What is stored of operand `at`.
    fn storage(&self, at: usize) -> Option<Storage> {
        match self.operands.get(at)? {
            Data::Value(Value::Tensor(data)) => Some(data.storage.clone()),
            Data::Window(storage) => Some(storage.clone()),
            Data::Value(Value::Number(_)) | Data::Copy(_) => None,
        }
    }

    /// Makes a dense copy of an operand, with a mask that says what is stored where a sparse result has to know. Where
    /// the kernel itself asks, every sparse operand is copied so.
    fn copy(
        &mut self,
        kernel: &Kernel,
        at: usize,
        (why, refused): (&str, &impl Fn(Blame) -> NotReady),
    ) -> Result<(), NotReady> {
        let asks = kernel.expr().nodes().into_iter().any(Expr::asks_for_presence);
        let all = (0..self.operands.len()).filter(|at| !is_random_access(&kernel.tensors()[*at]));
        let copied: Vec<usize> = if asks { all.collect() } else { vec![at] };
        self.check_copies((at, &copied), refused)?;
        if !asks && is_random_access(kernel.tensor(kernel.result().tensor)) {
            return self.copy_one(at, (why, refused)).map(|_| ());
        }
        let mut masks = Vec::new();
        for at in copied {
            let copied = self.copy_one(at, (why, refused))?;
            let mask = storage::stored_places(&copied).map_err(|error| NotReady::of_storage(&error))?;
            masks.push((TensorId::new(at), self.add_mask(at, mask)));
        }
        let mask = |tensor| masks.iter().find(|(masked, _)| *masked == tensor).map(|(_, mask)| *mask);
        self.expr = masks::masked(kernel, &self.expr, &mask);
        Ok(())
    }

    /// Refuses copies before any is made: one that is too large, or that would change what the kernel gives.
    fn check_copies(
        &self,
        (at, copied): (usize, &[usize]),
        refused: &impl Fn(Blame) -> NotReady,
    ) -> Result<(), NotReady> {
        if let Some(large) = copied.iter().copied().find(|at| self.copy_size(*at)[0] > MOST_COPIED) {
            let (name, [_, bytes]) = (&self.tensors[large].name, self.copy_size(large));
            let help = format!("a dense copy of `{name}` would take {}", size_text(bytes));
            return Err(NotReady { help: Some(help), ..refused(Blame::Tensor(TensorId::new(large))) });
        }
        if !self.operands.iter().any(has_special_values) {
            return Ok(());
        }
        let bytes = copied.iter().map(|at| self.copy_size(*at)[1]).fold(0, u64::saturating_add);
        let help = format!(
            "a dense copy, of {}, would help, but would turn `0 * inf` at absent entries into NaN",
            size_text(bytes)
        );
        Err(NotReady { help: Some(help), ..refused(Blame::Tensor(TensorId::new(at))) })
    }

    /// The entries and the bytes of a dense copy of an operand.
    fn copy_size(&self, at: usize) -> [u64; 2] {
        let tensor = &self.tensors[at];
        let entries = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
        [entries, entries.saturating_mul(tensor.element.bytes() as u64)]
    }

    /// What was copied.
    fn copy_one(
        &mut self,
        at: usize,
        (why, refused): (&str, &impl Fn(Blame) -> NotReady),
    ) -> Result<Storage, NotReady> {
        let blame = Blame::Tensor(TensorId::new(at));
        let storage = self.storage(at).ok_or_else(|| refused(blame))?;
        let (name, [entries, bytes]) = (&self.tensors[at].name, self.copy_size(at));
        let text = format!("`{name}` is copied into a dense array of {} first{why}", size_text(bytes));
        self.tell(at, text, entries);
        let values = storage::to_dense(&storage).map_err(|error| NotReady::of_storage(&error))?;
        self.operands[at] = Data::Copy(values);
        self.tensors[at].encoding = None;
        Ok(storage)
    }

    /// Where operand `at` stores something, as one more operand.
    fn add_mask(&mut self, at: usize, mask: Values) -> TensorId {
        let kernel::Tensor { name, shape, .. } = &self.tensors[at];
        let (name, shape) = (format!("{name}.stored"), shape.clone());
        self.add_operand(kernel::Tensor { name, element: Element::I1, shape, encoding: None }, Data::Copy(mask))
    }

    /// One more operand, in front of the result.
    fn add_operand(&mut self, tensor: kernel::Tensor, data: Data) -> TensorId {
        let id = self.operands.len();
        self.tensors.insert(id, tensor);
        self.operands.push(data);
        TensorId::new(id)
    }

    /// The operand that has to be copied.
    fn to_copy(&self, kernel: &Kernel, error: &PlanError) -> Option<usize> {
        let (PlanError::AffineAccess { tensor, .. } | PlanError::Undetermined { tensor, .. }) = error else {
            return None;
        };
        let operands = kernel.tensors().iter().take(self.operands.len());
        operands.enumerate().find(|(_, t)| t.name == *tensor && !is_random_access(t)).map(|(at, _)| at)
    }
}

/// How many terms visit every coordinate.
fn dense_terms(lowered: &Lowered) -> usize {
    lowered.plan.hints.iter().filter(|hint| matches!(hint, Hint::EveryCoordinate { .. })).count()
}

/// `expr` with numbers for the scalars that have a value.
fn with_scalars(expr: &Expr, value: &dyn Fn(&Access) -> Option<(Element, Scalar)>) -> Expr {
    match expr {
        Expr::Access(access) => {
            value(access).map_or_else(|| expr.clone(), |(element, value)| Expr::literal(element, value))
        }
        _ => expr.with_parts(&|part| with_scalars(part, value)),
    }
}

fn has_special_values(data: &Data) -> bool {
    match data {
        Data::Value(Value::Tensor(tensor)) => !tensor.storage.values().iter().all(is_finite),
        Data::Value(Value::Number(number)) => !is_finite(number.value),
        Data::Copy(values) => !values.iter().all(is_finite),
        Data::Window(storage) => !storage.values().iter().all(is_finite),
    }
}

fn size_text(bytes: u64) -> String {
    nnz_view::number::bytes(bytes)
}

impl NotReady {
    fn plain(message: String) -> NotReady {
        NotReady { blame: Blame::Kernel, message, label: None, help: None }
    }
    fn of_storage(error: &StorageError) -> NotReady {
        let blame = if error.is_no_room() { Blame::Memory } else { Blame::Kernel };
        NotReady { blame, ..NotReady::plain(error.to_string()) }
    }
    fn of(error: &ScheduleError) -> NotReady {
        let (blame, label, help) = match error {
            ScheduleError::Step { step, refusal } => (Blame::Step(*step), Some(refusal.label()), refusal.help()),
            ScheduleError::Lower(LowerError::Bug { loops, .. }) => (Blame::Nnz, None, Some(loops.clone())),
            ScheduleError::Lower(_) => (Blame::Kernel, None, None),
        };
        NotReady { blame, message: error.to_string(), label, help }
    }
}
