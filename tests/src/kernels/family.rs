//! Families of kernels, and random operands for them.

use std::sync::Arc;

use nnz_core::{element::Element, encoding::Encoding};

use super::{Data, random::Random};

/// Kernels of the families that this version takes. The sparse operand is A (a matrix), T (of rank 3), S
/// (square) or b (a vector); all other operands are dense.
pub const KERNELS: &[&str] = &[
    "y(i) = A(i, j) * x(j)",
    "x2(j) = A(i, j) * u(i)",
    "y(i) = A(i, j)",
    "x2(j) = A(i, j)",
    "s = A(i, j)",
    "s = u(i) * A(i, j) * x(j)",
    "C(i, k) = A(i, j) * B(j, k)",
    "C2(k, i) = A(i, j) * B(j, k)",
    "D2(i, j) = alpha * A(i, j)",
    "E2(j, i) = A(i, j)",
    "D2(i, j) = A(i, j) + D(i, j)",
    "D2(i, j) = D(i, j) - 2 * A(i, j)",
    "y(i) = A(i, j) * x(j) + u(i)",
    "y(i) = u(i) - A(i, j) * x(j) - A(i, j)",
    "y(i) = alpha * A(i, j) * x(j) + beta * u(i)",
    "y(i) = A(i, j) * x(j) + D(i, j) + u(i)",
    "D2(i, j) = A(i, j) + 1",
    "y(i) = A(i, j) + 1",
    "D2(i, j) = abs(A(i, j)) * x(j)",
    "D2(i, j) = A(i, j) * A(i, j)",
    "y(i) = max(j, A(i, j))",
    "y(i) = min(j, A(i, j) * x(j)) + u(i)",
    "s = max(i, j, A(i, j))",
    "y(i) = prod(j, A(i, j) + 1)",
    "y(i) = sum(j, A(i, j) * x(j)) * u(i)",
    "y(i) = u(i) * (sum(j, A(i, j) * x(j)) - u(i))",
    "D2(i, j) = min(A(i, j), D(i, j))",
    "y(i) = (A(i, j) + D(i, j)) * x(j)",
    "y(i) = -(A(i, j) * x(j))",
    "D2(i, j) = A(i, j) * F(i, k) * G(k, j)",
    "C(i, k) = A(i, j) * x(j)",
    "y(i) = x(j) * max(j, A(i, j)) - A(i, j)",
    "y(i) = S(i, i)",
    "Q(i, j) = S(i, i) * R(i, j)",
    "y(i) = S(i, j) * u(j)",
    "D3(i, j) = T(i, j, k) * z(k)",
    "C(i, k) = T(i, j, k) * x(j)",
    "B3(j, k) = T(i, j, k) * u(i)",
    "s = T(i, j, k)",
    "y(i) = T(i, j, k)",
    "M(i, r) = T(i, j, k) * G2(j, r) * H(k, r)",
    "M2(k, r) = T(i, j, k) * G3(i, r) * G2(j, r)",
    "V(k, j, i) = T(i, j, k)",
    "V(k, j, i) = T(i, j, k) + 2 * z(k)",
    "s = b(i) * u(i)",
    "y(i) = alpha * b(i) - u(i)",
    "s = u(i) * u(i) - alpha",
    "y(i) = D(i, j) * x(j)",
];

/// Kernels whose results are not whole numbers.
pub const REAL_KERNELS: &[&str] = &[
    "D2(i, j) = exp(A(i, j))",
    "D2(i, j) = x(j) / (A(i, j) * A(i, j) + 1)",
    "y(i) = A(i, j) / x(j)",
    "y(i) = sqrt(abs(A(i, j))) + sin(A(i, j)) * x(j)",
];

