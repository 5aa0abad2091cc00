//! A small tensor in an encoding: a short literal of the text with this encoding, or else a standard tensor.

use std::sync::Arc;

use super::{Section, layout};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_check::{Checked, DefinitionKind};
use nnz_encoding::{Affine, Encoding};
use nnz_storage::{Storage, Triplets, model, pack};

/// A stored tensor, and what it is.
pub(super) struct Example {
    title: String,
    pub storage: Storage,
}

pub(super) fn of(checked: &Checked, encoding: &Arc<Encoding>) -> Option<Example> {
    of_text(checked, encoding).or_else(|| standard(encoding))
}

/// The first short literal of the text that has this encoding.
fn of_text(checked: &Checked, encoding: &Arc<Encoding>) -> Option<Example> {
    checked.contents.iter().find_map(|contents| {
        let definition = checked.symbols.definition(contents.definition);
        let DefinitionKind::Tensor(Some(ty)) = &definition.kind else { return None };
        let has_it = ty.format.as_ref().and_then(|format| format.encoding()).is_some_and(|known| known == encoding);
        let entries = contents.literal.as_deref().filter(|_| has_it)?;
        of_entries(checked.source.slice(definition.name), entries, encoding)
    })
}

/// The tensor of a name with these entries.
pub(super) fn of_entries(name: &str, entries: &Triplets, encoding: &Arc<Encoding>) -> Option<Example> {
    let storage = pack(entries, encoding).ok()?;
    Some(Example { title: name.to_string(), storage })
}

/// A tensor of a few entries whose sizes the levels divide; `None` for an encoding that wants too large a one.
pub(super) fn standard(encoding: &Arc<Encoding>) -> Option<Example> {
    let sizes = sizes(encoding)?;
    // The fewer entries, the more encodings have room for them.
    let storage = [3, 4, 5, 7].into_iter().find_map(|every| pack(&entries(&sizes, every)?, encoding).ok())?;
    Some(Example { title: "a small example".to_string(), storage })
}

/// Four rows and six columns, or the next sizes that blocks divide; two and three for further dimensions.
fn sizes(encoding: &Encoding) -> Option<Vec<u64>> {
    const MOST_PLACES: u64 = 4096;
    let plain: &[u64] = match encoding.dim_rank() {
        0 => return None,
        1 => &[8],
        2 => &[4, 6],
        3 => &[2, 3, 4],
        _ => &[2, 2, 2, 2, 2, 2, 2, 2],
    };
    let mut sizes: Vec<u64> = plain.iter().copied().cycle().take(encoding.dim_rank()).collect();
    for (dim, by) in encoding.levels().iter().filter_map(|level| divided(&level.expr)) {
        let size = sizes.get_mut(dim)?;
        *size = size.next_multiple_of(by.max(1)).max(by.saturating_mul(2));
    }
    let places = sizes.iter().try_fold(1u64, |places, size| places.checked_mul(*size))?;
    (places <= MOST_PLACES).then_some(sizes)
}

/// The dimension that a level divides, and by what.
fn divided(expr: &Affine<nnz_base::ids::Dim>) -> Option<(usize, u64)> {
    let (inner, by) = expr.as_floordiv().or_else(|| expr.as_mod())?;
    Some((inner.as_var()?.index(), u64::try_from(by).ok()?))
}

/// An entry in `every`-th places along slanting lines, and none in the second row.
fn entries(sizes: &[u64], every: u64) -> Option<Triplets> {
    const MOST: usize = 32;
    let (mut coords, mut values) = (vec![Vec::new(); sizes.len()], Values::with_capacity(Element::F64, MOST));
    let places: u64 = sizes.iter().product();
    for place in 0..places {
        let at = coordinates(place, sizes);
        let slant: u64 = at.iter().enumerate().map(|(dim, coordinate)| coordinate * (dim as u64 + 1)).sum();
        let empty = sizes.len() > 1 && at.first() == Some(&1);
        if slant.is_multiple_of(every) && !empty && values.len() < MOST {
            values.push(Scalar::Float(values.len() as f64 + 1.0));
            coords.iter_mut().zip(at).for_each(|(column, coordinate)| column.push(coordinate));
        }
    }
    Triplets::new(sizes.to_vec(), Element::F64, coords, values).ok()
}

/// The coordinates of a place in row-major order.
fn coordinates(place: u64, sizes: &[u64]) -> Vec<u64> {
    let mut rest = place;
    let mut at: Vec<u64> = sizes.iter().rev().map(|size| (rest % size, rest /= size).0).collect();
    at.reverse();
    at
}

impl Example {
    /// The arrays with their entries.
    pub(super) fn section(&self) -> Section {
        layout::block(&self.lines())
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let storage = &self.storage;
        let shape: Vec<String> = storage.dim_sizes().iter().map(u64::to_string).collect();
        let (shape, bytes) = (shape.join("x"), storage.bytes());
        let mut lines = vec![format!("{}: {shape}, {} values, {bytes} bytes", self.title, storage.nse())];
        lines.extend(self.arrays());
        lines
    }

    fn arrays(&self) -> Vec<String> {
        let most = |most: usize| {
            let model = model::of_storage(&self.storage, most);
            let of_levels = model.levels.iter().flat_map(|level| level.arrays.iter().map(|array| (level.lvl, array)));
            let arrays = of_levels.chain([(nnz_base::ids::Lvl(0), &model.values)]);
            arrays
                .filter_map(|(lvl, array)| Some(format!("{:<8}  {}", array.role.name(lvl), array.entries.as_ref()?)))
                .collect::<Vec<_>>()
        };
        let fits = |lines: &Vec<String>| lines.iter().all(|line| line.chars().count() <= layout::COLUMNS);
        [24, 16, 12, 8, 6].into_iter().map(most).find(fits).unwrap_or_else(|| most(4))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::standard;
    use nnz_encoding::named::{FORMATS, lookup};

    #[test]
    fn every_named_format_has_an_example() {
        for format in FORMATS {
            let sizes: &[u64] = match format.name {
                "BSR" | "BSC" | "BSRLeft" | "BSCLeft" | "BSRRightd" | "BSCRightd" => &[2, 2],
                "BSR3" => &[2, 2, 2],
                "NM" => &[2, 4],
                "BlockVector" | "DELTA" | "COOd" => &[2],
                _ => &[],
            };
            let encoding = Arc::new(lookup(format.name, sizes, None).unwrap());
            let example = standard(&encoding);
            assert!(example.is_some_and(|example| example.storage.nse() > 0), "{}", format.name);
        }
    }
}
