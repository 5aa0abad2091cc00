//! `nnz/textDocumentContent` and `workspace/textDocumentContent` (LSP 3.18): views of kernels as texts, and what codes
//! mean.

use std::sync::Arc;

use tower_lsp::jsonrpc::{Error, Result};

use crate::{
    address::{Address, meant},
    ask::ask,
    moment::snapshot,
    newer::OfUri,
    views::{Content, Views},
};

pub(crate) type Params = OfUri;

pub(crate) async fn answer(params: Params, views: Views) -> Result<Arc<Content>> {
    if let Some(code) = meant(&params.uri) {
        return Ok(Arc::new(Content::meaning(code)));
    }
    let address = Address::parse(&params.uri).map_err(Error::invalid_params)?;
    let (source, asked, known) = (address.source.clone(), address.clone(), views.clone());
    let is_open = snapshot().document(&source).is_some();
    let made = ask(source, move |target| known.content(&asked, target)).await?;
    Ok(made.unwrap_or_else(|| views.missing(&address, is_open)))
}
