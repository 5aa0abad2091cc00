//! Dictionaries of attributes, and the index maps in them.

use nnz_base::{diagnostic::Code, element::Element};
use ruff_python_ast::{self as py, DictItem, ExprDict, ExprUnaryOp, Parameters, Stmt, UnaryOp};

use super::{
    names::Meaning,
    python::{int, items, one_or_more, span, text, what},
    reader::Reader,
};
use crate::model::{Attributes, Expr, IndexMap, Real, Role, Value, VariableId};

impl<'a> Reader<'a> {
    pub(super) fn attributes(&mut self, expr: &'a py::Expr) -> Option<Attributes> {
        let Some(dict) = expr.as_dict_expr() else {
            let told = self.mistake(Code::ScriptArguments, span(expr), "attributes stand in a dictionary");
            return self.wrong(told.label("no dictionary").help("write `{\"key\": value}`"));
        };
        self.entries(dict)
    }

    fn entries(&mut self, dict: &'a ExprDict) -> Option<Attributes> {
        let mut entries = Attributes::new();
        // Their order means nothing, so nothing may depend on it.
        let mut items: Vec<&DictItem> = dict.items.iter().collect();
        items.sort_by_key(|item| item.key.as_ref().and_then(text));
        for item in items {
            let key = item.key.as_ref().and_then(|key| text(key));
            let Some(key) = key else {
                let place = item.key.as_ref().map_or(span(&item.value), span);
                let told = self.mistake(Code::ScriptArguments, place, "the key of an attribute is a text");
                self.tell(told.label("no text").help("write it in quotes"));
                continue;
            };
            if let Some(value) = self.attribute(&item.value) {
                entries.insert(key.to_string(), value);
            }
        }
        Some(entries)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many expressions")]
    fn attribute(&mut self, expr: &'a py::Expr) -> Option<Value> {
        match expr {
            py::Expr::NoneLiteral(_) => Some(Value::Nothing),
            py::Expr::BooleanLiteral(literal) => Some(Value::Bool(literal.value)),
            py::Expr::StringLiteral(literal) => Some(Value::Text(literal.value.to_str().to_string())),
            py::Expr::NumberLiteral(_) => self.attribute_number(expr, 1),
            py::Expr::UnaryOp(ExprUnaryOp { op: UnaryOp::USub, operand, .. }) => self.attribute_number(operand, -1),
            py::Expr::Dict(dict) => self.entries(dict).map(Value::Entries),
            py::Expr::List(_) | py::Expr::Tuple(_) => {
                let parts: Vec<_> = items(expr)?.iter().map(|part| self.attribute(part)).collect();
                parts.into_iter().collect::<Option<Vec<Value>>>().map(Value::List)
            }
            py::Expr::Lambda(lambda) => self.index_map(lambda.parameters.as_deref(), &lambda.body).map(Value::Map),
            py::Expr::Name(name) => {
                let meaning = self.meaning(name)?;
                self.named_attribute(expr, meaning)
            }
            _ => self.no_attribute(expr),
        }
    }

    fn attribute_number(&mut self, expr: &py::Expr, sign: i64) -> Option<Value> {
        if let Some(value) = int(expr) {
            return Some(Value::Int(sign * value));
        }
        let float = expr.as_number_literal_expr().and_then(|literal| literal.value.as_float());
        match float {
            Some(value) => Some(Value::Float(Real(sign as f64 * value))),
            None => self.no_attribute(expr),
        }
    }

    fn named_attribute(&mut self, expr: &'a py::Expr, meaning: Meaning<'a>) -> Option<Value> {
        match meaning {
            Meaning::Known(value) => self.attribute(value),
            Meaning::Function(definition) => match definition.body.last() {
                Some(Stmt::Return(py::StmtReturn { value: Some(value), .. })) => {
                    self.index_map(Some(&definition.parameters), value).map(Value::Map)
                }
                Some(_) | None => self.no_attribute(expr),
            },
            Meaning::Broken => None,
            Meaning::Thing(_) => self.no_attribute(expr),
        }
    }

    fn no_attribute<T>(&mut self, expr: &py::Expr) -> Option<T> {
        let told = self.mistake(Code::ScriptArguments, span(expr), "an attribute is written out, not computed");
        let told = told.label(what(expr));
        self.wrong(told.help("attributes are numbers, texts, truth values, lists, dictionaries and index maps"))
    }

    /// `lambda i, j: (i // 4, j // 4, i % 4, j % 4)`.
    fn index_map(&mut self, parameters: Option<&'a Parameters>, results: &'a py::Expr) -> Option<IndexMap> {
        self.names.open();
        let names = parameters.into_iter().flat_map(|parameters| &parameters.args);
        let variables: Vec<VariableId> = names
            .map(|param| {
                let name = &param.parameter.name;
                self.variable(name, span(name), Element::I32, Role::Map)
            })
            .collect();
        let results: Vec<Option<Expr>> = one_or_more(results).iter().map(|result| self.coordinate(result)).collect();
        self.names.close();
        Some(IndexMap { variables, results: results.into_iter().collect::<Option<_>>()? })
    }

    /// A coordinate that a map gives, or a condition on those that it takes.
    fn coordinate(&mut self, expr: &'a py::Expr) -> Option<Expr> {
        let read = self.expr(expr)?;
        if !read.is_condition() {
            self.typed(read.as_integer(), span(expr), expr)?;
        }
        Some(read)
    }
}
