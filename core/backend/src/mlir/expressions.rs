//! Expressions: each becomes operations where the statement that uses it stands.

mod casts;
mod operations;

use std::collections::HashMap;

use super::{
    Emitter, Slot, Value,
    helpers::Helper,
    literals,
    types::{IntType, Kind, float_memory, kind, register, scalar},
};
use nnz_base::element::{Element, Scalar};
use nnz_loops::{
    ArrayId, ArrayType, Binary, Expr, ExprId, Type, VarId,
    machine::{Float, Int, Sign},
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
            ArrayType::Indices(width) => {
                let bits = width.bits();
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
            ArrayType::Indices(width) => {
                let (bits, value) = (width.bits(), value.one());
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
            Float::F16 | Float::F32 | Float::F64 => {
                self.op(format!("arith.truncf {value} : f32 to {}", float_memory(narrow)))
            }
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

    /// One of two values of type `ty`; the other is not evaluated.
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
}
