//! What is known of a program without a run: what its kernels become, and what they cost.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};
use nnz_check::Checked;
use nnz_mlir::{Known, ir::Function, mistake::Mistake};

use crate::{Site, dialects::meanings, generic};

/// Every kernel of `function`, in the order of the text.
pub fn sites(source: &Source, function: &Function) -> Vec<Site> {
    generic::sites(source, function, meanings())
}

/// What the operation at `name` in the text becomes; of a kernel with several results, one for each.
pub fn sites_at(source: &Source, function: &Function, name: Span) -> Vec<Site> {
    generic::sites_at((source, meanings()), function, name)
}

/// The diagnostics of the operations of a file, for a check without a run: operations that nnz does not know or cannot
/// run are hints. Those `known` from another version of the file are not computed again.
pub fn diagnostics(checked: &Checked, known: &mut Known) -> Vec<Diagnostic> {
    let mut own = nnz_mlir::mistakes(checked, known, hints);
    for diagnostic in &mut own {
        if diagnostic.code == Code::UnsupportedProgram {
            diagnostic.code = Code::NotRun;
        }
    }
    own
}

/// What a function costs, and what MLIR 22 makes of it.
fn hints(source: &Source, function: &Function) -> Vec<Mistake> {
    generic::costs(source, function, meanings()).into_iter().chain(nnz_mlir::miscompiled(function)).collect()
}

/// The hidden costs of calling the functions of a file, as far as types give the sizes, in the order of the file; those
/// of the functions called in turn are included.
pub fn costs(checked: &Checked, function: &str) -> Vec<Diagnostic> {
    let modules = nnz_mlir::modules(checked).unwrap_or_default();
    let found = modules.iter().rev().find_map(|module| Some((module, module.find(function)?)));
    let costs = found.map(|(module, function)| generic::costs_of_call(&checked.source, (module, meanings()), function));
    costs.into_iter().flatten().map(|cost| cost.diagnostic(checked.source.id)).collect()
}
