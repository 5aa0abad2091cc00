//! Operations of programs.

use super::{Preview, Shown, error_in, places::Origins};
use crate::kernels::KernelPlace;
use nnz_base::source::Span;
use nnz_check::{Checked, command::View};
use nnz_kernel::Schedule;
use nnz_listing::Listing;
use nnz_machine::{Becomes, Site, plain_name, sites_at};
use nnz_mlir::{function_at, ir::Function};
use nnz_run::Outline;
use nnz_syntax::{TokenKind, TokenRef};

pub(super) fn lowered(
    checked: &Checked,
    place: &KernelPlace,
    view: View,
    cancelled: &dyn Fn() -> bool,
) -> Option<Preview> {
    let read = function_at(checked, place.selection.start as usize);
    let Some((function, mistakes)) = read else {
        return Some(Preview::Broken("the function around it is not understood".to_string()));
    };
    if cancelled() {
        return None;
    }
    Some(match error_in(&mistakes, place.whole) {
        Some(error) => Preview::Broken(error),
        None => shown(checked, &function, place, view),
    })
}

/// Of an operation with several results, one kernel behind the other.
fn shown(checked: &Checked, function: &Function, place: &KernelPlace, view: View) -> Preview {
    let sites = sites_at(&checked.source, function, place.selection);
    let mut all = Shown::default();
    for (at, site) in sites.iter().enumerate() {
        if at > 0 {
            all.append(Shown { text: "\n".to_string(), ..Shown::default() });
        }
        match of_site(checked, site, (place, view)) {
            Ok(one) => all.append(one),
            Err(reason) => return Preview::Broken(reason),
        }
    }
    match sites.is_empty() {
        true => Preview::Broken("the types of its operands are not understood".to_string()),
        false => Preview::Shown(all),
    }
}

/// # Errors
/// A bug of nnz, in its words.
fn of_site(checked: &Checked, site: &Site, (place, view): (&KernelPlace, View)) -> Result<Shown, String> {
    let mut head = vec![place.name.clone()];
    head.extend(site.notes.iter().cloned());
    match &site.becomes {
        Becomes::Loops(outline, _) => {
            let schedule = Schedule::default();
            let listing = Listing::of(outline, &schedule);
            Ok(Shown::of(&head, (&listing, view), &origins(checked, outline, place)))
        }
        Becomes::Evaluated(how) => {
            head.push(how.clone());
            Ok(Shown::said(view, &head))
        }
        Becomes::Broken(refusal) => Err(refusal.to_string()),
    }
}

/// The places of the loops and operands: for a loop the word of its kind, for an operand its name in the operation.
fn origins(checked: &Checked, outline: &Outline, place: &KernelPlace) -> Origins {
    let kernel = outline.kernel();
    let mut origins = Origins::of(kernel);
    let kinds = kinds_of_loops(checked, place.whole);
    for (var, kind) in kernel.vars().iter().zip(kinds) {
        origins.add_var(&var.name, kind);
    }
    for token in tokens(checked, place.whole).filter(|token| token.kind() == TokenKind::PercentId) {
        origins.add_tensor(&plain_name(token.text()), token.span());
    }
    origins
}

/// `"parallel"` and `"reduction"`, in the operation or in the trait that it names.
fn kinds_of_loops(checked: &Checked, whole: Span) -> Vec<Span> {
    let is_kind = |token: &TokenRef<'_>| matches!(token.text(), "\"parallel\"" | "\"reduction\"");
    let kinds = |span: Span| tokens(checked, span).filter(is_kind).map(TokenRef::span).collect::<Vec<_>>();
    let written = kinds(whole);
    if !written.is_empty() {
        return written;
    }
    let named = tokens(checked, whole).filter(|token| token.kind() == TokenKind::HashId);
    let definition =
        |name: TokenRef<'_>| Some(checked.symbols.definition(checked.definition_at(name.span().start as usize)?));
    let found = named.filter_map(definition).map(|alias| kinds(alias.whole));
    { found }.find(|kinds| !kinds.is_empty()).unwrap_or_default()
}

fn tokens(checked: &Checked, span: Span) -> impl Iterator<Item = TokenRef<'_>> {
    checked.tree.tokens_in(span.range()).map(|(_, token)| token)
}
