//! Conditions on index variables as sparse operands.
//!
//! `i == j` holds at one `j` for every `i`, and `i < j` in a range, so loops need not test every coordinate. If a term
//! is absent wherever such a condition is false, the condition becomes an operand of type `i1` with an entry wherever
//! it holds. This operand is never stored: all its levels but the last are dense, and the coordinates of the last
//! follow from the others.

use std::{collections::BTreeMap, sync::Arc};

use super::{PlanError, Term, fold, is_random_access, split, zero};
use nnz_base::{
    element::{Element, Repr, Scalar},
    ids::{Dim, IndexVar, TensorId},
};
use nnz_encoding::{Affine, Dimension, Encoding, EncodingParts, Level, LevelFormat, Props};
use nnz_kernel::{Access, BinaryOp, CompareOp, Expr, Kernel, Tensor, UnaryOp};

/// `sum of factors * coordinates + offset  op  0`, a coordinate for each dimension of the tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The tensor that stands for it in the plan's kernel.
    pub tensor: TensorId,
    /// One for each dimension, none of them 0.
    pub factors: Vec<i64>,
    pub offset: i64,
    pub op: CompareOp,
}

impl Condition {
    /// Whether there is at most one coordinate for given values of the others.
    pub(crate) fn is_equation(&self) -> bool {
        self.op == CompareOp::Eq
    }

    /// Whether it holds below a bound rather than above one.
    pub(super) fn is_upper_bound(&self) -> bool {
        matches!(self.op, CompareOp::Lt | CompareOp::Le)
    }

    /// The largest number of coordinates at which the condition can hold in a tensor of this shape.
    pub fn most_entries(&self, shape: &[u64]) -> u64 {
        let longest = if self.is_equation() { shape.iter().copied().max().unwrap_or(1).max(1) } else { 1 };
        shape.iter().copied().fold(1, u64::saturating_mul) / longest
    }

    /// About how many of the `extent` coordinates of a dimension hold for given values of the others.
    pub(super) fn fiber(&self, extent: f64) -> f64 {
        if self.is_equation() { 1.0 } else { extent / 2.0 }
    }
}

/// The kernel with operands in place of conditions, if that makes terms sparse; else `None`.
pub(super) fn as_operands(kernel: &Kernel) -> Result<Option<(Kernel, Vec<Condition>)>, PlanError> {
    let is_sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    let mut found: Vec<Rule> = Vec::new();
    for term in split::terms(kernel, &is_sparse, false).1 {
        for rule in bounding(kernel, &term, &is_sparse) {
            if !found.contains(&rule) {
                found.push(rule);
            }
        }
    }
    if found.is_empty() { Ok(None) } else { rewritten(kernel, &found).map(Some) }
}

/// The conditions that bound the term: where all sparse operands are absent, the term is present, but it is absent once
/// these conditions are absent too. Empty if there are no such conditions, or none are needed.
fn bounding(kernel: &Kernel, term: &Term, is_sparse: &dyn Fn(&Access) -> bool) -> Vec<Rule> {
    let Some(left) = zero::simplify(kernel, &term.body, is_sparse) else { return Vec::new() };
    // A dense result is written everywhere in any case.
    let (target, dense) = (kernel.result(), is_random_access(kernel.tensor(kernel.result().tensor)));
    let saves = |rule: &Rule| !dense || rule.vars.iter().any(|var| !target.indices.contains(var));
    // What an absent operand leaves of a comparison, `0 < i` of `A(i) < i`, is a value.
    let written = rules_in(kernel, &term.body);
    let is_written = |rule: &Rule| written.contains(rule);
    let rules: Vec<Rule> = rules_in(kernel, &left).into_iter().filter(|rule| saves(rule) && is_written(rule)).collect();
    let Ok((with_operands, _)) = rewritten(kernel, &rules) else { return Vec::new() };
    let first = kernel.tensors().len();
    let access = |rule: &Rule| rule.access(&rules, first);
    let replaced = with_rules(kernel, &left, &access);
    let nowhere = |access: &Access| access.tensor.index() >= first;
    if zero::simplify(&with_operands, &replaced, &nowhere).is_some() { Vec::new() } else { rules }
}

