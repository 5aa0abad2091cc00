//! The index variables and loops of a statement in nnz notation, found in its text.

use std::collections::HashSet;

use nnz_base::source::Span;
use nnz_kernel::schedule::{StepKind, step_info};
use nnz_syntax::{NodeKind, NodeRef, TokenRef};

use crate::functions::is_function;

/// The places of index variables and loops in one statement.
#[derive(Debug, Default)]
pub struct Variables {
    /// In order.
    pub places: Vec<VariablePlace>,
}

/// One place of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariablePlace {
    pub span: Span,
    /// On the left side, before the body of a reduction, or where a step makes the loop.
    pub introduces: bool,
}

impl Variables {
    pub(crate) fn stand_at(&self, token: TokenRef<'_>) -> bool {
        self.places.binary_search_by_key(&token.span(), |place| place.span).is_ok()
    }
}

/// What a name in a statement is by its place alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// An index variable, or a loop of a schedule.
    Variable { introduces: bool },
    /// Before the body of a call: a variable if the call is a reduction over it.
    Reduced,
    /// In an expression, where a number or an index variable is allowed.
    Value,
}

/// The variables of a statement. In a value the name of a `number` is not a variable.
pub fn variables(statement: NodeRef<'_>, number: &dyn Fn(&str) -> bool) -> Variables {
    let named = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::NamedArg);
    let names =
        statement.descendants().filter(named).filter_map(|node| Some((node.first_token()?, role(node, statement)?)));
    let names: Vec<(TokenRef<'_>, Role)> = names.collect();
    let certain = names.iter().filter(|(_, role)| matches!(role, Role::Variable { .. }));
    let certain: HashSet<&str> = certain.map(|(token, _)| token.text()).collect();
    let place = |(token, role): &(TokenRef<'_>, Role)| {
        let introduces = match role {
            Role::Variable { introduces } => *introduces,
            Role::Reduced if certain.contains(token.text()) => true,
            Role::Value if certain.contains(token.text()) && !number(token.text()) => false,
            Role::Reduced | Role::Value => return None,
        };
        Some(VariablePlace { span: token.span(), introduces })
    };
    Variables { places: names.iter().filter_map(place).collect() }
}

/// What a name is, by the call, step or side of the assignment around it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn role(node: NodeRef<'_>, statement: NodeRef<'_>) -> Option<Role> {
    let around = node.ancestors().skip(1).take_while(|outer| outer.id() != statement.id());
    let mut inner = node;
    for outer in around {
        match outer.kind() {
            NodeKind::Call => return in_call(node, inner, outer, statement),
            NodeKind::Step => return in_step(inner, outer, node),
            NodeKind::NamedArg if outer.first_token().is_some_and(|name| name.text() == "over") => return None,
            NodeKind::ProgramCall | NodeKind::TypeSpec | NodeKind::Command => return None,
            _ => {}
        }
        inner = outer;
    }
    let has_variables = matches!(statement.kind(), NodeKind::Assignment | NodeKind::Definition | NodeKind::Show);
    let head =
        statement.kind() == NodeKind::Assignment && statement.children().next().is_some_and(|h| h.id() == node.id());
    (has_variables && !head && node.kind() == NodeKind::Name).then_some(Role::Value)
}

/// No reduction has more variables, and no step more loops.
const MOST_ARGUMENTS: usize = 256;

/// `inner` is the argument of `call` that holds the name.
fn in_call(node: NodeRef<'_>, inner: NodeRef<'_>, call: NodeRef<'_>, statement: NodeRef<'_>) -> Option<Role> {
    let head =
        statement.kind() == NodeKind::Assignment && statement.children().next().is_some_and(|h| h.id() == call.id());
    let ranged = inner.kind() == NodeKind::NamedArg && inner.child(NodeKind::Range).is_some();
    let callee = call.first_token().map_or("", |token| token.text());
    let converts = call.text().starts_with("complex<");
    if head || !converts && !is_function(callee) {
        // `random(density = 0.1)`, and the bounds of a window.
        let is_name = node.kind() == NodeKind::Name && inner.kind() != NodeKind::NamedArg;
        return (is_name || node.id() == inner.id() && ranged).then_some(Role::Variable { introduces: head });
    }
    let first = call.children().take(MOST_ARGUMENTS);
    let last = first.filter(|argument| argument.kind() != NodeKind::NamedArg).last();
    let is_last = last.is_some_and(|last| last.id() == inner.id());
    let is_argument = node.id() == inner.id();
    if node.kind() == NodeKind::NamedArg {
        return (is_argument && ranged).then_some(Role::Variable { introduces: true });
    }
    Some(if is_argument && !is_last { Role::Reduced } else { Role::Value })
}

