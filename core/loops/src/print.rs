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

use super::{
    AccessMode, Array, ArrayId, ArrayType, AtomicOp, Binary, Expr, ExprId, ForKind, Function, Launch, Module, Space,
    Stmt, Type, Unary, Var, VarId, WARP,
};
use nnz_base::element::{Element, Scalar};

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(f, "kernel", self, &[])
    }
}

/// The kernels as `gpu name(...)`, then the functions that launch them as `host name(...)`.
impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kernels.iter().try_for_each(|kernel| print(f, "gpu", kernel, &[]))?;
        self.host.iter().try_for_each(|host| print(f, "host", host, &self.kernels))
    }
}

fn print(f: &mut fmt::Formatter<'_>, word: &str, function: &Function, kernels: &[Function]) -> fmt::Result {
    writeln!(f, "{word} {}(", function.name)?;
    for var in function.vars.iter().take(function.scalar_params) {
        writeln!(f, "  {}: {},", var.name, var.ty)?;
    }
    for array in function.array_parameters() {
        let Array { name, ty, mode, space, len } = array;
        writeln!(f, "  {name}: {}{mode} {ty}{},", prefix(*space), length(function, *len))?;
    }
    writeln!(f, ") {{")?;
    Printer { function, kernels, out: f, indent: 1 }.block(&function.body)?;
    writeln!(f, "}}")
}

/// The space as written before a type; nothing for the CPU's memory.
fn prefix(space: Space) -> String {
    if space == Space::Host { String::new() } else { format!("{} ", space.name()) }
}

fn length(function: &Function, len: Option<ExprId>) -> String {
    len.map_or(String::new(), |len| format!("[{}]", expr_text(function, len)))
}

impl Space {
    pub const ALL: &'static [Space] = &[Space::Host, Space::Device, Space::Shared, Space::Local];

    /// As the printed text writes it.
    pub fn name(self) -> &'static str {
        match self {
            Space::Host => "host",
            Space::Device => "device",
            Space::Shared => "shared",
            Space::Local => "local",
        }
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
            ArrayType::Indices(width) => write!(f, "indices<{}>", width.name()),
        }
    }
}

struct Printer<'p, 'f> {
    function: &'p Function,
    /// Those that it may launch.
    kernels: &'p [Function],
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

