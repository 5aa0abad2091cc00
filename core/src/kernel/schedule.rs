//! Schedules: how the loops of a kernel are to be arranged, step by step, in the words of TACO's
//! scheduling language (Senanayake 2020, section 4). A step changes the loops, never the result: even the
//! order in which a floating-point sum adds stays, unless [`Step::Reassociate`] gives it up.
//!
//! Loops go by names. At first these are the kernel's index variables; a step that makes loops names
//! them. Here steps are plain data; `crate::schedule` checks and carries them out.

use std::{fmt, num::NonZeroU32};

/// What a loop is called in a schedule: an index variable, or a name that a step has given.
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
    /// `of` in strips of `size` iterations: `outer` counts the strips, `inner` runs within one.
    Split { of: LoopName, outer: LoopName, inner: LoopName, size: Count },
    /// `of` in so many parts of equal length, the last at most as long.
    Divide { of: LoopName, outer: LoopName, inner: LoopName, parts: Count },
    /// The body written out so many times in a row.
    Unroll { of: LoopName, times: Count },
}

/// What a step is called, takes and does: the checker, completion, hovers and help read this table.
pub struct StepInfo {
    pub name: &'static str,
    /// The step as it is written.
    pub usage: &'static str,
    /// One line.
    pub summary: &'static str,
}

/// Every step.
pub const STEPS: &[StepInfo] = &[
    StepInfo {
        name: "split",
        usage: "split(i, i0, i1, 16)",
        summary: "`i` in strips of 16: `i0` counts the strips, `i1` runs within one",
    },
    StepInfo {
        name: "divide",
        usage: "divide(i, i0, i1, 4)",
        summary: "`i` in 4 equal parts: `i0` counts the parts, `i1` runs within one",
    },
    StepInfo { name: "unroll", usage: "unroll(i, 4)", summary: "the body of `i` written out 4 times in a row" },
];

/// The step of that name.
pub fn step_info(name: &str) -> Option<&'static StepInfo> {
    STEPS.iter().find(|info| info.name == name)
}

impl Step {
    /// The loop that the step takes apart or changes.
    pub fn of(&self) -> &LoopName {
        match self {
            Step::Split { of, .. } | Step::Divide { of, .. } | Step::Unroll { of, .. } => of,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Split { of, outer, inner, size } => write!(f, "split({of}, {outer}, {inner}, {size})"),
            Step::Divide { of, outer, inner, parts } => write!(f, "divide({of}, {outer}, {inner}, {parts})"),
            Step::Unroll { of, times } => write!(f, "unroll({of}, {times})"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = self.steps.iter().map(Step::to_string).collect();
        f.write_str(&steps.join(", "))
    }
}
