//! Expressions and functions as keys. Floats are distinguished by their bits: -0.0 is not 0.0, and NaN is itself.

use std::hash::{Hash, Hasher};

use crate::{Expr, Function};
use nnz_base::element::Scalar;

/// An expression as the key of a table.
#[derive(Clone, Debug)]
pub(crate) struct ExprKey(pub Expr);

impl PartialEq for ExprKey {
    fn eq(&self, other: &ExprKey) -> bool {
        is_same_expr(&self.0, &other.0)
    }
}

impl Eq for ExprKey {}

impl Hash for ExprKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0).hash(state);
        match &self.0 {
            Expr::Index(number) => number.hash(state),
            Expr::Bool(truth) => truth.hash(state),
            Expr::Value(element, value) => (element, bits(*value)).hash(state),
            Expr::Var(var) => var.hash(state),
            Expr::Load { array, index } => (array, index).hash(state),
            Expr::Unary(op, operand) => (op, operand).hash(state),
            Expr::Binary(op, a, b) => (op, a, b).hash(state),
            Expr::Select { cond, then, other } => (cond, then, other).hash(state),
            Expr::Cast { to, from } => (to, from).hash(state),
        }
    }
}

/// Whether two functions are the same, literals bit for bit.
pub fn is_same(a: &Function, b: &Function) -> bool {
    let Function { name, arrays, array_params, vars, scalar_params, exprs, body } = a;
    let same_exprs = || exprs.iter().zip(&b.exprs).all(|(a, b)| is_same_expr(a, b));
    *name == b.name
        && (*array_params, *scalar_params, exprs.len()) == (b.array_params, b.scalar_params, b.exprs.len())
        && *arrays == b.arrays
        && *vars == b.vars
        && *body == b.body
        && same_exprs()
}

fn is_same_expr(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Value(a, x), Expr::Value(b, y)) => a == b && bits(*x) == bits(*y),
        (a, b) => a == b,
    }
}

/// What distinguishes values: their kind and their bits.
fn bits(value: Scalar) -> (u8, [u64; 2]) {
    match value {
        Scalar::Float(x) => (0, [x.to_bits(), 0]),
        Scalar::Int(x) => (1, [x as u64, (x >> 64) as u64]),
        Scalar::Complex(z) => (2, [z.re.to_bits(), z.im.to_bits()]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use nnz_base::element::Element;

    use super::*;
    use crate::{Builder, Type};

    #[test]
    fn floats_are_keys_by_their_bits() {
        let key = |x: f64| ExprKey(Expr::Value(Element::F64, Scalar::Float(x)));
        assert_eq!(key(f64::NAN), key(f64::NAN));
        assert_ne!(key(0.0), key(-0.0));
        let keys: HashSet<ExprKey> = [key(0.0), key(-0.0), key(f64::NAN), key(f64::NAN)].into();
        assert_eq!(keys.len(), 3);
    }

    #[test]
    fn functions_are_the_same_if_their_literals_are() {
        let function = |x: f64| {
            let mut b = Builder::new("k");
            let value = b.value(Element::F64, Scalar::Float(x));
            b.define("x", Type::Element(Element::F64), value);
            b.finish()
        };
        assert!(is_same(&function(f64::NAN), &function(f64::NAN)));
        assert!(!is_same(&function(0.0), &function(-0.0)));
    }
}
