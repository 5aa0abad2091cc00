//! `y(i) = alpha * A(i, j) * x(j)`: from its tree to a [`Kernel`].
//!
//! Checks, all at once and each at the guilty token: that names are known and used with as many
//! indices as they have dimensions; that an index variable has one extent wherever it is used, and
//! that something gives it one; that operands have one element type; that constants fit it; that the
//! result's declared type agrees.

use super::{
    Checker,
    scope::{Format, Meaning, PartialType, Scope, Word, plural, suggest},
    spec::Spec,
    value::value,
};
use crate::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    element::Element,
    ids::{IndexVar, TensorId},
    kernel::{Access, BinaryOp, Expr, Kernel, KernelError, Over, ReduceOp, Tensor, UnaryOp},
    source::Span,
    syntax::{NodeKind, NodeRef, TokenKind},
};

/// A checked assignment.
#[derive(Clone, Debug)]
pub struct KernelStatement {
    pub name: Word,
    /// The place of the right side.
    pub expr_span: Span,
    /// What the result is, as far as it is known.
    pub result: PartialType,
    /// `None` where a size or an element type is known only once data are read.
    pub kernel: Option<Kernel>,
    /// Where each of the kernel's tensors is first used.
    pub places: Vec<Span>,
}

/// What stands on the left of an assignment.
pub struct Target<'t> {
    pub name: Word,
    /// The index variables; none for a scalar.
    pub indices: Vec<NodeRef<'t>>,
    pub spec: Option<Spec>,
}

/// Functions of one argument.
const FUNCTIONS: &[(&str, UnaryOp)] = &[
    ("abs", UnaryOp::Abs),
    ("sqrt", UnaryOp::Sqrt),
    ("exp", UnaryOp::Exp),
    ("log", UnaryOp::Log),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tan", UnaryOp::Tan),
    ("tanh", UnaryOp::Tanh),
];
/// Functions of two arguments.
const BINARY_FUNCTIONS: &[(&str, BinaryOp)] = &[("min", BinaryOp::Min), ("max", BinaryOp::Max), ("pow", BinaryOp::Pow)];
/// Reductions over the index variables that are named before the last argument.
const REDUCTIONS: &[(&str, ReduceOp)] =
    &[("sum", ReduceOp::Sum), ("prod", ReduceOp::Prod), ("min", ReduceOp::Min), ("max", ReduceOp::Max)];
/// Known reductions that nothing carries out yet.
const LATER_REDUCTIONS: &[&str] = &["any", "all", "argmin", "argmax"];

/// Every function and reduction, for completion.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    let unary = FUNCTIONS.iter().map(|(name, _)| *name);
    unary.chain(["pow"]).chain(REDUCTIONS.iter().map(|(name, _)| *name))
}

fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

/// Checks `target = expr`; `None` if it has errors, which are then reported to `c`.
pub fn assignment(
    c: &mut Checker<'_>,
    scope: &Scope,
    target: Target<'_>,
    expr: NodeRef<'_>,
) -> Option<KernelStatement> {
    let element = element(scope, &target, expr);
    let before = errors(&c.diagnostics);
    let (tensors, vars, accesses, expr_span) = (Vec::new(), Vec::new(), Vec::new(), expr.span());
    let mut checker = Notation { c, scope, element, expr_span, tensors, vars, accesses, before };
    let converted = checker.expr(expr);
    let statement = checker.finish(target, converted);
    let broken = errors(&c.diagnostics) > before;
    statement.filter(|_| !broken)
}

fn errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
}

/// The element type that the kernel computes in, and what decided it.
#[derive(Clone, Copy)]
enum Decided {
    By(Element, Span),
    /// An operand's element type is known only once data are read.
    Later,
    /// Only constants: `f64`.
    Nothing,
}

impl Decided {
    fn element(self) -> Element {
        match self {
            Decided::By(element, _) => element,
            Decided::Later | Decided::Nothing => Element::F64,
        }
    }
}

