//! Every encoding stores any tensor and gives it back.

mod beyond_mlir;
mod documented;
mod round_trip;

use std::{collections::BTreeMap, sync::Arc};

use super::*;
use nnz_base::{
    arrays::Width,
    element::Scalar,
    ids::{Dim, Sym},
};
use nnz_encoding::{Affine, Dimension, EncodingParts, Layout, Level, LevelFormat, NOutOfM, Props, Slice, named};

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

fn stored(format: LevelFormat, positions: Option<IndexArray>, coordinates: Option<IndexArray>) -> LevelStorage {
    LevelStorage::new(format, positions, coordinates).unwrap()
}

fn dense() -> LevelStorage {
    stored(LevelFormat::Dense, None, None)
}

fn compressed() -> LevelFormat {
    LevelFormat::Compressed(Props::default())
}

/// `[c](i, j) -> (c * slices * i : outer, i : dense, j : compressed)`
fn counted_parts(slices: u64, outer: LevelFormat) -> EncodingParts {
    let symbol = Box::new(Affine::Mul(Box::new(Affine::Sym(Sym(0))), constant(slices)));
    let counter = Affine::Mul(Box::new(var(0)), symbol);
    let levels = vec![(counter, outer), (var(0), LevelFormat::Dense), (var(1), compressed())];
    EncodingParts { symbols: vec!["c".into()], ..parts(2, levels) }
}

/// Nonzero entries by coordinates: what a tensor means.
fn meaning(triplets: &Triplets) -> BTreeMap<Vec<u64>, String> {
    let entries = (0..triplets.len()).filter_map(|at| triplets.entry(at));
    entries.filter(|(_, value)| !value.is_zero()).map(|(at, value)| (at, format!("{value:?}"))).collect()
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
    let ell = |slices| encoding(counted_parts(slices, LevelFormat::Dense));
    let storage = pack(&four_by_six(), &ell(3)).unwrap();
    assert_eq!(storage.lvl_sizes(), [3, 4, 6]);
    assert_eq!(numbers(storage.positions(Lvl(2))), [0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 8, 8]);
    assert_eq!(numbers(storage.coordinates(Lvl(2))), [0, 1, 2, 2, 1, 5, 3, 4]);
    assert_eq!(storage.values(), &Values::F64([1, 3, 6, 8, 2, 5, 7, 4].map(f64::from).to_vec()));
    assert_eq!(unpack(&storage).map(|t| meaning(&t)), Ok(meaning(&four_by_six())));
    let error = pack(&four_by_six(), &ell(2)).unwrap_err();
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
        let explicit_val = Some(nnz_encoding::Constant { value: Scalar::Float(value), type_text: "f64".into() });
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
        let level = stored(compressed(), Some(array(positions)), Some(array(coordinates)));
        Storage::new(csr.clone(), Element::F64, vec![2, 3], vec![dense(), level], values).map(|storage| storage.nse())
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

/// Zeros fill the blocks of a structured level, so a zero among the entries takes no place of a block.
#[test]
fn a_zero_takes_no_place_in_a_block() {
    let block = LevelFormat::Structured(NOutOfM::new(1, 2).unwrap());
    let blocks = encoding(parts(2, vec![(var(0), LevelFormat::Dense), (var(1), block)]));
    let pair =
        |values| Triplets::new(vec![1, 2], Element::F64, vec![vec![0, 0], vec![0, 1]], Values::F64(values)).unwrap();
    for zero in [0., -0.] {
        let storage = pack(&pair(vec![zero, 5.]), &blocks).unwrap();
        let entry = Triplets::new(vec![1, 2], Element::F64, vec![vec![0], vec![1]], Values::F64(vec![5.])).unwrap();
        assert_eq!(unpack(&storage), Ok(entry));
    }
    let full = StorageError::BlockFull { lvl: Lvl(1), block: vec![0], found: 2, n: 1, m: 2 };
    assert_eq!(pack(&pair(vec![3., 5.]), &blocks).err(), Some(full));
}

#[test]
fn errors_name_the_level_the_place_and_the_way_out() {
    let (lvl, width, wanted) = (Lvl(1), Width::W8, Width::W16);
    let overflow = StorageError::Overflow { lvl, array: ArrayKind::Positions, largest: 300, width, wanted };
    assert_eq!(overflow.to_string(), "level 1: positions reach 300, which does not fit 8 bits; 16 bits would do");
    let full = StorageError::BlockFull { lvl, block: vec![0, 3], found: 3, n: 2, m: 4 };
    assert_eq!(full.to_string(), "level 1: the block at (0, 3) has 3 nonzeros, but `structured[2, 4]` holds 2");
}

/// However many times it is asked, it ends when it is stopped.
#[test]
fn packing_stops_when_asked() {
    let entries = from_dense(&[2, 2], Element::F64, &Values::F64(vec![1.0, 0.0, 2.0, 3.0])).unwrap();
    let csr = Arc::new(named::csr().unwrap());
    let tried = |steps: usize| {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let goes_on = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < steps;
        pack_while(std::borrow::Cow::Borrowed(&entries), &csr, &goes_on)
    };
    let stopped = (0..).take_while(|steps| tried(*steps).is_err()).inspect(|steps| {
        assert_eq!(tried(*steps).map(drop), Err(StorageError::Stopped));
    });
    assert_eq!(stopped.count(), 6);
}
