//! The element type of every expression, computed from the leaves up.

use super::{
    BinaryOp, Expr, Fold, KernelError, Literal, ReduceOp, Slot, Tensor, UnaryOp, print::Names, print::literal_text,
};
use nnz_base::{
    element::{Element, Scalar},
    ids::TensorId,
};

/// What operations accept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Domain {
    Any,
    /// Numbers with an order.
    Real,
    Integer,
    Float,
    Complex,
    /// Floats and complex numbers.
    Continuous,
    Condition,
}

impl Domain {
    fn text(self) -> &'static str {
        match self {
            Domain::Any => "every type",
            Domain::Real => "types that have an order: all but the complex ones",
            Domain::Integer => "integer types",
            Domain::Float => "`f64`, `f32`, `f16` and `bf16`",
            Domain::Complex => "complex types",
            Domain::Continuous => "`f64`, `f32`, `f16`, `bf16` and complex types",
            Domain::Condition => "conditions: `i1`",
        }
    }

    fn holds(self, element: Element) -> bool {
        match self {
            Domain::Any => true,
            Domain::Real => !element.is_complex(),
            Domain::Integer => element.is_integer(),
            Domain::Float => element.is_float(),
            Domain::Complex => element.is_complex(),
            Domain::Continuous => !element.is_integer(),
            Domain::Condition => element == Element::I1,
        }
    }
}

impl UnaryOp {
    fn domain(self) -> Domain {
        match self {
            UnaryOp::Neg | UnaryOp::Square | UnaryOp::Abs => Domain::Any,
            UnaryOp::Not => Domain::Integer,
            UnaryOp::Sign => Domain::Real,
            UnaryOp::Conj | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Angle => Domain::Complex,
            UnaryOp::Function(function) if function.complex().is_some() => Domain::Continuous,
            UnaryOp::Function(_) => Domain::Float,
        }
    }
    /// The type of its value for an operand of type `element`.
    pub fn gives(self, element: Element) -> Element {
        match self {
            UnaryOp::Abs | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Angle => element.part(),
            UnaryOp::Neg | UnaryOp::Not | UnaryOp::Conj | UnaryOp::Sign | UnaryOp::Square | UnaryOp::Function(_) => {
                element
            }
        }
    }
    /// The types that it is there for, in words.
    pub fn takes(self) -> &'static str {
        self.domain().text()
    }
    /// Whether the operation is there for values of `element`.
    pub fn applies(self, element: Element) -> bool {
        self.domain().holds(element)
    }
}

impl BinaryOp {
    fn domain(self) -> Domain {
        match self {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => Domain::Any,
            BinaryOp::Pow => Domain::Any,
            BinaryOp::Rem | BinaryOp::Mod | BinaryOp::Min | BinaryOp::Max => Domain::Real,
            BinaryOp::Function(_) => Domain::Float,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => Domain::Integer,
        }
    }
    /// The types that it is there for, in words.
    pub fn takes(self) -> &'static str {
        self.domain().text()
    }
    /// Whether the operation is there for values of `element`.
    pub fn applies(self, element: Element) -> bool {
        self.domain().holds(element)
    }
}

impl ReduceOp {
    fn domain(&self) -> Domain {
        match self {
            ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Pick | ReduceOp::Custom(_) => Domain::Any,
            ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax => Domain::Real,
            ReduceOp::Or | ReduceOp::And | ReduceOp::Xor => Domain::Condition,
        }
    }
    /// The types that it is there for, in words.
    pub fn takes(&self) -> &'static str {
        self.domain().text()
    }
    /// Whether the reduction is there for values of `element`.
    pub fn applies(&self, element: Element) -> bool {
        self.domain().holds(element)
    }
}

/// The element type of an expression whose operands fit one another; of another one, that of its first
/// operand.
impl Expr {
    pub fn element(&self, of: &impl Fn(TensorId) -> Element) -> Element {
        match self {
            Expr::Access(access) => of(access.tensor),
            Expr::Literal(Literal { element, .. }) | Expr::Index(_, element) => *element,
            Expr::Slot(_, element) | Expr::Cast(element, _) => *element,
            Expr::Compare(..) => Element::I1,
            Expr::Unary(op, a) => op.gives(a.element(of)),
            Expr::Binary(_, a, _) | Expr::Onto { from: a, .. } => a.element(of),
            Expr::Select { then, .. } => then.element(of),
            Expr::Present { of: x, then, other } => then.as_ref().or(other.as_ref()).unwrap_or(x).element(of),
            Expr::Reduce { op, body, .. } => {
                if op.is_place() {
                    Element::Index
                } else {
                    body.element(of)
                }
            }
        }
    }
}

