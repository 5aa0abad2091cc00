//! Random bodies of MLIR kernels print the same evaluated point by point and compiled: equal values bit for bit, except
//! the sign of NaN, and equal stored patterns. They print the same with operations that nothing depends on. `NNZ_DRAWS` sets how many; everything follows from the seed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use nnz_core::{
    check::mlir::check_mlir,
    ids::FileId,
    machine::{self, Kernels, Options},
    mlir,
    source::Source,
};
use nnz_tests::hosts::{Nowhere, Said};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

const DRAWS: u64 = 600;

/// What a program prints, or why it does not run.
fn printed(text: &str, kernels: Kernels) -> Result<String, String> {
    let checked = check_mlir(&Source::new(FileId(0), "drawn", text));
    if let Some(error) = checked.diagnostics.iter().find(|found| found.is_error()) {
        return Err(error.message.clone());
    }
    let modules = mlir::modules(&checked).map_err(|errors| errors[0].message.clone())?;
    let (mut said, options) = (Said::default(), Options { kernels, ..Options::default() });
    let ran = machine::run(&checked, &modules, "main", (&Nowhere, &mut said), options);
    // The sign of what is no number follows from the order of an operation's operands.
    ran.map(|_| said.printed.replace("-nan", "nan")).map_err(|error| error.message.clone())
}

fn draws() -> u64 {
    std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(DRAWS)
}

fn drawn(seed: u64) -> String {
    Drawing { random: ChaCha8Rng::seed_from_u64(seed), lines: Vec::new(), numbers: Vec::new() }.program()
}

/// Operations that nothing depends on, of all operands and of the old value.
const IDLE: &str = "    %idle_sum = arith.addf %o, %a_ : f64\n    %idle_product = arith.mulf %b_, %c_ : f64\n    \
                    %idle_part = sparse_tensor.unary %idle_sum : f64 to f64 present = {\n      ^bb0(%p: f64):\n      \
                    %q = arith.divf %p, %idle_product : f64\n      sparse_tensor.yield %q : f64\n    } absent = {}\n";

