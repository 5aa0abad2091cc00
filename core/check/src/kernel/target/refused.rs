//! Reports rules that a kernel as a whole breaks: where it does, and what would help.

use std::collections::BTreeSet;

use crate::kernel::{
    AccessPlace, LeftSide, Notation,
    calls::{callee, positional},
    semiring::Semiring,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    ids::IndexVar,
    source::Span,
};
use nnz_kernel::{Expr, KernelError};
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    pub(super) fn kernel_error(&mut self, target: &LeftSide<'_>, node: NodeRef<'_>, expr: &Expr, error: &KernelError) {
        if let KernelError::Shadowed { var } = error
            && self.shadowing(target, node, (var, &error.to_string()))
        {
            return;
        }
        let error = &in_words(error, if target.update.is_none() { self.c.text(node.span()) } else { "" });
        let error = &about_a_sum(error, node);
        let place = self.place_of(target, expr, error).or_else(|| not_combined(node, error));
        let span = place.unwrap_or(node.span());
        let help = match (error, target.update) {
            (KernelError::OpenPresence { .. }, Some(update)) => {
                let sign = self.c.text(update.place).trim_end_matches('=').trim();
                Some(format!("name the right side, in a sparse encoding, and update with the name: `{sign}= t(...)`"))
            }
            (KernelError::Unbounded { var }, None) if self.is_declared(target, var) => {
                let indices: Vec<_> =
                    target.indices.iter().filter_map(|index| self.numbers.get(index.text()).copied()).collect();
                let whole = self.with_type(target, &indices, "4");
                Some(format!("use `{var}` in an access, or write its size for the `?`: `{whole}`"))
            }
            _ => outside(error, self.c.text(span), &self.free_var("k", node)).or_else(|| error.help()),
        };
        if let Some(told) = self.window_outside(span, error) {
            return self.c.report(told);
        }
        let within = self.within(target, expr, error);
        let message = message(error, node.text());
        // The operands of a semiring stand more than once in the expression, and once in the text.
        let known = |found: &Diagnostic| found.primary.span == span && found.message == message;
        if self.c.diagnostics[self.before..].iter().any(known) {
            return;
        }
        let told = self.error(code(error), span, message);
        told.primary.message = error.label().unwrap_or_default();
        told.helps.extend(help);
        match within {
            Some(Within::Fix(title, edits)) => {
                *told = told.clone().help(&title).fix_edits(title, edits, Applicability::MaybeIncorrect);
            }
            Some(Within::Words(help)) => told.helps.push(help),
            None => {}
        }
    }

    /// Whether a variable is one of a result whose type is declared, with `?` for its size.
    fn is_declared(&self, target: &LeftSide<'_>, var: &str) -> bool {
        let typed = target.spec.as_ref().is_some_and(|spec| spec.shape.is_some());
        typed && target.indices.iter().any(|index| index.text() == var)
    }

    /// `x(i = 1:9)` of 4 entries: reported in the words of the text.
    fn window_outside(&self, span: Span, error: &KernelError) -> Option<Diagnostic> {
        let KernelError::OutOfBounds { tensor, size, reaches, .. } = error else { return None };
        let (name, range) = self.c.text(span).split_once('=')?;
        let (from, rest) = range.split_once(':')?;
        let (end, step) = rest.split_once(':').map_or((rest, ""), |(end, step)| (end, step.trim()));
        if *reaches < i128::from(*size) || from.trim().parse::<u64>().ok()? >= *size {
            return None;
        }
        let message = format!("the window goes to {}, and `{tensor}` ends at {size}", end.trim());
        let error = Diagnostic::new(Code::OutOfBounds, self.c.source.id, span, message);
        let step = if step.is_empty() { String::new() } else { format!(":{step}") };
        let meant = format!("{} = {}:{size}{step}", name.trim(), from.trim());
        Some(error.label(format!("the last coordinate is {}", size - 1)).guess(span, meant))
    }

    /// The text at `whole` after these edits of it, in order.
    fn replaced<'e>(&self, whole: Span, edits: impl Iterator<Item = &'e Edit>) -> String {
        let text = &self.c.source.text;
        let (mut shown, mut at) = (String::new(), whole.start as usize);
        for edit in edits {
            shown.push_str(text.get(at..edit.span.start as usize).unwrap_or_default());
            shown.push_str(&edit.replacement);
            at = edit.span.end as usize;
        }
        shown + text.get(at..whole.end as usize).unwrap_or_default()
    }

    /// How to keep an index that leaves its dimension at the high end within it: by a window of each dimension that says
    /// how far the variable runs, or by the result's type where only that does.
    fn within(&self, target: &LeftSide<'_>, expr: &Expr, error: &KernelError) -> Option<Within> {
        let KernelError::OutOfBounds { size, reaches, place, .. } = error else { return None };
        let access = *expr.accesses().get(place.access.checked_sub(1)?)?;
        let index = access.indices.get(place.index?)?;
        let [(factor, var)] = *index.terms() else { return None };
        // An update goes over the whole of its tensor, and takes no window.
        if target.update.is_some() && target.indices.iter().any(|node| node.text() == self.vars[var.index()].name) {
            return None;
        }
        let last = i128::from(size.checked_sub(1)?) - i128::from(index.offset());
        if *reaches < i128::from(*size) || factor <= 0 || last < 0 {
            return None;
        }
        let count = self.count_within(var).unwrap_or(last / i128::from(factor) + 1);
        let name = &self.vars[var.index()].name;
        let whole = self.accesses.iter().flat_map(|(known, place)| known.indices.iter().zip(&place.indices));
        let bounding = whole.filter(|(index, _)| index.as_var() == Some(var)).map(|(_, span)| *span);
        let window = format!("{name} = 0:{count}");
        let edit = |span| Edit { file: self.c.source.id, span, replacement: window.clone() };
        let mut edits: Vec<Edit> = bounding.map(edit).collect();
        edits.sort_by_key(|edit| edit.span);
        edits.dedup();
        let declared = target.spec.as_ref().is_some_and(|spec| spec.shape.is_some());
        let of_result = declared && target.indices.iter().any(|node| node.text() == name);
        match (edits.is_empty(), of_result) {
            (false, false) => {
                let whole = self.accesses.iter().find(|(known, _)| known == access).map(|(_, place)| place.whole)?;
                let inside = edits.iter().filter(|edit| whole.cover(edit.span) == whole);
                let shown = match inside.clone().next() {
                    Some(_) => self.replaced(whole, inside),
                    None => window,
                };
                Some(Within::Fix(format!("take a window: `{shown}`"), edits))
            }
            (false, true) => Some(Within::Words(format!("take a window, `{window}`, and declare that size"))),
            (true, true) => Some(Within::Words(format!("declare the size {count} for `{name}`, or less"))),
            (true, false) => Some(Within::Words(format!("let `{name}` take {count} values or fewer"))),
        }
    }

    /// How many values a variable takes at most, for all accesses that it indexes to stay within their tensors.
    fn count_within(&self, var: IndexVar) -> Option<i128> {
        let indices = self.accesses.iter().flat_map(|(access, _)| {
            let ty = self.tensors.get(access.tensor.index()).map(|operand| &operand.ty);
            access.indices.iter().enumerate().map(move |(dim, index)| (ty.and_then(|ty| ty.extent(dim)), index))
        });
        let counts = indices.filter_map(|(size, index)| match *index.terms() {
            [(factor, own)] if own == var && factor > 0 => {
                let last = i128::from(size?.checked_sub(1)?) - i128::from(index.offset());
                (last >= 0).then(|| last / i128::from(factor) + 1)
            }
            _ => None,
        });
        counts.min()
    }

    /// The index, the access or the variable that an error is about.
    fn place_of(&self, target: &LeftSide<'_>, expr: &Expr, error: &KernelError) -> Option<Span> {
        if let KernelError::NarrowIndex { var, .. } | KernelError::NarrowPlace { var, .. } = error {
            return self.vars.iter().find(|known| known.name == *var).map(|var| var.place);
        }
        let place = error.place()?;
        if place.access == 0 {
            return place
                .index
                .and_then(|at| target.indices.get(at))
                .map(|node| node.span())
                .or(Some(target.name.span));
        }
        let access = *expr.accesses().get(place.access - 1)?;
        let (_, AccessPlace { whole, indices }) = self.accesses.iter().find(|(known, _)| known == access)?;
        place.index.and_then(|at| indices.get(at)).copied().or(Some(*whole))
    }
}

