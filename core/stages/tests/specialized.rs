//! Numbers for parameters, and kernels that become one: the same results, or a reason.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use nnz_base::{arrays::Values, element::Element, ids::FileId, source::Source};
use nnz_stages::{
    Array, Arrays, Limits,
    horizontal::{fused, is_asked},
    lower::{to_stage_three, to_stage_two},
    run,
    schedule::scheduled,
    specialize::{numbers, specialized},
};
use nnz_tir::{
    Script,
    model::{Function, Stage},
    print::{Spelling, print},
    script,
};

const SPMV: &str = include_str!("../../../tests/suite/tir/scripts/specialized.py");
const SUMS: &str = include_str!("../../../tests/suite/tir/scripts/fused.py");

fn read(text: &str) -> Script {
    let script = script(&Source::new(FileId(0), "case.py", text));
    assert!(!script.has_errors(), "{:?}", script.diagnostics);
    script
}

fn floats(values: &[f32]) -> Array {
    Array { element: Element::F32, shape: vec![values.len() as u64], values: Values::F32(values.to_vec()) }
}

fn ints(values: &[i32]) -> Array {
    Array { element: Element::I32, shape: vec![values.len() as u64], values: Values::I32(values.to_vec()) }
}

/// What a function writes, at each of its stages.
fn results(function: &Function, arrays: &Arrays) -> Vec<Arrays> {
    let second = to_stage_two(function).unwrap();
    let third = to_stage_three(&second).unwrap();
    [function, &second, &third].map(|one| run(one, arrays, Limits { steps: 1 << 20 }).unwrap()).to_vec()
}

#[test]
fn a_specialized_function_computes_the_same() {
    let script = read(SPMV);
    let function = script.function("spmv").unwrap();
    let made = specialized(function, &script.specializations[0]).unwrap();
    let names: Vec<&str> = made.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["a", "x", "y", "p", "q", "nnz"]);
    let given = [
        ("a", floats(&[1.0, 2.0, 3.0])),
        ("x", floats(&[10.0, 100.0, 1000.0])),
        ("p", ints(&[0, 2, 2, 3])),
        ("q", ints(&[0, 2, 1])),
        ("nnz", ints(&[3])),
    ];
    let mut arrays: Arrays = given.map(|(name, array)| (name.to_string(), array)).into();
    let ours = results(&made, &arrays);
    arrays.extend(numbers(function, &script.specializations[0]));
    let expected = results(function, &arrays);
    assert_eq!(ours, expected);
    assert_eq!(ours[0]["y"].values, Values::F32(vec![2010.0, 0.0, 300.0]));
}

#[test]
fn what_is_no_number_is_refused() {
    let told = |edit: &str| {
        let script = read(&SPMV.replace("spmv.specialize({n: 3, m: 3})", edit));
        specialized(script.function("spmv").unwrap(), &script.specializations[0]).unwrap_err()
    };
    assert_eq!(told("spmv.specialize({spmv.params[0]: 3})").message, "parameter 0 of `spmv` is no number");
    assert_eq!(told("spmv.specialize({spmv.params[9]: 3})").message, "parameter 9 of `spmv` is no number");
    assert_eq!(told("spmv.specialize({n: 1 - 3})").message, "`n` is a size, and -2 is below 0");
}

/// The function of `text` at stage III with one kernel, or why there is none.
fn one_kernel(text: &str) -> Result<Function, String> {
    let script = read(text);
    let first = specialized(script.function("sums").unwrap(), &script.specializations[0]).unwrap();
    let third = scheduled(&first, &script.schedules[0], Stage::III).map_err(|told| told.message.clone())?;
    assert!(is_asked(&third));
    fused(&third).map_err(|told| told.message.clone())
}

#[test]
fn kernels_become_one() {
    let made = one_kernel(SUMS).unwrap();
    let text = print([&made], Spelling::Rfc);
    assert_eq!(text.matches("T.thread_binding(").count(), 3, "{text}");
    assert!(text.contains("T.thread_binding(6, thread=\"blockIdx.x\")"), "{text}");
    let ramp = |count: u16| floats(&(0..count).map(f32::from).collect::<Vec<f32>>());
    let shaped = |array: Array, shape: [u64; 2]| Array { shape: shape.to_vec(), ..array };
    let given = [("a", shaped(ramp(24), [8, 3])), ("b", shaped(ramp(18), [6, 3]))];
    let arrays: Arrays = given.map(|(name, array)| (name.to_string(), array)).into();
    let ran = run(&made, &arrays, Limits { steps: 1 << 20 }).unwrap();
    assert_eq!(ran["c"].values, Values::F32((0..24_u8).map(|value| f32::from(value) * 2.0).collect()));
    assert_eq!(ran["d"].values, Values::F32((0..6_u8).map(|row| f32::from(row) * 6.0 + 1.0).collect()));
}

#[test]
fn what_cannot_be_fused_is_refused() {
    let unbound = SUMS.replace("sch.bind(blocks, \"blockIdx.x\")\nsch.bind(threads, \"threadIdx.y\")\n", "");
    assert_eq!(
        one_kernel(&unbound).unwrap_err(),
        "the outermost loop of a kernel is bound to `blockIdx.x`, and this is not"
    );
    let shared = SUMS.replace("D[k] = B[k, 0] + B[k, 1]", "D[k] = B[k, 0] + C[k, 1]");
    assert_eq!(one_kernel(&shared).unwrap_err(), "this kernel writes `C_data`, which another one touches");
    let turned = SUMS.replace(
        "sch.bind(threads, \"threadIdx.y\")\nsch.bind(j, \"threadIdx.x\")",
        "sch.bind(threads, \"threadIdx.x\")\nsch.bind(j, \"threadIdx.y\")",
    );
    assert!(one_kernel(&turned).is_ok());
}
