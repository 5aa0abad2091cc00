//! `decompose_reduction`: what initializes a sum as a block of its own, before a loop.

use nnz_base::source::Span;
use nnz_tir::model::{
    Binary, Block, BlockVariable, BlockVariableKind, Call, Expr, Loop, Statement, StatementKind, VariableId,
};

use super::{
    State,
    blocks::around,
    handles::Value,
    illegal,
    nest::{fresh_block, mentions},
    split::binary,
    substitute::substituted,
};
use crate::fault::Done;

impl State {
    pub(super) fn decompose_reduction(&mut self, call: &Call) -> Done<Value> {
        let (block, place) = self.block_of(call, (0, "block"))?;
        let (outermost, at) = self.loop_of(call, (1, "loop"))?;
        if block.init.is_empty() {
            let told = illegal(place, format!("`{}` initializes nothing", block.name));
            return Err(Box::new(told.help("what a sparse iteration initializes has a block of its own already")));
        }
        let inner = self.down_to(&block, outermost, at)?;
        self.check_outside(&block, &inner, at)?;
        let (name, first) = self.first(&block, &inner)?;
        self.change(&block.name, |block| Ok(Block { init: Vec::new(), ..block.clone() }))?;
        before(&mut self.function.body, outermost, &first);
        Ok(Value::Block(name))
    }

    /// The loops from one on, directly within each other down to the block.
    fn down_to(&self, block: &Block, outermost: VariableId, place: Span) -> Done<Vec<Loop>> {
        let mut loops = vec![self.found(outermost, place)?.clone()];
        while let Some(last) = loops.last() {
            match last.body.as_slice() {
                [Statement { kind: StatementKind::Loop(one), .. }] => {
                    let one = one.clone();
                    loops.push(one);
                }
                [Statement { kind: StatementKind::Block(found), .. }] if found.name == block.name => return Ok(loops),
                _ => break,
            }
        }
        let told = illegal(place, format!("`{}` is not directly within this loop", block.name));
        Err(Box::new(told.help("other statements stand between them, or the loop is of another block")))
    }

    /// No loop outside is one of the reduction: there the sum would begin anew.
    fn check_outside(&self, block: &Block, inner: &[Loop], place: Span) -> Done<()> {
        let inside: Vec<VariableId> = inner.iter().map(|one| one.variable).collect();
        for one in block.variables.iter().filter(|one| one.kind == BlockVariableKind::Reduce) {
            let mut outside = None;
            one.value.walk(&mut |part| outside = outside.or(part.as_variable().filter(|id| !inside.contains(id))));
            if let Some(outside) = outside {
                let name = &self.function.variable(outside).name;
                let told = illegal(place, format!("`{name}` is a loop of the sum and stands outside of this one"));
                return Err(Box::new(told.help("name the outermost loop of the sum, or one around it")));
            }
        }
        Ok(())
    }

    /// The block that initializes, in loops of its own over what is not summed.
    fn first(&mut self, block: &Block, inner: &[Loop]) -> Done<(String, Statement)> {
        let reduces = |id: VariableId| {
            let spatial = block.variables.iter().filter(|one| one.kind != BlockVariableKind::Reduce);
            !{ spatial }.any(|one| mentions(&one.value, &[id]))
        };
        let name = fresh_block(&self.function, &format!("{}_init", block.name));
        let place = inner.first().map_or(self.function.place, |one| one.end.place);
        let sums: Vec<&Loop> = inner.iter().filter(|one| reduces(one.variable)).collect();
        let predicate = condition(block, &sums)?;
        let spatial: Vec<BlockVariable> =
            block.variables.iter().filter(|one| one.kind != BlockVariableKind::Reduce).cloned().collect();
        let (init, attributes) = (Vec::new(), block.attributes.clone());
        let made = Block {
            name: name.clone(),
            variables: spatial,
            predicate,
            reads: None,
            writes: None,
            attributes,
            init,
            body: block.init.clone(),
        };
        let mut body = vec![Statement { place, kind: StatementKind::Block(Box::new(made)) }];
        let mut loops = Vec::new();
        for one in inner.iter().filter(|one| !reduces(one.variable)) {
            let old = self.function.variable(one.variable).clone();
            let own = self.new_loop(&format!("{}_init", old.name), old.element);
            body = substituted(&body, one.variable, &Expr::variable(place, own, old.element))?;
            loops.push((own, one.end.clone()));
        }
        self.renewed(&mut body);
        let [inner] = <[Statement; 1]>::try_from(body).map_err(|_| Box::new(illegal(place.0, "this block is none")))?;
        Ok((name, around(loops, inner)))
    }

    /// Variables of a block that is written twice get names of their own.
    fn renewed(&mut self, body: &mut [Statement]) {
        for statement in body {
            let StatementKind::Block(block) = &mut statement.kind else { continue };
            for at in 0..block.variables.len() {
                let old = block.variables[at].variable;
                let declared = self.function.variable(old).clone();
                let own = self.new_block_variable(&declared.name, declared.element);
                block.variables[at].variable = own;
                let value = Expr::variable(declared.place, own, declared.element);
                if let Ok(body) = substituted(&block.body, old, &value) {
                    block.body = body;
                }
            }
        }
    }
}

/// When something is initialized: where the block runs at the first turn of each loop of the sum, if these have one.
fn condition(block: &Block, sums: &[&Loop]) -> Done<Option<Expr>> {
    let mut condition = block.predicate.clone();
    for one in sums {
        condition = condition.map(|condition| replaced(&condition, one.variable, &one.start)).transpose()?;
        if one.start.as_constant().zip(one.end.as_constant()).is_some_and(|(start, end)| start < end) {
            continue;
        }
        let has_turns = binary(Binary::Less, one.start.clone(), one.end.clone())?;
        condition = Some(match condition {
            Some(before) => binary(Binary::And, has_turns, before)?,
            None => has_turns,
        });
    }
    Ok(condition)
}

fn replaced(expr: &Expr, variable: VariableId, value: &Expr) -> Done<Expr> {
    let place = expr.place;
    let body = substituted(&[Statement { place, kind: StatementKind::Evaluate(expr.clone()) }], variable, value)?;
    match body.into_iter().next().map(|statement| statement.kind) {
        Some(StatementKind::Evaluate(expr)) => Ok(expr),
        _ => Ok(expr.clone()),
    }
}

/// A statement before the loop of a variable.
fn before(body: &mut Vec<Statement>, variable: VariableId, first: &Statement) {
    let is_it = |statement: &Statement| matches!(&statement.kind, StatementKind::Loop(one) if one.variable == variable);
    if let Some(at) = body.iter().position(is_it) {
        return body.insert(at, first.clone());
    }
    for statement in body {
        super::nest::bodies(statement).into_iter().for_each(|body| before(body, variable, first));
    }
}
