//! Fences of Markdown, as they are pasted with the code between them.

/// The lines of Markdown around a text that is code.
pub const FENCE: &str = "a fence of Markdown is no part of the text";

/// The line that a fence of Markdown is, with its end.
pub(crate) fn fence_len(text: &str) -> Option<usize> {
    let line = text.split(['\n', '\r']).next()?;
    let word = line.trim_end().strip_prefix("```")?;
    let fence = word.chars().all(|c| c.is_ascii_alphanumeric());
    let end = text[line.len()..].find(|c: char| c != '\r' && c != '\n').unwrap_or(text.len() - line.len()).min(1);
    fence.then_some(line.len() + end)
}
