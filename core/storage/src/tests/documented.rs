//! Examples from published documents, with the correct result of each.

use super::*;

fn with_widths(pos_width: Width, crd_width: Width, parts: EncodingParts) -> Arc<Encoding> {
    encoding(EncodingParts { pos_width, crd_width, ..parts })
}

fn f32s(shape: Vec<u64>, coords: Vec<Vec<u64>>, values: &[f32]) -> Triplets {
    Triplets::new(shape, Element::F32, coords, Values::F32(values.to_vec())).unwrap()
}

#[test]
fn a_sparse_vector_and_a_csr_matrix() {
    let vector = f32s(vec![16], vec![vec![3, 6, 9, 12]], &[1.1, 2.2, 3.3, 4.4]);
    let storage = pack(&vector, &encoding(parts(1, vec![(var(0), compressed())]))).unwrap();
    assert_eq!(numbers(storage.positions(Lvl(0))), [0, 4]);
    assert_eq!(numbers(storage.coordinates(Lvl(0))), [3, 6, 9, 12]);
    let matrix = f32s(vec![8, 8], vec![vec![0, 0, 7], vec![1, 4, 2]], &[1.1, 2.2, 3.3]);
    let storage = pack(&matrix, &Arc::new(named::csr().unwrap())).unwrap();
    assert_eq!(numbers(storage.positions(Lvl(1))), [0, 2, 2, 2, 2, 2, 2, 2, 3]);
    assert_eq!(numbers(storage.coordinates(Lvl(1))), [1, 4, 2]);
}

