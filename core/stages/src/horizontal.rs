//! Horizontal fusion: kernels that stand one behind the other become one, whose blocks are those of the first kernel, then
//! those of the second, and so on. A function asks for it with the attribute `horizontal_fuse`.
//!
//! The loops over threads of a kernel are the same for all: as many as the kernel with the most needs, and the others
//! stand under a condition. Blocks of a GPU run at the same time, so no kernel may touch what another writes.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    ids::FileId,
    source::Span,
};
use nnz_tir::model::{
    Attributes, Binary, Expr, ExprKind, Function, Loop, LoopKind, Role, Statement, StatementKind, Tag, Variable,
    VariableId,
};

use crate::{
    bind::written,
    compile::accesses,
    fault::Done,
    lower::{canonical, names::Names, rewrite::Rewrite},
    schedule::Substitution,
};

/// The attribute that asks for it.
const ASKED: &str = "horizontal_fuse";

/// The axis that kernels are laid out along.
const BLOCKS: &str = "blockIdx.x";

/// Whether a function asks for its kernels to be fused.
pub fn is_asked(function: &Function) -> bool {
    function.attributes.contains_key(ASKED)
}

/// The function with one kernel.
///
/// # Errors
/// Statements that are no kernels; numbers of threads that are not known; kernels that touch what others write.
pub fn fused(function: &Function) -> Result<Function, Box<Diagnostic>> {
    let is_loop = |statement: &Statement| matches!(statement.kind, StatementKind::Loop(_));
    let (loops, before): (Vec<&Statement>, Vec<&Statement>) = function.body.iter().partition(|one| is_loop(one));
    let other = before.iter().find(|one| !matches!(one.kind, StatementKind::Allocate(_) | StatementKind::Domain(..)));
    if let Some(other) = other {
        return Err(illegal(other.place.0, "a statement between kernels cannot be fused", "write it into a kernel"));
    }
    let kernels = loops.into_iter().map(|one| kernel(function, one)).collect::<Done<Vec<Kernel<'_>>>>()?;
    apart(function, &kernels)?;
    let mut made = function.clone();
    made.attributes.remove(ASKED);
    let body = joined(&mut made, &kernels)?;
    made.body = before.into_iter().cloned().chain([body]).collect();
    canonical(function, &made)
}

/// A nest of loops over threads, and what each of them does.
struct Kernel<'f> {
    place: Span,
    /// The outermost first, which is over blocks.
    threads: Vec<(Tag, VariableId, i64)>,
    body: &'f [Statement],
    whole: &'f Statement,
}

fn kernel<'f>(function: &'f Function, whole: &'f Statement) -> Done<Kernel<'f>> {
    let (mut threads, mut body) = (Vec::<(Tag, VariableId, i64)>::new(), std::slice::from_ref(whole));
    while let [Statement { kind: StatementKind::Loop(one), .. }] = body
        && let LoopKind::Bound(tag) = one.kind
        && !threads.iter().any(|(known, ..)| *known == tag)
    {
        threads.push((tag, one.variable, count(function, one, whole.place.0)?));
        body = &one.body;
    }
    let place = whole.place.0;
    if threads.first().is_none_or(|(tag, ..)| tag.name() != BLOCKS) {
        let message = format!("the outermost loop of a kernel is bound to `{BLOCKS}`, and this is not");
        return Err(illegal(
            place,
            &message,
            "write `sch.bind(loop, \"blockIdx.x\")` for the outermost loop of each kernel",
        ));
    }
    if body.iter().any(binds) {
        let told = "a loop over threads stands within other statements of its kernel";
        return Err(illegal(place, told, "bind the outermost loops, one directly within the other"));
    }
    Ok(Kernel { place, threads, body, whole })
}

/// Whether a loop over threads is in a statement.
fn binds(statement: &Statement) -> bool {
    let own = matches!(&statement.kind, StatementKind::Loop(Loop { kind: LoopKind::Bound(_), .. }));
    own || statement.bodies().into_iter().flatten().any(binds)
}

/// How many turns a loop has, from 0 on.
fn count(function: &Function, one: &Loop, place: Span) -> Done<i64> {
    match (one.start.kind(), one.end.kind()) {
        (ExprKind::Int(0), ExprKind::Int(end)) if *end >= 0 => Ok(*end),
        _ => {
            let name = &function.variable(one.variable).name;
            let message = format!("how many turns `{name}` has is not known");
            Err(illegal(place, &message, "`specialize` gives sizes their numbers: `spmm.specialize({n: 128})`"))
        }
    }
}

fn illegal(place: Span, message: &str, help: &str) -> Box<Diagnostic> {
    let told = Diagnostic::new(Code::TirStep, FileId(0), place, message).label("not legal here");
    Box::new(told.help(help))
}

