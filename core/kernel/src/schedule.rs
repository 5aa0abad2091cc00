//! Schedules arrange the loops of a kernel step by step, in the terms of TACO's scheduling language
//! (Senanayake 2020, section 4). A step changes the loops, not the result. Even floating-point sums are added
//! in the same order, unless [`Step::Reassociate`] allows another.
//!
//! Loops have names. At first these are the kernel's index variables; a step that makes loops names them. Here steps
//! are plain data; `nnz_plan::schedule` checks and applies them.

use std::{fmt, num::NonZeroU32};

/// The name of a loop in a schedule: an index variable, or a name that a step has given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopName(String);

impl LoopName {
    pub fn new(name: impl Into<String>) -> LoopName {
        LoopName(name.into())
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LoopName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How many iterations, strips or copies.
pub type Count = NonZeroU32;

/// The steps in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The loops nest in this order, outermost first.
    Reorder {
        loops: Vec<LoopName>,
    },
    /// `of` in strips of `size` iterations: `outer` counts the strips, `inner` runs within one.
    Split {
        of: LoopName,
        outer: LoopName,
        inner: LoopName,
        size: Count,
    },
    /// `of` in `parts` parts of equal length, the last possibly shorter.
    Divide {
        of: LoopName,
        outer: LoopName,
        inner: LoopName,
        parts: Count,
    },
    /// `inner`, which is directly inside `outer`, and `outer` as one loop.
    Fuse {
        outer: LoopName,
        inner: LoopName,
        into: LoopName,
    },
    /// `into` is the loop over the positions of what `tensor` stores along `of`.
    Pos {
        of: LoopName,
        into: LoopName,
        tensor: String,
    },
    /// The body repeated `times` times.
    Unroll {
        of: LoopName,
        times: Count,
    },
    /// Several iterations at once in the lanes of vector registers.
    Vectorize {
        of: LoopName,
    },
    Parallelize {
        of: LoopName,
        on: Unit,
    },
    /// `of` runs over exactly `extent` values, and is renamed to `into`.
    Bound {
        of: LoopName,
        into: LoopName,
        extent: u64,
    },
    /// The right side is added up in a workspace along `of` before it is stored.
    Precompute {
        of: LoopName,
        into: LoopName,
    },
    /// How the entries of the result get into order.
    Assemble {
        tensor: String,
        method: AssembleMethod,
    },
    /// Sums may be added up in another order.
    Reassociate,
}

/// The unit that runs a loop's iterations in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    CpuThreads,
    /// One after another on one thread.
    NotParallel,
}

/// A way of assembling a sparse result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssembleMethod {
    Append,
    Workspace,
    Insert,
}

/// The name, arguments and effect of a step. The checker, completion, hovers and help read this table.
pub struct StepInfo {
    pub kind: StepKind,
    pub name: &'static str,
    /// The step as written.
    pub usage: &'static str,
    /// One line.
    pub summary: &'static str,
}

/// A [`Step`] without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    Reorder,
    Split,
    Divide,
    Fuse,
    Pos,
    Unroll,
    Vectorize,
    Parallelize,
    Bound,
    Precompute,
    Assemble,
    Reassociate,
}

const fn info(kind: StepKind, name: &'static str, usage: &'static str, summary: &'static str) -> StepInfo {
    StepInfo { kind, name, usage, summary }
}

