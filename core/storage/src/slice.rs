//! Slices: a part of a tensor, by an offset, a size and a stride for each dimension.

use std::sync::Arc;

use super::{Part, Storage, StorageError, Triplets, pack_owned, unpack};
use nnz_base::ids::Dim;
use nnz_encoding::Encoding;

/// The entries of `parent` that lie within `parts`, one for each dimension, stored in `encoding`.
///
/// # Errors
/// A part that reaches beyond its dimension, or differs from the encoding's own slices; else as
/// [`unpack()`] and [`pack_owned`].
pub fn extract(parent: &Storage, parts: &[Part], encoding: &Arc<Encoding>) -> Result<Storage, StorageError> {
    if parts.len() != parent.dim_sizes().len() {
        return Err(StorageError::Rank { encoding: parts.len(), tensor: parent.dim_sizes().len() });
    }
    for (at, (&part, &size)) in parts.iter().zip(parent.dim_sizes()).enumerate() {
        let written = encoding.dims().get(at).and_then(|dim| dim.slice).map_or(part, |slice| Part::of(slice, part));
        if !part.fits(size) || written != part {
            return Err(StorageError::Part { dim: Dim::new(at), part, size });
        }
    }
    pack_owned(within(&unpack(parent)?, parts)?, encoding)
}

/// The entries within the parts, at their coordinates there.
fn within(triplets: &Triplets, parts: &[Part]) -> Result<Triplets, StorageError> {
    let locate = |entry: usize| {
        let columns = triplets.coords().iter().zip(parts);
        columns.map(|(column, part)| part.locate(column[entry])).collect::<Option<Vec<u64>>>()
    };
    let found: Vec<(usize, Vec<u64>)> = (0..triplets.len()).filter_map(|entry| Some((entry, locate(entry)?))).collect();
    let coords = (0..parts.len()).map(|dim| found.iter().map(|(_, at)| at[dim]).collect()).collect();
    let values = nnz_base::with_values!(triplets.values(), v => {
        nnz_base::arrays::Values::from(found.iter().map(|(entry, _)| v[*entry]).collect::<Vec<_>>())
    });
    Ok(Triplets::new(parts.iter().map(|part| part.size).collect(), triplets.element(), coords, values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{from_dense, pack};
    use nnz_base::{arrays::Values, element::Element, ids::Lvl};
    use nnz_encoding::named;

    fn parent() -> Storage {
        let values = Values::I32((0..24).collect());
        pack(&from_dense(&[4, 6], Element::I32, &values).unwrap(), &Arc::new(named::csr().unwrap())).unwrap()
    }

    #[test]
    fn entries_within_the_slice_are_kept() {
        let parts = [Part { offset: 1, size: 2, stride: 2 }, Part { offset: 0, size: 3, stride: 2 }];
        let slice = extract(&parent(), &parts, &Arc::new(named::csr().unwrap())).unwrap();
        assert_eq!(slice.dim_sizes(), [2, 3]);
        assert_eq!(slice.positions(Lvl(1)).map(|p| p.iter().collect()), Some(vec![0, 3, 6]));
        assert_eq!(slice.values(), &Values::I32(vec![6, 8, 10, 18, 20, 22]));
    }

    #[test]
    fn a_part_beyond_the_parent_is_refused() {
        let whole = Part { offset: 0, size: 4, stride: 1 };
        let part = Part { offset: 2, size: 3, stride: 2 };
        let error = extract(&parent(), &[whole, part], &Arc::new(named::csr().unwrap())).unwrap_err();
        assert_eq!(error, StorageError::Part { dim: Dim(1), part, size: 6 });
        let zero = Part { offset: 0, size: 1, stride: 0 };
        assert!(extract(&parent(), &[whole, zero], &Arc::new(named::csr().unwrap())).is_err());
    }
}
