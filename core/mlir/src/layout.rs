//! The layouts of buffers: where their coordinates are in memory, and in which memory.

use std::{fmt, sync::Arc};

use nnz_encoding::AffineMap;

/// Where the coordinates of a buffer are, as its type states it. Equal places stated in other words are other types,
/// as in MLIR.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Layout {
    /// Row by row; nothing is stated.
    #[default]
    Rows,
    Strided(Strided),
    /// `affine_map<(d0, d1) -> (d1, d0)>`
    Map(Arc<AffineMap>),
}

/// `strided<[4, 1], offset: ?>`: what is `?` is known when the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strided {
    pub strides: Vec<Option<i64>>,
    pub offset: Option<i64>,
}

/// The memory that a buffer is in, unless it is the usual one: `1`, `"name"`, `#gpu.address_space<workgroup>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space(pub Option<Arc<str>>);

impl Layout {
    /// An identity states nothing.
    pub(crate) fn of_map(map: &Arc<AffineMap>) -> Layout {
        let mut results = map.results.iter().map(|result| result.as_var().map(|dim| dim.index()));
        let is_identity = map.results.len() == map.dims && (0..map.dims).all(|dim| results.next() == Some(Some(dim)));
        if is_identity { Layout::Rows } else { Layout::Map(map.clone()) }
    }
    /// The strides and the offset; `None` if a map states them.
    pub(crate) fn strided(&self, shape: &[Option<u64>]) -> Option<Strided> {
        match self {
            Layout::Rows => Some(Strided::rows(shape)),
            Layout::Strided(strided) => Some(strided.clone()),
            Layout::Map(_) => None,
        }
    }
    /// Whether a buffer of one layout can have the other: what is known in both is equal.
    pub(crate) fn can_be(&self, other: &Layout, [own, others]: [&[Option<u64>]; 2]) -> bool {
        let both = self.strided(own).zip(other.strided(others));
        self == other || both.is_some_and(|(one, other)| one.can_be(&other))
    }
}

impl Strided {
    fn rows(shape: &[Option<u64>]) -> Strided {
        let mut strides = vec![Some(1); shape.len()];
        for dim in (1..shape.len()).rev() {
            let size = shape[dim].and_then(|size| i64::try_from(size).ok());
            strides[dim - 1] = product(strides[dim], size);
        }
        Strided { strides, offset: Some(0) }
    }
    /// Where each coordinate is known when the program runs only.
    pub(crate) fn open(rank: usize) -> Strided {
        Strided { strides: vec![None; rank], offset: None }
    }
    /// Whether a number is known when the program runs only.
    pub(crate) fn is_open(&self) -> bool {
        self.offset.is_none() || self.strides.contains(&None)
    }
    /// Of a view that begins at `offsets` and goes by `steps`.
    pub fn view(&self, offsets: &[Option<i64>], steps: &[Option<i64>]) -> Strided {
        let by = |(one, stride): (&Option<i64>, &Option<i64>)| product(*one, *stride);
        let strides = steps.iter().zip(&self.strides).map(by).collect();
        let moved = offsets.iter().zip(&self.strides).map(by);
        let offset = moved.fold(self.offset, |sum, by| sum.zip(by).and_then(|(sum, by)| sum.checked_add(by)));
        Strided { strides, offset }
    }
    /// As a type states it that has this shape.
    pub(crate) fn stated(self, shape: &[Option<u64>]) -> Layout {
        if self == Strided::rows(shape) { Layout::Rows } else { Layout::Strided(self) }
    }
    fn can_be(&self, other: &Strided) -> bool {
        let fits = |(one, other): (&Option<i64>, &Option<i64>)| one.is_none() || other.is_none() || one == other;
        self.strides.len() == other.strides.len()
            && fits((&self.offset, &other.offset))
            && self.strides.iter().zip(&other.strides).all(fits)
    }
}

/// Nothing times an unknown number is nothing.
fn product(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    match (one, other) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        (Some(one), Some(other)) => one.checked_mul(other),
        _ => None,
    }
}

impl fmt::Display for Layout {
    /// As it stands behind the elements of a type: `, strided<[4, 1]>`, or nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Rows => Ok(()),
            Layout::Strided(strided) => write!(f, ", {strided}"),
            Layout::Map(map) => {
                let names =
                    |letter: char, count: usize| (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>();
                let symbols = names('s', map.symbols).join(", ");
                let symbols = if symbols.is_empty() { symbols } else { format!("[{symbols}]") };
                let results: Vec<String> = map.results.iter().map(ToString::to_string).collect();
                write!(f, ", affine_map<({}){symbols} -> ({})>", names('d', map.dims).join(", "), results.join(", "))
            }
        }
    }
}

impl fmt::Display for Strided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strides: Vec<String> = self.strides.iter().map(|stride| Open(*stride).to_string()).collect();
        write!(f, "strided<[{}]", strides.join(", "))?;
        match self.offset {
            Some(0) => f.write_str(">"),
            offset => write!(f, ", offset: {}>", Open(offset)),
        }
    }
}

impl fmt::Display for Space {
    /// As it ends a type: `, 1`, or nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|space| write!(f, ", {space}"))
    }
}

/// `4` or `?`
struct Open<T>(Option<T>);

impl<T: fmt::Display> fmt::Display for Open<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_move_and_stretch() {
        let view = Strided::rows(&[None, Some(4)]).view(&[Some(1), None], &[Some(1), Some(2)]);
        assert_eq!(view.to_string(), "strided<[4, 2], offset: ?>");
        let open = Strided::rows(&[Some(3), None]).view(&[Some(0), Some(0)], &[Some(1), Some(1)]);
        assert_eq!(open.to_string(), "strided<[?, 1]>");
    }
}
