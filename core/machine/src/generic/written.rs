//! Hints on kernels in the program's notation: `%A[d0, d1]` instead of the kernel's `A(d0, d1)`.

use std::collections::HashMap;

use super::names;
use nnz_base::source::Source;
use nnz_check::kernel::is_function;
use nnz_mlir::ir::{Op, Region};

/// What the text calls the tensors of one kernel.
pub(super) struct Written<'s>(HashMap<String, &'s str>);

impl<'s> Written<'s> {
    pub(super) fn of(source: &'s Source, op: &Op) -> Written<'s> {
        let mut texts: Vec<&str> = op.operands.iter().map(|operand| source.slice(operand.span)).collect();
        texts.extend(names::written_result(source, op));
        op.regions.iter().flatten().for_each(|region| collect(source, region, &mut texts));
        let named = texts.into_iter().rev().map(|text| (names::plain(text), text));
        Written(named.collect())
    }

    /// A hint, whose quotations are of the notation.
    pub(super) fn in_words(&self, hint: &str) -> String {
        let parts = hint.split('`').enumerate();
        let parts = parts.map(|(at, part)| if at % 2 == 1 { self.quotation(part) } else { part.to_string() });
        parts.collect::<Vec<_>>().join("`")
    }

    fn quotation(&self, text: &str) -> String {
        let (mut out, mut rest, mut open) = (String::new(), text, Vec::new());
        while let Some(letter) = rest.chars().next() {
            let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length.max(letter.len_utf8()));
            rest = behind;
            let written = self.tensor(word, behind).filter(|_| !out.ends_with(['#', '%', '@']));
            match (letter, written) {
                (_, Some(written)) if behind.starts_with('(') => {
                    out += written;
                    out.push('[');
                    open.push(']');
                    rest = &behind[1..];
                }
                (_, Some(written)) => out += written,
                ('(', None) => {
                    out.push('(');
                    open.push(')');
                }
                (')', None) => out.push(open.pop().unwrap_or(')')),
                _ => out += word,
            }
        }
        out
    }

    /// The text's name for the tensor `word`; `None` for a function of the notation.
    fn tensor(&self, word: &str, behind: &str) -> Option<&'s str> {
        let called = behind.starts_with('(');
        if called && (is_function(word) || word == "onto") {
            return None;
        }
        let repeated = || self.0.get(word.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_')?);
        self.0.get(word).or_else(repeated).copied()
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.')
}

fn collect<'s>(source: &'s Source, region: &Region, texts: &mut Vec<&'s str>) {
    for op in region.blocks().flatten() {
        texts.extend(op.operands.iter().map(|operand| source.slice(operand.span)));
        op.regions.iter().flatten().for_each(|inner| collect(source, inner, texts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_of_the_program() {
        let named = [("A", "%A"), ("v0_1", "%0#1"), ("s", "%s"), ("sum", "%sum")];
        let written = Written(named.map(|(name, text)| (name.to_string(), text)).into());
        let told = |hint: &str| written.in_words(hint);
        assert_eq!(told("`A(d0 + d1, d2) * s` visits A(d0)"), "`%A[d0 + d1, d2] * %s` visits A(d0)");
        assert_eq!(told("`exp(v0_1(d0)) * (A_2(d0, d1) + 1.0)`"), "`exp(%0#1[d0]) * (%A[d0, d1] + 1.0)`");
        assert_eq!(told("`sum(d1, A(d0, d1))`, `sum` and `#A`"), "`sum(d1, %A[d0, d1])`, `%sum` and `#A`");
    }
}