/// The rules in the conditions of choices and filters, none of them a part of another. As a value, a comparison is a number
/// whether or not it holds.
fn rules_in(kernel: &Kernel, expr: &Expr) -> Vec<Rule> {
    // What is given is there, whether or not a condition in it holds.
    if expr.is_given() {
        return Vec::new();
    }
    let asked = if let Expr::Select { cond, .. } = expr { rules_asked(kernel, cond) } else { Vec::new() };
    let values = value_parts(expr).into_iter().flat_map(|part| rules_in(kernel, part));
    asked.into_iter().chain(values).collect()
}

fn rules_asked(kernel: &Kernel, cond: &Expr) -> Vec<Rule> {
    match Rule::of(kernel, cond) {
        Some(rule) => vec![rule],
        None if joins(cond) => cond.operands().into_iter().flat_map(|part| rules_asked(kernel, part)).collect(),
        None => rules_in(kernel, cond),
    }
}

/// The operands but the condition of a choice.
fn value_parts(expr: &Expr) -> Vec<&Expr> {
    let Expr::Select { then, other, .. } = expr else { return expr.operands() };
    [then].into_iter().chain(other).map(|arm| &**arm).collect()
}

/// Whether it joins conditions, and is absent where they are. What negates one is a number there.
fn joins(cond: &Expr) -> bool {
    matches!(cond, Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..))
}

fn rewritten(kernel: &Kernel, rules: &[Rule]) -> Result<(Kernel, Vec<Condition>), PlanError> {
    let mut tensors = kernel.tensors().to_vec();
    let first = tensors.len();
    for rule in rules {
        tensors.push(rule.tensor(kernel, &tensors));
    }
    let access = |rule: &Rule| rule.access(rules, first);
    let expr = with_rules(kernel, kernel.expr(), &access);
    let kernel = kernel.rewritten(tensors, kernel.declarations(), expr).map_err(PlanError::rewrite)?;
    let conditions = rules.iter().enumerate().map(|(at, rule)| rule.condition(TensorId::new(first + at)));
    Ok((kernel, conditions.collect()))
}

/// `expr` with each condition of a choice for which there is an access replaced by it.
fn with_rules(kernel: &Kernel, expr: &Expr, access: &dyn Fn(&Rule) -> Option<Access>) -> Expr {
    if expr.is_given() {
        return expr.clone();
    }
    let Expr::Select { cond: before, then, other } = expr else {
        return expr.with_parts(&|part| with_rules(kernel, part, access));
    };
    let cond = asked_with_rules(kernel, before, access);
    let decided = other.is_some() && **before != cond;
    let arm = |arm: &Expr| {
        let arm = with_rules(kernel, arm, access);
        Box::new(if decided { chosen(kernel, arm) } else { arm })
    };
    Expr::Select { cond: Box::new(cond), then: arm(then), other: other.as_deref().map(arm) }
}

fn asked_with_rules(kernel: &Kernel, cond: &Expr, access: &dyn Fn(&Rule) -> Option<Access>) -> Expr {
    match Rule::of(kernel, cond) {
        Some(rule) => access(&rule).map_or_else(|| cond.clone(), Expr::Access),
        None if joins(cond) => cond.with_parts(&|part| asked_with_rules(kernel, part, access)),
        None => with_rules(kernel, cond, access),
    }
}

/// An arm of a choice by index variables: a number is a value where it is chosen, though its condition is an operand that
/// may be absent. A zero is not there.
fn chosen(kernel: &Kernel, arm: Expr) -> Expr {
    match fold::constant(&arm, &|part| kernel.element_of(part)).map(Expr::Literal) {
        Some(number) if !zero::is_zero(&number) => Expr::there(number),
        _ => arm,
    }
}

