//! Sizes that may be unknown: polynomials over names such as `I` and `nnz`.

use std::{
    collections::BTreeMap,
    ops::{Add, Mul},
};

/// A sum of products of names, each with its factor; without names, a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// Sorted names of each product, to its factor, which is never 0.
    terms: BTreeMap<Vec<String>, u128>,
}

impl Formula {
    pub fn name(name: impl Into<String>) -> Formula {
        Formula { terms: BTreeMap::from([(vec![name.into()], 1)]) }
    }

    /// The value, if no name is left in it.
    pub fn value(&self) -> Option<u128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The quotient rounded up; a new name if it is unknown.
    pub fn div_ceil(&self, by: u64) -> Formula {
        match self.value() {
            _ if by == 1 => self.clone(),
            Some(value) => Formula::from(value.div_ceil(u128::from(by.max(1)))),
            None => Formula::name(format!("ceil({self} / {by})")),
        }
    }

    /// The same with a number in place of a name.
    #[must_use]
    pub fn with(&self, name: &str, number: u128) -> Formula {
        let mut formula = Formula::default();
        for (names, &factor) in &self.terms {
            let uses = names.iter().filter(|known| *known == name).count();
            let rest = names.iter().filter(|known| *known != name).cloned().collect();
            formula.plus(rest, (0..uses).fold(factor, |product, _| product.saturating_mul(number)));
        }
        formula
    }

    fn plus(&mut self, names: Vec<String>, factor: u128) {
        if factor > 0 {
            let term = self.terms.entry(names).or_default();
            *term = term.saturating_add(factor);
        }
    }
}

impl From<u128> for Formula {
    fn from(number: u128) -> Formula {
        let mut formula = Formula::default();
        formula.plus(Vec::new(), number);
        formula
    }
}

impl From<u64> for Formula {
    fn from(number: u64) -> Formula {
        Formula::from(u128::from(number))
    }
}

impl Add for &Formula {
    type Output = Formula;
    fn add(self, other: &Formula) -> Formula {
        let mut sum = self.clone();
        other.terms.iter().for_each(|(names, &factor)| sum.plus(names.clone(), factor));
        sum
    }
}

impl Mul for &Formula {
    type Output = Formula;
    fn mul(self, other: &Formula) -> Formula {
        let mut product = Formula::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut names: Vec<String> = a.iter().chain(b).cloned().collect();
                names.sort();
                product.plus(names, x.saturating_mul(*y));
            }
        }
        product
    }
}

impl std::fmt::Display for Formula {
    /// `8 * nnz + 4 * I + 4`: products of names in their order, the number last.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut terms: Vec<(&Vec<String>, &u128)> = self.terms.iter().collect();
        terms.sort_by_key(|(names, _)| std::cmp::Reverse(names.len()));
        let term = |(names, factor): (&Vec<String>, &u128)| match (names.is_empty(), *factor) {
            (true, number) => number.to_string(),
            (false, 1) => names.join(" * "),
            (false, factor) => format!("{factor} * {}", names.join(" * ")),
        };
        let terms: Vec<String> = terms.into_iter().map(term).collect();
        f.write_str(&if terms.is_empty() { "0".into() } else { terms.join(" + ") })
    }
}

#[cfg(test)]
mod tests {
    use super::Formula;

    #[test]
    fn numbers_fold_and_names_stay() {
        let (rows, four) = (Formula::name("I"), Formula::from(4u64));
        assert_eq!((&four * &(&rows + &Formula::from(1u64))).to_string(), "4 * I + 4");
        assert_eq!((&rows * &Formula::name("J")).to_string(), "I * J");
        assert_eq!((&four + &four).value(), Some(8));
        assert_eq!(rows.div_ceil(2).to_string(), "ceil(I / 2)");
        assert_eq!((&rows * &Formula::from(0u64)).to_string(), "0");
        assert_eq!((&(&rows * &Formula::name("J")) + &four).with("I", 3).to_string(), "3 * J + 4");
        assert_eq!((&rows + &four).with("I", 3).value(), Some(7));
    }
}
