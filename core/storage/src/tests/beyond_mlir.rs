//! The arrays of the levels that MLIR lacks: what is stored, and what is refused.

use super::*;
use nnz_encoding::{COUNT, DeltaBits};

/// Rows dense and columns as `format`, unless `format` is over all entries.
fn rows_of(format: LevelFormat) -> Arc<Encoding> {
    encoding(parts(2, vec![(var(0), LevelFormat::Dense), (var(1), format)]))
}

fn delta(bits: u64) -> LevelFormat {
    LevelFormat::Delta(DeltaBits::new(bits).unwrap())
}

fn u64s(numbers: &[u64]) -> IndexArray {
    IndexArray::U64(numbers.to_vec())
}

/// A 2 x 4 matrix of ones from the arrays of its columns' level.
fn make(format: LevelFormat, level: LevelStorage, values: usize) -> Result<usize, StorageError> {
    let values = Values::F64(vec![1.0; values]);
    Storage::new(rows_of(format), Element::F64, vec![2, 4], vec![dense(), level], values).map(|storage| storage.nse())
}

const LVL: Lvl = Lvl(1);

#[test]
fn a_gap_takes_as_many_fillers_as_it_has_powers() {
    let row = f64s([1, 12], &[0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 2., 3.]);
    for (bits, crd) in
        [(1, vec![1, 1, 1, 1, 1, 0, 0]), (2, vec![3, 3, 1, 0, 0]), (3, vec![7, 1, 0, 0]), (4, vec![9, 0, 0])]
    {
        let storage = pack(&row, &rows_of(delta(bits))).unwrap();
        assert_eq!(numbers(storage.coordinates(LVL)), crd);
        assert_eq!(numbers(storage.positions(LVL)), [0, crd.len() as u64]);
        assert_eq!(storage.values().get(crd.len() - 3), Some(Scalar::Float(1.0)));
        assert_eq!(unpack(&storage).map(|t| meaning(&t)), Ok(meaning(&row)));
    }
}

#[test]
fn fillers_that_would_not_fit_are_refused() {
    let far = Triplets::new(vec![1 << 40], Element::F64, vec![vec![(1 << 40) - 1]], Values::F64(vec![1.0])).unwrap();
    let error = pack(&far, &encoding(parts(1, vec![(var(0), delta(1))]))).unwrap_err();
    assert_eq!(error, StorageError::TooLarge { lvl: Lvl(0), positions: 1 << 39 });
    assert_eq!(pack(&far, &encoding(parts(1, vec![(var(0), delta(40))]))).map(|storage| storage.nse()), Ok(1));
}

#[test]
fn deltas_are_within_their_bits_and_the_level() {
    let level = |crd: &[u64]| stored(delta(2), Some(u64s(&[0, 2, 3])), Some(u64s(crd)));
    assert_eq!(make(delta(1), level(&[1, 1, 0]), 3), Ok(3));
    assert_eq!(make(delta(1), level(&[2, 0, 0]), 3), Err(StorageError::Delta { lvl: LVL, at: 0, delta: 2, most: 1 }));
    let outside = StorageError::OutOfRange { lvl: LVL, at: 1, coordinate: 4, size: 4 };
    assert_eq!(make(delta(2), level(&[0, 3, 0]), 3), Err(outside));
}

#[test]
fn a_mask_has_a_byte_for_every_slot() {
    let level = |mask: &[u8]| stored(LevelFormat::Bitmap, None, Some(IndexArray::U8(mask.to_vec())));
    assert_eq!(make(LevelFormat::Bitmap, level(&[0, 1, 0, 1, 1, 0, 0, 0]), 8), Ok(8));
    let short = StorageError::Length { lvl: LVL, array: ArrayKind::Coordinates, expected: 8, got: 7 };
    assert_eq!(make(LevelFormat::Bitmap, level(&[0; 7]), 8), Err(short));
    let other = StorageError::Mask { lvl: LVL, at: 2, got: 2 };
    assert_eq!(make(LevelFormat::Bitmap, level(&[0, 1, 2, 0, 0, 0, 0, 0]), 8), Err(other));
    let wide = stored(LevelFormat::Bitmap, None, Some(u64s(&[0; 8])));
    let width = StorageError::StoredWidth { lvl: LVL, array: ArrayKind::Coordinates, bits: 8 };
    assert_eq!(make(LevelFormat::Bitmap, wide, 8), Err(width));
}

