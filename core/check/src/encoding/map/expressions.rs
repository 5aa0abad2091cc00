//! Affine expressions of a map.

use super::divisor::{Division, with_number};
use super::{Checker, Holder, MapReader, Named, Notation, Var};
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    source::Span,
};
use nnz_encoding::{Affine, MAX_RANK, affine::NotAffine};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

impl<'t> MapReader<'t> {
    /// The expression at `node`, over the variables that `wanted` lets through, and symbols.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    pub(super) fn read_expr<V: Copy + PartialEq>(
        &self,
        node: NodeRef<'t>,
        wanted: &impl Fn(Var) -> Option<V>,
        c: &mut Checker<'_>,
    ) -> Option<Affine<V>> {
        match node.kind() {
            NodeKind::ExprVar => self.read_var(node, wanted, c),
            NodeKind::ExprCount => self.read_count(node, wanted, c),
            NodeKind::ExprInt => read_int(node, c),
            NodeKind::ExprNeg => Some(self.read_expr(node.children().next()?, wanted, c)?.negated()),
            NodeKind::ExprParen => self.read_expr(node.children().next()?, wanted, c),
            NodeKind::ExprBinary => self.read_binary(node, wanted, c),
            _ => None,
        }
    }

    /// `#i`
    fn read_count<V: Copy + PartialEq>(
        &self,
        node: NodeRef<'t>,
        wanted: &impl Fn(Var) -> Option<V>,
        c: &mut Checker<'_>,
    ) -> Option<Affine<V>> {
        let Some(count) = self.count else {
            let message = format!("`{}` counts entries, which only a level of an encoding does", node.text());
            c.report(c.diagnostic(Code::NotAffine, node.span(), message).label("a count"));
            return None;
        };
        let var = self.read_var(node, wanted, c)?;
        Affine::mul(var, Affine::Sym(count)).ok()
    }

    fn read_var<V: Copy + PartialEq>(
        &self,
        node: NodeRef<'t>,
        wanted: &impl Fn(Var) -> Option<V>,
        c: &mut Checker<'_>,
    ) -> Option<Affine<V>> {
        let name = node.text().trim_start_matches('#');
        let span = Span::new(node.span().end as usize - name.len(), node.span().end as usize);
        self.record(name, span, c);
        let known = self.named(name);
        match known.map(|known| known.var) {
            Some(Var::Sym(sym)) => return Some(Affine::Sym(sym)),
            Some(var) if wanted(var).is_some() => return wanted(var).map(Affine::Var),
            _ => {}
        }
        let mut candidates: Vec<&str> = self.candidates(wanted).take(MAX_RANK).collect();
        // Every dimension must be stored: those that no level has are meant.
        if self.holder == Holder::Encoding && candidates.iter().any(|name| !self.used.contains(name)) {
            candidates.retain(|name| !self.used.contains(name));
        }
        let message = match known {
            Some(known) => format!("`{name}` is {}, which may not stand here", known.var.words()),
            None => format!("`{name}` is not declared in this map"),
        };
        let label = if known.is_some() { "of another kind" } else { "not declared" };
        let mut diagnostic = c.diagnostic(Code::UndeclaredVariable, span, message).label(label);
        // What alone is legal is meant.
        let alone = if let [only] = candidates.as_slice() { Some(*only) } else { None };
        let nearest = did_you_mean(name, candidates.iter().copied()).or(alone);
        match self.undeclared(node.text()).filter(|_| known.is_none()) {
            Some((title, behind, edit)) => diagnostic = diagnostic.fix(title, behind, edit),
            None => diagnostic = nearest.into_iter().fold(diagnostic, |told, nearest| told.guess(span, nearest)),
        }
        let legal = if candidates.is_empty() {
            "nothing is declared".into()
        } else {
            super::super::super::list_of(&candidates)
        };
        c.report(diagnostic.help(format!("legal here: {legal}")));
        None
    }

    /// The declaration of another dimension: a short name is no slip of one that is used already.
    pub(super) fn undeclared(&self, name: &str) -> Option<(String, Span, String)> {
        let is_dim = |known: &&Named<'t>| matches!(known.var, Var::Dim(_));
        let used = self.vars.iter().filter(is_dim).all(|known| self.used.contains(&known.name));
        let behind = self.last_dim.filter(|_| name.len() <= 2 && !name.starts_with('#') && used)?;
        Some((format!("declare `{name}`"), Span::at(behind.end as usize), format!(", {name}")))
    }

    fn candidates<V>(&self, wanted: &impl Fn(Var) -> Option<V>) -> impl Iterator<Item = &'t str> {
        let legal = |known: &&Named<'t>| matches!(known.var, Var::Sym(_)) || wanted(known.var).is_some();
        self.vars.iter().filter(legal).map(|known| known.name)
    }

    fn read_binary<V: Copy + PartialEq>(
        &self,
        node: NodeRef<'t>,
        wanted: &impl Fn(Var) -> Option<V>,
        c: &mut Checker<'_>,
    ) -> Option<Affine<V>> {
        let mut sides = node.children().filter(|child| is_expr(child.kind()));
        let (left, right) = (sides.next()?, sides.next()?);
        let operator = node.own_tokens().next()?;
        self.check_spelling(operator, c);
        if self.unknown_divisor((left, operator, right), c) {
            self.read_expr(left, wanted, c);
            return None;
        }
        let (a, b) = (self.read_expr(left, wanted, c), self.read_expr(right, wanted, c));
        let (a, b) = (a?, b?);
        if self.holder == Holder::Encoding && is_division(operator) && b.as_const().is_some_and(|divisor| divisor <= 0)
        {
            let message = format!("`{}` needs a positive divisor, not {}", operator.text(), right.text());
            c.report(c.diagnostic(Code::NotAffine, right.span(), message).label("not positive"));
            return None;
        }
        combine(operator, a, b).map_err(|error| self.report_not_affine(error, node, (left, operator, right), c)).ok()
    }

    fn report_not_affine(&self, error: NotAffine, whole: NodeRef<'_>, parts: Division<'_>, c: &mut Checker<'_>) {
        let (left, operator, right) = parts;
        let divides = matches!(error, NotAffine::Divisor(_));
        let (span, label) =
            if divides { (right.span(), "no constant") } else { (whole.span(), "a product of variables") };
        let diagnostic = c.diagnostic(Code::NotAffine, span, error.to_string()).label(label);
        let diagnostic = if divides { diagnostic.help(with_number(left, operator)) } else { diagnostic };
        let note = "levels are affine functions of the dimensions, so that loops over them can be derived";
        c.report(match self.holder {
            Holder::Encoding => diagnostic.note(note),
            Holder::Program => diagnostic,
        });
    }

    /// `/`, `//` and `%` belong to the notation of UST.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(super) fn check_spelling(&self, operator: TokenRef<'t>, c: &mut Checker<'_>) {
        let mlir = match operator.kind() {
            TokenKind::Slash | TokenKind::SlashSlash => "floordiv",
            TokenKind::Percent => "mod",
            _ => return,
        };
        if self.notation == Notation::Mlir {
            let message = format!("MLIR spells `{}` as `{mlir}`", operator.text());
            let diagnostic =
                c.diagnostic(Code::OtherNotation, operator.span(), message).label(format!("write `{mlir}`"));
            c.report(diagnostic.respelt(format!("write `{mlir}`"), operator.span(), mlir));
        }
    }
}

