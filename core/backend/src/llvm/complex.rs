//! Complex arithmetic on pairs of registers: sums and products by the textbook formulas, quotients and functions by
//! calls.

use inkwell::{
    FloatPredicate,
    values::{FloatValue, IntValue},
};

use super::{
    emit::{Emitted, Emitter},
    symbols::{Part, Register, Symbol},
    types::{Float, Parts, Typed},
};
use nnz_loops::{Binary, Type, Unary, operators::Arithmetic};

/// Real and imaginary part.
type Pair<'c> = [FloatValue<'c>; 2];

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn complex_unary(&mut self, op: Unary, ty: Type, [re, im]: Pair<'c>) -> Emitted<Typed<'c>> {
        let Type::Element(element) = ty else { return self.ill_typed(format!("`{}` of {ty}", op.name())) };
        let real = |value| Ok(Typed { ty: Type::Element(element.part()), parts: Parts::Float(value) });
        let pair = match op {
            Unary::Neg => [self.b.build_float_neg(re, "")?, self.b.build_float_neg(im, "")?],
            Unary::Conj => [re, self.b.build_float_neg(im, "")?],
            Unary::Re => return real(re),
            Unary::Im => return real(im),
            Unary::Abs => return real(self.complex_call(Symbol::Modulus, &[re, im])?),
            Unary::Angle => return real(self.complex_call(Symbol::Angle, &[re, im])?),
            Unary::Function(function) => {
                let mut part = |part| self.complex_call(Symbol::Complex(function, part), &[re, im]);
                [part(Part::Re)?, part(Part::Im)?]
            }
            Unary::Not | Unary::BitNot => {
                return self.ill_typed(format!("`{}` of a complex number", op.name()));
            }
        };
        Ok(Typed { ty, parts: Parts::Complex(pair) })
    }

    /// A function of doubles, rounded to the type of its arguments.
    fn complex_call(&mut self, symbol: Symbol, parts: &[FloatValue<'c>]) -> Emitted<FloatValue<'c>> {
        let double = self.types().float(Float::F64);
        let mut wide = Vec::new();
        for part in parts {
            wide.push(self.b.build_float_ext(*part, double, "")?.into());
        }
        let value = self.runtime(symbol, &wide)?.into_float_value();
        let narrow = parts.first().map_or(double, |part| part.get_type());
        Ok(if narrow == double { value } else { self.b.build_float_trunc(value, narrow, "")? })
    }

    pub(super) fn complex_binary(&mut self, op: Binary, ty: Type, a: Pair<'c>, b: Pair<'c>) -> Emitted<Typed<'c>> {
        let pair = match op {
            Binary::Add => self.parts(Arithmetic::Add, a, b)?,
            Binary::Sub => self.parts(Arithmetic::Sub, a, b)?,
            Binary::Mul => self.complex_product(a, b)?,
            Binary::Div => self.complex_quotient(a, b)?,
            Binary::Pow => {
                let mut part = |part| self.complex_call(Symbol::ComplexPower(part), &[a[0], a[1], b[0], b[1]]);
                [part(Part::Re)?, part(Part::Im)?]
            }
            Binary::Eq => return Ok(Typed::bool(self.complex_equal(a, b)?)),
            Binary::Ne => return Ok(Typed::bool(self.b.build_not(self.complex_equal(a, b)?, "")?)),
            Binary::Rem | Binary::Min | Binary::Max | Binary::Function(_) | Binary::And | Binary::Or | Binary::Lt => {
                return self.ill_typed(format!("`{}` of complex numbers", op.name()));
            }
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr | Binary::Le => {
                return self.ill_typed(format!("`{}` of complex numbers", op.name()));
            }
        };
        Ok(Typed { ty, parts: Parts::Complex(pair) })
    }

    /// Part by part.
    fn parts(&self, op: Arithmetic, a: Pair<'c>, b: Pair<'c>) -> Emitted<Pair<'c>> {
        Ok([self.float_arithmetic(op, a[0], b[0])?, self.float_arithmetic(op, a[1], b[1])?])
    }

    fn complex_product(&self, a: Pair<'c>, b: Pair<'c>) -> Emitted<Pair<'c>> {
        let times = |x, y| self.float_arithmetic(Arithmetic::Mul, x, y);
        let re = self.float_arithmetic(Arithmetic::Sub, times(a[0], b[0])?, times(a[1], b[1])?)?;
        let im = self.float_arithmetic(Arithmetic::Add, times(a[0], b[1])?, times(a[1], b[0])?)?;
        Ok([re, im])
    }

    fn complex_quotient(&self, a: Pair<'c>, b: Pair<'c>) -> Emitted<Pair<'c>> {
        let double = self.types().float(Float::F64);
        let register = if a[0].get_type() == double { Register::Double } else { Register::Single };
        let parts = [a[0], a[1], b[0], b[1]].map(Into::into);
        let part = |part| self.runtime(Symbol::ComplexQuotient(register, part), &parts);
        Ok([part(Part::Re)?.into_float_value(), part(Part::Im)?.into_float_value()])
    }

    fn complex_equal(&self, a: Pair<'c>, b: Pair<'c>) -> Emitted<IntValue<'c>> {
        let re = self.b.build_float_compare(FloatPredicate::OEQ, a[0], b[0], "")?;
        let im = self.b.build_float_compare(FloatPredicate::OEQ, a[1], b[1], "")?;
        Ok(self.b.build_and(re, im, "")?)
    }
}
