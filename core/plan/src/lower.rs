//! From the plan of a kernel to loops over arrays.
//!
//! The format of each level gives its loop, coordinate and position (`levels/<format>.rs`). A leading operand is
//! followed level by level (`walk.rs`); other loops run over one variable and merge what the operands store
//! (`merge.rs`). A dense result is written in place (`nest.rs`). A sparse one is appended to (`assemble.rs`), through a
//! workspace if a row must be added up first (`workspace.rs`).
//!
//! Sizes are parameters of the functions, so one function serves every shape with the same encodings;
//! constants of encodings (the sizes of blocks, n of m) are literals.

mod access;
mod assemble;
mod blocks;
mod choices;
mod clip;
mod combine;
mod conditions;
mod cursor;
mod gallop;
mod insert;
mod lengths;
mod levels;
mod list;
mod listing;
mod look_up;
mod merge;
mod named;
mod nest;
mod parameters;
mod parts;
mod reductions;
mod segments;
mod signs;
#[cfg(test)]
mod tests;
mod values;
mod walk;
mod workspace;

use std::{
    collections::HashMap,
    ops::Deref,
    sync::atomic::{AtomicU64, Ordering},
};

pub use named::{LoopOver, NamedLoop};
pub use parameters::{ArrayBinding, ScalarBinding, result_width};

use crate::iterate::{self, Assembly, Capacity, Derived, OperandId, Plan, PlanError, ResultPlan, Term, Wishes};
use assemble::Purpose;
use cursor::Cursor;
use nest::{Before, Destination};
use nnz_base::{
    element::Element,
    ids::{Dim, IndexVar},
};
use nnz_kernel::{Kernel, Tensor};
use nnz_loops::{Builder, ExprId, ForKind, Function, LoopError, Stmt, Type, VarId, Verified, passes::hoisted, verify};
use parameters::Parameters;
use parts::Part;

/// A kernel as loops, and the bindings of their parameters. Only this crate makes or changes one: code that runs the
/// loops relies on their accesses being inside the arrays that the bindings require.
#[derive(Clone, Debug)]
pub struct Lowered {
    parts: LoweredParts,
    seal: Seal,
}

impl Deref for Lowered {
    type Target = LoweredParts;
    fn deref(&self) -> &LoweredParts {
        &self.parts
    }
}

/// Identifies one lowering: values with the same seal have the same loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal(u64);

impl Seal {
    fn new() -> Seal {
        static MADE: AtomicU64 = AtomicU64::new(0);
        Seal(MADE.fetch_add(1, Ordering::Relaxed))
    }
}

/// The parts of a [`Lowered`], for reading.
#[derive(Clone, Debug)]
pub struct LoweredParts {
    pub plan: Plan,
    /// One for each derived tensor of the plan; `None` where loops cannot make it and the library converts.
    pub conversions: Vec<Option<Lowered>>,
    /// Counts the entries of a sparse result for which no bound is known; runs first.
    pub count: Option<Phase>,
    /// Computes the result.
    pub fill: Phase,
    /// Whether reductions moved in front of loops that do not change them.
    pub shares_reductions: bool,
}

/// One function.
#[derive(Clone, Debug)]
pub struct Phase {
    pub function: Verified<Function>,
    /// One per array parameter.
    pub arrays: Vec<ArrayBinding>,
    /// One per scalar parameter.
    pub scalars: Vec<ScalarBinding>,
    /// The loops that schedules can name.
    pub loops: Vec<NamedLoop>,
}

impl Lowered {
    pub(crate) fn new(parts: LoweredParts) -> Lowered {
        Lowered { parts, seal: Seal::new() }
    }

    pub(crate) fn into_parts(self) -> LoweredParts {
        self.parts
    }

    /// With the reductions that loops around them do not change in front of these.
    ///
    /// # Errors
    /// A bug of nnz.
    pub(crate) fn hoisted(self) -> Result<Lowered, LowerError> {
        let LoweredParts { plan, conversions, count, fill, .. } = self.into_parts();
        let count = count.map(Phase::hoisted).transpose()?.map(|(count, _)| count);
        let (fill, shares_reductions) = fill.hoisted()?;
        Ok(Lowered::new(LoweredParts { plan, conversions, count, fill, shares_reductions }))
    }

