//! What every encoding must do: store any tensor and give it back.

use std::{collections::BTreeMap, sync::Arc};

use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    arrays::Width,
    element::Scalar,
    encoding::{Affine, Dimension, EncodingParts, Layout, Level, NOutOfM, Props, named},
    ids::{Dim, Sym},
};

const CASES: u64 = 3000;

fn var(dim: usize) -> Affine<Dim> {
    Affine::Var(Dim::new(dim))
}
fn constant(c: u64) -> Box<Affine<Dim>> {
    Box::new(Affine::Const(c as i64))
}
fn div(dim: usize, by: u64) -> Affine<Dim> {
    Affine::FloorDiv(Box::new(var(dim)), constant(by))
}
fn rem(dim: usize, by: u64) -> Affine<Dim> {
    Affine::Mod(Box::new(var(dim)), constant(by))
}

fn parts(rank: usize, levels: Vec<(Affine<Dim>, LevelFormat)>) -> EncodingParts {
    let dims = (0..rank).map(|at| Dimension { name: format!("d{at}"), slice: None }).collect();
    let levels = levels.into_iter().map(|(expr, format)| Level { name: None, expr, format }).collect();
    EncodingParts { dims, levels, ..Default::default() }
}

fn encoding(parts: EncodingParts) -> Arc<Encoding> {
    Arc::new(Encoding::new(parts).unwrap())
}

fn compressed() -> LevelFormat {
    LevelFormat::Compressed(Props::default())
}

