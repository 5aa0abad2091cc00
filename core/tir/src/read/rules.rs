//! Rules of format decompositions: `FormatRewriteRule("4", bsr(4), ["A"], {"I": ["IO", "II"], …}, …)`.

use std::rc::Rc;

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
    ids::FileId,
    source::Span,
};
use ruff_python_ast::{self as py, ExprCall, Operator};

use super::{
    evaluate::Python,
    python::{one_or_more, span},
    values::{Body, Closure, Known, Scope},
};
use crate::model::{Binary, Description, Expr, IndexMap, Place, Places, Rule, VariableId};

/// What a call that makes a rule is called.
pub(super) fn is_rule(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|name| name == "FormatRewriteRule" || name == "SparseFormatRewriteRule")
}

/// The arguments of the RFC; the prototype has those of [`LISTS`] before the fourth. Behind `|` are other names.
const ARGUMENTS: [&str; 6] = [
    "name",
    "new_format_desc|format_desc|desc",
    "buffers_to_rewrite|buffer_to_rewrite|buffers",
    "axis_map|iterator_map",
    "idx_map",
    "inv_idx_map",
];
const LISTS: [&str; 2] = ["axes_before_rewrite", "axes_after_rewrite"];

type Made<T> = Result<T, Box<Diagnostic>>;

/// A rule that is none.
pub(super) fn wrong(place: Span, message: impl Into<String>, label: &str) -> Diagnostic {
    Diagnostic::new(Code::TirRule, FileId(0), place, message).label(label)
}

/// A call of a rule, and the names around it.
struct Written<'a, 's> {
    call: &'a ExprCall,
    scope: &'s Scope<'a>,
}

impl<'a> Python<'a> {
    pub(super) fn rule(&mut self, call: &'a ExprCall, scope: &Scope<'a>) -> Known<'a> {
        Known::Rule(Rc::new(self.made(&Written { call, scope })))
    }

    fn made(&mut self, written: &Written<'a, '_>) -> Made<Rule> {
        let [name, description, buffers, iterators, there, back] = written.arguments()?;
        let place = |of: &py::Expr| Place(span(of));
        let places = Places {
            name: place(name),
            description: place(description),
            buffers: place(buffers),
            iterators: place(iterators),
            there: place(there),
            back: place(back),
        };
        let [before, after] = LISTS.map(|list| written.argument(list));
        let texts =
            |this: &mut Self, list: Option<&'a py::Expr>| list.map(|list| this.texts(list, written)).transpose();
        Ok(Rule {
            place: Place(span(written.call)),
            name: self.needed(name, written, "a text", |value| value.as_text().map(String::from))?,
            description: self.description(description, written)?,
            buffers: self.texts(buffers, written)?,
            before: texts(self, before)?,
            after: texts(self, after)?,
            iterators: self.needed(iterators, written, "a dictionary of lists of names", entries)?,
            there: self.map(there, written)?,
            back: self.map(back, written)?,
            places,
        })
    }

    fn needed<T>(
        &mut self,
        expr: &'a py::Expr,
        written: &Written<'a, '_>,
        what: &str,
        read: impl Fn(&Known<'a>) -> Option<T>,
    ) -> Made<T> {
        let value = self.value(expr, written.scope);
        value.as_ref().and_then(read).ok_or_else(|| {
            let told = wrong(span(expr), format!("{what} is wanted here"), "not known without running Python");
            Box::new(told.help("write it out: numbers, texts, lists, and functions of them are understood"))
        })
    }

    fn texts(&mut self, expr: &'a py::Expr, written: &Written<'a, '_>) -> Made<Vec<String>> {
        self.needed(expr, written, "a list of names", Known::texts)
    }

    fn description(&mut self, expr: &'a py::Expr, written: &Written<'a, '_>) -> Made<Description> {
        self.needed(expr, written, "a format description, a function under `@T.prim_func`,", |value| {
            if let Known::Description(description) = value { Some(description.clone()) } else { None }
        })
    }

    fn map(&mut self, expr: &'a py::Expr, written: &Written<'a, '_>) -> Made<IndexMap> {
        let closure = self.needed(expr, written, "an index map, a lambda or a function,", |value| {
            if let Known::Function(closure) = value { Some(closure.clone()) } else { None }
        })?;
        self.index_map(&closure).ok_or_else(|| {
            let told = wrong(span(expr), "this index map is not understood", "more than sums, products and quotients");
            Box::new(told.help("write `lambda i, j: (i // 4, j // 4, i % 4, j % 4)`"))
        })
    }

    fn index_map(&mut self, closure: &Closure<'a>) -> Option<IndexMap> {
        let result = match closure.body {
            Body::Value(value) => value,
            Body::Suite(body) => body.last()?.as_return_stmt()?.value.as_deref()?,
        };
        let names = closure.parameters.into_iter().flat_map(|parameters| &parameters.args);
        let names: Vec<&str> = names.map(|parameter| parameter.parameter.name.as_str()).collect();
        let results = one_or_more(result).iter().map(|result| self.coordinate(result, &names, &closure.scope));
        Some(IndexMap {
            results: results.collect::<Option<_>>()?,
            variables: (0..names.len()).map(VariableId::new).collect(),
        })
    }

    /// A coordinate, computed from those of these names.
    fn coordinate(&mut self, expr: &'a py::Expr, names: &[&str], scope: &Scope<'a>) -> Option<Expr> {
        let place = Place(span(expr));
        let at = expr.as_name_expr().and_then(|name| names.iter().position(|known| name.id.as_str() == *known));
        if let Some(at) = at {
            return Some(Expr::variable(place, VariableId::new(at), Element::I32));
        }
        if let Some(number) = self.value(expr, scope) {
            return number.as_int().map(|value| Expr::int(place, value, Element::I32));
        }
        let written = expr.as_bin_op_expr()?;
        let (left, right) =
            (self.coordinate(&written.left, names, scope)?, self.coordinate(&written.right, names, scope)?);
        Expr::binary(place, operation(written.op)?, left, right).ok()
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "Python has many operators")]
fn operation(op: Operator) -> Option<Binary> {
    match op {
        Operator::Add => Some(Binary::Add),
        Operator::Sub => Some(Binary::Subtract),
        Operator::Mult => Some(Binary::Multiply),
        Operator::FloorDiv => Some(Binary::FloorDivide),
        Operator::Mod => Some(Binary::FloorModulo),
        _ => None,
    }
}

