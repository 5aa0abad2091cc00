//! Expressions: a tree over tensors and index variables, and its text.

use crate::numbers::Numbers;

/// An index variable: its number in the program.
pub(crate) type Var = usize;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Access(usize, Vec<Var>),
    Number(f64),
    Neg(Box<Tree>),
    /// `abs`, `exp`, ...
    Function(&'static str, Box<Tree>),
    /// `+ - * / min max`, and `//` for the quotient of integers, which is not multiplied out.
    Binary(&'static str, Box<Tree>, Box<Tree>),
    /// As a number.
    Holds(Box<Condition>),
    Select(Box<Condition>, Box<Tree>, Option<Box<Tree>>),
    Unary {
        of: Box<Tree>,
        present: Option<Box<Tree>>,
        absent: Option<Box<Tree>>,
    },
    /// `binary`, with its regions `overlap`, `left`, `right`.
    Regions {
        of: [Box<Tree>; 2],
        regions: [Option<Box<Tree>>; 3],
    },
    Reduce {
        op: &'static str,
        over_stored: bool,
        vars: Vec<Var>,
        body: Box<Tree>,
    },
    /// A sum of `body` over the terms that are left in of `asked`, or that it has if it is a product over a semiring:
    /// factors were applied to them.
    Scaled {
        of_semiring: bool,
        vars: Vec<Var>,
        asked: Box<Tree>,
        body: Box<Tree>,
    },
    Semiring {
        combine: &'static str,
        term: &'static str,
        var: Var,
        of: [Box<Tree>; 2],
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    Values(&'static str, Tree, Tree),
    /// `i < j + 1`
    Variables(&'static str, Var, Option<Var>, i64),
}

/// How an expression is written: the names of tensors and variables, the orders of dimensions, and whether operands that
/// may change places do.
pub(crate) struct Writing<'w> {
    pub(crate) tensor: &'w dyn Fn(usize) -> String,
    pub(crate) var: &'w dyn Fn(Var) -> String,
    pub(crate) swapped: bool,
    /// Whether a number is a scalar with a name; it may be one in one place and not in another.
    pub(crate) named: &'w dyn Fn() -> bool,
    pub(crate) numbers: Numbers,
    /// Filters by variables are factors.
    pub(crate) products: bool,
}

impl Writing<'_> {
    pub(crate) fn text(&self, tree: &Tree) -> String {
        match tree {
            Tree::Access(tensor, vars) => format!("{}({})", (self.tensor)(*tensor), self.vars(vars)),
            Tree::Number(number) if NAMED.contains(number) && (self.named)() => format!("S{number}"),
            Tree::Number(number) => number_text(self.numbers, *number),
            Tree::Neg(a) => format!("(-{})", self.text(a)),
            Tree::Function(name, a) => format!("{name}({})", self.text(a)),
            Tree::Binary(op, a, b) => {
                let commutes = self.swapped && matches!(*op, "+" | "*" | "min" | "max");
                let [a, b] = if commutes { [b, a] } else { [a, b] }.map(|part| self.text(part));
                match *op {
                    "min" | "max" => format!("{op}({a}, {b})"),
                    "//" => format!("({a} / {b})"),
                    _ => format!("({a} {op} {b})"),
                }
            }
            Tree::Holds(cond) => format!("{}({})", self.numbers.element(), self.condition(cond)),
            // A zero that variables choose is one of the text.
            Tree::Select(cond, then, Some(other))
                if matches!(**cond, Condition::Variables(..)) && **other == Tree::Number(0.0) =>
            {
                format!("select({}, {}, 0.0)", self.condition(cond), self.text(then))
            }
            Tree::Select(cond, then, other)
                if matches!(**cond, Condition::Variables(..)) && **then == Tree::Number(0.0) =>
            {
                format!("select({}, 0.0{})", self.condition(cond), self.arm("", other))
            }
            Tree::Select(cond, then, None)
                if self.products && matches!(**cond, Condition::Variables(..)) && !then.reduces() =>
            {
                let [a, b] = [format!("({})", self.condition(cond)), self.text(then)];
                if self.swapped { format!("({b} * {a})") } else { format!("({a} * {b})") }
            }
            Tree::Select(cond, then, other) => {
                format!("select({}, {}{})", self.condition(cond), self.text(then), self.arm("", other))
            }
            Tree::Unary { of, present, absent } => {
                let arms = self.arm("present = ", present) + &self.arm("absent = ", absent);
                format!("unary({}{arms})", self.text(of))
            }
            Tree::Regions { of, regions: [overlap, left, right] } => {
                let [first, second] = if self.swapped { [&of[1], &of[0]] } else { [&of[0], &of[1]] };
                let [left, right] = if self.swapped { [right, left] } else { [left, right] };
                let arms = self.arm("overlap = ", overlap) + &self.arm("left = ", left) + &self.arm("right = ", right);
                format!("binary({}, {}{arms})", self.text(first), self.text(second))
            }
            Tree::Reduce { op: op @ ("every" | "some"), over_stored, vars, body } => {
                let over = if *over_stored { ", over = stored" } else { "" };
                let op = if *op == "every" { "all" } else { "any" };
                format!("{}({op}({}, {}{over}))", self.numbers.element(), self.vars(vars), self.truth(body))
            }
            Tree::Reduce { op, over_stored, vars, body } => {
                let over = if *over_stored { ", over = stored" } else { "" };
                let (op, combine) = match *op {
                    "reduce" => ("reduce", ", combine = left + right * right, identity = 0"),
                    "count" => ("reduce", ", combine = left + 1, identity = 0"),
                    "from3" => ("reduce", ", combine = left + right, identity = 3"),
                    op => (op, ""),
                };
                let text = format!("{op}({}, {}{combine}{over})", self.vars(vars), self.text(body));
                // A place is a whole number.
                if op.starts_with("arg") { format!("{}({text})", self.numbers.element()) } else { text }
            }
            Tree::Scaled { vars, body, .. } => format!("sum({}, {}, over = stored)", self.vars(vars), self.text(body)),
            Tree::Semiring { combine, term, var, of: [a, b] } => {
                format!("{combine}_{term}({}, {}, {})", (self.var)(*var), self.text(a), self.text(b))
            }
        }
    }

    /// A number as a condition.
    fn truth(&self, tree: &Tree) -> String {
        match tree {
            Tree::Holds(cond) => self.condition(cond),
            other => format!("{} != 0", self.text(other)),
        }
    }

    fn arm(&self, name: &str, arm: &Option<Box<Tree>>) -> String {
        arm.as_ref().map_or(String::new(), |arm| format!(", {name}{}", self.text(arm)))
    }

    pub(crate) fn vars(&self, vars: &[Var]) -> String {
        vars.iter().map(|var| (self.var)(*var)).collect::<Vec<_>>().join(", ")
    }

    fn condition(&self, cond: &Condition) -> String {
        match cond {
            Condition::Values(op, a, b) => format!("{} {op} {}", self.text(a), self.text(b)),
            Condition::Variables(op, a, None, by) => format!("{} {op} {by}", (self.var)(*a)),
            Condition::Variables(op, a, Some(b), by) => format!("{} {op} {} + {by}", (self.var)(*a), (self.var)(*b)),
        }
    }
}

/// The numbers that have names.
const NAMED: [f64; 4] = [0.0, 1.0, 2.0, 3.0];

/// The definitions of their names.
pub(crate) fn scalars(numbers: Numbers) -> String {
    NAMED.map(|number| format!("S{number} : {} = {number}\n", numbers.element())).concat()
}

pub(crate) fn number_text(numbers: Numbers, number: f64) -> String {
    match number {
        _ if numbers == Numbers::Integers => format!("{}", number as i32),
        _ if number.is_nan() => "nan".to_string(),
        _ if number.is_infinite() => if number > 0.0 { "inf" } else { "-inf" }.to_string(),
        _ => format!("{number:?}"),
    }
}

impl Tree {
    pub(crate) fn parts(&self) -> Vec<&Tree> {
        match self {
            Tree::Access(..) | Tree::Number(_) => Vec::new(),
            Tree::Neg(a) | Tree::Function(_, a) | Tree::Reduce { body: a, .. } => vec![a],
            Tree::Binary(_, a, b) => vec![a, b],
            Tree::Holds(cond) => cond.parts(),
            Tree::Select(cond, then, other) => {
                cond.parts().into_iter().chain([&**then]).chain(other.as_deref()).collect()
            }
            Tree::Unary { of, present, absent } => {
                [&**of].into_iter().chain(present.as_deref()).chain(absent.as_deref()).collect()
            }
            Tree::Regions { of: [a, b], regions } => {
                [&**a, &**b].into_iter().chain(regions.iter().filter_map(|arm| arm.as_deref())).collect()
            }
            Tree::Scaled { asked, body, .. } => vec![asked, body],
            Tree::Semiring { of: [a, b], .. } => vec![a, b],
        }
    }

    /// The variables that it names, those that reductions bind among them.
    pub(crate) fn uses(&self, var: Var) -> bool {
        match self {
            Tree::Access(_, vars) => vars.contains(&var),
            Tree::Holds(cond) | Tree::Select(cond, ..) if cond.uses(var) => true,
            _ => self.parts().into_iter().any(|part| part.uses(var)),
        }
    }

    fn reduces(&self) -> bool {
        self.nodes().into_iter().any(|node| matches!(node, Tree::Reduce { .. } | Tree::Semiring { .. }))
    }

    /// It and all within.
    pub(crate) fn nodes(&self) -> Vec<&Tree> {
        let mut nodes = vec![self];
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            nodes.extend(node.parts());
            at += 1;
        }
        nodes
    }
}

impl Condition {
    fn parts(&self) -> Vec<&Tree> {
        match self {
            Condition::Values(_, a, b) => vec![a, b],
            Condition::Variables(..) => Vec::new(),
        }
    }

    fn uses(&self, var: Var) -> bool {
        match self {
            Condition::Values(_, a, b) => a.uses(var) || b.uses(var),
            Condition::Variables(_, a, b, _) => *a == var || *b == Some(var),
        }
    }
}

impl Tree {
    /// The same with the largest parts for which `change` gives another one replaced.
    pub(crate) fn changed(&self, change: &dyn Fn(&Tree) -> Option<Tree>) -> Tree {
        if let Some(other) = change(self) {
            return other;
        }
        let one = |part: &Tree| Box::new(part.changed(change));
        let arm = |arm: &Option<Box<Tree>>| arm.as_deref().map(one);
        match self {
            Tree::Access(..) | Tree::Number(_) => self.clone(),
            Tree::Neg(a) => Tree::Neg(one(a)),
            Tree::Function(name, a) => Tree::Function(name, one(a)),
            Tree::Binary(op, a, b) => Tree::Binary(op, one(a), one(b)),
            Tree::Holds(cond) => Tree::Holds(Box::new(cond.changed(change))),
            Tree::Select(cond, then, other) => Tree::Select(Box::new(cond.changed(change)), one(then), arm(other)),
            Tree::Unary { of, present, absent } => {
                Tree::Unary { of: one(of), present: arm(present), absent: arm(absent) }
            }
            Tree::Regions { of: [a, b], regions: [overlap, left, right] } => {
                Tree::Regions { of: [one(a), one(b)], regions: [arm(overlap), arm(left), arm(right)] }
            }
            Tree::Reduce { op, over_stored, vars, body } => {
                Tree::Reduce { op, over_stored: *over_stored, vars: vars.clone(), body: one(body) }
            }
            Tree::Scaled { of_semiring, vars, asked, body } => {
                Tree::Scaled { of_semiring: *of_semiring, vars: vars.clone(), asked: one(asked), body: one(body) }
            }
            Tree::Semiring { combine, term, var, of: [a, b] } => {
                Tree::Semiring { combine, term, var: *var, of: [one(a), one(b)] }
            }
        }
    }
}

impl Condition {
    pub(crate) fn changed(&self, change: &dyn Fn(&Tree) -> Option<Tree>) -> Condition {
        match self {
            Condition::Values(op, a, b) => Condition::Values(op, a.changed(change), b.changed(change)),
            Condition::Variables(..) => self.clone(),
        }
    }
}
