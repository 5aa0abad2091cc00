//! The definitions of a session.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::programs::Callable;
use nnz_base::{
    diagnostic::counted,
    element::{Element, Scalar},
    memory::size_text,
};
use nnz_check::scope::{Format, FormatPart, Known, Meaning, PartialType, Scope, Signature};
use nnz_encoding::Encoding;
use nnz_kernel::{Kernel, Schedule};
use nnz_run::{Operand, Outline, Plans};
use nnz_storage::Storage;
use nnz_view::{Line, Markup, Role, TensorView};

/// A tensor with its data.
pub(super) struct Tensor {
    pub name: String,
    pub kind: Kind,
    pub storage: Arc<Storage>,
    /// The kernel that computed it.
    pub origin: Option<Computed>,
}

/// How a tensor is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A row-major array, as an all-dense encoding stores it.
    Plain,
    /// In an encoding, with its name: `CSR`, `#CSR`, or its text.
    Encoded(String),
}

impl Kind {
    /// How a tensor of `format` is stored, with the format's name in the text.
    pub(super) fn of(format: &Format, name: Option<String>) -> Kind {
        match format {
            // No statement stores in parts what it computes.
            Format::Plain | Format::Parts(_) => Kind::Plain,
            Format::Encoded(encoding) => Kind::Encoded(name.unwrap_or_else(|| encoding.to_string())),
        }
    }
}

/// A tensor in several formats, each entry in one of them.
pub(super) struct Parts {
    pub name: String,
    pub formats: Arc<[FormatPart]>,
    /// One at least, of one shape and element type; kernels call them `A.1`, `A.2` and so on.
    pub stored: Vec<Arc<Tensor>>,
}

/// A scalar.
pub(super) struct Number {
    pub element: Element,
    pub value: Scalar,
    pub origin: Option<Computed>,
}

/// How a result was computed: the kernel with the operands as they were, and what it became.
#[derive(Clone)]
pub(super) struct Computed {
    pub applied: Applied,
    pub outline: Arc<Outline>,
}

/// A kernel and its operands.
#[derive(Clone)]
pub(super) struct Applied {
    pub kernel: Arc<Kernel>,
    pub schedule: Arc<Schedule>,
    /// One per tensor of the kernel but the result.
    pub operands: Vec<Value>,
    /// What it was planned to, for the next time: `:time`, `:step` and the like.
    plans: Arc<Mutex<Plans>>,
}

impl Applied {
    pub(super) fn new(kernel: Kernel, schedule: Arc<Schedule>, operands: Vec<Value>) -> Applied {
        Applied { kernel: Arc::new(kernel), schedule, operands, plans: Arc::default() }
    }

    pub(super) fn plans(&self) -> MutexGuard<'_, Plans> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The operands, as a kernel takes them.
    pub(super) fn data(&self) -> Vec<Option<Operand<'_>>> {
        let operands = self.operands.iter().zip(self.kernel.tensors());
        operands.map(|(value, tensor)| value.operand(tensor.encoding.is_some())).collect()
    }
}

#[derive(Clone)]
pub(super) enum Value {
    Tensor(Arc<Tensor>),
    Parts(Arc<Parts>),
    Number(Arc<Number>),
}

impl Tensor {
    pub(super) fn view(&self) -> TensorView<'_> {
        TensorView { name: &self.name, encoding: self.encoding_text(), storage: &self.storage }
    }
    pub(super) fn encoding_text(&self) -> &str {
        match &self.kind {
            Kind::Plain => "dense",
            Kind::Encoded(name) => name,
        }
    }
    pub(super) fn ty(&self) -> PartialType {
        let (format, format_name) = match &self.kind {
            Kind::Plain => (Format::Plain, None),
            Kind::Encoded(name) => (Format::Encoded(self.storage.encoding().clone()), Some(name.clone())),
        };
        PartialType {
            element: Some(self.storage.element()),
            shape: Some(self.storage.dim_sizes().iter().copied().map(Some).collect()),
            format: Some(format),
            format_name,
        }
    }
}

