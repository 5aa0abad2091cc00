//! The meaning of names: the definitions of earlier statements and cells.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use super::TensorType;
use nnz_base::{
    diagnostic::{Applicability, Diagnostic, Edit, did_you_mean},
    element::Element,
    source::Span,
};
use nnz_encoding::{Encoding, named};

/// A word of the text, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

/// How the entries of a tensor are stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Format {
    /// A plain array, row-major.
    Plain,
    Encoded(Arc<Encoding>),
    /// In parts that add up to it, each entry in one of them.
    Parts(Arc<[FormatPart]>),
}

/// One format of a decomposed tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatPart {
    /// As the user named it: `BSR(32, 32)`, `#own`.
    pub name: String,
    pub encoding: Arc<Encoding>,
}

impl Format {
    /// That of the tensor as a whole.
    pub fn encoding(&self) -> Option<&Arc<Encoding>> {
        match self {
            Format::Plain | Format::Parts(_) => None,
            Format::Encoded(encoding) => Some(encoding),
        }
    }
    /// Those of a decomposed tensor.
    pub fn parts(&self) -> Option<&Arc<[FormatPart]>> {
        match self {
            Format::Plain | Format::Encoded(_) => None,
            Format::Parts(parts) => Some(parts),
        }
    }
}

/// The type of a tensor as far as the text gives it; a file's contents give the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialType {
    pub element: Option<Element>,
    /// `None`: not even the rank is known; within, `None` for a size that is not.
    pub shape: Option<Vec<Option<u64>>>,
    /// `None`: follows from a rank that is not known.
    pub format: Option<Format>,
    /// The encoding as the user named it: `CSR`, `#CSR`.
    pub format_name: Option<String>,
}

impl PartialType {
    pub fn rank(&self) -> Option<usize> {
        self.shape.as_ref().map(Vec::len)
    }
    /// Every size, if all are known.
    pub fn sizes(&self) -> Option<Vec<u64>> {
        self.shape.as_ref()?.iter().copied().collect()
    }
    fn size(&self, dim: usize) -> Option<u64> {
        self.shape.as_ref()?.get(dim).copied().flatten()
    }
    /// The formats of a decomposed tensor.
    pub fn parts(&self) -> Option<&Arc<[FormatPart]>> {
        self.format.as_ref()?.parts()
    }
    /// What a type calls the encoding; of a decomposed tensor that of its last part, which stores any entry.
    pub fn declared_format(&self) -> Option<&str> {
        let last = self.parts().and_then(|parts| parts.last()).map(|part| part.name.as_str());
        last.or(self.format_name.as_deref())
    }
    /// The size of a dimension; `None` if it is unknown.
    pub fn extent(&self, dim: usize) -> Option<u64> {
        self.size(dim)
    }
}

impl std::fmt::Display for PartialType {
    /// As MLIR writes it, with the encoding by its name: `tensor<3x?xf64, #CSR>`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("tensor<")?;
        match &self.shape {
            Some(shape) => shape.iter().try_for_each(|size| match size {
                Some(size) => write!(f, "{size}x"),
                None => f.write_str("?x"),
            })?,
            None => f.write_str("*x")?,
        }
        f.write_str(self.element.map_or("?", Element::name))?;
        match &self.format_name {
            Some(name) => write!(f, ", {name}>"),
            None => f.write_str(">"),
        }
    }
}

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    Encoding(Arc<Encoding>),
    Tensor(PartialType),
    Scalar(Element),
    /// Its definition has an error; uses are not reported.
    Broken,
}

/// A parameter or result of a function of an MLIR program.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// Also a tensor without dimensions, which is a number of a session.
    Scalar(Element),
    /// With an encoding or without.
    Tensor(TensorType),
    /// The name of a file, `!llvm.ptr`.
    File,
    /// Nothing that a session has, such as a vector: as MLIR writes it.
    Foreign(String),
}

/// The type of a function of an MLIR program.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub inputs: Vec<Parameter>,
    pub results: Vec<Parameter>,
    /// As MLIR writes it, encodings by their names.
    pub text: String,
    /// The program that has it.
    pub file: String,
    /// The name of its first kernel: `linalg.matvec`.
    pub kernel: Option<&'static str>,
}

/// A scope's knowledge of a name; cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    meaning: Arc<Meaning>,
    /// It is a tensor or a scalar that no kernel computed.
    given: bool,
}

/// The names that a statement can use. Encodings keep their `#`.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: BTreeMap<Arc<str>, Known>,
    /// Without their `@`.
    functions: BTreeMap<String, Arc<Signature>>,
    /// There are functions that are not known before the statement that names their file has run.
    open: bool,
}

