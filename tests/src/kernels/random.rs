//! Random encodings and tensors, each a function of a seed.

use std::sync::Arc;

use nnz_core::{
    arrays::Width,
    encoding::{
        Affine, COUNT, DeltaBits, Dimension, Encoding, EncodingParts, Layout, Level, LevelFormat, NOutOfM, Props, named,
    },
    ids::{Dim, Sym},
};

/// SplitMix64 (Steele 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0xD1B5_4A32_D192_ED03))
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Small whole numbers, none of them zero; `percent` of the entries.
    pub fn entries(&mut self, count: usize, percent: usize) -> Vec<f64> {
        let value = |this: &mut Self| this.pick(&[-3.0, -2.0, -1.0, 1.0, 2.0, 4.0]);
        (0..count).map(|_| if self.chance(percent) { value(self) } else { 0.0 }).collect()
    }

    /// A legal encoding of `rank` dimensions; half of them have a level that is not dense or batch.
    pub fn encoding(&mut self, rank: usize) -> Arc<Encoding> {
        loop {
            let parts = self.parts(rank);
            if let Ok(encoding) = Encoding::new(parts) {
                return Arc::new(encoding);
            }
        }
    }

    /// A format that people use: random ones are seldom among them.
    pub fn well_known(&mut self, rank: usize) -> Option<Arc<Encoding>> {
        if rank == 2 && self.chance(15) {
            let sizes = [1, 2, 3].map(|_| self.pick(&[1, 2, 3, 4]));
            return named::lookup(self.pick(&["BSR", "BSC", "BSRLeft"]), &sizes[..2], None).ok().map(Arc::new);
        }
        let names: &[&str] = match rank {
            1 => &["SparseVector"],
            2 => &["CSR", "CSC", "COO", "DCSR", "DCSC"],
            _ => &["CSF", "COO"],
        };
        named::lookup(self.pick(names), &[], Some(rank)).ok().map(Arc::new)
    }

    /// Dimensions in some order, at times in blocks, whose levels are looked up or walked.
    pub fn located(&mut self, rank: usize) -> Arc<Encoding> {
        loop {
            let mut levels = Vec::new();
            for expr in self.level_exprs(rank) {
                let compressed = LevelFormat::Compressed(Props::default());
                let formats = [LevelFormat::Bitmap, LevelFormat::Hashed, LevelFormat::Dense, compressed];
                let format = self.pick(&formats);
                levels.push(Level { name: None, expr, format });
            }
            if let Ok(encoding) = Encoding::new(self.around(rank, levels)) {
                return Arc::new(encoding);
            }
        }
    }

    /// One whose every level is dense, and a dimension or a part of a block.
    pub fn dense_encoding(&mut self, rank: usize) -> Arc<Encoding> {
        let of_dim = |pair: Option<(&Affine<Dim>, i64)>| pair.is_some_and(|(e, _)| e.as_var().is_some());
        let plain = |level: &Level| {
            level.expr.as_var().is_some() || of_dim(level.expr.as_floordiv()) || of_dim(level.expr.as_mod())
        };
        loop {
            let mut parts = self.parts(rank);
            if !parts.levels.iter().all(plain) {
                continue;
            }
            parts.levels.iter_mut().for_each(|level| level.format = LevelFormat::Dense);
            if let Ok(encoding) = Encoding::new(parts) {
                return Arc::new(encoding);
            }
        }
    }

    /// Counts of a dimension, the dimension, and one coordinate of each of the others: ELL or jagged diagonals.
    fn counting_levels(&mut self, rank: usize) -> Vec<Level> {
        let dim = self.below(rank);
        let var = |at: usize| Affine::Var(Dim::new(at));
        let count = Affine::Mul(Box::new(var(dim)), Box::new(Affine::Sym(Sym(0))));
        let compressed = LevelFormat::Compressed(Props::default());
        let formats = [LevelFormat::Dense, compressed];
        let mut head = vec![(count, self.pick(&formats)), (var(dim), self.pick(&formats))];
        if self.chance(30) {
            head.swap(0, 1);
        }
        let singleton = LevelFormat::Singleton { props: Props::default(), layout: Layout::Soa };
        let rest = (0..rank).filter(|other| *other != dim).map(|other| (var(other), singleton));
        head.into_iter().chain(rest).map(|(expr, format)| Level { name: None, expr, format }).collect()
    }

    fn parts(&mut self, rank: usize) -> EncodingParts {
        if self.chance(8) {
            let levels = self.counting_levels(rank);
            return EncodingParts { symbols: vec![COUNT.into()], ..self.around(rank, levels) };
        }
        let exprs = self.level_exprs(rank);
        let batches = if self.chance(15) { self.below(rank) } else { 0 };
        let mut levels: Vec<Level> = Vec::new();
        let count = exprs.len();
        for (at, expr) in exprs.into_iter().enumerate() {
            let below = levels.last().map(|level| level.format);
            let after_diagonal = expr.as_var().is_some() && levels.iter().any(|above| mixes(&above.expr, &expr));
            let format = match at {
                _ if at < batches => LevelFormat::Batch,
                _ if after_diagonal && self.chance(50) => LevelFormat::Range,
                _ => self.format(below, at + 1 == count),
            };
            levels.push(Level { name: None, expr, format });
        }
        self.around(rank, levels)
    }

    /// Some widths.
    fn around(&mut self, rank: usize, levels: Vec<Level>) -> EncodingParts {
        let width = |this: &mut Self| this.pick(&[Width::Index, Width::W8, Width::W16, Width::W32, Width::W64]);
        EncodingParts {
            dims: (0..rank).map(|at| Dimension { name: format!("d{at}"), slice: None }).collect(),
            levels,
            pos_width: width(self),
            crd_width: width(self),
            ..Default::default()
        }
    }

    /// The dimensions in some order; at times some in blocks, the places in the blocks innermost.
    fn level_exprs(&mut self, rank: usize) -> Vec<Affine<Dim>> {
        let mut dims: Vec<usize> = (0..rank).collect();
        for at in (1..rank).rev() {
            let other = self.below(at + 1);
            dims.swap(at, other);
        }
        if rank > 1 && self.chance(10) {
            return self.diagonals(&dims);
        }
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for dim in dims {
            let var = || Box::new(Affine::Var(Dim::new(dim)));
            if self.chance(6) {
                let four = || Box::new(Affine::Const(4));
                let two = || Box::new(Affine::Const(2));
                outer.push(Affine::FloorDiv(var(), four()));
                inner.push(Affine::FloorDiv(Box::new(Affine::Mod(var(), four())), two()));
                inner.push(Affine::Mod(var(), two()));
            } else if self.chance(25) {
                let block = Box::new(Affine::Const(self.pick(&[2, 3, 4])));
                outer.push(Affine::FloorDiv(var(), block.clone()));
                inner.push(Affine::Mod(var(), block));
            } else {
                outer.push(*var());
            }
        }
        outer.extend(inner);
        outer
    }

    /// The difference of two of `dims`, then all but the first of these.
    fn diagonals(&mut self, dims: &[usize]) -> Vec<Affine<Dim>> {
        let var = |at: usize| Affine::Var(Dim::new(dims[at]));
        let mut exprs = vec![Affine::sub(var(0), var(1))];
        exprs.extend((1..dims.len()).map(var));
        exprs
    }

    fn format(&mut self, above: Option<LevelFormat>, last: bool) -> LevelFormat {
        let props = Props { nonunique: self.chance(30), nonordered: self.chance(20) };
        let in_run = above.is_some_and(|format| format.heads_tuples() || format.is_branchless());
        match self.below(10) {
            0..=2 => LevelFormat::Dense,
            3 => LevelFormat::LooseCompressed(props),
            4..=5 if in_run => LevelFormat::Singleton { props, layout: self.pick(&[Layout::Aos, Layout::Soa]) },
            6 if last => NOutOfM::new(2, 4).map_or(LevelFormat::Dense, LevelFormat::Structured),
            7 if self.chance(50) => self.pick(&[LevelFormat::Bitmap, LevelFormat::Hashed]),
            8 if last && self.chance(50) => LevelFormat::RunLength,
            7 => DeltaBits::new(1 + self.below(3) as u64).map_or(LevelFormat::Dense, LevelFormat::Delta),
            _ => LevelFormat::Compressed(props),
        }
    }
}

/// Whether a level adds the dimension to another or subtracts it.
fn mixes(expr: &Affine<Dim>, dim: &Affine<Dim>) -> bool {
    expr.vars().len() > 1 && dim.vars().iter().all(|dim| expr.vars().contains(dim))
}
