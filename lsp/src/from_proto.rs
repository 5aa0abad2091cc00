//! From the protocol's types to the core's.

use std::ops::Range;

use nnz_core::source::{ColumnUnit, LineCol, Source, line_ends};
use tower_lsp::lsp_types as lsp;

pub(crate) fn line_col(position: lsp::Position) -> LineCol {
    LineCol { line: position.line, column: position.character }
}

pub(crate) fn offset(source: &Source, position: lsp::Position, unit: ColumnUnit) -> usize {
    source.lines.offset(&source.text, line_col(position), unit)
}

/// The bytes of `text` that `range` means. Finds the two lines by a scan rather than by a line
/// table: the text between two changes of one notification has none.
pub(crate) fn byte_range(text: &str, range: lsp::Range, unit: ColumnUnit) -> Range<usize> {
    let start = position_offset(text, 0, range.start.line, range.start, unit);
    let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let lines_on = range.end.line.saturating_sub(range.start.line);
    let end = position_offset(text, line_start, lines_on, range.end, unit);
    start..end.max(start)
}

/// The offset of `position`, whose line starts `lines` line ends after `from`.
fn position_offset(text: &str, from: usize, lines: u32, position: lsp::Position, unit: ColumnUnit) -> usize {
    let mut start = from;
    for _ in 0..lines {
        match line_ends(&text[start..]).next() {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let end = line_ends(&text[start..]).next().map_or(text.len(), |at| start + at);
    let line = text[start..end].trim_end_matches('\r');
    start + column_offset(line, position.character as usize, unit)
}

fn column_offset(line: &str, column: usize, unit: ColumnUnit) -> usize {
    let one_line = nnz_core::source::LineIndex::new(line);
    one_line.offset(line, LineCol { line: 0, column: column as u32 }, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(a: (u32, u32), b: (u32, u32)) -> lsp::Range {
        lsp::Range::new(lsp::Position::new(a.0, a.1), lsp::Position::new(b.0, b.1))
    }

    #[test]
    fn ranges_over_lines_in_both_units() {
        let text = "😀a\r\nbc\nd";
        assert_eq!(&text[byte_range(text, range((0, 2), (0, 3)), ColumnUnit::Utf16)], "a");
        assert_eq!(&text[byte_range(text, range((0, 4), (1, 1)), ColumnUnit::Utf8)], "a\r\nb");
        assert_eq!(&text[byte_range(text, range((1, 0), (2, 1)), ColumnUnit::Utf16)], "bc\nd");
        let text = "// a\rzz\r\nb";
        assert_eq!(&text[byte_range(text, range((1, 0), (1, 9)), ColumnUnit::Utf16)], "zz");
        assert_eq!(&text[byte_range(text, range((2, 0), (2, 1)), ColumnUnit::Utf16)], "b");
        let text = "😀a\r\nbc\nd";
        assert_eq!(byte_range(text, range((9, 0), (9, 9)), ColumnUnit::Utf16), text.len()..text.len());
        assert_eq!(&text[byte_range(text, range((1, 0), (0, 0)), ColumnUnit::Utf16)], "");
    }
}
