//! Windows of dimensions in accesses: `A(i = 2:6, j)`.

use super::{Notation, colon_behind_variable, free_in_access};
use crate::kernel::{Bound, Giver, calls::range_of};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    ids::{FileId, IndexVar},
    source::Span,
};
use nnz_kernel::IndexExpr;
use nnz_syntax::{NodeKind, NodeRef};

impl Notation<'_, '_> {
    /// `A(i, 0:1)`: a window without the variable that runs over it.
    pub(in crate::kernel) fn check_windows(&mut self, access: NodeRef<'_>) -> Option<()> {
        let Some(window) = access.children().find(|argument| argument.kind() == NodeKind::Range) else {
            return Some(());
        };
        if let Some(colon) = colon_behind_variable(window) {
            let text = window.text();
            let at = (colon.start - window.span().start) as usize;
            let (name, range) = (text[..at].trim(), text[at + 1..].trim());
            let message = format!("a window is named with `=`: `{name} = {range}`");
            let error = self.error(Code::IndexForm, colon, message);
            *error = error.clone().label("write `=`").fix("write `=`", colon, "=");
            return None;
        }
        let name = self.name_of_window(access, window);
        let error = self.error(Code::IndexForm, window.span(), "a window needs a variable".to_string());
        let whole = format!("{name} = {}", window.text());
        let told = error.clone().label("which variable runs over this?");
        let help = format!("name the one that runs over it: `{whole}`, and in the result as well, unless it is summed");
        *error = told.help(help);
        None
    }

    /// The variable that runs over a window: one that the result alone has, else one of its own. Like windows have the same.
    pub(super) fn name_of_window(&self, access: NodeRef<'_>, window: NodeRef<'_>) -> String {
        let inside = |node: &NodeRef<'_>| self.expr_span.cover(node.span()) == self.expr_span;
        let whole = access.ancestors().take_while(inside).last().unwrap_or(access);
        let used =
            |name: &str| whole.descendants().any(|node| node.first_token().is_some_and(|token| token.text() == name));
        let of_result = self.index_names.iter().map(String::as_str).filter(|name| !used(name));
        let others =
            ["i", "j", "k", "l", "m", "n"].into_iter().filter(|name| !used(name) && !self.index_names.contains(*name));
        let calls = whole.descendants().filter(|node| node.kind() == NodeKind::Call);
        let windows = calls.flat_map(|call| call.children().filter(|part| part.kind() == NodeKind::Range));
        let mut unlike: Vec<NodeRef<'_>> = Vec::new();
        for other in windows {
            if of_result.clone().count() > 1 || unlike.iter().all(|known| known.text() != other.text()) {
                unlike.push(other);
            }
        }
        let same = |other: &NodeRef<'_>| other.span() == window.span();
        let like = |other: &NodeRef<'_>| other.text() == window.text();
        let at = unlike.iter().position(same).or_else(|| unlike.iter().position(like)).unwrap_or(0);
        of_result.chain(others).nth(at).unwrap_or("w").to_string()
    }

    /// `i = 2:8:3`: `i` counts the entries 2, 5.
    pub(super) fn windowed(&mut self, node: NodeRef<'_>) -> Option<IndexExpr> {
        let name = node.first_token()?;
        let Some(range) = range_of(node) else {
            let message = format!("`{}` is no window of a dimension", node.text());
            let error = self.error(Code::IndexForm, node.span(), message);
            error.helps.push(format!("write a range: `{} = 0:4`", name.text()));
            return None;
        };
        let window = self.window(range)?;
        let var = self.var(name.text(), name.span());
        self.bind_window(var, window.extent, range.span());
        Some(IndexExpr::window(window.from, window.step, var))
    }

    /// The entries of a range of whole numbers.
    pub(in crate::kernel) fn window(&mut self, range: NodeRef<'_>) -> Option<Window> {
        let numbers: Vec<Option<i64>> = range.children().map(|part| self.whole_number(part)).collect();
        let numbers: Option<Vec<i64>> = numbers.into_iter().collect();
        let window = numbers.and_then(|numbers| match *numbers.as_slice() {
            [from, to] if 0 <= from && from <= to => Some((from, to, 1)),
            [from, to, step] if 0 <= from && from <= to && step > 0 => Some((from, to, step)),
            _ => None,
        });
        let Some((from, to, step)) = window else {
            self.no_window(range);
            return None;
        };
        let extent = to.abs_diff(from).div_ceil(step.unsigned_abs());
        Some(Window { from, step, extent })
    }

