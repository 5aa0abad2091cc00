//! Prints loops as a self-contained C function. It is C11 that compiles without warnings and gives the same
//! bits as the loops.
//!
//! There are two exceptions: `erf`, which is not the C library's, and functions of constants, which C compilers round correctly even if the library does not.
//!
//! - Arrays are pointers, `const` if they are only read, and `restrict`, because no two arrays are the same. A comment
//!   gives the length if the parameters state it. `f16` and `bf16` are bit patterns in memory and `float` elsewhere;
//!   complex numbers are structs of two parts.
//! - The code has no undefined behaviour: integers that could overflow are computed as unsigned, division calls a
//!   function if the divisor could be 0 or -1, and floats become integers through functions that saturate. `ranges`
//!   finds where this is not needed.
//! - An allocated array lives until the end of its block; if there is no memory for it, the program ends.
//! - No product is fused into a sum: `-std=c11` forbids it for gcc, a pragma for clang.

mod expressions;
mod helpers;
mod literals;
mod names;
mod statements;
mod types;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

use helpers::Helper;
use names::Names;
use types::{c_type, entry_type};

use super::{BackendError, Form, passed, refused};
use nnz_loops::{
    AccessMode, ArrayId, Expr, ExprId, Function, Type, VarId, Verified,
    machine::{Class, class},
    print::expr_text,
    ranges::Ranges,
    sorter::sorter,
    typing,
    uses::Uses,
};

/// `function` as a C file. The function's parameters are those of the loops, in their order.
///
/// # Errors
/// [`BackendError::Unsupported`] for what this back end does not write in C.
pub fn text(function: &Verified<Function>) -> Result<String, BackendError> {
    file([function])
}

/// Several functions as one C file.
///
/// # Errors
/// As [`text`].
pub fn file<'f>(functions: impl IntoIterator<Item = &'f Verified<Function>>) -> Result<String, BackendError> {
    part(functions, &mut Written::default())
}

/// The definitions so far of a C file that is written in parts.
#[derive(Default)]
pub struct Written {
    helpers: BTreeSet<Helper>,
    names: BTreeSet<String>,
}

impl Written {
    /// A name for a function that no other one has.
    fn name(&mut self, function: &Function) -> String {
        let name = name(function);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !self.names.contains(name));
        let free = free.unwrap_or(name);
        self.names.insert(free.clone());
        free
    }
}

/// Several functions as a part of a C file that may have others before it.
///
/// # Errors
/// As [`text`].
pub fn part<'f>(
    functions: impl IntoIterator<Item = &'f Verified<Function>>,
    written: &mut Written,
) -> Result<String, BackendError> {
    let needs = Needs::default();
    let functions = functions.into_iter().map(|function| passed(Form::C, function));
    let functions = functions.collect::<Result<Vec<_>, _>>()?;
    let kernels = functions.iter().map(|function| {
        let name = written.name(function);
        Emitter::new(function, &needs).function(&name, "void")
    });
    let kernel = kernels.collect::<Vec<String>>().join("\n");
    if let Some(construct) = needs.refused.take() {
        return Err(refused("C", construct));
    }
    let helpers = needs.definitions(&written.helpers);
    written.helpers.extend(needs.helpers.borrow().iter());
    let headers: Vec<String> = needs.headers.borrow().iter().map(|header| format!("#include <{header}>\n")).collect();
    let libm = if needs.headers.borrow().contains("math.h") { " -lm" } else { "" };
    Ok(format!(
        "// cc -std=c11 -O2 FILE.c{libm}, with -fopenmp for parallel loops\n{}{CONTRACTION}\n{helpers}{kernel}",
        headers.concat()
    ))
}

const CONTRACTION: &str = "#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n";

/// The name of the emitted function. It differs from the tensor's name, which could be that of a C function.
pub fn name(function: &Function) -> String {
    format!("kernel_{}", names::identifier(&function.name).trim_start_matches('_'))
}

/// What functions use besides themselves.
struct Needs {
    helpers: RefCell<BTreeSet<Helper>>,
    headers: RefCell<BTreeSet<&'static str>>,
    /// The first construct that cannot be written.
    refused: Cell<Option<&'static str>>,
}

impl Default for Needs {
    fn default() -> Self {
        Needs {
            helpers: RefCell::default(),
            headers: RefCell::new(BTreeSet::from(["stdint.h"])),
            refused: Cell::default(),
        }
    }
}

impl Needs {
    fn helper(&self, helper: Helper) {
        self.headers.borrow_mut().extend(helper.headers());
        if self.helpers.borrow_mut().insert(helper) {
            helper.needs().into_iter().for_each(|needed| self.helper(needed));
        }
    }

