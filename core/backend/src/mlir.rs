//! Prints loops as MLIR: a module of `func`, `scf`, `memref`, `arith` and `math` (and `complex`, to split and
//! join complex numbers) that MLIR 22 accepts and that gives the same results as the loops.
//!
//! - Arrays are `memref<?xT>`. A mutable variable is a memref without dimensions at the start of its
//!   function, which LLVM turns into a register.
//! - The body of a parallel loop is a function, so that each iteration has variables of its own.
//! - `i1` to `i4` are bytes in memory and have their own width elsewhere, so they wrap without extra code;
//!   `f16` and `bf16` are computed in `f32` and rounded after each operation.
//! - Operations that `arith` leaves undefined call functions written out below the kernel: division by zero,
//!   and conversion of a float beyond the range of an integer.
//! - The arms of a `select`, of `&&` and of `||` that read arrays stand in an `scf.if`.

mod complex;
mod expressions;
mod helpers;
mod literals;
mod statements;
mod types;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashMap},
};

use helpers::Helper;
use types::{Kind, kind, memory, register};

use super::{BackendError, Form, passed, refused};
use nnz_loops::{
    ArrayId, ExprId, Function, Type, VarId, Verified, machine::Float, ranges::Ranges, sorter::sorter, typing,
    uses::reading,
};

/// The `mlir-opt` pipeline that compiles a module, before `mlir-runner` or `mlir-translate`.
pub const PIPELINE: &str = "--convert-math-to-libm --convert-complex-to-llvm=complex-range=improved --convert-scf-to-cf \
--finalize-memref-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --convert-func-to-llvm \
--reconcile-unrealized-casts";

/// `function` as a module. The function's parameters are those of the loops, in their order.
///
/// # Errors
/// [`BackendError::Unsupported`] for what this back end does not write in MLIR.
pub fn text(function: &Verified<Function>) -> Result<String, BackendError> {
    module([function])
}

/// As [`text`], of the functions that run one after the other.
///
/// # Errors
/// As [`text`].
pub fn module<'a>(functions: impl IntoIterator<Item = &'a Verified<Function>>) -> Result<String, BackendError> {
    let module = Module::default();
    let attributes = " attributes {llvm.emit_c_interface}";
    let kernel = |function: &Verified<Function>| {
        let function = passed(Form::Mlir, function)?;
        Ok(Emitter::new(&function, &module).function(&name(&function), "", attributes))
    };
    let kernels = functions.into_iter().map(kernel).collect::<Result<String, BackendError>>()?;
    match module.refused.take() {
        Some(construct) => Err(refused("MLIR", construct)),
        None => Ok(format!("// mlir-opt {PIPELINE}\nmodule {{\n{kernels}{}}}\n", module.rest())),
    }
}

/// What a kernel's module has besides it.
#[derive(Default)]
struct Module {
    /// The bodies of parallel loops.
    bodies: RefCell<String>,
    helpers: RefCell<BTreeSet<Helper>>,
    /// The first construct that cannot be written.
    refused: Cell<Option<&'static str>>,
}

impl Module {
    fn rest(&self) -> String {
        let (mut text, mut written) = (self.bodies.borrow().clone(), BTreeSet::new());
        // A sorting function is made of loops and may ask for more.
        loop {
            let next = self.helpers.borrow().iter().find(|helper| !written.contains(*helper)).copied();
            let Some(helper) = next else { return text };
            written.insert(helper);
            self.helpers.borrow_mut().extend(helper.needs());
            text.push_str(&self.definition(helper));
        }
    }

    fn definition(&self, helper: Helper) -> String {
        let Helper::Sort(width) = helper else { return helper.definition() };
        let Some(function) = sorter(width) else { return String::new() };
        Emitter::new(&function, self).function(&helper.name(), "private ", "")
    }
}

/// The name of the emitted function.
pub fn name(function: &Function) -> String {
    format!("kernel_{}", identifier(&function.name))
}

/// A name of the loop IR without letters outside ASCII.
fn identifier(name: &str) -> String {
    let letter = |c: char| if c.is_ascii() { c.to_string() } else { format!("u{:04x}", u32::from(c)) };
    name.chars().map(letter).collect()
}

/// The values of an expression: one, or the parts of a complex number.
#[derive(Clone, Debug)]
enum Value {
    One(String),
    Pair([String; 2]),
}

/// Where a variable is.
#[derive(Clone, Debug)]
enum Slot {
    Value(Value),
    /// Memrefs of no dimensions.
    Cells(Value),
}

