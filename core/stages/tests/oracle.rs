//! Functions of stage I compute what dense loops compute.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use data::{Csr, Draws, arrays, floats, ints, number};
use nnz_base::{arrays::Values, diagnostic::Diagnostic, ids::FileId, source::Source};
use nnz_stages::{Array, Arrays, Limits, run};
use nnz_tir::script;

fn ran(text: &str, name: &str, given: Vec<(&str, Array)>) -> Result<Arrays, Box<Diagnostic>> {
    let script = script(&Source::new(FileId(0), "case.py", text));
    assert!(!script.has_errors(), "{:?}", script.diagnostics);
    run(script.function(name).unwrap(), &arrays(given), Limits::default())
}

fn result(text: &str, name: &str, given: Vec<(&str, Array)>, of: &str) -> Vec<f32> {
    match ran(text, name, given).unwrap().remove(of).unwrap().values {
        Values::F32(values) => values,
        other => panic!("{other:?}"),
    }
}

const PRODUCTS: &str = include_str!("../../../tests/suite/tir/scripts/products.py");
const NESTED: &str = include_str!("../../../tests/suite/tir/scripts/nested.py");

#[test]
fn csr_times_dense() {
    let mut draws = Draws(1);
    let (matrix, width) = (Csr::drawn(&mut draws, 9, 7), 5);
    let dense = draws.values(matrix.columns * width);
    let mut wanted = vec![0.0; matrix.rows * width];
    for (row, column, value) in matrix.entries() {
        (0..width).for_each(|k| wanted[row * width + k] += value * dense[column * width + k]);
    }
    let given = vec![
        ("a", floats(matrix.values.clone())),
        ("b", floats(dense)),
        // Rows without entries are initialized, too.
        ("c", floats(vec![77.0; matrix.rows * width])),
        ("indptr", ints(matrix.starts.clone())),
        ("J_indices", ints(matrix.coordinates.clone())),
        ("rows", number(matrix.rows)),
        ("columns", number(matrix.columns)),
        ("width", number(width)),
        ("nnz", number(matrix.count())),
    ];
    assert_eq!(result(PRODUCTS, "csr_times_dense", given, "c"), wanted);
}

#[test]
fn blocks_times_dense() {
    let mut draws = Draws(2);
    let (blocks, size, width) = (Csr::drawn(&mut draws, 4, 3), 2, 3);
    let values = draws.values(blocks.count() * size * size);
    let dense = draws.values(blocks.columns * size * width);
    let mut wanted = vec![0.0; blocks.rows * size * width];
    for (at, (row, column, _)) in blocks.entries().enumerate() {
        for (ii, ji, k) in (0..size * size * width).map(|n| (n / size / width, n / width % size, n % width)) {
            let value = values[at * size * size + ii * size + ji];
            wanted[(row * size + ii) * width + k] += value * dense[(column * size + ji) * width + k];
        }
    }
    let given = vec![
        ("a", floats(values)),
        ("b", floats(dense)),
        ("indptr", ints(blocks.starts.clone())),
        ("indices", ints(blocks.coordinates.clone())),
        ("nb", number(blocks.rows)),
        ("mb", number(blocks.columns)),
        ("nnzb", number(blocks.count())),
        ("size", number(size)),
        ("width", number(width)),
    ];
    assert_eq!(result(PRODUCTS, "blocks_times_dense", given, "c"), wanted);
}

#[test]
fn ell_times_dense() {
    let mut draws = Draws(3);
    let (rows, columns, each, width) = (6, 5, 2, 3);
    let coordinates: Vec<i32> = (0..rows).flat_map(|row| [row % 2, row % 2 + 1 + row % 3]).collect();
    let (values, dense) = (draws.values(rows as usize * each), draws.values(columns * width));
    let mut wanted = vec![0.0; rows as usize * width];
    for (at, column) in coordinates.iter().enumerate() {
        for k in 0..width {
            wanted[at / each * width + k] += values[at] * dense[*column as usize * width + k];
        }
    }
    let given = vec![
        ("a", floats(values)),
        ("b", floats(dense)),
        ("indices", ints(coordinates)),
        ("rows", number(rows as usize)),
        ("columns", number(columns)),
        ("per_row", number(each)),
        ("width", number(width)),
    ];
    assert_eq!(result(PRODUCTS, "ell_times_dense", given, "c"), wanted);
}

/// A function over a matrix `A` in CSR, and dense iterators `JD` and `K`.
fn over_csr(buffers: &str, iteration: &str) -> String {
    format!(
        "from tvm.script import tir as T\n@T.prim_func\ndef f(a: T.handle, x: T.handle, y: T.handle, z: T.handle, p: T.handle, \
         q: T.handle, n: T.int32, m: T.int32, k: T.int32, nnz: T.int32):\n    T.func_attr({{\"sparse_tir_level\": 2}})\n    \
         I = T.sp.dense_fixed(n)\n    J = T.sp.compressed_varied(I, (m, nnz), (p, q))\n    R = T.sp.dense_varied(I, (m, nnz), p)\n    \
         JD = T.sp.dense_fixed(m)\n    K = T.sp.dense_fixed(k)\n    A = T.sp.match_buffer(a, [I, J], default_value=0.5)\n    \
         {buffers}\n    {iteration}\n"
    )
}

