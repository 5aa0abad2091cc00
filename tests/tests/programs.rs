//! Whole MLIR programs.
//!
//! `tests/programs/*.mlir` run, their kernels once compiled and once evaluated, and print the contents of the file of
//! the same name that ends in `.out`; a first line `// env: TENSOR0=data/a.mtx` sets variables, paths being relative to
//! the folder. `tests/peers/programs.py` compares the same programs with MLIR 22.
//! `NNZ_BLESS=1 cargo test --test programs` writes their present output.
//!
//! `tests/programs/errors/*.mlir` must not run: `// expected-error@+1 {{...}}` gives, as in MLIR's own tests, the
//! line of an error and a part of its message. No other error may be reported. Errors of a run are written the same
//! way.
//!
//! Besides: every prefix of every program is read without a panic, and its kernels make C that defines nothing twice.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use libtest_mimic::{Arguments, Failed, Trial};
use nnz_core::{
    backend::{FloatOrder, Gpu},
    check::{Checked, command::View, mlir::check_mlir},
    diagnostic::Diagnostic,
    host::Host,
    ids::FileId,
    machine::{self, Kernels, Options},
    mlir,
    session::{Engine, Lowering, lower_program},
    source::Source,
};
use nnz_tests::hosts::Said;
use rand::{Rng, SeedableRng};

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut trials: Vec<Trial> = programs(&folder).into_iter().flat_map(printing_trials).collect();
    trials.extend(programs(&folder.join("errors")).into_iter().flat_map(error_trials));
    libtest_mimic::run(&arguments, trials).exit();
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "mlir"));
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn printing_trials(path: PathBuf) -> Vec<Trial> {
    let (whole, prefixes, garbled, lowered) = (path.clone(), path.clone(), path.clone(), path.clone());
    vec![
        Trial::test(name(&path), move || check_output(&whole)),
        Trial::test(format!("{}::prefixes", name(&path)), move || check_prefixes(&prefixes)),
        Trial::test(format!("{}::garbled", name(&path)), move || check_garbled(&garbled)),
        Trial::test(format!("{}::as_c", name(&path)), move || check_as_c(&lowered)),
    ]
}

fn error_trials(path: PathBuf) -> Vec<Trial> {
    let (whole, prefixes) = (path.clone(), path.clone());
    vec![
        Trial::test(format!("errors::{}", name(&path)), move || check_errors(&whole)),
        Trial::test(format!("errors::{}::prefixes", name(&path)), move || check_prefixes(&prefixes)),
    ]
}

/// A world of a few variables and the files of the folder.
struct World {
    variables: HashMap<String, String>,
    folder: PathBuf,
}

impl World {
    /// With the variables that the program's first line sets.
    fn of(path: &Path, text: &str) -> World {
        let settings = text.lines().next().and_then(|line| line.strip_prefix("// env: ")).unwrap_or_default();
        let pairs = settings.split_whitespace().filter_map(|pair| pair.split_once('='));
        let variables = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
        World { variables, folder: path.parent().unwrap().to_path_buf() }
    }
}

impl Host for World {
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        fs::read(self.folder.join(path)).map_err(|error| error.to_string())
    }
}

fn checked(name: &str, text: &str) -> Checked {
    check_mlir(&Source::new(FileId(0), name, text))
}

/// Every error of a program: those of the check, of its reader or, if there are none, of its run.
fn errors(checked: &Checked, (world, said): (&World, &mut Said), kernels: Kernels) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = checked.diagnostics.iter().filter(|d| d.is_error()).cloned().collect();
    match mlir::modules(checked) {
        Err(own) => errors.extend(own),
        Ok(modules) if errors.is_empty() => {
            let options = Options { steps: 100_000_000, kernels, engine: engine(kernels), ..Options::default() };
            errors.extend(machine::run(checked, &modules, "main", (world, said), options).err().map(|error| *error));
        }
        Ok(_) => {}
    }
    errors.sort_by_key(|error| error.primary.span.start);
    errors.dedup_by_key(|error| error.primary.span.start);
    errors
}

/// What is compiled becomes machine code, if it can here.
fn engine(kernels: Kernels) -> Engine {
    if kernels == Kernels::Compiled { Engine::MachineCode } else { Engine::Adaptive }
}