pub(super) fn is_expr(kind: NodeKind) -> bool {
    use NodeKind::*;
    matches!(kind, ExprVar | ExprCount | ExprInt | ExprNeg | ExprParen | ExprBinary)
}

/// What counts is a level of its own.
pub(super) fn check_counts_alone(expr: NodeRef<'_>, c: &mut Checker<'_>) {
    if expr.kind() == NodeKind::ExprCount {
        return;
    }
    if let Some(count) = expr.descendants().find(|node| node.kind() == NodeKind::ExprCount) {
        let message = format!("`{}` is a level of its own, and no part of an expression", count.text());
        c.report(c.diagnostic(Code::NotAffine, count.span(), message).label("within an expression"));
    }
}

pub(super) fn is_division(operator: TokenRef<'_>) -> bool {
    matches!(operator.kind(), TokenKind::Ident | TokenKind::Slash | TokenKind::SlashSlash | TokenKind::Percent)
}

fn combine<V: Copy + PartialEq>(operator: TokenRef<'_>, a: Affine<V>, b: Affine<V>) -> Result<Affine<V>, NotAffine> {
    match (operator.kind(), operator.text()) {
        (TokenKind::Plus, _) => Ok(Affine::add(a, b)),
        (TokenKind::Minus, _) => Ok(Affine::sub(a, b)),
        (TokenKind::Star, _) => Affine::mul(a, b),
        (_, "ceildiv") => Affine::ceildiv(a, b),
        (TokenKind::Percent, _) | (_, "mod") => Affine::modulo(a, b),
        _ => Affine::floordiv(a, b),
    }
}

fn read_int<V>(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Affine<V>> {
    let parsed = super::super::entry::parse_integer(node.text()).and_then(|number| i64::try_from(number).ok());
    if parsed.is_none() {
        let message = format!("`{}` is too large: the largest constant is {}", node.text(), i64::MAX);
        c.report(c.diagnostic(Code::NotAffine, node.span(), message).label("too large"));
    }
    parsed.map(Affine::Const)
}
