//! A function: its parameters, its declarations, its body.

use std::collections::{BTreeSet, HashMap};

use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit},
    element::Element,
    source::{Source, Span},
};
use ruff_python_ast::{
    self as py, ExprContext, Stmt, StmtFunctionDef,
    visitor::{Visitor, walk_expr},
};

use super::{
    Read,
    blocks::assigned_call,
    buffers::Written,
    find::{Found, Outer, OuterValue},
    iterators::is_iterator,
    names::{Meaning, Names, Thing},
    python::{dotted, items, span},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{
        Attributes, BufferId, Function, Origin, Param, ParamId, ParamKind, Place, Role, Variable, VariableId,
        element_named,
    },
};

/// Reads a function, with what is wrong in it.
pub(super) fn read(source: &Source, found: &Found<'_>, is_broken: bool) -> (Read, Vec<Diagnostic>) {
    let mut reader = Reader {
        source,
        aliases: &found.aliases,
        function: empty(found.definition),
        names: Names::default(),
        mentions: Vec::new(),
        diagnostics: Vec::new(),
        ranges: HashMap::new(),
        later: HashMap::new(),
        old: Vec::new(),
        is_broken,
        depth: 0,
    };
    reader.whole(found);
    let whole = !is_broken && !reader.diagnostics.iter().any(Diagnostic::is_error);
    let Reader { function, mentions, diagnostics, .. } = reader;
    let (first, attributes) = (first_statement(found.definition), attributes(found.definition));
    (Read { function, whole, span: span(found.definition), first, attributes, mentions }, diagnostics)
}

/// The first statement that is no text about the function.
fn first_statement(definition: &StmtFunctionDef) -> Span {
    let is_text = |statement: &&Stmt| statement.as_expr_stmt().is_some_and(|expr| expr.value.is_string_literal_expr());
    let first = definition.body.iter().find(|statement| !is_text(statement)).or(definition.body.last());
    first.map_or(Span::at(span(definition).end as usize), span)
}

/// The dictionary that `T.func_attr` is given.
fn attributes(definition: &StmtFunctionDef) -> Option<Span> {
    let calls = definition.body.iter().filter_map(|statement| statement.as_expr_stmt()?.value.as_call_expr());
    let named = |call: &&py::ExprCall| dotted(&call.func).is_some_and(|name| name.ends_with(".func_attr"));
    calls.into_iter().find(named)?.arguments.args.first().map(span)
}

fn empty(definition: &StmtFunctionDef) -> Function {
    Function {
        name: definition.name.to_string(),
        place: Place(span(&definition.name)),
        params: Vec::new(),
        captured: Vec::new(),
        attributes: Attributes::new(),
        iterators: Vec::new(),
        buffers: Vec::new(),
        variables: Vec::new(),
        body: Vec::new(),
    }
}

impl<'a> Reader<'a> {
    fn whole(&mut self, found: &Found<'a>) {
        self.capture(found);
        self.names.open();
        let params = found.definition.parameters.iter().map(|param| (param.name().as_str(), span(param.name())));
        self.later = params.chain(found.definition.body.iter().filter_map(assigned_name)).collect();
        self.params(found.definition);
        let (head, body): (Vec<&Stmt>, Vec<&Stmt>) =
            found.definition.body.iter().partition(|statement| self.is_declaration(statement));
        head.into_iter().for_each(|statement| self.declaration(statement));
        self.order_buffers();
        let mut read = Vec::new();
        body.into_iter().for_each(|statement| self.statement(statement, &mut read));
        self.function.body = read;
        self.names.close();
        self.tell_old_spellings();
    }

    /// Names of the Python around: values that are written out are known, others are numbers that a caller will give.
    fn capture(&mut self, found: &Found<'a>) {
        let mut mentioned = Mentioned::default();
        mentioned.visit_body(&found.definition.body);
        mentioned.given.extend(found.definition.parameters.iter().map(|param| param.name().as_str()));
        for Outer { name, value } in &found.around {
            match value {
                OuterValue::Known(value) => self.names.add(name, Meaning::Known(value), Span::at(0)),
                OuterValue::Function(definition) => self.names.add(name, Meaning::Function(definition), Span::at(0)),
                OuterValue::Unknown if mentioned.is_captured(name) && !self.is_captured(name) => self.captured(name),
                OuterValue::Unknown => {}
            }
        }
    }

