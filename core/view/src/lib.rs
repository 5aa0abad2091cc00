//! Views. Every view is plain [`Markup`] or JSON, and only the edge colours it. So the terminal, the editor's
//! hover and the tests show the same picture.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod graph;
pub mod markup;
pub mod highlight;
pub mod number;
mod matrix;
mod spy;
pub mod tensor;
pub mod json;
mod leaves;
pub mod levels;
pub mod picture;
pub mod steps;
mod storage;
mod tree;
mod wrap;
#[cfg(test)]
mod tests;

pub use markup::{Line, Markup, Role};
pub use tensor::TensorView;
pub use wrap::broken;

/// The characters with which a picture may be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Charset {
    #[default]
    Unicode,
    Ascii,
}

/// The screen for which a view is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    pub charset: Charset,
    /// Significant digits that a number of a tensor keeps: in a vector, a matrix, an array, a tree, a list.
    pub precision: usize,
}

impl Screen {
    /// The width assumed for a pipe.
    pub const DEFAULT_WIDTH: usize = 80;
    pub(crate) const DEFAULT_PRECISION: usize = 6;

    /// `unicode`, or its replacement if only ASCII may be drawn.
    pub fn pick(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        match self.charset {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }
    /// The sign for omitted text.
    pub fn ellipsis(self) -> &'static str {
        self.pick("…", "...")
    }
    /// The sign for an absent entry.
    pub fn dot(self) -> &'static str {
        self.pick("·", ".")
    }
}

impl Default for Screen {
    fn default() -> Self {
        Self { width: Self::DEFAULT_WIDTH, charset: Charset::Unicode, precision: Self::DEFAULT_PRECISION }
    }
}
