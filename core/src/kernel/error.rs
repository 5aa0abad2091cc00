//! What can be wrong with a kernel.

use crate::element::Element;

/// An access by its number in the text, the result being 0, and one of its indices where it is that
/// index that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub access: usize,
    pub index: Option<usize>,
}

/// A broken rule. Dimensions are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    #[error("the expression is nested deeper than {limit} operations")]
    TooDeep { limit: usize },
    #[error("an access names tensor {tensor}, of which there are {count}")]
    NoTensor { tensor: usize, count: usize, place: Place },
    #[error("an index names variable {var}, of which there are {count}")]
    NoVariable { var: usize, count: usize },
    #[error("`{tensor}` has {rank} dimensions and {given} indices")]
    Arity { tensor: String, rank: usize, given: usize, place: Place },
    #[error("`{tensor}` has {shape_rank} dimensions, and its encoding is for {encoding_rank}")]
    EncodingRank { tensor: String, shape_rank: usize, encoding_rank: usize },
    #[error(
        "`{var}` runs to {first} in dimension {} of `{first_tensor}` and to {second} in dimension {} of `{second_tensor}`",
        .first_place.index.unwrap_or(0), .second_place.index.unwrap_or(0)
    )]
    ExtentMismatch {
        var: String,
        first: u64,
        first_tensor: String,
        first_place: Place,
        second: u64,
        second_tensor: String,
        second_place: Place,
    },
    #[error("no access says how far `{var}` runs")]
    Unbounded { var: String },
    #[error("the result uses `{var}` twice")]
    RepeatedInResult { var: String, place: Place },
    #[error("the result `{tensor}` is also an operand")]
    ResultIsOperand { tensor: String, place: Place },
    #[error("`{first_tensor}` holds {first} and `{second_tensor}` holds {second}: a kernel has one element type")]
    MixedElements { first: Element, first_tensor: String, second: Element, second_tensor: String, place: Place },
    #[error("the number {literal} is not a value of type {element}")]
    LiteralType { literal: String, element: Element },
    #[error("`{operation}` does not apply to values of type {element}")]
    NoOperation { operation: &'static str, element: Element },
    #[error("the reduction over `{var}` is inside another use of `{var}`")]
    Shadowed { var: String },
    #[error("a reduction without variables")]
    EmptyReduction,
    #[error("it is open whether `{var}` is summed inside or outside of `{inside}`")]
    AmbiguousSum { var: String, inside: String },
}

impl KernelError {
    /// The access that is to blame; where two disagree, the later one.
    pub fn place(&self) -> Option<Place> {
        match self {
            KernelError::NoTensor { place, .. }
            | KernelError::Arity { place, .. }
            | KernelError::RepeatedInResult { place, .. }
            | KernelError::ResultIsOperand { place, .. }
            | KernelError::MixedElements { place, .. }
            | KernelError::ExtentMismatch { second_place: place, .. } => Some(*place),
            KernelError::TooDeep { .. }
            | KernelError::NoVariable { .. }
            | KernelError::EncodingRank { .. }
            | KernelError::Unbounded { .. }
            | KernelError::LiteralType { .. }
            | KernelError::NoOperation { .. }
            | KernelError::Shadowed { .. }
            | KernelError::EmptyReduction
            | KernelError::AmbiguousSum { .. } => None,
        }
    }

    /// The way out, where there is one to name.
    pub fn help(&self) -> Option<String> {
        match self {
            KernelError::AmbiguousSum { var, .. } => Some(format!("write the sum where it belongs: sum({var}, ...)")),
            KernelError::ResultIsOperand { .. } => Some("give the result another name".to_string()),
            KernelError::RepeatedInResult { .. } => Some("use another variable for the second dimension".to_string()),
            KernelError::MixedElements { first, second_tensor, .. } => {
                Some(format!("define `{second_tensor}` with element type {first}"))
            }
            KernelError::Unbounded { var } => Some(format!("use `{var}` as an index of a tensor")),
            _ => None,
        }
    }
}