/// Kernels over any number of sparse operands, with results of any encoding.
pub const MANY: &[&str] = &[
    "C(i, k) = A(i, j) * B(j, k)",
    "C(i, k) = A(i, j) * B(j, k) + F(i, k)",
    "C(i, k) = A(i, j) * D(i, j) * B(j, k)",
    "C2(k, i) = A(i, j) * B(j, k)",
    "D2(i, j) = A(i, j) + D(i, j)",
    "D2(i, j) = A(i, j) - D(i, j) + R(i, j)",
    "D2(i, j) = A(i, j) * D(i, j)",
    "D2(i, j) = A(i, j) * D(i, j) * R(i, j)",
    "D2(i, j) = A(i, j) * (D(i, j) + R(i, j))",
    "D2(i, j) = A(i, j) + N(j, i)",
    "D2(i, j) = A(i, j) * N(j, i) - D(i, j)",
    "D2(i, j) = A(i, j) * F(i, k) * G(k, j)",
    "D2(i, j) = min(A(i, j), D(i, j))",
    "D2(i, j) = max(A(i, j), D(i, j)) * R(i, j)",
    "D2(i, j) = abs(A(i, j) - D(i, j))",
    "D2(i, j) = A(i, j) + 1",
    "D2(i, j) = A(i, j) * A(i, j)",
    "D2(i, j) = u(i) * x(j)",
    "D2(i, j) = A(i, j) + u(i) * x(j)",
    "D2(i, j) = S(i, i) * R(i, j)",
    "D2(i, j) = sum(k, F(i, k)) * A(i, j)",
    "D2(i, j) = max(k, F(i, k) * G(k, j))",
    "E2(j, i) = A(i, j)",
    "E2(j, i) = A(i, j) + D(i, j)",
    "E2(j, i) = A(i, j) * D(i, j)",
    "D2(i, j) = A(i, j) * u(i)",
    "D2(i, j) = A(i, j)",
    "D3(i, j) = T(i, j, k) * z(k)",
    "C(i, k) = T(i, j, k) * x(j)",
    "C(i, k) = T(i, j, k) * x(j) + F(i, k)",
    "M(i, r) = T(i, j, k) * G2(j, r) * H(k, r)",
    "B3(j, k) = T(i, j, k) * u(i)",
    "W(i, j, k) = T(i, j, k) + U(i, j, k)",
    "W(i, j, k) = T(i, j, k) * U(i, j, k)",
    "W(i, j, k) = A(i, j) * B(j, k)",
    "V(k, j, i) = T(i, j, k) + U(i, j, k)",
    "y(i) = A(i, j) * x(j) + D(i, j) * x(j)",
    "y(i) = A(i, j) * x(j) + b(i)",
    "y(i) = A(i, j) * D(i, j)",
    "y(i) = A(i, j) + F(i, k)",
    "y(i) = max(j, A(i, j) + D(i, j))",
    "y(i) = min(j, A(i, j) * D(i, j))",
    "y(i) = prod(j, A(i, j) + D(i, j))",
    "y(i) = max(j, A(i, j) * sum(k, G(k, j)))",
    "y(i) = min(j, A(i, j) - sum(k, F(i, k) * G(k, j)))",
    "y(i) = S(i, i) * b(i)",
    "y(i) = S(i, i) + b(i)",
    "y(i) = S(i, j) * b(j)",
    "Q(i, j) = S(i, k) * S(k, j)",
    "s = A(i, j) * D(i, j)",
    "s = A(i, j) + D(i, j)",
    "s = u(i) * A(i, j) * x(j)",
];

/// Kernels over what is stored: semirings, masks, old values.
pub const STORED: &[&str] = &[
    "y(i) = min_plus(j, A(i, j), x(j))",
    "y(i) = times_first(j, A(i, j), x(j))",
    "x2(j) = max_times(i, A(i, j), u(i))",
    "s = min_plus(i, j, A(i, j), D(i, j))",
    "C(i, k) = min_plus(j, A(i, j), B(j, k))",
    "C(i, k) = any_pair(j, A(i, j), B(j, k))",
    "C(i, k) = plus_pair(j, A(i, j), B(j, k))",
    "C(i, k) = plus_times(j, A(i, j), B(j, k))",
    "C2(k, i) = max_second(j, A(i, j), B(j, k))",
    "Q(i, j) = min_plus(k, S(i, k), S(k, j))",
    "D3(i, j) = max_times(k, T(i, j, k), z(k))",
    "B3(j, k) = min_plus(i, T(i, j, k), u(i))",
    "M(i, r) = max_plus(j, k, T(i, j, k), G2(j, r) * H(k, r))",
    "D2(i, j) = with(R(i, j), min_plus(k, F(i, k), G(k, j)))",
    "D2(i, j) = without(R(i, j), min_plus(k, F(i, k), G(k, j)))",
    "D2(i, j) = without(R(i, j), plus_pair(k, F(i, k), G(k, j)))",
    "y(i) = without(b(i), max_first(j, A(i, j), x(j)))",
    "y(i) = least(b(i), min_plus(j, A(i, j), x(j)))",
    "x2(j) = greatest(x(j), max_plus(i, A(i, j), u(i)))",
    "D2(i, j) = least(R(i, j), min_plus(k, F(i, k), G(k, j)))",
    "D2(i, j) = greatest(R(i, j), max_times(k, F(i, k), G(k, j)))",
    "E2(j, i) = least(N(j, i), min_max(k, F(i, k), G(k, j)))",
];

