//! A check reports everything that a run reports without depending on data: every diagnostic of a run, except those of
//! [`OF_DATA`] and those about names from files or programs. And if a run finds no error, a check finds none.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use nnz_core::{
    check::mlir::check_mlir,
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    languages::{MLIR, NOTATION},
    machine, mlir,
    session::{Engine, Options, Session},
    source::Source,
    syntax,
};
use nnz_tests::{
    hosts::{Nowhere, Said},
    parallel,
    sessions::{Files, cases, is_answer},
};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// What depends on data, on the machine or on how loops are made.
const OF_DATA: &[Code] = &[
    Code::BadData,
    Code::DoubtfulFile,
    Code::RunFailed,
    Code::TooLarge,
    Code::Cancelled,
    Code::HiddenCost,
    Code::HiddenConversion,
    Code::DenseCopy,
    Code::EveryCoordinate,
    Code::ProgramFailed,
    Code::ProgramLimit,
    Code::NotRun,
];

/// What can be said of names whose types a file or a program tells without looking into it.
const OF_TEXT: &[Code] = &[
    Code::SyntaxError,
    Code::UnknownName,
    Code::UnknownFunction,
    Code::UnknownCommand,
    Code::CommandArguments,
    Code::ScheduleStep,
];

/// A session that goes on as long as its statements run.
struct Pair {
    session: Session,
    /// The statements that ran well.
    fine: String,
    /// Names whose types a file or a program tells.
    of_data: BTreeSet<String>,
    /// Where check and run do not agree.
    wrong: Vec<String>,
}

impl Pair {
    fn new() -> Pair {
        let options = Options { engine: Engine::Interpreter, ..Options::default() };
        let session = Session::new(Arc::new(Files), options);
        Pair { session, fine: String::new(), of_data: BTreeSet::new(), wrong: Vec::new() }
    }

    fn all(mut self, text: &str) -> Vec<String> {
        let tree = syntax::session::parse(text);
        for cut in syntax::session::statements(&tree) {
            self.statement(&text[cut.span.range()]);
        }
        self.wrong
    }

    fn statement(&mut self, text: &str) {
        if text.trim() == ":quit" {
            return;
        }
        let ran = self.run(text);
        let whole = format!("{}{text}\n", self.fine);
        let checked = said_of(&whole);
        let depends = self.depends_on_data(text);
        let of_data = |found: &Diagnostic| {
            let unread = found.code == Code::BadFile && !found.message.starts_with("cannot read");
            let value = found.message.starts_with("the value ");
            unread
                || value
                || of_the_plan(&self.fine, found)
                || OF_DATA.contains(&found.code)
                || depends && !OF_TEXT.contains(&found.code)
        };
        let tells = |error: &Diagnostic| {
            let start = error.primary.span.start as usize + self.fine.len();
            checked.iter().any(|said| {
                said.code == error.code && said.message == error.message && said.primary.span.start as usize == start
            })
        };
        let silent = ran.iter().filter(|found| !of_data(found) && !tells(found));
        let silent: Vec<String> =
            silent.map(|found| format!("{text}\n  runs: {}: {}", found.code.text(), found.message)).collect();
        let fails = ran.iter().any(Diagnostic::is_error);
        let wrong = checked.iter().filter(|found| found.is_error() && !fails);
        let wrong: Vec<String> =
            wrong.map(|found| format!("{text}\n  only checked: {}: {}", found.code.text(), found.message)).collect();
        self.wrong.extend(silent);
        self.wrong.extend(wrong);
        if !fails {
            self.fine = whole;
        }
    }

    fn run(&mut self, text: &str) -> Vec<Diagnostic> {
        let mut said = Vec::new();
        let source = Source::new(FileId(0), "session.nnz", text);
        self.session.run(&source, true, &mut |outcome| said.extend(outcome.diagnostics));
        said
    }

    /// Whether a statement's types follow from a file; a name that it defines then does so, too.
    fn depends_on_data(&mut self, text: &str) -> bool {
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        let named = words.iter().skip(1).any(|word| self.of_data.contains(*word));
        let depends = named || text.contains("read ") || text.contains('@');
        if depends && text.contains('=') {
            self.of_data.extend(words.first().map(|word| word.to_string()));
        }
        depends
    }
}

