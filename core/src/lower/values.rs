//! The values of a kernel's expressions, as expressions of loop IR. Reductions by name become loops in
//! front of the statement that uses them.

use num_complex::Complex;

use super::{ArrayBinding, Lowerer, ScalarBinding};
use crate::{
    element::{Element, Scalar},
    ids::IndexVar,
    iterate::Term,
    kernel::{Access, BinaryOp, Expr, ReduceOp, UnaryOp},
    loops::{Binary, ExprId, ForKind, Stmt, Unary, VarId},
};

impl Lowerer<'_> {
    /// The value of `expr` where the loops stand; reductions in it are emitted here.
    pub(super) fn value(&mut self, expr: &Expr) -> ExprId {
        match expr {
            Expr::Access(access) => self.operand(access),
            Expr::Literal(scalar) => self.literal(*scalar),
            Expr::Unary(op, a) => {
                let a = self.value(a);
                self.b.unary(unary(*op), a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.b.binary(binary(*op), a, b)
            }
            Expr::Reduce { op, vars, body } => self.reduction(*op, vars, body),
        }
    }

    fn operand(&mut self, access: &Access) -> ExprId {
        let sparse = self.plan.sparse.as_ref().is_some_and(|operand| operand.tensor == access.tensor);
        match self.entry {
            Some(entry) if sparse => return entry,
            _ => {}
        }
        if self.kernel.tensor(access.tensor).shape.is_empty() {
            return self.parameters.scalar(&mut self.b, ScalarBinding::Value(access.tensor));
        }
        let (array, at) = if sparse {
            let array = self.parameters.array(&mut self.b, ArrayBinding::Workspace(access.tensor));
            (array, self.row_major(&access.indices))
        } else {
            (self.operand_array(access.tensor), self.offset(access.tensor, &access.indices))
        };
        self.b.load(array, at)
    }

    pub(super) fn literal(&mut self, scalar: Scalar) -> ExprId {
        let element = self.element();
        self.b.value(element, converted(element, scalar))
    }
    pub(super) fn zero(&mut self) -> ExprId {
        let element = self.element();
        self.b.value(element, element.zero())
    }

    fn reduction(&mut self, op: ReduceOp, vars: &[IndexVar], body: &Expr) -> ExprId {
        let identity = self.identity(op);
        let var = self.accumulator(op.name(), identity);
        self.dense_loops(vars, ForKind::Serial, &mut |this| {
            let (so_far, value) = (this.b.var(var), this.value(body));
            let value = this.b.binary(combine(op), so_far, value);
            this.b.push(Stmt::Assign { var, value });
        });
        self.b.var(var)
    }

    /// What the reduction over nothing gives.
    pub(super) fn identity(&mut self, op: ReduceOp) -> ExprId {
        let element = self.element();
        self.b.value(element, identity(op, element))
    }

    /// `var name = value`.
    pub(super) fn accumulator(&mut self, name: &str, value: ExprId) -> VarId {
        let ty = self.value_type();
        let var = self.b.local(name, ty);
        self.b.push(Stmt::Mut { var, value });
        var
    }

    /// The sum of the terms that visit every coordinate, where the result's variables are bound.
    pub(super) fn everywhere(&mut self) -> ExprId {
        let plan = self.plan;
        let sum = plan.everywhere.iter().fold(None, |sum, term| {
            let value = self.term(term);
            Some(self.added(sum, term.negated, value))
        });
        sum.unwrap_or_else(|| self.zero())
    }

    /// The value of a term but for its sign, summed over its variables.
    fn term(&mut self, term: &Term) -> ExprId {
        if term.summed.is_empty() {
            return self.value(&term.body);
        }
        let zero = self.zero();
        let var = self.accumulator("sum", zero);
        self.dense_loops(&term.summed, ForKind::Serial, &mut |this| {
            let (so_far, value) = (this.b.var(var), this.value(&term.body));
            let value = this.b.add(so_far, value);
            this.b.push(Stmt::Assign { var, value });
        });
        self.b.var(var)
    }

    /// `sum + value` or `sum - value`.
    pub(super) fn added(&mut self, sum: Option<ExprId>, negated: bool, value: ExprId) -> ExprId {
        match (sum, negated) {
            (Some(sum), false) => self.b.add(sum, value),
            (Some(sum), true) => self.b.sub(sum, value),
            (None, false) => value,
            (None, true) => self.b.unary(Unary::Neg, value),
        }
    }
}

fn unary(op: UnaryOp) -> Unary {
    match op {
        UnaryOp::Neg => Unary::Neg,
        UnaryOp::Abs => Unary::Abs,
        UnaryOp::Sqrt => Unary::Sqrt,
        UnaryOp::Exp => Unary::Exp,
        UnaryOp::Log => Unary::Log,
        UnaryOp::Sin => Unary::Sin,
        UnaryOp::Cos => Unary::Cos,
        UnaryOp::Tan => Unary::Tan,
        UnaryOp::Tanh => Unary::Tanh,
    }
}

fn binary(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::Div => Binary::Div,
        BinaryOp::Min => Binary::Min,
        BinaryOp::Max => Binary::Max,
        BinaryOp::Pow => Binary::Pow,
    }
}

pub(super) fn combine(op: ReduceOp) -> Binary {
    match op {
        ReduceOp::Sum => Binary::Add,
        ReduceOp::Prod => Binary::Mul,
        ReduceOp::Min => Binary::Min,
        ReduceOp::Max => Binary::Max,
    }
}

/// What the reduction over nothing gives. Complex numbers have no minimum, which validation refuses.
fn identity(op: ReduceOp, element: Element) -> Scalar {
    let extreme = |int: fn((i128, i128)) -> i128, float: f64| {
        element.int_range().map_or(converted(element, Scalar::Float(float)), |range| Scalar::Int(int(range)))
    };
    match op {
        ReduceOp::Sum => element.zero(),
        ReduceOp::Prod => converted(element, Scalar::Int(1)),
        ReduceOp::Min => extreme(|(_, high)| high, f64::INFINITY),
        ReduceOp::Max => extreme(|(low, _)| low, f64::NEG_INFINITY),
    }
}

/// A literal as a value of `element`; validation has found that it is one.
fn converted(element: Element, scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Int(_) if element.is_integer() => scalar,
        Scalar::Complex(_) => scalar,
        real if element.is_complex() => Scalar::Complex(Complex::new(real.as_f64(), 0.0)),
        real => Scalar::Float(real.as_f64()),
    }
}
