//! The evaluation of a statement: what it works on, and what it gives.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Options,
    define::Definer,
    hints::Hints,
    names::{Names, Tensor, Value},
    show,
};
use nnz_backend::Cache;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    host::Host,
    memory::NoRoom,
    source::{Source, Span},
};
use nnz_check::{command, scope::Word};
use nnz_run::{Launch, Means};
use nnz_view::Markup;

/// The output of a statement.
pub(super) struct Shown {
    pub markup: Option<Markup>,
    pub json: Json,
}

impl Shown {
    pub(super) fn of((markup, json): (Markup, Json)) -> Shown {
        Shown { markup: Some(markup), json }
    }
    pub(super) fn text(markup: Markup) -> Shown {
        let json = json!({ "kind": "text", "text": markup.plain_text() });
        Shown::of((markup, json))
    }
}

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The evaluation of one statement, on its own copy of the names.
pub(super) struct Evaluation<'a> {
    pub host: &'a dyn Host,
    pub options: Options,
    pub source: &'a Source,
    pub names: &'a mut Names,
    pub cache: &'a Cache,
    /// The costs of the statement that its text does not show.
    pub hints: Hints<'a>,
    /// The output of the statement's program, in case it fails later.
    pub printed: &'a mut Option<Markup>,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(
        (host, options, cache): (&'a dyn Host, Options, &'a Cache),
        source: &'a Source,
        (names, printed): (&'a mut Names, &'a mut Option<Markup>),
        hints: Hints<'a>,
    ) -> Evaluation<'a> {
        Evaluation { host, options, source, names, cache, hints, printed }
    }

    /// How kernels run now.
    pub(super) fn launch(&self) -> Launch<'a> {
        let Options { engine, float_order: order, threads, .. } = self.options;
        Launch { engine, order, cache: self.cache, means: Means { threads, memory: self.host.memory_free() } }
    }
}

impl Evaluation<'_> {
    pub(super) fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, self.source.id, span, message))
    }

    /// The path of a file that the text names.
    pub(super) fn found(&self, path: &Word) -> String {
        self.host.find(&path.text, &self.source.name)
    }

    pub(super) fn define(&mut self, name: &Word, value: Value) -> Shown {
        let (_, mut json) = show::type_of(&name.text, &value.meaning());
        json["kind"] = "definition".into();
        self.names.define(&name.text, value);
        Shown { markup: None, json }
    }

    pub(super) fn definer(&self) -> Definer<'_> {
        Definer {
            host: self.host,
            names: self.names,
            file: self.source.id,
            text: &self.source.name,
            drop_zeros: self.options.drop_zeros,
        }
    }

    fn value(&self, name: &Word) -> Result<&Value> {
        let none = || self.error(Code::CommandArguments, name.span, format!("`{}` is no tensor", name.text));
        self.names.get(&name.text).ok_or_else(none)
    }

    pub(super) fn tensor_named(&self, name: &Word) -> Result<&Arc<Tensor>> {
        match self.value(name)? {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Number(_) => Err(Box::new(command::no_tensor(self.source.id, name))),
        }
    }

    /// The output for `name`, if there is room for it.
    pub(super) fn shown(&self, name: &Word, made: std::result::Result<(Markup, Json), NoRoom>) -> Result<Shown> {
        made.map(Shown::of).map_err(|refused| self.error(Code::TooLarge, name.span, refused.to_string()))
    }
}
