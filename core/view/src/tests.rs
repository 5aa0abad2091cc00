use std::sync::Arc;

use expect_test::{Expect, expect};

use super::*;
use nnz_base::{arrays::Values, element::Element};
use nnz_encoding::{Encoding, named};
use nnz_storage::{Storage, Triplets, pack};

const ASCII: Screen = Screen { width: 80, charset: Charset::Ascii, precision: 6 };

fn storage(shape: &[u64], entries: &[(&[u64], f64)], encoding: Option<Encoding>) -> Storage {
    let coords = (0..shape.len()).map(|dim| entries.iter().map(|(at, _)| at[dim]).collect()).collect();
    let values = Values::F64(entries.iter().map(|(_, value)| *value).collect());
    let triplets = Triplets::new(shape.to_vec(), Element::F64, coords, values).unwrap();
    pack(&triplets, &Arc::new(encoding.unwrap())).unwrap()
}

fn matrix(encoding: Option<Encoding>) -> Storage {
    storage(&[3, 4], &[(&[0, 0], 1.0), (&[0, 2], 2.5), (&[2, 1], -3.0)], encoding)
}

fn view<'a>(name: &'a str, encoding: &'a str, storage: &'a Storage) -> TensorView<'a> {
    TensorView { name, encoding, storage }
}

fn check(markup: Markup, expect: Expect) {
    expect.assert_eq(&markup.plain_text());
}

