//! `rfactor`: a sum by parts, one for each turn of a loop, which are summed behind it. It is the one step that adds up in
//! another order.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::{element::Element, source::Span};
use nnz_tir::{
    model::{
        Access, Binary, Block, BlockVariable, BlockVariableKind, BufferId, Call, Expr, ExprKind, Loop, LoopKind, Role,
        Scope, Statement, StatementKind,
    },
    sites::loads_of,
};

use super::{
    State,
    blocks::{element, with_indices},
    handles::Value,
    illegal,
    nest::{fresh_block, mentions},
    split::binary,
};
use crate::fault::Done;

/// What a block sums up.
struct Sum {
    op: Binary,
    target: Access,
}

impl State {
    pub(super) fn rfactor(&mut self, call: &Call) -> Done<Value> {
        let (variable, place) = self.loop_of(call, (0, "loop"))?;
        let one = self.found(variable, place)?.clone();
        let (block, sum) = self.summed(&one, place)?;
        let turns = self.turns(&one, place)?;
        let root = self.root_of(&block.name);
        if self.living_within(root).contains(&sum.target.buffer) {
            let told = illegal(place, "the sum lives within these loops alone");
            return Err(Box::new(told.help("factor a sum of a buffer that outlives them")));
        }
        let sizes = self.sizes(sum.target.buffer, place)?;
        let to = sum.target.buffer;
        let (name, kind) = (self.function.buffer(to).name.clone(), self.function.buffer(to).element);
        let shape = [vec![turns], sizes].concat();
        let parts = self.allocated(&format!("{name}_rf"), (kind, Scope::GLOBAL), shape.clone(), root);
        let (at, op) = (self.function.place, sum.op);
        let neutral = neutral(op, kind, at).ok_or_else(|| Box::new(illegal(place, "this sum has no first value")))?;
        let (_, first) =
            self.over_all(&format!("{name}_rf_init"), &shape, |own| Ok((element(at, parts, own), neutral)))?;
        let factored = self.factored(&block, &one, (to, parts))?;
        let (_, behind) = self.over_all(&block.name, &shape, |own| {
            let target = element(at, to, &own[1..]);
            let value = binary(op, Expr::load(target.clone(), kind), Expr::load(element(at, parts, own), kind))?;
            Ok((target, value))
        })?;
        self.function.body.insert(root + 1, first);
        self.function.body.insert(root + 3, reduced(behind));
        Ok(Value::Block(factored))
    }

    /// The block within a loop that sums over it.
    fn summed(&self, one: &Loop, place: Span) -> Done<(Block, Sum)> {
        let refused = |why: &str| {
            let told = illegal(place, why.to_string());
            Box::new(told.help("a sum is one block of one statement, `C[i] = C[i] + …`, within this loop"))
        };
        let mut body = one.body.as_slice();
        let block = loop {
            match body {
                [Statement { kind: StatementKind::Loop(inner), .. }] => body = &inner.body,
                [Statement { kind: StatementKind::Block(block), .. }] => break (**block).clone(),
                _ => return Err(refused("this loop has more than one block")),
            }
        };
        let [Statement { kind: StatementKind::Store(target, value), .. }] = block.body.as_slice() else {
            return Err(refused("the block of this loop is no sum"));
        };
        let sum = sum_of(target, value).ok_or_else(|| refused("the block of this loop is no sum"))?;
        if !block.init.is_empty() {
            let told = illegal(place, "the block of this loop initializes its sum");
            return Err(Box::new(told.help("`decompose_reduction` gives that a block of its own")));
        }
        let values = block.variables.iter().filter(|of| mentions(&of.value, &[one.variable]));
        if { values }.any(|of| of.kind != BlockVariableKind::Reduce) {
            return Err(refused("this loop is no loop of the sum"));
        }
        Ok((block, sum))
    }

    /// How many turns the loop has, over numbers that are given.
    fn turns(&self, one: &Loop, place: Span) -> Done<Expr> {
        let mut is_known = one.start.as_constant() == Some(0) && one.kind == LoopKind::Serial;
        one.end.walk(&mut |part| {
            is_known &= match part.kind() {
                ExprKind::Load(_) => false,
                ExprKind::Variable(id) => {
                    matches!(self.function.variable(*id).role, Role::Param | Role::Captured)
                }
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Bool(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(_)
                | ExprKind::Math(..)
                | ExprKind::Choice { .. }
                | ExprKind::Least
                | ExprKind::Greatest
                | ExprKind::Offset(_)
                | ExprKind::Stride(..) => true,
            };
        });
        if is_known {
            return Ok(one.end.clone());
        }
        let told = illegal(place, "the loop has another number of turns from row to row, or does not begin at 0");
        Err(Box::new(told.help("`split` the loop, and factor the inner one")))
    }

    /// The block over the parts: the loop finds one.
    fn factored(&mut self, block: &Block, one: &Loop, (from, to): (BufferId, BufferId)) -> Done<String> {
        let name = fresh_block(&self.function, &format!("{}_rf", block.name));
        let kind = one.end.element();
        let variable = self.new_block_variable("vrf", kind);
        let place = one.end.place;
        let own = BlockVariable {
            variable,
            kind: BlockVariableKind::Spatial,
            start: Expr::int(place, 0, kind),
            end: one.end.clone(),
            value: Expr::variable(place, one.variable, kind),
        };
        let added = vec![Expr::variable(place, variable, kind)];
        self.change(&block.name, |block| {
            let made = with_indices(block, (from, to), added.clone())?;
            let variables = [vec![own.clone()], made.variables].concat();
            Ok(Block { name: name.clone(), variables, ..made })
        })?;
        Ok(name)
    }
}

/// `C[i] + e` with an `e` that does not read `C`.
fn sum_of(target: &Access, value: &Expr) -> Option<Sum> {
    let ExprKind::Binary(op, one, other) = value.kind() else { return None };
    let is_sum = matches!(op, Binary::Add | Binary::Multiply | Binary::Least | Binary::Greatest);
    let is_own = |part: &Expr| matches!(part.kind(), ExprKind::Load(access) if access == target);
    let rest = if is_own(one) { other } else { one };
    let reads = loads_of(rest).iter().any(|access| access.buffer == target.buffer);
    (is_sum && (is_own(one) || is_own(other)) && !reads).then(|| Sum { op: *op, target: target.clone() })
}

/// What changes nothing.
fn neutral(op: Binary, element: Element, place: nnz_tir::model::Place) -> Option<Expr> {
    match (op, element.is_float()) {
        (Binary::Add, _) => Some(Expr::int(place, 0, element)),
        (Binary::Multiply, _) => Some(Expr::int(place, 1, element)),
        (Binary::Least, true) => Some(Expr::float(place, f64::INFINITY, element)),
        (Binary::Greatest, true) => Some(Expr::float(place, f64::NEG_INFINITY, element)),
        (Binary::Least, false) => Some(Expr::greatest(place, element)),
        (Binary::Greatest, false) => Some(Expr::least(place, element)),
        _ => None,
    }
}

/// The first variable of the block sums.
fn reduced(mut nest: Statement) -> Statement {
    match &mut nest.kind {
        StatementKind::Loop(one) => {
            one.body = std::mem::take(&mut one.body).into_iter().map(reduced).collect();
        }
        StatementKind::Block(block) => {
            if let Some(first) = block.variables.first_mut() {
                first.kind = BlockVariableKind::Reduce;
            }
        }
        _ => {}
    }
    nest
}
