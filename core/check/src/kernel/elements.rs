//! The element type of an expression before conversion: that of its tensors, or that of its surroundings.
//! Numbers, values of index variables and conditions take the type of what they are computed with.

use super::{
    Notation,
    functions::{self, Means, Reducing},
    semiring::{Multiply, Semiring},
};
use crate::scope::Meaning;
use nnz_base::{element::Element, source::Span};
use nnz_kernel::ReduceOp;
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

/// An expression's requirement on its element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Its type, and the name that decides it.
    Known(Element, Span),
    /// Known only from data that are not read yet.
    Later,
    /// A number: any type that can hold it, else `f64`.
    Number,
    /// A complex number: any complex type, else `complex<f64>`.
    Complex,
    /// A condition: `i1`, or 1 and 0 of any type.
    Condition,
    /// A place that `argmin` finds: `index`, or any type.
    Place,
}

/// The element type to convert to, and the reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wanted {
    pub element: Element,
    pub because: Option<Span>,
}

impl Kind {
    /// The type of two operands of one operation.
    pub(super) fn join(self, other: Kind) -> Kind {
        use Kind::*;
        match (self, other) {
            (Known(..), _) => self,
            (_, Known(..)) => other,
            (Later, _) | (_, Later) => Later,
            (Complex, _) | (_, Complex) => Complex,
            (Place, _) | (_, Place) => Place,
            (Number, _) | (_, Number) => Number,
            (Condition, Condition) => Condition,
        }
    }

    /// The type to convert to if the surroundings want `wanted`.
    pub(super) fn settled(self, wanted: Option<Wanted>) -> Option<Wanted> {
        let plain = |element| Some(Wanted { element, because: None });
        match self {
            Kind::Known(element, by) => Some(Wanted { element, because: Some(by) }),
            Kind::Complex => wanted.filter(|wanted| wanted.element.is_complex()).or(plain(Element::C64)),
            _ if wanted.is_some() => wanted,
            Kind::Later => None,
            Kind::Number => plain(Element::F64),
            Kind::Condition => plain(Element::I1),
            Kind::Place => plain(Element::Index),
        }
    }
}

impl Notation<'_, '_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    pub(super) fn kind(&self, node: NodeRef<'_>) -> Kind {
        match node.kind() {
            NodeKind::Number => Kind::Number,
            NodeKind::ComplexNumber => Kind::Complex,
            NodeKind::Unary if is_not(node) => Kind::Condition,
            NodeKind::Paren | NodeKind::Unary => self.kind_of(node.children()),
            NodeKind::Binary if is_truth(node) => Kind::Condition,
            NodeKind::Binary | NodeKind::Shift => self.kind_of(node.children()),
            NodeKind::Name => self.kind_of_name(node),
            NodeKind::Call => self.kind_of_call(node),
            _ => Kind::Later,
        }
    }

    fn kind_of<'t>(&self, nodes: impl Iterator<Item = NodeRef<'t>>) -> Kind {
        nodes.map(|node| self.kind(node)).reduce(Kind::join).unwrap_or(Kind::Later)
    }

    fn kind_of_name(&self, node: NodeRef<'_>) -> Kind {
        if let Some((_, element)) = self.slot(node.text()) {
            return Kind::Known(element, node.span());
        }
        match self.scope.get(node.text()) {
            Some(Meaning::Scalar(element)) => Kind::Known(*element, node.span()),
            Some(Meaning::Tensor(ty)) => ty.element.map_or(Kind::Later, |element| Kind::Known(element, node.span())),
            Some(Meaning::Broken) => Kind::Later,
            Some(Meaning::Encoding(_)) | None if matches!(node.text(), "true" | "false") => Kind::Condition,
            Some(Meaning::Encoding(_)) | None => Kind::Number,
        }
    }

    fn kind_of_call(&self, node: NodeRef<'_>) -> Kind {
        let Some(name) = node.first_token() else { return Kind::Later };
        match self.scope.get(name.text()) {
            Some(Meaning::Tensor(ty)) => {
                return ty.element.map_or(Kind::Later, |element| Kind::Known(element, name.span()));
            }
            Some(Meaning::Broken | Meaning::Scalar(_)) => return Kind::Later,
            Some(Meaning::Encoding(_)) | None => {}
        }
        let callee = super::calls::callee(node);
        if let Some(element) = functions::conversion(&callee) {
            return Kind::Known(element, name.span());
        }
        let arguments: Vec<NodeRef<'_>> = super::calls::positional(node).collect();
        if let Some(semiring) = Semiring::parse(&callee) {
            return self.kind_of_semiring(semiring, &arguments);
        }
        if self.is_reduction(&callee, &arguments)
            && let (Some(op), Some(body)) = (functions::reduction(&callee), arguments.last())
        {
            return match op {
                Reducing::Known(ReduceOp::Or | ReduceOp::And) => Kind::Condition,
                Reducing::Known(ReduceOp::ArgMin | ReduceOp::ArgMax) => Kind::Place,
                Reducing::Known(_) | Reducing::Written => self.kind(*body),
            };
        }
        match functions::find(&callee).map(|info| info.means) {
            Some(Means::Select) => self.kind_of(arguments.into_iter().skip(1)),
            Some(Means::Unregions | Means::Biregions) => self.kind_of_regions(node),
            Some(Means::Unary(op)) => match self.kind_of(arguments.into_iter()) {
                Kind::Known(element, by) => Kind::Known(op.gives(element), by),
                Kind::Complex if op.gives(Element::C64) != Element::C64 => Kind::Known(Element::F64, name.span()),
                kind @ (Kind::Later | Kind::Number | Kind::Complex | Kind::Condition | Kind::Place) => kind,
            },
            Some(Means::Binary(_) | Means::Composed(_)) | None => self.kind_of(arguments.into_iter()),
        }
    }

    pub(super) fn kind_of_regions(&self, node: NodeRef<'_>) -> Kind {
        let regions = node.children().filter(|argument| argument.kind() == NodeKind::NamedArg);
        self.kind_of(regions.filter_map(|region| region.children().next()))
    }

    fn kind_of_semiring(&self, semiring: Semiring, arguments: &[NodeRef<'_>]) -> Kind {
        let [.., left, right] = arguments else { return Kind::Later };
        if semiring.is_logical() {
            return Kind::Condition;
        }
        match semiring.multiply {
            Multiply::First => self.kind(*left),
            Multiply::Second => self.kind(*right),
            Multiply::Pair | Multiply::Binary(_) | Multiply::Reversed(_) | Multiply::Compare(_) => {
                self.kind(*left).join(self.kind(*right))
            }
        }
    }
}

pub(super) fn is_not(node: NodeRef<'_>) -> bool {
    node.kind() == NodeKind::Unary && node.first_token().is_some_and(|token| token.text() == "not")
}

/// A comparison, or `and`, or `or`.
pub(super) fn is_truth(node: NodeRef<'_>) -> bool {
    use TokenKind::{EqEq, Ge, Gt, Le, Lt, Ne};
    let word = |text: &str| matches!(text, "and" | "or");
    super::operator(node)
        .is_some_and(|operator| matches!(operator.kind(), EqEq | Ne | Lt | Le | Gt | Ge) || word(operator.text()))
}
