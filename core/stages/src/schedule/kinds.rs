//! `parallel`, `vectorize`, `unroll`, `bind` and `annotate`: what loops and blocks say of themselves.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::{diagnostic::did_you_mean, source::Span};
use nnz_tir::model::{
    Attributes, Call, Loop, LoopKind, Statement, StatementKind, TAGS, Tag, Value as Noted, VariableId,
};

use super::{
    State,
    handles::{Value, wanted},
    illegal, nest, unformed,
};
use crate::fault::Done;

impl State {
    pub(super) fn set_kind(&mut self, call: &Call) -> Done<Value> {
        let (variable, place) = self.loop_of(call, (0, "loop"))?;
        self.found(variable, place)?;
        let kind = match call.method.as_str() {
            "parallel" => LoopKind::Parallel,
            "vectorize" => LoopKind::Vectorized,
            "unroll" => LoopKind::Unrolled,
            _ => LoopKind::Bound(self.free_tag(call, (variable, place))?),
        };
        if kind != LoopKind::Unrolled && !self.is_independent(variable, place)? {
            let name = &self.function.variable(variable).name;
            let told = illegal(place, format!("the turns of `{name}` may touch the same elements"));
            return Err(Box::new(told.help("choose a loop over rows or columns of the result")));
        }
        self.replace(variable, |one| nnz_tir::model::Loop { kind, ..one });
        Ok(Value::Nothing)
    }

    /// An axis of threads that no loop around or within this one has.
    fn free_tag(&mut self, call: &Call, (variable, place): (VariableId, Span)) -> Done<Tag> {
        let tag = self.tag(call)?;
        let is_bound = |one: &&Loop| one.variable != variable && one.kind == LoopKind::Bound(tag);
        let other = nest::nested_with(&self.function.body, variable).into_iter().find(is_bound);
        match other.filter(|_| !tag.name().starts_with("vthread")) {
            None => Ok(tag),
            Some(other) => {
                let name = &self.function.variable(other.variable).name;
                let told =
                    illegal(place, format!("`{}` is taken by `{name}`, and one stands within the other", tag.name()));
                Err(Box::new(told.help("bind it to another axis, or `fuse` the loops first")))
            }
        }
    }

    fn tag(&mut self, call: &Call) -> Done<Tag> {
        let (name, place) = self.text(call, (1, "thread_axis"))?;
        Tag::named(&name).ok_or_else(|| {
            let told = unformed(place, format!("`{name}` is no axis of threads"));
            Box::new(match did_you_mean(&name, TAGS.iter().copied()) {
                Some(near) => told.help(format!("there is `{near}`")),
                None => told.help(format!("there are {}", TAGS.join(", "))),
            })
        })
    }

    pub(super) fn annotate(&mut self, call: &Call) -> Done<Value> {
        let (target, place) = self.needed(call, (0, "block_or_loop"))?;
        let (key, _) = self.text(call, (1, "ann_key"))?;
        let value = match self.needed(call, (2, "ann_val"))? {
            (Value::Int(number), _) => Noted::Int(number),
            (Value::Bool(truth), _) => Noted::Bool(truth),
            (Value::Text(text), _) => Noted::Text(text),
            (other, place) => return Err(wanted(place, "a number, a truth value or a text", &other)),
        };
        match target {
            Value::Loop(variable) => {
                self.found(variable, place)?;
                self.replace(variable, |mut one| {
                    one.attributes.insert(key.clone(), value.clone());
                    one
                });
            }
            Value::Block(name) | Value::Iteration(name) => {
                noted(&mut self.function.body, &name, &mut |attributes| {
                    drop(attributes.insert(key.clone(), value.clone()))
                });
            }
            other => return Err(wanted(place, "a block, a loop or a sparse iteration", &other)),
        }
        Ok(Value::Nothing)
    }
}

/// The attributes of the block or the iteration with a name.
fn noted(body: &mut [Statement], name: &str, note: &mut impl FnMut(&mut Attributes)) {
    for statement in body {
        match &mut statement.kind {
            StatementKind::Block(block) if block.name == name => note(&mut block.attributes),
            StatementKind::Iteration(iteration) if iteration.name == name => note(&mut iteration.attributes),
            _ => {}
        }
        nest::bodies(statement).into_iter().for_each(|body| noted(body, name, note));
    }
}
