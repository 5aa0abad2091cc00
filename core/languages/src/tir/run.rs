//! Running a function of a script.

use nnz_backend::Target;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Source,
};
use nnz_run::Engine;
use nnz_stages::{
    Arrays, Limits, check_structure,
    compile::{Means, Ran, Uncompiled, run_compiled},
    decompose::without_copies,
    run,
};
use nnz_tir::{
    Script,
    model::{Function, Stage},
};

use super::{Plan, checked, chosen, lowered, placed};
use crate::{ArrayCall, Called};

/// Runs a function of a text without errors.
pub(super) fn call(source: &Source, call: &ArrayCall<'_>) -> Called {
    let script = checked(source);
    if script.has_errors() {
        return Called { diagnostics: script.diagnostics, arrays: None };
    }
    let tell = |told: Diagnostic| (call.tell)(placed(source, told));
    let call = &ArrayCall { tell: &tell, ..*call };
    let function = chosen(&script, call.function);
    match function.and_then(|function| ran(&script, function, call)) {
        Ok(arrays) => Called { diagnostics: script.diagnostics, arrays: Some(arrays) },
        Err(told) => Called { diagnostics: vec![placed(source, *told)], arrays: None },
    }
}

/// Runs a function at the stage that is wanted, or its parts.
fn ran(script: &Script, function: &Function, call: &ArrayCall<'_>) -> Result<Arrays, Box<Diagnostic>> {
    let plan = Plan::of(script, function);
    let arrays = plan.given(call.arrays)?;
    let call = &ArrayCall { arrays: &arrays, ..*call };
    match plan.arrays(call.arrays)? {
        None => ran_at_stage(script, function, call),
        Some(arrays) => {
            let first = without_copies(&plan.first()?);
            let call = &ArrayCall { arrays: &arrays, ..*call };
            match call.stage.filter(|stage| *stage != "1") {
                None => ran_as_it_is(&first, call),
                Some(number) => ran_lowered(
                    function,
                    &without_copies(&lowered(script, function, &format!("stage{number}"))?),
                    (number, call),
                ),
            }
        }
    }
}

fn ran_at_stage(script: &Script, function: &Function, call: &ArrayCall<'_>) -> Result<Arrays, Box<Diagnostic>> {
    let is_third = function.stage() == Some(Stage::III);
    let Some(number) = call.stage.or(is_third.then_some("3")) else { return ran_as_it_is(function, call) };
    let wanted = [Stage::I, Stage::II, Stage::III].into_iter().find(|stage| number_of(*stage) == number);
    let lowered = lowered(script, function, &format!("stage{number}"))?;
    if wanted.is_some() && lowered.stage() != wanted {
        return Err(Box::new(raised(function, number)));
    }
    if lowered == *function {
        return ran_as_it_is(function, call);
    }
    check_structure(function, call.arrays)?;
    ran_lowered(function, &lowered, (number, call))
}

/// Runs what a function became.
fn ran_lowered(
    function: &Function,
    lowered: &Function,
    (number, call): (&str, &ArrayCall<'_>),
) -> Result<Arrays, Box<Diagnostic>> {
    let tell = |told| (call.tell)(behind(function, number, told));
    let call = &ArrayCall { tell: &tell, ..*call };
    ran_as_it_is(lowered, call).map_err(|told| Box::new(behind(function, number, *told)))
}

/// Functions of stage III run as loops, if they become loops; the others statement by statement.
fn ran_as_it_is(function: &Function, call: &ArrayCall<'_>) -> Result<Arrays, Box<Diagnostic>> {
    let limits = Limits { steps: call.steps };
    if function.stage() == Some(Stage::III) {
        match run_compiled(function, call.arrays, limits, means(call))? {
            Ran::As(arrays) => return Ok(arrays),
            Ran::Not(why) => (call.tell)(slow(function, &why)),
        }
    }
    run(function, call.arrays, limits)
}

fn means(call: &ArrayCall<'_>) -> Means {
    let (target, is_brief) = match call.engine {
        Engine::Interpreter => (Target::Interpreter, false),
        Engine::Adaptive => (Target::Cpu, true),
        Engine::MachineCode => (Target::Cpu, false),
    };
    Means { target, is_brief, order: call.order, threads: call.threads }
}

fn slow(function: &Function, why: &Uncompiled) -> Diagnostic {
    let message = format!("`{}` is not compiled, and runs statement by statement: {}", function.name, why.why);
    Diagnostic::new(Code::NotCompiled, FileId(0), why.place, message).label("this is why")
}

fn number_of(stage: Stage) -> &'static str {
    match stage {
        Stage::I => "1",
        Stage::II => "2",
        Stage::III => "3",
    }
}

fn raised(function: &Function, number: &str) -> Diagnostic {
    let is = function.stage().map_or("none", number_of);
    let message = format!("`{}` is of stage {is}, and lowering does not lead to stage {number}", function.name);
    let told = Diagnostic::new(Code::ArrayMisfit, FileId(0), function.place.0, message).label("of a later stage");
    told.help("leave `--stage` out")
}

/// What went wrong in the text that a function became: it is told at the function.
fn behind(function: &Function, number: &str, mut told: Diagnostic) -> Diagnostic {
    told.places_mut().for_each(|(_, span)| *span = function.place.0);
    told.help(format!("`nnz lower --to stage{number}` shows what ran"))
}
