//! The numbers of a description: those that are given, those of the Python around, and lengths that follow from the map.

use nnz_base::element::Scalar;
use nnz_tir::{
    maps::greatest,
    model::{Expr, Role, VariableId},
    rules::Ruled,
};

use crate::{
    array::Arrays,
    closed::count,
    fault::{Done, unfit},
};

/// The numbers of a description by its variables.
pub(super) struct Numbers<'r> {
    ruled: &'r Ruled<'r>,
    known: Vec<Option<Scalar>>,
}

impl<'r> Numbers<'r> {
    /// What is known before entries are; `view` has arrays under the names of the description.
    pub(super) fn of(ruled: &'r Ruled<'r>, view: &Arrays, lengths: &[i64]) -> Numbers<'r> {
        let variables = &ruled.description.variables;
        let given = |name: &str| view.get(name).filter(|array| array.values.len() == 1)?.values.get(0);
        let known = variables.iter().map(|variable| match variable.role {
            Role::Captured => {
                let constants = &ruled.rule.description.constants;
                constants.iter().find(|(name, _)| *name == variable.name).map(|(_, value)| Scalar::Int((*value).into()))
            }
            Role::Param => given(&variable.name),
            Role::Iteration | Role::Loop | Role::Block | Role::Let | Role::Map => None,
        });
        let mut numbers = Numbers { ruled, known: known.collect() };
        numbers.lengths(lengths);
        numbers
    }

    /// A length that nothing gives holds all coordinates that the map can give.
    fn lengths(&mut self, lengths: &[i64]) {
        let at_least_one: Vec<i64> = lengths.iter().map(|length| (*length).max(1)).collect();
        let Some(most) = greatest(&self.ruled.rule.there, &at_least_one) else { return };
        let given = self.known.clone();
        for (id, most) in self.ruled.after.iter().zip(most) {
            let length = self.ruled.description.iterator(*id).length.as_variable();
            let Some(variable) = length.filter(|variable| given[variable.index()].is_none()) else { continue };
            let known = &mut self.known[variable.index()];
            let before = if let Some(Scalar::Int(before)) = known { *before } else { 0 };
            *known = Some(Scalar::Int(before.max(i128::from(most) + 1)));
        }
    }

    /// A number, computed from those that are known.
    pub(super) fn value(&self, expr: &Expr) -> Done<u64> {
        count(self.ruled.description, &self.known, expr).map_err(|told| {
            let mut open = None;
            expr.walk(&mut |part| open = open.or(part.as_variable().filter(|id| self.known[id.index()].is_none())));
            let Some(open) = open else { return told };
            let name = super::merged::suffixed(&self.ruled.description.variable(open).name, self.ruled);
            let told = unfit(self.ruled.rule.place.0, format!("`{name}` is not given, and does not follow"));
            Box::new(told.label("needed to fill this format").help("bind it with the arrays"))
        })
    }

    /// The number of an expression, if it is known already.
    pub(super) fn known(&self, expr: &Expr) -> Option<u64> {
        count(self.ruled.description, &self.known, expr).ok()
    }

    /// A number that follows is settled, if the expression is only its name.
    pub(super) fn settle(&mut self, expr: &Expr, value: u64) {
        if let Some(variable) = expr.as_variable()
            && self.known[variable.index()].is_none()
        {
            self.known[variable.index()] = Some(Scalar::Int(value.into()));
        }
    }

    /// The parameters and captured names with their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, VariableId, Scalar)> {
        let named = self.ruled.description.variables.iter().enumerate();
        named.filter_map(|(at, variable)| Some((variable.name.as_str(), VariableId::new(at), self.known[at]?)))
    }

    pub(super) fn scalars(&self) -> &[Option<Scalar>] {
        &self.known
    }
}
