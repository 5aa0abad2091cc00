//! `workspace/symbol`: the definitions of the open documents and of the files in the workspace.

use nnz_core::{ide::symbols::Symbol, source::ColumnUnit};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::ask_all,
    store::{Document, Shared, Snapshot},
    to_proto,
};

/// More than anybody reads.
const MOST: usize = 500;

pub(crate) async fn answer(params: WorkspaceSymbolParams, documents: Shared) -> Result<Option<Vec<SymbolInformation>>> {
    ask_all(move |snapshot, cancelled| Some(found(&params.query, &documents, snapshot, cancelled))).await
}

fn found(query: &str, documents: &Shared, snapshot: &Snapshot, cancelled: &dyn Fn() -> bool) -> Vec<SymbolInformation> {
    let query = query.to_lowercase();
    let mut found: Vec<(usize, SymbolInformation)> = Vec::new();
    for (url, document) in documents.texts(snapshot, cancelled).into_iter().take_while(|_| !cancelled()) {
        if document.room().is_err() {
            continue;
        }
        for symbol in document.checked().symbols() {
            let rank = |name: &str| rank(&query, &name.to_lowercase());
            let mut add = |symbol: &Symbol, within: Option<&str>| {
                let known = rank(&symbol.name)
                    .map(|rank| (rank, information((&url, &document), symbol, within, snapshot.unit)));
                found.extend(known);
            };
            add(&symbol, None);
            symbol.children.iter().for_each(|child| add(child, Some(&symbol.name)));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, symbol)| symbol).take(MOST).collect()
}

/// How well a name fits, less is better: it begins so, it holds it, it has its letters in their order.
fn rank(query: &str, name: &str) -> Option<usize> {
    let bare = name.trim_start_matches(['#', '@', '!', '%']);
    if name.starts_with(query) || bare.starts_with(query) {
        return Some(usize::from(bare != query && name != query));
    }
    if name.contains(query) {
        return Some(2);
    }
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|letter| letter == wanted)).then_some(3)
}

#[expect(deprecated, reason = "the protocol's type has a deprecated field that must be written")]
fn information(
    (url, document): (&Url, &Document),
    symbol: &Symbol,
    within: Option<&str>,
    unit: ColumnUnit,
) -> SymbolInformation {
    SymbolInformation {
        name: symbol.name.clone(),
        kind: to_proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location::new(url.clone(), to_proto::range(&document.source, symbol.selection, unit)),
        container_name: within.map(String::from),
    }
}
