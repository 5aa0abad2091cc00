//! `textDocument/codeAction`: the fixes of diagnostics.

use nnz_core::ide::actions::{actions, safe_edits};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{OpenDocument, ask},
    to_proto,
};

pub(crate) fn options() -> CodeActionOptions {
    let kinds = vec![CodeActionKind::QUICKFIX, to_proto::fix_all_kind()];
    CodeActionOptions { code_action_kinds: Some(kinds), ..Default::default() }
}

pub(crate) async fn answer(params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
    ask(params.text_document.uri, move |target| {
        let only = params.context.only.as_deref();
        let mut answer = CodeActionResponse::new();
        if wants(only, &CodeActionKind::QUICKFIX, true) {
            answer.extend(quick_fixes(target, params.range));
        }
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
    here.iter().map(convert).collect()
}

/// Every fix that needs no look, at once.
fn fix_all(target: &OpenDocument) -> Option<CodeActionOrCommand> {
    let safe = safe_edits(&target.found());
    (!safe.is_empty()).then(|| to_proto::fix_all(&target.url, &target.document.source, &safe, target.unit))
}