/// The encoding of a condition whose levels are these dimensions: dense except for the last.
pub(super) fn encoding(levels: &[Dim]) -> Option<Arc<Encoding>> {
    let last = levels.len().checked_sub(1)?;
    let format = |at: usize| if at == last { LevelFormat::Compressed(Props::default()) } else { LevelFormat::Dense };
    let level = |(at, dim): (usize, &Dim)| Level { name: None, expr: Affine::Var(*dim), format: format(at) };
    let parts = EncodingParts {
        dims: (0..levels.len()).map(|at| Dimension { name: format!("d{at}"), slice: None }).collect(),
        levels: levels.iter().enumerate().map(level).collect(),
        ..EncodingParts::default()
    };
    Encoding::new(parts).ok().map(Arc::new)
}

/// A comparison of sums of variables that can be solved for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    vars: Vec<IndexVar>,
    factors: Vec<i64>,
    offset: i64,
    op: CompareOp,
}

impl Rule {
    /// `expr` as a rule in lowest terms with a positive first factor, so that equivalent conditions are equal.
    fn of(kernel: &Kernel, expr: &Expr) -> Option<Rule> {
        let (op, a, b) = comparison(expr)?;
        let element = kernel.element_of(a);
        // Equal wrapped integers mean equal numbers only if the numbers cannot differ by a multiple of the type's
        // range.
        let wraps = op == CompareOp::Eq && element.is_integer() && element != Element::I1;
        let difference = Sum::of(kernel, a, wraps)?.plus(&Sum::of(kernel, b, wraps)?, -1)?;
        if wraps && !difference.is_within_a_turn(kernel, element) {
            return None;
        }
        let Sum { factors, offset } = difference;
        let first = *factors.values().next().filter(|_| op != CompareOp::Ne)?;
        let common = factors.values().fold(0, |common, factor| greatest_common(common, *factor));
        let by = first.signum() * if offset % common == 0 { common } else { 1 };
        let op = if by < 0 { op.mirrored() } else { op };
        let (vars, factors) = factors.into_iter().map(|(var, factor)| (var, factor / by)).unzip();
        Some(Rule { vars, factors, offset: offset / by, op })
    }

    /// The access that stands for this rule. The tensors of `rules` are numbered from `first` on.
    fn access(&self, rules: &[Rule], first: usize) -> Option<Access> {
        let at = rules.iter().position(|other| other == self)?;
        Some(Access::of_vars(TensorId::new(first + at), &self.vars))
    }

    fn condition(&self, tensor: TensorId) -> Condition {
        Condition { tensor, factors: self.factors.clone(), offset: self.offset, op: self.op }
    }

    fn tensor(&self, kernel: &Kernel, others: &[Tensor]) -> Tensor {
        let name = match self.op {
            CompareOp::Eq | CompareOp::Ne => "equal",
            CompareOp::Lt | CompareOp::Le => "below",
            CompareOp::Gt | CompareOp::Ge => "above",
        };
        let taken = |name: &String| others.iter().any(|other| other.name == *name);
        let names = (0..).map(|at| if at == 0 { name.to_string() } else { format!("{name}{at}") });
        let name = names.into_iter().find(|name| !taken(name)).unwrap_or_default();
        let dims: Vec<Dim> = (0..self.vars.len()).map(Dim::new).collect();
        let shape = self.vars.iter().map(|var| kernel.var(*var).extent).collect();
        Tensor { name, element: Element::I1, shape, encoding: encoding(&dims) }
    }
}

/// A sum of multiples of variables and a number.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<IndexVar, i64>,
    offset: i64,
}

