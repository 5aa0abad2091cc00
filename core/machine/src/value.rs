//! The values of a running program.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, OnceLock},
};

use crate::{budget::Budget, machine::Fault};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_encoding::Encoding;
use nnz_storage::{self as storage, Storage, Triplets};

#[derive(Clone, Debug)]
pub enum Value {
    Scalar(Scalar),
    /// A dense tensor, or a vector.
    Array(Array),
    /// A dense tensor given by its entries, explicit zeros among them: a constant `sparse<...>`.
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
/// More than the program has memory for, whatever they are.
pub fn entries(budget: &Budget, shape: &[u64]) -> Result<usize, Fault> {
    budget.entries(shape, 1)
}

/// `3x4`
pub fn by(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// The row-major place of `at`.
///
/// # Errors
/// A coordinate outside the shape.
pub fn offset(shape: &[u64], at: &[u64]) -> Result<usize, Fault> {
    let mut offset = 0u64;
    for (dim, (&at, &size)) in at.iter().zip(shape).enumerate() {
        if at >= size {
            let message = format!("coordinate {} is outside dimension {dim}, which has size {size}", at as i64);
            return Err(Fault::new(message));
        }
        offset = offset * size + at;
    }
    Ok(offset as usize)
}

/// A tensor with an encoding, and the entries inserted since it was last stored.
#[derive(Clone, Debug)]
pub struct Sparse {
    stored: Arc<Storage>,
    inserted: Arc<Vec<(Vec<u64>, Scalar)>>,
    /// Made when an entry is first asked for.
    places: Arc<OnceLock<Places>>,
}

/// The entries of a tensor, to be searched.
#[derive(Debug)]
struct Places {
    entries: Triplets,
    /// By coordinates; of one place the first entry first.
    order: Vec<usize>,
}

impl Places {
    fn new(entries: Triplets) -> Places {
        let mut order: Vec<usize> = (0..entries.len()).collect();
        let key = |entry: usize| entries.coords().iter().map(move |column| column[entry]);
        order.sort_by(|one, other| key(*one).cmp(key(*other)));
        Places { entries, order }
    }

    fn get(&self, at: &[u64]) -> Option<Scalar> {
        let key = |entry: usize| self.entries.coords().iter().map(move |column| column[entry]);
        let found = self.order.partition_point(|entry| key(*entry).lt(at.iter().copied()));
        let entry = *self.order.get(found)?;
        key(entry).eq(at.iter().copied()).then(|| self.entries.values().get(entry)).flatten()
    }
}

impl Sparse {
    pub fn new(storage: Storage) -> Sparse {
        Sparse { stored: Arc::new(storage), inserted: Arc::default(), places: Arc::default() }
    }
    /// # Errors
    /// A shape that the encoding cannot have.
    pub fn empty(encoding: &Arc<Encoding>, element: Element, shape: Vec<u64>) -> Result<Sparse, Fault> {
        Ok(Sparse::new(storage::pack::empty(encoding, element, shape)?))
    }
    /// # Errors
    /// Entries that the encoding cannot hold.
    pub fn packed(triplets: Triplets, encoding: &Arc<Encoding>) -> Result<Sparse, Fault> {
        Ok(Sparse::new(storage::pack_owned(triplets, encoding)?))
    }
    /// The same places with one value in all of them.
    ///
    /// # Errors
    /// No room for them.
    pub fn filled(&self, budget: &Budget, value: Scalar) -> Result<Sparse, Fault> {
        let storage = self.storage()?;
        let places = Array::filled(budget, (storage.element(), value), vec![storage.values().len() as u64])?;
        let values = Arc::unwrap_or_clone(places.values);
        Ok(Sparse::new((*storage).clone().with_values(values)?))
    }
    pub fn shape(&self) -> &[u64] {
        self.stored.dim_sizes()
    }
    pub fn element(&self) -> Element {
        self.stored.element()
    }
    pub fn encoding(&self) -> &Arc<Encoding> {
        self.stored.encoding()
    }
    /// Whether it stores nothing.
    pub fn is_empty(&self) -> bool {
        self.stored.nse() == 0 && self.inserted.is_empty()
    }
    /// Inserts or overwrites an entry.
    ///
    /// # Errors
    /// A coordinate outside the shape.
    pub fn insert(&mut self, at: Vec<u64>, value: Scalar) -> Result<(), Fault> {
        let wrong = |(at, size): (&u64, &u64)| at >= size;
        if let Some(dim) = at.iter().zip(self.shape()).position(wrong) {
            let size = self.shape()[dim];
            let message = format!("coordinate {} is outside dimension {dim}, which has size {size}", at[dim] as i64);
            return Err(Fault::new(message));
        }
        Arc::make_mut(&mut self.inserted).push((at, value));
        self.places = Arc::default();
        Ok(())
    }
    /// The entry at `at`, or zero.
    ///
    /// # Errors
    /// A coordinate outside the shape; entries that the encoding cannot hold.
    pub fn get(&self, at: &[u64]) -> Result<Scalar, Fault> {
        offset(self.shape(), at)?;
        let places = match self.places.get() {
            Some(places) => places,
            None => {
                let made = Places::new(self.triplets()?);
                self.places.get_or_init(|| made)
            }
        };
        Ok(places.get(at).unwrap_or(self.element().zero()))
    }
    /// The tensor with all that was inserted.
    ///
    /// # Errors
    /// Entries that the encoding cannot hold.
    pub fn storage(&self) -> Result<Arc<Storage>, Fault> {
        if self.inserted.is_empty() {
            return Ok(self.stored.clone());
        }
        Ok(Arc::new(storage::pack_owned(self.triplets()?, self.stored.encoding())?))
    }
    /// The same tensor with nothing left to insert.
    ///
    /// # Errors
    /// As [`Sparse::storage`].
    pub fn finished(&self) -> Result<Sparse, Fault> {
        Ok(Sparse { stored: self.storage()?, inserted: Arc::default(), places: self.places.clone() })
    }
    /// All entries, zeros of dense levels among them, but no padding.
    ///
    /// # Errors
    /// As [`Sparse::storage`].
    pub fn visited(&self) -> Result<Triplets, Fault> {
        self.finished()?.triplets()
    }
    /// # Errors
    /// As [`Sparse::storage`].
    pub fn triplets(&self) -> Result<Triplets, Fault> {
        // A type with an encoding stores what its levels store, even if these are all dense.
        let whole = self.encoding().stores_all();
        let triplets = if whole { storage::visited(&self.stored)? } else { storage::unpack(&self.stored)? };
        if self.inserted.is_empty() { Ok(triplets) } else { merged(triplets, &self.inserted) }
    }
}

/// Entries and those inserted later, of which the last at a place holds.
fn merged(triplets: Triplets, inserted: &[(Vec<u64>, Scalar)]) -> Result<Triplets, Fault> {
    let (shape, element, mut coords, mut values) = triplets.into_parts();
    let mut places = std::collections::HashMap::new();
    for entry in 0..values.len() {
        places.insert(coords.iter().map(|column| column[entry]).collect::<Vec<u64>>(), entry);
    }
    for (at, value) in inserted {
        match places.get(at) {
            Some(&entry) => values.set(entry, *value),
            None => {
                places.insert(at.clone(), values.len());
                coords.iter_mut().zip(at).for_each(|(column, at)| column.push(*at));
                values.push(*value);
            }
        }
    }
    Ok(Triplets::new(shape, element, coords, values).map_err(storage::StorageError::from)?)
}

/// A view into a buffer that programs write to.
#[derive(Clone, Debug)]
pub struct Memory {
    pub buffer: Rc<RefCell<Values>>,
    pub element: Element,
    pub offset: i64,
    pub shape: Vec<u64>,
    pub strides: Vec<i64>,
}

impl Memory {
    pub fn of_array(array: &Array) -> Memory {
        Memory::new(array.element, array.shape.clone(), (*array.values).clone())
    }
    pub fn new(element: Element, shape: Vec<u64>, values: Values) -> Memory {
        let strides = strides(&shape);
        Memory { buffer: Rc::new(RefCell::new(values)), element, offset: 0, shape, strides }
    }
    /// The place of an entry in the buffer.
    ///
    /// # Errors
    /// A coordinate outside the shape.
    pub fn place(&self, at: &[u64]) -> Result<usize, Fault> {
        offset(&self.shape, at)?;
        let place = at
            .iter()
            .zip(&self.strides)
            .fold(self.offset, |place, (at, stride)| place.wrapping_add((*at as i64).wrapping_mul(*stride)));
        let len = self.buffer.borrow().len();
        usize::try_from(place)
            .ok()
            .filter(|&place| place < len)
            .ok_or_else(|| Fault::new(format!("place {place} is outside a buffer of {len} entries")))
    }
    /// # Errors
    /// A coordinate outside the shape.
    pub fn load(&self, at: &[u64]) -> Result<Scalar, Fault> {
        let place = self.place(at)?;
        Ok(self.buffer.borrow().get(place).unwrap_or(self.element.zero()))
    }
    /// # Errors
    /// A coordinate outside the shape.
    pub fn store(&self, at: &[u64], value: Scalar) -> Result<(), Fault> {
        let place = self.place(at)?;
        self.buffer.borrow_mut().set(place, value);
        Ok(())
    }
    /// The entries as a separate array.
    ///
    /// # Errors
    /// A view that reaches beyond its buffer.
    pub fn to_array(&self, budget: &Budget) -> Result<Array, Fault> {
        let count = budget.room(&self.shape, self.element)?;
        let mut values = Values::with_capacity(self.element, count);
        let mut at = vec![0; self.shape.len()];
        for _ in 0..count {
            values.push(self.load(&at)?);
            advance(&mut at, &self.shape);
        }
        Ok(Array { element: self.element, shape: self.shape.clone(), values: Arc::new(values) })
    }
}

/// Row-major.
pub fn strides(shape: &[u64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(shape[dim] as i64);
    }
    strides
}

/// The next coordinates in row-major order; from the last, the first again.
pub fn advance(at: &mut [u64], shape: &[u64]) {
    for (at, &size) in at.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < size {
            return;
        }
        *at = 0;
    }
}

impl Value {
    pub fn index(number: u64) -> Value {
        Value::Scalar(Scalar::Int(number.into()))
    }
    /// # Errors
    /// Another kind of value, which a checked program never has here.
    pub fn scalar(&self) -> Result<Scalar, Fault> {
        match self {
            Value::Scalar(scalar) => Ok(*scalar),
            other => Err(other.unexpected("a scalar")),
        }
    }
    /// An index.
    ///
    /// # Errors
    /// Another kind of value.
    pub fn number(&self) -> Result<u64, Fault> {
        match self {
            Value::Scalar(Scalar::Int(number)) => Ok(*number as u64),
            other => Err(other.unexpected("an index")),
        }
    }
    /// # Errors
    /// Another kind of value.
    pub fn array(&self) -> Result<Cow<'_, Array>, Fault> {
        match self {
            Value::Array(array) => Ok(Cow::Borrowed(array)),
            Value::Entries(entries) => {
                let values = Arc::new(storage::convert::dense_of(entries)?);
                Ok(Cow::Owned(Array { element: entries.element(), shape: entries.shape().to_vec(), values }))
            }
            other => Err(other.unexpected("a dense tensor or a vector")),
        }
    }
    /// # Errors
    /// Another kind of value.
    pub fn sparse(&self) -> Result<&Sparse, Fault> {
        match self {
            Value::Sparse(tensor) => Ok(tensor),
            other => Err(other.unexpected("a tensor with an encoding")),
        }
    }
    /// # Errors
    /// Another kind of value.
    pub fn memory(&self) -> Result<&Memory, Fault> {
        match self {
            Value::Memory(memory) => Ok(memory),
            other => Err(other.unexpected("a memref")),
        }
    }
    /// # Errors
    /// Another kind of value.
    pub fn walk(&self) -> Result<&Walk, Fault> {
        match self {
            Value::Walk(walk) => Ok(walk),
            other => Err(other.unexpected("an iteration space or iterator")),
        }
    }
    /// The bytes of its arrays.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Value::Array(array) => array.values.bytes(),
            Value::Sparse(tensor) => tensor.stored.bytes(),
            Value::Memory(memory) => memory.buffer.borrow().bytes(),
            _ => 0,
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
