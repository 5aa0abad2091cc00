//! Divides the work of a parallel loop whose iterations each run over a segment of positions, such as a row
//! of CSR. The ranges hold about equally many entries, not equally many iterations.

/// An ascending array of positions. The cost of iteration `i` is the number of positions from its entry `i`
/// to its entry `i + 1`, plus one for the iteration itself.
#[derive(Clone, Copy)]
pub(super) struct Positions {
    pub(super) array: *const u8,
    /// Of an entry.
    pub(super) bytes: i64,
}

impl Positions {
    /// The iteration in `lo..hi` before which the share `part / parts` of the work lies.
    ///
    /// # Safety
    /// The array must have the entries `lo..=hi`, of so many bytes each.
    pub(super) unsafe fn cut(self, lo: i64, hi: i64, part: u64, parts: u64) -> i64 {
        // SAFETY: the caller's promise.
        let work = |at: i64| unsafe { self.get(at) }.wrapping_add(lo.abs_diff(at));
        let (first, last) = (work(lo), work(hi));
        let wanted = first.saturating_add(share(last.saturating_sub(first), part, parts));
        let (mut low, mut high) = (lo, hi);
        while low < high {
            let middle = low + (high - low) / 2;
            if work(middle) < wanted { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// # Safety
    /// The array must have entry `at`.
    unsafe fn get(self, at: i64) -> u64 {
        // SAFETY: the caller's promise; no array is larger than `isize`.
        unsafe {
            let entry = self.array.offset((at * self.bytes) as isize);
            match self.bytes {
                1 => u64::from(*entry),
                2 => u64::from(entry.cast::<u16>().read_unaligned()),
                4 => u64::from(entry.cast::<u32>().read_unaligned()),
                _ => entry.cast::<u64>().read_unaligned(),
            }
        }
    }
}

/// `part / parts` of `total`.
pub(super) fn share(total: u64, part: u64, parts: u64) -> u64 {
    (u128::from(total) * u128::from(part) / u128::from(parts.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_follow_the_work() {
        // Row 2 has nearly all entries.
        let array = [5u32, 6, 7, 1007, 1008, 1008, 1008];
        let positions = Positions { array: array.as_ptr().cast(), bytes: 4 };
        // SAFETY: the array has entries 0 to 6.
        let cuts: Vec<i64> = (0..=4).map(|part| unsafe { positions.cut(0, 6, part, 4) }).collect();
        assert_eq!(cuts, [0, 3, 3, 3, 6]);
        let even: Vec<u16> = (0..=100).map(|row| row * 3).collect();
        let positions = Positions { array: even.as_ptr().cast(), bytes: 2 };
        // SAFETY: the array has entries 20 to 100.
        let cuts: Vec<i64> = (0..=4).map(|part| unsafe { positions.cut(20, 100, part, 4) }).collect();
        assert_eq!(cuts, [20, 40, 60, 80, 100]);
    }
}
