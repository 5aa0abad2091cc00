//! What is absent and what is stored does not depend on how it is stored: random kernels over operands with empty rows,
//! stored zeros and infinities give the same numbers and the same entries in every format of the operands and of the
//! result, with other names for the variables of reductions, with factors in another order, with numbers that are scalars
//! of the session, and on every back end. A model of the notation, which shares no code with the planner, says which.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

#[path = "presence/draw.rs"]
mod draw;
#[path = "presence/model.rs"]
mod model;
#[path = "presence/numbers.rs"]
mod numbers;
#[path = "presence/product.rs"]
mod product;
#[path = "presence/tree.rs"]
mod tree;
#[path = "presence/updates.rs"]
mod updates;
#[path = "presence/without.rs"]
mod without;

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use draw::{Maker, Program};
use nnz_core::{
    backend::Target,
    ids::FileId,
    session::{Options, Session},
    source::Source,
};
use nnz_tests::{hosts::Nowhere, kernels::random::Random};
use numbers::Numbers;
use serde_json::Value as Json;
use tree::{Tree, Var, Writing, number_text, scalars};

/// What is stored, by coordinates.
type Entries = BTreeMap<Vec<usize>, f64>;

const VECTORS: &[&str] = &[
    "SparseVector",
    "(i) -> (i : bitmap)",
    "(i) -> (i : hashed)",
    "COO(1)",
    "(i) -> (i : loose_compressed)",
    "(i) -> (i : compressed(nonunique))",
];
const MATRICES: &[&str] = &[
    "CSR",
    "CSC",
    "COO",
    "DCSR",
    "DCSC",
    "(i, j) -> (i : dense, j : bitmap)",
    "(i, j) -> (i : bitmap, j : compressed)",
    "(i, j) -> (j : bitmap, i : hashed)",
    "(i, j) -> (i : dense, j : hashed)",
    "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "(i, j) -> (i : dense, j : compressed(nonordered))",
];
const CUBES: &[&str] = &[
    "CSF",
    "COO(3)",
    "(i, j, k) -> (k : compressed, i : dense, j : compressed)",
    "(i, j, k) -> (j : dense, k : compressed, i : compressed)",
    "(i, j, k) -> (i : hashed, j : bitmap, k : compressed)",
];

/// A program in one of its spellings.
struct Variant {
    /// Of each tensor, `None` without an encoding; and of the result.
    formats: Vec<Option<&'static str>>,
    result: &'static str,
    /// The order in which the dimensions of each tensor are declared; and those of the result.
    orders: Vec<Vec<usize>>,
    order: Vec<usize>,
    /// Reductions beside each other bind the same variables.
    shared: bool,
    swapped: bool,
    /// How many of a hundred numbers are scalars of the session.
    named: usize,
    /// Filters by variables are factors.
    products: bool,
    target: Target,
}

impl Variant {
    fn first(program: &Program) -> Variant {
        let formats = program.tensors.iter().map(|tensor| (!tensor.dense).then(|| of_rank(tensor.ranges.len())[0]));
        let orders = program.tensors.iter().map(|tensor| (0..tensor.ranges.len()).collect());
        Variant {
            formats: formats.collect(),
            result: of_rank(program.left.len())[0],
            orders: orders.collect(),
            order: (0..program.left.len()).collect(),
            shared: false,
            swapped: false,
            named: 0,
            products: false,
            target: Target::Interpreter,
        }
    }

    fn random(program: &Program, random: &mut Random, target: Target) -> Variant {
        let mut variant = Variant::first(program);
        for (format, tensor) in variant.formats.iter_mut().zip(&program.tensors).filter(|(format, _)| format.is_some())
        {
            *format = Some(random.pick(of_rank(tensor.ranges.len())));
        }
        variant.result = random.pick(of_rank(program.left.len()));
        variant.orders.iter_mut().filter(|_| random.chance(40)).for_each(|order| order.reverse());
        if random.chance(40) {
            variant.order.reverse();
        }
        if let Some((tensor, _)) = program.update {
            variant.order = variant.orders[tensor].clone();
        }
        let [shared, swapped, products] = [50, 40, 30].map(|percent| random.chance(percent));
        let named = random.pick(&[0, 0, 50, 100]);
        Variant { shared, swapped, named, products, target, ..variant }
    }

