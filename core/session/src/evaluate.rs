//! Runs each kind of statement.

use std::sync::Arc;

use super::{
    evaluation::{Evaluation, Result},
    names::{Number, Value},
    shown::{Shown, Used},
};
use nnz_check::{DefinitionKind, scope::Word, session::Statement};

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
            Statement::Decompose(decomposition) => Ok(Shown::Definition(self.decomposition(&decomposition)?)),
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
