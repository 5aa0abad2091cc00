//! Checked statements without errors, ready for a session to run.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    command::Command,
    kernel::KernelStatement,
    literal::Literal,
    scope::{FormatPart, Meaning, Parameter, PartialType, Scope, Word},
    spec::Spec,
};
use nnz_base::{
    element::{Element, Scalar},
    source::Span,
};
use nnz_encoding::Encoding;

/// The name of the value that was shown last without one.
pub(super) const IT: &str = "it";

/// A statement without errors.
#[derive(Clone, Debug)]
pub enum Statement {
    Encoding {
        name: Word,
        encoding: Arc<Encoding>,
    },
    Tensor(TensorDefinition),
    Decompose(Decomposition),
    Constant {
        name: Word,
        element: Element,
        value: Scalar,
    },
    Kernel(KernelStatement),
    Call(ProgramCall),
    Show(Word),
    /// Shows the value of an expression of scalars without a name, which is `it` from then on.
    Compute(KernelStatement),
    Use(Word),
    Command(Command),
}

/// `A : tensor<3x4xf64, CSR> = ...`
#[derive(Clone, Debug)]
pub struct TensorDefinition {
    pub name: Word,
    pub spec: Spec,
    pub init: Init,
    /// The place of the initializer behind the `=`.
    pub init_span: Span,
}

/// `A = decompose(B, [BSR(32, 32), CSR])`
#[derive(Clone, Debug)]
pub struct Decomposition {
    pub name: Word,
    pub source: Word,
    pub parts: Arc<[FormatPart]>,
    /// The place of each part.
    pub places: Vec<Span>,
    /// The share of a group of places that holds entries at least where a part takes it.
    pub filled: f64,
    /// The type of the result as far as that of the source is known.
    pub ty: PartialType,
}

/// The initializer of a tensor.
#[derive(Clone, Debug)]
pub enum Init {
    Literal(Literal),
    /// A file by name, quotes removed.
    Read(Word),
    Generate {
        generator: Word,
        arguments: BTreeMap<String, Scalar>,
        /// Where each of them stands.
        places: BTreeMap<String, Span>,
    },
    /// Another tensor, converted.
    Convert(Word),
}

/// `B, C = @f(A, 2.5)`
#[derive(Clone, Debug)]
pub struct ProgramCall {
    /// Without its `@`.
    pub function: Word,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// The names that the text gives to the results: none, or one for each.
    pub targets: Vec<Word>,
    /// The declared type of the only result, which is converted to it.
    pub spec: Option<Spec>,
}

