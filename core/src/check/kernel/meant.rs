//! Reductions as other languages write them, and what they mean.

use super::{calls::callee, example_indices, functions};
use crate::{
    check::scope::{Meaning, Scope},
    syntax::{NodeKind, NodeRef},
};

/// A reduction as nnz writes it.
pub(in crate::check) struct Meant {
    pub text: String,
    /// The indices that it is not over, separated by commas.
    pub left: String,
}

/// `sum(j, A(i, j))` for `sum(A(i, j), j)`, `sum(i, x(i))` for `sum(x)`, `sum(j, A(i, j))` for `sum(A, axis = 1)`.
pub(in crate::check) fn meant_reduction(scope: &Scope, call: NodeRef<'_>) -> Option<Meant> {
    let name = callee(call);
    functions::reduction(&name).filter(|_| call.kind() == NodeKind::Call)?;
    let arguments: Vec<NodeRef<'_>> = call.children().collect();
    let (body, rest) = arguments.split_first()?;
    if !rest.is_empty() && rest.iter().all(|var| var.kind() == NodeKind::Name) {
        let vars: Vec<&str> = rest.iter().map(|var| var.text()).collect();
        return Some(Meant { text: format!("{name}({}, {})", vars.join(", "), body.text()), left: String::new() });
    }
    let Some(Meaning::Tensor(ty)) = scope.get(body.text()) else { return None };
    let all = example_indices(ty.rank()?);
    let indices: Vec<&str> = all.split(", ").collect();
    let over = match rest {
        [] => indices.clone(),
        [axis] => vec![*indices.get(axis_of(*axis)?)?],
        _ => return None,
    };
    let left: Vec<&str> = indices.into_iter().filter(|index| !over.contains(index)).collect();
    Some(Meant { text: format!("{name}({}, {}({all}))", over.join(", "), body.text()), left: left.join(", ") })
}

/// The dimension of `axis = 1`, as NumPy counts them.
fn axis_of(argument: NodeRef<'_>) -> Option<usize> {
    let named = argument.first_token().is_some_and(|name| matches!(name.text(), "axis" | "dim" | "dims"));
    argument.children().next().filter(|_| named && argument.kind() == NodeKind::NamedArg)?.text().parse().ok()
}
