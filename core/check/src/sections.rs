//! The modules of a program, which comments `// -----` split it into.

use nnz_syntax::Tree;

/// The offsets of the comments `// -----` that split a file.
pub fn splits(tree: &Tree) -> Vec<u32> {
    let text = tree.text();
    let found = memchr::memmem::find_iter(text.as_bytes(), "// -----");
    found.filter(|at| *at == 0 || matches!(text.as_bytes()[at - 1], b'\n' | b'\r')).map(|at| at as u32).collect()
}

/// Where `// -----` splits the file into modules with their own aliases.
pub(crate) struct Sections {
    splits: Vec<u32>,
    next: usize,
}

impl Sections {
    pub(crate) fn of(tree: &Tree) -> Sections {
        Sections { splits: splits(tree), next: 0 }
    }
    /// Whether a split lies between the last offset asked for and this one.
    pub(crate) fn passes(&mut self, offset: u32) -> bool {
        let before = self.next;
        self.next += self.splits[before..].iter().take_while(|&&split| split < offset).count();
        self.next > before
    }
}
