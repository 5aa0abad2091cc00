//! The values of a running program.

mod memory;
mod sparse;

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

pub use memory::Memory;
pub(crate) use memory::{Contents, Watched, fill_from};
pub use sparse::{Sparse, Step};

pub use crate::shape::{advance, by, by_signed, offset, outside, strides};
use crate::{budget::Budget, fault::Fault};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_storage::{self as storage, Storage, Triplets};

#[derive(Clone, Debug)]
pub enum Value {
    Scalar(Scalar),
    /// A dense tensor, or a vector.
    Array(Array),
    /// A constant `sparse<...>` without an encoding, for the operations that it is an operand of: its entries as the
    /// text lists them, zeros among them. Whatever it is handed on to gets a dense tensor (`Value::handed_on`).
    Entries(Arc<Triplets>),
    /// A tensor with an encoding.
    Sparse(Sparse),
    Memory(Memory),
    /// What an `!llvm.ptr` points to: a file's name.
    Name(Arc<str>),
    /// A storage specifier's numbers.
    Specifier(Arc<Specifier>),
    /// Levels to iterate over, or a place reached there.
    Walk(Walk),
}

/// Numbers by kind and level, or dimension.
pub type Specifier = BTreeMap<(&'static str, usize), u64>;

/// Positions of a level: the parents of an iteration space, or the current positions of an iterator (several
/// if a level that is not unique repeats a coordinate).
#[derive(Clone, Debug)]
pub struct Walk {
    pub storage: Arc<Storage>,
    pub positions: Arc<Vec<u64>>,
}

/// Entries in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub element: Element,
    pub shape: Vec<u64>,
    pub values: Arc<Values>,
}

impl Array {
    /// # Errors
    /// More bytes than the program may take.
    pub fn filled(budget: &Budget, (element, value): (Element, Scalar), shape: Vec<u64>) -> Result<Array, Fault> {
        let count = budget.room(&shape, element)?;
        let is_zero = value.is_zero() && !matches!(value, Scalar::Float(x) if x.is_sign_negative());
        let values = match is_zero {
            true => Values::zeros(element, count),
            false => Values::from_scalars(element, std::iter::repeat_n(value, count)),
        };
        Ok(Array { element, shape, values: Arc::new(values) })
    }
    pub fn zeros(budget: &Budget, element: Element, shape: Vec<u64>) -> Result<Array, Fault> {
        Array::filled(budget, (element, element.zero()), shape)
    }
    /// The place of an entry.
    ///
    /// # Errors
    /// A coordinate outside the shape.
    pub fn offset(&self, at: &[u64]) -> Result<usize, Fault> {
        offset(&self.shape, at)
    }
    /// # Errors
    /// A coordinate outside the shape.
    pub fn get(&self, at: &[u64]) -> Result<Scalar, Fault> {
        let offset = self.offset(at)?;
        self.values.get(offset).ok_or_else(|| Fault::new("an array is shorter than its shape says"))
    }
}

/// How many entries a shape has.
///
/// # Errors
/// More than the program has memory for, whatever their type.
pub fn entries(budget: &Budget, shape: &[u64]) -> Result<usize, Fault> {
    budget.entries(shape, 1)
}

impl Value {
    pub fn index(number: u64) -> Value {
        Value::Scalar(Scalar::Int(number.into()))
    }
    /// # Errors
    /// Another kind of value, which a checked program never has here.
    pub fn scalar(&self) -> Result<Scalar, Fault> {
        if let Value::Scalar(scalar) = self { Ok(*scalar) } else { Err(self.unexpected("a scalar")) }
    }
    /// An index.
    ///
    /// # Errors
    /// Another kind of value.
    pub fn number(&self) -> Result<u64, Fault> {
        if let Value::Scalar(Scalar::Int(number)) = self {
            Ok(*number as u64)
        } else {
            Err(self.unexpected("an index"))
        }
    }
    /// # Errors
    /// Another kind of value.
    pub fn array(&self) -> Result<Cow<'_, Array>, Fault> {
        if let Value::Array(array) = self {
            return Ok(Cow::Borrowed(array));
        }
        let Value::Entries(entries) = self else { return Err(self.unexpected("a dense tensor or a vector")) };
        let values = Arc::new(storage::convert::dense_of(entries)?);
        Ok(Cow::Owned(Array { element: entries.element(), shape: entries.shape().to_vec(), values }))
    }
    /// # Errors
    /// Another kind of value.
    pub(crate) fn into_array(self) -> Result<Array, Fault> {
        if let Value::Array(array) = self { Ok(array) } else { Ok(self.array()?.into_owned()) }
    }
    /// As regions, blocks and functions get it.
    ///
    /// # Errors
    /// Too little memory for a dense tensor.
    pub(crate) fn handed_on(self) -> Result<Value, Fault> {
        if let Value::Entries(_) = self { self.into_array().map(Value::Array) } else { Ok(self) }
    }
    /// A copy; also of the contents of a buffer.
    ///
    /// # Errors
    /// Another kind of value, or too little memory.
    pub fn to_array(&self, budget: &Budget) -> Result<Array, Fault> {
        if let Value::Memory(memory) = self { memory.to_array(budget) } else { Ok(self.array()?.into_owned()) }
    }
    /// # Errors
    /// Another kind of value.
    pub fn sparse(&self) -> Result<&Sparse, Fault> {
        if let Value::Sparse(tensor) = self { Ok(tensor) } else { Err(self.unexpected("a tensor with an encoding")) }
    }
    /// # Errors
    /// Another kind of value.
    pub fn memory(&self) -> Result<&Memory, Fault> {
        if let Value::Memory(memory) = self { Ok(memory) } else { Err(self.unexpected("a memref")) }
    }
    /// # Errors
    /// Another kind of value.
    pub fn walk(&self) -> Result<&Walk, Fault> {
        if let Value::Walk(walk) = self { Ok(walk) } else { Err(self.unexpected("an iteration space or iterator")) }
    }
    /// The bytes of its arrays.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Value::Array(array) => array.values.bytes(),
            Value::Sparse(tensor) => tensor.bytes(),
            Value::Memory(memory) => memory.buffer.borrow().values().bytes(),
            Value::Scalar(_) | Value::Entries(_) | Value::Name(_) | Value::Specifier(_) | Value::Walk(_) => 0,
        }
    }
    /// The sizes of a tensor, a vector or a buffer.
    pub fn sizes(&self) -> Vec<u64> {
        match self {
            Value::Array(array) => array.shape.clone(),
            Value::Entries(entries) => entries.shape().to_vec(),
            Value::Sparse(tensor) => tensor.shape().to_vec(),
            Value::Memory(memory) => memory.shape.clone(),
            Value::Scalar(_) | Value::Name(_) | Value::Specifier(_) | Value::Walk(_) => Vec::new(),
        }
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        let kind = match self {
            Value::Scalar(_) => "a scalar",
            Value::Array(_) | Value::Entries(_) => "a dense tensor or a vector",
            Value::Sparse(_) => "a tensor with an encoding",
            Value::Memory(_) => "a memref",
            Value::Name(_) => "a pointer",
            Value::Specifier(_) => "a storage specifier",
            Value::Walk(_) => "an iteration space or iterator",
        };
        Fault::new(format!("{wanted} is wanted here, and this is {kind}"))
    }
}