fn entries(value: &Known<'_>) -> Option<Vec<(String, Vec<String>)>> {
    let Known::Entries(entries) = value else { return None };
    entries.iter().map(|(key, value)| Some((key.clone(), value.texts()?))).collect()
}

impl<'a> Written<'a, '_> {
    fn arguments(&self) -> Made<[&'a py::Expr; 6]> {
        let found: Vec<&'a py::Expr> = ARGUMENTS.iter().filter_map(|name| self.argument(name)).collect();
        <[&py::Expr; 6]>::try_from(found).map_err(|_| {
            let missing = ARGUMENTS
                .iter()
                .find(|name| self.argument(name).is_none())
                .map_or("", |names| names.split('|').next().unwrap_or_default());
            let told = wrong(span(self.call), format!("the rule has no `{missing}`"), "an argument is missing");
            Box::new(told.help("a rule has a name, a description, buffers, a map of iterators, and two index maps"))
        })
    }

    fn argument(&self, names: &str) -> Option<&'a py::Expr> {
        let plain = self.order().iter().position(|known| *known == names);
        let plain = plain.and_then(|at| self.call.arguments.args.get(at));
        let named = |keyword: &&py::Keyword| {
            keyword.arg.as_ref().is_some_and(|name| names.split('|').any(|known| known == name.as_str()))
        };
        plain.or_else(|| self.call.arguments.keywords.iter().find(named).map(|keyword| &keyword.value))
    }

    /// The order of arguments by place: with the prototype's two lists if there are so many.
    fn order(&self) -> Vec<&'static str> {
        let count = self.call.arguments.args.len() + self.call.arguments.keywords.len();
        let (first, rest) = ARGUMENTS.split_at(3);
        if count > ARGUMENTS.len() { [first, &LISTS, rest].concat() } else { ARGUMENTS.to_vec() }
    }
}