/// # Errors
/// A kernel touches what another writes.
fn apart(function: &Function, kernels: &[Kernel<'_>]) -> Done<()> {
    let alone = |kernel: &Kernel<'_>| Function { body: vec![kernel.whole.clone()], ..function.clone() };
    let alone: Vec<Function> = kernels.iter().map(alone).collect();
    for (at, own) in alone.iter().enumerate() {
        let others = alone.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
        let touched: Vec<_> =
            others.flat_map(|other| accesses(other).into_iter().map(|access| access.buffer)).collect();
        if let Some(shared) = written(own).into_iter().find(|buffer| touched.contains(buffer)) {
            let name = &function.buffer(shared).name;
            let message = format!("this kernel writes `{name}`, which another one touches");
            let help = "kernels that are fused run at the same time: give each a result of its own";
            return Err(illegal(kernels[at].place, &message, help));
        }
    }
    Ok(())
}

/// The loops over all threads, and in them the kernels.
fn joined(made: &mut Function, kernels: &[Kernel<'_>]) -> Done<Statement> {
    let blocks = kernels.iter().map(|kernel| kernel.threads[0].2).sum();
    let mut axes = Vec::new();
    for tag in tags(kernels)? {
        let used = kernels.iter().flat_map(|kernel| &kernel.threads).filter(|(own, ..)| *own == tag);
        let most = used.map(|(.., count)| *count).max().unwrap_or(0);
        let count = if tag.name() == BLOCKS { blocks } else { most };
        axes.push(Axis { tag, count, variable: variable(made, &short(tag.name())) });
    }
    let mut start = blocks;
    let mut body = Vec::new();
    for kernel in kernels.iter().rev() {
        start -= kernel.threads[0].2;
        body = placed(kernel, &axes, start, body)?;
    }
    let place = made.place;
    let nest = axes.iter().rev().fold(body, |body, axis| {
        let (start, end) = (number(0), number(axis.count));
        let one = Loop {
            variable: axis.variable,
            kind: LoopKind::Bound(axis.tag),
            start,
            end,
            attributes: Attributes::default(),
            body,
        };
        vec![Statement { place, kind: StatementKind::Loop(one) }]
    });
    nest.into_iter()
        .next()
        .ok_or_else(|| illegal(place.0, "there are no kernels to fuse", "leave `horizontal_fuse` out"))
}

/// The axes of all kernels, in an order that each of them has.
fn tags(kernels: &[Kernel<'_>]) -> Done<Vec<Tag>> {
    let mut tags: Vec<Tag> = Vec::new();
    for kernel in kernels {
        let places = kernel.threads.iter().map(|(tag, ..)| tags.iter().position(|known| known == tag));
        let places: Vec<usize> = places.flatten().collect();
        if !places.is_sorted_by(|one, other| one < other) {
            let told = "this kernel has its loops over threads in another order than those before";
            return Err(illegal(kernel.place, told, "bind the loops of all kernels to the same axes, from outside in"));
        }
        let new = kernel.threads.iter().map(|(tag, ..)| *tag).filter(|tag| !tags.contains(tag));
        tags.extend(new.collect::<Vec<Tag>>());
    }
    Ok(tags)
}

/// A loop over threads of all kernels.
struct Axis {
    tag: Tag,
    count: i64,
    variable: VariableId,
}

/// `bx` of `blockIdx.x`
fn short(tag: &str) -> String {
    let axis = tag.rsplit('.').next().unwrap_or_default();
    format!("{}{axis}", tag.chars().next().unwrap_or('t'))
}

fn variable(function: &mut Function, name: &str) -> VariableId {
    let name = Names::of(function).fresh(name);
    function.variables.push(Variable { name, place: function.place, element: Element::I32, role: Role::Loop });
    VariableId::new(function.variables.len() - 1)
}

/// A kernel whose blocks begin at `start`; blocks behind them do what is `behind`.
fn placed(kernel: &Kernel<'_>, axes: &[Axis], start: i64, behind: Vec<Statement>) -> Done<Vec<Statement>> {
    let place = nnz_tir::model::Place(kernel.place);
    let (mut body, mut guards) = (kernel.body.to_vec(), Vec::new());
    for axis in axes {
        let thread = Expr::variable(place, axis.variable, Element::I32);
        let own = kernel.threads.iter().find(|(tag, ..)| *tag == axis.tag);
        let is_blocks = axis.tag.name() == BLOCKS;
        if let Some((_, variable, _)) = own {
            let value =
                if is_blocks && start > 0 { with(Binary::Subtract, thread.clone(), start)? } else { thread.clone() };
            body = Substitution { variable: *variable, value: &value }.statements(&body)?;
        }
        // A kernel without this axis is done by its first thread.
        let count = own.map_or(1, |(.., count)| *count);
        if !is_blocks && count < axis.count {
            guards.push(with(Binary::Less, thread, count)?);
        }
    }
    let body = guards.into_iter().fold(body, |body, condition| vec![choice(kernel, condition, body, Vec::new())]);
    let end = start + kernel.threads[0].2;
    let blocks = axes.iter().find(|axis| axis.tag.name() == BLOCKS);
    match blocks.filter(|axis| end < axis.count) {
        Some(axis) => {
            let block = Expr::variable(place, axis.variable, Element::I32);
            Ok(vec![choice(kernel, with(Binary::Less, block, end)?, body, behind)])
        }
        None => Ok(body),
    }
}

fn choice(kernel: &Kernel<'_>, condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    let kind = StatementKind::If { condition, then, otherwise };
    Statement { kind, ..kernel.whole.clone() }
}

fn number(value: i64) -> Expr {
    Expr::int(nnz_tir::model::Place(Span::at(0)), value, Element::I32)
}

fn with(op: Binary, left: Expr, right: i64) -> Done<Expr> {
    let place = left.place;
    Expr::binary(place, op, left, number(right))
        .map_err(|_| illegal(place.0, "a loop over threads is no number", "bind loops over whole numbers"))
}