fn element(scope: &Scope, target: &Target<'_>, expr: NodeRef<'_>) -> Decided {
    let declared = target.spec.as_ref().and_then(|spec| Some((spec.element?, spec.span)));
    let mut decided = declared.map_or(Decided::Nothing, |(element, span)| Decided::By(element, span));
    for node in expr.descendants().filter(|node| matches!(node.kind(), NodeKind::Name | NodeKind::Call)) {
        let Some(name) = node.first_token() else { continue };
        match (decided, scope.get(name.text())) {
            (Decided::By(..), _) => break,
            (_, Some(Meaning::Scalar(element))) => decided = Decided::By(*element, name.span()),
            (_, Some(Meaning::Tensor(PartialType { element: Some(element), .. }))) => {
                decided = Decided::By(*element, name.span());
            }
            (_, Some(Meaning::Tensor(_) | Meaning::Broken)) => decided = Decided::Later,
            _ => {}
        }
    }
    decided
}

struct Operand {
    name: String,
    ty: PartialType,
    place: Span,
}

struct Variable {
    name: String,
    place: Span,
    /// The first use that gives an extent: its size, if known, and its place and reason.
    extent: Option<(Option<u64>, Span, String)>,
}

struct Notation<'a, 's> {
    c: &'a mut Checker<'s>,
    scope: &'a Scope,
    element: Decided,
    expr_span: Span,
    tensors: Vec<Operand>,
    vars: Vec<Variable>,
    /// The place of every access of the right side, in the order of the text.
    accesses: Vec<Span>,
    /// Errors that were there before this statement.
    before: usize,
}

