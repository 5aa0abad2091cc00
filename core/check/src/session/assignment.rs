//! Assignments: kernels such as `y(i) = A(i, j) * x(j)`, updates, and named results of programs' functions.

use super::{Notation, Statement, call, word};
use crate::{
    kernel::{self, LeftSide, Update},
    schedule,
    scope::Word,
    spec::{self, Spec},
};
use nnz_base::diagnostic::{Applicability, Code, Diagnostic, Edit};
use nnz_kernel::BinaryOp;
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

impl Notation<'_, '_> {
    pub(super) fn kernel(
        &mut self,
        target: LeftSide<'_>,
        expr: NodeRef<'_>,
        schedule: Option<NodeRef<'_>>,
    ) -> Option<Statement> {
        let mut statement = kernel::assignment(self.c, self.scope, target, expr)?;
        if let Some(node) = schedule {
            statement.scheduled = schedule::schedule(self.c, (&statement.vars, expr), node)?;
        }
        Some(Statement::Kernel(statement))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    pub(super) fn assignment(&mut self, node: NodeRef<'_>) -> Option<Statement> {
        let mut parts = node.children();
        let head = parts.next()?;
        let spec = match node.child(NodeKind::TypeSpec) {
            Some(spec) => Some(spec::spec(self.c, spec)?),
            None => None,
        };
        if let Some(call) = node.child(NodeKind::ProgramCall) {
            return self.call(node, call, spec);
        }
        if let Some(second) = other_head(node, head) {
            self.several(second);
            return None;
        }
        let expr = parts.find(|part| part.kind() != NodeKind::TypeSpec)?;
        let update = update(node, head);
        match head.kind() {
            NodeKind::Name if update.is_some() => {
                let target = LeftSide { name: word(head)?, indices: Vec::new(), spec, update };
                self.kernel(target, expr, node.child(NodeKind::Schedule))
            }
            NodeKind::Call => {
                let target = LeftSide { name: word(head)?, indices: head.children().collect(), spec, update };
                self.kernel(target, expr, node.child(NodeKind::Schedule))
            }
            NodeKind::Name => {
                self.untyped(&word(head)?, expr);
                None
            }
            _ => {
                let message = "the left side must be a name with indices, as in `y(i)`".to_string();
                let (left, right) = (head.text().to_string(), expr.text().to_string());
                let span = head.span().cover(expr.span());
                let swapped = update.is_none() && expr.kind() == NodeKind::Call && spec.is_none();
                let swapped = swapped && self.fault(&format!("{right} = {left}")).is_none();
                let error = self.error(Code::AssignmentTarget, head.span(), message);
                error.primary.message = "no name".to_string();
                if swapped {
                    let (file, whole) = (error.primary.file, format!("{right} = {left}"));
                    let edits = vec![Edit { file, span, replacement: whole.clone() }];
                    let title = format!("write `{whole}`");
                    *error = error.clone().fix_edits(title, edits, Applicability::MaybeIncorrect);
                }
                None
            }
        }
    }

    /// `y(i), z(i) = ...`, `a, b`
    pub(super) fn several(&mut self, second: NodeRef<'_>) {
        let message = "one statement has one result".to_string();
        let error = self.error(Code::AssignmentTarget, second.span(), message);
        error.primary.message = "a second one".to_string();
        error.helps.push(
            "write a statement for each; several results has only a function of a program: `a, b = @f(x)`".to_string(),
        );
    }

    fn call(&mut self, node: NodeRef<'_>, call: NodeRef<'_>, spec: Option<Spec>) -> Option<Statement> {
        if let Some(schedule) = node.child(NodeKind::Schedule) {
            let message = "a call of a program's function has no loops to schedule".to_string();
            self.error(Code::AssignmentTarget, schedule.span(), message).primary.message = "not here".to_string();
            return None;
        }
        let heads = node.children().filter(|part| !matches!(part.kind(), NodeKind::TypeSpec | NodeKind::ProgramCall));
        let mut targets = Vec::new();
        for head in heads {
            if head.kind() != NodeKind::Name {
                let message = "the results of a function are named without indices, as in `B = @f(A)`".to_string();
                self.error(Code::AssignmentTarget, head.span(), message).primary.message = "with indices".to_string();
                return None;
            }
            if let Some(update) = update(node, head) {
                self.updated_by_call(node, update);
                return None;
            }
            targets.push(word(head)?);
        }
        self.named_once(&targets)?;
        call::call(self.c, self.scope, call, (targets, spec)).map(Statement::Call)
    }
}

impl Notation<'_, '_> {
    /// `x, x = @f(A)`: one of the results would be lost.
    fn named_once(&mut self, targets: &[Word]) -> Option<()> {
        let again = |(at, target): &(usize, &Word)| targets[..*at].iter().any(|other| other.text == target.text);
        let Some((_, target)) = targets.iter().enumerate().find(again) else { return Some(()) };
        let first = targets.iter().find(|other| other.text == target.text)?;
        let free = self.scope.free_name(&format!("{}2", target.text));
        let message = format!("two results are named `{}`", target.text);
        let error = Diagnostic::new(Code::AssignmentTarget, self.file(), target.span, message).label("the same name");
        let error = error.secondary(first.span, "the first one");
        self.c.report(match targets.iter().any(|other| other.text == free) {
            true => error.help("each result has a name of its own"),
            false => error.fix(format!("write `{free}`"), target.span, free),
        });
        None
    }

    /// `q += @f(A)`
    fn updated_by_call(&mut self, node: NodeRef<'_>, update: Update) {
        let operator = self.c.text(update.place).to_string();
        let message = "an update takes an expression, and this is a call of a program's function".to_string();
        let name = node.children().next().map_or("q", |head| head.text()).to_string();
        let how = format!("name the result first: `t = @f(A)`, then `{name}(i) {operator} t(i)`");
        let how = self.scope.with_free_names(&how);
        let error = self.error(Code::AssignmentTarget, update.place, message);
        error.primary.message = "no update by a call".to_string();
        error.helps.push(how);
    }
}

/// The text after a comma on the left of the `=`.
fn other_head<'t>(node: NodeRef<'t>, head: NodeRef<'t>) -> Option<NodeRef<'t>> {
    let comma = node.token(TokenKind::Comma).filter(|comma| comma.span().start >= head.span().end)?;
    node.children().find(|part| part.span().start > comma.span().start)
}

/// The operator of an assignment that is an update.
fn update(node: NodeRef<'_>, head: NodeRef<'_>) -> Option<Update> {
    let behind = |token: &TokenRef<'_>| token.span().start >= head.span().end && !token.kind().is_trivia();
    let operator = node.own_tokens().filter(behind).find(|token| token.kind() != TokenKind::Colon)?;
    let op = match (operator.kind(), operator.text()) {
        (TokenKind::PlusEq, _) => BinaryOp::Add,
        (TokenKind::MinusEq, _) => BinaryOp::Sub,
        (TokenKind::StarEq, _) => BinaryOp::Mul,
        (TokenKind::SlashEq, _) => BinaryOp::Div,
        (TokenKind::Ident, "min") => BinaryOp::Min,
        (TokenKind::Ident, "max") => BinaryOp::Max,
        _ => return None,
    };
    Some(Update { op, place: operator.span() })
}
