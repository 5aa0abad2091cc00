//! Legal kernels whose author may have meant another: hints.

use crate::{
    kernel::{LeftSide, Notation, has_errors},
    scope::{Format, Meaning, PartialType},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::IndexVar,
    source::Span,
};
use nnz_kernel::Expr;

impl Notation<'_, '_> {
    /// `y(A) max= 0.5`, where `A` is a tensor: an index variable all the same, of the result alone.
    pub(super) fn doubt_updated_names(&mut self, target: &LeftSide<'_>, indices: &[IndexVar]) {
        if target.update.is_none() || has_errors(&self.c.diagnostics[self.before..]) {
            return;
        }
        for var in indices {
            let (name, place) = (self.vars[var.index()].name.clone(), self.vars[var.index()].place);
            let Some((kind, _)) = self.scope.get(&name).and_then(|meaning| value_of(meaning, &name)) else { continue };
            // The last access is that of the old value.
            let others = self.accesses.split_last().map_or(&[][..], |(_, others)| others);
            if others.iter().any(|(access, _)| access.vars().any(|used| used == *var)) {
                continue;
            }
            let message = format!("`{name}` is an index variable here, and not the {kind} `{name}`");
            let hint = Diagnostic::new(Code::IndexNamedAsTensor, self.c.source.id, place, message);
            let hint = hint.label(format!("the name of a {kind}"));
            self.c.report(hint.help("another name for the variable ends this hint"));
        }
    }

    /// `A(i, p)`, where `p` is a tensor or a number: an index variable all the same, and summed over without a word.
    pub(super) fn doubt_summed_names(&mut self, expr: &Expr, indices: &[IndexVar]) {
        for var in expr.free_vars().into_iter().filter(|var| !indices.contains(var)) {
            self.doubt_reduced_name(var, ("sum", "summed"));
        }
    }

    /// `A(i, p)` as above, reduced over `p` by a function: summed, or as `max=` does.
    pub(in crate::kernel) fn doubt_reduced_name(&mut self, var: IndexVar, (function, reduced): (&str, &str)) {
        let (name, place) = (self.vars[var.index()].name.clone(), self.vars[var.index()].place);
        let Some((kind, value)) = self.scope.get(&name).and_then(|meaning| value_of(meaning, &name)) else { return };
        let uses = self.accesses.iter().filter(|(access, _)| access.vars().any(|used| used == var));
        // One that two tensors have joins them.
        if uses.count() > 1 {
            return;
        }
        let message =
            format!("`{name}` is an index variable here, which is {reduced} over, and not the {kind} `{name}`");
        let hint = Diagnostic::new(Code::IndexNamedAsTensor, self.c.source.id, place, message);
        let hint = hint.label(format!("the name of a {kind}"));
        let hint =
            hint.help(format!("another name for the variable ends this hint, as does `{function}({name}, ...)`"));
        self.c.report(match value {
            Some(value) => hint.help(format!(
                "what `{name}` holds is compared in a condition: `select(j == {value}, ...)`, {reduced} over `j`"
            )),
            None => hint,
        });
    }

    /// `A(i, j) = 2 * A(i, j)`, where `A` is stored as CSR: its new value is dense, as nothing else is declared.
    pub(super) fn doubt_dense(&mut self, target: &LeftSide<'_>, result: &PartialType) {
        let name = &target.name.text;
        let Some(old) =
            self.tensor_called(name).filter(|old| old.format.as_ref().is_some_and(|f| f.encoding().is_some()))
        else {
            return;
        };
        let read = self.tensors.iter().any(|tensor| tensor.name == *name);
        let declared = target.update.is_some() || target.spec.is_some() || result.format != Some(Format::Plain);
        if declared || !read || old.rank() != Some(target.indices.len()) {
            return;
        }
        let format = old.format_name.clone();
        let stored = format.as_deref().map_or("sparse".to_string(), |format| format!("stored as {format}"));
        let message = format!("`{name}` is {stored}, and this makes it dense");
        let hint = Diagnostic::new(Code::LostEncoding, self.c.source.id, target.name.span, message);
        let hint = hint.label("without an encoding");
        let end = target.indices.last().map_or(target.name.span.end, |index| index.span().end) as usize;
        let behind = self.c.source.text.get(end..).unwrap_or_default();
        self.c.report(match (format, behind.find(')')) {
            (Some(format), Some(close)) => {
                hint.fix(format!("write ` : {format}`"), Span::at(end + close + 1), format!(" : {format}"))
            }
            _ => hint.help(format!("declare the encoding, as in `{name}(...) : CSR = ...`")),
        });
    }
}

/// What a name is, and how its values are written, if they could be meant as an index.
fn value_of(meaning: &Meaning, name: &str) -> Option<(&'static str, Option<String>)> {
    match meaning {
        Meaning::Tensor(ty) => Some(("tensor", (ty.rank() == Some(1)).then(|| format!("{name}(k)")))),
        Meaning::Scalar(element) => Some(("number", element.is_integer().then(|| name.to_string()))),
        Meaning::Encoding(_) | Meaning::Broken => None,
    }
}
