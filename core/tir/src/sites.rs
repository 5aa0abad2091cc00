//! Statements, with the iterations around them.

use crate::model::{Access, BufferId, Expr, ExprKind, Function, Iteration, Statement, StatementKind};

/// A statement in its place.
pub struct Site<'f> {
    pub statement: &'f Statement,
    /// Outermost first.
    pub around: Vec<&'f Iteration>,
}

/// All statements of a function, each before those within it.
pub fn sites(function: &Function) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    function.body.iter().for_each(|statement| visit(statement, &[], &mut sites));
    sites
}

fn visit<'f>(statement: &'f Statement, around: &[&'f Iteration], sites: &mut Vec<Site<'f>>) {
    sites.push(Site { statement, around: around.to_vec() });
    let within: Vec<&Iteration> = around.iter().copied().chain(statement.iteration()).collect();
    for body in statement.bodies() {
        body.iter().for_each(|statement| visit(statement, &within, sites));
    }
}

/// The statements of an iteration itself, without those of iterations within it.
pub fn own(body: &[Statement]) -> Vec<&Statement> {
    let within = |statement: &Statement| !matches!(statement.kind, StatementKind::Iteration(_));
    let mut found = Vec::new();
    for statement in body.iter().filter(|statement| within(statement)) {
        found.push(statement);
        statement.bodies().into_iter().for_each(|body| found.extend(own(body)));
    }
    found
}

/// The elements that a statement reads.
pub fn loads(statement: &Statement) -> Vec<&Access> {
    let mut found = Vec::new();
    for expr in statement.exprs() {
        found.extend(loads_of(expr));
    }
    found
}

pub fn loads_of(expr: &Expr) -> Vec<&Access> {
    let mut found = Vec::new();
    expr.walk(&mut |part| {
        if let ExprKind::Load(access) = part.kind() {
            found.push(access);
        }
    });
    found
}

/// Whether a statement adds to an element, or otherwise makes its new value of the old one.
pub fn accumulates(statement: &Statement) -> bool {
    statement.written().is_some_and(|target| loads(statement).contains(&target))
}

/// Buffers that live within an iteration.
pub fn locals(function: &Function) -> Vec<BufferId> {
    let inside = sites(function).into_iter().filter(|site| !site.around.is_empty());
    let allocated = inside.filter_map(|site| match site.statement.kind {
        StatementKind::Allocate(buffer) => Some(buffer),
        StatementKind::Iteration(_)
        | StatementKind::Block(_)
        | StatementKind::Loop(_)
        | StatementKind::While(..)
        | StatementKind::If { .. }
        | StatementKind::Store(..)
        | StatementKind::Let(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Domain(..) => None,
    });
    allocated.collect()
}
