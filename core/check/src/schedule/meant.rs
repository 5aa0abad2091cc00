//! Steps with other arguments or names than nnz has, as they are meant.

use nnz_kernel::schedule::StepInfo;
use nnz_syntax::{NodeKind, NodeRef};

/// A step of the loops and the numbers that are written, in the order in which the step takes them; and whether all
/// numbers are written. What is missing is named like the loop that it is made of: `j0` and `j1` of `j`.
pub(super) fn as_meant(node: NodeRef<'_>, info: &StepInfo) -> Option<(String, bool)> {
    let (names, numbers): (Vec<NodeRef<'_>>, Vec<NodeRef<'_>>) =
        node.children().partition(|part| part.kind() == NodeKind::Name);
    let first = names.first()?.text();
    let takes = takes(info);
    if takes.is_empty() || takes.iter().any(|part| part.contains('(')) || !numbers.iter().all(is_number) {
        return None;
    }
    let (mut names, mut numbers) = (names.iter().map(|name| name.text()), numbers.iter().map(|part| part.text()));
    let (mut written, mut sure) = (Vec::new(), true);
    for part in &takes {
        let given = if takes_number(part) { numbers.next() } else { names.next() };
        sure &= !takes_number(part) || given.is_some();
        let named = || part.strip_prefix(takes[0]).map(|rest| format!("{first}{rest}"));
        written.push(given.map(str::to_string).or_else(named).unwrap_or((*part).to_string()));
    }
    let twice = (1..written.len()).any(|at| written[..at].contains(&written[at]));
    (!twice).then(|| (format!("{}({})", info.name, written.join(", ")), sure))
}

/// `split(j, j0, j1, 16)` for `split(j, 16, j0, j1)`: names where numbers are taken.
pub(super) fn in_other_order(node: NodeRef<'_>, info: &StepInfo) -> Option<String> {
    let (text, _) = as_meant(node, info).filter(|(_, sure)| *sure)?;
    let (given, takes): (Vec<NodeRef<'_>>, Vec<&str>) = (node.children().collect(), takes(info));
    let fits = given.iter().map(is_number).eq(takes.iter().map(|part| takes_number(part)));
    (!fits && given.len() == takes.len()).then_some(text)
}

/// What a step takes, as its usage names it.
fn takes(info: &StepInfo) -> Vec<&'static str> {
    let inside = info.usage.trim_end_matches(')').split_once('(').map_or("", |(_, inside)| inside);
    inside.split(", ").filter(|part| !part.is_empty()).collect()
}

fn takes_number(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_number(part: &NodeRef<'_>) -> bool {
    part.kind() == NodeKind::Number
}

/// What a step of Halide, TVM or LLVM is here.
pub(super) fn of_other_tools(name: &str, node: NodeRef<'_>) -> Option<String> {
    let arguments: Vec<&str> = node.children().map(|part| part.text()).collect();
    let numbers = node.children().skip(2).all(|part| is_number(&part));
    let all = || (arguments.len() > 1).then(|| arguments.join(", "));
    let one = || arguments.first().copied();
    Some(match (name.to_ascii_lowercase().as_str(), arguments.as_slice()) {
        ("tile", [i, j, high, wide]) if numbers => {
            format!("split({i}, {i}0, {i}1, {high}), split({j}, {j}0, {j}1, {wide}), reorder({i}0, {j}0, {i}1, {j}1)")
        }
        ("interchange" | "permute" | "swap" | "order", _) => format!("reorder({})", all()?),
        ("strip" | "strip_mine" | "stripmine" | "chunk", [i, size, ..]) if size.parse::<u32>().is_ok() => {
            format!("split({i}, {i}0, {i}1, {size})")
        }
        ("simd" | "vector", _) => format!("vectorize({})", one()?),
        ("thread" | "threads" | "openmp" | "omp" | "prange", _) => format!("parallelize({})", one()?),
        ("collapse" | "flatten" | "merge", [i, j]) => format!("fuse({i}, {j}, {i}{j})"),
        _ => return None,
    })
}
