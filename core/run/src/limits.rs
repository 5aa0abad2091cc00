//! Refuses runs that could not be completed, before they start, and gives the size.

use super::{Prepared, error::too_large};
use nnz_base::memory;
use nnz_plan::iterate::is_random_access;

/// A quarter of an hour, at a billion points a second.
const MOST_POINTS: u64 = 1_000_000_000_000;

/// A request for more memory than there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    #[error("`{result}` would take {} steps, more than {}", amount(*.points), amount(MOST_POINTS))]
    Steps { result: String, points: u64 },
    #[error("{}", too_large(result, *.wanted, *.free))]
    Memory { result: String, rank: usize, wanted: u128, free: Option<u64> },
}

impl TooMuch {
    /// The label at the place, in a few words.
    pub fn label(&self) -> String {
        match self {
            TooMuch::Steps { points, .. } => format!("{} steps", amount(*points)),
            TooMuch::Memory { wanted, .. } => match u64::try_from(*wanted) {
                Ok(bytes) => format!("a result of {}", memory::size_text(bytes)),
                Err(_) => "a result of more than any memory".to_string(),
            },
        }
    }

    pub fn help(&self) -> &'static str {
        match self {
            TooMuch::Steps { .. } => {
                "make the sums of its parts first, each a kernel of its own, or store an operand sparsely"
            }
            TooMuch::Memory { rank: 1, .. } => "declare a sparse encoding for it, as in `: SparseVector`",
            TooMuch::Memory { rank: 2, .. } => "declare a sparse encoding for it, as in `: CSR`",
            TooMuch::Memory { .. } => "declare a sparse encoding for it, as in `: CSF`",
        }
    }
}

impl Prepared<'_> {
    /// Why the kernel is not run. `memory` is the free memory in bytes.
    pub fn too_much(&self, memory: Option<u64>) -> Option<TooMuch> {
        let (points, result) = (self.points(), self.kernel().tensor(self.kernel().result().tensor).name.clone());
        if points > MOST_POINTS {
            return Some(TooMuch::Steps { result, points });
        }
        let (wanted, free) = (self.result_bytes(), memory?);
        let rank = self.kernel().result().indices.len();
        (wanted > free.into()).then_some(TooMuch::Memory { result, rank, wanted, free: Some(free) })
    }

    /// The bytes of a dense result; 0 for a sparse one, whose size is found by counting.
    fn result_bytes(&self) -> u128 {
        let tensor = self.kernel().tensor(self.kernel().result().tensor);
        if !is_random_access(tensor) {
            return 0;
        }
        let sizes = tensor.shape.iter().map(|size| u128::from(*size));
        sizes.fold(tensor.element.bytes() as u128, u128::saturating_mul)
    }
}

/// `2.5e12`
fn amount(number: u64) -> String {
    format!("{:e}", (number as f64 / 1e9).round() * 1e9)
}
