//! Operations, by the kinds of their operands.

use crate::mlir::{
    Emitter, Value,
    helpers::Helper,
    literals,
    types::{IntType, Kind, float_register, kind},
};
use nnz_loops::{
    Binary, ExprId, Unary,
    machine::{Float, Sign},
    operators::Comparison,
};

impl Emitter<'_> {
    pub(super) fn unary(&mut self, op: Unary, a: ExprId) -> Value {
        let kind = kind(self.type_of(a));
        match (kind, self.expr(a)) {
            (Kind::Int(int), a) => Value::One(self.int_unary(op, int, a.one())),
            (Kind::Float(float), a) => Value::One(self.float_unary(op, float, a.one())),
            (Kind::Complex(part), Value::Pair(pair)) => self.complex_unary(op, part, pair),
            (Kind::Complex(_), a) => a,
        }
    }

    fn int_unary(&mut self, op: Unary, int: IntType, a: String) -> String {
        let ty = int.register();
        match op {
            Unary::Not | Unary::BitNot => {
                let ones = self.op(literals::int(int, if int.int().width == 1 { 1 } else { -1 }));
                self.op(format!("arith.xori {a}, {ones} : {ty}"))
            }
            Unary::Abs if int.is_signed() => {
                let zero = self.op(literals::int(int, 0));
                let negated = self.op(format!("arith.subi {zero}, {a} : {ty}"));
                let below = self.op(format!("arith.cmpi slt, {a}, {zero} : {ty}"));
                self.op(format!("arith.select {below}, {negated}, {a} : {ty}"))
            }
            Unary::Neg => {
                let zero = self.op(literals::int(int, 0));
                self.op(format!("arith.subi {zero}, {a} : {ty}"))
            }
            // Unsigned numbers are their own size.
            Unary::Abs => a,
            // Not integers' operations.
            Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => a,
        }
    }

    fn float_unary(&mut self, op: Unary, float: Float, a: String) -> String {
        let ty = float_register(float);
        let value = match op {
            Unary::Neg => return self.op(format!("arith.negf {a} : {ty}")),
            Unary::Abs => return self.op(format!("math.absf {a} : {ty}")),
            Unary::Function(function) if function.is_double() && float != Float::F64 => {
                let wide = self.op(format!("arith.extf {a} : f32 to f64"));
                let value = self.op(format!("math.{} {wide} : f64", function.name()));
                self.op(format!("arith.truncf {value} : f64 to f32"))
            }
            Unary::Function(function) => self.op(format!("math.{} {a} : {ty}", function.name())),
            // Not floats' operations.
            Unary::Not | Unary::BitNot | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => a,
        };
        self.rounded(float, value)
    }

    pub(super) fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> Value {
        let kind = kind(self.type_of(a));
        let safe = self.ranges.of(b).lo > 0;
        match (kind, self.expr(a), self.expr(b)) {
            (Kind::Int(int), a, b) => Value::One(self.int_binary(op, int, safe, [a.one(), b.one()])),
            (Kind::Float(float), a, b) => Value::One(self.float_binary(op, float, [a.one(), b.one()])),
            (Kind::Complex(part), Value::Pair(a), Value::Pair(b)) => self.complex_binary(op, part, a, b),
            (Kind::Complex(_), a, _) => a,
        }
    }

    /// `positive`: the second operand is, if it is an `Index`.
    fn int_binary(&mut self, op: Binary, int: IntType, positive: bool, [a, b]: [String; 2]) -> String {
        let ty = int.register();
        if let Some(comparison) = op.comparison() {
            let predicate = int_predicate(comparison, int.int().sign);
            return self.op(format!("arith.cmpi {predicate}, {a}, {b} : {ty}"));
        }
        let by_positive = int == IntType::Index && positive;
        let (signed, unsigned) = match op {
            Binary::Add => ("addi", "addi"),
            Binary::Sub => ("subi", "subi"),
            Binary::Mul => ("muli", "muli"),
            Binary::Div if by_positive => ("divsi", "divui"),
            Binary::Rem if by_positive => ("remsi", "remui"),
            Binary::Min => ("minsi", "minui"),
            Binary::Max => ("maxsi", "maxui"),
            Binary::And | Binary::BitAnd => ("andi", "andi"),
            Binary::Or | Binary::BitOr => ("ori", "ori"),
            Binary::BitXor => ("xori", "xori"),
            Binary::Shl => return self.call(Helper::ShiftLeft(int), &[a, b]),
            Binary::Shr => return self.call(Helper::ShiftRight(int), &[a, b]),
            Binary::Div => return self.call(Helper::Div(int), &[a, b]),
            Binary::Rem => return self.call(Helper::Rem(int), &[a, b]),
            Binary::Pow => return self.call(Helper::Pow(int), &[a, b]),
            // Compared above, or not integers' operations.
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Function(_) => return a,
        };
        self.op(format!("arith.{} {a}, {b} : {ty}", if int.is_signed() { signed } else { unsigned }))
    }

    fn float_binary(&mut self, op: Binary, float: Float, [a, b]: [String; 2]) -> String {
        let ty = float_register(float);
        if let Some(comparison) = op.comparison() {
            let predicate = float_predicate(comparison);
            return self.op(format!("arith.cmpf {predicate}, {a}, {b} : {ty}"));
        }
        let name = match op {
            Binary::Add => "arith.addf",
            Binary::Sub => "arith.subf",
            Binary::Mul => "arith.mulf",
            Binary::Div => "arith.divf",
            Binary::Rem => "arith.remf",
            Binary::Min => "arith.minimumf",
            Binary::Max => "arith.maximumf",
            Binary::Pow => "math.powf",
            Binary::Function(function) => &format!("math.{}", function.name()),
            // Compared above, or not floats' operations.
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::And | Binary::Or => return a,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => return a,
        };
        let value = self.op(format!("{name} {a}, {b} : {ty}"));
        self.rounded(float, value)
    }

    /// Sums and products by the textbook formulas; quotients as `complex.div` has them.
    fn complex_binary(&mut self, op: Binary, part: Float, [ar, ai]: [String; 2], [br, bi]: [String; 2]) -> Value {
        let ty = float_register(part);
        let mut of = |op: &str, a: &str, b: &str| self.op(format!("arith.{op} {a}, {b} : {ty}"));
        match op {
            Binary::Add => Value::Pair([of("addf", &ar, &br), of("addf", &ai, &bi)]),
            Binary::Sub => Value::Pair([of("subf", &ar, &br), of("subf", &ai, &bi)]),
            Binary::Mul => {
                let (rr, ii, ri, ir) =
                    (of("mulf", &ar, &br), of("mulf", &ai, &bi), of("mulf", &ar, &bi), of("mulf", &ai, &br));
                Value::Pair([of("subf", &rr, &ii), of("addf", &ri, &ir)])
            }
            Binary::Div => {
                let a = self.op(format!("complex.create {ar}, {ai} : complex<{ty}>"));
                let b = self.op(format!("complex.create {br}, {bi} : complex<{ty}>"));
                let quotient = self.op(format!("complex.div {a}, {b} : complex<{ty}>"));
                Value::Pair(["re", "im"].map(|part| self.op(format!("complex.{part} {quotient} : complex<{ty}>"))))
            }
            Binary::Eq | Binary::Ne => {
                let (predicate, join) = if op == Binary::Ne { ("une", "ori") } else { ("oeq", "andi") };
                let re = self.op(format!("arith.cmpf {predicate}, {ar}, {br} : {ty}"));
                let im = self.op(format!("arith.cmpf {predicate}, {ai}, {bi} : {ty}"));
                Value::One(self.op(format!("arith.{join} {re}, {im} : i1")))
            }
            Binary::Pow => self.complex_power(part, [ar, ai], [br, bi]),
            // Not complex numbers' operations.
            Binary::Rem | Binary::Min | Binary::Max | Binary::Function(_) | Binary::Lt | Binary::Le => {
                Value::Pair([ar, ai])
            }
            Binary::And | Binary::Or | Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => {
                Value::Pair([ar, ai])
            }
        }
    }
}

fn int_predicate(op: Comparison, sign: Sign) -> &'static str {
    match (op, sign) {
        (Comparison::Eq, _) => "eq",
        (Comparison::Ne, _) => "ne",
        (Comparison::Lt, Sign::Signed) => "slt",
        (Comparison::Lt, Sign::Unsigned) => "ult",
        (Comparison::Le, Sign::Signed) => "sle",
        (Comparison::Le, Sign::Unsigned) => "ule",
    }
}

fn float_predicate(op: Comparison) -> &'static str {
    match op {
        Comparison::Eq => "oeq",
        Comparison::Ne => "une",
        Comparison::Lt => "olt",
        Comparison::Le => "ole",
    }
}