#[test]
fn a_stored_zero_stays_an_entry_where_something_tells_it_apart() {
    let zero = Triplets::new(vec![1, 4], Element::F64, vec![vec![0], vec![2]], Values::F64(vec![0.0])).unwrap();
    let entries = |format| unpack(&pack(&zero, &rows_of(format)).unwrap()).unwrap().len();
    assert_eq!((entries(LevelFormat::Bitmap), entries(LevelFormat::Hashed)), (1, 1));
    assert_eq!((entries(LevelFormat::RunLength), entries(LevelFormat::Dense)), (0, 0));
}

#[test]
fn a_hash_table_finds_what_it_holds() {
    let level = |positions: &[u64], crd: &[u64]| stored(LevelFormat::Hashed, Some(u64s(positions)), Some(u64s(crd)));
    let made = |positions: &[u64], crd: &[u64]| make(LevelFormat::Hashed, level(positions, crd), crd.len());
    let right = pack(&f64s([2, 4], &[1., 0., 1., 0., 0., 0., 0., 1.]), &rows_of(LevelFormat::Hashed)).unwrap();
    let (positions, crd) = (numbers(right.positions(LVL)), numbers(right.coordinates(LVL)));
    assert_eq!((positions.as_slice(), crd.as_slice()), (&[0, 4, 6][..], &[0, 2, 4, 4, 4, 3][..]));
    assert_eq!(made(&positions, &crd), Ok(6));
    let slot = |at, coordinate| Err(StorageError::HashSlot { lvl: LVL, at, coordinate });
    assert_eq!(made(&[0, 4, 6], &[0, 4, 2, 4, 4, 3]), slot(2, 2));
    assert_eq!(made(&[0, 4, 6], &[0, 0, 4, 4, 4, 3]), Err(StorageError::Repeated { lvl: LVL, at: 1, coordinate: 0 }));
    let table = |at, slots| Err(StorageError::HashTable { lvl: LVL, at, slots });
    assert_eq!(made(&[0, 3, 5], &[0, 2, 4, 4, 3]), table(0, 3));
    assert_eq!(made(&[0, 2, 4], &[0, 2, 4, 3]), table(0, 2));
    let outside = StorageError::OutOfRange { lvl: LVL, at: 1, coordinate: 5, size: 4 };
    assert_eq!(made(&[0, 4, 6], &[0, 5, 4, 4, 4, 3]), Err(outside));
}

#[test]
fn coordinates_in_any_stride_are_spread_over_a_table() {
    for stride in [1u64, 2, 64, 1024, 4096, 1 << 20] {
        let coordinates: Vec<u64> = (0..4000).map(|at| at * stride).collect();
        let size = 4000 * stride;
        let triplets =
            Triplets::new(vec![size], Element::F64, vec![coordinates], Values::F64(vec![1.0; 4000])).unwrap();
        let storage = pack(&triplets, &encoding(parts(1, vec![(var(0), LevelFormat::Hashed)]))).unwrap();
        let table = numbers(storage.coordinates(Lvl(0)));
        let longest = table.split(|coordinate| *coordinate == size).map(<[u64]>::len).max().unwrap();
        assert!(longest < 200, "stride {stride}: {longest} slots taken in a row");
    }
}

