//! Lines that editors show without wrapping or scrolling.

use super::Section;

pub(super) const COLUMNS: usize = 60;
pub(super) const LINES: usize = 14;
/// Where lines go on that do not fit.
const INDENT: usize = 7;

/// As many of the lines as fit, with a sign for the others.
pub(super) fn block(lines: &[String]) -> Section {
    let mut fitted: Vec<String> = lines.iter().flat_map(|line| wrap(line, INDENT)).collect();
    if fitted.len() > LINES {
        fitted.truncate(LINES - 1);
        fitted.push("...".to_string());
    }
    Section::Code(fitted.join("\n"))
}

/// Two pieces on one line, the second in a column, or one below the other.
pub(super) fn join_if_fits(left: &str, right: &str) -> Vec<String> {
    let (a, b) = (left.chars().count(), right.chars().count());
    match COLUMNS.checked_sub(a + b + 2) {
        Some(_) => vec![format!("{left:<width$}  {right}", width = a.max(28.min(COLUMNS - b - 2)))],
        None => vec![left.to_string(), format!("       {right}")],
    }
}

/// Cuts a line at spaces so that no piece is wider than a hover.
pub(super) fn wrap(line: &str, indent: usize) -> Vec<String> {
    if line.chars().count() <= COLUMNS {
        return vec![line.to_string()];
    }
    let indent = " ".repeat(indent);
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.last_mut().filter(|last| last.chars().count() + word.trim_end().chars().count() <= COLUMNS);
        match last {
            Some(last) => last.push_str(word),
            None => lines.push(format!("{indent}{word}")),
        }
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, LINES, Section, block};

    #[test]
    fn a_block_fits_and_says_what_is_left_out() {
        let line = "a word and another ".repeat(8);
        let Section::Code(text) = block(&vec![line; 9]) else { panic!("no code") };
        assert_eq!(text.lines().count(), LINES);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS) && text.ends_with("\n..."), "{text}");
    }
}
