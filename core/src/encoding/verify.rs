//! What makes an encoding legal. Checks, in order: that the inverse exists.

use super::{Affine, EncodingParts, infer};
use crate::ids::Lvl;

/// A broken rule, naming the level, dimension or field that breaks it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    #[error("the levels do not determine every dimension")]
    NotInvertible,
}

/// The inferred inverse.
///
/// # Errors
/// Every broken rule.
pub fn verify(parts: &EncodingParts) -> Result<Option<Vec<Affine<Lvl>>>, Vec<EncodingError>> {
    infer::infer(parts).map(Some).ok_or_else(|| vec![EncodingError::NotInvertible])
}
