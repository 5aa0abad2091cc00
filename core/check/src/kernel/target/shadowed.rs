//! A reduction over a variable that has a value around it: refused, with another name for it.

use crate::kernel::{
    LeftSide, Notation,
    calls::{callee, positional},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Edit},
    ids::IndexVar,
};
use nnz_kernel::{Expr, KernelError, Sum};
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    /// Reports a variable of a term that a reduction in it takes, too: `o(j) * sum(j, x(j))`. The term is summed over its own,
    /// as if that were written, and named sums are refused there. Whether there was one.
    pub(super) fn refuse_shadowed(
        &mut self,
        target: &LeftSide<'_>,
        node: NodeRef<'_>,
        indices: &[IndexVar],
        expr: &Expr,
    ) -> bool {
        let Some(var) = shadowed(expr, indices) else { return false };
        let var = self.vars[var.index()].name.clone();
        self.kernel_error(target, node, expr, &KernelError::Shadowed { var });
        true
    }

    /// Reports the innermost reduction over `var` that is written in `node`, and how to rename its variable; whether there is
    /// one.
    pub(super) fn shadowing(&mut self, target: &LeftSide<'_>, node: NodeRef<'_>, (var, message): (&str, &str)) -> bool {
        let calls = node.descendants().filter(|node| node.kind() == NodeKind::Call && self.takes(*node, var));
        let Some(reduction) = calls.last() else { return false };
        let names = reduction.tokens().filter(|token| token.text() == var);
        let (file, other) = (self.c.source.id, self.free_var("k", node));
        let edit = |span| Edit { file, span, replacement: other.clone() };
        let edits: Vec<Edit> = names.map(|name| edit(name.span())).collect();
        let Some(first) = edits.first().map(|edit| edit.span) else { return false };
        let error = self.error(Code::InvalidKernel, first, message.to_string());
        let told = error.clone().label(format!("`{var}` has a value here already"));
        let of_result = target.indices.iter().any(|index| index.text() == var);
        let or = if of_result {
            format!("; what is reduced over does not index the result `{}`", target.name.text)
        } else {
            String::new()
        };
        let told = told.help(format!("give the variable of `{}` another name, `{other}`{or}", callee(reduction)));
        *error = told.fix_edits(format!("rename it to `{other}`"), edits, Applicability::MaybeIncorrect);
        true
    }

    fn takes(&self, call: NodeRef<'_>, var: &str) -> bool {
        let arguments: Vec<NodeRef<'_>> = positional(call).collect();
        let vars = &arguments[..self.reduced(call, &arguments)];
        vars.iter().any(|node| node.first_token().is_some_and(|name| name.text() == var))
    }
}

/// The first variable that a term of `expr` is summed over and that a reduction in the term takes, too.
fn shadowed(expr: &Expr, indices: &[IndexVar]) -> Option<IndexVar> {
    match expr.as_sum() {
        Sum::Two { a, b, .. } => shadowed(a, indices).or_else(|| shadowed(b, indices)),
        Sum::Negated(a) => shadowed(a, indices),
        Sum::Term(term) => {
            let bound = term.bound_vars();
            term.free_vars().into_iter().find(|var| !indices.contains(var) && bound.contains(var))
        }
    }
}
