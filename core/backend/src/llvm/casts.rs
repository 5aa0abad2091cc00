//! Casts work as Rust's `as`: integers wrap, floats saturate into integers, and NaN gives 0.

use std::num::NonZeroU32;

use inkwell::values::{FloatValue, IntValue};

use super::{
    emit::{Emitted, Emitter},
    symbols::Symbol,
    types::{Class, Float, Int, Parts, Sign, Typed, class},
};
use nnz_loops::Type;

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn cast(&mut self, to: Type, from: Typed<'c>) -> Emitted<Typed<'c>> {
        let parts = match (from.parts, from.class(), class(to)) {
            (Parts::Complex(pair), Class::Complex(source), Class::Complex(part)) => Parts::Complex([
                self.float_to_float(source, part, pair[0])?,
                self.float_to_float(source, part, pair[1])?,
            ]),
            (_, _, Class::Complex(part)) => {
                let re = self.real_to_float(from, part)?;
                Parts::Complex([re, re.get_type().const_zero()])
            }
            (_, _, Class::Float(float)) => Parts::Float(self.real_to_float(from, float)?),
            (Parts::Int(value), Class::Int(source), Class::Int(int)) => {
                let wide = self.widen(source, value)?;
                Parts::Int(self.narrow(int, wide)?)
            }
            (Parts::Float(value), _, Class::Int(int)) => Parts::Int(self.float_to_int(int, value)?),
            _ => return self.ill_typed("a cast from a complex number to a real one"),
        };
        Ok(Typed { ty: to, parts })
    }

    fn real_to_float(&self, from: Typed<'c>, to: Float) -> Emitted<FloatValue<'c>> {
        match (from.parts, from.class()) {
            (Parts::Int(value), Class::Int(int)) => self.int_to_float(int, to, value),
            (Parts::Float(value), Class::Float(source)) => self.float_to_float(source, to, value),
            _ => self.ill_typed("a cast from a complex number to a real one"),
        }
    }

    fn int_to_float(&self, int: Int, to: Float, value: IntValue<'c>) -> Emitted<FloatValue<'c>> {
        let direct = if to == Float::F32 { Float::F32 } else { Float::F64 };
        let ty = self.types().float(direct);
        let number = if int.is_signed() {
            self.b.build_signed_int_to_float(value, ty, "")?
        } else {
            self.b.build_unsigned_int_to_float(value, ty, "")?
        };
        self.float_to_float(direct, to, number)
    }

    /// Rounds once: `f64` to a narrow type must not go by way of `f32`.
    fn float_to_float(&self, from: Float, to: Float, value: FloatValue<'c>) -> Emitted<FloatValue<'c>> {
        match (from, to) {
            _ if from == to => Ok(value),
            (_, Float::F64) => Ok(self.b.build_float_ext(value, self.types().float(to), "")?),
            (Float::F64, Float::F32) => Ok(self.b.build_float_trunc(value, self.types().float(to), "")?),
            (Float::F64, narrow) => {
                let symbol = if narrow == Float::BF16 { Symbol::BF16FromF64 } else { Symbol::F16FromF64 };
                let bits = self.runtime(symbol, &[value.into()])?.into_int_value();
                self.widen_bits(narrow, bits)
            }
            (_, Float::F32) => Ok(value),
            (_, narrow) => self.round(narrow, value),
        }
    }

    /// Saturates at the range of the type itself, `i1` to `i4` included.
    fn float_to_int(&self, int: Int, value: FloatValue<'c>) -> Emitted<IntValue<'c>> {
        let width = NonZeroU32::new(int.width).and_then(|width| self.unit.cx.custom_width_int_type(width).ok());
        let Some(exact) = width else { return self.ill_typed("an integer of no width") };
        let name = if int.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
        let overloads = [exact.into(), value.get_type().into()];
        let number = self.intrinsic(name, &overloads, &[value.into()])?.into_int_value();
        let ty = self.types().int(int.bits);
        Ok(match int.sign {
            _ if int.width == int.bits => number,
            Sign::Signed => self.b.build_int_s_extend(number, ty, "")?,
            Sign::Unsigned => self.b.build_int_z_extend(number, ty, "")?,
        })
    }
}
