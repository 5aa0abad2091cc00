//! The kernels of programs, whose operands are shown as they are when a run reaches them.

use nnz_check::Checked;
use nnz_kernel::{Kernel, Tensor};
use nnz_machine::{Becomes, sites_at};
use nnz_mlir::function_at;

use super::{Panel, Session, formats, one_line};
use crate::{
    execution::{Action, execution},
    kernels::{KernelPlace, kernels},
};

/// A kernel at its name, an encoding or a type inside it by itself, and the kernel around anything else.
pub(super) fn panel(
    checked: &Checked,
    offset: usize,
    example: impl FnOnce(&Checked, usize) -> Option<Panel>,
) -> Option<Panel> {
    let Some(kernel) = kernels(checked).into_iter().find(|kernel| kernel.whole.touches(offset)) else {
        return example(checked, offset);
    };
    let named = kernel.selection.touches(offset).then(|| of_kernel(checked, &kernel));
    named.or_else(|| example(checked, offset)).or_else(|| Some(of_kernel(checked, &kernel)))
}

fn of_kernel(checked: &Checked, place: &KernelPlace) -> Panel {
    let session = execution(checked, &place.name, Action::Time)
        .and_then(|execution| Ok((execution.part, loops(checked, place)?)))
        .map(|(before, (tensors, result, rank))| Session {
            title: one_line(checked, place.whole),
            before,
            tensors,
            formats: formats(rank),
            kernel: Some((place.name.clone(), result)),
        });
    session.map_or_else(Panel::Refused, Panel::Session)
}

/// The tensors of a kernel, those stored sparse first and the result last; the result; the rank of the first.
///
/// # Errors
/// Why it has no loops.
fn loops(checked: &Checked, place: &KernelPlace) -> Result<(Vec<String>, String, Option<usize>), String> {
    let unread = || "the function around the kernel is not understood".to_string();
    let (function, _) = function_at(checked, place.selection.start as usize).ok_or_else(unread)?;
    let site = sites_at(&checked.source, &function, place.selection).into_iter().next().ok_or_else(unread)?;
    match site.becomes {
        Becomes::Loops(outline, _) => Ok(tensors(outline.kernel())),
        Becomes::Evaluated(how) => Err(format!("{}: {how}", place.name)),
        Becomes::Broken(refusal) => Err(refusal.to_string()),
    }
}

fn tensors(kernel: &Kernel) -> (Vec<String>, String, Option<usize>) {
    let result = kernel.tensor(kernel.result().tensor);
    let is_operand = |it: &&Tensor| it.name != result.name && !it.shape.is_empty();
    let mut operands: Vec<&Tensor> = kernel.tensors().iter().filter(is_operand).collect();
    operands.sort_by_key(|it| it.encoding.as_ref().is_none_or(|encoding| encoding.all_dense()));
    let rank = operands.first().map(|it| it.shape.len());
    let shown = operands.into_iter().chain(Some(result).filter(|it| !it.shape.is_empty()));
    (shown.map(|it| it.name.clone()).collect(), result.name.clone(), rank)
}
