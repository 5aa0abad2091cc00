//! Assignments and conversions of notation.

use super::{Preview, Shown, assumed, places::Origins};
use crate::kernels::{KernelPlace, converted};
use nnz_check::{Checked, command::View};
use nnz_kernel::{Kernel, Schedule};
use nnz_listing::Listing;
use nnz_plan::iterate::is_direct;
use nnz_run::{self as run, Origin, Request};
use nnz_syntax::{NodeKind, NodeRef, session::statements};

/// A kernel to be shown.
pub(super) struct Found {
    pub(super) kernel: Kernel,
    pub(super) schedule: Schedule,
    /// What is assumed of it.
    pub(super) notes: Vec<String>,
}

/// Why there is no kernel to show.
pub(super) enum Missing {
    /// A type that something is wrong with.
    Types,
    /// Known only from data.
    Data(String),
}

pub(super) fn lowered(
    checked: &Checked,
    place: &KernelPlace,
    view: View,
    cancelled: &dyn Fn() -> bool,
) -> Option<Preview> {
    let node = statements(&checked.tree).into_iter().find_map(|cut| cut.node.filter(|_| cut.span == place.whole));
    match node.map(|node| (node, found(checked, place, node))) {
        Some((node, Ok(found))) => planned(&found, node, (view, cancelled)),
        Some((_, Err(Missing::Data(reason)))) => Some(Preview::Shown(Shown::said(view, &[reason]))),
        None | Some((_, Err(Missing::Types))) => Some(Preview::Broken(UNKNOWN_TYPES.to_string())),
    }
}

fn planned(found: &Found, node: NodeRef<'_>, (view, cancelled): (View, &dyn Fn() -> bool)) -> Option<Preview> {
    let Found { kernel, schedule, notes } = found;
    let is_right = |part: &NodeRef<'_>| !matches!(part.kind(), NodeKind::TypeSpec | NodeKind::Schedule);
    let text = node.children().skip(1).find(is_right).map(NodeRef::text);
    let planned = run::outlined(Request { kernel, schedule, text, origin: Origin::Session });
    if cancelled() {
        return None;
    }
    let is_conversion = converted_by(node).is_some();
    let packed = || {
        let name = kernel.tensor(kernel.result().tensor).name.as_str();
        Preview::Shown(Shown::said(view, &[assumed::packed(name)]))
    };
    Some(match planned {
        // One pass of loops cannot do it.
        Ok((outline, _)) if is_conversion && !is_direct(&outline.lowered().plan) => packed(),
        Err(refusal) if is_conversion && !refusal.is_bug() => packed(),
        Ok((outline, _)) => {
            let listing = Listing::of(&outline, schedule);
            Preview::Shown(Shown::of(notes, (&listing, view), &origins(kernel, node)))
        }
        Err(refusal) => Preview::Broken(refusal.to_string()),
    })
}

const UNKNOWN_TYPES: &str = "the types of what it reads are not known from the text alone";

/// The `A` of `B : CSC = A`.
fn converted_by(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
    converted(node).filter(|_| node.kind() == NodeKind::Definition)
}

fn found(checked: &Checked, place: &KernelPlace, node: NodeRef<'_>) -> Result<Found, Missing> {
    if let Some(from) = converted_by(node) {
        return assumed::conversion(checked, place, from);
    }
    let known = checked.kernels.iter().find(|kernel| kernel.places.last() == Some(place.selection));
    match known {
        Some(known) => {
            let (kernel, schedule) = ((*known.kernel).clone(), known.scheduled.schedule.clone());
            Ok(Found { kernel, schedule, notes: Vec::new() })
        }
        None => assumed::assignment(checked, node),
    }
}

/// The places of the kernel's variables and tensors in its statement.
fn origins(kernel: &Kernel, node: NodeRef<'_>) -> Origins {
    let mut origins = Origins::of(kernel);
    for part in node.descendants().filter(|part| matches!(part.kind(), NodeKind::Name | NodeKind::Call)) {
        let Some(name) = part.first_token() else { continue };
        let is_var = part.kind() == NodeKind::Name && origins.add_var(name.text(), part.span());
        if !is_var {
            origins.add_tensor(name.text(), part.span());
        }
    }
    if let Some(name) = node.first_token().filter(|_| node.kind() == NodeKind::Definition) {
        origins.add_tensor(name.text(), name.span());
    }
    origins
}
