//! Complex arithmetic on pairs of registers: sums and products by the textbook formulas, quotients and functions called.

use inkwell::values::{FloatValue, IntValue};

use super::{
    emit::{Emitted, Emitter},
    floats::float_predicate,
    symbols::{Part, Register, Symbol},
    types::{Float, Parts, Typed},
};
use nnz_loops::{Binary, Type, Unary};

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
            Binary::Add | Binary::Sub => {
                [self.float_arithmetic(op, a[0], b[0])?, self.float_arithmetic(op, a[1], b[1])?]
            }
            Binary::Mul => self.complex_product(a, b)?,
            Binary::Div => self.complex_quotient(a, b)?,
            Binary::Pow => {
                let mut part = |part| self.complex_call(Symbol::ComplexPower(part), &[a[0], a[1], b[0], b[1]]);
                [part(Part::Re)?, part(Part::Im)?]
            }
            _ => return Ok(Typed::bool(self.complex_equal(op, a, b)?)),
        };
        Ok(Typed { ty, parts: Parts::Complex(pair) })
    }

    fn complex_product(&self, a: Pair<'c>, b: Pair<'c>) -> Emitted<Pair<'c>> {
        let times = |x, y| self.float_arithmetic(Binary::Mul, x, y);
        let re = self.float_arithmetic(Binary::Sub, times(a[0], b[0])?, times(a[1], b[1])?)?;
        let im = self.float_arithmetic(Binary::Add, times(a[0], b[1])?, times(a[1], b[0])?)?;
        Ok([re, im])
    }

    fn complex_quotient(&self, a: Pair<'c>, b: Pair<'c>) -> Emitted<Pair<'c>> {
        let double = self.types().float(Float::F64);
        let register = if a[0].get_type() == double { Register::Double } else { Register::Single };
        let parts = [a[0], a[1], b[0], b[1]].map(Into::into);
        let part = |part| self.runtime(Symbol::ComplexQuotient(register, part), &parts);
        Ok([part(Part::Re)?.into_float_value(), part(Part::Im)?.into_float_value()])
    }

    fn complex_equal(&self, op: Binary, a: Pair<'c>, b: Pair<'c>) -> Emitted<IntValue<'c>> {
        let predicate = match (op, float_predicate(op)) {
            (Binary::Eq | Binary::Ne, Some(predicate)) => predicate,
            _ => return self.ill_typed(format!("`{}` of complex numbers", op.name())),
        };
        let re = self.b.build_float_compare(predicate, a[0], b[0], "")?;
        let im = self.b.build_float_compare(predicate, a[1], b[1], "")?;
        Ok(if op == Binary::Eq { self.b.build_and(re, im, "")? } else { self.b.build_or(re, im, "")? })
    }
}
