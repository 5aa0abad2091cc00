//! Loads and stores: between registers and the entries of arrays.

use inkwell::values::{BasicValueEnum, FloatValue};

use super::{
    emit::{Emitted, Emitter},
    types::{Class, Float, Parts, Typed, class, entry_type},
};
use nnz_loops::{ArrayType, Type};

impl<'c> Emitter<'_, 'c, '_> {
    /// The registers of a loaded entry; positions and coordinates widen to `index`.
    pub(super) fn loaded(&self, array: ArrayType, loaded: BasicValueEnum<'c>) -> Emitted<Parts<'c>> {
        if let ArrayType::Indices(_) = array {
            let wide = self.b.build_int_z_extend_or_bit_cast(loaded.into_int_value(), self.types().index(), "")?;
            return Ok(Parts::Int(wide));
        }
        match class(entry_type(array)) {
            Class::Int(_) => Ok(Parts::Int(loaded.into_int_value())),
            Class::Float(Float::F64 | Float::F32) => Ok(Parts::Float(loaded.into_float_value())),
            Class::Float(narrow) => Ok(Parts::Float(self.widen_bits(narrow, loaded.into_int_value())?)),
            Class::Complex(_) => {
                let pair = loaded.into_array_value();
                let part = |at| -> Emitted<FloatValue<'c>> {
                    Ok(self.b.build_extract_value(pair, at, "")?.into_float_value())
                };
                Ok(Parts::Complex([part(0)?, part(1)?]))
            }
        }
    }

    /// What a store puts into an array for `value`.
    pub(super) fn stored(&self, array: ArrayType, value: Typed<'c>) -> Emitted<BasicValueEnum<'c>> {
        match (value.parts, value.class()) {
            (Parts::Int(index), _) if value.ty == Type::Index => self.stored_index(array, index),
            (Parts::Int(number), _) => Ok(number.into()),
            (Parts::Float(number), Class::Float(narrow @ (Float::F16 | Float::BF16))) => {
                Ok(self.narrow_bits(narrow, number)?.into())
            }
            (Parts::Float(number), _) => Ok(number.into()),
            (Parts::Complex([re, im]), _) => {
                let pair = re.get_type().array_type(2).get_undef();
                let pair = self.b.build_insert_value(pair, re, 0, "")?;
                let pair = self.b.build_insert_value(pair, im, 1, "")?;
                Ok(self.b.build_bit_cast(pair.into_array_value(), re.get_type().array_type(2), "")?)
            }
        }
    }

    fn stored_index(&self, array: ArrayType, index: inkwell::values::IntValue<'c>) -> Emitted<BasicValueEnum<'c>> {
        let bits = 8 * array.repr().bytes() as u32;
        if bits == 64 {
            return Ok(index.into());
        }
        Ok(self.b.build_int_truncate(index, self.types().int(bits), "")?.into())
    }
}