impl Notation<'_, '_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.c.diagnostics.push(Diagnostic::new(code, self.c.source.id, span, message));
        let last = self.c.diagnostics.len() - 1;
        &mut self.c.diagnostics[last]
    }

    fn expr(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        match node.kind() {
            NodeKind::Number | NodeKind::ComplexNumber => self.constant(node),
            NodeKind::Paren => self.expr(node.children().next()?),
            NodeKind::Unary => self.signed(node),
            NodeKind::Binary => self.binary(node),
            NodeKind::Name => self.name(node),
            NodeKind::Call => self.call(node),
            _ => None,
        }
    }

    fn constant(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        match value(self.c.source.id, node, self.element.element()) {
            Ok(scalar) => Some(Expr::literal(self.element.element(), scalar)),
            Err(diagnostic) => {
                self.constant_error(*diagnostic);
                None
            }
        }
    }

    fn constant_error(&mut self, mut diagnostic: Diagnostic) {
        if let Decided::By(element, span) = self.element {
            diagnostic = diagnostic.secondary(span, format!("the kernel computes in `{element}` because of this"));
        }
        self.c.diagnostics.push(diagnostic);
    }

    /// `-2.5` is one constant, so that the smallest integer of a type can be written.
    fn signed(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let inner = node.children().next()?;
        if inner.kind() == NodeKind::Number {
            return self.constant(node);
        }
        let operand = self.expr(inner)?;
        Some(match node.first_token()?.kind() {
            TokenKind::Minus => Expr::Unary(UnaryOp::Neg, Box::new(operand)),
            _ => operand,
        })
    }

    fn binary(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let mut operands = node.children();
        let (left, right) = (operands.next()?, operands.next()?);
        let operator = node.tokens().find(|token| token.span().start >= left.span().end)?;
        let op = match operator.kind() {
            TokenKind::Plus => Some(BinaryOp::Add),
            TokenKind::Minus => Some(BinaryOp::Sub),
            TokenKind::Star => Some(BinaryOp::Mul),
            TokenKind::Slash => Some(BinaryOp::Div),
            _ => None,
        };
        let (left, right) = (self.expr(left), self.expr(right));
        if op.is_none() {
            let message = format!("comparisons such as `{}` cannot be computed yet", operator.text());
            let error = self.error(Code::NotYet, operator.span(), message);
            error.helps.push("`min`, `max` and `abs` are the functions that choose between values".to_string());
        }
        Some(Expr::Binary(op?, Box::new(left?), Box::new(right?)))
    }

    // Names and calls.

    fn name(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let name = node.text();
        match self.scope.get(name) {
            Some(Meaning::Scalar(element)) => {
                let ty = PartialType {
                    element: Some(*element),
                    shape: Some(vec![]),
                    format: Some(Format::Plain),
                    format_name: None,
                };
                let tensor = self.tensor(name, &ty, node.span());
                self.accesses.push(node.span());
                Some(Expr::Access(Access { tensor, indices: vec![] }))
            }
            Some(Meaning::Tensor(ty)) => {
                self.missing_indices(node, ty);
                None
            }
            Some(Meaning::Broken) => None,
            Some(Meaning::Encoding(_)) | None if matches!(name, "inf" | "nan" | "true" | "false") => {
                self.constant(node)
            }
            Some(Meaning::Encoding(_)) | None => {
                self.unknown(node.span(), name);
                None
            }
        }
    }

    fn missing_indices(&mut self, node: NodeRef<'_>, ty: &PartialType) {
        let example = ty.rank().map(|rank| format!("{}({})", node.text(), example_indices(rank)));
        let message = format!("the tensor `{}` is used without indices", node.text());
        let error = self.error(Code::WrongArity, node.span(), message);
        error.helps.extend(example.map(|example| format!("write `{example}`")));
    }

    fn unknown(&mut self, span: Span, name: &str) {
        let is_index = self.vars.iter().any(|var| var.name == name);
        let diagnostic = Diagnostic::new(Code::UnknownName, self.c.source.id, span, format!("`{name}` is not defined"));
        self.c.diagnostics.push(match is_index {
            true => diagnostic.help(format!("`{name}` is an index variable; its value cannot be used yet")),
            false => {
                let mut known: Vec<&str> = self.scope.values().collect();
                function_names().for_each(|name| known.push(name));
                let example = format!("define it first, as in `{name} : tensor<4x4xf64, CSR> = read \"file.mtx\"`");
                suggest(diagnostic, name, known, example)
            }
        });
    }

    fn call(&mut self, node: NodeRef<'_>) -> Option<Expr> {
        let name = node.first_token()?;
        let arguments: Vec<NodeRef<'_>> = node.children().collect();
        match self.scope.get(name.text()) {
            Some(Meaning::Tensor(ty)) => return self.access(node, name.span(), &ty.clone(), &arguments),
            Some(Meaning::Scalar(_)) => {
                let message = format!("`{}` is a scalar and takes no indices", name.text());
                self.error(Code::WrongArity, node.span(), message);
                return None;
            }
            Some(Meaning::Broken) => {
                self.indices(&arguments);
                return None;
            }
            Some(Meaning::Encoding(_)) | None => {}
        }
        self.function(node, name.text(), name.span(), &arguments)
    }

    fn function(&mut self, node: NodeRef<'_>, name: &str, span: Span, arguments: &[NodeRef<'_>]) -> Option<Expr> {
        if let Some((vars, body)) = reduction_parts(arguments) {
            if let Some(op) = named(REDUCTIONS, name) {
                return self.reduction(op, vars, *body);
            }
            if LATER_REDUCTIONS.contains(&name) {
                let error = self.error(Code::NotYet, span, format!("the reduction `{name}` cannot be computed yet"));
                error.helps.push("`sum`, `prod`, `min` and `max` can".to_string());
                return None;
            }
        }
        if arguments.len() == 1 && named(REDUCTIONS, name).is_some() {
            self.wrong_reduction(node, name);
            return None;
        }
        if let Some(op) = named(FUNCTIONS, name) {
            let [argument] = arguments else { return self.wrong_count(node, name, 1) };
            return Some(Expr::Unary(op, Box::new(self.expr(*argument)?)));
        }
        if let Some(op) = named(BINARY_FUNCTIONS, name) {
            let [left, right] = arguments else { return self.wrong_count(node, name, 2) };
            let (left, right) = (self.expr(*left), self.expr(*right));
            return Some(Expr::Binary(op, Box::new(left?), Box::new(right?)));
        }
        match named(REDUCTIONS, name) {
            Some(_) => self.wrong_reduction(node, name),
            None => self.unknown(span, name),
        }
        None
    }

    fn wrong_count(&mut self, node: NodeRef<'_>, name: &str, wanted: usize) -> Option<Expr> {
        let found = node.children().count();
        let message = format!("`{name}` takes {wanted} argument{}, not {found}", if wanted == 1 { "" } else { "s" });
        self.error(Code::WrongArity, node.span(), message);
        None
    }

    fn wrong_reduction(&mut self, node: NodeRef<'_>, name: &str) {
        let error =
            self.error(Code::WrongArity, node.span(), format!("`{name}` needs the index variable to reduce over"));
        error.helps.push(format!("name it first, as in `{name}(j, A(i, j))`"));
    }

    fn reduction(&mut self, op: ReduceOp, vars: &[NodeRef<'_>], body: NodeRef<'_>) -> Option<Expr> {
        let vars = vars.iter().map(|var| self.var(var.text(), var.span())).collect();
        let body = Box::new(self.expr(body)?);
        Some(Expr::Reduce { op, over: Over::All, vars, body })
    }

    // Accesses.

    fn access(&mut self, node: NodeRef<'_>, name: Span, ty: &PartialType, arguments: &[NodeRef<'_>]) -> Option<Expr> {
        let text = node.first_token()?.text();
        let indices = self.indices(arguments)?;
        if let Some(rank) = ty.rank().filter(|rank| *rank != indices.len()) {
            self.wrong_rank(node, text, rank, indices.len());
            return None;
        }
        for (dim, (var, argument)) in indices.iter().zip(arguments).enumerate() {
            let why = format!("dimension {dim} of `{text}`");
            self.bind(*var, ty.extent(dim), argument.span(), why);
        }
        let tensor = self.tensor(text, ty, name);
        self.accesses.push(node.span());
        Some(Expr::Access(Access::of_vars(tensor, &indices)))
    }

    fn wrong_rank(&mut self, node: NodeRef<'_>, name: &str, rank: usize, found: usize) {
        let message = format!("`{name}` has {}, but {}", plural(rank, "dimension"), indices_text(found));
        let error = self.error(Code::WrongArity, node.span(), message);
        error.helps.push(format!("write `{name}({})`", example_indices(rank)));
    }

    fn indices(&mut self, arguments: &[NodeRef<'_>]) -> Option<Vec<IndexVar>> {
        let indices: Vec<Option<IndexVar>> = arguments.iter().map(|argument| self.index(*argument)).collect();
        indices.into_iter().collect()
    }

    fn index(&mut self, node: NodeRef<'_>) -> Option<IndexVar> {
        if node.kind() == NodeKind::Name {
            return Some(self.var(node.text(), node.span()));
        }
        let error = self.error(Code::NotYet, node.span(), "an index must be a variable".to_string());
        error.helps.push("constants and sums such as `i + 1` cannot index a tensor yet".to_string());
        None
    }

    fn var(&mut self, name: &str, place: Span) -> IndexVar {
        if let Some(at) = self.vars.iter().position(|var| var.name == name) {
            return IndexVar::new(at);
        }
        self.vars.push(Variable { name: name.to_string(), place, extent: None });
        IndexVar::new(self.vars.len() - 1)
    }

    /// Notes that `var` runs over a dimension of size `extent`.
    fn bind(&mut self, var: IndexVar, extent: Option<u64>, place: Span, why: String) {
        let variable = &mut self.vars[var.index()];
        let Some((known, first, reason)) = &variable.extent else {
            variable.extent = Some((extent, place, why));
            return;
        };
        match (*known, extent) {
            (None, Some(_)) => variable.extent = Some((extent, place, why)),
            (Some(known), Some(found)) if known != found => {
                let (name, first, reason) = (variable.name.clone(), *first, reason.clone());
                let message = format!("`{name}` runs over {known} and over {found} coordinates");
                let error = self.error(Code::ExtentMismatch, place, message);
                error.primary.message = format!("{why} has size {found}");
                *error = error.clone().secondary(first, format!("{reason} has size {known}"));
            }
            _ => {}
        }
    }

    fn tensor(&mut self, name: &str, ty: &PartialType, place: Span) -> TensorId {
        if let Some(at) = self.tensors.iter().position(|tensor| tensor.name == name) {
            return TensorId::new(at);
        }
        self.check_element(name, ty, place);
        self.tensors.push(Operand { name: name.to_string(), ty: ty.clone(), place });
        TensorId::new(self.tensors.len() - 1)
    }

    fn check_element(&mut self, name: &str, ty: &PartialType, place: Span) {
        let (Decided::By(element, decided), Some(found)) = (self.element, ty.element) else { return };
        if element != found {
            let scalar = ty.rank() == Some(0);
            let wanted = PartialType { element: Some(element), ..ty.clone() };
            let wanted = if scalar { element.to_string() } else { wanted.to_string() };
            let error =
                self.error(Code::ElementMismatch, place, format!("`{name}` holds `{found}`, the kernel `{element}`"));
            error.helps.push(format!("convert it first: `{name}_{element} : {wanted} = {name}`"));
            *error = error.clone().secondary(decided, format!("`{element}` because of this"));
        }
    }

    // The left side.

    fn finish(mut self, target: Target<'_>, expr: Option<Expr>) -> Option<KernelStatement> {
        let used = self.vars.len();
        let indices = self.indices(&target.indices)?;
        self.check_repeated(&target.indices, &indices);
        let sizes = target.spec.as_ref().and_then(|spec| spec.shape.clone());
        self.check_declared(&target, &indices, sizes.as_deref());
        // An access that is wrong would have bound its variables.
        if expr.is_some() {
            self.check_bound(&target, used);
        }
        let shape: Vec<Option<u64>> = indices.iter().map(|var| self.extent(*var)).collect();
        let result = self.result_type(&target, shape)?;
        let place = target.name.span;
        let fine = errors(&self.c.diagnostics) == self.before;
        let kernel = expr.filter(|_| fine).and_then(|expr| self.kernel(&target, &result, indices, expr));
        let places = self.tensors.iter().map(|tensor| tensor.place).chain([place]).collect();
        let expr_span = self.expr_span;
        Some(KernelStatement { name: target.name, expr_span, result, kernel, places })
    }

    fn extent(&self, var: IndexVar) -> Option<u64> {
        self.vars[var.index()].extent.as_ref().and_then(|(extent, ..)| *extent)
    }

    fn check_repeated(&mut self, nodes: &[NodeRef<'_>], indices: &[IndexVar]) {
        for (at, var) in indices.iter().enumerate() {
            if let Some(first) = indices[..at].iter().position(|earlier| earlier == var) {
                let (span, first) = (nodes[at].span(), nodes[first].span());
                let error = self.error(Code::NotYet, span, format!("`{}` indexes the result twice", nodes[at].text()));
                *error = error.clone().secondary(first, "first here").note("only the diagonal would be written");
            }
        }
    }

    fn check_declared(&mut self, target: &Target<'_>, indices: &[IndexVar], sizes: Option<&[Option<u64>]>) {
        let (Some(spec), Some(sizes)) = (&target.spec, sizes) else { return };
        if sizes.len() != indices.len() {
            let message = format!(
                "the type has {} dimensions, but `{}` has {} indices",
                sizes.len(),
                target.name.text,
                indices.len()
            );
            self.error(Code::WrongArity, spec.span, message);
            return;
        }
        for (dim, (var, size)) in indices.iter().zip(sizes).enumerate() {
            self.bind(*var, *size, spec.span, format!("dimension {dim} of the result's type"));
        }
    }

    /// Every variable must have an extent from an access.
    fn check_bound(&mut self, target: &Target<'_>, used: usize) {
        let unbound = |(at, var): (usize, &Variable)| var.extent.is_none().then(|| (at, var.name.clone(), var.place));
        let unbound: Vec<_> = self.vars.iter().enumerate().filter_map(unbound).collect();
        for (at, name, place) in unbound {
            let left = at >= used;
            let message = match left {
                true => format!("nothing on the right tells what `{name}` runs over"),
                false => format!("nothing tells what `{name}` runs over: it indexes no tensor"),
            };
            let near =
                left.then(|| did_you_mean(&name, self.vars[..used].iter().map(|var| var.name.as_str()))).flatten();
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "use `{name}` in an access, or declare the result's type: `{} : tensor<...>`",
                    target.name.text
                ),
            };
            self.error(Code::UnboundIndex, place, message).helps.push(help);
        }
    }

    fn result_type(&mut self, target: &Target<'_>, shape: Vec<Option<u64>>) -> Option<PartialType> {
        let element = match self.element {
            Decided::By(element, _) => Some(element),
            Decided::Later => None,
            Decided::Nothing => Some(Element::F64),
        };
        let plain =
            || PartialType { element, shape: Some(shape.clone()), format: Some(Format::Plain), format_name: None };
        let Some(spec) = &target.spec else { return Some(plain()) };
        let format = spec.format_of_rank(self.c, shape.len())?;
        Some(PartialType { format: Some(format), format_name: spec.format_name.clone(), ..plain() })
    }

    /// `None` where sizes or element types are still missing, or where the whole breaks a rule.
    fn kernel(
        &mut self,
        target: &Target<'_>,
        result: &PartialType,
        indices: Vec<IndexVar>,
        expr: Expr,
    ) -> Option<Kernel> {
        let operands = self.tensors.iter().map(|operand| tensor(&operand.name, &operand.ty));
        let tensors: Option<Vec<Tensor>> = operands.chain([tensor(&target.name.text, result)]).collect();
        let names = self.vars.iter().map(|var| var.name.clone()).collect();
        let access = Access::of_vars(TensorId::new(self.tensors.len()), &indices);
        match Kernel::new(tensors?, names, access, expr) {
            Ok(kernel) => Some(kernel),
            Err(errors) => {
                errors.iter().for_each(|error| self.kernel_error(target, error));
                None
            }
        }
    }

    fn kernel_error(&mut self, target: &Target<'_>, error: &KernelError) {
        let access = error.place().map(|place| place.access);
        let span = match access {
            Some(0) => target.name.span,
            Some(at) => self.accesses.get(at - 1).copied().unwrap_or(self.expr_span),
            None => self.expr_span,
        };
        let help = error.help();
        self.error(Code::InvalidKernel, span, error.to_string()).helps.extend(help);
    }
}

