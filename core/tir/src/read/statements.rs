//! Statements of bodies.

use nnz_base::diagnostic::Code;
use ruff_python_ast::{self as py, Stmt};

use super::{
    arguments::Given,
    blocks::assigned_call,
    buffers::is_buffer,
    iterators::is_iterator,
    names::Thing,
    python::{dotted, span, text},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{
        Access, Argument, Binary, BufferId, Expr, Intrinsic, Origin, Place, Pointer, Role, Statement, StatementKind,
    },
};

impl<'a> Reader<'a> {
    /// The statements of a body, whose names are known only there.
    pub(super) fn suite(&mut self, body: &'a [Stmt]) -> Vec<Statement> {
        self.names.open();
        let mut read = Vec::new();
        body.iter().for_each(|statement| self.statement(statement, &mut read));
        self.names.close();
        read
    }

    /// Reads a statement, and puts what it says behind what is there.
    pub(super) fn statement(&mut self, statement: &'a Stmt, out: &mut Vec<Statement>) {
        self.depth += 1;
        match self.depth > MOST_BLOCKS {
            true => self.too_deep(statement),
            false => self.statement_at(statement, out),
        }
        self.depth -= 1;
    }

    fn too_deep(&mut self, statement: &Stmt) {
        let told =
            self.mistake(Code::ScriptUnread, span(statement), format!("statements nest deeper than {MOST_BLOCKS}"));
        self.tell(told.label("too deep to be read"));
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many statements that no function has")]
    fn statement_at(&mut self, statement: &'a Stmt, out: &mut Vec<Statement>) {
        let place = Place(span(statement));
        match statement {
            Stmt::Pass(_) => {}
            Stmt::Assign(assign) => self.assignment(statement, assign, out),
            Stmt::AugAssign(update) => out.extend(self.update(place, update)),
            Stmt::AnnAssign(declared) => out.extend(self.annotated(place, declared)),
            Stmt::Expr(expr) => self.call_statement(place, &expr.value, out),
            Stmt::For(written) => out.extend(self.for_loop(written).unwrap_or_default()),
            Stmt::While(written) => out.extend(self.while_loop(place, written)),
            Stmt::If(written) => out.extend(self.branch(place, written)),
            Stmt::With(written) => self.with(written, out),
            Stmt::Assert(written) => out.extend(self.assertion(place, written)),
            _ => self.no_statement(statement),
        }
    }

    fn no_statement(&mut self, statement: &Stmt) {
        let word = self.text(span(statement)).split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let told = self.mistake(
            Code::ScriptStatement,
            span(statement),
            format!("`{word}` cannot stand in a function of SparseTIR"),
        );
        self.tell(told.label("Python that does not run here"));
    }

    fn assignment(&mut self, statement: &'a Stmt, assign: &'a py::StmtAssign, out: &mut Vec<Statement>) {
        let [target] = assign.targets.as_slice() else {
            let told = self.mistake(Code::ScriptStatement, span(assign), "an assignment has one target");
            return self.tell(told.label("several targets").help("write one assignment for each"));
        };
        let place = Place(span(assign));
        if let Some(subscript) = target.as_subscript_expr() {
            return out.extend(self.store(place, subscript, &assign.value));
        }
        let call = assigned_call(statement).map(|(_, call)| call);
        let member = call.and_then(|call| self.row_of(&call.func)).map(|row| row.member);
        match (call, member) {
            (Some(call), Some(member)) if is_buffer(member) => {
                let buffer = self.buffer_declaration(target, call);
                out.extend(buffer.and_then(|buffer| self.allocation(place, buffer)));
            }
            (Some(call), Some(member)) if is_iterator(member) => self.misplaced(target, call),
            _ => out.extend(self.named_value(place, target, &assign.value)),
        }
    }

    /// A buffer with memory of its own lives from here on.
    fn allocation(&mut self, place: Place, buffer: BufferId) -> Option<Statement> {
        match self.function.buffer(buffer).origin {
            Origin::Allocated | Origin::Declared | Origin::Region(_) => {
                Some(Statement { place, kind: StatementKind::Allocate(buffer) })
            }
            Origin::Handle(_) => {
                let place = self.function.buffer(buffer).place.0;
                let told =
                    self.mistake(Code::ScriptStatement, place, "a handle is bound at the beginning of the function");
                self.wrong(told.label("within a body").help("move the declaration up"))
            }
        }
    }

    fn misplaced(&mut self, target: &'a py::Expr, call: &py::ExprCall) {
        let told =
            self.mistake(Code::ScriptStatement, span(call), "iterators are declared at the beginning of the function");
        self.tell(told.label("within a body").help("move the declaration up"));
        self.break_names(target);
    }

    /// `v = e`.
    fn named_value(&mut self, place: Place, target: &'a py::Expr, value: &'a py::Expr) -> Option<Statement> {
        let Some(read) = self.expr(value) else {
            self.break_names(target);
            return None;
        };
        let name = self.target(target)?;
        let variable = self.variable(&name.id, span(name), read.element(), Role::Let);
        Some(Statement { place, kind: StatementKind::Let(variable, read) })
    }

    /// `v: T.int32 = e`.
    fn annotated(&mut self, place: Place, declared: &'a py::StmtAnnAssign) -> Option<Statement> {
        let element = self.annotation(&declared.annotation);
        let name = self.target(&declared.target)?;
        let value = declared.value.as_ref().and_then(|value| self.value_of(value, element?));
        let Some(value) = value else {
            self.break_names(&declared.target);
            return None;
        };
        let variable = self.variable(&name.id, span(name), value.element(), Role::Let);
        Some(Statement { place, kind: StatementKind::Let(variable, value) })
    }

    fn store(&mut self, place: Place, target: &'a py::ExprSubscript, value: &'a py::Expr) -> Option<Statement> {
        let access = self.access(target);
        let Some(access) = access else {
            self.expr(value);
            return None;
        };
        let value = self.value_of(value, self.function.buffer(access.buffer).element)?;
        Some(Statement { place, kind: StatementKind::Store(access, value) })
    }

    /// `X[i] += e`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "Python updates in many ways")]
    fn update(&mut self, place: Place, update: &'a py::StmtAugAssign) -> Option<Statement> {
        let op = match update.op {
            py::Operator::Add => Some(Binary::Add),
            py::Operator::Sub => Some(Binary::Subtract),
            py::Operator::Mult => Some(Binary::Multiply),
            _ => None,
        };
        let (Some(op), Some(target)) = (op, update.target.as_subscript_expr()) else {
            let told = self.mistake(
                Code::ScriptStatement,
                place.0,
                "only elements of buffers are updated, by `+=`, `-=` or `*=`",
            );
            return self.wrong(told.label("no such update").help("write `X[i] = X[i] + …`"));
        };
        let access: Access = self.access(target)?;
        let element = self.function.buffer(access.buffer).element;
        let value = self.value_of(&update.value, element)?;
        let made = Expr::binary(place, op, Expr::load(access.clone(), element), value);
        let value = self.typed(made, place.0, &update.value)?;
        Some(Statement { place, kind: StatementKind::Store(access, value) })
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "members are many, and few are statements")]
    fn call_statement(&mut self, place: Place, expr: &'a py::Expr, out: &mut Vec<Statement>) {
        if expr.is_string_literal_expr() || expr.is_ellipsis_literal_expr() {
            return;
        }
        let Some(call) = expr.as_call_expr() else {
            let told = self.mistake(Code::ScriptStatement, place.0, "a value alone does nothing");
            return self.tell(told.label("no statement").help("store it in an element of a buffer"));
        };
        let Some(given) = self.given(call) else { return };
        let made = match given.row.member {
            Member::Evaluate => given.get("value").and_then(|value| self.evaluated(value)),
            Member::Domain => self.buffer_domain(&given),
            Member::Intrinsic => self.intrinsic(&given).map(StatementKind::Intrinsic),
            Member::Unread => self.unread(&given),
            _ => {
                let told =
                    self.mistake(Code::ScriptStatement, given.head, format!("`T.{}` cannot stand here", given.name));
                self.wrong(told.label("no statement of this place"))
            }
        };
        out.extend(made.map(|kind| Statement { place, kind }));
    }

