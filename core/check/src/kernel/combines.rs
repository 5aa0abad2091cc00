//! Slips in what `reduce` combines terms by.

use std::collections::BTreeSet;

use super::{Notation, functions};
use nnz_base::{diagnostic::Code, source::Span};
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    /// `combine = max`: a function without its operands; whether it is that.
    pub(super) fn combines_by_name(&mut self, combine: NodeRef<'_>) -> bool {
        let name = combine.text();
        let binary = |name| functions::find(name).is_some_and(|info| matches!(info.means, functions::Means::Binary(_)));
        let meant = match name {
            _ if combine.kind() != NodeKind::Name || self.is_value(name) => return false,
            "sum" | "add" | "plus" => "left + right".to_string(),
            "prod" | "mul" | "times" => "left * right".to_string(),
            _ if binary(name) => format!("{name}(left, right)"),
            _ => return false,
        };
        let message = format!("`{name}` does not say what it combines: `{meant}`");
        let error = self.arity(combine.span(), message, "without `left` and `right`");
        *error = error.clone().guess(combine.span(), meant);
        true
    }

    /// `combine = a + b`: two names that name nothing; whether it is that.
    pub(super) fn combines_others(&mut self, combine: NodeRef<'_>) -> bool {
        // The indices of a tensor are no terms.
        let calls = combine.descendants().filter(|part| part.kind() == NodeKind::Call);
        let accesses: Vec<Span> = calls.filter(|call| self.is_access(*call)).map(|call| call.span()).collect();
        let indexes = |name: NodeRef<'_>| accesses.iter().any(|access| access.cover(name.span()) == *access);
        let names = combine.descendants().filter(|part| part.kind() == NodeKind::Name && !indexes(*part));
        let mut others: Vec<NodeRef<'_>> = names.filter(|name| self.names_nothing(name.text())).collect();
        let known: BTreeSet<&str> = others.iter().map(|name| name.text()).collect();
        let [a, b] = known.into_iter().collect::<Vec<_>>()[..] else { return false };
        let first = others[0];
        let (left, right) = if first.text() == a { (a, b) } else { (b, a) };
        others.reverse();
        let (start, mut meant) = (combine.span().start, combine.text().to_string());
        for name in &others {
            let own = if name.text() == left { "left" } else { "right" };
            let at = (name.span().start - start) as usize;
            meant.replace_range(at..at + name.text().len(), own);
        }
        let message = format!("two terms are called `left` and `right` here, not `{left}` and `{right}`");
        let error = self.error(Code::UnknownName, first.span(), message);
        *error = error.clone().label("not defined").fix(format!("write `{meant}`"), combine.span(), meant);
        true
    }

    /// Whether a call indexes a tensor that is defined.
    fn is_access(&self, call: NodeRef<'_>) -> bool {
        self.is_tensor(call) && call.first_token().is_some_and(|name| self.scope.get(name.text()).is_some())
    }

    /// Whether a name in `combine` has no meaning.
    fn names_nothing(&self, name: &str) -> bool {
        let known = functions::CONSTANTS.iter().any(|(known, _)| *known == name);
        !known && !matches!(name, "left" | "right") && self.scope.get(name).is_none()
    }
}
