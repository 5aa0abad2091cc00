//! The whole loop IR on one screen.
//!
//! A *plain function* runs on the CPU. Its arrays are in host memory, and its loops are serial, parallel or vector
//! loops. It is a host function that launches nothing.
//!
//! A [`super::Module`] has kernel functions for a GPU, and host functions that launch them and copy entries to the GPU's
//! memory and back.
//!
//! A *kernel function* is a nest of block loops around thread loops around the body of one thread:
//!
//! ```text
//! for b in 0..blocks block.x {        // one block of the grid for each iteration
//!   alloc tile: shared values<f64>[128]
//!   for t in 0..128 thread.x {        // one thread of the block for each iteration
//!     body                            // serial code of one thread, with barriers
//!   }
//! }
//! ```
//!
//! - There is at least one thread loop, and at most one block loop and one thread loop per axis. Instead of the thread
//!   loop along x there may be `for w in 0..4 warp` with `for l in 0..32 lane` directly inside: thread `32 * w + l`.
//! - Thread, warp and lane loops run from 0 to a constant, and a block has at most 1,024 threads. The bounds of block
//!   loops use constants and scalar parameters. A launch has one block per iteration and exactly these threads.
//! - There are only `let`s, comments and allocations of shared arrays between the loops; the allocations are inside all
//!   block loops and outside all thread loops.
//! - Parameters are scalars and device arrays. The body may allocate local arrays of constant length.
//! - Blocks run in any order, and so do the threads of a block between one barrier and the next. Threads can rely on
//!   what another thread stored only after a barrier.
//!
//! [`super::nest::Nest`] takes a kernel apart: its loops, outermost first, and the body.

mod kernels;

use super::width::Width;
use nnz_base::{
    element::{Element, Repr, Scalar},
    functions::{BinaryFunction, UnaryFunction},
};

pub use kernels::*;

nnz_base::id!(/// An array of a function: a parameter, or allocated in its body.
    ArrayId, "%a");
nnz_base::id!(/// A scalar variable: parameter, loop variable, `let` or `var`.
    VarId, "%v");
nnz_base::id!(/// An expression in a function's arena.
    ExprId, "%e");

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    /// A position, a coordinate, a size: 64-bit signed.
    Index,
    /// A value of an element type.
    Element(Element),
}

/// What an array holds: values, or positions and coordinates of some width (loads widen to `Index`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayType {
    Values(Element),
    Indices(Width),
}

