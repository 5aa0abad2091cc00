//! What was meant as an encoding.

use crate::Checker;
use nnz_base::{
    diagnostic::{Code, distance},
    source::Span,
};
use nnz_encoding::named;
use nnz_syntax::NodeRef;

/// The attributes of `sparse_tensor`.
pub const SPARSE_ATTRIBUTES: &[&str] = &["encoding", "slice", "kind", "SparseTensorSortAlgorithm", "CrdTransDirection"];

impl Checker<'_> {
    /// `#sparse_tensor.encodng<{...}>`, which is reported: attributes of other names are other dialects' business.
    pub(crate) fn misspells_encoding(&mut self, value: NodeRef<'_>) -> bool {
        const MEANT: &str = "#sparse_tensor.encoding";
        let Some(token) = value.first_token() else { return false };
        if token.text() == MEANT.trim_start_matches('#') {
            let message = "an attribute begins with `#`: `#sparse_tensor.encoding`";
            let diagnostic =
                self.diagnostic(Code::UnknownAlias, token.span(), message).label("no `#` in front of this");
            self.report(diagnostic.fix("insert `#`", Span::at(token.span().start as usize), "#"));
            return true;
        }
        if !token.text().starts_with('#') {
            return false;
        }
        let braces = value.text().strip_prefix(token.text()).is_some_and(|body| body.trim_start().starts_with("<{"));
        let word = token.text().strip_prefix("#sparse_tensor.");
        if word.is_some_and(|word| word != "encoding" && SPARSE_ATTRIBUTES.contains(&word)) {
            return false;
        }
        let own = token.text().starts_with("#sparse") && value.text().contains("map")
            || token.text().ends_with(".encoding") && braces
            || word.is_some();
        if token.text() == MEANT || !own && distance(token.text(), MEANT) > 3 {
            return false;
        }
        let dialect = token.text().trim_start_matches('#').split('.').next().unwrap_or_default();
        let (message, label) = match dialect {
            _ if distance(dialect, "sparse_tensor") <= 3 => {
                (format!("there is no attribute `{}`", token.text()), "not an attribute")
            }
            _ => (format!("there is no dialect `{dialect}` that has encodings"), "not `sparse_tensor`"),
        };
        let diagnostic = self.diagnostic(Code::UnknownAlias, token.span(), message);
        let diagnostic = diagnostic.label(label);
        let format = word.and_then(|word| named::lookup(word, &[], None).ok());
        self.report(match (value.text().contains("map") || distance(token.text(), MEANT) <= 3, format) {
            (true, _) => diagnostic.guess(token.span(), MEANT),
            (false, Some(encoding)) => {
                let title = "write the encoding of this format";
                diagnostic.fix(title, value.span(), encoding.to_string())
            }
            (false, None) => {
                diagnostic.help(format!("an encoding is written `{MEANT}<{{ map = (i) -> (i : compressed) }}>`"))
            }
        });
        true
    }
}
