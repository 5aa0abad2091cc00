//! A session that begins at a kernel of a program: it has the kernel's operands as they are there, and its result.

use std::sync::Arc;

use super::{
    Answer, Session,
    define::plain,
    evaluation::{Evaluation, Result},
    kernels::Places,
    names::{Applied, Kind, Number, Tensor, Value},
    requests::Refused,
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use nnz_check::{Checked, DefinitionKind};
use nnz_kernel::{self as kernel, Kernel};
use nnz_machine::{self as machine, Caught, Given, Sink};
use nnz_mlir::Module;

/// What a program notes before its kernel; what it prints is of no interest.
#[derive(Default)]
struct Notes(Vec<Diagnostic>);

impl Sink for Notes {
    fn print(&mut self, _: &str) {}
    fn note(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }
}

impl Session {
    /// Runs a function of a program until it reaches the kernel whose name is at `place`, and defines the encodings of
    /// the program, the kernel's operands and its result. The answer is the result's name.
    ///
    /// # Errors
    /// A program that fails or ends before; a kernel that does not run as loops. They are placed in the program's text.
    pub fn catch(&mut self, checked: &Checked, modules: &[Module], (entry, place): (&str, Span)) -> Answer<String> {
        let (host, mut notes) = (self.host.clone(), Notes::default());
        let options =
            machine::Options { threads: self.options.threads, engine: self.options.engine, ..self.options.program };
        let caught = machine::catch(checked, modules, (entry, place), (&*host, &mut notes), options);
        let Notes(mut notes) = notes;
        let caught = match caught {
            Ok(caught) => caught,
            Err(error) => {
                notes.push(*error);
                return Err(Refused { diagnostics: notes, printed: None });
            }
        };
        let mut answer = self.ask(&checked.source, &mut |_| (), |evaluation| {
            evaluation.learn_encodings(checked);
            evaluation.caught(caught, place)
        })?;
        answer.notes.splice(0..0, notes);
        Ok(answer)
    }
}

impl Evaluation<'_> {
    fn learn_encodings(&mut self, checked: &Checked) {
        for definition in &checked.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                self.names.define_encoding(checked.source.slice(definition.name), encoding.clone());
            }
        }
    }

    /// Defines the operands, and computes the result.
    fn caught(&mut self, Caught { kernel, operands }: Caught, place: Span) -> Result<String> {
        let values = kernel.tensors().iter().zip(operands).map(|(tensor, given)| self.given(tensor, given));
        let values: Option<Vec<Value>> = values.collect();
        let many = || self.error(Code::TooLarge, place, "an operand has too many dimensions");
        let values = values.ok_or_else(many)?;
        for (tensor, value) in kernel.tensors().iter().zip(&values) {
            self.names.define(&tensor.name, value.clone());
        }
        let (name, kind) = self.result_of(&kernel);
        let applied = Applied::new(kernel, Arc::default(), values);
        let value = self.made(applied, &Places::only(place), (&name, kind))?;
        self.names.define(&name, value);
        Ok(name)
    }

    fn result_of(&self, kernel: &Kernel) -> (String, Kind) {
        let result = kernel.tensor(kernel.result().tensor);
        (result.name.clone(), self.kind(result))
    }

    fn kind(&self, tensor: &kernel::Tensor) -> Kind {
        tensor.encoding.as_ref().map_or(Kind::Plain, |encoding| Kind::Encoded(self.named(encoding)))
    }

    /// An operand as a value of the session; `None` if it has too many dimensions.
    fn given(&self, tensor: &kernel::Tensor, given: Given) -> Option<Value> {
        let storage = match given {
            Given::Scalar(value) => {
                return Some(Value::Number(Arc::new(Number { element: tensor.element, value, origin: None })));
            }
            Given::Stored(storage) => storage,
            Given::Dense(values) => {
                Arc::new(plain(tensor.shape.clone(), tensor.element, Arc::unwrap_or_clone(values))?)
            }
        };
        let (name, kind) = (tensor.name.clone(), self.kind(tensor));
        Some(Value::Tensor(Arc::new(Tensor { name, kind, storage, origin: None })))
    }
}