/// Coordinates within the blocks of four, a row a line; rows 8 to 15 have the values of rows 0 to 7.
const TWO_OF_FOUR: [[u64; 8]; 16] = [
    [0, 2, 0, 2, 0, 2, 0, 2],
    [1, 3, 1, 3, 1, 3, 1, 3],
    [0, 1, 2, 3, 0, 1, 2, 3],
    [2, 3, 0, 1, 2, 3, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [2, 3, 2, 3, 2, 3, 2, 3],
    [2, 3, 2, 3, 2, 3, 2, 3],
    [0, 2, 0, 2, 0, 2, 0, 2],
    [1, 3, 1, 3, 1, 3, 1, 3],
    [0, 1, 2, 3, 0, 1, 2, 3],
    [2, 3, 0, 1, 2, 3, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [2, 3, 2, 3, 2, 3, 2, 3],
    [2, 3, 2, 3, 2, 3, 2, 3],
];

/// The value of entry `at` of a row: 1 2 3 4 1 2 3 4 in row 0, four more in each row.
fn two_of_four_value(row: usize, at: usize) -> f64 {
    (4 * (row % 8) + at % 4 + 1) as f64
}

fn two_of_four_dense() -> Vec<f64> {
    let mut dense = vec![0.0; 16 * 16];
    for (row, coordinates) in TWO_OF_FOUR.iter().enumerate() {
        for (at, &within) in coordinates.iter().enumerate() {
            dense[row * 16 + at / 2 * 4 + within as usize] = two_of_four_value(row, at);
        }
    }
    dense
}

#[test]
fn two_of_four() {
    let levels = vec![
        (var(0), LevelFormat::Dense),
        (div(1, 4), LevelFormat::Dense),
        (rem(1, 4), LevelFormat::Structured(NOutOfM::new(2, 4).unwrap())),
    ];
    let nvidia = with_widths(Width::Index, Width::W2, parts(2, levels));
    let matrix = f64s([16, 16], &two_of_four_dense());
    let storage = pack(&matrix, &nvidia).unwrap();
    assert_eq!(numbers(storage.coordinates(Lvl(2))), TWO_OF_FOUR.as_flattened());
    assert_eq!(storage.coordinates(Lvl(2)).map(IndexArray::bytes), Some(32));
    let rows = (0..16).flat_map(|row| (0..8).map(move |at| two_of_four_value(row, at)));
    assert_eq!(storage.values(), &Values::F64(rows.collect()));
    assert_eq!(to_dense(&storage), Ok(Values::F64(two_of_four_dense())));
}

#[test]
fn blocks_with_too_few_are_padded_and_with_too_many_are_named() {
    let levels = vec![
        (var(0), LevelFormat::Dense),
        (div(1, 4), LevelFormat::Dense),
        (rem(1, 4), LevelFormat::Structured(NOutOfM::new(2, 4).unwrap())),
    ];
    let nm = encoding(parts(2, levels));
    let storage = pack(&f64s([1, 8], &[0., 7., 0., 0., 0., 0., 0., 0.]), &nm).unwrap();
    assert_eq!(numbers(storage.coordinates(Lvl(2))), [0, 1, 0, 1]);
    assert_eq!(storage.values(), &Values::F64(vec![0., 7., 0., 0.]));
    let error = pack(&f64s([2, 8], &[&[0.; 12][..], &[1., 2., 0., 3.]].concat()), &nm).unwrap_err();
    assert_eq!(error, StorageError::BlockFull { lvl: Lvl(2), block: vec![1, 1], found: 3, n: 2, m: 4 });
}

#[test]
fn batched_coo() {
    let head = LevelFormat::LooseCompressed(Props { nonunique: true, nonordered: false });
    let below = LevelFormat::Singleton { props: Props::default(), layout: Layout::Aos };
    let coo = encoding(parts(3, vec![(var(0), LevelFormat::Dense), (var(1), head), (var(2), below)]));
    let coords = vec![vec![1, 1, 9], vec![3, 3, 0], vec![2, 8, 4]];
    let tensor = f32s(vec![10, 10, 10], coords, &[1.0, 2.0, 3.0]);
    let storage = pack(&tensor, &coo).unwrap();
    let positions = [0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3];
    assert_eq!(numbers(storage.positions(Lvl(1))), positions);
    assert!(dump::mlir_print(&storage).contains("crd[1] : ( 3, 2, 3, 8, 0, 4 )\n"));
    assert_eq!(unpack(&storage), Ok(tensor));
}

#[test]
fn dcsc_with_narrow_widths() {
    let dcsc = parts(2, vec![(var(1), compressed()), (var(0), compressed())]);
    let coords = vec![vec![0, 0, 7], vec![1, 4, 1]];
    let matrix = Triplets::new(vec![8, 8], Element::F64, coords, Values::F64(vec![1., 2., 3.])).unwrap();
    let storage = pack(&matrix, &with_widths(Width::W32, Width::W8, dcsc)).unwrap();
    let text = "pos[0] : ( 0, 2 )\ncrd[0] : ( 1, 4 )\npos[1] : ( 0, 2, 3 )\ncrd[1] : ( 0, 7, 0 )\nvalues : ( 1, 3, 2 )";
    assert!(dump::mlir_print(&storage).contains(text));
    assert_eq!(storage.bytes(), 5 * 4 + 5 + 3 * 8);
}

#[test]
fn a_slice_stores_a_tensor_of_its_own_size() {
    let mut sliced = parts(2, vec![(var(0), LevelFormat::Dense), (var(1), compressed())]);
    sliced.dims[0].slice = Some(Slice { offset: Some(0), size: Some(4), stride: Some(1) });
    sliced.dims[1].slice = Some(Slice { offset: Some(0), size: Some(8), stride: None });
    let sliced = encoding(sliced);
    assert!(pack::empty(&sliced, Element::F64, vec![4, 8]).is_ok());
    let error = pack::empty(&sliced, Element::F64, vec![5, 8]).unwrap_err();
    assert_eq!(error, StorageError::Slice { dim: Dim(0), slice: 4, tensor: 5 });
}

/// `[5 . 1 .]`, `[2 5 . 1]`, `[. 2 5 .]`: Chou 2018, section 2, has DIA so.
#[test]
fn diagonals() {
    let dia = Arc::new(named::dia().unwrap());
    let matrix = f64s([3, 4], &[5., 0., 1., 0., 2., 5., 0., 1., 0., 2., 5., 0.]);
    let storage = pack(&matrix, &dia).unwrap();
    let text = dump::mlir_print(&storage);
    assert!(text.contains("lvl = ( 6, 3 )\npos[0] : ( 0, 3 )\ncrd[0] : ( -1, 0, 2 )\n"), "{text}");
    assert!(text.contains("values : ( 0, 2, 2, 5, 5, 5, 1, 1, 0 )\n"), "{text}");
    assert_eq!(unpack(&storage).map(|t| meaning(&t)), Ok(meaning(&matrix)));
}
