//! Builds functions: fresh names, shared expressions, light folding of index arithmetic. At the end it
//! renumbers ids canonically, as the parser does for printed text.

mod copy;
mod reopen;

use std::collections::{HashMap, HashSet};

use super::{
    AccessMode, Array, ArrayId, ArrayType, Binary, Expr, ExprId, ForKind, Function, Map, Space, Stmt, Type, Unary, Var,
    VarId, key::ExprKey, words::is_name,
};
pub use copy::Copies;
use nnz_base::element::{Element, Scalar};

/// A function in the making. Statements go to the innermost open block.
#[derive(Clone, Debug)]
pub struct Builder {
    name: String,
    arrays: Vec<Array>,
    allocated: Vec<Array>,
    params: Vec<Var>,
    locals: Vec<Var>,
    exprs: Vec<Expr>,
    /// Expressions by their `Debug` text, which distinguishes -0.0 from 0.0 and finds NaN again.
    interned: HashMap<ExprKey, ExprId>,
    names: HashSet<String>,
    blocks: Vec<Vec<Stmt>>,
    statements: usize,
}

/// Parameters are numbered before locals, and before allocated arrays, in the end; until then these count from here.
const FIRST_LOCAL: u32 = 1 << 31;

impl Builder {
    pub fn new(name: &str) -> Self {
        Self {
            name: legal_name(name),
            arrays: Vec::new(),
            allocated: Vec::new(),
            params: Vec::new(),
            locals: Vec::new(),
            exprs: Vec::new(),
            interned: HashMap::new(),
            names: HashSet::new(),
            blocks: vec![Vec::new()],
            statements: 0,
        }
    }

