//! Checks the arguments of generators against their parameters; errors say how to fix them.

use std::collections::BTreeMap;

use super::GeneratorInfo;
use crate::TripletsError;
use nnz_base::{
    diagnostic::did_you_mean,
    element::{Element, Scalar},
};

/// The default of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    Is(f64),
    /// It follows from the tensor's shape, or must be given if no shape is known.
    FromShape,
    /// As another parameter of the generator.
    As(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub default: Default,
    pub doc: &'static str,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenerateError {
    #[error("unknown generator `{name}`")]
    Unknown { name: String, near: Option<&'static str>, all: Vec<&'static str> },
    #[error("`{generator}` has no parameter `{name}`")]
    Parameter { generator: &'static str, name: String, near: Option<&'static str>, all: Vec<&'static str> },
    #[error("{}", missing(.generator, .name))]
    Missing { generator: &'static str, name: &'static str },
    #[error("`{name} = {value}` is not {wanted}")]
    Value { name: &'static str, value: String, wanted: &'static str },
    #[error("`{generator}` makes {wanted}, not a tensor of shape {shape}")]
    Shape { generator: &'static str, wanted: String, shape: String },
    #[error("`{element}` cannot hold the value {value} of `{generator}`")]
    Element { generator: &'static str, element: Element, value: String },
    #[error("this would make {entries} entries, more than {} that a generator makes", super::MOST_ENTRIES)]
    TooLarge { entries: u128 },
    #[error("{0}")]
    NoRoom(nnz_base::memory::NoRoom),
    #[error("{0}")]
    Triplets(TripletsError),
    #[error("stopped before all entries were made")]
    Stopped,
}

impl From<nnz_base::memory::NoRoom> for GenerateError {
    fn from(refused: nnz_base::memory::NoRoom) -> GenerateError {
        GenerateError::NoRoom(refused)
    }
}

fn missing(generator: &str, name: &str) -> String {
    match name {
        "shape" => format!("`{generator}` needs a tensor type with sizes"),
        _ => format!("`{generator}` needs `{name}`, or a tensor type with sizes"),
    }
}

impl GenerateError {
    pub(super) fn unknown(name: &str, registry: &'static [GeneratorInfo]) -> GenerateError {
        let all: Vec<_> = registry.iter().map(|generator| generator.name).collect();
        GenerateError::Unknown { name: name.to_string(), near: did_you_mean(name, all.iter().copied()), all }
    }

    /// The mistake in the text that asks for the tensor, in a few words.
    pub fn label(&self) -> &'static str {
        match self {
            GenerateError::Unknown { .. } => "no such generator",
            GenerateError::Parameter { .. } => "no such parameter",
            GenerateError::Missing { name: "shape", .. } => "of which sizes?",
            GenerateError::Missing { .. } => "of which size?",
            GenerateError::Value { .. } => "not such a value",
            GenerateError::Shape { .. } => "makes another shape",
            GenerateError::Element { .. } => "makes values of another type",
            GenerateError::TooLarge { .. } => "makes too many entries",
            GenerateError::NoRoom(_) => "wants more memory than there is",
            GenerateError::Triplets(_) => "makes no such tensor",
            GenerateError::Stopped => "not made to its end",
        }
    }

    /// A way to fix it.
    pub fn help(&self) -> Option<String> {
        match self {
            GenerateError::Unknown { near: Some(near), .. } | GenerateError::Parameter { near: Some(near), .. } => {
                Some(format!("did you mean `{near}`?"))
            }
            GenerateError::Unknown { all, .. } => Some(format!("generators: {}", all.join(", "))),
            GenerateError::Parameter { all, .. } => Some(format!("its parameters: {}", all.join(", "))),
            GenerateError::Missing { generator, .. } => {
                super::lookup(generator).map(|generator| format!("for example: {}", generator.example))
            }
            GenerateError::Element { .. } => Some("choose a signed or a floating-point element type".to_string()),
            GenerateError::TooLarge { .. } | GenerateError::NoRoom(_) => {
                Some("choose a smaller size or density".to_string())
            }
            GenerateError::Value { name, value, .. } => {
                let share =
                    value.parse::<f64>().ok().filter(|share| *name == "density" && (1.0..=100.0).contains(share))?;
                Some(format!("{value} in a hundred is `density = {}`", share / 100.0))
            }
            GenerateError::Shape { .. } | GenerateError::Triplets(_) | GenerateError::Stopped => None,
        }
    }
}

/// The arguments of one call.
pub(super) struct Args<'a> {
    pub(super) generator: &'static GeneratorInfo,
    given: &'a BTreeMap<String, Scalar>,
    pub(super) shape: Option<&'a [u64]>,
    pub(super) element: Element,
}

impl<'a> Args<'a> {
    pub(super) fn new(
        generator: &'static GeneratorInfo,
        given: &'a BTreeMap<String, Scalar>,
        shape: Option<&'a [u64]>,
        element: Element,
    ) -> Result<Args<'a>, GenerateError> {
        let all: Vec<_> = generator.parameters.iter().map(|parameter| parameter.name).collect();
        match given.keys().find(|name| !all.contains(&name.as_str())) {
            Some(name) => {
                let near = did_you_mean(name, all.iter().copied());
                Err(GenerateError::Parameter { generator: generator.name, name: name.clone(), near, all })
            }
            None => Ok(Args { generator, given, shape, element }),
        }
    }

    fn given(&self, name: &'static str) -> Option<Scalar> {
        self.given.get(name).copied()
    }

    fn default(&self, name: &str) -> Option<f64> {
        let parameter = self.generator.parameters.iter().find(|parameter| parameter.name == name)?;
        match parameter.default {
            Default::Is(value) => Some(value),
            Default::FromShape | Default::As(_) => None,
        }
    }

    /// A whole number from 0 to 2^63 - 1 that was given or has a plain default.
    pub(super) fn count(&self, name: &'static str) -> Result<Option<u64>, GenerateError> {
        let Some(given) = self.given(name) else {
            return Ok(self.default(name).map(|default| default as u64));
        };
        let number = match given {
            Scalar::Int(number) => Some(number),
            Scalar::Float(number) if number.fract() == 0.0 => Some(number as i128),
            Scalar::Float(_) | Scalar::Complex(_) => None,
        };
        let count = number.and_then(|number| i64::try_from(number).ok()).and_then(|count| u64::try_from(count).ok());
        let is_large = number.is_some_and(|number| number > 0);
        let wanted = if is_large { "a whole number below 2^63" } else { "a whole number from 0 on" };
        count.map(Some).ok_or_else(|| bad_value(name, given, wanted))
    }

    /// As [`Args::count`]; an error if there is neither.
    pub(super) fn needed(&self, name: &'static str) -> Result<u64, GenerateError> {
        self.count(name)?.ok_or(GenerateError::Missing { generator: self.generator.name, name })
    }

    /// A number from 0 to 1.
    pub(super) fn fraction(&self, name: &'static str) -> Result<f64, GenerateError> {
        let number = self.number(name)?;
        match (0.0..=1.0).contains(&number) {
            true => Ok(number),
            false => Err(bad_value(name, Scalar::Float(number), "a number from 0 to 1")),
        }
    }

    /// A finite number.
    pub(super) fn number(&self, name: &'static str) -> Result<f64, GenerateError> {
        let number = match self.given(name) {
            Some(Scalar::Complex(number)) => {
                return Err(bad_value(name, Scalar::Complex(number), "a real number"));
            }
            Some(number) => number.as_f64(),
            None => self.default(name).unwrap_or(0.0),
        };
        match number.is_finite() {
            true => Ok(number),
            false => Err(bad_value(name, Scalar::Float(number), "a finite number")),
        }
    }

    /// The value `number` as the element type holds it.
    pub(super) fn value(&self, number: f64) -> Result<Scalar, GenerateError> {
        let Some((low, high)) = self.element.int_range() else { return Ok(Scalar::Float(number)) };
        match number.fract() == 0.0 && (low as f64..=high as f64).contains(&number) {
            true => Ok(Scalar::Int(number as i128)),
            false => Err(GenerateError::Element {
                generator: self.generator.name,
                element: self.element,
                value: number.to_string(),
            }),
        }
    }

    /// The order of a square matrix: parameter `n`, or the shape's.
    pub(super) fn order(&self) -> Result<u64, GenerateError> {
        match (self.count("n")?, self.shape) {
            (Some(n), _) => Ok(n),
            (None, Some([n, ..])) => Ok(*n),
            (None, _) => self.needed("n"),
        }
    }

    /// Checks that `made` is the shape wanted, if one is.
    pub(super) fn fits(&self, made: &[u64]) -> Result<(), GenerateError> {
        match self.shape {
            Some(shape) if shape != made => Err(self.misfit(by(made))),
            _ => Ok(()),
        }
    }

    /// The generator makes `wanted`, which the shape is not.
    pub(super) fn misfit(&self, wanted: String) -> GenerateError {
        let shape = by(self.shape.unwrap_or_default());
        GenerateError::Shape { generator: self.generator.name, wanted, shape }
    }
}

fn by(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

pub(super) fn bad_value(name: &'static str, value: Scalar, wanted: &'static str) -> GenerateError {
    let value = match value {
        Scalar::Float(number) if number.abs() >= 1e16 => format!("{number:e}"),
        Scalar::Float(number) => number.to_string(),
        Scalar::Int(number) => number.to_string(),
        Scalar::Complex(number) => number.to_string(),
    };
    GenerateError::Value { name, value, wanted }
}
