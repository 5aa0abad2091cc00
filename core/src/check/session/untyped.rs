//! `B = A`, `x = 3`, `C = A * B`: a definition without a type. What it probably means is offered as a whole statement.

use std::collections::BTreeSet;

use super::{Notation, Word, is_constant};
use crate::{
    check::{
        kernel::{self, example_indices},
        scope::{Meaning, PartialType},
    },
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    element::Element,
    source::Span,
    storage::generate,
    syntax::{NodeKind, NodeRef, TokenKind, TokenRef, habits},
};

/// A statement to offer: what stands in front of the `=`, and the right side if it changes.
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

impl Notation<'_, '_> {
    /// Reports `name = init`, with the statement that was probably meant.
    pub(super) fn untyped(&mut self, name: &Word, init: NodeRef<'_>) {
        if self.is_broken(init) {
            return;
        }
        let message = format!("`{}` needs a type or indices", name.text);
        let error = Diagnostic::new(Code::AssignmentTarget, self.file(), name.span, message);
        let error = error.label("of what type, or with which indices?");
        if let Some((call, how)) = foreign_call(init) {
            let message = format!("there is no tensor and no function `{}`", call.text);
            let error = Diagnostic::new(Code::UnknownName, self.file(), call.span, message).label("not defined");
            return match filled(name, init) {
                Some(offer) => {
                    let told = self.offered(error, name, init, offer);
                    self.c.report(told);
                }
                None => self.c.report(error.help(how)),
            };
        }
        if let Some(object) = init.text().strip_suffix(".T").filter(|_| init.kind() == NodeKind::Name) {
            let message = format!("`{}` is not defined", init.text());
            let error = Diagnostic::new(Code::UnknownName, self.file(), init.span(), message).label("not defined");
            let (head, right) = (format!("{}(i, j) : CSR", name.text), format!("{object}(j, i)"));
            let why = "a transpose names its indices".to_string();
            let told = self.offered(error, name, init, Offer { head, right: Some(right), why });
            return self.c.report(told);
        }
        if let Some(undefined) = self.undefined(init) {
            return self.unknown(&undefined);
        }
        let offers = self.offers(&name.text, init);
        if offers.is_empty() {
            let help = format!("a scalar is written `{0} : f64 = ...`, a kernel `{0}(i, j) = ...`", name.text);
            return self.c.report(error.help(help));
        }
        let told = offers.into_iter().fold(error, |error, offer| self.offered(error, name, init, offer));
        self.c.report(told);
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

    /// The first name that means nothing: no index of a tensor, no variable of a reduction.
    fn undefined(&self, init: NodeRef<'_>) -> Option<Word> {
        let called = |node: NodeRef<'_>| node.ancestors().any(|parent| parent.kind() == NodeKind::Call);
        let names = init.descendants().filter(|node| node.kind() == NodeKind::Name && !called(*node));
        let mut unknown = names.filter(|name| self.scope.get(name.text()).is_none() && !is_constant(*name));
        unknown.find(|name| !matches!(name.text(), "pi" | "e")).and_then(super::word)
    }

    /// `x + 1`, `pow(A, 2)`: tensors of one rank without indices.
    fn by_entry(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let indexed = |call: NodeRef<'_>| self.tensor_named(call).is_some();
        let reduces = |call: NodeRef<'_>| matches!(callee(call), "sum" | "prod" | "min" | "max" | "any" | "all");
        let mut calls = init.descendants().filter(|node| node.kind() == NodeKind::Call);
        if calls.any(|call| indexed(call) || reduces(call)) {
            return None;
        }
        let bare: Vec<NodeRef<'_>> = init
            .descendants()
            .filter(|node| node.kind() == NodeKind::Name && self.tensor_named(*node).is_some())
            .collect();
        let rank = self.tensor_named(*bare.first()?)?.rank().filter(|rank| *rank > 0)?;
        if bare.iter().any(|node| self.tensor_named(*node).and_then(PartialType::rank) != Some(rank)) {
            return None;
        }
        let indices = example_indices(rank);
        let mut right = init.text().to_string();
        for node in bare.iter().rev() {
            right.insert_str((node.span().end - init.span().start) as usize, &format!("({indices})"));
        }
        let why = "an operation on tensors names their indices".to_string();
        Some(Offer { head: format!("{name}({indices})"), right: Some(right), why })
    }

    /// Something in it has an error of its own.
    fn is_broken(&self, init: NodeRef<'_>) -> bool {
        let names = init.descendants().filter(|node| matches!(node.kind(), NodeKind::Name | NodeKind::Call));
        let mut meanings = names.filter_map(|node| node.first_token()).filter_map(|name| self.scope.get(name.text()));
        meanings.any(|meaning| *meaning == Meaning::Broken)
    }

    fn offers(&mut self, name: &str, init: NodeRef<'_>) -> Vec<Offer> {
        match init.kind() {
            NodeKind::Read => vec![Offer::typed(name, "CSR", "a tensor from a file names its format")],
            NodeKind::ListLiteral | NodeKind::DenseLiteral | NodeKind::SparseLiteral => {
                vec![Offer::typed(name, "tensor<4x4xf64, CSR>", "a literal may need its sizes")]
            }
            NodeKind::Name => self.of_name(name, init),
            _ if is_constant(init) => vec![Offer::typed(name, constant_type(init), "a number names its type")],
            NodeKind::Call if self.is_generator(init) => {
                vec![Offer::typed(name, "CSR", "a generated tensor names its format")]
            }
            _ => self.of_expression(name, init),
        }
    }

    fn is_generator(&self, call: NodeRef<'_>) -> bool {
        call.first_token().is_some_and(|name| generate::lookup(name.text()).is_some())
    }

    fn of_name(&mut self, name: &str, init: NodeRef<'_>) -> Vec<Offer> {
        match self.scope.get(init.text()) {
            Some(Meaning::Tensor(ty)) => {
                let ty = ty.format_name.clone().unwrap_or_else(|| ty.to_string());
                vec![Offer::typed(name, ty, "a copy names its format")]
            }
            Some(Meaning::Scalar(element)) => vec![Offer::typed(name, *element, "a copy names its type")],
            Some(Meaning::Encoding(_) | Meaning::Broken) => Vec::new(),
            None => vec![Offer::typed(name, "f64", "a scalar names its type")],
        }
    }

    fn of_expression(&mut self, name: &str, init: NodeRef<'_>) -> Vec<Offer> {
        if let Some(offer) = self.product(name, init).or_else(|| self.by_entry(name, init)) {
            return vec![offer];
        }
        if let Some(offer) = self.reduction(name, init) {
            return vec![offer];
        }
        let element = self.element_in(init).unwrap_or(Element::F64);
        let scalar = Offer::typed(name, element, "a scalar names its type");
        let Some(indices) = self.kernel_indices(init, None) else { return vec![scalar] };
        let kernel = Offer {
            head: format!("{name}({indices})"),
            right: None,
            why: "a result with dimensions names their indices".to_string(),
        };
        vec![kernel, scalar]
    }

    /// `max(A)`, `sum(A, axis = 1)`
    fn reduction(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let meant = kernel::meant_reduction(self.scope, init)?;
        let element = self.element_of_operand(init).unwrap_or(Element::F64);
        let head =
            if meant.left.is_empty() { format!("{name} : {element}") } else { format!("{name}({})", meant.left) };
        let why = "a reduction names the indices that it is over".to_string();
        Some(Offer { head, right: Some(meant.text), why })
    }

    fn element_of_operand(&self, call: NodeRef<'_>) -> Option<Element> {
        self.tensor_named(call.children().next()?)?.element
    }

    fn tensor_named(&self, node: NodeRef<'_>) -> Option<&PartialType> {
        match self.scope.get(node.first_token()?.text())? {
            Meaning::Tensor(ty) => Some(ty),
            _ => None,
        }
    }

    fn element_in(&self, init: NodeRef<'_>) -> Option<Element> {
        init.descendants()
            .filter(|node| node.kind() == NodeKind::Call)
            .find_map(|call| self.tensor_named(call)?.element)
    }

    /// `A * B` over tensors without indices.
    fn product(&self, name: &str, init: NodeRef<'_>) -> Option<Offer> {
        let operands: Vec<NodeRef<'_>> = init.children().collect();
        let &[left, right] = operands.as_slice() else { return None };
        if init.kind() != NodeKind::Binary || [left, right].iter().any(|operand| operand.kind() != NodeKind::Name) {
            return None;
        }
        let operator = init.own_tokens().find(|token| !token.kind().is_trivia())?;
        let rank = |node| self.tensor_named(node).and_then(PartialType::rank);
        let (indices, of_left, of_right) = match (operator.kind(), rank(left)?, rank(right)?) {
            (TokenKind::Star, 2, 2) => ("i, j".to_string(), "i, k".to_string(), "k, j".to_string()),
            (TokenKind::Star, 2, 1) => ("i".to_string(), "i, j".to_string(), "j".to_string()),
            (TokenKind::Star, 1, 2) => ("j".to_string(), "i".to_string(), "i, j".to_string()),
            (_, rank, other) if rank == other => {
                let all = example_indices(rank);
                (all.clone(), all.clone(), all)
            }
            _ => return None,
        };
        let right = format!("{}({of_left}) {} {}({of_right})", left.text(), operator.text(), right.text());
        let why = "an operation on tensors names their indices".to_string();
        Some(Offer { head: format!("{name}({indices})"), right: Some(right), why })
    }

    /// The indices that a result of `rank` probably has, in the order of the alphabet: those that a term has once, as in
    /// a product of matrices, or all of a term that has none.
    pub(super) fn kernel_indices(&self, init: NodeRef<'_>, rank: Option<usize>) -> Option<String> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for term in terms(init) {
            let used = self.indices_of(term);
            let once = |name: &&&str| used.iter().filter(|other| other == name).count() == 1;
            let single: Vec<&str> = used.iter().filter(once).copied().collect();
            names.extend(if single.is_empty() { used } else { single });
        }
        let count = rank.unwrap_or(names.len());
        let names: Vec<&str> = names.into_iter().take(count).collect();
        (!names.is_empty() && names.len() == count).then(|| names.join(", "))
    }

