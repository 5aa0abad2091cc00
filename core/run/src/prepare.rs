//! From a checked kernel to one that can run. Sessions, programs and checks all prepare kernels here.
//!
//! If each index of a sparse operand has at most one variable, as in `A(i + 2, j)`, the entries that the kernel can
//! meet are cut out first. If an index has several variables, as in `A(i + k)`, the operand is copied into a dense
//! array. Where zeros in the place of absent entries would affect the result, as in `0 * inf` and `0 / 0`, a mask tells
//! what is stored. These copies, and the coordinates without entries that loops visit, are [`Hidden`] costs, reported before they
//! arise.
//!
//! Operands may have no data yet, as in checks: then everything is planned as it would be with data, and nothing is
//! copied.

use std::{
    fmt::Display,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    Compiled, Operand, Plans, Refusal,
    cost::points,
    data::Data,
    draft::Draft,
    hidden::{Hidden, depends_on_a_value},
    made::Made,
    plans::Planned,
    request::{Origin, Request},
    scalars::{deciding, with_scalars},
};
use nnz_backend::{BackendError, Cache, Executable, FloatOrder, Target};
use nnz_base::{diagnostic::Code, ids::TensorId};
use nnz_kernel::{Access, Kernel};
use nnz_loops::{Function, Verified};
use nnz_plan::{
    iterate::{self, GraphText, Hint},
    lower::Lowered,
};

/// What a statement makes before its loops, each time it runs: windows and copies of operands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    pub made: Vec<Made>,
    pub time: Duration,
}

impl Before {
    pub fn ns(&self) -> f64 {
        self.time.as_secs_f64() * 1e9
    }

    /// Its text: "`A` is copied into a dense array of 8 bytes first".
    pub fn told(&self) -> Vec<String> {
        self.made.iter().filter_map(Made::hint).collect()
    }
}

/// The result of preparing a kernel, without the data of its operands: what is made from these first, and the loops.
pub struct Outline {
    pub(super) planned: Arc<Planned>,
    before: Before,
    hints: Vec<Hint>,
}

/// A kernel that can run, with its operands.
pub struct Prepared<'a> {
    outline: Arc<Outline>,
    data: Vec<Option<Data<'a>>>,
}

/// Prepares a kernel with `operands`, one per tensor except the result. Every cost is reported before it
/// arises.
///
/// # Errors
/// Kernels that this version cannot lower, even with copies.
pub fn prepare<'a>(
    request: Request<'_>,
    operands: impl IntoIterator<Item = Option<Operand<'a>>>,
    plans: &mut Plans,
    tell: &mut dyn FnMut(Hidden),
) -> Result<Prepared<'a>, Refusal> {
    let operands: Vec<_> = operands.into_iter().collect();
    let known = match request.origin {
        Origin::Session => deciding(request.kernel, &operands).transpose()?,
        // The machine has chosen which scalars of a body are numbers.
        Origin::Body => None,
    };
    let request = Request { kernel: known.as_ref().unwrap_or(request.kernel), ..request };
    if let Some(planned) = plans.plain(request) {
        let data = operands.into_iter().map(|operand| operand.map(Data::Given)).collect();
        let outline = Arc::new(Outline { planned, before: Before::default(), hints: Vec::new() });
        return Ok(Prepared { outline, data });
    }
    let written = request.kernel;
    let (mut draft, mut time, begun) =
        (Draft::new((written, request.origin), operands, tell), Duration::ZERO, Instant::now());
    draft.take_as_dense()?;
    draft.leave_padding_out(written)?;
    time += begun.elapsed();
    // Each round cuts windows out of one operand or copies it; the windows, at most one for each access, are operands.
    let most = 2 * (written.tensors().len() + written.expr().accesses().len());
    for _ in 0..=most {
        let kernel = draft.kernel(written)?;
        let planned = match plans.lowered(&kernel, request) {
            Ok(planned) => planned,
            Err(error) => {
                let begun = Instant::now();
                draft.relieve(&kernel, error)?;
                time += begun.elapsed();
                continue;
            }
        };
        let numbers = match request.origin {
            Origin::Session => with_numbers(&draft, &kernel, &planned.lowered),
            Origin::Body => None,
        };
        let planned = match numbers {
            Some(known) => settled(&known?, planned, request, plans)?,
            None => planned,
        };
        let hints = draft.hints(&planned.lowered, written, request.text);
        if hints.is_empty() && draft.is_as_written() {
            planned.mark_plain();
        }
        for hint in &hints {
            let tensor = about(&planned.kernel, hint);
            let converted = tensor.map_or(0, |tensor| planned.kernel.tensor(tensor).places());
            let tensor = tensor.and_then(|tensor| draft.written(tensor.index()));
            (draft.tell)(Hidden {
                tensor,
                indices: hint.indices().to_vec(),
                code: code_of(hint),
                text: hint.to_string(),
                label: hint.label(),
                steps: hint.points().max(converted),
            });
        }
        let time = if draft.made.is_empty() { Duration::ZERO } else { time };
        let before = Before { made: draft.made, time };
        return Ok(Prepared { outline: Arc::new(Outline { planned, before, hints }), data: draft.data });
    }
    Err(Refusal::Endless)
}

