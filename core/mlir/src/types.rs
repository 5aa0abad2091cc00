//! The types of a program's values.

use std::{fmt, sync::Arc};

use crate::layout::{Layout, Space};
use nnz_base::element::Element;
use nnz_check::{Checked, DefinitionKind, TensorType};
use nnz_encoding::Encoding;

/// A type with which nnz can compute, or the mark of one that has been reported.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Scalar(Element),
    /// With an encoding or without.
    Tensor(TensorType),
    /// `tensor<*xf64>`
    UnrankedTensor(Element),
    Memory(MemoryType),
    /// `memref<*xf64>`
    UnrankedMemory(UnrankedMemoryType),
    Vector(VectorType),
    Function(FunctionType),
    /// `!llvm.ptr`, which only file names have.
    Pointer,
    /// `!sparse_tensor.storage_specifier<#CSR>`
    Specifier(Arc<Encoding>),
    /// `!sparse_tensor.iter_space<#CSR, lvls = 0 to 2>`
    Space(Levels),
    /// `!sparse_tensor.iterator<#CSR, lvls = 0 to 2>`
    Iterator(Levels),
    /// The type of a value whose definition is broken, so that it is not reported twice.
    Broken,
}

/// `memref<?x4xf64, strided<[4, 1]>, 1>`
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryType {
    pub shape: Vec<Option<u64>>,
    pub element: Element,
    pub layout: Layout,
    pub space: Space,
}

/// `memref<*xf64, 1>`
#[derive(Clone, Debug, PartialEq)]
pub struct UnrankedMemoryType {
    pub element: Element,
    pub space: Space,
}

/// `vector<4x8xf32>`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorType {
    pub shape: Vec<u64>,
    pub element: Element,
}

/// Consecutive levels of an encoding.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    pub encoding: Arc<Encoding>,
    pub from: usize,
    /// Behind the last one; beyond `from`.
    pub to: usize,
}

