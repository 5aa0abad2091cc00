//! Functions of stages II and III compute what those of stage I compute that they come from, and are read as they are
//! printed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use data::{Csr, Draws, arrays, floats, ints, number};
use nnz_base::{arrays::Values, ids::FileId, source::Source};
use nnz_stages::{
    Array, Limits,
    lower::{to_stage_three, to_stage_two},
    run,
};
use nnz_tir::{
    model::{Function, Stage},
    print::{Spelling, print},
    script,
};

const PRODUCTS: &str = include_str!("../../../tests/suite/tir/scripts/products.py");
const NESTED: &str = include_str!("../../../tests/suite/tir/scripts/nested.py");

fn function(text: &str, name: &str) -> Function {
    let script = script(&Source::new(FileId(0), "case.py", text));
    assert!(!script.has_errors(), "{:?}\n{text}", script.diagnostics);
    script.function(name).unwrap().clone()
}

/// All stages give the same, and are printed and read.
fn agree(text: &str, name: &str, given: Vec<(&str, Array)>) -> Function {
    let first = function(text, name);
    let second = to_stage_two(&first).unwrap_or_else(|told| panic!("{told:?}"));
    assert_eq!(second.stage(), Some(Stage::II));
    let printed = print([&second], Spelling::Rfc);
    assert_eq!(function(&printed, name), second, "{printed}");
    assert!(!printed.contains("T.sp.iteration("), "{printed}");
    let arrays = arrays(given);
    let (one, two) = (run(&first, &arrays, Limits::default()), run(&second, &arrays, Limits::default()));
    let wanted = one.unwrap();
    assert_eq!(wanted, two.unwrap_or_else(|told| panic!("{told:?}\n{printed}")), "{printed}");
    let third = to_stage_three(&second).unwrap_or_else(|told| panic!("{told:?}\n{printed}"));
    let printed = print([&third], Spelling::Rfc);
    assert_eq!((function(&printed, name), third.stage()), (third.clone(), Some(Stage::III)), "{printed}");
    assert!(!printed.contains("T.sp."), "{printed}");
    let three = run(&third, &arrays, Limits::default()).unwrap_or_else(|told| panic!("{told:?}\n{printed}"));
    assert_eq!(wanted, three, "{printed}");
    second
}

fn structure(matrix: &Csr) -> Vec<(&'static str, Array)> {
    vec![
        ("a", floats(matrix.values.clone())),
        ("p", ints(matrix.starts.clone())),
        ("q", ints(matrix.coordinates.clone())),
        ("n", number(matrix.rows)),
        ("m", number(matrix.columns)),
        ("nnz", number(matrix.count())),
    ]
}

#[test]
fn products() {
    for seed in 0..6 {
        let mut draws = Draws(seed);
        let (matrix, width) = (Csr::drawn(&mut draws, 3 + seed as usize, 6), 3);
        let dense = floats(draws.values(6 * width));
        let shared = vec![
            ("indptr", ints(matrix.starts.clone())),
            ("indices", ints(matrix.coordinates.clone())),
            ("b", dense),
            ("width", number(width)),
        ];
        let own = vec![
            ("a", floats(matrix.values.clone())),
            ("c", floats(vec![5.0; matrix.rows * width])),
            ("rows", number(matrix.rows)),
            ("columns", number(6)),
            ("nnz", number(matrix.count())),
        ];
        agree(PRODUCTS, "csr_times_dense", [shared.clone(), own].concat());
        let blocks = vec![
            ("a", floats(draws.values(matrix.count() * 4))),
            ("b", floats(draws.values(12 * width))),
            ("nb", number(matrix.rows)),
            ("mb", number(6)),
            ("nnzb", number(matrix.count())),
            ("size", number(2)),
        ];
        let shared = shared.into_iter().filter(|(name, _)| *name != "b");
        agree(PRODUCTS, "blocks_times_dense", shared.chain(blocks).collect());
        let coordinates = (0..matrix.rows as i32).flat_map(|row| [row % 3, row % 3 + 2]).collect();
        let each = vec![
            ("a", floats(draws.values(matrix.rows * 2))),
            ("b", floats(draws.values(6 * width))),
            ("indices", ints(coordinates)),
            ("rows", number(matrix.rows)),
            ("columns", number(6)),
            ("per_row", number(2)),
            ("width", number(width)),
        ];
        agree(PRODUCTS, "ell_times_dense", each);
    }
}