/// Whatever carries out the kernels, the program prints the same.
fn check_output(path: &Path) -> Result<(), Failed> {
    for kernels in [Kernels::Direct, Kernels::Compiled] {
        let printed = printed(path, kernels)?;
        let beside = path.with_extension("out");
        if std::env::var_os("NNZ_BLESS").is_some() && kernels == Kernels::Direct {
            fs::write(&beside, &printed)?;
        }
        let expected = fs::read_to_string(&beside)?;
        if printed != expected {
            return Err(format!("{kernels:?}: printed\n{printed}\nnot\n{expected}").into());
        }
    }
    Ok(())
}

fn printed(path: &Path, kernels: Kernels) -> Result<String, Failed> {
    let text = fs::read_to_string(path)?;
    let (world, mut said) = (World::of(path, &text), Said::default());
    match errors(&checked(&name(path), &text), (&world, &mut said), kernels).first() {
        Some(error) => Err(format!("{}: {}", error.code.text(), error.message).into()),
        None => Ok(said.printed),
    }
}

/// The kernels of a function make one C file: nothing in it is defined twice.
fn check_as_c(path: &Path) -> Result<(), Failed> {
    let checked = checked(&name(path), &fs::read_to_string(path)?);
    let modules = mlir::modules(&checked).map_err(|_| "the program has errors")?;
    for function in modules.iter().flat_map(|module| &module.functions) {
        let how = Lowering {
            function: Some(&function.name),
            view: View::C,
            float_order: FloatOrder::Strict,
            gpu: Gpu::default(),
        };
        let Ok(sites) = lower_program(&checked, &modules, how) else { continue };
        let text: String = sites.into_iter().map(|site| site.markup.plain_text()).collect();
        let defines = |line: &&str| line.ends_with('(') || line.starts_with("static ") && line.contains(" nnz_");
        let mut seen = HashSet::new();
        if let Some(twice) = text.lines().filter(defines).find(|line| !seen.insert(line.to_string())) {
            return Err(format!("`@{}` defines twice: {twice}", function.name).into());
        }
    }
    Ok(())
}

/// Half-typed text gives errors, and no panic.
fn check_prefixes(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let step = (text.len() / 100).max(1);
    for (end, _) in text.char_indices().step_by(step) {
        let _ = mlir::modules(&checked("prefix", &text[..end]));
    }
    Ok(())
}

/// Words out of place give errors or another program, which runs within its limits: no panic.
fn check_garbled(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    let seed = name(path).bytes().fold(1u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let rounds = std::env::var("NNZ_GARBLE").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(40);
    for _ in 0..rounds {
        let mut garbled = words.clone();
        for _ in 0..random.random_range(1..4) {
            let (at, from) = (random.random_range(0..garbled.len()), random.random_range(0..words.len()));
            match random.random_range(0..3) {
                0 => drop(garbled.remove(at)),
                1 => garbled[at] = words[from],
                _ => garbled.insert(at, words[from]),
            }
        }
        let checked = checked("garbled", &garbled.concat());
        let world = World::of(path, &text);
        let Ok(modules) = mlir::modules(&checked) else { continue };
        if !checked.has_errors() {
            let options = Options { steps: 100_000, ..Options::default() };
            let _ = machine::run(&checked, &modules, "main", (&world, &mut Said::default()), options);
        }
    }
    Ok(())
}

/// Line, counted from 0, and a part of the message.
fn expected_errors(text: &str) -> Vec<(usize, String)> {
    let mut expected = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for annotation in line.split("expected-error").skip(1) {
            let (place, rest) = annotation.split_once("{{").unwrap_or((annotation, ""));
            let offset: isize = place.trim().trim_start_matches('@').parse().unwrap_or(0);
            let message = rest.split("}}").next().unwrap_or_default();
            expected.push((number.saturating_add_signed(offset), message.to_string()));
        }
    }
    expected
}

fn check_errors(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let checked = checked(&name(path), &text);
    let found = errors(&checked, (&World::of(path, &text), &mut Said::default()), Kernels::BySize);
    let line = |error: &Diagnostic| checked.source.line_col(error.primary.span.start as usize).line as usize;
    let mut expected = expected_errors(&text);
    for error in &found {
        let here = |(at, part): &(usize, String)| *at == line(error) && error.message.contains(part.as_str());
        match expected.iter().position(here) {
            Some(at) => drop(expected.remove(at)),
            None => return Err(format!("line {}: nobody expected `{}`", line(error) + 1, error.message).into()),
        }
    }
    match expected.first() {
        Some((at, part)) => Err(format!("line {}: no error says `{part}`", at + 1).into()),
        None => Ok(()),
    }
}
