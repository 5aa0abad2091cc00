//! The values of a kernel's expressions, as expressions of loop IR. Reductions by name become loops in
//! front of the statement that uses them.

use num_complex::Complex;

use super::{ArrayBinding, Lowerer, ScalarBinding};
use crate::{
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
    iterate::{Term, zero},
    kernel::{Access, BinaryOp, CompareOp, Expr, Literal, Over, ReduceOp, UnaryOp},
    loops::{Binary, ExprId, ForKind, Stmt, Type, Unary, VarId},
};

impl Lowerer<'_> {
    /// The value of `expr` where the loops stand, and zero of its type where it is filtered out;
    /// reductions in it are emitted here. Every access in it is present.
    pub(super) fn value(&mut self, expr: &Expr) -> ExprId {
        match expr {
            Expr::Access(access) => self.operand(access),
            Expr::Literal(number) => self.literal(*number),
            Expr::Index(var, element) => {
                let value = self.coordinate(*var);
                self.b.cast(Type::Element(*element), value)
            }
            Expr::Compare(..) => self.truth(expr),
            Expr::Unary(UnaryOp::Sign, a) => self.sign(a),
            Expr::Unary(UnaryOp::Square, a) => {
                let x = self.shared("x", a);
                self.b.mul(x, x)
            }
            Expr::Unary(op, a) => {
                let a = self.value(a);
                self.b.unary(unary(*op), a)
            }
            Expr::Binary(BinaryOp::Mod, a, b) => self.modulo(a, b),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.b.binary(binary(*op), a, b)
            }
            Expr::Cast(Element::I1, _) => self.truth(expr),
            Expr::Cast(to, a) => {
                let a = self.value(a);
                self.b.cast(Type::Element(*to), a)
            }
            Expr::Select { cond, then, other } => self.select(cond, then, other.as_deref()),
            Expr::Present { of, then, other } => match zero::simplify(self.kernel, expr, &|_| false) {
                Some(chosen) => self.value(&chosen),
                None => self.zero_of(then.as_ref().or(other.as_ref()).unwrap_or(of)),
            },
            Expr::Reduce { op, over, vars, body } => self.reduction(*op, *over, vars, body),
        }
    }

    /// `expr`, an `i1`, as a condition of loop IR.
    fn condition(&mut self, expr: &Expr) -> ExprId {
        match expr {
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.compare(*op, a, b)
            }
            Expr::Unary(UnaryOp::Not, a) => {
                let a = self.condition(a);
                self.b.unary(Unary::Not, a)
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = (self.condition(a), self.condition(b));
                self.b.binary(if *op == BinaryOp::And { Binary::And } else { Binary::Or }, a, b)
            }
            Expr::Cast(Element::I1, a) => self.is_not_zero(a),
            _ => self.is_not_zero(expr),
        }
    }

    fn is_not_zero(&mut self, expr: &Expr) -> ExprId {
        let (value, zero) = (self.value(expr), self.zero_of(expr));
        self.b.binary(Binary::Ne, value, zero)
    }

    fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            CompareOp::Eq => self.b.binary(Binary::Eq, a, b),
            CompareOp::Ne => self.b.binary(Binary::Ne, a, b),
            CompareOp::Lt => self.b.binary(Binary::Lt, a, b),
            CompareOp::Le => self.b.binary(Binary::Le, a, b),
            CompareOp::Gt => self.b.binary(Binary::Lt, b, a),
            CompareOp::Ge => self.b.binary(Binary::Le, b, a),
        }
    }

    /// The value of `expr`, computed once for several uses.
    fn shared(&mut self, name: &str, expr: &Expr) -> ExprId {
        let value = self.value(expr);
        self.let_value(name, expr, value)
    }

    /// `value`, which has the type of `like`, under a name unless it is simple.
    fn let_value(&mut self, name: &str, like: &Expr, value: ExprId) -> ExprId {
        if self.b.is_simple(value) {
            return value;
        }
        let ty = Type::Element(self.kernel.element_of(like));
        let var = self.b.define(name, ty, value);
        self.b.var(var)
    }

    /// -1, 0 or 1; zeros keep their sign, and NaN is its own.
    fn sign(&mut self, a: &Expr) -> ExprId {
        let element = self.kernel.element_of(a);
        let (value, zero) = (self.shared("x", a), self.zero_of(a));
        let one = self.b.value(element, converted(element, Scalar::Int(1)));
        let positive = self.b.binary(Binary::Lt, zero, value);
        let sign = self.b.select(positive, one, value);
        if element.int_range().is_some_and(|(low, _)| low == 0) {
            return sign;
        }
        let minus = self.b.unary(Unary::Neg, one);
        let negative = self.b.binary(Binary::Lt, value, zero);
        self.b.select(negative, minus, sign)
    }

    /// The remainder, moved by the divisor where their signs differ.
    fn modulo(&mut self, a: &Expr, b: &Expr) -> ExprId {
        let (value, divisor, zero) = (self.value(a), self.shared("divisor", b), self.zero_of(b));
        let rest = self.b.binary(Binary::Rem, value, divisor);
        let rest = self.let_value("rest", b, rest);
        let (below, divisor_below) = (self.b.binary(Binary::Lt, rest, zero), self.b.binary(Binary::Lt, divisor, zero));
        let differ = self.b.binary(Binary::Ne, below, divisor_below);
        let some = self.b.binary(Binary::Ne, rest, zero);
        let moves = self.b.binary(Binary::And, some, differ);
        let moved = self.b.add(rest, divisor);
        self.b.select(moves, moved, rest)
    }

    /// A condition as 1 or 0 of `i1`.
    fn truth(&mut self, expr: &Expr) -> ExprId {
        let cond = self.condition(expr);
        let [yes, no] = [1, 0].map(|bit| self.b.value(Element::I1, Scalar::Int(bit)));
        self.b.select(cond, yes, no)
    }

    fn select(&mut self, cond: &Expr, then: &Expr, other: Option<&Expr>) -> ExprId {
        let cond = self.condition(cond);
        let value = self.value(then);
        let other = match other {
            Some(other) => self.value(other),
            None => self.zero_of(then),
        };
        self.b.select(cond, value, other)
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
        let (array, at) = match access.as_vars() {
            Some(vars) if sparse => {
                let array = self.parameters.array(&mut self.b, ArrayBinding::Workspace(access.tensor));
                (array, self.row_major(&vars))
            }
            Some(vars) => (self.operand_array(access.tensor), self.offset(access.tensor, &vars)),
            None => (self.operand_array(access.tensor), self.computed_offset(access)),
        };
        self.b.load(array, at)
    }

    pub(super) fn literal(&mut self, Literal { element, value }: Literal) -> ExprId {
        self.b.value(element, converted(element, value))
    }
    pub(super) fn zero(&mut self) -> ExprId {
        let element = self.element();
        self.b.value(element, element.zero())
    }
    pub(super) fn zero_of_tensor(&mut self, tensor: TensorId) -> ExprId {
        let element = self.kernel.tensor(tensor).element;
        self.b.value(element, element.zero())
    }
    fn zero_of(&mut self, expr: &Expr) -> ExprId {
        let element = self.kernel.element_of(expr);
        self.b.value(element, element.zero())
    }

    fn reduction(&mut self, op: ReduceOp, over: Over, vars: &[IndexVar], body: &Expr) -> ExprId {
        if let ([var], true) = (vars, op.is_place()) {
            return self.place_reduction(op, over, *var, body);
        }
        let element = self.kernel.element_of(body);
        let identity = self.b.value(element, identity(op, element));
        let var = self.accumulator_of(op.name(), Type::Element(element), identity);
        self.dense_loops(vars, ForKind::Serial, &mut |this| {
            this.where_present(over, body, &mut |this| {
                let (so_far, value) = (this.b.var(var), this.value(body));
                let value = if op == ReduceOp::Pick { value } else { this.b.binary(combine(op), so_far, value) };
                this.b.push(Stmt::Assign { var, value });
            });
        });
        self.b.var(var)
    }

    /// The value of `var` where `body` is least or greatest, the first of several; NaN is both.
    fn place_reduction(&mut self, op: ReduceOp, over: Over, var: IndexVar, body: &Expr) -> ExprId {
        let element = self.kernel.element_of(body);
        let (start, none) = (self.zero_of(body), self.extent(var));
        let best = self.accumulator_of("best", Type::Element(element), start);
        let place = self.accumulator_of(op.name(), Type::Index, none);
        self.dense_loops(&[var], ForKind::Serial, &mut |this| {
            this.where_present(over, body, &mut |this| {
                let found = this.value(body);
                let found = this.b.define("found", Type::Element(element), found);
                let (value, so_far) = (this.b.var(found), this.b.var(best));
                let better = this.is_better(op, element, value, so_far);
                let (at, none) = (this.b.var(place), this.extent(var));
                let first = this.b.binary(Binary::Eq, at, none);
                let taken = this.b.binary(Binary::Or, first, better);
                let here = this.coordinate(var);
                this.b.when(taken, |b| {
                    b.push(Stmt::Assign { var: best, value });
                    b.push(Stmt::Assign { var: place, value: here });
                });
            });
        });
        let place = self.b.var(place);
        self.b.cast(Type::Element(Element::Index), place)
    }

    fn is_better(&mut self, op: ReduceOp, element: Element, value: ExprId, so_far: ExprId) -> ExprId {
        let [less, more] = if op == ReduceOp::ArgMin { [value, so_far] } else { [so_far, value] };
        let better = self.b.binary(Binary::Lt, less, more);
        if !element.is_float() {
            return better;
        }
        let is_nan = self.b.binary(Binary::Ne, value, value);
        let was_none = self.b.binary(Binary::Eq, so_far, so_far);
        let first_nan = self.b.binary(Binary::And, is_nan, was_none);
        self.b.binary(Binary::Or, better, first_nan)
    }

    /// What `emit` emits, under the condition that the term is not filtered out of a reduction over
    /// stored terms.
    fn where_present(&mut self, over: Over, body: &Expr, emit: &mut dyn FnMut(&mut Self)) {
        let Some(guard) = zero::guard(body).filter(|_| over == Over::Stored) else { return emit(self) };
        let cond = self.condition(&guard);
        self.b.open();
        emit(self);
        let then = self.b.close();
        self.b.push(Stmt::If { cond, then, other: Vec::new() });
    }

    /// What the reduction over nothing gives.
    pub(super) fn identity(&mut self, op: ReduceOp) -> ExprId {
        let element = self.element();
        self.b.value(element, identity(op, element))
    }

    /// `var name = value`.
    pub(super) fn accumulator(&mut self, name: &str, value: ExprId) -> VarId {
        let ty = self.value_type();
        self.accumulator_of(name, ty, value)
    }

    pub(super) fn accumulator_of(&mut self, name: &str, ty: Type, value: ExprId) -> VarId {
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

/// The operation of loop IR; [`UnaryOp::Sign`] and [`UnaryOp::Square`] are more than one.
fn unary(op: UnaryOp) -> Unary {
    match op {
        UnaryOp::Neg | UnaryOp::Sign | UnaryOp::Square => Unary::Neg,
        UnaryOp::Not => Unary::BitNot,
        UnaryOp::Abs => Unary::Abs,
        UnaryOp::Floor => Unary::Floor,
        UnaryOp::Ceil => Unary::Ceil,
        UnaryOp::Round => Unary::Round,
        UnaryOp::Trunc => Unary::Trunc,
        UnaryOp::Sqrt => Unary::Sqrt,
        UnaryOp::Cbrt => Unary::Cbrt,
        UnaryOp::Exp => Unary::Exp,
        UnaryOp::Exp2 => Unary::Exp2,
        UnaryOp::Expm1 => Unary::Expm1,
        UnaryOp::Log => Unary::Log,
        UnaryOp::Log2 => Unary::Log2,
        UnaryOp::Log10 => Unary::Log10,
        UnaryOp::Log1p => Unary::Log1p,
        UnaryOp::Sin => Unary::Sin,
        UnaryOp::Cos => Unary::Cos,
        UnaryOp::Tan => Unary::Tan,
        UnaryOp::Asin => Unary::Asin,
        UnaryOp::Acos => Unary::Acos,
        UnaryOp::Atan => Unary::Atan,
        UnaryOp::Sinh => Unary::Sinh,
        UnaryOp::Cosh => Unary::Cosh,
        UnaryOp::Tanh => Unary::Tanh,
        UnaryOp::Asinh => Unary::Asinh,
        UnaryOp::Acosh => Unary::Acosh,
        UnaryOp::Atanh => Unary::Atanh,
        UnaryOp::Erf => Unary::Erf,
    }
}

/// The operation of loop IR; [`BinaryOp::Mod`] is more than one.
fn binary(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::Div => Binary::Div,
        BinaryOp::Rem | BinaryOp::Mod => Binary::Rem,
        BinaryOp::Min => Binary::Min,
        BinaryOp::Max => Binary::Max,
        BinaryOp::Pow => Binary::Pow,
        BinaryOp::Atan2 => Binary::Atan2,
        BinaryOp::And => Binary::BitAnd,
        BinaryOp::Or => Binary::BitOr,
        BinaryOp::Xor => Binary::BitXor,
    }
}