    fn evaluated(&mut self, value: &'a py::Expr) -> Option<StatementKind> {
        let call =
            value.as_call_expr().filter(|_| self.callee(value).is_some_and(|row| row.member == Member::Intrinsic));
        match call {
            Some(call) => {
                let given = self.given(call)?;
                self.intrinsic(&given).map(StatementKind::Intrinsic)
            }
            None => self.expr(value).map(StatementKind::Evaluate),
        }
    }

    fn buffer_domain(&mut self, given: &Given<'a>) -> Option<StatementKind> {
        let (buffer, domain) = (self.buffer(given.get("buffer")?), self.domain(given.get("domain")?));
        let (start, end) = domain?;
        Some(StatementKind::Domain(buffer?, start, end))
    }

    fn intrinsic(&mut self, given: &Given<'a>) -> Option<Intrinsic> {
        let arguments: Vec<_> = given.rest.iter().map(|argument| self.intrinsic_argument(argument)).collect();
        Some(Intrinsic { name: given.row.name, arguments: arguments.into_iter().collect::<Option<_>>()? })
    }

    fn intrinsic_argument(&mut self, argument: &'a py::Expr) -> Option<Argument> {
        if let Some(text) = text(argument) {
            return Some(Argument::Text(text.to_string()));
        }
        if let Some(attribute) = argument.as_attribute_expr().filter(|attribute| attribute.attr.as_str() == "data") {
            return Some(Argument::Pointer(self.buffer(&attribute.value)?, Pointer::Data));
        }
        let access = argument.as_call_expr().and_then(|call| Some((call.func.as_attribute_expr()?, call)));
        if let Some((attribute, call)) = access.filter(|(attribute, _)| attribute.attr.as_str() == "access_ptr") {
            let letters = call.arguments.args.first().and_then(text).unwrap_or("rw").to_string();
            return Some(Argument::Pointer(self.buffer(&attribute.value)?, Pointer::Access(letters)));
        }
        self.expr(argument).map(Argument::Value)
    }

