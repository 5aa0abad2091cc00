//! `y = A.T * x`, `s : f64 = A.T.sum()`: a transpose within a definition, and the whole statement with indices.

use std::collections::BTreeMap;

use super::Notation;
use crate::{
    fixed,
    scope::{Meaning, PartialType, Scope, Word},
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    source::Span,
};
use nnz_syntax::{NodeKind, NodeRef};

/// So many fixes lead to the statement at most.
const MOST: usize = 4;

/// Matrices by the names that stand for their transposes.
type StandIns = BTreeMap<String, String>;

impl Notation<'_, '_> {
    /// The report on `head = init`, where a matrix is transposed in it and the statement with indices is known.
    pub(in crate::session) fn of_transposes(
        &self,
        (name, head): (&Word, &str),
        init: NodeRef<'_>,
    ) -> Option<Diagnostic> {
        let place = transposes(init).next()?.first_token()?.span();
        let (matrix, _) = self.c.text(place).split_once(".T")?;
        let place = Span::new(place.start as usize, place.start as usize + matrix.len() + 2);
        let whole = self.with_indices(head, init)?;
        let message = format!("`{matrix}.T` is not defined");
        let error = Diagnostic::new(Code::UnknownName, self.file(), place, message).label("not defined");
        let error = error.help(format!("a transpose names its indices: `{whole}`"));
        let edit = Edit { file: self.file(), span: name.span.cover(init.span()), replacement: whole.clone() };
        Some(error.fix_edits(format!("write `{whole}`"), vec![edit], Applicability::MaybeIncorrect))
    }

    /// `y(i) = A(j, i) * x(j)` for `y` and `A.T * x`: what the fixes lead to where names stand for the transposes.
    fn with_indices(&self, head: &str, init: NodeRef<'_>) -> Option<String> {
        let (mut scope, mut names, mut text) = (self.scope.clone(), StandIns::new(), init.text().to_string());
        for part in transposes(init) {
            let (matrix, _) = part.first_token()?.text().split_once(".T")?;
            let ty = self.tensor_called(matrix).filter(|ty| ty.rank() == Some(2))?;
            let name = self.scope.free_name(&format!("{matrix}_T"));
            text = text.replace(&format!("{matrix}.T"), &name);
            scope.define(&name, Meaning::Tensor(turned(ty)));
            names.insert(name, matrix.to_string());
        }
        let whole = self.settled(&scope, format!("{head} = {text}"))?;
        let whole = names.iter().try_fold(whole, |whole, names| written(&whole, names))?;
        self.fault(&whole).is_none().then_some(whole)
    }

    /// What the first fixes lead to, where they lead to no error.
    fn settled(&self, scope: &Scope, mut text: String) -> Option<String> {
        for _ in 0..MOST {
            let Some(fault) = self.fault_in(scope, &text) else { return Some(text) };
            text = fixed::applied(&text, 0, fault.fixes.first()?)?;
        }
        None
    }
}

/// The names `A.T` and the calls `A.T.sum()`.
fn transposes<'t>(init: NodeRef<'t>) -> impl Iterator<Item = NodeRef<'t>> {
    let named = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::Call);
    let turned = |node: &NodeRef<'_>| {
        node.first_token().is_some_and(|name| name.text().ends_with(".T") || name.text().contains(".T."))
    };
    init.descendants().filter(move |node| named(node) && turned(node))
}

/// The type of the transpose.
fn turned(ty: &PartialType) -> PartialType {
    let mut ty = ty.clone();
    ty.shape.iter_mut().for_each(|sizes| sizes.reverse());
    ty
}

/// `A(j, i)` for `A_T(i, j)`, and `B(i, j) : CSR = A(j, i)` for `B : CSR = A_T`.
fn written(statement: &str, (name, matrix): (&String, &String)) -> Option<String> {
    if let Some((own, ty)) = statement.strip_suffix(&format!(" = {name}")).and_then(|head| head.split_once(" : ")) {
        return Some(format!("{own}(i, j) : {ty} = {matrix}(j, i)"));
    }
    let call = format!("{name}(");
    let mut parts = statement.split(&call);
    let mut whole = parts.next()?.to_string();
    for part in parts {
        let (indices, behind) = part.split_once(')')?;
        let (row, column) = indices.split_once(", ")?;
        whole.push_str(&format!("{matrix}({column}, {row}){behind}"));
    }
    Some(whole)
}
