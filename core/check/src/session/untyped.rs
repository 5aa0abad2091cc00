//! Definitions without a type: `B = A`, `x = 3`, `C = A * B`. The probable meaning is offered as a whole statement.

use std::collections::BTreeSet;

use super::{Notation, Word, is_constant, show::index_fault};
use crate::spec::Spec;
use crate::{
    Checker, fixed, kernel,
    scope::{Meaning, PartialType, Scope},
    used,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    source::{Source, Span},
};
use nnz_encoding::named;
use nnz_storage::generate;
use nnz_syntax::{NodeKind, NodeRef, session};

mod algebra;
mod foreign;
mod offers;
mod transposed;
mod windows;

/// A statement to offer: the part before the `=`, and the right side if it changes.
struct Offer {
    head: String,
    right: Option<String>,
    why: String,
}

impl Offer {
    fn typed(name: &str, ty: impl std::fmt::Display, why: &str) -> Offer {
        Offer { head: format!("{name} : {ty}"), right: None, why: why.to_string() }
    }
}

/// `B(i, j) : CSC` and `A(j, i)`: the transpose of a matrix, stored as the matrix is.
pub(super) fn transpose(own: &str, (name, ty): (&str, Option<&PartialType>)) -> (String, String) {
    let format = ty.and_then(PartialType::declared_format).map_or(String::new(), |format| format!(" : {format}"));
    (format!("{own}(i, j){format}"), format!("{name}(j, i)"))
}

/// `i, j` of `ij`.
fn listed(indices: &str) -> String {
    indices.chars().map(String::from).collect::<Vec<_>>().join(", ")
}

impl Notation<'_, '_> {
    /// Reports `name = init`, with the statement that was probably meant.
    pub(super) fn untyped(&mut self, name: &Word, init: NodeRef<'_>) {
        if self.is_broken(init) {
            return;
        }
        let file = super::quoted(init).filter(|_| init.kind() == NodeKind::Read);
        if let Some(told) = file.and_then(|file| used::unknown_kind(self.file(), &file)) {
            return self.c.report(told);
        }
        let transposes = self.of_transposes((name, &name.text), init).filter(|_| init.kind() != NodeKind::Name);
        if let Some(told) = transposes {
            return self.c.report(told);
        }
        if let Some(told) = self.of_other_notation(name, init) {
            return self.c.report(told);
        }
        let undefined = self.undefined(init);
        if let Some(told) = self.subscripts(name, init, &undefined) {
            return self.c.report(told);
        }
        if !undefined.is_empty() {
            return undefined.iter().for_each(|name| self.unknown(name));
        }
        let unknown = self.unknown_calls(init);
        if unknown.len() > 1 {
            return unknown.into_iter().for_each(|call| self.unknown_function(call));
        }
        if let Some(call) = kernel::unknown_call(self.scope, init).filter(|_| !self.is_generator(init)) {
            return self.of_unknown(name, init, call);
        }
        let told = self.with_offers(name, init);
        self.c.report(told);
    }

    /// `name = init` as another tool or MLIR writes it.
    fn of_other_notation(&mut self, name: &Word, init: NodeRef<'_>) -> Option<Diagnostic> {
        let of_program = super::word(init).and_then(|word| self.of_program(init, &word));
        let told = of_program.or_else(|| self.of_method(name, init)).or_else(|| self.last_entry(init));
        told.or_else(|| self.of_foreign_call(name, init)).or_else(|| self.of_transpose(name, init))
    }

    /// `C = A.dot(B)`, `B = A.tocsr()`
    fn of_method(&mut self, name: &Word, init: NodeRef<'_>) -> Option<Diagnostic> {
        let offer = self.foreign_product(name, init).or_else(|| self.converted_by_method(name, init));
        let offer = offer.filter(|offer| self.fault_of(offer, init).is_none())?;
        let place = init.first_token().map_or(init.span(), |token| token.span());
        let error = self.no_function(callee(init), place);
        Some(self.offered(error, name, init, offer))
    }

