//! Functions of complex numbers: those of the C library, in double precision.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::{Emitter, Value, helpers::Helper, literals, types::float_register};
use nnz_base::functions::{ComplexForm, UnaryFunction, Written};
use nnz_loops::{Unary, machine::Float};

/// The real and the imaginary part.
type Pair = [String; 2];

impl Emitter<'_> {
    pub(super) fn complex_unary(&mut self, op: Unary, part: Float, [re, im]: Pair) -> Value {
        let ty = float_register(part);
        let mut negated = |a: &String| self.op(format!("arith.negf {a} : {ty}"));
        match op {
            Unary::Neg => Value::Pair([negated(&re), negated(&im)]),
            Unary::Conj => {
                let opposite = negated(&im);
                Value::Pair([re, opposite])
            }
            Unary::Re => Value::One(re),
            Unary::Im => Value::One(im),
            Unary::Abs => {
                let z = self.double_parts(part, [re, im]);
                let value = self.modulus(z);
                Value::One(self.float_to_float(Float::F64, part, value))
            }
            Unary::Angle => {
                let z = self.double_parts(part, [re, im]);
                let value = self.angle(&z);
                Value::One(self.float_to_float(Float::F64, part, value))
            }
            Unary::Function(function) => {
                let z = self.double_parts(part, [re, im]);
                let value = self.complex_function(function, z);
                Value::Pair(value.map(|a| self.float_to_float(Float::F64, part, a)))
            }
            // Not complex numbers' operations.
            Unary::Not | Unary::BitNot => Value::Pair([re, im]),
        }
    }

    fn double_parts(&mut self, part: Float, z: Pair) -> Pair {
        z.map(|a| self.float_to_float(part, Float::F64, a))
    }

    fn complex_function(&mut self, function: UnaryFunction, z: Pair) -> Pair {
        match function.complex() {
            Some(ComplexForm::Written(written)) => self.written(written, z),
            Some(ComplexForm::Library(_)) | None => self.library(Helper::Complex(function), &[z]),
        }
    }

    fn written(&mut self, written: Written, z: Pair) -> Pair {
        match written {
            Written::Exp2 => {
                let scaled = self.scaled(z, LN_2);
                self.library(Helper::Complex(UnaryFunction::Exp), &[scaled])
            }
            Written::Log2 => {
                let log = self.log(z);
                self.scaled(log, LOG2_E)
            }
            Written::Log10 => {
                let log = self.log(z);
                self.scaled(log, LOG10_E)
            }
            Written::Expm1 => self.expm1(z),
            Written::Log1p => self.log1p(z),
        }
    }

    fn log(&mut self, z: Pair) -> Pair {
        self.library(Helper::Complex(UnaryFunction::Log), &[z])
    }

    /// 1 for a zero exponent, and 0 for zero to a positive one.
    pub(super) fn complex_power(&mut self, part: Float, a: Pair, b: Pair) -> Value {
        let [a, b] = [a, b].map(|z| z.map(|x| self.float_to_float(part, Float::F64, x)));
        let usual = self.library(Helper::ComplexPow, &[a.clone(), b.clone()]);
        let (zero, one) = (self.double(0.0), self.double(1.0));
        let mut is = |predicate: &str, x: &String| self.op(format!("arith.cmpf {predicate}, {x}, {zero} : f64"));
        let (a0, a1, b0, b1) = (is("oeq", &a[0]), is("oeq", &a[1]), is("oeq", &b[0]), is("oeq", &b[1]));
        let positive = is("ogt", &b[0]);
        let mut both = |x: &str, y: &str| self.op(format!("arith.andi {x}, {y} : i1"));
        let (no_base, none, real) = (both(&a0, &a1), both(&b0, &b1), both(&positive, &b1));
        let vanishes = both(&no_base, &real);
        let mut choose = |cond: &str, x: &str, y: &str| self.op(format!("arith.select {cond}, {x}, {y} : f64"));
        let [re, im] = usual.map(|x| choose(&vanishes, &zero, &x));
        let pair = [choose(&none, &one, &re), choose(&none, &zero, &im)];
        Value::Pair(pair.map(|x| self.float_to_float(Float::F64, part, x)))
    }

    fn double(&mut self, number: f64) -> String {
        self.op(literals::float(Float::F64, number))
    }
    fn of(&mut self, op: &str, a: &str, b: &str) -> String {
        self.op(format!("{op} {a}, {b} : f64"))
    }

    fn scaled(&mut self, z: Pair, by: f64) -> Pair {
        let by = self.double(by);
        z.map(|x| self.of("arith.mulf", &x, &by))
    }

    fn angle(&mut self, [re, im]: &Pair) -> String {
        self.of("math.atan2", im, re)
    }

    fn modulus(&mut self, [re, im]: Pair) -> String {
        self.call(Helper::Hypot, &[re, im])
    }

    fn library(&mut self, helper: Helper, arguments: &[Pair]) -> Pair {
        let made: Vec<String> =
            arguments.iter().map(|[re, im]| self.op(format!("complex.create {re}, {im} : complex<f64>"))).collect();
        let value = self.call(helper, &made);
        ["re", "im"].map(|part| self.op(format!("complex.{part} {value} : complex<f64>")))
    }

    /// `expm1(x) * cos(y) - 2 * sin(y / 2)^2`, and `exp(x) * sin(y)`.
    fn expm1(&mut self, [x, y]: Pair) -> Pair {
        let mut function = |name: &str, x: &str| self.op(format!("math.{name} {x} : f64"));
        let (less, cos, exp, sin) =
            (function("expm1", &x), function("cos", &y), function("exp", &x), function("sin", &y));
        let (half, two) = (self.double(0.5), self.double(2.0));
        let half = self.of("arith.mulf", &y, &half);
        let root = self.op(format!("math.sin {half} : f64"));
        let square = self.of("arith.mulf", &two, &root);
        let square = self.of("arith.mulf", &square, &root);
        let product = self.of("arith.mulf", &less, &cos);
        [self.of("arith.subf", &product, &square), self.of("arith.mulf", &exp, &sin)]
    }

    /// Near 0 the modulus of `1 + z` by `log1p(x * (x + 2) + y * y) / 2`.
    fn log1p(&mut self, [x, y]: Pair) -> Pair {
        let [half, one, two] = [0.5, 1.0, 2.0].map(|number| self.double(number));
        let after = self.of("arith.addf", &x, &one);
        let far = self.log([after.clone(), y.clone()]);
        let more = self.of("arith.addf", &x, &two);
        let (a, b) = (self.of("arith.mulf", &x, &more), self.of("arith.mulf", &y, &y));
        let sum = self.of("arith.addf", &a, &b);
        let log = self.op(format!("math.log1p {sum} : f64"));
        let near = [self.of("arith.mulf", &half, &log), self.of("math.atan2", &y, &after)];
        let small = [&x, &y].map(|part| {
            let size = self.op(format!("math.absf {part} : f64"));
            self.op(format!("arith.cmpf olt, {size}, {half} : f64"))
        });
        let small = self.op(format!("arith.andi {}, {} : i1", small[0], small[1]));
        let [near_re, near_im] = near;
        let [far_re, far_im] = far;
        [(near_re, far_re), (near_im, far_im)]
            .map(|(near, far)| self.op(format!("arith.select {small}, {near}, {far} : f64")))
    }
}
