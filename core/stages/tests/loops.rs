//! Functions of stage III do as loops what they do statement by statement: they write the same, and fail the same way.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use data::{Draws, arrays, floats, ints, loops::program, number};
use nnz_backend::{FloatOrder, Target};
use nnz_base::{arrays::Values, diagnostic::Diagnostic, element::Element, ids::FileId, source::Source};
use nnz_stages::{
    Array, Arrays, Limits,
    compile::{Means, Ran, loops, run_compiled},
    lower::{to_stage_three, to_stage_two},
    run,
};
use nnz_tir::{model::Function, script};

const LIMITS: Limits = Limits { steps: 100_000 };

fn function(text: &str) -> Option<Function> {
    script(&Source::new(FileId(0), "case.py", text)).function("f").cloned()
}

fn text(found: Result<Arrays, Box<Diagnostic>>) -> String {
    found.map_or_else(|told| told.message.clone(), |found| format!("{found:?}"))
}

/// What each engine gives; `None` if the function is not compiled, with the reason.
fn compiled(function: &Function, arrays: &Arrays, means: Means) -> Result<String, String> {
    match run_compiled(function, arrays, LIMITS, means) {
        Ok(Ran::As(found)) => Ok(text(Ok(found))),
        Ok(Ran::Not(why)) => Err(why.why),
        Err(told) => Ok(text(Err(told))),
    }
}

const MEANS: [Means; 3] = [
    Means { target: Target::Interpreter, is_brief: false, order: FloatOrder::Strict, threads: 1 },
    Means { target: Target::Cpu, is_brief: false, order: FloatOrder::Strict, threads: 2 },
    Means { target: Target::Cpu, is_brief: true, order: FloatOrder::Strict, threads: 2 },
];

fn drawn(draws: &mut Draws) -> Arrays {
    let (n, m) = (1 + draws.below(4) as usize, 1 + draws.below(4) as usize);
    let ascending = draws.below(2) == 0;
    let mut a: Vec<i32> = (0..=n).map(|_| draws.below(6) as i32 - i32::from(draws.below(9) == 0)).collect();
    if ascending {
        a.sort_unstable();
    }
    let longs = Values::I64(vec![0; m]);
    arrays(vec![
        ("a", ints(a)),
        ("x", floats(draws.values(n * m))),
        ("y", floats(draws.values(n * m))),
        ("z", Array { element: Element::I64, shape: vec![m as u64], values: longs }),
        ("n", number(n)),
        ("m", number(m)),
        ("s", floats(vec![1.5])),
    ])
}

#[test]
fn drawn_functions_do_the_same_as_loops() {
    let count = std::env::var("NNZ_DRAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let (mut same, mut failed) = (0, 0);
    for seed in 0..count {
        let source = program(&mut Draws(seed * 104_729 + 7));
        let Some(function) = function(&source) else { continue };
        let arrays = drawn(&mut Draws(seed));
        let wanted = text(run(&function, &arrays, LIMITS));
        for means in MEANS {
            match compiled(&function, &arrays, means) {
                Ok(found) => assert_eq!(found, wanted, "{seed} on {means:?}: {arrays:?}\n{source}"),
                Err(why) => assert!(why.contains("a size of it"), "{seed}: {why}\n{source}"),
            }
        }
        same += 1;
        failed += u64::from(!wanted.starts_with('{'));
    }
    assert!(same * 3 > count && same > failed + count / 20, "{same} of {count} run, {failed} of them fail");
}

fn over(body: &str) -> Function {
    let text = format!(
        "from tvm.script import tir as T\n@T.prim_func\ndef f(a: T.handle, x: T.handle, y: T.handle, n: T.int32):\n    \
         T.func_attr({{\"sparse_tir_level\": 0}})\n    A = T.match_buffer(a, [n], \"int32\")\n    \
         X = T.match_buffer(x, [n], \"float32\")\n    Y = T.match_buffer(y, [n], \"float32\")\n    {body}\n"
    );
    function(&text)
        .unwrap_or_else(|| panic!("{:?}\n{text}", script(&Source::new(FileId(0), "case.py", &*text)).diagnostics))
}

fn given() -> Arrays {
    arrays(vec![
        ("a", ints(vec![2, 0, 9, -1])),
        ("x", floats(vec![1.0, 2.0, 3.0, 4.0])),
        ("y", floats(vec![0.0; 4])),
        ("n", number(4)),
    ])
}

#[test]
fn faults_are_told_behind_the_run() {
    let bodies = [
        ("for i in T.serial(n):\n        Y[i] = X[A[i]]", "`X[9]` lies outside of the buffer"),
        ("for i in T.serial(n):\n        Y[A[i]] = X[i]", "`Y[9]` lies outside of the buffer"),
        ("for i in T.serial(n):\n        Y[i] = T.cast(8 // A[i], \"float32\")", "a division by zero"),
        (
            "for i in T.serial(n):\n        assert A[i] > 0, \"too small\"\n        Y[i] = X[i]",
            "assertion failed: too small",
        ),
        ("while n > 0:\n        Y[0] = X[0]", "it takes too many steps"),
        ("for i in T.serial(n):\n        Y[i] = T.if_then_else(A[i] < n, X[T.max(A[i], 0)], 7.0)", ""),
    ];
    for (body, wanted) in bodies {
        let function = over(body);
        for means in MEANS {
            let found = compiled(&function, &given(), means).unwrap();
            assert!(found == wanted || wanted.is_empty() && found.starts_with('{'), "{body}: {found}");
        }
    }
}

#[test]
fn what_is_not_compiled_says_why() {
    let bodies = [
        ("Y[0] = T.round(X[0])", "it has `T.round`"),
        ("c = T.alloc_buffer([1], \"float32\")\n    Y[0] = c[A[1]]", "`c` has one element, and not only that is named"),
        (
            "c = T.alloc_buffer([T.max(n, 2)], \"float32\")\n    c[0] = 1.0\n    Y[0] = c[0]",
            "a size of it is more than sums and products of numbers",
        ),
    ];
    for (body, why) in bodies {
        assert_eq!(compiled(&over(body), &given(), MEANS[1]), Err(why.to_string()), "{body}");
    }
}

const PRODUCTS: &str = include_str!("../../../tests/suite/tir/scripts/products.py");

/// The loops of a product have no guards, its rows run in parallel, and coordinates are read once.
#[test]
fn structure_leaves_no_guards() {
    let script = script(&Source::new(FileId(0), "products.py", PRODUCTS));
    let first = script.function("csr_times_dense").unwrap();
    let third = to_stage_three(&to_stage_two(first).unwrap()).unwrap();
    let text = loops(&third, first).unwrap().unwrap().to_string();
    let wanted = "  for i_1 in 0..rows parallel {\n    let i = i_1\n    for k in 0..width {\n      C_data[i * width + k] = f32(0.0)\n    }\n    \
                  for pj in J_indptr_data[i_1]..J_indptr_data[i_1 + 1] {\n      let j_indices = J_indices_data[pj]\n      \
                  for k_1 in 0..width {\n        \
                  C_data[i_1 * width + k_1] = C_data[i_1 * width + k_1] + A_data[pj] * B_data[j_indices * width + k_1]\n";
    assert!(text.contains(wanted) && !text.contains("fault"), "{text}");
}