fn tensor(name: &str, ty: &PartialType) -> Option<Tensor> {
    let encoding = ty.format.as_ref()?.encoding().cloned();
    Some(Tensor { name: name.to_string(), element: ty.element?, shape: ty.sizes()?, encoding })
}

/// The variables and the body, where the arguments are those of a reduction: names, and then an
/// expression that uses each of them as an index. (`max(alpha, A(i))` is no reduction.)
fn reduction_parts<'n, 't>(arguments: &'n [NodeRef<'t>]) -> Option<(&'n [NodeRef<'t>], &'n NodeRef<'t>)> {
    let (body, vars) = arguments.split_last()?;
    let is_index = |name: &str| {
        let calls = body.descendants().filter(|node| node.kind() == NodeKind::Call);
        calls.flat_map(|call| call.children()).any(|index| index.kind() == NodeKind::Name && index.text() == name)
    };
    let names = vars.iter().all(|var| var.kind() == NodeKind::Name && is_index(var.text()));
    (names && !vars.is_empty()).then_some((vars, body))
}

fn indices_text(count: usize) -> String {
    if count == 1 { "1 index is given".to_string() } else { format!("{count} indices are given") }
}

/// `i, j, k` for rank 3.
fn example_indices(rank: usize) -> String {
    let names = ["i", "j", "k", "l", "m", "n", "o", "p"];
    (0..rank).map(|at| names.get(at).map_or(format!("i{at}"), |name| name.to_string())).collect::<Vec<_>>().join(", ")
}
