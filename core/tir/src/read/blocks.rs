//! Blocks, and what stands at their beginning.

use nnz_base::diagnostic::{Code, counted};
use ruff_python_ast as py;

use super::{
    arguments::Given,
    python::{items, one_or_more, span},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{Attributes, Block, BlockVariable, BlockVariableKind, Expr, Place, Region, Role, Statement, StatementKind},
};

impl<'a> Reader<'a> {
    /// `with T.block("name"):`.
    pub(super) fn block(&mut self, with: &'a py::StmtWith, given: &Given<'a>) -> Option<Statement> {
        let name = given.get("name").map_or(Some(""), |name| self.text_of(name))?;
        self.names.open();
        let mut block = Block {
            name: name.to_string(),
            variables: Vec::new(),
            predicate: None,
            reads: None,
            writes: None,
            attributes: Attributes::new(),
            init: Vec::new(),
            body: Vec::new(),
        };
        with.body.iter().for_each(|statement| self.in_block(statement, &mut block));
        self.names.close();
        Some(Statement { place: Place(given.span), kind: StatementKind::Block(Box::new(block)) })
    }

    fn in_block(&mut self, statement: &'a py::Stmt, block: &mut Block) {
        if let Some(body) = self.init_body(statement) {
            self.once(statement, &block.init, &block.body);
            block.init = self.suite(body);
        } else if self.block_variable(statement, block) || self.block_head(statement, block) {
        } else {
            self.statement(statement, &mut block.body);
        }
    }

    /// `vi = T.axis.spatial(n, i)` or `vi, vj = T.axis.remap("SR", [i, j])`; whether it is one.
    fn block_variable(&mut self, statement: &'a py::Stmt, block: &mut Block) -> bool {
        let Some((target, call)) = assigned_call(statement) else { return false };
        let Some(member) = self.row_of(&call.func).map(|row| row.member) else { return false };
        let kind = axis(member);
        if kind.is_none() && member != Member::Remap {
            return false;
        }
        let made = self.given(call).and_then(|given| match kind {
            Some(kind) => self.axis(target, kind, &given),
            None => self.remap(target, &given),
        });
        match made {
            Some(variables) => block.variables.extend(variables),
            None => self.break_names(target),
        }
        true
    }

    fn axis(&mut self, target: &'a py::Expr, kind: BlockVariableKind, given: &Given<'a>) -> Option<Vec<BlockVariable>> {
        let (domain, value) = (self.domain(given.get("dom")?), self.integer(given.get("value")?));
        let ((start, end), value) = (domain?, value?);
        Some(vec![self.bound(target, kind, (start, end), value)?])
    }

    fn bound(
        &mut self,
        target: &'a py::Expr,
        kind: BlockVariableKind,
        (start, end): (Expr, Expr),
        value: Expr,
    ) -> Option<BlockVariable> {
        let name = self.target(target)?;
        let variable = self.variable(&name.id, span(name), end.element(), Role::Block);
        Some(BlockVariable { variable, kind, start, end, value })
    }

    fn remap(&mut self, target: &'a py::Expr, given: &Given<'a>) -> Option<Vec<BlockVariable>> {
        let kinds: Vec<char> = self.text_of(given.get("kinds")?)?.chars().collect();
        let (names, values) = (one_or_more(target), items(given.get("bindings")?).unwrap_or_default());
        if kinds.len() != values.len() || names.len() != values.len() {
            let message = format!(
                "{} and {} for {}",
                counted(kinds.len(), "kind"),
                counted(names.len(), "name"),
                counted(values.len(), "loop")
            );
            let told = self.mistake(Code::ScriptArguments, given.span, message).label("not as many of each");
            return self.wrong(told.help("give a letter and a name for each loop"));
        }
        let bindings = kinds.iter().zip(names).zip(values);
        let made: Vec<_> = bindings.map(|((kind, name), value)| self.remapped(*kind, name, value)).collect();
        made.into_iter().collect()
    }

    /// A block variable with the range of its loop.
    fn remapped(&mut self, letter: char, name: &'a py::Expr, value: &'a py::Expr) -> Option<BlockVariable> {
        let read = self.integer(value)?;
        let range = read.as_variable().and_then(|variable| self.ranges.get(&variable)).cloned();
        let kind = match letter {
            'S' => Some(BlockVariableKind::Spatial),
            'R' => Some(BlockVariableKind::Reduce),
            _ => None,
        };
        match (kind, range) {
            (Some(kind), Some(range)) => self.bound(name, kind, range, read),
            (None, _) => {
                let told = self.mistake(Code::ScriptArguments, span(value), format!("`{letter}` is no kind"));
                self.wrong(told.label("neither `S` nor `R`").help("`S` stands for spatial, `R` for a reduction"))
            }
            (_, None) => {
                let told = self.mistake(Code::ScriptArguments, span(value), "only variables of loops are remapped");
                let told = told.label("no variable of a loop around the block");
                self.wrong(told.help("give the domain: `T.axis.spatial(n, …)`"))
            }
        }
    }

    /// What else a block says of itself; whether it is that.
    fn block_head(&mut self, statement: &'a py::Stmt, block: &mut Block) -> bool {
        let call = statement.as_expr_stmt().and_then(|statement| statement.value.as_call_expr());
        let Some(call) = call else { return false };
        match self.row_of(&call.func).map(|row| row.member) {
            Some(Member::Where) => {
                block.predicate = self.given(call).and_then(|it| self.condition(it.get("predicate")?))
            }
            Some(Member::Reads) => block.reads = self.given(call).and_then(|it| self.regions(&it)),
            Some(Member::Writes) => block.writes = self.given(call).and_then(|it| self.regions(&it)),
            Some(Member::BlockAttr) => {
                let more = self.given(call).and_then(|it| self.attributes(it.get("attributes")?));
                block.attributes.extend(more.unwrap_or_default());
            }
            _ => return false,
        }
        true
    }

    /// Regions as arguments, or as one list.
    fn regions(&mut self, given: &Given<'a>) -> Option<Vec<Region>> {
        let written = match given.rest {
            [one] => one_or_more(one),
            several => several,
        };
        let regions: Vec<_> = written.iter().map(|region| self.region(region)).collect();
        regions.into_iter().collect()
    }
}

/// An assignment of a call, in its parts.
pub(super) fn assigned_call(statement: &py::Stmt) -> Option<(&py::Expr, &py::ExprCall)> {
    let assign = statement.as_assign_stmt()?;
    let [target] = assign.targets.as_slice() else { return None };
    Some((target, assign.value.as_call_expr()?))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "members are many")]
fn axis(member: Member) -> Option<BlockVariableKind> {
    match member {
        Member::Spatial => Some(BlockVariableKind::Spatial),
        Member::Reduce => Some(BlockVariableKind::Reduce),
        Member::Opaque => Some(BlockVariableKind::Opaque),
        _ => None,
    }
}
