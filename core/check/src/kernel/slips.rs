//! Slips in kernels: `min-plus(...)`, `over == stored`, `sum(i: x(i))`, `x(x(i) > 1) = 0`.

use super::{LeftSide, Notation, calls::callee, example_indices, functions, semiring::Semiring};
use crate::scope::{Meaning, PartialType};
use nnz_base::{
    diagnostic::{Applicability, Code, Edit},
    source::Span,
};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

impl Notation<'_, '_> {
    /// `min-plus(j, A(i, j), x(j))`, a difference of names that are not defined; whether it is that.
    pub(super) fn hyphenated(&mut self, [left, right]: [NodeRef<'_>; 2]) -> bool {
        let (Some(first), Some(second)) = (left.tokens().last(), right.first_token()) else { return false };
        let name = format!("{}_{}", first.text(), second.text());
        let hyphen = Span { start: first.span().end, end: second.span().start };
        let known = [first.text(), second.text()].iter().any(|name| self.scope.get(name).is_some());
        let found = Semiring::parse(&name).is_some() && hyphen.len() == 1 && right.kind() == NodeKind::Call;
        if !found || known {
            return false;
        }
        let message = format!("the parts of the name of a semiring are joined by `_`: `{name}`");
        let error = self.error(Code::UnknownName, hyphen, message);
        *error = error.clone().label("write `_`").fix("write `_`", hyphen, "_");
        true
    }

    /// `over == stored`, `over: stored`, `absent == 0`: an argument whose name is not followed by `=`; whether there is one.
    pub(super) fn misnamed_argument(&mut self, node: NodeRef<'_>) -> bool {
        let callee = callee(node);
        let known: &[&str] = match callee.as_str() {
            "unary" => &["present", "absent"],
            "binary" => &["overlap", "left", "right"],
            "reduce" => &["combine", "identity", "over"],
            _ if functions::reduction(&callee).is_some() => &["over"],
            _ => return false,
        };
        let sign = |argument: NodeRef<'_>| {
            let name = argument.children().next().filter(|name| known.contains(&name.text()))?;
            let free = name.kind() == NodeKind::Name && self.scope.get(name.text()).is_none();
            let behind = |token: &nnz_syntax::TokenRef<'_>| token.span().start >= name.span().end;
            let sign = argument.tokens().filter(behind).find(|token| !token.kind().is_trivia())?;
            let written = sign.text().to_string();
            let found = free && matches!(sign.kind(), TokenKind::EqEq | TokenKind::Colon);
            found.then(|| (sign.span(), written, name.span().end == sign.span().start))
        };
        let signs: Vec<(Span, String, bool)> = node.children().filter_map(sign).collect();
        let Some((first, written, _)) = signs.first().cloned() else { return false };
        let message = format!("an argument is named with `=`, not with `{written}`");
        let error = self.error(Code::WrongArity, first, message);
        let file = error.primary.file;
        let own = |joined| if joined { " =" } else { "=" };
        let edit =
            |(span, _, joined): &(Span, String, bool)| Edit { file, span: *span, replacement: own(*joined).into() };
        let edits = signs.iter().map(edit).collect();
        *error = error.clone().label("write `=`").fix_edits("write `=`", edits, Applicability::MachineApplicable);
        true
    }

    /// `sum(i: x(i))`; whether it is that.
    pub(super) fn reduces_behind_colon(&mut self, node: NodeRef<'_>, name: &str) -> bool {
        let arguments: Vec<NodeRef<'_>> = node.children().collect();
        let &[range] = arguments.as_slice() else { return false };
        let parts: Vec<NodeRef<'_>> = range.children().collect();
        let &[var, body] = parts.as_slice() else { return false };
        let colon = range.own_tokens().find(|token| token.kind() == TokenKind::Colon);
        let Some(colon) = colon.filter(|_| range.kind() == NodeKind::Range && var.kind() == NodeKind::Name) else {
            return false;
        };
        let meant = format!("{name}({}, {})", var.text(), body.text());
        let message = format!("`,` stands behind the variable of a reduction: `{meant}`");
        let error = self.error(Code::WrongArity, colon.span(), message);
        *error = error.clone().label("write `,`").fix("write `,`", colon.span(), ",");
        true
    }

