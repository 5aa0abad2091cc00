//! Functions inside implicit sums: `relu(A(i, j) * x(j))` is a sum of values of `relu`, and looks like `relu` of a sum.

use super::{
    LeftSide, Notation,
    calls::{callee, positional},
    functions::{self, Means},
    operator,
};
use nnz_base::diagnostic::Code;
use nnz_kernel::UnaryOp;
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

impl Notation<'_, '_> {
    /// Gives a hint at each function of a product over a variable that the statement sums over by itself.
    pub(super) fn doubt_functions_of_products(&mut self, expr: NodeRef<'_>, target: &LeftSide<'_>) {
        if target.update.is_some_and(|update| !update.is_additive()) {
            return;
        }
        for call in expr.descendants().filter(|node| node.kind() == NodeKind::Call) {
            if let Some(vars) = self.summed_inside(call, expr, target) {
                self.doubt_function(call, &vars);
            }
        }
    }

    fn doubt_function(&mut self, call: NodeRef<'_>, vars: &[&str]) {
        let Some(argument) = positional(call).next() else { return };
        let (name, over) = (callee(call), vars.join(", "));
        let meant = format!("{name}(sum({over}, {}))", argument.text());
        let message = format!("the sum over {} is of values of `{name}`", quoted(vars));
        let hint = self.c.diagnostic(Code::SumOfFunction, call.span(), message).label("one for each product");
        let explicit = format!("`sum({over}, {})` says that it is", call.text());
        self.c.report(hint.help(explicit).fix(format!("write `{meant}`"), call.span(), meant));
    }

    /// The variables over which the statement sums, and over which a product is that a function takes.
    fn summed_inside<'t>(&self, call: NodeRef<'t>, expr: NodeRef<'_>, target: &LeftSide<'_>) -> Option<Vec<&'t str>> {
        functions::find(&callee(call)).filter(|info| !is_summed_often(&info.means))?;
        let mut arguments = positional(call);
        let (Some(product), None) = (arguments.next(), arguments.next()) else { return None };
        let stands_in_call = call.ancestors().skip(1).take_while(|outer| outer.span() != expr.span());
        let mut around = stands_in_call.chain((call.span() != expr.span()).then_some(expr));
        if self.is_tensor(call) || around.any(|outer| outer.kind() == NodeKind::Call) {
            return None;
        }
        let sign = operator(product).filter(|_| product.kind() == NodeKind::Binary)?;
        let factors: Vec<NodeRef<'t>> = product.children().collect();
        let &[left, right] = factors.as_slice() else { return None };
        let on_left = |name: &str| target.indices.iter().any(|index| index.text() == name);
        let vars: Vec<&str> = self.indices_in(left).into_iter().filter(|name| !on_left(name)).collect();
        let shared: Vec<&str> = vars.into_iter().filter(|name| self.indices_in(right).contains(name)).collect();
        (sign.kind() == TokenKind::Star && !shared.is_empty()).then_some(shared)
    }

    /// The names that index tensors in `node`, each once.
    fn indices_in<'t>(&self, node: NodeRef<'t>) -> Vec<&'t str> {
        let accesses = node.descendants().filter(|part| part.kind() == NodeKind::Call && self.is_tensor(*part));
        let mut names: Vec<&str> = accesses
            .flat_map(positional)
            .filter(|index| index.kind() == NodeKind::Name)
            .map(|index| index.text())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Whether sums of the function's values are usual, as in norms, or are values of the function.
fn is_summed_often(means: &Means) -> bool {
    use UnaryOp::{Abs, Conj, Imag, Neg, Real, Sign, Square};
    matches!(means, Means::Unary(Neg | Conj | Real | Imag | Abs | Square | Sign))
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
