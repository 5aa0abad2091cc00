//! The types of expressions.
//!
//! - `Index` has `- abs + - * / % min max` and comparisons; `Bool` has `! && || == !=`.
//! - Integer elements have `- abs + - * / % min max pow`, comparisons, the operations on bits, and shifts.
//! - Float elements have all of those but the ones on bits, and the functions of `nnz_base::functions`.
//! - Complex elements have `- + - * / pow`, `==`, `!=`, the functions that are defined all over the plane, and `abs conj re
//!   im angle`.
//! - A comparison gives `Bool`; `abs`, `re`, `im` and `angle` of a complex number give the type of its parts; every
//!   other operation gives the one type of its operands.

use super::{ArrayType, Binary, Expr, ExprId, Function, Type, Unary};
use nnz_base::{
    element::Scalar,
    functions::{BinaryFunction, UnaryFunction},
};

/// Why an expression has no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeError {
    /// An operand has none, or an id is out of range: reported elsewhere.
    #[error("the type of an operand is not known")]
    Unknown,
    #[error("`{op}` does not apply to {ty}")]
    NoOperation { op: &'static str, ty: Type },
    #[error("`{op}` on {left} and {right}")]
    Mixed { op: &'static str, left: Type, right: Type },
    #[error("{found} where {expected} is needed")]
    Expected { expected: Type, found: Type },
    #[error("a literal that is not of its type {0}")]
    BadLiteral(Type),
    #[error("no conversion from {from} to {to}")]
    NoCast { from: Type, to: Type },
}

/// The type of a load from an array of type `ty`.
pub fn loaded(ty: ArrayType) -> Type {
    match ty {
        ArrayType::Values(element) => Type::Element(element),
        ArrayType::Indices(_) => Type::Index,
    }
}

/// The type of `expr`, whose operands have the types that `of` gives.
///
/// # Errors
/// Operands that do not fit the operation.
pub fn type_of(function: &Function, expr: &Expr, of: &impl Fn(ExprId) -> Option<Type>) -> Result<Type, TypeError> {
    let known = |id: &ExprId| of(*id).ok_or(TypeError::Unknown);
    match expr {
        Expr::Index(_) => Ok(Type::Index),
        Expr::Bool(_) => Ok(Type::Bool),
        Expr::Value(element, scalar) => literal(Type::Element(*element), *scalar),
        Expr::Var(var) => function.vars.get(var.index()).map(|var| var.ty).ok_or(TypeError::Unknown),
        Expr::Load { array, index } => {
            expect(Type::Index, known(index)?)?;
            function.arrays.get(array.index()).map(|array| loaded(array.ty)).ok_or(TypeError::Unknown)
        }
        Expr::Unary(op, a) => unary(*op, known(a)?),
        Expr::Binary(op, a, b) => binary(*op, known(a)?, known(b)?),
        Expr::Select { cond, then, other } => {
            expect(Type::Bool, known(cond)?)?;
            let ty = known(then)?;
            expect(ty, known(other)?)?;
            Ok(ty)
        }
        Expr::Cast { to, from } => cast(known(from)?, *to),
    }
}

/// The type of every expression of a verified function; in others `Bool` stands for what has none.
pub fn types(function: &Function) -> Vec<Type> {
    let mut types: Vec<Type> = Vec::with_capacity(function.exprs.len());
    for expr in &function.exprs {
        let ty = type_of(function, expr, &|id| types.get(id.index()).copied());
        types.push(ty.unwrap_or(Type::Bool));
    }
    types
}

fn expect(expected: Type, found: Type) -> Result<(), TypeError> {
    if found == expected { Ok(()) } else { Err(TypeError::Expected { expected, found }) }
}

fn literal(ty: Type, scalar: Scalar) -> Result<Type, TypeError> {
    let Type::Element(element) = ty else { return Err(TypeError::BadLiteral(ty)) };
    let fits = match scalar {
        Scalar::Float(_) => element.is_float(),
        Scalar::Complex(_) => element.is_complex(),
        Scalar::Int(n) => element.int_range().is_some_and(|(low, high)| (low..=high).contains(&n)),
    };
    if fits { Ok(ty) } else { Err(TypeError::BadLiteral(ty)) }
}

/// The kinds of types that operations distinguish.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Bool,
    Index,
    Integer,
    Float,
    Complex,
}

