//! Integer and boolean arithmetic: wraps to the type's width; a zero divisor gives 0.

use inkwell::{IntPredicate, values::IntValue};

use super::{
    emit::{Emitted, Emitter},
    symbols::Symbol,
    types::{Int, Parts, Sign, Typed},
};
use nnz_loops::{Binary, Type, Unary, operators::Comparison};

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn int_unary(&mut self, op: Unary, ty: Type, int: Int, a: IntValue<'c>) -> Emitted<Typed<'c>> {
        let value = match op {
            Unary::Neg => self.b.build_int_neg(a, "")?,
            Unary::Not | Unary::BitNot => self.b.build_not(a, "")?,
            Unary::Abs if !int.is_signed() => a,
            Unary::Abs => self.int_abs(a)?,
            Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => {
                return self.ill_typed(format!("{op:?} of an integer"));
            }
        };
        Ok(Typed { ty, parts: Parts::Int(self.wrap(int, value)?) })
    }

    pub(super) fn int_binary(
        &mut self,
        op: Binary,
        ty: Type,
        int: Int,
        [a, b]: [IntValue<'c>; 2],
    ) -> Emitted<Typed<'c>> {
        if let Some(comparison) = op.comparison() {
            let predicate = int_predicate(comparison, int.sign);
            return Ok(Typed::bool(self.b.build_int_compare(predicate, a, b, "")?));
        }
        let value = match op {
            Binary::Add => self.b.build_int_add(a, b, "")?,
            Binary::Sub => self.b.build_int_sub(a, b, "")?,
            Binary::Mul => self.b.build_int_mul(a, b, "")?,
            Binary::Div | Binary::Rem => self.divide(op, int, a, b)?,
            Binary::Min => self.pick(IntPredicate::SLT, IntPredicate::ULT, int, a, b)?,
            Binary::Max => self.pick(IntPredicate::SGT, IntPredicate::UGT, int, a, b)?,
            Binary::Pow => self.int_power(int, a, b)?,
            Binary::And | Binary::BitAnd => self.b.build_and(a, b, "")?,
            Binary::Or | Binary::BitOr => self.b.build_or(a, b, "")?,
            Binary::BitXor => self.b.build_xor(a, b, "")?,
            Binary::Shl | Binary::Shr => self.shift(op, int, a, b)?,
            Binary::Function(_) | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => {
                return self.ill_typed(format!("{op:?} of integers"));
            }
        };
        Ok(Typed { ty, parts: Parts::Int(self.wrap(int, value)?) })
    }

    /// Cuts a result to the type's width: `i1` to 0 or 1, `i2` and `i4` to signed numbers.
    pub(super) fn wrap(&self, int: Int, value: IntValue<'c>) -> Emitted<IntValue<'c>> {
        if int.width == int.bits {
            return Ok(value);
        }
        let ty = self.types().int(int.bits);
        let unused = ty.const_int(u64::from(int.bits - int.width), false);
        let high = self.b.build_left_shift(value, unused, "")?;
        Ok(self.b.build_right_shift(high, unused, int.is_signed(), "")?)
    }

    fn pick(
        &self,
        signed: IntPredicate,
        unsigned: IntPredicate,
        int: Int,
        a: IntValue<'c>,
        b: IntValue<'c>,
    ) -> Emitted<IntValue<'c>> {
        let predicate = if int.is_signed() { signed } else { unsigned };
        let first = self.b.build_int_compare(predicate, a, b, "")?;
        self.select_int(first, a, b)
    }

    /// Machine division faults on a zero divisor and on the least number over -1; neither reaches it.
    fn divide(&self, op: Binary, int: Int, a: IntValue<'c>, b: IntValue<'c>) -> Emitted<IntValue<'c>> {
        let ty = self.types().int(int.bits);
        let (zero, one) = (ty.const_zero(), ty.const_int(1, false));
        let by_zero = self.b.build_int_compare(IntPredicate::EQ, b, zero, "")?;
        let quotient = if int.is_signed() {
            let by_minus_one = self.b.build_int_compare(IntPredicate::EQ, b, ty.const_all_ones(), "")?;
            let unsafe_divisor = self.b.build_or(by_zero, by_minus_one, "")?;
            let divisor = self.select_int(unsafe_divisor, one, b)?;
            let negated = self.b.build_int_neg(a, "")?;
            let (usual, special) = if op == Binary::Div {
                (self.b.build_int_signed_div(a, divisor, "")?, negated)
            } else {
                (self.b.build_int_signed_rem(a, divisor, "")?, zero)
            };
            self.select_int(by_minus_one, special, usual)?
        } else {
            let divisor = self.select_int(by_zero, one, b)?;
            if op == Binary::Div {
                self.b.build_int_unsigned_div(a, divisor, "")?
            } else {
                self.b.build_int_unsigned_rem(a, divisor, "")?
            }
        };
        self.select_int(by_zero, zero, quotient)
    }

    /// Machines shift by an amount modulo the width; one beyond it, or a negative one, moves all bits out.
    fn shift(&self, op: Binary, int: Int, a: IntValue<'c>, b: IntValue<'c>) -> Emitted<IntValue<'c>> {
        let ty = self.types().int(int.bits);
        let width = ty.const_int(int.width.into(), false);
        let inside = self.b.build_int_compare(IntPredicate::ULT, b, width, "")?;
        let most = ty.const_int(u64::from(int.bits) - 1, false);
        let amount = self.select_int(inside, b, most)?;
        if op == Binary::Shr && int.is_signed() {
            return Ok(self.b.build_right_shift(a, amount, true, "")?);
        }
        let moved = if op == Binary::Shl {
            self.b.build_left_shift(a, amount, "")?
        } else {
            self.b.build_right_shift(a, amount, false, "")?
        };
        self.select_int(inside, moved, ty.const_zero())
    }

    /// One function for all widths, modulo 2^64; a negative exponent gives 1 over the power.
    fn int_power(&self, int: Int, a: IntValue<'c>, b: IntValue<'c>) -> Emitted<IntValue<'c>> {
        let (base, exponent) = (self.widen(int, a)?, self.widen(int, b)?);
        if !int.is_signed() {
            let power = self.runtime(Symbol::IntPower, &[base.into(), exponent.into()])?.into_int_value();
            return self.narrow(int, power);
        }
        let size = self.int_abs(exponent)?;
        let power = self.runtime(Symbol::IntPower, &[base.into(), size.into()])?.into_int_value();
        let power = self.narrow(int, power)?;
        let one = self.types().int(int.bits).const_int(1, false);
        let inverse = self.divide(Binary::Div, int, one, power)?;
        let negative = self.b.build_int_compare(IntPredicate::SLT, exponent, self.types().index().const_zero(), "")?;
        self.select_int(negative, inverse, power)
    }

    fn int_abs(&self, a: IntValue<'c>) -> Emitted<IntValue<'c>> {
        let least_wraps = self.types().int(1).const_zero();
        Ok(self.intrinsic("llvm.abs", &[a.get_type().into()], &[a.into(), least_wraps.into()])?.into_int_value())
    }

    /// To 64 bits, by the type's sign.
    pub(super) fn widen(&self, int: Int, value: IntValue<'c>) -> Emitted<IntValue<'c>> {
        Ok(match int.sign {
            _ if int.bits == 64 => value,
            Sign::Signed => self.b.build_int_s_extend(value, self.types().index(), "")?,
            Sign::Unsigned => self.b.build_int_z_extend(value, self.types().index(), "")?,
        })
    }

    /// From 64 bits, wrapping.
    pub(super) fn narrow(&self, int: Int, value: IntValue<'c>) -> Emitted<IntValue<'c>> {
        if int.bits == 64 {
            return Ok(value);
        }
        let cut = self.b.build_int_truncate(value, self.types().int(int.bits), "")?;
        self.wrap(int, cut)
    }
}

fn int_predicate(op: Comparison, sign: Sign) -> IntPredicate {
    match (op, sign) {
        (Comparison::Eq, _) => IntPredicate::EQ,
        (Comparison::Ne, _) => IntPredicate::NE,
        (Comparison::Lt, Sign::Signed) => IntPredicate::SLT,
        (Comparison::Lt, Sign::Unsigned) => IntPredicate::ULT,
        (Comparison::Le, Sign::Signed) => IntPredicate::SLE,
        (Comparison::Le, Sign::Unsigned) => IntPredicate::ULE,
    }
}