    fn text(&self, program: &Program) -> String {
        let names = names(program, self.shared);
        let access = |tensor: usize| format!("T{tensor}");
        let var = |var: Var| names[var].clone();
        let right = self.permuted(&program.right);
        let random = RefCell::new(Random::new(self.named as u64));
        let named = || random.borrow_mut().chance(self.named);
        let (numbers, products) = (program.numbers, self.products);
        let writing = Writing { tensor: &access, var: &var, swapped: self.swapped, named: &named, numbers, products };
        let left: Vec<Var> = self.order.iter().map(|at| program.left[*at]).collect();
        let scalars = if self.named > 0 { scalars(numbers) } else { String::new() };
        let tensors: String = (0..program.tensors.len()).map(|at| self.definition(program, at)).collect();
        let mut text = scalars + &tensors;
        let (left, right) = (writing.vars(&left), writing.text(&right));
        let (name, is_dense) = match program.update {
            _ if program.left.is_empty() => return text + &format!("R : {} = {right}\nR\n", numbers.element()),
            Some((tensor, op)) => {
                text += &format!("T{tensor}({left}) {op} {right}\n");
                (format!("T{tensor}"), program.tensors[tensor].dense)
            }
            None if program.dense_result => {
                text += &format!("R({left}){} = {right}\n", self.result_type(program, None));
                ("R".to_string(), true)
            }
            None => {
                text += &format!("R({left}){} = {right}\n", self.result_type(program, Some(self.result)));
                ("R".to_string(), false)
            }
        };
        let rank = program.left.len();
        text + &if is_dense { format!("{name}\n") } else { format!("Z : COO({rank}) = {name}\nZ\n") }
    }

    /// Integers need their type where numbers alone make a value.
    fn result_type(&self, program: &Program, format: Option<&str>) -> String {
        let shape = "?x".repeat(program.left.len());
        match (program.numbers, format) {
            (Numbers::Floats, None) => String::new(),
            (Numbers::Floats, Some(format)) => format!(" : {format}"),
            (Numbers::Integers, None) => format!(" : tensor<{shape}i32>"),
            (Numbers::Integers, Some(format)) => format!(" : tensor<{shape}i32, {format}>"),
        }
    }

    fn definition(&self, program: &Program, at: usize) -> String {
        let (tensor, order, element) = (&program.tensors[at], &self.orders[at], program.numbers.element());
        let shape: String = order.iter().map(|dim| format!("{}x", program.sizes[tensor.ranges[*dim]])).collect();
        let format = self.formats[at].map_or(String::new(), |format| format!(", {format}"));
        let place = |place: &[usize]| {
            format!("[{}]", order.iter().map(|dim| place[*dim].to_string()).collect::<Vec<_>>().join(", "))
        };
        let places: Vec<String> = tensor.entries.iter().map(|(at, _)| place(at)).collect();
        let values: Vec<String> =
            tensor.entries.iter().map(|(_, value)| number_text(program.numbers, *value)).collect();
        let (places, values) = (places.join(", "), values.join(", "));
        format!("T{at} : tensor<{shape}{element}{format}> = sparse<[{places}], [{values}]>\n")
    }

    /// `tree` with the dimensions of its accesses in their orders.
    fn permuted(&self, tree: &Tree) -> Tree {
        tree.changed(&|part| {
            let Tree::Access(tensor, vars) = part else { return None };
            Some(Tree::Access(*tensor, self.orders[*tensor].iter().map(|dim| vars[*dim]).collect()))
        })
    }

    fn run(&self, program: &Program) -> Result<Entries, String> {
        let options = Options { engine: self.target.into(), ..Options::default() };
        let mut session = Session::new(Arc::new(Nowhere), options);
        let source = Source::new(FileId(0), "presence.nnz", self.text(program));
        let (mut last, mut error) = (Json::Null, None);
        session.run(&source, false, &mut |outcome| {
            let found = outcome.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            error = error.take().or(found.map(|found| format!("{} {}", found.code.text(), found.message)));
            last = outcome.json();
        });
        let entries = error.map_or_else(|| Ok(entries(&last)), Err)?;
        let back = |at: Vec<usize>| {
            let mut place = vec![0; at.len()];
            self.order.iter().zip(at).for_each(|(dim, x)| place[*dim] = x);
            place
        };
        Ok(entries.into_iter().map(|(at, value)| (back(at), value)).collect())
    }
}

fn of_rank(rank: usize) -> &'static [&'static str] {
    match rank {
        0 | 1 => VECTORS,
        2 => MATRICES,
        _ => CUBES,
    }
}

/// The name of each variable: its own, or one that no variable around it has.
fn names(program: &Program, shared: bool) -> Vec<String> {
    let letter = |var: Var| ["i", "j", "k", "l"][program.vars[var]];
    let name = |var: Var| program.fixed[var].map_or_else(|| format!("{}{var}", letter(var)), |at| at.to_string());
    let mut names: Vec<String> = (0..program.vars.len()).map(name).collect();
    if shared {
        share(&program.right, &mut program.left.clone(), &mut names, &|var| letter(var).to_string());
    }
    names
}

fn share(tree: &Tree, around: &mut Vec<Var>, names: &mut [String], letter: &dyn Fn(Var) -> String) {
    let bound = match tree {
        Tree::Reduce { vars, .. } => vars.clone(),
        Tree::Semiring { var, .. } => vec![*var],
        _ => Vec::new(),
    };
    for var in &bound {
        let free = (0..).map(|n| format!("{}{}", letter(*var), "'".repeat(n).replace('\'', "x")));
        names[*var] = free.into_iter().find(|name| around.iter().all(|other| names[*other] != *name)).unwrap();
        around.push(*var);
    }
    tree.parts().into_iter().for_each(|part| share(part, around, names, letter));
    around.truncate(around.len() - bound.len());
}

