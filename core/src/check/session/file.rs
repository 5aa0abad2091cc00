//! A whole text, statement after statement.

use std::{collections::HashMap, sync::Arc};

use super::{Statement, quoted, statement, word};
use crate::{
    check::{
        Checked, Checker, DefId, DefinitionKind, ScheduledKernel,
        kernel::KernelStatement,
        scope::{Meaning, Scope, Word},
        used::{self, Files, Found, Used},
    },
    source::Source,
    syntax::{self, NodeKind, NodeRef},
};

/// Checks a whole text, statement after statement; `scope` holds what earlier cells defined.
pub fn check_session(source: &Source, scope: &Scope) -> Checked {
    check_text(source, scope, None)
}

/// As [`check_session`], with the files that the text uses.
pub fn check_session_with(source: &Source, scope: &Scope, files: &dyn Files) -> Checked {
    check_text(source, scope, Some(files))
}

fn check_text(source: &Source, scope: &Scope, files: Option<&dyn Files>) -> Checked {
    let tree = syntax::session::parse(source.text.clone());
    let mut file = File { c: Checker::within(source, scope), scope: scope.clone(), ids: HashMap::new(), files };
    for cut in syntax::session::statements(&tree) {
        file.statement(&cut);
    }
    let File { c, .. } = file;
    c.finish(tree)
}

/// A whole text while it is checked.
struct File<'s> {
    c: Checker<'s>,
    scope: Scope,
    /// The tensors and scalars defined in this text.
    ids: HashMap<String, DefId>,
    files: Option<&'s dyn Files>,
}

impl File<'_> {
    fn statement(&mut self, cut: &syntax::session::Statement<'_>) {
        let Some(node) = cut.node else { return };
        self.record_uses(node);
        if node.kind() == NodeKind::Use {
            self.use_file(node);
        }
        let checked = if cut.errors.is_empty() { statement(&mut self.c, &self.scope, node) } else { None };
        if let Some(Statement::Call(call)) = &checked {
            return call.targets.iter().for_each(|target| self.result(target, node));
        }
        let defined = checked.as_ref().and_then(|checked| checked.definition(&self.scope));
        self.c.scheduled.extend(checked.as_ref().and_then(scheduled));
        let (name, meaning) = match (defined, defined_name(node)) {
            (Some(defined), Some(token)) => (token, defined.1),
            (None, Some(token)) if checked.is_none() => (token, Meaning::Broken),
            _ => return,
        };
        self.scope.define(&name.text, meaning.clone());
        let kind = match meaning {
            Meaning::Encoding(_) => return,
            Meaning::Scalar(element) => DefinitionKind::Scalar(Some(element)),
            Meaning::Tensor(ty) => DefinitionKind::Tensor(Some(ty)),
            Meaning::Broken => DefinitionKind::Tensor(None),
        };
        let id = self.c.define(name.span, node.span(), kind);
        self.ids.insert(name.text, id);
    }

    fn use_file(&mut self, node: NodeRef<'_>) {
        let path = quoted(node);
        let found = path.zip(self.files).map(|(path, files)| (files.used(&path.text), path));
        let source = self.c.source.id;
        match found {
            Some((Found::File(file), path)) => return self.take_over(&path, file),
            Some((Found::Missing(reason), path)) => self.c.report(used::unreadable(source, &path, &reason)),
            Some((Found::Unread(reason), path)) => self.c.report(used::unread(source, &path, &reason)),
            None => {}
        }
        self.scope.open();
        self.c.uses_unread_files = true;
    }

    /// Makes what a file defines known. One with an error of its own is not used where statements run.
    fn take_over(&mut self, path: &Word, file: Arc<Checked>) {
        if let Some(error) = file.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            self.c.report(used::wrong_file(self.c.source.id, path, (&file, error)));
            self.scope.open();
            self.c.uses_unread_files = true;
        }
        for definition in &file.symbols.definitions {
            let name = file.source.slice(definition.name);
            match &definition.kind {
                DefinitionKind::Encoding(Some(encoding)) => {
                    self.c.import(name, encoding.clone());
                    self.scope.define(name, Meaning::Encoding(encoding.clone()));
                }
                DefinitionKind::Function => self.scope.expect_function(name.trim_start_matches('@')),
                _ => {}
            }
        }
        self.c.used.push(Used { path: path.span, file });
    }

    /// A result of a program's function, of which nothing is known here.
    fn result(&mut self, target: &Word, node: NodeRef<'_>) {
        self.scope.define(&target.text, Meaning::Broken);
        let id = self.c.define(target.span, node.span(), DefinitionKind::Tensor(None));
        self.ids.insert(target.text.clone(), id);
    }

    /// Names of tensors and scalars, wherever they stand but where they are defined.
    fn record_uses(&mut self, node: NodeRef<'_>) {
        let own = defined_name(node).map(|name| name.span);
        let named = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::Call);
        for token in node.descendants().filter(named).filter_map(|node| node.first_token()) {
            if let Some(id) = self.ids.get(token.text()).filter(|_| Some(token.span()) != own) {
                self.c.record_use(token.span(), Some(*id));
            }
        }
    }
}

/// The kernel, if its schedule is to be checked against its loops.
fn scheduled(statement: &Statement) -> Option<ScheduledKernel> {
    let Statement::Kernel(KernelStatement { kernel: Some(kernel), scheduled, .. }) = statement else { return None };
    let some = !scheduled.schedule.steps.is_empty();
    some.then(|| ScheduledKernel { kernel: kernel.clone(), scheduled: scheduled.clone() })
}

/// The name that a statement defines, whether or not it has errors. Aliases are left to MLIR's checks.
fn defined_name(node: NodeRef<'_>) -> Option<Word> {
    let assigns = matches!(node.kind(), NodeKind::Definition | NodeKind::Assignment);
    word(node).filter(|_| assigns)
}