fn given(matrix: &Csr, more: Vec<(&'static str, Array)>) -> Vec<(&'static str, Array)> {
    let own = vec![
        ("a", floats(matrix.values.clone())),
        ("p", ints(matrix.starts.clone())),
        ("q", ints(matrix.coordinates.clone())),
        ("n", number(matrix.rows)),
        ("m", number(matrix.columns)),
        ("k", number(4)),
        ("nnz", number(matrix.count())),
    ];
    own.into_iter().chain(more).collect()
}

#[test]
fn sampled_products_fused_or_not() {
    let mut draws = Draws(4);
    let matrix = Csr::drawn(&mut draws, 8, 6);
    let (x, z) = (draws.values(matrix.rows * 4), draws.values(4 * matrix.columns));
    let dot = |row: usize, column: usize| (0..4).map(|k| x[row * 4 + k] * z[k * matrix.columns + column]).sum::<f32>();
    let wanted: Vec<f32> = matrix.entries().map(|(row, column, value)| value * dot(row, column)).collect();
    let buffers =
        "X = T.sp.match_buffer(x, [I, K])\n    Y = T.sp.match_buffer(y, [I, J])\n    Z = T.sp.match_buffer(z, [K, JD])";
    for (list, names) in [("[I, J, K]", "[i, j, k]"), ("[T.sp.fuse(I, J), K]", "[i, j, k]")] {
        let iteration = format!(
            "with T.sp.iteration({list}, \"SSR\", \"f\") as {names}:\n        with T.init():\n            Y[i, j] = 0.0\n        \
             Y[i, j] += A[i, j] * X[i, k] * Z[k, j]"
        );
        let arrays = given(&matrix, vec![("x", floats(x.clone())), ("z", floats(z.clone()))]);
        assert_eq!(result(&over_csr(buffers, &iteration), "f", arrays, "y"), wanted, "{list}");
    }
}

#[test]
fn rows_of_any_length_are_summed() {
    let mut draws = Draws(5);
    let matrix = Csr::drawn(&mut draws, 10, 6);
    let mut wanted = vec![0.0; matrix.rows];
    matrix.entries().for_each(|(row, _, value)| wanted[row] += value);
    let buffers = "X = T.sp.match_buffer(x, [I, R])\n    Y = T.sp.match_buffer(y, [I])";
    let iteration = "with T.sp.iteration([I, R], \"SR\", \"f\") as [i, r]:\n        with T.init():\n            Y[i] = 0.0\n        \
                     Y[i] = Y[i] + X[i, r]";
    let arrays = given(&matrix, vec![("x", floats(matrix.values.clone()))]);
    assert_eq!(result(&over_csr(buffers, iteration), "f", arrays, "y"), wanted);
}

#[test]
fn what_is_not_stored_reads_as_the_default_and_is_not_written() {
    let mut draws = Draws(6);
    let matrix = Csr::drawn(&mut draws, 7, 5);
    let mut dense = vec![0.5; matrix.rows * matrix.columns];
    matrix.entries().for_each(|(row, column, value)| dense[row * matrix.columns + column] = value);
    let buffers = "Y = T.sp.match_buffer(y, [I, JD])\n    Z = T.sp.match_buffer(z, [I, J])";
    let iteration = "with T.sp.iteration([I, JD], \"SS\", \"f\") as [i, j]:\n        Y[i, j] = A[i, j]\n        Z[i, j] = A[i, j] * 2.0";
    let text = over_csr(buffers, iteration);
    let mut results = ran(&text, "f", given(&matrix, Vec::new())).unwrap();
    let twice: Vec<f32> = matrix.values.iter().map(|value| value * 2.0).collect();
    assert_eq!(results.remove("y").unwrap(), Array { shape: vec![7, 5], ..floats(dense) });
    assert_eq!(results.remove("z").unwrap(), floats(twice));
    assert!(results.is_empty());
}

#[test]
fn every_row_becomes_a_distribution() {
    let mut draws = Draws(7);
    let matrix = Csr::drawn(&mut draws, 6, 6);
    let given = given(&matrix, Vec::new());
    let given = given.into_iter().map(|(name, array)| (if name == "q" { "c" } else { name }, array)).collect();
    let values = result(NESTED, "rows_by_sums", given, "y");
    for row in 0..matrix.rows {
        let range = matrix.starts[row] as usize..matrix.starts[row + 1] as usize;
        let (own, sums) = (&matrix.values[range.clone()], &values[range]);
        let all: f32 = own.iter().map(|value| value.exp()).sum();
        own.iter().zip(sums).for_each(|(value, found)| assert!((value.exp() / all - found).abs() < 1e-5));
        assert!(own.is_empty() || (sums.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn attached_iterators_follow_coordinates() {
    let mut draws = Draws(8);
    let (there, back, width) = (Csr::drawn(&mut draws, 5, 4), Csr::drawn(&mut draws, 4, 5), 3);
    let x = draws.values(5 * width);
    let mut wanted = vec![0.0; 5 * width];
    for (row, edge, _) in there.entries() {
        for (_, other, _) in back.entries().filter(|(of, ..)| *of == edge) {
            (0..width).for_each(|f| wanted[row * width + f] += x[other * width + f]);
        }
    }
    let text = NESTED.replace("compressed_varied(E, (n, nnz)", "compressed_varied(E, (n, nnz2)");
    let text = text.replace("nnz: T.int32, width: T.int32", "nnz: T.int32, width: T.int32, nnz2: T.int32");
    let given = vec![
        ("x", floats(x)),
        ("p", ints(there.starts.clone())),
        ("c", ints(there.coordinates.clone())),
        ("pt", ints(back.starts.clone())),
        ("ct", ints(back.coordinates.clone())),
        ("n", number(5)),
        ("m", number(4)),
        ("nnz", number(there.count())),
        ("nnz2", number(back.count())),
        ("width", number(width)),
    ];
    assert_eq!(result(&text, "gathered", given, "y"), wanted);
}

#[test]
fn arrays_that_do_not_fit_are_told() {
    let matrix = Csr::drawn(&mut Draws(9), 6, 12);
    let text = over_csr(
        "Y = T.sp.match_buffer(y, [I, J])",
        "with T.sp.iteration([I, J], \"SS\", \"f\") as [i, j]:\n        Y[i, j] = A[i, j]",
    );
    let with = |name: &'static str, array: Array| {
        let mut all = given(&matrix, Vec::new());
        all.retain(|(known, _)| *known != name);
        all.push((name, array));
        ran(&text, "f", all).unwrap_err().message
    };
    let count = matrix.count();
    let starts = |change: &dyn Fn(&mut Vec<i32>)| {
        let mut starts = matrix.starts.clone();
        change(&mut starts);
        ints(starts)
    };
    assert_eq!(
        with("p", starts(&|starts| starts[0] = 1)),
        "`p`: it begins with 1, not with 0: a part of a larger array begins elsewhere"
    );
    assert!(with("p", starts(&|starts| starts[2] = -1)).contains("no positions"), "negative");
    assert!(with("p", starts(&|starts| starts[1] = starts[2] + 1)).contains("falls from"), "it falls");
    assert!(with("p", starts(&|starts| starts.truncate(6))).contains("6 numbers, and 7 are wanted"), "one is missing");
    assert!(with("nnz", number(count + 1)).contains(&format!("it ends with {count}, and the count is {}", count + 1)));
    let mut coordinates = matrix.coordinates.clone();
    coordinates[0] = 12;
    assert!(with("q", ints(coordinates.clone())).contains("the coordinate 12 at position 0 is none of 12"));
    coordinates[0] = coordinates[1];
    assert!(with("q", ints(coordinates)).contains("before"), "not ascending");
    assert!(with("a", floats(vec![1.0])).contains(&format!("`a` has 1 elements, and {count} are wanted")));
    assert!(with("a", ints(vec![1; count])).contains("`a` is of type `int32`, and `float32` is wanted"));
    assert!(with("n", floats(vec![1.5])).contains("`n` is one number of type `int32`"));
}

#[test]
fn faults_and_limits_stop_a_function() {
    let matrix = Csr::drawn(&mut Draws(10), 5, 9);
    let fails = |body: &str, steps: u64| {
        let text = over_csr(
            "Y = T.match_buffer(y, [4], \"float32\")",
            &format!("with T.sp.iteration([I, J], \"SS\", \"f\") as [i, j]:\n        {body}"),
        );
        let script = script(&Source::new(FileId(0), "case.py", text.as_str()));
        run(script.function("f").unwrap(), &arrays(given(&matrix, Vec::new())), Limits { steps }).unwrap_err().message
    };
    assert_eq!(fails("Y[i + 4] = A[i, j]", 1000), "`Y[4]` lies outside of the buffer");
    assert_eq!(fails("Y[1 // (i - i)] = A[i, j]", 1000), "a division by zero");
    assert_eq!(fails("assert i > 5, \"small\"\n        Y[0] = 1.0", 1000), "assertion failed: small");
    assert_eq!(fails("while i >= 0:\n            Y[0] = 1.0", 1000), "it takes too many steps");
}