#[test]
fn runs_join_equal_values_and_cover_the_level() {
    let dense = [7., 7., 7., 0., 0., 2., 0., 0., 0., 0., 0., 0.];
    let storage = pack(&f64s([2, 6], &dense), &rows_of(LevelFormat::RunLength)).unwrap();
    assert_eq!(numbers(storage.positions(LVL)), [0, 3, 4]);
    assert_eq!(numbers(storage.coordinates(LVL)), [3, 5, 6, 6]);
    assert_eq!(storage.values(), &Values::F64(vec![7., 0., 2., 0.]));
    let level = |ends: &[u64]| stored(LevelFormat::RunLength, Some(u64s(&[0, 2, 3])), Some(u64s(ends)));
    assert_eq!(make(LevelFormat::RunLength, level(&[1, 4, 4]), 3), Ok(3));
    let short = StorageError::RunEnd { lvl: LVL, at: 1, got: 3, size: 4 };
    assert_eq!(make(LevelFormat::RunLength, level(&[1, 3, 4]), 3), Err(short));
    let empty = StorageError::Order { lvl: LVL, at: 1, before: 4, got: 4 };
    assert_eq!(make(LevelFormat::RunLength, level(&[4, 4, 4]), 3), Err(empty));
}

/// `(#i : outer, i : dense, j : singleton)`
fn padded_rows() -> Arc<Encoding> {
    let count = Affine::mul(var(0), Affine::Sym(Sym(0))).unwrap();
    let singleton = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
    let levels = vec![(count, LevelFormat::Dense), (var(0), LevelFormat::Dense), (var(1), singleton)];
    encoding(EncodingParts { symbols: vec![COUNT.into()], ..parts(2, levels) })
}

#[test]
fn rows_are_padded_to_the_longest() {
    let storage = pack(&four_by_six(), &padded_rows()).unwrap();
    assert_eq!(storage.lvl_sizes(), [3, 4, 6]);
    assert_eq!(numbers(storage.coordinates(Lvl(2))), [0, 1, 2, 2, 1, 5, 3, 6, 4, 6, 6, 6]);
    assert_eq!(storage.values(), &Values::F64([1, 3, 6, 8, 2, 5, 7, 0, 4, 0, 0, 0].map(f64::from).to_vec()));
    let empty = pack::empty(&padded_rows(), Element::F64, vec![4, 6]).unwrap();
    assert_eq!((empty.lvl_sizes(), empty.nse()), (vec![0, 4, 6], 0));
}

#[test]
fn the_number_of_slices_comes_with_the_arrays() {
    let made = |first: LevelStorage, crd: &[u64]| {
        let singleton = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
        let levels = vec![first, dense(), stored(singleton, None, Some(u64s(crd)))];
        let values = Values::F64(vec![1.0; crd.len()]);
        Storage::new(padded_rows(), Element::F64, vec![2, 3], levels, values).map(|storage| storage.lvl_sizes())
    };
    let slices = LevelStorage::counted;
    assert_eq!(made(slices(2), &[0, 1, 3, 2]), Ok(vec![2, 2, 3]));
    assert_eq!(made(slices(2), &[0, 1, 0, 2]), Err(StorageError::TwoSlices { coordinates: vec![0, 0] }));
    let short = StorageError::Length { lvl: Lvl(2), array: ArrayKind::Coordinates, expected: 6, got: 4 };
    assert_eq!(made(slices(3), &[0, 1, 3, 2]), Err(short));
    let outside = StorageError::OutOfRange { lvl: Lvl(2), at: 2, coordinate: 4, size: 3 };
    assert_eq!(made(slices(2), &[0, 1, 4, 2]), Err(outside));
    assert!(matches!(made(dense(), &[0, 1, 3, 2]), Err(StorageError::Format { lvl: Lvl(0), .. })));
    let many = StorageError::TooLarge { lvl: Lvl(0), positions: u128::from(u64::MAX) };
    assert_eq!(made(slices(u64::MAX), &[0]), Err(many));
}
