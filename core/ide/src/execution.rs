//! `nnz/execute`: which part of a text to run, time or compare if the user asks for one of its kernels. Nothing runs
//! here.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind, Grammar};

use crate::{
    calls::all_calls,
    heads::{function_named, head},
    kernels::{kernel_named, kernels, unknown},
};

/// The function of a program that runs by itself.
const MAIN: &str = "@main";

/// What is done with a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Run,
    Time,
    Compare,
}

impl Action {
    pub const ALL: [Action; 3] = [Action::Run, Action::Time, Action::Compare];

    /// Its name in requests and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Action::Run => "run",
            Action::Time => "time",
            Action::Compare => "compare",
        }
    }

    /// As a lens names it.
    pub fn title(self) -> &'static str {
        match self {
            Action::Run => "Run",
            Action::Time => "Time",
            Action::Compare => "Compare",
        }
    }

    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// What runs, and where its result appears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    pub place: Span,
    pub part: Part,
}

/// The part of a text that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The statements that end before this byte; the last one gives the name its value.
    Statements { end: usize, name: String },
    /// A function that takes no arguments, without its `@`.
    Function(String),
    /// Such a function until it reaches the kernel of this name.
    Kernel { function: String, name: String },
}

/// Something that can run, with the name that [`execution`] takes and the actions that it supports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    pub name: String,
    pub place: Span,
    pub actions: &'static [Action],
}

/// In the order of the text.
pub fn executables(checked: &Checked) -> Vec<Executable> {
    match checked.grammar {
        Grammar::Notation => {
            let all = kernels(checked).into_iter();
            all.map(|it| Executable { name: it.name, place: it.selection, actions: &Action::ALL }).collect()
        }
        Grammar::Mlir => {
            let mut all: Vec<Executable> = functions_alone(checked).chain(reached_kernels(checked)).collect();
            all.sort_by_key(|it| it.place.start);
            all
        }
    }
}

/// The functions that take nothing.
fn functions_alone(checked: &Checked) -> impl Iterator<Item = Executable> {
    functions(checked).filter(|function| takes_nothing(checked, function)).map(|it| {
        let name = checked.source.slice(it.name).to_string();
        Executable { name, place: it.name, actions: &[Action::Run] }
    })
}

/// The kernels that a function can reach which takes nothing: their own, or else the main one.
fn reached_kernels(checked: &Checked) -> impl Iterator<Item = Executable> {
    let reached = Reached::of(checked);
    let kernels = kernels(checked).into_iter().filter(move |it| reached.holds(function_of(&it.name)));
    kernels.map(|it| Executable { name: it.name, place: it.selection, actions: &[Action::Time, Action::Compare] })
}

/// The functions whose kernels can be reached.
struct Reached<'c>(HashSet<&'c str>);

impl<'c> Reached<'c> {
    fn of(checked: &'c Checked) -> Reached<'c> {
        let name = |function: &Definition| checked.source.slice(function.name);
        let alone: HashSet<&str> = functions(checked).filter(|it| takes_nothing(checked, it)).map(name).collect();
        let mut open: Vec<&str> = alone.get(MAIN).copied().into_iter().collect();
        let calls = if open.is_empty() { HashMap::new() } else { all_calls(checked) };
        let mut reached: HashSet<&str> = open.iter().copied().collect();
        while let Some(caller) = open.pop() {
            open.extend(calls.get(caller).into_iter().flatten().copied().filter(|called| reached.insert(called)));
        }
        reached.extend(alone);
        Reached(reached)
    }

    fn holds(&self, function: &str) -> bool {
        self.0.contains(function)
    }
}

/// What runs for a kernel.
///
/// # Errors
/// What is missing, in one line.
pub fn execution(checked: &Checked, kernel: &str, action: Action) -> Result<Execution, String> {
    match (checked.grammar, action) {
        (Grammar::Notation, _) => {
            let place = kernel_named(checked, kernel).ok_or_else(|| unknown_kernel(checked, kernel))?;
            let name = checked.source.slice(place.selection).to_string();
            Ok(Execution { place: place.selection, part: Part::Statements { end: place.whole.end as usize, name } })
        }
        (Grammar::Mlir, Action::Run) => function(checked, kernel),
        (Grammar::Mlir, Action::Time | Action::Compare) => kernel_alone(checked, kernel),
    }
}

/// One kernel of a program, with the data that it has when a run reaches it.
fn kernel_alone(checked: &Checked, kernel: &str) -> Result<Execution, String> {
    let names = || kernels(checked).into_iter().map(|it| it.name).collect::<Vec<_>>();
    let place = kernel_named(checked, kernel).ok_or_else(|| unknown(kernel, &names()))?.selection;
    match function(checked, kernel)?.part {
        Part::Function(function) => Ok(Execution { place, part: Part::Kernel { function, name: kernel.to_string() } }),
        part @ (Part::Statements { .. } | Part::Kernel { .. }) => Ok(Execution { place, part }),
    }
}

/// Why there is no such kernel.
fn unknown_kernel(checked: &Checked, kernel: &str) -> String {
    let mut names: Vec<String> = kernels(checked).into_iter().map(|kernel| kernel.name).collect();
    names.extend(executables(checked).into_iter().map(|it| it.name));
    names.sort();
    names.dedup();
    unknown(kernel, &names)
}

/// The function that contains a kernel, or else the main one, which may call it.
fn function(checked: &Checked, kernel: &str) -> Result<Execution, String> {
    let name = function_of(kernel);
    let own = function_named(checked, name).ok_or_else(|| unknown_kernel(checked, kernel))?;
    let main = || function_named(checked, MAIN).filter(|main| takes_nothing(checked, main));
    let chosen = Some(own).filter(|own| takes_nothing(checked, own)).or_else(main).ok_or_else(|| {
        format!("`{name}` takes arguments: write a function without any that calls it, `func.func @main() {{ ... }}`")
    })?;
    let called = checked.source.slice(chosen.name).trim_start_matches('@').to_string();
    let place = match kernel == name {
        true => own.name,
        false => kernel_named(checked, kernel).ok_or_else(|| unknown_kernel(checked, kernel))?.selection,
    };
    Ok(Execution { place, part: Part::Function(called) })
}

/// The `@f` of `@f/linalg.generic`.
fn function_of(kernel: &str) -> &str {
    kernel.split('/').next().unwrap_or(kernel)
}

fn functions(checked: &Checked) -> impl Iterator<Item = &Definition> {
    checked.symbols.definitions.iter().filter(|definition| matches!(definition.kind, DefinitionKind::Function))
}

/// A function with a body, whose head has `()`.
fn takes_nothing(checked: &Checked, function: &Definition) -> bool {
    let has_body = || checked.source.slice(function.whole).ends_with('}');
    head(checked, function).is_some_and(|head| head.parameters.is_empty()) && has_body()
}
