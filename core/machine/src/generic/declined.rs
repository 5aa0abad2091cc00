//! Why a kernel cannot run as loops.

use nnz_run::Refusal;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Declined {
    #[error("a result may be in the memory of another operand")]
    Buffers,
    #[error("an indexing map divides")]
    Divides,
    #[error("no expression says its body, or how it adds up")]
    Unsaid,
    #[error("no expression does what `{0}` does here")]
    Operation(&'static str),
    #[error("a condition is a factor in it")]
    ConditionAsFactor,
    #[error("its result holds -0, and sums of stored entries do not start from it")]
    NegativeZeros,
    /// A rule of kernels that a program need not keep.
    #[error("{0}")]
    Rule(String),
    #[error("its body reads a tensor from outside")]
    Outside,
    #[error("an operand is neither a tensor nor a scalar")]
    Operand,
    #[error("entries are converted one by one")]
    OneByOne,
    #[error("its entries are packed, without loops")]
    Packed,
    /// No plan is made of it.
    #[error(transparent)]
    Refused(Box<Refusal>),
}

impl From<Refusal> for Declined {
    fn from(refusal: Refusal) -> Declined {
        Declined::Refused(Box::new(refusal))
    }
}

impl Declined {
    /// The refusal, if it is a bug of nnz.
    pub fn bug(&self) -> Option<&Refusal> {
        if let Declined::Refused(refusal) = self
            && refusal.is_bug()
        {
            Some(refusal)
        } else {
            None
        }
    }
}