/// Every operand that an operation cannot take.
pub(super) fn check(tensors: &[Tensor], expr: &Expr, names: &Names<'_>) -> Vec<KernelError> {
    let checker = Checker { tensors, names };
    expr.nodes().into_iter().filter_map(|node| checker.node(node).err()).collect()
}

struct Checker<'k> {
    tensors: &'k [Tensor],
    names: &'k Names<'k>,
}

impl Checker<'_> {
    fn element(&self, expr: &Expr) -> Element {
        expr.element(&|tensor: TensorId| self.tensors.get(tensor.index()).map_or(Element::F64, |t| t.element))
    }

    fn node(&self, expr: &Expr) -> Result<(), KernelError> {
        match expr {
            Expr::Access(_) | Expr::Index(..) => Ok(()),
            Expr::Slot(slot, _) => Err(KernelError::NotCombined { part: slot.name().to_string() }),
            Expr::Literal(number) => literal(*number),
            Expr::Unary(op, a) => applies(op.name(), op.domain(), self.element(a)),
            Expr::Binary(op, a, b) => {
                self.alike(op.name(), a, b)?;
                applies(op.name(), op.domain(), self.element(a))
            }
            Expr::Compare(op, a, b) => {
                self.alike(op.name(), a, b)?;
                let equality = matches!(op, super::CompareOp::Eq | super::CompareOp::Ne);
                applies(op.name(), if equality { Domain::Any } else { Domain::Real }, self.element(a))
            }
            Expr::Cast(to, a) => self.cast(self.element(a), *to),
            Expr::Select { cond, then, other } => {
                self.condition(cond)?;
                other.as_ref().map_or(Ok(()), |other| self.alike("select", then, other))
            }
            Expr::Present { then: Some(then), other: Some(other), .. } => self.alike("unary", then, other),
            Expr::Present { .. } => Ok(()),
            Expr::Onto { from, reduce } => self.alike("reduce", from, reduce),
            Expr::Reduce { op, vars, body, .. } => {
                if op.is_place() && vars.len() > 1 {
                    return Err(KernelError::OnePlace { operation: op.name(), count: vars.len() });
                }
                if let ReduceOp::Custom(fold) = op {
                    self.fold(fold, self.element(body))?;
                }
                applies(op.name(), op.domain(), self.element(body))
            }
        }
    }

    /// What combines terms of `element` is made of slots and numbers of it alone.
    fn fold(&self, fold: &Fold, element: Element) -> Result<(), KernelError> {
        for node in fold.combine.nodes() {
            let foreign =
                matches!(node, Expr::Access(_) | Expr::Index(..) | Expr::Present { .. } | Expr::Reduce { .. });
            let filters = matches!(node, Expr::Select { other: None, .. });
            let other_slot = matches!(node, Expr::Slot(_, of) if *of != element);
            if foreign || filters || other_slot {
                return Err(KernelError::NotCombined { part: self.names.expr(node) });
            }
            if !matches!(node, Expr::Slot(..)) {
                self.node(node)?;
            }
        }
        literal(fold.identity)?;
        self.alike("reduce", &Expr::Literal(fold.identity), &fold.combine)?;
        self.alike("reduce", &fold.combine, &Expr::Slot(Slot::Left, element))
    }

    fn alike(&self, operation: &'static str, left: &Expr, right: &Expr) -> Result<(), KernelError> {
        let (left_element, right_element) = (self.element(left), self.element(right));
        if left_element == right_element {
            return Ok(());
        }
        let [left, right] = [left, right].map(|expr| self.names.expr(expr));
        Err(KernelError::Mixed { operation, left, left_element, right, right_element })
    }

    fn condition(&self, cond: &Expr) -> Result<(), KernelError> {
        let found = self.element(cond);
        let expr = || self.names.expr(cond);
        if found == Element::I1 { Ok(()) } else { Err(KernelError::NoCondition { expr: expr(), found }) }
    }

    fn cast(&self, from: Element, to: Element) -> Result<(), KernelError> {
        let loses_a_part = from.is_complex() && !to.is_complex();
        if loses_a_part { Err(KernelError::NoCast { from, to }) } else { Ok(()) }
    }
}

fn applies(operation: &'static str, domain: Domain, element: Element) -> Result<(), KernelError> {
    if domain.holds(element) { Ok(()) } else { Err(KernelError::NoOperation { operation, element }) }
}

/// Whole numbers are values of every type that can hold them; fractions only of floats and complex numbers.
fn literal(Literal { element, value }: Literal) -> Result<(), KernelError> {
    let fits = match (value, element.int_range()) {
        (Scalar::Int(n), Some((low, high))) => (low..=high).contains(&n),
        (Scalar::Int(_), None) => true,
        (Scalar::Float(_), range) => range.is_none(),
        (Scalar::Complex(_), _) => element.is_complex(),
    };
    if fits { Ok(()) } else { Err(KernelError::LiteralType { literal: literal_text(value), element }) }
}