    fn while_loop(&mut self, place: Place, written: &'a py::StmtWhile) -> Option<Statement> {
        let condition = self.condition(&written.test);
        let body = self.suite(&written.body);
        Some(Statement { place, kind: StatementKind::While(condition?, body) })
    }

    fn branch(&mut self, place: Place, written: &'a py::StmtIf) -> Option<Statement> {
        let condition = self.condition(&written.test);
        let then = self.suite(&written.body);
        let clauses = &written.elif_else_clauses;
        if clauses.len() > MOST_BLOCKS {
            let told = self.mistake(Code::ScriptUnread, place.0, format!("more than {MOST_BLOCKS} branches"));
            return self.wrong(told.label("too many to be read"));
        }
        let otherwise = self.clauses(clauses);
        Some(Statement { place, kind: StatementKind::If { condition: condition?, then, otherwise } })
    }

    /// What `elif` and `else` say: one branch within another.
    fn clauses(&mut self, clauses: &'a [py::ElifElseClause]) -> Vec<Statement> {
        let Some((first, rest)) = clauses.split_first() else { return Vec::new() };
        let condition = first.test.as_ref().map(|test| self.condition(test));
        let then = self.suite(&first.body);
        let Some(condition) = condition else { return then };
        let otherwise = self.clauses(rest);
        let kind = condition.map(|condition| StatementKind::If { condition, then, otherwise });
        kind.into_iter().map(|kind| Statement { place: Place(span(first)), kind }).collect()
    }

    fn assertion(&mut self, place: Place, written: &'a py::StmtAssert) -> Option<Statement> {
        let condition = self.condition(&written.test);
        let message = written.msg.as_ref().map_or(Some(""), |message| self.text_of(message));
        Some(Statement { place, kind: StatementKind::Assert(condition?, message?.to_string()) })
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "members are many, and few open a body")]
    fn with(&mut self, with: &'a py::StmtWith, out: &mut Vec<Statement>) {
        let item = with.items.first().filter(|_| with.items.len() == 1);
        let call = item.and_then(|item| item.context_expr.as_call_expr());
        let (Some(item), Some(call)) = (item, call) else {
            let told = self.mistake(
                Code::ScriptStatement,
                span(with),
                "`with` opens an iteration, a block, or an initialization",
            );
            return self.tell(told.label("none of them").help("write one call of `T` behind `with`"));
        };
        let Some(given) = self.given(call) else {
            item.optional_vars.iter().for_each(|names| self.break_names(names));
            // What is wrong in the body is told all the same.
            self.suite(&with.body);
            return;
        };
        match given.row.member {
            Member::Iteration => out.extend(self.iteration(with, &given, item.optional_vars.as_deref())),
            Member::Block => out.extend(self.block(with, &given)),
            Member::Let => self.with_let(with, &given, out),
            Member::Unread => self.unread(&given).unwrap_or_default(),
            _ => {
                let told =
                    self.mistake(Code::ScriptStatement, given.head, format!("`T.{}` opens no body here", given.name));
                self.tell(told.label("no iteration and no block"));
            }
        }
    }

    /// `with T.let(v, e):`, which is `v = e` before the body.
    fn with_let(&mut self, with: &'a py::StmtWith, given: &Given<'a>, out: &mut Vec<Statement>) {
        self.names.open();
        let parts = given.get("variable").zip(given.get("value"));
        out.extend(parts.and_then(|(name, value)| self.named_value(Place(given.span), name, value)));
        with.body.iter().for_each(|statement| self.statement(statement, out));
        self.names.close();
    }

    /// The call of a member that is a statement by itself; within, `None` if its arguments are wrong.
    pub(super) fn attr_call(&mut self, statement: &'a Stmt, member: Member) -> Option<Option<Given<'a>>> {
        let call = statement.as_expr_stmt()?.value.as_call_expr()?;
        (self.row_of(&call.func)?.member == member).then(|| self.given(call))
    }

    /// The body of `with T.init():`.
    pub(super) fn init_body(&mut self, statement: &'a Stmt) -> Option<&'a [Stmt]> {
        let with = statement.as_with_stmt()?;
        let [item] = with.items.as_slice() else { return None };
        (self.callee(&item.context_expr)?.member == Member::Init).then_some(&with.body)
    }

    /// The type that an annotation says.
    pub(super) fn annotation(&mut self, annotation: &'a py::Expr) -> Option<nnz_base::element::Element> {
        let name = self.member_name(annotation).or_else(|| dotted(annotation));
        let element = name.as_deref().and_then(crate::model::element_named);
        element.or_else(|| {
            let told = self.mistake(
                Code::ScriptType,
                span(annotation),
                format!("`{}` is no type of numbers", self.text(span(annotation))),
            );
            self.wrong(told.label("no type of numbers").help("write `T.int32` or another type behind `T.`"))
        })
    }

    /// Makes a thing known that the head of the function declares.
    pub(super) fn known(&mut self, name: &py::Identifier, thing: Thing) {
        self.declare(&name.id, span(name), thing);
    }
}

/// Bodies within bodies beyond this are not read.
const MOST_BLOCKS: usize = 100;