/// Every step.
pub const STEPS: &[StepInfo] = &[
    info(StepKind::Reorder, "reorder", "reorder(i, j)", "the loop over `i` outside of that over `j`, and so on"),
    info(
        StepKind::Split,
        "split",
        "split(i, i0, i1, 16)",
        "`i` in strips of 16: `i0` counts the strips, `i1` runs within one",
    ),
    info(
        StepKind::Divide,
        "divide",
        "divide(i, i0, i1, 4)",
        "`i` in 4 equal parts: `i0` counts the parts, `i1` runs within one",
    ),
    info(StepKind::Fuse, "fuse", "fuse(i, j, f)", "`i` and the loop `j` directly inside it as one loop `f`"),
    info(StepKind::Pos, "pos", "pos(j, p, A)", "calls the loop over what `A` stores along `j` by its positions, `p`"),
    info(StepKind::Unroll, "unroll", "unroll(i, 4)", "the body of `i` written out 4 times in a row"),
    info(
        StepKind::Vectorize,
        "vectorize",
        "vectorize(i)",
        "several iterations of `i` at once, in the lanes of vector registers",
    ),
    info(
        StepKind::Parallelize,
        "parallelize",
        "parallelize(i)",
        "the iterations of `i` dealt to threads; with `NotParallel`, to one",
    ),
    info(
        StepKind::Bound,
        "bound",
        "bound(i, ib, 64, MaxExact)",
        "`i` runs over exactly 64 values, which the loops may rely on",
    ),
    info(
        StepKind::Precompute,
        "precompute",
        "precompute(A(i, k) * B(k, j), j, jw)",
        "adds each row up along `j` in a workspace first",
    ),
    info(
        StepKind::Assemble,
        "assemble",
        "assemble(C, Insert)",
        "entries of `C` come by `Append`, through a `Workspace`, or by `Insert`",
    ),
    info(
        StepKind::Reassociate,
        "reassociate",
        "reassociate()",
        "lets the steps change the order in which sums are added up",
    ),
];

/// The step of that name.
pub fn step_info(name: &str) -> Option<&'static StepInfo> {
    STEPS.iter().find(|info| info.name == name)
}

impl Unit {
    /// As TACO calls it.
    pub fn name(self) -> &'static str {
        match self {
            Unit::CpuThreads => "CPUThread",
            Unit::NotParallel => "NotParallel",
        }
    }
}

impl AssembleMethod {
    pub const ALL: &'static [AssembleMethod] =
        &[AssembleMethod::Append, AssembleMethod::Workspace, AssembleMethod::Insert];

    pub fn name(self) -> &'static str {
        match self {
            AssembleMethod::Append => "Append",
            AssembleMethod::Workspace => "Workspace",
            AssembleMethod::Insert => "Insert",
        }
    }
}

impl Step {
    /// The loops that must exist.
    pub fn loops(&self) -> Vec<&LoopName> {
        match self {
            Step::Reorder { loops } => loops.iter().collect(),
            Step::Split { of, .. }
            | Step::Divide { of, .. }
            | Step::Pos { of, .. }
            | Step::Unroll { of, .. }
            | Step::Vectorize { of }
            | Step::Parallelize { of, .. }
            | Step::Bound { of, .. }
            | Step::Precompute { of, .. } => vec![of],
            Step::Fuse { outer, inner, .. } => vec![outer, inner],
            Step::Assemble { .. } | Step::Reassociate => Vec::new(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Reorder { loops } => {
                let loops: Vec<&str> = loops.iter().map(LoopName::as_str).collect();
                write!(f, "reorder({})", loops.join(", "))
            }
            Step::Split { of, outer, inner, size } => write!(f, "split({of}, {outer}, {inner}, {size})"),
            Step::Divide { of, outer, inner, parts } => write!(f, "divide({of}, {outer}, {inner}, {parts})"),
            Step::Fuse { outer, inner, into } => write!(f, "fuse({outer}, {inner}, {into})"),
            Step::Pos { of, into, tensor } => write!(f, "pos({of}, {into}, {tensor})"),
            Step::Unroll { of, times } => write!(f, "unroll({of}, {times})"),
            Step::Vectorize { of } => write!(f, "vectorize({of})"),
            Step::Parallelize { of, on } => write!(f, "parallelize({of}, {})", on.name()),
            Step::Bound { of, into, extent } => write!(f, "bound({of}, {into}, {extent}, MaxExact)"),
            Step::Precompute { of, into } => write!(f, "precompute(..., {of}, {into})"),
            Step::Assemble { tensor, method } => write!(f, "assemble({tensor}, {})", method.name()),
            Step::Reassociate => f.write_str("reassociate()"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = self.steps.iter().map(Step::to_string).collect();
        f.write_str(&steps.join(", "))
    }
}
