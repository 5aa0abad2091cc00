//! Arrays as callers pass them.

use std::collections::BTreeMap;

pub use nnz_storage::files::numpy::Array;

/// Arrays by the names of parameters or buffers.
pub type Arrays = BTreeMap<String, Array>;
