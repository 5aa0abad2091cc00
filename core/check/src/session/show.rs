//! Statements that show something: a name, an expression of scalars, a command.

use super::{Notation, Statement, statement::IT, word};
use crate::{
    command::{self, Command},
    kernel::{self, LeftSide},
    scope::{Meaning, PartialType, Word},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    source::Span,
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

mod elsewhere;
mod steps;

impl Notation<'_, '_> {
    pub(super) fn show(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let expr = node.children().next()?;
        if let Some(second) = node.children().nth(1).filter(|second| second.kind() != NodeKind::Schedule) {
            self.several(second);
            return None;
        }
        let told = self.lone_step(expr).or_else(|| self.shown_elsewhere(expr)).or_else(|| self.reduced_alone(expr));
        if let Some(told) = told {
            self.c.report(told);
            return None;
        }
        if let Some(told) = self.compared(expr) {
            self.c.report(told);
            return None;
        }
        let calls = expr.descendants().find(|node| node.kind() == NodeKind::Call && self.is_tensor(*node));
        match (expr.kind(), calls) {
            (NodeKind::Name, _) if !self.is_number(expr) => {
                let name = word(expr)?;
                match self.scope.get(&name.text) {
                    Some(Meaning::Broken) => None,
                    Some(_) => Some(Statement::Show(name)),
                    None => {
                        self.unknown(&name);
                        None
                    }
                }
            }
            (_, Some(call)) => {
                let unknown = kernel::unknown_call(self.scope, expr).filter(|call| !self.is_generator(*call));
                match unknown.filter(|_| misassigned(expr).is_none()) {
                    Some(unknown) => self.unknown_function(unknown),
                    None => self.unnamed(expr, call),
                }
                None
            }
            _ if misassigned(expr).is_some() => {
                self.unnamed(expr, expr);
                None
            }
            _ if self.of_indices(expr) => None,
            _ => {
                let name = Word { text: IT.to_string(), span: expr.span() };
                let target = LeftSide { name, indices: Vec::new(), spec: None, update: None };
                kernel::assignment(self.c, self.scope, target, expr).map(Statement::Compute)
            }
        }
    }

    /// `A == B`, `A(i, j) == B(i, j)` of tensors that are defined: a comparison without a name.
    fn compared(&self, expr: NodeRef<'_>) -> Option<Diagnostic> {
        let parts: Vec<NodeRef<'_>> = expr.children().filter(|_| expr.kind() == NodeKind::Binary).collect();
        let &[left, right] = parts.as_slice() else { return None };
        let sign = expr.tokens().find(|token| token.span().start >= left.span().end && !token.kind().is_trivia())?;
        let equal = matches!(sign.kind(), TokenKind::EqEq | TokenKind::Ne);
        let indices = self.indices_of_tensor(left).filter(|_| equal)?;
        let indexed =
            |node: NodeRef<'_>| match self.tensor_called(node.text()).filter(|_| node.kind() == NodeKind::Name) {
                Some(_) => format!("{}({indices})", node.text()),
                None => node.text().to_string(),
            };
        let (all, text) = match sign.kind() == TokenKind::EqEq {
            true => ("all", format!("{} == {}", indexed(left), indexed(right))),
            false => ("any", format!("{} != {}", indexed(left), indexed(right))),
        };
        let whole = format!("e : i1 = {all}({indices}, {text})");
        let entries = format!("E({indices}) = {text}");
        if self.fault(&whole).is_some() || self.scope.get("e").is_some() {
            return None;
        }
        let error =
            Diagnostic::new(Code::AssignmentTarget, self.file(), sign.span(), "a comparison of tensors needs a name");
        let error = error.label("compares").help(format!("of each entry: `{entries}`"));
        let edit = Edit { file: self.file(), span: expr.span(), replacement: whole.clone() };
        Some(error.fix_edits(format!("write `{whole}`"), vec![edit], Applicability::MaybeIncorrect))
    }

    /// The indices of `A`, or of `A(i, j)`, where it is a tensor with dimensions.
    fn indices_of_tensor(&self, node: NodeRef<'_>) -> Option<String> {
        let ty = self.tensor_called(node.first_token()?.text())?;
        let rank = ty.rank().filter(|rank| *rank > 0)?;
        match node.kind() == NodeKind::Call {
            true => Some(node.children().map(NodeRef::text).collect::<Vec<_>>().join(", ")),
            false => (node.kind() == NodeKind::Name).then(|| kernel::example_indices(rank)),
        }
    }

    pub(super) fn tensor_called(&self, name: &str) -> Option<&PartialType> {
        if let Meaning::Tensor(ty) = self.scope.get(name)? { Some(ty) } else { None }
    }

    /// A result over tensors without a name; or `y(i) == ...` and `y(i) <- ...`, which compare.
    /// Reports `i * j`: index variables of no kernel.
    fn of_indices(&mut self, expr: NodeRef<'_>) -> bool {
        let mut used: Vec<NodeRef<'_>> = expr.descendants().filter(|node| node.kind() == NodeKind::Name).collect();
        used.retain(|name| self.scope.get(name.text()).is_none());
        let mut names: Vec<&str> = used.iter().map(|name| name.text()).collect();
        names.dedup();
        if names.is_empty() || !names.iter().all(|name| matches!(*name, "i" | "j" | "k" | "l" | "m" | "n")) {
            return false;
        }
        let free = ["T", "S", "R"].into_iter().find(|name| self.scope.get(name).is_none()).unwrap_or("T");
        let head = format!("{free}({}) : tensor<{}f64> = ", names.join(", "), "4x".repeat(names.len()));
        if self.fault(&format!("{head}{}", expr.text())).is_some() {
            return false;
        }
        let message = format!("`{}` is not defined", names[0]);
        let error = Diagnostic::new(Code::UnknownName, self.file(), used[0].span(), message).label("not defined");
        let help = format!("index variables are those of a kernel: `{head}{}`", expr.text());
        let edit = Edit { file: self.file(), span: Span::at(expr.span().start as usize), replacement: head.clone() };
        self.c.report(error.help(help).fix_edits(
            format!("write `{head}...`"),
            vec![edit],
            Applicability::MaybeIncorrect,
        ));
        true
    }

    fn unnamed(&mut self, expr: NodeRef<'_>, call: NodeRef<'_>) {
        if let Some((sign, text)) = misassigned(expr) {
            let message = format!("`{text}` does not assign; a statement assigns with `=`");
            let error = Diagnostic::new(Code::AssignmentTarget, self.file(), sign, message).label("write `=`");
            let right = self.c.source.text.get(sign.end as usize..expr.span().end as usize).unwrap_or_default();
            let is_number = !expr.text().contains('(') && right.trim().parse::<f64>().is_ok();
            let own = if is_number { ": f64 =" } else { "=" };
            let edit = Edit { file: self.file(), span: sign, replacement: own.to_string() };
            let error = error.fix_edits(format!("write `{own}`"), vec![edit], Applicability::MaybeIncorrect);
            return self.c.report(error);
        }
        if let Some(told) = self.last_entry(expr) {
            return self.c.report(told);
        }
        let behind = self.c.source.text.get(expr.span().end as usize..).unwrap_or_default();
        if behind.trim_start_matches(' ').starts_with("//=") {
            let message = "`//` begins a comment, and there is no `//=`".to_string();
            let error = self.error(Code::AssignmentTarget, expr.span(), message);
            error.primary.message = "nothing is assigned".to_string();
            error.helps.push("a quotient is rounded down by `floor`: `y(i) = floor(x(i) / 2)`".to_string());
            return;
        }
        let before = self.c.source.text.get(..expr.span().start as usize).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let goes_on = before.contains('\n') && !line.is_empty() && line.trim().is_empty();
        let place = Span::at(expr.span().start as usize);
        let offer = self.head_of(&self.free_result(), expr);
        let fault = self.fault(&format!("{offer}{}", expr.text()));
        if let Some(told) = fault.as_ref().and_then(|fault| index_fault(fault, &offer, expr)) {
            return self.c.report(told);
        }
        let offer = Some(offer).filter(|_| fault.is_none());
        let own = self.free_result();
        let how = format!("name it and its indices: `{own}(i) = ...`, or `s : f64 = ...` for a scalar");
        let how = self.scope.with_free_names(&how);
        let whole =
            call.first_token().filter(|_| call.span() == expr.span() && self.is_tensor(call)).map(|name| name.text());
        let error = self.error(Code::AssignmentTarget, call.span(), "a result over tensors needs a name".to_string());
        error.primary.message = "a tensor's entries".to_string();
        error.helps.push(how);
        error.helps.extend(whole.map(|name| format!("`{name}` alone shows its entries")));
        if goes_on {
            let text = expr.text().lines().next().unwrap_or_default();
            error
                .helps
                .push(format!("a line goes on with the one before where it begins with an operator: `* {text}`"));
            return;
        }
        *error = match offer {
            Some(head) => error.clone().fix(format!("write `{head}...`"), place, head),
            None => error.clone(),
        };
    }

    /// A name for a result that nothing has.
    fn free_result(&self) -> String {
        let short = ["y", "z", "w"].into_iter().find(|name| self.scope.get(name).is_none());
        short.map_or_else(|| self.scope.free_name("y"), str::to_string)
    }

    /// `y(i) = ` for what is computed, or `y : f64 = `.
    fn head_of(&self, name: &str, expr: NodeRef<'_>) -> String {
        match self.kernel_indices(expr, None) {
            Some(indices) => format!("{name}({indices}) = "),
            None => format!("{name} : {} = ", self.result_element(expr)),
        }
    }

    /// `pi`, `inf`, `true`: a number that has a name, unless the session gave the name to something else.
    fn is_number(&self, name: NodeRef<'_>) -> bool {
        let known = kernel::functions::CONSTANTS.iter().any(|(known, _)| *known == name.text());
        known && self.scope.get(name.text()).is_none()
    }

    fn is_tensor(&self, call: NodeRef<'_>) -> bool {
        let name = call.first_token().map_or("", |token| token.text());
        matches!(self.scope.get(name), Some(Meaning::Tensor(_)))
    }

    pub(super) fn command(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let command = match Command::parse(self.file(), node) {
            Ok(command) => command,
            Err(error) => {
                self.c.diagnostics.push(*error);
                return None;
            }
        };
        if let Some(signature) = command.function(self.scope) {
            return match command.refused_of(self.file(), signature) {
                Some(refusal) => {
                    self.c.report(refusal);
                    None
                }
                None => Some(Statement::Command(command)),
            };
        }
        if let Some(name) = command.subject().filter(|name| name.text.starts_with('@') && !self.scope.is_open()) {
            let refusal = command::no_function(self.file(), self.scope, name);
            self.c.diagnostics.extend(refusal);
            return None;
        }
        if let Some(name) = command.subject().filter(|name| self.scope.get(&name.text).is_none()) {
            self.unknown(&name.clone());
            return None;
        }
        if let Some(refusal) = command.refusal(self.file(), self.scope) {
            self.c.diagnostics.push(refusal);
            return None;
        }
        Some(Statement::Command(command))
    }
}