/// How a reduction takes a term in; [`ReduceOp::Pick`] and places are not combined.
pub(super) fn combine(op: ReduceOp) -> Binary {
    match op {
        ReduceOp::Sum | ReduceOp::Pick => Binary::Add,
        ReduceOp::Prod => Binary::Mul,
        ReduceOp::Min | ReduceOp::ArgMin => Binary::Min,
        ReduceOp::Max | ReduceOp::ArgMax => Binary::Max,
        ReduceOp::And => Binary::BitAnd,
        ReduceOp::Or => Binary::BitOr,
        ReduceOp::Xor => Binary::BitXor,
    }
}

/// What the reduction over nothing gives. Complex numbers have no minimum, which validation refuses.
fn identity(op: ReduceOp, element: Element) -> Scalar {
    let extreme = |int: fn((i128, i128)) -> i128, float: f64| {
        element.int_range().map_or(converted(element, Scalar::Float(float)), |range| Scalar::Int(int(range)))
    };
    match op {
        ReduceOp::Sum | ReduceOp::Or | ReduceOp::Xor | ReduceOp::Pick => element.zero(),
        ReduceOp::Prod | ReduceOp::And => converted(element, Scalar::Int(1)),
        ReduceOp::Min | ReduceOp::ArgMin => extreme(|(_, high)| high, f64::INFINITY),
        ReduceOp::Max | ReduceOp::ArgMax => extreme(|(low, _)| low, f64::NEG_INFINITY),
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
