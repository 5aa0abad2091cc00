//! A cache of compiled kernels, keyed by what they compute, so that no kernel is compiled twice.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Backend, BackendError, Executable, FloatOrder, Target, lookup_with, resolved};
use nnz_loops::{Function, Verified, key::is_same};

/// The kernels that were used last. The key is the whole function, so two kernels share code only if they are
/// equal.
pub struct Cache {
    capacity: usize,
    /// The latest last.
    entries: Mutex<VecDeque<Entry>>,
}

/// See [`Cache::backend`].
#[derive(Clone, Copy)]
pub struct Cached<'c> {
    cache: &'c Cache,
    target: Target,
    order: FloatOrder,
}

// SAFETY: the code is that of a back end for the same function.
unsafe impl Backend for Cached<'_> {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        self.cache.compile(self.target, self.order, function)
    }
}

struct Entry {
    target: Target,
    order: FloatOrder,
    function: Verified<Function>,
    executable: Arc<dyn Executable>,
}

impl Default for Cache {
    /// Enough for a session; a kernel's code takes some tens of kilobytes.
    fn default() -> Self {
        Cache::new(64)
    }
}

impl Cache {
    /// A cache of at most `capacity` kernels.
    pub fn new(capacity: usize) -> Cache {
        Cache { capacity, entries: Mutex::default() }
    }

    /// The code of `function` for `target`, or for the target that replaces it here ([`resolved`]), compiled now
    /// or cached.
    ///
    /// # Errors
    /// As `lookup_with` and [`super::Backend::compile`]; errors are not remembered.
    pub fn compile(
        &self,
        target: Target,
        order: FloatOrder,
        function: &Verified<Function>,
    ) -> Result<Arc<dyn Executable>, BackendError> {
        let target = resolved(target);
        if let Some(known) = self.take(target, order, function) {
            return Ok(self.put(known));
        }
        // Not under the lock: others need not wait for this kernel.
        let executable = lookup_with(target, order)?.compile(function)?;
        Ok(self.put(Entry { target, order, function: function.clone(), executable }))
    }

    /// The cache as the back end of one target.
    pub fn backend(&self, target: Target, order: FloatOrder) -> Cached<'_> {
        Cached { cache: self, target, order }
    }

    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, target: Target, order: FloatOrder, function: &Function) -> Option<Entry> {
        let mut entries = self.entries();
        let same = |entry: &Entry| entry.target == target && entry.order == order && is_same(&entry.function, function);
        let at = entries.iter().position(same)?;
        entries.remove(at)
    }

    fn put(&self, entry: Entry) -> Arc<dyn Executable> {
        let executable = Arc::clone(&entry.executable);
        let mut entries = self.entries();
        entries.push_back(entry);
        let surplus = entries.len().saturating_sub(self.capacity);
        entries.drain(..surplus);
        executable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_loops::{Builder, verify};

    fn kernel(comment: &str) -> Verified<Function> {
        let mut b = Builder::new("nothing");
        b.comment(comment);
        verify(b.finish()).unwrap()
    }

    #[test]
    fn the_same_kernel_is_compiled_once_and_the_oldest_forgotten() {
        let cache = Cache::new(2);
        let get = |comment| cache.compile(Target::Interpreter, FloatOrder::Strict, &kernel(comment)).unwrap();
        let (a, b) = (get("a"), get("b"));
        assert!(Arc::ptr_eq(&a, &get("a"))); // now the latest
        let c = get("c");
        assert!(Arc::ptr_eq(&a, &get("a")));
        assert!(Arc::ptr_eq(&c, &get("c")));
        assert!(!Arc::ptr_eq(&b, &get("b")));
        assert!(!Arc::ptr_eq(&a, &get("a"))); // gone by now
    }

    #[cfg(feature = "llvm")]
    #[test]
    fn targets_and_orders_do_not_share_code() {
        let cache = Cache::default();
        let get = |target, order| cache.compile(target, order, &kernel("a")).unwrap();
        let strict = get(Target::Cpu, FloatOrder::Strict);
        assert!(!Arc::ptr_eq(&get(Target::Interpreter, FloatOrder::Strict), &strict));
        assert!(!Arc::ptr_eq(&get(Target::Cpu, FloatOrder::Relaxed), &strict));
        assert!(Arc::ptr_eq(&get(Target::Cpu, FloatOrder::Strict), &strict));
    }
}