fn kind(ty: Type) -> Kind {
    match ty {
        Type::Bool => Kind::Bool,
        Type::Index => Kind::Index,
        Type::Element(element) if element.is_float() => Kind::Float,
        Type::Element(element) if element.is_complex() => Kind::Complex,
        Type::Element(_) => Kind::Integer,
    }
}

fn unary(op: Unary, ty: Type) -> Result<Type, TypeError> {
    let kind = kind(ty);
    let legal = match op {
        Unary::Not => kind == Kind::Bool,
        Unary::Neg => kind != Kind::Bool,
        Unary::BitNot => kind == Kind::Integer,
        Unary::Abs => kind != Kind::Bool,
        Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => kind == Kind::Complex,
        Unary::Function(function) => kind == Kind::Float || kind == Kind::Complex && function.complex().is_some(),
    };
    let ty = match ty {
        Type::Element(element) if op.gives_part() => Type::Element(element.part()),
        Type::Bool | Type::Index | Type::Element(_) => ty,
    };
    if legal { Ok(ty) } else { Err(TypeError::NoOperation { op: op.name(), ty }) }
}

fn binary(op: Binary, left: Type, right: Type) -> Result<Type, TypeError> {
    if left != right {
        return Err(TypeError::Mixed { op: op.name(), left, right });
    }
    let kind = kind(left);
    let legal = match op {
        Binary::Eq | Binary::Ne => true,
        Binary::And | Binary::Or => kind == Kind::Bool,
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div => kind != Kind::Bool,
        Binary::Lt | Binary::Le | Binary::Min | Binary::Max => !matches!(kind, Kind::Bool | Kind::Complex),
        Binary::Rem => matches!(kind, Kind::Index | Kind::Integer | Kind::Float),
        Binary::Function(_) => kind == Kind::Float,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => kind == Kind::Integer,
        Binary::Pow => matches!(kind, Kind::Integer | Kind::Float | Kind::Complex),
    };
    if !legal {
        return Err(TypeError::NoOperation { op: op.name(), ty: left });
    }
    Ok(if op.comparison().is_some() { Type::Bool } else { left })
}

fn cast(from: Type, to: Type) -> Result<Type, TypeError> {
    let legal = match (kind(from), kind(to)) {
        (Kind::Bool, _) | (_, Kind::Bool) => false,
        (Kind::Complex, to) => to == Kind::Complex,
        (Kind::Index | Kind::Integer | Kind::Float, Kind::Index | Kind::Integer | Kind::Float | Kind::Complex) => true,
    };
    if legal { Ok(to) } else { Err(TypeError::NoCast { from, to }) }
}

impl Unary {
    pub fn all() -> impl Iterator<Item = Unary> {
        let own = [Unary::Neg, Unary::Not, Unary::BitNot, Unary::Abs, Unary::Conj, Unary::Re, Unary::Im, Unary::Angle];
        own.into_iter().chain(UnaryFunction::ALL.iter().copied().map(Unary::Function))
    }

    /// Whether it gives a real number for a complex one.
    pub fn gives_part(self) -> bool {
        matches!(self, Unary::Abs | Unary::Re | Unary::Im | Unary::Angle)
    }

    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "!",
            Unary::BitNot => "bit_not",
            Unary::Abs => "abs",
            Unary::Conj => "conj",
            Unary::Re => "re",
            Unary::Im => "im",
            Unary::Angle => "angle",
            Unary::Function(function) => function.name(),
        }
    }
}

impl Binary {
    pub fn all() -> impl Iterator<Item = Binary> {
        Binary::OWN.iter().copied().chain(BinaryFunction::ALL.iter().copied().map(Binary::Function))
    }

    /// All but the functions.
    const OWN: &'static [Binary] = &[
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Rem,
        Binary::Min,
        Binary::Max,
        Binary::Pow,
        Binary::BitAnd,
        Binary::BitOr,
        Binary::BitXor,
        Binary::Shl,
        Binary::Shr,
        Binary::And,
        Binary::Or,
        Binary::Eq,
        Binary::Ne,
        Binary::Lt,
        Binary::Le,
    ];

    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::Pow => "pow",
            Binary::Function(function) => function.name(),
            Binary::BitAnd => "bit_and",
            Binary::BitOr => "bit_or",
            Binary::BitXor => "bit_xor",
            Binary::Shl => "shl",
            Binary::Shr => "shr",
            Binary::And => "&&",
            Binary::Or => "||",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Index => f.write_str("index"),
            Type::Element(element) => element.fmt(f),
        }
    }
}
