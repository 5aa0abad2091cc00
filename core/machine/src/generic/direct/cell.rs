//! Values of a body at a point, and how operations treat those that are absent or have no result.

use crate::{
    machine::{Fault, signature},
    meaning::{Rule, ScalarOp, Signature},
};
use nnz_base::element::{Element, Scalar};
use nnz_mlir::ir::Op;

/// A value of the body at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub value: Scalar,
    pub source: Source,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It depends on no operand: a constant, or a value from outside the body.
    Constant,
    /// From an entry of an operand, sparse or dense; the old value of a dense result and a loop's number count, too.
    Present,
    /// The same, from the old value of a dense result of a reduction: every term is applied to it, an absent one as
    /// zero.
    Old,
    /// From absent values only, but not zero: `exp` of one.
    Made,
    /// Absent in the operands: zero.
    Absent,
    /// From a result that has no entry yet: absent too, but a sum or difference starts from this zero.
    Unset,
    /// `unary`, `binary` or `select` has no result here.
    LeftOut,
}

/// The source of a value that was made of values of these sources as a whole.
pub(super) fn source_of_whole(from: &[Source]) -> Source {
    let has = |source| from.contains(&source);
    let missing = [Source::Absent, Source::Unset, Source::LeftOut].into_iter().any(has);
    let found = [Source::Old, Source::Present, Source::Made].into_iter().find(|source| has(*source));
    found.unwrap_or(if missing { Source::Absent } else { Source::Constant })
}

impl Cell {
    pub(super) fn present(value: Scalar) -> Cell {
        Cell { value, source: Source::Present }
    }
    pub(super) fn constant(value: Scalar) -> Cell {
        Cell { value, source: Source::Constant }
    }
    pub(super) fn absent(element: Element) -> Cell {
        Cell { value: element.zero(), source: Source::Absent }
    }
    pub(super) fn unset(element: Element) -> Cell {
        Cell { value: element.zero(), source: Source::Unset }
    }
    pub(super) fn left_out(element: Element) -> Cell {
        Cell { value: element.zero(), source: Source::LeftOut }
    }
    /// What an operation on plain values made of values of these sources, zeros for missing ones. It is missing, too,
    /// if nothing is present and it is zero.
    pub(super) fn plain(value: Scalar, from: &[Source]) -> Cell {
        let source = source_of_whole(from);
        let zero = value.is_zero();
        match source {
            Source::Absent if !zero => Cell { value, source: Source::Made },
            Source::Made if zero => Cell { value, source: Source::Absent },
            Source::Constant | Source::Present | Source::Old | Source::Made => Cell { value, source },
            Source::Absent | Source::Unset | Source::LeftOut => Cell { value, source },
        }
    }
    pub(super) fn is_present(&self) -> bool {
        matches!(self.source, Source::Present | Source::Old)
    }
    /// No entry is stored, or there is no result.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.source, Source::Absent | Source::Unset | Source::LeftOut)
    }
    pub(super) fn is_left_out(&self) -> bool {
        self.source == Source::LeftOut
    }
    /// A value that a region yields is present, even a literal.
    pub(super) fn yielded(self) -> Cell {
        let written = matches!(self.source, Source::Constant | Source::Made);
        Cell { source: if written { Source::Present } else { self.source }, ..self }
    }
    /// A summand: a number added to an absent value is present.
    fn summand(self) -> Cell {
        if self.source == Source::Constant { self.yielded() } else { self }
    }
    /// A number in place of something absent.
    fn made(self) -> Cell {
        let source = if self.source == Source::Constant { Source::Made } else { self.source };
        Cell { source, ..self }
    }
}

/// An operation of cells, with the rules of absence.
pub(super) fn scalar(op: &Op, meaning: ScalarOp, cells: &[Cell]) -> Result<Cell, Fault> {
    let applied = Applied { signature: signature(op), meaning };
    let found = match meaning.rule(&applied.signature) {
        Rule::Product => applied.scaled(cells, cells)?,
        Rule::ProductAndSum => applied.product_and_sum(cells)?,
        Rule::Sum => applied.sum(cells)?,
        Rule::Difference => applied.difference(cells)?,
        Rule::Quotient => applied.scaled(cells.get(..1).unwrap_or_default(), cells)?,
        Rule::Below => applied.scaled(cells.get(1..).unwrap_or_default(), cells)?,
        Rule::Choice => applied.choice(cells),
        Rule::Zeros => None,
    };
    found.map_or_else(|| applied.to_zeros(cells), Ok)
}

/// Whether `result` has no entry yet, and `term` becomes its entry.
fn starts(result: &Cell, term: &Cell) -> bool {
    result.source == Source::Unset && !term.is_missing()
}

/// The cell, or zero if it is missing.
fn zero(cell: &Cell) -> Cell {
    Cell::constant(cell.value)
}

/// The sum where an operand is missing: the other operand, which is present if it is a number. It is left out only if
/// both operands are.
fn sum(a: Cell, b: Cell) -> Cell {
    match (a.source, b.source) {
        (_, Source::LeftOut) => a,
        (Source::LeftOut, _) => b,
        (_, Source::Absent) => a.summand(),
        (_, Source::Constant | Source::Present | Source::Old | Source::Made | Source::Unset) => b.summand(),
    }
}

