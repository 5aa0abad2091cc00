//! Divisors that are no numbers.

use super::{Checker, Holder, MapReader, Named, NodeKind, NodeRef, Span, TokenRef, Var, expressions::is_division};
use nnz_base::diagnostic::{Code, Diagnostic};

impl<'t> MapReader<'t> {
    /// Reports a name on the right of a division that the map does not declare: no dimension is meant. Each name is
    /// told once of a map, as one number mends it.
    pub(super) fn unknown_divisor(&self, (left, operator, right): Division<'t>, c: &mut Checker<'_>) -> bool {
        let name = right.text();
        if !is_division(operator) || right.kind() != NodeKind::ExprVar || self.named(name).is_some() {
            return false;
        }
        self.record(name, right.span(), c);
        let map = self.last_dim.map_or(0, |dim| dim.start);
        if c.told.insert((name.to_string(), "divisor", map.to_string())) {
            let message = format!("`{name}` is not declared in this map, and a divisor is a number");
            let diagnostic = c.diagnostic(Code::UndeclaredVariable, right.span(), message).label("no number");
            let help = with_number(left, operator);
            c.report(self.declared_as_symbol(name, diagnostic.help(help)));
        }
        true
    }

    /// A map of a program may have symbols; MLIR converts no tensor whose encoding has them.
    fn declared_as_symbol(&self, name: &str, diagnostic: Diagnostic) -> Diagnostic {
        let is_sym = |known: &Named<'t>| matches!(known.var, Var::Sym(_));
        match self.last_dim.filter(|_| self.holder == Holder::Program && !self.vars.iter().any(is_sym)) {
            Some(dim) => diagnostic.fix(
                format!("declare the symbol `{name}`"),
                Span::at(dim.end as usize + 1),
                format!("[{name}]"),
            ),
            None => diagnostic,
        }
    }
}

/// `left operator right`
pub(super) type Division<'t> = (NodeRef<'t>, TokenRef<'t>, NodeRef<'t>);

/// What a division by a number looks like.
pub(super) fn with_number(left: NodeRef<'_>, operator: TokenRef<'_>) -> String {
    format!("write the number: `{} {} 2`", left.text(), operator.text())
}
