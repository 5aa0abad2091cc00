//! `textDocument/semanticTokens`: those of a whole text, those of a part of it, and the changes since the last answer.

use std::{
    collections::VecDeque,
    ops,
    sync::{Arc, Mutex, PoisonError},
};

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{OpenDocument, ask_long},
    to_proto,
};

pub(crate) fn options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: to_proto::token_legend(),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
        range: Some(true),
        ..Default::default()
    }
}

/// The tokens of the last answers, which clients have.
#[derive(Clone, Default)]
pub(crate) struct Sent(Arc<Mutex<Answers>>);

#[derive(Default)]
struct Answers {
    count: u64,
    /// The newest last.
    kept: VecDeque<Answer>,
}

struct Answer {
    url: Url,
    id: String,
    tokens: Arc<Vec<SemanticToken>>,
}

impl Sent {
    /// The most texts whose tokens are kept.
    const MOST: usize = 16;

    /// Keeps an answer in place of the one before, and gives it an id.
    fn keep(&self, url: &Url, tokens: Arc<Vec<SemanticToken>>) -> String {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.kept.retain(|answer| answer.url != *url);
        if answers.kept.len() >= Sent::MOST {
            answers.kept.pop_front();
        }
        answers.count += 1;
        let id = answers.count.to_string();
        answers.kept.push_back(Answer { url: url.clone(), id: id.clone(), tokens });
        id
    }

    fn find(&self, url: &Url, id: &str) -> Option<Arc<Vec<SemanticToken>>> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.kept.iter().find(|answer| answer.url == *url && answer.id == id).map(|answer| answer.tokens.clone())
    }

    /// Of a text that is closed.
    pub(crate) fn forget(&self, url: &Url) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).kept.retain(|answer| answer.url != *url);
    }
}

pub(crate) async fn full(params: SemanticTokensParams, sent: Sent) -> Result<Option<SemanticTokensResult>> {
    ask_long(params.text_document.uri, move |target| Some(whole(target, &sent).into())).await
}

/// The tokens of a text, which are kept.
fn whole(target: &OpenDocument, sent: &Sent) -> SemanticTokens {
    let data = tokens_in(target, 0..target.document.source.text.len());
    let id = sent.keep(&target.url, Arc::new(data.clone()));
    SemanticTokens { result_id: Some(id), data }
}

pub(crate) async fn delta(
    params: SemanticTokensDeltaParams,
    sent: Sent,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    ask_long(params.text_document.uri, move |target| {
        let before = sent.find(&target.url, &params.previous_result_id);
        let SemanticTokens { result_id, data } = whole(target, &sent);
        Some(match before {
            Some(before) => SemanticTokensDelta { result_id, edits: edits(&before, &data) }.into(),
            None => SemanticTokens { result_id, data }.into(),
        })
    })
    .await
}

/// One edit of everything between the first and the last difference, because tokens are relative to each other. Places
/// are counted in numbers, five per token.
fn edits(before: &[SemanticToken], after: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same = |pair: &(&SemanticToken, &SemanticToken)| pair.0 == pair.1;
    let first = before.iter().zip(after).take_while(same).count();
    let (old, new) = (&before[first..], &after[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (removed, added) = (old.len() - last, &new[..new.len() - last]);
    if removed == 0 && added.is_empty() {
        return Vec::new();
    }
    let numbers = |tokens: usize| u32::try_from(tokens.saturating_mul(5)).unwrap_or(u32::MAX);
    let (start, delete_count) = (numbers(first), numbers(removed));
    vec![SemanticTokensEdit { start, delete_count, data: Some(added.to_vec()) }]
}

pub(crate) async fn range(params: SemanticTokensRangeParams) -> Result<Option<SemanticTokensRangeResult>> {
    ask_long(params.text_document.uri, move |target| {
        let range = target.offset(params.range.start)..target.offset(params.range.end);
        Some(SemanticTokens { result_id: None, data: tokens_in(target, range) }.into())
    })
    .await
}

fn tokens_in(target: &OpenDocument, range: ops::Range<usize>) -> Vec<SemanticToken> {
    let tokens = target.document.checked().semantic_tokens(range, &|| target.is_cancelled());
    to_proto::semantic_tokens(&target.document.source, &tokens, target.unit)
}
