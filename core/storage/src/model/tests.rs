use std::sync::Arc;

use expect_test::expect;

use super::*;
use crate::{Triplets, pack};
use nnz_base::arrays::Values;
use nnz_encoding::named;

#[test]
fn an_encoding_without_a_tensor_has_formulas() {
    let model = of_encoding(&named::csr().unwrap(), None, &[]);
    expect![[r#"
        I x J, nnz values
        level 0  i : dense, size I
        level 1  j : compressed, size J
          pos[1] : I + 1 x index, 8 * I + 8 bytes
          crd[1] : nnz x index, 8 * nnz bytes
        values : nnz x element
        I: size of dimension i
        J: size of dimension j
        nnz: stored entries
    "#]]
    .assert_eq(&model.to_string());
}

#[test]
fn known_sizes_are_put_in() {
    let model = of_encoding(&named::csf(3).unwrap(), Some(Element::F32), &[Some(10), None, Some(20)]);
    expect![[r#"
        10 x J x 20 x f32, nnz values, 12 * nnz + 16 * nnz0 + 16 * nnz1 + 32 bytes
        level 0  i : compressed, size 10
          pos[0] : 2 x index, 16 bytes
          crd[0] : nnz0 x index, 8 * nnz0 bytes
        level 1  j : compressed, size J
          pos[1] : nnz0 + 1 x index, 8 * nnz0 + 8 bytes
          crd[1] : nnz1 x index, 8 * nnz1 bytes
        level 2  k : compressed, size 20
          pos[2] : nnz1 + 1 x index, 8 * nnz1 + 8 bytes
          crd[2] : nnz x index, 8 * nnz bytes
        values : nnz x f32, 4 * nnz bytes
        J: size of dimension j
        nnz0: stored coordinates of level 0
        nnz1: stored coordinates of level 1
        nnz: stored entries
    "#]]
    .assert_eq(&model.to_string());
}

#[test]
fn levels_beyond_mlir_have_their_arrays() {
    let check = |encoding: &Encoding, expected: expect_test::Expect| {
        expected.assert_eq(&of_encoding(encoding, None, &[]).to_string());
    };
    let column = |format| named::permuted(&[0, 1], &[LevelFormat::Dense, format]).unwrap();
    check(
        &named::lookup("ELL", &[], None).unwrap(),
        expect![[r#"
        I x J, I * K values
        level 0  #i : dense, size K
        level 1  i : dense, size I
        level 2  j : singleton(soa), size J
          crd[2] : I * K x index, 8 * I * K bytes
        values : I * K x element
        I: size of dimension i
        J: size of dimension j
        K: the most entries with the same i
    "#]],
    );
    check(
        &named::lookup("DELTA", &[4], None).unwrap(),
        expect![[r#"
        I x J, nnz1 values
        level 0  i : dense, size I
        level 1  j : delta[4], size J
          pos[1] : I + 1 x index, 8 * I + 8 bytes
          crd[1] : nnz1 x index, 8 * nnz1 bytes
        values : nnz1 x element
        I: size of dimension i
        J: size of dimension j
        nnz1: stored coordinates of level 1, and fillers
    "#]],
    );
    check(
        &column(LevelFormat::Bitmap),
        expect![[r#"
        I x J, I * J values
        level 0  i : dense, size I
        level 1  j : bitmap, size J
          mask[1] : I * J x i8, I * J bytes
        values : I * J x element
        I: size of dimension i
        J: size of dimension j
    "#]],
    );
    check(
        &column(LevelFormat::Hashed),
        expect![[r#"
        I x J, slots1 values
        level 0  i : dense, size I
        level 1  j : hashed, size J
          pos[1] : I + 1 x index, 8 * I + 8 bytes
          crd[1] : slots1 x index, 8 * slots1 bytes
        values : slots1 x element
        I: size of dimension i
        J: size of dimension j
        slots1: slots of the hash tables of level 1
    "#]],
    );
    check(
        &column(LevelFormat::RunLength),
        expect![[r#"
        I x J, runs values
        level 0  i : dense, size I
        level 1  j : run_length, size J
          pos[1] : I + 1 x index, 8 * I + 8 bytes
          crd[1] : runs x index, 8 * runs bytes
        values : runs x element
        I: size of dimension i
        J: size of dimension j
        runs: runs of equal values
    "#]],
    );
}

#[test]
fn long_arrays_are_elided() {
    let ten =
        Triplets::new(vec![3, 10], Element::I32, vec![vec![1; 10], (0..10).collect()], Values::I32((0..10).collect()));
    let storage = pack(&ten.unwrap(), &Arc::new(named::csr().unwrap())).unwrap();
    expect![[r#"
        3 x 10 x i32, 10 values, 152 bytes
        level 0  i : dense, size 3
        level 1  j : compressed, size 10
          pos[1] : 4 x index, 32 bytes = 0 0 10 10
          crd[1] : 10 x index, 80 bytes = 0 1 2 ... 9
        values : 10 x i32, 40 bytes = 0 1 2 ... 9
    "#]]
    .assert_eq(&of_storage(&storage, 4).to_string());
}
