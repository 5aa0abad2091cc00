//! How many bytes an encoding takes for a number of entries, without the entries.

use super::StorageModel;

/// Bytes, and how sure they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    pub bytes: u128,
    pub sure: Sure,
}

/// How well a number of entries determines their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sure {
    Exactly,
    /// If each lies in a row, a column, ... of its own.
    AtMost,
    /// If they fill their blocks.
    AtLeast,
    About,
}

impl Sure {
    fn and(self, other: Sure) -> Sure {
        match (self, other) {
            (Sure::Exactly, sure) | (sure, Sure::Exactly) => sure,
            (one, other) if one == other => one,
            _ => Sure::About,
        }
    }
    /// The word before the number.
    pub fn word(self) -> &'static str {
        match self {
            Sure::Exactly => "",
            Sure::AtMost => "at most ",
            Sure::AtLeast => "at least ",
            Sure::About => "about ",
        }
    }
}

impl StorageModel {
    /// The bytes of all arrays for so many stored entries; `None` if a size is unknown, or if the bytes depend on more
    /// than the number.
    pub fn bytes_with(&self, entries: u64) -> Option<Estimate> {
        let start = (self.bytes()?, Sure::Exactly);
        let (bytes, sure) = self.legend.iter().try_fold(start, |(bytes, sure), (name, _)| {
            let (count, other) = self.counted(name, u128::from(entries))?;
            Some((bytes.with(name, count), sure.and(other)))
        })?;
        Some(Estimate { bytes: bytes.value()?, sure })
    }

    /// What a name of the formulas stands for.
    fn counted(&self, name: &str, entries: u128) -> Option<(u128, Sure)> {
        match name {
            "nnz" => Some((entries, Sure::Exactly)),
            "nnzb" => Some((entries.div_ceil(self.values.length.with(name, 1).value()?.max(1)), Sure::AtLeast)),
            _ => {
                let at: usize = name.strip_prefix("nnz")?.parse().ok()?;
                Some((entries.min(self.places(at)?), Sure::AtMost))
            }
        }
    }

    /// How many coordinates a level and those above it can have.
    fn places(&self, at: usize) -> Option<u128> {
        let sizes = self.levels.get(..=at)?.iter().map(|level| level.size.value());
        sizes.into_iter().try_fold(1u128, |places, size| Some(places.saturating_mul(size?)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Sure};
    use crate::model::of_encoding;
    use nnz_base::element::Element;
    use nnz_encoding::named;

    fn estimate(name: &str, arguments: &[u64], entries: u64) -> Option<Estimate> {
        let encoding = named::lookup(name, arguments, Some(2)).unwrap();
        of_encoding(&encoding, Some(Element::F64), &[Some(4), Some(6)]).bytes_with(entries)
    }

    #[test]
    fn entries_tell_the_bytes_as_far_as_they_can() {
        let exactly = |bytes| Some(Estimate { bytes, sure: Sure::Exactly });
        assert_eq!(estimate("CSR", &[], 3), exactly(5 * 8 + 3 * 16));
        assert_eq!(estimate("COO", &[], 3), exactly(2 * 8 + 3 * 24));
        assert_eq!(estimate("dense", &[], 3), exactly(24 * 8));
        // Two positions, at most three rows, and the end of each.
        let rows = Estimate { bytes: 2 * 8 + 3 * 8 + 4 * 8 + 3 * 16, sure: Sure::AtMost };
        assert_eq!(estimate("DCSR", &[], 3), Some(rows));
        let blocks = Estimate { bytes: 3 * 8 + 8 + 4 * 8, sure: Sure::AtLeast };
        assert_eq!(estimate("BSR", &[2, 2], 3), Some(blocks));
        assert_eq!(estimate("ELL", &[], 3), None);
    }
}
