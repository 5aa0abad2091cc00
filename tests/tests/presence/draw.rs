//! Programs: tensors with empty rows, stored zeros and infinities, and one kernel over them.

use nnz_tests::kernels::random::Random;

use crate::{
    numbers::Numbers,
    tree::{Condition, Tree, Var},
};

/// A tensor, over variables that each run over one of four ranges.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) ranges: Vec<usize>,
    /// Without an encoding: an entry everywhere.
    pub(crate) dense: bool,
    pub(crate) entries: Vec<(Vec<usize>, f64)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// How far the variables of each range run.
    pub(crate) sizes: [usize; 4],
    pub(crate) numbers: Numbers,
    /// The range of each variable.
    pub(crate) vars: Vec<usize>,
    /// The coordinate that stands in the text in place of a variable, of those that have only one.
    pub(crate) fixed: Vec<Option<usize>>,
    pub(crate) tensors: Vec<Tensor>,
    /// The variables of the result.
    pub(crate) left: Vec<Var>,
    pub(crate) dense_result: bool,
    /// The tensor that it updates, and how.
    pub(crate) update: Option<(usize, &'static str)>,
    pub(crate) right: Tree,
}

pub(crate) struct Maker {
    pub(crate) random: Random,
    pub(crate) program: Program,
    special: bool,
}

impl Maker {
    pub(crate) fn program(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let sizes = [(); 4].map(|()| random.pick(&[0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4]));
        let numbers = if random.chance(25) { Numbers::Integers } else { Numbers::Floats };
        let special = numbers == Numbers::Floats && random.chance(60);
        let mut left: Vec<Var> = (0..random.pick(&[0, 1, 1, 1, 2, 2, 2])).collect();
        if random.chance(40) {
            left.reverse();
        }
        let program = Program {
            sizes,
            numbers,
            vars: vec![0, 1],
            fixed: vec![None; 2],
            tensors: Vec::new(),
            left: left.clone(),
            dense_result: random.chance(35),
            update: None,
            right: Tree::Number(0.0),
        };
        let mut maker = Maker { random, program, special };
        let depth = maker.random.pick(&[1, 2, 2, 3, 3]);
        let updates = !left.is_empty() && maker.random.chance(25);
        let reduces = left.is_empty() || updates && maker.random.chance(50);
        let mut right = if reduces { maker.reduction(&left, depth) } else { maker.expr(&left, depth) };
        for var in &left {
            if !right.uses(*var) {
                let op = maker.random.pick(&["+", "*"]);
                right = Tree::Binary(op, Box::new(right), Box::new(maker.access_of(&[*var])));
            }
        }
        maker.program.right = right;
        if updates {
            let ranges = left.iter().map(|var| maker.program.vars[*var]).collect();
            let tensor = maker.new_tensor(ranges);
            maker.program.update = Some((tensor, maker.random.pick(&["+=", "-=", "*=", "/=", "min=", "max="])));
            maker.program.dense_result = maker.program.tensors[tensor].dense;
        }
        maker.program
    }

