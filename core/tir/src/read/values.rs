//! Values of the Python around functions, as far as they are written out.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use ruff_python_ast::{Expr, Parameters, Stmt};

use crate::model::{Description, Rule};
use nnz_base::diagnostic::Diagnostic;

#[derive(Clone)]
pub(super) enum Known<'a> {
    Nothing,
    Int(i64),
    Truth(bool),
    Text(String),
    /// Several names may stand for one list, which grows.
    List(Rc<RefCell<Vec<Known<'a>>>>),
    Entries(Vec<(String, Known<'a>)>),
    Function(Rc<Closure<'a>>),
    Description(Description),
    /// A rule, or why it is none.
    Rule(Rc<Result<Rule, Box<Diagnostic>>>),
}

/// A function with the names that were known around it.
pub(super) struct Closure<'a> {
    pub(super) parameters: Option<&'a Parameters>,
    pub(super) body: Body<'a>,
    pub(super) scope: Scope<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    Value(&'a Expr),
    Suite(&'a [Stmt]),
}

/// The names of a body, within those around it.
pub(super) struct Frame<'a> {
    names: RefCell<HashMap<String, Option<Known<'a>>>>,
    outer: Option<Scope<'a>>,
}

pub(super) type Scope<'a> = Rc<Frame<'a>>;

impl<'a> Frame<'a> {
    pub(super) fn within(outer: Option<&Scope<'a>>) -> Scope<'a> {
        Rc::new(Frame { names: RefCell::default(), outer: outer.cloned() })
    }
    pub(super) fn forget(&self) {
        self.names.take();
    }
    /// A name is bound to a value, or to one that is not known.
    pub(super) fn bind(&self, name: &str, value: Option<Known<'a>>) {
        self.names.borrow_mut().insert(name.to_string(), value);
    }
    pub(super) fn find(&self, name: &str) -> Option<Known<'a>> {
        if let Some(found) = self.names.borrow().get(name) {
            return found.clone();
        }
        self.outer.as_ref()?.find(name)
    }
    /// The names of numbers that are known here, the innermost of each.
    pub(super) fn numbers(&self) -> Vec<(String, i64)> {
        let mut found = self.outer.as_ref().map(|outer| outer.numbers()).unwrap_or_default();
        for (name, value) in self.names.borrow().iter() {
            found.retain(|(known, _)| known != name);
            if let Some(Known::Int(value)) = value {
                found.push((name.clone(), *value));
            }
        }
        found.sort();
        found
    }
}

impl<'a> Known<'a> {
    pub(super) fn list(items: Vec<Known<'a>>) -> Known<'a> {
        Known::List(Rc::new(RefCell::new(items)))
    }
    pub(super) fn as_int(&self) -> Option<i64> {
        if let Known::Int(value) = self { Some(*value) } else { None }
    }
    pub(super) fn as_text(&self) -> Option<&str> {
        if let Known::Text(text) = self { Some(text) } else { None }
    }
    pub(super) fn items(&self) -> Option<Vec<Known<'a>>> {
        if let Known::List(items) = self { Some(items.borrow().clone()) } else { None }
    }
    /// Several texts, or one.
    pub(super) fn texts(&self) -> Option<Vec<String>> {
        match self {
            Known::Text(text) => Some(vec![text.clone()]),
            Known::List(items) => items.borrow().iter().map(|item| item.as_text().map(String::from)).collect(),
            Known::Nothing
            | Known::Int(_)
            | Known::Truth(_)
            | Known::Entries(_)
            | Known::Function(_)
            | Known::Description(_)
            | Known::Rule(_) => None,
        }
    }
    /// As `str` gives it.
    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Known::Int(value) => Some(value.to_string()),
            Known::Text(text) => Some(text.clone()),
            Known::Truth(value) => Some(if *value { "True" } else { "False" }.to_string()),
            Known::Nothing
            | Known::List(_)
            | Known::Entries(_)
            | Known::Function(_)
            | Known::Description(_)
            | Known::Rule(_) => None,
        }
    }
}
