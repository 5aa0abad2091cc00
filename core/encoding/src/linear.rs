//! Integer linear systems, small enough for row operations on machine integers.

/// Rows of equal length.
pub(super) struct Matrix {
    rows: Vec<Vec<i64>>,
    columns: usize,
}

/// The solution for the unknowns, one per column.
pub(super) enum Solution {
    /// Row `c`: the unknown `c` as an integer combination of the matrix's rows.
    Inverse(Vec<Vec<i64>>),
    /// Rows that follow from the rows above them, and unknowns that the rows do not fix.
    None { redundant: Vec<usize>, unsolved: Vec<usize> },
}

impl Matrix {
    pub(super) fn new(rows: Vec<Vec<i64>>, columns: usize) -> Self {
        Self { rows, columns }
    }

    /// `None` where the numbers outgrow 64 bits.
    pub(super) fn solve(&self) -> Option<Solution> {
        let reduced = self.reduced(self.rows.len())?;
        let redundant = self.redundant_rows()?;
        let solved = |c: &usize| reduced.pivots.get(*c).copied().flatten() == Some(1) && reduced.is_alone(*c);
        let unsolved: Vec<usize> = (0..self.columns).filter(|c| !solved(c)).collect();
        if redundant.is_empty() && unsolved.is_empty() {
            return Some(Solution::Inverse(reduced.combinations));
        }
        Some(Solution::None { redundant, unsolved })
    }

    fn redundant_rows(&self) -> Option<Vec<usize>> {
        let ranks: Option<Vec<usize>> = (0..=self.rows.len()).map(|count| Some(self.reduced(count)?.rank())).collect();
        Some(ranks?.windows(2).enumerate().filter(|(_, pair)| pair[0] == pair[1]).map(|(row, _)| row).collect())
    }

    /// The first `count` rows in reduced echelon form over the integers.
    fn reduced(&self, count: usize) -> Option<Reduced> {
        let unit = |at: usize| (0..count).map(|other| i64::from(other == at)).collect();
        let combinations = (0..count).map(unit).collect();
        let mut reduced = Reduced { rows: self.rows[..count].to_vec(), combinations, pivots: Vec::new() };
        let mut top = 0;
        for column in 0..self.columns {
            let pivot = reduced.eliminate(top, column)?;
            reduced.pivots.push(pivot);
            top += usize::from(pivot.is_some());
        }
        Some(reduced)
    }
}

struct Reduced {
    rows: Vec<Vec<i64>>,
    /// Each row as a combination of the original ones.
    combinations: Vec<Vec<i64>>,
    /// The pivot of each column, positive.
    pivots: Vec<Option<i64>>,
}

impl Reduced {
    fn rank(&self) -> usize {
        self.pivots.iter().flatten().count()
    }

    /// The column's pivot row has no other unknown in it.
    fn is_alone(&self, column: usize) -> bool {
        let row = self.pivots[..column].iter().flatten().count();
        self.rows.get(row).is_some_and(|row| row.iter().filter(|&&x| x != 0).count() == 1)
    }

    /// Makes row `top` the only one at or below it with an entry in `column` (Euclid's algorithm on rows), and
    /// takes it out of the rows above if it is 1. The pivot, if there is one.
    fn eliminate(&mut self, top: usize, column: usize) -> Option<Option<i64>> {
        loop {
            let below = (top..self.rows.len()).filter(|&row| self.rows[row][column] != 0);
            let Some(least) = below.min_by_key(|&row| self.rows[row][column].unsigned_abs()) else {
                return Some(None);
            };
            self.swap(top, least);
            if self.rows[top][column] < 0 {
                self.negate(top)?;
            }
            let pivot = self.rows[top][column];
            for row in top + 1..self.rows.len() {
                self.subtract(row, top, self.rows[row][column].div_euclid(pivot))?;
            }
            if (top + 1..self.rows.len()).all(|row| self.rows[row][column] == 0) {
                for row in 0..top {
                    self.subtract(row, top, self.rows[row][column].div_euclid(pivot))?;
                }
                return Some(Some(pivot));
            }
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.rows.swap(a, b);
        self.combinations.swap(a, b);
    }
    fn negate(&mut self, row: usize) -> Option<()> {
        for x in self.rows[row].iter_mut().chain(&mut self.combinations[row]) {
            *x = x.checked_neg()?;
        }
        Some(())
    }
    /// `row -= factor * other`
    fn subtract(&mut self, row: usize, other: usize, factor: i64) -> Option<()> {
        for side in [&mut self.rows, &mut self.combinations] {
            let from = side[other].clone();
            for (x, y) in side[row].iter_mut().zip(from) {
                *x = x.checked_sub(y.checked_mul(factor)?)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonals_are_solved() {
        let matrix = Matrix::new(vec![vec![-1, 1], vec![1, 0]], 2);
        let Some(Solution::Inverse(inverse)) = matrix.solve() else { panic!("not invertible") };
        assert_eq!(inverse, [[0, 1], [1, 1]]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let check = |rows: Vec<Vec<i64>>, wanted: (&[usize], &[usize])| {
            let Some(Solution::None { redundant, unsolved }) = Matrix::new(rows, 2).solve() else {
                panic!("invertible")
            };
            assert_eq!((&redundant[..], &unsolved[..]), wanted);
        };
        check(vec![vec![1, 0], vec![1, 0]], (&[1], &[1]));
        check(vec![vec![1, 1]], (&[], &[0, 1]));
        check(vec![vec![2, 0], vec![0, 1]], (&[], &[0]));
        check(vec![vec![1, 0], vec![0, 1], vec![0, 0]], (&[2], &[]));
    }
}
