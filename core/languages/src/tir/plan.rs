//! What the Python around a function says of it: a decomposition, and a schedule.

use nnz_base::diagnostic::Diagnostic;
use nnz_stages::{
    Arrays,
    decompose::{decomposed, parted},
    horizontal::{fused, is_asked},
    lower::{to_stage_three, to_stage_two},
    schedule::scheduled,
    specialize::{numbers, specialized},
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
    /// The numbers of the specializations, in order.
    specializations: Vec<usize>,
    schedule: Option<&'s Schedule>,
}

type Done<T> = Result<T, Box<Diagnostic>>;

impl<'s> Plan<'s> {
    /// The first decomposition of a function, and the first schedule of what that gives.
    pub(super) fn of(script: &'s Script, function: &'s Function) -> Plan<'s> {
        let number = script.decompositions.iter().position(|one| one.function == function.name);
        let decomposition = number.map(|number| &script.decompositions[number]);
        let is_it = |one: &&Schedule| one.function == function.name && one.decomposition == number;
        let schedule = script.schedules.iter().find(is_it);
        let of_schedule = |schedule: &Schedule| schedule.specializations.clone();
        let specializations = schedule.map_or_else(|| first_chain(script, function, number), of_schedule);
        Plan { script, function, decomposition, specializations, schedule }
    }

    /// With this schedule, and the decomposition that it is of.
    pub(super) fn with(script: &'s Script, function: &'s Function, schedule: &'s Schedule) -> Plan<'s> {
        let decomposition = schedule.decomposition.and_then(|number| script.decompositions.get(number));
        let specializations = schedule.specializations.clone();
        Plan { script, function, decomposition, specializations, schedule: Some(schedule) }
    }

    fn rules_of<'f>(&'f self, decomposition: &'f Decomposition, of: &'f Function) -> Done<Vec<Ruled<'f>>> {
        ruled(decomposition, of, &self.script.functions)
    }

    /// The function before its schedule.
    pub(super) fn first(&self) -> Done<Function> {
        let own = self.with_numbers(self.function.clone(), false)?;
        match self.decomposition {
            Some(one) => self.with_numbers(decomposed(&own, &self.rules_of(one, &own)?, one.copies)?, true),
            None => Ok(own),
        }
    }

    /// With the numbers that specializations give parameters: those before the decomposition, or those behind it.
    fn with_numbers(&self, function: Function, behind: bool) -> Done<Function> {
        let ours = self.specializations.iter().filter_map(|number| self.script.specializations.get(*number));
        let ours = ours.filter(|one| one.decomposition.is_some() == behind);
        ours.into_iter().try_fold(function, |function, one| specialized(&function, one))
    }

    /// The function at a stage, through those between, after the steps of its schedule.
    pub(super) fn at(&self, wanted: Stage) -> Done<Function> {
        let lowered = self.lowered(wanted)?;
        let fuses = wanted == Stage::III && is_asked(&lowered);
        if fuses { fused(&lowered) } else { Ok(lowered) }
    }

    fn lowered(&self, wanted: Stage) -> Done<Function> {
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

    /// The arrays with the numbers of specializations under the names of their parameters.
    pub(super) fn given(&self, arrays: &Arrays) -> Done<Arrays> {
        let (mut given, mut function) = (arrays.clone(), self.function.clone());
        let ours = self.specializations.iter().filter_map(|number| self.script.specializations.get(*number));
        let (behind, before): (Vec<_>, Vec<_>) = ours.partition(|one| one.decomposition.is_some());
        for one in before {
            given.extend(numbers(&function, one));
            function = specialized(&function, one)?;
        }
        if let Some(one) = self.decomposition.filter(|_| !behind.is_empty()) {
            function = decomposed(&function, &self.rules_of(one, &function)?, one.copies)?;
        }
        for one in behind {
            given.extend(numbers(&function, one));
            function = specialized(&function, one)?;
        }
        Ok(given)
    }

    /// The arrays with those of the parts.
    pub(super) fn arrays(&self, arrays: &Arrays) -> Done<Option<Arrays>> {
        let Some(one) = self.decomposition else { return Ok(None) };
        let own = self.with_numbers(self.function.clone(), false)?;
        parted(&own, &self.rules_of(one, &own)?, arrays).map(Some)
    }
}

/// The first specialization of a function, and those of what it gives.
fn first_chain(script: &Script, function: &Function, decomposition: Option<usize>) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for (number, one) in script.specializations.iter().enumerate() {
        let of_this =
            one.function == function.name && (one.decomposition.is_none() || one.decomposition == decomposition);
        if of_this && one.before == chain {
            chain.push(number);
        }
    }
    chain
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
