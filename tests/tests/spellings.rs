//! Spellings of the same kernel give the same result and take about the same number of steps, which the interpreter
//! counts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::sync::Arc;

use nnz_core::{
    backend::interp,
    ids::FileId,
    session::{Engine, Options, Session},
    source::Source,
};
use nnz_tests::hosts::Nowhere;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Of every group of spellings none takes more steps than this, times those of the quickest, and a few to start with.
const RATIO: f64 = 1.5;
const START: f64 = 20.0;

/// What a statement shows, without what is said about its cost, and the steps that it takes.
fn run(session: &mut Session, text: &str) -> (String, u64) {
    let source = Source::new(FileId(0), "test.nnz", text.to_string());
    let (before, mut shown) = (interp::steps(), String::new());
    session.run(&source, true, &mut |outcome| {
        let errors = outcome.diagnostics.iter().filter(|found| found.severity().name() == "error");
        let errors: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
        shown.extend(outcome.markup().map(|markup| markup.plain_text()));
    });
    (shown, interp::steps() - before)
}

fn session(seed: u64) -> Session {
    let options = Options { engine: Engine::Interpreter, threads: 1, ..Options::default() };
    let mut session = Session::new(Arc::new(Nowhere), options);
    let operands = format!(
        "A : tensor<40x40xf64, CSR> = random(density = 0.05, seed = {seed})\n\
         B : tensor<40x40xf64, CSR> = random(density = 0.05, seed = {})\n\
         d : tensor<40xf64> = random(density = 1.0, seed = {seed})\n\
         D(i, j) : CSR = A(i, j) * 0 + select(i == j, 1.0, 0.0)\n\
         t : f64 = 0.5\nu : f64 = 1\n",
        seed + 1
    );
    run(&mut session, &operands);
    session
}

/// What is wrong with spellings, each a statement that defines `R`, in a session of its own.
fn wrong(seed: u64, spellings: &[&str]) -> Vec<String> {
    let taken: Vec<(f64, u64)> = spellings
        .iter()
        .map(|text| {
            let mut session = session(seed);
            let (_, steps) = run(&mut session, text);
            (number(&run(&mut session, shown_by(text)).0), steps)
        })
        .collect();
    let least = taken.iter().map(|(_, steps)| *steps).min().unwrap_or(0) as f64;
    let wrong = spellings.iter().zip(&taken).filter_map(|(text, (value, steps))| {
        let slow = *steps as f64 > RATIO * least + START;
        let differs = !is_close(*value, taken[0].0);
        (slow || differs).then(|| format!("seed {seed}: {text} gives {value} in {steps} steps, others {taken:?}"))
    });
    wrong.collect()
}

