//! How large the values of an expression may be, from the largest entry of each operand. A factor that may overflow to an
//! infinity must not meet the zero of a dense copy or of padding: `0 * inf` is not a number.

use nnz_base::{
    element::{Element, Scalar},
    ids::TensorId,
};
use nnz_kernel::{BinaryOp, Expr, Kernel, Over, ReduceOp, UnaryOp};

/// Rounding, and the parts of complex products, may double what real arithmetic gives.
const MARGIN: f64 = 4.0;

pub(super) struct Magnitudes<'m> {
    pub kernel: &'m Kernel,
    /// The greatest magnitude in a tensor, infinity if there is a NaN.
    pub largest: &'m dyn Fn(TensorId) -> f64,
}

impl Magnitudes<'_> {
    /// A bound on the magnitude; infinity if the value may be infinite or not a number.
    pub(super) fn of(&self, expr: &Expr) -> f64 {
        let bound = self.exact(expr);
        let element = self.kernel.element_of(expr);
        if bound * MARGIN <= greatest(element) {
            return bound;
        }
        // Integers wrap.
        if element.is_integer() { greatest(element) } else { f64::INFINITY }
    }

    /// The same for numbers without limits.
    fn exact(&self, expr: &Expr) -> f64 {
        match expr {
            Expr::Access(access) => (self.largest)(access.tensor),
            Expr::Literal(literal) => magnitude(literal.value),
            Expr::Index(var, _) => self.kernel.var(*var).extent as f64,
            Expr::Unary(UnaryOp::Neg | UnaryOp::Abs, a) | Expr::Cast(_, a) => self.of(a),
            Expr::Unary(..) => f64::INFINITY,
            Expr::Binary(op, a, b) => combined(*op, self.of(a), self.of(b)),
            Expr::Compare(..) => 1.0,
            Expr::Select { then, other, .. } => self.greater([Some(then), other.as_deref()]),
            Expr::Present { then, other, .. } => self.greater([then.as_deref(), other.as_deref()]),
            Expr::Reduce { op, over, vars, body } => {
                let times = vars.iter().map(|var| self.kernel.var(*var).extent as f64).product();
                self.reduced((op, *over), times, self.of(body))
            }
            Expr::Onto { from, reduce } => self.of(from) + self.of(reduce),
            Expr::Slot(..) => f64::INFINITY,
        }
    }

    fn greater(&self, arms: [Option<&Expr>; 2]) -> f64 {
        arms.into_iter().flatten().map(|arm| self.of(arm)).fold(0.0, f64::max)
    }

    /// Without terms a minimum or a maximum is infinite.
    fn reduced(&self, (op, over): (&ReduceOp, Over), times: f64, term: f64) -> f64 {
        match op {
            ReduceOp::Sum => product(times, term),
            ReduceOp::Min | ReduceOp::Max if over == Over::All && times > 0.0 => term,
            ReduceOp::Pick => term,
            ReduceOp::Or | ReduceOp::And | ReduceOp::Xor => 1.0,
            ReduceOp::ArgMin | ReduceOp::ArgMax => greatest(Element::I64),
            ReduceOp::Min | ReduceOp::Max | ReduceOp::Prod | ReduceOp::Custom(_) => f64::INFINITY,
        }
    }
}

fn combined(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::Add | BinaryOp::Sub => a + b,
        BinaryOp::Mul => product(a, b),
        BinaryOp::Min | BinaryOp::Max => a.max(b),
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod | BinaryOp::Pow | BinaryOp::Function(_) => f64::INFINITY,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => f64::INFINITY,
    }
}

/// Zero times what may be infinite may be NaN.
fn product(a: f64, b: f64) -> f64 {
    if a.is_infinite() || b.is_infinite() { f64::INFINITY } else { a * b }
}

/// The magnitude of a value; infinity for a NaN.
pub fn magnitude(scalar: Scalar) -> f64 {
    let bound = |x: f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
    match scalar {
        Scalar::Float(x) => bound(x),
        Scalar::Complex(z) => bound(z.re) + bound(z.im),
        Scalar::Int(n) => n as f64,
    }
    .abs()
}

/// The greatest number of a type.
fn greatest(element: Element) -> f64 {
    match element {
        Element::F64 | Element::C64 => f64::MAX,
        Element::F32 | Element::C32 | Element::BF16 => f64::from(f32::MAX),
        Element::F16 => 65504.0,
        Element::I1 | Element::I2 | Element::I4 | Element::I8 | Element::U8 => 256.0,
        Element::I16 | Element::U16 => 65536.0,
        Element::I32 | Element::U32 => 4_294_967_296.0,
        Element::I64 | Element::U64 | Element::Index => 18_446_744_073_709_551_616.0,
    }
}
