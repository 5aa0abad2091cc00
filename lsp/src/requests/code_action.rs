//! `textDocument/codeAction` and `codeAction/resolve`: the fixes of diagnostics, and refactorings of what is at a
//! place. Clients that resolve code actions get the edits of a refactoring when the user chooses it.

use nnz_core::ide::{
    actions::{actions, is_spelling, safe_edits, touches},
    refactor::Refactoring,
};
use serde::{Deserialize, Serialize};
use tower_lsp::{
    jsonrpc::{Error, ErrorCode, Result},
    lsp_types::*,
};

use crate::{
    abilities::Abilities,
    ask::{OpenDocument, ask},
    to_proto,
};

pub(crate) fn options() -> CodeActionOptions {
    let refactorings =
        [CodeActionKind::REFACTOR_REWRITE, CodeActionKind::REFACTOR_INLINE, CodeActionKind::REFACTOR_EXTRACT];
    let kinds = [CodeActionKind::QUICKFIX, to_proto::fix_all_kind()].into_iter().chain(refactorings);
    CodeActionOptions { code_action_kinds: Some(kinds.collect()), resolve_provider: Some(true), ..Default::default() }
}

/// Identifies the action to resolve: the text with its version, the place, and the title.
#[derive(Serialize, Deserialize)]
struct Asked(Url, i32, usize, usize, String);

pub(crate) async fn answer(params: CodeActionParams, abilities: Abilities) -> Result<Option<CodeActionResponse>> {
    ask(params.text_document.uri, move |target| {
        let only = params.context.only.as_deref();
        let mut answer = CodeActionResponse::new();
        if wants(only, &CodeActionKind::QUICKFIX, true) {
            answer.extend(quick_fixes(target, params.range));
            answer.extend(mending(target, params.range));
        }
        // Editors ask at every move of the cursor whether there is anything.
        let planning = params.context.trigger_kind != Some(CodeActionTriggerKind::AUTOMATIC);
        answer.extend(refactorings(target, params.range, (only, planning), abilities));
        if wants(only, &to_proto::fix_all_kind(), false) {
            answer.extend(fix_all(target));
        }
        Some(answer)
    })
    .await
}

/// Whether a client that asks for `only` these kinds of actions wants one of `kind`: kinds are nested by dots.
fn wants(only: Option<&[CodeActionKind]>, kind: &CodeActionKind, unasked: bool) -> bool {
    let Some(only) = only else { return unasked };
    let holds = |asked: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(asked.as_str());
        asked == &CodeActionKind::EMPTY || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    only.iter().any(holds)
}

fn quick_fixes(target: &OpenDocument, range: Range) -> CodeActionResponse {
    let (start, end) = (target.offset(range.start), target.offset(range.end));
    let found = target.found();
    let here = actions(&found, start..end.max(start));
    let convert = |action| to_proto::quick_fix(&target.url, &target.document.source, action, target.unit);
    // Several of one kind are written anew at once.
    let spelt = here.iter().filter(|action| is_spelling(action.diagnostic.code)).count();
    let all = (spelt > 0).then(|| safe_edits(&found)).filter(|edits| edits.len() > spelt);
    let all = all.map(|edits| to_proto::fix_all(&target.url, &target.document.source, &edits, target.unit));
    let all = all.map(|action| match action {
        CodeActionOrCommand::CodeAction(action) => {
            CodeActionOrCommand::CodeAction(CodeAction { kind: Some(CodeActionKind::QUICKFIX), ..action })
        }
        command @ CodeActionOrCommand::Command(_) => command,
    });
    here.iter().map(convert).chain(all).collect()
}

/// The refactorings that do away with what a diagnostic here reports.
fn mending(target: &OpenDocument, range: Range) -> CodeActionResponse {
    let (start, end) = (target.offset(range.start), target.offset(range.end));
    let found = target.found();
    let here = found.iter().filter(|one| touches(one.primary.span, start..end.max(start)));
    let mut answer = CodeActionResponse::new();
    for one in here.take_while(|_| !target.is_cancelled()) {
        let of_one = target.document.checked().mending(one.code, one.primary.span);
        let action = |found| to_proto::mending(&target.url, &target.document.source, (one, found), target.unit);
        answer.extend(of_one.iter().map(action));
    }
    answer
}

fn refactorings(
    target: &OpenDocument,
    range: Range,
    (only, planning): (Option<&[CodeActionKind]>, bool),
    abilities: Abilities,
) -> CodeActionResponse {
    let (start, end) = (target.offset(range.start), target.offset(range.end));
    let wanted = |kind: CodeActionKind| wants(only, &kind, true);
    if !wanted(CodeActionKind::REFACTOR_REWRITE)
        && !wanted(CodeActionKind::REFACTOR_INLINE)
        && !wanted(CodeActionKind::REFACTOR_EXTRACT)
    {
        return Vec::new();
    }
    let may_plan = || planning && !target.is_cancelled();
    let found = target.document.checked().refactorings(start..end.max(start), &may_plan);
    let found = found.iter().filter(|found| wanted(to_proto::refactor_kind(found.kind)));
    found.map(|found| action(target, found, (start, end), abilities).into()).collect()
}

/// Without its edit for a client that resolves.
fn action(
    target: &OpenDocument,
    found: &Refactoring,
    (start, end): (usize, usize),
    abilities: Abilities,
) -> CodeAction {
    let action = to_proto::refactoring(&target.url, &target.document.source, found, target.unit);
    if !abilities.resolves_actions {
        return action;
    }
    let asked = Asked(target.url.clone(), target.document.version, start, end, found.title.clone());
    CodeAction { edit: None, data: serde_json::to_value(asked).ok(), ..action }
}

/// # Errors
/// The text has changed since.
pub(crate) async fn resolve(action: CodeAction) -> Result<CodeAction> {
    let asked = action.data.clone().and_then(|data| serde_json::from_value(data).ok());
    let Some(Asked(url, version, start, end, title)) = asked else { return Ok(action) };
    let found = ask(url, move |target| {
        let checked = (target.document.version == version).then(|| target.document.checked())?;
        let found = checked.refactorings(start..end.max(start), &|| !target.is_cancelled());
        let found = found.iter().find(|found| found.title == title)?;
        Some(to_proto::refactoring(&target.url, &target.document.source, found, target.unit))
    });
    let modified =
        || Error { code: ErrorCode::ServerError(-32801), message: "the text has changed".into(), data: None };
    let CodeAction { edit, .. } = found.await?.ok_or_else(modified)?;
    Ok(CodeAction { edit, ..action })
}

/// Every fix that needs no look, at once.
fn fix_all(target: &OpenDocument) -> Option<CodeActionOrCommand> {
    let safe = safe_edits(&target.found());
    (!safe.is_empty()).then(|| to_proto::fix_all(&target.url, &target.document.source, &safe, target.unit))
}
