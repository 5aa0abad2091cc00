//! Stages I, II and III of a function compute the same: of every function of the suite, and of drawn ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use std::{fs, path::Path};

use data::{Draws, bindings::bound, programs::program};
use nnz_backend::{FloatOrder, Target};
use nnz_base::{ids::FileId, source::Source};
use nnz_stages::{
    Arrays, Limits,
    compile::{Means, Ran, run_compiled},
    lower::{to_stage_three, to_stage_two},
    run,
};
use nnz_tir::{
    model::{Function, Stage},
    print::{Spelling, print},
    script,
};

/// What came of a function.
#[derive(PartialEq)]
enum Came {
    Agreed,
    /// It does not run at stage I, or no arrays fit.
    Stopped,
}

fn ran(function: &Function, arrays: &Arrays) -> Result<String, String> {
    run(function, arrays, Limits { steps: 200_000 }).map(|found| format!("{found:?}")).map_err(|told| told.message)
}

fn agree(text: &str, function: &Function, seed: u64) -> Came {
    let Some(arrays) = bound(function, &mut Draws(seed)) else { return Came::Stopped };
    let Ok(wanted) = ran(function, &arrays) else { return Came::Stopped };
    let second = to_stage_two(function).unwrap_or_else(|told| panic!("{seed}: {told:?}\n{text}"));
    let printed = print([&second], Spelling::Rfc);
    assert_eq!(ran(&second, &arrays).as_ref(), Ok(&wanted), "{seed}: {arrays:?}\n{text}\n{printed}");
    let third = to_stage_three(&second).unwrap_or_else(|told| panic!("{seed}: {told:?}\n{text}\n{printed}"));
    let printed = print([&third], Spelling::Rfc);
    assert_eq!(ran(&third, &arrays), Ok(wanted.clone()), "{seed}: {arrays:?}\n{text}\n{printed}");
    for target in [Target::Interpreter, Target::Cpu] {
        let found = as_loops(&third, &arrays, target);
        assert_eq!(found, Ok(wanted.clone()), "{seed} on {target:?}: {arrays:?}\n{text}\n{printed}");
    }
    Came::Agreed
}

/// What the loops of a function of stage III give.
fn as_loops(function: &Function, arrays: &Arrays, target: Target) -> Result<String, String> {
    let means = Means { target, is_brief: false, order: FloatOrder::Strict, threads: 2 };
    match run_compiled(function, arrays, Limits { steps: 200_000 }, means) {
        Ok(Ran::As(found)) => Ok(format!("{found:?}")),
        Ok(Ran::Not(why)) => Err(why.why),
        Err(told) => Err(told.message),
    }
}

/// The functions of stage I that are whole in a text.
fn functions(text: &str) -> Vec<Function> {
    let script = script(&Source::new(FileId(0), "case.py", text));
    let names = script.functions.iter().map(|read| read.function.name.clone());
    let whole = names.filter_map(|name| script.function(&name).cloned());
    whole.filter(|function| function.stage() == Some(Stage::I)).collect()
}

#[test]
fn of_every_function_of_the_suite() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/tir");
    let folders = [suite.clone(), suite.join("scripts")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let (mut agreed, mut stopped) = (0, Vec::new());
    for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "py")) {
        let text = fs::read_to_string(&path).unwrap();
        for section in text.split("# --- ") {
            for function in functions(section) {
                let came: Vec<Came> = (0..8).map(|seed| agree(section, &function, seed)).collect();
                match came.contains(&Came::Agreed) {
                    true => agreed += 1,
                    false => stopped.push(format!("{}: {}", section.lines().next().unwrap_or(""), function.name)),
                }
            }
        }
    }
    assert!(agreed > 3 * stopped.len(), "{agreed} agree, and these do not run: {stopped:#?}");
}

#[test]
fn of_drawn_functions() {
    let count = std::env::var("NNZ_DRAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let (mut agreed, mut known) = (0, 0);
    for seed in 0..count {
        let text = program(&mut Draws(seed * 7919 + 1));
        let all = functions(&text);
        known += all.len();
        agreed += all.iter().filter(|function| agree(&text, function, seed) == Came::Agreed).count() as u64;
    }
    assert!(agreed * 3 > count, "only {agreed} of {count} agree, {known} without mistakes");
}
