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
    let before = &source.text[..(op.span.start as usize).min(source.text.len())];
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    match line.trim_start().strip_prefix('%').and_then(|rest| rest.split(['=', ':', ' ', ',']).next()) {
        Some(name) if !name.is_empty() => plain(name),
        _ => "result".to_string(),
    }
}

/// `%0#1` as a name that code can have.
fn plain(text: &str) -> String {
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
