//! Floating-point arithmetic, in the order written. The narrow types are computed in `f32` and rounded after
//! each operation, so each operation is correctly rounded.

use inkwell::{
    FloatPredicate, IntPredicate,
    values::{FloatValue, IntValue},
};

use super::{
    emit::{Emitted, Emitter},
    machine::Instruction,
    symbols::{Register, Symbol},
    types::{Float, Parts, Typed},
};
use nnz_base::functions::UnaryFunction;
use nnz_loops::{
    Binary, Type, Unary,
    operators::{Arithmetic, Comparison},
};

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn float_unary(&mut self, op: Unary, ty: Type, float: Float, a: FloatValue<'c>) -> Emitted<Typed<'c>> {
        let value = match op {
            Unary::Neg => self.b.build_float_neg(a, "")?,
            Unary::Abs => self.intrinsic("llvm.fabs", &[a.get_type().into()], &[a.into()])?.into_float_value(),
            Unary::Function(UnaryFunction::Sqrt) => {
                let root = self.intrinsic("llvm.sqrt", &[a.get_type().into()], &[a.into()])?.into_float_value();
                self.round(float, root)?
            }
            Unary::Function(function) if self.has_instruction(function) => {
                let name = format!("llvm.{}", function.name());
                self.intrinsic(&name, &[a.get_type().into()], &[a.into()])?.into_float_value()
            }
            Unary::Function(function) => {
                let symbol = Symbol::Function(function, Register::of(float));
                let value = self.runtime(symbol, &[a.into()])?.into_float_value();
                self.round(float, value)?
            }
            Unary::Not | Unary::BitNot | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => {
                return self.ill_typed(format!("`{}` of a float", op.name()));
            }
        };
        Ok(Typed { ty, parts: Parts::Float(value) })
    }

    /// Whether the machine rounds so itself; other functions LLVM computes in its own way, or calls.
    fn has_instruction(&self, function: UnaryFunction) -> bool {
        use UnaryFunction::{Ceil, Floor, Round, Trunc};
        matches!(function, Floor | Ceil | Round | Trunc) && self.unit.machine.has(Instruction::RoundToWhole)
    }

    pub(super) fn float_binary(
        &mut self,
        op: Binary,
        ty: Type,
        float: Float,
        [a, b]: [FloatValue<'c>; 2],
    ) -> Emitted<Typed<'c>> {
        if let Some(comparison) = op.comparison() {
            return Ok(Typed::bool(self.b.build_float_compare(float_predicate(comparison), a, b, "")?));
        }
        let register = Register::of(float);
        let called = |symbol: Symbol| -> Emitted<FloatValue<'c>> {
            self.round(float, self.runtime(symbol, &[a.into(), b.into()])?.into_float_value())
        };
        let value = match (op, op.arithmetic()) {
            (_, Some(arithmetic)) => self.round(float, self.float_arithmetic(arithmetic, a, b)?)?,
            (Binary::Min, None) => self.float_pick("llvm.minimum", a, b)?,
            (Binary::Max, None) => self.float_pick("llvm.maximum", a, b)?,
            (Binary::Pow, None) => called(Symbol::Power(register))?,
            (Binary::Rem, None) => called(Symbol::Rest(register))?,
            (Binary::Function(function), None) => called(Symbol::FunctionOfTwo(function, register))?,
            (_, None) => return self.ill_typed(format!("{op:?} of floats")),
        };
        Ok(Typed { ty, parts: Parts::Float(value) })
    }

    /// `+ - * /` on registers, regrouped if the user asked for that.
    pub(super) fn float_arithmetic(
        &self,
        op: Arithmetic,
        a: FloatValue<'c>,
        b: FloatValue<'c>,
    ) -> Emitted<FloatValue<'c>> {
        let value = match op {
            Arithmetic::Add => self.b.build_float_add(a, b, "")?,
            Arithmetic::Sub => self.b.build_float_sub(a, b, "")?,
            Arithmetic::Mul => self.b.build_float_mul(a, b, "")?,
            Arithmetic::Div => self.b.build_float_div(a, b, "")?,
        };
        if let Some(freedom) = self.unit.freedom
            && let Some(instruction) = value.as_instruction()
            && instruction.can_use_fast_math_flags()
        {
            instruction.set_fast_math_flags(freedom).map_err(|error| super::failure(error.to_string()))?;
        }
        Ok(value)
    }

    /// IEEE 754-2019's `minimum` or `maximum`.
    fn float_pick(&self, name: &str, a: FloatValue<'c>, b: FloatValue<'c>) -> Emitted<FloatValue<'c>> {
        Ok(self.intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()])?.into_float_value())
    }

    /// Rounds a register to the precision of the type.
    pub(super) fn round(&self, float: Float, value: FloatValue<'c>) -> Emitted<FloatValue<'c>> {
        match float {
            Float::F64 | Float::F32 => Ok(value),
            Float::F16 | Float::BF16 => {
                let bits = self.narrow_bits(float, value)?;
                self.widen_bits(float, bits)
            }
        }
    }

    /// The 16-bit pattern of an `f32` register rounded to a narrow type.
    pub(super) fn narrow_bits(&self, float: Float, value: FloatValue<'c>) -> Emitted<IntValue<'c>> {
        if float == Float::BF16 {
            return self.bf16_bits(value);
        }
        if self.unit.machine.has(Instruction::ConvertHalf) {
            let half = self.b.build_float_trunc(value, self.unit.cx.f16_type(), "")?;
            return Ok(self.b.build_bit_cast(half, self.types().int(16), "")?.into_int_value());
        }
        Ok(self.runtime(Symbol::F16FromF32, &[value.into()])?.into_int_value())
    }

    /// The `f32` register of a narrow type's 16-bit pattern.
    pub(super) fn widen_bits(&self, float: Float, bits: IntValue<'c>) -> Emitted<FloatValue<'c>> {
        let (i32_type, f32_type) = (self.types().int(32), self.unit.cx.f32_type());
        if float == Float::BF16 {
            let word = self.b.build_int_z_extend(bits, i32_type, "")?;
            let high = self.b.build_left_shift(word, i32_type.const_int(16, false), "")?;
            return Ok(self.b.build_bit_cast(high, f32_type, "")?.into_float_value());
        }
        if self.unit.machine.has(Instruction::ConvertHalf) {
            let half = self.b.build_bit_cast(bits, self.unit.cx.f16_type(), "")?.into_float_value();
            return Ok(self.b.build_float_ext(half, f32_type, "")?);
        }
        Ok(self.runtime(Symbol::F32FromF16, &[bits.into()])?.into_float_value())
    }

    /// Rounds to nearest, ties to even, by the carry out of the lower half; a NaN stays one.
    fn bf16_bits(&self, value: FloatValue<'c>) -> Emitted<IntValue<'c>> {
        let i32_type = self.types().int(32);
        let number = |n: u64| i32_type.const_int(n, false);
        let word = self.b.build_bit_cast(value, i32_type, "")?.into_int_value();
        let high = self.b.build_right_shift(word, number(16), false, "")?;
        let odd = self.b.build_and(high, number(1), "")?;
        let bias = self.b.build_int_add(odd, number(0x7fff), "")?;
        let biased = self.b.build_int_add(word, bias, "")?;
        let rounded = self.b.build_right_shift(biased, number(16), false, "")?;
        let quiet = self.b.build_or(high, number(0x40), "")?;
        let magnitude = self.b.build_and(word, number(0x7fff_ffff), "")?;
        let is_nan = self.b.build_int_compare(IntPredicate::UGT, magnitude, number(0x7f80_0000), "")?;
        let chosen = self.select_int(is_nan, quiet, rounded)?;
        Ok(self.b.build_int_truncate(chosen, self.types().int(16), "")?)
    }

    /// A constant from its register's bit pattern.
    pub(super) fn float_from_bits(&self, float: Float, bits: u64) -> Emitted<FloatValue<'c>> {
        let width = if float == Float::F64 { 64 } else { 32 };
        let pattern = self.types().int(width).const_int(bits, false);
        Ok(self.b.build_bit_cast(pattern, self.types().float(float), "")?.into_float_value())
    }
}

fn float_predicate(op: Comparison) -> FloatPredicate {
    match op {
        Comparison::Eq => FloatPredicate::OEQ,
        Comparison::Ne => FloatPredicate::UNE,
        Comparison::Lt => FloatPredicate::OLT,
        Comparison::Le => FloatPredicate::OLE,
    }
}
