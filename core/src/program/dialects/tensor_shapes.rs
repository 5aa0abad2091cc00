//! placeholder
use crate::program::operation::OpDef;
pub(super) static OPS: &[OpDef] = &[];
