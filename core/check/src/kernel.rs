//! From the tree of `y(i) = alpha * A(i, j) * x(j)` to a [`Kernel`].
//!
//! All checks run at once, and each reports at the wrong token: names are defined, and have as many indices as
//! dimensions; every index variable has the same extent everywhere; the operands of an operation have one element type,
//! and the operation applies to it; constants fit that type; the result's declared type agrees.
//!
//! Every tensor keeps its own element type: only an explicit conversion, such as `f64(x(j))`, changes it. Numbers, the
//! values of index variables and conditions take the type of what they are computed with (see `elements`).

mod access;
mod bound;
mod calls;
mod combines;
mod convert;
mod elements;
mod means;
mod meant;
mod parts;
mod reductions;
mod slips;
mod summed;
mod target;
mod update;

use std::collections::{BTreeSet, HashMap};

use super::{
    Checker, TensorPlace,
    schedule::Scheduled,
    scope::{Format, PartialType, Scope, Word},
    spec::Spec,
};
pub use super::{
    functions::{self, is_function},
    semiring,
};
pub(super) use access::no_end;
use bound::{Bound, Giver};
pub(super) use convert::{converting, of_object, unknown_function};
use elements::Wanted;
pub(super) use meant::{meant_reduction, product_indices, unknown_call};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    ids::IndexVar,
    source::Span,
};
use nnz_encoding::MAX_RANK;
use nnz_kernel::{Access, BinaryOp, Kernel, ReduceOp};
use nnz_syntax::{NodeKind, NodeRef, TokenRef};
pub use parts::OfPart;

/// A checked assignment.
#[derive(Clone, Debug)]
pub struct KernelStatement {
    pub name: Word,
    /// The place of the right side.
    pub expr_span: Span,
    /// The known part of the result's type.
    pub result: PartialType,
    /// `None` where a size or an element type is known only once data are read.
    pub kernel: Option<Kernel>,
    /// Where each of the kernel's tensors is first used.
    pub places: Vec<TensorPlace>,
    /// Which of them are parts of decomposed tensors; those behind the last one are none.
    pub parts: Vec<Option<OfPart>>,
    /// The index variables.
    pub vars: Vec<String>,
    pub scheduled: Scheduled,
}

/// The left side of an assignment.
pub struct LeftSide<'t> {
    pub name: Word,
    /// The index variables; none for a scalar.
    pub indices: Vec<NodeRef<'t>>,
    pub spec: Option<Spec>,
    /// `None`: the result is new.
    pub update: Option<Update>,
}

/// `+=` and similar: the old value is an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    pub op: BinaryOp,
    pub place: Span,
}

impl Update {
    /// What combines the values of variables that the left side lacks; `None` where a sum and a product
    /// could both be meant.
    fn reduction(self) -> Option<ReduceOp> {
        let of = [(BinaryOp::Min, ReduceOp::Min), (BinaryOp::Max, ReduceOp::Max)];
        of.into_iter().find(|(op, _)| *op == self.op).map(|(_, reduction)| reduction)
    }
    /// Sums term by term, as `=` does.
    fn is_additive(self) -> bool {
        matches!(self.op, BinaryOp::Add | BinaryOp::Sub)
    }
}

