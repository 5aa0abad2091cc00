//! `mean(j, A(i, j))`: nnz has no means, and the sum and the number of its terms are known.

use super::Notation;
use nnz_base::diagnostic::{Applicability, Code, Edit};
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    /// Reports a mean over index variables, with the quotient that it is; whether it is that.
    pub(super) fn means_over(&mut self, node: NodeRef<'_>, callee: &str, arguments: &[NodeRef<'_>]) -> bool {
        let Some((body, vars)) = arguments.split_last().filter(|(_, vars)| !vars.is_empty()) else { return false };
        let named = vars.iter().all(|var| var.kind() == NodeKind::Name);
        let Some(count) = self.terms_over(node, vars).filter(|_| named && is_mean(callee)) else { return false };
        let names: Vec<&str> = vars.iter().map(|var| var.text()).collect();
        let whole = format!("sum({}, {}) / {count}", names.join(", "), body.text());
        let place = node.first_token().map_or(node.span(), |name| name.span());
        let edits = vec![Edit { file: self.c.source.id, span: node.span(), replacement: whole.clone() }];
        let error = self.error(Code::UnknownName, place, format!("there is no tensor and no function `{callee}`"));
        let told = error.clone().label("not defined").help("a mean is a sum, divided by the number of its terms");
        *error = told.fix_edits(format!("write `{whole}`"), edits, Applicability::MaybeIncorrect);
        true
    }

    /// How many values these variables take together.
    fn terms_over(&self, node: NodeRef<'_>, vars: &[NodeRef<'_>]) -> Option<u64> {
        let statement = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Assignment | NodeKind::Definition);
        let known = self.candidates(node.ancestors().find(statement)?);
        let extent = |name: &str| known.iter().find(|candidate| candidate.name == name)?.extent;
        vars.iter().try_fold(1_u64, |count, var| count.checked_mul(extent(var.text())?))
    }
}

fn is_mean(function: &str) -> bool {
    matches!(function, "mean" | "average" | "avg")
}
