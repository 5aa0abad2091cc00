//! Functions as text, which `parse` reads back into an equal function.
//!
//! ```text
//! kernel y(
//!   i.size: index,
//!   A.pos1: read indices<u64>,
//!   A.values: read values<f64>,
//!   y: readwrite values<f64>,
//! ) {
//!   for i in 0..i.size parallel {
//!     var sum: f64 = f64(0.0)
//!     for p in A.pos1[i]..A.pos1[i + 1] {
//!       sum = sum + A.values[p]
//!     }
//!     y[i] = sum
//!   }
//! }
//! ```

use std::fmt::{self, Write};

use super::{AccessMode, Array, ArrayType, Binary, Expr, ExprId, ForKind, Function, Stmt, Type, Unary};
use nnz_base::element::{Element, Repr, Scalar};

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel {}(", self.name)?;
        for var in self.vars.iter().take(self.scalar_params) {
            writeln!(f, "  {}: {},", var.name, var.ty)?;
        }
        for Array { name, ty, mode } in &self.arrays {
            writeln!(f, "  {name}: {mode} {ty},")?;
        }
        writeln!(f, ") {{")?;
        Printer { function: self, out: f, indent: 1 }.block(&self.body)?;
        writeln!(f, "}}")
    }
}

impl fmt::Display for AccessMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessMode::Read => "read",
            AccessMode::Write => "write",
            AccessMode::ReadWrite => "readwrite",
        })
    }
}

impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayType::Values(element) => write!(f, "values<{element}>"),
            ArrayType::Indices(repr) => write!(f, "indices<{}>", index_width(*repr)),
        }
    }
}

/// The name of an unsigned machine type; a verified function has no others in index arrays.
fn index_width(repr: Repr) -> &'static str {
    match repr {
        Repr::U8 => "u8",
        Repr::U16 => "u16",
        Repr::U32 => "u32",
        _ => "u64",
    }
}

struct Printer<'p, 'f> {
    function: &'p Function,
    out: &'p mut fmt::Formatter<'f>,
    indent: usize,
}

impl Printer<'_, '_> {
    fn block(&mut self, block: &[Stmt]) -> fmt::Result {
        block.iter().try_for_each(|stmt| {
            write!(self.out, "{:1$}", "", self.indent * 2)?;
            self.stmt(stmt)?;
            self.out.write_char('\n')
        })
    }

    /// ` {`, the block, `}`.
    fn braces(&mut self, block: &[Stmt]) -> fmt::Result {
        writeln!(self.out, " {{")?;
        self.indent += 1;
        self.block(block)?;
        self.indent -= 1;
        write!(self.out, "{:1$}}}", "", self.indent * 2)
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        let text = |id: &ExprId| expr_text(self.function, *id);
        let name = |var: &super::VarId| self.function.var(*var).name.as_str();
        let typed = |var: &super::VarId| match self.function.var(*var).ty {
            Type::Index => String::new(),
            ty => format!(": {ty}"),
        };
        match stmt {
            Stmt::Let { var, value } => write!(self.out, "let {}{} = {}", name(var), typed(var), text(value)),
            Stmt::Mut { var, value } => write!(self.out, "var {}{} = {}", name(var), typed(var), text(value)),
            Stmt::Assign { var, value } => write!(self.out, "{} = {}", name(var), text(value)),
            Stmt::Store { array, index, value } => {
                let array = &self.function.array(*array).name;
                write!(self.out, "{array}[{}] = {}", text(index), text(value))
            }
            Stmt::Sort { array, lo, hi } => {
                write!(self.out, "sort {}[{}..{}]", self.function.array(*array).name, text(lo), text(hi))
            }
            Stmt::For { var, lo, hi, kind, body } => {
                let kind = match kind {
                    ForKind::Serial => String::new(),
                    ForKind::Short => " short".to_string(),
                    ForKind::Parallel => " parallel".to_string(),
                    ForKind::Balanced(array) => format!(" parallel by {}", self.function.array(*array).name),
                    ForKind::Vector => " vector".to_string(),
                };
                write!(self.out, "for {} in {}..{}{kind}", name(var), text(lo), text(hi))?;
                self.braces(body)
            }
            Stmt::While { cond, body } => {
                write!(self.out, "while {}", text(cond))?;
                self.braces(body)
            }
            Stmt::If { cond, then, other } => {
                write!(self.out, "if {}", text(cond))?;
                self.braces(then)?;
                if other.is_empty() {
                    return Ok(());
                }
                write!(self.out, " else")?;
                self.braces(other)
            }
            Stmt::Comment(text) => write!(self.out, "// {text}"),
        }
    }
}