/// Checks `target = expr`; `None` if it has errors, which are then reported to `c`.
pub fn assignment(
    c: &mut Checker<'_>,
    scope: &Scope,
    target: LeftSide<'_>,
    expr: NodeRef<'_>,
) -> Option<KernelStatement> {
    let before = c.diagnostics.len();
    let mut checker = Notation {
        c,
        scope,
        expr_span: expr.span(),
        tensors: Vec::new(),
        vars: Vec::new(),
        numbers: HashMap::new(),
        accesses: Vec::new(),
        unlike: Vec::new(),
        index_names: BTreeSet::new(),
        left_names: target.indices.iter().map(|index| index.text().to_string()).collect(),
        combines: None,
        before,
    };
    checker.index_names = checker.index_names(&target, expr);
    checker.doubt_functions_of_products(expr, &target);
    let statement = checker.statement(target, expr);
    let broken = has_errors(&c.diagnostics[before..]);
    statement.filter(|_| !broken)
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// The operator of a binary expression.
fn operator(node: NodeRef<'_>) -> Option<TokenRef<'_>> {
    let left = node.children().next()?;
    node.tokens().find(|token| token.span().start >= left.span().end && !token.kind().is_trivia())
}

#[derive(Clone)]
struct Operand {
    name: String,
    ty: PartialType,
    place: Span,
}

#[derive(Clone)]
struct Variable {
    name: String,
    place: Span,
    /// The first dimension, window or type that gives it an extent.
    bound: Option<Bound>,
    /// The extent of a window.
    window: Option<u64>,
    /// It is a part of an index, such as `i + k`, whose dimension bounds it.
    computed: bool,
}

impl Operand {
    /// Whether entries may be absent, as far as is known.
    fn is_sparse(&self) -> bool {
        self.ty.format != Some(Format::Plain)
    }
}

/// The place of an access, and its indices.
#[derive(Clone)]
struct AccessPlace {
    whole: Span,
    indices: Vec<Span>,
}

struct Notation<'a, 's> {
    c: &'a mut Checker<'s>,
    scope: &'a Scope,
    expr_span: Span,
    tensors: Vec<Operand>,
    vars: Vec<Variable>,
    /// The variables by their names.
    numbers: HashMap<String, IndexVar>,
    accesses: Vec<(Access, AccessPlace)>,
    /// The pairs of tensors whose sizes do not fit, which is told.
    unlike: Vec<[Giver; 2]>,
    /// The names that index something in this statement.
    index_names: BTreeSet<String>,
    /// The names of the result's indices.
    left_names: BTreeSet<String>,
    /// The type of the terms, while what combines them is read.
    combines: Option<Element>,
    /// Diagnostics that were there before this statement.
    before: usize,
}

impl Notation<'_, '_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.c.diagnostics.push(Diagnostic::new(code, self.c.source.id, span, message));
        let last = self.c.diagnostics.len() - 1;
        &mut self.c.diagnostics[last]
    }

    /// A wrong number of indices or arguments.
    fn arity(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) -> &mut Diagnostic {
        let error = self.error(Code::WrongArity, span, message);
        error.primary.message = label.into();
        error
    }

    fn index_names(&self, target: &LeftSide<'_>, expr: NodeRef<'_>) -> BTreeSet<String> {
        let calls = expr.descendants().filter(|node| node.kind() == NodeKind::Call);
        let used = calls.flat_map(|call| {
            let arguments: Vec<NodeRef<'_>> = calls::positional(call).collect();
            let count = if self.is_tensor(call) { arguments.len() } else { self.reduced(call, &arguments) };
            let names = arguments.into_iter().take(count).flat_map(|argument| argument.descendants());
            names.filter(|node| matches!(node.kind(), NodeKind::Name | NodeKind::NamedArg))
        });
        let all = used.chain(target.indices.iter().copied()).filter_map(|node| node.first_token());
        all.map(|token| token.text().to_string()).collect()
    }

    /// How many of the arguments are variables that a call reduces over.
    fn reduced(&self, call: NodeRef<'_>, arguments: &[NodeRef<'_>]) -> usize {
        let callee = calls::callee(call);
        match semiring::Semiring::parse(&callee) {
            Some(_) => arguments.len().saturating_sub(2),
            None if self.is_reduction(&callee, arguments) => arguments.len() - 1,
            None => 0,
        }
    }

    fn statement(mut self, target: LeftSide<'_>, node: NodeRef<'_>) -> Option<KernelStatement> {
        if target.indices.len() > MAX_RANK {
            self.too_many_dimensions(&target);
            return None;
        }
        let old = self.old_value(&target);
        let wanted = self.wanted(&target, old.as_ref());
        let converted = self.expr(node, wanted);
        let used = self.vars.len();
        let indices = self.target_indices(&target)?;
        if let Some(expr) = &converted {
            self.check_summed_condition(node, expr, (&target, &indices));
        }
        let converted = converted.and_then(|expr| self.updated(&target, old, &indices, (expr, node)));
        self.finish(target, node, used, &indices, converted)
    }

    /// What the result is declared as, or was.
    fn wanted(&self, target: &LeftSide<'_>, old: Option<&PartialType>) -> Option<Wanted> {
        let declared = target.spec.as_ref().and_then(|spec| Some((spec.element?, spec.span)));
        let was = || Some((old?.element?, target.name.span));
        declared.or_else(was).map(|(element, span)| Wanted { element, because: Some(span) })
    }
}

fn indices_text(count: usize) -> String {
    if count == 1 { "1 index is given".to_string() } else { format!("{count} indices are given") }
}

/// `i, j, k` for rank 3.
pub(super) fn example_indices(rank: usize) -> String {
    let names = ["i", "j", "k", "l", "m", "n", "o", "p"];
    (0..rank).map(|at| names.get(at).map_or(format!("i{at}"), |name| name.to_string())).collect::<Vec<_>>().join(", ")
}