/// Whether loops carry out a conversion is what their plan says.
fn of_the_plan(before: &str, found: &Diagnostic) -> bool {
    // Whether a dense copy helps is decided by the values, and by what memory there is.
    if found.code == Code::NotYet && found.helps.iter().any(|help| help.starts_with("a dense copy")) {
        return true;
    }
    let Some(name) = found.message.strip_prefix("no kernel computed `") else { return false };
    let is_of = |line: &&str| line.starts_with(&format!("{} : ", name.trim_end_matches('`')));
    let from = |line: &str| line.rsplit_once(" = ").map(|(_, from)| from.chars().all(|c| c.is_alphanumeric()));
    before.lines().rfind(is_of).and_then(from).unwrap_or(false)
}

fn said_of(text: &str) -> Vec<Diagnostic> {
    let session = Session::new(Arc::new(Files), Options::default());
    session.check(&NOTATION, &Source::new(FileId(0), "session.nnz", text), &Files)
}

#[test]
fn the_sessions_of_the_suite() {
    let cases = cases();
    assert!(!cases.is_empty());
    let wrong = parallel::each(&cases, |case| {
        let text = fs::read_to_string(case).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !is_answer(line)).collect();
        let found = Pair::new().all(&lines.join("\n"));
        found.into_iter().map(|found| format!("{}: {found}", case.display())).collect::<Vec<_>>()
    })
    .concat();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a run of the program says, with the errors that keep it from running.
fn ran(source: &Source) -> Vec<Diagnostic> {
    let checked = check_mlir(source);
    let modules = match mlir::modules(&checked) {
        Ok(modules) if !checked.has_errors() => modules,
        Ok(_) => return checked.diagnostics,
        Err(own) => return own.into_iter().chain(checked.diagnostics).collect(),
    };
    let mut said = Said::default();
    let options = machine::Options { steps: 1_000_000, ..machine::Options::default() };
    let ended = machine::run(&checked, &modules, "main", (&Nowhere, &mut said), options);
    said.notes.into_iter().chain(ended.err().map(|error| *error)).collect()
}

#[test]
fn the_programs_with_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/errors");
    let (mut silent, mut told) = (Vec::new(), 0);
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let source = Source::new(FileId(0), "program.mlir", fs::read_to_string(&path).unwrap());
        let checked = Session::new(Arc::new(Files), Options::default()).check(&MLIR, &source, &Files);
        for found in ran(&source).iter().filter(|found| found.is_error() && !OF_DATA.contains(&found.code)) {
            let tells = |said: &&Diagnostic| said.primary.span.start == found.primary.span.start;
            match checked.iter().find(tells) {
                Some(_) => told += 1,
                None => silent.push(format!("{}: {}: {}", path.display(), found.code.text(), found.message)),
            }
        }
    }
    assert!(told > 100, "{told}");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// Sessions of statements whose parts are drawn: most of them are wrong in one place.
#[test]
fn drawn_sessions() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let sessions = std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(60);
    let (mut wrong, mut statements) = (BTreeSet::new(), 0);
    for _ in 0..sessions {
        let drawn: Vec<String> = (0..rng.random_range(4..12)).map(|_| statement(&mut rng)).collect();
        statements += drawn.len();
        wrong.extend(Pair::new().all(&format!("{GIVEN}{}", drawn.join("\n"))));
    }
    assert!(statements > sessions);
    let first: Vec<String> = wrong.iter().take(40).cloned().collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), first.join("\n"));
}

/// What every drawn session begins with.
const GIVEN: &str = "use \"kernels.mlir\"
A : tensor<3x4xf64, CSR> = [[1, 0, 2, 0], [0, 0, 3, 0], [4, 5, 0, 6]]
S : CSR = poisson2d(n = 2)
x : tensor<4xf64> = [1, 2, 3, 4]
n : tensor<3xi32> = [1, 2, 3]
alpha : f64 = 2.5
F : CSR = read \"small.mtx\"
y(i) = A(i, j) * x(j)
";

fn pick<'a>(rng: &mut ChaCha8Rng, parts: &[&'a str]) -> &'a str {
    parts.choose(rng).unwrap()
}

