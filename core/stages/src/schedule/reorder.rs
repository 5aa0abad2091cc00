//! `reorder`: the loops of a nest in another order.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::source::Span;
use nnz_tir::model::{Call, Loop, Statement, StatementKind, VariableId};

use super::{
    State,
    handles::{Value, wanted},
    illegal,
    nest::{mentions, only_loop},
    split::Placed,
    unformed,
};
use crate::fault::Done;

impl State {
    pub(super) fn reorder(&mut self, call: &Call) -> Done<Value> {
        let place = call.place.0;
        let wanted_order = self.all(call)?.into_iter().map(|(value, place)| match value {
            Value::Loop(variable) => Ok(variable),
            other => Err(wanted(place, "a loop", &other)),
        });
        let order = wanted_order.collect::<Done<Vec<VariableId>>>()?;
        let twice = order.iter().enumerate().any(|(at, one)| order[..at].contains(one));
        if order.len() < 2 || twice {
            return Err(Box::new(unformed(place, "two different loops or more are wanted")));
        }
        let chain = self.chain(&order, place)?;
        let mut next = order.iter();
        let moved = |one: &Loop| if order.contains(&one.variable) { next.next().copied() } else { Some(one.variable) };
        let new: Vec<VariableId> = chain.iter().filter_map(moved).collect();
        self.check_order(&chain, &new, place)?;
        let innermost = chain.last().map(|one| one.body.clone()).unwrap_or_default();
        let nest = new.iter().rev().try_fold(innermost, |body, variable| {
            let one = chain.iter().find(|one| one.variable == *variable)?;
            let kind = StatementKind::Loop(Loop { body, ..one.clone() });
            Some(vec![Statement { place: one.place(), kind }])
        });
        let outermost = chain.first().map(|one| one.variable);
        if let (Some(outermost), Some([Statement { kind: StatementKind::Loop(nest), .. }])) =
            (outermost, nest.as_deref())
        {
            self.replace(outermost, |_| nest.clone());
        }
        Ok(Value::Nothing)
    }

    /// The nest from the outermost of these loops to the innermost.
    fn chain(&self, order: &[VariableId], place: Span) -> Done<Vec<Loop>> {
        let chains = order.iter().map(|first| {
            let mut chain = vec![self.found(*first, place)?.clone()];
            while let Some(inner) = chain.last().and_then(|last| only_loop(&last.body)).cloned() {
                chain.push(inner);
            }
            let last = chain.iter().rposition(|one| order.contains(&one.variable)).unwrap_or(0);
            chain.truncate(last + 1);
            Ok(chain)
        });
        let chains = chains.collect::<Done<Vec<Vec<Loop>>>>()?;
        let holds_all = |chain: &Vec<Loop>| order.iter().all(|id| chain.iter().any(|one| one.variable == *id));
        chains.into_iter().find(holds_all).ok_or_else(|| {
            let told = illegal(place, "these loops are not in one nest: other statements or blocks stand between them");
            Box::new(told.help("only loops directly within each other change places"))
        })
    }

    fn check_order(&self, chain: &[Loop], new: &[VariableId], place: Span) -> Done<()> {
        let all: Vec<VariableId> = chain.iter().map(|one| one.variable).collect();
        if chain.iter().any(|one| mentions(&one.end, &all) || mentions(&one.start, &all)) {
            return Err(Box::new(illegal(place, "the bounds of one of these loops are computed from another one")));
        }
        let at = |id: VariableId| new.iter().position(|other| *other == id);
        for (outer, one) in all.iter().enumerate() {
            for other in &all[outer + 1..] {
                if at(*other) < at(*one) && !self.is_independent(*one, place)? && !self.is_independent(*other, place)? {
                    let names = [*one, *other].map(|id| self.function.variable(id).name.clone());
                    let message = format!(
                        "`{}` and `{}` cannot change places: both add to the same elements",
                        names[0], names[1]
                    );
                    let told = illegal(place, message);
                    return Err(Box::new(told.help("sums keep their order, since rounding depends on it")));
                }
            }
        }
        Ok(())
    }
}
