//! Reductions as other languages write them, and their equivalents here.

use std::collections::BTreeSet;

use super::{calls::callee, example_indices, functions, is_function};
use crate::scope::{Meaning, Scope};
use nnz_syntax::{NodeKind, NodeRef};

/// A reduction as nnz writes it.
pub(crate) struct Meant {
    pub text: String,
    /// The indices that it is not over, separated by commas.
    pub left: String,
}

/// `sum(j, A(i, j))` for `sum(A(i, j), j)`, `sum(i, x(i))` for `sum(x)` and `x.sum()`, `sum(j, A(i, j))` for
/// `np.sum(A, axis = 1)`.
pub(crate) fn meant_reduction(scope: &Scope, call: NodeRef<'_>) -> Option<Meant> {
    let written = callee(call);
    if let Some(meant) = subscripted(scope, call, &written) {
        return Some(meant);
    }
    let (object, name) = written.rsplit_once('.').unwrap_or(("", &written));
    functions::reduction(name).filter(|_| call.kind() == NodeKind::Call)?;
    let arguments: Vec<NodeRef<'_>> = call.children().collect();
    let of_object = matches!(scope.get(object), Some(Meaning::Tensor(_)));
    let (body, rest) = match arguments.split_first() {
        _ if of_object => (object, arguments.as_slice()),
        Some((body, rest)) => (body.text(), rest),
        None => return None,
    };
    if !rest.is_empty() && body.ends_with(')') && rest.iter().all(|var| var.kind() == NodeKind::Name) {
        let vars: Vec<&str> = rest.iter().map(|var| var.text()).collect();
        return Some(Meant { text: format!("{name}({}, {body})", vars.join(", ")), left: String::new() });
    }
    if let Some(text) = over_variable(scope, name, &arguments).or_else(|| over_axis(scope, call, (name, &arguments))) {
        return Some(Meant { text, left: String::new() });
    }
    if let Some(meant) = of_access(scope, call, &arguments) {
        let given: Vec<&str> = arguments.iter().map(|node| node.text()).collect();
        return Some(Meant {
            text: format!("{name}({}, {})", meant.join(", "), given.join(", ")),
            left: String::new(),
        });
    }
    let Some(Meaning::Tensor(ty)) = scope.get(body) else { return None };
    let all = example_indices(ty.rank()?);
    let reduced: Vec<usize> = match rest {
        [] => (0..ty.rank()?).collect(),
        [axis] if of_object && axis.kind() != NodeKind::NamedArg => vec![counted_axis(axis.text(), ty.rank()?)?],
        [axis] => vec![axis_of(*axis, ty.rank()?)?],
        _ => return None,
    };
    let indices = free_indices(all.split(", ").collect(), &reduced, call);
    let all = indices.join(", ");
    let over: Vec<&str> = reduced.iter().map(|at| indices.get(*at).copied()).collect::<Option<_>>()?;
    let left: Vec<&str> = indices.into_iter().filter(|index| !over.contains(index)).collect();
    Some(Meant { text: format!("{name}({}, {body}({all}))", over.join(", ")), left: left.join(", ") })
}

/// `sum(j, A(i, j))` for `sum_j(A(i, j))`.
fn subscripted(scope: &Scope, call: NodeRef<'_>, written: &str) -> Option<Meant> {
    let (name, subscript) = written.split_once('_')?;
    let body = call.children().next().filter(|_| call.kind() == NodeKind::Call && call.children().count() == 1)?;
    let names: BTreeSet<&str> =
        body.descendants().filter(|node| node.kind() == NodeKind::Name).map(NodeRef::text).collect();
    let letters = subscript.split("").filter(|letter| !letter.is_empty());
    let vars: Vec<&str> = if names.contains(subscript) { vec![subscript] } else { letters.collect() };
    let indexes = !vars.is_empty() && vars.iter().all(|var| names.contains(var) && scope.get(var).is_none());
    functions::reduction(name).filter(|_| indexes && scope.get(written).is_none())?;
    let left: Vec<&str> = names.into_iter().filter(|name| !vars.contains(name) && scope.get(name).is_none()).collect();
    Some(Meant { text: format!("{name}({}, {})", vars.join(", "), body.text()), left: left.join(", ") })
}

