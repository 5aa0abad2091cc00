//! From the triangle that a symmetric file stores to the matrix it describes.

use super::{
    super::{number::Number, records::Records},
    header::Symmetry,
};
use nnz_base::with_values;

/// Adds the mirror image of every entry off the diagonal.
///
/// # Errors
/// The entry whose value has no negative, as the least integer.
pub(super) fn both_triangles(stored: Records, symmetry: Symmetry) -> Result<Records, usize> {
    let Records { mut coords, mut values } = stored;
    if let [rows, columns] = coords.as_mut_slice() {
        with_values!(&mut values, values => extend(rows, columns, values, symmetry))?;
    }
    Ok(Records { coords, values })
}

fn extend<T: Number>(
    rows: &mut Vec<u64>,
    columns: &mut Vec<u64>,
    values: &mut Vec<T>,
    symmetry: Symmetry,
) -> Result<(), usize> {
    let stored = values.len();
    let added = rows.iter().zip(columns.iter()).filter(|(row, column)| row != column).count();
    rows.reserve_exact(added);
    columns.reserve_exact(added);
    values.reserve_exact(added);
    for entry in 0..stored {
        let (row, column) = (rows[entry], columns[entry]);
        if row != column {
            rows.push(column);
            columns.push(row);
            values.push(image(values[entry], symmetry).ok_or(entry)?);
        }
    }
    Ok(())
}

/// The value at the mirrored place.
fn image<T: Number>(value: T, symmetry: Symmetry) -> Option<T> {
    match symmetry {
        Symmetry::General | Symmetry::Symmetric => Some(value),
        Symmetry::SkewSymmetric => value.negated(),
        Symmetry::Hermitian => Some(value.conjugated()),
    }
}