    fn text(&self, id: ExprId) -> String {
        expr_text(self.function, id)
    }
    fn texts(&self, ids: &[ExprId]) -> String {
        ids.iter().map(|id| self.text(*id)).collect::<Vec<String>>().join(", ")
    }
    /// A declared variable; `index` goes without saying.
    fn typed(&self, id: VarId) -> String {
        let Var { name, ty } = self.function.var(id);
        if *ty == Type::Index { name.clone() } else { format!("{name}: {ty}") }
    }
    fn entry(&self, array: ArrayId, index: ExprId) -> String {
        format!("{}[{}]", self.function.array(array).name, self.text(index))
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        match stmt {
            Stmt::Let { var, value } => write!(self.out, "let {} = {}", self.typed(*var), self.text(*value)),
            Stmt::Mut { var, value } => write!(self.out, "var {} = {}", self.typed(*var), self.text(*value)),
            Stmt::Assign { var, value } => {
                let name = &self.function.var(*var).name;
                write!(self.out, "{name} = {}", self.text(*value))
            }
            Stmt::Store { array, index, value } => {
                write!(self.out, "{} = {}", self.entry(*array, *index), self.text(*value))
            }
            Stmt::Sort { array, lo, hi } => {
                let name = &self.function.array(*array).name;
                write!(self.out, "sort {name}[{}..{}]", self.text(*lo), self.text(*hi))
            }
            Stmt::LoadVector { vars, array, index } => {
                let vars: Vec<String> = vars.iter().map(|var| self.typed(*var)).collect();
                write!(self.out, "load {} -> {}", self.entry(*array, *index), vars.join(", "))
            }
            Stmt::StoreVector { array, index, values } => {
                write!(self.out, "store {} -> {}", self.texts(values), self.entry(*array, *index))
            }
            Stmt::Atomic { op, array, index, value, old } => self.atomic(*op, [*index, *value], *array, *old),
            Stmt::Alloc { array } => {
                let Array { name, ty, space, len, .. } = self.function.array(*array);
                write!(self.out, "alloc {name}: {}{ty}{}", prefix(*space), length(self.function, *len))
            }
            Stmt::Barrier => self.out.write_str("barrier"),
            Stmt::Shuffle { var, from, value, by, width } => {
                let operands = self.texts(&[*value, *by]);
                let width = if *width == WARP { String::new() } else { format!(" width {width}") };
                write!(self.out, "shuffle {} {operands}{width} -> {}", from.name(), self.typed(*var))
            }
            Stmt::Copy { from, to, len } => {
                let [from, to] = [from, to].map(|id| &self.function.array(*id).name);
                write!(self.out, "copy {from} -> {to}, {}", self.text(*len))
            }
            Stmt::Launch(launch) => self.launch(launch),
            Stmt::For { var, lo, hi, kind, body } => {
                let name = &self.function.var(*var).name;
                write!(self.out, "for {name} in {}..{}{}", self.text(*lo), self.text(*hi), self.kind(*kind))?;
                self.braces(body)
            }
            Stmt::While { cond, body } => {
                write!(self.out, "while {}", self.text(*cond))?;
                self.braces(body)
            }
            Stmt::If { cond, then, other } => {
                write!(self.out, "if {}", self.text(*cond))?;
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

    fn kind(&self, kind: ForKind) -> String {
        match kind {
            ForKind::Serial => String::new(),
            ForKind::Rolled => " rolled".to_string(),
            ForKind::Parallel => " parallel".to_string(),
            ForKind::Balanced(array) => format!(" parallel by {}", self.function.array(array).name),
            ForKind::Vector => " vector".to_string(),
            ForKind::Block(axis) => format!(" block.{}", axis.name()),
            ForKind::Thread(axis) => format!(" thread.{}", axis.name()),
            ForKind::Warp => " warp".to_string(),
            ForKind::Lane => " lane".to_string(),
        }
    }

    fn atomic(&mut self, op: AtomicOp, [index, value]: [ExprId; 2], array: ArrayId, old: Option<VarId>) -> fmt::Result {
        write!(self.out, "atomic {} {}, ", op.name(), self.entry(array, index))?;
        if let AtomicOp::CompareExchange { expected } = op {
            write!(self.out, "{}, ", self.text(expected))?;
        }
        let old = old.map_or(String::new(), |old| format!(" -> {}", self.typed(old)));
        write!(self.out, "{}{old}", self.text(value))
    }

    fn launch(&mut self, launch: &Launch) -> fmt::Result {
        let kernel = self.kernels.get(launch.kernel.index());
        let kernel = kernel.map_or(launch.kernel.to_string(), |kernel| kernel.name.clone());
        let arrays: Vec<&str> = launch.arrays.iter().map(|id| self.function.array(*id).name.as_str()).collect();
        let (scalars, arrays) = (self.texts(&launch.scalars), arrays.join(", "));
        let (blocks, threads) = (self.texts(&launch.blocks), self.texts(&launch.threads));
        write!(self.out, "launch {kernel}({scalars})[{arrays}] blocks({blocks}) threads({threads})")
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
        Binary::Min | Binary::Max | Binary::Pow | Binary::Function(_) => None,
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
    if let Expr::Index(number) = function.expr(id) { format!("({number})") } else { at(function, Binding::Leaf, id) }
}

/// `f64(0.5)`, `i32(-1)`, `complex<f32>(1.0, 0.0)`.
fn value_text(element: Element, scalar: Scalar) -> String {
    match scalar {
        Scalar::Float(x) => format!("{element}({x:?})"),
        Scalar::Int(x) => format!("{element}({x})"),
        Scalar::Complex(x) => format!("{element}({:?}, {:?})", x.re, x.im),
    }
}
