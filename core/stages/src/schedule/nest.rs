//! Blocks and loops of a function, found and changed in place.

#![expect(clippy::wildcard_enum_match_arm, reason = "a step asks for the statements and handles that it knows")]

use nnz_base::{diagnostic::did_you_mean, source::Span};
use nnz_tir::{
    model::{Block, Call, Expr, ExprKind, Loop, Statement, StatementKind, VariableId},
    sites::sites,
};

use super::{State, handles::Value, handles::wanted, illegal};
use crate::fault::Done;

impl State {
    pub(super) fn get_block(&mut self, call: &Call) -> Done<Value> {
        let (name, place) = self.text(call, (0, "name"))?;
        let all: Vec<String> = blocks(&self.function).iter().map(|block| block.name.clone()).collect();
        match all.iter().filter(|known| **known == name).count() {
            1 => Ok(Value::Block(name)),
            0 => {
                let told = illegal(place, format!("there is no block `{name}`"));
                Err(Box::new(match did_you_mean(&name, all.iter().map(String::as_str)) {
                    Some(near) => told.help(format!("there is `{near}`")),
                    None => told.help(format!("there are {}", all.join(", "))),
                }))
            }
            count => Err(Box::new(illegal(place, format!("{count} blocks are called `{name}`")))),
        }
    }

    /// The loops around a block, up to the block around it, outermost first.
    pub(super) fn get_loops(&mut self, call: &Call) -> Done<Value> {
        match self.needed(call, (0, "block"))? {
            (Value::Block(name), _) => {
                let loops = around(&self.function.body, &name, &[]).unwrap_or_default();
                Ok(Value::Many(loops.into_iter().map(Value::Loop).collect()))
            }
            (other, place) => Err(wanted(place, "a block", &other)),
        }
    }

    /// The loop of a variable; one that a step has replaced is gone.
    pub(super) fn found(&self, variable: VariableId, place: Span) -> Done<&Loop> {
        find(&self.function.body, variable)
            .ok_or_else(|| Box::new(illegal(place, "this loop is no more: a step before has replaced it")))
    }

    /// What `make` makes of the loop of a variable stands in its place.
    pub(super) fn replace(&mut self, variable: VariableId, mut make: impl FnMut(Loop) -> Loop) {
        replace(&mut self.function.body, variable, &mut make);
    }
}

pub(super) fn blocks(function: &nnz_tir::model::Function) -> Vec<&Block> {
    let sites = sites(function);
    sites
        .iter()
        .filter_map(|site| if let StatementKind::Block(block) = &site.statement.kind { Some(&**block) } else { None })
        .collect()
}

fn around(body: &[Statement], name: &str, outer: &[VariableId]) -> Option<Vec<VariableId>> {
    body.iter().find_map(|statement| match &statement.kind {
        StatementKind::Block(block) if block.name == name => Some(outer.to_vec()),
        StatementKind::Block(block) => around(&block.init, name, &[]).or_else(|| around(&block.body, name, &[])),
        StatementKind::Loop(one) => around(&one.body, name, &[outer, &[one.variable]].concat()),
        _ => statement.bodies().into_iter().find_map(|body| around(body, name, outer)),
    })
}

pub(super) fn find(body: &[Statement], variable: VariableId) -> Option<&Loop> {
    body.iter().find_map(|statement| match &statement.kind {
        StatementKind::Loop(one) if one.variable == variable => Some(one),
        _ => statement.bodies().into_iter().find_map(|body| find(body, variable)),
    })
}

/// The only statement of a body, if it is a loop.
pub(super) fn only_loop(body: &[Statement]) -> Option<&Loop> {
    match body {
        [Statement { kind: StatementKind::Loop(one), .. }] => Some(one),
        _ => None,
    }
}

/// Whether an expression names one of these variables.
pub(crate) fn mentions(expr: &Expr, variables: &[VariableId]) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= matches!(part.kind(), ExprKind::Variable(id) if variables.contains(id));
    });
    found
}

fn replace(body: &mut Vec<Statement>, variable: VariableId, make: &mut impl FnMut(Loop) -> Loop) {
    for statement in body {
        if let StatementKind::Loop(one) = &mut statement.kind
            && one.variable == variable
        {
            *one = make(one.clone());
            return;
        }
        bodies(statement).into_iter().for_each(|body| replace(body, variable, make));
    }
}

