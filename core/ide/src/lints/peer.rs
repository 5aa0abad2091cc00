//! Sparse tensor types of MLIR programs that MLIR 22 crashes on, or cannot make.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    element::Element,
};
use nnz_check::{Checked, Grammar, types::TypeSite};

/// The hints about a type.
pub(super) fn of_type(checked: &Checked, site: &TypeSite) -> Option<Diagnostic> {
    let tensor = site.tensor.as_ref().filter(|_| checked.grammar == Grammar::Mlir)?;
    let encoding = tensor.encoding.as_ref()?;
    let at = |code, message: String| Diagnostic::new(code, checked.source.id, site.shape, message);
    if lacks(tensor.element) {
        let message =
            format!("MLIR 22 crashes on sparse tensors of `{}` where it uses its run-time library", tensor.element);
        let found = at(Code::MlirMiscompiles, message).label("of such elements");
        return Some(found.note("without that, by `enable-runtime-library=false`, `i1` works"));
    }
    let batch = encoding.levels().iter().any(|level| level.format.is_batch());
    let message = "not MLIR 22: it cannot make a tensor with `batch` levels, but from its arrays";
    batch.then(|| at(Code::NotMlir, message.to_string()).label("has `batch` levels"))
}

/// Whether MLIR's run-time library has no functions for such values.
fn lacks(element: Element) -> bool {
    match element {
        Element::I1 | Element::I2 | Element::I4 | Element::Index => true,
        Element::F64 | Element::F32 | Element::F16 | Element::BF16 | Element::C32 | Element::C64 => false,
        Element::I8 | Element::I16 | Element::I32 | Element::I64 => false,
        Element::U8 | Element::U16 | Element::U32 | Element::U64 => false,
    }
}