    pub fn seal(&self) -> Seal {
        self.seal
    }

    /// The functions in the order in which they run.
    pub fn phases(&self) -> impl Iterator<Item = &Phase> {
        self.count.iter().chain([&self.fill])
    }

    /// The functions that make derived tensors, then the kernel's own.
    pub fn all_phases(&self) -> impl Iterator<Item = &Phase> {
        self.conversions.iter().flatten().flat_map(Lowered::phases).chain(self.phases())
    }

    /// The loops, as text.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.all_phases().map(|phase| phase.function.to_string()).collect();
        texts.join("\n")
    }
}

impl Phase {
    /// And whether a reduction moved.
    fn hoisted(mut self) -> Result<(Phase, bool), LowerError> {
        let named = self.loops.iter_mut().filter_map(|named| named.over.var_mut());
        let Some(function) = hoisted(&self.function, named) else { return Ok((self, false)) };
        Ok((Phase { function: verified(function)?, ..self }, true))
    }
}

/// # Errors
/// A bug of nnz.
fn verified(function: Function) -> Result<Verified<Function>, LowerError> {
    verify(function.clone()).map_err(|problems| LowerError::Bug { problems, loops: function.to_string() })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("`{var}` runs to {extent}, beyond what positions can count")]
    TooLarge { var: String, extent: u64 },
    #[error("its loops would be too long: {operands} sparse operands can be there or not in too many ways")]
    TooLong { operands: usize },
    /// A bug in nnz, with the loops and the problems that the verifier found in them.
    #[error("nnz made loops that its verifier refuses: {}", .problems.first().map_or(String::new(), LoopError::to_string))]
    Bug { problems: Vec<LoopError>, loops: String },
}

impl LowerError {
    /// Whether the fault is nnz's, not the kernel's.
    pub fn is_bug(&self) -> bool {
        matches!(self, LowerError::Bug { .. } | LowerError::Plan(PlanError::Rewrite(_)))
    }
}

/// The largest number of statements of a function. The time to make and to compile it grows with their number.
const LONGEST: usize = 4_000;

/// Lowers `kernel` to verified loops.
///
/// # Errors
/// Kernels that this version does not support; [`LowerError::Bug`] only for a bug of nnz.
pub fn lower(kernel: &Kernel) -> Result<Lowered, LowerError> {
    check_extents(kernel)?;
    lower_plan(iterate::plan(kernel)?)?.hoisted()
}

/// As [`lower`], for the body of a program's kernel (see [`Wishes`]).
///
/// # Errors
/// A kernel for which no loops can be made.
pub fn lower_body(kernel: &Kernel) -> Result<Lowered, LowerError> {
    check_extents(kernel)?;
    let wishes = Wishes { is_body: true, ..Wishes::default() };
    lower_plan(iterate::plan_wished(kernel, &wishes)?)
}

/// The loops of a plan that somebody changed, for tests of what loops do about a wrong one.
///
/// # Safety
/// A plan may be changed in what it promises of the room for a result: `capacity`, `in_parts` and `space` of an
/// [`iterate::Assembly`]. Loops of any other change may leave the arrays that they are run on, and code that runs
/// them does not look.
///
/// ```compile_fail,E0133
/// fn forged(mut plan: nnz_plan::iterate::Plan) {
///     plan.derived.clear();
///     let _ = nnz_plan::lower::lower_changed(plan);
/// }
/// ```
///
/// ```compile_fail,E0603
/// use nnz_plan::lower::lower_plan;
/// ```
///
/// # Errors
/// As [`lower`].
pub unsafe fn lower_changed(plan: Plan) -> Result<Lowered, LowerError> {
    lower_plan(plan)
}