/// One function in the making.
struct Emitter<'f> {
    function: &'f Function,
    types: Vec<Type>,
    /// For each expression, whether evaluating it reads an array.
    reads: Vec<bool>,
    ranges: Ranges<'f>,
    module: &'f Module,
    vars: HashMap<VarId, Slot>,
    /// Values of the present statement, innermost region last.
    memo: Vec<HashMap<ExprId, Value>>,
    /// Room for the function's variables.
    cells: String,
    out: String,
    indent: usize,
    count: usize,
}

impl<'f> Emitter<'f> {
    fn new(function: &'f Function, module: &'f Module) -> Self {
        Emitter {
            function,
            types: typing::types(function),
            reads: reading(function),
            ranges: Ranges::new(function),
            module,
            vars: HashMap::new(),
            memo: vec![HashMap::new()],
            cells: String::new(),
            out: String::new(),
            indent: 2,
            count: 0,
        }
    }

    fn function(mut self, name: &str, visibility: &str, attributes: &str) -> String {
        let mut params = self.scalar_params();
        params.extend(self.array_params());
        let function = self.function;
        self.statements(&function.body);
        self.finish(name, &params, visibility, attributes)
    }

    fn finish(self, name: &str, params: &[String], visibility: &str, attributes: &str) -> String {
        let Emitter { cells, out, .. } = self;
        let params = params.join(", ");
        format!("  func.func {visibility}@{name}({params}){attributes} {{\n{cells}{out}    return\n  }}\n")
    }

    /// Narrow and complex ones are taken apart at once.
    fn scalar_params(&mut self) -> Vec<String> {
        let function = self.function;
        let mut params = Vec::new();
        for (at, var) in function.vars.iter().enumerate().take(function.scalar_params) {
            let (name, ty) = (format!("%{}", identifier(&var.name)), types::scalar(var.ty));
            let value = self.taken_apart(&name, var.ty);
            self.vars.insert(VarId::new(at), Slot::Value(value));
            params.push(format!("{name}: {ty}"));
        }
        params
    }

    fn array_params(&self) -> Vec<String> {
        let arrays = (0..self.function.arrays.len()).map(|at| self.array(ArrayId::new(at)));
        arrays.map(|(name, ty)| format!("{name}: {ty}")).collect()
    }

    fn taken_apart(&mut self, value: &str, ty: Type) -> Value {
        match kind(ty) {
            Kind::Complex(_) => self.parts(value, &types::scalar(ty)),
            Kind::Float(narrow @ (Float::F16 | Float::BF16)) => Value::One(self.widened(narrow, value)),
            Kind::Int(_) | Kind::Float(_) => Value::One(value.to_string()),
        }
    }

    /// The real and imaginary part of a complex value.
    fn parts(&mut self, value: &str, ty: &str) -> Value {
        Value::Pair(["re", "im"].map(|part| self.op(format!("complex.{part} {value} : {ty}"))))
    }

    fn line(&mut self, text: &str) {
        let indent = self.indent * 2;
        self.out.push_str(&format!("{:indent$}{text}\n", ""));
    }

    /// A new value, of an operation.
    fn op(&mut self, operation: String) -> String {
        let value = format!("%{}", self.count);
        self.count += 1;
        self.line(&format!("{value} = {operation}"));
        value
    }

    fn call(&mut self, helper: Helper, args: &[String]) -> String {
        self.module.helpers.borrow_mut().insert(helper);
        self.op(format!("func.call @{}({}) : {}", helper.name(), args.join(", "), helper.signature()))
    }

    fn array(&self, id: ArrayId) -> (String, String) {
        let array = self.function.array(id);
        (format!("%{}", identifier(&array.name)), format!("memref<?x{}>", memory(array.ty)))
    }

    /// Memrefs for a variable of type `ty`.
    fn new_cells(&mut self, ty: Type) -> Value {
        let mut cell = |ty: String| {
            let value = format!("%{}", self.count);
            self.count += 1;
            self.cells.push_str(&format!("    {value} = memref.alloca() : memref<{ty}>\n"));
            value
        };
        match kind(ty) {
            Kind::Complex(_) => Value::Pair([cell(register(ty)), cell(register(ty))]),
            Kind::Int(_) | Kind::Float(_) => Value::One(cell(register(ty))),
        }
    }
}

impl Value {
    fn values(&self) -> Vec<String> {
        match self {
            Value::One(value) => vec![value.clone()],
            Value::Pair(pair) => pair.to_vec(),
        }
    }

    /// The inverse of [`Value::values`].
    fn of(values: Vec<String>) -> Value {
        match <[String; 2]>::try_from(values) {
            Ok(pair) => Value::Pair(pair),
            Err(one) => Value::One(one.concat()),
        }
    }

    /// The only value there is, or the first.
    fn one(self) -> String {
        match self {
            Value::One(value) => value,
            Value::Pair([value, _]) => value,
        }
    }
}