    /// A call of a function that other tools have.
    fn of_foreign_call(&mut self, name: &Word, init: NodeRef<'_>) -> Option<Diagnostic> {
        let known = |word: &Word| self.scope.get(&word.text).is_some();
        let (call, how) = foreign::foreign_call(init).filter(|(call, _)| !known(call))?;
        let error = self.no_function(&call.text, call.span);
        let meant = self.meant_call(&name.text, init).filter(|offer| self.fault_of(offer, init).is_none());
        Some(match meant {
            Some(offer) => self.offered(error, name, init, offer),
            None => error.help(self.scope.said(how, init.text())),
        })
    }

    /// `B = A.T`
    fn of_transpose(&mut self, name: &Word, init: NodeRef<'_>) -> Option<Diagnostic> {
        let object = init.text().strip_suffix(".T").filter(|_| init.kind() == NodeKind::Name)?;
        (!object.ends_with(".T")).then_some(())?;
        let of_vector = self.tensor_called(object).and_then(PartialType::rank).is_some_and(|rank| rank != 2);
        let message = (!of_vector).then(|| format!("`{}` is not defined", init.text()))?;
        let error = Diagnostic::new(Code::UnknownName, self.file(), init.span(), message).label("not defined");
        let (head, right) = transpose(&name.text, (object, self.tensor_called(object)));
        let why = "a transpose names its indices".to_string();
        Some(self.offered(error, name, init, Offer { head, right: Some(right), why }))
    }

    /// The ways to write it with a type or with indices.
    fn with_offers(&mut self, name: &Word, init: NodeRef<'_>) -> Diagnostic {
        let message = format!("`{}` needs a type or indices", name.text);
        let error = Diagnostic::new(Code::AssignmentTarget, self.file(), name.span, message);
        let error = error.label("of what type, or with which indices?");
        if let Some(told) = self.counted_windows(&error, name, init) {
            return told;
        }
        let offers = self.offers(&name.text, init);
        let faults: Vec<Option<Diagnostic>> = offers.iter().map(|offer| self.fault_of(offer, init)).collect();
        if faults.iter().all(Option::is_some) {
            let written = offers.first().filter(|offer| offer.right.is_none());
            let fault = written.zip(faults.first().and_then(Option::as_ref));
            let told = fault.and_then(|(offer, fault)| index_fault(fault, &format!("{} = ", offer.head), init));
            if let Some(told) = self.mended_offer(&error, (name, init), offers.first().zip(faults.first())) {
                return told;
            }
            let first = || offers.first().zip(faults.into_iter().next().flatten());
            return told.unwrap_or_else(|| self.without_offer(error, name, init, first()));
        }
        let fine = offers.into_iter().zip(faults).filter(|(_, fault)| fault.is_none()).map(|(offer, _)| offer);
        fine.fold(error, |error, offer| match error.fixes.is_empty() {
            true => self.offered(error, name, init, offer),
            // Another way to read it is told, and not one key away.
            false => error.help(format!("{}: `{} = {}`", offer.why, offer.head, right_of(&offer, init))),
        })
    }

