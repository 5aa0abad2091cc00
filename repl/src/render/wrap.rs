//! Labels in drawn reports, broken so that they fit the terminal.

use nnz_core::view::broken;

use super::excerpt::width;

/// The least width for a broken label, however narrow the terminal.
const NARROW: usize = 10;

/// A drawn report in which labels too wide for the terminal continue on the next line.
pub(super) fn labels(drawn: &str, said: impl Iterator<Item = String>, columns: usize) -> String {
    let said: Vec<String> = said.collect();
    let lines: Vec<&str> = drawn.lines().collect();
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        let message =
            said.iter().filter(|message| line.ends_with(message.as_str())).max_by_key(|message| message.len());
        match message {
            Some(message) if shown_width(line) > columns => {
                out += &broken_label(line, lines.get(at + 1).copied().unwrap_or(""), message, columns);
            }
            _ => out += line,
        }
        out.push('\n');
    }
    out
}

/// The line of a label, and below it what does not fit, beside the bars that lead on to the line `below`.
fn broken_label(line: &str, below: &str, message: &str, columns: usize) -> String {
    let head = line.strip_suffix(message).unwrap_or(line);
    let start = shown_width(head);
    let bars = if is_bars(below) { below } else { margin(line) };
    let lines = broken(message, columns.saturating_sub(start).max(NARROW));
    let pad = " ".repeat(start.saturating_sub(shown_width(bars)));
    head.to_string() + &lines.join(&format!("\n{bars}{pad}"))
}

/// Nothing but a margin and the bars of labels that come further below.
fn is_bars(line: &str) -> bool {
    let shown = without_escapes(line);
    shown.contains(['│', '|']) && shown.chars().all(|c| matches!(c, ' ' | '│' | '|'))
}

/// The margin of a line, up to its bar.
fn margin(line: &str) -> &str {
    let Some((at, bar)) = line.char_indices().find(|(_, c)| matches!(c, '│' | '|')) else { return "" };
    let end = at + bar.len_utf8();
    let reset = line[end..].strip_prefix('\u{1b}').and_then(|rest| rest.find('m')).map_or(0, |at| at + 2);
    &line[..end + reset]
}

fn shown_width(line: &str) -> usize {
    width(&without_escapes(line))
}

fn without_escapes(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |shown, part| shown + part.split_once('m').map_or("", |(_, text)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_go_on_beside_the_bars_below() {
        let drawn = " 1 │ ab\n   │ ┬┬\n   │ ╰─── one two three\n   │  │\n   │  ╰── four\n───╯\n";
        let said = ["one two three", "four"].map(str::to_string);
        assert_eq!(
            labels(drawn, said.into_iter(), 18),
            " 1 │ ab\n   │ ┬┬\n   │ ╰─── one two\n   │  │   three\n   │  │\n   │  ╰── four\n───╯\n"
        );
    }
}
