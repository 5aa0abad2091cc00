//! `nnz/execute`: which part of a text to run, time or compare if the user asks for one of its kernels. Nothing runs
//! here.

#[cfg(test)]
mod tests;

use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind, Grammar};

use crate::{
    heads::{function_named, head},
    kernels::{kernel_named, kernels, unknown},
};

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
        Grammar::Mlir => functions(checked)
            .filter(|function| takes_nothing(checked, function))
            .map(|it| {
                let name = checked.source.slice(it.name).to_string();
                Executable { name, place: it.name, actions: &[Action::Run] }
            })
            .collect(),
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
        (Grammar::Mlir, Action::Time | Action::Compare) => Err(format!(
            "only kernels of sessions (.nnz) can be measured: write `{kernel}` in index notation, as in `y(i) = A(i, j) * x(j)`, and `use` this file for its encodings"
        )),
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
    let name = kernel.split('/').next().unwrap_or(kernel);
    let own = function_named(checked, name).ok_or_else(|| unknown_kernel(checked, kernel))?;
    let main = || function_named(checked, "@main").filter(|main| takes_nothing(checked, main));
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

fn functions(checked: &Checked) -> impl Iterator<Item = &Definition> {
    checked.symbols.definitions.iter().filter(|definition| matches!(definition.kind, DefinitionKind::Function))
}

/// A function with a body, whose head has `()`.
fn takes_nothing(checked: &Checked, function: &Definition) -> bool {
    let has_body = || checked.source.slice(function.whole).ends_with('}');
    head(checked, function).is_some_and(|head| head.parameters.is_empty()) && has_body()
}