    fn is_captured(&self, name: &str) -> bool {
        matches!(self.names.find(name), Some((Meaning::Thing(_), _)))
    }

    fn captured(&mut self, name: &'a str) {
        let id = VariableId::new(self.function.variables.len());
        let variable =
            Variable { name: name.to_string(), place: Place(Span::at(0)), element: Element::I32, role: Role::Captured };
        self.function.variables.push(variable);
        self.function.captured.push(id);
        self.names.add(name, Meaning::Thing(Thing::Variable(id)), Span::at(0));
    }

    fn params(&mut self, definition: &'a StmtFunctionDef) {
        for param in definition.parameters.iter() {
            let name = param.name();
            let id = ParamId::new(self.function.params.len());
            let place = Place(span(name));
            // The parameter is there before its buffer is, which refers to it.
            self.function.params.push(Param { name: name.to_string(), place, kind: ParamKind::Handle });
            match self.param(id, name, param.annotation()) {
                Some(kind) => self.function.params[id.index()].kind = kind,
                None => self.names.add(name, Meaning::Broken, place.0),
            }
        }
    }

    fn param(&mut self, id: ParamId, name: &'a py::Identifier, annotation: Option<&'a py::Expr>) -> Option<ParamKind> {
        let Some(annotation) = annotation else { return self.untyped(name) };
        if let Some(written) = self.array_annotation(annotation) {
            return self.array(name, span(name), Origin::Handle(id), written).map(ParamKind::Array);
        }
        if self.member_name(callee(annotation)).is_none() {
            return self.no_param(annotation);
        }
        let row = self.member(callee(annotation))?;
        if row.member == Member::Handle {
            self.known(name, Thing::Param(id));
            return Some(ParamKind::Handle);
        }
        let element = element_named(&self.member_name(annotation).unwrap_or_default());
        let Some(element) = element else { return self.no_param(annotation) };
        Some(ParamKind::Scalar(self.variable(name, span(name), element, Role::Param)))
    }

    fn untyped<T>(&mut self, name: &py::Identifier) -> Option<T> {
        let told = self.mistake(Code::ScriptHandle, span(name), format!("the parameter `{name}` has no type"));
        let told = told.label("an array or a number?");
        self.wrong(told.fix("it is an array", Span::at(span(name).end as usize), ": T.handle"))
    }

    fn no_param<T>(&mut self, annotation: &py::Expr) -> Option<T> {
        let message = format!("`{}` is no type of a parameter", self.text(span(annotation)));
        let told = self.mistake(Code::ScriptHandle, span(annotation), message).label("no handle and no number");
        self.wrong(told.help("write `T.handle` for an array, `T.int32` for a number"))
    }

