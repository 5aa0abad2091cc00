//! The whole loop IR on one screen.

use nnz_base::element::{Element, Repr, Scalar};

nnz_base::id!(/// An array parameter of a function.
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
    /// `Repr::U8 | U16 | U32 | U64`.
    Indices(Repr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessMode {
    Read,
    Write,
    ReadWrite,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// As in `A.pos1`, `A.crd1`, `A.values`, `x`.
    pub name: String,
    pub ty: ArrayType,
    pub mode: AccessMode,
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
    Floor,
    Ceil,
    /// To the nearest whole number, halves away from zero.
    Round,
    Trunc,
    Sqrt,
    Cbrt,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
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
    Atan2,
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
    /// As `Serial`, mostly few iterations: machine code has a loop as it is written for these, and another for many.
    Short,
    /// Iterations are independent: no two write the same entry of an array. Only at the top level
    /// of a function's body.
    Parallel,
    /// As `Parallel`. Iteration `i` runs over the positions from entry `i` to entry `i + 1` of an array: the work is
    /// divided by these.
    Balanced(ArrayId),
    /// Iterations are independent, and some are to be done at once, in the lanes of vector registers.
    Vector,
}

impl ForKind {
    pub fn is_parallel(self) -> bool {
        matches!(self, ForKind::Parallel | ForKind::Balanced(_))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Declares `var` with a value that never changes.
    Let {
        var: VarId,
        value: ExprId,
    },
    /// Declares `var`, to be assigned later.
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

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub arrays: Vec<Array>,
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
}