/// The bodies within a statement.
pub(super) fn bodies(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match &mut statement.kind {
        StatementKind::Iteration(iteration) => vec![&mut iteration.init, &mut iteration.body],
        StatementKind::Block(block) => vec![&mut block.init, &mut block.body],
        StatementKind::Loop(one) => vec![&mut one.body],
        StatementKind::While(_, body) => vec![body],
        StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
        StatementKind::Store(..)
        | StatementKind::Let(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Allocate(_)
        | StatementKind::Domain(..) => Vec::new(),
    }
}

/// Whether a block of this name is in a statement.
pub(super) fn has_block(statement: &Statement, name: &str) -> bool {
    let is_it = matches!(&statement.kind, StatementKind::Block(block) if block.name == name);
    is_it || statement.bodies().into_iter().flatten().any(|inner| has_block(inner, name))
}

/// What `make` makes of the block of a name stands in its place.
pub(super) fn change(body: &mut [Statement], name: &str, make: &mut impl FnMut(&Block) -> Done<Block>) -> Done<()> {
    for statement in body {
        match &mut statement.kind {
            StatementKind::Block(block) if block.name == name => **block = make(block)?,
            _ => bodies(statement).into_iter().try_for_each(|body| change(body, name, make))?,
        }
    }
    Ok(())
}

/// The name, or it with a number, that no block has.
pub(super) fn fresh_block(function: &nnz_tir::model::Function, name: &str) -> String {
    let all = blocks(function);
    let is_taken = |name: &String| all.iter().any(|block| block.name == *name);
    let numbered = (1..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_else(|| name.to_string())
}

/// The statements of a block, with those within them.
pub(super) fn all_within(body: &[Statement]) -> Vec<&Statement> {
    let mut found = Vec::new();
    for statement in body {
        found.push(statement);
        statement.bodies().into_iter().for_each(|inner| found.extend(all_within(inner)));
    }
    found
}

/// The buffers whose elements statements read, in the order of their first places.
pub(super) fn read(body: &[Statement]) -> Vec<nnz_tir::model::BufferId> {
    let mut found = Vec::new();
    for access in all_within(body).into_iter().flat_map(nnz_tir::sites::loads) {
        if !found.contains(&access.buffer) {
            found.push(access.buffer);
        }
    }
    found
}

/// The buffers whose elements statements write, in the order of their first places.
pub(super) fn written(body: &[Statement]) -> Vec<nnz_tir::model::BufferId> {
    let mut found = Vec::new();
    for target in all_within(body).into_iter().filter_map(Statement::written) {
        if !found.contains(&target.buffer) {
            found.push(target.buffer);
        }
    }
    found
}

/// The loops around the loop of a variable and within it.
pub(super) fn nested_with(body: &[Statement], variable: VariableId) -> Vec<&Loop> {
    let loops = |body| {
        let found = all_within(body).into_iter();
        found.filter_map(|one| if let StatementKind::Loop(one) = &one.kind { Some(one) } else { None })
    };
    let holds = |one: &&Loop| find(&one.body, variable).is_some();
    let outer = loops(body).filter(holds);
    let inner = find(body, variable).into_iter().flat_map(|one| loops(&one.body));
    outer.chain(inner).collect()
}

/// Whether the loop of a variable is in a statement.
pub(super) fn has_loop(statement: &Statement, variable: VariableId) -> bool {
    find(std::slice::from_ref(statement), variable).is_some()
}

/// The block of loops that go once over all elements that it names, each loop over one dimension.
pub(super) fn copied_block(statement: &Statement) -> Option<&Block> {
    let (mut loops, mut at) = (Vec::new(), statement);
    let block = loop {
        match &at.kind {
            StatementKind::Loop(one) if one.start.as_constant() == Some(0) => {
                loops.push(one.variable);
                at = one.body.first().filter(|_| one.body.len() == 1)?;
            }
            StatementKind::Block(block) => break block,
            _ => return None,
        }
    };
    let [Statement { kind: StatementKind::Store(target, _), .. }] = block.body.as_slice() else { return None };
    let own: Vec<Option<VariableId>> = block.variables.iter().map(|one| Some(one.variable)).collect();
    let names = |access: &nnz_tir::model::Access| access.indices.iter().map(Expr::as_variable).eq(own.iter().copied());
    let bound = block.variables.iter().map(|one| one.value.as_variable()).eq(loops.iter().map(|id| Some(*id)));
    let is_plain = block.predicate.is_none() && block.init.is_empty() && bound && names(target);
    let loaded = block.body.iter().flat_map(nnz_tir::sites::loads).all(names);
    (is_plain && loaded).then_some(block)
}
