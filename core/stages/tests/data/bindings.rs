//! Arrays that fit a function: drawn sizes, structure and values.

use std::collections::HashMap;

use nnz_base::{arrays::Values, element::Scalar};
use nnz_stages::{Array, Arrays};
use nnz_tir::{
    arrays::is_last,
    model::{
        Binary, Buffer, Expr, ExprKind, Function, IteratorId, IteratorKind, Layout, Origin, ParamId, Role, VariableId,
    },
};

use super::{Draws, ints};

/// What is drawn so far.
pub struct Bindings<'a> {
    function: &'a Function,
    draws: &'a mut Draws,
    sizes: HashMap<VariableId, i64>,
    positions: Vec<i64>,
    pub arrays: Arrays,
}

/// Arrays for all parameters; `None` where sizes contradict each other.
pub fn bound(function: &Function, draws: &mut Draws) -> Option<Arrays> {
    let mut bindings =
        Bindings { function, draws, sizes: HashMap::new(), positions: Vec::new(), arrays: Arrays::new() };
    function.iterator_ids().try_for_each(|id| bindings.iterator(id))?;
    function.buffers.iter().try_for_each(|buffer| bindings.buffer(buffer))?;
    bindings.scalars();
    Some(bindings.arrays)
}

impl Bindings<'_> {
    /// A size; one that is not drawn yet is.
    fn size(&mut self, expr: &Expr) -> Option<i64> {
        match expr.kind() {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Variable(id) => {
                let drawn = 1 + self.draws.below(5) as i64;
                Some(*self.sizes.entry(*id).or_insert(drawn))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.size(left)?, self.size(right)?);
                match op {
                    Binary::Add => Some(left + right),
                    Binary::Subtract => Some(left - right),
                    Binary::Multiply => Some(left * right),
                    Binary::FloorDivide => (right != 0).then(|| left.div_euclid(right)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A count of positions is what they are, if nothing else says it.
    fn count(&mut self, expr: Option<&Expr>, drawn: i64) -> Option<i64> {
        let Some(expr) = expr else { return Some(drawn) };
        match expr.as_variable().filter(|id| !self.sizes.contains_key(id)) {
            Some(id) => Some(*self.sizes.entry(id).or_insert(drawn)),
            None => self.size(expr),
        }
    }

    fn iterator(&mut self, id: IteratorId) -> Option<()> {
        let iterator = self.function.iterator(id).clone();
        let length = self.size(&iterator.length).filter(|length| (0..100).contains(length))?;
        let positions = match &iterator.kind {
            IteratorKind::DenseFixed => length,
            IteratorKind::Flatten { .. } => return None,
            IteratorKind::DenseVaried { parent, count, indptr } => {
                let starts = self.starts(*indptr, (self.positions[parent.index()], length), count.as_ref())?;
                *starts.last()?
            }
            IteratorKind::CompressedFixed { parent, columns, indices, sorted } => {
                let (rows, columns) =
                    (self.positions[parent.index()], self.size(columns).filter(|count| *count < 100)?);
                let starts: Vec<i64> = (0..=rows).map(|row| row * columns).collect();
                self.coordinates(*indices, &starts, (length, *sorted))?;
                rows * columns
            }
            IteratorKind::CompressedVaried { parent, count, indptr, indices, sorted } => {
                let starts = self.starts(*indptr, (self.positions[parent.index()], length), Some(count))?;
                self.coordinates(*indices, &starts, (length, *sorted))?;
                *starts.last()?
            }
        };
        self.positions.push(positions);
        Some(())
    }

    fn starts(&mut self, param: ParamId, (rows, length): (i64, i64), count: Option<&Expr>) -> Option<Vec<i64>> {
        let name = self.function.param(param).name.clone();
        if let Some(Values::I32(known)) = self.arrays.get(&name).map(|array| &array.values) {
            return (known.len() as i64 == rows + 1).then(|| known.iter().map(|start| i64::from(*start)).collect());
        }
        let mut lengths: Vec<i64> = (0..rows).map(|_| (self.draws.below(4) as i64 - 1).clamp(0, length)).collect();
        let wanted = self.count(count, lengths.iter().sum()).filter(|count| *count < 1000)?;
        while lengths.iter().sum::<i64>() != wanted {
            let by = (wanted - lengths.iter().sum::<i64>()).signum();
            let row = lengths.iter().position(|own| (0..=length).contains(&(own + by)))?;
            lengths[row] += by;
        }
        let mut starts = vec![0];
        lengths.iter().for_each(|own| starts.push(starts[starts.len() - 1] + own));
        self.arrays.insert(name, ints(starts.iter().map(|start| *start as i32).collect()));
        Some(starts)
    }

    fn coordinates(&mut self, param: ParamId, starts: &[i64], (length, sorted): (i64, bool)) -> Option<()> {
        let name = self.function.param(param).name.clone();
        let mut all = Vec::new();
        for pair in starts.windows(2) {
            let mut row: Vec<i64> = Vec::new();
            for _ in pair[0]..pair[1] {
                let mut drawn = self.draws.below(length.max(1) as u64) as i64;
                (0..length).for_each(|_| drawn = if row.contains(&drawn) { (drawn + 1) % length } else { drawn });
                row.push(drawn);
            }
            if sorted {
                row.sort_unstable();
            }
            all.extend(row.into_iter().map(|coordinate| coordinate as i32));
        }
        self.arrays.entry(name).or_insert_with(|| ints(all));
        (length > 0 || starts.last() == Some(&0)).then_some(())
    }

    fn factor(&mut self, id: IteratorId) -> Option<i64> {
        match &self.function.iterator(id).kind {
            IteratorKind::CompressedFixed { columns, .. } => self.size(&columns.clone()),
            _ => Some(self.positions[id.index()]),
        }
    }

    fn buffer(&mut self, buffer: &Buffer) -> Option<()> {
        let Origin::Handle(param) = buffer.origin else { return Some(()) };
        let name = self.function.param(param).name.clone();
        let mut size = 1;
        match &buffer.layout {
            Layout::Dense(dense) => {
                for one in &dense.shape {
                    size *= self.size(one)?;
                }
            }
            Layout::Sparse(sparse) => {
                for id in sparse.iterators.iter().filter(|id| is_last(self.function, &sparse.iterators, **id)) {
                    size *= self.factor(*id)?;
                }
            }
        }
        let size = usize::try_from(size).ok().filter(|size| *size < 10_000)?;
        let mut values = Values::zeros(buffer.element, size);
        for at in 0..size {
            let drawn = self.draws.below(5) as i128;
            let is_float = buffer.element.is_float();
            values.set(at, if is_float { Scalar::Float(drawn as f64 - 2.0) } else { Scalar::Int(drawn % 3) });
        }
        let array = Array { element: buffer.element, shape: vec![size as u64], values };
        self.arrays.entry(name).or_insert(array);
        Some(())
    }

    /// The numbers, those that no size has among them.
    fn scalars(&mut self) {
        for (at, variable) in self.function.variables.iter().enumerate() {
            if !matches!(variable.role, Role::Param | Role::Captured) {
                continue;
            }
            let drawn = 1 + self.draws.below(3) as i64;
            let value = self.sizes.get(&VariableId::new(at)).copied().unwrap_or(drawn);
            let mut values = Values::zeros(variable.element, 1);
            let is_float = variable.element.is_float();
            values.set(0, if is_float { Scalar::Float(value as f64) } else { Scalar::Int(i128::from(value)) });
            let array = Array { element: variable.element, shape: Vec::new(), values };
            self.arrays.insert(variable.name.clone(), array);
        }
    }
}