/// The hidden costs of a kernel without data, as far as its types tell: none where a scalar's value may decide what is
/// visited.
///
/// # Errors
/// As [`prepare`].
pub fn foresee(request: Request<'_>) -> Result<Vec<Hidden>, Refusal> {
    Ok(outlined(request)?.1)
}

/// The loops of a kernel without data, and its hidden costs as far as its types determine them.
///
/// # Errors
/// As [`prepare`].
pub fn outlined(request: Request<'_>) -> Result<(Arc<Outline>, Vec<Hidden>), Refusal> {
    let mut costs = Vec::new();
    let operands = request.kernel.tensors().iter().skip(1).map(|_| None);
    let prepared = prepare(request, operands, &mut Plans::default(), &mut |cost| costs.push(cost))?;
    if dense_terms(prepared.lowered()) > 0 && depends_on_a_value(request.kernel.expr()) {
        costs.clear();
    }
    Ok((prepared.outline().clone(), costs))
}

impl Outline {
    /// The kernel with windows and copies in place of operands.
    pub fn kernel(&self) -> &Kernel {
        &self.planned.kernel
    }

    /// What was made from the operands first: windows, dense copies, masks.
    pub fn before(&self) -> &Before {
        &self.before
    }

    pub fn lowered(&self) -> &Lowered {
        &self.planned.lowered
    }

    /// The plan as a table, with what is made before the loops.
    pub fn plan_text(&self) -> String {
        iterate::plan_text(&self.lowered().plan, self.before.made.iter().map(Made::row).collect(), &self.hints)
    }

    /// The graphs of the loops, with the costs that the kernel does not show.
    pub fn graphs(&self) -> Vec<GraphText> {
        let hints = self.hints.iter().map(Hint::to_string);
        iterate::describe(self.kernel(), &self.lowered().plan, self.before.told().into_iter().chain(hints))
    }
}

