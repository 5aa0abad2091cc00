//! Sparse results whose arrays are shorter than their entries need: plans are made to promise too much. No back end writes
//! outside of an array, and each says what is wrong.

use nnz_core::{
    backend::{self, Target},
    element::Element,
    iterate::{self, Assembling, Capacity, Method, OperandId, ResultPlan, Space, Wishes},
    lower::{self, Lowered},
    storage,
};
use nnz_tests::kernels::{
    CANNOT_HOLD, Case, Computed, Data, difference, engines,
    family::{Family, KERNELS, MANY, Maker, STORED, Spread, names},
    maps, oracle, pads,
    random::Random,
    targets,
};

const OUTGROWN: &str = "has more entries than nnz made room for";

/// What a plan is made to promise: operands that bound the entries, or the coordinates of a row in a hash table.
#[derive(Default)]
struct Promise {
    assembling: Option<Assembling>,
    entries: Option<Vec<OperandId>>,
    coordinates: Option<Vec<OperandId>>,
}

impl Promise {
    /// The loops of a plan that promises this; `None` of results that are not assembled.
    fn loops(self, case: &Case) -> Option<Lowered> {
        let wishes = Wishes { assembling: self.assembling, ..Wishes::default() };
        let mut plan = iterate::plan_wished(&case.kernel, &wishes).ok()?;
        let ResultPlan::Assembled(assembly) = &mut plan.result else { return None };
        let counts = matches!(assembly.method, Method::Blocks(_) | Method::List);
        if let Some(entries) = self.entries.filter(|_| !counts) {
            (assembly.capacity, assembly.in_parts) = (Capacity::Bound(entries), false);
        }
        if let Some(coordinates) = self.coordinates.filter(|_| assembly.method == Method::Workspace) {
            assembly.space = Space::Hashed(coordinates);
        }
        // SAFETY: only the room for the result is promised otherwise.
        unsafe { lower::lower_changed(plan) }.ok()
    }
}

/// A tensor with these values, row-major.
fn data(name: &str, shape: &[u64], map: &str, values: &[f64]) -> Data {
    let encoding = (!map.is_empty()).then(|| maps::parse(map).expect("a map").into());
    Data::new(name, Element::F64, shape, encoding, values.to_vec())
}

const CSR: &str = "(i, j) -> (i : dense, j : compressed)";
const DCSR: &str = "(i, j) -> (i : compressed, j : compressed)";
const COO: &str = "(i, j) -> (i : compressed(nonunique), j : singleton)";
const COLUMNS: &str = "(i, j) -> (i : compressed, j : dense)";
const CSC: &str = "(i, j) -> (j : dense, i : compressed)";

/// A kernel for each way in which entries get into a result.
const WAYS: &[(Option<Assembling>, &str, &[&str])] = &[
    (None, CSR, &["C(i, j) = A(i, j) + B(i, j)"]),
    (None, DCSR, &["C(i, j) = A(i, j) + B(i, j)", "C(i, j) = A(i, j)"]),
    (None, COO, &["C(i, j) = A(i, j) + B(i, j)", "C(i, j) = A(i, k) * B(k, j)"]),
    (None, COLUMNS, &["C(i, j) = A(i, j) + B(i, j)", "C(i, j) = A(i, k) * B(k, j)"]),
    (Some(Assembling::Workspace), CSR, &["C(i, j) = A(i, k) * B(k, j)", "C(i, j) = A(i, k) * B(k, j) + B(i, j)"]),
    (Some(Assembling::Insert), CSC, &["C(i, j) = A(i, j)", "C(i, j) = A(i, j) * 2"]),
];

const SIZE: u64 = 20;

fn cases() -> Vec<(String, Option<Assembling>, Case)> {
    let dense: Vec<f64> = (0..SIZE * SIZE).map(|at| if at % 3 == 0 { 1.0 } else { 0.0 }).collect();
    let of = |text: &str, encoding: &str| {
        let tensors = ["C", "A", "B"].iter().filter(|name| text.contains(&format!("{name}(")));
        let data = tensors.map(|name| match *name {
            "C" => data("C", &[SIZE, SIZE], encoding, &[]),
            name => data(name, &[SIZE, SIZE], CSR, &dense),
        });
        Case::new(text, data.collect()).expect("a kernel")
    };
    let ways = WAYS.iter().flat_map(|(way, encoding, texts)| texts.iter().map(move |text| (way, encoding, text)));
    ways.map(|(way, encoding, text)| (format!("{text}, {encoding}"), *way, of(text, encoding))).collect()
}

/// Checks that every back end says of these loops that the result does not fit.
fn check_outgrown(name: &str, case: &Case, loops: &Lowered) {
    for (engine, backend) in engines() {
        let told = case.lowered_on(loops, &*backend, 2).err().unwrap_or_default();
        assert!(told.contains(OUTGROWN), "{name} on {engine}: {told:?}");
    }
}

