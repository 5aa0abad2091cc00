//! Expressions.

mod operation;

use super::IndexExpr;
use nnz_base::{
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
};
pub use operation::{BinaryOp, CompareOp, Fold, ReduceOp, Slot, UnaryOp};

/// `A(i, j)`, or `x(2 * i + k)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub tensor: TensorId,
    /// One per dimension.
    pub indices: Vec<IndexExpr>,
}

impl Access {
    /// `tensor(vars)`.
    pub fn of_vars(tensor: TensorId, vars: &[IndexVar]) -> Access {
        Access { tensor, indices: vars.iter().copied().map(IndexExpr::var).collect() }
    }

    /// The variable of each dimension; `None` if the index of a dimension is more than a variable.
    pub fn as_vars(&self) -> Option<Vec<IndexVar>> {
        self.indices.iter().map(IndexExpr::as_var).collect()
    }

    /// The variables used, with repetitions.
    pub fn vars(&self) -> impl Iterator<Item = IndexVar> + '_ {
        self.indices.iter().flat_map(IndexExpr::vars)
    }
}

/// A number of an element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Literal {
    pub element: Element,
    /// A whole number keeps its value in every type that can hold it.
    pub value: Scalar,
}

/// The terms over which a reduction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// Every value of its variables, with zero for absent entries.
    All,
    /// The same, with a present zero where all terms are absent.
    AllOrZero,
    /// Only the values where the body is present (see [`Expr::Present`]); absent terms are left out.
    Stored,
    /// The same, with a present number if there are no terms.
    StoredOr(Nothing),
}

impl Over {
    /// Whether absent terms are left out.
    pub fn is_stored(self) -> bool {
        match self {
            Over::All | Over::AllOrZero => false,
            Over::Stored | Over::StoredOr(_) => true,
        }
    }

    /// The same terms, with a present number where there are none.
    pub fn as_value(self) -> Over {
        match self {
            Over::All | Over::AllOrZero => Over::AllOrZero,
            Over::Stored => Over::StoredOr(Nothing::Identity),
            Over::StoredOr(_) => self,
        }
    }
}

/// The value of a reduction without terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nothing {
    /// That of the reduction itself.
    Identity,
    Zero,
    One,
    /// The greatest value of the type, infinity of floats.
    Greatest,
    Least,
}

impl Nothing {
    /// The number, for a reduction by `op` of terms of `element`; that of a reduction that finds a place is not a value
    /// of its body.
    pub fn value(self, op: &ReduceOp, element: Element) -> Scalar {
        match self {
            Nothing::Identity => op.identity(element),
            Nothing::Zero => element.zero(),
            Nothing::One => ReduceOp::Prod.identity(element),
            Nothing::Greatest => ReduceOp::Min.identity(element),
            Nothing::Least => ReduceOp::Max.identity(element),
        }
    }
}

/// An expression. At a point of the iteration space it has a value or is absent. Arithmetic takes an absent
/// operand as zero, and is absent where its absent operands force it to zero: `A(i, j) * x(j)` where `A`
/// stores nothing, `A(i, j) + B(i, j)` where neither stores anything.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Absent where the tensor stores nothing.
    Access(Access),
    Literal(Literal),
    /// The value of a variable, converted to an element type that can hold every value it takes.
    Index(IndexVar, Element),
    /// In [`Fold::combine`] alone.
    Slot(Slot, Element),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `i1`: 1 where it holds. Absent operands are zeros, so `A(i) == 0` holds where `A` is absent.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// As the loop IR's casts: integers wrap, floats saturate; to `i1`, whether it is not zero.
    Cast(Element, Box<Expr>),
    /// `then` where `cond`, an `i1`, is 1, else `other`; without `other` it is absent there (MLIR's
    /// `sparse_tensor.select`).
    Select {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Option<Box<Expr>>,
    },
    /// `then` where `of` is present, else `other`; `None` is absent. The value of `of` is not used. MLIR's
    /// `unary` is one of these, its `binary` three: see [`Expr::regions`].
    Present {
        of: Box<Expr>,
        then: Option<Box<Expr>>,
        other: Option<Box<Expr>>,
    },
    /// `max(j, A(i, j))`: an explicit reduction over `vars`. Without terms it gives its identity. Over stored
    /// terms only, it is then absent, and its identity where a value is needed.
    Reduce {
        op: ReduceOp,
        over: Over,
        vars: Vec<IndexVar>,
        body: Box<Expr>,
    },
    /// A reduction, `reduce`, that starts from a value instead of the identity: without a term it is that value. The
    /// summands of a sum's body are added one after another.
    Onto {
        from: Box<Expr>,
        reduce: Box<Expr>,
    },
}