impl Prepared<'_> {
    pub fn outline(&self) -> &Arc<Outline> {
        &self.outline
    }

    pub fn kernel(&self) -> &Kernel {
        self.outline.kernel()
    }

    pub fn lowered(&self) -> &Lowered {
        self.outline.lowered()
    }

    /// One operand per tensor of the kernel; the result's is empty.
    pub fn operands(&self) -> Vec<Option<Operand<'_>>> {
        let known = self.data.iter().zip(self.kernel().tensors());
        let mut operands: Vec<_> = known.map(|(data, tensor)| Some(data.as_ref()?.operand(tensor))).collect();
        operands.resize(self.kernel().tensors().len(), None);
        operands
    }

    /// The number of points that its loops visit.
    pub fn points(&self) -> u64 {
        points(self.lowered(), &self.operands())
    }

    /// The number of points that its loops visit, and of entries that are converted first.
    pub fn steps(&self) -> u64 {
        let derived = self.lowered().plan.derived.iter();
        let entries = derived
            .map(|derived| self.data.get(derived.from.index()).and_then(Option::as_ref).map_or(0, Data::entries));
        entries.fold(self.points(), u64::saturating_add)
    }

    /// The code for `target`. A function that the target cannot take is compiled for the interpreter, which is
    /// reported.
    ///
    /// # Errors
    /// A function that no back end takes; a bug of nnz.
    pub fn compile(
        &self,
        (target, order): (Target, FloatOrder),
        cache: &Cache,
        tell: &mut dyn FnMut(Hidden),
    ) -> Result<Arc<Compiled>, BackendError> {
        self.compile_or((target, order), cache, &mut |reason| tell(self.interpreted(&reason)))
    }

    /// The cost of a run in the interpreter, for this reason.
    pub(super) fn interpreted(&self, reason: &dyn Display) -> Hidden {
        let steps = self.points();
        let text = format!("runs in the interpreter, in {steps} steps or so: {reason}");
        Hidden { tensor: None, indices: Vec::new(), code: Code::HiddenCost, text, label: "not compiled", steps }
    }

    /// As [`Prepared::compile`]; `instead` is given the reason for which a function is for the interpreter.
    ///
    /// # Errors
    /// As [`Prepared::compile`].
    pub fn compile_or(
        &self,
        (target, order): (Target, FloatOrder),
        cache: &Cache,
        instead: &mut dyn FnMut(BackendError),
    ) -> Result<Arc<Compiled>, BackendError> {
        let mut compile = |function: &Verified<Function>| launched(function, (target, order), cache, &mut *instead);
        self.outline.planned.code((target, order), &mut compile)
    }
}

fn launched(
    function: &Verified<Function>,
    (target, order): (Target, FloatOrder),
    cache: &Cache,
    instead: &mut dyn FnMut(BackendError),
) -> Result<Arc<dyn Executable>, BackendError> {
    match cache.compile(target, order, function) {
        Err(error @ BackendError::Unsupported { .. }) if target != Target::Interpreter => {
            instead(error);
            cache.compile(Target::Interpreter, order, function)
        }
        compiled => compiled,
    }
}

/// The kernel with the values of scalars in their place, where that may make fewer terms visit every coordinate: of
/// `A(i, j) > t` the value of `t` decides.
fn with_numbers(draft: &Draft<'_, '_>, kernel: &Kernel, lowered: &Lowered) -> Option<Result<Kernel, Refusal>> {
    let scalar = |access: &Access| draft.scalar(access.tensor);
    let uses = kernel.expr().accesses().into_iter().any(|access| scalar(access).is_some());
    if dense_terms(lowered) == 0 || !uses {
        return None;
    }
    let expr = with_scalars(kernel.expr(), &scalar);
    Some(kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), expr).map_err(Refusal::rewrite))
}

/// Chooses between two plans with the same result: the one for the known numbers if it has fewer terms that visit every
/// coordinate, else the one for any numbers.
fn settled(
    known: &Kernel,
    any: Arc<Planned>,
    request: Request<'_>,
    plans: &mut Plans,
) -> Result<Arc<Planned>, Refusal> {
    match plans.lowered(known, request) {
        Ok(planned) if dense_terms(&planned.lowered) < dense_terms(&any.lowered) => Ok(planned),
        Ok(_) => Ok(any),
        // A known number may remove a loop that a step names.
        Err(error) => match Refusal::of(error) {
            bug if bug.is_bug() => Err(bug),
            _ => Ok(any),
        },
    }
}

/// How many terms visit every coordinate.
fn dense_terms(lowered: &Lowered) -> usize {
    lowered.plan.hints.iter().filter(|hint| matches!(hint, Hint::EveryCoordinate { .. })).count()
}

fn code_of(hint: &Hint) -> Code {
    match hint {
        Hint::EveryCoordinate { .. } => Code::EveryCoordinate,
        Hint::Converted { .. } | Hint::ResultConverted { .. } => Code::HiddenConversion,
        Hint::Strided { .. } => Code::AcrossRows,
    }
}

/// The tensor that a hint is about.
fn about(kernel: &Kernel, hint: &Hint) -> Option<TensorId> {
    let name = match hint {
        Hint::EveryCoordinate { .. } => return None,
        Hint::Converted { tensor, .. } | Hint::ResultConverted { tensor, .. } | Hint::Strided { tensor, .. } => tensor,
    };
    kernel.tensors().iter().position(|tensor| tensor.name == *name).map(TensorId::new)
}
