//! What operations on numbers give.

/// What programs compute with. Every `i32` is an `f64`, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Numbers {
    Floats,
    /// `i32`: they wrap, quotients truncate, and division by zero gives 0.
    Integers,
}

use Numbers::{Floats, Integers};

impl Numbers {
    pub(crate) fn element(self) -> &'static str {
        match self {
            Floats => "f64",
            Integers => "i32",
        }
    }

    /// The greatest value and the least.
    fn bounds(self) -> [f64; 2] {
        match self {
            Floats => [f64::INFINITY, f64::NEG_INFINITY],
            Integers => [i32::MAX, i32::MIN].map(f64::from),
        }
    }

    /// The terms of a reduction combined; what it gives without terms.
    pub(crate) fn combined(self, op: &str, terms: &[f64]) -> f64 {
        let [greatest, least] = self.bounds();
        let fold = |identity, op| terms.iter().fold(identity, |all, x| self.arithmetic(op, all, *x));
        match op {
            // A sum of floats starts from its first term.
            "sum" if terms.is_empty() => 0.0,
            "sum" if self == Floats => terms.iter().sum(),
            "sum" => fold(0.0, "+"),
            "prod" => fold(1.0, "*"),
            "min" => fold(greatest, "min"),
            "max" => fold(least, "max"),
            "reduce" => terms.iter().fold(0.0, |all, x| self.arithmetic("+", all, self.arithmetic("*", *x, *x))),
            "count" => terms.len() as f64,
            "from3" => fold(3.0, "+"),
            "every" => f64::from(u8::from(terms.iter().all(|x| *x != 0.0))),
            "some" => f64::from(u8::from(terms.iter().any(|x| *x != 0.0))),
            _ => terms.last().copied().unwrap_or(0.0),
        }
    }

    pub(crate) fn arithmetic(self, op: &str, a: f64, b: f64) -> f64 {
        match (self, op) {
            (_, "min") => lesser(a, b),
            (_, "max") => greater(a, b),
            (Floats, "+") => a + b,
            (Floats, "-") => a - b,
            (Floats, "*") => a * b,
            (Floats, _) => a / b,
            (Integers, op) => f64::from(whole(op, a as i32, b as i32)),
        }
    }

    pub(crate) fn negated(self, x: f64) -> f64 {
        match self {
            Floats => -x,
            Integers => f64::from((x as i32).wrapping_neg()),
        }
    }

    pub(crate) fn function(self, name: &str, x: f64) -> f64 {
        match (self, name) {
            (Integers, "abs") => f64::from((x as i32).wrapping_abs()),
            (Integers, "square") => self.arithmetic("*", x, x),
            _ => function(name, x),
        }
    }
}

fn whole(op: &str, a: i32, b: i32) -> i32 {
    match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 => 0,
        _ => a.wrapping_div(b),
    }
}

/// Whether a reduction counts each absent term as a zero of its own, and so is a value over all terms.
pub(crate) fn counts_zeros(op: &str) -> bool {
    matches!(op, "count" | "from3")
}

fn lesser(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

fn function(name: &str, x: f64) -> f64 {
    match name {
        "abs" => x.abs(),
        "sign" => {
            if x.is_nan() || x == 0.0 {
                x
            } else {
                x.signum()
            }
        }
        "floor" => x.floor(),
        "square" => x * x,
        "relu" => greater(x, 0.0),
        "exp" => x.exp(),
        _ => x.cos(),
    }
}

pub(crate) fn holds(op: &str, a: f64, b: f64) -> f64 {
    let holds = match op {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    };
    f64::from(u8::from(holds))
}
