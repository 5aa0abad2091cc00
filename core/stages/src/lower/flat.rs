//! Lowering from stage II to stage III: sparse buffers become dense.
//!
//! A chain of varied iterators below their root is one dimension, which has as many elements as the last of them has
//! positions; a fixed iterator is a dimension of its own. Where the rows of a varied iterator begin is read from its
//! `indptr`, whose first number is 0. A buffer with elements behind the last has one dimension.

use nnz_base::{diagnostic::Diagnostic, element::Element};
use nnz_tir::{
    arrays::is_last,
    model::{
        Access, Binary, Bits, Buffer, BufferId, Dense, Expr, Function, IteratorId, IteratorKind, LEVEL, Layout, Origin,
        Place, Range, Region, Sparse, Stage, Statement, StatementKind, Value,
    },
};

use super::{Names, canonical, rewrite::Rewrite};
use crate::fault::{Done, unread};

/// The function at stage III.
///
/// # Errors
/// What cannot be lowered yet: iterators whose count only the arrays tell, buffers that are parts of sparse ones.
pub fn to_stage_three(function: &Function) -> Result<Function, Box<Diagnostic>> {
    if function.stage() != Some(Stage::II) {
        let told = unread(function.place.0, format!("`{}` is not of stage II", function.name));
        return Err(Box::new(told.label("only such are lowered to stage III")));
    }
    canonical(function, &flattened(function)?)
}

/// The same before it is read again: variables have their numbers.
pub(crate) fn flattened(function: &Function) -> Done<Function> {
    let mut flattening = Flattening { function };
    let mut lowered = Function { iterators: Vec::new(), ..function.clone() };
    let mut names = Names::of(function);
    lowered.buffers =
        function.buffers.iter().map(|buffer| flattening.buffer(buffer, &mut names)).collect::<Done<_>>()?;
    lowered.body = flattening.statements(&function.body)?;
    lowered.attributes.insert(LEVEL.to_string(), Value::Int(Stage::III.level()));
    Ok(lowered)
}

struct Flattening<'f> {
    function: &'f Function,
}

impl<'f> Rewrite<'f> for Flattening<'f> {
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        Ok(expr.clone())
    }

    fn load(&mut self, access: &'f Access, element: Element) -> Done<Expr> {
        Ok(Expr::load(self.access(access)?, element))
    }

    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        Ok(StatementKind::Store(self.access(target)?, self.expr(value)?))
    }

    fn regions(&mut self, regions: &'f [Region]) -> Done<Option<Vec<Region>>> {
        regions.iter().map(|region| self.region(region)).collect::<Done<_>>().map(Some)
    }

    /// What is known of values is for passes before this one.
    fn special(&mut self, statement: &'f Statement) -> Done<Option<Vec<Statement>>> {
        Ok(matches!(statement.kind, StatementKind::Domain(..)).then(Vec::new))
    }
}

fn point(range: &Range) -> Option<&Expr> {
    match range {
        Range::Point(at) => Some(at),
        Range::Between(..) => None,
    }
}

impl<'f> Flattening<'f> {
    fn access(&mut self, access: &'f Access) -> Done<Access> {
        let indices = access.indices.iter().map(|index| self.expr(index)).collect::<Done<Vec<Expr>>>()?;
        self.flat(access.buffer, indices, access.place)
    }

    /// A point stays one; of a larger part all of the buffer is said.
    fn region(&mut self, region: &'f Region) -> Done<Region> {
        let points: Option<Vec<&Expr>> = region.ranges.iter().map(point).collect();
        let Layout::Sparse(sparse) = &self.function.buffer(region.buffer).layout else {
            return self.dense_region(region);
        };
        let ranges = match points {
            Some(points) => {
                let points = points.into_iter().map(|point| self.expr(point)).collect::<Done<Vec<Expr>>>()?;
                self.flat(region.buffer, points, region.place)?.indices.into_iter().map(Range::Point).collect()
            }
            None => {
                let whole = |end: Expr| Range::Between(Expr::int(end.place, 0, end.element()), end);
                self.shape(sparse, region.place)?.into_iter().map(whole).collect()
            }
        };
        Ok(Region { ranges, ..region.clone() })
    }

    fn dense_region(&mut self, region: &'f Region) -> Done<Region> {
        let ranges = region.ranges.iter().map(|range| match range {
            Range::Point(at) => self.expr(at).map(Range::Point),
            Range::Between(start, end) => Ok(Range::Between(self.expr(start)?, self.expr(end)?)),
        });
        Ok(Region { ranges: ranges.collect::<Done<_>>()?, ..region.clone() })
    }

    fn buffer(&self, buffer: &Buffer, names: &mut Names) -> Done<Buffer> {
        if let Origin::Region(region) = &buffer.origin
            && !self.function.buffer(region.buffer).iterators().is_empty()
        {
            let told = unread(
                buffer.place.0,
                format!("`{}` is a part of a sparse buffer, and that is not lowered yet", buffer.name),
            );
            return Err(Box::new(told.label("a part of a sparse buffer")));
        }
        let Layout::Sparse(sparse) = &buffer.layout else { return Ok(buffer.clone()) };
        let shape = self.shape(sparse, buffer.place)?;
        let layout = Layout::Dense(Dense { shape, strides: Vec::new(), offset: None, bits: Bits::default() });
        Ok(Buffer { name: names.fresh(&format!("{}_data", buffer.name)), layout, ..buffer.clone() })
    }

