//! Well-known formats by name: each is an [`Encoding`] value with a printed form, not a case in the code.

use super::{Affine, Dimension, Encoding, EncodingParts, Layout, Level, LevelFormat, Props};
use crate::ids::Dim;

const DENSE: LevelFormat = LevelFormat::Dense;
const COMPRESSED: LevelFormat = LevelFormat::Compressed(Props { nonunique: false, nonordered: false });

/// An encoding whose level `l` stores dimension `order[l]` as `formats[l]`; dimensions are called i, j, k, ...
/// `None` where MLIR's rules refuse the formats.
pub fn permuted(order: &[usize], formats: &[LevelFormat]) -> Option<Encoding> {
    let names = ["i", "j", "k", "l", "m", "n", "o", "p"];
    let dim = |at: usize| Dimension { name: names.get(at).map_or(format!("i{at}"), |n| n.to_string()), slice: None };
    let level = |(&at, &format)| Level { name: None, expr: Affine::Var(Dim::new(at)), format };
    let levels = order.iter().zip(formats).map(level).collect();
    Encoding::new(EncodingParts { dims: (0..order.len()).map(dim).collect(), levels, ..Default::default() }).ok()
}

pub fn csr() -> Option<Encoding> {
    permuted(&[0, 1], &[DENSE, COMPRESSED])
}
pub fn csc() -> Option<Encoding> {
    permuted(&[1, 0], &[DENSE, COMPRESSED])
}
pub fn dcsr() -> Option<Encoding> {
    permuted(&[0, 1], &[COMPRESSED, COMPRESSED])
}
pub fn dcsc() -> Option<Encoding> {
    permuted(&[1, 0], &[COMPRESSED, COMPRESSED])
}
/// Compressed fibers in the order of the dimensions.
pub fn csf(rank: usize) -> Option<Encoding> {
    permuted(&(0..rank).collect::<Vec<_>>(), &vec![COMPRESSED; rank])
}
pub fn dense(rank: usize) -> Option<Encoding> {
    permuted(&(0..rank).collect::<Vec<_>>(), &vec![DENSE; rank])
}
/// Sorted coordinates, an array of tuples as MLIR's.
pub fn coo(rank: usize) -> Option<Encoding> {
    let head = LevelFormat::Compressed(Props { nonunique: rank > 1, nonordered: false });
    let below = |at| LevelFormat::Singleton {
        props: Props { nonunique: at + 1 < rank, nonordered: false },
        layout: Layout::Aos,
    };
    let formats: Vec<LevelFormat> = std::iter::once(head).chain((1..rank).map(below)).collect();
    permuted(&(0..rank).collect::<Vec<_>>(), &formats)
}
