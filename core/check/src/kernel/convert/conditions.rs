//! Conditions: comparisons, `and`, `or`, `not`.

use super::{Notation, as_number, one_line};
use crate::kernel::{calls::callee, elements::Wanted, functions, operator};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    source::Span,
};
use nnz_kernel::{BinaryOp, CompareOp, Expr, UnaryOp};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

impl Notation<'_, '_> {
    pub(super) fn not(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let cond = self.condition(node.children().next()?)?;
        Some(as_number(Expr::Unary(UnaryOp::Not, Box::new(cond)), wanted))
    }

    /// A comparison, or `and`, or `or`.
    pub(super) fn truth(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let mut operands = node.children();
        let nodes = [operands.next()?, operands.next()?];
        let operator = operator(node)?;
        let cond = match comparison(operator.kind()) {
            Some(op) => self.comparison(op, nodes)?,
            None => {
                let before = self.c.diagnostics.len();
                let (a, b) = (self.condition(nodes[0]), self.condition(nodes[1]));
                self.of_numbers(node, before);
                let op = if operator.text() == "and" { BinaryOp::And } else { BinaryOp::Or };
                Expr::Binary(op, Box::new(a?), Box::new(b?))
            }
        };
        Some(as_number(cond, wanted))
    }

    /// `A(i, j) and x(j)`: that both are numbers is told once, with a condition for them.
    fn of_numbers(&mut self, node: NodeRef<'_>, before: usize) {
        let told = self.c.diagnostics.get(before..).unwrap_or_default();
        let sides: Vec<NodeRef<'_>> = node.children().collect();
        let (&[left, right], [first, second]) = (sides.as_slice(), told) else { return };
        let about = |found: &Diagnostic, side: NodeRef<'_>| {
            found.code == Code::NoCondition && found.primary.span == side.span()
        };
        if !about(first, left) || !about(second, right) {
            return;
        }
        let sign = operator(node).map_or("and", |sign| sign.text()).to_string();
        let joined = format!("{} != 0 {sign} {} != 0", left.text(), right.text());
        let meant = match self.summed_over(node) {
            vars if vars.is_empty() => joined,
            vars => format!("any({}, {joined})", vars.join(", ")),
        };
        self.c.diagnostics.truncate(before);
        let message = format!("`{sign}` joins conditions, and these are numbers");
        let error = self.error(Code::NoCondition, left.span(), message);
        let told = error.clone().label("a number").secondary(right.span(), "a number");
        *error = told.help("compare them").fix(format!("write `{meant}`"), node.span(), meant);
    }

    /// The variables that a right side has and its result has not, where nothing in it reduces.
    fn summed_over(&self, node: NodeRef<'_>) -> Vec<String> {
        let reduces =
            |part: NodeRef<'_>| part.kind() == NodeKind::Call && functions::reduction(&callee(part)).is_some();
        let statement = node.ancestors().find(|part| part.kind() == NodeKind::Assignment);
        let head = statement.and_then(|statement| statement.children().next());
        let kept: Vec<&str> = head.into_iter().flat_map(NodeRef::children).map(NodeRef::text).collect();
        let names = node.descendants().filter(|part| part.kind() == NodeKind::Name).map(NodeRef::text);
        let mut vars: Vec<String> = Vec::new();
        for name in names.filter(|name| self.numbers.contains_key(*name) && !kept.contains(name)) {
            if !vars.iter().any(|known| known == name) {
                vars.push(name.to_string());
            }
        }
        let whole = node.span() == self.expr_span && !node.descendants().any(reduces);
        if whole { vars } else { Vec::new() }
    }

    fn comparison(&mut self, op: CompareOp, nodes: [NodeRef<'_>; 2]) -> Option<Expr> {
        let chained = |node: &NodeRef<'_>| {
            node.kind() == NodeKind::Binary && operator(*node).is_some_and(|o| comparison(o.kind()).is_some())
        };
        if chained(&nodes[0]) {
            self.chained(nodes);
            return None;
        }
        let [a, b] = self.alike(nodes, None)?;
        let element = self.element_of(&a);
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let applies = equality || element.is_none_or(|element| !element.is_complex());
        self.check_applies(
            op.name(),
            "types that have an order: all but the complex ones",
            applies,
            element,
            nodes[0],
        )?;
        Some(Expr::Compare(op, Box::new(a), Box::new(b)))
    }

    /// `a < b < c`
    fn chained(&mut self, [left, right]: [NodeRef<'_>; 2]) {
        let middle = left.children().nth(1).map_or("b", |node| node.text());
        let between = Span { start: left.span().end, end: right.span().start };
        let sign = self.c.text(between).trim().to_string();
        let whole = format!("{} and {middle} {sign} {}", left.text(), right.text());
        let span = left.span().cover(right.span());
        let error = self.error(Code::NoCondition, span, "comparisons do not chain".to_string());
        let told = error.clone().label("two comparisons in a row").help(format!("join two of them: `{whole}`"));
        *error = told.fix(format!("write `{whole}`"), span, whole);
    }

    /// An expression of type `i1`.
    pub(in crate::kernel) fn condition(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let cond = self.expr(node, None)?;
        match self.element_of(&cond) {
            Some(found) if found != Element::I1 => {
                let text = one_line(node);
                let message = format!("`{text}` is `{found}`, and a condition is wanted");
                let error = self.error(Code::NoCondition, node.span(), message);
                let fixed = format!("{} != 0", node.text());
                let told = error.clone().label("a number where a condition is wanted");
                *error = told.help(format!("compare it: `{text} != 0`")).fix("compare it", node.span(), fixed);
                None
            }
            _ => Some(cond),
        }
    }

    /// A value as a condition: whether it is not zero.
    pub(in crate::kernel) fn not_zero(&self, value: Expr) -> Expr {
        match self.element_of(&value) {
            Some(element) if element != Element::I1 => {
                Expr::Compare(CompareOp::Ne, Box::new(value), Box::new(Expr::zero(element)))
            }
            _ => value,
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn comparison(kind: TokenKind) -> Option<CompareOp> {
    Some(match kind {
        TokenKind::EqEq => CompareOp::Eq,
        TokenKind::Ne => CompareOp::Ne,
        TokenKind::Lt => CompareOp::Lt,
        TokenKind::Le => CompareOp::Le,
        TokenKind::Gt => CompareOp::Gt,
        TokenKind::Ge => CompareOp::Ge,
        _ => return None,
    })
}