    /// Of all helpers but the `known` ones.
    fn definitions(&self, known: &BTreeSet<Helper>) -> String {
        let used = || self.helpers.borrow().difference(known).copied().collect::<Vec<Helper>>();
        // Sorting functions are loops, and may ask for helpers of their own.
        let sorters: String = used().into_iter().filter_map(|helper| self.sorter(helper)).collect();
        let plain: String = used().into_iter().map(|helper| helper.definition() + "\n").collect();
        plain.replace("\n\n\n", "\n\n") + &sorters
    }

    fn sorter(&self, helper: Helper) -> Option<String> {
        let Helper::Sort(width) = helper else { return None };
        let function = sorter(width)?;
        Some(Emitter::new(&function, self).function(&helper.name(), "static void") + "\n")
    }
}

/// One function in the making.
struct Emitter<'f> {
    function: &'f Function,
    types: Vec<Type>,
    ranges: Ranges<'f>,
    names: Names,
    needs: &'f Needs,
    arrays: BTreeSet<ArrayId>,
    read: BTreeSet<VarId>,
    changing: BTreeSet<VarId>,
    /// For each expression, whether it is made of literals alone.
    constants: Vec<bool>,
    out: String,
    indent: usize,
}

impl<'f> Emitter<'f> {
    fn new(function: &'f Function, needs: &'f Needs) -> Self {
        let Uses { read, changing, loaded, stored, .. } = Uses::of(function, &function.body);
        Emitter {
            function,
            types: typing::types(function),
            ranges: Ranges::new(function),
            names: Names::new(function),
            needs,
            arrays: loaded.union(&stored).copied().collect(),
            read,
            changing,
            constants: constants(function),
            out: String::new(),
            indent: 0,
        }
    }

    fn used(&self, helper: Helper) {
        self.needs.helper(helper);
    }
    fn header(&self, name: &'static str) {
        self.needs.headers.borrow_mut().insert(name);
    }

    fn function(mut self, name: &str, result: &str) -> String {
        let params = self.params();
        let params = if params.is_empty() { "void".to_string() } else { format!("\n    {}", params.join(",\n    ")) };
        self.out = format!("{result} {name}({params})\n{{\n");
        self.unused();
        let function = self.function;
        self.block(&function.body);
        self.out + "}\n"
    }

    fn params(&self) -> Vec<String> {
        let Function { vars, scalar_params, .. } = self.function;
        let scalars = (0..*scalar_params).zip(vars).map(|(at, var)| {
            self.declares(var.ty);
            format!("{} {}", c_type(var.ty), self.names.var(VarId::new(at)))
        });
        let arrays = self.function.array_parameters().iter().enumerate().map(|(at, array)| {
            self.declares(typing::loaded(array.ty));
            let qualifier = if array.mode == AccessMode::Read { "const " } else { "" };
            let len = array.len.map_or(String::new(), |len| format!(" /* {} entries */", self.length(len)));
            format!("{qualifier}{} *restrict {}{len}", entry_type(array.ty), self.names.array(ArrayId::new(at)))
        });
        scalars.chain(arrays).collect()
    }

    /// For readers: as in the loops, with this file's names.
    fn length(&self, len: ExprId) -> String {
        let mut named = self.function.clone();
        for (at, var) in named.vars.iter_mut().enumerate() {
            var.name = self.names.var(VarId::new(at)).to_string();
        }
        expr_text(&named, len)
    }

    fn declares(&self, ty: Type) {
        if let Class::Complex(part) = class(ty) {
            self.used(Helper::Complex(part));
        }
    }

    /// Marks parameters that the body does not read as unused.
    fn unused(&mut self) {
        let vars = (0..self.function.scalar_params).map(VarId::new).filter(|var| !self.read.contains(var));
        let vars: Vec<String> = vars.map(|var| self.names.var(var).to_string()).collect();
        let arrays = (0..self.function.array_params).map(ArrayId::new).filter(|id| !self.arrays.contains(id));
        let arrays: Vec<String> = arrays.map(|id| self.names.array(id).to_string()).collect();
        for name in vars.into_iter().chain(arrays) {
            self.out.push_str(&format!("    (void){name};\n"));
        }
    }
}

fn constants(function: &Function) -> Vec<bool> {
    let mut constants: Vec<bool> = Vec::with_capacity(function.exprs.len());
    for expr in &function.exprs {
        // Operands come before what uses them.
        let of_constants = expr.operands().iter().all(|id| constants.get(id.index()).copied().unwrap_or(false));
        constants.push(of_constants && !matches!(expr, Expr::Var(_) | Expr::Load { .. }));
    }
    constants
}
