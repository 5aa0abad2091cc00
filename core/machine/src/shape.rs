//! Shapes of row-major arrays, and places in them.

use crate::fault::Fault;

/// `3x4`
pub fn by(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// The same of numbers that a program computes, which can be negative: `-1x4`
pub fn by_signed(shape: &[u64]) -> String {
    shape.iter().map(|size| size.cast_signed().to_string()).collect::<Vec<_>>().join("x")
}

/// The row-major place of `at`.
///
/// # Errors
/// A coordinate outside the shape.
pub fn offset(shape: &[u64], at: &[u64]) -> Result<usize, Fault> {
    let mut offset = 0u64;
    for (dim, (&at, &size)) in at.iter().zip(shape).enumerate() {
        if at >= size {
            return Err(outside(at, dim, size));
        }
        offset = offset * size + at;
    }
    Ok(offset as usize)
}

/// A coordinate that a dimension does not have.
pub fn outside(at: u64, dim: usize, size: u64) -> Fault {
    Fault::new(format!("coordinate {} is outside dimension {dim}, which has size {size}", at.cast_signed()))
}

/// Row-major.
pub fn strides(shape: &[u64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(shape[dim] as i64);
    }
    strides
}

/// The next coordinates in row-major order; from the last, the first again.
pub fn advance(at: &mut [u64], shape: &[u64]) {
    for (at, &size) in at.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < size {
            return;
        }
        *at = 0;
    }
}
