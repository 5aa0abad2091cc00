//! `textDocument/selectionRange`: ranges that grow around a place: the word, the parts of the tree, the contents of
//! brackets with and without the brackets, the line, the whole text.

use nnz_base::source::Span;
use nnz_check::Checked;
use nnz_syntax::{NodeRef, TokenRef};

use super::{
    brackets::{Pair, pairs},
    names::name_token,
};

/// For each offset the spans around it, each larger than the one before, which it contains.
pub fn selections(checked: &Checked, offsets: &[usize]) -> Vec<Vec<Span>> {
    let pairs = pairs(&checked.tree);
    offsets.iter().map(|offset| selection(checked, &pairs, *offset)).collect()
}

fn selection(checked: &Checked, pairs: &[Pair], offset: usize) -> Vec<Span> {
    let offset = offset.min(checked.source.text.len());
    let mut spans = vec![line(checked, offset), Span::new(0, checked.source.text.len())];
    let token = checked.tree.token_at(offset).filter(|token| !token.kind().is_trivia());
    spans.extend(name_token(checked, offset).or(token).map(TokenRef::span));
    if let Some(token) = checked.tree.token_at(offset) {
        spans.extend(token.node().ancestors().map(NodeRef::span));
    }
    spans.extend(around(pairs, offset));
    spans.retain(|span| span.touches(offset));
    spans.sort_by_key(|span| span.len());
    nested(spans, offset)
}

/// The brackets around a place, and what is in them.
fn around(pairs: &[Pair], offset: usize) -> Vec<Span> {
    let last = pairs.partition_point(|pair| pair.open.start as usize <= offset).checked_sub(1);
    let outwards = std::iter::successors(last, |at| pairs.get(*at)?.parent).filter_map(|at| pairs.get(at));
    let spans = |pair: &Pair| [Span { start: pair.open.end, end: pair.close.start }, pair.open.cover(pair.close)];
    outwards.flat_map(spans).collect()
}

/// The text of a line without the spaces around it.
fn line(checked: &Checked, offset: usize) -> Span {
    let text = &checked.source.text;
    let is_end = |c: char| c == '\n' || c == '\r';
    let start = text.get(..offset).and_then(|before| before.rfind(is_end)).map_or(0, |at| at + 1);
    let end = text.get(offset..).and_then(|behind| behind.find(is_end)).map_or(text.len(), |at| offset + at);
    let line = text.get(start..end).unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    Span::new(start + indent, (start + line.trim_end().len()).max(start + indent))
}

fn nested(spans: Vec<Span>, offset: usize) -> Vec<Span> {
    let mut chain: Vec<Span> = Vec::new();
    for span in spans {
        let last = chain.last().copied().unwrap_or(Span::at(offset));
        if span.start <= last.start && last.end <= span.end && span != last {
            chain.push(span);
        }
    }
    chain
}

#[cfg(test)]
mod tests {
    use nnz_base::{ids::FileId, source::Source};
    use nnz_check::{mlir::check_mlir, scope::Scope, session::check_session};

    use super::selections;

    fn grown(name: &str, marked: &str) -> Vec<String> {
        let offset = marked.find('|').unwrap_or_default();
        let source = Source::new(FileId(0), name, marked.replacen('|', "", 1));
        let checked = match name {
            "a.mlir" => check_mlir(&source),
            _ => check_session(&source, &Scope::default()),
        };
        let spans = selections(&checked, &[offset]).into_iter().flatten();
        spans.map(|span| source.slice(span).to_string()).collect()
    }

    #[test]
    fn a_selection_grows_by_the_parts_of_a_kernel() {
        let wanted =
            ["j", "i, j", "(i, j)", "A(i, j)", "A(i, j) * x(j)", "y(i) = A(i, j) * x(j)", "x\ny(i) = A(i, j) * x(j)"];
        assert_eq!(grown("a.nnz", "x\ny(i) = A(i, |j) * x(j)"), wanted);
    }

    #[test]
    fn a_selection_grows_by_regions_of_a_broken_program() {
        let found = grown("a.mlir", "func.func @f() {\n  foo.bar {\n    %|x = (\n  }\n}\n");
        assert_eq!(found[..2], ["%x", "%x = ("]);
        assert!(found.contains(&"{\n    %x = (\n  }".to_string()), "{found:?}");
    }
}
