//! Checks that a word of the command line is one format or encoding, by its brackets and signs alone. If it is
//! something else, the error speaks of the command line.

use nnz_core::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};

use crate::output::Output;

/// A fault of a word that should be one format, whatever formats there are.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    /// Formats, separated by commas.
    Several,
    /// The brackets that would close those open at its end.
    Open(String),
    /// From this byte on it is something else.
    More(usize),
}

/// Whether a word cannot be a format, which is reported; `option` must be repeated for each of several
/// formats.
pub(crate) fn is_none(output: &mut Output, word: &str, option: Option<&str>) -> bool {
    let Some(fault) = fault(word) else { return false };
    let wrong = output.wrong_word(word, Code::CommandArguments, message(word, &fault));
    output.diagnostic(&told(wrong, word, fault, option));
    true
}

fn fault(word: &str) -> Option<Fault> {
    let (mut open, mut several, mut arrow) = (Vec::new(), false, false);
    for (at, c) in word.char_indices() {
        let in_arrow = std::mem::replace(&mut arrow, c == '-') && c == '>';
        match c {
            _ if in_arrow => {}
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            '<' => open.push('>'),
            ')' | ']' | '}' | '>' if open.pop() != Some(c) => return Some(Fault::More(at)),
            '=' | ':' | '"' | ';' | '\n' | '\r' if open.is_empty() => return Some(Fault::More(at)),
            '/' if word[at..].starts_with("//") => return Some(Fault::More(at)),
            ',' => several |= open.is_empty(),
            _ => {}
        }
    }
    match open.is_empty() {
        true => several.then_some(Fault::Several),
        false => Some(Fault::Open(open.iter().rev().collect())),
    }
}

fn message(word: &str, fault: &Fault) -> String {
    match fault {
        Fault::Several => format!("`{word}` is more than one format"),
        Fault::Open(closing) => format!("`{word}` lacks `{closing}`"),
        Fault::More(at) => format!("`{}` is no part of a format", &word[*at..]),
    }
}

/// The brackets that would close those open at the end of a word.
pub(crate) fn unclosed(word: &str) -> Option<String> {
    match fault(word) {
        Some(Fault::Open(closing)) => Some(closing),
        _ => None,
    }
}

fn told(wrong: Diagnostic, word: &str, fault: Fault, option: Option<&str>) -> Diagnostic {
    let place = wrong.primary.span;
    match fault {
        Fault::Several => {
            let each = word.split(',').map(str::trim).collect::<Vec<_>>();
            let help = match option.filter(|_| !each.contains(&"")) {
                None => "name one format, as in `CSR` or `BSR(2, 2)`".to_string(),
                Some(option) => format!("give them one by one: `{option} {}`", each.join(&format!(" {option} "))),
            };
            wrong.label("one format is wanted").help(help)
        }
        Fault::Open(closing) => {
            let end = Span::at(place.end as usize);
            wrong.label("never closed").fix(format!("add `{closing}`"), end, closing)
        }
        Fault::More(at) => {
            let start = (place.start as usize + at).min(place.end as usize);
            let mut wrong = wrong.label("not part of it").help("one format is named, as in `CSR` or `BSR(2, 2)`");
            wrong.primary.span = Span::new(start, place.end as usize);
            wrong
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_format_is_no_statement() {
        let bounded = "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed),\n posWidth = 32 }>";
        for word in ["CSR", "BSR(2, 2)", "#CSR", "tensor<?x?xf32, CSR>", bounded, "CRS"] {
            assert_eq!(fault(word), None, "{word}");
        }
        let more = |at| Some(Fault::More(at));
        for (word, wrong) in [
            ("COO = read \"a.mtx\"", more(4)),
            ("COO\n:quit", more(3)),
            ("COO\nT", more(3)),
            ("COO;:quit", more(3)),
            ("CSR // ", more(4)),
            ("CSR(// \n)", more(4)),
            ("CSR>", more(3)),
            ("CSR >\n<", more(4)),
            ("->CSR>", more(5)),
            ("BSR(2]", more(5)),
            ("CSR,CSC", Some(Fault::Several)),
            ("BSR(2", Some(Fault::Open(")".to_string()))),
            ("X<{(", Some(Fault::Open(")}>".to_string()))),
        ] {
            assert_eq!(fault(word), wrong, "{word}");
        }
    }
}
