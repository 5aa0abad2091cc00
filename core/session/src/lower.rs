//! The stages of compiling the kernels of an MLIR program, function by function.

use nnz_backend::{FloatOrder, Gpu, Target, c::Written};
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    ids::FileId,
    source::{Source, Span},
};
use nnz_check::{Checked, command::View};
use nnz_kernel::Schedule;
use nnz_listing::{Listing, comment};
use nnz_machine::{self as machine, Becomes, Site};
use nnz_mlir::{Module, ir::Function};
use nnz_run::Outline;
use nnz_view::{Line, Markup, Role};

/// The function whose kernels to show, and the view.
#[derive(Clone, Copy, Debug)]
pub struct Lowering<'a> {
    /// The only one of the file, unless it is named.
    pub function: Option<&'a str>,
    pub view: View,
    pub float_order: FloatOrder,
    /// For PTX.
    pub gpu: Gpu,
}

/// A kernel of a program in one view.
#[derive(Clone, Debug)]
pub struct LoweredSite {
    /// `file.mlir:7:8`
    pub place: String,
    pub operation: &'static str,
    /// Assumptions, and differences from a run.
    pub notes: Vec<String>,
    /// How it is evaluated without loops.
    pub evaluated: Option<String>,
    pub view: View,
    /// Below everything that is said about it.
    pub markup: Markup,
    /// What it costs that its text does not show.
    pub costs: Vec<Diagnostic>,
}

/// Why nothing of a program is shown.
#[derive(Clone, Debug)]
pub enum NotLowered {
    /// There is no function of the name that was asked for. The name is not in the program's text, so no fix applies there.
    NoFunction { told: Box<Diagnostic>, similar: Option<String> },
    /// There are none, or several to choose from, or no kernels in it, or a kernel does not have the view.
    Other(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for NotLowered {
    fn from(told: Box<Diagnostic>) -> NotLowered {
        NotLowered::Other(told)
    }
}

/// Each kernel of a function of a checked program.
///
/// # Errors
/// No such function, or several to choose from; a view that a kernel does not have.
pub fn lower_program(
    checked: &Checked,
    modules: &[Module],
    lowering: Lowering<'_>,
) -> Result<Vec<LoweredSite>, NotLowered> {
    let function = chosen(&checked.source, modules, lowering.function)?;
    let sites = machine::sites(&checked.source, function);
    if sites.is_empty() {
        let message = format!("`@{}` has no kernels", function.name);
        let error = Diagnostic::new(Code::NoEntry, checked.source.id, function.span, message);
        return Err(Box::new(error.label("nothing in it is a kernel")).into());
    }
    let mut written = Written::default();
    let all = sites.iter().map(|site| shown(&checked.source, site, (lowering, &mut written)));
    Ok(all.collect::<Result<_, Box<Diagnostic>>>()?)
}

fn chosen<'m>(source: &Source, modules: &'m [Module], name: Option<&str>) -> Result<&'m Function, NotLowered> {
    let all: Vec<&Function> =
        modules.iter().flat_map(|module| &module.functions).filter(|function| function.body.is_some()).collect();
    let error = |span, message: String| Diagnostic::new(Code::NoEntry, source.id, span, message);
    let list = all.iter().map(|function| format!("`@{}`", function.name)).collect::<Vec<_>>().join(", ");
    match (name.map(|name| name.trim_start_matches('@')), all.as_slice()) {
        (_, []) => Err(Box::new(error(Span::at(0), "the file has no functions".to_string())).into()),
        (None, [one]) => Ok(*one),
        (None, [first, ..]) => {
            let several = error(first.span, format!("there are several functions: {list}"));
            let labelled = several.label(format!("there is `@{}`", first.name));
            Err(Box::new(labelled.help("`--function` names one")).into())
        }
        (Some(name), _) => {
            let found = all.iter().copied().find(|function| function.name == name);
            found.ok_or_else(|| no_function(source, name, &all, &list))
        }
    }
}

/// The error of a name that none of `all` functions has.
fn no_function(source: &Source, name: &str, all: &[&Function], list: &str) -> NotLowered {
    let whole = name.split('/').next().filter(|own| all.iter().any(|function| function.name == *own));
    let similar = match whole {
        Some(_) => None,
        None => did_you_mean(name, all.iter().map(|function| function.name.as_str())),
    };
    let meant = all.iter().find(|function| similar == Some(function.name.as_str()));
    let (span, label) = match meant {
        Some(one) => (one.span, format!("there is `@{}`", one.name)),
        None => (Span::at(0), format!("no `@{name}` in this file")),
    };
    let message = format!("there is no function `@{name}`");
    let told = Diagnostic::new(Code::UnknownFunction, source.id, span, message).label(label);
    let told = match whole {
        Some(function) => told.help(format!("all kernels of a function are shown: `--function {function}`")),
        None if similar.is_some() => told,
        None => told.help(format!("there is {list}")),
    };
    NotLowered::NoFunction { told: Box::new(told), similar: similar.map(str::to_string) }
}

fn shown(
    source: &Source,
    site: &Site,
    (lowering, written): (Lowering<'_>, &mut Written),
) -> Result<LoweredSite, Box<Diagnostic>> {
    let (line, column) = source.line_and_character(site.span.start as usize);
    let place = format!("{}:{line}:{column}", source.name);
    let mut head = vec![format!("{place}: {}", site.name)];
    head.extend(site.notes.iter().cloned());
    let (code, evaluated) = match &site.becomes {
        Becomes::Loops(made, _) => (listed((source.id, site.span), made, (lowering, written))?, None),
        Becomes::Evaluated(how) => (Markup::new(), Some(how)),
        Becomes::Broken(refusal) => return Err(Box::new(refusal.diagnostic(source.id, site.span))),
    };
    head.extend(evaluated.cloned());
    let lines = head.iter().map(|text| Line::of(Role::Comment, comment(lowering.view, text)));
    let markup = lines.collect::<Markup>().then(code).blank();
    Ok(LoweredSite {
        place,
        operation: site.name,
        notes: site.notes.clone(),
        evaluated: evaluated.cloned(),
        view: lowering.view,
        markup,
        costs: site.costs().iter().map(|cost| cost.hint(source.id, site.span)).collect(),
    })
}

fn listed(
    (file, span): (FileId, Span),
    outline: &Outline,
    (lowering, written): (Lowering<'_>, &mut Written),
) -> Result<Markup, Box<Diagnostic>> {
    let listing = Listing {
        outline,
        schedule: &Schedule::default(),
        target: Target::Cpu,
        order: lowering.float_order,
        gpu: lowering.gpu,
    };
    listing.part(lowering.view, written).map_err(|error| {
        let mut failed = Diagnostic::new(error.code(), file, span, error.to_string());
        failed.helps.extend(error.loops().map(str::to_string));
        Box::new(failed)
    })
}