/// What a `combine` has beside `left`, `right` and numbers.
fn not_combined(node: NodeRef<'_>, error: &KernelError) -> Option<Span> {
    let KernelError::NotCombined { part } = error else { return None };
    let plain = |text: &str| text.replace(char::is_whitespace, "");
    let is_combine = |node: &NodeRef<'_>| {
        node.kind() == NodeKind::NamedArg && node.first_token().is_some_and(|name| name.text() == "combine")
    };
    let combines = node.descendants().filter(is_combine).flat_map(|combine| combine.descendants().skip(1));
    let mut parts = combines.filter(|inner| plain(inner.text()) == plain(part));
    parts.next().map(|part| part.span())
}

/// An error about the type of the right side, which is `text`, in the words of the text.
fn in_words(error: &KernelError, text: &str) -> KernelError {
    let mut error = error.clone();
    if let KernelError::ResultElement { expr, converted, .. } = &mut error
        && !text.is_empty()
        && !text.contains('\n')
    {
        *converted = converted.replace(expr.as_str(), text);
        *expr = text.to_string();
    }
    error
}

/// An error about the place of a sum, which quotes what it is inside or outside of, in the words of the text at `node`.
fn about_a_sum(error: &KernelError, node: NodeRef<'_>) -> KernelError {
    let mut error = error.clone();
    if let KernelError::AmbiguousSum { inside, .. } = &mut error {
        let calls = node.descendants().filter(|call| call.kind() == NodeKind::Call && is_printed_as(*call, inside));
        let written: BTreeSet<String> = calls.map(on_one_line).collect();
        // A kernel has no arm for the 0 that a condition on coordinates chooses.
        let bare = |text: &str| text.split_whitespace().collect::<String>().replace(",0)", ")");
        let same = || node.descendants().find(|part| bare(part.text()) == bare(inside)).map(on_one_line);
        match (written.first(), written.len()) {
            (Some(only), 1) => inside.clone_from(only),
            _ => *inside = same().unwrap_or_else(|| inside.clone()),
        }
    }
    error
}