    /// `wanted`, or where it is taken `wanted_1`, `wanted_2`, ...
    fn fresh(&mut self, wanted: &str) -> String {
        let wanted = legal_name(wanted);
        let numbered = (1..).map(|n| format!("{wanted}_{n}"));
        let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.names.contains(name));
        let name = name.unwrap_or(wanted);
        self.names.insert(name.clone());
        name
    }

    /// A parameter in host memory, so far without a length.
    pub fn array(&mut self, name: &str, ty: ArrayType, mode: AccessMode) -> ArrayId {
        self.array_param(Array { name: name.to_string(), ty, mode, space: Space::Host, len: None })
    }
    pub(crate) fn array_param(&mut self, array: Array) -> ArrayId {
        let name = self.fresh(&array.name);
        self.arrays.push(Array { name, ..array });
        ArrayId::new(self.arrays.len() - 1)
    }
    /// States how many entries a parameter has.
    pub fn set_length(&mut self, id: ArrayId, len: ExprId) {
        if let Some(array) = self.arrays.get_mut(id.index()) {
            array.len = Some(len);
        }
    }
    /// An array of `len` entries that lives until the end of the open block.
    pub fn alloc(&mut self, name: &str, ty: ArrayType, space: Space, len: ExprId) -> ArrayId {
        let array =
            self.unallocated(Array { name: name.to_string(), ty, mode: AccessMode::ReadWrite, space, len: Some(len) });
        self.push(Stmt::Alloc { array });
        array
    }
    /// An array that a statement is yet to allocate.
    fn unallocated(&mut self, array: Array) -> ArrayId {
        let name = self.fresh(&array.name);
        self.allocated.push(Array { name, ..array });
        ArrayId(FIRST_LOCAL + self.allocated.len() as u32 - 1)
    }
    pub fn param(&mut self, name: &str, ty: Type) -> VarId {
        let name = self.fresh(name);
        self.params.push(Var { name, ty });
        VarId::new(self.params.len() - 1)
    }
    /// A variable that a statement is yet to declare.
    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        let name = self.fresh(name);
        self.locals.push(Var { name, ty });
        VarId(FIRST_LOCAL + self.locals.len() as u32 - 1)
    }
    pub fn array_type(&self, id: ArrayId) -> Option<ArrayType> {
        self.array_at(id).map(|array| array.ty)
    }

    fn array_at(&self, id: ArrayId) -> Option<&Array> {
        match self.allocated_at(id) {
            Some(allocated) => Some(allocated),
            None => self.arrays.get(id.index()),
        }
    }
    fn allocated_at(&self, id: ArrayId) -> Option<&Array> {
        self.allocated.get(id.0.checked_sub(FIRST_LOCAL)? as usize)
    }

    fn local_at(&self, id: VarId) -> Option<&Var> {
        self.locals.get(id.0.checked_sub(FIRST_LOCAL)? as usize)
    }
    /// The type of a variable that is no parameter.
    pub fn local_type(&self, id: VarId) -> Option<Type> {
        self.local_at(id).map(|var| var.ty)
    }
    /// Whether the variable is a parameter.
    pub fn is_param(&self, id: VarId) -> bool {
        id.0 < FIRST_LOCAL
    }
    pub fn var_name(&self, id: VarId) -> &str {
        let known = if self.is_param(id) { self.params.get(id.index()) } else { self.local_at(id) };
        known.map_or("", |var| &var.name)
    }
    pub fn array_name(&self, id: ArrayId) -> &str {
        self.array_at(id).map_or("", |array| &array.name)
    }
    /// An expression that was made here.
    pub fn get(&self, id: ExprId) -> Option<&Expr> {
        self.exprs.get(id.index())
    }

    /// The one expression that is written like `expr`.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let id = ExprId::new(self.exprs.len());
        let id = *self.interned.entry(ExprKey(expr.clone())).or_insert(id);
        if id.index() == self.exprs.len() {
            self.exprs.push(expr);
        }
        id
    }
    pub fn index(&mut self, number: i64) -> ExprId {
        self.expr(Expr::Index(number))
    }
    pub fn bool(&mut self, truth: bool) -> ExprId {
        self.expr(Expr::Bool(truth))
    }
    pub fn value(&mut self, element: Element, scalar: Scalar) -> ExprId {
        self.expr(Expr::Value(element, scalar))
    }
    pub fn var(&mut self, var: VarId) -> ExprId {
        self.expr(Expr::Var(var))
    }
    pub fn load(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        self.expr(Expr::Load { array, index })
    }
    pub fn unary(&mut self, op: Unary, operand: ExprId) -> ExprId {
        self.expr(Expr::Unary(op, operand))
    }
    pub fn cast(&mut self, to: Type, from: ExprId) -> ExprId {
        self.expr(Expr::Cast { to, from })
    }
    pub fn select(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> ExprId {
        self.expr(Expr::Select { cond, then, other })
    }

    /// A variable or a literal: as short as a name.
    pub fn is_simple(&self, id: ExprId) -> bool {
        matches!(self.exprs.get(id.index()), Some(Expr::Var(_) | Expr::Index(_) | Expr::Value(..) | Expr::Bool(_)))
    }

    /// The number that an index expression is written as.
    pub fn index_literal(&self, id: ExprId) -> Option<i64> {
        match self.exprs.get(id.index()) {
            Some(Expr::Index(number)) => Some(*number),
            _ => None,
        }
    }

    /// As [`Builder::expr`]; an operation folds as in [`Builder::binary`].
    pub fn folded(&mut self, expr: Expr) -> ExprId {
        if let Expr::Binary(op, left, right) = expr { self.binary(op, left, right) } else { self.expr(expr) }
    }

    /// `left op right`; operations on index literals fold, and so do `x + 0`, `x - 0`, `x * 1`, `x * 0`, `x / 1`.
    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        let literals = (self.index_literal(left), self.index_literal(right));
        let folded = match (op, literals) {
            (Binary::Add, (Some(a), Some(b))) => a.checked_add(b),
            (Binary::Sub, (Some(a), Some(b))) => a.checked_sub(b),
            (Binary::Mul, (Some(a), Some(b))) => a.checked_mul(b),
            (Binary::Mul, (Some(0), _) | (_, Some(0))) => Some(0),
            (Binary::Div, (Some(a), Some(b))) => a.checked_div(b),
            (Binary::Rem, (Some(a), Some(b))) => a.checked_rem(b),
            (Binary::Min, (Some(a), Some(b))) => Some(a.min(b)),
            (Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem | Binary::Min, _) => None,
            (Binary::Max | Binary::Pow | Binary::Function(_) | Binary::And | Binary::Or, _) => None,
            (Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr, _) => None,
            (Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le, _) => None,
        };
        match (op, literals) {
            _ if folded.is_some() => self.index(folded.unwrap_or(0)),
            (Binary::Add | Binary::Sub, (_, Some(0))) | (Binary::Mul | Binary::Div, (_, Some(1))) => left,
            (Binary::Add, (Some(0), _)) | (Binary::Mul, (Some(1), _)) => right,
            _ => self.expr(Expr::Binary(op, left, right)),
        }
    }
    pub fn add(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Add, left, right)
    }
    pub fn sub(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Sub, left, right)
    }
    pub fn mul(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Mul, left, right)
    }

    /// Appends to the open block.
    pub fn push(&mut self, stmt: Stmt) {
        self.statements += 1;
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
    }
    /// The number of statements so far.
    pub fn statements(&self) -> usize {
        self.statements
    }
    /// `let name = value`.
    pub fn define(&mut self, name: &str, ty: Type, value: ExprId) -> VarId {
        let var = self.local(name, ty);
        self.push(Stmt::Let { var, value });
        var
    }
    pub fn comment(&mut self, text: impl Into<String>) {
        self.push(Stmt::Comment(text.into()));
    }
    pub fn store(&mut self, array: ArrayId, index: ExprId, value: ExprId) {
        self.push(Stmt::Store { array, index, value });
    }

    /// Sorts the entries `lo..hi` of an index array.
    pub fn sort(&mut self, array: ArrayId, lo: ExprId, hi: ExprId) {
        self.push(Stmt::Sort { array, lo, hi });
    }

    /// Opens a block; [`Builder::close`] ends it. Every open has one close.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
    }
    /// The statements since the last [`Builder::open`].
    pub fn close(&mut self) -> Vec<Stmt> {
        self.blocks.pop().unwrap_or_default()
    }
    /// `for var in lo..hi` with the statements that `body` makes.
    pub fn for_range(&mut self, var: VarId, range: [ExprId; 2], kind: ForKind, body: impl FnOnce(&mut Self)) {
        self.open();
        body(self);
        let body = self.close();
        let [lo, hi] = range;
        self.push(Stmt::For { var, lo, hi, kind, body });
    }
    /// `if cond` with the statements that `then` makes.
    pub fn when(&mut self, cond: ExprId, then: impl FnOnce(&mut Self)) {
        self.open();
        then(self);
        let then = self.close();
        self.push(Stmt::If { cond, then, other: Vec::new() });
    }

    /// The function, in canonical numbering.
    pub fn finish(self) -> Function {
        self.finish_tracking(std::iter::empty())
    }

    /// The function, in canonical numbering; `tracked` are updated to the new numbers.
    pub fn finish_tracking<'v>(mut self, tracked: impl Iterator<Item = &'v mut VarId>) -> Function {
        let body = self.close();
        let (function, vars) = Canon::new(&self).function(&body);
        tracked.for_each(|var| *var = vars.get(var).copied().unwrap_or(*var));
        function
    }
}

