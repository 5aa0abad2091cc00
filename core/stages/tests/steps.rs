//! Steps that copy buffers and divide sums: what they make computes the same, and what they cannot make is refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use data::{Csr, Draws, arrays, floats, ints, number};
use nnz_backend::{FloatOrder, Target};
use nnz_base::{arrays::Values, diagnostic::Diagnostic, ids::FileId, source::Source};
use nnz_stages::{
    Arrays, Limits,
    compile::{Means, Ran, run_compiled},
    run,
    schedule::scheduled,
};
use nnz_tir::{
    model::{Function, Stage},
    print::{Spelling, print},
    script,
};

const SPMM: &str = r#"from tvm.script import tir as T
from tvm import tir


@T.prim_func
def f(a: T.handle, b: T.handle, c: T.handle, p: T.handle, q: T.handle, n: T.int32, m: T.int32, w: T.int32, nnz: T.int32):
    T.func_attr({"sparse_tir_level": 2})
    I = T.sp.dense_fixed(n)
    J = T.sp.compressed_varied(I, (m, nnz), (p, q))
    JD = T.sp.dense_fixed(m)
    K = T.sp.dense_fixed(w)
    A = T.sp.match_buffer(a, [I, J])
    B = T.sp.match_buffer(b, [JD, K])
    C = T.sp.match_buffer(c, [I, K])
    with T.sp.iteration([I, J, K], "SRS", "spmm") as [i, j, k]:
        with T.init():
            C[i, k] = 0.0
        C[i, k] = C[i, k] + A[i, j] * B[j, k]


sch = tir.Schedule(f)
block = sch.get_block("spmm1")
(i,) = sch.get_loops(sch.get_block("spmm0"))
j, k = sch.get_loops(block)
"#;

/// A function of stage III with a sum that its block initializes.
const SUMS: &str = r#"from tvm.script import tir as T
from tvm import tir