    pub(super) fn no_window(&mut self, range: NodeRef<'_>) {
        let step = range.children().nth(2);
        if let Some(step) = step.filter(|step| self.whole_number(*step) == Some(0)) {
            let message = format!("the step of `{}` is 0", range.text());
            let error = self.error(Code::IndexForm, step.span(), message);
            error.primary.message = "a step goes up".to_string();
            error.helps.push("a range without a step takes every coordinate from its first to its end".to_string());
            return;
        }
        let message = format!("`{}` is no range of whole numbers", range.text());
        let error = self.error(Code::IndexForm, range.span(), message);
        let down = step.is_some_and(|step| step.text().starts_with('-'));
        let label = if down { "a step goes up" } else { "not from a first to a later end" };
        error.primary.message = label.to_string();
        error.helps.push("a range is `first:end` or `first:end:step`, the end not included".to_string());
    }

    /// The variable takes as many values as the window has entries.
    pub(in crate::kernel) fn bind_window(&mut self, var: IndexVar, extent: u64, place: Span) {
        self.vars[var.index()].window = Some(extent);
        self.bind(var, Bound { size: Some(extent), place, giver: Giver::Window });
    }
}

/// `from : to : step`, as the entries that it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::kernel) struct Window {
    pub from: i64,
    pub step: i64,
    pub extent: u64,
}

/// `end` in place of the last coordinate of a dimension of this size.
pub(crate) fn no_end(file: FileId, end: NodeRef<'_>, size: Option<u64>) -> Diagnostic {
    let in_window = end.ancestors().any(|node| node.kind() == NodeKind::Range);
    let mut ranges = end.ancestors().filter(|node| node.kind() == NodeKind::Range);
    if let Some(range) = ranges.find(|range| range.children().any(|part| part.text().starts_with('-'))) {
        let error = Diagnostic::new(Code::IndexForm, file, range.span(), "the step of a range goes up");
        return error.label("goes down").help(nnz_syntax::habits::REVERSED);
    }
    if in_window {
        return end_of_window(file, end, size);
    }
    let end = end.span();
    let error = Diagnostic::new(Code::IndexForm, file, end, "`end` is no index");
    let error = error.label("counted from 0, without a word for the last");
    match size.and_then(|size| size.checked_sub(1)) {
        Some(last) => error.fix(format!("write `{last}`"), end, last.to_string()),
        None => error.help("`:type` tells the sizes; the last of 4 entries is number 3"),
    }
}

/// `end` behind the last coordinate of a window.
pub(super) fn end_of_window(file: FileId, end: NodeRef<'_>, size: Option<u64>) -> Diagnostic {
    let error = Diagnostic::new(Code::IndexForm, file, end.span(), "`end` is no number of a window");
    let error = error.label("a window ends in front of its second number");
    // Languages with this word count from 1.
    let range = end.ancestors().find(|node| node.kind() == NodeKind::Range);
    let first = range.and_then(|range| Some((range.span(), range.children().next()?.text().parse::<u64>().ok()?)));
    match size.zip(first) {
        Some((size, (range, first))) if range.end == end.span().end && (1..=size).contains(&first) => {
            let named = end.ancestors().any(|node| node.kind() == NodeKind::NamedArg);
            let head = if named { String::new() } else { format!("{} = ", free_in_access(end)) };
            let meant = format!("{head}{}:{size}", first - 1);
            let error = error.help(format!("coordinates are counted from 0: `{meant}` for `{first}:end`"));
            error.fix(format!("write `{meant}`"), range, meant)
        }
        Some((size, (_, 0))) => error.fix(format!("write `{size}`"), end.span(), size.to_string()),
        _ if let Some(size) = size => error.help(format!(
            "a window to the last of {size} entries ends with `{size}`, and its first number counts from 0"
        )),
        _ => error.help("`:type` tells the sizes: a window that goes to the last of 4 entries ends with 4"),
    }
}
