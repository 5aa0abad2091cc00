//! Scripts of SparseTIR: functions in Python files. A Python file without one has no answers.

mod plan;
mod listed;
mod run;

use std::{ops::Range, sync::Arc};

use nnz_base::{
    diagnostic::{Code, Diagnostic, Edit, did_you_mean},
    source::{Source, Span},
};
use nnz_check::command::View;
use nnz_ide::{
    code_lens::OF_SCRIPTS,
    complete::{Completion, Folders},
    hover::Hover,
    kernels::KernelPlace,
    lowered::{Preview, Shown},
    names::{Access, Named, Place},
    refactor::Refactoring,
    scripts::{complete, definition, hover, linked, places, prepare_rename, refactorings, references, rename, symbols},
    symbols::Symbol,
};
use nnz_listing::VIEWS;
use nnz_stages::decompose::decomposed;
use nnz_tir::{
    Script,
    model::{Decomposition, Function, Schedule, Stage},
    print::{Spelling, print},
    read::Read,
    rules::ruled,
    script,
};

use crate::{Answers, ArrayFunctions, Context, Execution, FrontEnd, Known};
use listed::lower;
use plan::{Plan, is_description};
use run::call;

pub static SPARSE_TIR: FrontEnd = FrontEnd {
    name: "SparseTIR",
    extensions: &["py"],
    editor_ids: &["python"],
    check,
    may_use_files: |_| false,
    execution: Execution::Arrays(ArrayFunctions { call, stages: STAGES, views: VIEWS, lower }),
};

/// What functions are shown as.
const STAGES: &[(&str, &str)] = &[
    ("stage1", "SparseTIR: the function as it is read"),
    ("prototype", "SparseTIR: the same with the names of the prototype"),
    ("stage2", "SparseTIR: loops and blocks over positions"),
    ("stage3", "SparseTIR: loops and blocks over dense buffers"),
    ("encoding", "SparseTIR: the encodings of its buffers"),
];

fn check(source: &Source, _: Context<'_>) -> Arc<dyn Answers> {
    Arc::new(Checked(checked(source)))
}

/// A text with what is wrong in its functions and schedules.
fn checked(source: &Source) -> Script {
    let mut script = script(source);
    let parts = script.decompositions.iter().filter_map(|one| wrong_parts(&script, one));
    let steps = script.schedules.iter().filter_map(|one| wrong_step(&script, one));
    let numbers = script.functions.iter().filter_map(|read| wrong_numbers(&script, &read.function));
    let wrong: Vec<Diagnostic> = parts.chain(numbers).chain(steps).collect();
    script.diagnostics.extend(wrong.into_iter().map(|told| placed(source, told)));
    script
}

/// The first step of a schedule that is not legal, if its function has no mistakes.
fn wrong_step(script: &Script, schedule: &Schedule) -> Option<Diagnostic> {
    let function = script.function(&schedule.function)?;
    let stage = if function.stage() == Some(Stage::III) { Stage::III } else { Stage::II };
    let told = Plan::with(script, function, schedule).at(stage).err()?;
    matches!(told.code, Code::TirStep | Code::TirStepForm).then_some(*told)
}

/// Why a function without mistakes and without a schedule cannot have the numbers that it gets.
fn wrong_numbers(script: &Script, function: &Function) -> Option<Diagnostic> {
    let function = script.function(&function.name)?;
    let scheduled = script.schedules.iter().any(|one| one.function == function.name);
    let told = Plan::of(script, function).first().err().filter(|_| !scheduled)?;
    (told.code == Code::TirStep).then_some(*told)
}

/// Why a function without mistakes cannot be decomposed. What is wrong in the rules is told already.
fn wrong_parts(script: &Script, decomposition: &Decomposition) -> Option<Diagnostic> {
    let function = script.function(&decomposition.function)?;
    let rules = ruled(decomposition, function, &script.functions).ok()?;
    decomposed(function, &rules, decomposition.copies).err().map(|told| *told)
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
    fn complete(&self, offset: usize, _: &dyn Folders) -> Vec<Completion> {
        complete(&self.0, offset)
    }
    fn prepare_rename(&self, offset: usize) -> Result<Named, String> {
        prepare_rename(&self.0, offset)
    }
    fn rename(&self, old: &Named, name: &str) -> Result<Vec<Edit>, String> {
        rename(&self.0, old, name)
    }
    fn kernels(&self) -> Vec<KernelPlace> {
        let kernel = |read: &Read| KernelPlace {
            name: read.function.name.clone(),
            selection: read.function.place.0,
            whole: read.span,
        };
        self.0.functions.iter().filter(|read| read.function.stage() != Some(Stage::III)).map(kernel).collect()
    }
    fn lenses(&self) -> &'static [(&'static str, View)] {
        OF_SCRIPTS
    }
    fn lowered(&self, kernel: &str, view: View, _: &dyn Fn() -> bool) -> Option<Preview> {
        Some(preview(&self.0, kernel, view))
    }
    fn refactorings(&self, range: Range<usize>, _: &dyn Fn() -> bool) -> Vec<Refactoring> {
        refactorings(&self.0, range)
    }
    fn symbols(&self) -> Vec<Symbol> {
        symbols(&self.0)
    }
}

/// A function at stage II (`lowered`) or III (`loops`).
fn preview(script: &Script, name: &str, view: View) -> Preview {
    let stage = OF_SCRIPTS.iter().find(|(_, known)| *known == view).map(|(_, view)| *view == View::Lowered);
    let Some(function) = script.function(name) else {
        let names = script.functions.iter().map(|read| read.function.name.clone());
        return match script.functions.iter().any(|read| read.function.name == name) {
            true => Preview::Broken(format!("`{name}` has mistakes")),
            false => Preview::Unknown(names.collect()),
        };
    };
    let text = match stage.map(|second| lowered(script, function, if second { "stage2" } else { "stage3" })) {
        Some(Ok(lowered)) => print([&lowered], Spelling::Rfc),
        Some(Err(told)) => format!("# {}\n", told.message),
        None => format!("# a function of SparseTIR is shown as `lowered` and `loops`, not as `{}`\n", view.name()),
    };
    let read = script.functions.iter().find(|read| std::ptr::eq(&raw const read.function, function));
    let places = read.map_or_else(Vec::new, |read| linked(read, &text));
    Preview::Shown(Shown { text, language: Some("python"), places })
}

/// In the file of the text.
fn placed(source: &Source, mut told: Diagnostic) -> Diagnostic {
    told.places_mut().for_each(|(file, _)| *file = source.id);
    told
}

/// A function at a stage, after its decomposition and the steps of its schedule.
fn lowered(script: &Script, function: &Function, stage: &str) -> Result<Function, Box<Diagnostic>> {
    let wanted = match stage {
        "stage2" => Stage::II,
        "stage3" => Stage::III,
        _ => Stage::I,
    };
    Plan::of(script, function).at(wanted)
}

/// The function that is named, or the only one.
fn chosen<'s>(script: &'s Script, name: Option<&str>) -> Result<&'s Function, Box<Diagnostic>> {
    let functions = script.functions.iter().map(|read| &read.function);
    let functions: Vec<&Function> = functions.filter(|function| !is_description(script, function)).collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    let place = functions.first().map_or(Span::at(0), |first| first.place.0);
    let told = |message: String| Diagnostic::new(Code::ArrayMisfit, script.source.id, place, message);
    match (name, functions.as_slice()) {
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
