//! What statements mention.

use std::collections::HashSet;

use nnz_tir::{
    model::{Access, Buffer, BufferId, Expr, Function, Layout, Statement, StatementKind, VariableId},
    sites::{loads_of, sites},
};

/// Every element that a function names.
pub(crate) fn accesses(function: &Function) -> Vec<&Access> {
    let sites = sites(function);
    sites.iter().flat_map(|site| loaded(site.statement).into_iter().chain(site.statement.written())).collect()
}

fn loaded(statement: &Statement) -> Vec<&Access> {
    statement.exprs().into_iter().flat_map(loads_of).collect()
}

/// Whether a function reads elements of a buffer.
pub(super) fn is_read(function: &Function, id: BufferId) -> bool {
    sites(function).iter().any(|site| loaded(site.statement).iter().any(|access| access.buffer == id))
}

/// Whether some index or bound is read from a buffer.
pub(super) fn finds(function: &Function, id: BufferId) -> bool {
    let reads = |expr: &Expr| loads_of(expr).iter().any(|access| access.buffer == id);
    let bounds = |statement: &Statement| match &statement.kind {
        StatementKind::Loop(one) => reads(&one.start) || reads(&one.end),
        StatementKind::Block(block) => block.variables.iter().any(|variable| reads(&variable.value)),
        StatementKind::Iteration(_)
        | StatementKind::While(..)
        | StatementKind::If { .. }
        | StatementKind::Store(..)
        | StatementKind::Let(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Allocate(_)
        | StatementKind::Domain(..) => false,
    };
    sites(function).iter().any(|site| bounds(site.statement))
        || accesses(function).iter().any(|access| access.indices.iter().any(reads))
}

/// The buffers whose elements statements name, and the variables in all expressions and in sizes of these buffers.
pub(super) fn named(body: &[Statement], function: &Function) -> (HashSet<BufferId>, HashSet<VariableId>) {
    let mut buffers = HashSet::new();
    let mut variables = HashSet::new();
    body.iter().for_each(|statement| collect(statement, &mut buffers, &mut variables));
    for id in &buffers {
        sizes(function.buffer(*id)).iter().for_each(|size| within(size, &mut HashSet::new(), &mut variables));
    }
    (buffers, variables)
}

fn sizes(buffer: &Buffer) -> &[Expr] {
    if let Layout::Dense(dense) = &buffer.layout { &dense.shape } else { &[] }
}

fn collect(statement: &Statement, buffers: &mut HashSet<BufferId>, variables: &mut HashSet<VariableId>) {
    statement.exprs().into_iter().for_each(|expr| within(expr, buffers, variables));
    buffers.extend(statement.written().map(|target| target.buffer));
    match &statement.kind {
        StatementKind::Block(block) => {
            block.variables.iter().for_each(|one| within(&one.start, buffers, variables));
        }
        StatementKind::Allocate(id) => drop(buffers.insert(*id)),
        StatementKind::Iteration(_)
        | StatementKind::Loop(_)
        | StatementKind::While(..)
        | StatementKind::If { .. }
        | StatementKind::Store(..)
        | StatementKind::Let(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Domain(..) => {}
    }
    statement.bodies().into_iter().flatten().for_each(|inner| collect(inner, buffers, variables));
}

fn within(expr: &Expr, buffers: &mut HashSet<BufferId>, variables: &mut HashSet<VariableId>) {
    buffers.extend(loads_of(expr).iter().map(|access| access.buffer));
    expr.walk(&mut |part| variables.extend(part.as_variable()));
}
