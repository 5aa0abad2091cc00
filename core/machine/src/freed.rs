//! Buffers that a program has deallocated: what it does with them afterwards is undefined in MLIR, and refused here.

use std::{
    cell::RefCell,
    collections::HashMap,
    rc::{Rc, Weak},
};

use crate::value::{Contents, Memory, Value};

/// The deallocated buffers, by place. They are not kept alive, and no other buffer gets their place.
#[derive(Debug, Default)]
pub(crate) struct Freed(HashMap<*const RefCell<Contents>, Weak<RefCell<Contents>>>);

impl Freed {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The buffer of a view, and so of all its views.
    pub(crate) fn free(&mut self, memory: &Memory) {
        self.0.insert(Rc::as_ptr(&memory.buffer), Rc::downgrade(&memory.buffer));
    }

    pub(crate) fn has(&self, value: &Value) -> bool {
        matches!(value, Value::Memory(memory) if self.0.contains_key(&Rc::as_ptr(&memory.buffer)))
    }
}
