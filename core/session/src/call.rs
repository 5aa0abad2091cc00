//! Calls of functions of MLIR programs: converts the session's values to the program's, and the results back.

use std::{ops::ControlFlow, sync::Arc};

use super::{
    define::{open, plain, rounded},
    evaluation::{Evaluation, Result},
    hints::Hints,
    names::{Kind, Number, Tensor, Value},
    programs::{Program, told},
    shown::{Called, Definition, Named, Shown},
};
use nnz_base::{
    arrays::Values,
    diagnostic::{Code, Diagnostic},
    element::{Element, Scalar},
    ids::FileId,
};
use nnz_check::{
    scope::Word,
    session::{Argument, Given, Init, ProgramCall, TensorDefinition, file_doubt, file_error, storage_error},
    spec::Spec,
    types::TensorType,
};
use nnz_encoding::Encoding;
use nnz_machine::{
    self as machine,
    value::{self as values, Array, Sparse},
};
use nnz_mlir::types::Type;
use nnz_run::Hidden;
use nnz_storage::{
    self as storage, Storage, Triplets,
    files::{self, ReadOptions},
};
use nnz_view::{Line, Markup};

/// What a program prints and notes while it is called.
struct Listener<'c, 'h> {
    hints: &'c mut Hints<'h>,
    /// Where the function is called.
    place: (FileId, &'c Word),
    program: &'c Program,
    /// Whether what it prints is reported at once.
    streams: bool,
    printed: String,
}

impl machine::Sink for Listener<'_, '_> {
    fn print(&mut self, text: &str) {
        if self.streams { self.hints.print(text) } else { self.printed.push_str(text) }
    }
    fn note(&mut self, diagnostic: Diagnostic) {
        self.hints.push(told(self.program, self.place, diagnostic));
        self.hints.tell();
    }
}

impl Evaluation<'_> {
    /// Calls a function, and names or shows its results.
    pub(super) fn call(&mut self, call: &ProgramCall) -> Result<Called> {
        let Called { function, printed, results } = self.called(call)?;
        let named = results.into_iter().enumerate().map(|(at, result)| {
            let Shown::Value(Named { name, value }) = &result else { return Ok(result) };
            self.names.define(name, value.clone());
            call.targets.get(at).map_or(Ok(result.clone()), |target| self.definition(call, target, value))
        });
        Ok(Called { function, printed, results: named.collect::<Result<_>>()? })
    }

    /// Calls a function.
    pub(super) fn called(&mut self, call: &ProgramCall) -> Result<Called> {
        let unknown = || {
            let message = format!("there is no function `@{}`", call.function.text);
            Box::new(self.error(Code::UnknownFunction, call.function.span, message).label("in no file that is used"))
        };
        let callable = self.names.function(&call.function.text).cloned().ok_or_else(unknown)?;
        let function = callable.program.module.function(callable.function);
        let arguments = call.arguments.iter().zip(&function.inputs);
        let arguments = arguments.map(|(argument, ty)| self.argument(argument, ty)).collect::<Result<Vec<_>>>()?;
        let place = (self.source.id, &call.function);
        let (hints, program, streams) = (&mut self.hints, &*callable.program, self.options.streams);
        let mut sink = Listener { hints, place, program, streams, printed: String::new() };
        let options =
            machine::Options { threads: self.options.threads, engine: self.options.engine, ..self.options.program };
        let run = machine::Run {
            options,
            cache: self.cache,
            kept: &program.kept,
            source: &program.source,
            text: &self.source.name,
        };
        let ended = machine::call(&callable.program.module, callable.function, arguments, (self.host, &mut sink), run);
        let printed = sink.printed;
        let results = match ended {
            Ok(results) => results,
            Err(stopped) => {
                let lines: Markup = printed.lines().map(Line::plain).collect();
                *self.printed = Some(lines).filter(|markup| !markup.lines.is_empty());
                return Err(Box::new(told(&callable.program, place, *stopped)));
            }
        };
        let results = results.iter().enumerate().zip(&function.results);
        let given_back = |((at, result), ty): ((usize, &values::Value), &Type)| {
            let value = self.result(call, (at, ty), result)?;
            let name = call.result_name(at);
            match at < call.targets.len() {
                true => Ok(Shown::Value(Named { name, value })),
                false => self.shown(&name, value, call.function.span),
            }
        };
        let results = results.map(given_back).collect::<Result<_>>()?;
        Ok(Called { function: call.function.text.clone(), printed, results })
    }

    // Arguments.

