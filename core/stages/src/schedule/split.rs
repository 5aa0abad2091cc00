//! `split`: a loop as several within each other, in the same order.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_tir::model::{
    Attributes, Binary, Block, Call, Expr, Loop, LoopKind, Place, Statement, StatementKind, VariableId,
};

use super::{State, handles::Value, handles::wanted, illegal, substitute::substituted, unformed};
use crate::fault::Done;

impl State {
    pub(super) fn split(&mut self, call: &Call) -> Done<Value> {
        let (variable, place) = self.loop_of(call, (0, "loop"))?;
        let factors = self.factors(call)?;
        let one = self.found(variable, place)?.clone();
        check_turns(&one, &factors, call.place)?;
        if one.start.as_constant() != Some(0) || one.kind != LoopKind::Serial {
            return Err(Box::new(illegal(place, "only serial loops that begin at 0 are split")));
        }
        let parts = self.parts(&one, &factors, call.place)?;
        let index = index(&parts, one.place())?;
        let mut body = substituted(&one.body, variable, &index)?;
        if !is_exact(&one, &factors) {
            let below = compared(&index, &one.end)?;
            body = if is_of_blocks(&body) { guarded(body, &below)? } else { vec![when(below, body)] };
        }
        let nest = nested(&parts, body, &one);
        self.replace(variable, |_| nest.clone());
        Ok(Value::Many(parts.iter().map(|(variable, _)| Value::Loop(*variable)).collect()))
    }

    /// The numbers of turns; `None` for the one that follows from the others.
    fn factors(&mut self, call: &Call) -> Done<Vec<Option<i64>>> {
        let (given, place) = self.needed(call, (1, "factors"))?;
        let Value::Many(given) = given else { return Err(wanted(place, "a list of numbers", &given)) };
        let factors = given.iter().map(|factor| match factor {
            Value::Nothing => Ok(None),
            Value::Int(number) if *number > 0 => Ok(Some(*number)),
            Value::Int(number) => {
                Err(Box::new(unformed(place, format!("a factor is at least 1, and this is {number}"))))
            }
            other => Err(wanted(place, "a number from 1 on, or `None`,", other)),
        });
        let factors = factors.collect::<Done<Vec<_>>>()?;
        let open = factors.iter().filter(|factor| factor.is_none()).count();
        let product = factors.iter().flatten().try_fold(1_i64, |all, factor| all.checked_mul(*factor));
        match (open, factors.len()) {
            _ if product.is_none_or(|product| product > i64::from(i32::MAX)) => {
                Err(Box::new(unformed(place, "the product of these numbers is too large")))
            }
            (0 | 1, 2..) => Ok(factors),
            (_, 0 | 1) => Err(Box::new(unformed(place, "at least two factors are wanted"))),
            _ => Err(Box::new(unformed(place, "one factor at most is `None`"))),
        }
    }

    /// The new loops with their ends, outermost first.
    fn parts(&mut self, one: &Loop, factors: &[Option<i64>], place: Place) -> Done<Vec<(VariableId, Expr)>> {
        let product: i64 = factors.iter().flatten().product();
        if !factors.contains(&None) && one.end.as_constant().is_none_or(|end| end > product) {
            let told = illegal(place.0, format!("the loop may have more than {product} turns"));
            return Err(Box::new(told.help("leave one factor open with `None`")));
        }
        let name = self.function.variable(one.variable).name.clone();
        let element = one.end.element();
        let parts = factors.iter().enumerate().map(|(at, factor)| {
            let end = match factor {
                Some(factor) => Expr::int(one.place(), *factor, element),
                None => rounded_up(&one.end, product)?,
            };
            Ok((self.new_loop(&format!("{name}_{at}"), element), end))
        });
        parts.collect()
    }
}

/// So many turns factors may make of any loop: each turn is tested, even if it is none of the loop before.
const MOST_TURNS: i64 = 1 << 16;

fn check_turns(one: &Loop, factors: &[Option<i64>], place: Place) -> Done<()> {
    let product: i64 = factors.iter().flatten().product();
    let most = one.end.as_constant().unwrap_or(0).max(MOST_TURNS);
    if product <= most {
        return Ok(());
    }
    let told = illegal(place.0, format!("the inner loops would have {product} turns for each outer one"));
    Err(Box::new(told.help(format!("choose factors whose product is at most {most}"))))
}