#[test]
fn idle_operations_change_nothing() {
    let mut wrong = Vec::new();
    for seed in 0..draws() {
        let text = drawn(seed);
        let idle = text.replacen("    linalg.yield", &format!("{IDLE}    linalg.yield"), 1);
        for kernels in [Kernels::Direct, Kernels::Compiled] {
            let [without, with] = [&text, &idle].map(|text| printed(text, kernels));
            if without != with {
                wrong.push(format!("seed {seed}, {kernels:?}\n{idle}without {without:?}\nwith {with:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn bodies_mean_the_same_evaluated_and_compiled() {
    let draws = draws();
    let mut wrong = Vec::new();
    for seed in 0..draws {
        let text = drawn(seed);
        let [small, large] = [Kernels::Direct, Kernels::Compiled].map(|kernels| printed(&text, kernels));
        match (small, large) {
            (Ok(small), Ok(large)) if small == large => {}
            (small, large) => wrong.push(format!("seed {seed}\n{text}point by point {small:?}\ncompiled {large:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {draws}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// A body while it is drawn.
struct Drawing {
    random: ChaCha8Rng,
    lines: Vec<String>,
    /// The names of the values of type `f64` so far.
    numbers: Vec<String>,
}

const ROWS: usize = 4;
const COLUMNS: usize = 3;
const CONSTANTS: [&str; 6] = ["0.0", "1.0", "-2.0", "0.5", "-0.0", "0x7FF0000000000000"];

impl Drawing {
    fn of<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices.choose(&mut self.random).unwrap()
    }

    fn number(&mut self) -> String {
        self.numbers.choose(&mut self.random).unwrap().clone()
    }

    /// A line of the body that makes a value.
    fn made(&mut self, operation: &str) -> String {
        let name = format!("%v{}", self.lines.len());
        self.lines.push(format!("    {name} = {operation}"));
        name
    }

    fn program(mut self) -> String {
        let reduces = self.random.random_bool(0.4);
        let result = self.of(&["", ", #V", ", #D"]);
        let (operands, traits) = match reduces {
            true => {
                let (size, place) = self.place(&[(COLUMNS, "j"), (COLUMNS, "j"), (ROWS + COLUMNS - 1, "i + j")]);
                let operands = [self.matrix("a"), self.vector("b", size), self.vector("c", ROWS)];
                let maps = format!(
                    "(i, j)>, affine_map<(i, j) -> ({place})>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]"
                );
                (operands, format!("[affine_map<(i, j) -> {maps}, iterator_types = [\"parallel\", \"reduction\"]"))
            }
            false => {
                let places = [(ROWS, "i"), (ROWS, "i"), (ROWS + 1, "i + 1"), (2 * ROWS, "i * 2")];
                let (size, place) = self.place(&places);
                let operands = [self.vector("a", size), self.vector("b", ROWS), self.vector("c", ROWS)];
                let same = ", affine_map<(i) -> (i)>".repeat(3);
                (operands, format!("[affine_map<(i) -> ({place})>{same}], iterator_types = [\"parallel\"]"))
            }
        };
        let old = match self.random.random_bool(0.5) {
            true => format!("  %y = tensor.empty() : tensor<{ROWS}xf64{result}>\n"),
            false => self.tensor("y", &[ROWS], result),
        };
        let loops = if reduces { 2 } else { 1 };
        let yielded = self.body(loops, reduces);
        let types: Vec<String> = operands.iter().map(|(_, ty)| ty.clone()).collect();
        let made: String = operands.iter().map(|(text, _)| text.as_str()).collect();
        let ty = format!("tensor<{ROWS}xf64{result}>");
        let body = self.lines.join("\n");
        let show = match result {
            "" => "  %lower = arith.constant 0 : index\n  %pad = arith.constant 0.0 : f64\n  \
                   %shown = vector.transfer_read %r[%lower], %pad : tensor<4xf64>, vector<4xf64>\n  vector.print %shown : vector<4xf64>\n".to_string(),
            _ => format!("  sparse_tensor.print %r : {ty}\n"),
        };
        format!(
            "#V = #sparse_tensor.encoding<{{ map = (i) -> (i : compressed) }}>\n\
             #N = #sparse_tensor.encoding<{{ map = (i) -> (i : compressed(nonunique)) }}>\n\
             #D = #sparse_tensor.encoding<{{ map = (i) -> (i : dense) }}>\n\
             #CSR = #sparse_tensor.encoding<{{ map = (i, j) -> (i : dense, j : compressed) }}>\n\
             #CSC = #sparse_tensor.encoding<{{ map = (i, j) -> (j : dense, i : compressed) }}>\n\
             func.func @main() {{\n{made}{old}  %r = linalg.generic {{indexing_maps = {traits}}}\n    \
             ins(%a, %b, %c : {}) outs(%y : {ty}) {{\n  ^bb0(%a_: f64, %b_: f64, %c_: f64, %o: f64):\n{body}\n    \
             linalg.yield {yielded} : f64\n  }} -> {ty}\n{show}  return\n}}\n",
            types.join(", ")
        )
    }

    /// The definition of `%name`.
    fn tensor(&mut self, name: &str, shape: &[usize], format: &str) -> String {
        let places: usize = shape.iter().product();
        let (mut at, mut values) = (Vec::new(), Vec::new());
        for place in 0..places {
            if place == 0 || self.random.random_bool(0.5) {
                let columns = shape.get(1).copied().unwrap_or(1);
                at.push(if shape.len() == 1 {
                    format!("[{place}]")
                } else {
                    format!("[{}, {}]", place / columns, place % columns)
                });
                values.push(self.of(&["1.0", "-1.0", "2.0", "-0.5", "0.0", "-0.0", "4.0", "0x7FF0000000000000"]));
            }
        }
        let plain = format!("tensor<{}xf64>", shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x"));
        let ty = plain.replace('>', &format!("{format}>"));
        let literal = format!("arith.constant sparse<[{}], [{}]> : {plain}", at.join(", "), values.join(", "));
        match format {
            "" => format!("  %{name} = {literal}\n"),
            _ => format!("  %{name}0 = {literal}\n  %{name} = sparse_tensor.convert %{name}0 : {plain} to {ty}\n"),
        }
    }

    /// Where an operand is read, and the size that it then has.
    fn place(&mut self, choices: &[(usize, &'static str)]) -> (usize, &'static str) {
        *choices.choose(&mut self.random).unwrap()
    }

    fn vector(&mut self, name: &str, size: usize) -> (String, String) {
        let format = self.of(&["", ", #V", ", #V", ", #D", ", #N"]);
        (self.tensor(name, &[size], format), format!("tensor<{size}xf64{format}>"))
    }

    fn matrix(&mut self, name: &str) -> (String, String) {
        let format = self.of(&["", ", #CSR", ", #CSC"]);
        (self.tensor(name, &[ROWS, COLUMNS], format), format!("tensor<{ROWS}x{COLUMNS}xf64{format}>"))
    }

    /// The body, and what it yields.
    fn body(&mut self, loops: usize, reduces: bool) -> String {
        self.numbers = ["%a_", "%b_", "%c_"].map(str::to_string).to_vec();
        for _ in 0..self.random.random_range(1..3) {
            let number = self.of(&CONSTANTS);
            let constant = self.made(&format!("arith.constant {number} : f64"));
            self.numbers.push(constant);
        }
        if !reduces && self.random.random_bool(0.3) {
            self.numbers.push("%o".to_string());
        }
        for _ in 0..self.random.random_range(1..5) {
            let value = self.step(loops, reduces);
            self.numbers.push(value);
        }
        let last = self.numbers.last().unwrap().clone();
        if reduces { self.taken_in(&last) } else { last }
    }

    fn taken_in(&mut self, term: &str) -> String {
        match self.random.random_range(0..6) {
            0..3 => self.made(&format!("arith.addf %o, {term} : f64")),
            3 => self.made(&format!("arith.subf %o, {term} : f64")),
            4 => self.made(&format!("arith.maximumf %o, {term} : f64")),
            _ => {
                let (start, op) = *[("0.0", "addf"), ("1.0", "mulf"), ("0xFFF0000000000000", "maximumf")]
                    .choose(&mut self.random)
                    .unwrap();
                let identity = self.made(&format!("arith.constant {start} : f64"));
                self.made(&format!(
                    "sparse_tensor.reduce %o, {term}, {identity} : f64 {{\n      ^bb0(%p: f64, %q: f64):\n      \
                     %s = arith.{op} %p, %q : f64\n      sparse_tensor.yield %s : f64\n    }}"
                ))
            }
        }
    }

    fn step(&mut self, loops: usize, exact: bool) -> String {
        let (a, b) = (self.number(), self.number());
        match self.random.random_range(0..12) {
            0..5 => {
                let op = self.of(&["addf", "subf", "mulf", "mulf", "maximumf", "minimumf"]);
                self.made(&format!("arith.{op} {a}, {b} : f64"))
            }
            5 => {
                let op = if exact { "absf" } else { self.of(&["absf", "exp", "sqrt", "cos"]) };
                self.made(&format!("math.{op} {a} : f64"))
            }
            6 => self.made(&format!("arith.negf {a} : f64")),
            7 => {
                let cond = self.condition(loops);
                self.made(&format!("arith.select {cond}, {a}, {b} : f64"))
            }
            8 => {
                let index = self.index(loops);
                let whole = self.made(&format!("arith.index_cast {index} : index to i64"));
                self.made(&format!("arith.sitofp {whole} : i64 to f64"))
            }
            9 => self.filter(&a),
            10 => self.region(&a),
            _ => {
                let cond = self.condition(loops);
                self.made(&format!("arith.uitofp {cond} : i1 to f64"))
            }
        }
    }

    fn index(&mut self, loops: usize) -> String {
        let at = self.random.random_range(0..loops);
        self.made(&format!("linalg.index {at} : index"))
    }

    fn condition(&mut self, loops: usize) -> String {
        if self.random.random_bool(0.4) {
            let (index, number) = (self.index(loops), self.random.random_range(0..4));
            let bound = self.made(&format!("arith.constant {number} : index"));
            let op = self.of(&["eq", "ne", "slt", "sge"]);
            return self.made(&format!("arith.cmpi {op}, {index}, {bound} : index"));
        }
        let (a, b, op) = (self.number(), self.number(), self.of(&["oeq", "ogt", "ole", "une"]));
        self.made(&format!("arith.cmpf {op}, {a}, {b} : f64"))
    }

    fn filter(&mut self, a: &str) -> String {
        let number = self.made("arith.constant 0.5 : f64");
        let op = self.of(&["ogt", "olt"]);
        self.made(&format!(
            "sparse_tensor.select {a} : f64 {{\n      ^bb0(%p: f64):\n      %q = arith.cmpf {op}, %p, {number} : f64\n      \
             sparse_tensor.yield %q : i1\n    }}"
        ))
    }

    fn region(&mut self, a: &str) -> String {
        let other = self.made("arith.constant 3.0 : f64");
        let present = match self.of(&["none", "same", "negated"]) {
            "none" => "present = {}".to_string(),
            "same" => "present = {\n      ^bb0(%p: f64):\n      sparse_tensor.yield %p : f64\n    }".to_string(),
            _ => "present = {\n      ^bb0(%p: f64):\n      %q = arith.negf %p : f64\n      sparse_tensor.yield %q : f64\n    }".to_string(),
        };
        let absent = match self.random.random_bool(0.5) {
            true => "absent = {}".to_string(),
            false => format!("absent = {{\n      sparse_tensor.yield {other} : f64\n    }}"),
        };
        self.made(&format!("sparse_tensor.unary {a} : f64 to f64\n      {present}\n      {absent}"))
    }
}
