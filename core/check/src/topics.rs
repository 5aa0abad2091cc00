//! The names that `:help` explains, each in one line: formats and their levels, functions, generators, steps of
//! schedules, views, and words within statements.

use crate::{functions, view::View};
use nnz_encoding::{format::ROWS, named};
use nnz_kernel::schedule::STEPS;
use nnz_storage::generate;

/// Parts of other statements or of the command line: their form and meaning.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "over",
        "min(j, A(i, j), over = stored)",
        "what a reduction takes: `stored` leaves absent entries out, `all`, which is the default, takes them as zero",
    ),
    ("stored", "min(j, A(i, j), over = stored)", "only entries that are stored; see `:help over`"),
    (
        "convert",
        "B : CSC = A",
        "the same tensor in another format; on the command line `nnz convert IN.mtx OUT.tns --to CSR` converts a file",
    ),
    (
        "compare",
        "nnz compare FILE.nnz --tensor A --in CSR --in CSC",
        "on the command line: times the kernel of a file with `A` in each of these formats; at the prompt `:time` times one",
    ),
];

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
    let level = || {
        let found = ROWS.iter().find(|row| row.name == name)?;
        Some((format!("a level, as in map = (i, j) -> (i : dense, j : {name})"), found.text.to_string()))
    };
    let word = || {
        let (_, usage, summary) = WORDS.iter().find(|(known, ..)| *known == name)?;
        Some((usage.to_string(), summary.to_string()))
    };
    let within = || functions::describe(name).or_else(generator).or_else(step).or_else(view);
    format().or_else(within).or_else(level).or_else(word)
}

/// The names that [`describe`] knows, except semirings and conversions, which are composed of words.
pub fn words() -> impl Iterator<Item = &'static str> {
    let functions = functions::FUNCTIONS.iter().map(|info| info.name);
    let reductions = functions::REDUCTIONS.iter().map(|(name, ..)| *name);
    let generators = generate::registry().iter().map(|info| info.name);
    let steps = STEPS.iter().map(|info| info.name);
    let views = View::ALL.iter().map(|view| view.name());
    let levels = ROWS.iter().map(|row| row.name).chain(WORDS.iter().map(|(name, ..)| *name));
    named::spellings().chain(functions).chain(reductions).chain(generators).chain(steps).chain(views).chain(levels)
}
