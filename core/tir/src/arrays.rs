//! The arrays behind iterators and buffers: what each holds, and how many elements it has.

use nnz_base::element::Element;

use crate::{
    model::{Binary, Buffer, Expr, Function, Iterator, IteratorId, IteratorKind, Layout, ParamId, name_of},
    print::print_expr,
};

/// An array that a caller passes.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub param: ParamId,
    /// What it holds, in a word.
    pub holds: &'static str,
    pub element: Element,
    /// How many elements, if the function says it.
    pub size: Option<Expr>,
}

impl Array {
    /// `indptr   p: int32[n + 1]`.
    pub fn line(&self, function: &Function) -> String {
        let size = self.size.as_ref().map_or("…".to_string(), |size| print_expr(function, size));
        format!("{:<8} {}: {}[{size}]", self.holds, function.param(self.param).name, name_of(self.element))
    }
}

/// The arrays of an iterator.
pub fn of_iterator(function: &Function, id: IteratorId) -> Vec<Array> {
    let iterator = function.iterator(id);
    let element = iterator.width.element();
    let indptr = iterator.indptr().map(|param| {
        let rows = iterator.parent().and_then(|parent| function.count(parent));
        let size = rows.and_then(|rows| {
            let one = Expr::int(rows.place, 1, rows.element());
            Expr::binary(rows.place, Binary::Add, rows, one).ok()
        });
        Array { param, holds: "indptr", element, size }
    });
    let indices = iterator.indices().map(|param| Array { param, holds: "indices", element, size: function.count(id) });
    indptr.into_iter().chain(indices).collect()
}

/// The number of values of a buffer: of each tree of iterators the positions of the last, multiplied.
pub fn size(function: &Function, buffer: &Buffer) -> Option<Expr> {
    let factors: Vec<Option<Expr>> = match &buffer.layout {
        Layout::Dense(dense) => dense.shape.iter().cloned().map(Some).collect(),
        Layout::Sparse(sparse) => {
            let ids = &sparse.iterators;
            ids.iter().filter(|id| is_last(function, ids, **id)).map(|id| factor(function, *id)).collect()
        }
    };
    let mut factors = factors.into_iter().collect::<Option<Vec<Expr>>>()?.into_iter();
    let first = factors.next()?;
    factors.try_fold(first, |product, factor| product.times(&factor))
}

/// Whether no varied iterator of a buffer hangs off this one: it ends a tree. The positions of varied iterators are counted
/// over all their ancestors.
pub fn is_last(function: &Function, ids: &[IteratorId], id: IteratorId) -> bool {
    let hangs = |below: &IteratorId| function.iterator(*below).is_varied() && function.path(*below).contains(&id);
    !ids.iter().filter(|below| **below != id).any(hangs)
}

/// How many positions an iterator adds to a buffer that it ends a tree of.
fn factor(function: &Function, id: IteratorId) -> Option<Expr> {
    let iterator = function.iterator(id);
    match &iterator.kind {
        IteratorKind::CompressedFixed { columns, .. } => Some(columns.clone()),
        IteratorKind::DenseFixed | IteratorKind::Flatten { .. } => Some(iterator.length.clone()),
        IteratorKind::DenseVaried { .. } | IteratorKind::CompressedVaried { .. } => function.count(id),
    }
}

/// How many positions an iterator has below one of its parent.
pub fn extent(function: &Function, iterator: &Iterator) -> String {
    let parent = || iterator.parent().map_or("p", |parent| &function.iterator(parent).name);
    match (&iterator.kind, iterator.indptr()) {
        (IteratorKind::CompressedFixed { columns, .. }, _) => print_expr(function, columns),
        (_, Some(indptr)) => {
            let (array, parent) = (&function.param(indptr).name, parent());
            format!("{array}[{parent} + 1] - {array}[{parent}]")
        }
        (_, None) => print_expr(function, &iterator.length),
    }
}

/// What the field calls a structure of these iterators, if it has a name for it.
pub fn format_name(function: &Function, ids: &[IteratorId]) -> Option<&'static str> {
    let is_child = |at: usize| function.iterator(ids[at]).parent() == Some(ids[at - 1]);
    let one = |id: IteratorId| function.iterator(id).length.as_constant() == Some(1);
    let letters: Vec<char> = ids.iter().map(|id| letter(function.iterator(*id))).collect();
    match (letters.as_slice(), ids) {
        (['d', 'V'], _) if is_child(1) => Some("CSR"),
        (['d', 'v'], _) if is_child(1) => Some("ragged"),
        (['d', 'C'], _) if is_child(1) => Some("ELL"),
        (['d', 'V', 'V'], [root, ..]) if one(*root) && is_child(1) && is_child(2) => Some("DCSR"),
        (['d', 'V', 'V'], _) if is_child(1) && is_child(2) => Some("CSF"),
        (['d', 'V', 'C'], [root, ..]) if one(*root) && is_child(1) && is_child(2) => Some("ELL of some rows"),
        (['d', 'V', 'd', 'd'], _) if is_child(1) => Some("BSR"),
        (['d', 'V', 'V', 'd', 'd'], [root, ..]) if one(*root) && is_child(1) && is_child(2) => Some("DBSR"),
        (['d', 'v', 'd', 'C'], _) if is_child(1) => Some("SR-BCRS"),
        _ if letters.iter().all(|letter| *letter == 'd') => Some("dense"),
        _ => None,
    }
}

/// A kind in a letter: capitals are compressed.
fn letter(iterator: &Iterator) -> char {
    match iterator.kind {
        IteratorKind::DenseFixed => 'd',
        IteratorKind::DenseVaried { .. } => 'v',
        IteratorKind::CompressedFixed { .. } => 'C',
        IteratorKind::CompressedVaried { .. } => 'V',
        IteratorKind::Flatten { .. } => 'f',
    }
}