/// How tightly an operator binds; larger is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Sign,
    Leaf,
}

/// `None` for the operators that are written as functions.
pub(super) fn binding(op: Binary) -> Option<Binding> {
    match op {
        Binary::Or => Some(Binding::Or),
        Binary::And => Some(Binding::And),
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => Some(Binding::Compare),
        Binary::Add | Binary::Sub => Some(Binding::Sum),
        Binary::Mul | Binary::Div | Binary::Rem => Some(Binding::Product),
        Binary::Min | Binary::Max | Binary::Pow | Binary::Atan2 => None,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => None,
    }
}

impl Binding {
    pub(super) fn tighter(self) -> Binding {
        match self {
            Binding::Or => Binding::And,
            Binding::And => Binding::Compare,
            Binding::Compare => Binding::Sum,
            Binding::Sum => Binding::Product,
            Binding::Product => Binding::Sign,
            Binding::Sign | Binding::Leaf => Binding::Leaf,
        }
    }
}

/// One expression of `function` as text.
pub fn expr_text(function: &Function, id: ExprId) -> String {
    parts(function, id).1
}

/// `id` where an operand that binds at least as tightly as `least` is needed.
fn at(function: &Function, least: Binding, id: ExprId) -> String {
    let (binding, text) = parts(function, id);
    if binding < least { format!("({text})") } else { text }
}

fn parts(function: &Function, id: ExprId) -> (Binding, String) {
    let text = |id: ExprId| expr_text(function, id);
    match *function.expr(id) {
        Expr::Index(number) => (if number < 0 { Binding::Sign } else { Binding::Leaf }, number.to_string()),
        Expr::Bool(truth) => (Binding::Leaf, truth.to_string()),
        Expr::Value(element, scalar) => (Binding::Leaf, value_text(element, scalar)),
        Expr::Var(var) => (Binding::Leaf, function.var(var).name.clone()),
        Expr::Load { array, index } => (Binding::Leaf, format!("{}[{}]", function.array(array).name, text(index))),
        Expr::Unary(Unary::Neg, a) => (Binding::Sign, format!("-{}", sign_operand(function, a))),
        Expr::Unary(Unary::Not, a) => (Binding::Sign, format!("!{}", at(function, Binding::Leaf, a))),
        Expr::Unary(op, a) => (Binding::Leaf, format!("{}({})", op.name(), text(a))),
        Expr::Binary(op, a, b) => match binding(op) {
            Some(binding) => {
                let (a, b) = (at(function, binding, a), at(function, binding.tighter(), b));
                (binding, format!("{a} {} {b}", op.name()))
            }
            None => (Binding::Leaf, format!("{}({}, {})", op.name(), text(a), text(b))),
        },
        Expr::Select { cond, then, other } => {
            (Binding::Leaf, format!("select({}, {}, {})", text(cond), text(then), text(other)))
        }
        Expr::Cast { to, from } => (Binding::Leaf, format!("cast<{to}>({})", text(from))),
    }
}

/// A sign before a bare number would be read as part of it.
fn sign_operand(function: &Function, id: ExprId) -> String {
    match function.expr(id) {
        Expr::Index(number) => format!("({number})"),
        _ => at(function, Binding::Leaf, id),
    }
}

/// `f64(0.5)`, `i32(-1)`, `complex<f32>(1.0, 0.0)`.
fn value_text(element: Element, scalar: Scalar) -> String {
    match scalar {
        Scalar::Float(x) => format!("{element}({x:?})"),
        Scalar::Int(x) => format!("{element}({x})"),
        Scalar::Complex(x) => format!("{element}({:?}, {:?})", x.re, x.im),
    }
}