/// The arm, unchanged. A zero that is chosen because an operand is absent need not be stored.
fn chosen(to: Element, cond: &Cell, [then, other]: [&Cell; 2]) -> Cell {
    let (arm, beside) = if cond.value.is_zero() { (other, then) } else { (then, other) };
    let zero = arm.source == Source::Constant && arm.value.is_zero();
    match cond.is_present() {
        // A constant condition leaves no choice, so the arm keeps its source.
        false if cond.source == Source::Constant => *arm,
        _ if zero && beside.is_missing() => Cell::absent(to),
        true => arm.yielded(),
        false if zero => Cell::absent(to),
        false => arm.made(),
    }
}

struct Applied<'s> {
    signature: Signature<'s>,
    meaning: ScalarOp,
}

impl Applied<'_> {
    /// Left out where an operand is, else absent.
    fn missing(&self, cells: &[Cell]) -> Cell {
        let to = self.signature.to;
        if cells.iter().any(Cell::is_left_out) { Cell::left_out(to) } else { Cell::absent(to) }
    }

    /// A product or a quotient that is missing because one of `factors` is. But if the old value of a reduction takes
    /// part, it is computed with zeros for absent operands, and the result is present unless it is zero.
    fn scaled(&self, factors: &[Cell], cells: &[Cell]) -> Result<Option<Cell>, Fault> {
        if !factors.iter().any(Cell::is_missing) {
            return Ok(None);
        }
        let missing = self.missing(factors);
        if missing.is_left_out() || !cells.iter().any(|cell| cell.source == Source::Old) {
            return Ok(Some(missing));
        }
        let found = self.to(cells)?;
        Ok(Some(if found.value.is_zero() { Cell { value: found.value, ..missing } } else { found }))
    }

    fn product_and_sum(&self, cells: &[Cell]) -> Result<Option<Cell>, Fault> {
        let [a, b, c] = cells else { return Ok(None) };
        if a.is_missing() || b.is_missing() {
            return Ok(Some(sum(self.missing(&[*a, *b]), *c)));
        }
        if c.is_missing() { self.to(&[*a, *b, zero(c)]).map(Some) } else { Ok(None) }
    }

    fn sum(&self, cells: &[Cell]) -> Result<Option<Cell>, Fault> {
        let [a, b] = cells else { return Ok(None) };
        if starts(a, b) || starts(b, a) {
            return self.onto_zero(a, b).map(Some);
        }
        Ok((a.is_missing() || b.is_missing()).then(|| sum(*a, *b)))
    }

    fn difference(&self, cells: &[Cell]) -> Result<Option<Cell>, Fault> {
        match cells {
            [a, b] if a.is_missing() && !b.is_missing() && !starts(a, b) => self.negated(b).map(Some),
            cells => self.sum(cells),
        }
    }

    fn choice(&self, cells: &[Cell]) -> Option<Cell> {
        let [cond, then, other] = cells else { return None };
        Some(chosen(self.signature.to, cond, [then, other]))
    }

    /// The sum or difference of an operand and a zero that a result starts from.
    fn onto_zero(&self, a: &Cell, b: &Cell) -> Result<Cell, Fault> {
        let term = if a.is_missing() { b } else { a };
        Ok(Cell { value: self.value(&[a.value, b.value])?, ..term.yielded() })
    }

    fn negated(&self, cell: &Cell) -> Result<Cell, Fault> {
        let value = match cell.value {
            Scalar::Float(value) => Scalar::Float(-value),
            Scalar::Complex(value) => Scalar::Complex(-value),
            Scalar::Int(_) => self.value(&[self.signature.to.zero(), cell.value])?,
        };
        Ok(Cell { value, ..cell.yielded() })
    }

    fn value(&self, values: &[Scalar]) -> Result<Scalar, Fault> {
        (self.meaning.apply)(&self.signature, values).map_err(Fault::new)
    }

    fn to(&self, cells: &[Cell]) -> Result<Cell, Fault> {
        let values: Vec<Scalar> = cells.iter().map(|cell| cell.value).collect();
        let has = |source| cells.iter().any(|cell| cell.source == source);
        let from = [Source::Old, Source::Present, Source::Made].into_iter().find(|source| has(*source));
        Ok(Cell { value: self.value(&values)?, source: from.unwrap_or(Source::Constant) })
    }

    /// The operation with zeros for missing operands. Its result is missing, too, if that is zero.
    fn to_zeros(&self, cells: &[Cell]) -> Result<Cell, Fault> {
        let missing = match cells {
            [only] => self.missing(&[*only]),
            _ => Cell::absent(self.signature.to),
        };
        let absent = cells.iter().any(|cell| cell.is_missing() || cell.source == Source::Made);
        let present = cells.iter().any(Cell::is_present);
        match self.to(cells) {
            Ok(cell) if absent && !present && cell.value.is_zero() => Ok(missing),
            Ok(cell) if absent => Ok(cell.made()),
            Err(_) if absent && !present => Ok(missing),
            result => result,
        }
    }
}
