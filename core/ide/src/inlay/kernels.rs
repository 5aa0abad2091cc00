//! The loops of kernels, and the operands that are converted before they run.

use std::ops::Range;

use nnz_base::source::Span;
use nnz_check::{Checked, CheckedKernel, Grammar};
use nnz_encoding::named;
use nnz_machine::{Becomes, Site, becomes_loops, sites_at};
use nnz_mlir::function_at;
use nnz_run::{Origin, Outline, Request, outlined};
use nnz_syntax::{TokenKind, TokenRef};

use super::{HintKind, InlayHint, starting_in};

pub(super) fn hints(checked: &Checked, range: &Range<usize>, cancelled: &dyn Fn() -> bool) -> Vec<InlayHint> {
    match checked.grammar {
        Grammar::Notation => {
            let kernels = starting_in(&checked.kernels, range, |kernel| kernel.span.start).iter();
            kernels.take_while(|_| !cancelled()).flat_map(|kernel| of_kernel(checked, kernel)).collect()
        }
        Grammar::Mlir => {
            let tokens =
                checked.tree.tokens_in(range.clone()).map(|(_, token)| token).filter(|token| is_kernel(*token));
            tokens.take_while(|_| !cancelled()).flat_map(|token| of_operation(checked, token)).collect()
        }
    }
}

fn is_kernel(token: TokenRef<'_>) -> bool {
    token.kind() == TokenKind::Ident && becomes_loops(token.text())
}

fn of_kernel(checked: &Checked, known: &CheckedKernel) -> Vec<InlayHint> {
    let CheckedKernel { kernel, span, places, scheduled, .. } = known;
    let text = Some(checked.source.slice(*span));
    let request = Request { kernel, schedule: &scheduled.schedule, text, origin: Origin::Session };
    let Ok((outline, _)) = outlined(request) else { return Vec::new() };
    let plan = &outline.lowered().plan;
    let end = scheduled.places.last().map_or(span.end, |step| step.whole.end);
    let converted = plan.derived.iter().filter_map(|derived| {
        let place: Span = places.get(derived.from.index())?;
        let name = checked.tree.token_at(place.start as usize)?;
        Some(conversion(name.span().end, format_name(plan.kernel.tensor(derived.tensor).encoding.as_deref()?)))
    });
    loops(&outline, end).into_iter().chain(converted).collect()
}

fn of_operation(checked: &Checked, token: TokenRef<'_>) -> Vec<InlayHint> {
    let Some((function, wrong)) = function_at(checked, token.span().start as usize) else { return Vec::new() };
    // What is wrong with the function may be wrong with its kernels.
    if wrong.iter().any(|found| found.is_error() && found.primary.span.start >= function.span.start) {
        return Vec::new();
    }
    sites_at(&checked.source, &function, token.span()).iter().flat_map(|site| of_site(site, token)).collect()
}

fn of_site(site: &Site, token: TokenRef<'_>) -> Vec<InlayHint> {
    let outline = match &site.becomes {
        Becomes::Loops(outline, _) => outline,
        Becomes::Evaluated(_) | Becomes::Broken(_) => return Vec::new(),
    };
    let plan = &outline.lowered().plan;
    let converted = plan.derived.iter().filter_map(|derived| {
        let name = format!("%{}", plan.kernel.tensor(derived.from).name.trim_start_matches('%'));
        let format = format_name(plan.kernel.tensor(derived.tensor).encoding.as_deref()?);
        Some(conversion(operand(token, &name)?.end, format))
    });
    loops(outline, token.span().end).into_iter().chain(converted).collect()
}

/// The operand of this name behind the operation's.
fn operand(operation: TokenRef<'_>, name: &str) -> Option<Span> {
    const MOST: usize = 400;
    let mut following = std::iter::successors(operation.following(), |token| token.following()).take(MOST);
    following.find(|token| token.text() == name).map(TokenRef::span)
}

/// `loops i, j`; of several nests each once.
fn loops(outline: &Outline, offset: u32) -> Option<InlayHint> {
    let mut nests: Vec<String> = Vec::new();
    for graph in outline.graphs() {
        let names: Vec<&str> = graph.loops.iter().map(|found| found.name.as_str()).collect();
        let names = names.join(", ");
        if !names.is_empty() && !nests.contains(&names) {
            nests.push(names);
        }
    }
    let text = format!("loops {}", nests.join("; "));
    let tooltip = "The order of the loops, outermost first; the hover gives the reasons.".to_string();
    (!nests.is_empty()).then_some(InlayHint { offset, text, kind: HintKind::Loops, tooltip })
}

fn conversion(offset: u32, format: String) -> InlayHint {
    let tooltip = format!("The loops read it as {format}: it is converted first, each time the kernel runs.");
    InlayHint { offset, text: format!("as {format}"), kind: HintKind::Conversions, tooltip }
}

fn format_name(encoding: &nnz_encoding::Encoding) -> String {
    named::names_of(encoding).nnz.unwrap_or_else(|| encoding.map_text())
}
