//! Functions of stage III as loops, which machine code and the loops' interpreter run.
//!
//! Buffers become arrays, and buffers of one element variables. Whole numbers are computed as `index` where they cannot
//! leave their type (`ranges`); otherwise in their type, where they wrap. A loop over the positions of a row,
//! `for j in T.serial(p[i + 1] - p[i])`, runs over the positions themselves (`positions`).
//!
//! Architecture Invariant: no access of these loops is outside of its array. What is known of the numbers and arrays
//! (`known`) proves that an index is in range; where it does not, the access is guarded, and what would have gone wrong
//! is told behind the run (`faults`). So loops run only over the arrays that they were made for: `launch` makes and runs
//! them in one step, and nobody else runs them.
//!
//! The outermost loops are parallel where no two iterations touch the same element (`independent`), which each element's
//! own indices prove.

mod access;
mod arrays;
mod expr;
mod faults;
mod hoist;
mod independent;
mod joined;
mod integers;
mod known;
mod launch;
mod loops;
mod mentions;
mod positions;
mod ranges;
mod scope;
mod statements;

use std::{cell::Cell, collections::HashSet};

use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_loops::{Builder, Function as Loops, Verified, verify};
use nnz_tir::model::{BufferId, Expr, Function, Stage, VariableId};

use crate::fault::Done;
use access::Touched;
use arrays::{Binding, Memory};
use faults::{Faults, Guard};
use hoist::Around;
use joined::Top;
pub(crate) use known::Known;
pub use launch::{Means, Ran, run_compiled, time_compiled};
pub(crate) use mentions::accesses;
use scope::Scope;

/// Why a function does not become loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Uncompiled {
    pub place: Span,
    /// In one line, as in `it has an intrinsic`.
    pub why: String,
}

type Made<T> = Result<T, Uncompiled>;

fn uncompiled<T>(place: Span, why: impl Into<String>) -> Made<T> {
    Err(Uncompiled { place, why: why.into() })
}

/// A number below another one, within so many loops.
struct Holds {
    below: Expr,
    end: Expr,
    depth: usize,
}

/// The loops of a function, and what their parameters are.
pub(crate) struct Compiled {
    pub(crate) loops: Verified<Loops>,
    arrays: Vec<Binding>,
    scalars: Vec<VariableId>,
    faults: Faults,
}

/// A function while it becomes loops.
struct Emission<'f> {
    function: &'f Function,
    known: &'f Known,
    b: Builder,
    /// Of each buffer that lives.
    memory: Vec<Option<Memory>>,
    arrays: Vec<Binding>,
    scalars: Vec<VariableId>,
    /// The buffers that the function writes somewhere.
    written: HashSet<BufferId>,
    scope: Scope,
    /// What has to hold for the statement that is made.
    guards: Vec<Guard>,
    /// When the part of an expression that is made is computed at all.
    under: Option<nnz_loops::ExprId>,
    faults: Faults,
    /// The elements that the statements so far name.
    touched: Vec<Touched>,
    around: Around,
    /// A loop at the top that waits for the next one.
    kept: Option<Top>,
    /// What holds where the statement that is made runs.
    holds: Vec<Holds>,
    /// The innermost of these that a proof needed since it was last asked, by its depth.
    relied: Cell<Option<usize>>,
    /// Whether the end of such a condition is asked for.
    asks: Cell<bool>,
    /// In how many other statements the statement that is made stands.
    inside: usize,
    /// The loops whose iterations are independent.
    free: HashSet<VariableId>,
    /// So many times a loop without bounds may turn.
    turns: u64,
}

/// The loops of a function of stage III, made for what is known of its arrays.
///
/// # Errors
/// What loops cannot express; loops that the verifier refuses, a bug of nnz.
pub(crate) fn compile(function: &Function, known: &Known, turns: u64) -> Result<Made<Compiled>, Box<Diagnostic>> {
    match Emission::of(function, known, turns) {
        Err(why) => Ok(Err(why)),
        Ok(emission) => emission.verified().map(Ok),
    }
}

/// The loops of a function of stage III as they are made where no arrays are known: what is declared of those of the
/// function that it comes from holds.
///
/// # Errors
/// As running it.
pub fn loops(function: &Function, from: &Function) -> Result<Made<Verified<Loops>>, Box<Diagnostic>> {
    let made = compile(function, &Known::declared(function, from), u64::from(u32::MAX))?;
    Ok(made.map(|compiled| compiled.loops))
}

/// The variables of the loops whose iterations are independent.
///
/// # Errors
/// What loops cannot express.
pub(crate) fn independent_loops(function: &Function, from: &Function) -> Made<HashSet<VariableId>> {
    let known = Known::declared(function, from);
    Ok(Emission::of(function, &known, u64::from(u32::MAX))?.free)
}

impl<'f> Emission<'f> {
    fn of(function: &'f Function, known: &'f Known, turns: u64) -> Made<Emission<'f>> {
        if function.stage() != Some(Stage::III) {
            return uncompiled(function.place.0, "it is not of stage III");
        }
        let mut emission = Emission {
            function,
            known,
            b: Builder::new(&function.name),
            memory: vec![None; function.buffers.len()],
            arrays: Vec::new(),
            scalars: Vec::new(),
            written: crate::bind::written(function).into_iter().collect(),
            scope: Scope::default(),
            guards: Vec::new(),
            under: None,
            faults: Faults::default(),
            touched: Vec::new(),
            around: Around::default(),
            kept: None,
            holds: Vec::new(),
            relied: Cell::new(None),
            asks: Cell::new(false),
            inside: 0,
            free: HashSet::new(),
            turns,
        };
        emission.parameters()?;
        emission.statements(&function.body)?;
        emission.release();
        Ok(emission)
    }

    fn verified(self) -> Done<Compiled> {
        let Emission { function, b, arrays, scalars, faults, .. } = self;
        let loops = b.finish();
        let text = loops.to_string();
        let loops = verify(loops).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            let code = nnz_base::diagnostic::Code::CompilerBug;
            let message = format!("the loops of `{}` are wrong: {}", function.name, errors.join("; "));
            let told = Diagnostic::new(code, nnz_base::ids::FileId(0), function.place.0, message);
            Box::new(told.label("compiled wrongly").help(text))
        })?;
        Ok(Compiled { loops, arrays, scalars, faults })
    }
}
