//! `v = A * x + w`: linear algebra over names without indices. Each product of matrices and vectors becomes a sum over
//! an index of its own.

use super::{Notation, Offer, callee};
use crate::{
    kernel::{self, example_indices},
    scope::{Meaning, PartialType},
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

/// The index variables that are left for sums.
type Fresh<'a> = dyn Iterator<Item = &'static str> + 'a;

/// An expression with indices, and the variables that it is summed over.
struct Written {
    text: String,
    summed: Vec<&'static str>,
}

impl Written {
    fn plain(text: String) -> Written {
        Written { text, summed: Vec::new() }
    }

    /// With its sums written out.
    fn closed(self) -> String {
        if self.summed.is_empty() { self.text } else { format!("sum({}, {})", self.summed.join(", "), self.text) }
    }
}

impl Notation<'_, '_> {
    /// `v(i) = sum(j, A(i, j) * x(j)) + w(i)` for `v = A * x + w`; `None` where no operands are multiplied so.
    pub(super) fn algebra(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let rank = self.rank_of(init)?;
        let all = ["i", "j", "k", "l", "m", "n", "o", "p"].into_iter();
        let mut free = all.filter(|name| self.scope.get(name).is_none());
        let own: Vec<&'static str> = free.by_ref().take(rank).collect();
        let whole = self.written(init, &own, &mut free)?;
        // Sums over all of a product are understood.
        let text = whole.text;
        let head = match rank {
            0 => format!("{name} : {}", self.result_element(init)),
            _ => format!("{name}({})", own.join(", ")),
        };
        let why = "an operation on tensors names their indices".to_string();
        self.multiplies(init).then_some(Offer { head, right: Some(text), why })
    }

    /// Whether a matrix is multiplied somewhere.
    fn multiplies(&self, init: NodeRef<'_>) -> bool {
        let product = |node: NodeRef<'_>| {
            let [left, right] = operands(node)?;
            let ranks = (self.rank_of(left)?, self.rank_of(right)?);
            (sign(node)? == TokenKind::Star && kernel::product_indices(ranks.0, ranks.1).is_some()).then_some(())
        };
        init.descendants().filter_map(product).next().is_some()
    }

    /// The dimensions of a value of linear algebra; `None` where it is open what is meant.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn rank_of(&self, node: NodeRef<'_>) -> Option<usize> {
        match node.kind() {
            NodeKind::Number | NodeKind::ComplexNumber => Some(0),
            NodeKind::Name => match self.scope.get(node.text())? {
                Meaning::Tensor(ty) => ty.rank().filter(|rank| *rank <= 2),
                Meaning::Scalar(_) => Some(0),
                Meaning::Encoding(_) | Meaning::Broken => None,
            },
            NodeKind::Unary | NodeKind::Paren => self.rank_of(node.children().next()?),
            NodeKind::Binary => self.rank_of_operation(node),
            NodeKind::Call if self.tensor_named(node).is_some() => None,
            NodeKind::Call => self.rank_of_call(node),
            _ => None,
        }
    }

    fn rank_of_operation(&self, node: NodeRef<'_>) -> Option<usize> {
        let [left, right] = operands(node)?;
        let (left, right) = (self.rank_of(left)?, self.rank_of(right)?);
        let by_entry = (left == right || left == 0 || right == 0).then_some(left.max(right));
        if sign(node)? == TokenKind::Star && left + right > left.max(right) {
            return match (left, right) {
                (2, 2) => Some(2),
                (2, 1) | (1, 2) => Some(1),
                // Of vectors it may be a number, and each entry.
                _ => None,
            };
        }
        by_entry
    }

    fn rank_of_call(&self, call: NodeRef<'_>) -> Option<usize> {
        let ranks: Vec<usize> = call.children().map(|operand| self.rank_of(operand)).collect::<Option<_>>()?;
        match *ranks.as_slice() {
            [_] if reduces(call) => Some(0),
            [rank] if kernel::is_function(callee(call)) => Some(rank),
            [left, right] if matches!(callee(call), "pow" | "min" | "max") && (left == right || right == 0) => {
                Some(left)
            }
            _ => None,
        }
    }

    /// The expression with these indices.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn written(&self, node: NodeRef<'_>, own: &[&'static str], free: &mut Fresh<'_>) -> Option<Written> {
        let inner = node.children().next();
        match node.kind() {
            NodeKind::Name if self.tensor_named(node).and_then(PartialType::rank).is_some_and(|rank| rank > 0) => {
                Some(Written::plain(format!("{}({})", node.text(), own.join(", "))))
            }
            NodeKind::Paren if sign(inner?) == Some(TokenKind::Star) => self.written(inner?, own, free),
            NodeKind::Paren => Some(Written::plain(format!("({})", self.written(inner?, own, free)?.closed()))),
            NodeKind::Unary => {
                let sign = node.first_token()?.text();
                Some(Written::plain(format!("{sign}{}", self.written(inner?, own, free)?.closed())))
            }
            NodeKind::Binary => self.written_operation(node, own, free),
            NodeKind::Call => self.written_call(node, own, free),
            _ => Some(Written::plain(node.text().to_string())),
        }
    }

    fn written_operation(&self, node: NodeRef<'_>, own: &[&'static str], free: &mut Fresh<'_>) -> Option<Written> {
        let [left, right] = operands(node)?;
        let ranks = (self.rank_of(left)?, self.rank_of(right)?);
        let sign = node.own_tokens().find(|token| !token.kind().is_trivia())?;
        let product = sign.kind() == TokenKind::Star;
        if !product || ranks.0 == 0 || ranks.1 == 0 {
            let side = |rank: usize| if rank == 0 { &[] } else { own };
            let (a, b) = (self.written(left, side(ranks.0), free)?, self.written(right, side(ranks.1), free)?);
            let summed = if product { [a.summed.as_slice(), &b.summed].concat() } else { Vec::new() };
            let (a, b) = if product { (a.text, b.text) } else { (a.closed(), b.closed()) };
            return Some(Written { text: format!("{a} {} {b}", sign.text()), summed });
        }
        let between = free.next()?;
        let (of_left, of_right) = match (ranks, own) {
            ((2, 2), &[i, j]) => (vec![i, between], vec![between, j]),
            ((2, 1), &[i]) => (vec![i, between], vec![between]),
            ((1, 2), &[j]) => (vec![between], vec![between, j]),
            _ => return None,
        };
        let (a, b) = (self.written(left, &of_left, free)?, self.written(right, &of_right, free)?);
        let summed = [a.summed.as_slice(), &b.summed, &[between]].concat();
        Some(Written { text: format!("{} * {}", a.text, b.text), summed })
    }

    fn written_call(&self, call: NodeRef<'_>, own: &[&'static str], free: &mut Fresh<'_>) -> Option<Written> {
        let operand = call.children().next()?;
        if call.children().count() == 1 && reduces(call) {
            let over: Vec<&'static str> = free.take(self.rank_of(operand)?).collect();
            let inner = self.written(operand, &over, free)?;
            let text = match callee(call) {
                "sum" => Written { summed: [over.as_slice(), &inner.summed].concat(), ..inner }.closed(),
                other => format!("{other}({}, {})", over.join(", "), inner.closed()),
            };
            return Some(Written::plain(text));
        }
        let side = |operand| Some(if self.rank_of(operand)? == 0 { &[] } else { own });
        let operands = call.children().map(|operand| Some(self.written(operand, side(operand)?, free)?.closed()));
        let operands: Vec<String> = operands.collect::<Option<_>>()?;
        Some(Written::plain(format!("{}({})", callee(call), operands.join(", "))))
    }

    /// `a scalar is written ..., a kernel ...`, with as many indices as the operands have at most.
    pub(super) fn forms(&self, name: &str, init: NodeRef<'_>) -> String {
        let names = init.descendants().filter(|node| matches!(node.kind(), NodeKind::Name | NodeKind::Call));
        let rank = names.filter_map(|node| self.tensor_named(node)?.rank()).min().unwrap_or(2).max(1);
        format!("a scalar is written `{name} : f64 = ...`, a kernel `{name}({}) = ...`", example_indices(rank))
    }
}

fn operands(node: NodeRef<'_>) -> Option<[NodeRef<'_>; 2]> {
    let parts: Vec<NodeRef<'_>> = node.children().collect();
    <[NodeRef<'_>; 2]>::try_from(parts).ok().filter(|_| node.kind() == NodeKind::Binary)
}

fn sign(node: NodeRef<'_>) -> Option<TokenKind> {
    let found = node.own_tokens().find(|token| !token.kind().is_trivia())?;
    (node.kind() == NodeKind::Binary).then_some(found.kind())
}

/// Of one operand it gives a number.
fn reduces(call: NodeRef<'_>) -> bool {
    matches!(callee(call), "sum" | "prod" | "min" | "max" | "any" | "all")
}