/// The most tests of presence in one `unary` or `binary`. Each operand that is one itself is written out several times, so
/// their number grows twofold with each that is nested, and planning with it.
pub const MOST_QUESTIONS: usize = 100;

impl Expr {
    pub fn literal(element: Element, value: Scalar) -> Expr {
        Expr::Literal(Literal { element, value })
    }

    pub fn zero(element: Element) -> Expr {
        Expr::literal(element, element.zero())
    }

    /// A number that is present everywhere, even if it is zero or the other operands are absent.
    pub fn there(number: Expr) -> Expr {
        Expr::Present { of: Box::new(number.clone()), then: Some(Box::new(number)), other: None }
    }

    /// What a region gives, kept in a region that is always chosen: in it a sum takes no factors, and a number is there.
    pub fn given(element: Element, arm: Expr) -> Expr {
        let of = Box::new(Expr::literal(element, Scalar::Int(1)));
        Expr::Present { of, then: Some(Box::new(arm)), other: None }
    }

    /// Whether it is what [`Expr::given`] makes.
    pub fn is_given(&self) -> bool {
        matches!(self, Expr::Present { of, then: Some(_), other: None } if matches!(**of, Expr::Literal(_)))
    }

    /// Makes a number present everywhere ([`Expr::there`]); other expressions stay as they are.
    pub fn there_if_number(self) -> Expr {
        if matches!(self, Expr::Literal(_)) { Expr::there(self) } else { self }
    }

    /// The number inside [`Expr::there`].
    pub fn as_there(&self) -> Option<&Expr> {
        let Expr::Present { of, then: Some(then), other: None } = self else { return None };
        (of == then && matches!(**of, Expr::Literal(_))).then_some(&**of)
    }

    /// A reduction over all values of `vars`.
    pub fn reduce(op: ReduceOp, vars: Vec<IndexVar>, body: Expr) -> Expr {
        Expr::Reduce { op, over: Over::All, vars, body: Box::new(body) }
    }

    /// Whether this node's value depends on what is stored, not only on values.
    pub fn asks_for_presence(&self) -> bool {
        if let Expr::Reduce { over, .. } = self { over.is_stored() } else { self.asks() }
    }

    /// How many of its nodes test if an operand is present.
    pub fn questions(&self) -> usize {
        self.nodes().into_iter().filter(|node| node.asks()).count()
    }

    /// Whether this node tests if an operand is present.
    pub fn asks(&self) -> bool {
        matches!(self, Expr::Present { .. }) && self.as_there().is_none()
    }

    /// MLIR's `sparse_tensor.binary`: `overlap` where both operands are present, `left` where only the
    /// first is, `right` where only the second is.
    pub fn regions(operands: [Expr; 2], overlap: Option<Expr>, left: Option<Expr>, right: Option<Expr>) -> Expr {
        let [first, second] = operands.map(Box::new);
        let branch = |of: Box<Expr>, then: Option<Expr>, other: Option<Expr>| {
            let empty = then.is_none() && other.is_none();
            (!empty).then(|| Box::new(Expr::Present { of, then: then.map(Box::new), other: other.map(Box::new) }))
        };
        let then = branch(second.clone(), overlap, left);
        let other = branch(second, right, None);
        Expr::Present { of: first, then, other }
    }
}