    /// Index variables of the tensors in a term, as often as they stand there.
    fn indices_of<'t>(&self, term: NodeRef<'t>) -> Vec<&'t str> {
        let calls =
            term.descendants().filter(|node| node.kind() == NodeKind::Call && self.tensor_named(*node).is_some());
        let names = calls.flat_map(|call| call.descendants().filter(|node| node.kind() == NodeKind::Name));
        names.map(|name| name.text()).filter(|name| !matches!(self.scope.get(name), Some(Meaning::Scalar(_)))).collect()
    }
}

/// What a sum is made of.
fn terms(node: NodeRef<'_>) -> Vec<NodeRef<'_>> {
    let adds = |token: TokenRef<'_>| matches!(token.kind(), TokenKind::Plus | TokenKind::Minus);
    let parts = node.children();
    match node.kind() {
        NodeKind::Binary if node.own_tokens().any(adds) => parts.flat_map(terms).collect(),
        NodeKind::Paren => parts.flat_map(terms).collect(),
        _ => vec![node],
    }
}

fn callee<'t>(call: NodeRef<'t>) -> &'t str {
    call.first_token().map_or("", |name| name.text())
}

/// `np.ones(2)`, `zeros(3, 4)`
fn filled(name: &Word, call: NodeRef<'_>) -> Option<Offer> {
    let value = match callee(call).rsplit('.').next()? {
        "ones" => "1",
        "zeros" => "0",
        _ => return None,
    };
    let sizes: Option<Vec<u64>> = call.children().map(|size| size.text().parse().ok()).collect();
    let sizes: String = sizes.filter(|sizes| !sizes.is_empty())?.iter().map(|size| format!("{size}x")).collect();
    let why = "a tensor of one value is a literal".to_string();
    let head = format!("{} : tensor<{sizes}f64>", name.text);
    Some(Offer { head, right: Some(format!("dense<{value}>")), why })
}

fn constant_type(init: NodeRef<'_>) -> Element {
    match init.text() {
        "true" | "false" => Element::I1,
        _ if init.descendants().any(|node| node.kind() == NodeKind::ComplexNumber) => Element::C64,
        _ => Element::F64,
    }
}

/// A function of another language that a kernel of its own says, and how.
fn foreign_call(init: NodeRef<'_>) -> Option<(Word, &'static str)> {
    let name = super::word(init).filter(|_| init.kind() == NodeKind::Call)?;
    match habits::function(&name.text)? {
        habits::Function::Said(how) => Some((name, how)),
        habits::Function::Named(_) => None,
    }
}
