//! What the lines of a function say about its braces.

use super::OpenBracket;
use nnz_base::source::Span;
use std::collections::HashMap;

/// A region, and where its brace would stand.
pub(crate) type BracePlace = (OpenBracket, usize);

/// What the lines of a function say about its braces. It counts only where the function has too few or too many.
#[derive(Default)]
pub(crate) struct Braces {
    /// By the place of its brace, where an open region was left: a line is indented no further than the region's own.
    pub(crate) left: HashMap<u32, usize>,
    /// Regions that go on behind the operation that ends them.
    pub(crate) ended: Vec<BracePlace>,
    /// Regions that were closed by the brace of another one.
    pub(crate) closed: Vec<BracePlace>,
    /// Regions within which the function returns.
    pub(crate) returned: Vec<BracePlace>,
    /// The first brace that does not stand under what it closes.
    pub(crate) extra: Option<Span>,
}

impl Braces {
    pub(crate) fn left(&self, open: &OpenBracket, here: usize) -> BracePlace {
        (*open, self.left.get(&open.span.start).copied().unwrap_or(here))
    }
}
