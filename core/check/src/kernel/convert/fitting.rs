//! The indices that a tensor without any was meant to have: variables of the statement that run as far as its dimensions.

use super::Notation;
use crate::scope::{Meaning, PartialType};
use nnz_syntax::{NodeKind, NodeRef};

/// A variable of the statement: how far it runs, where that is known, and how often it stands there.
pub(in crate::kernel) struct Candidate<'t> {
    pub name: &'t str,
    pub extent: Option<u64>,
    uses: usize,
}

impl Notation<'_, '_> {
    /// `j` for the `x` of `y(i) = A(i, j) * x`: of the variables that fit, those that the statement uses least come first.
    pub(super) fn fitting_indices(&self, node: NodeRef<'_>, ty: &PartialType) -> Option<String> {
        let statement = node.ancestors().find(|node| node.kind() == NodeKind::Assignment)?;
        let mut left = self.candidates(statement);
        left.sort_by_key(|candidate| candidate.uses);
        let mut found = Vec::new();
        for dim in 0..ty.rank().filter(|rank| *rank > 0)? {
            let fits = |candidate: &Candidate<'_>| match (candidate.extent, ty.extent(dim)) {
                (Some(known), Some(size)) => known == size,
                (None, _) | (_, None) => true,
            };
            found.push(left.remove(left.iter().position(fits)?).name);
        }
        Some(found.join(", "))
    }

    /// The index variables of a statement, those of its right side in front.
    pub(in crate::kernel) fn candidates<'t>(&self, statement: NodeRef<'t>) -> Vec<Candidate<'t>> {
        let head = statement.children().next().map(NodeRef::span);
        let calls = statement.descendants().filter(|node| node.kind() == NodeKind::Call && self.is_tensor(*node));
        let (left, right): (Vec<NodeRef<'t>>, Vec<NodeRef<'t>>) = calls.partition(|call| Some(call.span()) == head);
        let mut found = Vec::new();
        right.into_iter().for_each(|call| self.add_indices(call, true, &mut found));
        left.into_iter().for_each(|call| self.add_indices(call, false, &mut found));
        found
    }

    /// Adds the variables of an access, whose tensor tells how far they run where it is `known`.
    fn add_indices<'t>(&self, call: NodeRef<'t>, known: bool, found: &mut Vec<Candidate<'t>>) {
        let ty = call.first_token().and_then(|name| self.tensor_type(name.text())).filter(|_| known);
        for (dim, index) in call.children().enumerate().filter(|(_, index)| index.kind() == NodeKind::Name) {
            let extent = ty.and_then(|ty| ty.extent(dim));
            match found.iter_mut().find(|other| other.name == index.text()) {
                Some(other) => {
                    other.uses += 1;
                    other.extent = other.extent.or(extent);
                }
                None => found.push(Candidate { name: index.text(), extent, uses: 1 }),
            }
        }
    }

    fn tensor_type(&self, name: &str) -> Option<&PartialType> {
        match self.scope.get(name)? {
            Meaning::Tensor(ty) => Some(ty),
            Meaning::Scalar(_) | Meaning::Encoding(_) | Meaning::Broken => None,
        }
    }
}