impl Sum {
    /// `expr` as a sum. Its type holds every value of it exactly, unless values may wrap.
    fn of(kernel: &Kernel, expr: &Expr, wraps: bool) -> Option<Sum> {
        let sum = match expr {
            Expr::Index(var, _) => Sum { factors: BTreeMap::from([(*var, 1)]), offset: 0 },
            Expr::Literal(number) => Sum { offset: whole(number.value)?, ..Sum::default() },
            Expr::Unary(UnaryOp::Neg, a) => Sum::default().plus(&Sum::of(kernel, a, wraps)?, -1)?,
            Expr::Binary(BinaryOp::Add, a, b) => Sum::of(kernel, a, wraps)?.plus(&Sum::of(kernel, b, wraps)?, 1)?,
            Expr::Binary(BinaryOp::Sub, a, b) => Sum::of(kernel, a, wraps)?.plus(&Sum::of(kernel, b, wraps)?, -1)?,
            Expr::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (Sum::of(kernel, a, wraps)?, Sum::of(kernel, b, wraps)?);
                let (number, sum) = if a.factors.is_empty() { (a.offset, b) } else { (b.number()?, a) };
                Sum::default().plus(&sum, number)?
            }
            Expr::Cast(_, a) => Sum::of(kernel, a, false)?,
            Expr::Access(_)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => return None,
        };
        let exact = || sum.is_exact(kernel, kernel.element_of(expr));
        ((wraps && !matches!(expr, Expr::Cast(..))) || exact()).then_some(sum)
    }

    /// The number that it is, without variables.
    fn number(&self) -> Option<i64> {
        self.factors.is_empty().then_some(self.offset)
    }

    fn plus(mut self, other: &Sum, times: i64) -> Option<Sum> {
        for (var, factor) in &other.factors {
            let sum = self.factors.entry(*var).or_default();
            *sum = sum.checked_add(factor.checked_mul(times)?)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        self.offset = self.offset.checked_add(other.offset.checked_mul(times)?)?;
        Some(self)
    }

    /// Whether the type holds every value of the sum exactly.
    fn is_exact(&self, kernel: &Kernel, element: Element) -> bool {
        let (least, greatest) = self.range(kernel);
        exact_range(element).is_some_and(|(low, high)| low <= least && greatest <= high) && is_small(least, greatest)
    }

    /// Whether 0 is the only value of the sum that wraps to 0 in the integer type.
    fn is_within_a_turn(&self, kernel: &Kernel, element: Element) -> bool {
        let (least, greatest) = self.range(kernel);
        let turn = element.int_range().map_or(0, |(low, high)| high - low + 1);
        -turn < least && greatest < turn && is_small(least, greatest)
    }

    /// The least and the greatest value that the variables can give it.
    fn range(&self, kernel: &Kernel) -> (i128, i128) {
        let ends = self.factors.iter().map(|(var, factor)| {
            let last = i128::from(kernel.var(*var).extent.saturating_sub(1)).saturating_mul(i128::from(*factor));
            (last.min(0), last.max(0))
        });
        let start = (i128::from(self.offset), i128::from(self.offset));
        ends.fold(start, |sum, end| (sum.0.saturating_add(end.0), sum.1.saturating_add(end.1)))
    }
}

/// A comparison, or a negated one as the opposite: only whole numbers become rules, so there is no NaN.
fn comparison(expr: &Expr) -> Option<(CompareOp, &Expr, &Expr)> {
    match expr {
        Expr::Compare(op, a, b) => Some((*op, a, b)),
        Expr::Unary(UnaryOp::Not, of) => comparison(of).map(|(op, a, b)| (op.negated(), a, b)),
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => None,
    }
}

fn greatest_common(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs().max(1) } else { greatest_common(b, a % b) }
}

/// Whether loops can compute with them in 64 bits.
fn is_small(least: i128, greatest: i128) -> bool {
    least.abs().max(greatest.abs()) < 1 << 62
}

fn whole(value: Scalar) -> Option<i64> {
    match value {
        Scalar::Int(number) => i64::try_from(number).ok(),
        Scalar::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(number as i64),
        Scalar::Float(_) | Scalar::Complex(_) => None,
    }
}

/// The whole numbers that the type distinguishes.
fn exact_range(element: Element) -> Option<(i128, i128)> {
    let digits = match element.repr() {
        _ if element == Element::I1 || element.is_complex() => return None,
        _ if element.is_integer() => return element.int_range(),
        Repr::F64 => 53,
        Repr::F32 => 24,
        Repr::F16
        | Repr::BF16
        | Repr::I8
        | Repr::I16
        | Repr::I32
        | Repr::I64
        | Repr::U8
        | Repr::U16
        | Repr::U32
        | Repr::U64
        | Repr::C32
        | Repr::C64 => 8,
    };
    Some((-(1 << digits), 1 << digits))
}