#[test]
fn nested_and_attached_iterations() {
    let matrix = Csr::drawn(&mut Draws(3), 7, 7);
    let given = structure(&matrix).into_iter().map(|(name, array)| (if name == "q" { "c" } else { name }, array));
    let lowered = agree(NESTED, "rows_by_sums", given.collect());
    let printed = print([&lowered], Spelling::Rfc);
    for block in ["\"rows0\"", "\"largest_init0\"", "\"largest0\"", "\"total0\"", "\"divided0\""] {
        assert!(printed.contains(&format!("T.block({block})")), "{block} is missing in\n{printed}");
    }
    let (there, back) = (Csr::drawn(&mut Draws(4), 5, 6), Csr::drawn(&mut Draws(5), 6, 5));
    let text = NESTED.replace("compressed_varied(E, (n, nnz)", "compressed_varied(E, (n, nnz2)");
    let text = text.replace("nnz: T.int32, width: T.int32", "nnz: T.int32, width: T.int32, nnz2: T.int32");
    let given = vec![
        ("x", floats(Draws(6).values(10))),
        ("p", ints(there.starts.clone())),
        ("c", ints(there.coordinates.clone())),
        ("pt", ints(back.starts.clone())),
        ("ct", ints(back.coordinates.clone())),
        ("n", number(5)),
        ("m", number(6)),
        ("nnz", number(there.count())),
        ("nnz2", number(back.count())),
        ("width", number(2)),
    ];
    agree(&text, "gathered", given);
}

/// A function over `A` in CSR, with `X` over rows, `Z` over columns and `Y` at the stored places.
fn over_csr(iteration: &str) -> String {
    format!(
        "from tvm.script import tir as T\n@T.prim_func\ndef f(a: T.handle, x: T.handle, z: T.handle, y: T.handle, p: T.handle, \
         q: T.handle, n: T.int32, m: T.int32, nnz: T.int32):\n    T.func_attr({{\"sparse_tir_level\": 2}})\n    \
         I = T.sp.dense_fixed(n)\n    J = T.sp.compressed_varied(I, (m, nnz), (p, q))\n    JD = T.sp.dense_fixed(m)\n    \
         A = T.sp.match_buffer(a, [I, J])\n    X = T.sp.match_buffer(x, [I])\n    Z = T.sp.match_buffer(z, [JD])\n    \
         Y = T.sp.match_buffer(y, [I, J])\n    {iteration}\n"
    )
}

fn given(matrix: &Csr) -> Vec<(&'static str, Array)> {
    let own = [
        ("x", floats(Draws(1).values(matrix.rows))),
        ("z", floats(Draws(2).values(matrix.columns))),
        ("y", floats(vec![1.0; matrix.count()])),
    ];
    structure(matrix).into_iter().chain(own).collect()
}

#[test]
fn coordinates_are_values_too() {
    let matrix = Csr::drawn(&mut Draws(7), 6, 5);
    let bodies = [
        "Y[i, j] = A[i, j] * X[i] * Z[j]",
        "Y[i, j] = A[i, j] + T.cast(i * 10 + j, \"float32\")",
        "if j > i:\n            w = j - i\n            Y[i, j] = Z[w] + 1.0\n        else:\n            Y[i, j] = 0.0",
        "for k in T.serial(j):\n            Y[i, j] = Y[i, j] + Z[k] * 2.0",
        "t = T.if_then_else(j == 2, Z[m - 1 - j], X[n - 1 - i])\n        Y[i, j] = T.max(t, A[i, j])",
    ];
    for body in bodies {
        let text = over_csr(&format!("with T.sp.iteration([I, J], \"SS\", \"f\") as [i, j]:\n        {body}"));
        agree(&text, "f", given(&matrix));
    }
    let fused = "with T.sp.iteration([T.sp.fuse(I, J)], \"SS\", \"f\") as [i, j]:\n        Y[i, j] = A[i, j] * Z[j]";
    let printed = print([&agree(&over_csr(fused), "f", given(&matrix))], Spelling::Rfc);
    assert!(printed.contains("for j in T.serial(nnz):"), "one loop over all positions:\n{printed}");
}

#[test]
fn rows_without_entries_are_initialized() {
    let matrix = Csr::drawn(&mut Draws(8), 6, 4);
    let iteration = "with T.sp.iteration([I, J], \"SR\", \"f\") as [i, j]:\n        with T.init():\n            X[i] = 3.0\n        \
                     X[i] = X[i] + A[i, j]";
    agree(&over_csr(iteration), "f", given(&matrix));
}

