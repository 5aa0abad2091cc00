//! The loops of well-known kernels, as text. This tests their form; the suite tests what they compute, on
//! every back end.

mod missing;

use std::sync::Arc;

use expect_test::{Expect, expect};

use super::*;
use nnz_base::{
    element::Element,
    ids::{Dim, TensorId},
};
use nnz_encoding::{Affine, Dimension, Encoding, EncodingParts, Level, LevelFormat, Props, named};
use nnz_kernel::{Access, BinaryOp, Expr, ReduceOp, Tensor};

fn tensor(name: &str, shape: &[u64], encoding: Option<Encoding>) -> Tensor {
    Tensor { name: name.into(), element: Element::F64, shape: shape.into(), encoding: encoding.map(Arc::new) }
}

fn access(tensor: usize, indices: &[usize]) -> Access {
    let vars: Vec<IndexVar> = indices.iter().map(|at| IndexVar::new(*at)).collect();
    Access::of_vars(TensorId::new(tensor), &vars)
}

fn load(tensor: usize, indices: &[usize]) -> Box<Expr> {
    Box::new(Expr::Access(access(tensor, indices)))
}

fn binary(op: BinaryOp, a: Box<Expr>, b: Box<Expr>) -> Box<Expr> {
    Box::new(Expr::Binary(op, a, b))
}

/// Lowers `result = expr` over the variables i, j, k; the printed loops are `expected` and parse back.
#[expect(clippy::boxed_local, reason = "as the helpers below make expressions")]
fn check(tensors: Vec<Tensor>, result: Access, expr: Box<Expr>, expected: Expect) {
    let vars = ["i", "j", "k"].map(String::from);
    let used = expr.accesses().into_iter().chain([&result]).flat_map(|access| access.vars().collect::<Vec<_>>());
    let count = used.map(|var| var.index() + 1).max().unwrap_or(0);
    let kernel = Kernel::new(tensors, vars[..count].to_vec(), result, *expr).expect("the kernel is legal");
    let lowered = lower(&kernel).expect("the kernel can be lowered");
    let text = lowered.text();
    expected.assert_eq(&text);
    assert_eq!(nnz_loops::parse(&text).as_ref(), Ok(&*lowered.fill.function));
}

/// `y(i) = A(i, j) * x(j)` with A : 3x4.
fn spmv(encoding: Option<Encoding>, expected: Expect) {
    let tensors = vec![tensor("y", &[3], None), tensor("A", &[3, 4], encoding), tensor("x", &[4], None)];
    check(tensors, access(0, &[0]), binary(BinaryOp::Mul, load(1, &[0, 1]), load(2, &[1])), expected);
}

fn bsr() -> Encoding {
    let var = |at| Box::new(Affine::Var(Dim::new(at)));
    let two = || Box::new(Affine::Const(2));
    let compressed = LevelFormat::Compressed(Props::default());
    let levels = [
        (Affine::FloorDiv(var(0), two()), LevelFormat::Dense),
        (Affine::FloorDiv(var(1), two()), compressed),
        (Affine::Mod(var(0), two()), LevelFormat::Dense),
        (Affine::Mod(var(1), two()), LevelFormat::Dense),
    ];
    let dims = ["i", "j"].map(|name| Dimension { name: name.into(), slice: None });
    let levels = levels.into_iter().map(|(expr, format)| Level { name: None, expr, format }).collect();
    Encoding::new(EncodingParts { dims: dims.into(), levels, ..Default::default() }).expect("BSR is legal")
}

