//! Expressions: made at random, written in the notation, evaluated.

use nnz_core::element::{Element, Scalar};
use nnz_tests::kernels::random::Random;
use num_complex::Complex;

use crate::arithmetic::{self, FUNCTIONS, VANISHING};

/// How long every vector is.
pub(crate) const SIZE: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Var {
    I,
    J,
}

#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Dense(Element, Var),
    Sparse(Element, Var),
    Number(Element, Scalar),
    Index(Element, Var),
    Unary(&'static str, Element, Box<Tree>),
    Binary(&'static str, Element, Box<Tree>, Box<Tree>),
    Compare(&'static str, Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
    /// `and`, `or`
    Logic(&'static str, Box<Tree>, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
    Convert(Element, Box<Tree>),
    /// Over every `j`; the body's type.
    Reduce(&'static str, Element, Box<Tree>),
    /// Over the stored ones alone.
    Stored(&'static str, Element, Box<Tree>),
}

fn name(element: Element) -> usize {
    Element::ALL.iter().position(|known| *known == element).unwrap()
}

/// The values of the dense vector of a type.
pub(crate) fn data(element: Element) -> [Option<Scalar>; SIZE] {
    let numbers: [f64; SIZE] = match element {
        Element::I1 => [1.0, 0.0, 1.0, 1.0, 0.0],
        Element::I2 => [1.0, -2.0, 0.0, -1.0, 1.0],
        _ if element.int_range().is_some_and(|(low, _)| low == 0) => [3.0, 0.0, 7.0, 2.0, 5.0],
        _ if element.is_integer() => [3.0, -4.0, 0.0, 7.0, -1.0],
        _ => [0.5, -2.25, 0.0, 3.0, -0.75],
    };
    numbers.map(|x| Some(value(element, x)))
}

/// The values of the sparse one; a zero is stored.
pub(crate) fn sparse_data(element: Element) -> [Option<Scalar>; SIZE] {
    let [a, b, ..] = data(element);
    [None, a, Some(element.zero()), None, b]
}

fn value(element: Element, x: f64) -> Scalar {
    match element {
        _ if element.is_complex() => Scalar::Complex(Complex::new(x, 0.5 - x)),
        _ if element.is_float() => Scalar::Float(x),
        _ => Scalar::Int(x as i128),
    }
}

pub(crate) fn literal(value: Scalar) -> String {
    match value {
        Scalar::Float(x) => format!("{x:?}"),
        Scalar::Int(x) => x.to_string(),
        Scalar::Complex(z) => format!("({:?}, {:?})", z.re, z.im),
    }
}

impl Tree {
    pub(crate) fn text(&self) -> String {
        let var = |var: &Var| if *var == Var::I { "i" } else { "j" };
        match self {
            Tree::Dense(element, at) => format!("d{}({})", name(*element), var(at)),
            Tree::Sparse(element, at) => format!("s{}({})", name(*element), var(at)),
            Tree::Number(element, number) => format!("{element}({})", literal(*number)),
            Tree::Index(element, at) => format!("{element}({})", var(at)),
            Tree::Unary("-", _, a) => format!("(-({}))", a.text()),
            Tree::Unary(name, _, a) => format!("{name}({})", a.text()),
            Tree::Binary(op @ ("+" | "-" | "*" | "/"), _, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Tree::Binary(name, _, a, b) => format!("{name}({}, {})", a.text(), b.text()),
            Tree::Compare(op, a, b) | Tree::Logic(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Tree::Not(a) => format!("(not {})", a.text()),
            Tree::Select(cond, a, b) => format!("select({}, {}, {})", cond.text(), a.text(), b.text()),
            Tree::Convert(element, a) => format!("{element}({})", a.text()),
            Tree::Reduce("norm", _, a) => {
                format!("reduce(j = 0:{SIZE}, {}, combine = left + right * right, identity = 0)", a.text())
            }
            Tree::Reduce("reduce", _, a) => {
                format!("reduce(j = 0:{SIZE}, {}, combine = left - right * right, identity = 1)", a.text())
            }
            Tree::Reduce(name, _, a) => format!("{name}(j = 0:{SIZE}, {})", a.text()),
            Tree::Stored(name, _, a) => format!("{name}(j = 0:{SIZE}, {}, over = stored)", a.text()),
        }
    }

    fn element(&self) -> Element {
        match self {
            Tree::Dense(element, _) | Tree::Sparse(element, _) | Tree::Number(element, _) => *element,
            Tree::Index(element, _) | Tree::Unary(_, element, _) | Tree::Binary(_, element, ..) => *element,
            Tree::Convert(element, _) | Tree::Reduce(_, element, _) | Tree::Stored(_, element, _) => *element,
            Tree::Compare(..) | Tree::Not(_) | Tree::Logic(..) => Element::I1,
            Tree::Select(_, a, _) => a.element(),
        }
    }

    fn or_zero(&self, i: usize, j: usize) -> Scalar {
        self.value(i, j).unwrap_or(self.element().zero())
    }

    fn holds(&self, i: usize, j: usize) -> bool {
        !self.or_zero(i, j).is_zero()
    }

    /// The value at `i` and `j`; `None` where it is absent.
    pub(crate) fn value(&self, i: usize, j: usize) -> Option<Scalar> {
        let at = |var: &Var| if *var == Var::I { i } else { j };
        let truth = |holds: bool| Scalar::Int(holds.into());
        match self {
            Tree::Dense(element, var) => data(*element)[at(var)],
            Tree::Sparse(element, var) => sparse_data(*element)[at(var)],
            Tree::Number(_, number) => Some(*number),
            Tree::Index(element, var) => Some(arithmetic::convert(*element, Scalar::Int(at(var) as i128))),
            Tree::Unary(name, element, a) => match a.value(i, j) {
                None if VANISHING.contains(name) => None,
                value => Some(arithmetic::unary(name, *element, value.unwrap_or(element.zero()))),
            },
            Tree::Binary(name, element, a, b) => {
                let (x, y) = (a.value(i, j), b.value(i, j));
                match (*name, x, y) {
                    ("*" | "bitand", None, _) | ("*" | "bitand", _, None) | ("/" | "rem" | "mod", None, _) => None,
                    ("+" | "-" | "min" | "max" | "bitor" | "xor" | "atan2", None, None) => None,
                    ("+", Some(x), None) | ("+", None, Some(x)) | ("-", Some(x), None) => Some(x),
                    ("-", None, Some(y)) => Some(arithmetic::unary("-", *element, y)),
                    _ => {
                        let zero = element.zero();
                        Some(arithmetic::binary(name, *element, x.unwrap_or(zero), y.unwrap_or(zero)))
                    }
                }
            }
            Tree::Compare(op, a, b) => Some(truth(arithmetic::compare(op, a.or_zero(i, j), b.or_zero(i, j)))),
            Tree::Not(a) => Some(truth(!a.holds(i, j))),
            Tree::Logic(op, a, b) => {
                let (a, b) = (a.holds(i, j), b.holds(i, j));
                Some(truth(if *op == "and" { a && b } else { a || b }))
            }
            Tree::Select(cond, a, b) => {
                if cond.holds(i, j) {
                    a.value(i, j)
                } else {
                    b.value(i, j)
                }
            }
            Tree::Convert(element, a) => Some(arithmetic::convert(*element, a.value(i, j)?)),
            Tree::Reduce(name, element, a) => Some(reduce(name, *element, (0..SIZE).map(|j| a.or_zero(i, j)))),
            Tree::Stored(name, element, a) => {
                let stored = |j: &usize| a.any_stored(i, *j).unwrap_or(true);
                let terms: Vec<Scalar> = (0..SIZE).filter(stored).filter_map(|j| a.value(i, j)).collect();
                match terms.split_first() {
                    Some(_) => Some(reduce(name, *element, terms.into_iter())),
                    // No term: absent where that is zero, and else the identity.
                    None => Some(over_nothing(name, *element)).filter(|value| !value.is_zero()),
                }
            }
        }
    }

    /// Whether one of the sparse operands stores something at `i` and `j`; `None` where there is none. Reductions within stand
    /// for themselves.
    fn any_stored(&self, i: usize, j: usize) -> Option<bool> {
        let either = |parts: &[&Tree]| parts.iter().filter_map(|part| part.any_stored(i, j)).reduce(|a, b| a || b);
        match self {
            Tree::Sparse(..) => Some(self.value(i, j).is_some()),
            Tree::Dense(..) | Tree::Number(..) | Tree::Index(..) | Tree::Reduce(..) | Tree::Stored(..) => None,
            Tree::Unary(_, _, a) | Tree::Convert(_, a) | Tree::Not(a) => either(&[a]),
            Tree::Binary(_, _, a, b) | Tree::Compare(_, a, b) | Tree::Logic(_, a, b) => either(&[a, b]),
            Tree::Select(c, a, b) => either(&[c, a, b]),
        }
    }

    /// Whether it is plain from its form where it is absent: arithmetic on operands and numbers that are not zero.
    fn is_arithmetic(&self) -> bool {
        match self {
            Tree::Dense(..) | Tree::Sparse(..) | Tree::Index(..) => true,
            Tree::Number(_, number) => !number.is_zero(),
            Tree::Unary(name, _, a) => VANISHING.contains(name) && a.is_arithmetic(),
            Tree::Binary(name, _, a, b) => matches!(*name, "+" | "-" | "*") && a.is_arithmetic() && b.is_arithmetic(),
            Tree::Convert(_, a) => a.is_arithmetic(),
            _ => false,
        }
    }
}

/// What a reduction gives that has no term.
fn over_nothing(name: &str, element: Element) -> Scalar {
    let (low, high) = element.int_range().unwrap_or_default();
    let extreme = |int: i128, float: f64| if element.is_float() { Scalar::Float(float) } else { Scalar::Int(int) };
    match name {
        "prod" => arithmetic::convert(element, Scalar::Int(1)),
        "min" => extreme(high, f64::INFINITY),
        "max" => extreme(low, f64::NEG_INFINITY),
        _ => element.zero(),
    }
}

fn reduce(name: &str, element: Element, values: impl Iterator<Item = Scalar>) -> Scalar {
    let values: Vec<Scalar> = values.collect();
    let fold = |op: &str, start: Scalar| values.iter().fold(start, |a, b| arithmetic::binary(op, element, a, *b));
    let extreme = |op: &str| values[1..].iter().fold(values[0], |a, b| arithmetic::binary(op, element, a, *b));
    match name {
        "sum" => fold("+", element.zero()),
        "prod" => fold("*", arithmetic::convert(element, Scalar::Int(1))),
        "min" | "max" => extreme(name),
        "norm" => values
            .iter()
            .fold(element.zero(), |a, b| arithmetic::binary("+", element, a, arithmetic::binary("*", element, *b, *b))),
        "reduce" => values.iter().fold(arithmetic::convert(element, Scalar::Int(1)), |a, b| {
            arithmetic::binary("-", element, a, arithmetic::binary("*", element, *b, *b))
        }),
        "any" => Scalar::Int(values.iter().any(|value| !value.is_zero()).into()),
        _ => Scalar::Int(values.iter().all(|value| !value.is_zero()).into()),
    }
}

/// Makes expressions.
pub(crate) struct Maker {
    pub random: Random,
    /// Whether operands may be sparse. Operations that tell zeros apart by their sign are then left out,
    /// and so are those that make infinities of zeros.
    pub sparse: bool,
}

impl Maker {
    /// An expression of type `element`, in which `i` is bound.
    pub(crate) fn number(&mut self, element: Element, depth: usize) -> Tree {
        self.of(element, depth, false)
    }

    fn leaf(&mut self, element: Element, inner: bool) -> Tree {
        let var = if inner && self.random.chance(60) { Var::J } else { Var::I };
        match self.random.below(5) {
            0 => Tree::Number(element, if element == Element::I1 { Scalar::Int(1) } else { self.small(element) }),
            // A type that cannot hold every value of the variable is refused.
            1 if element.int_range().is_none_or(|(_, high)| high >= SIZE as i128) => Tree::Index(element, var),
            2 | 3 if self.sparse => Tree::Sparse(element, var),
            _ => Tree::Dense(element, var),
        }
    }

    fn small(&mut self, element: Element) -> Scalar {
        let signed = element.int_range().is_none_or(|(low, _)| low < 0);
        let x = self.random.pick(&[0.0, 1.0, if signed { -2.0 } else { 1.0 }]);
        value(element, x)
    }

    /// In the body of a reduction `j` is bound too.
    fn of(&mut self, element: Element, depth: usize, inner: bool) -> Tree {
        if depth == 0 {
            return self.leaf(element, inner);
        }
        let depth = depth - 1;
        match self.random.below(if inner { 8 } else { 9 }) {
            0 => self.leaf(element, inner),
            1 | 2 => self.unary(element, depth, inner),
            // Without a type of its own a condition counts in the type of what it is computed with.
            3 if element == Element::I1 => Tree::Convert(element, Box::new(self.condition(depth, inner))),
            3..=5 => self.binary(element, depth, inner),
            6 => {
                let cond = self.condition(depth, inner);
                let (a, b) = (self.of(element, depth, inner), self.of(element, depth, inner));
                Tree::Select(Box::new(cond), Box::new(a), Box::new(b))
            }
            7 => self.convert(element, depth, inner),
            _ => self.reduce(element, depth),
        }
    }

    fn unary(&mut self, element: Element, depth: usize, inner: bool) -> Tree {
        // nnz does not negate conditions.
        let mut names = if element == Element::I1 { vec!["square"] } else { vec!["-", "square"] };
        if !element.is_complex() {
            names.extend(["abs", "sign"]);
        }
        if element.is_integer() {
            names.push("bitnot");
        }
        if element.is_float() {
            names.extend(FUNCTIONS.iter().map(|(name, _)| *name));
        }
        let name = self.random.pick(&names);
        Tree::Unary(name, element, Box::new(self.of(element, depth, inner)))
    }

    fn binary(&mut self, element: Element, depth: usize, inner: bool) -> Tree {
        let mut names = vec!["+", "-", "*"];
        if !self.sparse {
            names.push("/");
        }
        if !element.is_complex() {
            names.extend(["min", "max"]);
        }
        if !element.is_complex() && !self.sparse {
            names.extend(["rem", "mod"]);
        }
        if element.is_integer() {
            names.extend(["bitand", "bitor", "xor"]);
        }
        if element.is_float() && !self.sparse {
            names.extend(["pow", "atan2"]);
        }
        let name = self.random.pick(&names);
        let (a, b) = (self.of(element, depth, inner), self.of(element, depth, inner));
        Tree::Binary(name, element, Box::new(a), Box::new(b))
    }

    fn condition(&mut self, depth: usize, inner: bool) -> Tree {
        match self.random.below(5) {
            0 => Tree::Not(Box::new(self.condition(depth.saturating_sub(1), inner))),
            1 => {
                let op = self.random.pick(&["and", "or"]);
                let (a, b) = (self.condition(depth.saturating_sub(1), inner), self.condition(depth / 2, inner));
                Tree::Logic(op, Box::new(a), Box::new(b))
            }
            2 if !inner => {
                let name = self.random.pick(&["any", "all"]);
                Tree::Reduce(name, Element::I1, Box::new(self.condition(depth.saturating_sub(1), true)))
            }
            _ => {
                let element = self.random.pick(Element::ALL);
                let ordered = ["==", "!=", "<", "<=", ">", ">="];
                let op = self.random.pick(if element.is_complex() { &ordered[..2] } else { &ordered });
                let (a, b) = (self.of(element, depth / 2, inner), self.of(element, depth / 2, inner));
                Tree::Compare(op, Box::new(a), Box::new(b))
            }
        }
    }

    fn convert(&mut self, to: Element, depth: usize, inner: bool) -> Tree {
        let from = loop {
            let from = self.random.pick(Element::ALL);
            if to.is_complex() || !from.is_complex() {
                break from;
            }
        };
        Tree::Convert(to, Box::new(self.of(from, depth, inner)))
    }

    fn reduce(&mut self, element: Element, depth: usize) -> Tree {
        let mut names = vec!["sum", "prod", "reduce", "norm"];
        if !element.is_complex() {
            names.extend(["min", "max"]);
        }
        let name = self.random.pick(&names);
        let body = Box::new(self.of(element, depth, true));
        let known = body.is_arithmetic() && !matches!(name, "reduce" | "norm");
        if known && self.random.chance(50) {
            Tree::Stored(name, element, body)
        } else {
            Tree::Reduce(name, element, body)
        }
    }
}