    /// The dimensions of a buffer: of each tree of iterators one.
    fn shape(&self, sparse: &Sparse, place: Place) -> Done<Vec<Expr>> {
        let last = sparse.iterators.iter().filter(|id| is_last(self.function, &sparse.iterators, **id));
        let sizes = last.map(|id| self.size(*id, place)).collect::<Done<Vec<Expr>>>()?;
        if sparse.extra == 0 {
            return Ok(sizes);
        }
        let mut sizes = sizes.into_iter();
        let first = sizes.next().ok_or_else(|| impossible(place))?;
        let all = sizes.try_fold(first, |all, size| join(place, Binary::Multiply, all, size))?;
        let extra = Expr::int(place, i64::from(sparse.extra), all.element());
        Ok(vec![join(place, Binary::Add, all, extra)?])
    }

    fn size(&self, id: IteratorId, place: Place) -> Done<Expr> {
        let iterator = self.function.iterator(id);
        match &iterator.kind {
            IteratorKind::CompressedFixed { columns, .. } => Ok(columns.clone()),
            IteratorKind::DenseFixed => Ok(iterator.length.clone()),
            IteratorKind::DenseVaried { .. } | IteratorKind::CompressedVaried { .. } | IteratorKind::Flatten { .. } => {
                self.function.count(id).ok_or_else(|| {
                    let told =
                        unread(place.0, format!("only the arrays tell how many positions `{}` has", iterator.name));
                    Box::new(told.label("a size without an expression").help("declare it with `(length, nnz)`"))
                })
            }
        }
    }

    /// An element by the positions below their parents.
    fn flat(&mut self, id: BufferId, indices: Vec<Expr>, place: Place) -> Done<Access> {
        let Layout::Sparse(sparse) = &self.function.buffer(id).layout else {
            return Ok(Access { place, buffer: id, indices });
        };
        let mut known: Vec<(IteratorId, Expr)> = Vec::new();
        let mut flat = Vec::new();
        for (iterator, index) in sparse.iterators.iter().zip(indices) {
            let position = self.position(*iterator, index.clone(), &known)?;
            if is_last(self.function, &sparse.iterators, *iterator) {
                flat.push(if self.function.iterator(*iterator).is_varied() { position.clone() } else { index });
            }
            known.push((*iterator, position));
        }
        if sparse.extra > 0 && flat.len() > 1 {
            flat = vec![self.joined(sparse, flat, place)?];
        }
        Ok(Access { place, buffer: id, indices: flat })
    }

    /// One index for several dimensions.
    fn joined(&self, sparse: &Sparse, indices: Vec<Expr>, place: Place) -> Done<Expr> {
        let last = sparse.iterators.iter().filter(|id| is_last(self.function, &sparse.iterators, **id));
        let mut parts = last.zip(indices);
        let (_, first) = parts.next().ok_or_else(|| impossible(place))?;
        parts.try_fold(first, |all, (id, index)| {
            join(place, Binary::Add, join(place, Binary::Multiply, all, self.size(*id, place)?)?, index)
        })
    }

    /// The position of an iterator over all parents.
    fn position(&mut self, id: IteratorId, index: Expr, known: &[(IteratorId, Expr)]) -> Done<Expr> {
        let iterator = self.function.iterator(id);
        let place = index.place;
        let above = iterator.parent().and_then(|parent| known.iter().find(|(id, _)| *id == parent));
        let Some((_, above)) = above else { return Ok(index) };
        if let IteratorKind::CompressedFixed { columns, .. } = &iterator.kind {
            return join(place, Binary::Add, join(place, Binary::Multiply, above.clone(), columns.clone())?, index);
        }
        match self.start(id, above.clone(), place)? {
            Some(start) => join(place, Binary::Add, index, start),
            None => Ok(index),
        }
    }

    /// Where the positions below one of the parent begin; `None` for the first, which is 0.
    fn start(&self, id: IteratorId, above: Expr, place: Place) -> Done<Option<Expr>> {
        let iterator = self.function.iterator(id);
        let Some(indptr) = iterator.indptr().filter(|_| above.as_constant() != Some(0)) else { return Ok(None) };
        let is_it = |buffer: &Buffer| buffer.origin == Origin::Handle(indptr) && !buffer.iterators().is_empty();
        let Some(at) = self.function.buffers.iter().position(is_it) else {
            let told = unread(place.0, format!("no buffer is bound to `{}`", self.function.param(indptr).name));
            return Err(Box::new(told.label(format!("where the rows of `{}` begin is not known", iterator.name))));
        };
        let access = Access { place, buffer: BufferId::new(at), indices: vec![above] };
        Ok(Some(Expr::load(access, iterator.width.element())))
    }
}

fn join(place: Place, op: Binary, left: Expr, right: Expr) -> Done<Expr> {
    Expr::binary(place, op, left, right).map_err(|_| impossible(place))
}

fn impossible(place: Place) -> Box<Diagnostic> {
    Box::new(unread(place.0, "this position is no whole number"))
}