/// `text` as the printed form can carry it: foreign signs become underscores, and a word that is
/// reserved or starts with a digit gets one.
fn legal_name(text: &str) -> String {
    if is_name(text) {
        return text.to_string();
    }
    let name: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let starts_well = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let name = if starts_well { name } else { format!("_{name}") };
    if is_name(&name) { name } else { format!("{name}_") }
}

/// Renumbers: variables and allocated arrays in the order of their declarations, expressions in the order of the text,
/// operands first; what no statement uses is dropped.
struct Canon<'b> {
    from: &'b Builder,
    vars: HashMap<VarId, VarId>,
    locals: Vec<Var>,
    allocated: HashMap<ArrayId, ArrayId>,
    arrays: Vec<Array>,
    exprs: Vec<Expr>,
    renumbered: HashMap<ExprId, ExprId>,
    first_local: usize,
}

impl<'b> Canon<'b> {
    fn new(builder: &'b Builder) -> Self {
        let params = (0..builder.params.len()).map(|at| (VarId::new(at), VarId::new(at)));
        Self {
            from: builder,
            vars: params.collect(),
            locals: Vec::new(),
            allocated: HashMap::new(),
            arrays: Vec::new(),
            exprs: Vec::new(),
            renumbered: HashMap::new(),
            first_local: builder.params.len(),
        }
    }

    fn function(mut self, body: &[Stmt]) -> (Function, HashMap<VarId, VarId>) {
        let from = self.from;
        from.arrays.iter().for_each(|array| self.declared(array));
        let body = self.block(body);
        let mut vars = from.params.clone();
        vars.append(&mut self.locals);
        let function = Function {
            name: from.name.clone(),
            arrays: self.arrays,
            array_params: from.arrays.len(),
            vars,
            scalar_params: from.params.len(),
            exprs: self.exprs,
            body,
        };
        (function, self.vars)
    }

    fn declared(&mut self, array: &Array) {
        let len = array.len.map(|len| self.expr(len));
        self.arrays.push(Array { len, ..array.clone() });
    }
}

impl Map for Canon<'_> {
    fn declare(&mut self, old: VarId) -> VarId {
        let declared = old.0.checked_sub(FIRST_LOCAL).and_then(|at| self.from.locals.get(at as usize));
        let Some(local) = declared else { return self.vars.get(&old).copied().unwrap_or(old) };
        let new = VarId::new(self.first_local + self.locals.len());
        self.locals.push(local.clone());
        self.vars.insert(old, new);
        new
    }

    /// A variable that nothing has declared gets a number, too, so that the verifier refuses it by its name.
    fn var(&mut self, old: VarId) -> VarId {
        if let Some(new) = self.vars.get(&old) { *new } else { self.declare(old) }
    }

    /// A second allocation of an array keeps its number, which the verifier then refuses.
    fn declare_array(&mut self, old: ArrayId) -> ArrayId {
        let from = self.from;
        let fresh = from.allocated_at(old).filter(|_| !self.allocated.contains_key(&old));
        let Some(array) = fresh else { return self.array(old) };
        let new = ArrayId::new(self.arrays.len());
        self.declared(array);
        self.allocated.insert(old, new);
        new
    }

    fn array(&mut self, old: ArrayId) -> ArrayId {
        self.allocated.get(&old).copied().unwrap_or(old)
    }

    fn expr(&mut self, old: ExprId) -> ExprId {
        if let Some(new) = self.renumbered.get(&old) {
            return *new;
        }
        let Some(expr) = self.from.exprs.get(old.index()).map(|expr| expr.map(self)) else { return old };
        let new = ExprId::new(self.exprs.len());
        self.exprs.push(expr);
        self.renumbered.insert(old, new);
        new
    }
}
