//! Shows values, and carries out commands.

use std::sync::Arc;

use super::{
    evaluation::{Evaluation, Result},
    help, json,
    names::{Tensor, Value},
    shown::{Shown, type_text},
};
use nnz_base::{diagnostic::Code, memory};
use nnz_check::{
    command::{self, Command, View},
    scope::Word,
};
use nnz_view::{Markup, Role};

impl Evaluation<'_> {
    pub(super) fn show(&self, name: &Word) -> Result<Shown> {
        match self.names.get(&name.text) {
            Some(value) => self.shown(&name.text, value.clone(), name.span),
            None => self.type_of(name),
        }
    }

    /// Every array of a tensor.
    ///
    /// # Errors
    /// There is no room for their text.
    fn dump(&self, name: &Word) -> Result<Shown> {
        // Each number becomes a string of its own, and its digits are in memory twice.
        const TEXT: usize = 2 * size_of::<String>() + 48;
        let stored = self.stored_named(name)?.to_vec();
        let numbers = stored.iter().map(|tensor| json::numbers(&tensor.storage)).sum();
        let room = memory::room_for(numbers, TEXT as u64);
        room.map_err(|refused| self.error(Code::TooLarge, name.span, refused.to_string()))?;
        for tensor in &stored {
            self.shown(&name.text, Value::Tensor(Arc::clone(tensor)), name.span)?;
        }
        Ok(Shown::Dump(stored))
    }

    fn type_of(&self, name: &Word) -> Result<Shown> {
        let function = name.text.strip_prefix('@').and_then(|plain| self.names.scope.function(plain));
        if let Some(signature) = function {
            return Ok(Shown::Type { name: name.text.clone(), text: signature.text.clone() });
        }
        let unknown = || self.error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
        let meaning = self.names.scope.get(&name.text).ok_or_else(unknown)?;
        Ok(Shown::Type { name: name.text.clone(), text: type_text(meaning) })
    }

    /// What is shown of each tensor that a name is stored in, one below the other.
    fn each_part(&self, name: &Word, show: impl Fn(&Tensor) -> Markup) -> Result<Markup> {
        let stored = self.stored_named(name)?.iter();
        Ok(stored.map(|tensor| show(tensor)).reduce(Markup::then).unwrap_or_default())
    }

    fn view(&mut self, view: View, name: &Word) -> Result<Shown> {
        let screen = self.options.screen;
        let markup = match view {
            View::Levels => self.each_part(name, |tensor| tensor.view().levels(screen))?,
            View::Tree => self.each_part(name, |tensor| tensor.view().tree(screen))?,
            View::Storage => return Ok(Shown::Storage(self.stored_named(name)?.to_vec())),
            View::Spy => {
                let rank = self.stored_named(name)?.first().map_or(0, |tensor| tensor.storage.dim_sizes().len());
                let refusal = command::no_matrix(self.source.id, name, rank);
                refusal.map_or(Ok(()), |refusal| Err(Box::new(refusal)))?;
                self.each_part(name, |tensor| tensor.view().spy(screen))?
            }
            View::Dump => return self.dump(name),
            View::Graph
            | View::Svg
            | View::Lattice
            | View::Plan
            | View::Loops
            | View::Lowered
            | View::Grid
            | View::C
            | View::Mlir
            | View::Llvm
            | View::Asm
            | View::Ptx => self.code_of(view, name)?,
        };
        Ok(Shown::Text(markup))
    }

    pub(super) fn command(&mut self, command: Command) -> Result<Shown> {
        match command {
            Command::Show { view, name } => self.view(view, &name),
            Command::Type(name) => self.type_of(&name),
            Command::Vars => Ok(Shown::Names(self.names.infos().collect())),
            Command::Explain(code) => Ok(Shown::Text(help::explain(code, self.options.screen.width))),
            Command::Help(topic) => {
                let function = topic.as_ref().and_then(|word| self.function_help(&word.text));
                let told = function.unwrap_or_else(|| help::help(topic.as_ref()));
                Ok(Shown::Text(told.wrapped(self.options.screen.width)))
            }
            Command::Time(name) => Ok(Shown::Timed(Box::new(self.timed(&name)?))),
            Command::Step(name) => self.steps(&name),
            Command::Write { name, path } => Ok(Shown::Written(self.write(&name, &path)?)),
            Command::Set(_) | Command::Quit => Ok(Shown::Text(Markup::of(Role::Note, "bye"))),
        }
    }
}
