//! Lays out arguments as a kernel's frame, after `backend::arguments` has checked that they fit.

use half::{bf16, f16};
use num_complex::Complex;

use crate::{Argument, BackendError, arguments::length};
use nnz_base::{
    arrays::IndexArray,
    element::{Repr, Scalar, Value},
    memory, with_values,
};
use nnz_loops::{Function, Type};

/// One slot of a frame; see `functions`.
pub(super) type Slot = [u64; 2];
const _: () = assert!(size_of::<Slot>() as u64 == super::functions::SLOT_BYTES);

/// Memory for the arrays that the function allocates itself.
///
/// # Errors
/// There is none, or a length is negative.
pub(super) fn allocated(function: &Function, scalars: &[Scalar]) -> Result<Vec<Vec<Slot>>, BackendError> {
    let arrays = function.arrays.iter().skip(function.array_params);
    arrays.map(|array| room(array.ty.repr(), length(function, array, scalars)?)).collect()
}

fn room(repr: Repr, len: usize) -> Result<Vec<Slot>, BackendError> {
    let bytes = len.saturating_mul(repr.bytes());
    Ok(memory::array(bytes.div_ceil(size_of::<Slot>()))?)
}

/// The frame for a run: the addresses of the arrays, then the scalars.
pub(super) fn frame(
    function: &Function,
    arrays: &mut [Argument<'_>],
    allocated: &mut [Vec<Slot>],
    scalars: &[Scalar],
) -> Vec<Slot> {
    let addresses = arrays.iter_mut().map(|argument| [address(argument), 0]);
    let addresses = addresses.chain(allocated.iter_mut().map(|array| [array.as_mut_ptr() as u64, 0]));
    let scalars = function.vars.iter().zip(scalars).map(|(var, scalar)| slot(var.ty, *scalar));
    addresses.chain(scalars).collect()
}

/// Where the argument's entries start.
fn address(argument: &mut Argument<'_>) -> u64 {
    match argument {
        Argument::ValuesMut(values) => with_values!(&mut **values, v => v.as_mut_ptr() as u64),
        Argument::Values(values) => with_values!(values, v => v.as_ptr() as u64),
        Argument::Indices(indices) => index_address(indices),
        Argument::IndicesMut(indices) => index_address_mut(indices),
    }
}

fn index_address(indices: &IndexArray) -> u64 {
    match indices {
        IndexArray::U2 { bytes: v, .. } | IndexArray::U8(v) => v.as_ptr() as u64,
        IndexArray::U16(v) => v.as_ptr() as u64,
        IndexArray::U32(v) => v.as_ptr() as u64,
        IndexArray::U64(v) => v.as_ptr() as u64,
    }
}

/// An address to write through must come from a mutable borrow.
fn index_address_mut(indices: &mut IndexArray) -> u64 {
    match indices {
        IndexArray::U2 { bytes: v, .. } | IndexArray::U8(v) => v.as_mut_ptr() as u64,
        IndexArray::U16(v) => v.as_mut_ptr() as u64,
        IndexArray::U32(v) => v.as_mut_ptr() as u64,
        IndexArray::U64(v) => v.as_mut_ptr() as u64,
    }
}

/// A value's registers side by side.
fn slot(ty: Type, scalar: Scalar) -> Slot {
    let [first, second] = register_bits(ty, scalar);
    let is_narrow = matches!(ty, Type::Element(element) if element.repr() == Repr::C32);
    if is_narrow { [first | second << 32, 0] } else { [first, second] }
}

/// The bit pattern of each of a value's registers.
pub(super) fn register_bits(ty: Type, scalar: Scalar) -> [u64; 2] {
    match ty {
        Type::Bool => [u64::from(!scalar.is_zero()), 0],
        Type::Index => [i64::from_scalar(scalar) as u64, 0],
        Type::Element(element) => element_bits(element.repr(), scalar),
    }
}

fn element_bits(repr: Repr, scalar: Scalar) -> [u64; 2] {
    let single = |x: f32| u64::from(x.to_bits());
    let first = match repr {
        Repr::C64 => {
            let pair = Complex::<f64>::from_scalar(scalar);
            return [pair.re.to_bits(), pair.im.to_bits()];
        }
        Repr::C32 => {
            let pair = Complex::<f32>::from_scalar(scalar);
            return [single(pair.re), single(pair.im)];
        }
        Repr::F64 => f64::from_scalar(scalar).to_bits(),
        Repr::F32 => single(f32::from_scalar(scalar)),
        Repr::F16 => single(f16::from_scalar(scalar).to_f32()),
        Repr::BF16 => single(bf16::from_scalar(scalar).to_f32()),
        Repr::I8 => u64::from(i8::from_scalar(scalar) as u8),
        Repr::I16 => u64::from(i16::from_scalar(scalar) as u16),
        Repr::I32 => u64::from(i32::from_scalar(scalar) as u32),
        Repr::I64 => i64::from_scalar(scalar) as u64,
        Repr::U8 => u64::from(u8::from_scalar(scalar)),
        Repr::U16 => u64::from(u16::from_scalar(scalar)),
        Repr::U32 => u64::from(u32::from_scalar(scalar)),
        Repr::U64 => u64::from_scalar(scalar),
    };
    [first, 0]
}