#[test]
fn csr_rows_are_summed_in_a_register() {
    spmv(
        named::csr(),
        expect![[r#"
        kernel y(
          i.size: index,
          j.size: index,
          A.pos1: read indices<u64>[i.size + 1],
          A.crd1: read indices<u64>,
          A.values: read values<f64>,
          x: read values<f64>[j.size],
          y: readwrite values<f64>[i.size],
        ) {
          // y(i) = A(i, j) * x(j)
          for i in 0..i.size parallel {
            var sum: f64 = f64(0.0)
            for A.p1 in A.pos1[i]..A.pos1[i + 1] {
              let j = A.crd1[A.p1]
              sum = sum + A.values[A.p1] * x[j]
            }
            y[i] = sum
          }
        }
    "#]],
    );
}

#[test]
fn csc_scatters_into_the_result() {
    spmv(
        named::csc(),
        expect![[r#"
        kernel y(
          i.size: index,
          j.size: index,
          y: readwrite values<f64>[i.size],
          A.pos1: read indices<u64>[j.size + 1],
          A.crd1: read indices<u64>,
          A.values: read values<f64>,
          x: read values<f64>[j.size],
        ) {
          // y(i) = A(i, j) * x(j)
          for at in 0..i.size parallel {
            y[at] = f64(0.0)
          }
          for j in 0..j.size {
            for A.p1 in A.pos1[j]..A.pos1[j + 1] {
              let i = A.crd1[A.p1]
              y[i] = y[i] + A.values[A.p1] * x[j]
            }
          }
        }
    "#]],
    );
}

#[test]
fn coo_is_one_loop() {
    spmv(
        named::coo(2),
        expect![[r#"
            kernel y(
              i.size: index,
              y.parts: index,
              j.size: index,
              y: readwrite values<f64>[i.size],
              A.pos0: read indices<u64>[2],
              A.crd0: read indices<u64>,
              A.cuts: read indices<u64>[y.parts + 1],
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
              x: read values<f64>[j.size],
            ) {
              // y(i) = A(i, j) * x(j)
              for at in 0..i.size parallel {
                y[at] = f64(0.0)
              }
              for part in 0..y.parts parallel {
                var last: f64 = f64(0.0)
                var last.at = -1
                for A.p0 in A.cuts[part]..A.cuts[part + 1] {
                  let i = A.crd0[A.p0]
                  let j = A.crd1[A.p0]
                  last = select(i == last.at, last, y[i]) + A.values[A.p0] * x[j]
                  last.at = i
                  y[i] = last
                }
              }
            }
        "#]],
    );
}

#[test]
fn blocks_over_the_edge_are_guarded() {
    spmv(
        Some(bsr()),
        expect![[r#"
            kernel y(
              i.size: index,
              j.size: index,
              y: readwrite values<f64>[i.size],
              A.pos1: read indices<u64>[(i.size + 1) / 2 + 1],
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
              x: read values<f64>[j.size],
            ) {
              // y(i) = A(i, j) * x(j)
              for at in 0..i.size parallel {
                y[at] = f64(0.0)
              }
              for i.outer in 0..(i.size + 1) / 2 parallel {
                for A.p1 in A.pos1[i.outer]..A.pos1[i.outer + 1] {
                  let j.outer = A.crd1[A.p1]
                  for i.inner in 0..2 {
                    let i = i.outer * 2 + i.inner
                    if i < i.size {
                      var sum: f64 = y[i]
                      for j.inner in 0..2 {
                        let j = j.outer * 2 + j.inner
                        sum = sum + A.values[(A.p1 * 2 + i.inner) * 2 + j.inner] * x[j]
                      }
                      y[i] = sum
                    }
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn spmm_runs_along_the_rows_of_the_result() {
    let tensors = vec![tensor("C", &[3, 5], None), tensor("A", &[3, 4], named::csr()), tensor("B", &[4, 5], None)];
    let product = binary(BinaryOp::Mul, load(1, &[0, 1]), load(2, &[1, 2]));
    check(
        tensors,
        access(0, &[0, 2]),
        product,
        expect![[r#"
            kernel C(
              i.size: index,
              k.size: index,
              j.size: index,
              C: readwrite values<f64>[i.size * k.size],
              A.pos1: read indices<u64>[i.size + 1],
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
              B: read values<f64>[j.size * k.size],
            ) {
              // C(i, k) = A(i, j) * B(j, k)
              for i in 0..i.size parallel {
                for k in 0..k.size {
                  C[i * k.size + k] = f64(0.0)
                }
                for A.p1 in A.pos1[i]..A.pos1[i + 1] {
                  let j = A.crd1[A.p1]
                  let A.value: f64 = A.values[A.p1]
                  for k_1 in 0..k.size {
                    C[i * k.size + k_1] = C[i * k.size + k_1] + A.value * B[j * k.size + k_1]
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn terms_that_visit_every_coordinate_start_the_sum() {
    let tensors = vec![tensor("y", &[3], None), tensor("A", &[3, 4], named::csr()), tensor("c", &[3], None)];
    let sum = binary(BinaryOp::Sub, load(2, &[0]), load(1, &[0, 1]));
    check(
        tensors,
        access(0, &[0]),
        sum,
        expect![[r#"
            kernel y(
              i.size: index,
              c: read values<f64>[i.size],
              A.pos1: read indices<u64>[i.size + 1],
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
              y: readwrite values<f64>[i.size],
            ) {
              // y(i) = c(i) - A(i, j)
              for i in 0..i.size parallel {
                var sum: f64 = c[i]
                for A.p1 in A.pos1[i]..A.pos1[i + 1] {
                  let j = A.crd1[A.p1]
                  sum = sum - A.values[A.p1]
                }
                y[i] = sum
              }
            }
        "#]],
    );
}

#[test]
fn a_maximum_is_taken_over_a_dense_copy() {
    let tensors = vec![tensor("y", &[3], None), tensor("A", &[3, 4], named::dcsr())];
    let max = Expr::reduce(ReduceOp::Max, vec![IndexVar::new(1)], *load(1, &[0, 1]));
    check(
        tensors,
        access(0, &[0]),
        Box::new(max),
        expect![[r#"
            kernel y(
              i.size: index,
              j.size: index,
              y: readwrite values<f64>[i.size],
              A.pos0: read indices<u64>[2],
              A.crd0: read indices<u64>,
              A.pos1: read indices<u64>,
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
            ) {
              // y(i) = max(j, A(i, j))
              for at in 0..i.size parallel {
                y[at] = f64(0.0)
              }
              for A.p0 in A.pos0[0]..A.pos0[1] parallel {
                let i = A.crd0[A.p0]
                var max_: f64 = f64(-inf)
                var terms = 0
                for A.p1 in A.pos1[A.p0]..A.pos1[A.p0 + 1] {
                  let j = A.crd1[A.p1]
                  max_ = max(max_, A.values[A.p1])
                  terms = terms + 1
                }
                if terms < j.size {
                  max_ = max(max_, f64(0.0))
                }
                y[i] = max_
              }
            }
        "#]],
    );
}

#[test]
fn a_maximum_of_rows_counts_their_entries() {
    let tensors = vec![tensor("y", &[3], None), tensor("A", &[3, 4], named::csr())];
    let max = Expr::reduce(ReduceOp::Max, vec![IndexVar::new(1)], *load(1, &[0, 1]));
    check(
        tensors,
        access(0, &[0]),
        Box::new(max),
        expect![[r#"
            kernel y(
              i.size: index,
              j.size: index,
              A.pos1: read indices<u64>[i.size + 1],
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
              y: readwrite values<f64>[i.size],
            ) {
              // y(i) = max(j, A(i, j))
              for i in 0..i.size parallel {
                var max_: f64 = f64(-inf)
                var terms = 0
                for A.p1 in A.pos1[i]..A.pos1[i + 1] {
                  let j = A.crd1[A.p1]
                  max_ = max(max_, A.values[A.p1])
                  terms = terms + 1
                }
                if terms < j.size {
                  max_ = max(max_, f64(0.0))
                }
                y[i] = max_
              }
            }
        "#]],
    );
}

#[test]
fn a_scalar_is_summed_in_a_register() {
    let tensors = vec![tensor("s", &[], None), tensor("A", &[3, 4], named::csf(2))];
    check(
        tensors,
        access(0, &[]),
        load(1, &[0, 1]),
        expect![[r#"
            kernel s(
              A.pos0: read indices<u64>[2],
              A.crd0: read indices<u64>,
              A.pos1: read indices<u64>,
              A.crd1: read indices<u64>,
              A.values: read values<f64>,
              s: readwrite values<f64>[1],
            ) {
              // s = A(i, j)
              var sum: f64 = f64(0.0)
              for A.p0 in A.pos0[0]..A.pos0[1] {
                let i = A.crd0[A.p0]
                for A.p1 in A.pos1[A.p0]..A.pos1[A.p0 + 1] {
                  let j = A.crd1[A.p1]
                  sum = sum + A.values[A.p1]
                }
              }
              s[0] = sum
            }
        "#]],
    );
}

#[test]
fn the_diagonal_is_a_guard() {
    let tensors = vec![tensor("y", &[4], None), tensor("A", &[4, 4], named::csr())];
    check(
        tensors,
        access(0, &[0]),
        load(1, &[0, 0]),
        expect![[r#"
        kernel y(
          i.size: index,
          A.pos1: read indices<u64>[i.size + 1],
          A.crd1: read indices<u64>,
          A.values: read values<f64>,
          y: readwrite values<f64>[i.size],
        ) {
          // y(i) = A(i, i)
          for i in 0..i.size parallel {
            var sum: f64 = f64(0.0)
            for A.p1 in A.pos1[i]..A.pos1[i + 1] {
              let i_1 = A.crd1[A.p1]
              if i_1 == i {
                sum = sum + A.values[A.p1]
              }
            }
            y[i] = sum
          }
        }
    "#]],
    );
}
