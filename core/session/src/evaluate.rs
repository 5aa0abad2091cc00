//! Runs each kind of statement.

use std::sync::Arc;

use serde_json::json;

use super::{
    evaluation::{Evaluation, Result, Shown},
    names::{Number, Value},
    show,
};
use nnz_check::{DefinitionKind, scope::Word, session::Statement};
use nnz_view::{Line, Markup, Role};

impl Evaluation<'_> {
    /// # Errors
    /// The diagnostic of the failure; the names may then be half changed.
    pub(super) fn statement(&mut self, statement: Statement) -> Result<Shown> {
        match statement {
            Statement::Encoding { name, encoding } => {
                let json = json!({ "kind": "encoding", "name": name.text });
                self.names.define_encoding(&name.text, encoding);
                Ok(Shown { markup: None, json })
            }
            Statement::Tensor(definition) => self.tensor(&definition),
            Statement::Constant { name, element, value } => {
                let number = Value::Number(Arc::new(Number { element, value, origin: None }));
                Ok(self.define(&name, number))
            }
            Statement::Kernel(kernel) => self.kernel(kernel),
            Statement::Call(call) => self.call(&call),
            Statement::Compute(kernel) => {
                let name = kernel.name.clone();
                let value = self.compute(kernel)?.forgetting_its_kernel();
                let shown = self.shown(&name, show::value(&name.text, &value, self.options))?;
                self.names.define(&name.text, value);
                Ok(shown)
            }
            Statement::Show(name) => self.show(&name),
            Statement::Use(path) => self.import(&path),
            Statement::Command(command) => self.command(command),
        }
    }

    /// Takes over the encodings of another file, and the functions of an MLIR program.
    fn import(&mut self, path: &Word) -> Result<Shown> {
        let program = self.checked_file(path)?;
        let (source, mut names) = (&program.checked.source, Vec::new());
        let mut others = self.names.functions_of_others(&path.text);
        for definition in &program.checked.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                let name = source.slice(definition.name).to_string();
                if self.names.encoding(&name).is_some_and(|old| old != encoding) {
                    others.push(name.clone());
                }
                self.names.define_encoding(&name, encoding.clone());
                names.push(name);
            }
        }
        let (functions, note) = self.functions(path, program)?;
        let all = [names.as_slice(), functions.as_slice()].concat();
        let line = Line::of(Role::Note, format!("{}: {}", path.text, all.join(", ")));
        others.retain(|name| all.contains(name));
        let json = json!({ "kind": "used", "path": path.text, "encodings": names, "functions": functions, "replaced": others });
        let replaced =
            (!others.is_empty()).then(|| Line::of(Role::Note, format!("in place of others: {}", others.join(", "))));
        let markup = replaced.into_iter().chain(note).fold(Markup::new().line(line), Markup::line);
        Ok(Shown::of((markup, json)))
    }
}