#[test]
fn a_small_matrix_has_dots_for_absent_entries() {
    let csr = matrix(named::csr());
    check(
        view("A", "CSR", &csr).value(Screen::default()),
        expect![[r#"
        A: 3x4xf64, CSR, 3 stored (25 %), 80 bytes
        ⎡ 1   ·  2.5  · ⎤
        ⎢ ·   ·    ·  · ⎥
        ⎣ ·  -3    ·  · ⎦
    "#]],
    );
    check(
        view("A", "CSR", &csr).value(ASCII),
        expect![[r#"
        A: 3x4xf64, CSR, 3 stored (25 %), 80 bytes
        [ 1   .  2.5  . ]
        [ .   .    .  . ]
        [ .  -3    .  . ]
    "#]],
    );
}

#[test]
fn a_dense_matrix_has_zeros() {
    check(
        view("A", "dense", &matrix(named::dense(2))).value(Screen::default()),
        expect![[r#"
        A: 3x4xf64, dense, 12 stored (100 %), 96 bytes
        ⎡ 1   0  2.5  0 ⎤
        ⎢ 0   0    0  0 ⎥
        ⎣ 0  -3    0  0 ⎦
    "#]],
    );
}

#[test]
fn levels_show_their_arrays() {
    check(
        view("A", "CSR", &matrix(named::csr())).levels(Screen::default()),
        expect![[r#"
        A: 3x4xf64, CSR, 3 stored (25 %), 80 bytes
        level 0  i : dense, size 3
        level 1  j : compressed, size 4
          pos[1]  4 x index  32 bytes  0 2 2 3
          crd[1]  3 x index  24 bytes  0 2 1
        values    3 x f64    24 bytes  1 2.5 -3
    "#]],
    );
    check(
        view("A", "COO", &matrix(named::coo(2))).levels(Screen::default()),
        expect![[r#"
            A: 3x4xf64, COO, 3 stored (25 %), 88 bytes
            level 0  i : compressed(nonunique), size 3
              pos[0]  2 x index           16 bytes  0 3
              crd[0]  3 x (index, index)  48 bytes  (0, 0) (0, 2) (2, 1)
            level 1  j : singleton, size 4
            values    3 x f64             24 bytes  1 2.5 -3
        "#]],
    );
}

#[test]
fn the_tree_follows_the_levels() {
    check(
        view("A", "CSR", &matrix(named::csr())).tree(Screen::default()),
        expect![[r#"
        A: 3x4xf64, CSR, 3 stored (25 %), 80 bytes
        ├─ i = 0
        │  ├─ j = 0: 1
        │  └─ j = 2: 2.5
        ├─ i = 1
        └─ i = 2
           └─ j = 1: -3
    "#]],
    );
    check(
        view("A", "CSC", &matrix(named::csc())).tree(ASCII),
        expect![[r#"
        A: 3x4xf64, CSC, 3 stored (25 %), 88 bytes
        |- j = 0
        |  `- i = 0: 1
        |- j = 1
        |  `- i = 2: -3
        |- j = 2
        |  `- i = 0: 2.5
        `- j = 3
    "#]],
    );
}

#[test]
fn vectors_scalars_and_empty_tensors() {
    let vector = storage(&[5], &[(&[1], 2.0), (&[4], 1e-9)], named::csf(1));
    check(
        view("x", "SparseVector", &vector).value(Screen::default()),
        expect![[r#"
        x: 5xf64, SparseVector, 2 stored (40 %), 48 bytes
        [ ·  2  ·  ·  1e-9 ]
    "#]],
    );
    let empty = storage(&[0, 3], &[], named::csr());
    check(
        view("E", "CSR", &empty).value(Screen::default()),
        expect![[r#"
        E: 0x3xf64, CSR, 0 stored (0 %), 8 bytes
        no elements
    "#]],
    );
    let entries: Vec<[u64; 1]> = (0..100).map(|at| [at]).collect();
    let entries: Vec<(&[u64], f64)> = entries.iter().map(|at| (at.as_slice(), at[0] as f64)).collect();
    let long = storage(&[100], &entries, named::dense(1));
    check(
        view("y", "dense", &long).value(Screen { width: 40, ..Screen::default() }),
        expect![[r#"
        y: 100xf64, dense, 100 stored (100 %), 800 bytes
        [ 0  1  2  3  4  5  6  7  …  98  99 ]
    "#]],
    );
    let sparse = storage(&[100], &entries, named::csf(1));
    check(
        view("y", "SparseVector", &sparse).value(Screen { width: 40, ..Screen::default() }),
        expect![[r#"
        y: 100xf64, SparseVector, 100 stored (100 %), 1616 bytes
          (0) = 0
          (1) = 1
          (2) = 2
          (3) = 3
          (4) = 4
          (5) = 5
          (6) = 6
          (7) = 7
          (8) = 8
          (9) = 9
          …
    "#]],
    );
}

#[test]
fn a_tensor_is_shown_slice_by_slice() {
    let tensor = storage(&[2, 2, 3], &[(&[0, 1, 2], 7.0), (&[1, 0, 0], 8.0)], named::csf(3));
    check(
        view("T", "CSF", &tensor).value(Screen::default()),
        expect![[r#"
        T: 2x2x3xf64, CSF, 2 stored (16.7 %), 128 bytes
        T(0, :, :)
        ⎡ ·  ·  · ⎤
        ⎣ ·  ·  7 ⎦
        T(1, :, :)
        ⎡ 8  ·  · ⎤
        ⎣ ·  ·  · ⎦
    "#]],
    );
}

fn diagonal(size: u64, encoding: Option<Encoding>) -> Storage {
    let entries: Vec<[u64; 2]> = (0..size).map(|at| [at, at]).collect();
    let entries: Vec<(&[u64], f64)> = entries.iter().map(|at| (at.as_slice(), 1.0)).collect();
    storage(&[size, size], &entries, encoding)
}

#[test]
fn a_large_matrix_is_plotted_in_a_border() {
    let screen = Screen { width: 40, ..Screen::default() };
    check(
        view("D", "CSR", &diagonal(100, named::csr())).value(screen),
        expect![[r#"
            D: 100x100xf64, CSR, 100 stored (1 %), 2408 bytes
                0                             99
               ┌────────────────────────────────┐
             0 │⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀⠀⠀│
               │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄⠀⠀│
            99 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠑⢄│
               └────────────────────────────────┘
                one dot: 1.6 x 1.6 elements
        "#]],
    );
    check(
        view("D", "CSR", &diagonal(50, named::csr())).spy(Screen { width: 30, ..ASCII }),
        expect![[r#"
            D: 50x50xf64, CSR, 50 stored (2 %), 1208 bytes
                0                    49
               +-----------------------+
             0 |'.                     |
               |  '.                   |
               |    '.                 |
               |      '.               |
               |        '.             |
               |          '.           |
               |            '.         |
               |              '.       |
               |                '.     |
               |                  '.   |
               |                    '. |
            49 |                      '|
               +-----------------------+
                one dot: 2.2 x 2.2 elem...
        "#]],
    );
}

#[test]
fn every_view_keeps_to_the_width() {
    for width in [20, 40, 80] {
        for charset in [Charset::Unicode, Charset::Ascii] {
            let screen = Screen { width, charset, ..Screen::default() };
            for storage in [matrix(named::csr()), diagonal(1000, named::coo(2)), diagonal(7, named::csc())] {
                let view = view("A", "X", &storage);
                for markup in [view.value(screen), view.tree(screen), view.spy(screen)] {
                    let body = Markup { lines: markup.lines[1..].to_vec() };
                    assert!(body.width() <= width, "{width}:\n{}", body.plain_text());
                    assert!(charset == Charset::Unicode || body.plain_text().is_ascii());
                }
            }
        }
    }
}

#[test]
fn plots_of_many_entries_are_samples() {
    let size = 1_200_000;
    let large = diagonal(size, named::csr());
    let text = view("D", "CSR", &large).spy(Screen::default()).plain_text();
    assert!(text.contains("a sample of"), "{text}");
    let dots = |text: &str| text.chars().filter(|c| ('\u{2801}'..='\u{28ff}').contains(c)).count();
    let exact = view("D", "CSR", &diagonal(1000, named::csr())).spy(Screen::default()).plain_text();
    assert!(dots(&text) * 10 >= dots(&exact) * 9, "{text}\n{exact}");
}

#[test]
fn long_arrays_and_wide_trees_are_elided() {
    let large = diagonal(1000, named::csr());
    check(
        view("D", "CSR", &large).levels(Screen { width: 60, ..Screen::default() }),
        expect![[r#"
        D: 1000x1000xf64, CSR, 1,000 stored (0.1 %), 23.4 KiB
        level 0  i : dense, size 1000
        level 1  j : compressed, size 1000
          pos[1]  1001 x index  8008 bytes  0 1 2 3 4 5 6 7 8 … 1000
          crd[1]  1000 x index  8000 bytes  0 1 2 3 4 5 6 7 8 … 999
        values    1000 x f64    8000 bytes  1 1 1 1 1 1 1 1 1 1 … 1
    "#]],
    );
    check(
        view("D", "CSR", &large).tree(Screen::default()),
        expect![[r#"
        D: 1000x1000xf64, CSR, 1,000 stored (0.1 %), 23.4 KiB
        ├─ i = 0
        │  └─ j = 0: 1
        ├─ i = 1
        │  └─ j = 1: 1
        ├─ i = 2
        │  └─ j = 2: 1
        ├─ i = 3
        │  └─ j = 3: 1
        ├─ i = 4
        │  └─ j = 4: 1
        ├─ i = 5
        │  └─ j = 5: 1
        ├─ i = 6
        │  └─ j = 6: 1
        ├─ i = 7
        │  └─ j = 7: 1
        ├─ … 991 more
        └─ i = 999
           └─ j = 999: 1
    "#]],
    );
    let dump = view("D", "CSR", &large).dump().plain_text();
    assert!(dump.starts_with("---- Sparse Tensor ----\nnse = 1000\n") && dump.contains(", 998, 999 )\n"));
}

#[test]
fn json_has_whole_arrays() {
    let object = view("A", "COO", &matrix(named::coo(2))).json();
    expect![[r#"{"kind":"tensor","name":"A","shape":[3,4],"element":"f64","encoding":"COO","nse":3,"levels":[{"level":0,"format":"compressed(nonunique)","size":3,"positions":[0,3],"coordinates":[0,0,2]},{"level":1,"format":"singleton","size":4,"coordinates":[0,2,1]}],"values":[1.0,2.5,-3.0]}"#]].assert_eq(&object.to_string());
    let nan = storage(&[2], &[(&[0], f64::NAN), (&[1], f64::NEG_INFINITY)], named::csf(1));
    assert_eq!(view("x", "", &nan).json()["values"], serde_json::json!(["nan", "-inf"]));
}
