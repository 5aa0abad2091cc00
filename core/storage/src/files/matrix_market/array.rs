//! The values of an array file, column by column: for a symmetric matrix from the diagonal down, for a skew-symmetric
//! one from below the diagonal.

use super::{
    super::{number::Number, records::Records},
    header::{Header, Symmetry},
};
use nnz_base::{arrays::Values, with_values};

/// The entries other than zero.
///
/// # Errors
/// The value on the diagonal of a Hermitian matrix that is not real.
pub(super) fn entries(mut values: Values, header: &Header) -> Result<Records, usize> {
    let coords = with_values!(&mut values, values => keep_entries(values, header))?;
    Ok(Records { coords, values })
}

fn keep_entries<T: Number>(values: &mut Vec<T>, header: &Header) -> Result<Vec<Vec<u64>>, usize> {
    let places = || places(header).zip(values.iter());
    let imaginary = |((row, column), value): ((u64, u64), &T)| row == column && !value.is_real();
    if let Some(entry) = places().position(imaginary).filter(|_| header.symmetry == Symmetry::Hermitian) {
        return Err(entry);
    }
    let (rows, columns) = places().filter(|(_, value)| !value.is_zero()).map(|(place, _)| place).unzip();
    values.retain(|value| !value.is_zero());
    Ok(vec![rows, columns])
}

/// Row and column of each value in the file's order.
fn places(header: &Header) -> impl Iterator<Item = (u64, u64)> + use<> {
    let (rows, symmetry) = (header.rows, header.symmetry);
    let first = move |column: u64| match symmetry {
        Symmetry::General => 0,
        Symmetry::Symmetric | Symmetry::Hermitian => column,
        Symmetry::SkewSymmetric => column + 1,
    };
    (0..header.columns).flat_map(move |column| (first(column)..rows).map(move |row| (row, column)))
}
