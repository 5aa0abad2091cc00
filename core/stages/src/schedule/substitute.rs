//! Other expressions for variables.

use nnz_base::element::Element;
use nnz_tir::model::{Access, Expr, Iteration, Range, Region, Role, Statement, StatementKind, Variable, VariableId};

use super::State;
use crate::{fault::Done, lower::rewrite::Rewrite};

/// Statements with an expression for a variable.
pub(super) fn substituted(body: &[Statement], variable: VariableId, value: &Expr) -> Done<Vec<Statement>> {
    Substitution { variable, value }.statements(body)
}

pub(crate) struct Substitution<'s> {
    pub variable: VariableId,
    pub value: &'s Expr,
}

impl Substitution<'_> {
    fn access<'f>(&mut self, access: &'f Access) -> Done<Access> {
        let indices = access.indices.iter().map(|index| Rewrite::<'f>::expr(self, index)).collect::<Done<_>>()?;
        Ok(Access { indices, ..access.clone() })
    }
}

impl<'f> Rewrite<'f> for Substitution<'_> {
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        let is_it = expr.as_variable() == Some(self.variable);
        Ok(if is_it { self.value.clone().into_type(expr.element()) } else { expr.clone() })
    }
    fn load(&mut self, access: &'f Access, element: Element) -> Done<Expr> {
        Ok(Expr::load(self.access(access)?, element))
    }
    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        Ok(StatementKind::Store(self.access(target)?, self.expr(value)?))
    }
    fn regions(&mut self, regions: &'f [Region]) -> Done<Option<Vec<Region>>> {
        let region = |region: &'f Region| {
            let ranges = region.ranges.iter().map(|range| match range {
                Range::Point(at) => self.expr(at).map(Range::Point),
                Range::Between(start, end) => Ok(Range::Between(self.expr(start)?, self.expr(end)?)),
            });
            Ok(Region { ranges: ranges.collect::<Done<_>>()?, ..region.clone() })
        };
        regions.iter().map(region).collect::<Done<_>>().map(Some)
    }
    fn special(&mut self, statement: &'f Statement) -> Done<Option<Vec<Statement>>> {
        let kind = match &statement.kind {
            StatementKind::Iteration(one) => {
                let (init, body) = (self.statements(&one.init)?, self.statements(&one.body)?);
                StatementKind::Iteration(Box::new(Iteration { init, body, ..(**one).clone() }))
            }
            StatementKind::Domain(buffer, low, high) => {
                StatementKind::Domain(*buffer, self.expr(low)?, self.expr(high)?)
            }
            StatementKind::Block(_)
            | StatementKind::Loop(_)
            | StatementKind::While(..)
            | StatementKind::If { .. }
            | StatementKind::Store(..)
            | StatementKind::Let(..)
            | StatementKind::Evaluate(_)
            | StatementKind::Intrinsic(_)
            | StatementKind::Assert(..)
            | StatementKind::Allocate(_) => return Ok(None),
        };
        Ok(Some(vec![Statement { kind, ..statement.clone() }]))
    }
}

impl State {
    /// A new variable of a loop, called like another with something behind it.
    pub(super) fn new_loop(&mut self, name: &str, element: Element) -> VariableId {
        let name = crate::lower::names::Names::of(&self.function).fresh(name);
        self.function.variables.push(Variable { name, place: self.function.place, element, role: Role::Loop });
        VariableId::new(self.function.variables.len() - 1)
    }
}