    /// `T.Buffer[(n, m), "float32"]` or `T.Buffer((n, m), "float32")`.
    fn array_annotation(&mut self, annotation: &'a py::Expr) -> Option<Written<'a>> {
        if let Some(subscript) = annotation.as_subscript_expr() {
            self.row_of(&subscript.value).filter(|row| row.member == Member::Array)?;
            let (shape, dtype) = match items(&subscript.slice) {
                Some([shape, dtype]) if dtype.is_string_literal_expr() => (shape, Some(dtype)),
                _ => (&*subscript.slice, None),
            };
            return Some((shape, dtype));
        }
        let call = annotation.as_call_expr()?;
        self.row_of(&call.func).filter(|row| row.member == Member::Array)?;
        let given = self.given(call)?;
        Some((given.get("shape")?, given.get("dtype")))
    }

    /// Whether a statement declares something of the whole function: such are read first.
    fn is_declaration(&self, statement: &Stmt) -> bool {
        let is_attr = || {
            let call = statement.as_expr_stmt().and_then(|statement| statement.value.as_call_expr());
            call.and_then(|call| self.row_of(&call.func)).is_some_and(|row| row.member == Member::FuncAttr)
        };
        let declares = |call: &py::ExprCall| {
            let is_part = call.arguments.args.first().is_some_and(py::Expr::is_subscript_expr);
            match self.row_of(&call.func).map(|row| row.member) {
                Some(Member::MatchDense) => !is_part,
                Some(member) => is_iterator(member) || member == Member::MatchSparse,
                // A misspelt declaration is one, too.
                None => self.member_name(&call.func).is_some(),
            }
        };
        assigned_call(statement).is_some_and(|(_, call)| declares(call)) || is_attr()
    }

    fn declaration(&mut self, statement: &'a Stmt) {
        if let Some(given) = self.attr_call(statement, Member::FuncAttr) {
            let more = given.and_then(|given| self.attributes(given.get("attributes")?));
            return self.function.attributes.extend(more.unwrap_or_default());
        }
        let Some((target, call)) = assigned_call(statement) else { return };
        if self.row_of(&call.func).is_some_and(|row| is_iterator(row.member)) {
            self.iterator(target, call);
        } else {
            self.buffer_declaration(target, call);
        }
    }

    /// Buffers of parameters come first, in the order of the parameters: so a function is the same wherever they are
    /// declared.
    fn order_buffers(&mut self) {
        let param = |id: BufferId| match self.function.buffer(id).origin {
            Origin::Handle(param) => param,
            Origin::Allocated | Origin::Declared | Origin::Region(_) => ParamId(u32::MAX),
        };
        let mut order: Vec<BufferId> = (0..self.function.buffers.len()).map(BufferId::new).collect();
        order.sort_by_key(|id| (param(*id), *id));
        let place = |old: BufferId| BufferId::new(order.iter().position(|id| *id == old).unwrap_or(old.index()));
        let moved: HashMap<BufferId, BufferId> = order.iter().map(|id| (*id, place(*id))).collect();
        let buffers = order.iter().map(|id| self.function.buffer(*id).clone()).collect();
        self.function.buffers = buffers;
        self.names.renumber(&moved);
        for mention in &mut self.mentions {
            if let Thing::Buffer(id) = &mut mention.thing {
                *id = moved[id];
            }
        }
        for param in &mut self.function.params {
            if let ParamKind::Array(id) = &mut param.kind {
                *id = moved[id];
            }
        }
    }

    /// One hint for all spellings that the RFC has replaced.
    fn tell_old_spellings(&mut self) {
        let old = std::mem::take(&mut self.old);
        let Some((first, newest)) = old.first() else { return };
        let message = format!("`T.{}` is the prototype's spelling", self.text(*first));
        let file = self.source.id;
        let edits = old.iter().map(|(span, new)| Edit { file, span: *span, replacement: new.clone() }).collect();
        let told = self.mistake(Code::OldSpelling, *first, message).label(format!("the RFC writes `T.{newest}`"));
        self.tell(told.fix_edits("write the function as the RFC does", edits, Applicability::MachineApplicable));
    }
}

/// The name that a statement of the function gives, and where.
fn assigned_name(statement: &Stmt) -> Option<(&str, Span)> {
    let name = assigned_call(statement)?.0.as_name_expr()?;
    Some((name.id.as_str(), span(name)))
}

fn callee(annotation: &py::Expr) -> &py::Expr {
    annotation.as_call_expr().map_or(annotation, |call| &call.func)
}

/// The names that a body uses, and those that it gives.
#[derive(Default)]
struct Mentioned<'a> {
    used: BTreeSet<&'a str>,
    given: BTreeSet<&'a str>,
}

impl Mentioned<'_> {
    fn is_captured(&self, name: &str) -> bool {
        self.used.contains(name) && !self.given.contains(name)
    }
}

impl<'a> Visitor<'a> for Mentioned<'a> {
    fn visit_expr(&mut self, expr: &'a py::Expr) {
        if let Some(name) = expr.as_name_expr() {
            let names = if name.ctx == ExprContext::Store { &mut self.given } else { &mut self.used };
            names.insert(&name.id);
        }
        walk_expr(self, expr);
    }
}