/// The loops of a plan, which is one that [`iterate`] made: they stay within the arrays because it is.
///
/// # Errors
/// [`LowerError::TooLong`], [`PlanError::ManyOperands`]; [`LowerError::Bug`] for a bug of nnz.
pub(crate) fn lower_plan(plan: Plan) -> Result<Lowered, LowerError> {
    let counts = match &plan.result {
        ResultPlan::Assembled(assembly) => assembly.capacity == Capacity::Counted,
        ResultPlan::Dense { .. } | ResultPlan::Inherited { .. } => false,
    };
    let count = counts.then(|| phase(&plan, Purpose::Count)).transpose()?;
    let fill = phase(&plan, Purpose::Fill)?;
    let conversions = plan.derived.iter().map(|derived| conversion_of(&plan, derived)).collect::<Result<_, _>>()?;
    Ok(Lowered::new(LoweredParts { count, fill, conversions, plan, shares_reductions: false }))
}

/// The loops that store `from` as `to`, of the same shape and element type; `None` if no single pass of loops can.
///
/// # Errors
/// A bug of nnz.
pub fn lower_conversion(from: &Tensor, to: &Tensor) -> Result<Option<Lowered>, LowerError> {
    let Some(kernel) = iterate::conversion(from, to)? else { return Ok(None) };
    let lowered = check_extents(&kernel).and_then(|()| {
        let plan = Some(iterate::plan(&kernel)?).filter(iterate::is_direct);
        plan.map(lower_plan).transpose()
    });
    match lowered {
        // No loops can make it; the library converts.
        Err(error) if !error.is_bug() => Ok(None),
        lowered => lowered,
    }
}

fn conversion_of(plan: &Plan, derived: &Derived) -> Result<Option<Lowered>, LowerError> {
    let kernel = &plan.kernel;
    let copies = derived.dims.iter().enumerate().all(|(at, dims)| *dims == [Dim::new(at)]);
    if !copies {
        return Ok(None);
    }
    lower_conversion(kernel.tensor(derived.from), kernel.tensor(derived.tensor))
}

fn phase(plan: &Plan, purpose: Purpose) -> Result<Phase, LowerError> {
    let mut lowerer = Lowerer::new(plan, purpose);
    lowerer.body(purpose);
    if lowerer.unbounded {
        lowerer = Lowerer { capped: true, ..Lowerer::new(plan, purpose) };
        lowerer.body(purpose);
    }
    if lowerer.crowded > 0 {
        return Err(PlanError::ManyOperands { found: lowerer.crowded }.into());
    }
    if lowerer.is_too_long() {
        return Err(LowerError::TooLong { operands: plan.operands.len() });
    }
    let Lowerer { mut b, parameters, mut loops, .. } = lowerer;
    lengths::state(plan, &parameters, &mut b);
    let function = b.finish_tracking(loops.iter_mut().filter_map(|named| named.over.var_mut()));
    let (arrays, scalars) = parameters.into_bindings();
    Ok(Phase { function: verified(function)?, arrays, scalars, loops })
}

/// Checks that positions can count every extent.
pub(crate) fn check_extents(kernel: &Kernel) -> Result<(), LowerError> {
    let sizes = kernel.vars().iter().map(|var| (var.name.clone(), var.extent));
    match sizes.into_iter().find(|(_, extent)| i64::try_from(*extent).is_err()) {
        Some((var, extent)) => Err(LowerError::TooLarge { var, extent }),
        None => Ok(()),
    }
}

/// The state of lowering a kernel.
struct Lowerer<'k> {
    kernel: &'k Kernel,
    plan: &'k Plan,
    b: Builder,
    parameters: Parameters<'k>,
    /// The order of all variables of the loops that are being made.
    order: &'k [IndexVar],
    /// The value of each variable that is bound so far.
    coordinates: HashMap<IndexVar, ExprId>,
    /// One per operand of the plan.
    cursors: Vec<Cursor>,
    /// The operand whose levels are the loops.
    leader: Option<OperandId>,
    /// A flag that is set once some reduction has met an entry, where that matters.
    found: Option<VarId>,
    /// The value of the terms so far, and the next term, while a reduction combines them.
    slots: Option<[VarId; 2]>,
    /// The loops so far that schedules can name.
    loops: Vec<NamedLoop>,
    /// The part of a sparse result's loops that is being made.
    part: Option<Part>,
    /// The values of a variable that its loop visits, if not all.
    window: Option<(IndexVar, [ExprId; 2])>,
    /// How many operands a loop would have to merge, if those are too many for one.
    crowded: usize,
    /// Whether some entry of a result that has a bound is appended where the loops do not show that it holds.
    unbounded: bool,
    /// Whether such a result is never stored outside its arrays, even if the bound does not hold.
    capped: bool,
}

