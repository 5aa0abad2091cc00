//! What is shown: the value of a name or of an expression of scalars, and commands.

use super::{Notation, Statement, word};
use crate::{
    check::{
        command::Command,
        kernel::{self, Target},
        scope::{Meaning, Word},
    },
    diagnostic::Code,
    syntax::{NodeKind, NodeRef},
};

impl Notation<'_, '_> {
    pub(super) fn show(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let expr = node.children().next()?;
        let calls = expr.descendants().find(|node| node.kind() == NodeKind::Call && self.is_tensor(*node));
        match (expr.kind(), calls) {
            (NodeKind::Name, _) => {
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
                let error =
                    self.error(Code::AssignmentTarget, call.span(), "a result over tensors needs a name".to_string());
                error.helps.push("name it and its indices: `y(i) = ...`, or `s : f64 = ...` for a scalar".to_string());
                None
            }
            _ => {
                let name = Word { text: "it".to_string(), span: expr.span() };
                let target = Target { name, indices: Vec::new(), spec: None, update: None };
                kernel::assignment(self.c, self.scope, target, expr).map(Statement::Compute)
            }
        }
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
        if let Some(name) = command.subject().filter(|name| self.scope.get(&name.text).is_none()) {
            self.unknown(&name.clone());
            return None;
        }
        Some(Statement::Command(command))
    }
}
