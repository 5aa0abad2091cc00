//! Answers about scripts of SparseTIR.

mod complete;
mod hover;
mod names;
mod rename;
mod symbols;

pub use complete::complete;
pub use hover::hover;
pub use names::{definition, places, references};
pub use rename::{prepare_rename, rename};
pub use symbols::symbols;
