//! The names of a kernel's tensors: those of the text, changed to legal names of code.

use nnz_base::source::Source;
use nnz_kernel::Tensor;
use nnz_mlir::ir::{Op, Operand};

/// `%A` of the text as a tensor's name.
pub(super) fn of(source: &Source, operand: &Operand) -> String {
    plain(source.slice(operand.span))
}

/// What the text calls the result: the `%C` of `%C = linalg.matmul ...`.
pub(super) fn of_result(source: &Source, op: &Op) -> String {
    written_result(source, op).map_or("result".to_string(), plain)
}

/// The first name before the operation.
pub(super) fn written_result<'s>(source: &'s Source, op: &Op) -> Option<&'s str> {
    let before = source.text.get(..op.span.start as usize)?;
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    line.trim_start().split(['=', ':', ' ', ',']).next().filter(|name| name.starts_with('%') && name.len() > 1)
}

/// `%0#1` as a name that code can have.
pub fn plain(text: &str) -> String {
    let name = text.trim_start_matches('%').replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("v{name}") } else { name }
}

/// The name, or one like it that no tensor has.
pub(super) fn distinct(tensors: &[Tensor], name: String) -> String {
    let taken = |name: &str| tensors.iter().any(|tensor| tensor.name == name);
    if !taken(&name) {
        return name;
    }
    (2..).map(|at| format!("{name}_{at}")).find(|other| !taken(other)).unwrap_or(name)
}
