//! The diagnostics of a document that the client gets: at the levels that the user wants, and no more than editors can
//! handle.

use std::sync::Arc;

use nnz_core::{
    diagnostic::{Code, Diagnostic as Found},
    source::{ColumnUnit, Source},
};
use tower_lsp::lsp_types::{CodeDescription, Diagnostic, NumberOrString, Url};

use crate::{
    address::meaning,
    store::{Document, Snapshot},
    to_proto,
};

/// The diagnostics of a document as the client gets them; `None` after a bug of nnz. Some are missing if `cancelled` said
/// so.
pub(crate) fn reported(
    url: &Url,
    document: &Document,
    snapshot: &Snapshot,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<Diagnostic>> {
    let found = found(document, cancelled)?;
    let mut published = published(url, &document.source, &snapshot.lints.applied(&found), snapshot.unit);
    if snapshot.follows_codes {
        published.iter_mut().for_each(link_code);
    }
    Some(published)
}

/// What its code means is behind a link.
fn link_code(diagnostic: &mut Diagnostic) {
    let Some(NumberOrString::String(code)) = &diagnostic.code else { return };
    let href = Code::parse(code).and_then(meaning);
    diagnostic.code_description = href.map(|href| CodeDescription { href });
}

fn found(document: &Document, cancelled: &dyn Fn() -> bool) -> Option<Arc<Vec<Found>>> {
    match document.room() {
        Ok(()) => check_safely(document, cancelled),
        Err(refused) => Some(Arc::new(vec![*refused])),
    }
}

/// A panic while checking is a bug of nnz; it must not end the thread, and with it all diagnostics.
fn check_safely(document: &Document, cancelled: &dyn Fn() -> bool) -> Option<Arc<Vec<Found>>> {
    let check = std::panic::AssertUnwindSafe(|| document.found(cancelled));
    let found = std::panic::catch_unwind(check);
    found.inspect_err(|_| eprintln!("nnz lsp: checking {} failed: a bug in nnz", document.source.name)).ok()
}

/// The most diagnostics of a document that editors get, because they draw, list and keep each of them.
const MOST: usize = 1000;

/// If there are too many, these are the gravest, in the order of the text, and one that counts the others.
fn published(url: &Url, source: &Source, found: &[Found], unit: ColumnUnit) -> Vec<Diagnostic> {
    let convert = |diagnostic: &Found| to_proto::diagnostic(url, source, diagnostic, unit);
    if found.len() <= MOST {
        return found.iter().map(convert).collect();
    }
    let mut places: Vec<usize> = (0..found.len()).collect();
    places.sort_by_key(|&place| found[place].severity());
    let left_out = places.split_off(MOST - 1);
    places.sort_unstable();
    let rest = left_out.first().map(|&first| to_proto::rest(source, &found[first], left_out.len(), unit));
    places.iter().map(|&place| convert(&found[place])).chain(rest).collect()
}