#[test]
fn every_back_end_says_that_a_result_outgrew_its_bound() {
    for (name, assembling, case) in cases() {
        let promise = Promise { assembling, entries: Some(Vec::new()), ..Promise::default() };
        check_outgrown(&name, &case, &promise.loops(&case).expect("it is assembled"));
    }
}

#[test]
fn every_back_end_says_that_a_hash_table_was_too_small() {
    for (name, assembling, case) in cases().into_iter().filter(|(_, way, _)| *way == Some(Assembling::Workspace)) {
        let promise = Promise { assembling, coordinates: Some(Vec::new()), ..Promise::default() };
        let loops = promise.loops(&case).expect("it is assembled");
        assert!(loops.text().contains("C.keys"), "no hash table:\n{}", loops.text());
        check_outgrown(&name, &case, &loops);
    }
}

/// How often results fitted in spite of the promise, and how often not.
#[derive(Default)]
struct Tally {
    fitted: usize,
    outgrown: usize,
}

/// Runs a random kernel in a plan that promises anything: the result is right, or is said to be too large.
fn check(seed: u64, family: &Family<'_>, tally: &mut Tally) {
    let mut maker = Maker::new(seed, family);
    let text = maker.random.pick(family.kernels);
    maker.square(text);
    let data: Vec<Data> = names(text).into_iter().enumerate().map(|(at, name)| maker.tensor(name, at == 0)).collect();
    let is_plain = |data: &Data| data.storage().is_ok() && (family.kernels != STORED || !pads(data));
    if !data.iter().skip(1).all(is_plain) {
        return;
    }
    let Ok(case) = Case::new(text, data) else { return };
    let Some(loops) = promised(&case, &mut maker.random) else { return };
    let describe = || format!("seed {seed}: {text}\n{}", loops.text());
    // Machine code takes a while to make; the interpreter looks at every access.
    for target in targets().into_iter().filter(|target| *target == Target::Interpreter || seed.is_multiple_of(8)) {
        let backend = backend::lookup(target).expect("a back end");
        match case.lowered_on(&loops, &*backend, 1).and_then(|computed| computed.dense()) {
            Ok(found) => {
                tally.fitted += 1;
                let expected = oracle::evaluate(&case.kernel, &case.data);
                let difference = difference(&found, &expected, 0.0);
                assert!(difference.is_none(), "{target:?}: {difference:?}\n{}", describe());
            }
            Err(told) if told.contains(OUTGROWN) => tally.outgrown += 1,
            Err(told) if told.starts_with(CANNOT_HOLD) => {}
            Err(told) => panic!("{target:?}: {told}\n{}", describe()),
        }
    }
}

/// The loops of a plan with any bound, and at times with a hash table of any size.
fn promised(case: &Case, random: &mut Random) -> Option<Lowered> {
    let operands = iterate::plan(&case.kernel).ok()?.operands.len();
    let mut some = || (0..operands).filter(|_| random.chance(40)).map(OperandId::new).collect::<Vec<_>>();
    let (entries, coordinates) = (Some(some()), Some(some()));
    let assembling =
        random.pick(&[None, Some(Assembling::Workspace), Some(Assembling::Append), Some(Assembling::Insert)]);
    let coordinates = coordinates.filter(|_| random.chance(40));
    Promise { assembling, entries, coordinates }.loops(case)
}

#[test]
fn no_bound_is_relied_on() {
    let mut tally = Tally::default();
    let elements = [Element::F64, Element::I32];
    for (first, kernels, spread) in [(0, MANY, Spread::Many), (1, STORED, Spread::Located), (2, KERNELS, Spread::Many)]
    {
        let family = Family { kernels, elements: &elements, tolerance: 0.0, spread };
        (first << 32..(first << 32) + 300).for_each(|seed| check(seed, &family, &mut tally));
    }
    println!("{} fitted, {} did not", tally.fitted, tally.outgrown);
    assert!(tally.fitted > 50 && tally.outgrown > 50, "{} fitted, {} did not", tally.fitted, tally.outgrown);
}

#[test]
fn bounds_that_loops_show_to_hold_cost_nothing() {
    let (_, _, case) = &cases()[0];
    let loops = lower::lower(&case.kernel).expect("loops").text();
    assert!(!loops.contains("C.room"), "a union is capped:\n{loops}");
    let ran = case.storage_on(&*backend::lookup(Target::Interpreter).expect("it is there"), 1);
    let Ok(Computed::Tensor(sum)) = ran else { panic!("no sum") };
    assert_eq!(storage::unpack(&sum).expect("as stored").len() as u64, (SIZE * SIZE).div_ceil(3));
}
