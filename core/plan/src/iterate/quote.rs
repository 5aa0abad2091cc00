//! Quotations for hints: expressions as the user wrote them, not as planning rewrote them.

use super::{EveryReason, Hint, is_random_access};
use nnz_kernel::{Access, Kernel};

/// The hints on the loops of `kernel`, each once and in the words of `written`, the kernel's right side as the user
/// wrote it.
pub fn hints_on(hints: &[Hint], kernel: &Kernel, written: &str) -> Vec<Hint> {
    let mut told: Vec<Hint> = Vec::new();
    for hint in hints.iter().map(|hint| in_words_of(hint, kernel, written)) {
        if !told.contains(&hint) {
            told.push(hint);
        }
    }
    told
}

/// For a term that is not a part of the text, the whole text is quoted.
fn in_words_of(hint: &Hint, kernel: &Kernel, written: &str) -> Hint {
    let Hint::EveryCoordinate { term, points, reason, conditional, shared } = hint else { return hint.clone() };
    let (points, reason, conditional, text) = (*points, *reason, *conditional, Words::of(written));
    if let Some(term) = text.part_like(&Words::of(term)) {
        return Hint::EveryCoordinate { term, points, reason, conditional, shared: *shared };
    }
    // The old value of an update is no part of the text.
    let result = &kernel.tensor(kernel.result().tensor).name;
    let sparse = |access: &Access| {
        let tensor = kernel.tensor(access.tensor);
        tensor.name != *result && !is_random_access(tensor)
    };
    let has_sparse = kernel.expr().accesses().into_iter().any(sparse);
    let reason = if reason == EveryReason::NoSparseOperand && has_sparse { EveryReason::NotZero } else { reason };
    Hint::EveryCoordinate { term: text.line, points, reason, conditional, shared: *shared }
}

/// A text on one line, and the places of its significant characters: not spaces, nor the `.0` of whole numbers.
struct Words {
    line: String,
    counting: Vec<(usize, char)>,
}

impl Words {
    fn of(text: &str) -> Words {
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let line = code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        let chars: Vec<(usize, char)> = line.char_indices().collect();
        let at = |at: usize| chars.get(at).map(|(_, letter)| *letter);
        let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        let (mut counting, mut next) = (Vec::new(), 0);
        while let Some(letter) = chars.get(next) {
            let before = next.checked_sub(1).and_then(at);
            match letter.1 {
                '.' if digit(before) && at(next + 1) == Some('0') && !digit(at(next + 2)) => next += 1,
                ' ' => {}
                _ => counting.push(*letter),
            }
            next += 1;
        }
        Words { line, counting }
    }

    /// The part of this text that says the same as `other`.
    fn part_like(&self, other: &Words) -> Option<String> {
        let alike = |part: &[(usize, char)]| part.iter().zip(&other.counting).all(|((_, a), (_, b))| a == b);
        let of_a_word = |letter: &(usize, char)| letter.1.is_alphanumeric() || matches!(letter.1, '_' | '.' | '@');
        let cuts = |at: usize| {
            let (before, after) = (at.checked_sub(1).and_then(|at| self.counting.get(at)), self.counting.get(at));
            before.is_some_and(of_a_word) && after.is_some_and(of_a_word)
        };
        let length = other.counting.len();
        let mut parts = self.counting.windows(length.max(1)).enumerate();
        let (at, part) = parts.find(|(at, part)| alike(part) && !cuts(*at) && !cuts(at + length))?;
        let (first, last) = (part.first()?.0, part.last()?.0);
        let tail = self.line.get(last..)?.split(' ').next()?;
        let end = self.counting.get(at + length).map_or(self.line.len(), |(next, _)| *next);
        self.line.get(first..end.min(last + tail.len())).map(|text| text.trim_end().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn a_part_is_quoted_as_it_was_written() {
        let part = |text: &str, of: &str| Words::of(text).part_like(&Words::of(of));
        let found = |text: &str| Some(text.to_string());
        assert_eq!(part("2*exp(A(i,j)+ 1) - b(i)", "exp(A(i, j) + 1.0)"), found("exp(A(i,j)+ 1)"));
        assert_eq!(part("sum(j, // all\n  A(i, j) > 2)", "A(i, j) > 2.0"), found("A(i, j) > 2"));
        assert_eq!(part("x(i) + 1.0", "x(i) + 1.0"), found("x(i) + 1.0"));
        assert_eq!(part("AA(i) * 10", "A(i)"), None);
        assert_eq!(part("AA(i) * 10", "AA(i) * 1.0"), None);
        assert_eq!(part("a(i)", "select(a.stored(i), a(i))"), None);
    }
}
