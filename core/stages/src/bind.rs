//! Arrays at the parameters of a function.

use nnz_base::{
    arrays::Values,
    diagnostic::did_you_mean,
    element::{Element, Scalar},
    source::Span,
};
use nnz_tir::{
    model::{Buffer, BufferId, Function, Iterator, IteratorId, IteratorKind, Origin, ParamId, Role, name_of},
    sites::sites,
};

use crate::{
    array::{Array, Arrays},
    closed::{Scalars, count},
    fault::{Done, unfit},
    machine::Machine,
    structure::{Extent, Level, Named, check_coordinates, check_starts},
};

/// The numbers that a caller gives, at the variables that they are for.
pub(crate) fn scalars(function: &Function, arrays: &Arrays) -> Done<Vec<Option<Scalar>>> {
    let given = function.variables.iter().map(|variable| match variable.role {
        Role::Param | Role::Captured => {
            let array = array(arrays, &[&variable.name], variable.place.0)?;
            number(array, &variable.name, (variable.element, variable.place.0)).map(Some)
        }
        Role::Iteration | Role::Loop | Role::Block | Role::Let | Role::Map => Ok(None),
    });
    given.collect()
}

fn number(array: &Array, name: &str, (element, place): (Element, Span)) -> Done<Scalar> {
    let fits = match (array.values.get(0), element.int_range()) {
        (Some(Scalar::Int(value)), Some((least, greatest))) => {
            (least..=greatest).contains(&value).then_some(Scalar::Int(value))
        }
        (Some(value), None) => Some(Scalar::Float(value.as_f64())),
        (Some(Scalar::Float(_) | Scalar::Complex(_)), Some(_)) | (None, _) => None,
    };
    fits.filter(|_| array.values.len() == 1).ok_or_else(|| {
        let given = format!("{} of shape {:?}", name_of(array.element), array.shape);
        let told = unfit(place, format!("`{name}` is one number of type `{}`", name_of(element)));
        Box::new(told.label(format!("given is {given}")))
    })
}

/// The array of one of several names.
fn array<'a>(arrays: &'a Arrays, names: &[&str], place: Span) -> Done<&'a Array> {
    let found = names.iter().find_map(|name| arrays.get(*name));
    found.ok_or_else(|| {
        let name = names.first().copied().unwrap_or_default();
        let told = unfit(place, format!("`{name}` is not given")).label("no array of this name");
        let given: Vec<String> = arrays.keys().map(|name| format!("`{name}`")).collect();
        let near = names.iter().find_map(|name| did_you_mean(name, arrays.keys().map(String::as_str)));
        Box::new(match near {
            Some(near) => told.help(format!("there is `{near}`")),
            None => told.help(format!("given are {}", given.join(", "))),
        })
    })
}

/// The structure of every iterator, in order: a parent comes before its child.
pub(crate) fn levels(function: &Function, scalars: &Scalars, arrays: &Arrays) -> Done<Vec<Level>> {
    let mut levels: Vec<Level> = Vec::new();
    for id in function.iterator_ids() {
        let level = level(function, (scalars, arrays), &levels, id)?;
        levels.push(level);
    }
    Ok(levels)
}

fn level(function: &Function, (scalars, arrays): (&Scalars, &Arrays), known: &[Level], id: IteratorId) -> Done<Level> {
    let iterator = function.iterator(id);
    let size = |expr| count(function, scalars, expr);
    let length = size(&iterator.length)?;
    let rows = |parent: IteratorId| known[parent.index()].positions;
    let of = |param: ParamId, word: &str| integers(function, arrays, (iterator, word), param);
    let named = |param: ParamId| Named { name: &function.param(param).name, place: iterator.place.0 };
    match &iterator.kind {
        IteratorKind::DenseFixed | IteratorKind::Flatten { .. } => {
            Ok(Level { length, positions: length, extent: Extent::Same(length), coordinates: None })
        }
        IteratorKind::DenseVaried { parent, count, indptr } => {
            let count = count.as_ref().map(size).transpose()?;
            let starts = of(*indptr, "indptr")?;
            check_starts(&starts, (rows(*parent), count, length), named(*indptr))?;
            let positions = starts.last().copied().unwrap_or(0);
            Ok(Level { length, positions, extent: Extent::Listed(starts), coordinates: None })
        }
        IteratorKind::CompressedFixed { parent, columns, indices, sorted } => {
            let (columns, rows) = (size(columns)?, rows(*parent));
            let positions = rows.saturating_mul(columns);
            let coordinates = Some(of(*indices, "indices")?);
            let level = Level { length, positions, extent: Extent::Same(columns), coordinates };
            check_coordinates(&level, (rows, *sorted), named(*indices)).map(|()| level)
        }
        IteratorKind::CompressedVaried { parent, count, indptr, indices, sorted } => {
            let (starts, rows) = (of(*indptr, "indptr")?, rows(*parent));
            // Coordinates in no order may stand several times.
            let most = if *sorted { length } else { u64::MAX };
            check_starts(&starts, (rows, Some(size(count)?), most), named(*indptr))?;
            let positions = starts.last().copied().unwrap_or(0);
            let coordinates = Some(of(*indices, "indices")?);
            let level = Level { length, positions, extent: Extent::Listed(starts), coordinates };
            check_coordinates(&level, (rows, *sorted), named(*indices)).map(|()| level)
        }
    }
}

