//! Answers about scripts of SparseTIR.

mod hover;
mod names;
mod symbols;

pub use hover::hover;
pub use names::{definition, places, references};
pub use symbols::symbols;
