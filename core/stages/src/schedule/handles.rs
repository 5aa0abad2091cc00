//! What names and arguments of steps stand for.

use nnz_base::{diagnostic::did_you_mean, source::Span};
use nnz_tir::model::{Argued, Call, Given, IteratorId, VariableId};

use super::{State, unformed};
use crate::fault::Done;

/// What a name of the Python around stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// By its name.
    Block(String),
    /// By its variable.
    Loop(VariableId),
    /// By its name.
    Iteration(String),
    Iterator(IteratorId),
    Many(Vec<Value>),
    Nothing,
    Int(i64),
    Bool(bool),
    Text(String),
}

impl Value {
    fn what(&self) -> &'static str {
        match self {
            Value::Block(_) => "a block",
            Value::Loop(_) => "a loop",
            Value::Iteration(_) => "a sparse iteration",
            Value::Iterator(_) => "an iterator",
            Value::Many(_) => "several",
            Value::Nothing => "nothing",
            Value::Int(_) => "a number",
            Value::Bool(_) => "a truth value",
            Value::Text(_) => "a text",
        }
    }
}

impl State {
    /// The argument of a place or a name, if it is there.
    pub(super) fn given(&mut self, call: &Call, (at, name): (usize, &str)) -> Done<Option<(Value, Span)>> {
        let plain = call.arguments.iter().filter(|given| given.name.is_none()).nth(at);
        let named = call.arguments.iter().find(|given| given.name.as_deref() == Some(name));
        match plain.or(named) {
            Some(given) => Ok(Some((self.value(given)?, given.place.0))),
            None => Ok(None),
        }
    }

    pub(super) fn needed(&mut self, call: &Call, which: (usize, &str)) -> Done<(Value, Span)> {
        let told = || Box::new(unformed(call.place.0, format!("`{}` needs `{}`", call.method, which.1)));
        self.given(call, which)?.ok_or_else(told)
    }

    /// All arguments by place.
    pub(super) fn all(&mut self, call: &Call) -> Done<Vec<(Value, Span)>> {
        let plain = call.arguments.iter().filter(|given| given.name.is_none());
        plain.map(|given| Ok((self.value(given)?, given.place.0))).collect()
    }

    fn value(&mut self, given: &Given) -> Done<Value> {
        let place = given.place.0;
        match &given.value {
            Argued::Name(name) => self.known(name, place).cloned(),
            Argued::Item(name, at) => self.item(name, *at, place),
            Argued::List(parts) => parts.iter().map(|part| self.value(part)).collect::<Done<Vec<_>>>().map(Value::Many),
            Argued::Call(call) => self.called(call),
            Argued::Nothing => Ok(Value::Nothing),
            Argued::Bool(value) => Ok(Value::Bool(*value)),
            Argued::Int(value) => Ok(Value::Int(*value)),
            Argued::Text(value) => Ok(Value::Text(value.clone())),
            Argued::Other => Err(Box::new(unformed(place, "this is no handle, number or text"))),
        }
    }

    fn known(&self, name: &str, place: Span) -> Done<&Value> {
        self.named.get(name).ok_or_else(|| {
            let told = unformed(place, format!("`{name}` stands for nothing of this schedule"));
            Box::new(match did_you_mean(name, self.named.keys().map(String::as_str)) {
                Some(near) => told.help(format!("there is `{near}`")),
                None => told,
            })
        })
    }

    fn item(&self, name: &str, at: i64, place: Span) -> Done<Value> {
        let whole = self.known(name, place)?;
        let Value::Many(values) = whole else {
            return Err(Box::new(unformed(place, format!("`{name}` is {}, and has no parts", whole.what()))));
        };
        let counted = if at < 0 { at + values.len() as i64 } else { at };
        let found = usize::try_from(counted).ok().and_then(|at| values.get(at)).cloned();
        found.ok_or_else(|| Box::new(unformed(place, format!("`{name}` has {} parts", values.len()))))
    }

    pub(super) fn loop_of(&mut self, call: &Call, which: (usize, &str)) -> Done<(VariableId, Span)> {
        match self.needed(call, which)? {
            (Value::Loop(variable), place) => Ok((variable, place)),
            (other, place) => Err(wanted(place, "a loop", &other)),
        }
    }

    pub(super) fn text(&mut self, call: &Call, which: (usize, &str)) -> Done<(String, Span)> {
        match self.needed(call, which)? {
            (Value::Text(text), place) => Ok((text, place)),
            (other, place) => Err(wanted(place, "a text", &other)),
        }
    }
}

pub(super) fn wanted(place: Span, what: &str, found: &Value) -> Box<nnz_base::diagnostic::Diagnostic> {
    Box::new(unformed(place, format!("{what} is wanted, and this is {}", found.what())))
}