/// An argument of a program's function.
#[derive(Clone, Debug)]
pub struct Argument {
    pub given: Given,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Given {
    /// A tensor or a scalar of the session.
    Name(Word),
    Scalar(Scalar),
    Literal(Literal),
    /// A tensor from a file.
    Read(Word),
    /// The name of a file.
    File(Word),
}

impl Statement {
    /// The definition that the statement makes, as far as its text determines it.
    pub fn definition(&self, scope: &Scope) -> Option<(String, Meaning)> {
        match self {
            Statement::Encoding { name, encoding } => Some((name.text.clone(), Meaning::Encoding(encoding.clone()))),
            Statement::Tensor(tensor) => Some((tensor.name.text.clone(), Meaning::Tensor(tensor.static_type(scope)))),
            Statement::Decompose(it) => Some((it.name.text.clone(), Meaning::Tensor(it.ty.clone()))),
            Statement::Constant { name, element, .. } => Some((name.text.clone(), Meaning::Scalar(*element))),
            Statement::Kernel(kernel) | Statement::Compute(kernel) => {
                Some((kernel.name.text.clone(), kernel.meaning()))
            }
            Statement::Call(_) | Statement::Show(_) | Statement::Use(_) | Statement::Command(_) => None,
        }
    }
}

impl Statement {
    /// The files of data that it reads.
    pub(super) fn reads(&self) -> Vec<&Word> {
        match self {
            Statement::Tensor(TensorDefinition { init: Init::Read(path), .. }) => vec![path],
            Statement::Call(call) => call.arguments.iter().filter_map(Argument::reads).collect(),
            Statement::Encoding { .. } | Statement::Tensor(_) | Statement::Constant { .. } => Vec::new(),
            Statement::Decompose(_) => Vec::new(),
            Statement::Kernel(_) | Statement::Compute(_) => Vec::new(),
            Statement::Show(_) | Statement::Use(_) | Statement::Command(_) => Vec::new(),
        }
    }
    /// Whether it defines a value that no kernel computes. A conversion may still run as loops.
    pub(super) fn is_given(&self) -> bool {
        match self {
            Statement::Tensor(tensor) => !matches!(tensor.init, Init::Convert(_)),
            Statement::Constant { .. } | Statement::Call(_) | Statement::Compute(_) => true,
            Statement::Decompose(_) => true,
            Statement::Encoding { .. } | Statement::Kernel(_) => false,
            Statement::Show(_) | Statement::Use(_) | Statement::Command(_) => false,
        }
    }
}

impl KernelStatement {
    /// A scalar if the left side has no indices.
    pub fn meaning(&self) -> Meaning {
        match (&self.result.shape, self.result.element) {
            (Some(shape), Some(element)) if shape.is_empty() => Meaning::Scalar(element),
            _ => Meaning::Tensor(self.result.clone()),
        }
    }
}

impl Argument {
    fn reads(&self) -> Option<&Word> {
        if let Given::Read(path) = &self.given { Some(path) } else { None }
    }
}

impl ProgramCall {
    /// The name of result number `at`: `it`, `it2` and so on if the text gives none.
    pub fn result_name(&self, at: usize) -> String {
        match self.targets.get(at) {
            Some(target) => target.text.clone(),
            None if at == 0 => IT.to_string(),
            None => format!("{IT}{}", at + 1),
        }
    }

    /// How many results it has, as far as that is known.
    pub(super) fn result_count(&self, scope: &Scope) -> usize {
        let signature = scope.function(&self.function.text);
        signature.map_or(self.targets.len().max(1), |signature| signature.results.len())
    }

    /// The meaning of its result number `at`, as far as the function's type determines it.
    pub(super) fn result(&self, scope: &Scope, at: usize) -> Meaning {
        let signature = scope.function(&self.function.text);
        match (signature.and_then(|signature| signature.results.get(at)), &self.spec) {
            (Some(Parameter::Scalar(element)), spec) => {
                Meaning::Scalar(spec.as_ref().and_then(Spec::scalar).unwrap_or(*element))
            }
            (Some(Parameter::Tensor(tensor)), None) => Meaning::Tensor(scope.type_of(tensor)),
            (Some(Parameter::Tensor(tensor)), Some(spec)) => {
                let shape = spec.shape.clone().unwrap_or_else(|| tensor.shape.clone());
                Meaning::Tensor(PartialType {
                    element: spec.element.or(Some(tensor.element)),
                    format: spec.known_format(shape.len()),
                    shape: Some(shape),
                    format_name: spec.format_name.clone(),
                })
            }
            (Some(Parameter::File | Parameter::Foreign(_)) | None, _) => Meaning::Broken,
        }
    }
}

impl TensorDefinition {
    fn static_type(&self, scope: &Scope) -> PartialType {
        let element = match &self.init {
            Init::Literal(literal) => Some(literal.element()),
            Init::Convert(name) => match scope.get(&name.text) {
                Some(Meaning::Tensor(ty)) => ty.element,
                _ => None,
            },
            Init::Generate { .. } => Some(self.element()),
            Init::Read(_) => None,
        };
        let shape = self.data_shape(scope);
        let rank = self.spec.rank();
        let shape = self.spec.shape.clone().filter(|sizes| sizes.iter().all(Option::is_some)).or(shape);
        let shape = shape.or(rank.map(|rank| vec![None; rank]));
        let format = shape.as_ref().and_then(|shape| self.spec.known_format(shape.len()));
        PartialType {
            element: self.spec.element.or(element),
            shape,
            format,
            format_name: self.spec.format_name.clone(),
        }
    }
}
