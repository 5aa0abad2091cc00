//! What is known while a function is read.

use std::collections::HashMap;

use nnz_base::element::Element;
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    source::{Source, Span},
};
use ruff_python_ast::{Expr, ExprName};

use super::{
    names::{Meaning, Mention, Names, Thing},
    python::span,
};
use crate::model::{self, Function, Place, Role, Variable, VariableId};

pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    pub(super) aliases: &'a [String],
    pub(super) function: Function,
    pub(super) names: Names<'a>,
    pub(super) mentions: Vec<Mention>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where each loop runs, for blocks that take its range over.
    pub(super) ranges: HashMap<VariableId, (model::Expr, model::Expr)>,
    /// What the function declares at all.
    pub(super) later: HashMap<&'a str, Span>,
    /// Spellings that the RFC has replaced, with theirs.
    pub(super) old: Vec<(Span, String)>,
    /// Whether Python's parser found a mistake in the function: a declaration may be missing.
    pub(super) is_broken: bool,
    pub(super) depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn tell(&mut self, told: Diagnostic) {
        self.diagnostics.push(told);
    }
    /// Tells of a mistake, after which there is nothing.
    pub(super) fn wrong<T>(&mut self, told: Diagnostic) -> Option<T> {
        self.tell(told);
        None
    }
    pub(super) fn mistake(&self, code: Code, place: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.source.id, place, message)
    }
    pub(super) fn text(&self, place: Span) -> &'a str {
        self.source.slice(place)
    }

    /// Declares something that is known from here on; two iterators, buffers or parameters of one name are a mistake.
    pub(super) fn declare(&mut self, name: &str, place: Span, thing: Thing) {
        let is_global = |meaning: &Meaning<'_>| {
            matches!(meaning, Meaning::Thing(Thing::Iterator(_) | Thing::Buffer(_) | Thing::Param(_)))
        };
        if let Some((before, first)) = self.names.find(name).filter(|(before, _)| is_global(before)) {
            let both = matches!((before, thing), (Meaning::Thing(Thing::Param(_)), Thing::Buffer(_)));
            let message = format!("`{name}` is declared twice");
            let told = self.mistake(Code::ScriptName, place, message).label("this one hides the first");
            self.tell(told.secondary(first, if both { "the handle of this name" } else { "the first" }));
        }
        self.mentions.push(Mention { span: place, thing });
        self.names.add(name, Meaning::Thing(thing), place);
    }

    /// A new variable, known from here on.
    pub(super) fn variable(&mut self, name: &str, place: Span, element: Element, role: Role) -> VariableId {
        let id = VariableId::new(self.function.variables.len());
        self.function.variables.push(Variable { name: name.to_string(), place: Place(place), element, role });
        self.declare(name, place, Thing::Variable(id));
        id
    }

    /// What a name means; a name without a meaning is told.
    pub(super) fn meaning(&mut self, name: &ExprName) -> Option<Meaning<'a>> {
        let place = span(name);
        match self.names.find(&name.id) {
            Some((_, declared)) if is_behind(declared, place) => self.not_yet(&name.id, place, declared),
            Some((meaning, _)) => {
                if let Meaning::Thing(thing) = meaning {
                    self.mentions.push(Mention { span: place, thing });
                }
                Some(meaning)
            }
            None => self.unknown(&name.id, place),
        }
    }

    fn not_yet<T>(&mut self, name: &str, place: Span, declared: Span) -> Option<T> {
        let told = self.mistake(Code::ScriptUndeclared, place, format!("`{name}` is declared only behind this"));
        let told = told.label("not known here yet").secondary(declared, "the declaration");
        self.wrong(told.help("move the declaration up"))
    }

    fn unknown<T>(&mut self, name: &str, place: Span) -> Option<T> {
        if self.is_broken {
            return None;
        }
        if let Some(declared) = self.later.get(name).copied().filter(|declared| is_behind(*declared, place)) {
            return self.not_yet(name, place, declared);
        }
        let told = self.mistake(Code::ScriptUndeclared, place, format!("`{name}` is not declared"));
        let told = told.label("nothing of this name is known here");
        let near = did_you_mean(name, self.names.all()).map(String::from);
        let told = match near {
            Some(near) => told.guess(place, near),
            None => told.help("declare it above, or in the Python function around this one"),
        };
        self.wrong(told)
    }

    /// The name that a target gives, if it is one.
    pub(super) fn target(&mut self, target: &'a Expr) -> Option<&'a ExprName> {
        let name = target.as_name_expr();
        if name.is_none() {
            let told = self.mistake(Code::ScriptStatement, span(target), "a declaration gives one name");
            self.tell(told.label("no name").help("write one name before `=`"));
        }
        name
    }

    /// Makes names known as broken.
    pub(super) fn break_names(&mut self, target: &Expr) {
        for name in super::python::one_or_more(target).iter().filter_map(Expr::as_name_expr) {
            self.names.add(&name.id, Meaning::Broken, span(name));
        }
    }
}

/// Whether a declaration stands behind a use. What Python around the function declares has no place.
fn is_behind(declared: Span, place: Span) -> bool {
    !declared.is_empty() && declared.start > place.start
}