/// `inner` is the argument of `step` that holds the name.
fn in_step(inner: NodeRef<'_>, step: NodeRef<'_>, node: NodeRef<'_>) -> Option<Role> {
    let info = step_info(step.first_token()?.text())?;
    let at = step.children().take(MOST_ARGUMENTS).position(|argument| argument.id() == inner.id())?;
    let (of, made): (&[usize], &[usize]) = match info.kind {
        StepKind::Reorder => return Some(Role::Variable { introduces: false }),
        StepKind::Split | StepKind::Divide => (&[0], &[1, 2]),
        StepKind::Fuse => (&[0, 1], &[2]),
        StepKind::Pos | StepKind::Bound => (&[0], &[1]),
        StepKind::Unroll | StepKind::Vectorize | StepKind::Parallelize => (&[0], &[]),
        StepKind::Precompute => (&[1], &[2]),
        StepKind::Assemble | StepKind::Reassociate => (&[], &[]),
    };
    let is_expression = info.kind == StepKind::Precompute && at == 0;
    match (of.contains(&at), made.contains(&at)) {
        _ if is_expression => Some(Role::Value),
        (_, true) if node.id() == inner.id() => Some(Role::Variable { introduces: true }),
        (true, _) if node.id() == inner.id() => Some(Role::Variable { introduces: false }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::variables;

    /// The text with `[...]` around what introduces a variable, and `<...>` around its other places.
    fn marked(text: &str) -> String {
        let tree = nnz_syntax::session::parse(text);
        let statement = tree.root().children().next();
        let found = statement.map(|statement| variables(statement, &|name| name == "alpha")).unwrap_or_default();
        let mut marked = text.to_string();
        for place in found.places.iter().rev() {
            let (open, close) = if place.introduces { ('[', ']') } else { ('<', '>') };
            marked.insert(place.span.end as usize, close);
            marked.insert(place.span.start as usize, open);
        }
        marked
    }

    #[test]
    fn index_variables_stand_at_indices_reductions_and_steps() {
        for wanted in [
            "y([i]) = alpha * A(<i>, <j>) * x(<j>) + <i>",
            "y([i]) = sum([j], [k] = 0:3, A(<i> + 1, <j>) * alpha)",
            "y([i]) = max(A(<i>, 2), alpha) + select(<i> == 2, 1.0, 0.0)",
            "B([i], [j]) = A(<i> = 2:5, <j>) + unary(A(<i>, <j>), present = <i>)",
            "m([i]) = min([j], A(<i>, <j>), over = stored)",
            "n : i64 = A(<i>, <j>) > 2",
            "A : CSR = random(density = 0.1, seed = 7)",
            "C([i], [k]) = A(<i>, <j>) * B(<j>, <k>) schedule split(<k>, [k0], [k1], 4), reorder(<i>, <k0>, <j>, <k1>)",
            "y([i]) = A(<i>, <j>) schedule pos(<j>, [p], A), bound(<i>, [ib], 64, MaxExact), assemble(y, Insert)",
            "C([i], [j]) = A(<i>, <k>) * B(<k>, <j>) schedule precompute(A(<i>, <k>) * B(<k>, <j>), <j>, [jw])",
        ] {
            let text: String = unmarked(wanted);
            assert_eq!(marked(&text), wanted);
        }
    }

    /// Comparisons have spaces around them.
    fn unmarked(text: &str) -> String {
        let plain = text.replace(['[', ']'], "");
        let plain = plain.replace(" > ", " \u{1} ");
        plain.replace(['<', '>'], "").replace('\u{1}', ">")
    }
}
