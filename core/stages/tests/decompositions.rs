//! Decomposed functions compute what the functions compute, whatever their parts are stored in.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use data::{Csr, Draws, arrays, floats, ints, number};
use nnz_backend::{FloatOrder, Target};
use nnz_base::{arrays::Values, diagnostic::Diagnostic, element::Element, ids::FileId, source::Source};
use nnz_stages::{
    Array, Arrays, Limits,
    compile::{Means, Ran, run_compiled},
    decompose::{decomposed, parted, without_copies},
    lower::{to_stage_three, to_stage_two},
    run,
};
use nnz_tir::{Script, model::Function, rules::ruled, script};

const SCRIPT: &str = include_str!("../../../tests/suite/tir/scripts/decomposed.py");

/// Rules that take all entries together.
const FORMATS: &[&str] = &[
    "[blocks(4)]",
    "[blocks(8), blocks(4), blocks(2)]",
    "[blocks(3), csr]",
    "[rows_of(1), rows_of(2), rows_of(4)]",
    "[rows_of(2)]",
    "hyb(3, 4, [1, 2])",
    "[whole_rows]",
    "[padded]",
    "[dcsr]",
    "[blocks(2), rows_of(2), csr]",
    "[csr, csr2]",
];

fn read(text: &str) -> Script {
    let script = script(&Source::new(FileId(0), "case.py", text));
    assert!(!script.has_errors(), "{:?}", script.diagnostics);
    script
}

/// The function after its decomposition, with the arrays for it.
fn parts(script: &Script, name: &str, given: &Arrays) -> Result<(Function, Arrays), Box<Diagnostic>> {
    let (function, decomposition) = (script.function(name).unwrap(), script.decompositions.first().unwrap());
    let rules = ruled(decomposition, function, &script.functions)?;
    let made = decomposed(function, &rules, true)?;
    Ok((without_copies(&made), parted(function, &rules, given)?))
}

fn text(function: &str, rules: &str) -> String {
    let again = "csr2 = FormatRewriteRule(\"more\", plain, [\"A\"], {\"I\": [\"I\"], \"J\": [\"J\"]}, lambda i, j: (i, j), lambda i, j: (i, j))";
    format!("{SCRIPT}\n{again}\nmod = format_decompose({function}, {rules})\n")
}

