//! Parts of the IR that only kernels and launches use.

use super::{ArrayId, ExprId, Function};

nnz_base::id!(/// A kernel function of a module.
    KernelId, "%k");

/// An axis of a grid or of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    pub fn index(self) -> usize {
        self as usize
    }

    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        }
    }
}

/// Threads of a warp.
pub const WARP: i64 = 32;
/// Threads that a block may have.
pub(crate) const MAX_THREADS: i64 = 1024;

/// How an atomic statement changes an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    /// The value, where the entry is as expected.
    CompareExchange {
        expected: ExprId,
    },
}

/// The lane from which a shuffle takes its value. If that is outside the lane's group, the lane takes its own value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShuffleFrom {
    /// The lane of that number in the group.
    Index,
    /// That many lanes below.
    Up,
    /// That many lanes above.
    Down,
    /// The lane whose number differs in these bits.
    Xor,
}

/// A launch of a kernel on a grid, and the wait for its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    pub kernel: KernelId,
    /// For its scalar parameters.
    pub scalars: Vec<ExprId>,
    /// For its array parameters.
    pub arrays: Vec<ArrayId>,
    /// Blocks along x, y and z: as many as the kernel's block loops have iterations.
    pub blocks: [ExprId; 3],
    /// Threads of a block along x, y and z: as the kernel's thread loops say.
    pub threads: [ExprId; 3],
}

impl AtomicOp {
    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "add",
            AtomicOp::Min => "min",
            AtomicOp::Max => "max",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Exchange => "exchange",
            AtomicOp::CompareExchange { .. } => "compare_exchange",
        }
    }
}

impl ShuffleFrom {
    pub const ALL: &'static [ShuffleFrom] = &[ShuffleFrom::Index, ShuffleFrom::Up, ShuffleFrom::Down, ShuffleFrom::Xor];

    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            ShuffleFrom::Index => "index",
            ShuffleFrom::Up => "up",
            ShuffleFrom::Down => "down",
            ShuffleFrom::Xor => "xor",
        }
    }
}

/// Code for a GPU and for the CPU that drives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    pub kernels: Vec<Function>,
    /// Functions that may launch the kernels.
    pub host: Vec<Function>,
}