    /// A number that is stored.
    fn value(&mut self) -> f64 {
        if self.special && self.random.chance(25) {
            return self.random.pick(&[f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
        }
        self.random.pick(&[0.0, 0.0, 1.0, 2.0, 4.0, -1.0, -2.0, -3.0, 3.0])
    }

    fn new_tensor(&mut self, ranges: Vec<usize>) -> usize {
        let dense = self.random.chance(15);
        let percent = if dense { 100 } else { self.random.pick(&[0, 0, 20, 50, 80]) };
        let sizes = self.program.sizes;
        let mut places: Vec<Vec<usize>> = vec![Vec::new()];
        for range in &ranges {
            places = places.iter().flat_map(|at| (0..sizes[*range]).map(|x| [&at[..], &[x]].concat())).collect();
        }
        places.retain(|_| self.random.chance(percent));
        let entries = places.into_iter().map(|place| (place, self.value())).collect();
        self.program.tensors.push(Tensor { ranges, dense, entries });
        self.program.tensors.len() - 1
    }

    fn access_of(&mut self, vars: &[Var]) -> Tree {
        let ranges: Vec<usize> = vars.iter().map(|var| self.program.vars[*var]).collect();
        let known: Vec<usize> =
            (0..self.program.tensors.len()).filter(|at| self.program.tensors[*at].ranges == ranges).collect();
        let tensor = match known.is_empty() || self.random.chance(60) {
            true => self.new_tensor(ranges),
            false => self.random.pick(&known),
        };
        Tree::Access(tensor, vars.to_vec())
    }

    /// A new variable of a range.
    fn new_var(&mut self, range: usize, fixed: Option<usize>) -> Var {
        self.program.vars.push(range);
        self.program.fixed.push(fixed);
        self.program.vars.len() - 1
    }

    /// Some coordinate of a range; `None` if it has none.
    fn fixed(&mut self, range: usize) -> Option<Var> {
        let size = self.program.sizes[range];
        let at = (size > 0).then(|| self.random.below(size))?;
        Some(self.new_var(range, Some(at)))
    }

    fn access(&mut self, within: &[Var]) -> Tree {
        if within.is_empty() {
            let fixed = if self.random.chance(40) { self.fixed(0) } else { None };
            let Some(var) = fixed else { return self.number() };
            return self.access_of(&[var]);
        }
        let rank = 1 + self.random.below(within.len().min(3));
        let mut vars = within.to_vec();
        while vars.len() > rank {
            let at = self.random.below(vars.len());
            vars.remove(at);
        }
        if self.random.chance(40) {
            vars.reverse();
        }
        let at = self.random.below(vars.len());
        if self.random.chance(8)
            && let Some(fixed) = self.fixed(self.program.vars[vars[at]])
        {
            vars[at] = fixed;
        }
        self.access_of(&vars)
    }

    fn number(&mut self) -> Tree {
        Tree::Number(self.random.pick(&[0.0, 1.0, 1.0, 2.0, 3.0]))
    }

    fn boxed(&mut self, within: &[Var], depth: usize) -> Box<Tree> {
        Box::new(self.expr(within, depth))
    }

    fn arm(&mut self, within: &[Var], depth: usize, percent: usize) -> Option<Box<Tree>> {
        self.random.chance(percent).then(|| self.boxed(within, depth))
    }

    pub(crate) fn expr(&mut self, within: &[Var], depth: usize) -> Tree {
        if depth == 0 {
            return if self.random.chance(88) { self.access(within) } else { self.number() };
        }
        let below = depth - 1;
        match self.random.below(100) {
            0..15 => Tree::Binary("*", self.boxed(within, below), self.boxed(within, below)),
            15..28 => {
                let op = self.random.pick(&["+", "-"]);
                Tree::Binary(op, self.boxed(within, below), self.boxed(within, below))
            }
            28..33 => Tree::Binary(self.quotient(), self.boxed(within, below), self.boxed(within, below)),
            33..39 => Tree::Neg(self.boxed(within, below)),
            39..44 => {
                let op = self.random.pick(&["min", "max"]);
                Tree::Binary(op, self.boxed(within, below), self.boxed(within, below))
            }
            44..48 => {
                let names = ["abs", "sign", "square", "relu", "floor", "exp", "cos"];
                let of_integers = self.program.numbers == Numbers::Integers;
                let name = self.random.pick(if of_integers { &names[..4] } else { &names[..] });
                Tree::Function(name, self.boxed(within, below))
            }
            48..51 => Tree::Holds(Box::new(self.condition(within, below, false))),
            51..56 => Tree::Select(Box::new(self.condition(within, below, true)), self.boxed(within, below), None),
            56..60 => {
                let (cond, then) = (self.condition(within, below, true), self.boxed(within, below));
                let other =
                    if self.random.chance(40) { Box::new(Tree::Number(0.0)) } else { self.boxed(within, below) };
                Tree::Select(Box::new(cond), then, Some(other))
            }
            60..66 => self.unary(within, below),
            66..73 => self.regions(within, below),
            73..97 => self.reduction(within, below),
            _ => self.access(within),
        }
    }

    fn quotient(&self) -> &'static str {
        match self.program.numbers {
            Numbers::Floats => "/",
            Numbers::Integers => "//",
        }
    }

    fn unary(&mut self, within: &[Var], depth: usize) -> Tree {
        let of = if self.random.chance(70) { 0 } else { depth };
        let of = self.boxed(within, of);
        let (present, absent) = (self.arm(within, depth, 80), self.arm(within, depth, 40));
        let neither = present.is_none() && absent.is_none();
        let present = if neither { Some(self.boxed(within, depth)) } else { present };
        Tree::Unary { of, present, absent }
    }

    fn regions(&mut self, within: &[Var], depth: usize) -> Tree {
        let of = [(); 2].map(|()| {
            let depth = if self.random.chance(70) { 0 } else { depth };
            self.boxed(within, depth)
        });
        let mut regions = [(); 3].map(|()| self.arm(within, depth, 60));
        if regions.iter().all(Option::is_none) {
            regions[0] = Some(self.boxed(within, depth));
        }
        Tree::Regions { of, regions }
    }

    fn condition(&mut self, within: &[Var], depth: usize, of_variables: bool) -> Condition {
        let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        if of_variables && !within.is_empty() && self.random.chance(35) {
            let (a, b) = (self.random.pick(within), self.random.pick(within));
            return Condition::Variables(op, a, Some(b).filter(|b| *b != a), self.random.pick(&[0, 0, 1]));
        }
        let a = if self.random.chance(30) { self.expr(within, depth.saturating_sub(1)) } else { self.access(within) };
        let b = if self.random.chance(40) { self.access(within) } else { self.number() };
        Condition::Values(op, a, b)
    }

    fn reduction(&mut self, within: &[Var], depth: usize) -> Tree {
        let mut bound = Vec::new();
        for _ in 0..if self.random.chance(15) { 2 } else { 1 } {
            let range = self.random.below(4);
            bound.push(self.new_var(range, None));
        }
        let inside = [within, &bound].concat();
        if bound.len() == 1 && self.random.chance(30) {
            let of = [(); 2].map(|()| {
                let depth = if self.random.chance(70) { 0 } else { depth };
                self.boxed(&inside, depth)
            });
            let combine = self.random.pick(&["plus", "plus", "min", "max", "any"]);
            // Whichever term comes, it is the same.
            let terms: &[&str] = if combine == "any" {
                &["pair"]
            } else {
                &["times", "plus", "first", "second", "pair", "minus", "max"]
            };
            let term = self.random.pick(terms);
            let mut tree = Tree::Semiring { combine, term, var: bound[0], of };
            self.use_all(&mut tree, &bound, within);
            return tree;
        }
        let mut op =
            self.random.pick(&["sum", "sum", "sum", "sum", "prod", "min", "max", "max", "reduce", "count", "from3"]);
        if bound.len() == 1 && self.random.chance(12) {
            op = self.random.pick(&["argmin", "argmax"]);
        }
        let over_stored = self.random.chance(35);
        let mut body = self.boxed(&inside, depth);
        if self.random.chance(10) {
            op = self.random.pick(&["every", "some"]);
            if self.random.chance(70) {
                body = Box::new(Tree::Holds(Box::new(self.condition(&inside, depth, false))));
            }
        }
        let mut tree = Tree::Reduce { op, over_stored, vars: bound.clone(), body };
        self.use_all(&mut tree, &bound, within);
        tree
    }

    /// Puts every variable that a reduction binds to use.
    fn use_all(&mut self, tree: &mut Tree, bound: &[Var], within: &[Var]) {
        for var in bound {
            let body = match tree {
                Tree::Reduce { body, .. } => body,
                Tree::Semiring { of: [_, second], .. } => second,
                _ => return,
            };
            if body.uses(*var) {
                continue;
            }
            let mut vars = vec![*var];
            if !within.is_empty() && self.random.chance(50) {
                vars.push(self.random.pick(within));
            }
            let access = Box::new(self.access_of(&vars));
            let op = self.random.pick(&["*", "+"]);
            let old = std::mem::replace(body, Box::new(Tree::Number(0.0)));
            **body = Tree::Binary(op, old, access);
        }
    }
}
