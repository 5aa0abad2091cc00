//! Runs each kind of statement.

mod commands;
mod kernels;

use std::sync::Arc;

use super::{
    Options,
    define::{Definer, Made},
    hints::Hints,
    names::{Names, Number, Value},
    shown::{Definition, Named, Shown, Used},
};
pub(super) use kernels::Places;
use nnz_backend::Cache;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    host::Host,
    source::{Source, Span},
};
use nnz_check::{
    DefinitionKind,
    scope::Word,
    session::{Statement, TensorDefinition},
};
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
    /// # Errors
    /// The diagnostic of the failure; the names may then be half changed.
    pub(super) fn statement(&mut self, statement: Statement) -> Result<Shown> {
        match statement {
            Statement::Encoding { name, encoding } => {
                self.names.define_encoding(&name.text, encoding);
                Ok(Shown::Encoding(name.text))
            }
            Statement::Tensor(definition) => Ok(Shown::Definition(self.tensor(&definition)?)),
            Statement::Constant { name, element, value } => {
                let number = Value::Number(Arc::new(Number { element, value, origin: None }));
                Ok(Shown::Definition(self.define(&name, number)))
            }
            Statement::Kernel(kernel) => self.kernel(kernel),
            Statement::Call(call) => Ok(Shown::Called(self.call(&call)?)),
            Statement::Compute(kernel) => {
                let name = kernel.name.clone();
                let value = self.compute(kernel)?.forgetting_its_kernel();
                let shown = self.shown(&name.text, value.clone(), name.span)?;
                self.names.define(&name.text, value);
                Ok(shown)
            }
            Statement::Show(name) => self.show(&name),
            Statement::Use(path) => Ok(Shown::Used(self.import(&path)?)),
            Statement::Command(command) => self.command(command),
        }
    }

    pub(super) fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, self.source.id, span, message))
    }

    /// The path of a file that the text names.
    pub(super) fn found(&self, path: &Word) -> String {
        self.host.find(&path.text, &self.source.name)
    }

    fn define(&mut self, name: &Word, value: Value) -> Definition {
        let definition = Definition::of(&name.text, &value.meaning());
        self.names.define(&name.text, value);
        definition
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

    pub(super) fn definer(&self) -> Definer<'_> {
        Definer {
            host: self.host,
            names: self.names,
            file: self.source.id,
            text: &self.source.name,
            drop_zeros: self.options.drop_zeros,
        }
    }

    pub(super) fn tensor(&mut self, definition: &TensorDefinition) -> Result<Definition> {
        let Made { tensor, notes, doubts } = match self.converted_by_loops(definition)? {
            Some(made) => made,
            None => self.definer().tensor(definition)?,
        };
        self.hints.extend(doubts);
        let title = tensor.view().title();
        let literal = matches!(definition.init, nnz_check::session::Init::Literal(_));
        let defined = self.define(&definition.name, Value::Tensor(tensor));
        let said = (!literal).then(|| notes.into_iter().fold(Markup::new().line(title), Markup::line));
        Ok(Definition { said, ..defined })
    }

    /// Takes over the encodings of another file, and the functions of an MLIR program.
    fn import(&mut self, path: &Word) -> Result<Used> {
        let program = self.checked_file(path)?;
        let (source, mut encodings) = (&program.checked.source, Vec::new());
        let mut replaced = self.names.functions_of_others(&path.text);
        for definition in &program.checked.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                let name = source.slice(definition.name).to_string();
                if self.names.encoding(&name).is_some_and(|old| old != encoding) {
                    replaced.push(name.clone());
                }
                self.names.define_encoding(&name, encoding.clone());
                encodings.push(name);
            }
        }
        let (functions, note) = self.functions(path, program)?;
        replaced.retain(|name| encodings.contains(name) || functions.contains(name));
        Ok(Used { path: path.text.clone(), encodings, functions, replaced, note })
    }
}
