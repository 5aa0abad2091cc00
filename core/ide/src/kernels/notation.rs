//! Assignments, conversions such as `B : CSC = A`, and scalars that kernels compute.

use std::collections::HashSet;

use super::KernelPlace;
use nnz_base::source::Span;
use nnz_check::Checked;
use nnz_syntax::{
    NodeKind, NodeRef,
    session::{Statement, statements},
};

pub(super) fn assignments(checked: &Checked) -> Vec<KernelPlace> {
    let computed: HashSet<Span> = checked.kernels.iter().filter_map(|kernel| kernel.places.last()).collect();
    let is_computed = |node: NodeRef<'_>| node.first_token().is_some_and(|name| computed.contains(&name.span()));
    let place = |statement: &Statement<'_>| {
        let node = statement.node.filter(|node| is_kernel(*node) || is_computed(*node))?;
        let name = node.first_token()?;
        Some(KernelPlace { name: name.text().to_string(), selection: name.span(), whole: statement.span })
    };
    statements(&checked.tree).iter().filter_map(place).collect()
}

fn is_kernel(node: NodeRef<'_>) -> bool {
    let kind = node.kind();
    kind == NodeKind::Assignment && is_assigned(node) || kind == NodeKind::Definition && converted(node).is_some()
}

/// `y(i) = ...` or `s += ...`, and not `s = @f(...)`.
fn is_assigned(node: NodeRef<'_>) -> bool {
    let head = node.children().next();
    let updates = || node.own_tokens().next().is_some_and(|token| token.text() != "=");
    let has = |head: NodeRef<'_>| head.kind() == NodeKind::Call || head.kind() == NodeKind::Name && updates();
    node.child(NodeKind::ProgramCall).is_none() && head.is_some_and(has)
}

/// The `A` of `B : CSC = A`.
pub(crate) fn converted(definition: NodeRef<'_>) -> Option<NodeRef<'_>> {
    definition.child(NodeKind::TypeSpec)?;
    let from = definition.children().last().filter(|init| init.kind() == NodeKind::Name)?;
    let is_number = matches!(from.text(), "inf" | "nan" | "true" | "false");
    (!is_number).then_some(from)
}