/// `sum(j, A(i, j))` for `sum(A(i, j), over = j)`.
fn over_variable(scope: &Scope, name: &str, arguments: &[NodeRef<'_>]) -> Option<String> {
    let &[body, named] = arguments else { return None };
    let var = named.children().next().filter(|_| named.kind() == NodeKind::NamedArg)?;
    let key = named.first_token()?.text();
    let over =
        matches!(key, "over" | "axis" | "dim") && var.kind() == NodeKind::Name && scope.get(var.text()).is_none();
    let known = matches!(var.text(), "all" | "stored");
    (over && !known && body.kind() != NodeKind::NamedArg).then(|| format!("{name}({}, {})", var.text(), body.text()))
}

/// `sum(j, A(i, j))` for `sum(A(i, j), axis = 1)`.
fn over_axis(scope: &Scope, call: NodeRef<'_>, (name, arguments): (&str, &[NodeRef<'_>])) -> Option<String> {
    let &[access, axis] = arguments else { return None };
    let tensor = matches!(scope.get(access.first_token()?.text()), Some(Meaning::Tensor(_)));
    let indices: Vec<NodeRef<'_>> = access.children().filter(|_| access.kind() == NodeKind::Call && tensor).collect();
    let index = *indices.get(axis_of(axis, indices.len())?)?;
    let free = index.kind() == NodeKind::Name && !names_beside(call).contains(index.text());
    free.then(|| format!("{name}({}, {})", index.text(), access.text()))
}

/// The names in the statement of a call, but for those within it.
fn names_beside(call: NodeRef<'_>) -> BTreeSet<&str> {
    let statement = call.ancestors().find(|node| matches!(node.kind(), NodeKind::Assignment | NodeKind::Definition));
    let outside = |node: &NodeRef<'_>| call.span().cover(node.span()) != call.span();
    let names = statement.into_iter().flat_map(NodeRef::descendants).filter(|node| node.kind() == NodeKind::Name);
    names.filter(outside).map(NodeRef::text).collect()
}

/// The variables of `x(i)` in `max(x(i))` that nothing else in the statement has.
fn of_access<'t>(scope: &Scope, call: NodeRef<'t>, arguments: &[NodeRef<'t>]) -> Option<Vec<&'t str>> {
    let is_value = |node: &&NodeRef<'t>| node.kind() != NodeKind::NamedArg;
    let mut values = arguments.iter().filter(is_value);
    let (access, None) = (values.next()?, values.next()) else { return None };
    let tensor = matches!(scope.get(access.first_token()?.text()), Some(Meaning::Tensor(_)));
    let indices: Vec<NodeRef<'_>> = access.children().filter(|_| access.kind() == NodeKind::Call && tensor).collect();
    let taken = names_beside(call);
    let names = indices.iter().filter(|index| index.kind() == NodeKind::Name).map(|index| index.text());
    let free: Vec<&str> = names.filter(|name| !taken.contains(name)).collect();
    (!free.is_empty()).then_some(free)
}

/// The indices, with others in place of those over which the reduction runs and that are used beside `call`.
fn free_indices<'t>(mut indices: Vec<&'t str>, reduced: &[usize], call: NodeRef<'t>) -> Vec<&'t str> {
    let taken = names_beside(call);
    for at in reduced {
        let free = |name: &&str| !taken.contains(name) && !indices.contains(name);
        let other = ["i", "j", "k", "l", "m", "n", "o", "p"].into_iter().find(free);
        if let (Some(index), Some(other)) = (indices.get_mut(*at).filter(|index| taken.contains(**index)), other) {
            *index = other;
        }
    }
    indices
}

/// The indices of a product of matrices and vectors: of the result, of the left operand, of the right one.
pub(crate) fn product_indices(left: usize, right: usize) -> Option<[&'static str; 3]> {
    match (left, right) {
        (2, 2) => Some(["i, j", "i, k", "k, j"]),
        (2, 1) => Some(["i", "i, j", "j"]),
        (1, 2) => Some(["j", "i", "i, j"]),
        _ => None,
    }
}

/// The first call of something that is neither a tensor nor a function.
pub(crate) fn unknown_call<'t>(scope: &Scope, node: NodeRef<'t>) -> Option<NodeRef<'t>> {
    let mut calls = node.descendants().filter(|part| part.kind() == NodeKind::Call);
    calls.find(|call| {
        let name = call.first_token().map_or("", |token| token.text());
        scope.get(name).is_none() && !is_function(&callee(*call))
    })
}

/// The dimension of `axis = 1` or `axis = -1`, as NumPy counts them.
fn axis_of(argument: NodeRef<'_>, rank: usize) -> Option<usize> {
    let named = argument.first_token().is_some_and(|name| matches!(name.text(), "axis" | "dim"));
    let number = argument.children().next().filter(|_| named && argument.kind() == NodeKind::NamedArg)?;
    counted_axis(number.text(), rank)
}

fn counted_axis(number: &str, rank: usize) -> Option<usize> {
    let axis: isize = number.parse().ok()?;
    let counted = if axis < 0 { axis.checked_add_unsigned(rank)? } else { axis };
    usize::try_from(counted).ok().filter(|axis| *axis < rank)
}
