//! The evaluation of a statement: what it works on, and what it gives.

use std::sync::Arc;

use super::{
    Options,
    define::Definer,
    hints::Hints,
    names::{Names, Tensor, Value},
    shown::{Definition, Named, Shown},
};
use nnz_backend::Cache;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    host::Host,
    source::{Source, Span},
};
use nnz_check::{command, scope::Word};
use nnz_run::{Launch, Means};
use nnz_view::Markup;

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

    pub(super) fn define(&mut self, name: &Word, value: Value) -> Definition {
        let definition = Definition::of(&name.text, &value.meaning());
        self.names.define(&name.text, value);
        definition
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
            Value::Parts(_) => Err(Box::new(command::in_parts(self.source.id, &self.names.scope, name))),
            Value::Number(_) => Err(Box::new(command::no_tensor(self.source.id, name))),
        }
    }

    /// The tensors that a name is stored in, one or the parts of a decomposed one.
    pub(super) fn stored_named(&self, name: &Word) -> Result<&[Arc<Tensor>]> {
        match self.value(name)?.stored() {
            [] => Err(Box::new(command::no_tensor(self.source.id, name))),
            stored => Ok(stored),
        }
    }

    /// A value to be shown.
    ///
    /// # Errors
    /// There is no room for its data, if the options ask for them.
    pub(super) fn shown(&self, name: &str, value: Value, span: Span) -> Result<Shown> {
        let named = Named { name: name.to_string(), value };
        let room = if self.options.data { named.room() } else { Ok(()) };
        room.map_err(|refused| self.error(Code::TooLarge, span, refused.to_string()))?;
        Ok(Shown::Value(named))
    }
}