    /// The statement of an offer whose only fault is a condition in the wrong place or the name of an argument, mended as
    /// that says.
    fn mended_offer(
        &self,
        error: &Diagnostic,
        (name, init): (&Word, NodeRef<'_>),
        first: Option<(&Offer, &Option<Diagnostic>)>,
    ) -> Option<Diagnostic> {
        let (offer, fault) = first?;
        let known = |fault: &&Diagnostic| matches!(fault.code, Code::NoCondition | Code::GeneratorArgument);
        let fault = fault.as_ref().filter(known)?;
        let text = format!("{} = {}", offer.head, right_of(offer, init));
        let whole = fixed::applied(&text, 0, fault.fixes.first()?).filter(|whole| self.fault(whole).is_none())?;
        let told = error.clone().help(match offer.right.is_some() {
            true => format!("with indices, {}", fault.message),
            false => format!("{}, and {}", offer.why, fault.message),
        });
        let edit = Edit { file: self.file(), span: name.span.cover(init.span()), replacement: whole.clone() };
        Some(told.fix_edits(format!("write `{whole}`"), vec![edit], Applicability::MaybeIncorrect))
    }

    /// `y_i = A_ij * x_j`: the indices stand in parentheses.
    fn subscripts(&self, name: &Word, init: NodeRef<'_>, undefined: &[Word]) -> Option<Diagnostic> {
        let first = undefined.first()?;
        let mut right = init.text().to_string();
        for unknown in undefined {
            let (tensor, indices) = unknown.text.rsplit_once('_')?;
            let Some(Meaning::Tensor(ty)) = self.scope.get(tensor) else { return None };
            let letters = indices.bytes().all(|letter| letter.is_ascii_lowercase());
            (letters && ty.rank().is_none_or(|rank| rank == indices.len())).then_some(())?;
            right = right.replace(&unknown.text, &format!("{tensor}({})", listed(indices)));
        }
        let left = match name.text.rsplit_once('_') {
            Some((result, indices)) if indices.bytes().all(|letter| letter.is_ascii_lowercase()) => {
                format!("{result}({})", listed(indices))
            }
            _ => format!("{} : f64", name.text),
        };
        let whole = format!("{left} = {right}");
        let error =
            Diagnostic::new(Code::UnknownName, self.file(), first.span, format!("`{}` is not defined", first.text));
        let error = error.label("not defined").help("indices stand in parentheses, as in `A(i, j)`");
        Some(error.fix(format!("write `{whole}`"), name.span.cover(init.span()), whole))
    }

    fn no_function(&self, name: &str, place: Span) -> Diagnostic {
        let message = format!("there is no tensor and no function `{name}`");
        Diagnostic::new(Code::UnknownName, self.file(), place, message).label("not defined")
    }

    pub(super) fn unknown_function(&mut self, call: NodeRef<'_>) {
        let place = call.first_token().map_or(call.span(), |token| token.span());
        let told = kernel::unknown_function(self.c, self.scope, (place, callee(call)), call.children().count());
        self.c.report(told);
    }

    /// `C = tril(A)`: no function of that name.
    fn of_unknown(&mut self, name: &Word, init: NodeRef<'_>, call: NodeRef<'_>) {
        let place = call.first_token().map_or(call.span(), |token| token.span());
        let written = callee(call);
        if let Some(told) = self.of_format(name, init, call) {
            return self.c.report(told);
        }
        let offer = self.reduction(&name.text, init).filter(|offer| self.fault_of(offer, init).is_none());
        let told = match offer {
            Some(offer) => self.offered(self.no_function(written, place), name, init, offer),
            None => kernel::unknown_function(self.c, self.scope, (place, written), call.children().count()),
        };
        self.c.report(told);
    }

    /// `x(end)`: no index of that name is meant where none is declared.
    pub(super) fn last_entry(&self, init: NodeRef<'_>) -> Option<Diagnostic> {
        let calls = init.descendants().filter(|node| node.kind() == NodeKind::Call);
        let (call, ty) = calls.filter_map(|call| Some((call, self.tensor_named(call)?))).next()?;
        let is_end = |node: &NodeRef<'_>| node.kind() == NodeKind::Name && node.text() == "end";
        let ends = call.children().enumerate().map(|(dim, index)| Some((dim, index.descendants().find(is_end)?)));
        let (dim, end) = ends.flatten().next()?;
        Some(kernel::no_end(self.file(), end, ty.extent(dim)))
    }

    /// `y = spmv(A, x)`, where `@spmv` is a function of a program.
    fn of_program(&self, init: NodeRef<'_>, Word { text: written, span: place }: &Word) -> Option<Diagnostic> {
        self.scope.function(written).filter(|_| init.kind() == NodeKind::Call)?;
        let message = format!("`{written}` is a function of a program: it is called as `@{written}`");
        let error = Diagnostic::new(Code::UnknownName, self.file(), *place, message).label("no `@` in front of this");
        Some(error.fix("insert `@`", Span::at(place.start as usize), "@"))
    }

    /// `B = CSR(A)`: a format belongs after the `:`.
    fn of_format(&self, name: &Word, init: NodeRef<'_>, call: NodeRef<'_>) -> Option<Diagnostic> {
        let format = callee(call);
        let sizes = named::FORMATS.iter().find(|known| known.name == format)?.arguments;
        let sizes = match sizes.iter().any(|size| size.ends_with('?')) {
            false if !sizes.is_empty() => format!("({})", vec!["2"; sizes.len()].join(", ")),
            _ => String::new(),
        };
        let message = format!("`{format}` is a format, and no function");
        let place = call.first_token()?.span();
        let error = Diagnostic::new(Code::UnknownName, self.file(), place, message).label("not a function");
        let operands: Vec<NodeRef<'_>> = call.children().collect();
        let offer = match operands.as_slice() {
            [operand] if call.span() == init.span() && self.tensor_named(*operand).is_some() => Offer {
                head: format!("{} : {format}{sizes}", name.text),
                right: Some(operand.text().to_string()),
                why: "a tensor is converted by its type".to_string(),
            },
            _ => return Some(error.help(format!("a tensor is converted by its type: `B : {format} = A`"))),
        };
        match self.fault_of(&offer, init) {
            None => Some(self.offered(error, name, init, offer)),
            Some(fault) => Some(error.help(format!(
                "with its type, `{} = {}`: {}",
                offer.head,
                right_of(&offer, init),
                fault.message
            ))),
        }
    }

    /// `u(i) : tensor<2xf64>` and `v(i) * 2` for `u : tensor<2xf64> = v * 2`, in which tensors have no indices.
    pub(super) fn typed_offer(&mut self, name: &Word, spec: &Spec, init: NodeRef<'_>) -> Option<(String, String)> {
        let offer = self.offers(&name.text, init).into_iter().find(|offer| offer.right.is_some())?;
        let indexed = offer.head.split(" : ").next().filter(|head| head.ends_with(')'))?;
        let (head, right) = (format!("{indexed} : {}", self.c.text(spec.span)), offer.right?);
        self.fault(&format!("{head} = {right}")).is_none().then_some((head, right))
    }

    /// The message if no offer would be right, with the first offer and the reason.
    fn without_offer(
        &self,
        error: Diagnostic,
        name: &Word,
        init: NodeRef<'_>,
        first: Option<(&Offer, Diagnostic)>,
    ) -> Diagnostic {
        if let Some(helps) = self.rows_and_columns(name, init) {
            return helps.into_iter().fold(error, Diagnostic::help);
        }
        let literal = matches!(init.kind(), NodeKind::DenseLiteral | NodeKind::SparseLiteral | NodeKind::ListLiteral);
        // A variable with a range is one of a reduction.
        let has_range = init.descendants().any(|part| part.kind() == NodeKind::Range);
        let why = first
            .filter(|_| !has_range)
            .and_then(|(offer, fault)| Some(format!("`{}`: {}", offer.right.as_ref()?, fault.message)));
        let error = match why {
            Some(why) => error.help(format!("with indices, {why}")),
            None => error,
        };
        error.help(match literal {
            true => format!("its type tells its sizes: `{} : tensor<?x?xf64, CSR> = ...`", name.text),
            false => self.forms(&name.text, init),
        })
    }

    /// `sum(A, 1)`, which other languages read differently.
    fn rows_and_columns(&self, name: &Word, init: NodeRef<'_>) -> Option<Vec<String>> {
        let operand = init.children().next().filter(|_| init.kind() == NodeKind::Call)?;
        let known = kernel::functions::REDUCTIONS.iter().any(|(known, ..)| *known == callee(init));
        let matrix = operand.kind() == NodeKind::Name && self.tensor_named(operand)?.rank() == Some(2);
        (known && matrix).then(|| {
            let (own, reduction, of) = (&name.text, callee(init), operand.text());
            let number = init.children().nth(1).filter(|_| matches!(reduction, "min" | "max"));
            let entries = number.filter(|number| number.kind() == NodeKind::Number);
            let entries = entries
                .map(|number| format!("of each entry: `{own}(i, j) = {reduction}({of}(i, j), {})`", number.text()));
            let rows = format!("of each row: `{own}(i) = {reduction}(j, {of}(i, j))`");
            let columns = format!("of each column: `{own}(j) = {reduction}(i, {of}(i, j))`");
            [rows, columns].into_iter().chain(entries).collect()
        })
    }

    /// The error that a statement would have.
    pub(super) fn fault(&self, text: &str) -> Option<Diagnostic> {
        self.fault_in(self.scope, text)
    }

    fn fault_in(&self, scope: &Scope, text: &str) -> Option<Diagnostic> {
        let source = Source::new(self.file(), "offer", text);
        let tree = session::parse(source.text.clone());
        if let Some(error) = tree.errors().first() {
            return Some(self.c.syntax_diagnostic(error));
        }
        let mut c = Checker::within(&source, scope);
        for node in session::statements(&tree).iter().filter_map(|cut| cut.node) {
            super::statement(&mut c, scope, node);
        }
        c.take_diagnostics().into_iter().find(Diagnostic::is_error)
    }

    fn fault_of(&self, offer: &Offer, init: NodeRef<'_>) -> Option<Diagnostic> {
        self.fault(&format!("{} = {}", offer.head, right_of(offer, init)))
    }

    fn offered(&self, error: Diagnostic, name: &Word, init: NodeRef<'_>, offer: Offer) -> Diagnostic {
        let own = init.text().lines().next().unwrap_or_default();
        let right = offer.right.as_deref().unwrap_or(own);
        let file = self.file();
        let edit = |span: Span, replacement: String| Edit { file, span, replacement };
        let mut edits = vec![edit(name.span, offer.head.clone())];
        edits.extend(offer.right.clone().map(|right| edit(init.span(), right)));
        let whole = format!("{} = {right}", offer.head);
        let error = error.help(format!("{}: `{whole}`", offer.why));
        error.fix_edits(format!("write `{whole}`"), edits, Applicability::MaybeIncorrect)
    }

    /// The calls of names that are neither tensors nor functions, each name once.
    fn unknown_calls<'t>(&self, init: NodeRef<'t>) -> Vec<NodeRef<'t>> {
        let mut told = BTreeSet::new();
        let calls = init.descendants().filter(|part| part.kind() == NodeKind::Call && !self.is_generator(*part));
        let unknown = calls.filter(|call| {
            let name = call.first_token().map_or("", |token| token.text());
            self.scope.get(name).is_none() && !kernel::is_function(callee(*call))
        });
        unknown.filter(|call| told.insert(callee(*call))).collect()
    }

    /// The names that mean nothing: no index of a tensor, no variable of a reduction.
    fn undefined(&self, init: NodeRef<'_>) -> Vec<Word> {
        let called = |node: NodeRef<'_>| node.ancestors().any(|parent| parent.kind() == NodeKind::Call);
        let names = init.descendants().filter(|node| node.kind() == NodeKind::Name && !called(*node));
        let unknown = names.filter(|name| self.scope.get(name.text()).is_none() && !is_constant(*name, self.scope));
        let mut told = BTreeSet::new();
        let first = |name: &NodeRef<'_>| !matches!(name.text(), "pi" | "e") && told.insert(name.text().to_string());
        unknown.filter(first).filter_map(super::word).collect()
    }

    /// Something in it has an error of its own.
    fn is_broken(&self, init: NodeRef<'_>) -> bool {
        let names = init.descendants().filter(|node| matches!(node.kind(), NodeKind::Name | NodeKind::Call));
        let mut meanings = names.filter_map(|node| node.first_token()).filter_map(|name| self.scope.get(name.text()));
        meanings.any(|meaning| *meaning == Meaning::Broken)
    }

    pub(super) fn is_generator(&self, call: NodeRef<'_>) -> bool {
        call.first_token().is_some_and(|name| generate::lookup(name.text()).is_some())
    }

    fn tensor_named(&self, node: NodeRef<'_>) -> Option<&PartialType> {
        if let Meaning::Tensor(ty) = self.scope.get(node.first_token()?.text())? { Some(ty) } else { None }
    }
}

fn right_of<'t>(offer: &'t Offer, init: NodeRef<'t>) -> &'t str {
    offer.right.as_deref().unwrap_or(init.text())
}

fn callee<'t>(call: NodeRef<'t>) -> &'t str {
    call.first_token().map_or("", |name| name.text())
}