impl Parts {
    pub(super) fn ty(&self) -> PartialType {
        let names: Vec<&str> = self.formats.iter().map(|part| part.name.as_str()).collect();
        let of_part = self.stored.first().map(|tensor| tensor.ty());
        PartialType {
            element: of_part.as_ref().and_then(|ty| ty.element),
            shape: of_part.and_then(|ty| ty.shape),
            format: Some(Format::Parts(Arc::clone(&self.formats))),
            format_name: Some(names.join(" + ")),
        }
    }
    /// `A: 64x64xf64, BSR(8, 8) + CSR, 2 parts, 12.1 KB`
    pub(super) fn title(&self) -> Line {
        let ty = self.ty();
        let shape: String = ty.sizes().unwrap_or_default().iter().map(|size| format!("{size}x")).collect();
        let element = ty.element.map_or("?", Element::name);
        let bytes: u64 = self.stored.iter().map(|part| part.storage.bytes() as u64).sum();
        Line::of(Role::Name, &*self.name)
            .text(": ")
            .with(Role::Type, format!("{shape}{element}"))
            .text(", ")
            .with(Role::Format, ty.format_name.unwrap_or_default())
            .text(format!(", {}, {}", counted(self.stored.len(), "part"), size_text(bytes)))
    }
    /// The title, and those of its parts.
    pub(super) fn titles(&self) -> Markup {
        self.stored.iter().map(|part| part.view().title()).fold(Markup::new().line(self.title()), Markup::line)
    }
}

impl Value {
    /// The value without its kernel: a number without a name cannot be timed or lowered.
    pub(super) fn forgetting_its_kernel(self) -> Value {
        match self {
            Value::Number(number) => {
                let (element, value) = (number.element, number.value);
                Value::Number(Arc::new(Number { element, value, origin: None }))
            }
            tensor @ (Value::Tensor(_) | Value::Parts(_)) => tensor,
        }
    }
    /// A tensor that is declared with the encoding of this name, with the encoding's text.
    fn spelled_out(&self, encoding: &str) -> Option<Value> {
        let Value::Tensor(tensor) = self else { return None };
        let Tensor { name, kind: Kind::Encoded(known), storage, origin } = &**tensor else { return None };
        let kind = Kind::Encoded(storage.encoding().to_string());
        let (name, storage, origin) = (name.clone(), storage.clone(), origin.clone());
        (known == encoding).then(|| Value::Tensor(Arc::new(Tensor { name, kind, storage, origin })))
    }
    /// `None` for a decomposed tensor: kernels take its parts.
    fn operand(&self, encoded: bool) -> Option<Operand<'_>> {
        match self {
            Value::Tensor(tensor) if encoded => Some(Operand::Stored(&tensor.storage)),
            Value::Tensor(tensor) => Some(Operand::Dense(tensor.storage.values())),
            Value::Parts(_) => None,
            Value::Number(number) => Some(Operand::Scalar(number.value)),
        }
    }
    /// A part of a decomposed tensor.
    pub(super) fn part(&self, number: usize) -> Option<Value> {
        let Value::Parts(parts) = self else { return None };
        parts.stored.get(number).cloned().map(Value::Tensor)
    }
    /// The tensors that it is stored in; none for a number.
    pub(super) fn stored(&self) -> &[Arc<Tensor>] {
        match self {
            Value::Tensor(tensor) => std::slice::from_ref(tensor),
            Value::Parts(parts) => &parts.stored,
            Value::Number(_) => &[],
        }
    }
    pub(super) fn meaning(&self) -> Meaning {
        match self {
            Value::Tensor(tensor) => Meaning::Tensor(tensor.ty()),
            Value::Parts(parts) => Meaning::Tensor(parts.ty()),
            Value::Number(number) => Meaning::Scalar(number.element),
        }
    }
    pub(super) fn origin(&self) -> Option<&Computed> {
        match self {
            Value::Tensor(tensor) => tensor.origin.as_ref(),
            Value::Parts(_) => None,
            Value::Number(number) => number.origin.as_ref(),
        }
    }
}

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    Encoding,
    Tensor,
    Scalar,
    /// Of an MLIR program.
    Function,
}

/// A name of the session, for `:vars`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionInfo {
    pub name: String,
    pub kind: DefinitionKind,
    /// As MLIR writes it: `tensor<3x4xf64, #CSR>`.
    pub type_text: String,
}

/// Names, their meanings for the checker, and their data.
#[derive(Clone, Default)]
pub(super) struct Names {
    pub scope: Scope,
    values: BTreeMap<String, Value>,
    /// The functions of MLIR programs, by their names without `@`.
    functions: BTreeMap<String, Callable>,
    /// What the running statement has replaced, the latest last.
    replaced: Vec<Replaced>,
}