/// The number at the end of what is shown.
fn number(shown: &str) -> f64 {
    shown.rsplit(' ').next().and_then(|word| word.trim().parse().ok()).unwrap_or_else(|| panic!("{shown}"))
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

const GROUPS: &[&[&str]] = &[
    &[
        "R : i64 = A(i, j) > 0.5",
        "R : i64 = 0.5 < A(i, j)",
        "R : i64 = A(i, j) > t",
        "R : i64 = sum(i, j, i64(A(i, j) > 0.5))",
        "R : i64 = sum(j, i, i64(not (A(i, j) <= 0.5)))",
        "R : i64 = sum(i, j, i64(A(i, j) - 0.5 > 0), over = stored)",
        "R : i64 = sum(i, j, select(A(i, j) > 0.5, 1, 0))",
    ],
    &[
        "R(i) = A(i, j) * d(j)",
        "R(i) = d(j) * A(i, j)",
        "R(i) = sum(j, A(i, j) * d(j))",
        "R(i) = sum(j, A(i, j) * d(j), over = stored)",
        "R(i) = -(-A(i, j)) * d(j)",
    ],
    &[
        "R(i, j) : CSR = A(i, j) + B(i, j)",
        "R(i, j) : CSR = B(i, j) + A(i, j)",
        "R(i, j) : CSR = A(i, j) - -B(i, j)",
        "R(i, j) : CSR = A(i, j) + B(i, j) + 0",
        "R(i, j) : CSR = A(i, j) - (0 - B(i, j))",
    ],
    &[
        "R(i, j) : CSR = min(A(i, j), 0.5)",
        "R(i, j) : CSR = min(0.5, A(i, j))",
        "R(i, j) : CSR = min(A(i, j), t)",
        "R(i, j) : CSR = select(A(i, j) < 0.5, A(i, j), 0.5 + 0 * A(i, j))",
        "R(i, j) : CSR = -max(-A(i, j), -0.5)",
    ],
    &[
        "R(i, j) : CSR = A(i, j) + D(i, j)",
        "R(i, j) : CSR = A(i, j) + select(i == j, 1.0, 0.0)",
        "R(i, j) : CSR = A(i, j) + select(j == i, 1.0, 0.0)",
        "R(i, j) : CSR = A(i, j) + f64(i == j)",
        "R(i, j) : CSR = select(i == j, 1.0, 0.0) + A(i, j)",
        "R(i, j) : CSR = A(i, j) + f64(i - j == 0)",
        "R(i, j) : CSR = A(i, j) - select(i == j, -1.0, 0.0)",
    ],
    &[
        "R(i, j) : CSR = A(i, j) + select(2 * i == j, 1.0, 0.0)",
        "R(i, j) : CSR = A(i, j) + select(i + i == j, 1.0, 0.0)",
        "R(i, j) : CSR = f64(j - 2 * i == 0) + A(i, j)",
        "R(i, j) : CSR = A(i, j) + f64(4 * i == 2 * j)",
        "R(i, j) : CSR = A(i, j) + f64(i == j - i)",
    ],
    &[
        "R(i) : tensor<40xf64> = sum(j, select(i == 2 * j + 1, d(j), 0.0))",
        "R(i) : tensor<40xf64> = sum(j, d(j) * f64(2 * j == i - 1))",
        "R(i) : tensor<40xf64> = sum(j, select(not (1 + 2 * j != i), d(j)))",
    ],
    &[
        "R(i) = A(i, i)",
        "R(i) = sum(j, select(i == j, A(i, j)))",
        "R(i) = sum(j, A(i, j) * f64(j == i))",
        "R(i) = sum(j, select(j == i, A(i, j), 0))",
    ],
    &[
        "R(i, j) : CSR = select(i > j, A(i, j))",
        "R(i, j) : CSR = select(j < i, A(i, j), 0)",
        "R(i, j) : CSR = A(i, j) * f64(i > j)",
        "R(i, j) : CSR = select(not (i <= j), A(i, j))",
    ],
    &[
        "R(j) = min(i, d(i) + A(i, j), over = stored)",
        "R(j) = min(i, A(i, j) + d(i), over = stored)",
        "R(j) = min(i, unary(A(i, j), present = d(i) + A(i, j)), over = stored)",
        "R(j) = min_plus(i, d(i), A(i, j))",
        "R(j) = min_plus(i, A(i, j), d(i))",
    ],
];

#[test]
fn spellings_of_a_kernel_take_the_same_steps() {
    let wrong: Vec<String> =
        [1, 7].iter().flat_map(|seed| GROUPS.iter().flat_map(|group| wrong(*seed, group))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A kernel while it is drawn, and written in one of its spellings: both follow from seeds.
struct Drawing {
    /// What is computed.
    meaning: ChaCha8Rng,
    /// How it is written.
    spelling: ChaCha8Rng,
}

impl Drawing {
    fn statement(meaning: u64, spelling: u64) -> String {
        let [meaning, spelling] = [meaning, spelling].map(ChaCha8Rng::seed_from_u64);
        let mut drawing = Drawing { meaning, spelling };
        if drawing.meaning.random_bool(0.3) {
            return drawing.update();
        }
        let target = ["R(i, j) : CSR", "R(i, j)", "R(i)", "R(i) : SparseVector"][drawing.meaning.random_range(0..4)];
        let reduces = !target.contains('j');
        let right = match drawing.meaning.random_bool(0.4) {
            false => drawing.term(reduces),
            true => {
                let [a, b] = [drawing.term(reduces), drawing.term(reduces)];
                let ways =
                    [format!("{a} - {b}"), format!("{a} + -{b}"), format!("-{b} + {a}"), format!("{a} + (-1) * {b}")];
                drawing.written(&ways)
            }
        };
        format!("{target} = {right}")
    }

    /// A reduction into the old values of a dense result, perhaps only where a mask is set.
    fn update(&mut self) -> String {
        let (reduction, sign, fold) = match self.meaning.random_range(0..3) {
            0 => (self.term(true), "+=", None),
            1 => (self.shortest("min", "min_plus"), "min=", Some("min")),
            _ => (self.shortest("max", "max_plus"), "max=", Some("max")),
        };
        let mut ways = vec![format!("R(i) {sign} {reduction}")];
        match fold {
            None => ways.extend([format!("R(i) = R(i) + {reduction}"), format!("R(i) = {reduction} + R(i)")]),
            Some(fold) => ways.push(format!("R(i) = {fold}(R(i), {reduction})")),
        }
        let mut ways = [self.written(&ways)];
        if self.meaning.random_bool(0.4) {
            let mask = ["d(i) > 0.5", "d(i) > 0.5 and i < 20"].choose(&mut self.meaning).unwrap();
            ways = [match fold {
                None => self.written(&[
                    format!("R(i) += select({mask}, {reduction})"),
                    format!("R(i) = select({mask}, R(i) + {reduction}, R(i))"),
                    format!("R(i) = R(i) + select({mask}, {reduction}, 0)"),
                ]),
                Some(fold) => self.written(&[
                    format!("R(i) = select({mask}, {fold}(R(i), {reduction}), R(i))"),
                    format!("R(i) = select(not ({mask}), R(i), {fold}({reduction}, R(i)))"),
                ]),
            }];
        }
        format!("R : tensor<40xf64> = dense<0.75>\n{}", ways[0])
    }

    /// A step of shortest or longest paths.
    fn shortest(&mut self, fold: &str, semiring: &str) -> String {
        let matrix = ["A(i, j)", "B(i, j)"].choose(&mut self.meaning).unwrap();
        let ways = [
            format!("{fold}(j, {matrix} + d(j), over = stored)"),
            format!("{fold}(j, d(j) + {matrix}, over = stored)"),
            format!("{semiring}(j, {matrix}, d(j))"),
            format!("{semiring}(j, d(j), {matrix})"),
        ];
        self.written(&ways)
    }

    fn written(&mut self, ways: &[String]) -> String {
        ways.choose(&mut self.spelling).unwrap().clone()
    }

    /// A product with a sparse factor, perhaps where a condition holds, summed over `j` where the result lacks it.
    fn term(&mut self, reduces: bool) -> String {
        let sparse = ["A(i, j)", "B(i, j)", "(A(i, j) + B(i, j))", "min(A(i, j), 0.5)"];
        let dense = ["d(i)", "d(j)", "2", "B(i, j)"];
        let first = sparse.choose(&mut self.meaning).unwrap().to_string();
        let other = dense.choose(&mut self.meaning).unwrap().to_string();
        let ways = [format!("{first} * {other}"), format!("{other} * {first}"), format!("f64({first}) * {other}")];
        let mut product = self.written(&ways);
        let condition =
            ["i == j", "i < j", "d(i) > 0.5", "A(i, j) > 0.5"].choose(&mut self.meaning).unwrap().to_string();
        let conditional = self.meaning.random_bool(0.4);
        if conditional {
            let ways = [
                format!("select({condition}, {product})"),
                format!("select({condition}, {product}, 0)"),
                format!("{product} * f64({condition})"),
                format!("f64({condition}) * ({product})"),
            ];
            product = self.written(&ways);
        }
        if !reduces {
            return format!("({product})");
        }
        let mut ways = vec![format!("sum(j, {product})"), format!("sum(j, {product}, over = stored)")];
        if !conditional {
            ways.extend([format!("plus_times(j, {first}, {other})"), format!("plus_times(j, {other}, {first})")]);
        }
        self.written(&ways)
    }
}

#[test]
fn drawn_spellings_take_the_same_steps() {
    let draws = std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(60);
    let wrong: Vec<String> = (0..draws)
        .flat_map(|meaning| {
            let spellings: Vec<String> = (0..4).map(|spelling| Drawing::statement(meaning, spelling)).collect();
            wrong(1 + meaning % 5, &spellings.iter().map(String::as_str).collect::<Vec<_>>())
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {draws}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What shows a number that every entry of the result has a part in.
fn shown_by(text: &str) -> &'static str {
    let last = text.lines().last().unwrap_or(text);
    match last.split_once(" ").map_or(last, |(head, _)| head) {
        "R(i," | "R(j," => "c : f64 = sum(i, j, R(i, j) * (sin(i) + 2 * j))\nc",
        "R(i)" | "R(j)" => "c : f64 = sum(i, min(R(i), 1000) * sin(i + 1))\nc",
        _ => "R",
    }
}

/// Conditions that loops follow, and the same where nothing tells that they could: `u`, which is 1, hides it.
#[test]
fn conditions_hold_where_they_say() {
    let conditions = [
        ["i == j", "u * i == j"],
        ["j + 3 == i", "u * j + 3 == i"],
        ["i + j == 39", "u * i + j == 39"],
        ["i + j < 7", "u * i + j < 7"],
        ["i < j", "u * i < j"],
        ["i - 2 <= j", "u * i - 2 <= j"],
        ["i > j + 30", "u * i > j + 30"],
        ["i >= 38", "u * i >= 38"],
        ["j == 5", "u * j == 5"],
        ["i == 77", "u * i == 77"],
        ["j < 2 or i == j", "u * j < 2 or u * i == j"],
        ["i <= j and j <= i + 2", "u * i <= j and u * j <= i + 2"],
        ["not (i != j)", "not (u * i != j)"],
        ["2 - i == -j", "2 - u * i == -j"],
        ["2 * i == j", "u * 2 * i == j"],
        ["i == 2 * j + 1", "u * i == 2 * j + 1"],
        ["7 - 3 * i == -2 * j", "7 - 3 * i == -2 * j * u"],
        ["3 * i - 2 * j < 5", "3 * i * u - 2 * j < 5"],
        ["2 * i + 4 * j > 31", "2 * i + 4 * j * u > 31"],
        ["5 * j >= 3 * i + 7", "5 * j >= 3 * i * u + 7"],
        ["4 * (i - j) <= 9 - 3 * i", "4 * (i - j) <= 9 - 3 * i * u"],
        ["2 * i == 2 * j + 1", "2 * i == 2 * j * u + 1"],
    ];
    let kernels = [
        "R(i, j) : CSR = A(i, j) + select(#, 2.0, 0.0)",
        "R(i, j) : CSC = select(#, d(i), 0) - A(i, j)",
        "R(i, j) = A(i, j) * B(i, j) + select(#, d(j), 0.0)",
        "R(i) = A(i, j) * d(j) + sum(j, select(#, d(j), 0.0))",
        "R(j) : tensor<40xf64> = max(i, select(#, d(i) - 3, 0.0))",
        "R(i, j) : DCSR = select(#, A(i, j) + 1, B(i, j))",
        "R(j, i) : CSR = B(i, j) + select(#, A(i, j) + d(i), 0.0)",
        "R(i, j) : CSR = A(i, k) * B(k, j) + select(#, 1.0, 0.0)",
        "R : i64 = sum(i, j, i64(#) * i64(d(i) + d(j) > 0.3))",
    ];
    let mut wrong = Vec::new();
    for kernel in kernels {
        for spellings in conditions {
            let texts = spellings.map(|condition| kernel.replace('#', condition));
            let shown = texts.each_ref().map(|text| {
                let mut session = session(3);
                run(&mut session, text);
                number(&run(&mut session, shown_by(text)).0)
            });
            if !is_close(shown[0], shown[1]) {
                wrong.push(format!("{texts:?}: {shown:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