/// `(f64, index) -> f64`
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FunctionType {
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

impl FunctionType {
    /// The number of types that it consists of, including those of functions in it.
    pub fn parts(&self) -> usize {
        let types = self.inputs.iter().chain(&self.results);
        let functions = types.clone().filter_map(|ty| if let Type::Function(inner) = ty { Some(inner) } else { None });
        functions.fold(types.count(), |parts, inner| parts.saturating_add(inner.parts()))
    }
}

impl Type {
    pub const INDEX: Type = Type::Scalar(Element::Index);
    pub const I1: Type = Type::Scalar(Element::I1);

    /// The type of a scalar, or of the entries of a container.
    pub fn element(&self) -> Option<Element> {
        match self {
            Type::Scalar(element) | Type::UnrankedTensor(element) => Some(*element),
            Type::Tensor(tensor) => Some(tensor.element),
            Type::Memory(memory) => Some(memory.element),
            Type::UnrankedMemory(memory) => Some(memory.element),
            Type::Vector(vector) => Some(vector.element),
            Type::Function(_) | Type::Pointer | Type::Broken => None,
            Type::Specifier(_) | Type::Space(_) | Type::Iterator(_) => None,
        }
    }
    /// The type of one entry; [`Type::Broken`] if there is none.
    pub fn of_element(&self) -> Type {
        self.element().map_or(Type::Broken, Type::Scalar)
    }
    pub fn scalar(&self) -> Option<Element> {
        if let Type::Scalar(element) = self { Some(*element) } else { None }
    }
    pub fn tensor(&self) -> Option<&TensorType> {
        if let Type::Tensor(tensor) = self { Some(tensor) } else { None }
    }
    /// A buffer with a rank.
    pub fn memory(&self) -> Option<&MemoryType> {
        if let Type::Memory(memory) = self { Some(memory) } else { None }
    }
    /// The memory that a buffer is in.
    pub fn space(&self) -> Option<&Space> {
        match self {
            Type::Memory(memory) => Some(&memory.space),
            Type::UnrankedMemory(memory) => Some(&memory.space),
            Type::Scalar(_) | Type::Tensor(_) | Type::UnrankedTensor(_) | Type::Vector(_) => None,
            Type::Function(_) | Type::Pointer | Type::Broken => None,
            Type::Specifier(_) | Type::Space(_) | Type::Iterator(_) => None,
        }
    }
    /// A tensor with an encoding.
    pub fn sparse(&self) -> Option<&TensorType> {
        self.tensor().filter(|tensor| tensor.encoding.is_some())
    }
    /// The sizes of a ranked container; none for a scalar.
    /// The encoding that it names.
    pub fn encoding(&self) -> Option<&Encoding> {
        match self {
            Type::Tensor(tensor) => tensor.encoding.as_deref(),
            Type::Specifier(encoding) => Some(encoding),
            Type::Space(levels) | Type::Iterator(levels) => Some(&levels.encoding),
            Type::Scalar(_) | Type::UnrankedTensor(_) | Type::Memory(_) | Type::UnrankedMemory(_) => None,
            Type::Vector(_) | Type::Function(_) | Type::Pointer | Type::Broken => None,
        }
    }
    pub fn shape(&self) -> Option<Vec<Option<u64>>> {
        match self {
            Type::Scalar(_) => Some(Vec::new()),
            Type::Tensor(tensor) => Some(tensor.shape.clone()),
            Type::Memory(memory) => Some(memory.shape.clone()),
            Type::Vector(vector) => Some(vector.shape.iter().copied().map(Some).collect()),
            Type::UnrankedTensor(_) | Type::UnrankedMemory(_) => None,
            Type::Function(_) | Type::Pointer | Type::Broken => None,
            Type::Specifier(_) | Type::Space(_) | Type::Iterator(_) => None,
        }
    }
    pub fn rank(&self) -> Option<usize> {
        self.shape().map(|shape| shape.len())
    }
    /// The difference of this type from another.
    pub fn difference(&self, other: &Type) -> Difference {
        let (Some(own), Some(said)) = (self.tensor(), other.tensor()) else {
            return match (self.element(), other.element()) {
                (Some(own), Some(said)) if self.scalar().is_none() && self.with_element(said) == *other => {
                    Difference::Elements(own, said)
                }
                _ => Difference::Kind,
            };
        };
        match (own.shape == said.shape, own.element == said.element, own.encoding == said.encoding) {
            (true, false, true) => Difference::Elements(own.element, said.element),
            (false, true, true) if !own.shape.is_empty() && !said.shape.is_empty() => {
                let text = |shape: &[Option<u64>]| Sizes(shape).to_string().trim_end_matches('x').to_string();
                Difference::Shape(text(&own.shape), text(&said.shape))
            }
            (true, true, false) => Difference::Encoding,
            _ => Difference::Kind,
        }
    }
    pub fn is_broken(&self) -> bool {
        *self == Type::Broken
    }
    /// The same container of other elements; for a scalar, the element.
    #[must_use]
    pub fn with_element(&self, element: Element) -> Type {
        let mut other = self.clone();
        match &mut other {
            Type::Scalar(found) | Type::UnrankedTensor(found) => *found = element,
            Type::Tensor(tensor) => tensor.element = element,
            Type::Memory(memory) => memory.element = element,
            Type::UnrankedMemory(memory) => memory.element = element,
            Type::Vector(vector) => vector.element = element,
            Type::Function(_) | Type::Pointer | Type::Broken => {}
            Type::Specifier(_) | Type::Space(_) | Type::Iterator(_) => {}
        }
        other
    }
    /// A dense tensor.
    pub fn dense(shape: Vec<Option<u64>>, element: Element) -> Type {
        Type::Tensor(TensorType { shape, element, encoding: None })
    }
}

impl fmt::Display for Type {
    /// As MLIR writes it, encodings in full.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(element) => write!(f, "{element}"),
            Type::Tensor(tensor) => match &tensor.encoding {
                Some(encoding) => {
                    write!(f, "tensor<{}{}, {}>", Sizes(&tensor.shape), tensor.element, encoding.canonical())
                }
                None => write!(f, "tensor<{}{}>", Sizes(&tensor.shape), tensor.element),
            },
            Type::UnrankedTensor(element) => write!(f, "tensor<*x{element}>"),
            Type::Memory(memory) => {
                let MemoryType { shape, element, layout, space } = memory;
                write!(f, "memref<{}{element}{layout}{space}>", Sizes(shape))
            }
            Type::UnrankedMemory(memory) => write!(f, "memref<*x{}{}>", memory.element, memory.space),
            Type::Vector(vector) => {
                vector.shape.iter().try_fold(write!(f, "vector<")?, |(), size| write!(f, "{size}x"))?;
                write!(f, "{}>", vector.element)
            }
            Type::Function(function) => {
                write!(f, "({}) -> ({})", list(&function.inputs), list(&function.results))
            }
            Type::Pointer => f.write_str("!llvm.ptr"),
            Type::Specifier(encoding) => write!(f, "!sparse_tensor.storage_specifier<{}>", encoding.canonical()),
            Type::Space(levels) => write!(f, "!sparse_tensor.iter_space<{levels}>"),
            Type::Iterator(levels) => write!(f, "!sparse_tensor.iterator<{levels}>"),
            Type::Broken => f.write_str("?"),
        }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, lvls = {}", self.encoding.canonical(), self.from)?;
        if self.to > self.from + 1 { write!(f, " to {}", self.to) } else { Ok(()) }
    }
}

/// `f64, index`
pub fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// The name of an encoding in a file.
pub fn named<'c>(checked: &'c Checked, encoding: &Encoding) -> Option<&'c str> {
    let alias =
        checked.symbols.definitions.iter().find(
            |definition| matches!(&definition.kind, DefinitionKind::Encoding(Some(known)) if **known == *encoding),
        );
    alias.map(|alias| checked.source.slice(alias.name))
}

/// A type as a file writes it, with the file's names of encodings.
pub fn written(checked: &Checked, ty: &Type) -> String {
    let whole = ty.to_string();
    let encoding = ty.encoding();
    match encoding.and_then(|encoding| Some((encoding.canonical(), named(checked, encoding)?))) {
        Some((expanded, alias)) => whole.replacen(&expanded.to_string(), alias, 1),
        None => whole,
    }
}

/// A difference of two types.
pub enum Difference {
    /// In their elements alone.
    Elements(Element, Element),
    /// In their sizes alone, `4x8` and `8x4`.
    Shape(String, String),
    /// In their encodings alone.
    Encoding,
    Kind,
}

/// `4x?x`
struct Sizes<'a>(&'a [Option<u64>]);

impl fmt::Display for Sizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|size| match size {
            Some(size) => write!(f, "{size}x"),
            None => f.write_str("?x"),
        })
    }
}

/// Whether a value of one shape can have the other: sizes known in both are equal.
pub(crate) fn compatible(one: &[Option<u64>], other: &[Option<u64>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

/// The number of bits of an element.
pub fn width(element: Element) -> u32 {
    match element.int_range() {
        Some((low, high)) => (high - low + 1).ilog2(),
        None => 8 * element.bytes() as u32,
    }
}
