//! Texts with places that the user fills in, one after another.

use std::ops::Range;

/// A text and the places in it, in the order in which they are filled in. Places with the same number are filled in at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    pub text: String,
    pub stops: Vec<(usize, Range<usize>)>,
}

impl Snippet {
    /// `split(‹i›, ‹i0›)`: the places are between the marks, and places with equal texts are one. In `‹rows|2›` the
    /// first word says which places are one.
    pub(crate) fn of(marked: &str) -> Snippet {
        let (mut text, mut stops, mut seen) = (String::new(), Vec::new(), Vec::new());
        let mut parts = marked.split('‹');
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (inside, behind) = part.split_once('›').unwrap_or((part, ""));
            let (name, inside) = inside.split_once('|').unwrap_or((inside, inside));
            let known = seen.iter().position(|known| *known == name && !name.is_empty());
            let number = known.unwrap_or_else(|| {
                seen.push(name);
                seen.len() - 1
            });
            stops.push((number, text.len()..text.len() + inside.len()));
            text.push_str(inside);
            text.push_str(behind);
        }
        Snippet { text, stops }
    }
}

#[cfg(test)]
mod tests {
    use super::Snippet;

    #[test]
    fn marks_are_places() {
        let snippet = Snippet::of("BSR(‹r|2›, ‹c|2›) ‹r|2›‹›");
        assert_eq!(snippet.text, "BSR(2, 2) 2");
        assert_eq!(snippet.stops, [(0, 4..5), (1, 7..8), (0, 10..11), (2, 11..11)]);
    }
}
