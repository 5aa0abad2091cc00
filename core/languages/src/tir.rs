//! Scripts of SparseTIR: functions in Python files. A Python file without one has no answers.

use std::sync::Arc;

use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    source::{Source, Span},
};
use nnz_ide::{
    hover::Hover,
    names::{Access, Place},
    scripts::{definition, hover, places, references, symbols},
    symbols::Symbol,
};
use nnz_stages::{Limits, run};
use nnz_tir::{Script, model::Function, script};

use crate::{Answers, ArrayCall, Called, Context, Execution, FrontEnd, Known};

pub static SPARSE_TIR: FrontEnd = FrontEnd {
    name: "SparseTIR",
    extensions: &["py"],
    editor_ids: &["python"],
    check,
    may_use_files: |_| false,
    execution: Execution::Arrays(call),
};

fn check(source: &Source, _: Context<'_>) -> Arc<dyn Answers> {
    Arc::new(Checked(script(source)))
}

/// A Python file, read and checked.
struct Checked(Script);

impl Answers for Checked {
    fn diagnostics(&self, _: &mut Known, _: &dyn Fn() -> bool) -> Vec<Diagnostic> {
        self.0.diagnostics.clone()
    }
    fn hover(&self, offset: usize) -> Option<Hover> {
        hover(&self.0, offset)
    }
    fn definition(&self, offset: usize) -> Option<Span> {
        definition(&self.0, offset)
    }
    fn references(&self, offset: usize, with_definition: bool) -> Vec<Span> {
        references(&self.0, offset, with_definition)
    }
    fn highlights(&self, offset: usize) -> Vec<Place> {
        let place = |(span, declares)| Place { span, access: if declares { Access::Write } else { Access::Read } };
        places(&self.0, offset).into_iter().map(place).collect()
    }
    fn symbols(&self) -> Vec<Symbol> {
        symbols(&self.0)
    }
}

/// Runs a function of a text without errors.
fn call(source: &Source, call: &ArrayCall<'_>) -> Called {
    let script = script(source);
    if script.has_errors() {
        return Called { diagnostics: script.diagnostics, arrays: None };
    }
    let ran = chosen(&script, call).and_then(|function| run(function, call.arrays, Limits { steps: call.steps }));
    match ran {
        Ok(arrays) => Called { diagnostics: script.diagnostics, arrays: Some(arrays) },
        Err(mut told) => {
            told.places_mut().for_each(|(file, _)| *file = source.id);
            Called { diagnostics: vec![*told], arrays: None }
        }
    }
}

/// The function that is named, or the only one.
fn chosen<'s>(script: &'s Script, call: &ArrayCall<'_>) -> Result<&'s Function, Box<Diagnostic>> {
    let functions: Vec<&Function> = script.functions.iter().map(|read| &read.function).collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    let place = functions.first().map_or(Span::at(0), |first| first.place.0);
    let told = |message: String| Diagnostic::new(Code::ArrayMisfit, script.source.id, place, message);
    match (call.function, functions.as_slice()) {
        (None, [only]) => Ok(only),
        (None, []) => Err(Box::new(told("the file has no function of SparseTIR".to_string()).label("nothing runs"))),
        (None, _) => {
            let told = told(format!("the file has {} functions", names.len())).label("the first of them");
            Err(Box::new(told.help(format!("name one with `--function`: {}", names.join(", ")))))
        }
        (Some(name), _) => functions.iter().find(|function| function.name == name).copied().ok_or_else(|| {
            let told = told(format!("there is no function `{name}`")).label("another function");
            Box::new(match did_you_mean(name, names.iter().copied()) {
                Some(near) => told.help(format!("there is `{near}`")),
                None => told.help(format!("there are {}", names.join(", "))),
            })
        }),
    }
}
