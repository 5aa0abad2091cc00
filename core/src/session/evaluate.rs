//! What each statement does.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Host, Options,
    define::{Definer, Made},
    help,
    names::{Names, Number, Tensor, Value},
    show,
};
use crate::{
    check::{
        command::{Command, View},
        kernel::KernelStatement,
        scope::Word,
        session::{Statement, TensorDefinition},
    },
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Span,
    view::{Markup, Role},
};

/// What a statement has to say.
pub(super) struct Shown {
    pub markup: Option<Markup>,
    pub json: Json,
}

impl Shown {
    fn of((markup, json): (Markup, Json)) -> Shown {
        Shown { markup: Some(markup), json }
    }
    fn text(markup: Markup) -> Shown {
        let json = json!({ "kind": "text", "text": markup.plain_text() });
        Shown { markup: Some(markup), json }
    }
    fn silent(json: Json) -> Shown {
        Shown { markup: None, json }
    }
}

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// One statement's evaluation, on names of its own.
pub(super) struct Evaluation<'a> {
    pub host: &'a dyn Host,
    pub options: Options,
    pub file: FileId,
    pub names: &'a mut Names,
}

impl Evaluation<'_> {
    /// # Errors
    /// The diagnostic of what went wrong; the names may then be half changed.
    pub(super) fn statement(mut self, statement: Statement) -> Result<Shown> {
        match statement {
            Statement::Encoding { name, encoding } => {
                let json = json!({ "kind": "encoding", "name": name.text });
                self.names.define_encoding(&name.text, encoding);
                Ok(Shown::silent(json))
            }
            Statement::Tensor(definition) => self.tensor(&definition),
            Statement::Constant { name, element, value } => {
                let number = Value::Number(Arc::new(Number { element, value, origin: None }));
                Ok(self.define(&name, number))
            }
            Statement::Kernel(kernel) => self.kernel(kernel),
            Statement::Compute(kernel) => self.compute(kernel),
            Statement::Show(name) => self.show(&name),
            Statement::Use(path) => Err(self.error(Code::NotYet, path.span, "`use` is not carried out yet")),
            Statement::Command(command) => self.command(command),
        }
    }

    pub(super) fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, self.file, span, message))
    }

    fn define(&mut self, name: &Word, value: Value) -> Shown {
        let (_, mut json) = show::type_of(&name.text, &value.meaning());
        json["kind"] = "definition".into();
        self.names.define(&name.text, value);
        Shown::silent(json)
    }

    fn tensor(&mut self, definition: &TensorDefinition) -> Result<Shown> {
        let definer = Definer { host: self.host, names: self.names, file: self.file };
        let Made { tensor, notes } = definer.tensor(definition)?;
        let title = tensor.view().title();
        let literal = matches!(definition.init, crate::check::session::Init::Literal(_));
        let shown = self.define(&definition.name, Value::Tensor(Arc::new(tensor)));
        let markup = (!literal).then(|| notes.into_iter().fold(Markup::new().line(title), Markup::line));
        Ok(Shown { markup, ..shown })
    }

    fn kernel(&mut self, statement: KernelStatement) -> Result<Shown> {
        Err(self.error(Code::NotYet, statement.expr_span, "kernels do not run yet"))
    }

    fn compute(&mut self, statement: KernelStatement) -> Result<Shown> {
        self.kernel(statement)
    }

    // Showing.

    fn value(&self, name: &Word) -> Result<&Value> {
        let none = || self.error(Code::CommandArguments, name.span, format!("`{}` is no tensor", name.text));
        self.names.get(&name.text).ok_or_else(none)
    }

    fn tensor_named(&self, name: &Word) -> Result<&Arc<Tensor>> {
        match self.value(name)? {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Number(_) => {
                let message = format!("`{}` is a scalar and stores no levels", name.text);
                Err(self.error(Code::CommandArguments, name.span, message))
            }
        }
    }

    fn show(&self, name: &Word) -> Result<Shown> {
        match self.names.get(&name.text) {
            Some(value) => Ok(Shown::of(show::value(&name.text, value, self.options.screen))),
            None => self.type_of(name),
        }
    }

    fn type_of(&self, name: &Word) -> Result<Shown> {
        let unknown = || self.error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
        let meaning = self.names.scope.get(&name.text).ok_or_else(unknown)?;
        Ok(Shown::of(show::type_of(&name.text, meaning)))
    }

    fn view(&self, view: View, name: &Word) -> Result<Shown> {
        let screen = self.options.screen;
        let markup = match view {
            View::Levels => self.tensor_named(name)?.view().levels(screen),
            View::Tree => self.tensor_named(name)?.view().tree(screen),
            View::Spy => self.tensor_named(name)?.view().spy(screen),
            View::Dump => {
                let tensor = self.tensor_named(name)?;
                return Ok(Shown { markup: Some(tensor.view().dump()), json: tensor.view().json() });
            }
            View::Graph | View::Loops | View::Llvm | View::Asm => {
                return Err(self.error(Code::NotYet, name.span, "kernels cannot be shown yet"));
            }
        };
        Ok(Shown::text(markup))
    }

    fn command(&mut self, command: Command) -> Result<Shown> {
        match command {
            Command::Show { view, name } => self.view(view, &name),
            Command::Type(name) => self.type_of(&name),
            Command::Vars => Ok(Shown::of(show::vars(self.names))),
            Command::Explain(code) => Ok(Shown::text(help::explain(code))),
            Command::Help(topic) => Ok(Shown::text(help::help(topic.as_ref()))),
            Command::Time(name) => Err(self.error(Code::NotYet, name.span, "kernels cannot be timed yet")),
            Command::Write { path, .. } => Err(self.error(Code::NotYet, path.span, "tensors cannot be written yet")),
            Command::Quit => Ok(Shown::text(Markup::of(Role::Note, "bye"))),
        }
    }
}
