//! What the Python around a function says of it: a decomposition, and a schedule.

use nnz_base::diagnostic::Diagnostic;
use nnz_stages::{
    Arrays,
    decompose::{decomposed, parted},
    lower::{to_stage_three, to_stage_two},
    schedule::scheduled,
};
use nnz_tir::{
    Script,
    model::{Decomposition, Function, Schedule, Stage},
    rules::{Ruled, ruled},
};

/// A function with what is to be done with it.
pub(super) struct Plan<'s> {
    script: &'s Script,
    function: &'s Function,
    pub(super) decomposition: Option<&'s Decomposition>,
    schedule: Option<&'s Schedule>,
}

type Done<T> = Result<T, Box<Diagnostic>>;

impl<'s> Plan<'s> {
    /// The first decomposition of a function, and the first schedule of what that gives.
    pub(super) fn of(script: &'s Script, function: &'s Function) -> Plan<'s> {
        let number = script.decompositions.iter().position(|one| one.function == function.name);
        let decomposition = number.map(|number| &script.decompositions[number]);
        let is_it = |one: &&Schedule| one.function == function.name && one.decomposition == number;
        Plan { script, function, decomposition, schedule: script.schedules.iter().find(is_it) }
    }

    /// With this schedule, and the decomposition that it is of.
    pub(super) fn with(script: &'s Script, function: &'s Function, schedule: &'s Schedule) -> Plan<'s> {
        let decomposition = schedule.decomposition.and_then(|number| script.decompositions.get(number));
        Plan { script, function, decomposition, schedule: Some(schedule) }
    }

    fn rules(&self, decomposition: &'s Decomposition) -> Done<Vec<Ruled<'s>>> {
        ruled(decomposition, self.function, &self.script.functions)
    }

    /// The function before its schedule.
    pub(super) fn first(&self) -> Done<Function> {
        match self.decomposition {
            Some(one) => decomposed(self.function, &self.rules(one)?, one.copies),
            None => Ok(self.function.clone()),
        }
    }

    /// The function at a stage, through those between, after the steps of its schedule.
    pub(super) fn at(&self, wanted: Stage) -> Done<Function> {
        let first = self.first()?;
        match (self.schedule, wanted, first.stage()) {
            (_, Stage::I, _) => Ok(first),
            (Some(schedule), ..) => scheduled(&first, schedule, wanted),
            (None, Stage::II, Some(Stage::II)) | (None, Stage::III, Some(Stage::III)) => Ok(first),
            (None, Stage::II, _) => to_stage_two(&first),
            (None, Stage::III, Some(Stage::II)) => to_stage_three(&first),
            (None, Stage::III, _) => to_stage_three(&to_stage_two(&first)?),
        }
    }

    /// The arrays with those of the parts.
    pub(super) fn arrays(&self, arrays: &Arrays) -> Done<Option<Arrays>> {
        let Some(one) = self.decomposition else { return Ok(None) };
        parted(self.function, &self.rules(one)?, arrays).map(Some)
    }
}

/// Whether a function only describes a format, as some rule says.
pub(super) fn is_description(script: &Script, function: &Function) -> bool {
    let start = script
        .functions
        .iter()
        .find(|read| std::ptr::eq(&raw const read.function, function))
        .map(|read| read.span.start);
    let rules = script.decompositions.iter().flat_map(|one| &one.rules);
    { rules }.any(|rule| Some(rule.description.start) == start)
}
