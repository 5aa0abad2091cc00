//! Conversions by generated loops store exactly what packing the same entries stores.

use std::sync::Arc;

use nnz_core::{
    arrays::Values,
    backend::{self, Target},
    element::Element,
    encoding::Encoding,
    kernel::Tensor,
    lower::{self, Lowered},
    run::{self, Compiled, Operand, RunError},
    storage::{self, Storage, Triplets},
};
use nnz_tests::kernels::{random::Random, targets};

/// What became of a drawn pair of encodings.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// The entries do not fit one of the encodings.
    Unstored,
    /// Left to the library.
    NoLoops,
    Converted,
}

/// A tensor whose entries are all distinct or, at times, not; some are zeros that are stored.
fn entries(random: &mut Random, shape: &[u64]) -> Triplets {
    let count = shape.iter().product::<u64>() as usize;
    let density = random.pick(&[0, 20, 50, 100]);
    let mut places: Vec<usize> = (0..count).filter(|_| random.chance(density)).collect();
    if random.chance(20) {
        places.extend(places.clone().first());
    }
    let strides: Vec<u64> = (0..shape.len()).map(|dim| shape[dim + 1..].iter().product()).collect();
    let column = |dim: usize| places.iter().map(|at| *at as u64 / strides[dim] % shape[dim]).collect();
    let coords = (0..shape.len()).map(column).collect();
    let values: Vec<f64> = places.iter().map(|_| random.pick(&[0.0, -0.0, 1.0, -2.0, 3.5])).collect();
    Triplets::new(shape.to_vec(), Element::F64, coords, Values::F64(values)).expect("as drawn")
}

fn encoding(random: &mut Random, rank: usize) -> Option<Arc<Encoding>> {
    if random.chance(60) { random.well_known(rank) } else { Some(random.encoding(rank)) }
}

fn converted(target: Target, lowered: &Lowered, from: &Storage) -> Result<Storage, RunError> {
    let backend = backend::lookup(target).expect("as drawn");
    let compiled = Compiled::new(lowered, &*backend)?;
    run::run(lowered, &compiled, &[Some(Operand::Stored(from)), None], 2)
}

fn check(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let rank = random.pick(&[1, 2, 2, 2, 3]);
    let shape: Vec<u64> = (0..rank).map(|_| random.pick(&[1, 2, 3, 4, 5, 8])).collect();
    let data = entries(&mut random, &shape);
    let (Some(from), Some(to)) = (encoding(&mut random, rank), encoding(&mut random, rank)) else {
        return Outcome::Unstored;
    };
    let Ok(source) = storage::pack(&data, &from) else { return Outcome::Unstored };
    let tensor = |name: &str, encoding: &Arc<Encoding>| Tensor {
        name: name.into(),
        element: Element::F64,
        shape: shape.clone(),
        encoding: Some(encoding.clone()),
    };
    let lowered = lower::lower_conversion(&tensor("A", &from), &tensor("B", &to));
    let Some(lowered) = lowered.expect("no bug of nnz") else {
        return Outcome::NoLoops;
    };
    let expected = storage::convert(&source, &to);
    for target in targets() {
        let found = converted(target, &lowered, &source);
        let same = match (&found, &expected) {
            (Ok(found), Ok(expected)) => format!("{found:?}") == format!("{expected:?}"),
            (Err(RunError::Storage { .. }), Err(_)) => return Outcome::Unstored,
            _ => false,
        };
        let text = lowered.text();
        assert!(same, "seed {seed}, {target:?}: {from} to {to}\n{source:?}\n{found:?}\n{expected:?}\n{text}");
    }
    Outcome::Converted
}

#[test]
fn loops_store_what_packing_stores() {
    let draws = 900;
    let outcomes: Vec<Outcome> = (0..draws).map(check).collect();
    let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    println!("{} converted by loops, {} left to the library", count(Outcome::Converted), count(Outcome::NoLoops));
    assert!(count(Outcome::Converted) * 4 > draws as usize, "too few are converted by loops");
}
