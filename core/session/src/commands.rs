//! Shows values, and carries out commands.

use super::{
    evaluation::{Evaluation, Result, Shown},
    help, show,
};
use nnz_base::diagnostic::Code;
use nnz_check::{
    command::{self, Command, View},
    scope::Word,
};
use nnz_view::{Markup, Role};

impl Evaluation<'_> {
    pub(super) fn show(&self, name: &Word) -> Result<Shown> {
        match self.names.get(&name.text) {
            Some(value) => self.shown(name, show::value(&name.text, value, self.options)),
            None => self.type_of(name),
        }
    }

    fn type_of(&self, name: &Word) -> Result<Shown> {
        let unknown = || self.error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
        let meaning = self.names.scope.get(&name.text).ok_or_else(unknown)?;
        Ok(Shown::of(show::type_of(&name.text, meaning)))
    }

    fn view(&mut self, view: View, name: &Word) -> Result<Shown> {
        let screen = self.options.screen;
        let markup = match view {
            View::Levels => self.tensor_named(name)?.view().levels(screen),
            View::Tree => self.tensor_named(name)?.view().tree(screen),
            View::Storage => {
                let view = self.tensor_named(name)?.view();
                return Ok(Shown::of((view.storage(screen), view.storage_json())));
            }
            View::Spy => {
                let tensor = self.tensor_named(name)?;
                let refusal = command::no_matrix(self.source.id, name, tensor.storage.dim_sizes().len());
                refusal.map_or(Ok(tensor.view().spy(screen)), |refusal| Err(Box::new(refusal)))?
            }
            View::Dump => {
                let tensor = self.tensor_named(name)?;
                return self.shown(name, show::dump(tensor, self.options));
            }
            View::Graph
            | View::Svg
            | View::Lattice
            | View::Plan
            | View::Loops
            | View::Lowered
            | View::C
            | View::Mlir
            | View::Llvm
            | View::Asm
            | View::Ptx => self.code_of(view, name)?,
        };
        Ok(Shown::text(markup))
    }

    pub(super) fn command(&mut self, command: Command) -> Result<Shown> {
        match command {
            Command::Show { view, name } => self.view(view, &name),
            Command::Type(name) => self.type_of(&name),
            Command::Vars => {
                let (names, json) = show::vars(self.names);
                Ok(Shown::of((names.wrapped(self.options.screen.width), json)))
            }
            Command::Explain(code) => Ok(Shown::text(help::explain(code, self.options.screen.width))),
            Command::Help(topic) => {
                let function = topic.as_ref().and_then(|word| self.function_help(&word.text));
                let told = function.unwrap_or_else(|| help::help(topic.as_ref()));
                Ok(Shown::text(told.wrapped(self.options.screen.width)))
            }
            Command::Time(name) => {
                let timed = self.timed(&name)?;
                Ok(Shown::of((timed.markup(self.options.screen.width), timed.json())))
            }
            Command::Step(name) => self.steps(&name),
            Command::Write { name, path } => {
                let written = self.write(&name, &path)?;
                Ok(Shown::of((Markup::new().line(written.line()), written.json())))
            }
            Command::Set(_) | Command::Quit => Ok(Shown::text(Markup::of(Role::Note, "bye"))),
        }
    }
}