/// The end divided by a number, rounded up.
fn rounded_up(end: &Expr, by: i64) -> Done<Expr> {
    let (place, element) = (end.place, end.element());
    if let Some(end) = end.as_constant() {
        return Ok(Expr::int(place, end.max(0) / by + i64::from(end.max(0) % by > 0), element));
    }
    // No sum that could wrap: of 0 it is 0, too.
    let less = binary(Binary::Subtract, end.clone(), Expr::int(place, 1, element))?;
    let quotient = binary(Binary::FloorDivide, less, Expr::int(place, by, element))?;
    binary(Binary::Add, quotient, Expr::int(place, 1, element))
}

/// `(a * 4 + b) * 8 + c`.
fn index(parts: &[(VariableId, Expr)], place: Place) -> Done<Expr> {
    let mut all: Option<Expr> = None;
    for (variable, end) in parts {
        let own = Expr::variable(place, *variable, end.element());
        all = Some(match all {
            None => own,
            Some(outer) => binary(Binary::Add, binary(Binary::Multiply, outer, end.clone())?, own)?,
        });
    }
    all.ok_or_else(|| Box::new(unformed(place.0, "at least two factors are wanted")))
}

fn is_exact(one: &Loop, factors: &[Option<i64>]) -> bool {
    let product: i64 = factors.iter().flatten().product();
    one.end.as_constant().is_some_and(|end| if factors.contains(&None) { end % product == 0 } else { end == product })
}

pub(super) fn binary(op: Binary, left: Expr, right: Expr) -> Done<Expr> {
    let place = left.place;
    Expr::binary(place, op, left, right)
        .map_err(|_| Box::new(illegal(place.0, "the bounds of this loop are no numbers")))
}

fn compared(index: &Expr, end: &Expr) -> Done<Expr> {
    binary(Binary::Less, index.clone(), end.clone())
}

/// Whether there are only loops and blocks, down to the first blocks.
fn is_of_blocks(body: &[Statement]) -> bool {
    body.iter().all(|statement| match &statement.kind {
        StatementKind::Block(_) => true,
        StatementKind::Loop(one) => is_of_blocks(&one.body),
        _ => false,
    })
}

/// The blocks run only where a condition holds.
fn guarded(body: Vec<Statement>, condition: &Expr) -> Done<Vec<Statement>> {
    let guard = |statement: Statement| {
        let kind = match statement.kind {
            StatementKind::Block(block) => {
                let predicate = match &block.predicate {
                    Some(before) => binary(Binary::And, condition.clone(), before.clone())?,
                    None => condition.clone(),
                };
                StatementKind::Block(Box::new(Block { predicate: Some(predicate), ..*block }))
            }
            StatementKind::Loop(one) => StatementKind::Loop(Loop { body: guarded(one.body, condition)?, ..one }),
            other => other,
        };
        Ok(Statement { kind, ..statement })
    };
    body.into_iter().map(guard).collect()
}

fn when(condition: Expr, then: Vec<Statement>) -> Statement {
    Statement { place: condition.place, kind: StatementKind::If { condition, then, otherwise: Vec::new() } }
}

/// The loops around a body; the outermost keeps what the loop before said.
fn nested(parts: &[(VariableId, Expr)], body: Vec<Statement>, before: &Loop) -> Loop {
    let start = Expr::int(before.start.place, 0, before.end.element());
    let mut parts = parts.iter().rev();
    let serial = |(variable, end): &(VariableId, Expr), body| Loop {
        variable: *variable,
        kind: LoopKind::Serial,
        start: start.clone(),
        end: end.clone(),
        attributes: Attributes::new(),
        body,
    };
    let innermost = parts.next().map(|part| serial(part, body));
    let nest = parts.fold(innermost, |inner, part| {
        inner.map(|inner| serial(part, vec![Statement { place: before.place(), kind: StatementKind::Loop(inner) }]))
    });
    nest.map_or_else(|| before.clone(), |nest| Loop { attributes: before.attributes.clone(), ..nest })
}

/// Where a loop stands.
pub(super) trait Placed {
    fn place(&self) -> Place;
}

impl Placed for Loop {
    fn place(&self) -> Place {
        self.end.place
    }
}