@T.prim_func
def f(x: T.handle, y: T.handle, n: T.int32, m: T.int32):
    T.func_attr({"sparse_tir_level": 0})
    X = T.match_buffer(x, [n, m], "float32")
    Y = T.match_buffer(y, [n], "float32")
    for i, k in T.grid(n, m):
        with T.block("sums"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                Y[vi] = 5.0
            Y[vi] = Y[vi] + X[vi, vk]


sch = tir.Schedule(f)
block = sch.get_block("sums")
i, k = sch.get_loops(block)
"#;

fn at(text: &str, stage: Stage) -> Result<Function, Box<Diagnostic>> {
    let script = script(&Source::new(FileId(0), "case.py", text));
    assert!(!script.has_errors(), "{:?}", script.diagnostics);
    scheduled(script.function("f").unwrap(), &script.schedules[0], stage)
}

fn floats_of(found: &Arrays, name: &str) -> Vec<f32> {
    match &found[name].values {
        Values::F32(values) => values.clone(),
        other => panic!("{other:?}"),
    }
}

/// The steps change no result at stages II and III and as machine code; gives stage III.
fn same(text: &str, steps: &str, (given, name, wanted): (&Arrays, &str, &[f32])) -> String {
    let text = format!("{text}{steps}\n");
    let limits = Limits::default();
    let third = at(&text, Stage::III).unwrap_or_else(|told| panic!("{told:?}\n{steps}"));
    if !text.contains("_level\": 0") {
        let second = at(&text, Stage::II).unwrap();
        assert_eq!(floats_of(&run(&second, given, limits).unwrap(), name), wanted, "stage II: {steps}");
    }
    let shown = print([&third], Spelling::Rfc);
    assert_eq!(floats_of(&run(&third, given, limits).unwrap(), name), wanted, "{steps}\n{shown}");
    for target in [Target::Interpreter, Target::Cpu] {
        let means = Means { target, is_brief: false, order: FloatOrder::Strict, threads: 2 };
        match run_compiled(&third, given, limits, means).unwrap() {
            Ran::As(found) => assert_eq!(floats_of(&found, name), wanted, "{target:?}: {steps}\n{shown}"),
            Ran::Not(why) => panic!("{}: {steps}\n{shown}", why.why),
        }
    }
    shown
}

fn product() -> (Arrays, Vec<f32>) {
    let mut draws = Draws(3);
    let (matrix, width) = (Csr::drawn(&mut draws, 9, 7), 6);
    let dense = draws.values(matrix.columns * width);
    let mut wanted = vec![0.0; matrix.rows * width];
    for (row, column, value) in matrix.entries() {
        (0..width).for_each(|k| wanted[row * width + k] += value * dense[column * width + k]);
    }
    let given = vec![
        ("a", floats(matrix.values.clone())),
        ("b", floats(dense)),
        ("p", ints(matrix.starts.clone())),
        ("q", ints(matrix.coordinates.clone())),
        ("n", number(matrix.rows)),
        ("m", number(matrix.columns)),
        ("w", number(width)),
        ("nnz", number(matrix.count())),
    ];
    (arrays(given), wanted)
}

#[test]
fn steps_change_no_product() {
    let (given, wanted) = product();
    let steps = [
        "sch.cache_read(block, \"B\", \"shared\")",
        "sch.cache_write(block, 0, \"local\")",
        "sch.cache_read(block, \"B\", \"shared\")\nsch.cache_write(block, \"C\", \"local\")\nsch.parallel(i)\nsch.vectorize(k)",
        "copy = sch.cache_read(block, 1, \"shared\")\nx, y = sch.get_loops(copy)\nsch.parallel(x)\nsch.split(y, [None, 4])\n",
        "copy = sch.cache_read(block, \"B\", \"shared\")\nsch.compute_at(copy, i)",
        "o, t = sch.split(k, [None, 4])\ncopy = sch.cache_read(block, \"B\", \"shared\")\nsch.compute_at(copy, o)",
        "copy = sch.cache_write(block, \"C\", \"local\")\nsch.reverse_compute_at(copy, i)",
        "copy = sch.cache_write(block, \"C\", \"local\")\nsch.reverse_compute_at(copy, j)",
        "o, t = sch.split(i, [None, 4])\ncopy = sch.cache_write(block, \"C\", \"local\")\nsch.reverse_compute_at(copy, o)",
        "outer, inner = sch.split(j, [None, 3])\nsch.rfactor(inner)",
        "outer, inner = sch.split(j, [None, 4])\nrf = sch.rfactor(inner)\nl = sch.get_loops(rf)\nsch.unroll(l[1])",
        "for size in [2, 3]:\n    _, k = sch.split(k, [None, size])\n",
    ];
    for steps in steps {
        same(SPMM, steps, (&given, "c", &wanted));
    }
    let shown = same(SPMM, "sch.cache_read(block, \"B\", \"shared\")", (&given, "c", &wanted));
    assert!(shown.contains("B_shared = T.alloc_buffer([m, w], dtype=\"float32\", scope=\"shared\")"), "{shown}");
    assert!(shown.contains("with T.block(\"B_shared\"):"), "{shown}");
    let moved = "copy = sch.cache_write(block, \"C\", \"local\")\nsch.reverse_compute_at(copy, i)";
    let shown = same(SPMM, moved, (&given, "c", &wanted));
    assert!(shown.contains("T.axis.remap(\"SS\", [i, ax1_2])") && !shown.contains("T.where"), "{shown}");
    let moved = "o, t = sch.split(i, [None, 4])\ncopy = sch.cache_write(block, \"C\", \"local\")\nsch.reverse_compute_at(copy, o)";
    let shown = same(SPMM, moved, (&given, "c", &wanted));
    assert!(shown.contains("in T.grid(4, w):") && shown.contains("T.where(i_0 * 4 + ax0_2 < n)"), "{shown}");
}

#[test]
fn sums_begin_before_their_loops() {
    let mut draws = Draws(4);
    for (rows, columns) in [(4, 5), (3, 0), (0, 2)] {
        let x = draws.values(rows * columns);
        let wanted = |with: f32| -> Vec<f32> {
            let sum = |row: usize| x[row * columns..(row + 1) * columns].iter().sum::<f32>() + 5.0;
            (0..rows).map(|row| if columns == 0 { with } else { sum(row) }).collect()
        };
        let own =
            vec![("x", floats(x.clone())), ("n", number(rows)), ("m", number(columns)), ("y", floats(vec![1.0; rows]))];
        let given = arrays(own);
        let steps = [
            "sch.decompose_reduction(block, k)",
            "sch.decompose_reduction(block, i)",
            "o, t = sch.split(k, [None, 2])\nsch.decompose_reduction(block, o)\nsch.parallel(i)",
            "o, t = sch.split(i, [None, 3])\nsch.decompose_reduction(block, t)",
            "sch.decompose_reduction(block, k)\nsch.rfactor(k)",
            "sch.decompose_reduction(block, i)\nsch.rfactor(k)",
            "sch.cache_write(block, 0, \"local\")",
            "sch.cache_read(block, 0, \"local\")\nsch.decompose_reduction(block, k)",
            "copy = sch.cache_read(block, 0, \"local\")\nsch.compute_at(copy, i)",
            "copy = sch.cache_read(block, 0, \"local\")\nsch.compute_at(copy, k)",
            "o, t = sch.split(i, [None, 3])\ncopy = sch.cache_read(block, 0, \"local\")\nsch.compute_at(copy, o)",
            "copy = sch.cache_write(block, 0, \"local\")\nsch.reverse_compute_at(copy, i)",
            "o, t = sch.split(i, [None, 3])\ncopy = sch.cache_write(block, 0, \"local\")\nsch.reverse_compute_at(copy, o)",
        ];
        for steps in steps {
            same(SUMS, steps, (&given, "y", &wanted(1.0)));
        }
    }
}

#[test]
fn steps_say_why_they_are_refused() {
    let refused = [
        (SPMM, "sch.cache_read(block, \"A\", \"shared\")", "the elements of `A` are found by arrays"),
        (SPMM, "sch.cache_read(block, \"D\", \"shared\")", "the block reads no such buffer"),
        (SPMM, "sch.cache_read(block, 7, \"shared\")", "the block reads no such buffer"),
        (SPMM, "sch.cache_read(block, 0, \"shred\")", "`shred` is no kind of memory"),
        (
            SPMM,
            "copy = sch.cache_read(block, \"B\", \"shared\")\nx, y = sch.get_loops(sch.get_block(\"spmm_init0\"))\nsch.compute_at(copy, x)",
            "`B_shared` is not computed for later loops alone",
        ),
        (SPMM, "sch.compute_at(block, j)", "`spmm1` is no copy in loops of its own"),
        (SPMM, "sch.reverse_compute_at(block, j)", "`spmm1` is no copy in loops of its own"),
        (
            SPMM,
            "copy = sch.cache_read(block, \"B\", \"shared\")\nsch.reverse_compute_at(copy, i)",
            "`B` may have elements that these loops do not write",
        ),
        (SPMM, "sch.decompose_reduction(block, j)", "`spmm1` initializes nothing"),
        (SPMM, "sch.rfactor(j)", "the loop has another number of turns from row to row, or does not begin at 0"),
        (SPMM, "sch.rfactor(k)", "this loop is no loop of the sum"),
        (SUMS, "sch.rfactor(k)", "the block of this loop initializes its sum"),
        (SUMS, "sch.reorder(i, k)\nsch.decompose_reduction(block, k)", ""),
        (
            SUMS,
            "o, t = sch.split(k, [None, 2])\nsch.decompose_reduction(block, t)",
            "`k_0` is a loop of the sum and stands outside of this one",
        ),
    ];
    for (text, steps, wanted) in refused {
        match at(&format!("{text}{steps}\n"), Stage::III) {
            Err(told) => assert_eq!(told.message, wanted, "{steps}"),
            Ok(_) => assert_eq!(wanted, "", "{steps}"),
        }
    }
}
