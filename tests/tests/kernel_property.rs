//! Random kernels over random encodings and shapes, on every back end, against brute force.

use std::sync::Arc;

use nnz_core::{backend::Target, element::Element, encoding::named};
use nnz_tests::kernels::{
    CANNOT_HOLD, Case, Data, difference,
    family::{Family, KERNELS, MANY, Maker, REAL_KERNELS, STORED, Spread, names},
    oracle, pads,
    random::Random,
    targets,
};

/// Runs the kernel that `seed` makes; whether its operands could be stored.
fn check(seed: u64, family: &Family<'_>) -> bool {
    let mut maker = Maker::new(seed, family);
    let text = maker.random.pick(family.kernels);
    maker.square(text);
    let data: Vec<Data> = names(text).into_iter().enumerate().map(|(at, name)| maker.tensor(name, at == 0)).collect();
    let describe = || {
        let tensor = |data: &Data| {
            let tensor = &data.tensor;
            let encoding = tensor.encoding.as_ref().map(|encoding| encoding.to_string());
            format!("  {} : {:?} {} {encoding:?} = {:?}\n", tensor.name, tensor.shape, tensor.element, data.dense)
        };
        format!("seed {seed}: {text}\n{}", data.iter().map(tensor).collect::<String>())
    };
    if data.iter().skip(1).any(|data| data.storage().is_err()) {
        return false;
    }
    if family.kernels == STORED && data.iter().skip(1).any(pads) {
        return false;
    }
    let case = Case::new(text, data.clone()).unwrap_or_else(|error| panic!("{error}\n{}", describe()));
    let expected = oracle::evaluate(&case.kernel, &case.data);
    // The evaluator counts in f64, which is not exact beyond: the least value over nothing, and then one more.
    if case.kernel.element() == Element::I64 && expected.iter().any(|x| x.abs() > (1u64 << 53) as f64) {
        return false;
    }
    for target in targets() {
        let threads = 1 + (seed % 3) as usize;
        let found = match case.run(target, threads) {
            Ok(found) => found,
            // More entries than the result's widths or blocks can hold.
            Err(error) if error.starts_with(CANNOT_HOLD) => return false,
            Err(error) => panic!("{target:?}: {error}\n{}", describe()),
        };
        if let Some(difference) = difference(&found, &expected, family.tolerance) {
            let loops = nnz_core::lower::lower(&case.kernel).map(|lowered| lowered.text());
            panic!("{target:?}: {difference}\n{}{}", describe(), loops.unwrap_or_default());
        }
    }
    true
}

/// How many times as many kernels are drawn: `NNZ_DRAWS`, for a night.
fn patience() -> u64 {
    std::env::var("NNZ_DRAWS").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Draws `draws` kernels, of which so many per cent must be ones that can be stored.
fn check_many(first_seed: u64, draws: u64, least: u64, family: &Family<'_>) {
    let draws = draws * patience();
    let ran = (first_seed..first_seed + draws).filter(|seed| check(*seed, family)).count() as u64;
    println!("{ran} of {draws} kernels ran");
    assert!(ran * 100 >= draws * least, "only {ran} of {draws} kernels ran");
}

#[test]
fn whole_numbers_are_exact_in_every_type() {
    use Element::{C32, C64, F32, F64, I32, I64};
    let real = [F64, F64, F32, I32, I64];
    check_many(0, 700, 70, &Family { kernels: KERNELS, elements: &real, tolerance: 0.0, spread: Spread::One });
    let linear: Vec<&str> =
        KERNELS.iter().copied().filter(|kernel| !["max", "min", "abs"].iter().any(|op| kernel.contains(op))).collect();
    let family = Family { kernels: &linear, elements: &[C32, C64], tolerance: 0.0, spread: Spread::One };
    check_many(1 << 32, 80, 60, &family);
}

#[test]
fn any_operands_and_results_can_be_sparse() {
    use Element::{F32, F64, I32, I64};
    let elements = [F64, F64, F32, I32, I64];
    check_many(2 << 32, 700, 70, &Family { kernels: MANY, elements: &elements, tolerance: 0.0, spread: Spread::Many });
}

#[test]
fn semirings_masks_and_old_values_go_by_what_is_stored() {
    use Element::{F32, F64, I32};
    let family = Family { kernels: STORED, elements: &[F64, F64, F32, I32], tolerance: 0.0, spread: Spread::Many };
    check_many(6 << 32, 500, 30, &family);
    let family = Family { kernels: STORED, elements: &[F64, I32], tolerance: 0.0, spread: Spread::Located };
    check_many(7 << 32, 250, 10, &family);
}

#[test]
fn operands_are_looked_up_beside_any_others() {
    use Element::{F64, I32};
    let family = Family { kernels: MANY, elements: &[F64, I32], tolerance: 0.0, spread: Spread::Located };
    check_many(5 << 32, 500, 70, &family);
}

#[test]
fn real_functions_agree_within_the_last_digits() {
    let family = Family { kernels: REAL_KERNELS, elements: &[Element::F64], tolerance: 1e-13, spread: Spread::One };
    check_many(3 << 32, 100, 60, &family);
}

#[test]
fn both_back_ends_are_tried_where_they_are() {
    let expected =
        if cfg!(feature = "llvm") { vec![Target::Interpreter, Target::Cpu] } else { vec![Target::Interpreter] };
    assert_eq!(targets(), expected);
}

/// Intersections over segments of which one is far longer than another, at times.
#[test]
fn far_longer_segments_are_galloped_through() {
    let kernels = [
        "s = a(i) * b(i)",
        "y(i) = a(i) * b(i)",
        "y(i) = a(i) * b(i) * c(i)",
        "y(i) = a(i) * b(i) + c(i)",
        "y(i) = max(a(i), b(i)) * c(i)",
    ];
    let mut random = Random::new(4 << 32);
    let vector = named::lookup("SparseVector", &[], Some(1)).ok().map(Arc::new);
    for draw in 0..60 {
        let (text, size) = (random.pick(&kernels), random.pick(&[40usize, 300, 1000]));
        let mut data = Vec::new();
        for name in ["y", "s", "a", "b", "c"]
            .iter()
            .filter(|name| text.contains(&format!("{name}(")) || text.starts_with(**name))
        {
            let (shape, encoding) = if *name == "s" { (vec![], None) } else { (vec![size as u64], vector.clone()) };
            let dense = if data.is_empty() {
                Vec::new()
            } else {
                let density = random.pick(&[0, 1, 2, 10, 70, 100]);
                random.entries(size, density)
            };
            data.push(Data::new(name, Element::F64, &shape, encoding, dense));
        }
        let case = Case::new(text, data).unwrap();
        let expected = oracle::evaluate(&case.kernel, &case.data);
        for target in targets() {
            let found = case.run(target, 1 + draw % 2).unwrap();
            let difference = difference(&found, &expected, 0.0);
            assert_eq!(difference, None, "draw {draw}, {target:?}: {text}");
        }
    }
}
