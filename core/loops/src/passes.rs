//! Passes turn verified loops into verified loops that give the same bits and are faster on some machine. Each back
//! end names the passes it wants, and users are shown their output.

mod abreast;
mod grid;
mod hoist;
mod positions;
mod segments;
mod tile;

pub use grid::{NoGrid, on_a_grid};
pub use hoist::hoisted;

use super::{Function, LoopError, Verified, verify};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Rows of a result in registers.
    Tile,
    /// Four sums side by side.
    Abreast,
    /// Parallel loops divided by the work of their iterations.
    Positions,
    /// A second version of loops over segments, for short ones.
    Segments,
}

/// A pass that made loops that are not legal: a bug of nnz.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pass {pass} broke the loops: {}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct Broken {
    pub pass: String,
    pub problems: Vec<LoopError>,
    /// Its output.
    pub loops: String,
}

impl Pass {
    /// The function after the pass; `None` where it finds nothing to do.
    fn applied(self, function: &Function) -> Option<Function> {
        match self {
            Pass::Tile => tile::with_tiles(function),
            Pass::Abreast => abreast::with_sums_abreast(function),
            Pass::Positions => positions::with_balanced_loops(function),
            Pass::Segments => segments::with_rolled_loops(function),
        }
    }
}

/// `function` after `passes`, in their order.
///
/// # Errors
/// A pass that broke a rule of the loops.
pub fn run(passes: &[Pass], function: &Verified<Function>) -> Result<Verified<Function>, Broken> {
    passes.iter().try_fold(function.clone(), |function, pass| match pass.applied(&function) {
        Some(made) => {
            let loops = made.to_string();
            verify(made).map_err(|problems| Broken { pass: format!("{pass:?}"), problems, loops })
        }
        None => Ok(function),
    })
}

#[cfg(test)]
mod tests;
