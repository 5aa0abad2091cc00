//! The requests, a file each: take the parameters apart, ask the core off the transport's thread, translate the answer.

pub(crate) mod call_hierarchy;
pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod diagnostic;
pub(crate) mod document_highlight;
pub(crate) mod document_link;
pub(crate) mod document_symbol;
pub(crate) mod execute;
pub(crate) mod folding_range;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod inlay_hint;
pub(crate) mod linked_editing_range;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod selection;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod storage;
pub(crate) mod text_document_content;
pub(crate) mod type_definition;
pub(crate) mod workspace_diagnostic;
pub(crate) mod workspace_symbol;
