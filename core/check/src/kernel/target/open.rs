//! An update whose right side is open in where it is present: refused, with the statement that names it first.

use crate::{
    kernel::{LeftSide, Notation, Update},
    scope::PartialType,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Edit},
    source::Span,
};
use nnz_syntax::NodeRef;

impl Notation<'_, '_> {
    /// `free`: the variables that `min=` or `max=` reduces over.
    pub(super) fn open_update(
        &mut self,
        (target, update): (&LeftSide<'_>, Update),
        old: &PartialType,
        node: NodeRef<'_>,
        free: &[String],
    ) {
        let message = "it is open where the right side of this update is present".to_string();
        let (file, right) = (self.c.source.id, node.span());
        let named = self.named_first(target, old, node.text(), reduced(update, free));
        let error = self.error(Code::InvalidKernel, right, message);
        error.primary.message = "a reduction over stored terms in a larger expression".to_string();
        let Some((first, name)) = named else {
            error.helps.push("name the right side, and update with the name".to_string());
            return;
        };
        let start = Span::at(target.name.span.start as usize);
        let edit = |span, replacement| Edit { file, span, replacement };
        let edits = vec![edit(start, format!("{first}; ")), edit(right, name.clone())];
        let title = format!("name it first: `{first}`, then update with `{name}`");
        *error = error.clone().fix_edits(title, edits, Applicability::MaybeIncorrect);
    }

    /// `t(i) : tensor<4xf64, SparseVector> = ...` and `t(i)`. A number has no encoding in which it would be absent.
    fn named_first(
        &self,
        target: &LeftSide<'_>,
        old: &PartialType,
        right: &str,
        reduced: impl Fn(&str) -> String,
    ) -> Option<(String, String)> {
        let encoding = match target.indices.len() {
            0 => return None,
            1 => "SparseVector".to_string(),
            rank => format!("COO({rank})"),
        };
        let sizes: String = old.sizes()?.iter().map(|size| format!("{size}x")).collect();
        let indices: Vec<&str> = target.indices.iter().map(|index| index.text()).collect();
        let name = format!("{}({})", self.scope.free_name("t"), indices.join(", "));
        Some((format!("{name} : tensor<{sizes}{}, {encoding}> = {}", old.element?, reduced(right)), name))
    }
}

/// The right side with the reduction that the update means: `min(j, ..., over = stored)`.
fn reduced(update: Update, free: &[String]) -> impl Fn(&str) -> String {
    let op = update.reduction().filter(|_| !free.is_empty());
    let vars = free.join(", ");
    move |right| match &op {
        Some(op) => format!("{}({vars}, {right}, over = stored)", op.name()),
        None => right.to_string(),
    }
}