/// The texts of stages II and III of a search: a loop that halves what is left, and a guard.
#[test]
fn other_coordinates_are_searched_for() {
    let matrix = Csr::drawn(&mut Draws(11), 6, 5);
    let lowered = |iteration: &str| print([&agree(&over_csr(iteration), "f", given(&matrix))], Spelling::Rfc);
    let dense = lowered("with T.sp.iteration([I, JD], \"SS\", \"f\") as [i, j]:\n        Y[i, j] = A[i, j] * 2.0");
    for part in
        ["while low_0[0] < high_0[0]:", "if mid_0[0] >= 0:", "Y[vi, mid_0[0]] = A[vi, mid_0[0]] * T.float32(2.0)"]
    {
        assert!(dense.contains(part), "{part} is missing in\n{dense}");
    }
    assert_eq!(dense.matches("while").count(), 1, "one search for both elements:\n{dense}");
    let fused = lowered("with T.sp.iteration([T.sp.fuse(I, J)], \"SS\", \"f\") as [i, j]:\n        Y[i, j] = X[i]");
    assert!(fused.contains("while high_0[0] - low_0[0] > 1:"), "{fused}");
    assert!(fused.contains("Y[vi, vj] = X[low_0[0]]"), "{fused}");
}

#[test]
fn spatial_iterators_below_reductions_are_initialized_first() {
    let matrix = Csr::drawn(&mut Draws(12), 6, 4);
    let sums = "with T.sp.iteration([I, J], \"RS\", \"f\") as [i, j]:\n        with T.init():\n            Z[j] = 0.0\n        \
                Z[j] = Z[j] + A[i, j]";
    let mut wanted = vec![0.0; matrix.columns];
    matrix.entries().for_each(|(_, column, value)| wanted[column] += value);
    let given = given(&matrix);
    let found = run(&function(&over_csr(sums), "f"), &arrays(given.clone()), Limits::default()).unwrap();
    let Values::F32(found) = &found["z"].values else { panic!("{found:?}") };
    let stored = |column: &usize| matrix.entries().any(|(_, other, _)| other == *column);
    assert!((0..matrix.columns).filter(stored).all(|column| found[column] == wanted[column]), "{found:?} {wanted:?}");
    agree(&over_csr(sums), "f", given);
}

#[test]
fn conditions_and_regions_of_the_text() {
    let matrix = Csr::drawn(&mut Draws(13), 6, 5);
    let of = |body: &str| over_csr(&format!("with T.sp.iteration([I, JD], \"SS\", \"f\") as [i, j]:\n        {body}"));
    let bodies = [
        "with T.block(\"own\"):\n            vi = T.axis.spatial(n, i)\n            T.reads(A[vi, j])\n            T.writes(Z[j])\n            \
         Z[j] = A[vi, j]",
        "w = T.alloc_buffer([1], \"int32\")\n        w[0] = 0\n        while A[i, w[0]] * 0.0 + T.cast(w[0], \"float32\") < 3.0:\n            \
         w[0] = w[0] + 1\n        Z[j] = T.cast(w[0], \"float32\")",
        "if A[i, j] > 0.0:\n            Z[j] += A[i, j]\n        else:\n            Z[j] += T.if_then_else(j > 0, A[i, j - 1], X[i])",
        "for k in T.serial(m):\n            Z[j] += A[i, k] * Z[k]",
    ];
    for body in bodies {
        agree(&of(body), "f", given(&matrix));
    }
    let refused = of(
        "with T.block(\"own\"):\n            vi = T.axis.spatial(n, i)\n            T.where(A[vi, j] > 0.0)\n            Z[j] = 1.0",
    );
    let told = to_stage_two(&function(&refused, "f")).unwrap_err();
    assert_eq!(told.message, "a search within `T.where` is not lowered");
}

/// Variables of blocks have names of their own.
#[test]
fn coordinates_may_be_called_like_variables_of_blocks() {
    let matrix = Csr::drawn(&mut Draws(14), 6, 5);
    let body = "with T.sp.iteration([I, J], \"SS\", \"f\") as [i, vi]:\n        Y[i, vi] = A[i, vi] * X[i] + Z[vi]";
    agree(&over_csr(body), "f", given(&matrix));
}

/// A text of stage II may write any positions: what lies outside is an error, and nothing panics.
#[test]
fn positions_outside_of_a_buffer_are_told() {
    let matrix = Csr::drawn(&mut Draws(9), 4, 4);
    let second = to_stage_two(&function(
        &over_csr("with T.sp.iteration([I, J], \"SS\", \"f\") as [i, j]:\n        Y[i, j] = A[i, j]"),
        "f",
    ));
    let printed = print([&second.unwrap()], Spelling::Rfc);
    for (from, to) in
        [("A[vi, vj]", "A[vi + 1000, vj]"), ("A[vi, vj]", "A[vi, vj + 2000000000]"), ("Y[vi, vj] =", "Y[vi, vj - 9] =")]
    {
        let text = printed.replace(from, to);
        assert_ne!(text, printed);
        let ran = run(&function(&text, "f"), &arrays(given(&matrix)), Limits::default());
        // A store outside does nothing, as one at a coordinate that is not stored.
        assert!(ran.is_err() || to.starts_with('Y'), "{to}: {ran:?}");
    }
}
