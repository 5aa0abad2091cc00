//! Sorting of an index array, written in loops, for emitters whose targets have no sort function.

use super::{Function, Verified, machine::Width, parse, verify};

/// Insertion for a few entries; for many a heap (Williams 1964, Floyd 1964), which takes
/// O(n log n) steps whatever the order was and no memory.
const TEXT: &str = "\
kernel sort(
  lo: index,
  hi: index,
  list: readwrite indices<WIDTH>,
) {
  if lo < hi {
    if hi - lo <= 24 {
      for i in lo + 1..hi {
        let moved = list[i]
        var to: index = i
        while lo < to && moved < list[to - 1] {
          list[to] = list[to - 1]
          to = to - 1
        }
        list[to] = moved
      }
    } else {
      // `last` entries are a heap from `first` on, entry `at` above 2 * at + 1 and 2 * at + 2.
      var first: index = (hi - lo) / 2
      var last: index = hi - lo
      while 1 < last {
        var sinking: index = list[lo]
        var at: index = 0
        if 0 < first {
          first = first - 1
          sinking = list[lo + first]
          at = first
        } else {
          last = last - 1
          sinking = list[lo + last]
          list[lo + last] = list[lo]
        }
        var below: index = 2 * at + 1
        while below < last {
          if below + 1 < last && list[lo + below] < list[lo + below + 1] {
            below = below + 1
          }
          if sinking < list[lo + below] {
            list[lo + at] = list[lo + below]
            at = below
            below = 2 * at + 1
          } else {
            below = last
          }
        }
        list[lo + at] = sinking
      }
    }
  }
}
";

/// The function that sorts `lo..hi` of an index array.
pub fn sorter(width: Width) -> Option<Verified<Function>> {
    verify(parse(&TEXT.replace("WIDTH", width.name())).ok()?).ok()
}
