//! Definitions of a session that nothing uses. Those of an MLIR program are found by the checker.

use std::collections::HashMap;

use nnz_base::diagnostic::{Applicability, Code, Diagnostic, Edit};
use nnz_check::{Checked, DefId, Definition, DefinitionKind, Grammar};
use nnz_syntax::{NodeKind, NodeRef};

/// Nothing is said of a text that only defines: others use it.
pub(super) fn unused(checked: &Checked) -> Vec<Diagnostic> {
    if checked.grammar != Grammar::Notation || !does_something(checked) {
        return Vec::new();
    }
    let symbols = &checked.symbols;
    // A name that cannot be understood may be any of them.
    if symbols.uses.iter().any(|used| used.definition.is_none()) {
        return Vec::new();
    }
    let used = used(checked);
    let unused = symbols.definition_ids().zip(used).filter(|(_, used)| !used).map(|(id, _)| symbols.definition(id));
    let unused: Vec<_> = unused.filter_map(|definition| Some((definition, hint(checked, definition)?))).collect();
    // Few texts have any, and many assign to thousands of names.
    let assigned = if unused.is_empty() { HashMap::new() } else { assigned(checked) };
    let is_updated = |definition: &Definition| {
        let name = definition.name;
        assigned.get(checked.source.slice(name)).is_some_and(|last| *last > name.start)
    };
    unused.into_iter().filter(|(definition, _)| !is_updated(definition)).map(|(_, hint)| hint).collect()
}

/// Whether each definition is named elsewhere.
fn used(checked: &Checked) -> Vec<bool> {
    let symbols = &checked.symbols;
    let mut used = vec![false; symbols.definitions.len()];
    for name in &symbols.uses {
        let Some(id) = name.definition.filter(|id| symbols.definition(*id).name != name.span) else { continue };
        if let Some(known) = used.get_mut(id.index()) {
            *known = true;
        }
    }
    used
}

/// Where each name is last assigned to: `y(i) += x(i)` goes on from what `y` was.
fn assigned(checked: &Checked) -> HashMap<&str, u32> {
    let statements = checked.tree.root().children().filter(|node| node.kind() == NodeKind::Assignment);
    let first = statements.filter_map(|node| node.first_token());
    first.map(|token| (token.text(), token.span().start)).collect()
}

fn does_something(checked: &Checked) -> bool {
    let does = |kind| matches!(kind, NodeKind::Assignment | NodeKind::Show | NodeKind::Command | NodeKind::ProgramCall);
    !checked.diagnostics.iter().any(Diagnostic::is_error)
        && checked.tree.root().children().any(|statement| does(statement.kind()))
}

/// What is computed may be meant to be looked at with a lens or at the prompt.
fn hint(checked: &Checked, definition: &Definition) -> Option<Diagnostic> {
    let code = match &definition.kind {
        DefinitionKind::Encoding(Some(_)) => Code::UnusedAlias,
        DefinitionKind::Tensor(Some(_)) | DefinitionKind::Scalar(Some(_)) if is_data(checked, definition) => {
            Code::UnusedTensor
        }
        DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_) | DefinitionKind::Encoding(None) => return None,
        DefinitionKind::Attribute | DefinitionKind::Type(_) | DefinitionKind::Value => return None,
        DefinitionKind::Function | DefinitionKind::Block | DefinitionKind::MapVariable(_) => return None,
    };
    let message = format!("`{}` is never used", checked.source.slice(definition.name));
    let found = Diagnostic::new(code, checked.source.id, definition.name, message).label("nothing names it");
    let remove = Edit { file: checked.source.id, span: definition.whole, replacement: String::new() };
    Some(found.fix_edits("remove it", vec![remove], Applicability::MaybeIncorrect))
}

/// `A : CSR = read "m.mtx"`, which reads no tensor.
fn is_data(checked: &Checked, definition: &Definition) -> bool {
    let Definition { name, whole, .. } = definition;
    let uses = &checked.symbols.uses;
    let from = uses.partition_point(|used| used.span.start < whole.start);
    let mut inside = uses.iter().skip(from).take_while(|used| used.span.start < whole.end);
    let reads = inside.any(|used| used.span != *name && reads(checked, used.definition));
    let is_definition = |node: NodeRef<'_>| node.ancestors().any(|node| node.kind() == NodeKind::Definition);
    !reads && checked.tree.token_at(name.start as usize).is_some_and(|name| is_definition(name.node()))
}

/// Whether a use is one of a tensor or a number.
fn reads(checked: &Checked, used: Option<DefId>) -> bool {
    let kind = used.map(|id| &checked.symbols.definition(id).kind);
    matches!(kind, Some(DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_)))
}
