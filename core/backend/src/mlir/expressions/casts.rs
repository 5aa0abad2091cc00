//! Casts.

use crate::mlir::{
    Emitter, Value,
    helpers::Helper,
    literals,
    types::{IntType, Kind, float_memory, float_register, kind},
};
use nnz_loops::{ExprId, Type, machine::Float};

impl Emitter<'_> {
    pub(super) fn cast(&mut self, to: Type, from: ExprId) -> Value {
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
    pub(in crate::mlir) fn float_to_float(&mut self, from: Float, to: Float, value: String) -> String {
        match (from, to) {
            _ if from == to => value,
            (_, Float::F64) => self.op(format!("arith.extf {value} : f32 to f64")),
            (Float::F64, Float::F32) => self.op(format!("arith.truncf {value} : f64 to f32")),
            (Float::F64, narrow) => {
                let narrowed = match narrow {
                    Float::BF16 => self.call(Helper::BF16, &[value]),
                    Float::F16 | Float::F32 | Float::F64 => {
                        self.op(format!("arith.truncf {value} : f64 to {}", float_memory(narrow)))
                    }
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
