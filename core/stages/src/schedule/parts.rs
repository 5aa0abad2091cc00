//! Which part of a buffer one turn of a loop touches, dimension by dimension.

#![expect(clippy::wildcard_enum_match_arm, reason = "of other indices nothing is known")]

use std::collections::HashMap;

use nnz_tir::{
    model::{Access, Binary, BufferId, Expr, ExprKind, Statement, StatementKind, VariableId},
    sites::loads,
};

/// The part of a dimension.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    All,
    /// So many elements from a place that the loops outside settle; from 0 on without one.
    Of {
        outer: Option<Expr>,
        span: i64,
    },
}

/// The parts of a buffer that statements read, or write. `counts` tells of a variable outside whether it is never negative.
pub(super) fn parts_within(
    body: &[Statement],
    (buffer, writes): (BufferId, bool),
    counts: &dyn Fn(VariableId) -> bool,
) -> Vec<Part> {
    let (meanings, turns) = (HashMap::new(), HashMap::new());
    let mut search = Search { buffer, writes, counts, meanings, turns, found: Vec::new() };
    search.statements(body);
    let mut parts: Vec<Part> = Vec::new();
    for one in search.found {
        if parts.is_empty() {
            parts = one;
            continue;
        }
        for (part, other) in parts.iter_mut().zip(one) {
            if *part != other {
                *part = Part::All;
            }
        }
    }
    parts
}

struct Search<'s> {
    buffer: BufferId,
    writes: bool,
    counts: &'s dyn Fn(VariableId) -> bool,
    /// What variables of blocks stand for.
    meanings: HashMap<VariableId, Option<Expr>>,
    /// How many turns the loops within have.
    turns: HashMap<VariableId, Option<i64>>,
    found: Vec<Vec<Part>>,
}

impl Search<'_> {
    fn statements(&mut self, body: &[Statement]) {
        for statement in body {
            match &statement.kind {
                StatementKind::Loop(one) => {
                    let turns = one.end.as_constant().filter(|_| one.start.as_constant() == Some(0));
                    self.turns.insert(one.variable, turns);
                }
                StatementKind::Block(block) => {
                    for one in &block.variables {
                        let meaning = self.resolved(&one.value);
                        self.meanings.insert(one.variable, meaning);
                    }
                }
                StatementKind::Let(variable, _) => drop(self.meanings.insert(*variable, None)),
                _ => {}
            }
            let accesses: Vec<&Access> = match self.writes {
                true => statement.written().into_iter().collect(),
                false => loads(statement),
            };
            for access in accesses.into_iter().filter(|access| access.buffer == self.buffer) {
                let parts = access.indices.iter().map(|index| self.part(index)).collect();
                self.found.push(parts);
            }
            statement.bodies().into_iter().for_each(|inner| self.statements(inner));
        }
    }

    /// With what variables of blocks stand for; `None` if that is not known.
    fn resolved(&self, expr: &Expr) -> Option<Expr> {
        match expr.kind() {
            ExprKind::Int(_) => Some(expr.clone()),
            ExprKind::Variable(id) => match self.meanings.get(id) {
                Some(meaning) => meaning.clone().map(|meaning| meaning.into_type(expr.element())),
                None => Some(expr.clone()),
            },
            ExprKind::Cast(inner) => Some(self.resolved(inner)?.into_type(expr.element())),
            ExprKind::Binary(op @ (Binary::Add | Binary::Multiply), left, right) => {
                Expr::binary(expr.place, *op, self.resolved(left)?, self.resolved(right)?).ok()
            }
            _ => None,
        }
    }

    fn part(&self, index: &Expr) -> Part {
        let (mut outer, mut span): (Option<Expr>, i64) = (None, 1);
        let Some(index) = self.resolved(index) else { return Part::All };
        for term in terms(&index) {
            match self.reach(term) {
                Some(0) => {
                    outer = match outer {
                        None => Some(term.clone()),
                        Some(before) => match Expr::binary(term.place, Binary::Add, before, term.clone()) {
                            Ok(sum) => Some(sum),
                            Err(_) => return Part::All,
                        },
                    };
                }
                Some(reach) => span = span.saturating_add(reach),
                None => return Part::All,
            }
        }
        match outer {
            None => Part::All,
            outer => Part::Of { outer, span },
        }
    }

    /// How far a term goes while the loops within run: 0 if they do not change it.
    fn reach(&self, term: &Expr) -> Option<i64> {
        match term.kind() {
            ExprKind::Int(value) if *value >= 0 => Some(0),
            ExprKind::Variable(id) => match self.turns.get(id) {
                Some(turns) => (*turns)?.checked_sub(1),
                None => (self.counts)(*id).then_some(0),
            },
            ExprKind::Cast(inner) => self.reach(inner),
            ExprKind::Binary(Binary::Multiply, left, right) => match (self.reach(left)?, left, right) {
                (0, ..) if self.reach(right)? == 0 => Some(0),
                (reach, _, right) => reach.checked_mul(right.as_constant().filter(|by| *by >= 0)?),
            },
            _ => None,
        }
    }
}

/// The terms of a sum.
fn terms(expr: &Expr) -> Vec<&Expr> {
    match expr.kind() {
        ExprKind::Binary(Binary::Add, left, right) => [terms(left), terms(right)].concat(),
        _ => vec![expr],
    }
}
