//! The stages of compiling the kernels of an MLIR program, function by function.

use nnz_backend::{FloatOrder, Gpu, Target, c::Written};
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    ids::FileId,
    source::{Source, Span},
};
use nnz_check::{Checked, command::View, scope::suggest};
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

/// Each kernel of a function of a checked program.
///
/// # Errors
/// No such function, or several to choose from; a view that a kernel does not have.
pub fn lower_program(
    checked: &Checked,
    modules: &[Module],
    lowering: Lowering<'_>,
) -> Result<Vec<LoweredSite>, Box<Diagnostic>> {
    let function = chosen(&checked.source, modules, lowering.function)?;
    let sites = machine::sites(&checked.source, function);
    if sites.is_empty() {
        let message = format!("`@{}` has no kernels", function.name);
        let error = Diagnostic::new(Code::NoEntry, checked.source.id, function.span, message);
        return Err(Box::new(error.label("nothing in it is a kernel")));
    }
    let mut written = Written::default();
    sites.iter().map(|site| shown(&checked.source, site, (lowering, &mut written))).collect()
}

fn chosen<'m>(source: &Source, modules: &'m [Module], name: Option<&str>) -> Result<&'m Function, Box<Diagnostic>> {
    let all = || modules.iter().flat_map(|module| &module.functions).filter(|function| function.body.is_some());
    let names: Vec<&str> = all().map(|function| function.name.as_str()).collect();
    let list = names.iter().map(|name| format!("`@{name}`")).collect::<Vec<_>>().join(", ");
    let place = |near: Option<&str>| {
        let meant = all().find(|function| name.is_none() || near == Some(function.name.as_str()));
        match (meant, name) {
            (Some(one), _) => (one.span, format!("there is `@{}`", one.name)),
            (None, Some(name)) => (Span::at(0), format!("no `@{}` in this file", name.trim_start_matches('@'))),
            (None, None) => (Span::at(0), String::new()),
        }
    };
    let near = name.and_then(|name| did_you_mean(name, names.iter().copied()));
    let (span, label) = place(near);
    let error = |message: String| Diagnostic::new(Code::NoEntry, source.id, span, message).label(label.clone());
    match (name, names.as_slice()) {
        (_, []) => Err(Box::new(error("the file has no functions".to_string()))),
        (None, [_]) => all().next().ok_or_else(|| Box::new(error("the file has no functions".to_string()))),
        (None, _) => {
            Err(Box::new(error(format!("there are several functions: {list}")).help("`--function` names one")))
        }
        (Some(name), _) => all().find(|function| function.name == name.trim_start_matches('@')).ok_or_else(|| {
            let name = name.trim_start_matches('@');
            let mut unknown = error(format!("there is no function `@{name}`"));
            unknown.code = Code::UnknownFunction;
            if let Some(function) = name.split('/').next().filter(|own| *own != name && names.contains(own)) {
                let help = format!("all kernels of a function are shown: `--function {function}`");
                return Box::new(unknown.help(help));
            }
            let mut found = suggest(unknown, name, names.iter().copied(), format!("there is {list}"));
            // The name is not in the text of the file, so no fix applies there.
            found.fixes.clear();
            Box::new(found)
        }),
    }
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