    fn argument(&mut self, argument: &Argument, ty: &Type) -> Result<values::Value> {
        match (&argument.given, ty.tensor()) {
            (Given::Scalar(scalar), tensor) => Ok(number(*scalar, tensor)),
            (Given::File(path), _) => Ok(values::Value::Name(path.text.as_str().into())),
            (Given::Literal(literal), Some(tensor)) => {
                let triplets = literal.triplets();
                let triplets = triplets.map_err(|error| self.error(Code::BadData, argument.span, error.to_string()))?;
                self.of_triplets(argument, triplets.into_owned(), tensor)
            }
            (Given::Read(path), Some(tensor)) => {
                let triplets = self.read_argument(path, tensor)?;
                self.of_triplets(argument, triplets, tensor)
            }
            (Given::Name(name), tensor) => self.of_name(argument, name, tensor),
            (Given::Literal(_) | Given::Read(_), None) => {
                let error = self.error(Code::ValueType, argument.span, "the function takes no tensor here");
                Err(Box::new(error.label("a tensor")))
            }
        }
    }

    fn of_name(&mut self, argument: &Argument, name: &Word, wanted: Option<&TensorType>) -> Result<values::Value> {
        let missing = || self.error(Code::UnknownName, name.span, format!("`{}` has no data", name.text));
        let value = self.names.get(&name.text).cloned().ok_or_else(missing)?;
        match (value, wanted) {
            (Value::Number(given), wanted) if wanted.is_none_or(|wanted| wanted.shape.is_empty()) => {
                Ok(number(given.value, wanted))
            }
            (Value::Tensor(tensor), Some(wanted)) => {
                let plain = tensor.kind == Kind::Plain;
                self.check_sizes(argument, tensor.storage.dim_sizes(), wanted)?;
                let same = match &wanted.encoding {
                    Some(encoding) => !plain && tensor.storage.encoding() == encoding,
                    None => plain,
                };
                if !same {
                    let to = wanted.encoding.as_ref().map_or("dense".to_string(), |encoding| self.named(encoding));
                    let cost = Hidden {
                        tensor: None,
                        indices: Vec::new(),
                        code: Code::HiddenConversion,
                        text: format!("`{}` is {}: converted to {to} first", name.text, tensor.encoding_text()),
                        label: "stored otherwise than the function takes it",
                        steps: tensor.storage.dim_sizes().iter().copied().fold(1, u64::saturating_mul),
                    };
                    self.hints.tell_cost(&cost, self.options.told_from, (self.source.id, name.span));
                }
                let given = given(&tensor, wanted, same);
                given.map_err(|error| Box::new(storage_error(self.source.id, name.span, &error)))
            }
            _ => {
                let error = self.error(Code::ValueType, name.span, format!("`{}` is of another kind", name.text));
                Err(Box::new(error.label("not what the function takes")))
            }
        }
    }

    fn check_sizes(&self, argument: &Argument, found: &[u64], wanted: &TensorType) -> Result<()> {
        let fits = found.len() == wanted.shape.len()
            && found.iter().zip(&wanted.shape).all(|(found, wanted)| wanted.is_none_or(|wanted| wanted == *found));
        if fits {
            return Ok(());
        }
        let message =
            format!("this is {}, and the function takes `{}`", values::by(found), self.names.scope.type_of(wanted));
        Err(self.error(Code::ShapeMismatch, argument.span, message))
    }

    fn of_triplets(&self, argument: &Argument, triplets: Triplets, wanted: &TensorType) -> Result<values::Value> {
        self.check_sizes(argument, triplets.shape(), wanted)?;
        let packed = match &wanted.encoding {
            Some(encoding) => storage::pack_owned(triplets, encoding).map(|storage| sparse(&storage)),
            None => dense(&triplets),
        };
        packed.map_err(|error| Box::new(storage_error(self.source.id, argument.span, &error)))
    }

    fn read_argument(&mut self, path: &Word, wanted: &TensorType) -> Result<Triplets> {
        let file = self.source.id;
        let (kind, source) = open(self.host, (file, &self.source.name), path)?;
        // A matrix of one column is a vector where one is wanted.
        let shape = (wanted.shape.len() == 1).then(|| vec![None]);
        let options = ReadOptions { element: Some(wanted.element), shape, ..ReadOptions::default() };
        let watch = |_| if self.host.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let read = files::read_from(kind, source.as_ref(), &options, &watch);
        let read = read.map_err(|error| Box::new(file_error(file, path, &error)))?;
        let doubts = read.notes.iter().filter(|note| note.is_doubt());
        self.hints.extend(doubts.map(|note| file_doubt(file, path, note)));
        Ok(read.triplets)
    }

    // Results.

