//! Random tensors in random encodings: packing and unpacking gives them back, also through another encoding.

use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::*;
use nnz_encoding::{COUNT, DeltaBits};

const CASES: u64 = 3000;

/// The expressions of a random map: a permutation in which some dimensions are blocked.
fn random_exprs(rng: &mut ChaCha8Rng, rank: usize) -> Vec<Affine<Dim>> {
    let mut dims: Vec<usize> = (0..rank).collect();
    dims.shuffle(rng);
    let blocked: Vec<(usize, u64)> =
        dims.iter().map(|&dim| (dim, rng.random_range(0..20))).filter(|(_, by)| (2..5).contains(by)).collect();
    let outer = dims.iter().map(|&dim| match blocked.iter().find(|(d, _)| *d == dim) {
        Some((_, by)) => div(dim, *by),
        None => var(dim),
    });
    outer.chain(blocked.iter().map(|&(dim, by)| rem(dim, by))).collect()
}

fn random_props(rng: &mut ChaCha8Rng) -> Props {
    Props { nonunique: rng.random_bool(0.3), nonordered: rng.random_bool(0.2) }
}

/// Formats in any legal order: batch first, singletons below compressed levels, structured nowhere.
fn random_formats(rng: &mut ChaCha8Rng, levels: usize) -> Vec<LevelFormat> {
    let batch = if rng.random_bool(0.2) { rng.random_range(0..levels) } else { 0 };
    let layout = if rng.random_bool(0.5) { Layout::Aos } else { Layout::Soa };
    let mut formats: Vec<LevelFormat> = vec![LevelFormat::Batch; batch];
    for at in batch..levels {
        let may_be_singleton = formats.last().is_some_and(|above| above.heads_tuples() || above.is_branchless());
        formats.push(match rng.random_range(0..if may_be_singleton { 12 } else { 8 }) {
            0 => LevelFormat::Dense,
            1 => LevelFormat::LooseCompressed(random_props(rng)),
            2..4 => LevelFormat::Compressed(random_props(rng)),
            4 => LevelFormat::Delta(DeltaBits::new(rng.random_range(1..4)).unwrap()),
            5 => LevelFormat::Bitmap,
            6 => LevelFormat::Hashed,
            7 if at + 1 == levels => LevelFormat::RunLength,
            7 => LevelFormat::Bitmap,
            _ => LevelFormat::Singleton { props: random_props(rng), layout },
        });
    }
    formats
}

/// A map whose innermost level is `structured[n, m]`; n = m so that any block fits, or less.
fn structured_parts(rng: &mut ChaCha8Rng, rank: usize) -> EncodingParts {
    let m = rng.random_range(2..6);
    let n = if rng.random_bool(0.5) { m } else { rng.random_range(1..=m) };
    let last = rank - 1;
    let mut levels: Vec<_> = (0..last).map(|dim| (var(dim), LevelFormat::Dense)).collect();
    levels.push((div(last, m), LevelFormat::Dense));
    levels.push((rem(last, m), LevelFormat::Structured(NOutOfM::new(n, m).unwrap())));
    parts(rank, levels)
}

/// A dimension in blocks of blocks: `i floordiv 4, i mod 4 floordiv 2, i mod 2`, the others between.
fn nested_exprs(rng: &mut ChaCha8Rng, rank: usize) -> Vec<Affine<Dim>> {
    let middle = rem(0, 4).floordiv_const(2);
    let others = (1..rank).map(var);
    let mut exprs: Vec<_> = [div(0, 4), middle, rem(0, 2)].into_iter().chain(others).collect();
    exprs.shuffle(rng);
    exprs
}

/// Diagonals or antidiagonals, and one of the dimensions.
fn diagonal_exprs(rng: &mut ChaCha8Rng) -> Vec<Affine<Dim>> {
    let diagonal = if rng.random_bool(0.5) { Affine::sub(var(1), var(0)) } else { Affine::add(var(0), var(1)) };
    let mut exprs = vec![diagonal, var(rng.random_range(0..2))];
    exprs.shuffle(rng);
    exprs
}

/// A level over diagonals above a range of one of the dimensions.
fn ranged_parts(rng: &mut ChaCha8Rng) -> EncodingParts {
    let mut exprs = diagonal_exprs(rng);
    exprs.sort_by_key(|expr| expr.as_var().is_some());
    let mut formats = random_formats(rng, 2);
    formats[1] = LevelFormat::Range;
    parts(2, exprs.into_iter().zip(formats).collect())
}

/// Counts of a dimension, the dimension, in either order; then the others, one coordinate of each.
fn counting_parts(rng: &mut ChaCha8Rng, rank: usize) -> EncodingParts {
    let dim = rng.random_range(0..rank);
    let count = Affine::mul(var(dim), Affine::Sym(Sym(0))).unwrap();
    let full = |rng: &mut ChaCha8Rng| if rng.random_bool(0.6) { LevelFormat::Dense } else { compressed() };
    let mut levels = vec![(count, full(rng)), (var(dim), full(rng))];
    if rng.random_bool(0.3) {
        levels.swap(0, 1);
    }
    let singleton = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
    levels.extend((0..rank).filter(|other| *other != dim).map(|other| (var(other), singleton)));
    EncodingParts { symbols: vec![COUNT.into()], ..parts(rank, levels) }
}