impl<'k> Lowerer<'k> {
    fn new(plan: &'k Plan, purpose: Purpose) -> Self {
        let kernel = &plan.kernel;
        let name = &kernel.tensor(kernel.result().tensor).name;
        let name = if purpose == Purpose::Count { format!("{name}.count") } else { name.clone() };
        Self {
            kernel,
            plan,
            b: Builder::new(&name),
            parameters: Parameters::new(kernel),
            order: &[],
            coordinates: HashMap::new(),
            cursors: Vec::new(),
            leader: None,
            found: None,
            slots: None,
            loops: Vec::new(),
            part: None,
            crowded: 0,
            window: None,
            unbounded: false,
            capped: false,
        }
    }

    fn element(&self) -> Element {
        self.kernel.element()
    }
    fn value_type(&self) -> Type {
        Type::Element(self.element())
    }

    fn body(&mut self, purpose: Purpose) {
        self.b.comment(self.kernel.to_string());
        let plan = self.plan;
        match &plan.result {
            ResultPlan::Dense { vars, nests, .. } => match nests.split_first() {
                None => self.initialise(vars, true),
                Some((first, rest)) => {
                    self.nest(first, Destination::Result, Before::Nothing);
                    rest.iter().for_each(|nest| self.nest(nest, Destination::Result, Before::Initialised));
                }
            },
            ResultPlan::Inherited { nest, operand } => {
                self.reset_cursors();
                self.clear_padding(*operand);
                self.nest(nest, Destination::Entries(*operand), Before::Nothing);
            }
            ResultPlan::Assembled(assembly) => self.assembled(assembly, purpose),
        }
    }

    fn assembled(&mut self, assembly: &'k Assembly, purpose: Purpose) {
        let what = if purpose == Purpose::Count { "how many entries it has" } else { "its entries, in order" };
        self.b.comment(what);
        self.assemble(assembly, purpose);
    }

    /// The terms that give every entry of a dense result its first value.
    fn dense_terms(&self) -> &'k [Term] {
        match &self.plan.result {
            ResultPlan::Dense { everywhere, .. } => everywhere,
            ResultPlan::Inherited { .. } | ResultPlan::Assembled(_) => &[],
        }
    }

    /// The variables of a dense result, in the order of its storage.
    fn dense_vars(&self) -> &'k [IndexVar] {
        match &self.plan.result {
            ResultPlan::Dense { vars, .. } => vars,
            ResultPlan::Inherited { .. } | ResultPlan::Assembled(_) => &[],
        }
    }

    /// `for var in range` around what `body` emits.
    fn for_loop(&mut self, var: VarId, range: [ExprId; 2], kind: ForKind, body: impl FnOnce(&mut Self)) {
        self.b.open();
        body(self);
        let body = self.b.close();
        let [lo, hi] = range;
        self.b.push(Stmt::For { var, lo, hi, kind, body });
    }

    /// Loops over every value of `vars`, outermost first, around what `body` emits.
    fn dense_loops(&mut self, vars: &[IndexVar], kind: ForKind, body: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = vars.split_first() else { return body(self) };
        let var = self.b.local(&self.kernel.var(*first).name, Type::Index);
        let range = [self.b.index(0), self.extent(*first)];
        self.loop_over_coordinates(&self.kernel.var(*first).name, var);
        let value = self.b.var(var);
        let outer = self.coordinates.insert(*first, value);
        self.for_loop(var, range, kind, |this| this.dense_loops(rest, ForKind::Serial, body));
        match outer {
            Some(value) => self.coordinates.insert(*first, value),
            None => self.coordinates.remove(first),
        };
    }

    /// Whether the loops so far are too long, or would merge too many operands; the rest is then not made.
    fn is_too_long(&self) -> bool {
        self.b.statements() > LONGEST || self.crowded > 0
    }

    fn extent(&mut self, var: IndexVar) -> ExprId {
        self.parameters.extent(&mut self.b, var)
    }
}
