//! The requests, a file each: take the parameters apart, ask the core off the transport's thread, translate the answer.

pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod document_highlight;
pub(crate) mod document_symbol;
pub(crate) mod hover;
pub(crate) mod references;
pub(crate) mod semantic_tokens;
pub(crate) mod text_document_content;