/// An array of the structure: of the name of its handle, or called `J_indptr` after its iterator.
fn integers(
    function: &Function,
    arrays: &Arrays,
    (iterator, word): (&Iterator, &str),
    param: ParamId,
) -> Done<Vec<u64>> {
    let name = &function.param(param).name;
    let array = array(arrays, &[name, &format!("{}_{word}", iterator.name)], iterator.place.0)?;
    // As the buffers over it take them at later stages.
    let element = iterator.width.element();
    let values = if array.element == element { Some(array.values.clone()) } else { whole_numbers(array, element) };
    let Some(values) = values else {
        let (is, wanted) = (name_of(array.element), name_of(element));
        let told = unfit(iterator.place.0, format!("`{name}` is of type `{is}`, and `{wanted}` is wanted"));
        let told = told.label("the iterator of this array");
        return Err(Box::new(told.help(format!("convert it: `.astype(\"{wanted}\")`, if all numbers fit"))));
    };
    let whole = |value| match value {
        Scalar::Int(value) => u64::try_from(value).ok(),
        Scalar::Float(_) | Scalar::Complex(_) => None,
    };
    let read: Option<Vec<u64>> = values.iter().map(whole).collect();
    read.ok_or_else(|| {
        let told = unfit(iterator.place.0, format!("`{name}` has numbers that are no positions or coordinates"));
        Box::new(told.label("whole numbers from 0 on are wanted"))
    })
}

impl Machine<'_> {
    /// The memory of the buffers that are bound to handles. An array that is written and not given holds zeros.
    pub(crate) fn bind(&mut self, arrays: &Arrays) -> Done<()> {
        for at in 0..self.function.buffers.len() {
            let id = BufferId::new(at);
            let buffer = self.function.buffer(id);
            if let Origin::Handle(param) = buffer.origin {
                self.memory[at] = Some(self.values(id, buffer, (param, arrays))?);
            }
        }
        Ok(())
    }

    fn values(&self, id: BufferId, buffer: &Buffer, (param, arrays): (ParamId, &Arrays)) -> Done<Values> {
        let names = [self.function.param(param).name.as_str(), buffer.name.as_str()];
        let is_given = names.iter().any(|name| arrays.contains_key(*name));
        if !is_given && written(self.function).contains(&id) {
            return self.zeros(buffer);
        }
        let (array, size) = (array(arrays, &names, buffer.place.0)?, self.size(buffer)?);
        let told = |message: String| unfit(buffer.place.0, message).label("the buffer of this array");
        if array.values.len() as u64 != size {
            let given = array.values.len();
            return Err(Box::new(told(format!("`{}` has {given} elements, and {size} are wanted", names[0]))));
        }
        if let Some(whole) = whole_numbers(array, buffer.element) {
            return Ok(whole);
        }
        if array.element != buffer.element {
            let (is, wanted) = (name_of(array.element), name_of(buffer.element));
            let told = told(format!("`{}` is of type `{is}`, and `{wanted}` is wanted", names[0]));
            return Err(Box::new(told.help(format!("convert it: `.astype(\"{wanted}\")`"))));
        }
        Ok(array.values.clone())
    }
}

/// Whole numbers of another width, if they fit: such are the arrays of a structure.
fn whole_numbers(array: &Array, element: Element) -> Option<Values> {
    let (least, greatest) = element.int_range().filter(|_| array.element != element && element != Element::I1)?;
    array.element.int_range().filter(|_| array.element != Element::I1)?;
    let fits = |value: Scalar| matches!(value, Scalar::Int(value) if (least..=greatest).contains(&value));
    if !array.values.iter().all(fits) {
        return None;
    }
    let mut values = Values::zeros(element, array.values.len());
    array.values.iter().enumerate().for_each(|(at, value)| values.set(at, value));
    Some(values)
}

/// The buffers that a function writes.
pub(crate) fn written(function: &Function) -> Vec<BufferId> {
    sites(function).iter().filter_map(|site| site.statement.written()).map(|target| target.buffer).collect()
}