/// The sign of `y(i) == ...` or `y(i) <- ...` in place of a statement's `=`.
fn misassigned(expr: NodeRef<'_>) -> Option<(Span, &'static str)> {
    let left = expr.children().next().filter(|_| expr.kind() == NodeKind::Binary)?;
    if !matches!(left.kind(), NodeKind::Name | NodeKind::Call) {
        return None;
    }
    let mut behind = expr.tokens().filter(|token| token.span().start >= left.span().end);
    let (sign, next) = (behind.next()?, behind.next()?);
    match (sign.kind(), next.kind()) {
        (TokenKind::EqEq, _) if left.kind() == NodeKind::Call => Some((sign.span(), "==")),
        (TokenKind::Lt, TokenKind::Minus) if sign.span().end == next.span().start => {
            Some((sign.span().cover(next.span()), "<-"))
        }
        _ => None,
    }
}

/// The mistake in an index of `expr`, found in the statement that `head` makes from it.
pub(super) fn index_fault(fault: &Diagnostic, head: &str, expr: NodeRef<'_>) -> Option<Diagnostic> {
    let (mut told, from) = (fault.clone(), head.len() as u32);
    let inside = told.places_mut().all(|(_, span)| span.start >= from);
    if !inside || !matches!(told.code, Code::IndexForm | Code::OutOfBounds) {
        return None;
    }
    told.places_mut().for_each(|(_, span)| *span = span.relative_to(from).moved_by(expr.span().start));
    Some(told)
}
