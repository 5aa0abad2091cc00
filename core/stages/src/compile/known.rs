//! What is known of the numbers and arrays that a function runs over.

use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_tir::{
    model::{BufferId, Expr, Function, Origin, VariableId},
    print::print_expr,
};

/// The numbers with names, and the arrays of whole numbers.
pub(crate) struct Known {
    scalars: Vec<Option<Scalar>>,
    arrays: Vec<Option<Fact>>,
}

/// What holds for every number of an array, and for what a guarded access reads where there is none: the least.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fact {
    pub(super) least: i128,
    pub(super) most: Option<i128>,
    /// The text of a size that coordinates lie below, and that positions do not exceed.
    pub(super) end: Option<String>,
    /// No number is less than the one before.
    pub(super) ascending: bool,
}

impl Known {
    /// What the numbers and arrays of a run are.
    pub(crate) fn measured(scalars: &[Option<Scalar>], memory: &[Option<Values>]) -> Known {
        let arrays = memory.iter().map(|values| values.as_ref().and_then(fact_of)).collect();
        Known { scalars: scalars.to_vec(), arrays }
    }

    /// What the iterators say of the arrays of a function that was lowered to `function`.
    pub(crate) fn declared(function: &Function, from: &Function) -> Known {
        let arrays = function.buffers.iter().map(|buffer| match buffer.origin {
            Origin::Handle(param) => declared(from, &function.param(param).name),
            Origin::Allocated | Origin::Declared | Origin::Region(_) => None,
        });
        Known { arrays: arrays.collect(), scalars: vec![None; function.variables.len()] }
    }

    pub(super) fn of(&self, buffer: BufferId) -> Option<&Fact> {
        self.arrays.get(buffer.index())?.as_ref()
    }

    /// The value of a parameter.
    pub(super) fn number(&self, variable: VariableId) -> Option<i128> {
        match self.scalars.get(variable.index())? {
            Some(Scalar::Int(value)) => Some(*value),
            Some(Scalar::Float(_) | Scalar::Complex(_)) | None => None,
        }
    }
}

fn declared(from: &Function, handle: &str) -> Option<Fact> {
    let ends = |iterator: &nnz_tir::model::Iterator, id| {
        let is_it = |param: Option<nnz_tir::model::ParamId>| param.is_some_and(|it| from.param(it).name == handle);
        let text = |end: Option<Expr>| end.map(|end| print_expr(from, &end));
        if is_it(iterator.indptr()) {
            return Some((text(from.count(id)), true));
        }
        is_it(iterator.indices()).then(|| (text(Some(iterator.length.clone())), false))
    };
    let (end, ascending) = from.iterator_ids().find_map(|id| ends(from.iterator(id), id))?;
    Some(Fact { least: 0, most: None, end, ascending })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "positions and coordinates have these types")]
fn fact_of(values: &Values) -> Option<Fact> {
    match values {
        Values::I32(all) => Some(measured(all)),
        Values::I64(all) => Some(measured(all)),
        _ => None,
    }
}

fn measured<T: Copy + Ord + Into<i64>>(all: &[T]) -> Fact {
    let least = all.iter().min().map_or(0, |least| i128::from((*least).into()));
    let most = all.iter().max().map_or(least, |most| i128::from((*most).into()));
    Fact { least, most: Some(most), end: None, ascending: all.is_sorted() }
}

/// The numbers of an array, if it can be one of positions or coordinates.
pub(super) fn is_structure(element: Element) -> bool {
    matches!(element, Element::I32 | Element::I64)
}
