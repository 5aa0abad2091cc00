//! Answers about scripts of SparseTIR.

mod complete;
mod hover;
mod linked;
mod names;
mod rename;
mod structures;
mod symbols;

pub use complete::complete;
pub use hover::hover;
pub use linked::linked;
pub use names::{definition, places, references};
pub use rename::{prepare_rename, rename};
pub use structures::refactorings;
pub use symbols::symbols;