impl ArrayType {
    /// The machine type of an entry.
    pub fn repr(self) -> Repr {
        match self {
            ArrayType::Values(element) => element.repr(),
            ArrayType::Indices(width) => width.repr(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessMode {
    Read,
    Write,
    ReadWrite,
}

/// Where an array lies, which determines who can access it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Space {
    /// The CPU's memory.
    #[default]
    Host,
    /// The GPU's memory; host functions hold such arrays and copy them, and only kernels look into them.
    Device,
    /// Of the threads of one block.
    Shared,
    /// Of one thread.
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// As in `A.pos1`, `A.crd1`, `A.values`, `x`.
    pub name: String,
    pub ty: ArrayType,
    pub mode: AccessMode,
    pub space: Space,
    /// How many entries it has, over constants and scalar parameters; `None` where only data say.
    pub len: Option<ExprId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    Neg,
    /// Of `Bool`.
    Not,
    /// Every bit of an integer flipped.
    BitNot,
    /// Of a complex number a real one, as are `Re`, `Im` and `Angle`.
    Abs,
    Conj,
    Re,
    Im,
    Angle,
    Function(UnaryFunction),
}

/// Operands of one type; comparisons give `Bool`. On every back end:
/// - Floats follow IEEE 754 in their own precision; `f16` and `bf16` compute in `f32` and round after
///   each operation. `Min` and `Max` are IEEE 754-2019's `minimum` and `maximum` (NaN if either operand
///   is, -0 below +0). A comparison with NaN is false, but for `Ne`.
/// - Integers wrap at their type's own width: `i2` and `i4` are sign-extended from their low bits, `i1`
///   keeps its lowest bit. `Div` and `Rem` truncate towards zero (as Rust's) and give 0 for a zero
///   divisor; the smallest number over -1 wraps. A negative exponent of `Pow` gives `1 / base.pow(-n)`
///   by that division.
/// - `Shl` and `Shr` move the bits of the first operand by the second. What is moved beyond the width is lost, and
///   zeros come in, from above the sign; an amount that is negative, or the width and more, moves all bits out.
/// - `Rem` of floats is C's `fmod`: the sign is that of the first operand, and it is exact.
/// - Complex `Div` multiplies by the conjugate and divides by the squared modulus. Functions of complex numbers are
///   C11's, annex G, computed in double precision and rounded once; 0 to a positive power is 0, and `z` to the power 0 is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    Pow,
    /// Of floats.
    Function(BinaryFunction),
    /// Of integers, bit by bit.
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Index(i64),
    Bool(bool),
    Value(Element, Scalar),
    Var(VarId),
    /// `array[index]`; from an `Indices` array widened to `Index`.
    Load {
        array: ArrayId,
        index: ExprId,
    },
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    Select {
        cond: ExprId,
        then: ExprId,
        other: ExprId,
    },
    /// Between element types and `Index`, as Rust's `as`; complex to real is ill-typed.
    Cast {
        to: Type,
        from: ExprId,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForKind {
    Serial,
    /// As `Serial`, but neither unrolled nor vectorized. An innermost loop of few iterations.
    Rolled,
    /// Iterations are independent: no two write the same entry of an array. Only at the top level
    /// of a function's body.
    Parallel,
    /// As `Parallel`. Iteration `i` runs over the positions from entry `i` to entry `i + 1` of an array: the work is
    /// divided by these.
    Balanced(ArrayId),
    /// Iterations are independent, and several run at once, in the lanes of vector registers.
    Vector,
    /// Of a kernel: an iteration for each block of the grid along an axis.
    Block(Axis),
    /// Of a kernel: an iteration for each thread of a block along an axis.
    Thread(Axis),
    /// Of a kernel: an iteration for each warp of a block.
    Warp,
    /// Of a kernel: an iteration for each of a warp's 32 threads.
    Lane,
}

impl ForKind {
    pub fn is_parallel(self) -> bool {
        matches!(self, ForKind::Parallel | ForKind::Balanced(_))
    }
    /// Whether it is one of the loops that a kernel consists of.
    pub fn is_gpu(self) -> bool {
        matches!(self, ForKind::Block(_)) || self.is_thread()
    }
    /// Whether its iterations are threads of one block.
    pub(crate) fn is_thread(self) -> bool {
        matches!(self, ForKind::Thread(_) | ForKind::Warp | ForKind::Lane)
    }
    /// Whether its iterations may run at the same time.
    pub fn is_concurrent(self) -> bool {
        !matches!(self, ForKind::Serial | ForKind::Rolled)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Declares `var` with a value that never changes.
    Let {
        var: VarId,
        value: ExprId,
    },
    /// Declares `var`, which is assigned later.
    Mut {
        var: VarId,
        value: ExprId,
    },
    Assign {
        var: VarId,
        value: ExprId,
    },
    /// `array[index] = value`; into an `Indices` array the low bits of an `Index`.
    Store {
        array: ArrayId,
        index: ExprId,
        value: ExprId,
    },
    /// Sorts the entries `lo..hi` of an index array, which is `ReadWrite`, into ascending order as
    /// `Index`; nothing where `hi <= lo`.
    Sort {
        array: ArrayId,
        lo: ExprId,
        hi: ExprId,
    },
    /// Adjacent entries from `index` on, a multiple of their number: declares `vars` with them.
    LoadVector {
        vars: Vec<VarId>,
        array: ArrayId,
        index: ExprId,
    },
    /// Overwrites adjacent entries from `index` on, a multiple of their number.
    StoreVector {
        array: ArrayId,
        index: ExprId,
        values: Vec<ExprId>,
    },
    /// `array[index] = op(array[index], value)` in one step, whatever other threads do; declares `old` with the old
    /// value.
    Atomic {
        op: AtomicOp,
        array: ArrayId,
        index: ExprId,
        value: ExprId,
        old: Option<VarId>,
    },
    /// An array of the function that is no parameter, not yet written. It lives until the end of its block.
    Alloc {
        array: ArrayId,
    },
    /// The threads of a block wait for each other, and see what each has stored.
    Barrier,
    /// The lanes of a warp wait for each other; declares `var` with what `value` is in the lane that `by` says. Each
    /// `width` lanes are a group of their own: a power of two, up to the warp.
    Shuffle {
        var: VarId,
        from: ShuffleFrom,
        value: ExprId,
        by: ExprId,
        width: i64,
    },
    /// Of a host function: the first `len` entries of `to` become those of `from`. One of the two is in host memory and
    /// the other in device memory, and they hold the same.
    Copy {
        from: ArrayId,
        to: ArrayId,
        len: ExprId,
    },
    Launch(Launch),
    /// `for var in lo..hi`, step 1; both bounds are evaluated once.
    For {
        var: VarId,
        lo: ExprId,
        hi: ExprId,
        kind: ForKind,
        body: Vec<Stmt>,
    },
    While {
        cond: ExprId,
        body: Vec<Stmt>,
    },
    If {
        cond: ExprId,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    /// For readers of the printed text: what the next statements do.
    Comment(String),
}

impl Stmt {
    /// Its name in messages of back ends that do not support it.
    pub fn construct(&self) -> &'static str {
        match self {
            Stmt::Let { .. } | Stmt::Mut { .. } => "a variable",
            Stmt::Assign { .. } => "an assignment",
            Stmt::Store { .. } => "a store",
            Stmt::Sort { .. } => "a sort",
            Stmt::LoadVector { .. } => "a load of several entries",
            Stmt::StoreVector { .. } => "a store of several entries",
            Stmt::Atomic { .. } => "an atomic statement",
            Stmt::Alloc { .. } => "an allocation",
            Stmt::Barrier => "a barrier",
            Stmt::Shuffle { .. } => "a shuffle",
            Stmt::Copy { .. } => "a copy",
            Stmt::Launch(_) => "a launch",
            Stmt::For { kind, .. } if kind.is_gpu() => "a GPU loop",
            Stmt::For { .. } | Stmt::While { .. } => "a loop",
            Stmt::If { .. } => "a condition",
            Stmt::Comment(_) => "a comment",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// Array parameters come first.
    pub arrays: Vec<Array>,
    /// How many of `arrays` are parameters; the others are allocated in the body.
    pub array_params: usize,
    /// Scalar parameters come first.
    pub vars: Vec<Var>,
    /// How many of `vars` are parameters.
    pub scalar_params: usize,
    pub exprs: Vec<Expr>,
    pub body: Vec<Stmt>,
}

impl Function {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.index()]
    }
    /// The arrays that a caller gives.
    pub fn array_parameters(&self) -> &[Array] {
        &self.arrays[..self.array_params.min(self.arrays.len())]
    }
}
