//! Reading any Python text never panics, and every diagnostic lies within it. A function without errors is printed and
//! read as itself, and runs over arrays that hardly ever fit without a panic; what it is lowered to gives the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nnz_core::{
    arrays::Values,
    element::{Element, Scalar},
    ids::FileId,
    source::Source,
    stages::{
        Array, Arrays, Limits,
        lower::{to_stage_three, to_stage_two},
        run,
    },
    tir::{
        Script,
        model::{Function, Layout, ParamKind, Role, Stage},
        print::{Spelling, print},
        script,
    },
};

const LIMITS: Limits = Limits { steps: 20_000 };

fuzz_target!(|input: (&str, [u8; 8])| {
    let (text, sizes) = input;
    let read = script(&Source::new(FileId(0), "fuzz.py", text));
    for found in &read.diagnostics {
        let edits = found.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
        for span in edits.chain([found.primary.span]) {
            assert!(text.get(span.range()).is_some());
        }
    }
    whole(&read).into_iter().for_each(|function| tried(function, sizes));
});

fn whole(script: &Script) -> Vec<&Function> {
    script.functions.iter().filter_map(|read| script.function(&read.function.name)).collect()
}

fn tried(function: &Function, sizes: [u8; 8]) {
    for spelling in [Spelling::Rfc, Spelling::Prototype] {
        let printed = print([function], spelling);
        let again = script(&Source::new(FileId(0), "printed.py", printed.as_str()));
        assert_eq!(again.function(&function.name), Some(function), "{printed}");
    }
    let arrays = arrays(function, sizes);
    let Ok(first) = run(function, &arrays, LIMITS) else { return };
    if function.stage() != Some(Stage::I) {
        return;
    }
    let Ok(second) = to_stage_two(function) else { return };
    agree(&first, &second, &arrays);
    if let Ok(third) = to_stage_three(&second) {
        agree(&first, &third, &arrays);
    }
}

/// A lowered function takes more steps, and may stop for that.
fn agree(wanted: &Arrays, function: &Function, arrays: &Arrays) {
    match run(function, arrays, Limits { steps: LIMITS.steps * 200 }) {
        Ok(found) => assert_eq!(format!("{wanted:?}"), format!("{found:?}")),
        Err(told) => assert!(told.message.contains("too many steps"), "{}", told.message),
    }
}

/// Numbers and arrays of a few elements, for every parameter.
fn arrays(function: &Function, sizes: [u8; 8]) -> Arrays {
    let size = |at: usize| u64::from(sizes[at % sizes.len()] % 5);
    let mut arrays = Arrays::new();
    for (at, variable) in function.variables.iter().enumerate() {
        if matches!(variable.role, Role::Param | Role::Captured) {
            arrays.insert(variable.name.clone(), array(variable.element, Vec::new(), &[size(at)]));
        }
    }
    let starts: Vec<u64> = (0..=size(0)).collect();
    let handles = function.params.iter().filter(|param| !matches!(param.kind, ParamKind::Scalar(_)));
    for (at, param) in handles.enumerate() {
        let values: Vec<u64> = if at % 2 == 0 { (0..size(at)).collect() } else { starts.clone() };
        let elements = function.buffers.iter().find(|buffer| buffer.name == param.name);
        let element = elements.map_or(Element::I32, |buffer| buffer.element);
        arrays.insert(param.name.clone(), array(element, vec![values.len() as u64], &values));
    }
    for buffer in &function.buffers {
        let count = if matches!(buffer.layout, Layout::Sparse(_)) { size(0) } else { size(1) };
        let values: Vec<u64> = (0..count).collect();
        arrays.entry(buffer.name.clone()).or_insert(array(buffer.element, vec![count], &values));
    }
    arrays
}

fn array(element: Element, shape: Vec<u64>, numbers: &[u64]) -> Array {
    let mut values = Values::zeros(element, numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let number = i128::from(*number);
        values.set(at, if element.is_float() { Scalar::Float(number as f64) } else { Scalar::Int(number) });
    }
    Array { element, shape, values }
}
