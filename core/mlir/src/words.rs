//! Descriptions of what each operation does and costs, for people.

mod attributes;
mod host;
mod linalg;
mod scalars;
mod sparse_tensor;
mod tensors;

pub use attributes::of_attribute;

use nnz_base::functions::{BinaryFunction, UnaryFunction};

use crate::dialects::{self, linalg_named};

/// One operation in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// With its dialect.
    pub name: &'static str,
    /// A sentence without its full stop.
    pub does: &'static str,
    /// Empty where it takes next to nothing.
    pub costs: &'static str,
}

const fn row(name: &'static str, does: &'static str, costs: &'static str) -> Words {
    Words { name, does, costs }
}

/// The tables of every dialect.
const ALL: &[&[Words]] = &[
    sparse_tensor::WORDS,
    linalg::WORDS,
    tensors::WORDS,
    tensors::BUFFERS,
    tensors::VECTORS,
    host::WORDS,
    scalars::ARITH,
    scalars::MATH,
    scalars::COMPLEX,
];

/// What the operation of this name does, and what it costs.
pub fn of_operation(name: &str) -> Option<(String, &'static str)> {
    let name = dialects::lookup(name).map_or(name, |def| def.name);
    let row = ALL.iter().flat_map(|table| table.iter()).find(|row| row.name == name);
    row.map(|row| (row.does.to_string(), row.costs))
        .or_else(|| Some((of_named(name)?, linalg::KERNEL)))
        .or_else(|| Some((of_function(name)?, "")))
}

/// A kernel of `linalg` whose formula says it all.
fn of_named(name: &str) -> Option<String> {
    linalg_named::formula(name).map(|formula| format!("`{formula}`"))
}

/// A function of numbers, which sessions have too.
fn of_function(name: &str) -> Option<String> {
    let name = name.strip_prefix("math.")?;
    let of_one = UnaryFunction::ALL.iter().find(|function| function.name() == name).map(|function| function.summary());
    let of_two = || BinaryFunction::ALL.iter().find(|function| function.name() == name).map(|it| it.summary());
    of_one.or_else(of_two).map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::{ALL, of_attribute, of_operation};
    use std::collections::BTreeSet;

    use crate::dialects::{
        arith::{FLOAT_PREDICATES, INTEGER_PREDICATES},
        lookup, operations,
    };

    #[test]
    fn every_operation_has_words() {
        let silent: Vec<_> = operations().map(|def| def.name).filter(|name| of_operation(name).is_none()).collect();
        assert!(silent.is_empty(), "{silent:?}");
    }

    #[test]
    fn every_attribute_has_words() {
        let named = operations().flat_map(|def| def.attributes.iter().map(|attribute| attribute.name));
        let predicates = FLOAT_PREDICATES.iter().chain(INTEGER_PREDICATES).copied();
        let silent: BTreeSet<_> = named.chain(predicates).filter(|name| of_attribute(name).is_none()).collect();
        assert!(silent.is_empty(), "{silent:?}");
    }

    #[test]
    fn words_are_of_operations_once_each() {
        let mut names: Vec<_> = ALL.iter().flat_map(|table| table.iter()).map(|row| row.name).collect();
        let unknown: Vec<_> = names.iter().filter(|name| lookup(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn words_are_clauses() {
        for row in ALL.iter().flat_map(|table| table.iter()) {
            let bad = [row.does, row.costs].iter().any(|text| text.ends_with('.') || text.contains('\n'));
            assert!(!bad && !row.does.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn formulas_say_what_named_kernels_do() {
        let does = |name| of_operation(name).map(|(does, _)| does);
        assert_eq!(does("linalg.matmul").as_deref(), Some("`C(m, n) += A(m, k) * B(k, n)`"));
        assert_eq!(does("linalg.dot").as_deref(), Some("`C += A(m) * B(m)`"));
        assert_eq!(does("linalg.conv_1d").as_deref(), Some("`C(w) += A(w + k) * B(k)`"));
        let pooled = "`C(n, w, c) max= A(n, w * s0 + kw * d0, c)`, over windows of the shape of `B(kw)`";
        assert_eq!(does("linalg.pooling_nwc_max").as_deref(), Some(pooled));
    }
}
