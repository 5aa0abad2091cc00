//! `fuse`: loops directly within each other as one, in the same order.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::element::Element;
use nnz_tir::model::{Binary, Call, Expr, Loop, LoopKind, VariableId};

use super::{
    State,
    handles::{Value, wanted},
    illegal,
    nest::{mentions, only_loop},
    split::{Placed, binary},
    substitute::substituted,
    unformed,
};
use crate::fault::Done;

impl State {
    pub(super) fn fuse(&mut self, call: &Call) -> Done<Value> {
        let loops = self.all(call)?.into_iter().map(|(value, place)| match value {
            Value::Loop(variable) => Ok(variable),
            other => Err(wanted(place, "a loop", &other)),
        });
        let loops = loops.collect::<Done<Vec<VariableId>>>()?;
        let Some((first, rest)) = loops.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Err(Box::new(unformed(call.place.0, "at least two loops are wanted")));
        };
        let mut outer = *first;
        for inner in rest {
            outer = self.fused(outer, *inner, call)?;
        }
        Ok(Value::Loop(outer))
    }

    fn fused(&mut self, outer: VariableId, inner: VariableId, call: &Call) -> Done<VariableId> {
        let place = call.place.0;
        let one = self.found(outer, place)?.clone();
        let other = self.found(inner, place)?.clone();
        if only_loop(&one.body).is_none_or(|within| within.variable != inner) {
            return Err(Box::new(illegal(place, "these loops are not directly within each other")));
        }
        let plain = |one: &Loop| one.kind == LoopKind::Serial && one.start.as_constant() == Some(0);
        if !plain(&one) || !plain(&other) {
            return Err(Box::new(illegal(place, "only serial loops that begin at 0 are fused")));
        }
        if mentions(&other.end, &[outer]) {
            return Err(Box::new(illegal(
                place,
                "the inner loop has another number of turns in each turn of the outer one",
            )));
        }
        let names = [outer, inner].map(|id| self.function.variable(id).name.clone());
        let (end, size, element) = extent(&one.end, &other.end)?;
        let variable = self.new_loop(&format!("{}_{}", names[0], names[1]), element);
        let own = Expr::variable(one.place(), variable, element);
        let row = binary(Binary::FloorDivide, own.clone(), size.clone())?.into_type(one.end.element());
        let column = binary(Binary::FloorModulo, own, size)?.into_type(other.end.element());
        let body = substituted(&substituted(&other.body, inner, &column)?, outer, &row)?;
        let start = Expr::int(one.place(), 0, element);
        let fused = Loop { variable, kind: LoopKind::Serial, start, end, attributes: one.attributes.clone(), body };
        self.replace(outer, |_| fused.clone());
        Ok(variable)
    }
}

/// The number of turns, those of the inner loop, and the type in which they are counted: one that holds the product.
fn extent(outer: &Expr, inner: &Expr) -> Done<(Expr, Expr, Element)> {
    let known = outer.as_constant().zip(inner.as_constant()).and_then(|(one, other)| one.checked_mul(other));
    let is_small = known.is_some_and(|product| product < i64::from(i32::MAX));
    let element = if is_small { inner.element() } else { Element::I64 };
    let (outer, inner) = (outer.clone().into_type(element), inner.clone().into_type(element));
    let end = match known {
        Some(product) => Expr::int(outer.place, product, element),
        None => binary(Binary::Multiply, outer, inner.clone())?,
    };
    Ok((end, inner, element))
}
