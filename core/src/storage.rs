//! Tensors as data: coordinates and values, and their storage in any encoding.

pub mod triplets;

pub use triplets::{Triplets, TripletsError};
