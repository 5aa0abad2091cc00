//! What other languages show things by: `print(A)`, `A.shape`, `exit()`, `x.sum()`.

use super::{Notation, word};
use crate::kernel;
use nnz_base::diagnostic::{Applicability, Code, Diagnostic, Edit};
use nnz_syntax::{
    NodeKind, NodeRef,
    habits::{self, Leading},
};

impl Notation<'_, '_> {
    pub(super) fn shown_elsewhere(&self, expr: NodeRef<'_>) -> Option<Diagnostic> {
        let name =
            word(expr).filter(|name| self.scope.get(&name.text).is_none() && !kernel::is_function(&name.text))?;
        let (object, function) = name.text.rsplit_once('.').unwrap_or(("", &name.text));
        let is_call = expr.kind() == NodeKind::Call;
        let operands: Vec<NodeRef<'_>> = expr.children().filter(|_| is_call).collect();
        let alone = is_call && object.is_empty();
        let (own, message) = match (habits::leading(function), operands.as_slice()) {
            (Some(Leading::Print), shown) if alone => {
                let message = format!("there is no `{function}`: a name alone shows its value");
                (self.shown_alone(shown), message)
            }
            (Some(Leading::Command(command)), of) if alone => {
                (self.commanded(command, of), format!("a command begins with `:`: `:{command}`"))
            }
            (Some(Leading::Otherwise(how)), of) if alone && !of.is_empty() && habits::function(function).is_none() => {
                let message = format!("there is no `{function}` in this notation");
                let error = Diagnostic::new(Code::UnknownName, self.file(), name.span, message).label("not a function");
                return Some(error.help(self.scope.with_free_names(how)));
            }
            (_, of) if habits::tells_type(function) && (of.is_empty() != object.is_empty()) => {
                let of = of.first().map_or(object, |of| of.text());
                let own = format!(":type {of}");
                let message = format!("there is no `{function}`: `{own}` tells type and sizes");
                self.fault(&own).is_none().then_some((Some(own), message))?
            }
            _ => return None,
        };
        let error = Diagnostic::new(Code::UnknownName, self.file(), name.span, message).label("not defined");
        Some(match own {
            Some(own) => error.fix(format!("write `{own}`"), expr.span(), own),
            None => error,
        })
    }

    /// `A` for `print(A)`; what is computed needs a name, which is shown then: `y(i) = 2 * x(i); y`.
    fn shown_alone(&self, operands: &[NodeRef<'_>]) -> Option<String> {
        let &[shown] = operands else { return None };
        if self.fault(shown.text()).is_none() {
            return Some(shown.text().to_string());
        }
        let name = self.free_result();
        let named = format!("{}{}", self.head_of(&name, shown), shown.text());
        self.fault(&named).is_none().then(|| format!("{named}; {name}"))
    }

    /// `:spy A` for `plot(A)` and for `plot(A(i, j))`.
    fn commanded(&self, command: &str, operands: &[NodeRef<'_>]) -> Option<String> {
        let own = match operands {
            [] => format!(":{command}"),
            [access] if access.kind() == NodeKind::Call && self.is_tensor(*access) => {
                format!(":{command} {}", access.first_token()?.text())
            }
            [shown] => format!(":{command} {}", shown.text()),
            _ => return None,
        };
        self.fault(&own).is_none().then_some(own)
    }

    /// `x.sum()`, `sum(x)`: a reduction as other languages write it, whose result has no name.
    pub(super) fn reduced_alone(&self, expr: NodeRef<'_>) -> Option<Diagnostic> {
        let written = word(expr)?;
        let meant = kernel::meant_reduction(self.scope, expr)?;
        let name = self.free_result();
        let element = self.result_element(expr);
        let head =
            if meant.left.is_empty() { format!("{name} : {element}") } else { format!("{name}({})", meant.left) };
        let whole = format!("{head} = {}", meant.text);
        let error = match kernel::is_function(&written.text) {
            true => {
                let message = format!("`{}` needs the index variable to reduce over", written.text);
                Diagnostic::new(Code::WrongArity, self.file(), expr.span(), message).label("over which variable?")
            }
            false => {
                let message = format!("there is no tensor and no function `{}`", written.text);
                Diagnostic::new(Code::UnknownName, self.file(), written.span, message).label("not defined")
            }
        };
        let error = error.help(format!("a reduction names the indices that it is over: `{}`", meant.text));
        let edit = Edit { file: self.file(), span: expr.span(), replacement: whole.clone() };
        let fine = self.fault(&whole).is_none();
        fine.then(|| error.fix_edits(format!("write `{whole}`"), vec![edit], Applicability::MaybeIncorrect))
    }
}
