//! Kernels over decomposed tensors. The parts of a tensor have places of their own, so it is their sum, and every
//! expression keeps its value over the sum. A term that is linear in the tensor becomes a term for each part, which its
//! loops then follow in its own format. Anywhere else the parts are merged.

use super::Operand;
use crate::scope::{Format, FormatPart, PartialType};
use nnz_base::{element::Element, ids::TensorId};
use nnz_kernel::{Access, BinaryOp, Expr, Over, ReduceOp, UnaryOp};

/// So many terms may become of one; more are merged.
const MOST_TERMS: usize = 16;

/// A part of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfPart {
    /// The decomposed tensor.
    pub tensor: String,
    pub part: usize,
}

impl OfPart {
    /// What kernels call it: `A.1`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.tensor, self.part + 1)
    }
}

/// The operands with each decomposed tensor's parts in its place.
pub(super) struct Parted {
    pub operands: Vec<Operand>,
    /// What each of these is a part of.
    pub of: Vec<Option<OfPart>>,
    /// Which operand each of them was.
    pub was: Vec<usize>,
}

/// `None` if no operand is decomposed.
pub(super) fn parted(operands: &[Operand]) -> Option<Parted> {
    operands.iter().any(|operand| operand.ty.parts().is_some()).then_some(())?;
    let mut parted = Parted { operands: Vec::new(), of: Vec::new(), was: Vec::new() };
    for (at, operand) in operands.iter().enumerate() {
        match operand.ty.parts() {
            Some(parts) => parts.iter().enumerate().for_each(|(part, format)| parted.push_part(operand, part, format)),
            None => parted.push(operand.clone(), None),
        }
        parted.was.resize(parted.operands.len(), at);
    }
    Some(parted)
}

impl Parted {
    fn push(&mut self, operand: Operand, of: Option<OfPart>) {
        self.operands.push(operand);
        self.of.push(of);
    }

    fn push_part(&mut self, whole: &Operand, part: usize, format: &FormatPart) {
        let of = OfPart { tensor: whole.name.clone(), part };
        let stored = Some(Format::Encoded(format.encoding.clone()));
        let ty = PartialType { format: stored, format_name: Some(format.name.clone()), ..whole.ty.clone() };
        self.push(Operand { name: of.name(), ty, place: whole.place }, Some(of));
    }

    /// The same expression over the parts.
    pub(super) fn over_parts(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                Expr::Binary(*op, Box::new(self.over_parts(a)), Box::new(self.over_parts(b)))
            }
            Expr::Reduce { op: ReduceOp::Sum, over: over @ (Over::All | Over::Stored), vars, body } => {
                let terms = self.terms(body).into_iter().map(|body| {
                    let (op, vars) = (ReduceOp::Sum, vars.clone());
                    Expr::Reduce { op, over: *over, vars, body: Box::new(body) }
                });
                sum(terms)
            }
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Unary(..) => {
                sum(self.terms(expr))
            }
            Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) | Expr::Select { .. } | Expr::Present { .. } => {
                sum(self.terms(expr))
            }
            Expr::Reduce { .. } | Expr::Onto { .. } => self.merged(expr),
        }
    }

    /// The terms whose sum a product is: one for each part of a factor.
    fn terms(&self, expr: &Expr) -> Vec<Expr> {
        let of_one = |op: &dyn Fn(Box<Expr>) -> Expr, a: &Expr| {
            self.terms(a).into_iter().map(|term| op(Box::new(term))).collect::<Vec<Expr>>()
        };
        match expr {
            Expr::Access(access) if self.is_sum(access) => self.accesses(access),
            Expr::Unary(op @ UnaryOp::Neg, a) => of_one(&|term| Expr::Unary(*op, term), a),
            Expr::Cast(to, a) if *to != Element::I1 => of_one(&|term| Expr::Cast(*to, term), a),
            Expr::Binary(op @ BinaryOp::Div, a, b) => {
                of_one(&|term| Expr::Binary(*op, term, Box::new(self.merged(b))), a)
            }
            Expr::Binary(op @ BinaryOp::Mul, a, b) => match (self.terms(a), self.terms(b)) {
                (left, right) if left.len() * right.len() > MOST_TERMS => vec![self.merged(expr)],
                (left, right) => left
                    .iter()
                    .flat_map(|a| right.iter().map(|b| Expr::Binary(*op, Box::new(a.clone()), Box::new(b.clone()))))
                    .collect(),
            },
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => vec![self.merged(expr)],
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => vec![self.merged(expr)],
            Expr::Select { .. } | Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => {
                vec![self.merged(expr)]
            }
        }
    }

    /// With the sum of its parts for each access to a decomposed tensor.
    fn merged(&self, expr: &Expr) -> Expr {
        let sum = |part: &Expr| if let Expr::Access(access) = part { Some(self.merged_access(access)) } else { None };
        expr.replaced(&sum)
    }

    fn merged_access(&self, access: &Access) -> Expr {
        let is_truth = self.element(access) == Some(Element::I1);
        let op = if is_truth { BinaryOp::Or } else { BinaryOp::Add };
        joined(op, self.accesses(access))
    }

    /// Whether it is of parts that are added up.
    fn is_sum(&self, access: &Access) -> bool {
        self.element(access) != Some(Element::I1)
    }

    fn element(&self, access: &Access) -> Option<Element> {
        self.numbers(access).next().and_then(|at| self.operands[at].ty.element)
    }

    /// The parts of an operand, or it alone.
    fn numbers(&self, access: &Access) -> impl Iterator<Item = usize> {
        let own = access.tensor.index();
        self.was.iter().enumerate().filter(move |(_, was)| **was == own).map(|(at, _)| at)
    }

    fn accesses(&self, access: &Access) -> Vec<Expr> {
        let of = |at| Expr::Access(Access { tensor: TensorId::new(at), indices: access.indices.clone() });
        self.numbers(access).map(of).collect()
    }
}

fn sum(terms: impl IntoIterator<Item = Expr>) -> Expr {
    joined(BinaryOp::Add, terms)
}

/// There is one term at least: a list of parts is never empty.
fn joined(op: BinaryOp, terms: impl IntoIterator<Item = Expr>) -> Expr {
    let join = |a, b| Expr::Binary(op, Box::new(a), Box::new(b));
    terms.into_iter().reduce(join).unwrap_or_else(|| Expr::zero(Element::F64))
}
