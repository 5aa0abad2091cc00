//! What is kept of a program from one call of its functions to the next.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use nnz_base::source::Span;
use nnz_run as run;

/// The plans of one kernel of a program, kept from run to run.
#[derive(Default)]
pub(crate) struct Plans {
    /// The points that it has run since a plan was made.
    pub(crate) points: u64,
    pub(crate) made: run::Plans,
}

#[cfg(test)]
impl Plans {
    /// Which loops there are.
    pub(crate) fn seals(&self) -> Vec<nnz_plan::lower::Seal> {
        self.made.seals().collect()
    }
}

/// The plans of a program's kernels, by their operations. Whoever calls functions of one program again and again keeps
/// one, so that each kernel is planned and compiled once.
#[derive(Default)]
pub struct Kept(Mutex<HashMap<Span, Plans>>);

impl Kept {
    /// Meanwhile another call plans anew.
    pub(super) fn take(&self) -> HashMap<Span, Plans> {
        std::mem::take(&mut *self.plans())
    }

    pub(super) fn put(&self, plans: HashMap<Span, Plans>) {
        *self.plans() = plans;
    }

    fn plans(&self) -> MutexGuard<'_, HashMap<Span, Plans>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use nnz_backend::Cache;
    use nnz_base::{diagnostic::Diagnostic, host::Host, ids::FileId, source::Source};

    use super::*;
    use crate::{Options, Run, Sink, call};

    struct Nowhere;

    impl Host for Nowhere {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("no files here".to_string())
        }
    }

    struct Silent;

    impl Sink for Silent {
        fn print(&mut self, _: &str) {}
        fn note(&mut self, _: Diagnostic) {}
    }

    const TEXT: &str = "#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#id = affine_map<(i) -> (i)>
func.func @f() {
  %A = tensor.empty() : tensor<5000xf64, #SV>
  %o = tensor.empty() : tensor<5000xf64, #SV>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]}
    ins(%A : tensor<5000xf64, #SV>) outs(%o : tensor<5000xf64, #SV>) {
  ^bb0(%a: f64, %b: f64):
    %s = arith.mulf %a, %a : f64
    linalg.yield %s : f64
  } -> tensor<5000xf64, #SV>
  return
}
";

    /// The second call has the loops of the first.
    #[test]
    fn a_second_call_plans_nothing() {
        let source = Source::new(FileId(0), "a.mlir", TEXT);
        let checked = nnz_check::mlir::check_mlir(&source);
        let module = nnz_mlir::modules(&checked).expect("a program").remove(0);
        let (kept, cache) = (Kept::default(), Cache::default());
        let run = Run { options: Options::default(), cache: &cache, kept: &kept, source: &source, text: "a.mlir" };
        let mut seals = Vec::new();
        for _ in 0..2 {
            let function = module.find("f").expect("a function");
            call(&module, function, Vec::new(), (&Nowhere, &mut Silent), run).expect("a run");
            let plans = kept.take();
            seals.push(plans.values().flat_map(Plans::seals).collect::<Vec<_>>());
            kept.put(plans);
        }
        assert_eq!(seals[0].len(), 1);
        assert_eq!(seals[0], seals[1]);
    }
}
