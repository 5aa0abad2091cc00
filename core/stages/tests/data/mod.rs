//! Data for functions of scripts.

#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

pub mod bindings;
pub mod loops;
pub mod programs;

use nnz_base::{arrays::Values, element::Element};
use nnz_stages::{Array, Arrays};

/// Numbers that look drawn, the same in every run.
pub struct Draws(pub u64);

impl Draws {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
    /// Small whole numbers: sums of their products are exact.
    pub fn values(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.below(17) as f32 - 8.0).collect()
    }
}

/// A sparse matrix in CSR, with rows without entries.
pub struct Csr {
    pub rows: usize,
    pub columns: usize,
    pub starts: Vec<i32>,
    pub coordinates: Vec<i32>,
    pub values: Vec<f32>,
}

impl Csr {
    pub fn drawn(draws: &mut Draws, rows: usize, columns: usize) -> Csr {
        let (mut starts, mut coordinates) = (vec![0], Vec::new());
        for row in 0..rows {
            let stored = (0..columns as i32).filter(|_| row % 4 != 2 && draws.below(3) == 0);
            coordinates.extend(stored.collect::<Vec<_>>());
            starts.push(coordinates.len() as i32);
        }
        let values = draws.values(coordinates.len());
        Csr { rows, columns, starts, coordinates, values }
    }
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f32)> + '_ {
        (0..self.rows).flat_map(move |row| {
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            range.map(move |at| (row, self.coordinates[at] as usize, self.values[at]))
        })
    }
    pub fn count(&self) -> usize {
        self.values.len()
    }
}

pub fn floats(values: Vec<f32>) -> Array {
    Array { element: Element::F32, shape: vec![values.len() as u64], values: Values::F32(values) }
}

pub fn ints(values: Vec<i32>) -> Array {
    Array { element: Element::I32, shape: vec![values.len() as u64], values: Values::I32(values) }
}

pub fn number(value: usize) -> Array {
    Array { shape: Vec::new(), ..ints(vec![value as i32]) }
}

pub fn arrays(given: Vec<(&str, Array)>) -> Arrays {
    given.into_iter().map(|(name, array)| (name.to_string(), array)).collect()
}
