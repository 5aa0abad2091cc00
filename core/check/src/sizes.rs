//! Helps speak of the tensors and the sizes that the text has, and of `?` where it tells none.

use crate::scope::{Meaning, PartialType, Scope};

impl Scope {
    /// How to say what `call`, of another language's function, says: with free names, and with the sizes of the call.
    pub fn said(&self, how: &str, call: &str) -> String {
        let function = call.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
        let how = match triangle_of(function, call) {
            Some(condition) => {
                let object = self.tensor_in(call).map_or("A", |(name, _)| name);
                format!("a triangle is a kernel: `L(i, j) : CSR = select({condition}, {object}(i, j))`")
            }
            None => how.to_string(),
        };
        self.with_free_names(&sized(&how, &self.sizes_in(call)))
    }

    /// The sizes that a call speaks of: those of the first tensor in it, or its numbers.
    fn sizes_in(&self, call: &str) -> Vec<u64> {
        let of_tensor = self.tensor_in(call).and_then(|(_, ty)| ty.sizes());
        let arguments = call.split_once('(').map_or("", |(_, arguments)| arguments);
        let number = |word: &str| word.parse::<u64>().ok().filter(|number| *number > 0);
        of_tensor.unwrap_or_else(|| words(arguments).filter_map(number).collect())
    }

    fn tensor_in<'t>(&self, text: &'t str) -> Option<(&'t str, &PartialType)> {
        words(text).find_map(|word| match self.get(word)? {
            Meaning::Tensor(ty) => Some((word, ty)),
            Meaning::Scalar(_) | Meaning::Encoding(_) | Meaning::Broken => None,
        })
    }

    /// How far a variable runs in the tensors that `line` reads, which are known.
    pub(crate) fn extent_in(&self, line: &str, variable: &str) -> Option<u64> {
        line.match_indices('(').find_map(|(at, _)| {
            let name = words(&line[..at]).last()?;
            let Some(Meaning::Tensor(ty)) = self.get(name) else { return None };
            let indices = line[at + 1..].split(')').next()?;
            ty.extent(indices.split(',').position(|index| index.trim() == variable)?)
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// An example of four rows and columns, or of a hundred terms, with these sizes.
fn sized(how: &str, sizes: &[u64]) -> String {
    let size = |at: usize| sizes.get(at).or(sizes.last()).map_or("?".to_string(), u64::to_string);
    let (count, last) = match sizes {
        [size] => (size.to_string(), size.saturating_sub(1).to_string()),
        _ => ("?".to_string(), "?".to_string()),
    };
    how.replace("tensor<4x4x", &format!("tensor<{}x{}x", size(0), size(1)))
        .replace("tensor<4x", &format!("tensor<{}x", size(0)))
        .replace("/ 100", &format!("/ {count}"))
        .replace("(3 - i)", &format!("({last} - i)"))
}

/// Which entries `triu(A, 1)` and the like keep; the second argument counts diagonals upward from the main one.
pub(crate) fn triangle_of(function: &str, call: &str) -> Option<String> {
    let upper = matches!(function, "triu" | "triu_").then_some(true);
    let upper = upper.or(matches!(function, "tril" | "tril_").then_some(false))?;
    let arguments = call.split_once('(')?.1.trim_end().trim_end_matches(')');
    let last = arguments.rsplit(',').next().unwrap_or_default();
    let diagonal = last.rsplit('=').next().unwrap_or_default().trim().parse::<i64>().unwrap_or(0);
    Some(triangle(upper, diagonal))
}

fn triangle(upper: bool, diagonal: i64) -> String {
    let sign = if upper { ">=" } else { "<=" };
    match (diagonal, upper) {
        (0, _) => format!("j {sign} i"),
        (1, true) => "j > i".to_string(),
        (-1, false) => "j < i".to_string(),
        (1.., _) => format!("j {sign} i + {diagonal}"),
        (..0, _) => format!("j + {} {sign} i", diagonal.unsigned_abs()),
    }
}

/// The call that begins at the start of `text`, to its last parenthesis on the line.
pub(crate) fn call_at(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let mut depth = 0_usize;
    for (at, sign) in line.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' if depth <= 1 => return &line[..=at],
            ')' => depth -= 1,
            _ => {}
        }
    }
    line
}