/// The expressions of a random map: a permutation, some dimensions of which are blocked.
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
    for _ in batch..levels {
        let may_be_singleton = !matches!(formats.last(), None | Some(LevelFormat::Dense | LevelFormat::Batch));
        formats.push(match rng.random_range(0..if may_be_singleton { 8 } else { 4 }) {
            0 => LevelFormat::Dense,
            1 => LevelFormat::LooseCompressed(random_props(rng)),
            2..4 => LevelFormat::Compressed(random_props(rng)),
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

/// `[c](i, j) -> (c * k * i, i, j)` with enough slices or too few.
fn counted_parts(rng: &mut ChaCha8Rng, slices: u64) -> EncodingParts {
    let symbol = Box::new(Affine::Mul(Box::new(Affine::Sym(Sym(0))), constant(slices)));
    let counter = Affine::Mul(Box::new(var(0)), symbol);
    let outer = if rng.random_bool(0.5) { LevelFormat::Dense } else { compressed() };
    let levels = vec![(counter, outer), (var(0), LevelFormat::Dense), (var(1), compressed())];
    EncodingParts { symbols: vec!["c".into()], ..parts(2, levels) }
}

fn random_encoding(rng: &mut ChaCha8Rng, rank: usize) -> Arc<Encoding> {
    let mut parts = match rng.random_range(0..8) {
        0 => structured_parts(rng, rank),
        1 if rank == 2 => counted_parts(rng, 7),
        _ => {
            let exprs = random_exprs(rng, rank);
            let formats = random_formats(rng, exprs.len());
            parts(rank, exprs.into_iter().zip(formats).collect())
        }
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

/// Nonzero entries by coordinates: what a tensor means.
fn meaning(triplets: &Triplets) -> BTreeMap<Vec<u64>, String> {
    let entries = (0..triplets.len()).filter_map(|at| triplets.entry(at));
    entries.filter(|(_, value)| !value.is_zero()).map(|(at, value)| (at, format!("{value:?}"))).collect()
}

/// The same entries without repeats, through a dense array.
fn oracle(triplets: &Triplets) -> Triplets {
    let dense = convert::dense_of(triplets).unwrap();
    from_dense(triplets.shape(), triplets.element(), &dense).unwrap()
}

/// An encoding may be too small for the data; only then may packing fail.
fn is_too_small(error: &StorageError) -> bool {
    matches!(error, StorageError::BlockFull { .. } | StorageError::RowFull { .. })
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

fn f64s(shape: [u64; 2], dense: &[f64]) -> Triplets {
    from_dense(&shape, Element::F64, &Values::F64(dense.to_vec())).unwrap()
}

fn numbers(array: Option<&IndexArray>) -> Vec<u64> {
    array.unwrap().iter().collect()
}

/// `[1 2 . . 4 .]`, `[. 3 . . . 5]`, `[. . 6 7 . .]`, `[. . 8 . . .]`
fn four_by_six() -> Triplets {
    let rows = [[1, 2, 0, 0, 4, 0], [0, 3, 0, 0, 0, 5], [0, 0, 6, 7, 0, 0], [0, 0, 8, 0, 0, 0]];
    f64s([4, 6], &rows.as_flattened().iter().map(|&x| f64::from(x)).collect::<Vec<_>>())
}

fn bsr(r: u64, c: u64) -> Arc<Encoding> {
    let levels = [(div(0, r), LevelFormat::Dense), (div(1, c), compressed())];
    let inner = [(rem(0, r), LevelFormat::Dense), (rem(1, c), LevelFormat::Dense)];
    encoding(parts(2, levels.into_iter().chain(inner).collect()))
}

#[test]
fn blocks_of_two_by_two() {
    let storage = pack(&four_by_six(), &bsr(2, 2)).unwrap();
    assert_eq!(numbers(storage.positions(Lvl(1))), [0, 2, 3]);
    assert_eq!(numbers(storage.coordinates(Lvl(1))), [0, 2, 1]);
    let values = [1, 2, 0, 3, 4, 0, 0, 5, 6, 7, 8, 0].map(f64::from);
    assert_eq!(storage.values(), &Values::F64(values.to_vec()));
    assert_eq!(storage.lvl_sizes(), [2, 3, 2, 2]);
}

#[test]
fn blocks_that_do_not_divide_the_shape_are_padded_and_the_tensor_keeps_its_sizes() {
    let triplets = f64s([3, 5], &[1., 0., 0., 0., 2., 0., 0., 3., 0., 0., 0., 0., 0., 4., 5.]);
    let storage = pack(&triplets, &bsr(2, 3)).unwrap();
    assert_eq!((storage.dim_sizes(), storage.lvl_sizes()), (&[3, 5][..], vec![2, 2, 2, 3]));
    assert_eq!(storage.nse(), 18);
    assert_eq!(unpack(&storage).map(|t| meaning(&t)), Ok(meaning(&triplets)));
}

#[test]
fn a_counter_deals_rows_to_slices() {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let ell = |rng: &mut ChaCha8Rng, slices| loop {
        let parts = counted_parts(rng, slices);
        if parts.levels[0].format == LevelFormat::Dense {
            return encoding(parts);
        }
    };
    let storage = pack(&four_by_six(), &ell(&mut rng, 3)).unwrap();
    assert_eq!(storage.lvl_sizes(), [3, 4, 6]);
    assert_eq!(numbers(storage.positions(Lvl(2))), [0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 8, 8]);
    assert_eq!(numbers(storage.coordinates(Lvl(2))), [0, 1, 2, 2, 1, 5, 3, 4]);
    assert_eq!(storage.values(), &Values::F64([1, 3, 6, 8, 2, 5, 7, 4].map(f64::from).to_vec()));
    assert_eq!(unpack(&storage).map(|t| meaning(&t)), Ok(meaning(&four_by_six())));
    let error = pack(&four_by_six(), &ell(&mut rng, 2)).unwrap_err();
    assert_eq!(error, StorageError::RowFull { lvl: Lvl(0), row: "d0 = 0".into(), found: 3, slices: 2 });
}

#[test]
fn a_width_that_is_too_narrow_names_the_one_that_would_do() {
    let ones = Triplets::new(vec![300], Element::I8, vec![(0..300).collect()], Values::I8(vec![1; 300])).unwrap();
    let narrow = |pos_width, crd_width| {
        let vector = parts(1, vec![(var(0), compressed())]);
        encoding(EncodingParts { pos_width, crd_width, ..vector })
    };
    let error = pack(&ones, &narrow(Width::W8, Width::W16)).unwrap_err();
    let (width, wanted) = (Width::W8, Width::W16);
    assert_eq!(error, StorageError::Overflow { lvl: Lvl(0), array: ArrayKind::Positions, largest: 300, width, wanted });
    let error = pack(&ones, &narrow(Width::W16, Width::W8)).unwrap_err();
    assert_eq!(
        error,
        StorageError::Overflow { lvl: Lvl(0), array: ArrayKind::Coordinates, largest: 299, width, wanted }
    );
}

#[test]
fn a_promised_value_is_checked() {
    let promise = |value| {
        let explicit_val = Some(crate::encoding::Constant { value: Scalar::Float(value), type_text: "f64".into() });
        let csr = parts(2, vec![(var(0), LevelFormat::Dense), (var(1), compressed())]);
        encoding(EncodingParts { explicit_val, ..csr })
    };
    let twos = f64s([2, 2], &[2., 0., 0., 2.]);
    assert!(pack(&twos, &promise(2.0)).is_ok());
    let error = pack(&twos, &promise(1.0)).unwrap_err();
    assert_eq!(error, StorageError::ExplicitValue { at: 0, got: "2".into(), promised: "1".into() });
}

#[test]
fn invalid_arrays_are_no_storage() {
    let csr = Arc::new(named::csr().unwrap());
    let make = |positions: &[u64], coordinates: &[u64]| {
        let array = |numbers: &[u64]| IndexArray::U64(numbers.to_vec());
        let values = Values::F64(vec![1.0; coordinates.len()]);
        let level = LevelStorage::Compressed { positions: array(positions), coordinates: array(coordinates) };
        Storage::new(csr.clone(), Element::F64, vec![2, 3], vec![LevelStorage::Dense, level], values)
            .map(|storage| storage.nse())
    };
    let lvl = Lvl(1);
    assert_eq!(make(&[0, 2, 3], &[0, 2, 1]), Ok(3));
    assert_eq!(make(&[1, 2, 3], &[0, 2, 1]), Err(StorageError::Start { lvl, at: 0, got: 1 }));
    assert_eq!(make(&[0, 3, 2], &[0, 2, 1]), Err(StorageError::Decrease { lvl, at: 2, before: 3, got: 2 }));
    assert_eq!(make(&[0, 2, 4], &[0, 2, 1]), Err(StorageError::End { lvl, at: 2, got: 4, coordinates: 3 }));
    assert_eq!(
        make(&[0, 2, 2], &[0, 2, 1]),
        Err(StorageError::Length { lvl, array: ArrayKind::Coordinates, expected: 2, got: 3 })
    );
    assert_eq!(
        make(&[0, 2], &[0, 2]),
        Err(StorageError::Length { lvl, array: ArrayKind::Positions, expected: 3, got: 2 })
    );
    assert_eq!(make(&[0, 2, 3], &[0, 3, 1]), Err(StorageError::OutOfRange { lvl, at: 1, coordinate: 3, size: 3 }));
    assert_eq!(make(&[0, 2, 3], &[2, 0, 1]), Err(StorageError::Order { lvl, at: 1, before: 2, got: 0 }));
    assert_eq!(make(&[0, 2, 3], &[1, 1, 1]), Err(StorageError::Repeated { lvl, at: 1, coordinate: 1 }));
}

#[test]
fn the_dump_is_that_of_mlir() {
    let csr = pack(&four_by_six(), &Arc::new(named::csr().unwrap())).unwrap();
    let text = "---- Sparse Tensor ----\nnse = 8\ndim = ( 4, 6 )\nlvl = ( 4, 6 )\npos[1] : ( 0, 3, 5, 7, 8 )\n\
                crd[1] : ( 0, 1, 4, 1, 5, 2, 3, 2 )\nvalues : ( 1, 2, 4, 3, 5, 6, 7, 8 )\n----\n";
    assert_eq!(dump::mlir_print(&csr), text);
    let coo = convert(&csr, &Arc::new(named::coo(2).unwrap())).unwrap();
    assert!(dump::mlir_print(&coo).contains("crd[0] : ( 0, 0, 0, 1, 0, 4, 1, 1, 1, 5, 2, 2, 2, 3, 3, 2 )\nvalues"));
    let empty = pack::empty(csr.encoding(), Element::F64, vec![0, 6]).unwrap();
    assert!(dump::mlir_print(&empty).contains("pos[1] : ( 0 )\ncrd[1] : (  )\nvalues : (  )\n"));
}

#[test]
fn batches_restart_and_are_padded_to_the_widest() {
    let batched = parts(3, vec![(var(0), LevelFormat::Batch), (var(1), LevelFormat::Dense), (var(2), compressed())]);
    let coords = vec![vec![0, 1, 1, 1], vec![1, 0, 0, 1], vec![2, 0, 1, 2]];
    let values = Values::F64(vec![1., 2., 3., 4.]);
    let triplets = Triplets::new(vec![2, 2, 3], Element::F64, coords, values).unwrap();
    let storage = pack(&triplets, &encoding(batched)).unwrap();
    let text = dump::mlir_print(&storage);
    assert!(text.contains("nse = 3\n") && text.contains("pos[2] : ( ( 0, 0, 1 )( 0, 2, 3 ) )\n"), "{text}");
    assert!(text.contains("crd[2] : ( ( 2, 0, 0 )( 0, 1, 2 ) )\nvalues : ( ( 1, 0, 0 )( 2, 3, 4 ) )\n"), "{text}");
    assert_eq!(unpack(&storage), Ok(triplets));
}