fn random_encoding(rng: &mut ChaCha8Rng, rank: usize) -> Arc<Encoding> {
    let formatted = |exprs: Vec<Affine<Dim>>, rng: &mut ChaCha8Rng| {
        let formats = random_formats(rng, exprs.len());
        parts(rank, exprs.into_iter().zip(formats).collect())
    };
    let mut parts = match rng.random_range(0..10) {
        0 => structured_parts(rng, rank),
        1 if rank == 2 => counted_parts(7, if rng.random_bool(0.5) { LevelFormat::Dense } else { compressed() }),
        2 if rank == 2 => formatted(diagonal_exprs(rng), rng),
        4 if rank == 2 => ranged_parts(rng),
        3 => formatted(nested_exprs(rng, rank), rng),
        5 => counting_parts(rng, rank),
        _ => formatted(random_exprs(rng, rank), rng),
    };
    let widths = [Width::Index, Width::W8, Width::W16, Width::W32, Width::W64];
    parts.pos_width = widths[rng.random_range(0..5)];
    parts.crd_width = widths[rng.random_range(0..5)];
    encoding(parts)
}

fn random_value(rng: &mut ChaCha8Rng, element: Element) -> Scalar {
    match element.int_range() {
        Some((low, high)) => Scalar::Int(rng.random_range(low.max(-100)..=high.min(100))),
        None if element.is_complex() => Scalar::Complex(num_complex::Complex::new(
            f64::from(rng.random_range(-8..9)),
            f64::from(rng.random_range(0..4)),
        )),
        None => Scalar::Float(f64::from(rng.random_range(-8..9)) / 4.0),
    }
}

fn random_triplets(rng: &mut ChaCha8Rng, rank: usize, element: Element) -> Triplets {
    let shape: Vec<u64> = (0..rank).map(|_| rng.random_range(0..8)).collect();
    let space: u64 = shape.iter().product();
    let len = if space == 0 { 0 } else { rng.random_range(0..=space.min(40)) };
    let column = |&size: &u64| (0..len).map(|_| rng.random_range(0..size)).collect();
    let coords = shape.iter().map(column).collect();
    let values = Values::from_scalars(element, (0..len).map(|_| random_value(rng, element)));
    Triplets::new(shape, element, coords, values).unwrap()
}

/// The same entries without repeats, through a dense array.
fn oracle(triplets: &Triplets) -> Triplets {
    let dense = convert::dense_of(triplets).unwrap();
    from_dense(triplets.shape(), triplets.element(), &dense).unwrap()
}

/// An encoding may be too small for the data; only then may packing fail.
fn is_too_small(error: &StorageError) -> bool {
    let is_narrow = matches!(error, StorageError::Overflow { width: Width::W8, largest, .. } if *largest > 255);
    is_narrow || matches!(error, StorageError::BlockFull { .. } | StorageError::RowFull { .. })
}

#[test]
fn what_is_packed_comes_back() {
    let mut packed = 0;
    for seed in 0..CASES {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let (rank, element) = (rng.random_range(1..5), Element::ALL[rng.random_range(0..Element::ALL.len())]);
        let triplets = random_triplets(rng, rank, element);
        let (one, other) = (random_encoding(rng, rank), random_encoding(rng, rank));
        let expected = meaning(&oracle(&triplets));
        match round_trip(&triplets, &one, &other, &expected) {
            Ok(()) => packed += 1,
            Err(error) => assert!(is_too_small(&error), "seed {seed}: {error}\n{one:?}\n{other:?}"),
        }
    }
    assert!(packed >= 2000, "only {packed} of {CASES} tensors fitted their encodings");
}

fn round_trip(
    triplets: &Triplets,
    one: &Arc<Encoding>,
    other: &Arc<Encoding>,
    expected: &BTreeMap<Vec<u64>, String>,
) -> Result<(), StorageError> {
    let storage = pack(triplets, one)?;
    assert_eq!(&meaning(&unpack(&storage)?), expected, "{one:?}\n{triplets:?}\n{storage:?}");
    let (levels, values) = storage.clone().into_parts();
    Storage::new(one.clone(), triplets.element(), triplets.shape().to_vec(), levels, values)?;
    let converted = convert(&storage, other)?;
    assert_eq!(&meaning(&unpack(&converted)?), expected, "{one:?}\n{other:?}");
    let dense = from_dense(triplets.shape(), triplets.element(), &to_dense(&converted)?)?;
    assert_eq!(&meaning(&dense), expected);
    Ok(())
}