impl Known {
    /// `given`: no kernel computes it.
    pub(crate) fn new(meaning: Meaning, given: bool) -> Known {
        Known { meaning: Arc::new(meaning), given }
    }
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<&Meaning> {
        self.names.get(name).map(|known| &*known.meaning)
    }
    pub(crate) fn define_known(&mut self, name: Arc<str>, known: Known) {
        self.names.insert(name, known);
    }
    /// Returns the earlier meaning of the name.
    pub fn define(&mut self, name: &str, meaning: Meaning) -> Option<Known> {
        self.names.insert(name.into(), Known::new(meaning, false))
    }
    /// As [`Scope::define`], for a value that no kernel computed.
    pub fn define_given(&mut self, name: &str, meaning: Meaning) -> Option<Known> {
        self.names.insert(name.into(), Known::new(meaning, true))
    }
    /// Restores the earlier meaning of a name.
    pub fn restore(&mut self, name: &str, before: Option<Known>) {
        match before {
            Some(known) => self.names.insert(name.into(), known),
            None => self.names.remove(name),
        };
    }
    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|known| known.given)
    }
    pub fn len(&self) -> usize {
        self.names.len()
    }
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Meaning)> {
        self.names.iter().map(|(name, known)| (&**name, &*known.meaning))
    }
    pub fn encodings(&self) -> impl Iterator<Item = (&str, &Arc<Encoding>)> {
        let from = (Bound::Included("#"), Bound::Excluded("$"));
        self.names.range::<str, _>(from).filter_map(|(name, known)| {
            if let Meaning::Encoding(encoding) = &*known.meaning { Some((&**name, encoding)) } else { None }
        })
    }
    pub fn function(&self, name: &str) -> Option<&Arc<Signature>> {
        self.functions.get(name)
    }
    /// Returns the earlier type of the function.
    pub fn define_function(&mut self, name: &str, signature: Arc<Signature>) -> Option<Arc<Signature>> {
        self.functions.insert(name.to_string(), signature)
    }
    /// Restores the earlier type of a function, or none.
    pub fn restore_function(&mut self, name: &str, signature: Option<Arc<Signature>>) {
        match signature {
            Some(signature) => self.define_function(name, signature),
            None => self.functions.remove(name),
        };
    }
    pub fn functions(&self) -> impl Iterator<Item = (&str, &Signature)> {
        self.functions.iter().map(|(name, signature)| (name.as_str(), &**signature))
    }
    /// Whether unknown functions may be called.
    pub fn is_open(&self) -> bool {
        self.open
    }
    /// The name of an encoding in this scope.
    pub(crate) fn encoding_name(&self, encoding: &Encoding) -> Option<&str> {
        self.encodings().find(|(_, known)| ***known == *encoding).map(|(name, _)| name)
    }
    /// An encoding by its name in this scope, by that of a well-known format, or written out.
    pub fn encoding_called(&self, encoding: &Encoding) -> String {
        let rank = Some(encoding.dim_rank());
        let of_all = |format: &named::FormatName| named::lookup(format.name, &[], rank);
        let is_it = |format: &&named::FormatName| of_all(format).is_ok_and(|it| it == *encoding);
        let own = self.encoding_name(encoding);
        let known = || named::FORMATS.iter().find(is_it).map(|format| format.name);
        own.or_else(known).map_or_else(|| encoding.to_string(), str::to_string)
    }
    /// The session's type for a type of MLIR.
    pub fn type_of(&self, tensor: &TensorType) -> PartialType {
        let named = |encoding: &Arc<Encoding>| self.encoding_called(encoding);
        PartialType {
            element: Some(tensor.element),
            shape: Some(tensor.shape.clone()),
            format: Some(tensor.encoding.clone().map_or(Format::Plain, Format::Encoded)),
            format_name: tensor.encoding.as_ref().map(named),
        }
    }
    /// From now on unknown functions may be called.
    pub fn open(&mut self) {
        self.open = true;
    }
}

/// At most eight of the legal names, those most like `word` first.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let mut names: Vec<&str> = names.into_iter().collect();
    let count = names.len();
    names.sort_by_cached_key(|name| strsim::damerau_levenshtein(&word.to_lowercase(), &name.to_lowercase()));
    names.truncate(MOST);
    let more = if count > MOST { ", ..." } else { "" };
    format!("{}{more}", names.join(", "))
}

/// `diagnostic` about a misspelt `word`, with the nearest candidate as its fix, or else the `other` help. That the
/// candidate is meant is a guess.
pub fn suggest<'a>(
    diagnostic: Diagnostic,
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    other: impl Into<String>,
) -> Diagnostic {
    let span = diagnostic.primary.span;
    match did_you_mean(word, candidates) {
        Some(near) => {
            let edit = Edit { file: diagnostic.primary.file, span, replacement: near.to_string() };
            let told = diagnostic.help(format!("did you mean `{near}`?"));
            told.fix_edits(format!("write `{near}`"), vec![edit], Applicability::MaybeIncorrect)
        }
        None => diagnostic.help(other),
    }
}

/// `1 value`, `2 values`.
pub(crate) fn plural(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// `` `a`, `b`, `c` ``
pub fn list_of<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref().trim_matches('`'))).collect();
    quoted.join(", ")
}