fn name(rng: &mut ChaCha8Rng) -> &'static str {
    pick(rng, &["A", "S", "x", "n", "alpha", "y", "F", "B", "C", "s", "p", "q", "missing"])
}

fn type_text(rng: &mut ChaCha8Rng) -> &'static str {
    let parts = [
        "CSR",
        "CSF",
        "COO",
        "BSR(2, 2)",
        "ELL(2)",
        "DIA",
        "f64",
        "i32",
        "tensor<3x4xf64, CSR>",
        "tensor<4x4xf64, CSC>",
        "tensor<4xf64>",
        "tensor<3xf64>",
        "tensor<?x?xf32, COO>",
        "tensor<?x4xf64, BSR(2, 2)>",
        "tensor<4x8xf64>",
        "tensor<4x4xi8, CSR>",
        "tensor<2x2x2xf64, CSF>",
        "tensor<4x4xcomplex<f64>, CSR>",
        "tensor<4x4xi1>",
    ];
    pick(rng, &parts)
}

fn made_from(rng: &mut ChaCha8Rng) -> String {
    let parameters = ["n", "density", "width", "block", "seed", "degree", "lower", "upper", "scale"];
    let generators =
        ["poisson2d", "poisson3d", "tridiagonal", "rmat", "random", "banded", "block_diagonal", "pruned_2_4"];
    match rng.random_range(0..6) {
        0 => name(rng).to_string(),
        1 => format!("read \"{}\"", pick(rng, &["small.mtx", "sized.tns", "nowhere.mtx", "x.txt", "broken.mtx"])),
        2 => pick(rng, &["[1, 2, 3, 4]", "[[1, 0], [0, 2]]", "dense<1>", "sparse<[[0, 1]], [1.5]>", "[]"]).to_string(),
        _ => {
            let values = ["2", "0", "-1", "0.5", "4", "1.5", "nan", "100"];
            let arguments: Vec<String> = (0..rng.random_range(0..3))
                .map(|_| format!("{} = {}", pick(rng, &parameters), pick(rng, &values)))
                .collect();
            format!("{}({})", pick(rng, &generators), arguments.join(", "))
        }
    }
}

fn access(rng: &mut ChaCha8Rng) -> String {
    let indices = ["i", "j", "k", "i + 1", "2", "7", "i = 0:2"];
    let count = rng.random_range(0..4);
    let indices: Vec<&str> = (0..count).map(|_| pick(rng, &indices)).collect();
    if count == 0 { name(rng).to_string() } else { format!("{}({})", name(rng), indices.join(", ")) }
}

fn statement(rng: &mut ChaCha8Rng) -> String {
    let views = ["levels", "tree", "dump", "spy", "graph", "svg", "plan", "loops", "lowered", "c", "llvm"];
    let defined = pick(rng, &["B", "C", "s", "p", "q"]);
    match rng.random_range(0..9) {
        0 | 1 => format!("{defined} : {} = {}", type_text(rng), made_from(rng)),
        2 | 3 => {
            let head = pick(rng, &["p(i)", "C(i, j)", "C(i, j) : CSR", "q(j)", "s : f64", "y(i)", "B(i, j) : COO"]);
            let sign = pick(rng, &["=", "=", "=", "+=", "max="]);
            let (one, other) = (access(rng), access(rng));
            format!("{head} {sign} {one} {} {other}", pick(rng, &["*", "+", "-", "/", "<"]))
        }
        4 => format!(":show {} {}", pick(rng, &views), name(rng)),
        5 => format!(":{} {}", pick(rng, &["time", "type", "dump", "spy"]), name(rng)),
        6 => format!(":write {} \"{}\"", name(rng), pick(rng, &["out.mtx", "out.tns", "out.txt", "out.svg", "out"])),
        7 => {
            let function = pick(rng, &["spmv", "columns", "scale", "nothing", "read", "of_vector", "nowhere"]);
            let given: Vec<String> = (0..rng.random_range(0..3)).map(|_| argument(rng)).collect();
            format!("{defined} = @{function}({})", given.join(", "))
        }
        _ => name(rng).to_string(),
    }
}

fn argument(rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..3) {
        0 => pick(rng, &["2.5", "3", "[1, 2, 3, 4]", "\"small.mtx\"", "read \"small.mtx\""]).to_string(),
        _ => name(rng).to_string(),
    }
}