    /// Result number `at` as a value of the session, under the name that it gets.
    fn result(&self, call: &ProgramCall, (at, ty): (usize, &Type), result: &values::Value) -> Result<Value> {
        let failed =
            |error: String| Box::new(self.error(Code::ProgramFailed, call.function.span, error).label("its result"));
        let element = ty.element().unwrap_or(Element::F64);
        let number = |value| self.number_result(call, (at, element), value);
        let (kind, storage) = match result {
            values::Value::Scalar(value) => return number(*value),
            values::Value::Name(_) | values::Value::Specifier(_) | values::Value::Walk(_) => {
                return Err(failed(format!("it gives `{ty}`, which no session has")));
            }
            values::Value::Sparse(sparse) => {
                let storage = sparse.storage().map_err(|fault| failed(fault.message))?;
                (Kind::Encoded(self.named(storage.encoding())), Storage::clone(&storage))
            }
            values::Value::Memory(_) | values::Value::Array(_) | values::Value::Entries(_) => {
                let budget = machine::Budget::new(self.options.program.memory);
                let array = result.to_array(&budget).map_err(|fault| failed(fault.message))?;
                if let Some(value) = array.values.get(0).filter(|_| array.shape.is_empty()) {
                    return number(value);
                }
                let values = Arc::unwrap_or_clone(array.values);
                let storage = plain(array.shape, array.element, values);
                (Kind::Plain, storage.ok_or_else(|| failed("a result has too many dimensions".to_string()))?)
            }
        };
        Ok(Value::Tensor(Arc::new(Tensor { name: call.result_name(at), kind, storage: storage.into(), origin: None })))
    }

    /// A number, converted to the declared type if there is one.
    fn number_result(&self, call: &ProgramCall, (at, element): (usize, Element), value: Scalar) -> Result<Value> {
        let declared = call.spec.as_ref().and_then(Spec::scalar).unwrap_or(element);
        let converted = if declared == element { Some(value) } else { rounded(value, declared) };
        let misfit = || {
            let text = nnz_view::number::exact(value, element);
            let message = format!("the value {text} of `{}` does not fit `{declared}`", call.result_name(at));
            Box::new(self.error(Code::LiteralRange, call.function.span, message).label("its result"))
        };
        let value = converted.ok_or_else(misfit)?;
        Ok(Value::Number(Arc::new(Number { element: declared, value, origin: None })))
    }

    /// A result that has a name, in the format that is declared.
    fn definition(&mut self, call: &ProgramCall, target: &Word, value: &Value) -> Result<Shown> {
        let definition = Definition::of(&target.text, &value.meaning());
        Ok(Shown::Definition(match (&call.spec, value) {
            (Some(spec), Value::Tensor(_)) => {
                let (name, init) = (target.clone(), Init::Convert(target.clone()));
                let spec = spec.clone();
                self.tensor(&TensorDefinition { name, spec, init, init_span: call.function.span })?
            }
            (_, Value::Tensor(tensor)) => {
                Definition { said: Some(Markup::new().line(tensor.view().title())), ..definition }
            }
            _ => {
                let named = Named { name: target.text.clone(), value: value.clone() };
                Definition { said: Some(named.markup(self.options.screen)), ..definition }
            }
        }))
    }

    /// What the session calls an encoding.
    pub(super) fn named(&self, encoding: &Arc<Encoding>) -> String {
        self.names.scope.encoding_called(encoding)
    }
}

/// A number, or the tensor without dimensions that a function takes for it.
fn number(value: Scalar, wanted: Option<&TensorType>) -> values::Value {
    let Some(TensorType { element, .. }) = wanted else { return values::Value::Scalar(value) };
    let values = Arc::new(Values::from_scalars(*element, [value]));
    values::Value::Array(Array { element: *element, shape: Vec::new(), values })
}

fn given(
    tensor: &Tensor,
    wanted: &TensorType,
    same: bool,
) -> std::result::Result<values::Value, storage::StorageError> {
    let (storage, plain) = (&tensor.storage, tensor.kind == Kind::Plain);
    match &wanted.encoding {
        Some(_) if same => Ok(sparse(storage)),
        Some(encoding) => {
            let triplets = match plain {
                true => storage::from_dense(storage.dim_sizes(), storage.element(), storage.values())?,
                false => storage::unpack(storage)?,
            };
            Ok(sparse(&storage::pack_owned(triplets, encoding)?))
        }
        None => {
            let values = if plain { storage.values().clone() } else { storage::to_dense(storage)? };
            let shape = storage.dim_sizes().to_vec();
            Ok(values::Value::Array(Array { element: storage.element(), shape, values: values.into() }))
        }
    }
}

fn sparse(storage: &Storage) -> values::Value {
    values::Value::Sparse(Sparse::new(storage.clone()))
}

fn dense(triplets: &Triplets) -> std::result::Result<values::Value, storage::StorageError> {
    let values = storage::convert::dense_of(triplets)?;
    Ok(values::Value::Array(Array {
        element: triplets.element(),
        shape: triplets.shape().to_vec(),
        values: values.into(),
    }))
}
