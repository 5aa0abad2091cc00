//! Scripts of functions over arrays: the arrays come from files, and what a function has written goes to one.

use std::{cell::RefCell, path::Path};

use nnz_core::{
    backend::Gpu,
    diagnostic::{Code, Diagnostic, Severity},
    element::Scalar,
    languages::{ArrayCall, ArrayFunctions, ArrayLowering, To},
    stages::{Array, Arrays},
    storage::files::numpy,
    view::Markup,
};
use serde_json::json;

use crate::{
    cli::{Run, Shown},
    exit::Exit,
    files::{self, Existing},
    output::{Output, failed},
};

/// The arrays of a file unfold to at most so many bytes.
const MOST_BYTES: u64 = 16 << 30;

/// So many items of an array are printed.
const MOST_ITEMS: usize = 64;

/// Calls a function over the arrays of `--bind`, and writes or prints the arrays that it has written.
pub(crate) fn call(
    output: &mut Output,
    (name, text): (&str, String),
    (run, functions): (&Run, ArrayFunctions),
) -> Exit {
    let arrays = match bound(output, run) {
        Ok(arrays) => arrays,
        Err(exit) => return exit,
    };
    let source = output.add(name, text);
    let function = run.script.function.as_deref();
    let (stage, steps) = (run.script.stage.as_deref(), run.program.max_steps);
    let kernels = &run.kernels;
    let shown = RefCell::new(&mut *output);
    let tell = |told: Diagnostic| shown.borrow_mut().found(vec![told]);
    let call = ArrayCall {
        function,
        stage,
        arrays: &arrays,
        steps,
        engine: kernels.engine(),
        order: kernels.order(),
        threads: kernels.threads(),
        tell: &tell,
    };
    let called = (functions.call)(&source, &call);
    output.tell_of_interpreter();
    let told = called.diagnostics.into_iter().filter(|one| one.severity() < Severity::Information);
    output.found(told.collect());
    match (called.arrays, &run.script.output) {
        (None, _) => Exit::Failed,
        (Some(arrays), None) => {
            output.answer(|| printed(&arrays), || as_json(&arrays), &[]);
            Exit::Fine
        }
        (Some(arrays), Some(path)) => written(output, &arrays, path),
    }
}

/// Shows a function, or all of a script, as a stage or as code.
pub(crate) fn lower(
    output: &mut Output,
    (name, text): (&str, String),
    (functions, how): (ArrayFunctions, (Option<&str>, Shown, Gpu)),
) -> Exit {
    let (function, shown, gpu) = how;
    let to = match shown {
        Shown::Stage(stage) => To::Stage(stage),
        Shown::View(view) if functions.views.contains(&view) => To::View(view),
        Shown::View(view) => {
            let stages = functions.stages.iter().map(|(name, _)| *name);
            let stages: Vec<&str> = stages.chain(functions.views.iter().map(|view| view.name())).collect();
            let message = format!(
                "{name}: functions over arrays are not shown as `{}`, but as {}",
                view.name(),
                stages.join(", ")
            );
            return failed(&message);
        }
    };
    let source = output.add(name, text);
    match (functions.lower)(&source, &ArrayLowering { function, to, gpu }) {
        Ok(lowered) => {
            output.answer(|| Markup::plain(&lowered), || json!({ "kind": shown.name(), "text": lowered }), &[]);
            Exit::Fine
        }
        Err(told) => {
            output.found(told);
            Exit::Failed
        }
    }
}

/// The arrays of all files.
fn bound(output: &mut Output, run: &Run) -> Result<Arrays, Exit> {
    let mut arrays = Arrays::new();
    for path in &run.script.bind {
        let read = read(path).map_err(|message| {
            let shown = path.display().to_string();
            let told = output.wrong_word(&shown, Code::BadFile, format!("`{shown}`: {message}")).label("not read");
            output.diagnostic(&told);
            Exit::Failed
        })?;
        arrays.extend(read);
    }
    Ok(arrays)
}

/// The arrays of a file with their names.
fn read(path: &Path) -> Result<Vec<(String, Array)>, String> {
    let text = path.to_str().ok_or("its name is not UTF-8 text")?;
    let bytes = files::read(text).map_err(|error| error.to_string())?;
    if !ends(path, "npy") {
        return numpy::read_archive(&bytes, MOST_BYTES).map_err(|error| error.to_string());
    }
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
    let array = numpy::read_array(&bytes).map_err(|error| error.to_string())?;
    Ok(vec![(name, array)])
}

fn ends(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

fn printed(arrays: &Arrays) -> Markup {
    let line = |(name, array): (&String, &Array)| format!("{name} : {} = {}\n", kind(array), array.listed(MOST_ITEMS));
    Markup::plain(&arrays.iter().map(line).collect::<String>())
}

/// `2x3xf32`.
fn kind(array: &Array) -> String {
    let sizes: String = array.shape.iter().map(|size| format!("{size}x")).collect();
    format!("{sizes}{}", array.element)
}

fn as_json(arrays: &Arrays) -> serde_json::Value {
    let one = |(name, array): (&String, &Array)| json!({ "name": name, "type": array.element.to_string(), "shape": array.shape, "items": items(array) });
    json!({ "kind": "arrays", "arrays": arrays.iter().map(one).collect::<Vec<_>>() })
}

/// Numbers; what JSON lacks as text.
fn items(array: &Array) -> Vec<serde_json::Value> {
    let item = |item| match item {
        Scalar::Float(value) if value.is_finite() => json!(value),
        Scalar::Float(value) => json!(value.to_string()),
        Scalar::Int(value) => i64::try_from(value).map_or_else(|_| json!(value.to_string()), |value| json!(value)),
        Scalar::Complex(value) => json!(value.to_string()),
    };
    array.values.iter().map(item).collect()
}

fn written(output: &mut Output, arrays: &Arrays, path: &Path) -> Exit {
    let bytes = match encoded(output, arrays, path) {
        Ok(bytes) => bytes,
        Err(told) => {
            output.diagnostic(&told);
            return Exit::Failed;
        }
    };
    let wrote = files::write(&path.display().to_string(), Existing::Replaced, &mut |out| out.write_all(&bytes));
    match wrote {
        Ok(_) => {
            let names: Vec<&str> = arrays.keys().map(String::as_str).collect();
            let line = format!("{} written to {}", names.join(", "), path.display());
            output.answer(|| Markup::plain(&line), || json!({ "kind": "written", "arrays": names }), &[]);
            Exit::Fine
        }
        Err(error) => failed(&format!("{}: {error}", path.display())),
    }
}

/// The bytes of a file, by its ending.
fn encoded(output: &mut Output, arrays: &Arrays, path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    let shown = path.display().to_string();
    let mut wrong = |message: String, help: &str| {
        let told = output.wrong_word(&shown, Code::BadFile, message).label("not written");
        Box::new(if help.is_empty() { told } else { told.help(help) })
    };
    if ends(path, "npz") {
        let named = arrays.iter().map(|(name, array)| (name.as_str(), array));
        return numpy::write_archive(named).map_err(|message| wrong(message, ""));
    }
    if !ends(path, "npy") {
        return Err(wrong(format!("the name of `{shown}` does not tell how to write it"), "end it in .npz or .npy"));
    }
    let mut all = arrays.values();
    match (all.next(), all.next()) {
        (Some(array), None) => numpy::write_array(array).map_err(|message| wrong(message, "")),
        _ => Err(wrong(format!("`{shown}` holds one array, and these are {}", arrays.len()), "end it in .npz")),
    }
}
