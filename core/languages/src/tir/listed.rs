//! Functions of a script as text: at a stage, as encodings, as loops and code.

use nnz_backend::{BackendError, FloatOrder, Target, c};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Source,
};
use nnz_check::command::View;
use nnz_listing as listing;
use nnz_loops::{Function as Loops, Verified};
use nnz_stages::{
    compile::{Uncompiled, loops},
    encoding::encodings,
};
use nnz_tir::{
    Script,
    model::Function,
    print::{Spelling, print},
};

use super::{Plan, checked, chosen, is_description, lowered, placed};
use crate::{ArrayLowering, Lowered, To};

/// The function of this name, or all, as a stage or as code.
pub(super) fn lower(source: &Source, wanted: &ArrayLowering<'_>) -> Lowered {
    let script = checked(source);
    if script.has_errors() {
        return Err(script.diagnostics);
    }
    let functions: Vec<&Function> = match wanted.function {
        Some(_) => vec![chosen(&script, wanted.function).map_err(|told| vec![placed(source, *told)])?],
        None => {
            let all = script.functions.iter().map(|read| &read.function);
            all.filter(|function| !is_description(&script, function)).collect()
        }
    };
    let shown = match wanted.to {
        To::Stage("encoding") => return Ok(functions.into_iter().map(listed).collect()),
        To::Stage(stage) => at_stage(&script, &functions, stage),
        To::View(view) => as_code(&script, &functions, (view, wanted)),
    };
    shown.map_err(|told| vec![placed(source, *told)])
}

fn at_stage(script: &Script, functions: &[&Function], stage: &str) -> Result<String, Box<Diagnostic>> {
    let lowered =
        functions.iter().map(|function| lowered(script, function, stage)).collect::<Result<Vec<Function>, _>>()?;
    let spelling = if stage == "prototype" { Spelling::Prototype } else { Spelling::Rfc };
    Ok(print(&lowered, spelling))
}

/// The encodings of the buffers of a function.
fn listed(function: &Function) -> String {
    let lines = std::iter::once(format!("// {}", function.name)).chain(encodings(function));
    lines.map(|line| line + "\n").collect()
}

/// Functions as loops, or as what back ends make of these.
fn as_code(
    script: &Script,
    functions: &[&Function],
    (view, wanted): (View, &ArrayLowering<'_>),
) -> Result<String, Box<Diagnostic>> {
    let made = functions.iter().map(|function| loops_of(script, function)).collect::<Result<Vec<_>, _>>()?;
    let (order, gpu) = (FloatOrder::Strict, wanted.gpu);
    let code = listing::Code { functions: made.iter().collect(), target: Target::Cpu, order, gpu };
    let text = code.text(view, &mut c::Written::default());
    let first = functions.first().copied();
    let text = text.map_err(|error| refused(first, &error))?.unwrap_or_default();
    Ok(format!("{}\n", text.trim_end()))
}

fn loops_of(script: &Script, function: &Function) -> Result<Verified<Loops>, Box<Diagnostic>> {
    let third = lowered(script, function, "stage3")?;
    match loops(&third, &Plan::of(script, function).first()?)? {
        Ok(loops) => Ok(loops),
        Err(why) => Err(Box::new(no_loops(function, &third, &why))),
    }
}

fn no_loops(function: &Function, third: &Function, why: &Uncompiled) -> Diagnostic {
    let place = if third == function { why.place } else { function.place.0 };
    let message = format!("`{}` does not become loops: {}", function.name, why.why);
    Diagnostic::new(Code::ScriptUnread, FileId(0), place, message).label("not compiled")
}

fn refused(function: Option<&Function>, error: &BackendError) -> Box<Diagnostic> {
    let place = function.map_or(nnz_base::source::Span::at(0), |function| function.place.0);
    let told = Diagnostic::new(error.code(), FileId(0), place, error.to_string());
    Box::new(told.label("not shown"))
}