/// The entries of a tensor as JSON, or of a scalar.
fn entries(json: &Json) -> Entries {
    let number = |json: &Json| match json.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some(_) => f64::NEG_INFINITY,
        None => json.as_f64().unwrap(),
    };
    let Some(values) = json["values"].as_array() else { return BTreeMap::from([(Vec::new(), number(&json["value"]))]) };
    let list = |json: &Json| json.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as usize).collect::<Vec<_>>();
    let levels: Vec<&Json> = json["levels"].as_array().into_iter().flatten().collect();
    let places: Vec<Vec<usize>> =
        match levels.iter().all(|level| level.get("coordinates").is_some()) && !levels.is_empty() {
            true => {
                let columns: Vec<Vec<usize>> = levels.iter().map(|level| list(&level["coordinates"])).collect();
                (0..values.len()).map(|at| columns.iter().map(|column| column[at]).collect()).collect()
            }
            false => {
                let shape = list(&json["shape"]);
                shape.iter().fold(vec![Vec::new()], |places, size| {
                    places.iter().flat_map(|at| (0..*size).map(move |x| [&at[..], &[x]].concat())).collect()
                })
            }
        };
    let count = places.len();
    let entries: Entries = places.into_iter().zip(values.iter().map(number)).collect();
    assert_eq!(entries.len(), count, "an entry twice: {json}");
    entries
}

/// The first difference of two results; every NaN is alike, and so is every zero: sums start from 0 or from their first
/// term.
fn difference(found: &Entries, expected: &Entries) -> Option<String> {
    let same = |a: f64, b: f64| {
        let near = (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
        a == b || (a.is_nan() && b.is_nan()) || near
    };
    let places = found.keys().chain(expected.keys());
    let mut differ = places.filter(|at| match (found.get(*at), expected.get(*at)) {
        (Some(a), Some(b)) => !same(*a, *b),
        (a, b) => a.is_some() != b.is_some(),
    });
    differ.next().map(|at| format!("at {at:?}: {:?} instead of {:?}", found.get(at), expected.get(at)))
}

fn targets() -> Vec<Target> {
    if cfg!(feature = "llvm") { vec![Target::Interpreter, Target::Cpu] } else { vec![Target::Interpreter] }
}

/// What is wrong with the program that a seed makes; `Ok(false)` of one that is refused.
fn check(seed: u64) -> Result<bool, String> {
    let program = Maker::program(seed);
    let first = Variant::first(&program);
    let mut random = Random::new(seed ^ (1 << 40));
    let expected = match first.run(&program) {
        Ok(found) => found,
        Err(error) if is_fault(&error) => return Err(format!("seed {seed}: {error}\n{}", first.text(&program))),
        Err(_) => return Ok(false),
    };
    if let Some(difference) = difference(&expected, &model::result(&program)) {
        return Err(format!("seed {seed}, against the model, {difference}\n{}", first.text(&program)));
    }
    for number in 0..4 {
        let machine = number == 3 && seed.is_multiple_of(8);
        let target = if machine { *targets().last().unwrap() } else { Target::Interpreter };
        let variant = Variant::random(&program, &mut random, target);
        let text = || format!("{}--- as\n{}", first.text(&program), variant.text(&program));
        match variant.run(&program) {
            Ok(found) => {
                if let Some(difference) = difference(&found, &expected) {
                    return Err(format!("seed {seed}, {target:?}, {difference}\n{}", text()));
                }
            }
            Err(error) if is_fault(&error) => return Err(format!("seed {seed}: {error}\n{}", text())),
            Err(_) => {}
        }
    }
    Ok(true)
}

/// Whether an error is a bug, and not a refusal.
fn is_fault(error: &str) -> bool {
    ["E0900", "E0510"].iter().any(|code| error.starts_with(code))
}

/// Those that `NNZ_SEEDS=896,21042` names, or as many as `NNZ_DRAWS` hundreds.
fn seeds() -> Vec<u64> {
    let times = || std::env::var("NNZ_DRAWS").ok().and_then(|times| times.parse::<u64>().ok());
    match std::env::var("NNZ_SEEDS") {
        Ok(seeds) => seeds.split(',').map(|seed| seed.parse().unwrap()).collect(),
        Err(_) => (0..100 * times().unwrap_or(1)).collect(),
    }
}

#[test]
fn what_is_stored_does_not_depend_on_how() {
    let seeds = seeds();
    let draws = seeds.len();
    let (mut ran, mut wrong) = (0, Vec::new());
    for seed in seeds {
        match check(seed) {
            Ok(did) => ran += usize::from(did),
            Err(error) => wrong.push(error),
        }
    }
    println!("{ran} of {draws} programs ran");
    assert!(wrong.is_empty(), "{} of {draws}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran * 100 >= draws * 70, "only {ran} of {draws} programs ran");
}