/// Every tensor of the kernels: its name and the variables that give its shape, of i, j, k, r.
const SHAPES: &[(&str, &str)] = &[
    ("y", "i"),
    ("x2", "j"),
    ("s", ""),
    ("C", "ik"),
    ("C2", "ki"),
    ("D2", "ij"),
    ("E2", "ji"),
    ("Q", "ij"),
    ("D3", "ij"),
    ("B3", "jk"),
    ("M", "ir"),
    ("M2", "kr"),
    ("V", "kji"),
    ("W", "ijk"),
    ("A", "ij"),
    ("N", "ji"),
    ("U", "ijk"),
    ("T", "ijk"),
    ("S", "ii"),
    ("b", "i"),
    ("x", "j"),
    ("u", "i"),
    ("z", "k"),
    ("alpha", ""),
    ("beta", ""),
    ("B", "jk"),
    ("D", "ij"),
    ("F", "ik"),
    ("G", "kj"),
    ("R", "ij"),
    ("G2", "jr"),
    ("G3", "ir"),
    ("H", "kr"),
];

const SPARSE: &[&str] = &["A", "T", "S", "b"];

/// Which tensors are sparse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The one operand of `SPARSE`.
    One,
    /// Every tensor in turn or not, results too.
    Many,
    /// The same, where most operands have levels that are looked up.
    Located,
}

/// Kernels to draw from.
pub struct Family<'k> {
    pub kernels: &'k [&'k str],
    pub elements: &'k [Element],
    pub tolerance: f64,
    pub spread: Spread,
}

pub struct Maker {
    pub random: Random,
    sizes: [u64; 4],
    element: Element,
    spread: Spread,
}

impl Maker {
    pub fn new(seed: u64, family: &Family<'_>) -> Maker {
        let mut random = Random::new(seed);
        let sizes = [0; 4].map(|_| random.pick(&[1, 2, 3, 4, 5, 6, 7, 0]));
        let element = random.pick(family.elements);
        Maker { random, sizes, element, spread: family.spread }
    }

    /// S is square: j and k run as i where it is used.
    pub fn square(&mut self, kernel: &str) {
        if kernel.contains('S') {
            (self.sizes[1], self.sizes[2]) = (self.sizes[0], self.sizes[0]);
        }
    }

    fn is_sparse(&mut self, name: &str) -> bool {
        match self.spread {
            Spread::One => SPARSE.contains(&name),
            Spread::Many | Spread::Located => self.random.chance(70),
        }
    }

    pub fn tensor(&mut self, name: &str, is_result: bool) -> Data {
        let dims = SHAPES.iter().find(|(other, _)| *other == name).map_or("", |(_, dims)| dims);
        let shape: Vec<u64> = dims.chars().map(|c| self.sizes["ijkr".find(c).unwrap_or(0)]).collect();
        let count = shape.iter().product::<u64>() as usize;
        let sparse = self.is_sparse(name);
        let density = if sparse { self.random.pick(&[0, 10, 30, 60]) } else { 100 };
        let dense = if is_result { Vec::new() } else { self.random.entries(count, density) };
        let encoding = match shape.len() {
            rank if rank > 0 && sparse && !is_result && self.spread == Spread::Located && self.random.chance(60) => {
                Some(self.random.located(rank))
            }
            rank => self.encoding(rank, sparse),
        };
        Data::new(name, self.element, &shape, encoding, dense)
    }

    fn encoding(&mut self, rank: usize, sparse: bool) -> Option<Arc<Encoding>> {
        if rank == 0 {
            return None;
        }
        if sparse && self.spread != Spread::One && self.random.chance(50) {
            return self.random.well_known(rank);
        }
        if sparse {
            return Some(self.random.encoding(rank));
        }
        self.random.chance(20).then(|| self.random.dense_encoding(rank))
    }
}

/// The tensors that `kernel` names, the result first.
pub fn names(kernel: &str) -> Vec<&'static str> {
    let words = kernel.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut names = Vec::new();
    for word in words {
        if let Some((name, _)) = SHAPES.iter().find(|(name, _)| *name == word)
            && !names.contains(name)
        {
            names.push(*name);
        }
    }
    names
}