    /// `x(x(i) > 1) = 0`, `x[x > 1] = 0`: a condition in place of the indices; whether it is that.
    pub(super) fn masked(&mut self, target: &LeftSide<'_>) -> bool {
        let &[condition] = target.indices.as_slice() else { return false };
        let sign = condition.children().next().and_then(|left| {
            condition.tokens().find(|token| token.span().start >= left.span().end && !token.kind().is_trivia())
        });
        let compares = sign.is_some_and(|sign| {
            use TokenKind::{EqEq, Ge, Gt, Le, Lt, Ne};
            matches!(sign.kind(), EqEq | Ne | Lt | Le | Gt | Ge)
        });
        if condition.kind() != NodeKind::Binary || !compares {
            return false;
        }
        let message = "a condition chooses among values, and is no index".to_string();
        let meant = self.chosen(target, condition);
        let (file, name) = (self.c.source.id, target.name.span);
        let error = self.error(Code::IndexForm, condition.span(), message);
        error.primary.message = "a condition".to_string();
        let Some((head, right)) = meant else {
            error.helps.push("as in `x(i) = select(x(i) > 1, 0, x(i))`".to_string());
            return true;
        };
        let whole = format!("{head} = {right}");
        let span = name.cover(self.expr_span);
        let edits = vec![Edit { file, span, replacement: whole.clone() }];
        let error = self.c.diagnostics.last_mut();
        if let Some(error) = error {
            *error = error.clone().fix_edits(format!("write `{whole}`"), edits, Applicability::MaybeIncorrect);
        }
        true
    }

    /// The statement that takes the right side where the condition holds, and the old entry elsewhere.
    fn chosen(&self, target: &LeftSide<'_>, condition: NodeRef<'_>) -> Option<(String, String)> {
        let name = &target.name.text;
        let ty = self.tensor_called(name).filter(|_| target.update.is_none())?;
        let indices = example_indices(ty.rank()?);
        let mut text = condition.text().to_string();
        let bare = condition.descendants().filter(|node| node.kind() == NodeKind::Name);
        let bare: Vec<NodeRef<'_>> = bare.filter(|node| self.tensor_called(node.text()).is_some()).collect();
        for node in bare.iter().rev() {
            let at = (node.span().end - condition.span().start) as usize;
            text.insert_str(at, &format!("({indices})"));
        }
        let format = ty.declared_format().map_or(String::new(), |format| format!(" : {format}"));
        let value = self.c.text(self.expr_span);
        let head = format!("{name}({indices}){format}");
        Some((head, format!("select({text}, {value}, {name}({indices}))")))
    }

    /// A variable that the statement of a node has not, and that names nothing: `wanted`, or one behind it in the alphabet.
    pub(super) fn free_var(&self, wanted: &str, node: NodeRef<'_>) -> String {
        let statement =
            node.ancestors().find(|node| matches!(node.kind(), NodeKind::Assignment | NodeKind::Definition));
        let used = |name: &str| statement.unwrap_or(node).tokens().any(|token| token.text() == name);
        let free = |name: &&str| self.scope.get(name).is_none() && !self.index_names.contains(*name) && !used(name);
        let mut names =
            ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r"].into_iter().skip_while(|name| *name != wanted);
        names.find(free).map_or_else(|| self.scope.free_name(&format!("{wanted}_1")), str::to_string)
    }

    pub(super) fn tensor_called(&self, name: &str) -> Option<&PartialType> {
        if let Meaning::Tensor(ty) = self.scope.get(name)? { Some(ty) } else { None }
    }

    /// `x(n(i))`: an entry at a place that a tensor holds, as a sum that takes one term.
    pub(super) fn at_held_place(&self, index: NodeRef<'_>) -> Option<String> {
        let access = index.ancestors().find(|node| node.kind() == NodeKind::Call && node.span() != index.span())?;
        let (name, place) = (access.first_token()?.text(), index.text());
        let of_tensor = || self.tensor_called(index.first_token()?.text())?.element;
        let held = index.kind() == NodeKind::Call && of_tensor().is_some_and(|element| element.is_integer());
        let one = self.tensor_called(name)?.rank() == Some(1);
        let free = self.free_var("j", index);
        (held && one).then(|| {
            format!("an entry at a place that a tensor holds is a sum of one term: `sum({free}, select({free} == {place}, {name}({free})))`")
        })
    }
}
