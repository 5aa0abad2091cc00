//! The errors of loops.

use super::super::{ArrayId, ExprId, KernelId, Type, VarId, nest::NestError, typing::TypeError};

/// A broken rule; from lowering, a bug in nnz.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoopError {
    #[error("{0} is not an array of the function")]
    NoArray(ArrayId),
    #[error("{0} is not a variable of the function")]
    NoVar(VarId),
    #[error("{0} is not an expression of the function")]
    NoExpr(ExprId),
    #[error("{0} uses {1}, which does not come before it")]
    ForwardExpr(ExprId, ExprId),
    #[error("the name `{0}` is given twice")]
    DuplicateName(String),
    #[error("`{0}` is not a name")]
    BadName(String),
    #[error("a comment of several lines")]
    LongComment,
    #[error("{0} parameters are claimed of {1} variables")]
    TooManyParams(usize, usize),
    #[error("the parameter `{0}` is a truth value")]
    BoolParam(String),
    #[error("{0}: {1}")]
    IllTyped(ExprId, TypeError),
    #[error("`{0}` is declared twice")]
    Redeclared(String),
    #[error("`{0}` is used outside its scope")]
    OutOfScope(String),
    #[error("`{name}` is of type {expected} and gets a value of type {found}")]
    WrongType { name: String, expected: Type, found: Type },
    #[error("`{0}` is assigned, but is not a `var` of this function")]
    NotAssignable(String),
    #[error("`{0}` is assigned in a parallel or vector loop, but is declared outside it")]
    SharedAssign(String),
    #[error("`{0}` is stored to, but is read-only")]
    StoreToRead(String),
    #[error("`{0}` is loaded from, but is write-only")]
    LoadFromWrite(String),
    #[error("`{0}` is sorted, but is not an index array that is read and written")]
    SortOf(String),
    #[error("a loop is divided by `{0}`, whose positions its iterations do not run over")]
    Unbalanced(String),
    #[error("a parallel loop inside another statement")]
    NestedParallel,
    #[error("a rolled loop with another loop inside")]
    NotInnermost,
    #[error("`{0}` is allocated twice")]
    Reallocated(String),
    #[error("the length of `{0}` is more than constants and scalar parameters")]
    UnknownLength(String),
    #[error("`{0}` is allocated without a length")]
    NoLength(String),
    #[error("`{array}[{index}]` is outside the array, which has {len} entries")]
    Outside { array: String, index: i64, len: i64 },
    #[error("the parameter `{name}` cannot be in {space} memory")]
    ParamSpace { name: String, space: &'static str },
    #[error("`{name}` cannot be allocated in {space} memory here")]
    AllocSpace { name: String, space: &'static str },
    #[error("`{name}` is in {space} memory, which this function does not see")]
    WrongSpace { name: String, space: &'static str },
    #[error("shared arrays of {0} bytes; a block has {1}")]
    TooMuchShared(i64, i64),
    #[error("{0} outside a kernel")]
    OnlyInKernels(&'static str),
    #[error("{0} in a kernel")]
    OnlyOnHost(&'static str),
    #[error(transparent)]
    Nest(#[from] NestError),
    #[error("{0} where the threads that meet there can part")]
    Divergent(&'static str),
    #[error("`{array}` is stored to at an entry that all iterations over `{var}` share")]
    Race { array: String, var: String },
    #[error("`{array}` has no atomic `{op}`: its entries are {ty}")]
    NoAtomic { array: String, op: &'static str, ty: String },
    #[error("{count} entries of `{array}` at once: 2, 4, 8 or 16 of 16 bytes at most go together")]
    BadVector { array: String, count: usize },
    #[error("entries of `{array}` at once from an index that need not be a multiple of {count}")]
    Unaligned { array: String, count: usize },
    #[error("{0} is not a kernel of the module")]
    NoKernel(KernelId),
    #[error("`{kernel}` takes {wanted} {what} and is given {given}")]
    LaunchCount { kernel: String, what: &'static str, wanted: usize, given: usize },
    #[error("`{array}` does not fit the parameter `{param}` of the kernel: {reason}")]
    LaunchArray { array: String, param: String, reason: &'static str },
    #[error("`{0}` is given to a kernel twice, and written")]
    LaunchTwice(String),
    #[error("a launch of {given} {what} along {axis}; the kernel has {wanted}")]
    LaunchSize { what: &'static str, axis: &'static str, wanted: i64, given: i64 },
    #[error("{0} in a parallel or vector loop")]
    InParallel(&'static str),
    #[error("`{from}` cannot be copied to `{to}`: {reason}")]
    NoCopy { from: String, to: String, reason: &'static str },
    #[error("{given} entries are copied; `{array}` has {len}")]
    CopyLength { array: String, len: i64, given: i64 },
    #[error("a shuffle of width {0}: a power of two up to 32 is one")]
    BadWidth(i64),
}