fn given(matrix: &Csr, more: Vec<(&'static str, Array)>) -> Arrays {
    let own = vec![
        ("a", floats(matrix.values.clone())),
        ("p", ints(matrix.starts.clone())),
        ("q", ints(matrix.coordinates.clone())),
        ("n", number(matrix.rows)),
        ("m", number(matrix.columns)),
        ("nnz", number(matrix.count())),
    ];
    arrays(own.into_iter().chain(more).collect())
}

fn floats_of(found: &Arrays, name: &str) -> Vec<f32> {
    match &found[name].values {
        Values::F32(values) => values.clone(),
        other => panic!("{other:?}"),
    }
}

/// What a decomposed function writes, the same at every stage and as machine code.
fn results(function: &Function, arrays: &Arrays, name: &str) -> Vec<f32> {
    let limits = Limits { steps: 5_000_000 };
    let first = floats_of(&run(function, arrays, limits).unwrap(), name);
    let second = to_stage_two(function).unwrap();
    let third = to_stage_three(&second).unwrap();
    assert_eq!(floats_of(&run(&second, arrays, limits).unwrap(), name), first, "stage II");
    assert_eq!(floats_of(&run(&third, arrays, limits).unwrap(), name), first, "stage III");
    let means = Means { target: Target::Cpu, is_brief: false, order: FloatOrder::Strict, threads: 2 };
    let Ran::As(found) = run_compiled(&third, arrays, limits, means).unwrap() else { panic!("not compiled") };
    assert_eq!(floats_of(&found, name), first, "machine code");
    first
}

fn agree(function: &str, rules: &str, (given, name, wanted): (&Arrays, &str, &[f32])) {
    let script = read(&text(function, rules));
    let (made, arrays) = parts(&script, function, given).unwrap_or_else(|told| panic!("{rules}: {told:?}"));
    assert_eq!(results(&made, &arrays, name), wanted, "{function} as {rules}");
}

#[test]
fn products_of_parts_add_up() {
    for (seed, rows, columns) in [(1, 13, 11), (3, 1, 9), (4, 6, 12)] {
        let mut draws = Draws(seed);
        let (matrix, width) = (Csr::drawn(&mut draws, rows, columns), 3);
        let (dense, vector) = (draws.values(columns * width), draws.values(columns));
        let (mut products, mut sums) = (vec![0.0; rows * width], vec![0.0; rows]);
        for (row, column, value) in matrix.entries() {
            (0..width).for_each(|k| products[row * width + k] += value * dense[column * width + k]);
            sums[row] += value * vector[column];
        }
        let of_spmm = given(&matrix, vec![("b", floats(dense)), ("w", number(width))]);
        let of_spmv = given(&matrix, vec![("x", floats(vector))]);
        for rules in FORMATS {
            agree("spmm", rules, (&of_spmm, "c", &products));
            agree("spmv", rules, (&of_spmv, "y", &sums));
        }
    }
}

#[test]
fn sampled_products_of_parts_add_up() {
    let mut draws = Draws(5);
    let (matrix, width) = (Csr::drawn(&mut draws, 10, 9), 2);
    let (x, z) = (draws.values(10 * width), draws.values(width * 9));
    let dot = |row: usize, column: usize| (0..width).map(|k| x[row * width + k] * z[k * 9 + column]).sum::<f32>();
    let wanted: Vec<f32> = matrix.entries().map(|(row, column, value)| value * dot(row, column)).collect();
    let given = given(&matrix, vec![("x", floats(x)), ("z", floats(z)), ("w", number(width))]);
    for rules in FORMATS {
        agree("sddmm", rules, (&given, "y", &wanted));
    }
}

#[test]
fn a_matrix_without_entries_has_empty_parts() {
    let matrix = Csr { rows: 5, columns: 4, starts: vec![0; 6], coordinates: Vec::new(), values: Vec::new() };
    let given = given(&matrix, vec![("x", floats(vec![1.0; 4]))]);
    for rules in FORMATS {
        agree("spmv", rules, (&given, "y", &[0.0; 5]));
    }
}

/// The structure of a part may be given; then its entries are those that are there.
#[test]
fn parts_that_are_given_stay_as_they_are() {
    let matrix = Csr {
        rows: 2,
        columns: 4,
        starts: vec![0, 3, 4],
        coordinates: vec![0, 1, 3, 2],
        values: vec![1.0, 2.0, 3.0, 4.0],
    };
    // The block (0, 0), and a row whose padding repeats the column 3.
    let of_block = [
        ("indptr_2", ints(vec![0, 1])),
        ("indices_2", ints(vec![0])),
        ("rows_2", number(1)),
        ("columns_2", number(2)),
        ("blocks_2", number(1)),
    ];
    let all = |more: Vec<(&'static str, Array)>| {
        given(&matrix, of_block.iter().cloned().chain([("x", floats(vec![1.0; 4]))]).chain(more).collect())
    };
    agree("spmv", "[blocks(2), rows_of(4)]", (&all(Vec::new()), "y", &[6.0, 4.0]));
    let fails = |more: Vec<(&'static str, Array)>| {
        let script = read(&text("spmv", "[blocks(2), rows_of(2)]"));
        parts(&script, "spmv", &all(more)).unwrap_err().message
    };
    let of_rows = |columns: Vec<i32>| {
        vec![
            ("indptr_ell2", ints(vec![0, 2])),
            ("rows_ell2", ints(vec![0, 1])),
            ("indices_ell2", ints(columns)),
            ("n_ell2", number(2)),
            ("m_ell2", number(4)),
            ("count_ell2", number(2)),
        ]
    };
    assert_eq!(fails(of_rows(vec![0, 3, 2, 2])), "the entry at (0, 0) is in two parts");
    assert_eq!(fails(of_rows(vec![3, 3, 3, 3])), "no rule takes the entry at (1, 2)");
    let script = read(&text("spmv", "[blocks(2), rows_of(2)]"));
    let (made, found) = parts(&script, "spmv", &all(of_rows(vec![3, 3, 2, 2]))).unwrap();
    assert_eq!(results(&made, &found, "y"), [6.0, 4.0]);
    assert_eq!(found["a_ell2"].element, Element::F32);
}

#[test]
fn entries_without_a_rule_are_told() {
    let matrix = Csr::drawn(&mut Draws(7), 9, 9);
    let given = given(&matrix, vec![("x", floats(vec![1.0; 9]))]);
    let fails = |rules: &str| {
        let script = read(&text("spmv", rules));
        parts(&script, "spmv", &given).unwrap_err().message
    };
    assert!(fails("hyb(2, 4, [2])").starts_with("no rule takes "), "the last column");
}

/// Only sums whose terms vanish with the entries are decomposed.
#[test]
fn what_is_no_sum_is_refused() {
    let refused = [
        ("Y[i] = A[i, j] * X[j]", "this is no sum: each part would write the element anew"),
        ("Y[i] = A[i, j] * X[j] - Y[i]", "this is no sum: each part would write the element anew"),
        (
            "Y[i] = Y[i] + T.exp(A[i, j])",
            "this term is not 0 where nothing is stored: the padding of a part would count",
        ),
        (
            "Y[i] = Y[i] + A[i, j] * X[j] + 1.0",
            "this term is not 0 where nothing is stored: the padding of a part would count",
        ),
        ("Y[i] = Y[i] + A[i, j + 1] * X[j]", "this element is not where the iteration is"),
        ("A[i, j] = A[i, j] + X[j]", "a decomposed buffer is written"),
        (
            "v = T.exp(X[j])\n        Y[i] = Y[i] + A[i, j] * v",
            "only sums are decomposed, and this is another statement",
        ),
        (
            "assert j >= 0, \"\"\n        Y[i] = Y[i] + A[i, j]",
            "only sums are decomposed, and this is another statement",
        ),
    ];
    for (body, wanted) in refused {
        let changed = text("spmv", "[blocks(2)]").replace("Y[i] = Y[i] + A[i, j] * X[j]", body);
        let script = read(&changed);
        assert_eq!(parts(&script, "spmv", &Arrays::new()).unwrap_err().message, wanted, "{body}");
    }
}

/// The copies in a decomposed function fill parts as a run does without them.
#[test]
fn copies_fill_parts() {
    let matrix = Csr::drawn(&mut Draws(8), 8, 8);
    let given = given(&matrix, vec![("x", floats(vec![2.0; 8]))]);
    let script = read(&text("spmv", "[blocks(2), csr]"));
    let function = script.function("spmv").unwrap();
    let rules = ruled(&script.decompositions[0], function, &script.functions).unwrap();
    let whole = decomposed(function, &rules, true).unwrap();
    let filled = parted(function, &rules, &given).unwrap();
    let mut empty = filled.clone();
    for name in ["a_2", "a_rest"] {
        empty.get_mut(name).unwrap().values = Values::zeros(Element::F32, filled[name].values.len());
    }
    for stage in [whole.clone(), to_stage_two(&whole).unwrap()] {
        let found = run(&stage, &empty, Limits::default()).unwrap();
        for name in ["a_2", "a_rest"] {
            assert!(filled[name].values.len() > 3, "{name} is empty");
            assert_eq!(found[name].values, filled[name].values, "{name}");
        }
    }
}