/// What a name stood for before; `None` for nothing.
#[derive(Clone)]
enum Replaced {
    Name { name: String, known: Option<Known>, value: Option<Value> },
    Function { name: String, known: Option<(Arc<Signature>, Callable)> },
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }
    pub(super) fn define(&mut self, name: &str, value: Value) {
        let known = match value.origin() {
            Some(_) => self.scope.define(name, value.meaning()),
            None => self.scope.define_given(name, value.meaning()),
        };
        let value = self.values.insert(name.to_string(), value);
        self.replaced.push(Replaced::Name { name: name.to_string(), known, value });
    }
    /// Tensors in the encoding that had the name before keep it, and go by its text from now on.
    pub(super) fn define_encoding(&mut self, name: &str, encoding: Arc<Encoding>) {
        if self.encoding(name).is_some_and(|old| *old != encoding) {
            self.spell_out(name);
        }
        let known = self.scope.define(name, Meaning::Encoding(encoding));
        self.replaced.push(Replaced::Name { name: name.to_string(), known, value: None });
    }
    /// The encoding of a name.
    pub(super) fn encoding(&self, name: &str) -> Option<&Arc<Encoding>> {
        match self.scope.get(name) {
            Some(Meaning::Encoding(encoding)) => Some(encoding),
            Some(Meaning::Tensor(_) | Meaning::Scalar(_) | Meaning::Broken) | None => None,
        }
    }
    fn spell_out(&mut self, encoding: &str) {
        let spelled = |(name, value): (&String, &Value)| Some((name.clone(), value.spelled_out(encoding)?));
        let tensors: Vec<(String, Value)> = self.values.iter().filter_map(spelled).collect();
        tensors.into_iter().for_each(|(name, value)| self.define(&name, value));
    }
    /// The functions that other files than this one have defined.
    pub(super) fn functions_of_others(&self, path: &str) -> Vec<String> {
        let others = self.functions.iter().filter(|(_, callable)| *callable.program.source.name != *path);
        others.map(|(name, _)| format!("@{name}")).collect()
    }
    pub(super) fn function(&self, name: &str) -> Option<&Callable> {
        self.functions.get(name)
    }
    pub(super) fn define_function(&mut self, name: &str, signature: Arc<Signature>, callable: Callable) {
        let signature = self.scope.define_function(name, signature);
        let known = signature.zip(self.functions.insert(name.to_string(), callable));
        self.replaced.push(Replaced::Function { name: name.to_string(), known });
    }
    /// Keeps the definitions since the last call.
    pub(super) fn keep(&mut self) {
        self.replaced.clear();
    }
    /// Drops the definitions since [`Names::keep`].
    pub(super) fn take_back(&mut self) {
        while let Some(replaced) = self.replaced.pop() {
            match replaced {
                Replaced::Name { name, known, value } => {
                    self.scope.restore(&name, known);
                    restore(&mut self.values, name, value);
                }
                Replaced::Function { name, known } => {
                    let (signature, callable) = known.unzip();
                    self.scope.restore_function(&name, signature);
                    restore(&mut self.functions, name, callable);
                }
            }
        }
    }
    /// The names that kernels computed.
    pub(super) fn computed(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter(|(_, value)| value.origin().is_some()).map(|(name, _)| name.as_str())
    }
    pub(super) fn infos(&self) -> impl Iterator<Item = DefinitionInfo> {
        let function = |(name, signature): (&str, &Signature)| DefinitionInfo {
            name: format!("@{name}"),
            kind: DefinitionKind::Function,
            type_text: signature.text.clone(),
        };
        self.scope.iter().filter_map(|(name, meaning)| info(name, meaning)).chain(self.scope.functions().map(function))
    }
}

fn restore<T>(known: &mut BTreeMap<String, T>, name: String, old: Option<T>) {
    match old {
        Some(old) => known.insert(name, old),
        None => known.remove(&name),
    };
}

fn info(name: &str, meaning: &Meaning) -> Option<DefinitionInfo> {
    let (kind, type_text) = match meaning {
        Meaning::Encoding(encoding) => (DefinitionKind::Encoding, encoding.to_string()),
        Meaning::Tensor(ty) => (DefinitionKind::Tensor, ty.to_string()),
        Meaning::Scalar(element) => (DefinitionKind::Scalar, element.to_string()),
        Meaning::Broken => return None,
    };
    Some(DefinitionInfo { name: name.to_string(), kind, type_text })
}
