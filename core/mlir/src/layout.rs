//! The layouts of buffers (strides and an offset) as types in the text state them. [`crate::types::MemoryType`] has no
//! layout: only the operations that make a view compare layouts.

use std::fmt;

use nnz_base::element::Element;

/// `strided<[4, 1], offset: ?>`: what is `?` is known when the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) strides: Vec<Option<i64>>,
    pub(crate) offset: Option<i64>,
}

impl Layout {
    /// Of a buffer whose type states none: row by row.
    pub(crate) fn rows(shape: &[Option<u64>]) -> Layout {
        let mut strides = vec![Some(1); shape.len()];
        for dim in (1..shape.len()).rev() {
            let size = shape[dim].and_then(|size| i64::try_from(size).ok());
            strides[dim - 1] = product(strides[dim], size);
        }
        Layout { strides, offset: Some(0) }
    }
    /// Where each coordinate is known when the program runs only.
    pub(crate) fn open(rank: usize) -> Layout {
        Layout { strides: vec![None; rank], offset: None }
    }
    /// Of the first memref in a text; `None` if that states it by an alias or a map.
    pub(crate) fn stated(text: &str, shape: &[Option<u64>]) -> Option<Layout> {
        match stated_text(text)? {
            "" => Some(Layout::rows(shape)),
            stated => parsed(stated),
        }
    }
    /// Of a view that begins at `offsets` and goes by `steps`.
    pub(crate) fn view(&self, offsets: &[Option<i64>], steps: &[Option<i64>]) -> Layout {
        let by = |(one, stride): (&Option<i64>, &Option<i64>)| product(*one, *stride);
        let strides = steps.iter().zip(&self.strides).map(by).collect();
        let moved = offsets.iter().zip(&self.strides).map(by);
        let offset = moved.fold(self.offset, |sum, by| sum.zip(by).and_then(|(sum, by)| sum.checked_add(by)));
        Layout { strides, offset }
    }
    /// The type of a buffer with this layout.
    pub(crate) fn of_buffer(&self, shape: &[Option<u64>], element: Element) -> String {
        let sizes: String = shape.iter().map(|size| Open(*size).to_string() + "x").collect();
        match *self == Layout::rows(shape) {
            true => format!("memref<{sizes}{element}>"),
            false => format!("memref<{sizes}{element}, {self}>"),
        }
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

/// What follows the elements of the first memref: nothing, or its layout.
pub(crate) fn stated_text(text: &str) -> Option<&str> {
    let (_, inside) = text.split_once("memref<")?;
    let mut depth = 0;
    let end = inside.find(|c: char| {
        let ends = depth == 0 && matches!(c, ',' | '>');
        depth += i32::from(c == '<') - i32::from(c == '>');
        ends
    })?;
    Some(inside[end..].strip_prefix(',').map_or("", str::trim))
}

/// `strided<[4, 1], offset: 6>`
fn parsed(text: &str) -> Option<Layout> {
    let (inside, _) = text.strip_prefix("strided<")?.split_once('>')?;
    let (strides, offset) = inside.trim().strip_prefix('[')?.split_once(']')?;
    let numbers = strides.split(',').map(str::trim).filter(|stride| !stride.is_empty());
    let strides = numbers.map(number).collect::<Option<_>>()?;
    let offset = match offset.split_once(':') {
        Some((_, offset)) => number(offset.trim())?,
        None => Some(0),
    };
    Some(Layout { strides, offset })
}

/// `4` or `?`
fn number(text: &str) -> Option<Option<i64>> {
    if text == "?" { Some(None) } else { text.parse().ok().map(Some) }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strides: Vec<String> = self.strides.iter().map(|stride| Open(*stride).to_string()).collect();
        write!(f, "strided<[{}]", strides.join(", "))?;
        match self.offset {
            Some(0) => f.write_str(">"),
            offset => write!(f, ", offset: {}>", Open(offset)),
        }
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
    fn layouts_are_read_from_types() {
        let shape = [Some(4), Some(4)];
        let stated = |text: &str| Layout::stated(text, &shape).map(|layout| layout.to_string());
        assert_eq!(stated("memref<4x4xf64>").as_deref(), Some("strided<[4, 1]>"));
        assert_eq!(stated("memref<4x4xcomplex<f64>>, index").as_deref(), Some("strided<[4, 1]>"));
        assert_eq!(
            stated("memref<4x4xf64, strided<[?, 1], offset: ?>>").as_deref(),
            Some("strided<[?, 1], offset: ?>")
        );
        assert_eq!(stated("memref<4x4xf64, affine_map<(i, j) -> (j, i)>>"), None);
        assert_eq!(stated("!m"), None);
    }

    #[test]
    fn views_move_and_stretch() {
        let view = Layout::rows(&[None, Some(4)]).view(&[Some(1), None], &[Some(1), Some(2)]);
        assert_eq!(view.to_string(), "strided<[4, 2], offset: ?>");
        let open = Layout::rows(&[Some(3), None]).view(&[Some(0), Some(0)], &[Some(1), Some(1)]);
        assert_eq!(open.to_string(), "strided<[?, 1]>");
    }
}
