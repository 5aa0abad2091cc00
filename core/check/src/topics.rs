//! The names that `:help` explains, each in one line: formats, functions, generators, steps of schedules, views.

use crate::{command::View, kernel::functions};
use nnz_encoding::named;
use nnz_kernel::schedule::STEPS;
use nnz_storage::generate;

/// How a name is written, and what it is.
pub fn describe(name: &str) -> Option<(String, String)> {
    let format = || {
        let found = named::format_called(name).ok()?;
        let arguments: Vec<&str> = found.arguments.iter().map(|argument| argument.trim_end_matches('?')).collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        Some((format!("{name}{arguments}"), found.meaning.to_string()))
    };
    let generator = || {
        let found = generate::registry().iter().find(|info| info.name == name)?;
        Some((found.example.to_string(), found.summary.to_string()))
    };
    let step = || {
        let found = STEPS.iter().find(|info| info.name == name)?;
        Some((found.usage.to_string(), found.summary.to_string()))
    };
    let view = || {
        let found = View::ALL.iter().find(|view| view.name() == name)?;
        Some((format!(":show {name} NAME"), found.summary().to_string()))
    };
    format().or_else(|| functions::describe(name)).or_else(generator).or_else(step).or_else(view)
}

/// The names that [`describe`] knows, but for semirings and conversions, which are built of words.
pub fn words() -> impl Iterator<Item = &'static str> {
    let functions = functions::FUNCTIONS.iter().map(|info| info.name);
    let reductions = functions::REDUCTIONS.iter().map(|(name, ..)| *name);
    let generators = generate::registry().iter().map(|info| info.name);
    let steps = STEPS.iter().map(|info| info.name);
    let views = View::ALL.iter().map(|view| view.name());
    named::spellings().chain(functions).chain(reductions).chain(generators).chain(steps).chain(views)
}
