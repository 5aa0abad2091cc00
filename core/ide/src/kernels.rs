//! The kernels of a text: assignments in notation, the operations of a program that become loops. Finding them plans
//! nothing, and works on broken texts.

mod notation;
mod program;

use std::collections::HashMap;

pub(crate) use notation::converted;

use nnz_base::source::Span;
use nnz_check::{Checked, Grammar, scope::nearest};

/// A kernel of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelPlace {
    /// Stays the same while one types elsewhere: `y`, and `y#2` for the second one of that name; `@f/linalg.generic`.
    pub name: String,
    /// The name that it defines, or that of the operation.
    pub selection: Span,
    /// The whole statement or operation, with text after a statement that belongs to it by mistake.
    pub whole: Span,
}

/// In the order of the text.
pub fn kernels(checked: &Checked) -> Vec<KernelPlace> {
    numbered(match checked.grammar {
        Grammar::Notation => notation::assignments(checked),
        Grammar::Mlir => program::operations(checked),
    })
}

/// Those that share a name are counted.
fn numbered(mut found: Vec<KernelPlace>) -> Vec<KernelPlace> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for kernel in &mut found {
        let count = counts.entry(kernel.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            kernel.name = format!("{}#{count}", kernel.name);
        }
    }
    found
}

/// The kernel of this name.
pub(crate) fn kernel_named(checked: &Checked, name: &str) -> Option<KernelPlace> {
    kernels(checked).into_iter().find(|kernel| kernel.name == name)
}

/// Why there is no kernel of this name among these.
pub fn unknown(kernel: &str, names: &[String]) -> String {
    if names.is_empty() {
        return format!("the text has no kernel `{kernel}`: it has none");
    }
    format!("the text has no kernel `{kernel}`: it has {}", nearest(kernel, names.iter().map(String::as_str)))
}