/// Whether a product over a semiring is printed like this: as a reduction over stored terms of a `binary`.
fn is_printed_as(call: NodeRef<'_>, printed: &str) -> bool {
    let Some(Semiring { add, .. }) = Semiring::parse(&callee(call)) else { return false };
    let arguments: Vec<NodeRef<'_>> = positional(call).collect();
    let [vars @ .., _, _] = arguments.as_slice() else { return false };
    let names: Vec<&str> = vars.iter().filter_map(|var| var.first_token()).map(|name| name.text()).collect();
    let kind = |name: &str| printed.starts_with(&format!("{}({}, {name}(", add.name(), names.join(", ")));
    ["binary", "unary"].into_iter().any(kind)
}

fn on_one_line(node: NodeRef<'_>) -> String {
    node.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A way to keep an index within its dimension.
enum Within {
    Fix(String, Vec<Edit>),
    Words(String),
}

/// `x(i - 1)` reaches -1, whatever the size of the result.
fn outside(error: &KernelError, index: &str, free: &str) -> Option<String> {
    let KernelError::OutOfBounds { tensor, .. } = error else { return None };
    let below = index.contains(" - ") || index.contains('-');
    let shown = index.lines().next().filter(|line| below && line.parse::<i64>().is_err())?;
    Some(format!(
        "where the result has a type, a sum leaves out what lies outside: `sum({free}, select({free} == {shown}, {tensor}({free})))`"
    ))
}

/// What `error` says of the statement `text`. An expression that only the rewritten kernel has is not quoted.
fn message(error: &KernelError, text: &str) -> String {
    let plain = |text: &str| text.replace(".0", "").replace(char::is_whitespace, "");
    if let KernelError::OpenPresence { expr } = error
        && !plain(text).contains(&plain(expr))
    {
        return "whether an operand is present depends on values".to_string();
    }
    error.to_string()
}

/// The code that a broken rule is reported under; rules that were checked before come up as a whole.
fn code(error: &KernelError) -> Code {
    match error {
        KernelError::OutOfBounds { .. } => Code::OutOfBounds,
        KernelError::OpenExtent { .. } | KernelError::Unbounded { .. } => Code::UnboundIndex,
        KernelError::Mixed { .. } | KernelError::ResultElement { .. } | KernelError::NoCast { .. } => {
            Code::ElementMismatch
        }
        KernelError::NarrowIndex { .. } | KernelError::NarrowPlace { .. } | KernelError::LiteralType { .. } => {
            Code::LiteralRange
        }
        KernelError::NoOperation { .. } | KernelError::NotCombined { .. } => Code::NoOperation,
        KernelError::NoCondition { .. } => Code::NoCondition,
        KernelError::ExtentMismatch { .. } | KernelError::WindowMismatch { .. } => Code::ExtentMismatch,
        KernelError::TooDeep { .. }
        | KernelError::NoTensor { .. }
        | KernelError::NoVariable { .. }
        | KernelError::Arity { .. }
        | KernelError::EncodingRank { .. }
        | KernelError::RepeatedInResult { .. }
        | KernelError::ResultIsOperand { .. }
        | KernelError::ResultIndex { .. }
        | KernelError::OnePlace { .. }
        | KernelError::OpenPresence { .. }
        | KernelError::Shadowed { .. }
        | KernelError::EmptyReduction
        | KernelError::AmbiguousSum { .. }
        | KernelError::ReducedTwice { .. } => Code::InvalidKernel,
    }
}
