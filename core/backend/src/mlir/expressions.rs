//! Expressions: each becomes operations where the statement that uses it stands.

use std::collections::HashMap;

use super::{
    Emitter, Slot, Value,
    helpers::Helper,
    literals,
    types::{IntType, Kind, float_memory, float_register, kind, register, scalar},
};
use nnz_base::element::{Element, Scalar};
use nnz_loops::{
    ArrayId, ArrayType, Binary, Expr, ExprId, Type, Unary, VarId,
    machine::{Float, Int, Sign, Width},
};

impl Emitter<'_> {
    pub(super) fn expr(&mut self, id: ExprId) -> Value {
        if let Some(value) = self.memo.iter().find_map(|known| known.get(&id)) {
            return value.clone();
        }
        let value = self.evaluate(id);
        if let Some(innermost) = self.memo.last_mut() {
            innermost.insert(id, value.clone());
        }
        value
    }

    fn one(&mut self, id: ExprId) -> String {
        self.expr(id).one()
    }
    fn type_of(&self, id: ExprId) -> Type {
        self.types.get(id.index()).copied().unwrap_or(Type::Bool)
    }
    fn reads(&self, id: ExprId) -> bool {
        self.reads.get(id.index()).copied().unwrap_or(true)
    }

    fn evaluate(&mut self, id: ExprId) -> Value {
        match *self.function.expr(id) {
            Expr::Index(number) => self.constant(literals::int(IntType::Index, number.into())),
            Expr::Bool(truth) => self.constant(format!("arith.constant {truth}")),
            Expr::Value(element, scalar) => self.literal(element, scalar),
            Expr::Var(var) => self.variable(var),
            Expr::Load { array, index } => self.load(array, index),
            Expr::Unary(op, a) => self.unary(op, a),
            Expr::Binary(Binary::And, a, b) if self.reads(b) => {
                self.lazily(a, Type::Bool, |e| e.one_value(b), |e| e.constant("arith.constant false".into()))
            }
            Expr::Binary(Binary::Or, a, b) if self.reads(b) => {
                self.lazily(a, Type::Bool, |e| e.constant("arith.constant true".into()), |e| e.one_value(b))
            }
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Select { cond, then, other } => self.select(cond, then, other),
            Expr::Cast { to, from } => self.cast(to, from),
        }
    }

    fn one_value(&mut self, id: ExprId) -> Value {
        Value::One(self.one(id))
    }
    fn constant(&mut self, text: String) -> Value {
        Value::One(self.op(text))
    }

    fn literal(&mut self, element: Element, scalar: Scalar) -> Value {
        match (kind(Type::Element(element)), scalar) {
            (Kind::Int(int), Scalar::Int(number)) => self.constant(literals::int(int, number)),
            (Kind::Int(int), other) => self.constant(literals::int(int, other.as_f64() as i128)),
            (Kind::Float(float), other) => self.constant(literals::float(float, other.as_f64())),
            (Kind::Complex(part), Scalar::Complex(z)) => {
                Value::Pair([z.re, z.im].map(|number| self.op(literals::float(part, number))))
            }
            (Kind::Complex(part), other) => {
                Value::Pair([other.as_f64(), 0.0].map(|number| self.op(literals::float(part, number))))
            }
        }
    }

    pub(super) fn variable(&mut self, var: VarId) -> Value {
        let ty = register(self.function.var(var).ty);
        match self.vars.get(&var).cloned() {
            Some(Slot::Value(value)) => value,
            Some(Slot::Cells(cells)) => {
                let load = |cell: &String| self.op(format!("memref.load {cell}[] : memref<{ty}>"));
                Value::of(cells.values().iter().map(load).collect())
            }
            // The verifier has seen a declaration.
            None => Value::One(format!("%{}", super::identifier(&self.function.var(var).name))),
        }
    }

    // Memory.

    fn load(&mut self, array: ArrayId, index: ExprId) -> Value {
        let index = self.one(index);
        let (name, ty) = self.array(array);
        let entry = self.op(format!("memref.load {name}[{index}] : {ty}"));
        match self.function.array(array).ty {
            ArrayType::Indices(repr) => {
                let bits = Width::of(repr).bits();
                Value::One(self.op(format!("arith.index_castui {entry} : i{bits} to index")))
            }
            ArrayType::Values(element) => self.loaded(Type::Element(element), entry),
        }
    }

    fn loaded(&mut self, ty: Type, entry: String) -> Value {
        match kind(ty) {
            Kind::Int(IntType::Fixed(Int { bits, width, .. })) if width < bits => {
                Value::One(self.op(format!("arith.trunci {entry} : i{bits} to i{width}")))
            }
            Kind::Float(narrow @ (Float::F16 | Float::BF16)) => Value::One(self.widened(narrow, &entry)),
            Kind::Complex(_) => self.parts(&entry, &scalar(ty)),
            Kind::Int(_) | Kind::Float(_) => Value::One(entry),
        }
    }

    /// What is stored into an array of type `ty` for `value`.
    pub(super) fn entry(&mut self, ty: ArrayType, value: Value) -> String {
        let element = match ty {
            ArrayType::Indices(repr) => {
                let (bits, value) = (Width::of(repr).bits(), value.one());
                return self.op(format!("arith.index_cast {value} : index to i{bits}"));
            }
            ArrayType::Values(element) => element,
        };
        match (kind(Type::Element(element)), value) {
            (Kind::Int(IntType::Fixed(Int { bits, width, sign })), value) if width < bits => {
                let op = if sign == Sign::Signed { "extsi" } else { "extui" };
                self.op(format!("arith.{op} {} : i{width} to i{bits}", value.one()))
            }
            (Kind::Float(narrow @ (Float::F16 | Float::BF16)), value) => self.narrowed(narrow, &value.one()),
            (Kind::Complex(_), Value::Pair([re, im])) => {
                self.op(format!("complex.create {re}, {im} : {}", scalar(Type::Element(element))))
            }
            (_, value) => value.one(),
        }
    }

    pub(super) fn widened(&mut self, narrow: Float, value: &str) -> String {
        self.op(format!("arith.extf {value} : {} to f32", float_memory(narrow)))
    }
    fn narrowed(&mut self, narrow: Float, value: &str) -> String {
        match narrow {
            Float::BF16 => {
                let value = self.op(format!("arith.extf {value} : f32 to f64"));
                self.call(Helper::BF16, &[value])
            }
            _ => self.op(format!("arith.truncf {value} : f32 to {}", float_memory(narrow))),
        }
    }
    fn rounded(&mut self, float: Float, value: String) -> String {
        match float {
            Float::F64 | Float::F32 => value,
            Float::F16 | Float::BF16 => {
                let narrow = self.narrowed(float, &value);
                self.widened(float, &narrow)
            }
        }
    }

    // Choice.

    fn select(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Value {
        let ty = self.type_of(then);
        if self.reads(then) || self.reads(other) {
            return self.lazily(cond, ty, |e| e.expr(then), |e| e.expr(other));
        }
        let (cond, then, other) = (self.one(cond), self.expr(then), self.expr(other));
        let pairs: Vec<(String, String)> = then.values().into_iter().zip(other.values()).collect();
        let select = |(then, other)| self.op(format!("arith.select {cond}, {then}, {other} : {}", register(ty)));
        Value::of(pairs.into_iter().map(select).collect())
    }

    /// One of two values of type `ty`, the other of which is not evaluated.
    fn lazily(
        &mut self,
        cond: ExprId,
        ty: Type,
        then: impl FnOnce(&mut Self) -> Value,
        other: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let cond = self.one(cond);
        let parts = if matches!(kind(ty), Kind::Complex(_)) { 2 } else { 1 };
        let types = vec![register(ty); parts].join(", ");
        let result = format!("%{}", self.count);
        self.count += 1;
        let results = if parts == 2 { format!("{result}:2") } else { result.clone() };
        self.line(&format!("{results} = scf.if {cond} -> ({types}) {{"));
        self.arm(&types, then);
        self.line("} else {");
        self.arm(&types, other);
        self.line("}");
        match parts {
            2 => Value::Pair([format!("{result}#0"), format!("{result}#1")]),
            _ => Value::One(result),
        }
    }

    fn arm(&mut self, types: &str, value: impl FnOnce(&mut Self) -> Value) {
        self.memo.push(HashMap::new());
        self.indent += 1;
        let value = value(self);
        self.line(&format!("scf.yield {} : {types}", value.values().join(", ")));
        self.indent -= 1;
        self.memo.pop();
    }

    // Operations.

    fn unary(&mut self, op: Unary, a: ExprId) -> Value {
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

    fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> Value {
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
        if let Some(predicate) = int_predicate(op, int.int().sign) {
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
        if let Some(predicate) = float_predicate(op) {
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

    // Casts.

    fn cast(&mut self, to: Type, from: ExprId) -> Value {
        let source = kind(self.type_of(from));
        match (source, kind(to), self.expr(from)) {
            (Kind::Complex(source), Kind::Complex(part), value) => {
                let parts = value.values();
                Value::of(parts.into_iter().map(|value| self.float_to_float(source, part, value)).collect())
            }
            (_, Kind::Complex(part), value) => {
                let re = self.real_to_float(source, part, value.one());
                Value::Pair([re, self.op(literals::float(part, 0.0))])
            }
            (_, Kind::Float(float), value) => Value::One(self.real_to_float(source, float, value.one())),
            (Kind::Int(source), Kind::Int(int), value) => Value::One(self.int_to_int(source, int, value.one())),
            (Kind::Float(source) | Kind::Complex(source), Kind::Int(int), value) => {
                let wide = self.float_to_float(source, Float::F64, value.one());
                Value::One(self.call(Helper::Saturate(int), &[wide]))
            }
        }
    }

    fn real_to_float(&mut self, source: Kind, to: Float, value: String) -> String {
        match source {
            Kind::Int(int) => self.int_to_float(int, to, value),
            Kind::Float(source) | Kind::Complex(source) => self.float_to_float(source, to, value),
        }
    }

    fn int_to_float(&mut self, int: IntType, to: Float, value: String) -> String {
        let (value, ty) = match int {
            IntType::Index => (self.op(format!("arith.index_cast {value} : index to i64")), "i64".to_string()),
            IntType::Fixed(_) => (value, int.register()),
        };
        let direct = if to == Float::F32 { Float::F32 } else { Float::F64 };
        let op = if int.is_signed() { "sitofp" } else { "uitofp" };
        let number = self.op(format!("arith.{op} {value} : {ty} to {}", float_register(direct)));
        self.float_to_float(direct, to, number)
    }

    /// Rounds once: `f64` to a narrow type does not go by way of `f32`.
    pub(super) fn float_to_float(&mut self, from: Float, to: Float, value: String) -> String {
        match (from, to) {
            _ if from == to => value,
            (_, Float::F64) => self.op(format!("arith.extf {value} : f32 to f64")),
            (Float::F64, Float::F32) => self.op(format!("arith.truncf {value} : f64 to f32")),
            (Float::F64, narrow) => {
                let narrowed = match narrow {
                    Float::BF16 => self.call(Helper::BF16, &[value]),
                    _ => self.op(format!("arith.truncf {value} : f64 to {}", float_memory(narrow))),
                };
                self.widened(narrow, &narrowed)
            }
            (_, Float::F32) => value,
            (_, narrow) => self.rounded(narrow, value),
        }
    }

    fn int_to_int(&mut self, from: IntType, to: IntType, value: String) -> String {
        let (source, target) = (from.register(), to.register());
        let op = match (from, to) {
            _ if source == target => return value,
            (IntType::Index, _) => "index_cast",
            (_, IntType::Index) if from.is_signed() => "index_cast",
            (_, IntType::Index) => "index_castui",
            _ if from.int().width > to.int().width => "trunci",
            _ if from.is_signed() => "extsi",
            _ => "extui",
        };
        self.op(format!("arith.{op} {value} : {source} to {target}"))
    }
}

fn int_predicate(op: Binary, sign: Sign) -> Option<&'static str> {
    Some(match (op, sign) {
        (Binary::Eq, _) => "eq",
        (Binary::Ne, _) => "ne",
        (Binary::Lt, Sign::Signed) => "slt",
        (Binary::Lt, Sign::Unsigned) => "ult",
        (Binary::Le, Sign::Signed) => "sle",
        (Binary::Le, Sign::Unsigned) => "ule",
        _ => return None,
    })
}

fn float_predicate(op: Binary) -> Option<&'static str> {
    Some(match op {
        Binary::Eq => "oeq",
        Binary::Ne => "une",
        Binary::Lt => "olt",
        Binary::Le => "ole",
        _ => return None,
    })
}
