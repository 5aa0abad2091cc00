//! Expressions: from their trees to [`Expr`], each with one element type.

mod conditions;
mod fitting;
mod names;
mod unknown;

use std::cell::Cell;

use super::{
    Notation,
    elements::{Kind, Wanted, is_not, is_truth},
};
use crate::value::value;
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    element::Element,
    source::Span,
};
use nnz_kernel::{Access, BinaryOp, Expr, UnaryOp};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};
pub(crate) use unknown::{converting, of_object, unknown_function};

impl Notation<'_, '_> {
    /// The expression of `node`. Parts that take their type from their surroundings take `wanted`, else their
    /// own.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    pub(super) fn expr(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        match node.kind() {
            NodeKind::Number | NodeKind::ComplexNumber => self.constant(node, wanted),
            NodeKind::Paren => self.expr(node.children().next()?, wanted),
            NodeKind::Unary if is_not(node) => self.not(node, wanted),
            NodeKind::Unary => self.signed(node, wanted),
            NodeKind::Binary if is_truth(node) => self.truth(node, wanted),
            NodeKind::Binary => self.arithmetic(node, wanted),
            NodeKind::Shift => self.shift(node, wanted),
            NodeKind::Name => self.name(node, wanted),
            NodeKind::Call => self.call(node, wanted),
            NodeKind::NamedArg | NodeKind::Range => {
                let message = format!("`{}` is no expression", node.text());
                self.arity(node.span(), message, "no expression");
                None
            }
            _ => None,
        }
    }

    /// The element type of an expression; `None` if it depends on data that are not read yet.
    pub(super) fn element_of(&self, expr: &Expr) -> Option<Element> {
        let known = Cell::new(true);
        let element = expr.element(&|tensor| {
            let element = self.tensors.get(tensor.index()).and_then(|operand| operand.ty.element);
            known.set(known.get() && element.is_some());
            element.unwrap_or(Element::F64)
        });
        known.get().then_some(element)
    }

    // Numbers.

    pub(super) fn constant(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let own = if node.kind() == NodeKind::ComplexNumber { Kind::Complex } else { Kind::Number };
        let wanted = wanted.or(own.settled(None))?;
        match value(self.c.source.id, node, wanted.element) {
            Ok(scalar) => Some(Expr::literal(wanted.element, scalar)),
            Err(diagnostic) => {
                let mut diagnostic = *diagnostic;
                if let Some(span) = wanted.because {
                    let reason = format!("computed in `{}` because of this", wanted.element);
                    diagnostic = diagnostic.secondary(span, reason);
                    self.converts_other(&mut diagnostic, span);
                }
                self.c.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// `n(i) + 1.5`, where `n` at `place` holds integers: it is converted, and no other type is given to it.
    fn converts_other(&self, diagnostic: &mut Diagnostic, place: Span) {
        let of_access = |(_, known): &&(Access, super::AccessPlace)| known.whole.start == place.start;
        let Some((_, known)) = self.accesses.iter().find(of_access) else { return };
        let whole = self.c.text(known.whole);
        if diagnostic.code == Code::LiteralType && diagnostic.primary.message == "has a fraction" {
            diagnostic.helps = vec![format!("convert what it is computed with: `f64({whole})`")];
        }
    }

    /// `-2.5` is one constant, so that the smallest integer of a type can be written.
    fn signed(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let inner = node.children().next()?;
        if inner.kind() == NodeKind::Number {
            return self.constant(node, wanted);
        }
        let operand = self.expr(inner, wanted)?;
        if node.first_token()?.kind() != TokenKind::Minus {
            return Some(operand);
        }
        if self.element_of(&operand) == Some(Element::I1) {
            self.negates_a_condition(node.first_token()?.span(), inner);
        }
        Some(Expr::Unary(UnaryOp::Neg, Box::new(operand)))
    }

    // Operations.

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn arithmetic(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let operator = super::operator(node)?;
        let op = match operator.kind() {
            TokenKind::Plus => BinaryOp::Add,
            TokenKind::Minus => BinaryOp::Sub,
            TokenKind::Star => BinaryOp::Mul,
            TokenKind::Slash => BinaryOp::Div,
            _ => return None,
        };
        let mut operands = node.children();
        let operands = [operands.next()?, operands.next()?];
        if op == BinaryOp::Sub && self.hyphenated(operands) {
            return None;
        }
        let made = self.binary(op, operator.text(), operands, wanted)?;
        if op != BinaryOp::Mul && self.element_of(&made) == Some(Element::I1) {
            self.counts_conditions(operator.span(), operands[0]);
        }
        Some(made)
    }

    fn shift(&mut self, node: NodeRef<'_>, wanted: Option<Wanted>) -> Option<Expr> {
        let (op, name) =
            if super::operator(node)?.kind() == TokenKind::Lt { (BinaryOp::Shl, "<<") } else { (BinaryOp::Shr, ">>") };
        let mut operands = node.children();
        self.binary(op, name, [operands.next()?, operands.next()?], wanted)
    }

    /// Arithmetic on conditions, or on a tensor of them, would wrap at 1.
    pub(super) fn counts_conditions(&mut self, place: Span, example: NodeRef<'_>) {
        let message = "conditions are counted in `i1`, which holds no 2".to_string();
        let error = self.error(Code::NoCondition, place, message);
        error.primary.message = "a condition where a number is wanted".to_string();
        error.helps.push(format!("say in which type to count: `i64({})`", example.text()));
    }

    /// It would be 1 where the condition holds.
    fn negates_a_condition(&mut self, place: Span, condition: NodeRef<'_>) {
        let message = "the negative of a condition is -1 or 0, and `i1` holds no -1".to_string();
        let error = self.error(Code::NoCondition, place, message);
        error.primary.message = "a condition where a number is wanted".to_string();
        error.helps.push(format!("say in which type to compute: `-i64({})`", condition.text()));
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        name: &str,
        nodes: [NodeRef<'_>; 2],
        wanted: Option<Wanted>,
    ) -> Option<Expr> {
        let [a, b] = self.alike_for(nodes, wanted, |element| op.applies(element))?;
        let element = self.element_of(&a);
        self.check_applies(name, op.takes(), element.is_none_or(|element| op.applies(element)), element, nodes[0])?;
        Some(Expr::Binary(op, Box::new(a), Box::new(b)))
    }

    /// Two operands of one type.
    pub(super) fn alike(&mut self, nodes: [NodeRef<'_>; 2], wanted: Option<Wanted>) -> Option<[Expr; 2]> {
        self.alike_for(nodes, wanted, |_| true)
    }

    /// Two operands of one type, of an operation that `applies` to some types.
    fn alike_for(
        &mut self,
        nodes: [NodeRef<'_>; 2],
        wanted: Option<Wanted>,
        applies: impl Fn(Element) -> bool,
    ) -> Option<[Expr; 2]> {
        let [left, right] = nodes;
        let settled = self.kind(left).join(self.kind(right)).settled(wanted);
        let (a, b) = (self.expr(left, settled), self.expr(right, settled));
        let (a, b) = (a?, b?);
        match (self.element_of(&a), self.element_of(&b)) {
            (Some(x), Some(y)) if x != y => {
                self.mixed([(left, x), (right, y)], applies);
                None
            }
            _ => Some([a, b]),
        }
    }

    fn mixed(&mut self, [(left, x), (right, y)]: [(NodeRef<'_>, Element); 2], applies: impl Fn(Element) -> bool) {
        let (narrow, to) = if width(x) < width(y) { (left, y) } else { (right, x) };
        let [left_text, right_text] = [left, right].map(one_line);
        let message = format!("`{left_text}` is `{x}` and `{right_text}` is `{y}`: one must be converted");
        let cast = format!("{to}({})", narrow.text());
        let error = Diagnostic::new(Code::ElementMismatch, self.c.source.id, right.span(), message)
            .label(format!("this is `{y}`"))
            .secondary(left.span(), format!("this is `{x}`"));
        if !applies(to) {
            return self.c.diagnostics.push(error.help(format!("to `{to}` the operation does not apply")));
        }
        let error = error.help(format!("write the conversion: `{}`", cast.lines().next().unwrap_or_default())).fix(
            format!("convert to `{to}`"),
            narrow.span(),
            cast,
        );
        self.c.diagnostics.push(error);
    }

    /// Reports an operation that does not exist for the type of its operands.
    pub(super) fn check_applies(
        &mut self,
        name: &str,
        takes: &str,
        applies: bool,
        element: Option<Element>,
        operand: NodeRef<'_>,
    ) -> Option<()> {
        let Some(element) = element.filter(|_| !applies) else { return Some(()) };
        let message = format!("`{name}` does not apply to `{}`, which is `{element}`", one_line(operand));
        let text = operand.text().to_string();
        // Beside another operand one conversion would not do.
        let parent = operand.ancestors().find(|node| node.span() != operand.span());
        let mut others = parent.into_iter().flat_map(NodeRef::children).filter(|node| node.span() != operand.span());
        let alone = others.all(|node| node.kind() == NodeKind::Number);
        let whole = alone && !matches!(operand.kind(), NodeKind::Number) && !text.contains('\n');
        let error = self.error(Code::NoOperation, operand.span(), message);
        error.primary.message = format!("this is `{element}`");
        error.helps.push(format!("`{name}` takes {takes}"));
        let to = match () {
            () if element.is_integer() && takes.contains("`f64`") => Some("f64"),
            () if element.is_float() && takes.starts_with("integer") => Some("i64"),
            () => None,
        };
        if let Some(to) = to.filter(|_| whole && element != Element::I1) {
            let (edit, span) = (format!("{to}({text})"), operand.span());
            let edits = vec![Edit { file: error.primary.file, span, replacement: edit.clone() }];
            let title = format!("convert it: `{edit}`");
            *error = error.clone().fix_edits(title, edits, Applicability::MaybeIncorrect);
        } else if element.is_complex() && whole {
            error.helps.push(format!("take what is real: `abs({text})`, `real({text})`, `imag({text})`"));
        }
        None
    }
}

/// A condition, or 1 and 0 of the type that is wanted.
pub(super) fn as_number(cond: Expr, wanted: Option<Wanted>) -> Expr {
    converted(cond, Element::I1, wanted)
}

/// `expr` of type `from`, converted to the type that is wanted.
pub(super) fn converted(expr: Expr, from: Element, wanted: Option<Wanted>) -> Expr {
    match wanted {
        Some(Wanted { element, .. }) if element != from => Expr::Cast(element, Box::new(expr)),
        _ => expr,
    }
}

/// How much a type can hold: of two that meet, the one to convert to.
fn width(element: Element) -> (bool, bool, usize) {
    (element.is_complex(), !element.is_integer(), element.bytes())
}

fn one_line(node: NodeRef<'_>) -> &str {
    node.text().lines().next().unwrap_or_default()
}
